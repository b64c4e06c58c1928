// Levels and cells dealt out, as pencils: what is made of them for cells that are dealt out by
// EPIOS is there for all levels.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "space_run.hpp"

namespace epios::client::pencils_test {
namespace {

using test::context;
using test::dumped;
using test::values;

constexpr int ni = 24;
constexpr int nj = 12;
constexpr int levels = 4;

const std::string pencils = context("pencils", R"(
    <domain_definition>
      <domain id="d" ni_glo="24" nj_glo="12" type="rectilinear"><generate_rectilinear_domain/></domain>
      <domain id="to" ni_glo="10" nj_glo="5" type="rectilinear">
        <generate_rectilinear_domain/><interpolate_domain order="1"/>
      </domain>
    </domain_definition>
    <axis_definition><axis id="z" n_glo="4"/></axis_definition>
    <scalar_definition><scalar id="mean"><reduce_domain operation="average"/></scalar></scalar_definition>
    <grid_definition>
      <grid id="g"><domain domain_ref="d"/><axis axis_ref="z"/></grid>
      <grid id="g_to"><domain domain_ref="to"/><axis axis_ref="z"/></grid>
      <grid id="g_mean"><scalar scalar_ref="mean"/><axis axis_ref="z"/></grid>
    </grid_definition>
    <field_definition operation="instant" prec="8" default_value="-999"><field id="t" grid_ref="g"/></field_definition>
    <file_definition>
      <file id="pencils" output_freq="1h">
        <field field_ref="t" name="t_to" grid_ref="g_to"/>
        <field field_ref="t" name="t_mean" grid_ref="g_mean" grid_path="g_to"/>
      </file>
    </file_definition>)");

/// Halves of rows times halves of levels, as far as there are clients for them.
void run_pencils(Client& client) {
  Context context = client.open_context("pencils");
  const int beside = client.size() > 1 ? 2 : 1;
  const int above = client.size() / beside;
  const int row = client.rank() % beside;
  const int level = client.rank() / beside;
  const int first = nj * row / beside;
  const int rows = nj * (row + 1) / beside - first;
  const int begin = levels * level / above;
  const int n = levels * (level + 1) / above - begin;
  context.at("domain", "d").set("ibegin", 0).set("ni", ni).set("jbegin", first).set("nj", rows);
  context.at("axis", "z").set("begin", begin).set("n", n);
  context.close_definition();
  context.update_calendar(1);
  std::vector<double> t;
  for (int k = begin; k < begin + n; ++k)
    t.insert(t.end(), static_cast<std::size_t>(ni * rows), 0.1 + k);
  context.send("t", t);
  context.finalize();
}

void check_pencils() {
  const std::string text = dumped("pencils.nc");
  const std::vector<double> to = values(text, "t_to");
  const std::vector<double> mean = values(text, "t_mean");
  ASSERT_EQ(to.size(), 50U * levels) << text;
  ASSERT_EQ(mean.size(), std::size_t{levels}) << text;
  for (std::size_t k = 0; k < levels; ++k) {
    for (std::size_t cell = 0; cell < 50; ++cell) {
      EXPECT_EQ(to[50 * k + cell], 0.1 + static_cast<double>(k))
          << "level " << k << ", cell " << cell;
    }
    EXPECT_DOUBLE_EQ(mean[k], 0.1 + static_cast<double>(k)) << "level " << k;
  }
}

TEST(Pencils, go_to_all_cells_on_all_levels) {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  test::run_clients("<simulation>" + pencils + "</simulation>", size == 2 ? 1 : 4, run_pencils,
                    check_pencils);
}

}  // namespace
}  // namespace epios::client::pencils_test
