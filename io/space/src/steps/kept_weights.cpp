// Weights from and to files. The leader reads or writes; rows go to and from the clients through
// homes, each of which keeps a block of targets, so that memory stays bounded.
#include "steps/kept_weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <ep/agree.hpp>
#include <functional>
#include <numbers>
#include <numeric>
#include <utility>

#include "config/elementary.hpp"
#include "config/error.hpp"
#include "config/failure_text.hpp"
#include "grid/index.hpp"
#include "space/directory.hpp"
#include "sphere/sphere_points.hpp"

namespace epios::io {

namespace {

constexpr int leader = 0;
constexpr std::int64_t least_share = 1 << 18;  ///< entries that are worth a reader of their own
constexpr std::int64_t block = 1 << 20;        ///< entries that are on their way at a time

/// All clients do it, or some of them; a failure of one is that of all.
void together(const ep::Comm& clients, const std::function<void()>& action) {
  std::optional<ep::Failure> own;
  try {
    action();
  } catch (const Error& error) {
    own = ep::Failure{static_cast<int>(error.code()), error.what()};
  } catch (const std::exception& error) {
    own = ep::Failure{static_cast<int>(failure_code(error)), failure_text(error)};
  }
  const ep::Agreement all = ep::agree(clients, own);
  if (!all) throw Error(static_cast<ErrorCode>(all.failure.code), all.failure.text);
}

/// Broadcasts what the leader has found.
template <class T>
T from_leader(const ep::Comm& clients, T value) {
  ep::check(EP_Bcast(&value, static_cast<int>(sizeof value), MPI_BYTE, leader, clients.get()));
  return value;
}

/// An entry of a row.
struct Entry {
  std::int64_t target = 0, source = 0;
  double weight = 0, first = 0;
};
constexpr std::int64_t entry_words = 4;

void add(std::vector<std::int64_t>& list, const Entry& entry) {
  list.insert(list.end(), {entry.target, entry.source, std::bit_cast<std::int64_t>(entry.weight),
                           std::bit_cast<std::int64_t>(entry.first)});
}

void take(const std::vector<std::int64_t>& list, std::vector<Entry>& out) {
  for (std::size_t k = 0; k < list.size(); k += entry_words) {
    out.push_back({list[k], list[k + 1], std::bit_cast<double>(list[k + 2]),
                   std::bit_cast<double>(list[k + 3])});
  }
}

/// The clients that keep the row of a target on its way.
class Homes {
 public:
  Homes(std::int64_t targets, const ep::Comm& clients)
      : share_(std::max<std::int64_t>(1, (targets + clients.size() - 1) / clients.size())) {}
  std::size_t of(std::int64_t target) const { return as_index(target / share_); }

