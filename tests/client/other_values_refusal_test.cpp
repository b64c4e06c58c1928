// Whether two elements are equal is not for each client to decide: where values that the model
// gives make it so, the text names the elements.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <epios/epios.hpp>
#include <string>
#include <vector>

#include "scratch.hpp"

namespace epios::client::other_values_refusal_test {
namespace {

using ::testing::HasSubstr;

constexpr const char* iodef = R"(
<simulation>
  <context id="c">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <domain_definition><domain id="d" type="rectilinear" ni_glo="2" nj_glo="2"/></domain_definition>
    <axis_definition>
      <axis id="z" n_glo="3"/>
      <axis id="down" axis_ref="z"><inverse_axis/></axis>
      <axis id="also_down" axis_ref="z"><inverse_axis/></axis>
    </axis_definition>
    <grid_definition>
      <grid id="g"><domain domain_ref="d"/><axis axis_ref="z"/></grid>
      <grid id="g1"><domain domain_ref="d"/><axis axis_ref="down"/></grid>
      <grid id="g2"><domain domain_ref="d"/><axis axis_ref="also_down"/></grid>
    </grid_definition>
    <field_definition operation="instant">
      <field id="t" grid_ref="g"/>
      <field id="t1" field_ref="t" grid_ref="g1"/>
      <field id="t2" field_ref="t1" grid_ref="g2"/>
    </field_definition>
    <file_definition output_freq="1h">
      <file id="f"><field field_ref="t"/><field field_ref="t1"/><field field_ref="t2"/></file>
    </file_definition>
  </context>
</simulation>)";

TEST(OtherValues, AreNamedWhereClientsDecideByThem) {
  const Scratch scratch(iodef);
  Session session("c");
  Client client(session);
  Context context = client.open_context("c");
  const bool has_points = client.rank() == 0;
  context.set("domain", "d", "ni", 2);
  context.set("domain", "d", "ibegin", 0);
  context.set("domain", "d", "nj", has_points ? 2 : 0);
  context.set("domain", "d", "jbegin", 0);
  if (has_points) {
    const std::vector<double> down{1, 2, 3};
    const std::vector<double> also_down{10, 20, 30};
    context.at("axis", "down").set("value", std::span<const double>(down));
    context.at("axis", "also_down").set("value", std::span<const double>(also_down));
  }
  std::string text;
  try {
    context.close_definition();
  } catch (const Error& error) {
    text = error.what();
  }
  EXPECT_THAT(text, HasSubstr("clients give axis 'down' and axis 'also_down' other values"));
  client.close();
}

}  // namespace
}  // namespace epios::client::other_values_refusal_test
