// Reads weights of any layout, which names in the file tell. It checks sizes and the base of cell
// numbers, reads links in blocks, and sorts them into rows. At the end it implements the access of
// a run (WeightsFiles).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numbers>
#include <numeric>
#include <sstream>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "config/error.hpp"
#include "file/data_file.hpp"
#include "file/file_thread.hpp"
#include "file/weights_file.hpp"
#include "remapping/weights_layouts.hpp"

namespace epios::io {

namespace {

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
      "new ones",
      grid, there, wanted);
}

/// Returns the names of the layout that a file has.
const WeightsNames& layout_of(const DataFile& file) {
  for (const WeightsNames* names : {&xios_names, &scrip_names, &esmf_names}) {
    if (file.find(names->source) >= 0 && file.find(names->target) >= 0 &&
        file.find(names->weight) >= 0) {
      return *names;
    }
  }
  refuse(file.path(),
         "no variables src_idx, dst_idx, weight of XIOS, src_address, dst_address, remap_matrix of "
         "SCRIP, or col, row, S of ESMF");
}

/// "" without it.
std::string attribute_of(const DataFile& file, const char* name) {
  for (const StoredAttribute& attribute : file.attributes()) {
    if (attribute.name == name) return attribute.text;
  }
  return {};
}

std::optional<GridSketch> sketch_in(const DataFile& file, const char* name) {
  std::string text = attribute_of(file, name);
  std::replace(text.begin(), text.end(), ',', ' ');
  std::istringstream words(text);
  std::vector<double> numbers;
  for (std::string word; words >> word;) numbers.push_back(std::strtod(word.c_str(), nullptr));
  return GridSketch::of(numbers);
}

}  // namespace

struct WeightsReader::Layout {
  DataFile file;
  const WeightsNames& names;
  std::int64_t base = 1;
  std::int64_t source_size = 0;
  std::int64_t target_size = 0;
  std::int64_t count = 0;
  int first_order = -1;
  std::int64_t width = 0;  ///< weights per link, as a dimension; 0: it has none

  explicit Layout(const WeightsQuestion& question) : file(question.path), names(layout_of(file)) {
    source_size = size_of(names.source_size, "a source grid", question.source_cells);
    target_size = size_of(names.target_size, "a target grid", question.target_cells);
    if (&names == &xios_names) base = base_of(question);
    const Extents shape = require_shapes();
    count = shape[0];
    width = shape.size() == 2 ? shape[1] : 0;
    // SCRIP's conservative ones have three, of which the first are those of first order.
    if (shape.size() == 2 && width != 1 && width != 3) {
      refuse(file.path(),
             fmt::format("{} weights per link, as bicubic ones have; 1 or 3 are known", width));
    }
  }
  std::int64_t size_of(const char* dimension, const std::string& grid, std::int64_t wanted) const;
  std::int64_t base_of(const WeightsQuestion& question) const;
  Extents require_shapes();
  void check(std::int64_t link, double source, double target, double weight, double first) const;
};

std::int64_t WeightsReader::Layout::size_of(const char* dimension, const std::string& grid,
                                            std::int64_t wanted) const {
  const std::int64_t there = length_of(file, dimension);
  if (wanted > 0 && there >= 0 && there != wanted) {
    refuse(file.path(), sizes_text(grid, there, wanted));
  }
  return there >= 0 ? there : wanted;
}

/// Returns the smallest cell number. Refuses a file that states another one than was asked for.
std::int64_t WeightsReader::Layout::base_of(const WeightsQuestion& question) const {
  const std::int64_t wanted = question.base == WeightsBase::zero ? 0 : 1;
  const std::string said = attribute_of(file, base_name);
  if (said.empty() || said == fmt::format("{}", wanted)) return wanted;
  refuse(file.path(),
         fmt::format("its cells are numbered from {}. Set read_write_convention=\"{}\"?", said,
                     said == "0" ? "c" : "fortran"));
}

/// Returns the shape of the weights; the lists beside them have the same length.
Extents WeightsReader::Layout::require_shapes() {
  Extents shape = file.shape(file.find(names.weight));
  const bool may_be_wide = &names == &scrip_names;
  if (shape.empty() || shape.size() > (may_be_wide ? 2U : 1U)) {
    refuse(file.path(), fmt::format("{} has {} dimensions", names.weight, shape.size()));
  }
  first_order = file.find(first_order_name);
  for (const char* name : {names.source, names.target, first_order_name}) {
    const int variable = file.find(name);
    if (variable >= 0 && file.shape(variable) != Extents{shape[0]}) {
      refuse(file.path(),
             fmt::format("{} is no list of {} numbers, one per weight", name, shape[0]));
    }
  }
  return shape;
}

