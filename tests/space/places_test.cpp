// What servers make of fields (place="server") has the bits of what clients make of them: whole
// files are compared as text, for clients and servers of several kinds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <string>
#include <vector>

#include "space_run.hpp"

namespace epios::client::places_test {
namespace {

using test::context;
using test::dumped;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr int ni = 24;
constexpr int nj = 12;
constexpr int levels = 3;

/// `text` with P as the place and _P in ids.
std::string at_place(std::string text, const std::string& place) {
  text = std::regex_replace(text, std::regex("PLACE"), "place=\"" + place + "\"");
  return std::regex_replace(text, std::regex("_P"), "_" + place);
}

const char* const domains = R"(
      <domain id="first_P" name="first" ni_glo="10" nj_glo="5" type="rectilinear">
        <generate_rectilinear_domain/><interpolate_domain order="1" PLACE/>
      </domain>
      <domain id="scaled_P" name="scaled" ni_glo="10" nj_glo="5" type="rectilinear">
        <generate_rectilinear_domain/>
        <interpolate_domain order="1" renormalize="true" detect_missing_value="true" PLACE/>
      </domain>
      <domain id="second_P" name="second" ni_glo="10" nj_glo="5" type="rectilinear">
        <generate_rectilinear_domain/><interpolate_domain order="2" PLACE/>
      </domain>
      <domain id="valid_P" name="valid" ni_glo="11" nj_glo="5" type="rectilinear">
        <generate_rectilinear_domain/>
        <interpolate_domain order="2" detect_missing_value="true" PLACE/>
      </domain>
      <domain id="total_P" name="total" ni_glo="7" nj_glo="5" type="rectilinear">
        <generate_rectilinear_domain/><interpolate_domain order="1" quantity="true" PLACE/>
      </domain>
      <domain id="between_P" name="between" ni_glo="25" nj_glo="14" type="rectilinear">
        <generate_rectilinear_domain/><interpolate_domain method="bilinear" PLACE/>
      </domain>
      <domain id="nearest_P" name="nearest" ni_glo="9" nj_glo="7" type="rectilinear">
        <generate_rectilinear_domain/><interpolate_domain method="nearest" PLACE/>
      </domain>
      <domain id="window_P" name="window">
        <extract_domain ibegin="3" ni="9" jbegin="2" nj="7" PLACE/>
      </domain>
      <domain id="turned_P" name="turned"><reorder_domain invert_lat="true" PLACE/></domain>
      <domain id="ring_P" name="ring"><expand_domain i_periodic="true" PLACE/></domain>
      <domain id="pixels_P" name="pixels" type="healpix" nside="4">
        <interpolate_domain order="1" detect_missing_value="true" PLACE/>
      </domain>
      <domain id="half_pixels_P" name="half_pixels">
        <coarsen_domain min_valid_share="0.25" PLACE/>
      </domain>
      <domain id="corner_P" name="corner">
        <extract_domain ibegin="2" ni="4" jbegin="1" nj="3" PLACE/>
      </domain>)";
const char* const axes = R"(
      <axis id="between_levels_P" name="between_levels" n_glo="4" value="(0,3)[0.5 1.25 1.5 2.75]">
        <interpolate_axis order="1" PLACE/>
      </axis>
      <axis id="cubic_P" name="cubic" n_glo="2" value="(0,1)[1.25 1.5]">
        <interpolate_axis order="2" PLACE/>
      </axis>
      <axis id="smoothed_P" name="smoothed"><smooth_axis n="3" weights="(0,2)[1 2 1]" PLACE/></axis>
      <axis id="top_P" name="top"><extract_axis begin="1" n="2" PLACE/></axis>
      <axis id="upside_P" name="upside"><inverse_axis PLACE/></axis>
      <axis id="row_P" name="row"><extract_domain direction="iDir" position="4" PLACE/></axis>)";
