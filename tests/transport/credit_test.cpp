// Credits of a message channel when a request does not complete at once. The channel is linked with
// a test of requests of our own.
#include <gtest/gtest.h>

#include <ep/ep.hpp>
#include <memory>

#include "message_channel.hpp"

namespace {

bool requests_are_stuck = false;

}  // namespace

extern "C" {
// Names of the linker's option --wrap.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
int __real_EP_Test(EP_Request* request, int* flag, EP_Status* status);
int __wrap_EP_Test(EP_Request* request, int* flag, EP_Status* status) {
  if (!requests_are_stuck) return __real_EP_Test(request, flag, status);
  *flag = 0;
  return EP_SUCCESS;
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
}

namespace epios::io::credit_test {
namespace {

TEST(Credit, that_could_not_leave_at_once_is_not_lost) {
  const auto endpoints = ep::Comm::from_mpi(MPI_COMM_WORLD).create_endpoints(2);
  constexpr int tag = 16;
  const RingLayout layout = RingLayout::of(100, 2);
  MessageSender sender(layout, endpoints[0].get(), 1, tag);
  auto memory = Memory::make_private(layout.memory_bytes());
  format_ring(memory->data(), layout);
  std::byte* const ring = memory->data();
  MessageReceiver receiver(std::move(memory), ring, endpoints[1].get(), 0, tag);
  EXPECT_TRUE(receiver.acks_sent());

  ASSERT_EQ(sender.try_reserve(100).size(), 100U);
  sender.commit();
  ep::wait_until(endpoints[1], {"a part", 0}, [&] { return !receiver.front().empty(); });
  EXPECT_TRUE(receiver.acks_sent()) << "nothing has been released";
  requests_are_stuck = true;
  receiver.release();
  EXPECT_FALSE(receiver.acks_sent());
  requests_are_stuck = false;
  EXPECT_FALSE(sender.is_drained());

  EXPECT_TRUE(receiver.acks_sent());
  ep::wait_until(endpoints[0], {"the credit", 1}, [&] { return sender.is_drained(); });
}

}  // namespace
}  // namespace epios::io::credit_test
