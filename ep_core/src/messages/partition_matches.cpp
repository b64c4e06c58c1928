#include "messages/partition_matches.hpp"

#include <algorithm>

#include "process/error.hpp"

namespace ep {

namespace {

// One less than the bits allow, since the largest number would exceed the range of tags.
constexpr std::uint32_t most_channels = (1U << 18U) - 1;

template <class Map, class Key>
auto take_first(Map& map, const Key& key) {
  const auto place = map.find(key);
  auto first = std::move(place->second.front());
  place->second.pop_front();
  if (place->second.empty()) map.erase(place);
  return first;
}

}  // namespace

std::uint32_t PartitionMatches::draw_channel(const std::shared_ptr<PartitionEnd>& source) {
  const std::lock_guard lock(mutex_);
  if (sources_.size() >= most_channels) {
    fail(EP_ERR_OTHER, "there are ", most_channels,
         " requests of EP_Psend_init (no more are possible).");
  }
  do {
    channels_ = (channels_ + 1) % most_channels;
  } while (sources_.count(channels_) != 0);
  sources_[channels_] = source;
  return channels_;
}

void PartitionMatches::forget(std::uint32_t channel) noexcept {
  const std::lock_guard lock(mutex_);
  sources_.erase(channel);
}

std::shared_ptr<PartitionEnd> PartitionMatches::source(std::uint32_t channel) {
  const std::lock_guard lock(mutex_);
  const auto found = sources_.find(channel);
  return found != sources_.end() ? found->second.lock() : nullptr;
}

bool PartitionMatches::add(int slot, int source, int tag,
                           const std::shared_ptr<PartitionEnd>& target, PartitionOffer& offer) {
  const Key key(slot, source, tag);
  const std::lock_guard lock(mutex_);
  if (offers_.count(key) == 0) {
    targets_[key].push_back(target);
    return false;
  }
  offer = take_first(offers_, key);
  return true;
}

std::shared_ptr<PartitionEnd> PartitionMatches::add(int slot, int source,
                                                    const PartitionOffer& offer) {
  const Key key(slot, source, offer.tag);
  const std::lock_guard lock(mutex_);
  if (targets_.count(key) == 0) {
    offers_[key].push_back(offer);
    return nullptr;
  }
  return take_first(targets_, key);
}

void PartitionMatches::withdraw(int slot, int source, int tag,
                                const PartitionEnd& target) noexcept {
  const std::lock_guard lock(mutex_);
  const auto place = targets_.find(Key(slot, source, tag));
  if (place == targets_.end()) return;
  auto& waiting = place->second;
  const auto found = std::find_if(waiting.begin(), waiting.end(),
                                  [&](const auto& one) { return one.get() == &target; });
  if (found != waiting.end()) waiting.erase(found);
  if (waiting.empty()) targets_.erase(place);
}

}  // namespace ep
