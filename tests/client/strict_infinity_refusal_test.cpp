// Values that single precision does not hold are warned of where they are received; a strict run
// ends with that.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netcdf.h>

#include <array>
#include <epios/epios.hpp>
#include <string>
#include <vector>

#include "scratch.hpp"

namespace epios::client::strict_infinity_refusal_test {
namespace {

using ::testing::HasSubstr;

constexpr const char* iodef = R"(<simulation strict='true'><context id='m'>
  <calendar type='NoLeap' timestep='1h' start_date='2000-01-01'/>
  <axis_definition><axis id='x' n_glo='2'/></axis_definition>
  <file_definition>
    <file id='in' mode='read' output_freq='1y'>
      <field id='huge' axis_ref='x' operation='once' read_access='true'/>
    </file>
  </file_definition></context></simulation>)";

void write_file() {
  int file = -1;
  int x = -1;
  int huge = -1;
  const std::array<double, 2> values{-1e300, 3e38};
  ASSERT_EQ(nc_create("in.nc", NC_CLOBBER, &file), NC_NOERR);
  ASSERT_EQ(nc_def_dim(file, "x", 2, &x), NC_NOERR);
  ASSERT_EQ(nc_def_var(file, "huge", NC_DOUBLE, 1, &x, &huge), NC_NOERR);
  ASSERT_EQ(nc_enddef(file), NC_NOERR);
  ASSERT_EQ(nc_put_var_double(file, huge, values.data()), NC_NOERR);
  ASSERT_EQ(nc_close(file), NC_NOERR);
}

TEST(StrictInfinity, EndsTheRun) {
  const Scratch scratch(iodef);
  write_file();
  Session session("model");
  Client client(session);
  Context context = client.open_context("m");
  context.close_definition();
  context.update_calendar(1);
  std::vector<float> huge(2);
  context.receive("huge", huge);
  std::string text = "nothing";
  try {
    context.finalize();
  } catch (const Error& error) {
    text = error.what();
  }
  EXPECT_THAT(text, HasSubstr("1 value of 'huge' is infinite as received in single precision"));
  client.close();
}

}  // namespace
}  // namespace epios::client::strict_infinity_refusal_test