void WeightsReader::Layout::check(std::int64_t link, double source, double target, double weight,
                                  double first) const {
  const auto is_there = [this](double index, std::int64_t size) {
    constexpr std::int64_t most = std::int64_t{1} << 53U;  // doubles hold whole numbers up to there
    const std::int64_t end = size > 0 ? base + size : most;
    return index >= static_cast<double>(base) && index == std::floor(index) &&
           index < static_cast<double>(end);
  };
  if (!is_there(source, source_size) || !is_there(target, target_size)) {
    const bool is_source = !is_there(source, source_size);
    const std::int64_t size = is_source ? source_size : target_size;
    const std::string cells =
        size > 0 ? fmt::format("cells are numbered {} to {}", base, size + base - 1)
                 : fmt::format("cells are numbered from {}", base);
    refuse(file.path(), fmt::format("{}({}) is {}, {}. Is read_write_convention right?",
                                    is_source ? names.source : names.target, link,
                                    is_source ? source : target, cells));
  }
  if (!std::isfinite(weight)) {
    refuse(file.path(), fmt::format("{}({}) is no number", names.weight, link));
  }
  if (!std::isfinite(first)) {
    refuse(file.path(), fmt::format("{}({}) is no number", first_order_name, link));
  }
}

WeightsReader::WeightsReader(const WeightsQuestion& question)
    : layout_(std::make_unique<Layout>(question)) {}
WeightsReader::~WeightsReader() = default;

std::int64_t WeightsReader::count() const { return layout_->count; }
bool WeightsReader::has_first_order() const { return layout_->first_order >= 0; }

WeightLinks WeightsReader::read(std::int64_t begin, std::int64_t count) const {
  const Layout& l = *layout_;
  const Box box{{begin}, {count}};
  const Box weights = l.width > 0 ? Box{{begin, 0}, {count, 1}} : box;
  const auto source = l.file.stored_values(l.file.find(l.names.source), box);
  const auto target = l.file.stored_values(l.file.find(l.names.target), box);
  WeightLinks links;
  links.weight = l.file.stored_values(l.file.find(l.names.weight), weights);
  if (l.first_order >= 0) links.first_order = l.file.stored_values(l.first_order, box);
  links.source.reserve(source.size());
  links.target.reserve(target.size());
  for (std::size_t k = 0; k < source.size(); ++k) {
    l.check(begin + static_cast<std::int64_t>(k), source[k], target[k], links.weight[k],
            links.first_order.empty() ? 0 : links.first_order[k]);
    links.source.push_back(static_cast<std::int64_t>(source[k]) - l.base);
    links.target.push_back(static_cast<std::int64_t>(target[k]) - l.base);
  }
  return links;
}

WeightsIdentity WeightsReader::identity() const {
  return {attribute_of(layout_->file, recipe_name), sketch_in(layout_->file, source_sketch_name),
          sketch_in(layout_->file, target_sketch_name)};
}

std::optional<OpenWeights::Centre> WeightsReader::centre(bool is_source, std::int64_t cell) const {
  const DataFile& file = layout_->file;
  const WeightsNames& names = layout_->names;
  const auto value = [&](const char* name) -> std::optional<double> {
    const int variable = file.find(name);
    if (variable < 0 || file.shape(variable).size() != 1 || file.shape(variable)[0] <= cell) {
      return std::nullopt;
    }
    const StoredVariable& stored = file.variables().at(static_cast<std::size_t>(variable));
    const bool is_radians = stored.attribute("units").starts_with("radian");
    return file.stored_values(variable, {{cell}, {1}})[0] *
           (is_radians ? 180 / std::numbers::pi : 1);
  };
  const auto lon = value(is_source ? names.source_lon : names.target_lon);
  const auto lat = value(is_source ? names.source_lat : names.target_lat);
  if (!lon || !lat) return std::nullopt;
  return Centre{*lon, *lat};
}

