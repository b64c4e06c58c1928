#include "transport/channel.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "channel_layout.hpp"
#include "pattern.hpp"

namespace epios::io::channel_test {
namespace {

using test::Connection;
using test::Layout;

class Channel : public ::testing::TestWithParam<Layout> {
 protected:
  static Connection connect(const ep::Comm& comm, std::size_t capacity, int depth) {
    return test::connect(comm, GetParam().force, capacity, depth);
  }
};
INSTANTIATE_TEST_SUITE_P(Carriers, Channel, test::all_layouts(), test::layout_name);

// Sends parts first ... first + count - 1 of the stream of this endpoint.
void send_parts(const ep::Comm& comm, ChannelSender& sender, std::uint64_t seed,
                std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto room = test::reserve(comm, sender, test::pattern_bytes(seed, i, sender.capacity()));
    test::fill_pattern(room, seed, i);
    sender.commit();
  }
}

bool is_part(std::span<const std::byte> part, std::uint64_t seed, std::uint64_t number,
             std::size_t capacity) {
  return part.size() == test::pattern_bytes(seed, number, capacity) &&
         test::has_pattern(part, seed, number);
}

// Takes `count` parts from each channel, whichever has one; stream c + 1 comes from endpoint c + 1.
void take_parts(const ep::Comm& comm, ChannelGroup& group, std::uint64_t seed, std::uint64_t count,
                std::size_t capacity) {
  std::vector<std::uint64_t> taken(group.size(), 0);
  std::uint64_t missing = count * group.size();
  while (missing > 0) {
    test::wait_for(comm, "a part of any channel", [&] {
      for (std::size_t c = 0; c < group.size(); ++c) {
        if (taken[c] < count && !group.receiver(c).front().empty()) return true;
      }
      return false;
    });
    for (std::size_t c = 0; c < group.size(); ++c) {
      const std::span<std::byte> part = group.receiver(c).front();
      if (part.empty()) continue;
      ASSERT_TRUE(is_part(part, seed + c + 1, taken[c], capacity))
          << "part " << taken[c] << " of endpoint " << c + 1 << ", seed " << seed;
      group.receiver(c).release();
      ++taken[c];
      --missing;
    }
  }
}

// A new one every time; EPIOS_TEST_SEED repeats a run.
std::uint64_t agreed_seed(const ep::Comm& comm) {
  std::uint64_t seed = 0;
  if (comm.rank() == 0) {
    const char* given = std::getenv("EPIOS_TEST_SEED");
    seed = given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device()();
    std::printf("EPIOS_TEST_SEED=%llu\n", static_cast<unsigned long long>(seed));
  }
  ep::check(EP_Bcast(&seed, 1, MPI_UINT64_T, 0, comm.get()));
  return seed;
}

TEST_P(Channel, UsesTheNearestCarrierUnlessForced) {
  test::on_endpoints(GetParam(), [](ep::Comm& comm) {
    Connection connection = connect(comm, 100, 2);
    if (connection.sender) {
      EXPECT_EQ(connection.sender->carrier(), test::expected_carrier(comm, 0, GetParam().force));
      EXPECT_EQ(connection.sender->capacity(), 100U);
    } else {
      ASSERT_EQ(connection.group->size(), static_cast<std::size_t>(comm.size() - 1));
      for (int peer = 1; peer < comm.size(); ++peer) {
        EXPECT_EQ(connection.group->receiver(static_cast<std::size_t>(peer - 1)).carrier(),
                  test::expected_carrier(comm, peer, GetParam().force));
      }
      EXPECT_EQ(connection.group->memory_bytes(), connection.group->size() * channel_bytes(100, 2));
    }
    test::drain(comm, connection);
  });
}

TEST_P(Channel, CarriesEverySizeInOrder) {
  constexpr std::size_t capacity = 300;
  test::on_endpoints(GetParam(), [](ep::Comm& comm) {
    Connection connection = connect(comm, capacity, 2);
    const auto rank = static_cast<std::uint64_t>(comm.rank());
    for (std::size_t bytes = 1; bytes <= capacity; ++bytes) {
      if (connection.sender) {
        const auto room = test::reserve(comm, *connection.sender, bytes);
        ASSERT_EQ(room.size(), bytes);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(room.data()) % 64, 0U);
        test::fill_pattern(room, rank, bytes);
        connection.sender->commit();
        continue;
      }
      for (std::size_t c = 0; c < connection.group->size(); ++c) {
        const auto part = test::front(comm, connection.group->receiver(c));
        ASSERT_EQ(part.size(), bytes);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(part.data()) % 64, 0U);
        ASSERT_TRUE(test::has_pattern(part, c + 1, bytes)) << bytes << " bytes from " << c + 1;
        connection.group->receiver(c).release();
      }
    }
    test::drain(comm, connection);
  });
}

