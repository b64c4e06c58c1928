#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "cliques/clique.hpp"
#include "cliques/wire.hpp"
#include "schedules/operation.hpp"

// What an operation tells the watchdog.

namespace ep {

std::string Operation::missing(Detail detail) {
  // A pin only of what somebody uses: with the last user, everything else goes.
  int users = users_.load(std::memory_order_relaxed);
  do {
    if (users == 0) return {};
  } while (!users_.compare_exchange_weak(users, users + 1, std::memory_order_acq_rel));
  std::string out;
  if (!is_over()) out = missing_siblings();
  if (!is_over() && out.empty()) out = missing_processes(detail);
  unpin();
  return out;
}

std::string Operation::missing_siblings() {
  std::vector<int> ranks;
  for (int slot = 0; slot < slot_count(); ++slot) {
    if (contribution(slot).has_come.load(std::memory_order_acquire)) continue;
    ranks.push_back(clique_->slot(slot).rank);
  }
  return ranks.empty() ? std::string() : list_of_ranks(ranks) + " of this process";
}

std::string Operation::missing_processes(Detail detail) {
  std::vector<int> processes;
  if (!stepping_.exchange(true, std::memory_order_seq_cst)) {
    if (phase_ == Phase::transfers) processes = run_.awaited_processes();
    stepping_.store(false, std::memory_order_seq_cst);
    advance();  // who came meanwhile left it to us
  }
  std::string out;
  for (const int process : processes) {
    if (!out.empty()) out += "; ";
    out += name_of_process(process, detail);
  }
  return out;
}

std::string Operation::name_of_process(int process, Detail detail) const {
  const ProcessRef& ref = clique_->process(process);
  std::ostringstream out;
  out << "process " << ref.world_rank;
  std::vector<int> ranks;
  for (const RankRun& run : clique_->local_group(0).runs()) {
    if (run.process != process) continue;
    for (int i = 0; i < run.length; ++i) ranks.push_back(run.first_rank + i);
  }
  if (!clique_->is_inter()) out << " (" << list_of_ranks(ranks) << ")";
  if (detail == Detail::names) return out.str();
  const std::optional<bool> waits = clique_->wire()->waits_long(ref.wire_rank);
  if (waits) out << (*waits ? ", which waits, too" : ", which has no long wait");
  return out.str();
}

}  // namespace ep
