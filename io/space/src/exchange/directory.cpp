// A distributed table of which rank has which number. Each rank keeps a share of the numbers;
// questions go to the rank of their share and the answers come back.
#include "space/directory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ep/ep.hpp>
#include <limits>
#include <numeric>
#include <set>
#include <tuple>

#include "config/error.hpp"
#include "config/index.hpp"

namespace epios::io {

namespace {

std::vector<int> offsets_of(const std::vector<int>& counts) {
  std::vector<int> out(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), out.begin(), 0);
  return out;
}

constexpr std::int64_t most = std::numeric_limits<int>::max();

/// Encoding of a branch of a tree in one number.
constexpr std::int64_t alone = -2;
constexpr std::int64_t ranks_end = std::int64_t{1} << 32U;

}  // namespace

std::vector<std::vector<std::int64_t>> exchange_lists(
    const ep::Comm& comm, const std::vector<std::vector<std::int64_t>>& to) {
  const std::size_t ranks = to.size();
  std::vector<std::int64_t> sizes(ranks);
  std::vector<std::int64_t> sizes_in(ranks);
  std::vector<std::int64_t> out;
  for (std::size_t r = 0; r < ranks; ++r) {
    sizes[r] = static_cast<std::int64_t>(to[r].size());
    out.insert(out.end(), to[r].begin(), to[r].end());
  }
  ep::check(EP_Alltoall(sizes.data(), 1, MPI_INT64_T, sizes_in.data(), 1, MPI_INT64_T, comm.get()));
  const std::int64_t count = std::accumulate(sizes_in.begin(), sizes_in.end(), std::int64_t{0});
  const std::int64_t own = std::max(count, static_cast<std::int64_t>(out.size()));
  std::int64_t largest = 0;
  ep::check(EP_Allreduce(&own, &largest, 1, MPI_INT64_T, MPI_MAX, comm.get()));
  if (largest > most) {
    throw Error(
        ErrorCode::argument,
        fmt::format("a client has {} points for others (a message counts {}). Can more processes "
                    "share them?",
                    largest, most));
  }
  const std::vector<int> sent(sizes.begin(), sizes.end());
  const std::vector<int> received(sizes_in.begin(), sizes_in.end());
  const std::vector<int> from_out = offsets_of(sent);
  const std::vector<int> from_in = offsets_of(received);
  std::vector<std::int64_t> in(static_cast<std::size_t>(count));
  ep::check(EP_Alltoallv(out.data(), sent.data(), from_out.data(), MPI_INT64_T, in.data(),
                         received.data(), from_in.data(), MPI_INT64_T, comm.get()));
  std::vector<std::vector<std::int64_t>> lists(ranks);
  for (std::size_t r = 0; r < ranks; ++r) {
    const auto first = in.begin() + from_in[r];
    lists[r].assign(first, first + received[r]);
  }
  return lists;
}

Directory::Directory(const ep::Comm& comm, std::int64_t size, std::span<const std::int64_t> keys)
    : comm_(comm) {
  const int ranks = comm.size();
  share_ = std::max<std::int64_t>(1, (size + ranks - 1) / ranks);
  // Runs: first key and length.
  std::vector<std::vector<std::int64_t>> runs(static_cast<std::size_t>(ranks));
  for (std::size_t k = 0; k < keys.size();) {
    const int to = home(keys[k]);
    std::size_t end = k + 1;
    while (end < keys.size() && keys[end] == keys[end - 1] + 1 && home(keys[end]) == to) ++end;
    auto& list = nth(runs, to);
    list.push_back(keys[k]);
    list.push_back(static_cast<std::int64_t>(end - k));
    k = end;
  }
  const auto lists = exchange_lists(comm, runs);
  for (std::size_t r = 0; r < lists.size(); ++r) {
    for (std::size_t k = 0; k < lists[r].size(); k += 2) {
      const std::int64_t first = lists[r][k];
      runs_.push_back({first, first + lists[r][k + 1], static_cast<int>(r)});
    }
  }
  std::sort(runs_.begin(), runs_.end(), [](const Run& a, const Run& b) {
    return a.first != b.first ? a.first < b.first : a.rank < b.rank;
  });
}

const std::vector<Directory::Holder>& Directory::holders() const {
  if (!holders_.empty()) return holders_;
  for (const Run& run : runs_) {
    for (std::int64_t key = run.first; key < run.end; ++key) holders_.emplace_back(key, run.rank);
  }
  if (!std::is_sorted(holders_.begin(), holders_.end())) {
    std::sort(holders_.begin(), holders_.end());
  }
  return holders_;
}

