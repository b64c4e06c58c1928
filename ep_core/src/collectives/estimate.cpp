// Estimates the time of a collective on a machine that is only described. It plays the schedules
// that real processes would run, message by message, so that the estimate and the library cannot
// differ. In order: the player, the extrapolation to many processes, and the public functions.
#include "collectives/estimate.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <deque>
#include <unordered_map>
#include <utility>

#include "process/error.hpp"

namespace ep {

namespace {

// Below, all rounds of all processes fit into memory.
constexpr int few_processes = 1024;

/// All processes, each advanced as far as its messages allow. There is no common clock: the arrival
/// time of a message follows from its send time, in whichever order processes are processed.
class Player {
 public:
  Player(const MachineModel& machine, const EstimatedCollective& what)
      : machine_(machine),
        costs_(machine.costs.at(static_cast<double>(what.bytes()))),
        what_(what),
        processes_(static_cast<std::size_t>(what.processes())) {}

  Estimate play() {
    if (what_.processes() <= few_processes) {
      known_rounds_.resize(processes_.size());
      for (int p = 0; p < what_.processes(); ++p) {
        what_.rounds_of(p, known_rounds_[static_cast<std::size_t>(p)]);
      }
    }
    for (int p = 0; p < what_.processes(); ++p) ready_.push_back(p);
    while (!ready_.empty()) {
      const int p = ready_.front();
      ready_.pop_front();
      go_on(p);
    }
    for (const State& state : processes_) {
      if (!state.over) fail(EP_ERR_INTERN, "an estimated collective stands still.");
      result_.time_s = std::max(result_.time_s, state.time_s);
      result_.rounds = std::max(result_.rounds, state.round);
    }
    return result_;
  }

 private:
  struct State {
    double time_s = 0;  // begin of the round
    double sent_s = 0;  // all of the round has left
    int round = 0;
    bool has_sent = false;
    bool over = false;
    int missing = 0;  // messages of the round that have not left their sender
    // First bytes that arrive, by sender, in the order they left.
    std::unordered_map<int, std::deque<double>> arrivals;
  };

  LinkCost link(int a, int b, const EstimatedRound& round) const {
    const int per_node = machine_.processes_per_node;
    if (a / per_node != b / per_node) return machine_.network;
    const bool both_ways = !round.sends.empty() && !round.receives.empty();
    return both_ways ? costs_.between : LinkCost{costs_.between.alpha_s, costs_.one_way_s_per_byte};
  }

  void go_on(int p) {
    State& state = processes_[static_cast<std::size_t>(p)];
    const std::vector<EstimatedRound>& rounds = rounds_of(p);
    while (state.round < static_cast<int>(rounds.size())) {
      const EstimatedRound& round = rounds[static_cast<std::size_t>(state.round)];
      if (!state.has_sent) send(p, round);
      state.missing = missing(state, round);
      if (state.missing > 0) return;
      end_round(p, round);
    }
    state.over = true;
  }

  // Returns the rounds of process `p`, which are computed again at each use if all of them need too
  // much memory.
  const std::vector<EstimatedRound>& rounds_of(int p) {
    if (!known_rounds_.empty()) return known_rounds_[static_cast<std::size_t>(p)];
    what_.rounds_of(p, rounds_);
    return rounds_;
  }

  void send(int p, const EstimatedRound& round) {
    State& state = processes_[static_cast<std::size_t>(p)];
    state.sent_s = state.time_s;
    for (std::size_t i = 0; i < round.sends.size(); ++i) {
      const auto& message = round.sends[i];
      const LinkCost cost = link(p, message.peer, round);
      if (i > 0) state.sent_s += costs_.overhead_s;
      State& other = processes_[static_cast<std::size_t>(message.peer)];
      other.arrivals[p].push_back(state.sent_s + cost.alpha_s);
      state.sent_s += static_cast<double>(message.bytes) * cost.beta_s_per_byte;
      ++result_.messages;
      if (other.missing > 0 && --other.missing == 0) ready_.push_back(message.peer);
    }
    state.has_sent = true;
  }

