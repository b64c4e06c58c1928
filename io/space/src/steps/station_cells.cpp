// Rows of <stations>: which cells a station gets its value from. Candidates are found by the
// weights of interpolations to points; then follows who is missing, and why.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <ep/ep.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/model.hpp"
#include "config/stations.hpp"
#include "elements/domain_cells.hpp"
#include "elements/transformation_error.hpp"
#include "exchange/whole_lines.hpp"
#include "grid/index.hpp"
#include "grid/missing.hpp"
#include "space/directory.hpp"
#include "space/weights.hpp"
#include "steps/stencils.hpp"

namespace epios::io {

namespace {

/// Why a station has no value; 0 if it has.
enum class Lack { none, no_cell, outside, far, masked };

const char* reason(Lack lack) {
  switch (lack) {
    case Lack::no_cell:
      return "there are no cells";
    case Lack::outside:
      return "it lies in no cell";
    case Lack::far:
      return "its cell is too far away";
    case Lack::masked:
      return "its cell is masked";
    case Lack::none:
      break;
  }
  return "";
}

/// A cell, and its distance from the station.
struct Chosen {
  std::int64_t cell = -1;
  double km = 0;
};

class StationStep {
 public:
  StationStep(StepContext& context, const config::SpatialStep& step)
      : context_(context),
        step_(step),
        how_(*step.transformation),
        from_(context.model.domains[step.source.domain()]),
        to_(context.model.domains[step.target.domain()]),
        method_(config::text_of(how_, "method").value_or("nearest")),
        sources_(points_of(context.parts.data(step.source))),
        targets_(points_of(context.parts.data(step.target))) {}

  Stencils stencils() {
    find_cells();
    Weights rows = method_ == "bilinear" ? between_centres() : nearest();
    share_lacking();
    Stencils out;
    out.targets = std::move(targets_);
    out.begin = std::move(rows.offsets);
    out.sources = std::move(rows.source);
    out.weights = std::move(rows.weight);
    return out;
  }

 private:
  Error failure(const std::string& why) const {
    return transformation_error(how_, fmt::format("domain '{}'", to_.id), why);
  }

  void find_cells() {
    const ep::Comm& clients = context_.clients;
    std::string why;
    std::optional<Cells> found = cells_of(from_, sources_, Needed::corners, clients, why);
    has_corners_ = found.has_value();
    if (!found) {
      if (method_ == "bilinear") throw failure(why);
      found = cells_of(from_, sources_, Needed::centres, clients, why);
    }
    if (!found) throw failure(why);
    counting_ = std::move(*found);
    all_ = counting_;
    all_.mask.clear();
    found = cells_of(to_, targets_, Needed::centres, clients, why);
    if (!found) throw failure(why);
    stations_ = std::move(*found);
    lacks_.assign(stations_.size(), Lack::none);
    chosen_.resize(stations_.size());
  }

  /// Returns the rows of a method, one for each station of this client.
  Weights rows_of(RemapMethod method, const Cells& cells, Cells* around = nullptr) const {
    RemapOptions options;
    options.method = method;
    Cells near = cells_around(cells, stations_, options, context_.clients);
    Weights rows = make_weights(near, stations_, options);
    if (around != nullptr) *around = std::move(near);
    return rows;
  }

  static bool is_empty(const Weights& rows, std::size_t row) {
    return rows.offsets[row] == rows.offsets[row + 1];
  }

  /// Says which stations lie in no cell at all, masked ones included.
  std::vector<bool> outside() const {
    std::vector<bool> out(stations_.size(), false);
    if (!has_corners_) return out;
    const Weights inside = rows_of(RemapMethod::bilinear, all_);
    for (std::size_t s = 0; s < out.size(); ++s) out[s] = is_empty(inside, s);
    return out;
  }

  Weights between_centres() {
    Weights rows = rows_of(RemapMethod::bilinear, counting_);
    const std::vector<bool> is_outside = outside();
    for (std::size_t s = 0; s < stations_.size(); ++s) {
      if (is_empty(rows, s)) lacks_[s] = is_outside[s] ? Lack::outside : Lack::masked;
    }
    return rows;
  }

