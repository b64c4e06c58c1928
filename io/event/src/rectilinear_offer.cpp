// Which client offers which columns and rows of a rectilinear domain. Clients vote with numbers of
// which the least counts, so that one reduction decides it and no client offers what another one
// has offered alike. In order: votes are written, the least votes are read, offers are made of what
// is left to a client.
#include "rectilinear_offer.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "config/index.hpp"
#include "config/model.hpp"
#include "given_coordinates.hpp"
#include "grid/rectilinear_side.hpp"

namespace epios::io {

namespace {

using Element = config::GridElement;

/// The sides of a client's part.
struct Sides {
  RectilinearSide i, j;
  Part columns, rows;  ///< by global index
};

/// The global indices of this client's columns or rows; places are those of along_side(). `begin`:
/// of a block, or of all cells when only the other side is listed.
Part indices(const RectilinearSide& side, const std::optional<config::value::integers>& index,
             std::int64_t begin) {
  if (!side.is_listed) return {{{begin, 0, side.n}}, side.n};
  if (!index) return {{{begin, 0, 1}}, side.cells};
  std::vector<PartRun> runs;
  runs.reserve(index->values.size());
  for (std::int64_t cell = 0; cell < side.cells; ++cell) {
    runs.push_back({nth(index->values, cell), cell, 1});
  }
  return {std::move(runs), side.cells};
}

std::optional<Sides> sides_of(const config::Domain& domain) {
  const auto& a = domain.attributes;
  const std::int64_t count =
      a.i_index ? static_cast<std::int64_t>(a.i_index->values.size()) : std::int64_t{0};
  const std::int64_t ni = a.ni.value_or(a.i_index ? count : a.ni_glo.value_or(0));
  const std::int64_t nj = a.nj.value_or(a.i_index ? 1 : a.nj_glo.value_or(0));
  if (ni * nj == 0) return std::nullopt;
  const bool is_listed = a.i_index.has_value();
  const RectilinearSide i = columns_of(ni, nj, is_listed);
  const RectilinearSide j = rows_of(ni, nj, is_listed);
  return Sides{i, j, indices(i, a.i_index, a.ibegin.value_or(0)),
               indices(j, a.j_index, a.jbegin.value_or(0))};
}

Part restricted(const Part& part, const std::vector<PlaceRun>& allowed) {
  return {requested_runs(part, allowed), part.places()};
}

void add_sides(CoordinateOffer& out, const config::Domain& domain, const Sides& sides,
               const Part& columns, const Part& rows) {
  const auto& a = domain.attributes;
  const std::int64_t vertices = a.nvertex.value_or(2);
  const auto& [i, j, all_columns, all_rows] = sides;
  out.cells = positions(columns);
  out.rows = positions(rows);
  const std::vector<double> lon = along_side(either(a.lonvalue_1d, a.lonvalue_2d), i, 1);
  out.lon = pick(lon, columns, 1);
  out.lat = pick(along_side(either(a.latvalue_1d, a.latvalue_2d), j, 1), rows, 1);
  out.bounds_lon =
      pick(side_bounds(either(a.bounds_lon_1d, a.bounds_lon_2d), i, vertices, lon), columns, 2);
  out.bounds_lat =
      pick(side_bounds(either(a.bounds_lat_1d, a.bounds_lat_2d), j, vertices), rows, 2);
}

/// Of a column or a row the client that tells it, and what it says of it: the least numbers of all
/// clients are those of one thing if all say the same.
struct Vote {
  static constexpr std::uint64_t nobody = ~std::uint64_t{0};
  std::uint64_t client = nobody, said = nobody, unsaid = nobody;
  bool is_agreed() const { return said == ~unsaid; }
};
constexpr std::size_t numbers_per_vote = 3;

/// FNV-1a over values as single precision shows them: what differs less is no contradiction.
class Sayings {
 public:
  void add(const std::vector<double>& values, std::size_t first, std::size_t count) {
    add_byte(values.empty() ? 0 : 1);
    for (std::size_t k = 0; k < count && !values.empty(); ++k) {
      const auto value = static_cast<float>(values[first + k]);
      // A zero has no sign here, and what is missing one pattern.
      const auto bits = std::bit_cast<std::uint32_t>(
          std::isnan(value) ? std::numeric_limits<float>::quiet_NaN() : value + 0.0F);
      for (unsigned shift = 0; shift < 32; shift += 8) add_byte(bits >> shift & 0xffU);
    }
  }
  std::uint64_t value() const { return value_; }