 private:
  std::int64_t share_;
};

/// Rows of ascending targets, each with an entry.
Weights rows_of(std::span<const Entry> entries, bool has_first) {
  Weights rows;
  rows.offsets.push_back(0);
  for (const Entry& entry : entries) {
    if (rows.target.empty() || rows.target.back() != entry.target) {
      rows.target.push_back(entry.target);
      rows.offsets.push_back(rows.offsets.back());
    }
    ++rows.offsets.back();
    rows.source.push_back(entry.source);
    rows.weight.push_back(entry.weight);
    if (has_first) rows.first_order.push_back(entry.first);
  }
  return rows;
}

std::string place_text(const Vector& v) {
  constexpr double degrees = 180 / std::numbers::pi;
  return fmt::format("{:.4g} degrees east, {:.4g} north", config::arc_tangent(v.y, v.x) * degrees,
                     config::arc_tangent(v.z, std::hypot(v.x, v.y)) * degrees);
}

constexpr const char* make_anew = "Is it of other grids? mode=\"compute\" makes new ones";

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw Error(ErrorCode::io,
              fmt::format("file '{}' has weights of other grids ({}). {}.", path, why, make_anew));
}

Vector place_of(const GridSketch::Look& look) { return {look.x, look.y, look.z}; }

/// Single precision of degrees moves each corner by less.
constexpr double displacement = 1e-5;

void compare_looks(const std::string& path, const char* grid, std::int64_t size,
                   const GridSketch& there, const GridSketch& here) {
  for (std::size_t k = 0; k < GridSketch::looks; ++k) {
    const Vector a = place_of(there.some.at(k));
    const Vector b = place_of(here.some.at(k));
    if (!(length(a - b) > displacement)) continue;
    refuse(path, fmt::format("cell {} of its {} lies at {}, here at {}", GridSketch::cell(size, k),
                             grid, place_text(a), place_text(b)));
  }
}

/// Two grids of one size.
void compare(const std::string& path, const char* grid, std::int64_t size, const GridSketch& there,
             const GridSketch& here) {
  compare_looks(path, grid, size, there, here);
  if (there.counted != here.counted) {
    refuse(path, fmt::format("of its {} {:.0f} of {} cells count, here {:.0f}", grid, there.counted,
                             size, here.counted));
  }
  const auto cells = static_cast<double>(size);
  if (std::abs(there.mask - here.mask) > 1e-9 * cells) {
    refuse(path, fmt::format("of its {} {:.0f} of {} cells count, here as many, but others", grid,
                             there.counted, size));
  }
  const Vector off{there.x - here.x, there.y - here.y, there.z - here.z};
  // The sum of so many displacements with factors of either sign.
  const double allowed = displacement * std::sqrt(cells);
  if (!(length(off) > allowed)) return;
  refuse(path, fmt::format("some of the {} cells of its {} lie elsewhere: sums of places differ by "
                           "{:.2g}, the rounding of places by {:.2g}",
                           size, grid, length(off), allowed));
}

/// Compares the centres of files without sketch.
void compare_centres(const OpenWeights& file, const std::string& path, bool is_source,
                     std::int64_t size, const GridSketch& here) {
  for (std::size_t k = 0; k < GridSketch::looks; ++k) {
    const GridSketch::Look& look = here.some.at(k);
    const auto centre = file.centre(is_source, GridSketch::cell(size, k));
    if (!centre || !std::isfinite(look.radius) || !std::isfinite(centre->lon)) continue;
    const Vector there = point_at(centre->lon, centre->lat);
    const Vector place = place_of(look);
    // A centre may be anywhere in its cell.
    if (length(there - place) <= 2 * look.radius + displacement) continue;
    refuse(path, fmt::format("cell {} of its {} lies at {}, here at {}", GridSketch::cell(size, k),
                             is_source ? "source grid" : "target grid", place_text(there),
                             place_text(place)));
  }
}

void compare(const OpenWeights& file, const WeightsQuestion& question,
             const WeightsIdentity& wanted) {
  const WeightsIdentity there = file.identity();
  if (!there.recipe.empty() && !wanted.recipe.empty() && there.recipe != wanted.recipe) {
    throw Error(ErrorCode::io,
                fmt::format("file '{}' has other weights ({} there, {} here). Take another file, "
                            "or mode=\"compute\".",
                            question.path, there.recipe, wanted.recipe));
  }
  const auto each = [&](bool is_source, std::int64_t size, const auto& known, const auto& here) {
    if (!here || size <= 0) return;
    const char* const grid = is_source ? "source grid" : "target grid";
    if (known) compare(question.path, grid, size, *known, *here);
    if (!known) compare_centres(file, question.path, is_source, size, *here);
  };
  each(true, question.source_cells, there.source, wanted.source);
  each(false, question.target_cells, there.target, wanted.target);
}

/// The leader's findings about a file.
struct Seen {
  std::int64_t count = 0;
  bool has_first = false;
  bool has_recipe = false;
  bool leaves_gradients_out = false;
};

/// Reads this client's share, block by block, and hands it to the homes of the targets.
std::vector<Entry> dealt_entries(WeightsFiles& files, const WeightsQuestion& question,
                                 const Seen& seen, const Homes& homes, const ep::Comm& clients) {
  const std::int64_t readers =
      std::clamp<std::int64_t>((seen.count + least_share - 1) / least_share, 1, clients.size());
  const std::int64_t rank = clients.rank();
  const std::int64_t begin = rank < readers ? seen.count * rank / readers : 0;
  const std::int64_t end = rank < readers ? seen.count * (rank + 1) / readers : 0;
  const std::int64_t rounds = ((seen.count + readers - 1) / readers + block - 1) / block;
  std::unique_ptr<OpenWeights> file;
  std::vector<Entry> kept;
  for (std::int64_t round = 0; round < rounds; ++round) {
    std::vector<std::vector<std::int64_t>> lists(as_index(clients.size()));
    together(clients, [&] {
      const std::int64_t first = begin + round * block;
      if (first >= end) return;
      if (!file) file = files.open(question);
      const WeightLinks links = file->read(first, std::min(block, end - first));
      for (std::size_t k = 0; k < links.source.size(); ++k) {
        const double weight = links.weight[k];
        const double own = links.first_order.empty() ? weight : links.first_order[k];
        if (weight == 0 && own == 0) continue;
        add(lists[homes.of(links.target[k])], {links.target[k], links.source[k], weight, own});
      }
    });
    for (const auto& list : exchange_lists(clients, lists)) take(list, kept);
  }
  return kept;
}

/// By target and source, each once; what is there twice adds up in an order of its own.
void put_in_order(std::vector<Entry>& entries) {
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    if (a.target != b.target) return a.target < b.target;
    if (a.source != b.source) return a.source < b.source;
    return a.weight != b.weight ? a.weight < b.weight : a.first < b.first;
  });
  std::size_t end = 0;
  for (const Entry& entry : entries) {
    Entry* const last = end > 0 ? &entries[end - 1] : nullptr;
    if (last != nullptr && last->target == entry.target && last->source == entry.source) {
      last->weight += entry.weight;
      last->first += entry.first;
    } else {
      entries[end++] = entry;
    }
  }
  entries.resize(end);
}

