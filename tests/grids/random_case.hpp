/// @file
/// Random cases of grids, parts of them and fields, as plain lists: what the model defines through
/// the interface, and what the check works out point by point. Knows nothing of EPIOS.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace grids {

enum class Kind { rectilinear, curvilinear, unstructured, axis, scalar };

/// How the points of an element are dealt out.
enum class Dealing {
  whole,      ///< every client has all
  blocks,     ///< rows (of a row: columns) of each client; every point once, some clients without
  scattered,  ///< single points in no order; every point once, some clients without
  boxes,      ///< any box for each client: holes and overlaps
  lists,      ///< any points for each client: holes, overlaps, points that one client has twice
};

struct Element {
  std::string id;
  Kind kind = Kind::axis;
  std::int64_t ni = 1, nj = 1;  ///< of an axis its points in ni
  Dealing dealing = Dealing::whole;
  std::int64_t vertices = 0;  ///< 0: no bounds
  bool has_coordinates = false;
  bool has_area = false;
  bool has_labels = false;
  bool has_mask = false;
  bool is_double = false;  ///< coordinates on file
  std::uint64_t salt = 0;

  bool is_domain() const { return kind != Kind::axis && kind != Kind::scalar; }
  std::int64_t points() const { return ni * nj; }
};

struct Grid {
  std::string id;
  std::vector<int> elements;  ///< fastest first
  bool has_mask = false;
  bool is_mask_flat = false;  ///< domains count as one dimension of the mask
};

struct Field {
  std::string id;
  int grid = 0;
  int prec = 4;
  bool is_average = false;
  bool is_single = false;               ///< the model's array
  std::optional<double> default_value;  ///< then some of the model's values are missing
};

struct Case {
  std::string id;
  std::uint64_t salt = 0;
  std::vector<Element> elements;
  std::vector<Grid> grids;
  std::vector<Field> fields;
  /// Whether clients that have the same point have different values of it.
  bool do_clients_differ = false;
};

constexpr std::int64_t steps = 4;
constexpr std::int64_t steps_per_average = 2;

/// The same for all clients, and for any number of them.
Case make_case(std::uint64_t seed, int number);

struct Number {
  std::string attribute;
  std::int64_t value;
};
struct List {
  std::string attribute;
  std::vector<std::int64_t> values;
};

/// A rectangle, from a corner that may lie outside what it is counted in.
struct Box {
  std::int64_t ibegin = 0, ni = 0, jbegin = 0, nj = 0;
  bool has(std::int64_t i, std::int64_t j) const {
    return i >= ibegin && i < ibegin + ni && j >= jbegin && j < jbegin + nj;
  }
};

/// Cells of a client that it sends by themselves.
struct Tile {
  Box cells;  ///< in the part
  Box array;  ///< what the model's array of the tile has, counted from the first cell
};

/// What one client has of one element. Without any attribute it says nothing: it has all.
struct Local {
  std::int64_t ni = 0, nj = 1;       ///< cells, i fastest
  std::vector<std::int64_t> cells;   ///< global index of each
  std::vector<unsigned char> mask;   ///< per cell; empty: none
  std::vector<std::int64_t> places;  ///< of the model's array: the cell there, -1: none
  std::vector<Tile> tiles;           ///< disjoint; cells of none are missing in what comes by tiles
  bool takes_tiles_only = false;
  bool is_listed = false;  ///< cells by index, not as a block
  bool gives_coordinates = false;
  bool gives_bounds = false;
  bool gives_area = false;
  bool gives_labels = false;
  std::vector<Number> numbers;
  std::vector<List> lists;
};

struct Client {
  std::vector<Local> elements;                    ///< per Case::elements
  std::vector<std::vector<unsigned char>> masks;  ///< per Case::grids: per local cell; empty: none
};

Client make_client(const Case& of, int rank, int clients);

/// The place of the model's array at which a client has a value of a point, given by its index in
/// each element; -1: it has none.
std::int64_t place_of(const Case& of, const Client& client, int grid,
                      const std::vector<std::int64_t>& point);

/// The whole array instead of that of a tile.
constexpr int no_tile = -1;

/// Values of the model's array.
std::int64_t array_size(const Case& of, const Client& client, int grid, int tile = no_tile);

/// The indices in each element of a place of the model's array; -1 where there is no point, or
/// where the tile has its halo.
std::vector<std::int64_t> point_at(const Case& of, const Client& client, int grid,
                                   std::int64_t place, int tile = no_tile);

/// How many tiles a client sends a field in at a step; 0: it sends the whole array.
int tiles_at(const Case& of, const Client& client, const Field& field, std::int64_t step);

/// Whether the cell behind a place of the model's array is in any tile.
bool is_in_tile(const Case& of, const Client& client, int grid, std::int64_t place);

/// What client `rank` has at a point. Fields of single precision have values that fit in it.
double value_at(const Case& of, const Field& field, std::int64_t step, int rank,
                const std::vector<std::int64_t>& point);

/// What coordinates are: `what` 0 longitude or value, 1 latitude, 2 area; bounds of vertex v: 10 +
/// v and 30 + v. Along the sides of a rectilinear domain `index` is that of the column or the row.
double coordinate(const Element& element, int what, std::int64_t index);
std::string label(const Element& element, std::int64_t index);

}  // namespace grids
