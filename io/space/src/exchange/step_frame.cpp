// Splits a grid into the element that a step changes and all others, and finds the points of this
// client in both. Masks are compared among clients that have the same points.
#include "exchange/step_frame.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>

#include "config/index.hpp"
#include "config/model.hpp"
#include "exchange/whole_lines.hpp"
#include "grid/layout.hpp"
#include "space/directory.hpp"

namespace epios::io {

namespace {

std::int64_t count_of(const Extents& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

/// Elements [first, end) of a grid, the first one fastest.
Level level_of(const config::Model& model, const LocalParts& parts, int grid, std::size_t first,
               std::size_t end) {
  Level level{{0}, {0}, 1, 1};
  const auto& elements = nth(model.grids, grid).elements;
  for (std::size_t e = first; e < end; ++e) {
    const Points points = points_of(parts.data(elements[e]));
    Level next{{},
               {},
               level.all * count_of(element_shape(model, elements[e])),
               level.array * parts.data(elements[e]).places()};
    for (std::size_t p = 0; p < points.keys.size(); ++p) {
      for (std::size_t k = 0; k < level.points.size(); ++k) {
        next.points.push_back(points.keys[p] * level.all + level.points[k]);
        next.places.push_back(points.places[p] * level.array + level.places[k]);
      }
    }
    level = std::move(next);
  }
  return level;
}

constexpr std::uint64_t begin_of_hash = 0xCBF29CE484222325U;
constexpr std::uint64_t hash_factor = 0x100000001B3U;

template <class Values>
std::uint64_t hash_of(const Values& values, std::uint64_t hash) {
  for (const auto value : values) {
    hash = (hash ^ static_cast<std::uint64_t>(value)) * hash_factor;
    hash ^= hash >> 29U;
  }
  return hash;
}

/// Returns true if all ranks that have something have the same.
bool are_same(const ep::Comm& comm, std::uint64_t hash, bool has_any) {
  constexpr std::uint64_t none = ~std::uint64_t{0};
  const std::array<std::uint64_t, 2> own{has_any ? hash : none, has_any ? ~hash : none};
  std::array<std::uint64_t, 2> least{};
  ep::check(EP_Allreduce(own.data(), least.data(), 2, MPI_UINT64_T, MPI_MIN, comm.get()));
  return least[0] == none || least[0] == ~least[1];
}

/// All points of the elements that do not change, as numbers.
std::vector<std::int64_t> points_of_levels(const Frame& frame) {
  std::vector<std::int64_t> out;
  out.reserve(frame.levels());
  for (const std::int64_t behind : frame.behind.points) {
    for (const std::int64_t before : frame.before.points) {
      out.push_back(behind * frame.before.all + before);
    }
  }
  return out;
}

/// Clients with the same levels, by the lowest of them. Nothing when levels overlap in part.
ep::Comm split_by_levels(const ep::Comm& clients, const Frame& frame, std::uint64_t hash) {
  const std::vector<std::int64_t> points = points_of_levels(frame);
  // The rank that has the first of them must have all of them; it is asked.
  const Directory directory(clients, frame.before.all * frame.behind.all, points);
  const std::vector<int> lowest = directory.lowest(points);
  const bool is_one =
      std::adjacent_find(lowest.begin(), lowest.end(), std::not_equal_to<>()) == lowest.end();
  const int leader = lowest.empty() ? clients.rank() : lowest.front();
  // Contents of the leaders are compared by hash.
  std::vector<std::vector<std::int64_t>> questions(static_cast<std::size_t>(clients.size()));
  nth(questions, leader).push_back(static_cast<std::int64_t>(hash));
  bool is_same = is_one;
  for (const auto& list : exchange_lists(clients, questions)) {
    for (const std::int64_t other : list) {
      is_same = is_same && static_cast<std::uint64_t>(other) == hash;
    }
  }
  if (on_any(clients, !is_same)) return {};
  return clients.split(leader, clients.rank());
}

/// At which levels a point has a value, by its place along the element that changes.
struct Column {
  bool is_empty = true;
  std::uint64_t hash = begin_of_hash;
};
Column column_at(const Frame& frame, const std::vector<std::uint64_t>& has_value,
                 std::int64_t point) {
  Column out;
  for (const std::int64_t behind : frame.behind.places) {
    for (const std::int64_t before : frame.before.places) {
      const std::int64_t place =
          before + frame.before.array * (point + frame.source_array * behind);
      const auto at = static_cast<std::size_t>(place);
      const bool has_one = (has_value[at / 64] >> (at % 64) & 1U) != 0;
      out.is_empty = out.is_empty && !has_one;
      out.hash = (out.hash ^ (has_one ? 1U : 2U)) * hash_factor;
      out.hash ^= out.hash >> 29U;
    }
  }
  return out;
}

/// Settles points that several clients have: a client that masks one at all levels leaves it to the
/// others. Returns true if these mask different levels of a point. Collective.
bool settle_masks(const ep::Comm& comm, const std::vector<std::uint64_t>& has_value, Frame& frame) {
  struct Repeated {
    std::size_t number = 0;  ///< among the sources
    int lowest = 0;
    Column column{};
  };
  std::vector<Repeated> repeated;
  Points& sources = frame.sources;
  std::vector<std::int64_t> valued;
  std::vector<std::int64_t> empty;
  for (const Directory::Stretch& stretch :
       Directory(comm, frame.source_points, sources.keys).repeated()) {
    auto key = std::lower_bound(sources.keys.begin(), sources.keys.end(), stretch.first);
    for (; key != sources.keys.end() && *key < stretch.end; ++key) {
      const auto number = static_cast<std::size_t>(key - sources.keys.begin());
      const Column column = column_at(frame, has_value, sources.places[number]);
      (column.is_empty ? empty : valued).push_back(*key);
      repeated.push_back({number, stretch.lowest, column});
    }
  }
  std::vector<int> others(empty.size(), -1);
  if (on_any(comm, !empty.empty())) {
    others = Directory(comm, frame.source_points, valued).lowest(empty);
  }
  // The rank that a stretch names compares what is left of them.
  std::vector<std::vector<std::int64_t>> told(static_cast<std::size_t>(comm.size()));
  std::vector<bool> is_left(sources.keys.size(), true);
  std::size_t e = 0;
  for (const Repeated& point : repeated) {
    const std::int64_t key = sources.keys[point.number];
    if (point.column.is_empty && others[e++] >= 0) {
      is_left[point.number] = false;
      continue;
    }
    auto& list = nth(told, point.lowest);
    list.insert(list.end(), {key, static_cast<std::int64_t>(point.column.hash)});
  }
  Points left;
  for (std::size_t k = 0; k < sources.keys.size(); ++k) {
    if (!is_left[k]) continue;
    left.keys.push_back(sources.keys[k]);
    left.places.push_back(sources.places[k]);
  }
  sources = std::move(left);
  std::map<std::int64_t, std::int64_t> known;  // hashes
  bool is_different = false;
  for (const auto& list : exchange_lists(comm, told)) {
    for (std::size_t k = 0; k < list.size(); k += 2) {
      is_different =
          known.emplace(list[k], list[k + 1]).first->second != list[k + 1] || is_different;
    }
  }
  return is_different;
}

}  // namespace

Points points_of(const Part& part) {
  Points out;
  for (const PartRun& run : part.runs()) {
    for (std::int64_t k = 0; k < run.count; ++k) {
      out.keys.push_back(run.global + k);
      out.places.push_back(run.place + k);
    }
  }
  return out;
}

StepFrame frame_of(const config::Model& model, const LocalParts& parts,
                   const config::SpatialStep& step, const ep::Comm& clients, Scope scope) {
  StepFrame out;
  Frame& frame = out.frame;
  const config::Grid& from = model.grids[step.from];
  frame.before = level_of(model, parts, step.from, 0, step.position);
  frame.behind = level_of(model, parts, step.from, step.position + 1, from.elements.size());
  frame.source_array = parts.data(step.source).places();
  frame.target_array = parts.data(step.target).places();
  frame.source_points = count_of(element_shape(model, step.source));
  frame.target_points = count_of(element_shape(model, step.target));
  frame.sources = points_of(parts.data(step.source));
  std::vector<std::uint64_t> has_value;
  if (from.mask) {
    has_value = places_with_values(model, parts, step.from);
    const std::int64_t size = frame.before.array * frame.source_array * frame.behind.array;
    for (std::int64_t place = 0; place < size; ++place) {
      const auto at = static_cast<std::size_t>(place);
      if ((has_value[at / 64] >> (at % 64) & 1U) == 0) out.masked.push_back(place);
    }
  }
  if (scope == Scope::client) return out;
  const bool has_levels = frame.levels() > 0;
  const bool has_mask = on_any(clients, from.mask.has_value());
  const std::uint64_t sources = hash_of(frame.sources.keys, begin_of_hash);
  const bool has_each_all = scope == Scope::points && are_same(clients, sources, has_levels);
  const std::uint64_t levels =
      hash_of(frame.behind.points, hash_of(frame.before.points, begin_of_hash));
  if (has_mask && has_value.empty()) has_value = places_with_values(model, parts, step.from);
  if (has_each_all) {
    // Also of the mask, point by point: arrays may have them in different orders.
    std::uint64_t own = levels;
    for (const std::int64_t place : frame.sources.places) {
      if (has_mask) own = hash_of(std::array{column_at(frame, has_value, place).hash}, own);
    }
    if (!has_mask || are_same(clients, own, has_levels)) return out;
  }
  out.reach = Reach::all;
  out.comm =
      are_same(clients, levels, true) ? clients.dup() : split_by_levels(clients, frame, levels);
  bool is_doubtful = !out.comm;
  if (out.comm && has_mask && scope == Scope::points) {
    is_doubtful = on_any(clients, settle_masks(out.comm, has_value, frame));
  }
  if (is_doubtful) {
    out.reach = Reach::by_point;
    out.comm = clients.dup();
  }
  return out;
}

Frame spread(const Frame& element, const std::vector<std::int64_t>& masked) {
  Frame out;
  const std::int64_t before = element.before.array;
  out.source_array = before * element.source_array * element.behind.array;
  out.target_array = before * element.target_array * element.behind.array;
  out.source_points = element.before.all * element.source_points * element.behind.all;
  out.target_points = element.before.all * element.target_points * element.behind.all;
  out.before = out.behind = {{0}, {0}, 1, 1};
  for (std::size_t b = 0; b < element.behind.points.size(); ++b) {
    for (std::size_t s = 0; s < element.sources.keys.size(); ++s) {
      for (std::size_t a = 0; a < element.before.points.size(); ++a) {
        const std::int64_t place =
            element.before.places[a] +
            before * (element.sources.places[s] + element.source_array * element.behind.places[b]);
        if (std::binary_search(masked.begin(), masked.end(), place)) continue;
        out.sources.keys.push_back(
            element.before.points[a] +
            element.before.all *
                (element.sources.keys[s] + element.source_points * element.behind.points[b]));
        out.sources.places.push_back(place);
      }
    }
  }
  return out;
}

Stencils spread(const Stencils& stencils, const Frame& element) {
  Stencils out;
  const std::int64_t before = element.before.array;
  for (std::size_t b = 0; b < element.behind.points.size(); ++b) {
    for (std::size_t t = 0; t < stencils.targets.keys.size(); ++t) {
      for (std::size_t a = 0; a < element.before.points.size(); ++a) {
        out.targets.keys.push_back(
            element.before.points[a] +
            element.before.all *
                (stencils.targets.keys[t] + element.target_points * element.behind.points[b]));
        out.targets.places.push_back(element.before.places[a] +
                                     before * (stencils.targets.places[t] +
                                               element.target_array * element.behind.places[b]));
        for (std::int64_t e = stencils.begin[t]; e < stencils.begin[t + 1]; ++e) {
          const auto at = static_cast<std::size_t>(e);
          out.sources.push_back(
              element.before.points[a] +
              element.before.all *
                  (stencils.sources[at] + element.source_points * element.behind.points[b]));
          if (!stencils.weights.empty()) out.weights.push_back(stencils.weights[at]);
          if (!stencils.first_order.empty()) out.first_order.push_back(stencils.first_order[at]);
        }
        out.close_target();
      }
    }
  }
  return out;
}

}  // namespace epios::io