bool WeightsReader::leaves_gradients_out() const {
  const Layout& l = *layout_;
  if (l.width < 3 || l.count == 0) return false;
  const std::int64_t some = std::min<std::int64_t>(l.count, 1000);
  const auto values = l.file.stored_values(l.file.find(l.names.weight), {{0, 1}, {some, 2}});
  return std::any_of(values.begin(), values.end(), [](double value) { return value != 0; });
}

namespace {

struct Link {
  std::uint32_t row;
  std::int64_t source;
  double weight;
  double first;
};

}  // namespace

Weights read_weights(const WeightsQuestion& question, std::span<const std::int64_t> targets) {
  std::unordered_map<std::int64_t, std::uint32_t> rows;
  rows.reserve(targets.size());
  for (std::size_t r = 0; r < targets.size(); ++r) {
    rows.emplace(targets[r], static_cast<std::uint32_t>(r));
  }
  const WeightsReader reader(question);
  std::vector<Link> links;
  constexpr std::int64_t block = 1 << 20;
  for (std::int64_t begin = 0; begin < reader.count(); begin += block) {
    const WeightLinks some = reader.read(begin, std::min(block, reader.count() - begin));
    for (std::size_t k = 0; k < some.source.size(); ++k) {
      const double first = some.first_order.empty() ? some.weight[k] : some.first_order[k];
      const auto row = rows.find(some.target[k]);
      if (row == rows.end() || (some.weight[k] == 0 && first == 0)) continue;
      links.push_back({row->second, some.source[k], some.weight[k], first});
    }
  }
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

namespace {

/// All calls in turn with others of the process.
class InTurn final : public OpenWeights {
 public:
  explicit InTurn(const WeightsQuestion& question) {
    const std::unique_lock turn = turn_of_files();
    reader_ = std::make_unique<WeightsReader>(question);
  }
  InTurn(const InTurn&) = delete;
  InTurn(InTurn&&) = delete;
  InTurn& operator=(const InTurn&) = delete;
  InTurn& operator=(InTurn&&) = delete;
  ~InTurn() override {
    const std::unique_lock turn = turn_of_files();
    reader_.reset();
  }
  std::int64_t count() const override { return reader_->count(); }
  bool has_first_order() const override { return reader_->has_first_order(); }
  WeightLinks read(std::int64_t begin, std::int64_t count) const override {
    const std::unique_lock turn = turn_of_files();
    return reader_->read(begin, count);
  }
  WeightsIdentity identity() const override { return reader_->identity(); }
  std::optional<Centre> centre(bool is_source, std::int64_t cell) const override {
    const std::unique_lock turn = turn_of_files();
    return reader_->centre(is_source, cell);
  }
  bool leaves_gradients_out() const override {
    const std::unique_lock turn = turn_of_files();
    return reader_->leaves_gradients_out();
  }

 private:
  std::unique_ptr<WeightsReader> reader_;
};

class Written final : public NewWeights {
 public:
  explicit Written(const WeightsFileSpec& spec) {
    const std::unique_lock turn = turn_of_files();
    writer_ = std::make_unique<WeightsWriter>(spec);
  }
  Written(const Written&) = delete;
  Written(Written&&) = delete;
  Written& operator=(const Written&) = delete;
  Written& operator=(Written&&) = delete;
  ~Written() override {
    const std::unique_lock turn = turn_of_files();
    writer_.reset();
  }
  void append(const Weights& rows) override {
    const std::unique_lock turn = turn_of_files();
    writer_->append(rows);
  }
  void publish() override {
    const std::unique_lock turn = turn_of_files();
    writer_->publish();
  }

 private:
  std::unique_ptr<WeightsWriter> writer_;
};

class Files final : public WeightsFiles {
 public:
  bool is_there(const std::string& path) override {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
  }
  std::unique_ptr<OpenWeights> open(const WeightsQuestion& question) override {
    return std::make_unique<InTurn>(question);
  }
  std::unique_ptr<NewWeights> create(const WeightsQuestion& what, std::int64_t count,
                                     bool has_first_order,
                                     const WeightsIdentity& identity) override {
    WeightsFileSpec spec;
    spec.path = what.path;
    spec.base = what.base;
    spec.source_cells = what.source_cells;
    spec.target_cells = what.target_cells;
    spec.count = count;
    spec.has_first_order = has_first_order;
    spec.identity = identity;
    return std::make_unique<Written>(spec);
  }
};

}  // namespace

std::unique_ptr<WeightsFiles> weights_in_files() { return std::make_unique<Files>(); }

}  // namespace epios::io