/// Homes are asked for the rows of targets.
Weights fetched_rows(const std::vector<Entry>& kept, bool has_first,
                     std::span<const std::int64_t> targets, const Homes& homes,
                     const ep::Comm& clients) {
  std::vector<std::vector<std::int64_t>> lists(as_index(clients.size()));
  for (const std::int64_t target : targets) lists[homes.of(target)].push_back(target);
  lists = exchange_lists(clients, lists);
  for (auto& list : lists) {
    const std::vector<std::int64_t> wanted = std::exchange(list, {});
    auto from = kept.begin();
    for (const std::int64_t target : wanted) {  // ascending
      from = std::lower_bound(from, kept.end(), target,
                              [](const Entry& entry, std::int64_t t) { return entry.target < t; });
      for (; from != kept.end() && from->target == target; ++from) add(list, *from);
    }
  }
  std::vector<Entry> mine;
  for (const auto& list : exchange_lists(clients, lists)) take(list, mine);
  const Weights some = rows_of(mine, has_first);
  Weights rows;
  rows.target.assign(targets.begin(), targets.end());
  rows.offsets.assign(1, 0);
  std::size_t next = 0;
  for (const std::int64_t target : targets) {
    const bool is_there = next < some.target.size() && some.target[next] == target;
    if (is_there) ++next;
    rows.offsets.push_back(some.offsets[next]);
  }
  rows.source = some.source;
  rows.weight = some.weight;
  rows.first_order = some.first_order;
  return rows;
}

/// A list of XIOS that counts from 1 has no cell 0.
bool may_count_from_one(const std::vector<Entry>& kept, const ep::Comm& clients) {
  std::array<std::int64_t, 2> own{1, 1};
  for (const Entry& entry : kept) {
    own[0] = std::min(own[0], entry.source);
    own[1] = std::min(own[1], entry.target);
  }
  std::array<std::int64_t, 2> least{};
  ep::check(EP_Allreduce(own.data(), least.data(), 2, MPI_INT64_T, MPI_MIN, clients.get()));
  return least[0] > 0 && least[1] > 0;
}

}  // namespace

bool is_there(WeightsFiles& files, const std::string& path, const ep::Comm& clients) {
  const bool is_so = clients.rank() == leader && files.is_there(path);
  return from_leader(clients, static_cast<int>(is_so)) != 0;
}

Weights read_rows(WeightsFiles& files, const WeightsQuestion& question,
                  const WeightsIdentity& wanted, std::span<const std::int64_t> targets,
                  const ep::Comm& clients, std::vector<std::string>& remarks) {
  Seen seen;
  together(clients, [&] {
    if (clients.rank() != leader) return;
    const std::unique_ptr<OpenWeights> file = files.open(question);
    compare(*file, question, wanted);
    seen = {file->count(), file->has_first_order(), !file->identity().recipe.empty(),
            file->leaves_gradients_out()};
  });
  seen = from_leader(clients, seen);
  if (seen.leaves_gradients_out) {
    remarks.push_back(
        fmt::format("file '{}' has weights of second order as SCRIP has them, with gradients that "
                    "nobody works out here: those of first order are taken",
                    question.path));
  }
  const Homes homes(question.target_cells, clients);
  std::vector<Entry> kept = dealt_entries(files, question, seen, homes, clients);
  put_in_order(kept);
  if (question.base == WeightsBase::zero && !seen.has_recipe && seen.count > 0 &&
      may_count_from_one(kept, clients)) {
    remarks.push_back(
        fmt::format("file '{}' has no weight of cell 0 of either grid: does it count "
                    "from 1 (read_write_convention=\"fortran\")?",
                    question.path));
  }
  return fetched_rows(kept, seen.has_first, targets, homes, clients);
}

