// Clients that are offered shared memory and cannot map it: messages carry their parts, whatever
// the reason, and whoever can map it does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "channel_layout.hpp"
#include "offer.hpp"
#include "pattern.hpp"
#include "transport/channel.hpp"

namespace epios::io::channel_apart_test {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t capacity = 10'000;
constexpr int depth = 2;

/// What a client finds where the server's segment should be.
enum class Found { it, nothing, another_size, another_nonce };

struct Case {
  Found found;
  bool sends_first;  ///< before the server knows that all have opened their ends
  int endpoints_per_process;
};

class ChannelApart : public ::testing::TestWithParam<Case> {};

std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  const char* const found[] = {"it", "nothing", "another_size", "another_nonce"};
  return std::string(found[static_cast<int>(info.param.found)]) +
         (info.param.sends_first ? "_sent_early_" : "_sent_late_") +
         std::to_string(info.param.endpoints_per_process);
}

std::vector<Case> all_cases() {
  std::vector<Case> out;
  for (const Found found : {Found::it, Found::nothing, Found::another_size, Found::another_nonce}) {
    for (const bool early : {false, true}) {
      for (const int endpoints : {1, 2}) out.push_back({found, early, endpoints});
    }
  }
  return out;
}

INSTANTIATE_TEST_SUITE_P(Reasons, ChannelApart, ::testing::ValuesIn(all_cases()), case_name);

const char* reason_of(Found found) {
  switch (found) {
    case Found::it:
      return "";
    case Found::nothing:
      return "cannot be opened (No such file or directory)";
    case Found::another_size:
      return "Does it belong to another job?";
    case Found::another_nonce:
      return "is not the server's";
  }
  return "?";
}

ChannelOffer as_found(const ChannelOffer& offer, Found found) {
  OfferedChannel out = decode(offer);
  if (found == Found::nothing) out.segment_name += "x";
  if (found == Found::another_size) out.segment_bytes += 4096;
  if (found == Found::another_nonce) out.token.random += 1;
  return encode(out);
}

/// Every second client on the node finds what the case says; the others find the segment.
Found found_by(const ep::Comm& comm, int client, int peer, const Case& how) {
  const bool is_apart = client % 2 == 1 && comm.locality(peer) == EP_LOCALITY_NODE;
  return is_apart ? how.found : Found::it;
}

CarrierKind carrier_of(const ep::Comm& comm, int peer, Found found) {
  const CarrierKind nearest = test::expected_carrier(comm, peer, CarrierKind::in_process);
  return nearest == CarrierKind::shared_memory && found != Found::it ? CarrierKind::messages
                                                                     : nearest;
}

void send_parts(const ep::Comm& comm, ChannelSender& sender, std::uint64_t begin,
                std::uint64_t end) {
  for (std::uint64_t n = begin; n < end; ++n) {
    const std::size_t bytes = n % 3 == 0 ? capacity : 1 + 37 * n % capacity;
    test::fill_pattern(test::reserve(comm, sender, bytes), static_cast<std::uint64_t>(comm.rank()),
                       n);
    sender.commit();
  }
}

void take_parts(const ep::Comm& comm, ChannelGroup& group, std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t n = begin; n < end; ++n) {
    for (std::size_t c = 0; c < group.size(); ++c) {
      EXPECT_TRUE(test::has_pattern(test::front(comm, group.receiver(c)), c + 1, n)) << n;
      group.receiver(c).release();
    }
  }
}

void send_all(const ep::Comm& comm, const Case& how) {
  const ChannelOffer offer = ep::receive(comm, 0, test::side_tag).bytes;
  const Found found = found_by(comm, comm.rank(), 0, how);
  const auto sender = open_channel(comm, 0, as_found(offer, found));
  EXPECT_EQ(sender->carrier(), carrier_of(comm, 0, found));
  EXPECT_THAT(sender->fallback(), HasSubstr(reason_of(found)));
  EXPECT_EQ(sender->fallback().empty(), found == Found::it);
  if (how.sends_first) send_parts(comm, *sender, 0, depth);
  ep::check(EP_Barrier(comm.get()));
  send_parts(comm, *sender, how.sends_first ? depth : 0, 50);
  test::wait_for(comm, "all parts to be released", [&] { return sender->is_drained(); });
  ep::check(EP_Barrier(comm.get()));
}

void receive_all(const ep::Comm& comm, const Case& how) {
  std::vector<ChannelSpec> specs;
  for (int peer = 1; peer < comm.size(); ++peer) specs.push_back({peer, capacity, depth});
  ChannelGroup group(comm, test::group_tag, specs);
  for (int peer = 1; peer < comm.size(); ++peer) {
    ep::send(comm, group.offer(static_cast<std::size_t>(peer - 1)), peer, test::side_tag);
  }
  // In one half of the cases parts arrive while it is open which way they come.
  if (how.sends_first) take_parts(comm, group, 0, depth);
  ep::check(EP_Barrier(comm.get()));
  group.unlink();
  for (std::size_t c = 0; c < group.size(); ++c) {
    const int peer = specs[c].peer;
    EXPECT_EQ(group.receiver(c).carrier(), carrier_of(comm, peer, found_by(comm, peer, peer, how)));
  }
  take_parts(comm, group, how.sends_first ? depth : 0, 50);
  test::wait_for(comm, "all clients to know", [&] {
    bool is_done = true;
    for (std::size_t c = 0; c < group.size(); ++c) is_done &= group.receiver(c).acks_sent();
    return is_done;
  });
  ep::check(EP_Barrier(comm.get()));
}

TEST_P(ChannelApart, WhoCannotMapTheSegmentSendsMessages) {
  test::on_endpoints({CarrierKind::in_process, GetParam().endpoints_per_process},
                     [](ep::Comm& comm) {
                       if (comm.rank() == 0) {
                         receive_all(comm, GetParam());
                       } else {
                         send_all(comm, GetParam());
                       }
                     });
}

}  // namespace
}  // namespace epios::io::channel_apart_test
