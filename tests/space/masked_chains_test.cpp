// Chains of steps on a grid with a mask of its own: what is masked is missing behind the first one,
// whoever works them out and whoever has which points. Whole files are compared as text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "space_run.hpp"

namespace epios::client::masked_chains_test {
namespace {

using test::context;
using test::dumped;
using ::testing::HasSubstr;

constexpr int ni = 24;
constexpr int nj = 12;
constexpr int levels = 4;
constexpr int between_levels = 5;

/// What clients have of the grid.
struct Layout {
  std::string name;
  /// Whether client `rank` of `size` has row `j`, and which levels [first, end).
  std::function<bool(int j, int rank, int size)> has_row;
  std::function<std::pair<int, int>(int rank, int size)> levels_of;
  /// Points that a client has and masks, though they have a value, which others have.
  std::function<bool(int j, int k, int rank, int size)> hides;
};

std::pair<int, int> all_levels(int /*rank*/, int /*size*/) { return {0, levels}; }
bool hides_nothing(int /*j*/, int /*k*/, int /*rank*/, int /*size*/) { return false; }
bool is_own_row(int j, int rank, int size) {
  return j >= nj * rank / size && j < nj * (rank + 1) / size;
}

/// The first one is what the others are compared with. The fourth and the last one are exchanged
/// point by point.
const std::vector<Layout>& layouts() {
  static const std::vector<Layout> all{
      {"alone", [](int, int rank, int) { return rank == 0; }, all_levels, hides_nothing},
      {"rows", is_own_row, all_levels, hides_nothing},
      {"halos",
       [](int j, int rank, int size) {
         return is_own_row(j, rank, size) || is_own_row(j + 1, rank, size);
       },
       all_levels, hides_nothing},
      {"overlap", [](int j, int rank, int) { return rank < 2 || j < nj / 2; },
       [](int rank, int size) {
         return size == 1   ? std::pair(0, levels)
                : rank == 0 ? std::pair(0, levels - 1)
                            : std::pair(1, levels);
       },
       hides_nothing},
      {"stacked", [](int, int, int) { return true; },
       [](int rank, int size) {
         return std::pair(levels * rank / size, levels * (rank + 1) / size);
       },
       hides_nothing},
      {"hidden",
       [](int j, int rank, int size) {
         return is_own_row(j, rank, size) || is_own_row(j + 1, rank, size) ||
                is_own_row(j - 1, rank, size);
       },
       all_levels,
       [](int j, int k, int rank, int size) { return !is_own_row(j, rank, size) && k % 2 == 1; }}};
  return all;
}

const char* const domains = R"(
      <domain id="first_P" name="first" ni_glo="10" nj_glo="5" type="rectilinear">
        <generate_rectilinear_domain/><interpolate_domain order="1" PLACE/>
      </domain>
      <domain id="scaled_P" name="scaled" ni_glo="11" nj_glo="5" type="rectilinear">
        <generate_rectilinear_domain/><interpolate_domain order="1" renormalize="true" PLACE/>
      </domain>
      <domain id="valid_P" name="valid" ni_glo="10" nj_glo="6" type="rectilinear">
        <generate_rectilinear_domain/>
        <interpolate_domain order="2" detect_missing_value="true" PLACE/>
      </domain>
      <domain id="nearest_P" name="nearest" ni_glo="13" nj_glo="7" type="rectilinear">
        <generate_rectilinear_domain/><interpolate_domain method="nearest" PLACE/>
      </domain>
      <domain id="ring_P" name="ring"><expand_domain i_periodic="true" j_periodic="true" PLACE/></domain>
      <domain id="window_P" name="window">
        <extract_domain ibegin="3" ni="17" jbegin="2" nj="9" PLACE/>
      </domain>)";
const char* const axes = R"(
      <axis id="fine_P" name="fine" n_glo="5" value="(0,4)[0.5 0.75 1.5 2 2.75]">
        <interpolate_axis order="1" PLACE/>
      </axis>
      <axis id="upside_P" name="upside"><inverse_axis PLACE/></axis>)";
const char* const grids = R"(
      <grid id="fine_P"><domain domain_ref="d"/><axis axis_ref="fine_P"/></grid>
      <grid id="holed_P"><domain domain_ref="d"/><axis axis_ref="fine_P"/></grid>
      <grid id="fine_first_P"><domain domain_ref="first_P"/><axis axis_ref="fine_P"/></grid>
      <grid id="fine_scaled_P"><domain domain_ref="scaled_P"/><axis axis_ref="fine_P"/></grid>
      <grid id="fine_valid_P"><domain domain_ref="valid_P"/><axis axis_ref="fine_P"/></grid>
      <grid id="fine_nearest_P"><domain domain_ref="nearest_P"/><axis axis_ref="fine_P"/></grid>
      <grid id="ring_P"><domain domain_ref="ring_P"/><axis axis_ref="z"/></grid>
      <grid id="ring_nearest_P"><domain domain_ref="nearest_P"/><axis axis_ref="z"/></grid>
      <grid id="window_P"><domain domain_ref="window_P"/><axis axis_ref="z"/></grid>
      <grid id="window_first_P"><domain domain_ref="first_P"/><axis axis_ref="z"/></grid>
      <grid id="upside_P"><domain domain_ref="d"/><axis axis_ref="upside_P"/></grid>
      <grid id="upside_holed_P"><domain domain_ref="d"/><axis axis_ref="upside_P"/></grid>
      <grid id="upside_first_P"><domain domain_ref="first_P"/><axis axis_ref="upside_P"/></grid>)";
