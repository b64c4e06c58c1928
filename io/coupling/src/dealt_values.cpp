#include "coupling/dealt_values.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <ep/ep.hpp>
#include <limits>

#include "space/directory.hpp"

namespace epios::io {
namespace {

using Lists = std::vector<std::vector<std::int64_t>>;

std::size_t owner_of(const Dealing& dealing, std::int64_t point) {
  return static_cast<std::size_t>(point / dealing.share());
}

}  // namespace

std::int64_t Dealing::begin(int rank) const { return std::min(size, share() * rank); }

// Values travel beside the numbers of their points: as integers of the same bits.
std::vector<double> deal(const ep::Comm& comm, std::int64_t size, std::int64_t width,
                         std::span<const std::int64_t> points, std::span<const double> values) {
  const Dealing dealing{size, comm.size()};
  const auto w = static_cast<std::size_t>(width);
  Lists to(static_cast<std::size_t>(comm.size()));
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (points[k] < 0 || points[k] >= size) continue;
    std::vector<std::int64_t>& list = to[owner_of(dealing, points[k])];
    list.push_back(points[k]);
    for (const double value : values.subspan(k * w, w)) {
      list.push_back(std::bit_cast<std::int64_t>(value));
    }
  }
  const std::int64_t first = dealing.begin(comm.rank());
  const std::int64_t count = dealing.end(comm.rank()) - first;
  std::vector<double> out(static_cast<std::size_t>(count * width),
                          std::numeric_limits<double>::quiet_NaN());
  const Lists from = exchange_lists(comm, to);
  for (std::size_t r = from.size();
       r-- > 0;) {  // among several, the value of the lowest rank stays
    for (std::size_t k = 0; k + w < from[r].size(); k += w + 1) {
      const auto place = static_cast<std::size_t>((from[r][k] - first) * width);
      for (std::size_t v = 0; v < w; ++v)
        out[place + v] = std::bit_cast<double>(from[r][k + 1 + v]);
    }
  }
  return out;
}

std::vector<double> look_up(const ep::Comm& comm, std::int64_t size, std::int64_t width,
                            std::span<const double> stretch, std::span<const std::int64_t> points) {
  const Dealing dealing{size, comm.size()};
  const auto w = static_cast<std::size_t>(width);
  const auto ranks = static_cast<std::size_t>(comm.size());
  Lists questions(ranks);
  std::vector<std::vector<std::size_t>> places(ranks);
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (points[k] < 0 || points[k] >= size) continue;
    const std::size_t owner = owner_of(dealing, points[k]);
    questions[owner].push_back(points[k]);
    places[owner].push_back(k);
  }
  const std::int64_t first = dealing.begin(comm.rank());
  Lists answers;
  for (const auto& asked : exchange_lists(comm, questions)) {
    std::vector<std::int64_t>& answer = answers.emplace_back();
    for (const std::int64_t point : asked) {
      const auto place = static_cast<std::size_t>((point - first) * width);
      for (const double value : stretch.subspan(place, w)) {
        answer.push_back(std::bit_cast<std::int64_t>(value));
      }
    }
  }
  std::vector<double> out(points.size() * w, std::numeric_limits<double>::quiet_NaN());
  const Lists got = exchange_lists(comm, answers);
  for (std::size_t r = 0; r < ranks; ++r) {
    for (std::size_t k = 0; k < places[r].size(); ++k) {
      for (std::size_t v = 0; v < w; ++v) {
        out[places[r][k] * w + v] = std::bit_cast<double>(got[r][k * w + v]);
      }
    }
  }
  return out;
}

}  // namespace epios::io