  Weights nearest() {
    Cells around;
    const bool takes_wet = method_ == "nearest_wet";
    Weights rows = rows_of(RemapMethod::nearest, takes_wet ? counting_ : all_, &around);
    choose(rows, around);
    const auto most_km = config::real_of(how_, "max_distance_km");
    const std::vector<bool> is_outside = most_km ? std::vector<bool>() : outside();
    const std::vector<bool> is_masked = takes_wet ? std::vector<bool>() : masked();
    for (std::size_t s = 0; s < stations_.size(); ++s) {
      if (chosen_[s].cell < 0) {
        lacks_[s] = Lack::no_cell;
      } else if (most_km ? chosen_[s].km > *most_km : is_outside[s]) {
        lacks_[s] = most_km ? Lack::far : Lack::outside;
      } else if (!takes_wet && is_masked[s]) {
        lacks_[s] = Lack::masked;
      }
    }
    leave_out_lacking(rows);
    return rows;
  }

  /// Notes the cell of each row, of one entry, and its distance.
  void choose(const Weights& rows, const Cells& around) {
    const CellCentres centres = centres_of(around);
    for (std::size_t s = 0; s < stations_.size(); ++s) {
      if (is_empty(rows, s)) continue;
      const std::int64_t cell = rows.source[as_index(rows.offsets[s])];
      std::size_t place = 0;
      if (around.index.empty()) {
        place = as_index(cell);
      } else {
        place = as_index(std::lower_bound(around.index.begin(), around.index.end(), cell) -
                         around.index.begin());
      }
      chosen_[s] = {cell, config::distance_km(stations_.centre_lon[s], stations_.centre_lat[s],
                                              centres.lon[place], centres.lat[place])};
    }
  }

  /// Says which of the chosen cells have no values: no client has them unmasked. Collective.
  std::vector<bool> masked() const {
    std::vector<std::int64_t> cells;
    for (const Chosen& chosen : chosen_) {
      if (chosen.cell >= 0) cells.push_back(chosen.cell);
    }
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    const auto& a = from_.attributes;
    const std::int64_t size = a.ni_glo.value_or(0) * a.nj_glo.value_or(1);
    const std::vector<int> holders = Directory(context_.clients, size, sources_.keys).lowest(cells);
    std::vector<bool> out;
    for (const Chosen& chosen : chosen_) {
      const auto at = std::lower_bound(cells.begin(), cells.end(), chosen.cell);
      out.push_back(at != cells.end() && *at == chosen.cell &&
                    holders[as_index(at - cells.begin())] < 0);
    }
    return out;
  }

  void leave_out_lacking(Weights& rows) const {
    std::size_t end = 0;
    std::int64_t first = 0;
    for (std::size_t s = 0; s < stations_.size(); ++s) {
      const std::int64_t behind = rows.offsets[s + 1];
      for (std::int64_t e = first; e < behind && lacks_[s] == Lack::none; ++e, ++end) {
        rows.source[end] = rows.source[as_index(e)];
        rows.weight[end] = rows.weight[as_index(e)];
      }
      first = behind;
      rows.offsets[s + 1] = static_cast<std::int64_t>(end);
    }
    rows.source.resize(end);
    rows.weight.resize(end);
  }

  /// Adds one remark that names the stations without value, and notes all distances. Collective.
  void share_lacking() const {
    const auto count = as_index(to_.attributes.ni_glo.value_or(0));
    std::vector<int> own(count);
    std::vector<double> own_km(count);
    for (std::size_t s = 0; s < stations_.size(); ++s) {
      own[as_index(stations_.number(s))] = static_cast<int>(lacks_[s]);
      own_km[as_index(stations_.number(s))] = chosen_[s].km;
    }
    std::vector<int> all(count);
    std::vector<double> all_km(count);
    ep::check(EP_Allreduce(own.data(), all.data(), ep::message_count(count), MPI_INT, MPI_MAX,
                           context_.clients.get()));
    ep::check(EP_Allreduce(own_km.data(), all_km.data(), ep::message_count(count), MPI_DOUBLE,
                           MPI_MAX, context_.clients.get()));
    note_distances(all, all_km);
    say_lacking(all, all_km);
    if (!has_corners_ && !config::real_of(how_, "max_distance_km")) say_farthest(all_km);
  }