const char* const fields = R"(
        <field field_ref="t" name="at_fine" grid_ref="fine_P"/>
        <field field_ref="t" name="fine_first" grid_path="fine_P" grid_ref="fine_first_P"/>
        <field field_ref="t" name="fine_scaled" grid_path="fine_P" grid_ref="fine_scaled_P"/>
        <field field_ref="t" name="fine_valid" grid_path="fine_P" grid_ref="fine_valid_P"/>
        <field field_ref="t" name="fine_nearest" grid_path="fine_P" grid_ref="fine_nearest_P"/>
        <field field_ref="t" name="holed_first" grid_path="holed_P" grid_ref="fine_first_P"/>
        <field field_ref="t" name="first_fine" grid_path="window_first_P" grid_ref="fine_first_P"/>
        <field field_ref="t" name="ring_nearest" grid_path="ring_P" grid_ref="ring_nearest_P"/>
        <field field_ref="t" name="window_first" grid_path="window_P" grid_ref="window_first_P"/>
        <field field_ref="t" name="upside_first" grid_path="upside_P" grid_ref="upside_first_P"/>
        <field field_ref="t" name="upside_holed" grid_ref="upside_holed_P"/>
        <field field_ref="t" name="upside_holed_first" grid_path="upside_holed_P" grid_ref="upside_first_P"/>)";

/// `text` with P as the place and _P in ids.
std::string at_place(std::string text, const std::string& place) {
  text = std::regex_replace(text, std::regex("PLACE"), "place=\"" + place + "\"");
  return std::regex_replace(text, std::regex("_P\\b"), "_" + place);
}
std::string twice(const std::string& text) {
  return at_place(text, "client") + at_place(text, "server");
}

std::string of_layout(const std::string& id) {
  const std::string file =
      "<file id=\"" + id + "_P\" name=\"" + id + "_P\" output_freq=\"1h\">" + fields + "</file>";
  return context(id,
                 R"(<domain_definition>
      <domain id="d" ni_glo="24" nj_glo="12" type="rectilinear"><generate_rectilinear_domain/></domain>
      <domain id="dealt"><redistribute_domain type="full"/></domain>
      <domain id="dealt_first" ni_glo="10" nj_glo="5" type="rectilinear">
        <generate_rectilinear_domain/><interpolate_domain order="1"/>
      </domain>)" + twice(domains) +
                     R"(</domain_definition>
      <axis_definition>
        <axis id="z" n_glo="4"/>
        <axis id="dates" n_glo="2"><temporal_splitting/></axis>)" +
                     twice(axes) + R"(</axis_definition>
      <scalar_definition><scalar id="one"/></scalar_definition>
      <grid_definition>
        <grid id="g"><domain domain_ref="d"/><axis axis_ref="z"/></grid>
        <grid id="g_now"><domain domain_ref="d"/><axis axis_ref="z"/><scalar scalar_ref="one"/></grid>
        <grid id="g_dates"><domain domain_ref="d"/><axis axis_ref="z"/><axis axis_ref="dates"/></grid>
        <grid id="g_dates_first">
          <domain domain_ref="dealt_first"/><axis axis_ref="z"/><axis axis_ref="dates"/>
        </grid>
        <grid id="g_dealt"><domain domain_ref="dealt"/><axis axis_ref="z"/></grid>
        <grid id="g_dealt_first"><domain domain_ref="dealt_first"/><axis axis_ref="z"/></grid>)" +
                     twice(grids) + R"(</grid_definition>
      <field_definition operation="instant" prec="8">
        <field id="t" grid_ref="g" default_value="-999" detect_missing_value="true"/>
        <field id="now" grid_ref="g_now" default_value="-999" detect_missing_value="true"/>
      </field_definition>
      <file_definition>)" +
                     twice(file) + "<file id=\"" + id + "_moved\" name=\"" + id +
                     R"(_moved" output_freq="2h">
          <field field_ref="now" name="dates_first" grid_path="g_dates" grid_ref="g_dates_first"/>
          <field field_ref="t" name="dealt_first" grid_path="g_dealt" grid_ref="g_dealt_first"/>
        </file></file_definition>)");
}

/// As if random, the same everywhere.
int drawn(int i, int j, int k, int salt) {
  std::uint64_t hash = static_cast<std::uint64_t>(i + ni * (j + nj * (k + 8 * salt)));
  for (int round = 0; round < 3; ++round) {
    hash = (hash ^ (hash >> 31U)) * 0x9E3779B97F4A7C15U;
  }
  return static_cast<int>((hash >> 40U) % 100U);
}
bool is_masked(int i, int j, int k) { return drawn(i, j, k, 1) < 4 + 2 * k; }
bool is_missing(int i, int j, int k) { return drawn(i, j, k, 2) < 2; }
bool is_hole(int i, int j, int k) { return drawn(i, j, k, 3) < 5; }
double value(int i, int j, int k, int step) {
  return std::sin(0.3 * i + step) * std::cos(0.5 * j) + 0.1 * k;
}

