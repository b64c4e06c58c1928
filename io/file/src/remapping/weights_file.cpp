#include "file/weights_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "config/error.hpp"
#include "file/data_file.hpp"

namespace epios::io {

namespace {

/// What the layouts call the same things.
struct Names {
  const char* source_size;
  const char* target_size;
  const char* count;
  const char* source;
  const char* target;
  const char* weight;
};
constexpr Names xios_names{"n_src", "n_dst", "n_weight", "src_idx", "dst_idx", "weight"};
constexpr Names scrip_names{"src_grid_size", "dst_grid_size", "num_links",
                            "src_address",   "dst_address",   "remap_matrix"};
constexpr Names esmf_names{"n_a", "n_b", "n_s", "col", "row", "S"};

constexpr const char* first_order_name = "weight_first";

const Names& names_of(WeightsLayout layout) {
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

std::int64_t length_of(const DataFile& file, const char* name) {
  for (const StoredDimension& dimension : file.dimensions()) {
    if (dimension.name == name) return dimension.length;
  }
  return -1;
}

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw Error(ErrorCode::io,
              fmt::format("file '{}' has no weights that can be used ({}).", path, why));
}

std::string sizes_text(const std::string& grid, std::int64_t there, std::int64_t wanted) {
  return fmt::format(
      "it is made for {} of {} cells, here are {}. Is it of other grids? mode=\"compute\" makes "
      "new "
      "ones",
      grid, there, wanted);
}

}  // namespace

WeightsWriter::WeightsWriter(const WeightsFileSpec& spec) : spec_(spec), file_(spec.path) {
  const Names& names = names_of(spec.layout);
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
  file_.end_definitions();
  if (spec.source && spec.target && spec.layout != WeightsLayout::xios) {
    write_grid(*spec.source, true);
    write_grid(*spec.target, false);
  }
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
  std::vector<double> mask;
  std::vector<double> lon;
  std::vector<double> lat;
  const CellCentres centres = centres_of(cells);
  file_.write(v.lon, all, centres.lon);
  file_.write(v.lat, all, centres.lat);
  for (std::size_t c = 0; c < cells.size(); ++c) {
    mask.push_back(cells.counts(c) ? 1 : 0);
    for (std::int64_t k = 0; k < v.corners; ++k) {
      if (cells.offsets[c] == cells.offsets[c + 1]) {
        lon.push_back(std::numeric_limits<double>::quiet_NaN());
        lat.push_back(std::numeric_limits<double>::quiet_NaN());
        continue;
      }
      // Cells with fewer corners have the last one again.
      const auto corner =
          static_cast<std::size_t>(std::min(cells.offsets[c] + k, cells.offsets[c + 1] - 1));
      lon.push_back(cells.lon[corner]);
      lat.push_back(cells.lat[corner]);
    }
  }
  const Box corners = whole({size, v.corners});
  file_.write(v.corner_lon, corners, lon);
  file_.write(v.corner_lat, corners, lat);
  file_.write(v.mask, all, mask);
  file_.write(v.area, all, areas_of(cells));
  file_.write(v.fraction, all,
              grid.fraction.empty() ? std::vector<double>(cells.size(), 1) : grid.fraction);
}

void WeightsWriter::append(const Weights& rows) {
  const auto count = static_cast<std::int64_t>(rows.weight.size());
  if (written_ + count > spec_.count) {
    throw Error(ErrorCode::internal, fmt::format("file '{}': more weights than the {} announced",
                                                 spec_.path, spec_.count));
  }
  const bool from_zero = spec_.layout == WeightsLayout::xios && spec_.base == WeightsBase::zero;
  const std::int64_t base = from_zero ? 0 : 1;
  std::vector<double> numbers(rows.weight.size());
  const Box box{{written_}, {count}};
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    numbers[k] = static_cast<double>(rows.source[k] + base);
  }
  file_.write(source_index_, box, numbers);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (auto k = rows.offsets[r]; k < rows.offsets[r + 1]; ++k) {
      numbers[static_cast<std::size_t>(k)] = static_cast<double>(rows.target[r] + base);
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
    const double base =
        spec_.layout == WeightsLayout::xios && spec_.base == WeightsBase::zero ? 0 : 1;
    const double nothing_there = 0;
    file_.write(source_index_, whole({1}), {&base, 1});
    file_.write(target_index_, whole({1}), {&base, 1});
    file_.write(weight_, spec_.layout == WeightsLayout::scrip ? whole({1, 1}) : whole({1}),
                {&nothing_there, 1});
    if (spec_.has_first_order) file_.write(first_order_, whole({1}), {&nothing_there, 1});
  }
  file_.publish();
}

namespace {

struct Link {
  std::uint32_t row;
  std::int64_t source;
  double weight;
  double first;
};

/// Of which layout a file is.
const Names& layout_of(const DataFile& file) {
  for (const Names* names : {&xios_names, &scrip_names, &esmf_names}) {
    if (file.find(names->source) >= 0 && file.find(names->target) >= 0 &&
        file.find(names->weight) >= 0) {
      return *names;
    }
  }
  refuse(file.path(),
         "no variables src_idx, dst_idx, weight of XIOS, src_address, dst_address, remap_matrix of "
         "SCRIP, or col, row, S of ESMF");
}

class LinkReader {
 public:
  LinkReader(const WeightsQuestion& question, const DataFile& file)
      : file_(file), names_(layout_of(file)) {
    const bool is_xios = &names_ == &xios_names;
    base_ = is_xios && question.base == WeightsBase::zero ? 0 : 1;
    source_size_ = size_of(names_.source_size, "a source grid", question.source_cells);
    target_size_ = size_of(names_.target_size, "a target grid", question.target_cells);
    const Extents shape = require_shapes();
    count_ = shape[0];
    // SCRIP's conservative ones have three, of which the first are those of first order.
    if (shape.size() == 2 && shape[1] != 1 && shape[1] != 3) {
      refuse(file.path(),
             fmt::format("{} weights per link, as bicubic ones have; 1 or 3 are known", shape[1]));
    }
    is_wide_ = shape.size() == 2;
  }

