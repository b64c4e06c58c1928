// What a client sends to each server when its definitions close. Elements that all clients have in
// whole, and sides of rectilinear domains, are offered by one client alone, since a server would
// else receive the same from everybody. In order: holders, forms, offers of coordinates, opening
// parts, checks of a part that has come, patterns to send.
#include "event/opening.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "config/index.hpp"
#include "config/model.hpp"
#include "given_coordinates.hpp"
#include "rectilinear_offer.hpp"

namespace epios::io {

namespace {

using Element = config::GridElement;

std::vector<std::string> pick(const std::optional<config::value::strings>& labels,
                              const Part& clipped) {
  std::vector<std::string> out;
  if (!labels) return out;
  for (const PartRun& run : clipped.runs()) {
    const auto first = labels->values.begin() + run.place;
    out.insert(out.end(), first, first + run.count);
  }
  return out;
}

CoordinateOffer domain_offer(const config::Model& model, const Element& element,
                             const Part& clipped) {
  const auto& a = model.domains[element.domain()].attributes;
  const std::int64_t vertices = vertices_of(model, element);
  CoordinateOffer out;
  out.cells = positions(clipped);
  out.lon = pick(either(a.lonvalue_1d, a.lonvalue_2d), clipped, 1);
  out.lat = pick(either(a.latvalue_1d, a.latvalue_2d), clipped, 1);
  out.bounds_lon = pick(either(a.bounds_lon_1d, a.bounds_lon_2d), clipped, vertices);
  out.bounds_lat = pick(either(a.bounds_lat_1d, a.bounds_lat_2d), clipped, vertices);
  out.area = pick(area_of(a), clipped, 1);
  return out;
}

/// `shares`: as of Holders; empty: nothing is shared out.
CoordinateOffer coordinate_offer(const config::Model& model, const LocalParts& parts,
                                 const ElementPiece& piece,
                                 std::span<const std::optional<SideShare>> shares = {}) {
  const Element& element = piece.element;
  const Part clipped = clip(parts.owned(element), element_shape(model, element), piece.window);
  if (is_rectilinear(model, element)) {
    const auto index = static_cast<std::size_t>(element.index);
    const bool is_shared = index < shares.size() && shares[index];
    return rectilinear_offer(model.domains[element.domain()], clipped, piece.window,
                             is_shared ? &*shares[index] : nullptr);
  }
  if (element.kind == Element::Kind::domain) return domain_offer(model, element, clipped);
  CoordinateOffer out;
  out.cells = positions(clipped);
  if (element.kind == Element::Kind::axis) {
    const auto& a = model.axes[element.axis()].attributes;
    out.values = pick(values_of(a.value), clipped, 1);
    out.bounds = pick(values_of(a.bounds), clipped, 2);
    out.labels = pick(a.label, clipped);
  } else if (clipped.points() > 0) {
    const auto& a = model.scalars[element.scalar()].attributes;
    if (a.value) out.values = {*a.value};
    out.bounds = pick(values_of(a.bounds), clipped, 2);
    if (a.label) out.labels = {*a.label};
  }
  return out;
}

const std::vector<std::uint8_t>* mask_of(const config::Grid& grid) {
  return grid.mask ? &grid.mask->values : nullptr;
}

/// Bits of the points of a piece that the grid's mask lets through; empty without a mask. The mask
/// is over local cells of all elements, the points are places of the model's array: both are found
/// by the global index.
std::vector<std::uint64_t> mask_bits(const config::Model& model, const LocalParts& parts,
                                     const Pieces& pieces, const GridPiece& piece) {
  const config::Grid& grid = model.grids[config::GridId(piece.grid)];
  const auto* mask = mask_of(grid);
  if (mask == nullptr) return {};
  // The pattern of local cells that belong to the points offered: same order as the data's.
  std::vector<PatternFactor> factors;
  for (std::size_t e = 0; e < grid.elements.size(); ++e) {
    const Element& element = grid.elements[e];
    const Box& window = nth(pieces.windows, piece.windows[e]).window;
    const Extents shape = element_shape(model, element);
    const Part cells = clip(parts.owned(element), shape, window);
    const Part data = clip(parts.data(element), shape, window);
    PatternFactor factor{cells.places(), {}};
    auto cell = cells.runs().begin();
    for (const PartRun& run : data.runs()) {
      for (std::int64_t done = 0; done < run.count;) {
        while (cell->global + cell->count <= run.global + done) ++cell;
        const std::int64_t skip = run.global + done - cell->global;
        const std::int64_t count = std::min(run.count - done, cell->count - skip);
        factor.runs.push_back({cell->place + skip, count});
        done += count;
      }
    }
    factors.push_back(std::move(factor));
  }
  const Pattern pattern(factors);
  std::vector<std::uint64_t> bits(static_cast<std::size_t>((pattern.count() + 63) / 64));
  pattern.for_each([&](std::int64_t number, std::int64_t place) {
    if (nth(*mask, place) == 0) return;
    nth(bits, number / 64) |= std::uint64_t{1} << static_cast<unsigned>(number % 64);
  });
  return bits;
}

std::int32_t holder_of(const Holders& holders, const Element& element) {
  switch (element.kind) {
    case Element::Kind::axis:
      return nth(holders.axes, element.index);
    case Element::Kind::domain:
      return nth(holders.domains, element.index);
    case Element::Kind::scalar:
      break;
  }
  return nth(holders.scalars, element.index);
}

CoordinateForm form_of(const config::Scalar& scalar) {
  const auto& a = scalar.attributes;
  CoordinateForm form;
  form.has_values = a.value.has_value();
  form.has_bounds = a.bounds.has_value();
  form.label_bytes = a.label ? static_cast<std::int32_t>(a.label->size()) : 0;
  return form;
}

CoordinateForm form_of(const config::Axis& axis) {
  const auto& a = axis.attributes;
  CoordinateForm form;
  form.has_values = a.value.has_value();
  form.has_bounds = a.bounds.has_value();
  if (a.label) {
    for (const std::string& label : a.label->values) {
      form.label_bytes = std::max(form.label_bytes, static_cast<std::int32_t>(label.size()));
    }
  }
  return form;
}

CoordinateForm form_of(const config::Domain& domain) {
  const auto& a = domain.attributes;
  const auto has = [](const auto& one, const auto& other) {
    return one.has_value() || other.has_value();
  };
  CoordinateForm form;
  form.has_lon = has(a.lonvalue_1d, a.lonvalue_2d);
  form.has_lat = has(a.latvalue_1d, a.latvalue_2d);
  form.has_bounds_lon = has(a.bounds_lon_1d, a.bounds_lon_2d);
  form.has_bounds_lat = has(a.bounds_lat_1d, a.bounds_lat_2d);
  form.has_area = has(a.area_1d, a.area_2d) || a.area.has_value();
  return form;
}

bool has_all_kinds(CoordinateForm own, CoordinateForm all) {
  // Of texts only the longest is known.
  own.label_bytes = own.label_bytes > 0 ? 1 : 0;
  all.label_bytes = all.label_bytes > 0 ? 1 : 0;
  return own == all;
}

/// FNV-1a over bytes.
class Digest {
 public:
  void add(std::span<const std::byte> bytes) {
    for (const std::byte byte : bytes) value_ = (value_ ^ static_cast<std::uint64_t>(byte)) * prime;
  }
  std::uint64_t value() const { return value_ == no_digest ? 0 : value_; }

