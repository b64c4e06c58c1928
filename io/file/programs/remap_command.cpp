// The command `epios remap`: interpolates the fields of files to another grid, with the weights of
// a run. It finds source and target grids, makes or reads weights for each pair, defines the
// output, and converts slab by slab.
#include "remap_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <numeric>
#include <set>
#include <sstream>
#include <system_error>

#include "config/error.hpp"
#include "file/data_file.hpp"
#include "file/weights_file.hpp"
#include "file_grid.hpp"
#include "remapped_field.hpp"
#include "remapped_output.hpp"

namespace epios::io {

namespace {

void remark(const std::string& text) { fmt::print(stderr, "epios: {}\n", text); }

/// Reports defects of the cells of a grid; such cells are left out.
void remark_cells(const std::string& which, const FileGrid& grid) {
  if (grid.cells.lon.empty()) return;
  CellReport report = inspect(grid.cells);
  report.odd_area = {};  // nobody looks at them
  for (const std::string& sentence : report.sentences()) {
    remark(fmt::format("{}: {}", which, sentence));
  }
}

/// Reports corners that the file does not have.
void remark_made(const std::string& which, const FileGrid& grid) {
  if (!grid.cells.has_made_corners) return;
  const std::vector<double> areas = areas_of(grid.cells);
  const std::int64_t ni = grid.shape.at(1);
  const auto all = static_cast<std::int64_t>(areas.size());
  const auto area = [&](std::int64_t cell, bool is_there) {
    return is_there ? areas.at(static_cast<std::size_t>(cell)) : 0.0;
  };
  std::vector<std::array<double, 4>> beside;
  for (std::int64_t c = 0; c < all; ++c) {
    beside.push_back({area(c - 1, c % ni > 0), area(c + 1, c % ni + 1 < ni), area(c - ni, c >= ni),
                      area(c + ni, c + ni < all)});
  }
  remark(
      fmt::format("{}: no bounds of '{}' and '{}', corners are taken amid the centres of "
                  "neighbours: {}",
                  which, grid.lon_name, grid.lat_name,
                  area_doubt(grid.cells, areas, beside, false, 1).sentence()));
}

/// Centres are enough for the nearest.
void forget_made_corners(Cells& cells) {
  if (!cells.has_made_corners) return;
  cells.lon.clear();
  cells.lat.clear();
  std::fill(cells.offsets.begin(), cells.offsets.end(), 0);
}

/// A grid of the input, and the variables that are on it.
struct Source {
  FileGrid grid;
  std::vector<int> variables;
  Weights weights;
  std::unique_ptr<GridRemap> remap;
};

class RemapRun {
 public:
  explicit RemapRun(const RemapRequest& request)
      : request_(request), file_(request.input), target_(target_of(request)) {}

  int run() {
    find_sources();
    if (request_.method == RemapMethod::nearest) {
      forget_made_corners(target_.cells);
      for (Source& source : sources_) forget_made_corners(source.grid.cells);
    }
    remark_cells(fmt::format("grid '{}'", request_.target), target_);
    for (Source& source : sources_) weigh(source);
    RemappedOutput output(request_.output, file_, target_);
    define(output);
    output.write_fixed();
    for (const Source& source : sources_) {
      for (const int v : source.variables) convert(source, v, output);
    }
    output.publish();
    return 0;
  }

 private:
  static FileGrid target_of(const RemapRequest& request) {
    if (auto grid = regular_grid(request.target)) return *std::move(grid);
    std::error_code ignored;
    if (!std::filesystem::exists(request.target, ignored)) {
      throw Error(ErrorCode::argument,
                  fmt::format("--to {}: neither a file nor a grid (r360x180 is one of 360 columns "
                              "and 180 rows).",
                              request.target));
    }
    return only_grid(DataFile(request.target));
  }

  bool is_wanted(const std::string& name) const {
    return request_.variables.empty() ||
           std::find(request_.variables.begin(), request_.variables.end(), name) !=
               request_.variables.end();
  }

  /// Areas of cells are not values of a field.
  std::set<int> measures() const {
    std::set<int> found;
    for (const StoredVariable& variable : file_.variables()) {
      std::istringstream words(variable.attribute("cell_measures"));
      for (std::string word; words >> word;) {
        if (const int v = file_.find(word); v >= 0) found.insert(v);
      }
    }
    return found;
  }

