// A field that is not written, since its grid is no grid of its data, may stay where the model
// never sends it; the model that does is told why.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <epios/epios.hpp>
#include <string>
#include <vector>

#include "scratch.hpp"

namespace epios::client::unmade_refusal_test {
namespace {

using ::testing::HasSubstr;

constexpr const char* iodef = R"(<simulation><context id='m'>
  <calendar type='NoLeap' timestep='1h' start_date='2000-01-01'/>
  <axis_definition><axis id='x' n_glo='2'/><axis id='y' n_glo='3'/></axis_definition>
  <field_definition operation='instant'>
    <field id='t' axis_ref='x'/>
    <field id='s' axis_ref='x'/>  <field id='r' axis_ref='x'/>
    <field id='t_there' field_ref='t' axis_ref='y'/>
    <field id='lost' field_ref='nothing'/>  <field id='r_there' field_ref='r' axis_ref='y' read_access='true'/>
  </field_definition>
  <file_definition output_freq='1h'>
    <file id='f'><field field_ref='t_there'/><field field_ref='s'/></file>
    <file id='later'><field field_ref='t_there'/><field field_ref='lost'/></file>
  </file_definition></context></simulation>)";

TEST(Unmade, IsToldToWhoSendsIt) {
  const Scratch scratch(iodef);
  Session session("model");
  Client client(session);
  Context context = client.open_context("m");
  context.close_definition();
  context.update_calendar(1);
  EXPECT_FALSE(context.is_active("t"));
  context.send("s", std::vector<double>{1, 2});
  const auto told = [&](const char* field) {
    try {
      context.send(field, std::vector<double>{1, 2});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  const std::string text = told("t");
  EXPECT_THAT(text,
              HasSubstr("iodef.xml:7:39: context 'm': field 't' cannot be sent (for file 'f': "));
  EXPECT_THAT(text, HasSubstr("field 't_there' has grid '(y)', its data come on grid '(x)': axis "
                              "'x' has 2 points, axis 'y' has 3, and no transformation"));
  EXPECT_THAT(text, HasSubstr("Add a transformation"));
  EXPECT_THAT(told("lost"), HasSubstr("iodef.xml:8:"));
  EXPECT_THAT(told("r"), HasSubstr("field 'r' cannot be sent (for the model, which receives it: "));
  EXPECT_THAT(told("lost"), HasSubstr("field 'lost' cannot be sent (for file 'later': it has the "
                                      "field_ref 'nothing', which refers to nothing)"));
  client.close();
}

}  // namespace
}  // namespace epios::client::unmade_refusal_test