 private:
  static constexpr std::uint64_t prime = 0x100000001b3;
  std::uint64_t value_ = 0xcbf29ce484222325;
};

std::uint64_t digest_of(const CoordinateOffer& offer) {
  Digest digest;
  for (const auto* list : {&offer.values, &offer.bounds, &offer.lon, &offer.lat, &offer.bounds_lon,
                           &offer.bounds_lat, &offer.area}) {
    const std::uint64_t size = list->size();
    digest.add(std::as_bytes(std::span(&size, 1)));
    digest.add(std::as_bytes(std::span(*list)));
  }
  for (const std::string& label : offer.labels) {
    digest.add(std::as_bytes(std::span(label.c_str(), label.size() + 1)));
  }
  return digest.value();
}

constexpr std::size_t numbers_per_form = 8;

}  // namespace

bool OpeningPart::is_empty() const {
  return std::none_of(offered.begin(), offered.end(), [](auto flag) { return flag != 0; }) &&
         std::none_of(coordinates.begin(), coordinates.end(),
                      [](const auto& offer) {
                        return !offer.cells.empty() || !offer.rows.empty() ||
                               !offer.area_cells.empty();
                      }) &&
         std::all_of(read_windows.begin(), read_windows.end(),
                     [](const auto& runs) { return runs.empty(); }) &&
         std::none_of(is_notified_of.begin(), is_notified_of.end(),
                      [](auto flag) { return flag != 0; }) &&
         std::all_of(rows.begin(), rows.end(),
                     [](const StepRows& step) { return step.targets.empty(); }) &&
         std::all_of(held.begin(), held.end(), [](const auto& runs) { return runs.empty(); });
}

Holders local_holders(const config::Model& model, const LocalParts& parts,
                      const CoordinateForms& forms, int client) {
  const auto rank_if = [client](bool holds) { return holds ? client : Holders::none; };
  const auto points_of = [&](const Element& element) {
    return volume(element_shape(model, element));
  };
  Holders out;
  for (const config::Grid& grid : model.grids) {
    const auto* mask = mask_of(grid);
    bool holds = mask == nullptr || std::all_of(mask->begin(), mask->end(),
                                                [](std::uint8_t value) { return value != 0; });
    for (const Element& element : grid.elements) {
      holds = holds && parts.data(element).points() == points_of(element);
    }
    out.grids.push_back(rank_if(holds));
  }
  const auto add = [&](std::vector<std::int32_t>& list, Element::Kind kind,
                       const std::vector<CoordinateForm>& own,
                       const std::vector<CoordinateForm>& all) {
    for (std::size_t i = 0; i < own.size(); ++i) {
      const Element element{kind, static_cast<int>(i)};
      // What another client gives beside it, that one must offer.
      const bool gives = all[i] != CoordinateForm{} && has_all_kinds(own[i], all[i]);
      list.push_back(rank_if(gives && parts.owned(element).points() == points_of(element)));
    }
  };
  const CoordinateForms own = local_forms(model);
  add(out.scalars, Element::Kind::scalar, own.scalars, forms.scalars);
  add(out.axes, Element::Kind::axis, own.axes, forms.axes);
  add(out.domains, Element::Kind::domain, own.domains, forms.domains);
  return out;
}

std::vector<std::int32_t> numbers_of(const Holders& holders) {
  std::vector<std::int32_t> out;
  for (const auto* list : {&holders.grids, &holders.scalars, &holders.axes, &holders.domains}) {
    out.insert(out.end(), list->begin(), list->end());
  }
  return out;
}

std::vector<std::uint64_t> coordinate_digests(const config::Model& model, const LocalParts& parts,
                                              const Holders& own) {
  std::vector<std::uint64_t> out(own.grids.size(), no_digest);
  const auto add = [&](const std::vector<std::int32_t>& list, Element::Kind kind) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Element element{kind, static_cast<int>(i)};
      const bool holds = list[i] != Holders::none;
      const Box all = whole(element_shape(model, element));
      out.push_back(holds ? digest_of(coordinate_offer(model, parts, {element, all})) : no_digest);
    }
  };
  add(own.scalars, Element::Kind::scalar);
  add(own.axes, Element::Kind::axis);
  add(own.domains, Element::Kind::domain);
  return out;
}

