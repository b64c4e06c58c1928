// Matching of messages and receives at one endpoint. Exact receives and messages are hashed;
// wildcards walk a list in order of arrival. In order: the table and the list, the slot that
// bypasses the lock for a blocked receiver, and the mailbox that joins them.
#include "cliques/mailbox.hpp"

#include <ep/ep.h>

#include <cstring>
#include <thread>

namespace ep {

bool matches(int source, int tag, const Matchable& m) noexcept {
  const bool source_matches = source == EP_ANY_SOURCE || source == m.source;
  const bool tag_matches = tag == EP_ANY_TAG ? m.tag >= 0 : tag == m.tag;
  return source_matches && tag_matches;
}

bool is_wildcard(int source, int tag) noexcept {
  return source == EP_ANY_SOURCE || tag == EP_ANY_TAG;
}

std::size_t MatchTable::index(int source, int tag) const noexcept {
  const auto key = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(source)) << 32U) |
                   static_cast<std::uint32_t>(tag);
  const std::uint64_t mixed = (key ^ (key >> 29U)) * 0x9E3779B97F4A7C15ULL;
  return static_cast<std::size_t>(mixed >> 32U) & (bins_.size() - 1);
}

void MatchTable::append(Bin& bin, Matchable& entry) noexcept {
  entry.bin_prev_ = bin.last;
  entry.bin_next_ = nullptr;
  (bin.last != nullptr ? bin.last->bin_next_ : bin.first) = &entry;
  bin.last = &entry;
}

void MatchTable::grow() {
  std::vector<Bin> old(bins_.empty() ? 8 : 4 * bins_.size());
  old.swap(bins_);
  // Entries of one key sit in one old bin, so walking bin by bin keeps their order.
  for (const Bin& bin : old) {
    for (Matchable* entry = bin.first; entry != nullptr;) {
      Matchable* const next = entry->bin_next_;
      append(bins_[index(entry->source, entry->tag)], *entry);
      entry = next;
    }
  }
}

void MatchTable::insert(Matchable& entry) {
  if (count_ >= 2 * bins_.size()) grow();
  append(bins_[index(entry.source, entry.tag)], entry);
  ++count_;
}

void MatchTable::erase(Matchable& entry) noexcept {
  Bin& bin = bins_[index(entry.source, entry.tag)];
  (entry.bin_prev_ != nullptr ? entry.bin_prev_->bin_next_ : bin.first) = entry.bin_next_;
  (entry.bin_next_ != nullptr ? entry.bin_next_->bin_prev_ : bin.last) = entry.bin_prev_;
  --count_;
}

Matchable* MatchTable::find(int source, int tag) const noexcept {
  if (count_ == 0) return nullptr;
  for (Matchable* entry = bins_[index(source, tag)].first; entry != nullptr;
       entry = entry->bin_next_) {
    if (entry->source == source && entry->tag == tag) return entry;
  }
  return nullptr;
}

void MatchList::insert(Matchable& entry) noexcept {
  entry.list_prev_ = last_;
  entry.list_next_ = nullptr;
  (last_ != nullptr ? last_->list_next_ : first_) = &entry;
  last_ = &entry;
}

void MatchList::erase(Matchable& entry) noexcept {
  (entry.list_prev_ != nullptr ? entry.list_prev_->list_next_ : first_) = entry.list_next_;
  (entry.list_next_ != nullptr ? entry.list_next_->list_prev_ : last_) = entry.list_prev_;
}

void DirectReceiveSlot::set(Code next) noexcept {
  const std::uint32_t state = state_.load(std::memory_order_relaxed);
  state_.store(state - code(state) + next, std::memory_order_seq_cst);
}

bool DirectReceiveSlot::is_free() const noexcept {
  const std::uint32_t state = state_.load(std::memory_order_acquire);
  if (code(state) == filled) return taken_.load(std::memory_order_acquire) == state - filled;
  return code(state) == closed;
}

DirectReceiveSlot::Generation DirectReceiveSlot::offer(PostedReceive& receive) noexcept {
  source_.store(receive.source, std::memory_order_relaxed);
  tag_.store(receive.tag, std::memory_order_relaxed);
  receive_ = &receive;
  const std::uint32_t state = state_.load(std::memory_order_relaxed);
  const Generation generation = state - code(state) + codes;
  state_.store(generation + open, std::memory_order_release);
  return generation;
}