  void find_sources() {
    for (const std::string& name : request_.variables) {
      if (file_.find(name) < 0) {
        throw Error(ErrorCode::argument,
                    fmt::format("file '{}' has no variable '{}'.", request_.input, name));
      }
    }
    const std::set<int> areas = measures();
    for (std::size_t v = 0; v < file_.variables().size(); ++v) {
      const int variable = static_cast<int>(v);
      if (areas.contains(variable)) continue;
      auto grid = grid_of(file_, variable);
      if (!grid) continue;
      auto known = std::find_if(sources_.begin(), sources_.end(),
                                [&](const Source& s) { return is_same(s.grid, *grid); });
      if (known == sources_.end()) {
        sources_.push_back({*std::move(grid), {}, {}, nullptr});
        known = sources_.end() - 1;
      }
      known->variables.push_back(variable);
    }
    drop_unwanted();
  }

  /// Coordinates are on their own grid, too.
  void drop_unwanted() {
    std::set<int> described;
    for (const Source& source : sources_) {
      described.insert(source.grid.variables.begin(), source.grid.variables.end());
    }
    for (Source& source : sources_) {
      std::erase_if(source.variables, [&](int v) {
        return described.contains(v) ||
               !is_wanted(file_.variables().at(static_cast<std::size_t>(v)).name);
      });
    }
    std::erase_if(sources_, [](const Source& source) { return source.variables.empty(); });
    if (sources_.empty()) {
      throw Error(ErrorCode::io,
                  fmt::format("file '{}' has no{} variable on a grid of longitudes and latitudes "
                              "(coordinates are found by dimensions, or by the attribute "
                              "coordinates, and known by standard_name or units).",
                              request_.input, request_.variables.empty() ? "" : " such"));
    }
    if (sources_.size() > 1 && !request_.weights.empty()) {
      throw Error(ErrorCode::argument,
                  fmt::format("--weights is for one grid, '{}' has {}. Choose the variables of one "
                              "by --variables.",
                              request_.input, sources_.size()));
    }
  }

  void require_bounds(const FileGrid& grid, const std::string& what) const {
    if (!grid.cells.lon.empty() || request_.method == RemapMethod::nearest) return;
    throw Error(ErrorCode::io,
                fmt::format("{}: its cells have no corners (no bounds of '{}' and '{}'). Give them "
                            "bounds, or use --method nearest.",
                            what, grid.lon_name, grid.lat_name));
  }

  void weigh(Source& source) {
    const std::string which = fmt::format("file '{}'", request_.input);
    require_bounds(source.grid, which);
    if (request_.method == RemapMethod::conservative) {
      require_bounds(target_, fmt::format("grid '{}'", request_.target));
      remark_made(which, source.grid);
      if (&source == &sources_.front()) {
        remark_made(fmt::format("grid '{}'", request_.target), target_);
      }
    }
    remark_cells(which, source.grid);
    std::error_code ignored;
    const bool is_there =
        !request_.weights.empty() && std::filesystem::exists(request_.weights, ignored);
    source.weights = is_there ? read(source) : made(source);
    if (!is_there && !request_.weights.empty()) write(source);
    remark_rows(source.weights);
    source.remap = std::make_unique<GridRemap>(source.grid, target_, source.weights,
                                               request_.threads, request_.least_cover);
  }

  Weights made(const Source& source) const {
    RemapOptions options;
    options.method = request_.method;
    options.order = request_.order;
    options.renormalize = true;
    options.for_missing = true;
    options.threads = request_.threads;
    return make_weights(source.grid.cells, target_.cells, options);
  }

  Weights read(const Source& source) const {
    std::vector<std::int64_t> all(target_.cells.size());
    std::iota(all.begin(), all.end(), 0);
    if (WeightsReader({request_.weights, WeightsBase::one, 0, 0}).leaves_gradients_out()) {
      remark(
          fmt::format("file '{}' has weights of second order as SCRIP has them, with gradients "
                      "that nobody works out here: those of first order are taken",
                      request_.weights));
    }
    Weights weights =
        read_weights({request_.weights, WeightsBase::one, source.grid.size(), target_.size()}, all);
    if (weights.first_order.empty() &&
        std::any_of(weights.weight.begin(), weights.weight.end(), [](double w) { return w < 0; })) {
      remark(
          fmt::format("file '{}' has weights of second order without those of first order "
                      "(weight_first): target cells with missing values take the mean of what "
                      "is left of sources with positive weights",
                      request_.weights));
    }
    return weights;
  }