void set_from_numbers(Holders& holders, std::span<const std::int32_t> numbers) {
  for (auto* list : {&holders.grids, &holders.scalars, &holders.axes, &holders.domains}) {
    std::copy_n(numbers.begin(), list->size(), list->begin());
    numbers = numbers.subspan(list->size());
  }
}

CoordinateForms local_forms(const config::Model& model) {
  CoordinateForms forms;
  for (const auto& scalar : model.scalars) forms.scalars.push_back(form_of(scalar));
  for (const auto& axis : model.axes) forms.axes.push_back(form_of(axis));
  for (const auto& domain : model.domains) forms.domains.push_back(form_of(domain));
  return forms;
}

std::vector<std::int32_t> numbers_of(const CoordinateForms& forms) {
  std::vector<std::int32_t> out;
  for (const auto* list : {&forms.scalars, &forms.axes, &forms.domains}) {
    for (const CoordinateForm& form : *list) {
      for (const bool has : {form.has_values, form.has_bounds, form.has_lon, form.has_lat,
                             form.has_bounds_lon, form.has_bounds_lat, form.has_area}) {
        out.push_back(has ? 1 : 0);
      }
      out.push_back(form.label_bytes);
    }
  }
  return out;
}

void set_from_numbers(CoordinateForms& forms, std::span<const std::int32_t> numbers) {
  for (auto* list : {&forms.scalars, &forms.axes, &forms.domains}) {
    for (CoordinateForm& form : *list) {
      const auto has = [&](std::size_t n) { return numbers[n] != 0; };
      form = {has(0), has(1), has(2), has(3), has(4), has(5), has(6), numbers[7]};
      numbers = numbers.subspan(numbers_per_form);
    }
  }
}

std::vector<std::vector<std::uint64_t>> opening_masks(const config::Model& model,
                                                      const LocalParts& parts,
                                                      const Pieces& pieces) {
  std::vector<std::vector<std::uint64_t>> out;
  out.reserve(pieces.grids.size());
  for (const GridPiece& piece : pieces.grids) {
    out.push_back(mask_bits(model, parts, pieces, piece));
  }
  return out;
}