const char* const scalars = R"(
      <scalar id="surface_P" name="surface"><extract_axis position="1" PLACE/></scalar>)";
const char* const grids = R"(
      <grid id="g_first_P"><domain domain_ref="first_P"/><axis axis_ref="z"/></grid>
      <grid id="g_scaled_P"><domain domain_ref="scaled_P"/><axis axis_ref="z"/></grid>
      <grid id="g_second_P"><domain domain_ref="second_P"/><axis axis_ref="z"/></grid>
      <grid id="g_valid_P"><domain domain_ref="valid_P"/><axis axis_ref="z"/></grid>
      <grid id="g_total_P"><domain domain_ref="total_P"/><axis axis_ref="z"/></grid>
      <grid id="g_between_P"><domain domain_ref="between_P"/><axis axis_ref="z"/></grid>
      <grid id="g_nearest_P"><domain domain_ref="nearest_P"/><axis axis_ref="z"/></grid>
      <grid id="g_window_P"><domain domain_ref="window_P"/><axis axis_ref="z"/></grid>
      <grid id="g_turned_P"><domain domain_ref="turned_P"/><axis axis_ref="z"/></grid>
      <grid id="g_ring_P"><domain domain_ref="ring_P"/><axis axis_ref="z"/></grid>
      <grid id="g_levels_P"><domain domain_ref="d"/><axis axis_ref="between_levels_P"/></grid>
      <grid id="g_cubic_P"><domain domain_ref="d"/><axis axis_ref="cubic_P"/></grid>
      <grid id="g_smoothed_P"><domain domain_ref="d"/><axis axis_ref="smoothed_P"/></grid>
      <grid id="g_top_P"><domain domain_ref="d"/><axis axis_ref="top_P"/></grid>
      <grid id="g_upside_P"><domain domain_ref="d"/><axis axis_ref="upside_P"/></grid>
      <grid id="g_surface_P"><domain domain_ref="d"/><scalar scalar_ref="surface_P"/></grid>
      <grid id="g_row_P"><axis axis_ref="row_P"/><axis axis_ref="z"/></grid>
      <grid id="g_both_P"><domain domain_ref="first_P"/><axis axis_ref="between_levels_P"/></grid>
      <grid id="g_corner_P"><domain domain_ref="corner_P"/><axis axis_ref="z"/></grid>
      <grid id="g_behind_P"><axis axis_ref="z"/><domain domain_ref="first_P"/></grid>
      <grid id="g_behind_second_P"><axis axis_ref="z"/><domain domain_ref="second_P"/></grid>
      <grid id="g_pixels_P"><domain domain_ref="pixels_P"/><axis axis_ref="z"/></grid>
      <grid id="g_half_pixels_P"><domain domain_ref="half_pixels_P"/><axis axis_ref="z"/></grid>
      <grid id="g_behind_pixels_P"><axis axis_ref="z"/><domain domain_ref="pixels_P"/></grid>
      <grid id="g_front_P"><axis axis_ref="between_levels_P"/><domain domain_ref="plain"/></grid>
      <grid id="g_masked_P"><domain domain_ref="first_P"/><axis axis_ref="z"/></grid>)";
const char* const fields = R"(
      <field id="coarse_P" field_ref="a" grid_ref="g_first_P"/>
      <field id="on_pixels_P" field_ref="a" grid_ref="g_pixels_P"/>)";
