// Weights to and from files by several clients: the same file and the same rows for any number of
// them, and files of other grids are refused with figures.
#include "steps/kept_weights.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ep/ep.hpp>
#include <filesystem>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "../client/shared_scratch.hpp"
#include "config/error.hpp"
#include "file/weights_file.hpp"

namespace epios::io::kept_weights_test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

Cells grid(int ni, int nj, double first_lat = -90, double last_lat = 90) {
  std::vector<double> lon;
  std::vector<double> lat;
  for (int i = 0; i < ni; ++i) lon.insert(lon.end(), {360.0 * i / ni, 360.0 * (i + 1) / ni});
  const double height = (last_lat - first_lat) / nj;
  for (int j = 0; j < nj; ++j) {
    lat.insert(lat.end(), {first_lat + j * height, first_lat + (j + 1) * height});
  }
  return rectilinear_cells(lon, lat);
}

/// Every third cell is on two ranks.
Cells own(const Cells& all, const ep::Comm& world) {
  std::vector<std::size_t> mine;
  for (std::size_t c = 0; c < all.size(); ++c) {
    const auto owner = static_cast<int>(c * static_cast<std::size_t>(world.size()) / all.size());
    const bool is_next = c % 3 == 0 && (owner + 1) % world.size() == world.rank();
    if (owner == world.rank() || is_next) mine.push_back(c);
  }
  return selected(all, mine);
}

std::vector<std::int64_t> numbers(const Cells& cells) {
  std::vector<std::int64_t> out;
  for (std::size_t c = 0; c < cells.size(); ++c) out.push_back(cells.number(c));
  return out;
}

struct Grids {
  Grids() = default;
  Grids(const Grids&) = delete;
  Grids(Grids&&) = delete;
  Grids& operator=(const Grids&) = delete;
  Grids& operator=(Grids&&) = delete;
  /// The folder stays until all have read.
  ~Grids() { EP_Barrier(world.get()); }

  ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
  client::SharedScratch scratch{"<simulation/>"};
  std::unique_ptr<WeightsFiles> files = weights_in_files();
  Cells source = grid(24, 12);
  Cells target = grid(15, 10);

