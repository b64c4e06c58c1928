#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "cliques/clique.hpp"
#include "handles/endpoint.hpp"
#include "schedules/algorithm_choice.hpp"
#include "schedules/operation.hpp"

namespace ep::test {

/// Where the endpoints of a simulated communicator are: by rank, for one group or two.
struct SimulatedLayout {
  int processes = 1;
  std::vector<int> first;   ///< process of each rank
  std::vector<int> second;  ///< of the remote group; empty: an intracommunicator

  bool is_inter() const { return !second.empty(); }
};

/// A communicator over any number of processes, all of them in this one and without MPI between
/// them: the recipes of collectives run as they are, and what their schedules send is handed over
/// here. A send is complete only when its receive has begun, so that a schedule that counts on
/// buffers stands still, which is reported.
class Simulation {
 public:
  explicit Simulation(const SimulatedLayout& layout, unsigned seed = 1);
  Simulation(const Simulation&) = delete;
  Simulation(Simulation&&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  Simulation& operator=(Simulation&&) = delete;
  ~Simulation();

  /// How collectives are done from here on.
  void use(const CostModel& model, bool fast_reduction);

  struct Outcome {
    bool complete = true;  ///< else it stands still
    int errors = 0;        ///< endpoints with one
    int messages = 0;
    int rounds = 0;  ///< with communication, of the process that has most
    int over_before_last_began = 0;
  };

  /// One collective; `make` says what each endpoint calls. `late`: a process that begins when
  /// nothing else can go on any more, -1: none.
  Outcome run(const std::function<Call(const Endpoint&)>& make, int late = -1);

 private:
  struct Node;
  struct End {
    Node* node;
    TypedView view;
  };
  struct Channel {
    std::deque<End> sends;
    std::deque<End> receives;
  };

  bool advance(Node& node);
  void begin_stage(Node& node);
  static void run_items(Node& node);
  bool transfer(Node& node);
  void post_round(Node& node);
  void match(Channel& channel);

  std::vector<std::unique_ptr<Node>> nodes_;
  std::map<std::pair<int, int>, Channel> channels_;  // by source and destination
  std::mt19937 random_;
  Outcome outcome_;
  std::uint64_t number_ = 0;
};

}  // namespace ep::test
