// Classics of global address spaces, each checked: a histogram whose counters are anywhere, a
// matrix transposed by puts of whole columns, a queue of work that images take from, and heat in a
// plate with halos of coarrays.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <numeric>

#include "global_array.hpp"
#include "heat.hpp"

using global_array::GlobalArray;
using global_array::Image;

namespace {

constexpr std::int64_t bins = 1000;
constexpr std::int64_t samples = 4000;  // of each image
constexpr std::int64_t rows = 60;
constexpr std::int64_t columns = 84;
constexpr std::int64_t pieces = 500;

// The sum over all images.
std::int64_t total(const Image& image, std::int64_t mine) {
  std::int64_t sum = 0;
  ep::check(EP_Allreduce(&mine, &sum, 1, MPI_INT64_T, MPI_SUM, image.comm().get()));
  return sum;
}

void report(const Image& image, const char* what, bool is_right) {
  if (image.number() == 0) std::printf("%s: %s\n", what, is_right ? "right" : "WRONG");
  if (!is_right) throw ep::Error(EP_ERR_OTHER, std::string(what) + " is wrong");
}

void histogram(Image& image) {
  GlobalArray<std::int64_t> counts(image, bins);
  std::uint64_t state = 88172645463325252U + static_cast<std::uint64_t>(image.number());
  for (std::int64_t i = 0; i < samples; ++i) {
    state ^= state << 13U;
    state ^= state >> 7U;
    state ^= state << 17U;
    counts.fetch_add(static_cast<std::int64_t>(state % bins), 1);
  }
  image.sync_all();
  const auto own = counts.local();
  const std::int64_t counted = std::accumulate(own.begin(), own.end(), std::int64_t{0});
  report(image, "histogram", total(image, counted) == samples * image.count());
}

void transpose(Image& image) {
  GlobalArray<double> matrix(image, rows * columns);
  GlobalArray<double> transposed(image, columns * rows);
  const auto own = matrix.local();
  for (std::size_t i = 0; i < own.size(); ++i) {
    own[i] = static_cast<double>(matrix.first()) + static_cast<double>(i);
  }
  image.sync_all();
  std::vector<double> column(rows);
  for (std::int64_t j = image.number(); j < columns; j += image.count()) {
    for (std::int64_t i = 0; i < rows; ++i) {
      column[static_cast<std::size_t>(i)] = matrix.get(i * columns + j);
    }
    transposed.put(j * rows, column);
  }
  image.sync_all();
  std::int64_t wrong = 0;
  const auto result = transposed.local();
  for (std::size_t k = 0; k < result.size(); ++k) {
    const std::int64_t index = transposed.first() + static_cast<std::int64_t>(k);
    const std::int64_t from = index % rows * columns + index / rows;
    if (result[k] != static_cast<double>(from)) ++wrong;
  }
  report(image, "transpose", total(image, wrong) == 0);
}

void queue(Image& image) {
  GlobalArray<std::int64_t> next(image, 1);
  GlobalArray<std::int64_t> taken_by(image, pieces);
  std::int64_t mine = 0;
  for (std::int64_t piece = 0; (piece = next.fetch_add(0, 1)) < pieces; ++mine) {
    taken_by.fetch_add(piece, image.number() + 1);
  }
  image.sync_all();
  std::int64_t taken = 0;
  for (const std::int64_t by : taken_by.local()) taken += by >= 1 && by <= image.count() ? 1 : 0;
  report(image, "queue", total(image, taken) == pieces && total(image, mine) == pieces);
}

void heat(Image& image) {
  report(image, "heat", total(image, global_array::wrong_cells_of_heat(image)) == 0);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("A small global address space on endpoints: one per image.");
  int images = 4;
  app.add_option("--images", images, "images in each process")->check(CLI::Range(1, 256));
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& answer) {
    return app.exit(answer);
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "global_array: %s (--help says how it is used).\n", error.what());
    return 2;
  }

  const ep::Environment environment;
  const ep::Comm processes = ep::Comm::from_mpi(MPI_COMM_WORLD);
  global_array::run(processes, images, [](Image& image) {
    histogram(image);
    transpose(image);
    queue(image);
    heat(image);
  });
  return 0;
}
