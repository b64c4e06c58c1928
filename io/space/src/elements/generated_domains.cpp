// Makes the coordinates of <generate_rectilinear_domain>, of HEALPix and of stations, and deals out
// domains without a decomposition. It finds the line of longitudes and of latitudes from what is
// given, and blocks that are as square as possible.
#include "elements/generated_domains.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ep/ep.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/model.hpp"
#include "config/spatial.hpp"
#include "config/stations.hpp"
#include "elements/healpix_domains.hpp"
#include "elements/local_cells.hpp"
#include "elements/station_domains.hpp"
#include "grid/part.hpp"

namespace epios::io {

namespace {

using config::ElementKind;
using config::Transformation;

const Transformation* generator_of(const config::Domain& domain) {
  const auto& list = domain.transformations;
  const auto is_step = [](const Transformation& t) { return config::is_step(t.kind); };
  const auto step = std::find_if(list.begin(), list.end(), is_step);
  // Others have the shape of what they are made of.
  if (step != list.end() && step->kind != ElementKind::interpolate_domain) return nullptr;
  const auto found = std::find_if(list.begin(), list.end(), [](const Transformation& t) {
    return t.kind == ElementKind::generate_rectilinear_domain;
  });
  return found == list.end() ? nullptr : &*found;
}

/// Cells of one direction.
struct Line {
  double begin = 0;  ///< edge of the first one
  double size = 0;
};

/// Centre and edge of an end, where they are given.
struct End {
  std::optional<double> centre;
  std::optional<double> edge;