  bool has_first_order() const { return first_order_ >= 0; }

  /// Links of the wanted rows.
  std::vector<Link> read(const std::unordered_map<std::int64_t, std::uint32_t>& rows) {
    std::vector<Link> links;
    constexpr std::int64_t block = 1 << 20;
    for (std::int64_t begin = 0; begin < count_; begin += block) {
      const Box box{{begin}, {std::min(block, count_ - begin)}};
      const Box weights = is_wide_ ? Box{{begin, 0}, {box.size[0], 1}} : box;
      const auto source = file_.stored_values(file_.find(names_.source), box);
      const auto target = file_.stored_values(file_.find(names_.target), box);
      const auto weight = file_.stored_values(file_.find(names_.weight), weights);
      const auto first = has_first_order() ? file_.stored_values(first_order_, box) : weight;
      for (std::size_t k = 0; k < source.size(); ++k) {
        check(begin + static_cast<std::int64_t>(k), source[k], target[k], weight[k], first[k]);
        const auto row = rows.find(static_cast<std::int64_t>(target[k]) - base_);
        if (row == rows.end() || (weight[k] == 0 && first[k] == 0)) continue;
        links.push_back(
            {row->second, static_cast<std::int64_t>(source[k]) - base_, weight[k], first[k]});
      }
    }
    return links;
  }

 private:
  std::int64_t size_of(const char* dimension, const std::string& grid, std::int64_t wanted) const {
    const std::int64_t there = length_of(file_, dimension);
    if (wanted > 0 && there >= 0 && there != wanted) {
      refuse(file_.path(), sizes_text(grid, there, wanted));
    }
    return there >= 0 ? there : wanted;
  }
  /// Of the weights; the lists beside them are as long.
  Extents require_shapes() {
    Extents shape = file_.shape(file_.find(names_.weight));
    const bool may_be_wide = &names_ == &scrip_names;
    if (shape.empty() || shape.size() > (may_be_wide ? 2U : 1U)) {
      refuse(file_.path(), fmt::format("{} has {} dimensions", names_.weight, shape.size()));
    }
    first_order_ = file_.find(first_order_name);
    for (const char* name : {names_.source, names_.target, first_order_name}) {
      const int variable = file_.find(name);
      if (variable >= 0 && file_.shape(variable) != Extents{shape[0]}) {
        refuse(file_.path(),
               fmt::format("{} is no list of {} numbers, one per weight", name, shape[0]));
      }
    }
    return shape;
  }
  void check(std::int64_t link, double source, double target, double weight, double first) const {
    const auto is_there = [this](double index, std::int64_t size) {
      return index >= static_cast<double>(base_) && index == std::floor(index) &&
             (size <= 0 || index < static_cast<double>(base_ + size));
    };
    if (!is_there(source, source_size_) || !is_there(target, target_size_)) {
      const bool is_source = !is_there(source, source_size_);
      refuse(
          file_.path(),
          fmt::format("{}({}) is {}, cells are numbered {} to {}. Is read_write_convention right?",
                      is_source ? names_.source : names_.target, link, is_source ? source : target,
                      base_, (is_source ? source_size_ : target_size_) + base_ - 1));
    }
    if (!std::isfinite(weight)) {
      refuse(file_.path(), fmt::format("{}({}) is no number", names_.weight, link));
    }
    if (!std::isfinite(first)) {
      refuse(file_.path(), fmt::format("{}({}) is no number", first_order_name, link));
    }
  }

  const DataFile& file_;
  const Names& names_;
  std::int64_t base_ = 1;
  std::int64_t source_size_ = 0;
  std::int64_t target_size_ = 0;
  std::int64_t count_ = 0;
  int first_order_ = -1;
  bool is_wide_ = false;
};

}  // namespace

Weights read_weights(const WeightsQuestion& question, std::span<const std::int64_t> targets) {
  const DataFile file(question.path);
  std::unordered_map<std::int64_t, std::uint32_t> rows;
  rows.reserve(targets.size());
  for (std::size_t r = 0; r < targets.size(); ++r) {
    rows.emplace(targets[r], static_cast<std::uint32_t>(r));
  }
  LinkReader reader(question, file);
  std::vector<Link> links = reader.read(rows);
  std::stable_sort(links.begin(), links.end(), [](const Link& a, const Link& b) {
    return a.row != b.row ? a.row < b.row : a.source < b.source;
  });
  Weights weights;
  weights.target.assign(targets.begin(), targets.end());
  weights.offsets.assign(targets.size() + 1, 0);
  for (std::size_t k = 0; k < links.size(); ++k) {
    if (k > 0 && links[k].row == links[k - 1].row && links[k].source == links[k - 1].source) {
      weights.weight.back() += links[k].weight;
      if (reader.has_first_order()) weights.first_order.back() += links[k].first;
      continue;
    }
    ++weights.offsets[links[k].row + 1];
    weights.source.push_back(links[k].source);
    weights.weight.push_back(links[k].weight);
    if (reader.has_first_order()) weights.first_order.push_back(links[k].first);
  }
  std::partial_sum(weights.offsets.begin(), weights.offsets.end(), weights.offsets.begin());
  return weights;
}

}  // namespace epios::io