  void write(const Source& source) const {
    WeightsFileSpec spec;
    spec.path = request_.weights;
    spec.layout = WeightsLayout::scrip;
    spec.source_cells = source.grid.size();
    spec.target_cells = target_.size();
    spec.count = static_cast<std::int64_t>(source.weights.weight.size());
    const auto shape = [](const FileGrid& grid) {
      return std::vector<std::int64_t>(grid.shape.rbegin(), grid.shape.rend());
    };
    spec.source = WeightsGrid{&source.grid.cells, shape(source.grid), {}};
    spec.target = WeightsGrid{&target_.cells, shape(target_), source.weights.covered};
    if (request_.method == RemapMethod::bilinear) spec.method = "Bilinear remapping";
    if (request_.method == RemapMethod::nearest)
      spec.method = "Distance weighted avg of nearest neighbors";
    // Means over what there is of each target cell.
    spec.normalization = request_.method == RemapMethod::conservative ? "fracarea" : "none";
    spec.has_first_order = !source.weights.first_order.empty();
    WeightsWriter writer(spec);
    writer.append(source.weights);
    writer.publish();
  }

  void remark_rows(const Weights& weights) const {
    std::size_t empty = 0;
    std::size_t first = 0;
    for (std::size_t r = weights.rows(); r-- > 0;) {
      if (weights.offsets[r] != weights.offsets[r + 1]) continue;
      ++empty;
      first = r;
    }
    if (empty > 0) {
      remark(fmt::format(
          "grid '{}': {} of {} target cells have no source (the first is cell {}): they "
          "are missing",
          request_.target, empty, weights.rows(), first));
    }
    if (!weights.overfull.empty()) {
      remark(fmt::format(
          "file '{}': its cells lie over each other (over {} target cells, the first is "
          "cell {}): means of all are taken",
          request_.input, weights.overfull.size(), weights.overfull.front()));
    }
  }

  void define(RemappedOutput& output) {
    std::string call = fmt::format("epios remap {} --to {}", request_.input, request_.target);
    switch (request_.method) {
      case RemapMethod::bilinear:
        call += " --method bilinear";
        break;
      case RemapMethod::nearest:
        call += " --method nearest";
        break;
      case RemapMethod::conservative:
        call += fmt::format(" --order {}", request_.order);
    }
    for (const Source& source : sources_) {
      for (const int v : source.variables) {
        output.add_field(v, source.grid.dimensions.size(),
                         request_.method == RemapMethod::conservative);
      }
    }
    for (const std::string& name : output.add_others(sources_of_all())) {
      if (is_wanted(name))
        remark(fmt::format("'{}' is left out (it is on a horizontal grid, but no field)", name));
    }
    output.end_definitions(call);
  }

  std::vector<const FileGrid*> sources_of_all() const {
    std::vector<const FileGrid*> grids;
    for (const Source& source : sources_) grids.push_back(&source.grid);
    return grids;
  }

  /// Slab by slab: one record, one level.
  void convert(const Source& source, int variable, RemappedOutput& output) const {
    const StoredVariable& stored = file_.variables().at(static_cast<std::size_t>(variable));
    const Extents shape = file_.shape(variable);
    const std::size_t outer = shape.size() - source.grid.shape.size();
    const std::int64_t slabs =
        std::accumulate(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(outer),
                        std::int64_t{1}, std::multiplies<>());
    FieldCheck check;
    std::vector<double> results;
    for (std::int64_t slab = 0; slab < slabs; ++slab) {
      Box box{Extents(shape.size(), 0), shape};
      std::int64_t rest = slab;
      for (std::size_t d = outer; d-- > 0;) {
        box.begin[d] = rest % shape[d];
        box.size[d] = 1;
        rest /= shape[d];
      }
      std::vector<double> values = file_.values(variable, box);
      for (double& value : values) {
        if (stored.is_missing(value)) value = std::nan("");
      }
      source.remap->apply(values, results);
      if (request_.check) source.remap->check(values, results, check);
      output.write(variable, box, source.grid.shape.size(), results);
    }
    if (request_.check) fmt::print("{}\n", text_of(stored.name, check));
  }

  const RemapRequest& request_;
  DataFile file_;
  FileGrid target_;
  std::vector<Source> sources_;
};

}  // namespace

int run_remap(const RemapRequest& request) {
  refuse_to_overwrite(request.output, std::array{request.input, request.target, request.weights});
  return RemapRun(request).run();
}

}  // namespace epios::io