template <class Answer>
std::vector<std::int64_t> Directory::ask(std::span<const std::int64_t> wanted,
                                         const Answer& answer) const {
  const auto ranks = static_cast<std::size_t>(comm_.size());
  std::vector<std::vector<std::int64_t>> questions(ranks);
  for (const std::int64_t key : wanted) {
    nth(questions, home(key)).push_back(key);
  }
  std::vector<std::vector<std::int64_t>> lists = exchange_lists(comm_, questions);
  const bool is_asked =
      std::any_of(lists.begin(), lists.end(), [](const auto& list) { return !list.empty(); });
  const std::vector<Holder> none;
  const std::vector<Holder>& holders = is_asked ? this->holders() : none;
  for (std::size_t asker = 0; asker < ranks; ++asker) {
    auto at = holders.begin();
    for (std::int64_t& key : lists[asker]) {
      at = std::lower_bound(at, holders.end(), Holder(key, 0));
      auto end = at;
      while (end != holders.end() && end->first == key) ++end;
      key = at == end ? -1 : answer(std::span(at, end), static_cast<int>(asker));
    }
  }
  std::vector<std::int64_t> out;
  out.reserve(wanted.size());
  for (const auto& list : exchange_lists(comm_, lists)) {
    out.insert(out.end(), list.begin(), list.end());
  }
  return out;
}

std::vector<int> Directory::lowest(std::span<const std::int64_t> wanted) const {
  const auto found = ask(wanted, [](std::span<const Holder> holders, int /*asker*/) {
    return std::int64_t{holders.front().second};
  });
  return {found.begin(), found.end()};
}

std::vector<Directory::Branch> Directory::tree(std::span<const std::int64_t> keys,
                                               std::int64_t salt) const {
  const auto found = ask(keys, [salt](std::span<const Holder> holders, int asker) {
    const auto count = static_cast<std::int64_t>(holders.size());
    if (count == 1) return alone;
    const std::int64_t key = holders.front().first;
    const auto own = std::lower_bound(holders.begin(), holders.end(), Holder(key, asker));
    const std::int64_t first = (key + salt) % count;
    std::int64_t number = ((own - holders.begin()) - first + count) % count;
    if (number == 0) return std::int64_t{-1};
    const std::int64_t parent = (number - 1) / branches;
    std::int64_t depth = 0;
    for (; number > 0; number = (number - 1) / branches) ++depth;
    const int rank = nth(holders, (first + parent) % count).second;
    return depth * ranks_end + rank;
  });
  std::vector<Branch> out;
  out.reserve(found.size());
  for (const std::int64_t place : found) {
    if (place < 0) {
      out.push_back({-1, 0, place == alone});
    } else {
      out.push_back({static_cast<int>(place % ranks_end), static_cast<int>(place / ranks_end)});
    }
  }
  return out;
}

std::vector<Directory::Stretch> Directory::repeated() const {
  // From where one's run begins or ends to where the next one's does, the same ranks have all.
  struct Edge {
    std::int64_t key = 0;
    int rank = 0;
    bool begins = false;
  };
  std::vector<Edge> edges;
  edges.reserve(2 * runs_.size());
  for (const Run& run : runs_) {
    edges.push_back({run.first, run.rank, true});
    edges.push_back({run.end, run.rank, false});
  }
  // A rank that ends before it begins again stays where it is.
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return std::tuple(a.key, a.begins) < std::tuple(b.key, b.begins);
  });
  std::vector<std::vector<std::int64_t>> told(static_cast<std::size_t>(comm_.size()));
  std::set<int> holders;
  std::int64_t before = 0;
  for (const Edge& edge : edges) {
    for (const int rank : holders) {
      if (holders.size() < 2 || edge.key == before) break;
      std::vector<std::int64_t>& list = nth(told, rank);
      const std::size_t last = list.size();
      if (last > 0 && list[last - 2] == before && list[last - 1] == *holders.begin()) {
        list[last - 2] = edge.key;
      } else {
        list.insert(list.end(), {before, edge.key, *holders.begin()});
      }
    }
    before = edge.key;
    if (edge.begins) {
      holders.insert(edge.rank);
    } else {
      holders.erase(edge.rank);
    }
  }
  std::vector<Stretch> out;
  for (const auto& list : exchange_lists(comm_, told)) {
    for (std::size_t k = 0; k < list.size(); k += 3) {
      out.push_back({list[k], list[k + 1], static_cast<int>(list[k + 2])});
    }
  }
  return out;
}

}  // namespace epios::io
