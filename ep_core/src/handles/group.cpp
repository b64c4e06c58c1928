#include "handles/group.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "handles/endpoint.hpp"
#include "process/error.hpp"

namespace ep {

Identities identities_of(const Member& member, bool remote) {
  const RankTable& table = remote ? member.remote_group() : member.local_group();
  Identities all;
  all.reserve(static_cast<std::size_t>(table.size()));
  for (const RankRun& run : table.runs()) {
    const int world_rank = member.clique->process(run.process).world_rank;
    for (int i = 0; i < run.length; ++i) all.push_back({world_rank, run.first_id + i});
  }
  return all;
}

Identity identity_of(const Member& member) {
  const RankTable& table = member.local_group();
  const int world_rank = member.clique->process(member.clique->my_process()).world_rank;
  return {world_rank, table.id(member.rank)};
}

std::vector<int> ranks_in(const Identities& group, const Identities& wanted) {
  std::vector<std::pair<Identity, int>> sorted;
  sorted.reserve(group.size());
  for (const Identity& member : group) {
    sorted.emplace_back(member, static_cast<int>(sorted.size()));
  }
  std::sort(sorted.begin(), sorted.end());
  std::vector<int> ranks;
  ranks.reserve(wanted.size());
  for (const Identity& identity : wanted) {
    const auto found = std::lower_bound(sorted.begin(), sorted.end(), std::pair(identity, 0));
    const bool is_in = found != sorted.end() && found->first == identity;
    ranks.push_back(is_in ? found->second : EP_UNDEFINED);
  }
  return ranks;
}

int compare(const Identities& a, const Identities& b) {
  if (a == b) return EP_IDENT;
  if (a.size() != b.size()) return EP_UNEQUAL;
  const std::vector<int> ranks = ranks_in(a, b);
  const bool same = std::find(ranks.begin(), ranks.end(), EP_UNDEFINED) == ranks.end();
  return same ? EP_SIMILAR : EP_UNEQUAL;
}

namespace {

void check_ranks(std::span<const int> ranks, int size) {
  std::vector<bool> seen(static_cast<std::size_t>(size), false);
  for (const int rank : ranks) {
    if (rank < 0 || rank >= size) {
      fail(EP_ERR_RANK, "rank ", rank, " (the group has ", size, " ranks).");
    }
    if (seen[static_cast<std::size_t>(rank)]) {
      fail(EP_ERR_RANK, "rank ", rank, " is given twice (ranks of a subset must differ).");
    }
    seen[static_cast<std::size_t>(rank)] = true;
  }
}

}  // namespace

std::vector<int> expand_ranges(std::span<const int> triples, int size) {
  std::vector<int> ranks;
  for (std::size_t i = 0; i + 2 < triples.size(); i += 3) {
    const int first = triples[i];
    const int last = triples[i + 1];
    const int stride = triples[i + 2];
    if (stride == 0) fail(EP_ERR_ARG, "a range of ranks has stride 0.");
    for (std::int64_t rank = first; stride > 0 ? rank <= last : rank >= last; rank += stride) {
      if (rank < 0 || rank >= size) {
        fail(EP_ERR_RANK, "rank ", rank, " of a range (the group has ", size, " ranks).");
      }
      ranks.push_back(static_cast<int>(rank));
    }
  }
  return ranks;
}

Identities pick(const Identities& group, std::span<const int> ranks) {
  check_ranks(ranks, static_cast<int>(group.size()));
  Identities out;
  out.reserve(ranks.size());
  for (const int rank : ranks) out.push_back(group[static_cast<std::size_t>(rank)]);
  return out;
}

Identities leave_out(const Identities& group, std::span<const int> ranks) {
  check_ranks(ranks, static_cast<int>(group.size()));
  std::vector<bool> out_of_it(group.size(), false);
  for (const int rank : ranks) out_of_it[static_cast<std::size_t>(rank)] = true;
  Identities out;
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (!out_of_it[i]) out.push_back(group[i]);
  }
  return out;
}

}  // namespace ep