  WeightsQuestion what(const std::string& name, WeightsBase base = WeightsBase::one) const {
    return {name, base, static_cast<std::int64_t>(source.size()),
            static_cast<std::int64_t>(target.size())};
  }
  WeightsIdentity identity(const std::string& recipe = "r") const {
    return {recipe, sketch_of(own(source, world), static_cast<std::int64_t>(source.size()), world),
            sketch_of(own(target, world), static_cast<std::int64_t>(target.size()), world)};
  }
  Weights made(const Cells& targets) const {
    RemapOptions options;
    options.for_missing = true;
    return make_weights(source, targets, options);
  }
  std::string refusal(const WeightsQuestion& question, const WeightsIdentity& wanted) const {
    std::vector<std::string> remarks;
    try {
      read_rows(*files, question, wanted, numbers(own(target, world)), world, remarks);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
};

TEST(KeptWeights, come_back_to_whoever_wants_them) {
  const Grids grids;
  const Cells mine = own(grids.target, grids.world);
  const Weights wanted = grids.made(mine);
  for (const WeightsBase base : {WeightsBase::one, WeightsBase::zero}) {
    const WeightsQuestion what = grids.what("w.nc", base);
    write_rows(*grids.files, what, grids.identity(), wanted, grids.world);
    EXPECT_TRUE(is_there(*grids.files, "w.nc", grids.world));
    EXPECT_FALSE(is_there(*grids.files, "w.nc.part", grids.world));
    std::vector<std::string> remarks;
    const Weights back =
        read_rows(*grids.files, what, grids.identity(), numbers(mine), grids.world, remarks);
    EXPECT_THAT(remarks, IsEmpty());
    EXPECT_EQ(back.target, wanted.target);
    EXPECT_EQ(back.offsets, wanted.offsets);
    EXPECT_EQ(back.source, wanted.source);
    EXPECT_EQ(back.weight, wanted.weight);
    EXPECT_EQ(back.first_order, wanted.first_order);
    // In the file each target is once, in order, whoever had it.
    const WeightLinks links = WeightsReader(what).read(0, WeightsReader(what).count());
    EXPECT_TRUE(std::is_sorted(links.target.begin(), links.target.end()));
    EXPECT_EQ(links.weight, grids.made(grids.target).weight);
    EXPECT_EQ(links.source, grids.made(grids.target).source);
  }
}

/// A client may want nothing, and a target may have no row.
TEST(KeptWeights, come_to_those_who_want_few) {
  const Grids grids;
  const Cells north = grid(15, 10, 0, 90);
  write_rows(*grids.files, grids.what("w.nc"), {},
             make_weights(north, own(grids.target, grids.world), {}), grids.world);
  std::vector<std::int64_t> few;
  if (grids.world.rank() == grids.world.size() - 1) few = {0, 149};
  std::vector<std::string> remarks;
  const WeightsQuestion what{"w.nc", WeightsBase::one, 288, 150};
  const Weights rows = read_rows(*grids.files, what, {}, few, grids.world, remarks);
  EXPECT_EQ(rows.target, few);
  ASSERT_EQ(rows.offsets.size(), few.size() + 1);
  if (few.empty()) return;
  EXPECT_EQ(rows.offsets[1], 0);
  EXPECT_GT(rows.offsets[2], 0);
}

TEST(KeptWeights, of_other_grids_are_refused_with_figures) {
  Grids grids;
  write_rows(*grids.files, grids.what("w.nc"), grids.identity(),
             grids.made(own(grids.target, grids.world)), grids.world);
  const WeightsQuestion what = grids.what("w.nc");
  const WeightsIdentity same = grids.identity();
  EXPECT_EQ(grids.refusal(what, same), "no error");
  EXPECT_EQ(grids.refusal(what, {"r", std::nullopt, std::nullopt}), "no error");
  EXPECT_THAT(grids.refusal(what, grids.identity("second")),
              HasSubstr("has other weights (r there, second here)"));
  WeightsQuestion wrong = what;
  wrong.base = WeightsBase::zero;
  EXPECT_THAT(grids.refusal(wrong, same),
              HasSubstr("numbered from 1. Set read_write_convention=\"fortran\"?"));
  wrong = what;
  wrong.source_cells = 289;
  EXPECT_THAT(grids.refusal(wrong, {}), HasSubstr("a source grid of 288 cells, here are 289"));
  wrong.path = "absent.nc";
  EXPECT_THAT(grids.refusal(wrong, {}), HasSubstr("'absent.nc' cannot be opened"));
  // From north to south.
  grids.source = grid(24, 12, 90, -90);
  EXPECT_THAT(grids.refusal(what, grids.identity()),
              HasSubstr("cell 0 of its source grid lies at"));
  // A mask.
  grids.source = grid(24, 12);
  grids.source.mask.assign(288, 1);
  grids.source.mask[100] = 0;
  EXPECT_THAT(grids.refusal(what, grids.identity()),
              HasSubstr("of its source grid 288 of 288 cells count, here 287"));
  // Another order of cells that none of the looks sees.
  grids.source = grid(24, 12);
  for (std::size_t c = 30; c < 60; ++c) {
    for (std::size_t v = 0; v < 4; ++v) {
      std::swap(grids.source.lon[4 * c + v], grids.source.lon[4 * (c + 150) + v]);
      std::swap(grids.source.lat[4 * c + v], grids.source.lat[4 * (c + 150) + v]);
    }
  }
  EXPECT_THAT(grids.refusal(what, grids.identity()),
              HasSubstr("some of the 288 cells of its source grid lie elsewhere"));
  // What single precision moves is no other grid.
  grids.source = grid(24, 12);
  for (double& lon : grids.source.lon) lon = static_cast<float>(lon + 1e-5);
  EXPECT_EQ(grids.refusal(what, grids.identity()), "no error");
}

/// Files of other tools have centres.
TEST(KeptWeights, of_scrip_are_looked_at) {
  Grids grids;
  if (grids.world.rank() == 0) {
    const Weights weights = grids.made(grids.target);
    WeightsFileSpec spec;
    spec.path = "scrip.nc";
    spec.layout = WeightsLayout::scrip;
    spec.source_cells = 288;
    spec.target_cells = 150;
    spec.count = static_cast<std::int64_t>(weights.weight.size());
    spec.source = WeightsGrid{&grids.source, {24, 12}, {}};
    spec.target = WeightsGrid{&grids.target, {15, 10}, {}};
    WeightsWriter writer(spec);
    writer.append(weights);
    writer.publish();
  }
  const WeightsQuestion what = grids.what("scrip.nc");
  EXPECT_EQ(grids.refusal(what, grids.identity()), "no error");
  grids.target = grid(15, 10, 90, -90);
  EXPECT_THAT(grids.refusal(what, grids.identity()),
              HasSubstr("cell 0 of its target grid lies at"));
}

TEST(KeptWeights, that_count_from_one_are_doubted) {
  const Grids grids;
  // Of foreign tools: without a recipe.
  write_rows(*grids.files, grids.what("w.nc"), {}, grids.made(own(grids.target, grids.world)),
             grids.world);
  WeightsQuestion what = grids.what("w.nc", WeightsBase::zero);
  what.source_cells = 0;
  what.target_cells = 151;
  std::vector<std::string> remarks;
  EXPECT_THAT(grids.refusal(what, {}), HasSubstr("a target grid of 150 cells, here are 151"));
  what = grids.what("w.nc", WeightsBase::zero);
  EXPECT_THAT(grids.refusal(what, {}), HasSubstr("Is read_write_convention right?"));
}

}  // namespace
}  // namespace epios::io::kept_weights_test
