// Makes whole events of the parts in channels. A part stays in its channel until release(), so that
// nothing is copied and a channel that is full holds its client back. The sequence number of a part
// says which event is next; the first part says who else must send. In order: channels are polled,
// an event is begun and collected, different calls are reported, arrivals are discarded.
#include "event/event_queue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ep/ep.hpp>
#include <utility>

#include "config/error.hpp"
#include "mismatch.hpp"

namespace epios::io {

namespace {

Error channel_error(const std::string& context_id, const std::string& sender, int number,
                    const ep::Error& error) {
  return Error(ErrorCode::communication, fmt::format("context '{}': channel of {} {}: {}",
                                                     context_id, sender, number, error.what()));
}

}  // namespace

EventQueue::EventQueue(std::string context_id, std::vector<Input> inputs, Expected expected,
                       Describe describe, Senders senders)
    : context_id_(std::move(context_id)),
      are_gatherers_(senders == Senders::gatherers),
      sender_(are_gatherers_ ? "gatherer" : "client"),
      expected_(std::move(expected)),
      describe_(std::move(describe)) {
  std::sort(inputs.begin(), inputs.end(),
            [](const Input& a, const Input& b) { return a.client < b.client; });
  fronts_.reserve(inputs.size());
  for (const Input& input : inputs) fronts_.push_back({input, std::nullopt, {}, false});
  members_.reserve(fronts_.size());
  missing_.reserve(fronts_.size());
  parts_.reserve(fronts_.size());
}

bool EventQueue::poll(Front& front) {
  if (front.header) return true;
  try {
    const std::span<std::byte> bytes = front.input.receiver->front();
    if (bytes.empty()) return false;
    front.header = read_header(bytes);
    front.bytes = bytes;
  } catch (const Error& error) {
    throw error.within(
        fmt::format("context '{}': {} {}", context_id_, sender_, front.input.client));
  } catch (const ep::Error& error) {
    throw channel_error(context_id_, sender_, front.input.client, error);
  }
  return true;
}

void EventQueue::give_back(Front& front) {
  front.header.reset();
  front.bytes = {};
  try {
    front.input.receiver->release();
  } catch (const ep::Error& error) {
    throw channel_error(context_id_, sender_, front.input.client, error);
  }
}

std::optional<EventQueue::Event> EventQueue::next() {
  if (is_discarding_) {
    discard_arrived();
    return std::nullopt;
  }
  if (!is_whole_) {
    if (!pending_) find_pending();
    if (!pending_ || !collect()) return std::nullopt;
    make_whole();
  }
  return Event{*pending_, parts_};
}

/// Looks for a first part of the next event, which then says who else must send.
void EventQueue::find_pending() {
  std::size_t ahead = 0;
  const Front* first = nullptr;
  for (Front& front : fronts_) {
    if (!poll(front)) continue;
    if (front.header->sequence < next_sequence_) fail_late(front);
    if (front.header->sequence > next_sequence_) ++ahead;
    if (front.header->sequence == next_sequence_ && first == nullptr) first = &front;
  }
  if (first == nullptr) {
    // Every channel is in order, so a number that all are past will never come.
    if (ahead > 0 && ahead == fronts_.size()) fail_mismatch();
    return;
  }
  begin_pending(*first->header);
}

void EventQueue::begin_pending(const EventHeader& header) {
  members_.clear();
  missing_.clear();
  for (const int client : expected_(header.kind, header.stream)) {
    const auto found = std::lower_bound(
        fronts_.begin(), fronts_.end(), client,
        [](const Front& front, int wanted) { return front.input.client < wanted; });
    if (found == fronts_.end() || found->input.client != client) {
      throw Error(ErrorCode::internal,
                  fmt::format("context '{}': {} needs {} {} (which has no channel to this "
                              "server). Please report this with the configuration",
                              context_id_, call_text(header, describe_), sender_, client));
    }
    members_.push_back(static_cast<std::size_t>(found - fronts_.begin()));
  }
  missing_ = members_;
  pending_ = header;
  for (const Front& front : fronts_) {
    if (front.header && front.header->sequence == next_sequence_) check_member(front);
  }
}

/// A part of the pending event must be the same call, from a client that has to make it.
void EventQueue::check_member(const Front& front) {
  if (front.header->hash != pending_->hash) fail_mismatch();
  const auto index = static_cast<std::size_t>(&front - fronts_.data());
  if (!std::binary_search(members_.begin(), members_.end(), index)) {
    throw Error(ErrorCode::protocol,
                fmt::format("context '{}': {} {} sent a part of event {}, {} (which this "
                            "server does not expect from it). Do all clients and servers see the "
                            "same configuration?",
                            context_id_, sender_, front.input.client, pending_->event,
                            call_text(*pending_, describe_)));
  }
}

/// Looks for the parts still missing; then for other news, which may show that they never come.
bool EventQueue::collect() {
  std::size_t left = 0;
  for (const std::size_t member : missing_) {
    Front& front = fronts_[member];
    if (!poll(front)) {
      missing_[left++] = member;
    } else if (front.header->sequence < next_sequence_) {
      fail_late(front);
    } else if (front.header->sequence > next_sequence_ || front.header->hash != pending_->hash) {
      fail_mismatch();
    }
  }
  missing_.resize(left);
  if (left == 0) return true;
  for (Front& front : fronts_) {
    if (front.header || !poll(front)) continue;
    if (front.header->sequence < next_sequence_) fail_late(front);
    if (front.header->sequence == next_sequence_) check_member(front);
  }
  return false;
}

void EventQueue::make_whole() {
  parts_.clear();
  for (const std::size_t member : members_) {
    const Front& front = fronts_[member];
    parts_.push_back({front.input.client, front.bytes.subspan(EventHeader::payload_offset)});
  }
  is_whole_ = true;
}

void EventQueue::release() {
  if (!is_whole_) return;
  for (const std::size_t member : members_) give_back(fronts_[member]);
  last_ = std::exchange(pending_, std::nullopt);
  parts_.clear();
  is_whole_ = false;
  ++next_sequence_;
}

bool EventQueue::acks_sent() {
  bool out = true;
  for (Front& front : fronts_) {
    try {
      out = front.input.receiver->acks_sent() && out;
    } catch (const ep::Error& error) {
      throw channel_error(context_id_, sender_, front.input.client, error);
    }
  }
  return out;
}

std::optional<std::pair<std::uint64_t, std::size_t>> EventQueue::lacks() const {
  if (is_discarding_ || is_whole_ || !pending_ || missing_.empty()) return std::nullopt;
  return std::pair<std::uint64_t, std::size_t>(pending_->event, missing_.size());
}

std::vector<int> EventQueue::missing_clients() const {
  std::vector<int> clients;
  if (!lacks()) return clients;
  for (const std::size_t member : missing_) clients.push_back(fronts_[member].input.client);
  return clients;
}

std::string EventQueue::waiting_for() const {
  const std::vector<int> clients = missing_clients();
  if (clients.empty()) return {};
  const std::string senders = sender_ + "s";
  return fmt::format("event {}: {}: has parts of {} of {} {}, waits for {}", pending_->event,
                     call_text(*pending_, describe_), members_.size() - missing_.size(),
                     members_.size(), senders,
                     ranks_text(clients, sender_.c_str(), senders.c_str()));
}

void EventQueue::discard(Discarded tell) {
  is_discarding_ = true;
  discarded_ = std::move(tell);
  pending_.reset();
  is_whole_ = false;
  parts_.clear();
  discard_arrived();
}

void EventQueue::discard_arrived() {
  for (Front& front : fronts_) {
    try {
      while (!front.is_broken && discard_one(front)) {
      }
    } catch (const Error&) {
      // The context has failed already, perhaps by this: nothing new to tell.
      front.is_broken = true;
    }
  }
}

/// Returns true if there was a part to throw away. Throws Error{communication} only.
bool EventQueue::discard_one(Front& front) {
  std::optional<EventHeader> header;
  try {
    if (!poll(front)) return false;
    header = front.header;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::communication) throw;
  }
  give_back(front);
  if (header) discarded_(*header);
  return true;
}

