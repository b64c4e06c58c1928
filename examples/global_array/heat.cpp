#include "heat.hpp"

#include <array>
#include <utility>
#include <vector>

#include "coarray.hpp"

namespace global_array {

namespace {

constexpr std::int64_t rows = 70;
constexpr std::int64_t columns = 90;
constexpr int steps = 60;

/// Cells with a halo of one around them, row by row.
struct Block {
  std::int64_t first_row = 0;
  std::int64_t first_column = 0;
  std::int64_t rows = 0;
  std::int64_t columns = 0;

  std::int64_t width() const { return columns + 2; }
  std::int64_t cells() const { return (rows + 2) * width(); }
  std::int64_t index(std::int64_t i, std::int64_t j) const { return (i + 1) * width() + j + 1; }
};

double start_value(std::int64_t row, std::int64_t column) {
  return static_cast<double>((7 * row * row + 13 * column) % 101);
}

void fill(const Block& block, std::span<double> cells) {
  for (std::int64_t i = 0; i < block.rows; ++i) {
    for (std::int64_t j = 0; j < block.columns; ++j) {
      cells[static_cast<std::size_t>(block.index(i, j))] =
          start_value(block.first_row + i, block.first_column + j);
    }
  }
}

// The halo around the plate stays at 0.
void conduct(const Block& block, std::span<const double> from, std::span<double> to) {
  const auto at = [&](std::int64_t i, std::int64_t j) {
    return from[static_cast<std::size_t>(block.index(i, j))];
  };
  for (std::int64_t i = 0; i < block.rows; ++i) {
    for (std::int64_t j = 0; j < block.columns; ++j) {
      const double around = (at(i - 1, j) + at(i + 1, j)) + (at(i, j - 1) + at(i, j + 1));
      to[static_cast<std::size_t>(block.index(i, j))] = at(i, j) + 0.2 * (around - 4 * at(i, j));
    }
  }
}

std::vector<double> whole_plate() {
  const Block plate{0, 0, rows, columns};
  std::vector<double> now(static_cast<std::size_t>(plate.cells()));
  std::vector<double> next = now;
  fill(plate, now);
  for (int step = 0; step < steps; ++step) {
    conduct(plate, now, next);
    now.swap(next);
  }
  return now;
}

/// Which part of the plate is whose: a grid of images.
class Plate {
 public:
  explicit Plate(int images) { ep::check(MPI_Dims_create(images, 2, grid_.data())); }

  Block block(int image) const {
    const auto [i, j] = place(image);
    const std::int64_t row = rows * i / grid_[0];
    const std::int64_t column = columns * j / grid_[1];
    return {row, column, rows * (i + 1) / grid_[0] - row, columns * (j + 1) / grid_[1] - column};
  }
  std::int64_t largest_block() const {
    return (rows / grid_[0] + 3) * (columns / grid_[1] + 3);  // the remainder, and the halo
  }
  /// Or -1 outside the plate.
  int neighbour(int image, int down, int right) const {
    const auto [i, j] = place(image);
    const int row = i + down;
    const int column = j + right;
    const bool is_inside = row >= 0 && row < grid_[0] && column >= 0 && column < grid_[1];
    return is_inside ? row * grid_[1] + column : -1;
  }

 private:
  std::pair<int, int> place(int image) const { return {image / grid_[1], image % grid_[1]}; }

  std::array<int, 2> grid_{};
};

constexpr std::array<std::pair<int, int>, 4> directions{{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}};

// Into the halos of all neighbours: u(0, :)[below] = u(rows - 1, :), and so on around.
void put_edges(const Plate& plate, int me, Coarray<double>& u) {
  const Block own = plate.block(me);
  std::vector<double> edge;
  for (const auto& [down, right] : directions) {
    const int other = plate.neighbour(me, down, right);
    if (other < 0) continue;
    const Block theirs = plate.block(other);
    const std::int64_t row = down > 0 ? own.rows - 1 : 0;
    const std::int64_t column = right > 0 ? own.columns - 1 : 0;
    const bool is_row = right == 0;
    edge.clear();
    for (std::int64_t k = 0; k < (is_row ? own.columns : own.rows); ++k) {
      const std::int64_t cell = is_row ? own.index(row, k) : own.index(k, column);
      edge.push_back(u.local()[static_cast<std::size_t>(cell)]);
    }
    const Section halo =
        is_row ? Section{theirs.index(down > 0 ? -1 : theirs.rows, 0), 1}
               : Section{theirs.index(0, right > 0 ? -1 : theirs.columns), theirs.width()};
    u.put(other, halo, edge);
  }
}

}  // namespace

std::int64_t wrong_cells_of_heat(Image& image) {
  const Plate plate(image.count());
  const int me = image.number();
  const Block own = plate.block(me);
  std::vector<int> neighbours;
  for (const auto& [down, right] : directions) {
    if (const int other = plate.neighbour(me, down, right); other >= 0) neighbours.push_back(other);
  }
  Coarray<double> first(image, plate.largest_block());
  Coarray<double> second(image, plate.largest_block());
  Coarray<double>* now = &first;
  Coarray<double>* next = &second;
  fill(own, now->local());
  for (int step = 0; step < steps; ++step) {
    put_edges(plate, me, *now);
    // A neighbour that is ahead by one step writes into the halo of the other coarray.
    now->sync_images(neighbours);
    conduct(own, now->local(), next->local());
    std::swap(now, next);
  }

  const std::vector<double> expected = whole_plate();
  const Block all{0, 0, rows, columns};
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < own.rows; ++i) {
    for (std::int64_t j = 0; j < own.columns; ++j) {
      const auto cell = static_cast<std::size_t>(own.index(i, j));
      const auto in_all =
          static_cast<std::size_t>(all.index(own.first_row + i, own.first_column + j));
      if (now->local()[cell] != expected[in_all]) ++wrong;
    }
  }
  image.sync_all();  // only neighbours know that this image is at the end
  // A corner cell of the next image, read from where it is.
  const int other = (me + 1) % image.count();
  const Block theirs = plate.block(other);
  double corner = 0;
  now->get(other, {theirs.index(0, 0), 1}, {&corner, 1});
  const auto in_all = static_cast<std::size_t>(all.index(theirs.first_row, theirs.first_column));
  image.sync_all();  // nobody goes on before all have read
  return wrong + (corner == expected[in_all] ? 0 : 1);
}

}  // namespace global_array
