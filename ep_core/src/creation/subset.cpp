#include "creation/subset.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "cliques/clique.hpp"
#include "creation/clique_creation.hpp"
#include "handles/endpoint.hpp"
#include "messages/p2p.hpp"
#include "process/process.hpp"
#include "schedules/collective_tuning.hpp"

namespace ep {

namespace {

constexpr const char* what = "other members of a group (EP_Comm_create_group)";

/// Communication among the members in the shape of a star, whose centre is the first member.
class Members {
 public:
  Members(Endpoint& parent, std::span<const int> ranks, int tag)
      : parent_(parent), ranks_(ranks), tag_(own_tag(tag)) {}

  bool is_middle() const { return ranks_.front() == parent_.rank; }

  /// Sends the data of the centre to all members.
  void spread(void* data, std::int64_t bytes) {
    if (!is_middle()) {
      receive(ranks_.front(), data, bytes);
      return;
    }
    for (const int rank : ranks_.subspan(1)) send(rank, data, bytes);
  }

  /// Returns the numbers of all members, in the order of `ranks`, to each of them.
  std::vector<std::uint32_t> collect(std::uint32_t mine) {
    std::vector<std::uint32_t> all(ranks_.size(), mine);
    if (is_middle()) {
      for (std::size_t i = 1; i < all.size(); ++i) receive(ranks_[i], &all[i], sizeof mine);
    } else {
      send(ranks_.front(), &mine, sizeof mine);
    }
    spread(all.data(), static_cast<std::int64_t>(all.size() * sizeof mine));
    return all;
  }

 private:
  void send(int rank, const void* data, std::int64_t bytes) {
    const BorrowedRequest request;
    prepare(*request, parent_, mapped_bytes(const_cast<void*>(data), bytes), what);
    start_send(parent_, rank, tag_, *request);
    await(*request);
  }
  void receive(int rank, void* data, std::int64_t bytes) {
    const BorrowedRequest request;
    prepare(*request, parent_, mapped_bytes(data, bytes), what);
    start_receive(parent_, rank, tag_, *request);
    await(*request);
  }

  Endpoint& parent_;
  std::span<const int> ranks_;
  int tag_;
};

// Processes keep the parent's order; slots follow the new ranks.
Clique::Layout layout_of(const Endpoint& parent, std::span<const int> ranks,
                         const std::vector<std::uint32_t>& contexts) {
  const RankTable& table = parent.local_group();
  std::map<int, std::uint32_t> context_of;  // by process of the parent
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    context_of[table.place(ranks[i]).process] = contexts[i];
  }
  Clique::Layout layout;
  std::map<int, int> index;
  for (const auto& [process_index, context] : context_of) {
    const ProcessRef& old = parent.clique->process(process_index);
    index[process_index] = static_cast<int>(layout.processes.size());
    layout.processes.push_back({old.world_rank, old.wire_rank, context});
  }
  layout.my_process = index.at(parent.clique->my_process());
  std::vector<int> used(layout.processes.size(), 0);
  std::vector<RankRun> runs;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const int process_index = index.at(table.place(ranks[i]).process);
    int& slot = used[static_cast<std::size_t>(process_index)];
    const int id = table.id(ranks[i]);
    if (!runs.empty() && runs.back().process == process_index &&
        runs.back().first_id + runs.back().length == id) {
      ++runs.back().length;
      ++slot;
    } else {
      runs.push_back({static_cast<int>(i), process_index, slot++, 1, id});
    }
  }
  layout.largest_clique = *std::max_element(used.begin(), used.end());
  layout.groups[0] = RankTable(std::move(runs));
  return layout;
}

}  // namespace

int subset_tag(std::string_view name) {
  // FNV-1a: the same everywhere, unlike std::hash.
  std::uint32_t hash = 2166136261U;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return static_cast<int>(0x68000000U | ((hash ^ (hash >> 27U)) & 0x7ffffffU));
}

NewEndpoint create_subset(Endpoint& parent, std::span<const int> ranks, int tag) {
  Members members(parent, ranks, tag);
  std::uint64_t key = members.is_middle() ? process().next_uid() : 0;
  members.spread(&key, sizeof key);
  const RankTable& table = parent.local_group();
  const int here = static_cast<int>(std::count_if(ranks.begin(), ranks.end(), [&](int rank) {
    return table.place(rank).process == parent.clique->my_process();
  }));
  const std::shared_ptr<Clique> clique =
      shared_clique(key, here, [&] { return Clique::make(parent.clique->wire(), here); });
  tuning_of(*clique).copy_from(tuning_of(*parent.clique));
  clique->activate(layout_of(parent, ranks, members.collect(clique->context())));
  const auto mine = std::find(ranks.begin(), ranks.end(), parent.rank);
  const int rank = static_cast<int>(mine - ranks.begin());
  return {clique, 0, clique->local_group(0).place(rank).slot, rank};
}

}  // namespace ep