TEST_P(Channel, HoldsDepthLargestPartsAndThenPushesBack) {
  test::on_endpoints(GetParam(), [](ep::Comm& comm) {
    const std::size_t capacity = 10'000;
    for (int depth = 1; depth <= 3; ++depth) {
      Connection connection = connect(comm, capacity, depth);
      if (connection.sender) {
        int sent = 0;
        for (; sent < 100 && !connection.sender->try_reserve(capacity).empty(); ++sent) {
          connection.sender->commit();
        }
        EXPECT_EQ(sent, depth) << "other memory than agreed";
        EXPECT_FALSE(connection.sender->is_drained());
        test::tell(comm, 0);
        for (; sent < 10; ++sent) {
          test::reserve(comm, *connection.sender, capacity);
          connection.sender->commit();
        }
      } else {
        for (int peer = 1; peer < comm.size(); ++peer) test::hear(comm, peer);
        for (int part = 0; part < 10; ++part) {
          for (std::size_t c = 0; c < connection.group->size(); ++c) {
            EXPECT_EQ(test::front(comm, connection.group->receiver(c)).size(), capacity);
            connection.group->receiver(c).release();
          }
        }
      }
      test::drain(comm, connection);
    }
  });
}

// Small parts are many to one largest part: the sender runs ahead of a receiver that looks late.
TEST_P(Channel, ManySmallPartsWaitForALateReceiver) {
  test::on_endpoints(GetParam(), [](ep::Comm& comm) {
    constexpr std::uint32_t parts = 1000;
    Connection connection = connect(comm, 4000, 2);
    const auto commit = [&](std::span<std::byte> room, std::uint32_t number) {
      std::memcpy(room.data(), &number, sizeof number);
      connection.sender->commit();
    };
    if (connection.sender) {
      std::uint32_t sent = 0;
      std::span<std::byte> room;
      for (; !(room = connection.sender->try_reserve(sizeof sent)).empty(); ++sent)
        commit(room, sent);
      EXPECT_GT(sent, 2U);
      ASSERT_LT(sent, parts) << "nothing pushes back";
      test::tell(comm, 0);
      for (; sent < parts; ++sent) {
        commit(test::reserve(comm, *connection.sender, sizeof sent), sent);
      }
    } else {
      for (int peer = 1; peer < comm.size(); ++peer) test::hear(comm, peer);
      for (std::uint32_t expected = 0; expected < parts; ++expected) {
        for (std::size_t c = 0; c < connection.group->size(); ++c) {
          const auto part = test::front(comm, connection.group->receiver(c));
          std::uint32_t number = 0;
          ASSERT_EQ(part.size(), sizeof number);
          std::memcpy(&number, part.data(), sizeof number);
          ASSERT_EQ(number, expected);
          connection.group->receiver(c).release();
        }
      }
    }
    test::drain(comm, connection);
  });
}

TEST_P(Channel, WrapsAtEveryAlignment) {
  test::on_endpoints(GetParam(), [](ep::Comm& comm) {
    for (const std::size_t capacity : {1U, 63U, 64U, 65U, 127U, 500U, 1000U}) {
      Connection connection = connect(comm, capacity, 1);
      if (connection.sender) {
        send_parts(comm, *connection.sender, static_cast<std::uint64_t>(comm.rank()), 100);
      } else {
        take_parts(comm, *connection.group, 0, 100, capacity);
      }
      test::drain(comm, connection);
    }
  });
}

TEST_P(Channel, CarriesLargeParts) {
  constexpr std::size_t capacity = 3'000'000;
  test::on_endpoints(GetParam(), [](ep::Comm& comm) {
    Connection connection = connect(comm, capacity, 2);
    if (connection.sender) {
      send_parts(comm, *connection.sender, static_cast<std::uint64_t>(comm.rank()), 10);
    } else {
      take_parts(comm, *connection.group, 0, 10, capacity);
    }
    test::drain(comm, connection);
  });
}

TEST_P(Channel, RandomStressKeepsEveryByte) {
  test::on_endpoints(GetParam(), [](ep::Comm& comm) {
    const std::uint64_t seed = agreed_seed(comm);
    constexpr std::size_t capacity = 5000;
    Connection connection = connect(comm, capacity, 2);
    if (connection.sender) {
      send_parts(comm, *connection.sender, seed + static_cast<std::uint64_t>(comm.rank()), 1000);
    } else {
      take_parts(comm, *connection.group, seed, 1000, capacity);
    }
    test::drain(comm, connection);
  });
}