  // A message of a later round may make this too small: go_on() counts again.
  static int missing(const State& state, const EstimatedRound& round) {
    int count = 0;
    std::size_t same = 0;  // messages from this peer in the round, which follow each other
    for (std::size_t i = 0; i < round.receives.size(); ++i) {
      const int peer = round.receives[i].peer;
      same = i > 0 && round.receives[i - 1].peer == peer ? same + 1 : 1;
      const auto found = state.arrivals.find(peer);
      if (found == state.arrivals.end() || found->second.size() < same) ++count;
    }
    return count;
  }

  void end_round(int p, const EstimatedRound& round) {
    State& state = processes_[static_cast<std::size_t>(p)];
    arrived_.clear();
    for (const auto& message : round.receives) {
      auto found = state.arrivals.find(message.peer);
      arrived_.emplace_back(
          found->second.front(),
          static_cast<double>(message.bytes) * link(p, message.peer, round).beta_s_per_byte);
      found->second.pop_front();
      if (found->second.empty()) state.arrivals.erase(found);
    }
    std::sort(arrived_.begin(), arrived_.end());
    double received_s = state.time_s;
    for (std::size_t i = 0; i < arrived_.size(); ++i) {
      const auto& [first_s, length_s] = arrived_[i];
      received_s = std::max(received_s, first_s) + length_s + (i > 0 ? costs_.overhead_s : 0);
    }
    state.time_s = std::max(state.sent_s, received_s) +
                   static_cast<double>(round.combined_bytes) * costs_.gamma_s_per_byte +
                   static_cast<double>(round.copied_bytes) * costs_.inside.beta_s_per_byte;
    if (round.is_step && what_.endpoints() > 1) state.time_s += costs_.inside.alpha_s;
    ++state.round;
    state.has_sent = false;
  }

  const MachineModel& machine_;
  const CostParameters costs_;  // costs for vectors of this size
  const EstimatedCollective& what_;
  std::vector<State> processes_;
  std::deque<int> ready_;
  std::vector<EstimatedRound> rounds_;
  std::vector<std::vector<EstimatedRound>> known_rounds_;
  std::vector<std::pair<double, double>> arrived_;
  Estimate result_;
};

// True if rounds or messages of one process are as many as processes.
bool grows_with_processes(Collective collective, Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::ring:
    case Algorithm::scatter_ring:
    case Algorithm::pairwise:
    case Algorithm::slices:
    case Algorithm::pipelined:
      return true;
    case Algorithm::linear:
      return collective == Collective::alltoall;
    default:
      return false;
  }
}

}  // namespace

Estimate simulate(const MachineModel& machine, const EstimatedCollective& what) {
  return Player(machine, what).play();
}

bool is_possible(Collective collective, Algorithm algorithm, int processes) {
  const bool power = std::has_single_bit(static_cast<unsigned>(processes));
  if (algorithm == Algorithm::doubling && collective == Collective::allgather) return power;
  if (algorithm == Algorithm::halving && collective == Collective::reduce_scatter) return power;
  return true;
}

Estimate estimate(const MachineModel& machine, Collective collective, Algorithm algorithm,
                  std::int64_t endpoints, std::int64_t bytes, int most_played) {
  const std::int64_t each = std::min<std::int64_t>(machine.endpoints_per_process, endpoints);
  const auto processes = static_cast<int>((endpoints + each - 1) / each);
  const int segments = pipeline_segments(machine.costs, processes, bytes);
  MachineModel here = machine;  // also where fewer processes with less are played
  here.costs = machine.costs.at(static_cast<double>(bytes));
  const auto play = [&](int p, std::int64_t n) {
    return simulate(
        here, EstimatedCollective(collective, algorithm, p, n, segments, static_cast<int>(each)));
  };
  Estimate out;
  if (processes <= most_played || !grows_with_processes(collective, algorithm)) {
    out = play(processes, bytes);
  } else {
    const int half = most_played / 2;
    const auto share = [&](int p) {
      const bool whole = algorithm == Algorithm::pipelined;
      return whole ? bytes : bytes / processes * p + bytes % processes * p / processes;
    };
    const Estimate some = play(half, share(half));
    const Estimate more = play(most_played, share(most_played));
    const double beyond = static_cast<double>(processes - most_played) / (most_played - half);
    out.time_s = more.time_s + beyond * (more.time_s - some.time_s);
    out.extrapolated = true;
  }
  out.time_s +=
      work_inside(collective, {processes, static_cast<int>(each), 1}, bytes).seconds(here.costs);
  return out;
}

}  // namespace ep
