#include "file/weights_file.hpp"

#include <gmock/gmock.h>

#include <exception>
#include <limits>
#include <numeric>
#include <utility>

#include "config/error.hpp"
#include "scratch.hpp"

namespace epios::io::weights_file_test {

namespace {

using test::Scratch;
using ::testing::HasSubstr;

Cells grid(int ni, int nj) {
  std::vector<double> lon;
  std::vector<double> lat;
  for (int i = 0; i < ni; ++i) lon.insert(lon.end(), {360.0 * i / ni, 360.0 * (i + 1) / ni});
  for (int j = 0; j < nj; ++j) {
    lat.insert(lat.end(), {-90 + 180.0 * j / nj, -90 + 180.0 * (j + 1) / nj});
  }
  return rectilinear_cells(lon, lat);
}

std::vector<std::int64_t> numbers(std::size_t count) {
  std::vector<std::int64_t> list(count);
  std::iota(list.begin(), list.end(), 0);
  return list;
}

WeightsFileSpec spec_of(const std::string& path, const Weights& weights, const Cells& source,
                        const Cells& target) {
  WeightsFileSpec spec;
  spec.path = path;
  spec.source_cells = static_cast<std::int64_t>(source.size());
  spec.target_cells = static_cast<std::int64_t>(target.size());
  spec.count = static_cast<std::int64_t>(weights.weight.size());
  spec.source = WeightsGrid{&source, {8, 4}, {}};
  spec.target = WeightsGrid{&target, {}, weights.covered};
  return spec;
}

void write(const WeightsFileSpec& spec, const Weights& weights) {
  WeightsWriter writer(spec);
  writer.append(weights);
  writer.publish();
}

std::string message_of(const WeightsQuestion& question) {
  try {
    read_weights(question, numbers(3));
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no error";
}

TEST(WeightsFile, ComesBackInEveryLayoutAndConvention) {
  const Scratch scratch;
  const Cells source = grid(8, 4);
  const Cells target = grid(5, 3);
  const Weights weights = make_weights(source, target, {});
  int file = 0;
  for (const auto layout : {WeightsLayout::xios, WeightsLayout::scrip, WeightsLayout::esmf}) {
    for (const auto base : {WeightsBase::zero, WeightsBase::one}) {
      WeightsFileSpec spec =
          spec_of(scratch.file(std::to_string(file++) + ".nc"), weights, source, target);
      spec.layout = layout;
      spec.base = base;
      write(spec, weights);
      const Weights back = read_weights({spec.path, base, 32, 15}, numbers(15));
      EXPECT_EQ(back.target, weights.target);
      EXPECT_EQ(back.offsets, weights.offsets);
      EXPECT_EQ(back.source, weights.source);
      EXPECT_EQ(back.weight, weights.weight);
      // A rank's own, in its own order.
      const std::vector<std::int64_t> some{7, 2, 11};
      const Weights part = read_weights({spec.path, base, 32, 15}, some);
      EXPECT_EQ(part.target, some);
      for (std::size_t r = 0; r < some.size(); ++r) {
        const auto whole_row = static_cast<std::size_t>(some[r]);
        EXPECT_EQ(std::vector(part.source.begin() + part.offsets[r],
                              part.source.begin() + part.offsets[r + 1]),
                  std::vector(weights.source.begin() + weights.offsets[whole_row],
                              weights.source.begin() + weights.offsets[whole_row + 1]));
      }
    }
  }
}

std::vector<double> applied(const Weights& weights, const std::vector<double>& values) {
  std::vector<double> results(weights.rows());
  apply_with_missing(weights, values, results, 1);
  return results;
}

TEST(WeightsFile, MakesTheSameResultsAlsoWhereValuesAreMissing) {
  const Scratch scratch;
  const Cells source = grid(8, 4);
  const Cells target = grid(5, 3);
  RemapOptions options;
  options.for_missing = true;
  const Weights weights = make_weights(source, target, options);
  ASSERT_FALSE(weights.first_order.empty());
  std::vector<double> values(source.size());
  for (std::size_t c = 0; c < values.size(); ++c) {
    values[c] = c % 3 == 0 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(c * c);
  }
  for (const auto layout : {WeightsLayout::xios, WeightsLayout::scrip, WeightsLayout::esmf}) {
    WeightsFileSpec spec = spec_of(scratch.file("w.nc"), weights, source, target);
    spec.layout = layout;
    spec.has_first_order = true;
    write(spec, weights);
    const Weights back = read_weights({spec.path, WeightsBase::one, 32, 15}, numbers(15));
    EXPECT_EQ(back.weight, weights.weight);
    EXPECT_EQ(back.first_order, weights.first_order);
    EXPECT_EQ(applied(back, values), applied(weights, values));
    // Without them, means of what is left.
    spec.has_first_order = false;
    write(spec, weights);
    const Weights second = read_weights({spec.path, WeightsBase::one, 32, 15}, numbers(15));
    EXPECT_TRUE(second.first_order.empty());
    for (const double result : applied(second, values)) {
      EXPECT_GE(result, 1);
      EXPECT_LE(result, 31 * 31);
    }
  }
}

TEST(WeightsFile, CellsWithoutCornersHaveNone) {
  const Scratch scratch;
  Cells cells = grid(2, 1);
  cells.offsets.push_back(cells.offsets.back());  // as of a file with missing bounds
  const Weights weights = make_weights(cells, cells, {});
  WeightsFileSpec spec = spec_of(scratch.file("w.nc"), weights, cells, cells);
  spec.layout = WeightsLayout::scrip;
  write(spec, weights);
  const std::string dump = test::run("ncdump -v src_grid_corner_lat " + spec.path).output;
  EXPECT_THAT(dump, HasSubstr("  NaN, NaN, NaN, NaN ;"));
}

struct Shape {
  const char* name;
  std::vector<std::int64_t> lengths;
};

TEST(WeightsFile, ListsOfOtherShapesAreRefused) {
  const Scratch scratch;
  const std::vector<std::pair<std::vector<Shape>, const char*>> files{
      {{{"src_idx", {4}}, {"dst_idx", {4}}, {"weight", {4, 1, 1}}}, "weight has 3 dimensions"},
      {{{"src_idx", {4}}, {"dst_idx", {4}}, {"weight", {4, 1}}}, "weight has 2 dimensions"},
      {{{"src_idx", {4}}, {"dst_idx", {4}}, {"weight", {}}}, "weight has 0 dimensions"},
      {{{"src_idx", {4, 1}}, {"dst_idx", {4}}, {"weight", {4}}}, "src_idx is no list of 4 numbers"},
      {{{"src_idx", {4}}, {"dst_idx", {3}}, {"weight", {4}}}, "dst_idx is no list of 4 numbers"},
      {{{"src_idx", {4}}, {"dst_idx", {}}, {"weight", {4}}}, "dst_idx is no list of 4 numbers"},
      {{{"src_idx", {4}}, {"dst_idx", {4}}, {"weight", {4}}, {"weight_first", {5}}},
       "weight_first is no list of 4 numbers"},
      {{{"src_address", {4}}, {"dst_address", {4}}, {"remap_matrix", {4, 1, 1}}},
       "remap_matrix has 3 dimensions"},
      {{{"src_address", {4}}, {"dst_address", {4}}, {"remap_matrix", {5, 1}}},
       "src_address is no list of 5 numbers"}};
  int number = 0;
  for (const auto& [shapes, message] : files) {
    SCOPED_TRACE(message);
    const std::string path = scratch.file(std::to_string(number++) + ".nc");
    WrittenFile file(path);
    for (const Shape& shape : shapes) {
      std::vector<int> dimensions;
      for (const std::int64_t length : shape.lengths) {
        dimensions.push_back(file.add_dimension(
            std::string(shape.name) + std::to_string(dimensions.size()), length));
      }
      file.add_variable(shape.name, ValueKind::float64, dimensions);
    }
    file.end_definitions();
    file.publish();
    EXPECT_THAT(message_of({path, WeightsBase::one, 0, 0}), HasSubstr(message));
  }
}

TEST(WeightsFile, NumbersThatNoCellCanHaveAreRefusedWhereNothingSaysHowManyThereAre) {
  const Scratch scratch;
  const std::string path = scratch.file("w.nc");
  WrittenFile file(path);
  const int link = file.add_dimension("links", 1);
  const int source = file.add_variable("src_idx", ValueKind::float64, {link});
  const int target = file.add_variable("dst_idx", ValueKind::float64, {link});
  const int weight = file.add_variable("weight", ValueKind::float64, {link});
  file.end_definitions();
  for (const int variable : {target, weight}) file.write(variable, {{0}, {1}}, std::vector{1.0});
  file.write(source, {{0}, {1}}, std::vector{7e78});
  file.publish();
  EXPECT_THAT(message_of({path, WeightsBase::one, 0, 0}),
              HasSubstr("src_idx(0) is 7e+78, cells are numbered from 1"));
}

TEST(WeightsFile, HasTheNamesOfXios) {
  const Scratch scratch;
  const Cells cells = grid(2, 1);
  RemapOptions options;
  options.order = 1;
  const Weights weights = make_weights(cells, cells, options);
  WeightsFileSpec spec = spec_of(scratch.file("w.nc"), weights, cells, cells);
  write(spec, weights);
  const std::string dump = test::run("ncdump " + spec.path).output;
  for (const char* line :
       {"n_src = 2 ;", "n_dst = 2 ;", "n_weight = 2 ;", "int src_idx(n_weight) ;",
        "int dst_idx(n_weight) ;", "double weight(n_weight) ;", " src_idx = 1, 2 ;",
        " dst_idx = 1, 2 ;", " weight = 1, 1 ;"}) {
    EXPECT_THAT(dump, HasSubstr(line));
  }
  spec.base = WeightsBase::zero;
  write(spec, weights);
  EXPECT_THAT(test::run("ncdump " + spec.path).output, HasSubstr(" src_idx = 0, 1 ;"));
}

TEST(WeightsFile, HasTheNamesOfEsmf) {
  const Scratch scratch;
  const Cells cells = grid(2, 1);
  const Weights weights = make_weights(cells, cells, {});
  WeightsFileSpec spec = spec_of(scratch.file("w.nc"), weights, cells, cells);
  spec.layout = WeightsLayout::esmf;
  spec.source->shape = {2, 1};
  write(spec, weights);
  const std::string dump = test::run("ncdump -h " + spec.path).output;
  for (const char* line :
       {"n_s = ", "n_a = 2 ;", "n_b = 2 ;", "nv_a = 4 ;", "nv_b = 4 ;", "src_grid_rank = 2 ;",
        "dst_grid_rank = 1 ;", "int col(n_s) ;", "int row(n_s) ;", "double S(n_s) ;",
        "double yc_a(n_a) ;", "double xv_b(n_b, nv_b) ;", "double frac_b(n_b) ;",
        "double area_a(n_a) ;", "int mask_a(n_a) ;"}) {
    EXPECT_THAT(dump, HasSubstr(line));
  }
}

TEST(WeightsFile, IsWrittenInPieces) {
  const Scratch scratch;
  const Cells source = grid(8, 4);
  const Cells target = grid(5, 3);
  const Weights weights = make_weights(source, target, {});
  const WeightsFileSpec spec = spec_of(scratch.file("w.nc"), weights, source, target);
  {
    WeightsWriter writer(spec);
    for (std::size_t part = 0; part < 3; ++part) {
      std::vector<std::size_t> mine;
      for (std::size_t c = part; c < target.size(); c += 3) mine.push_back(c);
      writer.append(make_weights(source, selected(target, mine), {}));
    }
    writer.publish();
  }
  const Weights back = read_weights({spec.path, WeightsBase::one, 32, 15}, numbers(15));
  EXPECT_EQ(back.source, weights.source);
  EXPECT_EQ(back.weight, weights.weight);
}

TEST(WeightsFile, WithoutAnyWeightIsOneNevertheless) {
  const Scratch scratch;
  const Cells cells = grid(2, 1);
  Weights none;
  WeightsFileSpec spec = spec_of(scratch.file("w.nc"), none, cells, cells);
  spec.target->fraction.clear();
  write(spec, none);
  EXPECT_TRUE(read_weights({spec.path, WeightsBase::one, 2, 2}, numbers(2)).weight.empty());
}

TEST(WeightsFile, SaysWhatIsWrongWithAFile) {
  const Scratch scratch;
  const Cells source = grid(8, 4);
  const Cells target = grid(5, 3);
  Weights weights = make_weights(source, target, {});
  WeightsFileSpec spec = spec_of(scratch.file("w.nc"), weights, source, target);
  write(spec, weights);
  EXPECT_THAT(message_of({spec.path, WeightsBase::one, 33, 15}),
              HasSubstr("w.nc' has no weights that can be used (it is made for a source grid of 32 "
                        "cells, here are 33. Is it of other grids?"));
  EXPECT_THAT(message_of({spec.path, WeightsBase::one, 32, 16}),
              HasSubstr("a target grid of 15 cells, here are 16"));
  EXPECT_THAT(message_of({spec.path, WeightsBase::zero, 32, 15}),
              HasSubstr("is 32, cells are numbered 0 to 31. Is read_write_convention right?"));
  EXPECT_THAT(message_of({scratch.file("no.nc"), WeightsBase::one, 32, 15}),
              HasSubstr("no.nc' cannot be opened"));
  weights.weight[4] = std::numeric_limits<double>::quiet_NaN();
  write(spec, weights);
  EXPECT_THAT(message_of({spec.path, WeightsBase::one, 32, 15}),
              HasSubstr("weight(4) is no number"));
  WrittenFile other(scratch.file("other.nc"));
  other.add_dimension("x", 3);
  other.end_definitions();
  other.publish();
  EXPECT_THAT(message_of({scratch.file("other.nc"), WeightsBase::one, 32, 15}),
              HasSubstr("no variables src_idx, dst_idx, weight of XIOS"));
  spec.path = scratch.file("no/folder.nc");
  EXPECT_THROW(WeightsWriter{spec}, std::exception);
}

}  // namespace

}  // namespace epios::io::weights_file_test
