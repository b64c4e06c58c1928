#include "schedules/collective_rendezvous.hpp"

#include <algorithm>
#include <utility>

#include "cliques/clique.hpp"

namespace ep {

namespace {

CliqueCollectives& collectives_of(const Clique& clique) {
  return clique.extensions().get<CliqueCollectives>(clique.slot_count());
}

}  // namespace

CollectiveRendezvous& rendezvous_of(const Clique& clique) {
  return collectives_of(clique).rendezvous;
}
PersistentSites& persistent_sites_of(const Clique& clique) {
  return collectives_of(clique).persistent;
}
CollectiveTuning& tuning_of(const Clique& clique) { return collectives_of(clique).tuning; }

Operation& CollectiveRendezvous::join(std::uint64_t number, const std::shared_ptr<Clique>& clique) {
  const std::lock_guard lock(mutex_);
  if (ring_.empty()) ring_.resize(4, nullptr);
  while (true) {
    Operation*& place = ring_[number % ring_.size()];
    if (place != nullptr && place->number_ == number) return *place;
    if (place == nullptr) {
      place = take_spare();
      place->number_ = number;
      place->clique_ = clique;
      place->users_.store(slots_, std::memory_order_release);  // for missing()
      return *place;
    }
    grow();
  }
}

Operation* CollectiveRendezvous::take_spare() {
  if (spare_.empty()) {
    all_.push_back(std::make_unique<Operation>(*this, slots_));
    spare_.reserve(all_.size());  // recycle() must not fail
    return all_.back().get();
  }
  Operation* const operation = spare_.back();
  spare_.pop_back();
  return operation;
}

void CollectiveRendezvous::grow() {
  std::vector<Operation*> larger(2 * ring_.size(), nullptr);
  for (Operation* const operation : ring_) {
    if (operation != nullptr) larger[operation->number_ % larger.size()] = operation;
  }
  ring_.swap(larger);
}

const ReductionPlan& CollectiveRendezvous::plan(const RankTable& ranks, int me, int side,
                                                bool ordered) {
  const std::lock_guard lock(mutex_);
  auto& place = plans_[2 * static_cast<std::size_t>(side) + (ordered ? 1 : 0)];
  if (!place) place = std::make_unique<const ReductionPlan>(ranks, me, ordered);
  return *place;
}

void CollectiveRendezvous::recycle(Operation& operation) noexcept {
  // Maybe the last owner of what this belongs to: dies after the lock.
  const std::shared_ptr<Clique> keep = std::move(operation.clique_);
  operation.arrived_.store(0, std::memory_order_relaxed);
  operation.over_.store(false, std::memory_order_relaxed);
  operation.turn_.clear();
  operation.phase_ = Operation::Phase::arrivals;
  operation.stage_ = 0;
  operation.algorithm_.reset();
  operation.heard_.store(false, std::memory_order_relaxed);
  operation.watched_ = false;
  operation.items_.clear();
  operation.scratch_.reset();
  operation.state_ = nullptr;
  operation.spoiled_.store(0, std::memory_order_relaxed);
  for (Contribution& c : operation.contributions_) {
    c.has_come.store(false, std::memory_order_relaxed);
    if (c.error == EP_SUCCESS) continue;
    c.error = EP_SUCCESS;
    c.error_text.clear();
  }
  const std::lock_guard lock(mutex_);
  ring_[operation.number_ % ring_.size()] = nullptr;
  spare_.push_back(&operation);
}

PersistentSite& PersistentSites::join(std::uint64_t number, int slots) {
  // Apart from the tags of other collectives, and of duplicates (duplication.cpp).
  constexpr unsigned base = 0x400000U;
  const std::lock_guard lock(mutex_);
  PersistentSite*& place = joining_[number];
  if (place == nullptr) {
    if (spare_.empty()) {
      all_.push_back(std::make_unique<PersistentSite>(slots));
      spare_.reserve(all_.size());  // leave() must not fail
      place = all_.back().get();
    } else {
      place = spare_.back();
      spare_.pop_back();
    }
    place->first = place->last;
    place->joined = place->left = 0;
    place->rendezvous.set_tag(static_cast<int>(base | (number & (base - 1))));
  }
  PersistentSite& site = *place;
  if (++site.joined == slots) joining_.erase(number);
  return site;
}

void PersistentSites::leave(PersistentSite& site, std::uint64_t starts, int slots) noexcept {
  const std::lock_guard lock(mutex_);
  site.last = std::max(site.last, site.first + starts);
  if (++site.left == slots) spare_.push_back(&site);
}

}  // namespace ep
