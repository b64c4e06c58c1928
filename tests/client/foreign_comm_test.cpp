// Contexts on communicators that are not all the component's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mpi.h>

#include <epios/epios.hpp>
#include <string>

#include "scratch.hpp"

namespace epios::client::foreign_comm_test {
namespace {

using ::testing::HasSubstr;

constexpr const char* iodef = R"(
<simulation>
  <context id="c">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <axis_definition><axis id="a" n_glo="2"/></axis_definition>
    <field_definition><field id="f" axis_ref="a" operation="instant"/></field_definition>
    <file_definition><file id="out" output_freq="1h"><field field_ref="f"/></file></file_definition>
  </context>
</simulation>)";

// One process is model "a", the other model "b": neither may take the other into its context.
TEST(ForeignComm, IsRefusedWithWhoIsNotOfTheComponent) {
  int rank = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const Scratch scratch(iodef);
  // Communicators that the model has made, or was given, are its own to free, as with XIOS.
  Session::Options options;
  ASSERT_EQ(MPI_Comm_dup(MPI_COMM_WORLD, &options.comm), MPI_SUCCESS);
  Session session(rank == 0 ? "a" : "b", options);
  ASSERT_EQ(MPI_Comm_free(&options.comm), MPI_SUCCESS);
  MPI_Comm own = session.comm();
  Client client(session);
  std::string told = "nothing";
  try {
    client.open_context("c", MPI_COMM_WORLD);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), EPIOS_ERR_ARGUMENT);
    told = error.what();
  }
  EXPECT_THAT(told, HasSubstr(rank == 0 ? "process 1 of the job is no process of component 'a' (a "
                                          "context runs on clients of one component). Is it the "
                                          "communicator that the session gave?"
                                        : "process 0 of the job is no process of component 'b'"));
  // Nothing is spoilt by it.
  Context context = client.open_context("c", MPI_COMM_SELF);
  context.close_definition();
  context.update_calendar(1);
  context.send("f", std::vector<double>{1, 2});
  context.finalize();
  ASSERT_EQ(MPI_Comm_free(&own), MPI_SUCCESS);
  client.close();
  session.close();
}

}  // namespace
}  // namespace epios::client::foreign_comm_test
