// Points that several clients have, with masks of the grid, and points that no client has: what
// comes of them, and at what cost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "config/definitions.hpp"
#include "config/document.hpp"
#include "config/model.hpp"
#include "exchange/step_frame.hpp"
#include "space/steps.hpp"
#include "space_run.hpp"

namespace epios::client::halos_test {
namespace {

using test::context;
using test::dumped;
using ::testing::HasSubstr;

constexpr int ni = 12;
constexpr int nj = 9;
constexpr int levels = 2;

std::string of_kind(const std::string& id) {
  return context(id, R"(
    <domain_definition>
      <domain id="d" ni_glo="12" nj_glo="9" type="rectilinear"><generate_rectilinear_domain/></domain>
      <domain id="to" ni_glo="5" nj_glo="4" type="rectilinear">
        <generate_rectilinear_domain/><interpolate_domain order="1"/>
      </domain>
      <domain id="dealt"><redistribute_domain type="column"/></domain>
    </domain_definition>
    <axis_definition>
      <axis id="z" n_glo="2"/>
      <axis id="zonal"><reduce_domain operation="average" direction="jDir"/></axis>
    </axis_definition>
    <scalar_definition><scalar id="sum"><reduce_domain operation="sum"/></scalar></scalar_definition>
    <grid_definition>
      <grid id="g"><domain domain_ref="d"/><axis axis_ref="z"/></grid>
      <grid id="g_to"><domain domain_ref="to"/><axis axis_ref="z"/></grid>
      <grid id="g_dealt"><domain domain_ref="dealt"/><axis axis_ref="z"/></grid>
      <grid id="g_zonal"><axis axis_ref="zonal"/><axis axis_ref="z"/></grid>
      <grid id="g_sum"><scalar scalar_ref="sum"/><axis axis_ref="z"/></grid>
    </grid_definition>
    <field_definition operation="instant" prec="8" default_value="-999"><field id="t" grid_ref="g"/></field_definition>
    <file_definition>
      <file id=")" + id + R"(" output_freq="1h">
        <field field_ref="t" name="t_to" grid_ref="g_to"/>
        <field field_ref="t" name="t_dealt" grid_ref="g_dealt"/>
        <field field_ref="t" name="t_zonal" grid_ref="g_zonal"/>
        <field field_ref="t" name="t_sum" grid_ref="g_sum"/>
      </file>
    </file_definition>)");
}

/// What halos have: none at all; the same as their neighbours; nothing, since they are masked; at
/// one level what the neighbour masks.
enum class Halo { none, same, masked, mixed };
const std::vector<std::string> kinds{"none", "same", "masked", "mixed"};

bool is_land(int i, int j, int k) { return i * j % 5 == 3 || (k == 1 && i * j % 7 == 2); }
double value(int i, int j, int k) { return std::sin(0.3 * i) * std::cos(0.5 * j) + k; }

struct Rows {
  int first = 0, count = 0, begin = 0, end = 0;  ///< with halo; its own
};
Rows rows_of(int rank, int size, Halo halo) {
  const int begin = nj * rank / size;
  const int end = nj * (rank + 1) / size;
  const int wide = halo == Halo::none ? 0 : 1;
  const int first = std::max(begin - wide, 0);
  return {first, std::min(end + wide, nj) - first, begin, end};
}

/// Whether this client has a value there. Of mixed halos, rows above have the second level alone,
/// and the row below them the first one alone: each is somewhere.
bool has_value(int i, int j, int k, const Rows& rows, Halo halo) {
  if (is_land(i, j, k)) return false;
  const bool is_own = j >= rows.begin && j < rows.end;
  if (halo == Halo::masked) return is_own;
  if (halo != Halo::mixed) return true;
  if (is_own) return j != rows.begin || rows.begin == 0 || k == 0;
  return j < rows.begin || k == 1;
}

void run_kind(Client& client, Halo halo) {
  Context context = client.open_context(kinds[static_cast<std::size_t>(halo)]);
  const Rows rows = rows_of(client.rank(), client.size(), halo);
  context.at("domain", "d")
      .set("ibegin", 0)
      .set("ni", ni)
      .set("jbegin", rows.first)
      .set("nj", rows.count);
  std::vector<unsigned char> mask;
  std::vector<double> values;
  for (int k = 0; k < levels; ++k) {
    for (int j = rows.first; j < rows.first + rows.count; ++j) {
      for (int i = 0; i < ni; ++i) {
        mask.push_back(has_value(i, j, k, rows, halo) ? 1 : 0);
        // What is masked is no number of the field's.
        values.push_back(mask.back() == 0 ? 1e30 : value(i, j, k));
      }
    }
  }
  context.at("grid", "g")
      .set("mask_3d", std::span<const unsigned char>(mask), {ni, rows.count, levels});
  context.close_definition();
  context.update_calendar(1);
  context.send("t", values);
  context.finalize();
}

void check_kinds() {
  const std::string wanted = dumped("none.nc");
  const std::vector<double> sum = test::values(wanted, "t_sum");
  ASSERT_EQ(sum.size(), std::size_t{levels}) << wanted;
  for (int k = 0; k < levels; ++k) {
    double whole = 0;
    for (int j = 0; j < nj; ++j) {
      for (int i = 0; i < ni; ++i) whole += is_land(i, j, k) ? 0 : value(i, j, k);
    }
    EXPECT_NEAR(sum[static_cast<std::size_t>(k)], whole, 1e-11) << "level " << k;
  }
  for (const std::string& kind : kinds) {
    const std::string text = dumped(kind + ".nc");
    for (const char* const name : {"t_to", "t_dealt", "t_zonal", "t_sum"}) {
      const std::size_t at = wanted.find(std::string(" ") + name + " =");
      ASSERT_NE(at, std::string::npos);
      EXPECT_THAT(text, HasSubstr(wanted.substr(at, wanted.find(';', at) - at)))
          << "halo: " << kind;
    }
  }
}

// Cells of which the clients have all but two, dealt out anew.
const std::string gaps = context("gaps", R"(
    <domain_definition>
      <domain id="d" ni_glo="6" type="unstructured" nvertex="3"/>
      <domain id="dealt"><redistribute_domain type="bands"/></domain>
    </domain_definition>
    <field_definition operation="instant" prec="8" default_value="-999"><field id="t" domain_ref="d"/></field_definition>
    <file_definition>
      <file id="gaps" output_freq="1h"><field field_ref="t" domain_ref="dealt"/></file>
    </file_definition>)");

void run_gaps(Client& client) {
  Context context = client.open_context("gaps");
  std::vector<std::int64_t> cells;
  for (const std::int64_t cell : {0, 1, 3, 5}) {
    if (cell % client.size() == client.rank()) cells.push_back(cell);
  }
  const auto n = static_cast<std::int64_t>(cells.size());
  std::vector<double> lon;
  std::vector<double> corners;
  for (const std::int64_t cell : cells) {
    lon.push_back(10 + static_cast<double>(cell));
    for (const double shift : {-0.5, 0.5, 0.0}) corners.push_back(lon.back() + shift);
  }
  const auto domain = context.at("domain", "d");
  domain.set("ni", n).set("ibegin", 0).set("i_index", cells);
  domain.set("lonvalue_1d", lon).set("latvalue_1d", lon).set("area_1d", lon);
  domain.set("bounds_lon_1d", std::span<const double>(corners), {3, n});
  domain.set("bounds_lat_1d", std::span<const double>(corners), {3, n});
  context.close_definition();
  context.update_calendar(1);
  context.send("t", lon);
  context.finalize();
}

void check_gaps() {
  const std::string text = dumped("gaps.nc");
  for (const char* const name : {"lon", "lat", "area", "t"}) {
    EXPECT_THAT(text, HasSubstr(" " + std::string(name) + (name[0] == 't' ? " =\n  " : " = ") +
                                "10, 11, _, 13, _, 15 ;"));
  }
  EXPECT_THAT(text, HasSubstr("  10.5, 11.5, 11,\n  _, _, _,\n  12.5, 13.5, 13,\n  _, _, _,\n"));
}

TEST(Halos, give_what_is_there_without_them) {
  std::string iodef = "<simulation>" + gaps;
  for (const std::string& kind : kinds) iodef += of_kind(kind);
  test::run_three_or_one(
      iodef + "</simulation>",
      [](Client& client) {
        for (const Halo halo : {Halo::none, Halo::same, Halo::masked, Halo::mixed}) {
          run_kind(client, halo);
        }
        run_gaps(client);
      },
      [] {
        check_kinds();
        check_gaps();
      });
}

/// How the step is done that sums up over the domain.
io::Reach reach_of(config::Definitions& definitions, const ep::Comm& world) {
  config::Model model = definitions.resolve("c");
  io::shape_elements(model, world);
  const io::LocalParts parts(model);
  for (const config::FieldExpression& expression : model.expressions) {
    const auto step = config::spatial_step(model, expression);
    if (!step || step->transformation->kind != config::ElementKind::reduce_domain_to_scalar) {
      continue;
    }
    return io::frame_of(model, parts, *step, world, io::Scope::points).reach;
  }
  ADD_FAILURE() << "no step";
  return io::Reach::nobody;
}

io::Reach reach_of(const ep::Comm& world, Halo halo) {
  const config::SourceTexts texts{{"iodef.xml", "<simulation>" + of_kind("c") + "</simulation>"}};
  config::Definitions definitions{config::Document(texts)};
  const Rows rows = rows_of(world.rank(), world.size(), halo);
  const auto set = [&](const char* name, std::int64_t number) {
    definitions.set("c", config::ElementKind::domain, "d", name, number, "test");
  };
  set("ibegin", 0);
  set("ni", ni);
  set("jbegin", rows.first);
  set("nj", rows.count);
  config::value::booleans mask{{}, {ni, rows.count, levels}};
  for (int k = 0; k < levels; ++k) {
    for (int j = rows.first; j < rows.first + rows.count; ++j) {
      for (int i = 0; i < ni; ++i) mask.values.push_back(has_value(i, j, k, rows, halo) ? 1 : 0);
    }
  }
  definitions.set("c", config::ElementKind::grid, "g", "mask_3d", mask, "test");
  return reach_of(definitions, world);
}

/// All have all cells, the last client in the opposite order. `is_same`: all mask the same points,
/// else the same places of their arrays.
io::Reach reach_of_turned(const ep::Comm& world, bool is_same) {
  const config::SourceTexts texts{{"iodef.xml", "<simulation>" + of_kind("c") + "</simulation>"}};
  config::Definitions definitions{config::Document(texts)};
  const bool is_turned = world.rank() == world.size() - 1;
  config::value::integers i{{}, {ni * nj}};
  config::value::integers j{{}, {ni * nj}};
  config::value::booleans mask{{}, {ni * nj, levels}};
  for (int k = 0; k < levels; ++k) {
    for (int place = 0; place < ni * nj; ++place) {
      const int cell = is_turned ? ni * nj - 1 - place : place;
      mask.values.push_back((is_same ? cell : place) == 5 ? 0 : 1);
      if (k > 0) continue;
      i.values.push_back(cell % ni);
      j.values.push_back(cell / ni);
    }
  }
  definitions.set("c", config::ElementKind::domain, "d", "i_index", i, "test");
  definitions.set("c", config::ElementKind::domain, "d", "j_index", j, "test");
  definitions.set("c", config::ElementKind::grid, "g", "mask_2d", mask, "test");
  return reach_of(definitions, world);
}

TEST(Halos, masks_are_compared_point_by_point) {
  const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
  EXPECT_EQ(reach_of_turned(world, true), io::Reach::nobody);
  if (world.size() == 1) return;
  EXPECT_NE(reach_of_turned(world, false), io::Reach::nobody);
}

TEST(Halos, with_masks_make_points_single_only_where_the_masks_differ) {
  const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
  const bool is_alone = world.size() == 1;
  const io::Reach together = is_alone ? io::Reach::nobody : io::Reach::all;
  EXPECT_EQ(reach_of(world, Halo::none), together);
  EXPECT_EQ(reach_of(world, Halo::same), together);
  EXPECT_EQ(reach_of(world, Halo::masked), together);
  EXPECT_EQ(reach_of(world, Halo::mixed), is_alone ? io::Reach::nobody : io::Reach::by_point);
}

}  // namespace
}  // namespace epios::client::halos_test
