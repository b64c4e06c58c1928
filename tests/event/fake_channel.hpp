/// @file
/// A receiving end that a test fills by hand.
#pragma once

#include <deque>
#include <ep/ep.hpp>
#include <vector>

#include "event/event.hpp"
#include "transport/channel.hpp"

namespace epios::io::test {

class FakeChannel : public ChannelReceiver {
 public:
  std::span<std::byte> front() override {
    ++polls;
    if (broken) throw ep::Error(EP_ERR_OTHER, "the cable is cut");
    return parts.empty() ? std::span<std::byte>{} : std::span<std::byte>(parts.front());
  }
  void release() override {
    ++released;
    parts.pop_front();
  }
  bool acks_sent() override { return acks; }
  CarrierKind carrier() const override { return CarrierKind::in_process; }

  void push(EventHeader header, const std::vector<std::byte>& payload = {}) {
    header.payload_bytes = payload.size();
    std::vector<std::byte> bytes(part_bytes(payload.size()));
    write_header(bytes, header);
    std::copy(payload.begin(), payload.end(), bytes.begin() + EventHeader::payload_offset);
    parts.push_back(std::move(bytes));
  }

  std::deque<std::vector<std::byte>> parts;
  bool broken = false;
  bool acks = true;
  int polls = 0;
  int released = 0;
};

}  // namespace epios::io::test
