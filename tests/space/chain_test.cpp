#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <epios/epios.hpp>
#include <string>
#include <vector>

#include "../client/scratch.hpp"

namespace epios::client::chain_test {
namespace {

using ::testing::HasSubstr;

constexpr const char* iodef = R"(
<simulation>
  <context id="c">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <axis_definition>
      <axis id="z" n_glo="4" value="(0,3)[10 20 30 40]"/>
      <axis id="upper" axis_ref="z"><extract_axis begin="1" n="2"/></axis>
      <axis id="upwards" axis_ref="upper"><inverse_axis/></axis>
      <axis id="other" n_glo="4" value="(0,3)[5 6 7 8]"/>
      <axis id="listed"><extract_axis index="(0,1)[3 0]"/></axis>
      <axis id="first"><extract_axis begin="0" n="1"/></axis>
    </axis_definition>
    <grid_definition>
      <grid id="g_upper"><axis axis_ref="upper"/></grid>
      <grid id="g_upwards"><axis axis_ref="upwards"/></grid>
    </grid_definition>
    <scalar_definition><scalar id="point"><extract_axis position="1"/></scalar></scalar_definition>
    <field_definition axis_ref="z" operation="instant">
      <field id="t"/>
      <field id="e"/>
      <field id="t_upper" field_ref="t" axis_ref="upper"/>
      <field id="e_upper" field_ref="e" axis_ref="upper"/>
      <field id="t_upwards" field_ref="t_upper" axis_ref="upwards"/>
      <field id="t_whole_chain" field_ref="t" axis_ref="upwards"/>
      <field id="product" axis_ref="upper"> t_upper * e_upper + 1 </field>
      <field id="product_there" axis_ref="upper"> t * e + 1 </field>
      <field id="product_upwards" field_ref="product" axis_ref="upwards"/>
      <field id="t_point" field_ref="t_upper" axis_ref="_reset_" scalar_ref="point"/>
      <field id="t_other" field_ref="t" axis_ref="other"/>
      <field id="t_listed" field_ref="t" axis_ref="listed"/>
      <field id="t_back" field_ref="t_upper" axis_ref="upper" read_access="true"/>
    </field_definition>
    <file_definition>
      <file id="out" output_freq="2h">
        <field field_ref="t_upper" operation="average"/>
        <field field_ref="t_upwards"/>
        <field field_ref="t_whole_chain"/>
        <field field_ref="product"/>
        <field field_ref="product_there"/>
        <field field_ref="product_upwards" operation="maximum"/>
        <field field_ref="t_point"/>
        <field field_ref="t_other"/>
        <field field_ref="t_listed"/>
        <field field_ref="t" name="t_first" axis_ref="first"/>
        <field field_ref="t" name="t_by_path" axis_ref="first" grid_path="g_upper,g_upwards"/>
      </file>
    </file_definition>
  </context>
</simulation>)";

std::string dumped(const char* file) {
  std::string out;
  FILE* const pipe = ::popen((std::string("ncdump ") + file).c_str(), "r");
  if (pipe == nullptr) return out;
  std::array<char, 4096> chunk{};
  while (std::fgets(chunk.data(), static_cast<int>(chunk.size()), pipe) != nullptr) {
    out += chunk.data();
  }
  ::pclose(pipe);
  return out;
}

TEST(Chains, of_fields_and_of_transformations) {
  const Scratch scratch(iodef);
  Session session("c");
  Client client(session);
  Context context = client.open_context("c");
  context.close_definition();
  for (int step = 1; step <= 2; ++step) {
    context.update_calendar(step);
    EXPECT_TRUE(context.is_active("t"));
    context.send("t", std::vector<double>{1.0 * step, 2.0 * step, 3.0 * step, 4.0 * step});
    context.send("e", std::vector<double>{2, 2, 3, 3});
    std::vector<double> back(2);
    context.receive("t_back", std::span<double>(back));
    EXPECT_EQ(back, (std::vector<double>{2.0 * step, 3.0 * step}));
  }
  context.finalize();
  client.close();
  session.close();
  const std::string text = dumped("out.nc");
  EXPECT_THAT(text, HasSubstr(" upper = 20, 30 ;"));
  EXPECT_THAT(text, HasSubstr(" upwards = 30, 20 ;"));
  EXPECT_THAT(text, HasSubstr(" other = 5, 6, 7, 8 ;"));
  EXPECT_THAT(text, HasSubstr(" listed = 40, 10 ;"));
  EXPECT_THAT(text, HasSubstr(" point = 30 ;"));
  EXPECT_THAT(text, HasSubstr(" t_upper =\n  3, 4.5 ;"));
  EXPECT_THAT(text, HasSubstr(" t_upwards =\n  6, 4 ;"));
  EXPECT_THAT(text, HasSubstr(" t_whole_chain =\n  6, 4 ;"));
  EXPECT_THAT(text, HasSubstr(" product =\n  9, 19 ;"));
  EXPECT_THAT(text, HasSubstr(" product_there =\n  9, 19 ;"));
  EXPECT_THAT(text, HasSubstr(" product_upwards =\n  19, 9 ;"));
  EXPECT_THAT(text, HasSubstr(" t_point = 6 ;"));
  EXPECT_THAT(text, HasSubstr(" t_other =\n  2, 4, 6, 8 ;"));
  EXPECT_THAT(text, HasSubstr(" t_listed =\n  8, 2 ;"));
  EXPECT_THAT(text, HasSubstr(" t_first =\n  2 ;"));
  EXPECT_THAT(text, HasSubstr(" t_by_path =\n  6 ;"));
}

}  // namespace
}  // namespace epios::client::chain_test