namespace {

/// The rows that this client keeps as a home: of several clients those of the lowest rank.
std::vector<Entry> kept_rows(const Weights& rows, const Homes& homes, const ep::Comm& clients) {
  std::vector<std::vector<std::int64_t>> lists(as_index(clients.size()));
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    auto& list = lists[homes.of(rows.target[r])];
    for (std::size_t k = as_index(rows.offsets[r]); k < as_index(rows.offsets[r + 1]); ++k) {
      add(list, {rows.target[r], rows.source[k], rows.weight[k],
                 rows.first_order.empty() ? rows.weight[k] : rows.first_order[k]});
    }
  }
  std::vector<Entry> entries;
  std::vector<int> from;
  lists = exchange_lists(clients, lists);
  for (std::size_t r = 0; r < lists.size(); ++r) {
    take(lists[r], entries);
    from.resize(entries.size(), static_cast<int>(r));
  }
  std::vector<std::size_t> order(entries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return entries[a].target < entries[b].target;
  });
  std::vector<Entry> out;
  int owner = 0;
  for (const std::size_t k : order) {
    if (out.empty() || out.back().target != entries[k].target) owner = from[k];
    if (from[k] == owner) out.push_back(entries[k]);
  }
  return out;
}

/// Returns what a home sends to the leader at a time.
std::span<const Entry> piece_of(const std::vector<Entry>& kept, std::int64_t piece) {
  const std::size_t first = std::min(kept.size(), as_index(piece * block));
  return std::span(kept).subspan(first, std::min(kept.size() - first, as_index(block)));
}

}  // namespace

void write_rows(WeightsFiles& files, const WeightsQuestion& what, const WeightsIdentity& identity,
                const Weights& rows, const ep::Comm& clients) {
  const Homes homes(what.target_cells, clients);
  const std::vector<Entry> kept = kept_rows(rows, homes, clients);
  const auto own = static_cast<std::int64_t>(kept.size());
  std::vector<std::int64_t> counts(as_index(clients.size()));
  ep::check(EP_Allgather(&own, 1, MPI_INT64_T, counts.data(), 1, MPI_INT64_T, clients.get()));
  std::array<std::int64_t, 2> has{rows.first_order.empty() ? 0 : 1, 0};
  ep::check(EP_Allreduce(has.data(), has.data() + 1, 1, MPI_INT64_T, MPI_MAX, clients.get()));
  const bool has_first = has[1] != 0;
  const bool is_leader = clients.rank() == leader;
  std::unique_ptr<NewWeights> file;
  together(clients, [&] {
    if (!is_leader) return;
    file = files.create(what, std::accumulate(counts.begin(), counts.end(), std::int64_t{0}),
                        has_first, identity);
  });
  // One after the other, each piece when the leader has written the one before.
  const ep::Comm comm = clients.dup();
  constexpr int tag = 1;
  for (int rank = 0; rank < clients.size(); ++rank) {
    const std::int64_t pieces = (counts[as_index(rank)] + block - 1) / block;
    for (std::int64_t piece = 0; piece < pieces; ++piece) {
      together(clients, [&] {
        const bool is_mine = rank == clients.rank();
        if (is_mine && !is_leader) {
          ep::send(comm, std::as_bytes(piece_of(kept, piece)), leader, tag);
        }
        if (!is_leader) return;
        if (is_mine) return file->append(rows_of(piece_of(kept, piece), has_first));
        const ep::Received come = ep::receive(comm, rank, tag);
        std::vector<Entry> entries(come.bytes.size() / sizeof(Entry));
        std::memcpy(entries.data(), come.bytes.data(), entries.size() * sizeof(Entry));
        file->append(rows_of(entries, has_first));
      });
    }
  }
  together(clients, [&] {
    if (is_leader) file->publish();
  });
}

}  // namespace epios::io