// The second file is written in parts, the third one has what is no double.
const char* const files = R"(
      <file id="lines_P" name="lines_P" output_freq="1h">
        <field field_ref="a" name="first" grid_ref="g_first_P"/>
        <field field_ref="b" name="b_first" grid_ref="g_first_P"/>
        <field field_ref="a" name="scaled" grid_ref="g_scaled_P"/>
        <field field_ref="a" name="second" grid_ref="g_second_P"/>
        <field field_ref="a" name="valid" grid_ref="g_valid_P"/>
        <field field_ref="a" name="total" grid_ref="g_total_P"/>
        <field field_ref="a" name="between" grid_ref="g_between_P"/>
        <field field_ref="a" name="nearest" grid_ref="g_nearest_P"/>
        <field field_ref="a" name="both" grid_ref="g_both_P"/>
        <field field_ref="single" name="single" grid_ref="g_second_P"/>
        <field field_ref="a" name="raw"/>
      </file>
      <file id="pieces_P" name="pieces_P" output_freq="1h" split_freq="2h">
        <field field_ref="a" name="window" grid_ref="g_window_P"/>
        <field field_ref="a" name="turned" grid_ref="g_turned_P"/>
        <field field_ref="a" name="ring" grid_ref="g_ring_P"/>
        <field field_ref="a" name="levels" grid_ref="g_levels_P"/>
        <field field_ref="a" name="at_cubic" grid_ref="g_cubic_P"/>
        <field field_ref="a" name="at_smoothed" grid_ref="g_smoothed_P"/>
        <field field_ref="a" name="at_top" grid_ref="g_top_P"/>
        <field field_ref="a" name="at_upside" grid_ref="g_upside_P"/>
        <field field_ref="a" name="at_surface" grid_ref="g_surface_P"/>
        <field field_ref="a" name="at_row" grid_ref="g_row_P"/>
        <field field_ref="coarse_P" name="corner" grid_ref="g_corner_P"/>
        <field field_ref="a" name="once" operation="once" grid_ref="g_first_P"/>
      </file>
      <file id="forms_P" name="forms_P" output_freq="2h">
        <field field_ref="a" name="four" grid_ref="g_second_P" prec="4"/>
        <field field_ref="b" name="four_b" grid_ref="g_second_P" prec="4"/>
        <field field_ref="a" name="two" grid_ref="g_first_P" prec="2" scale_factor="0.001" add_offset="1"/>
        <field field_ref="a" name="digits" grid_ref="g_first_P" significant_digits="3"/>
        <field field_ref="a" name="squeezed" grid_ref="g_first_P" compression_level="2"/>
        <field field_ref="mean" name="mean" grid_ref="g_first_P"/>
        <field field_ref="behind" name="behind" grid_ref="g_behind_P"/>
        <field field_ref="behind" name="behind_second" grid_ref="g_behind_second_P"/>
        <field field_ref="behind" name="front" grid_ref="g_front_P"/>
        <field field_ref="half" name="half" grid_ref="g_masked_P"/>
      </file>)";
// Levels of what is interpolated, and of what the model sends, whose place the hierarchy says: of
// these nothing crosses to servers but the finest level. The coarser one of two levels in files of
// their own may come first: would have found that its records were expected behind the others.
const char* const hierarchies = R"(
      <file id="coarser_P" name="coarser_P" output_freq="1h">
        <field field_ref="on_pixels_P" name="pixels" grid_ref="g_half_pixels_P"/>
      </file>
      <file id="finer_P" name="finer_P" output_freq="1h">
        <field field_ref="on_pixels_P" name="pixels"/>
      </file>
      <file id="fine_P" name="fine_P" output_freq="1h">
        <field field_ref="a" name="pixels" grid_ref="g_pixels_P"/>
        <field field_ref="b" name="pixels_b" grid_ref="g_pixels_P" prec="4"/>
        <field field_ref="behind" name="behind_pixels" grid_ref="g_behind_pixels_P"/>
        <hierarchy levels="3" min_valid_share="0.25"/>
      </file>
      <file id="own_P" name="own_P" output_freq="2h" split_freq="2h">
        <field field_ref="a" name="raw" prec="4"/>
        <field field_ref="b" name="raw_b"/>
        <field field_ref="behind" name="raw_behind" prec="2" scale_factor="0.001"/>
        <hierarchy levels="4" min_valid_share="0.3" PLACE/>
      </file>)";

