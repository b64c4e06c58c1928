#include <dirent.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <string>

#include "channel_layout.hpp"
#include "offer.hpp"
#include "pattern.hpp"
#include "transport/channel.hpp"
#include "window_state.hpp"

namespace epios::io::channel_lifetime_test {
namespace {

using test::Connection;
using test::Layout;
using ::testing::HasSubstr;

class ChannelLifetime : public ::testing::TestWithParam<Layout> {
 protected:
  static Connection connect(const ep::Comm& comm, std::size_t capacity, int depth) {
    return test::connect(comm, GetParam().force, capacity, depth);
  }
};
INSTANTIATE_TEST_SUITE_P(Carriers, ChannelLifetime, test::all_layouts(), test::layout_name);

std::string error_of(auto&& action) {
  try {
    action();
  } catch (const ep::Error& error) {
    return error.what();
  }
  return "no error";
}

// Names of shared-memory segments that this process made.
std::vector<std::string> own_segments() {
  std::vector<std::string> names;
  const std::string prefix = "epios-" + std::to_string(::getpid()) + "-";
  DIR* folder = ::opendir("/dev/shm");
  if (folder == nullptr) return names;
  while (const dirent* entry = ::readdir(folder)) {
    if (std::string(entry->d_name).rfind(prefix, 0) == 0) names.emplace_back(entry->d_name);
  }
  ::closedir(folder);
  return names;
}

TEST_P(ChannelLifetime, NothingIsLeftInSharedMemoryAfterUnlink) {
  test::on_endpoints(GetParam(), [](ep::Comm& comm) {
    Connection connection = connect(comm, 100, 2);  // the server unlinks
    ep::check(EP_Barrier(comm.get()));
    EXPECT_THAT(own_segments(), ::testing::IsEmpty());
    test::drain(comm, connection);
  });
}

TEST_P(ChannelLifetime, PartsOfASenderThatIsGoneStillArrive) {
  constexpr std::size_t capacity = 200'000;
  test::on_endpoints(GetParam(), [](ep::Comm& comm) {
    Connection connection = connect(comm, capacity, 2);
    if (connection.sender) {
      for (std::uint64_t i = 0; i < 2; ++i) {
        test::fill_pattern(test::reserve(comm, *connection.sender, capacity), 9, i);
        connection.sender->commit();
      }
      const CarrierKind carrier = connection.sender->carrier();
      connection.sender.reset();  // does not wait
      test::tell(comm, 0);
      // What the server sends back for each part finds nobody: the documented price.
      for (int i = 0; carrier == CarrierKind::messages && i < 2; ++i) {
        EXPECT_EQ(ep::receive(comm, 0, test::group_tag + 1).bytes.size(), sizeof(std::uint64_t));
      }
      // What has not left yet is the window's to move.
      ep::Received all_there;
      test::wait_for(comm, "the server to have all parts", [&] {
        if (connection.window) connection.window->progress();
        return ep::try_receive(comm, 0, test::side_tag, all_there);
      });
    } else {
      for (std::size_t c = 0; c < connection.group->size(); ++c) {
        test::hear(comm, static_cast<int>(c) + 1);
        for (std::uint64_t i = 0; i < 2; ++i) {
          EXPECT_TRUE(test::has_pattern(test::front(comm, connection.group->receiver(c)), 9, i));
          connection.group->receiver(c).release();
        }
        test::tell(comm, static_cast<int>(c) + 1);
      }
    }
    ep::check(EP_Barrier(comm.get()));
  });
}

TEST_P(ChannelLifetime, GroupMayEndBeforeItsSenders) {
  test::on_endpoints(GetParam(), [](ep::Comm& comm) {
    Connection connection = connect(comm, 1000, 2);
    if (connection.sender) {
      test::reserve(comm, *connection.sender, 1000);
      connection.sender->commit();
      test::wait_for(comm, "the part to be released",
                     [&] { return connection.sender->is_drained(); });
      ep::check(EP_Barrier(comm.get()));
      ep::check(EP_Barrier(comm.get()));
      // The receiver is gone; the sender's memory is not.
      const auto room = connection.sender->try_reserve(1000);
      ASSERT_EQ(room.size(), 1000U);
      test::fill_pattern(room, 1, 1);
    } else {
      for (std::size_t c = 0; c < connection.group->size(); ++c) {
        test::front(comm, connection.group->receiver(c));
        connection.group->receiver(c).release();
      }
      ep::check(EP_Barrier(comm.get()));
      connection.group.reset();
      ep::check(EP_Barrier(comm.get()));
    }
  });
}

// A server that has given a context up does not ask its clients first.
TEST_P(ChannelLifetime, PartsForAGroupThatHasEndedDoNoHarm) {
  const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
  for (int peer = 0; peer < world.size(); ++peer) {
    if (test::expected_carrier(world, peer, GetParam().force) != CarrierKind::messages) continue;
    GTEST_SKIP() << "they stay where they are sent to";
  }
  test::on_endpoints(GetParam(), [](ep::Comm& comm) {
    constexpr std::size_t capacity = 100'000;
    Connection connection = connect(comm, capacity, 2);
    ep::check(EP_Barrier(comm.get()));
    connection.group.reset();
    ep::check(EP_Barrier(comm.get()));
    if (connection.sender) {
      for (const std::size_t bytes : {capacity, std::size_t{100}}) {
        test::fill_pattern(test::reserve(comm, *connection.sender, bytes), 4, bytes);
        connection.sender->commit();
      }
      connection.sender.reset();
      test::tell(comm, 0);
      ep::Received next;
      test::wait_for(comm, "the server's word", [&] {
        if (connection.window) connection.window->progress();
        return ep::try_receive(comm, 0, test::side_tag, next);
      });
    } else {
      for (int peer = 1; peer < comm.size(); ++peer) test::hear(comm, peer);
      for (int peer = 1; peer < comm.size(); ++peer) test::tell(comm, peer);
    }
    ep::check(EP_Barrier(comm.get()));
    // Another group has memory of its own.
    Connection second = connect(comm, capacity, 2);
    if (second.sender) {
      test::fill_pattern(test::reserve(comm, *second.sender, capacity), 6, 1);
      second.sender->commit();
    } else {
      for (std::size_t c = 0; c < second.group->size(); ++c) {
        EXPECT_TRUE(test::has_pattern(test::front(comm, second.group->receiver(c)), 6, 1));
        second.group->receiver(c).release();
      }
    }
    test::drain(comm, second);
  });
}

// A server on which a context cannot be opened tells its clients so, and not of its channels.
TEST_P(ChannelLifetime, NothingIsLeftOfAGroupWhoseOffersNobodyGot) {
  test::on_endpoints(GetParam(), [](ep::Comm& comm) {
    const auto window = test::window_for(comm, GetParam().force);
    if (comm.rank() == 0) {
      std::vector<ChannelSpec> specs;
      for (int peer = 1; peer < comm.size(); ++peer) specs.push_back({peer, 100, 2});
      for (int repeat = 0; repeat < 3; ++repeat) {
        ChannelGroup(comm, test::group_tag, specs, GetParam().force, window.get());
      }
      EXPECT_THAT(own_segments(), ::testing::IsEmpty());
      EXPECT_EQ(window ? window->state()->retired_bytes() : 0, 0U);
    }
    ep::check(EP_Barrier(comm.get()));
  });
}

// Another server may have failed: then no client opens the channels of this one.
TEST_P(ChannelLifetime, NoNameIsLeftOfAGroupThatNobodyHasOpened) {
  test::on_endpoints(GetParam(), [](ep::Comm& comm) {
    const auto window = test::window_for(comm, GetParam().force);
    if (comm.rank() == 0) {
      std::vector<ChannelSpec> specs;
      for (int peer = 1; peer < comm.size(); ++peer) specs.push_back({peer, 100, 2});
      auto group = std::make_unique<ChannelGroup>(comm, test::group_tag, specs, GetParam().force,
                                                  window.get());
      for (std::size_t c = 0; c < specs.size(); ++c) EXPECT_FALSE(group->offer(c).empty());
      group.reset();
      EXPECT_THAT(own_segments(), ::testing::IsEmpty());
    }
    ep::check(EP_Barrier(comm.get()));
  });
}

TEST_P(ChannelLifetime, ASenderTakesOnlyItsOwnOffer) {
  test::on_endpoints(GetParam(), [](ep::Comm& comm) {
    const auto window = test::window_for(comm, GetParam().force);
    if (comm.rank() == 0) {
      const ChannelSpec spec{1, 100, 2};
      ChannelGroup group(comm, test::group_tag, {&spec, 1}, GetParam().force, window.get());
      for (int peer = 1; peer < comm.size(); ++peer) {
        ep::send(comm, group.offer(0), peer, test::side_tag);
      }
      ep::check(EP_Barrier(comm.get()));
      return;
    }
    const ChannelOffer offer = ep::receive(comm, 0, test::side_tag).bytes;
    if (comm.rank() == 1) {
      EXPECT_NE(open_channel(comm, 0, offer, window.get()), nullptr);
    } else {
      EXPECT_EQ(
          error_of([&] { open_channel(comm, 0, offer); }),
          "client " + std::to_string(comm.rank()) +
              " cannot open the channel of client 1 (a channel has one sender). Were offers mixed "
              "up?");
    }
    ep::check(EP_Barrier(comm.get()));
  });
}

TEST_P(ChannelLifetime, OffersThatCannotBeOpenedAreRefusedWithAReason) {
  test::on_endpoints(GetParam(), [](ep::Comm& comm) {
    const auto window = test::window_for(comm, GetParam().force);
    if (comm.rank() == 0) {
      std::vector<ChannelSpec> specs;
      for (int peer = 1; peer < comm.size(); ++peer) specs.push_back({peer, 100, 2});
      ChannelGroup group(comm, test::group_tag, specs, GetParam().force, window.get());
      for (int peer = 1; peer < comm.size(); ++peer) {
        ep::send(comm, group.offer(static_cast<std::size_t>(peer - 1)), peer, test::side_tag);
      }
      ep::check(EP_Barrier(comm.get()));
      return;
    }
    const ChannelOffer offer = ep::receive(comm, 0, test::side_tag).bytes;
    ChannelOffer damaged = offer;
    damaged[30] ^= std::byte{1};
    EXPECT_THAT(error_of([&] { open_channel(comm, 0, damaged); }),
                HasSubstr("its checksum is wrong"));
    ChannelOffer newer = offer;
    newer[8] = std::byte{4};
    EXPECT_THAT(error_of([&] { open_channel(comm, 0, newer); }),
                HasSubstr("channels of version 4, this client knows version 3"));
    OfferedChannel other = decode(offer);
    other.token.random += 1;
    other.segment_name += "x";
    other.carrier = test::expected_carrier(comm, 0, GetParam().force);
    std::unique_ptr<ChannelSender> apart;
    const std::string text =
        error_of([&] { apart = open_channel(comm, 0, encode(other), window.get()); });
    const CarrierKind nearest = test::expected_carrier(comm, 0, CarrierKind::in_process);
    const bool is_one_sided = other.carrier == CarrierKind::one_sided;
    const bool is_window_mapped = nearest == CarrierKind::shared_memory && maps_windows();
    if (other.carrier == CarrierKind::in_process ||
        (is_one_sided && nearest == CarrierKind::in_process)) {
      EXPECT_THAT(text, HasSubstr("its memory is not visible here"));
    } else if (other.carrier == CarrierKind::shared_memory || (is_one_sided && is_window_mapped)) {
      ASSERT_NE(apart, nullptr) << text;
      EXPECT_EQ(apart->carrier(), std::max(other.carrier, CarrierKind::messages));
      EXPECT_THAT(apart->fallback(), HasSubstr("cannot be opened (No such file or directory)"));
    }
    apart.reset();
    if (is_one_sided && nearest != CarrierKind::in_process && !is_window_mapped) {
      EXPECT_THAT(error_of([&] { open_channel(comm, 0, offer); }),
                  HasSubstr("one_sided cannot be used here (this connection has no window)"));
    }
    other = decode(offer);
    other.carrier = CarrierKind{77};
    EXPECT_THAT(error_of([&] { open_channel(comm, 0, encode(other)); }),
                HasSubstr("names carrier 77 (unknown here)"));
    // None of the refusals has spoilt the channel; opening it twice is refused where it can be
    // seen.
    const auto sender = open_channel(comm, 0, offer, window.get());
    const bool is_in_memory =
        sender->carrier() < CarrierKind::messages ||
        (is_one_sided && (nearest == CarrierKind::in_process || is_window_mapped));
    if (is_in_memory) {
      EXPECT_THAT(error_of([&] { open_channel(comm, 0, offer, window.get()); }),
                  HasSubstr("already had a sender"));
    }
    ep::check(EP_Barrier(comm.get()));
  });
}

// No file of this process may have more than a page: a /dev/shm without room.
class NoRoom {
 public:
  NoRoom() : handler_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit little{4096, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &little);
  }
  NoRoom(const NoRoom&) = delete;
  NoRoom(NoRoom&&) = delete;
  NoRoom& operator=(const NoRoom&) = delete;
  NoRoom& operator=(NoRoom&&) = delete;
  ~NoRoom() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit before_{};
};

TEST_P(ChannelLifetime, WithoutRoomForASegmentMessagesCarryUnlessItIsForced) {
  test::on_endpoints(GetParam(), [](ep::Comm& comm) {
    const auto window = test::window_for(comm, GetParam().force);
    if (comm.rank() == 0) {
      std::vector<ChannelSpec> specs;
      bool needs_segment = false;
      for (int peer = 1; peer < comm.size(); ++peer) {
        specs.push_back({peer, 100'000, 2});
        needs_segment |=
            test::expected_carrier(comm, peer, GetParam().force) == CarrierKind::shared_memory;
      }
      std::unique_ptr<ChannelGroup> group;
      const std::string error = error_of([&] {
        const NoRoom no_room;
        group = std::make_unique<ChannelGroup>(comm, test::group_tag, specs, GetParam().force,
                                               window.get());
      });
      if (needs_segment && GetParam().force == CarrierKind::shared_memory) {
        EXPECT_THAT(error, HasSubstr("cannot be reserved"));
      } else {
        EXPECT_EQ(error, "no error");
      }
      if (group) {
        EXPECT_THAT(group->fallback(), HasSubstr(needs_segment ? "cannot be reserved" : ""));
        EXPECT_EQ(group->fallback().empty(), !needs_segment);
        for (std::size_t c = 0; c < specs.size(); ++c) {
          const auto nearest = test::expected_carrier(comm, specs[c].peer, GetParam().force);
          EXPECT_EQ(group->receiver(c).carrier(),
                    nearest == CarrierKind::shared_memory ? CarrierKind::messages : nearest);
        }
      }
      EXPECT_THAT(own_segments(), ::testing::IsEmpty());
    }
    ep::check(EP_Barrier(comm.get()));
  });
}

TEST_P(ChannelLifetime, GroupsThatMakeNoSenseAreRefused) {
  test::on_endpoints(GetParam(), [](ep::Comm& comm) {
    const auto error_with = [&](std::vector<ChannelSpec> specs) {
      return error_of([&] { ChannelGroup(comm, test::group_tag, specs, GetParam().force); });
    };
    EXPECT_THAT(error_with({{0, 100, 2}, {1, 100, 2}, {0, 50, 1}}),
                HasSubstr("client 0 has two channels in one group"));
    EXPECT_THAT(error_with({{1, 0, 2}}), HasSubstr("2 parts of 0 bytes makes no sense"));
    EXPECT_THAT(error_with({{1, 10, 0}}), HasSubstr("0 parts of 10 bytes makes no sense"));
    if (GetParam().force >= CarrierKind::messages) {
      EXPECT_THAT(error_with({{1, std::size_t{1} << 40, 1}}), HasSubstr("cannot leave the node"));
    }
    if (GetParam().force == CarrierKind::one_sided) {
      EXPECT_EQ(error_with({{1, 100, 2}}),
                "the carrier one_sided cannot be used here (this connection has no window). Was it "
                "made before the carrier was known?");
    }
    EXPECT_THAT(own_segments(), ::testing::IsEmpty());
    ep::check(EP_Barrier(comm.get()));
  });
}

}  // namespace
}  // namespace epios::io::channel_lifetime_test