/// For texts on calls that differ. What a gatherer passes on is what its clients have called.
std::string EventQueue::names_of(const std::vector<int>& senders) const {
  if (!are_gatherers_) return ranks_text(senders, "rank", "ranks");
  std::vector<int> clients;
  for (const Front& front : fronts_) {
    if (!std::binary_search(senders.begin(), senders.end(), front.input.client)) continue;
    for (const PlaceRun& run : front.input.clients) {
      for (std::int64_t k = 0; k < run.count; ++k) {
        clients.push_back(static_cast<int>(run.place + k));
      }
    }
  }
  std::sort(clients.begin(), clients.end());
  clients.erase(std::unique(clients.begin(), clients.end()), clients.end());
  std::string gatherers = ranks_text(senders, "gatherer", "gatherers");
  if (clients.empty()) return gatherers;
  return fmt::format("{} for {}", gatherers, ranks_text(clients, "client", "clients"));
}

/// Names every version of the pending event that has been seen, and who passed it by.
void EventQueue::fail_mismatch() {
  for (Front& front : fronts_) poll(front);
  std::vector<SeenCall> calls;
  for (const Front& front : fronts_) {
    if (!front.header || front.header->sequence < next_sequence_) continue;
    const auto index = static_cast<std::size_t>(&front - fronts_.data());
    const bool is_same_call = front.header->sequence == next_sequence_;
    const bool is_expected =
        !pending_ || std::find(members_.begin(), members_.end(), index) != members_.end();
    if (is_same_call || is_expected) calls.push_back({front.input.client, *front.header});
  }
  const std::int64_t event = pending_ ? pending_->event : (last_ ? last_->event + 1 : 0);
  throw Error(ErrorCode::mismatch,
              mismatch_text(context_id_, event, calls, describe_,
                            [this](const std::vector<int>& senders) { return names_of(senders); }));
}

/// A part for an event that has been executed without it.
void EventQueue::fail_late(const Front& front) {
  std::string others = "the others went on";
  if (last_ && last_->sequence == front.header->sequence) {
    others = fmt::format("the others {}", call_text(*last_, describe_));
  }
  throw Error(ErrorCode::mismatch,
              fmt::format("context '{}': clients made different calls at event {} ({} {}; {})."
                          " Do all processes make the same calls in the same order?",
                          context_id_, front.header->event, names_of({front.input.client}),
                          call_text(*front.header, describe_), others));
}

}  // namespace epios::io
