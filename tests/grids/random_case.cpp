#include "random_case.hpp"

#include <algorithm>
#include <numeric>

#include "random_numbers.hpp"

namespace grids {
namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

/// `is_deep`: small enough for a grid of all elements, which has seven dimensions.
Element random_element(Random& random, int number, bool is_deep) {
  Element out;
  out.kind = number == 0   ? static_cast<Kind>(random.pick(0, 2))
             : number == 1 ? static_cast<Kind>(random.pick(0, 3))
             : number == 4 ? Kind::scalar
                           : Kind::axis;
  out.id = (out.is_domain() ? "d" : out.kind == Kind::scalar ? "s" : "a") + std::to_string(number);
  if (out.is_domain()) {
    out.ni = random.pick(1, is_deep ? 3 : 12);
    out.nj = out.kind == Kind::unstructured ? 1 : random.pick(1, is_deep ? 3 : 8);
    if (!is_deep && out.kind == Kind::unstructured && random.one_in(2))
      out.ni = random.pick(20, 90);
  } else if (out.kind == Kind::axis) {
    out.ni = random.pick(1, is_deep ? 3 : 6);
  }
  const Dealing dealings[] = {Dealing::whole, Dealing::blocks, Dealing::scattered, Dealing::boxes,
                              Dealing::lists};
  out.dealing = dealings[random.pick(out.is_domain() ? 1 : 0, 4)];
  if (!out.is_domain() && random.one_in(2)) out.dealing = Dealing::whole;
  out.has_coordinates = !random.one_in(4);
  if (out.has_coordinates && random.one_in(2)) {
    out.vertices =
        out.kind == Kind::curvilinear || out.kind == Kind::unstructured ? random.pick(3, 5) : 2;
  }
  out.has_area = out.is_domain() && random.one_in(3);
  out.has_labels = out.kind == Kind::axis && random.one_in(4);
  out.has_mask = random.one_in(3);
  out.is_double = random.one_in(2);
  out.salt = static_cast<std::uint64_t>(random.pick(1, 1'000'000'000));
  return out;
}

Grid random_grid(Random& random, int number, const std::vector<Element>& elements, bool is_whole) {
  Grid out;
  out.id = "g" + std::to_string(number);
  for (int e = 0; e < static_cast<int>(elements.size()); ++e) {
    const bool is_taken = number == 0 ? e == 0 || random.one_in(3) : random.one_in(2);
    if (is_taken || is_whole) out.elements.push_back(e);
  }
  if (out.elements.empty()) out.elements.push_back(static_cast<int>(random.pick(0, 3)));
  random.shuffle(out.elements);
  out.has_mask = random.one_in(4);
  out.is_mask_flat = random.one_in(2);
  return out;
}

/// Clients that have nothing of an element are as frequent as those that have.
std::vector<std::int64_t> cuts(const Case& of, const Element& element, std::int64_t n,
                               int clients) {
  std::vector<std::int64_t> out = {0};
  Random random(mix(of.salt, element.salt));
  for (int c = 1; c < clients; ++c) out.push_back(random.pick(0, n));
  std::sort(out.begin(), out.end());
  out.push_back(n);
  return out;
}

void set_block(const Element& element, Local& local, std::int64_t ibegin, std::int64_t ni,
               std::int64_t jbegin, std::int64_t nj) {
  local.ni = ni;
  local.nj = nj;
  for (std::int64_t j = 0; j < nj; ++j) {
    for (std::int64_t i = 0; i < ni; ++i) {
      local.cells.push_back((jbegin + j) * element.ni + ibegin + i);
    }
  }
  if (element.kind == Kind::axis) {
    local.numbers.push_back({"begin", ibegin});
    local.numbers.push_back({"n", ni});
    return;
  }
  local.numbers.push_back({"ibegin", ibegin});
  local.numbers.push_back({"ni", ni});
  if (element.nj == 1 && element.kind == Kind::unstructured) return;
  local.numbers.push_back({"jbegin", jbegin});
  local.numbers.push_back({"nj", nj});
}

void set_list(const Element& element, Local& local, Random& random) {
  local.is_listed = true;
  const auto count = static_cast<std::int64_t>(local.cells.size());
  local.ni = count;
  local.nj = 1;
  List i{element.kind == Kind::axis ? "index" : "i_index", {}};
  List j{"j_index", {}};
  for (const std::int64_t cell : local.cells) {
    i.values.push_back(cell % element.ni);
    j.values.push_back(cell / element.ni);
  }
  local.lists.push_back(i);
  if (element.kind == Kind::axis) return;
  if (element.nj > 1) local.lists.push_back(j);
  if (count % 2 == 0 && count > 0 && random.one_in(3)) {  // the same cells in two rows
    local.ni = count / 2;
    local.nj = 2;
    local.numbers.push_back({"ni", local.ni});
    local.numbers.push_back({"nj", local.nj});
  }
}

void deal(const Case& of, const Element& element, Random& random, int rank, int clients,
          bool may_repeat, Local& local) {
  const std::int64_t points = element.points();
  switch (element.dealing) {
    case Dealing::whole:
      local.ni = element.ni;
      local.nj = element.nj;
      local.cells.resize(at(points));
      std::iota(local.cells.begin(), local.cells.end(), 0);
      return;
    case Dealing::blocks: {
      const bool is_row = element.nj == 1;
      const auto ends = cuts(of, element, is_row ? element.ni : element.nj, clients);
      const std::int64_t first = ends[at(rank)];
      const std::int64_t n = ends[at(rank) + 1] - first;
      if (is_row) return set_block(element, local, first, n, 0, 1);
      return set_block(element, local, 0, element.ni, first, n);
    }
    case Dealing::scattered:
      for (std::int64_t p = 0; p < points; ++p) {
        const auto owner = mix(mix(of.salt, element.salt), static_cast<std::uint64_t>(p));
        if (static_cast<int>(owner % static_cast<std::uint64_t>(clients)) == rank) {
          local.cells.push_back(p);
        }
      }
      random.shuffle(local.cells);
      return set_list(element, local, random);
    case Dealing::boxes: {
      const std::int64_t ni = random.pick(0, element.ni);
      const std::int64_t nj = random.pick(0, element.nj);
      const std::int64_t ibegin = random.pick(0, element.ni - ni);
      const std::int64_t jbegin = random.pick(0, element.nj - nj);
      const bool is_row = element.kind == Kind::axis || element.kind == Kind::unstructured;
      if (is_row) return set_block(element, local, ibegin, ni, 0, 1);
      return set_block(element, local, ibegin, ni, jbegin, nj);
    }
    case Dealing::lists:
      if (may_repeat) {
        for (std::int64_t k = random.pick(0, points + 2); k > 0; --k) {
          local.cells.push_back(random.pick(0, points - 1));
        }
      } else {
        for (std::int64_t p = 0; p < points; ++p) {
          if (random.one_in(2)) local.cells.push_back(p);
        }
        random.shuffle(local.cells);
      }
      return set_list(element, local, random);
  }
}

/// A window of the cells, beyond them on all sides (halo) or within.
void set_window(const Element& element, Random& random, bool is_flat, Local& local) {
  const bool is_axis = element.kind == Kind::axis;
  const std::int64_t width = is_flat ? local.ni * local.nj : local.ni;
  const std::int64_t height = is_flat ? 1 : local.nj;
  const std::int64_t ibegin = random.pick(-2, 1);
  const std::int64_t jbegin = is_flat ? 0 : random.pick(-2, 1);
  const std::int64_t ni = random.pick(0, width + 3);
  const std::int64_t nj = is_flat ? 1 : random.pick(0, height + 3);
  local.numbers.push_back({is_axis ? "data_begin" : "data_ibegin", ibegin});
  local.numbers.push_back({is_axis ? "data_n" : "data_ni", ni});
  if (!is_axis) local.numbers.push_back({"data_dim", is_flat ? 1 : 2});
  if (!is_flat) {
    local.numbers.push_back({"data_jbegin", jbegin});
    local.numbers.push_back({"data_nj", nj});
  }
  for (std::int64_t j = 0; j < nj; ++j) {
    for (std::int64_t i = 0; i < ni; ++i) {
      const std::int64_t x = ibegin + i;
      const std::int64_t y = jbegin + j;
      const bool is_inside = x >= 0 && x < width && y >= 0 && y < height;
      local.places.push_back(is_inside ? y * width + x : -1);
    }
  }
}

/// Single cells in no order; positions outside the part are places without a point.
void set_compressed(const Element& element, Random& random, Local& local) {
  const std::int64_t cells = local.ni * local.nj;
  const bool is_axis = element.kind == Kind::axis;
  const bool is_flat = is_axis || random.one_in(2);
  const bool has_rows = !is_flat || (!is_axis && random.one_in(2));
  List i{is_axis ? "data_index" : "data_i_index", {}};
  List j{"data_j_index", {}};
  std::vector<std::int64_t> wanted;
  for (std::int64_t cell = 0; cell < cells; ++cell) {
    if (!random.one_in(4)) wanted.push_back(cell);
  }
  for (std::int64_t k = random.pick(0, 2); k > 0; --k) wanted.push_back(-1);
  random.shuffle(wanted);
  for (const std::int64_t cell : wanted) {
    local.places.push_back(cell);
    if (cell < 0) {
      i.values.push_back(random.one_in(2) ? -1 : has_rows ? local.ni : cells);
      j.values.push_back(0);
    } else {
      i.values.push_back(has_rows ? cell % local.ni : cell);
      j.values.push_back(has_rows ? cell / local.ni : 0);
    }
  }
  if (!is_axis) local.numbers.push_back({"data_dim", is_flat ? 1 : 2});
  local.lists.push_back(i);
  if (has_rows) local.lists.push_back(j);
}

/// Ends of up to three pieces of [0, n), some of them empty.
std::vector<std::int64_t> random_ends(Random& random, std::int64_t n) {
  std::vector<std::int64_t> out = {0, n};
  for (std::int64_t k = random.pick(0, 2); k > 0; --k) out.push_back(random.pick(0, n));
  std::sort(out.begin(), out.end());
  return out;
}

/// Rows and columns of tiles in no order, with halos or without; one may be left out.
void set_tiles(Random& random, Local& local) {
  const auto columns = random_ends(random, local.ni);
  const auto rows = random_ends(random, local.nj);
  const bool has_arrays = random.one_in(2);
  for (std::size_t r = 0; r + 1 < rows.size(); ++r) {
    for (std::size_t c = 0; c + 1 < columns.size(); ++c) {
      const Box cells{columns[c], columns[c + 1] - columns[c], rows[r], rows[r + 1] - rows[r]};
      Box array{0, cells.ni, 0, cells.nj};
      if (has_arrays) {
        array = {random.pick(-2, 1), random.pick(0, cells.ni + 3), random.pick(-2, 1),
                 random.pick(0, cells.nj + 3)};
      }
      local.tiles.push_back({cells, array});
    }
  }
  random.shuffle(local.tiles);
  if (local.tiles.size() > 1 && random.one_in(4)) local.tiles.pop_back();
  local.takes_tiles_only = random.one_in(3);
  List lists[] = {{"tile_ibegin", {}},      {"tile_ni", {}},          {"tile_jbegin", {}},
                  {"tile_nj", {}},          {"tile_data_ibegin", {}}, {"tile_data_ni", {}},
                  {"tile_data_jbegin", {}}, {"tile_data_nj", {}}};
  for (const Tile& tile : local.tiles) {
    const std::int64_t numbers[] = {tile.cells.ibegin, tile.cells.ni,     tile.cells.jbegin,
                                    tile.cells.nj,     tile.array.ibegin, tile.array.ni,
                                    tile.array.jbegin, tile.array.nj};
    for (std::size_t k = 0; k < 8; ++k) lists[k].values.push_back(numbers[k]);
  }
  local.numbers.push_back({"ntiles", static_cast<std::int64_t>(local.tiles.size())});
  for (std::size_t k = 0; k < (has_arrays ? 8 : 4); ++k) local.lists.push_back(lists[k]);
}

std::vector<unsigned char> random_mask(Random& random, std::int64_t size) {
  std::vector<unsigned char> out(at(size));
  for (auto& value : out) value = random.one_in(4) ? 0 : 1;
  return out;
}

Local make_local(const Case& of, std::size_t number, int rank, int clients, bool may_repeat) {
  const Element& element = of.elements[number];
  Random random(mix(mix(of.salt, element.salt), 1000 + static_cast<std::uint64_t>(rank)));
  Local out;
  out.gives_coordinates = element.has_coordinates && !random.one_in(5);
  out.gives_bounds = out.gives_coordinates && element.vertices > 0 && !random.one_in(5);
  out.gives_area = element.has_area && !random.one_in(5);
  out.gives_labels = element.has_labels && !random.one_in(5);
  if (element.kind == Kind::scalar) {
    out.gives_coordinates = element.has_coordinates;  // what all have in common
    out.gives_bounds = element.has_coordinates && element.vertices > 0;
    const bool has_it = !random.one_in(4);
    out.ni = has_it ? 1 : 0;
    if (has_it) out.cells = {0};
    if (!has_it || random.one_in(2)) out.numbers.push_back({"n", out.ni});
    if (element.has_mask && random.one_in(2)) {
      out.numbers.push_back({"mask", 0});
      out.mask.assign(out.cells.size(), 0);
    }
    out.places = {has_it ? 0 : -1};
    return out;
  }
  deal(of, element, random, rank, clients, may_repeat, out);
  const auto cells = static_cast<std::int64_t>(out.cells.size());
  if (element.has_mask && !random.one_in(4)) out.mask = random_mask(random, cells);
  const std::int64_t form = random.pick(0, 5);
  const bool is_flat = !element.is_domain() || random.one_in(2);
  if (form == 0) {
    set_window(element, random, is_flat, out);
  } else if (form == 1) {
    set_compressed(element, random, out);
  } else {
    out.places.resize(at(cells));
    std::iota(out.places.begin(), out.places.end(), 0);
    if (element.is_domain()) out.numbers.push_back({"data_dim", is_flat ? 1 : 2});
  }
  // Of a grid one domain has tiles.
  if (number == 0 && form != 1 && !is_flat && !random.one_in(3)) set_tiles(random, out);
  return out;
}

}  // namespace

Case make_case(std::uint64_t seed, int number) {
  Random random(mix(seed, static_cast<std::uint64_t>(number)));
  Case out;
  out.id = "case" + std::to_string(number);
  out.salt = static_cast<std::uint64_t>(random.pick(1, 1'000'000'000));
  const bool is_deep = random.one_in(4);
  for (int e = 0; e < 6; ++e) out.elements.push_back(random_element(random, e, is_deep));
  for (int g = 0; g < 3; ++g) {
    out.grids.push_back(random_grid(random, g, out.elements, is_deep && g == 2));
  }
  out.do_clients_differ = random.one_in(2);
  for (int f = 0; f < 5; ++f) {
    Field field;
    field.id = "f" + std::to_string(f);
    field.grid = f < 3 ? f : static_cast<int>(random.pick(0, 2));
    field.prec = random.one_in(2) ? 8 : 4;
    field.is_average = f >= 3 || random.one_in(4);
    field.is_single = random.one_in(3);
    if (random.one_in(2)) field.default_value = -1e20;
    out.fields.push_back(field);
  }
  return out;
}

Client make_client(const Case& of, int rank, int clients) {
  // Whether one of the cells of a point is masked says nothing of another one's.
  const bool may_repeat = std::none_of(of.grids.begin(), of.grids.end(),
                                       [](const Grid& grid) { return grid.has_mask; });
  Client out;
  for (std::size_t e = 0; e < of.elements.size(); ++e) {
    out.elements.push_back(make_local(of, e, rank, clients, may_repeat));
  }
  Random random(mix(of.salt, 2000 + static_cast<std::uint64_t>(rank)));
  for (const Grid& grid : of.grids) {
    std::int64_t cells = 1;
    for (const int e : grid.elements) {
      // Of a scalar that the client has not there is no value either, but the mask has no
      // dimension.
      if (of.elements[at(e)].kind == Kind::scalar) continue;
      cells *= static_cast<std::int64_t>(out.elements[at(e)].cells.size());
    }
    const bool has_mask = grid.has_mask && !random.one_in(3);
    out.masks.push_back(has_mask ? random_mask(random, cells) : std::vector<unsigned char>());
  }
  return out;
}

namespace {

/// Of each place of a tile's array the cell, -1 in the halo.
std::vector<std::int64_t> cells_of(const Local& local, const Tile& tile) {
  std::vector<std::int64_t> out;
  for (std::int64_t j = 0; j < tile.array.nj; ++j) {
    for (std::int64_t i = 0; i < tile.array.ni; ++i) {
      const std::int64_t x = tile.cells.ibegin + tile.array.ibegin + i;
      const std::int64_t y = tile.cells.jbegin + tile.array.jbegin + j;
      out.push_back(tile.cells.has(x, y) ? y * local.ni + x : -1);
    }
  }
  return out;
}

/// What is at the places of an element in the array of a tile, or in the whole one.
std::vector<std::int64_t> places_of(const Local& local, int tile) {
  if (tile == no_tile || local.tiles.empty()) return local.places;
  return cells_of(local, local.tiles[at(tile)]);
}

}  // namespace

std::int64_t array_size(const Case& of, const Client& client, int grid, int tile) {
  std::int64_t out = 1;
  for (const int e : of.grids[at(grid)].elements) {
    out *= static_cast<std::int64_t>(places_of(client.elements[at(e)], tile).size());
  }
  return out;
}

int tiles_at(const Case& of, const Client& client, const Field& field, std::int64_t step) {
  for (const int e : of.grids[at(field.grid)].elements) {
    const Local& local = client.elements[at(e)];
    if (local.tiles.empty()) continue;
    const auto choice = mix(of.salt + static_cast<std::uint64_t>(step), local.tiles.size());
    const bool is_whole = !local.takes_tiles_only && choice % 4 == 0;
    return is_whole ? 0 : static_cast<int>(local.tiles.size());
  }
  return 0;
}

bool is_in_tile(const Case& of, const Client& client, int grid, std::int64_t place) {
  for (const int e : of.grids[at(grid)].elements) {
    const Local& local = client.elements[at(e)];
    const auto count = static_cast<std::int64_t>(local.places.size());
    const std::int64_t cell = local.places[at(place % count)];
    place /= count;
    if (local.tiles.empty()) continue;
    return std::any_of(local.tiles.begin(), local.tiles.end(), [&](const Tile& tile) {
      const std::int64_t i = cell % local.ni;
      const std::int64_t j = cell / local.ni;
      return tile.cells.has(i, j) && tile.array.has(i - tile.cells.ibegin, j - tile.cells.jbegin);
    });
  }
  return true;
}

std::int64_t place_of(const Case& of, const Client& client, int grid,
                      const std::vector<std::int64_t>& point) {
  const std::vector<int>& elements = of.grids[at(grid)].elements;
  std::int64_t place = 0;
  std::int64_t stride = 1;
  std::int64_t cell_place = 0;
  std::int64_t cell_stride = 1;
  for (std::size_t e = 0; e < elements.size(); ++e) {
    const Local& local = client.elements[at(elements[e])];
    const auto count = static_cast<std::int64_t>(local.places.size());
    std::int64_t found = 0;
    for (; found < count; ++found) {
      const std::int64_t cell = local.places[at(found)];
      if (cell < 0 || local.cells[at(cell)] != point[e]) continue;
      if (local.mask.empty() || local.mask[at(cell)] != 0) break;
    }
    if (found == count) return -1;
    place += found * stride;
    stride *= count;
    cell_place += local.places[at(found)] * cell_stride;
    cell_stride *= static_cast<std::int64_t>(local.cells.size());
  }
  const auto& mask = client.masks[at(grid)];
  return !mask.empty() && mask[at(cell_place)] == 0 ? -1 : place;
}

std::vector<std::int64_t> point_at(const Case& of, const Client& client, int grid,
                                   std::int64_t place, int tile) {
  std::vector<std::int64_t> out;
  for (const int e : of.grids[at(grid)].elements) {
    const Local& local = client.elements[at(e)];
    const std::vector<std::int64_t> places = places_of(local, tile);
    const auto count = static_cast<std::int64_t>(places.size());
    const std::int64_t cell = places[at(place % count)];
    out.push_back(cell < 0 ? -1 : local.cells[at(cell)]);
    place /= count;
  }
  return out;
}

double value_at(const Case& of, const Field& field, std::int64_t step, int rank,
                const std::vector<std::int64_t>& point) {
  std::uint64_t hash = mix(of.salt, static_cast<std::uint64_t>(field.id.back()));
  hash = mix(hash, static_cast<std::uint64_t>(step));
  if (of.do_clients_differ) hash = mix(hash, static_cast<std::uint64_t>(rank));
  for (const std::int64_t index : point) hash = mix(hash, static_cast<std::uint64_t>(index));
  if (field.default_value && hash % 7 == 0) return *field.default_value;
  // 53 bits behind the point, or the 24 of single precision.
  const double value = static_cast<double>(hash >> 11U) / 9007199254740992.0 * 2000.0 - 1000.0;
  return field.is_single ? static_cast<double>(static_cast<float>(value)) : value;
}

double coordinate(const Element& element, int what, std::int64_t index) {
  const std::uint64_t hash =
      mix(mix(element.salt, static_cast<std::uint64_t>(what)), static_cast<std::uint64_t>(index));
  return static_cast<double>(hash >> 11U) / 9007199254740992.0 * 180.0 - 90.0;
}

std::string label(const Element& element, std::int64_t index) {
  const auto hash = mix(element.salt, static_cast<std::uint64_t>(index));
  return "l" + std::to_string(index) + std::string(hash % 5, 'x');
}

}  // namespace grids