 private:
  void add_byte(std::uint32_t byte) { value_ = (value_ ^ byte) * 0x100000001b3U; }
  std::uint64_t value_ = 0xcbf29ce484222325U;
};

void vote(std::vector<std::uint64_t>& numbers, std::int64_t size, int client,
          const std::vector<PlaceRun>& told, const std::vector<double>& values,
          const std::vector<double>& bounds) {
  const std::size_t begin = numbers.size();
  numbers.resize(begin + numbers_per_vote * static_cast<std::size_t>(size), Vote::nobody);
  if (values.empty() && bounds.empty()) return;
  std::size_t at = 0;
  for (const PlaceRun& run : told) {
    for (std::int64_t k = 0; k < run.count; ++k, ++at) {
      Sayings sayings;
      sayings.add(values, at, 1);
      sayings.add(bounds, 2 * at, 2);
      const auto place = static_cast<std::size_t>(run.place + k);
      std::uint64_t* const to = numbers.data() + begin + numbers_per_vote * place;
      to[0] = static_cast<std::uint64_t>(client);
      to[1] = sayings.value();
      to[2] = ~sayings.value();
    }
  }
}

/// Domains whose sides are voted on: the same on all clients.
std::vector<std::size_t> voted_domains(const config::Model& model, const CoordinateForms& forms,
                                       const Holders& holders) {
  std::vector<std::size_t> out;
  std::int64_t length = 0;
  for (std::size_t d = 0; d < model.domains.size(); ++d) {
    const auto& a = nth(model.domains, d).attributes;
    const CoordinateForm& form = forms.domains[d];
    const bool has_sides =
        form.has_lon || form.has_lat || form.has_bounds_lon || form.has_bounds_lat;
    const bool is_whole = holders.domains[d] != Holders::none;
    const Element element{Element::Kind::domain, static_cast<int>(d)};
    if (!has_sides || is_whole || !is_rectilinear(model, element)) continue;
    const std::int64_t sides = a.ni_glo.value_or(0) + a.nj_glo.value_or(0);
    if (length + sides > longest_sides) continue;
    length += sides;
    out.push_back(d);
  }
  return out;
}

/// What is left of the next `size` votes; they are taken from the fronts.
std::vector<PlaceRun> share_of(std::int64_t size, std::span<const std::uint64_t>& own,
                               std::span<const std::uint64_t>& least) {
  std::vector<PlaceRun> out;
  for (std::int64_t place = 0; place < size; ++place) {
    const Vote mine{own[0], own[1], own[2]};
    const Vote all{least[0], least[1], least[2]};
    own = own.subspan(numbers_per_vote);
    least = least.subspan(numbers_per_vote);
    if (mine.client == Vote::nobody) continue;
    if (all.is_agreed() && all.client != mine.client) continue;
    if (!out.empty() && out.back().place + out.back().count == place) {
      ++out.back().count;
    } else {
      out.push_back({place, 1});
    }
  }
  return out;
}

}  // namespace

CoordinateOffer rectilinear_offer(const config::Domain& domain, const Part& owned,
                                  const Box& window, const SideShare* share) {
  CoordinateOffer out;
  const std::optional<Sides> sides = sides_of(domain);
  if (!sides) return out;
  const auto& a = domain.attributes;
  const auto told = [&](const Part& part, const std::vector<PlaceRun>* allowed, std::size_t d,
                        std::int64_t global) {
    const Box side{{window.begin[d]}, {window.size[d]}};
    return clip(allowed == nullptr ? part : restricted(part, *allowed), {global}, side);
  };
  const Part columns =
      told(sides->columns, share == nullptr ? nullptr : &share->columns, 1, a.ni_glo.value_or(0));
  const Part rows =
      told(sides->rows, share == nullptr ? nullptr : &share->rows, 0, a.nj_glo.value_or(0));
  add_sides(out, domain, *sides, columns, rows);
  out.area = pick(area_of(a), owned, 1);
  if (!out.area.empty()) out.area_cells = positions(owned);
  return out;
}

std::vector<std::uint64_t> side_votes(const config::Model& model, const CoordinateForms& forms,
                                      const Holders& holders, int client) {
  std::vector<std::uint64_t> out;
  for (const std::size_t d : voted_domains(model, forms, holders)) {
    const auto& a = nth(model.domains, d).attributes;
    CoordinateOffer offer;
    const std::optional<Sides> sides = sides_of(nth(model.domains, d));
    if (sides) add_sides(offer, nth(model.domains, d), *sides, sides->columns, sides->rows);
    vote(out, a.ni_glo.value_or(0), client, offer.cells, offer.lon, offer.bounds_lon);
    vote(out, a.nj_glo.value_or(0), client, offer.rows, offer.lat, offer.bounds_lat);
  }
  return out;
}

void set_sides(Holders& holders, const config::Model& model, const CoordinateForms& forms,
               std::span<const std::uint64_t> own, std::span<const std::uint64_t> least) {
  holders.sides.assign(model.domains.size(), std::nullopt);
  for (const std::size_t d : voted_domains(model, forms, holders)) {
    const auto& a = nth(model.domains, d).attributes;
    SideShare& share = holders.sides[d].emplace();
    share.columns = share_of(a.ni_glo.value_or(0), own, least);
    share.rows = share_of(a.nj_glo.value_or(0), own, least);
  }
}

}  // namespace epios::io
