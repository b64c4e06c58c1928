// The ring of a domain whose coordinates are lengths: all clients must see that they are, also
// those whose own rows could be latitudes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "space_run.hpp"

namespace epios::client::plane_ring_test {
namespace {

constexpr int ni = 4, nj = 8;

const std::string definitions = R"(
    <domain_definition>
      <domain id="basin" type="curvilinear" ni_glo="4" nj_glo="8"/>
      <domain id="wide" domain_ref="basin"><expand_domain/></domain>
    </domain_definition>
    <field_definition operation="instant" prec="8">
      <field id="t" domain_ref="basin"/>
      <field id="t_wide" field_ref="t" domain_ref="wide" read_access="true"/>
    </field_definition>
    <file_definition><file id="ring" output_freq="1h"><field field_ref="t_wide"/></file></file_definition>)";

// Rows are shared out: those of the first client end below 90.
void run_one(Client& client) {
  Context context = client.open_context("c");
  const int first = nj * client.rank() / client.size();
  const int rows = nj * (client.rank() + 1) / client.size() - first;
  std::vector<double> x;
  std::vector<double> y;
  for (int j = first; j < first + rows; ++j) {
    for (int i = 0; i < ni; ++i) {
      x.push_back(200.0 * i);
      y.push_back(20.0 * j);
    }
  }
  context.at("domain", "basin")
      .set("ibegin", 0)
      .set("ni", ni)
      .set("jbegin", first)
      .set("nj", rows)
      .set("lonvalue_2d", std::span<const double>(x), {ni, rows})
      .set("latvalue_2d", std::span<const double>(y), {ni, rows});
  context.close_definition();
  context.update_calendar(1);
  context.send("t", x);
  context.finalize();
}

void check() {
  const std::string text = test::dumped("ring.nc");
  std::vector<double> x;
  std::vector<double> y;
  for (int j = -1; j <= nj; ++j) {
    for (int i = -1; i <= ni; ++i) {
      x.push_back(200.0 * i);
      y.push_back(20.0 * j);
    }
  }
  EXPECT_EQ(test::values(text, "nav_lon"), x) << text;
  EXPECT_EQ(test::values(text, "nav_lat"), y) << text;
}

TEST(PlaneRing, is_the_same_for_all_decompositions) {
  test::run_three_or_one("<simulation>" + test::context("c", definitions) + "</simulation>",
                         run_one, check);
}

}  // namespace
}  // namespace epios::client::plane_ring_test
