// A coarse file onto the grid of a model: what is read goes through transformations, to the model
// and to files, whether each client reads the whole coarse grid or a part of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "space_run.hpp"

namespace epios::client::received_test {
namespace {

using test::context;
using ::testing::HasSubstr;

const std::string maker = context("maker", R"(
    <domain_definition>
      <domain id="coarse" ni_glo="12" nj_glo="6" type="rectilinear"><generate_rectilinear_domain/></domain>
    </domain_definition>
    <axis_definition><axis id="z" n_glo="3" value="(0,2)[0 10 20]"/></axis_definition>
    <grid_definition><grid id="g"><domain domain_ref="coarse"/><axis axis_ref="z"/></grid></grid_definition>
    <field_definition operation="instant" prec="8"><field id="wind" grid_ref="g"/></field_definition>
    <file_definition><file id="winds" output_freq="1h"><field field_ref="wind"/></file></file_definition>)");

// The same file for two grids: one that says nothing, one of which each client has rows.
std::string reader(const std::string& id, const std::string& domain) {
  return context(id, R"(
    <domain_definition>
      )" + domain + R"(
      <domain id="d" ni_glo="36" nj_glo="18" type="rectilinear"><generate_rectilinear_domain/></domain>
      <domain id="onto_d" domain_ref="d"><interpolate_domain order="1"/></domain>
    </domain_definition>
    <axis_definition>
      <axis id="z"/>
      <axis id="levels" n_glo="2" value="(0,1)[5 20]"/>
      <axis id="onto_levels" axis_ref="levels"><interpolate_axis order="1"/></axis>
    </axis_definition>
    <scalar_definition><scalar id="all"><reduce_domain operation="average"/></scalar></scalar_definition>
    <grid_definition>
      <grid id="of_file"><domain domain_ref="coarse"/><axis axis_ref="z"/></grid>
      <grid id="of_model"><domain domain_ref="d"/><axis axis_ref="levels"/></grid>
      <grid id="onto_model"><domain domain_ref="onto_d"/><axis axis_ref="onto_levels"/></grid>
      <grid id="means"><scalar scalar_ref="all"/><axis axis_ref="onto_levels"/></grid>
    </grid_definition>
    <field_definition operation="instant" prec="8">
      <field id="wind_here" field_ref="wind" grid_ref="onto_model" read_access="true"/>
      <field id="drag" grid_ref="of_model"/>
      <field id="stress" grid_ref="of_model" read_access="true"> wind_here * drag </field>
      <field id="mean" field_ref="wind_here" grid_ref="means" read_access="true"/>
    </field_definition>
    <file_definition>
      <file id="winds" mode="read" output_freq="1h">
        <field id="wind" grid_ref="of_file" operation="instant"/>
      </file>
      <file id=")" + id + R"(_out" output_freq="3h">
        <field field_ref="wind_here" operation="average"/>
        <field field_ref="mean"/>
        <field field_ref="stress" operation="maximum"/>
      </file>
    </file_definition>)");
}

double coarse(int i, int j, int k, int step) { return 100 * step + 10 * k + j + 0.5 * i; }

void make(Client& client) {
  Context context = client.open_context("maker");
  context.close_definition();
  const int first = 6 * client.rank() / client.size();
  const int rows = 6 * (client.rank() + 1) / client.size() - first;
  for (int step = 1; step <= 4; ++step) {
    context.update_calendar(step);
    std::vector<double> wind;
    for (int k = 0; k < 3; ++k) {
      for (int j = first; j < first + rows; ++j) {
        for (int i = 0; i < 12; ++i) wind.push_back(coarse(i, j, k, step));
      }
    }
    context.send("wind", wind);
  }
  context.finalize();
}

void read(Client& client, const std::string& id) {
  Context context = client.open_context(id);
  const int first = 18 * client.rank() / client.size();
  const int rows = 18 * (client.rank() + 1) / client.size() - first;
  if (id == "rows") {
    // Not those that its own cells need.
    const int other = client.size() - 1 - client.rank();
    const int jbegin = 6 * other / client.size();
    context.at("domain", "coarse")
        .set("ibegin", 0)
        .set("ni", 12)
        .set("jbegin", jbegin)
        .set("nj", 6 * (other + 1) / client.size() - jbegin);
  }
  context.close_definition();
  for (int step = 1; step <= 3; ++step) {
    context.update_calendar(step);
    std::vector<double> wind(static_cast<std::size_t>(36 * rows * 2));
    EXPECT_TRUE(context.is_active("drag"));
    context.receive("wind_here", std::span<double>(wind));
    const double drag = 2;
    context.send("drag", std::vector<double>(wind.size(), drag));
    std::vector<double> stress(wind.size());
    context.receive("stress", std::span<double>(stress));
    std::size_t at = 0;
    for (int k = 0; k < 2; ++k) {
      for (int j = first; j < first + rows; ++j) {
        for (int i = 0; i < 36; ++i, ++at) {
          const double below = coarse(i / 3, j / 3, k == 0 ? 0 : 2, step + 1);
          const double wanted = k == 0 ? below + 5 : below;
          EXPECT_NEAR(wind[at], wanted, 1e-12 * wanted) << step << " " << i << " " << j;
          EXPECT_EQ(stress[at], drag * wind[at]);
        }
      }
    }
    std::vector<double> mean(2);
    context.receive("mean", std::span<double>(mean));
    // The record of a step is the one that the step before has written.
    EXPECT_NEAR(mean[0], 100 * (step + 1) + 5 + 2.5 + 0.5 * 5.5, 1e-10);
    EXPECT_NEAR(mean[1], 100 * (step + 1) + 20 + 2.5 + 0.5 * 5.5, 1e-10);
  }
  context.finalize();
}

void check(const std::string& id) {
  const std::string text = test::dumped("-p 9,17 " + id + "_out.nc");
  const std::vector<double> wind = test::values(text, "wind_here");
  const std::vector<double> stress = test::values(text, "stress");
  ASSERT_EQ(wind.size(), 36U * 18U * 2U);
  ASSERT_EQ(stress.size(), wind.size());
  for (std::size_t at = 0; at < wind.size(); ++at) {
    const int i = static_cast<int>(at % 36);
    const int j = static_cast<int>(at / 36 % 18);
    const double above = at < wind.size() / 2 ? 5 : 20;
    EXPECT_NEAR(wind[at], coarse(i / 3, j / 3, 0, 3) + above, 1e-9);
    EXPECT_NEAR(stress[at], 2 * (coarse(i / 3, j / 3, 0, 4) + above), 1e-9);
  }
  const std::vector<double> mean = test::values(text, "mean");
  ASSERT_EQ(mean.size(), 2U);
  EXPECT_NEAR(mean[1], 400 + 20 + 2.5 + 0.5 * 5.5, 1e-10);
}

TEST(Received, is_a_coarse_file_on_the_grid_of_the_model) {
  const std::string iodef =
      "<simulation>" + maker + reader("whole", R"(<domain id="coarse" type="rectilinear"/>)") +
      reader("rows", R"(<domain id="coarse" type="rectilinear" ni_glo="12" nj_glo="6"/>)") +
      "</simulation>";
  test::run_clients(
      iodef, 3,
      [](Client& client) {
        make(client);
        read(client, "whole");
        read(client, "rows");
      },
      [] {
        check("whole");
        check("rows");
      });
}

}  // namespace
}  // namespace epios::client::received_test