TEST_P(Channel, IsDrainedOnceEverythingIsReleased) {
  test::on_endpoints(GetParam(), [](ep::Comm& comm) {
    Connection connection = connect(comm, 1000, 2);
    if (connection.sender) {
      EXPECT_TRUE(connection.sender->is_drained());
      for (int i = 0; i < 2; ++i) {
        ASSERT_FALSE(connection.sender->try_reserve(1000).empty());
        connection.sender->commit();
      }
      EXPECT_FALSE(connection.sender->is_drained());
      test::tell(comm, 0);
      test::hear(comm, 0);  // one of two is released
      connection.sender->progress();
      EXPECT_FALSE(connection.sender->is_drained());
      test::tell(comm, 0);
    } else {
      for (int step = 0; step < 2; ++step) {
        for (std::size_t c = 0; c < connection.group->size(); ++c) {
          const int peer = static_cast<int>(c) + 1;
          test::hear(comm, peer);
          EXPECT_EQ(test::front(comm, connection.group->receiver(c)).size(), 1000U);
          connection.group->receiver(c).release();
          if (step == 0) test::tell(comm, peer);
        }
      }
    }
    test::drain(comm, connection);
  });
}

TEST_P(Channel, FrontStaysWhileMoreArrives) {
  test::on_endpoints(GetParam(), [](ep::Comm& comm) {
    Connection connection = connect(comm, 1000, 3);
    if (connection.sender) {
      for (std::uint64_t i = 0; i < 3; ++i) {
        test::fill_pattern(test::reserve(comm, *connection.sender, 900), 5, i);
        connection.sender->commit();
      }
      test::tell(comm, 0);
    } else {
      for (std::size_t c = 0; c < connection.group->size(); ++c) {
        ChannelReceiver& receiver = connection.group->receiver(c);
        const auto first = test::front(comm, receiver);
        test::hear(comm, static_cast<int>(c) + 1);
        for (int look = 0; look < 10; ++look) {
          const auto again = receiver.front();
          EXPECT_EQ(again.data(), first.data());
          EXPECT_TRUE(test::has_pattern(again, 5, 0));
        }
        first[0] = std::byte{1};  // the receiver may use a part's bytes as it likes
        for (int i = 0; i < 3; ++i) {
          test::front(comm, receiver);
          receiver.release();
        }
      }
    }
    test::drain(comm, connection);
  });
}

// A server gives space back whether or not the model looks at its channel in between.
TEST_P(Channel, ReleaseDoesNotNeedTheSender) {
  test::on_endpoints(GetParam(), [](ep::Comm& comm) {
    Connection connection = connect(comm, 200, 4);
    for (int round = 0; round < 20; ++round) {
      if (connection.sender) {
        for (int i = 0; i < 4; ++i) {
          test::reserve(comm, *connection.sender, 200);
          connection.sender->commit();
        }
        test::hear(comm, 0);
        continue;
      }
      for (std::size_t c = 0; c < connection.group->size(); ++c) {
        for (int i = 0; i < 4; ++i) {
          test::front(comm, connection.group->receiver(c));
          connection.group->receiver(c).release();
        }
        test::tell(comm, static_cast<int>(c) + 1);
      }
    }
    test::drain(comm, connection);
  });
}

TEST_P(Channel, WorksOverAnIntercommunicator) {
  test::on_endpoints(GetParam(), [](ep::Comm& comm) {
    const bool is_server = comm.rank() == 0;
    const ep::Comm side = comm.split(is_server ? 0 : 1, comm.rank());
    const ep::Comm inter = ep::Comm::intercomm(side, 0, comm, is_server ? 1 : 0, test::side_tag);
    constexpr std::size_t capacity = 2000;
    const auto window =
        test::window_for(inter, GetParam().force,
                         is_server ? ChannelWindow::Side::servers : ChannelWindow::Side::clients);
    if (is_server) {
      std::vector<ChannelSpec> specs;
      for (int peer = 0; peer < inter.remote_size(); ++peer) specs.push_back({peer, capacity, 2});
      ChannelGroup group(inter, test::group_tag, specs, GetParam().force, window.get());
      for (int peer = 0; peer < inter.remote_size(); ++peer) {
        ep::send(inter, group.offer(static_cast<std::size_t>(peer)), peer, test::side_tag);
      }
      take_parts(inter, group, 0, 100, capacity);
      test::meet(comm, window.get());
    } else {
      const auto offer = ep::receive(inter, 0, test::side_tag).bytes;
      const auto sender = open_channel(inter, 0, offer, window.get());
      send_parts(inter, *sender, static_cast<std::uint64_t>(inter.rank()) + 1, 100);
      test::wait_for(inter, "all parts to be released", [&] { return sender->is_drained(); });
      test::meet(comm, window.get());
    }
    if (window) window->free();
  });
}

