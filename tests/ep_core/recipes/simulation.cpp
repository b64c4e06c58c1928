#include "recipes/simulation.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "datatypes/datatype.hpp"
#include "schedules/collective_rendezvous.hpp"
#include "schedules/collective_tuning.hpp"

namespace ep::test {

struct Simulation::Node {
  int index = 0;
  std::shared_ptr<Clique> clique;
  std::vector<std::unique_ptr<Endpoint>> endpoints;  // by slot

  Operation* operation = nullptr;
  int stage = 0;
  Recipe::Stage now;
  bool items_done = false;
  std::size_t position = 0;  // in the schedule
  std::size_t round_end = 0;
  bool posted = false;
  int in_flight = 0;
  int rounds = 0;
  bool in_stage = false;
  bool over = false;
};

namespace {

/// The place of each rank of a group; slots of a process are numbered in the order of ranks, after
/// those in `used`.
std::vector<Place> places_of(const std::vector<int>& group, std::vector<int>& used) {
  std::vector<Place> places;
  for (const int process : group) {
    places.push_back({process, used[static_cast<std::size_t>(process)]++});
  }
  return places;
}

}  // namespace

Simulation::Simulation(const SimulatedLayout& layout, unsigned seed) : random_(seed) {
  const auto processes = static_cast<std::size_t>(layout.processes);
  std::vector<int> used(processes, 0);
  const std::array<std::vector<Place>, 2> groups{places_of(layout.first, used),
                                                 places_of(layout.second, used)};
  for (int p = 0; p < layout.processes; ++p) {
    Clique::Layout known;
    for (int q = 0; q < layout.processes; ++q) {
      known.processes.push_back({q, q, 0});
      if (layout.is_inter()) known.owners.push_back(q % 2 == 0 ? Owner::first : Owner::second);
    }
    known.my_process = p;
    known.largest_clique = *std::max_element(used.begin(), used.end());
    known.inter = layout.is_inter();
    known.groups = {RankTable(groups[0]), RankTable(groups[1])};
    auto node = std::make_unique<Node>();
    node->index = p;
    node->clique = Clique::make(nullptr, used[static_cast<std::size_t>(p)]);
    node->clique->activate(std::move(known));
    for (int slot = 0; slot < used[static_cast<std::size_t>(p)]; ++slot) {
      auto endpoint = std::make_unique<Endpoint>();
      endpoint->clique = node->clique;
      endpoint->slot = slot;
      const Place place{p, slot};
      endpoint->side = node->clique->local_group(0).rank(place) >= 0 ? 0 : 1;
      endpoint->rank = node->clique->local_group(endpoint->side).rank(place);
      node->endpoints.push_back(std::move(endpoint));
    }
    nodes_.push_back(std::move(node));
  }
}

Simulation::~Simulation() = default;

void Simulation::use(const CostModel& model, bool fast_reduction) {
  for (const auto& node : nodes_) {
    tuning_of(*node->clique).set_cost_model(model);
    tuning_of(*node->clique).set_fast_reduction(fast_reduction);
  }
}

Simulation::Outcome Simulation::run(const std::function<Call(const Endpoint&)>& make, int late) {
  outcome_ = {};
  channels_.clear();
  ++number_;
  for (const auto& node : nodes_) {
    node->operation = &rendezvous_of(*node->clique).join(number_, node->clique);
    node->stage = node->rounds = node->in_flight = 0;
    node->in_stage = node->over = node->posted = false;
    for (const auto& endpoint : node->endpoints) {
      Contribution& mine = node->operation->contribution(endpoint->slot);
      mine.call = make(*endpoint);
      mine.side = endpoint->side;
      mine.rank = endpoint->rank;
    }
  }
  std::vector<Node*> order;
  for (const auto& node : nodes_) order.push_back(node.get());
  bool moved = true;
  while (moved || late >= 0) {
    if (!moved) {
      outcome_.over_before_last_began = static_cast<int>(
          std::count_if(order.begin(), order.end(), [](const Node* node) { return node->over; }));
      late = -1;
    }
    moved = false;
    std::shuffle(order.begin(), order.end(), random_);
    for (Node* const node : order) {
      if (node->index != late) moved = advance(*node) || moved;
    }
  }
  for (const auto& node : nodes_) {
    outcome_.complete = outcome_.complete && node->over;
    outcome_.rounds = std::max(outcome_.rounds, node->rounds);
    for (const auto& endpoint : node->endpoints) {
      outcome_.errors += node->operation->contribution(endpoint->slot).error != EP_SUCCESS ? 1 : 0;
    }
    for (std::size_t i = 0; i < node->endpoints.size(); ++i) node->operation->unpin();
  }
  for (const auto& [ends, channel] : channels_) {
    outcome_.complete = outcome_.complete && channel.sends.empty() && channel.receives.empty();
  }
  return outcome_;
}

// As far as the process can go alone; whether it moved.
bool Simulation::advance(Node& node) {
  bool moved = false;
  while (!node.over) {
    const int rounds = node.rounds;
    if (!node.in_stage) {
      begin_stage(node);
    } else if (!transfer(node)) {
      return moved || node.rounds != rounds;
    } else {
      if (!node.items_done) run_items(node);
      node.in_stage = false;
    }
    moved = true;
  }
  return moved;
}

void Simulation::begin_stage(Node& node) {
  Operation& operation = *node.operation;
  ++node.stage;
  operation.schedule().clear();
  node.now = operation.call(0).recipe->begin(operation, node.stage);
  node.over = node.now.over;
  node.in_stage = !node.over;
  node.position = 0;
  node.posted = false;
  node.items_done = node.over;
  if (node.over) return;
  // A stage that communicates first may have its items done before, between or after.
  if (!node.now.communicates_first || random_() % 2 == 0) run_items(node);
}

void Simulation::run_items(Node& node) {
  for (int item = 0; item < node.now.items; ++item) {
    node.operation->call(0).recipe->run_item(*node.operation, node.stage, item);
  }
  node.items_done = true;
}

// True when the schedule of the stage has ended.
bool Simulation::transfer(Node& node) {
  const std::size_t end = node.operation->schedule().steps().size();
  while (node.position < end) {
    if (!node.posted) post_round(node);
    if (node.in_flight > 0) return false;
    node.position = node.round_end + 1;
    node.posted = false;
  }
  return true;
}

void Simulation::post_round(Node& node) {
  using Kind = Schedule::Step::Kind;
  const std::span<const Schedule::Step> steps = node.operation->schedule().steps();
  node.posted = true;
  ++node.rounds;
  for (node.round_end = node.position; node.round_end < steps.size(); ++node.round_end) {
    const Schedule::Step& step = steps[node.round_end];
    if (step.kind == Kind::round) break;
    ++node.in_flight;
    if (step.kind == Kind::send) {
      ++outcome_.messages;
      channels_[{node.index, step.process}].sends.push_back({&node, step.view});
    } else {
      channels_[{step.process, node.index}].receives.push_back({&node, step.view});
    }
  }
  for (std::size_t i = node.position; i < node.round_end; ++i) {
    const int other = steps[i].process;
    match(channels_[{node.index, other}]);
    match(channels_[{other, node.index}]);
  }
}

void Simulation::match(Channel& channel) {
  while (!channel.sends.empty() && !channel.receives.empty()) {
    const End send = channel.sends.front();
    const End receive = channel.receives.front();
    channel.sends.pop_front();
    channel.receives.pop_front();
    if (send.view.bytes() != receive.view.bytes()) {
      outcome_.complete = false;
    } else if (send.view.bytes() > 0) {
      copy_typed(send.view, receive.view);
    }
    --send.node->in_flight;
    --receive.node->in_flight;
  }
}

}  // namespace ep::test
