// An expression of a group is that of its fields: means of eight hours that have their number, by a
// group in a file, by a field of its own, and by a reference to a group.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <epios/epios.hpp>
#include <string>
#include <vector>

#include "dumped.hpp"
#include "scratch.hpp"

namespace epios::client::group_expression_test {
namespace {

using ::testing::HasSubstr;

constexpr const char* iodef = R"(
<simulation>
  <context id="c">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <axis_definition><axis id="a" n_glo="2"/></axis_definition>
    <field_definition operation="average" axis_ref="a" prec="8">
      <field_group id="G"><field id="s" unit="K"/></field_group>
    </field_definition>
    <file_definition output_freq="8h">
      <file id="r">
        <field_group freq_op="8h" expr="@this_ref"><field field_ref="s" name="in_group"/></field_group>
        <field field_ref="s" name="own" freq_op="8h" expr="@this_ref"/>
      </file>
      <file id="g"><field_group group_ref="G" freq_op="8h" expr="@this_ref"/></file>
    </file_definition>
  </context>
</simulation>)";

TEST(GroupExpression, IsThatOfItsFields) {
  const Scratch scratch(iodef);
  Session session("c");
  Client client(session);
  Context context = client.open_context("c");
  context.close_definition();
  for (int hour = 1; hour <= 8; ++hour) {
    context.update_calendar(hour);
    context.send("s", std::vector<double>(2, static_cast<double>(hour)));
  }
  context.finalize();
  client.close();
  session.close();

  const std::string file = dumped("r.nc");
  EXPECT_THAT(file, HasSubstr(" in_group =\n  4.5, 4.5 ;"));
  EXPECT_THAT(file, HasSubstr(" own =\n  4.5, 4.5 ;"));
  EXPECT_THAT(dumped("g.nc"), HasSubstr(" s =\n  4.5, 4.5 ;"));
}

}  // namespace
}  // namespace epios::client::group_expression_test