  /// Of stations that several domains give values to, files have the distances from the first.
  void note_distances(const std::vector<int>& lacks, std::vector<double> km) const {
    if (!config::writes_distances(how_)) return;
    for (std::size_t s = 0; s < km.size(); ++s) {
      if (static_cast<Lack>(lacks[s]) == Lack::no_cell) km[s] = missing;
    }
    const auto [known, is_new] =
        context_.station_distances.try_emplace(step_.target.domain(), std::move(km));
    if (is_new) return;
    context_.remarks.push_back(
        fmt::format("{}: <stations> of domain '{}': several domains give values to them; "
                    "station_distance is not that of domain '{}'. Use a domain of stations for "
                    "each?",
                    how_.where, to_.id, from_.id));
  }

  std::string name_of(std::size_t station) const {
    const auto names = config::station_names(how_);
    if (!names.empty()) return fmt::format("'{}'", names[station]);
    const config::StationPoints points = config::station_points(config::station_list(how_));
    return fmt::format("the point at {:.4g} E, {:.4g} N", points.lon[station], points.lat[station]);
  }

  std::string what() const { return config::is_section(how_) ? "points" : "stations"; }

  void say_lacking(const std::vector<int>& lacks, const std::vector<double>& km) const {
    constexpr std::size_t most_named = 20;
    std::vector<std::string> named;
    std::size_t count = 0;
    bool is_masked = false;
    for (std::size_t s = 0; s < lacks.size(); ++s) {
      const auto lack = static_cast<Lack>(lacks[s]);
      if (lack == Lack::none) continue;
      is_masked = is_masked || lack == Lack::masked;
      if (++count > most_named) continue;
      const bool has_distance = lack != Lack::no_cell && km[s] > 0;
      named.push_back(fmt::format(
          "{} ({}{})", name_of(s), reason(lack),
          has_distance ? fmt::format(", nearest centre {:.4g} km", km[s]) : std::string()));
    }
    if (count == 0) return;
    std::string text = fmt::format(
        "{}: <stations> of domain '{}': {} of its {} {} {} missing in what is made of domain "
        "'{}': {}",
        how_.where, to_.id, count, lacks.size(), what(), count == 1 ? "is" : "are", from_.id,
        fmt::join(named, ", "));
    if (count > most_named) text += fmt::format(" and {} more", count - most_named);
    if (is_masked && method_ == "nearest") text += ". Use method=\"nearest_wet\"?";
    context_.remarks.push_back(std::move(text));
  }

  void say_farthest(const std::vector<double>& km) const {
    const auto farthest = std::max_element(km.begin(), km.end());
    context_.remarks.push_back(fmt::format(
        "{}: <stations> of domain '{}': domain '{}' has no corners, so that nothing says whether "
        "{} lie in it; the farthest from its cell is {} ({:.4g} km). Set max_distance_km?",
        how_.where, to_.id, from_.id, what(), name_of(as_index(farthest - km.begin())), *farthest));
  }

  StepContext& context_;
  const config::SpatialStep& step_;
  const config::Transformation& how_;
  const config::Domain& from_;
  const config::Domain& to_;
  std::string method_;
  Points sources_, targets_;
  bool has_corners_ = false;
  Cells counting_, all_, stations_;
  std::vector<Lack> lacks_;
  std::vector<Chosen> chosen_;
};

}  // namespace

Stencils rows::stations(StepContext& context, const config::SpatialStep& step) {
  // Masks of grids make no difference to which cells are chosen.
  const std::tuple key(step.source.index, step.target.index, false);
  auto known = context.between_domains.find(key);
  if (known == context.between_domains.end()) {
    known = context.between_domains.emplace(key, StationStep(context, step).stencils()).first;
  }
  return known->second;
}

}  // namespace epios::io
