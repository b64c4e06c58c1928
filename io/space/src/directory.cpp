#include "directory.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "config/error.hpp"

namespace epios::io {

namespace {

std::vector<int> offsets_of(const std::vector<int>& counts) {
  std::vector<int> out(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), out.begin(), 0);
  return out;
}

int count_of(std::size_t count) {
  if (count <= static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    return static_cast<int>(count);
  }
  throw Error(ErrorCode::argument,
              "one client has more points than a message counts. Can more processes share them?");
}

}  // namespace

std::vector<std::vector<std::int64_t>> exchange_lists(
    const ep::Comm& comm, const std::vector<std::vector<std::int64_t>>& to) {
  const std::size_t ranks = to.size();
  std::vector<int> sent(ranks);
  std::vector<int> received(ranks);
  std::vector<std::int64_t> out;
  for (std::size_t r = 0; r < ranks; ++r) {
    sent[r] = count_of(to[r].size());
    out.insert(out.end(), to[r].begin(), to[r].end());
  }
  count_of(out.size());
  ep::check(EP_Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm.get()));
  const std::vector<int> from_out = offsets_of(sent);
  const std::vector<int> from_in = offsets_of(received);
  std::vector<std::int64_t> in(std::accumulate(received.begin(), received.end(), std::size_t{0}));
  count_of(in.size());
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
    auto& list = runs[static_cast<std::size_t>(to)];
    list.push_back(keys[k]);
    list.push_back(static_cast<std::int64_t>(end - k));
    k = end;
  }
  const auto lists = exchange_lists(comm, runs);
  for (std::size_t r = 0; r < lists.size(); ++r) {
    for (std::size_t k = 0; k < lists[r].size(); k += 2) {
      for (std::int64_t i = 0; i < lists[r][k + 1]; ++i) {
        holders_.emplace_back(lists[r][k] + i, static_cast<int>(r));
      }
    }
  }
  if (!std::is_sorted(holders_.begin(), holders_.end())) {
    std::sort(holders_.begin(), holders_.end());
  }
}

template <class Choose>
std::vector<int> Directory::ask(std::span<const std::int64_t> wanted, Choose choose) const {
  const auto ranks = static_cast<std::size_t>(comm_.size());
  std::vector<std::vector<std::int64_t>> questions(ranks);
  for (const std::int64_t key : wanted)
    questions[static_cast<std::size_t>(home(key))].push_back(key);
  std::vector<std::vector<std::int64_t>> lists = exchange_lists(comm_, questions);
  for (std::vector<std::int64_t>& list : lists) {
    auto at = holders_.begin();
    for (std::int64_t& key : list) {
      at = std::lower_bound(at, holders_.end(), std::pair(key, 0));
      auto end = at;
      while (end != holders_.end() && end->first == key) ++end;
      key = at == end ? -1 : (at + choose(key, end - at))->second;
    }
  }
  const auto answers = exchange_lists(comm_, lists);
  std::vector<int> out;
  out.reserve(wanted.size());
  for (const auto& list : answers) {
    for (const std::int64_t rank : list) out.push_back(static_cast<int>(rank));
  }
  return out;
}

std::vector<int> Directory::lowest(std::span<const std::int64_t> wanted) const {
  return ask(wanted, [](std::int64_t, std::ptrdiff_t) { return std::ptrdiff_t{0}; });
}

std::vector<int> Directory::any(std::span<const std::int64_t> wanted) const {
  return ask(wanted, [](std::int64_t key, std::ptrdiff_t count) {
    return static_cast<std::ptrdiff_t>(key % count);
  });
}

Directory::Count Directory::count() const {
  std::int64_t own[2] = {0, 0};
  for (std::size_t k = 0; k < holders_.size();) {
    std::size_t end = k + 1;
    while (end < holders_.size() && holders_[end].first == holders_[k].first) ++end;
    ++own[0];
    if (end - k > 1) ++own[1];
    k = end;
  }
  Count all;
  std::int64_t sums[2] = {0, 0};
  ep::check(EP_Allreduce(own, sums, 2, MPI_INT64_T, MPI_SUM, comm_.get()));
  all.keys = sums[0];
  all.repeated = sums[1];
  return all;
}

}  // namespace epios::io
