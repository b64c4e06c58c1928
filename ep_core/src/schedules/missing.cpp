#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "cliques/clique.hpp"
#include "cliques/wire.hpp"
#include "schedules/operation.hpp"

// Reports of an operation for the watchdog and for listeners: which endpoints and processes are
// missing.

namespace ep {

// Pins the operation unless its last user has left, since then its contents are gone.
bool Operation::pin_if_used() noexcept {
  int users = users_.load(std::memory_order_relaxed);
  do {
    if (users == 0) return false;
  } while (!users_.compare_exchange_weak(users, users + 1, std::memory_order_acq_rel));
  return true;
}

std::string Operation::missing() {
  if (!pin_if_used()) return {};
  std::string out;
  if (!is_over()) {
    const std::vector<int> siblings = late_siblings();
    if (!siblings.empty()) out = list_of_ranks(siblings) + " of this process";
  }
  if (!is_over() && out.empty()) {
    for (const int process : late_processes()) {
      if (!out.empty()) out += "; ";
      out += name_of_process(process);
      const std::optional<bool> waits =
          clique_->wire()->waits_long(clique_->process(process).wire_rank);
      if (waits) out += *waits ? ", which waits, too" : ", which has no long wait";
    }
  }
  unpin();
  return out;
}

std::vector<std::string> Operation::absent() {
  constexpr std::size_t most = 8;
  if (!pin_if_used()) return {};
  std::vector<std::string> out;
  if (!is_over()) {
    out = names_of_ranks(late_siblings());
    for (std::string& name : out) name += " of this process";
  }
  if (!is_over() && out.empty()) {
    std::vector<int> processes = late_processes();
    processes.resize(std::min(processes.size(), most));
    for (const int process : processes) out.push_back(name_of_process(process));
  }
  unpin();
  return out;
}

std::vector<int> Operation::late_siblings() {
  std::vector<int> ranks;
  for (int slot = 0; slot < slot_count(); ++slot) {
    if (contribution(slot).has_come.load(std::memory_order_acquire)) continue;
    ranks.push_back(clique_->slot(slot).rank);
  }
  return ranks;
}

std::vector<int> Operation::late_processes() {
  std::vector<int> processes;
  if (turn_.try_take()) {
    if (phase_ == Phase::transfers) processes = run_.awaited_processes();
    turn_.give_back();
    advance();  // threads that came meanwhile left the steps to this one
  }
  return processes;
}

std::string Operation::name_of_process(int process) const {
  const ProcessRef& ref = clique_->process(process);
  std::ostringstream out;
  out << "process " << ref.world_rank;
  std::vector<int> ranks;
  for (const RankRun& run : clique_->local_group(0).runs()) {
    if (run.process != process) continue;
    for (int i = 0; i < run.length; ++i) ranks.push_back(run.first_rank + i);
  }
  if (!clique_->is_inter()) out << " (" << list_of_ranks(ranks) << ")";
  return out.str();
}

}  // namespace ep