// Something that processes of a job tell each other without calls that would move messages.
class Sign {
 public:
  explicit Sign(CarrierKind force)
      : path_(std::filesystem::temp_directory_path() /
              ("epios-sign-" + std::to_string(::getppid()) + "-" + std::string(name(force)))) {}
  void give() const { std::ofstream(path_).put('x'); }
  void take_away() const { std::filesystem::remove(path_); }
  bool comes_soon() const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!std::filesystem::exists(path_)) {
      if (std::chrono::steady_clock::now() > end) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
  }

 private:
  std::filesystem::path path_;
};

// Many contexts, each with as many parts as may be under way: the server takes them all while their
// client is in no call that would answer what it hears.
TEST_P(Channel, AClientThatComputesDoesNotHoldUpItsServer) {
  if (GetParam().force == CarrierKind::messages) GTEST_SKIP() << "both ends send";
  if (GetParam().endpoints_per_process > 1) GTEST_SKIP() << "others of its process would answer";
  test::on_endpoints(GetParam(), [](ep::Comm& comm) {
    constexpr int contexts = 17;
    constexpr int parts = 64;
    const Sign all_taken(GetParam().force);
    const auto window = test::window_for(comm, GetParam().force);
    std::vector<std::unique_ptr<ChannelGroup>> groups;
    std::vector<std::unique_ptr<ChannelSender>> senders;
    for (int context = 0; context < contexts; ++context) {
      if (comm.rank() > 0) {
        const auto offer = ep::receive(comm, 0, test::side_tag).bytes;
        senders.push_back(open_channel(comm, 0, offer, window.get()));
        continue;
      }
      std::vector<ChannelSpec> specs;
      for (int peer = 1; peer < comm.size(); ++peer) specs.push_back({peer, 64, parts});
      groups.push_back(std::make_unique<ChannelGroup>(comm, 100 + 2 * context, specs,
                                                      GetParam().force, window.get()));
      for (std::size_t c = 0; c < specs.size(); ++c) {
        ep::send(comm, groups.back()->offer(c), specs[c].peer, test::side_tag);
      }
    }
    for (const auto& sender : senders) send_parts(comm, *sender, 1, parts);
    if (comm.rank() > 0) {
      test::tell(comm, 0);
      EXPECT_TRUE(all_taken.comes_soon()) << "the server waits for a client that computes";
    } else {
      for (int peer = 1; peer < comm.size(); ++peer) test::hear(comm, peer);
      for (const auto& group : groups) {
        for (std::size_t c = 0; c < group->size(); ++c) {
          for (int part = 0; part < parts; ++part) {
            test::front(comm, group->receiver(c));
            group->receiver(c).release();
          }
        }
      }
      all_taken.give();
    }
    for (const auto& sender : senders) {
      test::wait_for(comm, "all parts to be released", [&] { return sender->is_drained(); });
    }
    test::meet(comm, window.get());
    if (comm.rank() == 0) all_taken.take_away();
    senders.clear();
    groups.clear();
    if (window) window->free();
  });
}

TEST_P(Channel, GroupsOnOneCommunicatorDoNotMix) {
  test::on_endpoints(GetParam(), [](ep::Comm& comm) {
    constexpr std::size_t capacity = 400;
    Connection first = connect(comm, capacity, 2);
    if (comm.rank() == 0) {
      std::vector<ChannelSpec> specs;
      for (int peer = 1; peer < comm.size(); ++peer) specs.push_back({peer, capacity, 2});
      ChannelGroup second(comm, test::group_tag + 2, specs, GetParam().force, first.window.get());
      for (int peer = 1; peer < comm.size(); ++peer) {
        ep::send(comm, second.offer(static_cast<std::size_t>(peer - 1)), peer, test::side_tag);
      }
      take_parts(comm, second, 500, 50, capacity);
      take_parts(comm, *first.group, 0, 2, capacity);
      test::drain(comm, first);
    } else {
      const auto offer = ep::receive(comm, 0, test::side_tag).bytes;
      const auto second = open_channel(comm, 0, offer, first.window.get());
      const auto rank = static_cast<std::uint64_t>(comm.rank());
      send_parts(comm, *first.sender, rank, 2);
      send_parts(comm, *second, 500 + rank, 50);
      test::wait_for(comm, "the second group", [&] { return second->is_drained(); });
      test::drain(comm, first);
    }
  });
}

}  // namespace
}  // namespace epios::io::channel_test