PostedReceive* DirectReceiveSlot::claim(int source, int tag) noexcept {
  std::uint32_t state = state_.load(std::memory_order_acquire);
  if (code(state) != open) return nullptr;
  Matchable arriving;
  arriving.source = source;
  arriving.tag = tag;
  if (!matches(this->source(), this->tag(), arriving)) return nullptr;
  // Fails if another sender was faster, or if the state belongs to an earlier offer.
  const bool mine =
      state_.compare_exchange_strong(state, state - open + claimed, std::memory_order_acq_rel);
  return mine ? receive_ : nullptr;
}

void DirectReceiveSlot::fill(int source, int tag, const void* data, std::size_t bytes) noexcept {
  source_.store(source, std::memory_order_relaxed);
  tag_.store(tag, std::memory_order_relaxed);
  bytes_ = static_cast<std::uint32_t>(bytes);
  if (bytes > 0) std::memcpy(data_.data(), data, bytes);
  set(filled);
}

bool DirectReceiveSlot::withdraw(const PostedReceive& receive) noexcept {
  std::uint32_t state = state_.load(std::memory_order_acquire);
  if (code(state) != open || receive_ != &receive) return false;
  return state_.compare_exchange_strong(state, state - open + closed, std::memory_order_acq_rel);
}

bool DirectReceiveSlot::await_claimer(Generation generation) const noexcept {
  while (state_.load(std::memory_order_acquire) == generation + claimed) std::this_thread::yield();
  return is_filled(generation);
}

Mailbox::~Mailbox() {
  while (arrived_in_order_.first() != nullptr) {
    auto* const message = static_cast<WaitingMessage*>(arrived_in_order_.first());
    arrived_in_order_.erase(*message);
    message->give_back();
  }
}

PostedReceive* Mailbox::take_posted(int source, int tag) noexcept {
  if (PostedReceive* const offered = direct_receive_.claim(source, tag); offered != nullptr) {
    direct_receive_.release();
    return offered;
  }
  Matchable* best = posted_exact_.find(source, tag);
  Matchable arriving;
  arriving.source = source;
  arriving.tag = tag;
  for (Matchable* wild = posted_wild_.first(); wild != nullptr; wild = MatchList::next(*wild)) {
    if (best != nullptr && best->order < wild->order) break;
    if (!matches(wild->source, wild->tag, arriving)) continue;
    posted_wild_.erase(*wild);
    wild->is_queued = false;
    return static_cast<PostedReceive*>(wild);
  }
  if (best != nullptr) {
    posted_exact_.erase(*best);
    best->is_queued = false;
  }
  return static_cast<PostedReceive*>(best);
}

void Mailbox::post(PostedReceive& receive) {
  receive.order = next_order_++;
  receive.is_queued = true;
  if (is_wildcard(receive.source, receive.tag)) {
    posted_wild_.insert(receive);
  } else {
    posted_exact_.insert(receive);
  }
}

DirectReceiveSlot::Generation Mailbox::offer(PostedReceive& receive) {
  const bool is_only =
      posted_exact_.empty() && posted_wild_.first() == nullptr && direct_receive_.is_free();
  if (is_only) return direct_receive_.offer(receive);
  post(receive);
  return DirectReceiveSlot::no_generation;
}

WaitingMessage* Mailbox::find_message(int source, int tag) noexcept {
  if (!is_wildcard(source, tag)) return static_cast<WaitingMessage*>(arrived_.find(source, tag));
  Matchable* entry = arrived_in_order_.first();
  while (entry != nullptr && !matches(source, tag, *entry)) entry = MatchList::next(*entry);
  return static_cast<WaitingMessage*>(entry);
}

WaitingMessagePtr Mailbox::take_message(int source, int tag) noexcept {
  WaitingMessage* const message = find_message(source, tag);
  return message != nullptr ? withdraw(*message) : nullptr;
}

bool Mailbox::withdraw(PostedReceive& receive) noexcept {
  if (!receive.is_queued) return direct_receive_.withdraw(receive);
  if (is_wildcard(receive.source, receive.tag)) {
    posted_wild_.erase(receive);
  } else {
    posted_exact_.erase(receive);
  }
  receive.is_queued = false;
  return true;
}

WaitingMessagePtr Mailbox::withdraw(WaitingMessage& message) noexcept {
  arrived_.erase(message);
  arrived_in_order_.erase(message);
  return WaitingMessagePtr(&message);
}

void Mailbox::deposit(WaitingMessagePtr message) {
  message->order = next_order_++;
  arrived_.insert(*message);
  arrived_in_order_.insert(*message.release());
}

}  // namespace ep