  bool is_given() const { return centre || edge; }
};

/// From this end, n cells that reach as far as `length`, which is below 0 backwards.
Line line_from(const End& end, double length, double n, bool is_first) {
  const double size = length / n;
  if (is_first) return {end.centre ? *end.centre - size / 2 : *end.edge, size};
  return {(end.centre ? *end.centre + size / 2 : *end.edge) - length, size};
}

/// Both ends are given, of each the centre first.
Line line_between(const End& first, const End& last, double n, double whole) {
  if (first.centre && last.centre) {
    const bool has_edges = first.edge && last.edge;
    const double alone = has_edges ? *last.edge - *first.edge : whole;
    const double size = n > 1 ? (*last.centre - *first.centre) / (n - 1) : alone;
    return {*first.centre - size / 2, size};
  }
  if (first.centre) {
    const double size = (*last.edge - *first.centre) / (n - 0.5);
    return {*first.centre - size / 2, size};
  }
  if (last.centre) return {*first.edge, (*last.centre - *first.edge) / (n - 0.5)};
  return {*first.edge, (*last.edge - *first.edge) / n};
}

/// Latitudes end at the pole that is further away where the given end is at one (half a row of
/// the whole sphere, or less); else at the pole that its name says.
Line rows_from(const End& given, double n, bool is_first) {
  const double at = given.centre ? *given.centre : *given.edge;
  const double half = 90 / n;
  const double slack = 1e-6 * half;
  const bool is_north = at > 90 - half - slack;
  const bool is_south = at < -90 + half + slack;
  double pole = is_first ? 90 : -90;
  if (is_north != is_south) pole = is_north ? -90 : 90;
  // Rows on both poles: as many between them as steps.
  if (given.centre && n > 1 && std::fabs(at) == 90 && pole == -at) {
    const End other{pole, std::nullopt};
    return is_first ? line_between(given, other, n, 180) : line_between(other, given, n, 180);
  }
  const End other{std::nullopt, pole};
  return is_first ? line_between(given, other, n, 180) : line_between(other, given, n, 180);
}

/// From centres or edges, whatever is given of either end.
Line line_of(const Transformation& how, bool is_latitude, std::int64_t count) {
  const std::string direction = is_latitude ? "lat" : "lon";
  const auto end = [&](const char* word) {
    return End{config::real_of(how, direction + word),
               config::real_of(how, "bounds_" + direction + word)};
  };
  const End first = end("_start");
  const End last = end("_end");
  const auto n = static_cast<double>(count);
  const double whole = is_latitude ? 180 : 360;
  if (first.is_given() && last.is_given()) return line_between(first, last, n, whole);
  if (!first.is_given() && !last.is_given()) return {is_latitude ? -90.0 : 0.0, whole / n};
  const End& given = first.is_given() ? first : last;
  return is_latitude ? rows_from(given, n, first.is_given())
                     : line_from(given, whole, n, first.is_given());
}

/// Returns how many of `clients` share a row of blocks. Blocks are as square as possible, with rows
/// rather than columns.
std::int64_t columns_of_clients(std::int64_t clients, std::int64_t ni, std::int64_t nj) {
  if (nj >= clients) return 1;
  std::int64_t best = 1;
  for (std::int64_t columns = 1; columns <= clients; ++columns) {
    if (clients % columns == 0 && columns <= ni) best = columns;
    if (clients / columns <= nj && clients % columns == 0) break;
  }
  return best;
}

/// A client among those that a domain is dealt out to.
struct Place {
  std::int64_t rank = 0;
  std::int64_t count = 1;
};

/// Returns the element at the beginning of the chain that an element is made by.
config::GridElement origin_of(const config::Model& model, config::GridElement element) {
  for (std::size_t e = model.expressions.size(); e-- > 0;) {  // each is made of earlier ones
    const auto step = config::spatial_step(model, nth(model.expressions, e));
    if (step && step->target == element) element = step->source;
  }
  return element;
}

/// Returns true if a domain is made of the cells of another one, on the clients that have those.
bool is_coarsened(const config::Domain& domain) {
  const auto& list = domain.transformations;
  const auto last = std::find_if(list.rbegin(), list.rend(),
                                 [](const Transformation& t) { return config::is_step(t.kind); });
  return last != list.rend() && last->kind == ElementKind::coarsen_domain;
}

/// Where levels are dealt out, too, each client has to find its own on all cells. Collective.
Place place_among_fellows(const config::Model& model, const config::GridElement& domain,
                          const ep::Comm& clients) {
  const std::vector<std::uint64_t> all = hashes_of_levels(model, domain, clients);
  const auto own = all.begin() + clients.rank();
  return {std::count(all.begin(), own, *own), std::count(all.begin(), all.end(), *own)};
}

void deal(config::DomainAttributes& a, const Place& place) {
  const auto [rank, count] = place;
  const std::int64_t ni = a.ni_glo.value_or(0);
  const std::int64_t nj = a.nj_glo.value_or(0);
  const std::int64_t columns = columns_of_clients(count, ni, nj);
  const std::int64_t rows = count / columns;
  const auto cut = [](std::int64_t n, std::int64_t pieces, std::int64_t piece) {
    return n * piece / pieces;
  };
  a.ibegin = cut(ni, columns, rank % columns);
  a.ni = cut(ni, columns, rank % columns + 1) - *a.ibegin;
  a.jbegin = cut(nj, rows, rank / columns);
  a.nj = cut(nj, rows, rank / columns + 1) - *a.jbegin;
  if (*a.ni == 0 || *a.nj == 0) a.ni = a.nj = a.ibegin = a.jbegin = 0;
}

void generate(const Transformation& how, config::DomainAttributes& a, const Place& place) {
  if (!a.ni) deal(a, place);
  const Line lon = line_of(how, false, a.ni_glo.value_or(1));
  const Line lat = line_of(how, true, a.nj_glo.value_or(1));
  const LocalCells cells = local_cells(a);
  config::value::reals values[2];
  config::value::reals bounds[2];
  const auto add = [&](int which, const Line& line, std::int64_t point) {
    const auto k = static_cast<double>(point);
    values[which].values.push_back(line.begin + (k + 0.5) * line.size);
    for (const double edge : {line.begin + k * line.size, line.begin + (k + 1) * line.size}) {
      // A row whose centre is a pole has half of it.
      bounds[which].values.push_back(which == 1 ? std::clamp(edge, -90.0, 90.0) : edge);
    }
  };
  if (cells.is_listed) {  // one value per cell
    for (std::size_t c = 0; c < cells.i.size(); ++c) {
      add(0, lon, cells.i[c]);
      add(1, lat, cells.j[c]);
    }
  } else {
    for (std::int64_t i = 0; i < cells.ni; ++i) add(0, lon, a.ibegin.value_or(0) + i);
    for (std::int64_t j = 0; j < cells.nj; ++j) add(1, lat, a.jbegin.value_or(0) + j);
  }
  for (int which = 0; which < 2; ++which) {
    const auto n = static_cast<std::int64_t>(values[which].values.size());
    values[which].shape = {n};
    bounds[which].shape = {2, n};
  }
  a.type = "rectilinear";
  a.nvertex = 2;
  a.lonvalue_2d = a.latvalue_2d = a.bounds_lon_2d = a.bounds_lat_2d = std::nullopt;
  a.lonvalue_1d = std::move(values[0]);
  a.latvalue_1d = std::move(values[1]);
  a.bounds_lon_1d = std::move(bounds[0]);
  a.bounds_lat_1d = std::move(bounds[1]);
}

}  // namespace

std::vector<std::uint64_t> hashes_of_levels(const config::Model& model,
                                            const config::GridElement& domain,
                                            const ep::Comm& clients) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  const auto add = [&hash](std::int64_t value) {
    hash = (hash ^ static_cast<std::uint64_t>(value)) * 0x100000001B3U;
    hash ^= hash >> 29U;
  };
  for (const config::FieldExpression& expression : model.expressions) {
    const auto step = config::spatial_step(model, expression);
    if (!step || step->target != domain) continue;
    const auto& elements = model.grids[step->from].elements;
    for (std::size_t e = 0; e < elements.size(); ++e) {
      if (e == step->position) continue;
      const Part part = data_part(model, origin_of(model, elements[e]));
      for (const PartRun& run : part.runs()) {
        add(run.global);
        add(run.count);
      }
      add(-1);
    }
  }
  std::vector<std::uint64_t> all(static_cast<std::size_t>(clients.size()));
  ep::check(EP_Allgather(&hash, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, clients.get()));
  return all;
}

void generate_domains(config::Model& model, const ep::Comm& clients) {
  const Place all{clients.rank(), clients.size()};
  // First those that the others may be made of.
  for (const bool is_result : {false, true}) {
    for (std::size_t d = 0; d < model.domains.size(); ++d) {
      const config::GridElement domain{config::GridElement::Kind::domain, static_cast<int>(d)};
      const Transformation* const how = generator_of(nth(model.domains, d));
      config::DomainAttributes& attributes = nth(model.domains, d).attributes;
      const bool is_made = origin_of(model, domain) != domain;
      const bool has_points = config::stations_of(nth(model.domains, d)) != nullptr;
      const bool is_generated = how != nullptr || has_points || is_healpix(attributes);
      if (!is_generated || is_made != is_result) continue;
      if (is_made && is_coarsened(nth(model.domains, d))) continue;
      const Place place = is_made ? place_among_fellows(model, domain, clients) : all;
      if (how != nullptr) {
        generate(*how, attributes, place);
        continue;
      }
      if (!attributes.ni) deal(attributes, place);
      if (has_points) {
        set_station_points(nth(model.domains, d));
      } else {
        set_centres_of_pixels(attributes);
      }
    }
  }
}

}  // namespace epios::io
