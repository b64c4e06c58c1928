// Writes weights in the layouts of XIOS, SCRIP and ESMF. Sizes, grids and identity are defined
// first; then rows are appended as they come.
#include "file/weights_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "config/error.hpp"
#include "config/index.hpp"
#include "remapping/weights_layouts.hpp"

namespace epios::io {

namespace {

const WeightsNames& names_of(WeightsLayout layout) {
  switch (layout) {
    case WeightsLayout::scrip:
      return scrip_names;
    case WeightsLayout::esmf:
      return esmf_names;
    case WeightsLayout::xios:
      break;
  }
  return xios_names;
}

std::int64_t most_corners(const Cells& cells) {
  std::int64_t most = 0;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    most = std::max(most, cells.offsets[c + 1] - cells.offsets[c]);
  }
  return most;
}

}  // namespace

WeightsWriter::WeightsWriter(const WeightsFileSpec& spec) : spec_(spec), file_(spec.path) {
  const WeightsNames& names = names_of(spec.layout);
  const bool is_long =
      std::max({spec.source_cells, spec.target_cells}) >= std::numeric_limits<std::int32_t>::max();
  const ValueKind index = is_long ? ValueKind::int64 : ValueKind::int32;
  // A dimension of length 0 would be one of records.
  const std::int64_t count = std::max<std::int64_t>(spec.count, 1);
  const int links = file_.add_dimension(names.count, count);
  std::vector<int> weights{links};
  if (spec.layout == WeightsLayout::scrip) weights.push_back(file_.add_dimension("num_wgts", 1));
  if (spec.layout == WeightsLayout::xios || !spec.source || !spec.target) {
    file_.add_dimension(names.source_size, spec.source_cells);
    file_.add_dimension(names.target_size, spec.target_cells);
  } else {
    define_grid(*spec.source, true);
    define_grid(*spec.target, false);
  }
  source_index_ = file_.add_variable(names.source, index, {links});
  target_index_ = file_.add_variable(names.target, index, {links});
  weight_ = file_.add_variable(names.weight, ValueKind::float64, weights);
  if (spec.has_first_order) {
    first_order_ = file_.add_variable(first_order_name, ValueKind::float64, {links});
    file_.set_attribute(first_order_, {"long_name", std::string("weights of first order, where "
                                                                "values are missing")});
  }
  if (spec.layout != WeightsLayout::xios) {
    file_.set_attribute(-1, {"title", std::string("EPIOS weights")});
    file_.set_attribute(-1, {"normalization", spec.normalization});
    file_.set_attribute(-1, {"map_method", spec.method});
    file_.set_attribute(
        -1,
        {"conventions", std::string(spec.layout == WeightsLayout::scrip ? "SCRIP" : "NCAR-CSM")});
    file_.set_attribute(-1, {"source_grid", std::string("source")});
    file_.set_attribute(-1, {"dest_grid", std::string("target")});
  }
  identify();
  file_.end_definitions();
  if (spec.source && spec.target && spec.layout != WeightsLayout::xios) {
    write_grid(*spec.source, true);
    write_grid(*spec.target, false);
  }
}

/// For who reads it: whether it is what he wants.
void WeightsWriter::identify() {
  const WeightsIdentity& identity = spec_.identity;
  if (identity.recipe.empty()) return;
  file_.set_attribute(-1, {recipe_name, identity.recipe});
  file_.set_attribute(-1, {base_name, std::vector<std::int32_t>{first_number()}});
  if (identity.source) file_.set_attribute(-1, {source_sketch_name, identity.source->numbers()});
  if (identity.target) file_.set_attribute(-1, {target_sketch_name, identity.target->numbers()});
}

std::int32_t WeightsWriter::first_number() const {
  return spec_.layout == WeightsLayout::xios && spec_.base == WeightsBase::zero ? 0 : 1;
}

void WeightsWriter::define_grid(const WeightsGrid& grid, bool is_source) {
  const bool is_scrip = spec_.layout == WeightsLayout::scrip;
  const std::string front = is_scrip ? (is_source ? "src_grid_" : "dst_grid_") : "";
  const std::string back = is_scrip ? "" : (is_source ? "_a" : "_b");
  const auto name = [&](const char* scrip, const char* esmf) {
    return front + (is_scrip ? scrip : esmf) + back;
  };
  GridVariables& v = is_source ? source_ : target_;
  v.corners = most_corners(*grid.cells);
  const auto rank = static_cast<std::int64_t>(std::max<std::size_t>(grid.shape.size(), 1));
  const int size =
      file_.add_dimension(name("size", "n"), is_source ? spec_.source_cells : spec_.target_cells);
  const int ranks = file_.add_dimension(is_source ? "src_grid_rank" : "dst_grid_rank", rank);
  const int corners =
      file_.add_dimension(name("corners", "nv"), std::max<std::int64_t>(v.corners, 1));
  const auto add = [&](const std::string& what, ValueKind kind, const std::vector<int>& dimensions,
                       const char* units) {
    const int id = file_.add_variable(what, kind, dimensions);
    if (units != nullptr) file_.set_attribute(id, {"units", std::string(units)});
    return id;
  };
  v.shape = add(is_source ? "src_grid_dims" : "dst_grid_dims", ValueKind::int32, {ranks}, nullptr);
  v.lat = add(name("center_lat", "yc"), ValueKind::float64, {size}, "degrees");
  v.lon = add(name("center_lon", "xc"), ValueKind::float64, {size}, "degrees");
  v.corner_lat = add(name("corner_lat", "yv"), ValueKind::float64, {size, corners}, "degrees");
  v.corner_lon = add(name("corner_lon", "xv"), ValueKind::float64, {size, corners}, "degrees");
  v.mask = add(name("imask", "mask"), ValueKind::int32, {size}, "unitless");
  v.area = add(name("area", "area"), ValueKind::float64, {size}, "square radians");
  v.fraction = add(name("frac", "frac"), ValueKind::float64, {size}, "unitless");
}