OpeningPart opening_part(const config::Model& model, const LocalParts& parts, const Pieces& pieces,
                         const Holders& holders, int client) {
  OpeningPart out;
  out.client = client;
  std::vector<std::uint8_t> is_needed(pieces.windows.size(), 0);
  for (const GridPiece& piece : pieces.grids) {
    bool holds = nth(holders.grids, piece.grid) >= client;
    bool offers = holds;
    for (const auto& element : model.grids[config::GridId(piece.grid)].elements) {
      holds = holds && parts.owned(element).points() > 0;
      offers = offers && parts.data(element).points() > 0;
    }
    out.offered.push_back(offers ? 1 : 0);
    for (const int window : piece.windows) {
      if (holds) nth(is_needed, window) = 1;
    }
  }
  for (std::size_t w = 0; w < pieces.windows.size(); ++w) {
    const ElementPiece& piece = pieces.windows[w];
    auto& runs = out.windows.emplace_back();
    auto& held = out.held.emplace_back();
    if (is_needed[w] == 0) continue;
    const Extents shape = element_shape(model, piece.element);
    runs = positions(clip(parts.data(piece.element), shape, piece.window));
    held = positions(clip(parts.owned(piece.element), shape, piece.window));
    if (held == runs) held.clear();
  }
  // Of a grid whose windows it misses the client has nothing after all.
  for (std::size_t g = 0; g < pieces.grids.size(); ++g) {
    for (const int window : pieces.grids[g].windows) {
      if (nth(out.windows, window).empty()) out.offered[g] = 0;
    }
    out.masks.push_back(out.offered[g] != 0 ? mask_bits(model, parts, pieces, pieces.grids[g])
                                            : std::vector<std::uint64_t>());
  }
  for (const ElementPiece& piece : pieces.coordinate_windows) {
    const bool is_held = holder_of(holders, piece.element) < client;
    out.coordinates.push_back(is_held ? CoordinateOffer()
                                      : coordinate_offer(model, parts, piece, holders.sides));
  }
  return out;
}

std::vector<Offer> offers_of(const Pieces& pieces, std::size_t piece,
                             std::span<const OpeningPart> parts) {
  std::vector<Offer> out;
  out.reserve(parts.size());
  for (const OpeningPart& part : parts) {
    if (part.offered[piece] == 0) continue;
    Offer offer{part.client, {}, part.masks[piece]};
    for (const int window : pieces.grids[piece].windows) {
      offer.positions.emplace_back(nth(part.windows, window));
    }
    out.push_back(std::move(offer));
  }
  return out;
}

std::vector<Offer> holdings_of(const Pieces& pieces, std::size_t piece,
                               std::span<const OpeningPart> parts) {
  std::vector<Offer> out;
  out.reserve(parts.size());
  for (const OpeningPart& part : parts) {
    Offer offer{part.client, {}, {}};
    for (const int window : pieces.grids[piece].windows) {
      const auto w = static_cast<std::size_t>(window);
      offer.positions.emplace_back(part.held[w].empty() ? part.windows[w] : part.held[w]);
    }
    const bool misses = std::any_of(offer.positions.begin(), offer.positions.end(),
                                    [](const auto& runs) { return runs.empty(); });
    if (!misses) out.push_back(std::move(offer));
  }
  return out;
}

Pattern pattern_to_send(const config::Model& model, const LocalParts& parts, const Pieces& pieces,
                        std::size_t piece, const RequestedPoints& asked) {
  const GridPiece& described = pieces.grids[piece];
  const auto& elements = model.grids[config::GridId(described.grid)].elements;
  std::vector<PatternFactor> factors;
  if (asked.points == RequestedPoints::Points::empty ||
      asked.points == RequestedPoints::Points::none) {
    factors.push_back({1, {}});
  }
  for (std::size_t e = 0; e < elements.size(); ++e) {
    const Box& window = nth(pieces.windows, described.windows[e]).window;
    const Part& part = parts.data(elements[e]);
    const Part clipped = clip(part, element_shape(model, elements[e]), window);
    PatternFactor factor{part.places(), {}};
    const auto add = [&factor](std::span<const PartRun> runs) {
      for (const PartRun& run : runs) factor.runs.push_back({run.place, run.count});
    };
    if (asked.points == RequestedPoints::Points::some) {
      add(requested_runs(clipped, asked.positions.at(e)));
    } else {
      add(clipped.runs());
    }
    factors.push_back(std::move(factor));
  }
  return Pattern(factors);
}

}  // namespace epios::io
