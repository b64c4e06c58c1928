#include "schedule.hpp"

#include <algorithm>
#include <utility>

namespace ep {

ScheduleRun::ScheduleRun(Endpoint& endpoint, Schedule schedule, int tag, const char* what)
    : endpoint_(endpoint), schedule_(std::move(schedule)), tag_(tag), what_(what) {}

void ScheduleRun::start_round() {
  requests_.clear();
  const std::vector<Schedule::Transfer>& transfers = schedule_.rounds()[round_].transfers;
  // Receives first: what arrives meanwhile goes straight to its place.
  for (const bool sends : {false, true}) {
    for (const Schedule::Transfer& transfer : transfers) {
      if (transfer.is_send != sends) continue;
      BorrowedRequest& request = requests_.emplace_back();
      prepare(*request, endpoint_, transfer.view, what_);
      if (sends) {
        start_process_send(transfer.process, tag_, *request);
      } else {
        start_process_receive(endpoint_, transfer.process, tag_, *request);
      }
    }
  }
  started_ = true;
}

bool ScheduleRun::advance() {
  for (; round_ < schedule_.rounds().size(); ++round_) {
    if (!started_) start_round();
    const bool complete = std::all_of(requests_.begin(), requests_.end(),
                                      [](const BorrowedRequest& r) { return is_done(*r); });
    if (!complete) return false;
    for (const BorrowedRequest& request : requests_) check_outcome(*request);
    for (const auto& action : schedule_.rounds()[round_].actions) action();
    started_ = false;
  }
  requests_.clear();
  return true;
}

void run(Endpoint& endpoint, Schedule schedule, int tag, const char* what) {
  ScheduleRun under_way(endpoint, std::move(schedule), tag, what);
  const WaitSpec spec{what};
  process().registry().wait(endpoint.place(), spec, [&] { return under_way.advance(); });
}

Schedule dissemination_barrier(int processes, int me) {
  Schedule schedule;
  const TypedView nothing{nullptr, 0, MPI_BYTE};
  for (int distance = 1; distance < processes; distance *= 2) {
    schedule.next_round();
    schedule.send((me + distance) % processes, nothing);
    schedule.receive((me - distance + processes) % processes, nothing);
  }
  return schedule;
}

Schedule binomial_bcast(int processes, int me, int root, const TypedView& view) {
  Schedule schedule;
  const int relative = (me - root + processes) % processes;
  int mask = 1;
  while (mask < processes && (relative & mask) == 0) mask *= 2;
  if (relative != 0) {
    schedule.next_round();
    schedule.receive((relative - mask + root) % processes, view);
  }
  schedule.next_round();
  for (mask /= 2; mask > 0; mask /= 2) {
    if (relative + mask < processes) schedule.send((relative + mask + root) % processes, view);
  }
  return schedule;
}

Schedule ring_allgather(int processes, int me, std::span<const TypedView> blocks) {
  Schedule schedule;
  const int next = (me + 1) % processes;
  const int previous = (me - 1 + processes) % processes;
  for (int step = 0; step + 1 < processes; ++step) {
    schedule.next_round();
    schedule.send(next, blocks[static_cast<std::size_t>((me - step + processes) % processes)]);
    schedule.receive(previous,
                     blocks[static_cast<std::size_t>((me - step - 1 + processes) % processes)]);
  }
  return schedule;
}

Schedule select_barrier(int processes, int me) { return dissemination_barrier(processes, me); }

Schedule select_bcast(int processes, int me, int root, const TypedView& view) {
  return binomial_bcast(processes, me, root, view);
}

Schedule select_allgather(int processes, int me, std::span<const TypedView> blocks) {
  return ring_allgather(processes, me, blocks);
}

}  // namespace ep