void run_layout(Client& client, const Layout& layout) {
  const int rank = client.rank();
  const int size = client.size();
  Context context = client.open_context(layout.name);
  std::vector<int> rows;
  for (int j = 0; j < nj; ++j) {
    if (layout.has_row(j, rank, size)) rows.push_back(j);
  }
  const auto count = static_cast<int>(rows.size());
  const auto [first, end] = layout.levels_of(rank, size);
  context.at("domain", "d")
      .set("ibegin", 0)
      .set("ni", ni)
      .set("jbegin", rows.empty() ? 0 : rows.front())
      .set("nj", count);
  constexpr std::array<double, levels> heights{0.5, 1.5, 2, 3};
  context.at("axis", "z")
      .set("begin", first)
      .set("n", end - first)
      .set("value", std::vector<double>(heights.begin() + first, heights.begin() + end));
  const auto make = [&](int from, int to, const auto& make_one) {
    std::vector<std::decay_t<decltype(make_one(0, 0, 0))>> out;
    for (int k = from; k < to; ++k) {
      for (const int j : rows) {
        for (int i = 0; i < ni; ++i) out.push_back(make_one(i, j, k));
      }
    }
    return out;
  };
  using Flag = unsigned char;
  const auto is_out = [&](int i, int j, int k) {
    return is_masked(i, j, k) || layout.hides(j, k, rank, size);
  };
  const std::vector<Flag> mask =
      make(first, end, [&](int i, int j, int k) { return Flag(is_out(i, j, k) ? 0 : 1); });
  for (const char* const grid : {"g", "g_now"}) {
    context.at("grid", grid).set("mask_3d", std::span<const Flag>(mask), {ni, count, end - first});
  }
  const std::vector<Flag> holes =
      make(0, between_levels, [](int i, int j, int k) { return Flag(is_hole(i, j, k) ? 0 : 1); });
  const std::vector<Flag> columns =
      make(first, end, [](int i, int j, int) { return Flag(is_hole(i, j, 0) ? 0 : 1); });
  for (const std::string place : {"client", "server"}) {
    context.at("grid", "holed_" + place)
        .set("mask_3d", std::span<const Flag>(holes), {ni, count, between_levels});
    context.at("grid", "upside_holed_" + place)
        .set("mask_3d", std::span<const Flag>(columns), {ni, count, end - first});
  }
  context.close_definition();
  for (int step = 1; step <= 2; ++step) {
    context.update_calendar(step);
    const std::vector<double> values = make(first, end, [&](int i, int j, int k) {
      if (is_out(i, j, k)) return 1e30;
      return is_missing(i, j, k) ? -999.0 : value(i, j, k, step);
    });
    context.send("t", values);
    context.send("now", values);
  }
  context.finalize();
}

/// What a file says, but for what differs between any two.
std::string contents(const std::string& file) {
  std::string text = dumped(file);
  text.erase(0, text.find('{'));
  return std::regex_replace(text, std::regex("\t*:(uuid|timeStamp|name|history) = [^\n]*\n"), "");
}

void look_at_files() {
  const std::string wanted = contents("alone_client.nc");
  const std::string moved = contents("alone_moved.nc");
  for (const std::string& text : {wanted, moved}) ASSERT_THAT(text, HasSubstr("data:"));
  for (const Layout& layout : layouts()) {
    for (const char* const place : {"client", "server"}) {
      EXPECT_EQ(contents(layout.name + "_" + place + ".nc"), wanted) << layout.name << place;
    }
    EXPECT_EQ(contents(layout.name + "_moved.nc"), moved) << layout.name;
  }
  // Something is there to be compared, and something is missing.
  for (const char* const name :
       {"at_fine", "fine_first", "fine_scaled", "fine_valid", "fine_nearest", "holed_first",
        "first_fine", "ring_nearest", "window_first", "upside_first", "upside_holed",
        "upside_holed_first"}) {
    const std::vector<double> numbers = test::values(wanted, name);
    ASSERT_FALSE(numbers.empty()) << name;
    const auto gaps = std::count_if(numbers.begin(), numbers.end(),
                                    [](double number) { return std::isnan(number); });
    EXPECT_EQ(gaps > 0, std::string(name) != "fine_valid") << name;
    EXPECT_LT(gaps, static_cast<std::ptrdiff_t>(numbers.size() * 4 / 5)) << name;
  }
}

TEST(MaskedChains, are_alike_for_both_places_and_all_layouts) {
  std::string iodef = "<simulation>";
  for (const Layout& layout : layouts()) iodef += of_layout(layout.name);
  test::run_clients(
      iodef + "</simulation>", 3,
      [](Client& client) {
        for (const Layout& layout : layouts()) run_layout(client, layout);
      },
      look_at_files);
}

}  // namespace
}  // namespace epios::client::masked_chains_test