/// `servers_place`: of what is compared with what clients make.
std::string places(const std::string& servers_place) {
  const auto twice = [&](const char* text) {
    return at_place(text, "client") + at_place(text, servers_place);
  };
  return context("places",
                 R"(<domain_definition>
      <domain id="d" ni_glo="24" nj_glo="12" type="rectilinear"><generate_rectilinear_domain/></domain>
      <domain id="plain" ni_glo="24" nj_glo="12" type="rectilinear"><generate_rectilinear_domain/></domain>)" +
                     twice(domains) + R"(</domain_definition>
      <axis_definition><axis id="z" n_glo="3" value="(0,2)[0.5 1.5 3]"/>)" +
                     twice(axes) + "</axis_definition><scalar_definition>" + twice(scalars) +
                     R"(</scalar_definition><grid_definition>
      <grid id="dz"><domain domain_ref="d"/><axis axis_ref="z"/></grid>
      <grid id="zd"><axis axis_ref="z"/><domain domain_ref="plain"/></grid>
      <grid id="masked"><domain domain_ref="plain"/><axis axis_ref="z"/></grid>)" +
                     twice(grids) + R"(</grid_definition>
    <field_definition operation="instant" prec="8">
      <field id="a" grid_ref="dz" default_value="-999" detect_missing_value="true"/>
      <field id="b" grid_ref="dz"/>
      <field id="single" grid_ref="dz"/>
      <field id="behind" grid_ref="zd"/>
      <field id="half" grid_ref="masked" default_value="-1"/>
      <field id="average" field_ref="a" operation="average"/>
      <field id="mean" expr="@average" freq_op="2h" default_value="-999"/>)" +
                     twice(fields) + "</field_definition><file_definition>" + twice(files) +
                     twice(hierarchies) + "</file_definition>");
}

double value(int i, int j, int k, int step) {
  return std::sin(0.3 * i + step) * std::cos(0.5 * j) + 0.1 * k;
}
bool is_masked(int i, int j) { return (i >= 5 && i < 12 && j >= 3 && j < 6) || i * j % 11 == 3; }
bool is_missing(int i, int j, int k) { return (i + 2 * j + k) % 17 == 4; }
/// Of the mask of a grid.
bool is_out(int i, int j, int k) { return k == 1 && (i + j) % 3 == 0; }

