#include "cliques/clique.hpp"

#include <algorithm>
#include <utility>

#include "cliques/clique_tables.hpp"
#include "cliques/wire.hpp"

namespace ep {

Clique::Clique(std::shared_ptr<Wire> wire, int slots)
    : wire_(std::move(wire)),
      slot_count_(slots),
      slots_(std::make_unique<Slot[]>(static_cast<std::size_t>(slots) + 1)),
      tags_(3, 1) {
  checks_types.store(clique_tables().checks_types);
}

std::shared_ptr<Clique> Clique::make(std::shared_ptr<Wire> wire, int slots) {
  auto clique = std::make_shared<Clique>(std::move(wire), slots);
  if (clique->wire_) clique->context_ = clique->wire_->enter(clique);
  return clique;
}

Clique::~Clique() {
  if (wire_) wire_->leave(context_);
}

void Clique::activate(Layout layout) {
  const std::lock_guard lock(early_mutex_);
  if (is_active()) return;
  layout_ = std::move(layout);
  if (wire_) tags_ = TagLayout(wire_->raw_tag_ub(), layout_.largest_clique);
  while (!early_.empty()) {
    early_.front()();
    early_.pop_front();
  }
  active_.store(true, std::memory_order_release);
}

void Clique::when_active(std::function<void()> deliver) {
  const std::lock_guard lock(early_mutex_);
  if (is_active()) {
    deliver();
  } else {
    early_.push_back(std::move(deliver));
  }
}

int Clique::process_of_wire_rank(int wire_rank) const noexcept {
  const auto& all = layout_.processes;
  const auto found =
      std::lower_bound(all.begin(), all.end(), wire_rank,
                       [](const ProcessRef& p, int rank) { return p.wire_rank < rank; });
  if (found == all.end() || found->wire_rank != wire_rank) return -1;
  return static_cast<int>(found - all.begin());
}

bool Clique::is_on_one_node() const noexcept {
  for (int p = 0; p < process_count(); ++p) {
    if (p != my_process() && !wire_->on_node(process(p).wire_rank)) return false;
  }
  return true;
}

int Clique::first_on_node() const noexcept {
  for (int p = 0; p < my_process(); ++p) {
    if (wire_->on_node(process(p).wire_rank)) return p;
  }
  return my_process();
}

int Clique::rank_of_sender(const Place& sender) const {
  const int rank = layout_.groups[0].rank(sender);
  return rank >= 0 || !layout_.inter ? rank : layout_.groups[1].rank(sender);
}

}  // namespace ep
