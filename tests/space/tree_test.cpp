// Sums over so many clients that nobody hears from all: what comes of them.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "space_run.hpp"

namespace epios::client::tree_test {
namespace {

// Each client has two columns of three rows, the last one none.
constexpr int clients = 22;
constexpr int ni = 2 * (clients - 1);

const std::string sums = test::context("sums", R"(
    <domain_definition>
      <domain id="d" type="rectilinear" ni_glo="42" nj_glo="3" data_dim="2"/>
    </domain_definition>
    <axis_definition>
      <axis id="z" n_glo="2"/>
      <axis id="rows"><reduce_domain operation="sum" direction="jDir"/></axis>
    </axis_definition>
    <scalar_definition>
      <scalar id="sum"><reduce_domain operation="sum"/></scalar>
      <scalar id="least"><reduce_domain operation="min"/></scalar>
    </scalar_definition>
    <grid_definition>
      <grid id="all"><domain domain_ref="d"/><axis axis_ref="z"/></grid>
      <grid id="of_sum"><scalar scalar_ref="sum"/><axis axis_ref="z"/></grid>
      <grid id="of_least"><scalar scalar_ref="least"/><axis axis_ref="z"/></grid>
      <grid id="of_rows"><axis axis_ref="rows"/><axis axis_ref="z"/></grid>
    </grid_definition>
    <field_definition operation="instant" prec="8">
      <field id="t" grid_ref="all"/>
      <field id="t_sum" field_ref="t" grid_ref="of_sum" read_access="true"/>
      <field id="t_least" field_ref="t" grid_ref="of_least" read_access="true"/>
    </field_definition>
    <file_definition>
      <file id="sums" output_freq="1h"><field field_ref="t" name="t_rows" grid_ref="of_rows"/></file>
    </file_definition>)");

/// Such that sums of doubles in another order are other ones.
double value(int i, int j, int k, int step) {
  const double large = 1e16 * ((i + j) % 2 == 0 ? 1 : -1);
  return large + 0.5 * (i % 7) + j - 10.0 * k - 0.25 * step;
}

/// Exact: all are multiples of 1/4 of what they come to, in integers of 128 bits.
double whole_sum(int k, int step, int row) {
  __extension__ __int128 quarters = 0;
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < ni && (row < 0 || row == j); ++i) {
      quarters += static_cast<std::int64_t>(4 * value(i, j, k, step));
    }
  }
  return static_cast<double>(quarters) / 4;
}

void run_sums(Client& client) {
  Context context = client.open_context("sums");
  const int n = client.rank() + 1 < clients ? 2 : 0;
  context.at("domain", "d")
      .set("ibegin", n == 0 ? 0 : 2 * client.rank())
      .set("ni", n)
      .set("jbegin", 0)
      .set("nj", n == 0 ? 0 : 3);
  context.close_definition();
  for (int step = 1; step <= 3; ++step) {
    context.update_calendar(step);
    std::vector<double> t;
    for (int k = 0; k < 2; ++k) {
      for (int j = 0; j < 3; ++j) {
        for (int i = 0; i < n; ++i) t.push_back(value(2 * client.rank() + i, j, k, step));
      }
    }
    context.send("t", t);
    std::vector<double> sum(2);
    std::vector<double> least(2);
    context.receive("t_sum", std::span<double>(sum));
    context.receive("t_least", std::span<double>(least));
    for (int k = 0; k < 2; ++k) {
      EXPECT_EQ(sum[static_cast<std::size_t>(k)], whole_sum(k, step, -1));
      EXPECT_EQ(least[static_cast<std::size_t>(k)], value(7, 0, k, step));
    }
  }
  context.finalize();
}

TEST(Tree, of_clients_adds_up_without_rounding) {
  test::run_clients("<simulation>" + sums + "</simulation>", clients, run_sums, [] {
    const std::vector<double> rows = test::values(test::dumped("-p 9,17 sums.nc"), "t_rows");
    ASSERT_EQ(rows.size(), 18U);
    for (int step = 1; step <= 3; ++step) {
      for (int k = 0; k < 2; ++k) {
        for (int j = 0; j < 3; ++j) {
          EXPECT_EQ(rows[static_cast<std::size_t>(6 * (step - 1) + 3 * k + j)],
                    whole_sum(k, step, j));
        }
      }
    }
  });
}

}  // namespace
}  // namespace epios::client::tree_test