/// Rows, of which neighbours have one in common.
void run_places(Client& client) {
  Context context = client.open_context("places");
  const int first = std::max(0, nj * client.rank() / client.size() - 1);
  const int rows = nj * (client.rank() + 1) / client.size() - first;
  for (const char* domain : {"d", "plain"}) {
    context.at("domain", domain)
        .set("ibegin", 0)
        .set("ni", ni)
        .set("jbegin", first)
        .set("nj", rows);
  }
  const auto make = [&](const auto& make_one) {
    std::vector<std::decay_t<decltype(make_one(0, 0, 0))>> out;
    for (int k = 0; k < levels; ++k) {
      for (int j = first; j < first + rows; ++j) {
        for (int i = 0; i < ni; ++i) out.push_back(make_one(i, j, k));
      }
    }
    return out;
  };
  using Flag = unsigned char;
  std::vector<Flag> mask = make([](int i, int j, int) { return Flag(is_masked(i, j) ? 0 : 1); });
  const std::vector<Flag> out =
      make([](int i, int j, int k) { return Flag(is_out(i, j, k) ? 0 : 1); });
  mask.resize(static_cast<std::size_t>(ni * rows));
  context.at("domain", "d").set("mask_1d", std::span<const Flag>(mask));
  context.at("grid", "masked").set("mask_3d", std::span<const Flag>(out), {ni, rows, levels});
  context.close_definition();
  for (int step = 1; step <= 4; ++step) {
    context.update_calendar(step);
    const auto plain = [step](int i, int j, int k) { return value(i, j, k, step); };
    context.send("a", make([&](int i, int j, int k) {
                   if (is_masked(i, j)) return 1e30;
                   return is_missing(i, j, k) ? -999.0 : plain(i, j, k);
                 }));
    context.send("b", make([&](int i, int j, int k) {
                   if (is_masked(i, j)) return 1e30;
                   return is_missing(i, j, k) ? std::nan("") : plain(i, j, k);
                 }));
    context.send("single", make([&](int i, int j, int k) {
                   return static_cast<float>(is_masked(i, j) ? 1e30 : plain(i, j, k));
                 }));
    std::vector<double> behind;
    for (int j = first; j < first + rows; ++j) {
      for (int i = 0; i < ni; ++i) {
        for (int k = 0; k < levels; ++k) behind.push_back(plain(i, j, k));
      }
    }
    context.send("behind", behind);
    context.send(
        "half", make([&](int i, int j, int k) { return is_out(i, j, k) ? 1e30 : plain(i, j, k); }));
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
  for (const char* file :
       {"lines_P.nc", "pieces_P_2000010100-2000010101.nc", "pieces_P_2000010102-2000010103.nc",
        "forms_P.nc", "coarser_P.nc", "finer_P.nc", "fine_P.nc", "fine_P_level1.nc",
        "fine_P_level2.nc", "own_P_2000010100-2000010101.nc",
        "own_P_level1_2000010100-2000010101.nc", "own_P_level3_2000010102-2000010103.nc"}) {
    const std::string by_client = contents(at_place(file, "client"));
    ASSERT_THAT(by_client, HasSubstr("data:")) << file;
    EXPECT_EQ(contents(at_place(file, "server")), by_client) << file;
  }
  const std::string lines = dumped("lines_server.nc");
  // Something is there to be compared.
  const std::vector<double> coarse = test::values(dumped("fine_server_level2.nc"), "pixels");
  EXPECT_EQ(coarse.size(), 4U * 3 * 12);
  EXPECT_GT(std::count_if(coarse.begin(), coarse.end(), [](double v) { return !std::isnan(v); }),
            100);
  for (const char* name : {"first", "second", "valid", "between", "both"}) {
    const std::vector<double> numbers = test::values(lines, name);
    ASSERT_FALSE(numbers.empty()) << name;
    const auto there = std::count_if(numbers.begin(), numbers.end(),
                                     [](double number) { return !std::isnan(number); });
    EXPECT_GT(there, static_cast<std::ptrdiff_t>(numbers.size() / 8)) << name;
  }
}

/// The first processes have clients, the others serve; without others, these themselves do.
struct Layout {
  int processes = 1;   ///< with clients
  int clients = 1;     ///< in each
  bool hosts = false;  ///< and a server
};

void run(const Layout& layout) {
  int rank = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const SharedScratch scratch("<simulation>" + places("server") + "</simulation>");
  if (rank >= layout.processes) {
    EXPECT_EQ(epios_serve(MPI_COMM_WORLD), EPIOS_SUCCESS) << epios_last_error();
    return;
  }
  Session::Options options;
  options.clients = layout.clients;
  options.host_server = layout.hosts;
  Session session("c", options);
  std::vector<std::thread> threads;
  if (layout.hosts) threads.emplace_back([&] { session.serve(); });
  const auto run_one = [&](int index) {
    Client client(session, index);
    run_places(client);
    client.close();
  };
  for (int c = 1; c < layout.clients; ++c) threads.emplace_back(run_one, c);
  run_one(0);
  for (std::thread& thread : threads) thread.join();
  session.close();
  if (rank == 0) look_at_files();
}

// A process has one session: each of these is a run of its own.

// A record is one part, and is read where it came; alone, the process serves itself.
TEST(Places, OneClient) { run({1, 1}); }

TEST(Places, ThreeThreads) { run({1, 3}); }

TEST(Places, TwoProcesses) { run({2, 1}); }

TEST(Places, ServersInTheModel) {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  run({size, 2, true});
}

}  // namespace
}  // namespace epios::client::places_test