void WeightsWriter::write_grid(const WeightsGrid& grid, bool is_source) {
  const GridVariables& v = is_source ? source_ : target_;
  const Cells& cells = *grid.cells;
  const auto size = static_cast<std::int64_t>(cells.size());
  const Box all = whole({size});
  std::vector<double> shape(grid.shape.begin(), grid.shape.end());
  if (shape.empty()) shape.push_back(static_cast<double>(size));
  file_.write(v.shape, whole({static_cast<std::int64_t>(shape.size())}), shape);
  const CellCentres centres = centres_of(cells);
  file_.write(v.lon, all, centres.lon);
  file_.write(v.lat, all, centres.lat);
  write_corners(v, cells);
  std::vector<double> mask;
  mask.reserve(cells.size());
  for (std::size_t c = 0; c < cells.size(); ++c) mask.push_back(cells.counts(c) ? 1 : 0);
  file_.write(v.mask, all, mask);
  file_.write(v.area, all, areas_of(cells));
  file_.write(v.fraction, all,
              grid.fraction.empty() ? std::vector<double>(cells.size(), 1) : grid.fraction);
}

/// In blocks: corners of a whole grid take more than all that is kept of it. Cells with fewer
/// corners have the last one again.
void WeightsWriter::write_corners(const GridVariables& v, const Cells& cells) {
  constexpr std::size_t block = 1 << 16;
  std::vector<double> lon;
  std::vector<double> lat;
  for (std::size_t begin = 0; begin < cells.size(); begin += block) {
    const std::size_t end = std::min(begin + block, cells.size());
    lon.clear();
    lat.clear();
    for (std::size_t c = begin; c < end; ++c) {
      const bool has_any = cells.offsets[c] < cells.offsets[c + 1];
      for (std::int64_t k = 0; k < v.corners; ++k) {
        const auto corner =
            static_cast<std::size_t>(std::min(cells.offsets[c] + k, cells.offsets[c + 1] - 1));
        lon.push_back(has_any ? cells.lon[corner] : std::numeric_limits<double>::quiet_NaN());
        lat.push_back(has_any ? cells.lat[corner] : std::numeric_limits<double>::quiet_NaN());
      }
    }
    const Box box{{static_cast<std::int64_t>(begin), 0},
                  {static_cast<std::int64_t>(end - begin), v.corners}};
    file_.write(v.corner_lon, box, lon);
    file_.write(v.corner_lat, box, lat);
  }
}

void WeightsWriter::append(const Weights& rows) {
  const auto count = static_cast<std::int64_t>(rows.weight.size());
  if (written_ + count > spec_.count) {
    throw Error(ErrorCode::internal, fmt::format("file '{}': more weights than the {} announced",
                                                 spec_.path, spec_.count));
  }
  const std::int64_t base = first_number();
  std::vector<double> numbers(rows.weight.size());
  const Box box{{written_}, {count}};
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    numbers[k] = static_cast<double>(rows.source[k] + base);
  }
  file_.write(source_index_, box, numbers);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (auto k = rows.offsets[r]; k < rows.offsets[r + 1]; ++k) {
      nth(numbers, k) = static_cast<double>(rows.target[r] + base);
    }
  }
  file_.write(target_index_, box, numbers);
  const bool has_second = spec_.layout == WeightsLayout::scrip;
  file_.write(weight_, has_second ? Box{{written_, 0}, {count, 1}} : box, rows.weight);
  if (spec_.has_first_order) {
    file_.write(first_order_, box, rows.first_order.empty() ? rows.weight : rows.first_order);
  }
  written_ += count;
}

void WeightsWriter::publish() {
  if (written_ != spec_.count) {
    throw Error(ErrorCode::internal, fmt::format("file '{}': {} weights instead of {}", spec_.path,
                                                 written_, spec_.count));
  }
  if (spec_.count == 0) {  // the one place that the file has all the same
    const double base = first_number();
    const double nothing_there = 0;
    file_.write(source_index_, whole({1}), {&base, 1});
    file_.write(target_index_, whole({1}), {&base, 1});
    file_.write(weight_, spec_.layout == WeightsLayout::scrip ? whole({1, 1}) : whole({1}),
                {&nothing_there, 1});
    if (spec_.has_first_order) file_.write(first_order_, whole({1}), {&nothing_there, 1});
  }
  file_.publish();
}

}  // namespace epios::io
