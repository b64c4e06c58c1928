// Fields of one grid of rows, whichever way it is written, in whole runs.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <epios/epios.hpp>
#include <span>
#include <string>
#include <vector>

#include "space_run.hpp"

namespace epios::client::edges_test {
namespace {

constexpr int ni = 36, nj = 18;

/// A value that follows neither rows nor columns.
double tilted(int i, int j) { return std::sin(0.3 * i) + 0.1 * j * j; }

/// The same columns and rows as a grid of rows, as a list of cells, as a curvilinear grid; and as
/// one whose first cell has another corner.
void run_rows(Client& client, const std::string& id) {
  Context context = client.open_context(id);
  const int first = nj * client.rank() / client.size();
  const int rows = nj * (client.rank() + 1) / client.size() - first;
  const std::int64_t cells = static_cast<std::int64_t>(ni) * rows;
  std::vector<std::int64_t> index;
  std::vector<double> values;
  std::vector<double> lon;
  std::vector<double> lat;
  for (int j = first; j < first + rows; ++j) {
    for (int i = 0; i < ni; ++i) {
      index.push_back(j * ni + i);
      values.push_back(tilted(i, j));
      const double west = 10 * i;
      const double south = 10 * j - 90;
      lon.insert(lon.end(), {west, west + 10, west + 10, west});
      lat.insert(lat.end(), {south, south, south + 10, south + 10});
    }
  }
  context.set("domain", "listed", "ni", cells);
  context.set("domain", "listed", "i_index", std::span<const std::int64_t>(index));
  for (const char* domain : {"curved", "bent"}) {
    context.set("domain", domain, "ibegin", 0);
    context.set("domain", domain, "ni", ni);
    context.set("domain", domain, "jbegin", first);
    context.set("domain", domain, "nj", rows);
  }
  for (const char* domain : {"listed", "curved", "bent"}) {
    if (domain == std::string("bent") && first == 0) lat[2] += 1;
    context.set("domain", domain, "bounds_lon_1d", lon, {4, cells});
    context.set("domain", domain, "bounds_lat_1d", lat, {4, cells});
  }
  context.close_definition();
  context.update_calendar(1);
  for (const char* field : {"r", "l", "c", "b"}) context.send(field, values);
  context.finalize();
}

// Edges of rows are parallels however the grid is written: with great circles, cells of 10 degrees
// reach over their rows by up to 0.1 degrees.
TEST(Edges, of_rows_that_are_written_as_lists_are_parallels) {
  const auto definitions = [](const std::string& id, const std::string& order) {
    return test::context(id, R"(<domain_definition>
      <domain id="regular" ni_glo="36" nj_glo="18" type="rectilinear"><generate_rectilinear_domain/></domain>
      <domain id="listed" ni_glo="648" nvertex="4" type="unstructured"/>
      <domain id="curved" ni_glo="36" nj_glo="18" nvertex="4" type="curvilinear"/>
      <domain id="bent" domain_ref="curved"/>
      <domain id="to" ni_glo="24" nj_glo="10" type="rectilinear">
        <generate_rectilinear_domain/><interpolate_domain order=")" +
                                 order + R"("/>
      </domain>
    </domain_definition>
    <field_definition operation="instant" prec="8" default_value="-999">
      <field id="r" domain_ref="regular"/><field id="l" domain_ref="listed"/>
      <field id="c" domain_ref="curved"/><field id="b" domain_ref="bent"/>
    </field_definition>
    <file_definition><file id=")" +
                                 id + R"(" output_freq="1h">
      <field field_ref="r" name="r_to" domain_ref="to"/><field field_ref="l" name="l_to" domain_ref="to"/>
      <field field_ref="c" name="c_to" domain_ref="to"/><field field_ref="b" name="b_to" domain_ref="to"/>
    </file></file_definition>)");
  };
  const std::vector<std::string> ids{"first_order", "second_order"};
  test::run_three_or_one(
      "<simulation>" + definitions(ids[0], "1") + definitions(ids[1], "2") + "</simulation>",
      [&](Client& client) {
        for (const std::string& id : ids) run_rows(client, id);
      },
      [&] {
        for (const std::string& id : ids) {
          const std::string text = test::dumped(id + ".nc");
          const std::vector<double> regular = test::values(text, "r_to");
          ASSERT_EQ(regular.size(), 240U) << id;
          EXPECT_EQ(test::values(text, "l_to"), regular) << id;
          EXPECT_EQ(test::values(text, "c_to"), regular) << id;
          const std::vector<double> bent = test::values(text, "b_to");
          ASSERT_EQ(bent.size(), regular.size()) << id;
          int others = 0;
          for (std::size_t k = 0; k < bent.size(); ++k) {
            if (std::abs(bent[k] - regular[k]) > 1e-6) ++others;
          }
          EXPECT_GT(others, 200) << id << ": great circles";
        }
      });
}

}  // namespace
}  // namespace epios::client::edges_test
