#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

#include "layouts.hpp"
#include "messages/stress.hpp"

// Blocking calls have shorter ways of their own, whose ends are at 32 bytes (a blocked receiver
// takes the message without a lock), 1024 (it lies in its envelope), 16384 (it is buffered)
// and 131072 (its receiver helps to copy it).
namespace ep::test::blocking_stress_test {
namespace {

constexpr int messages = 250;
constexpr int longest = 150'000;

enum class Sending { standard, synchronous, later };

struct Letter {
  int bytes;
  int tag;
  Sending sending;
};

int random_bytes(std::mt19937& random) {
  const auto near = [&random](int bound, int distance) {
    return bound - distance + static_cast<int>(random() % static_cast<unsigned>(2 * distance + 1));
  };
  switch (random() % 20) {
    case 0:
      return static_cast<int>(random() % static_cast<unsigned>(longest));
    case 1:
    case 2:
      return near(16'384, 70);  // a header may take some of it
    case 3:
    case 4:
      return near(1024, 50);
    case 5:
    case 6:
    case 7:
      return near(32, 1);
    default:
      return static_cast<int>(random() % 64);
  }
}

std::vector<Letter> letters(int source, int dest) {
  std::mt19937 random(seed() + static_cast<std::uint32_t>(7919 * source + dest));
  std::vector<Letter> out;
  for (int i = 0; i < messages; ++i) {
    const int bytes = random_bytes(random);
    const int tag = static_cast<int>(random() % 5U) + (random() % 8 == 0 ? 1'500'000'000 : 0);
    const auto way = random() % 6U;
    out.push_back({bytes, tag,
                   way == 0   ? Sending::synchronous
                   : way == 1 ? Sending::later
                              : Sending::standard});
  }
  return out;
}

void send(const Letter& letter, const std::vector<unsigned char>& data, int dest, EP_Comm comm) {
  EP_Request request = EP_REQUEST_NULL;
  switch (letter.sending) {
    case Sending::standard:
      check(EP_Send(data.data(), letter.bytes, MPI_BYTE, dest, letter.tag, comm));
      break;
    case Sending::synchronous:
      check(EP_Ssend(data.data(), letter.bytes, MPI_BYTE, dest, letter.tag, comm));
      break;
    case Sending::later:
      check(EP_Isend(data.data(), letter.bytes, MPI_BYTE, dest, letter.tag, comm, &request));
      check(EP_Wait(&request, EP_STATUS_IGNORE));
  }
}

void send_all(const Comm& comm, const std::vector<int>& receivers) {
  std::vector<std::vector<Letter>> to;
  for (const int dest : receivers) to.push_back(letters(comm.rank(), dest));
  std::vector<unsigned char> data(longest + 100);
  for (int number = 0; number < messages; ++number) {
    for (std::size_t i = 0; i < receivers.size(); ++i) {
      const Letter& letter = to[i][static_cast<std::size_t>(number)];
      for (int k = 0; k < letter.bytes; ++k) {
        data[static_cast<std::size_t>(k)] =
            static_cast<unsigned char>(content(comm.rank(), number, k));
      }
      send(letter, data, receivers[i], comm.get());
    }
  }
}

/// Receives everything that `senders` send, in blocking receives, some of them behind posted ones
/// or after probes. By wildcards, so that no sender waits for another; with one sender also by
/// exact source and tag.
class Receiver {
 public:
  Receiver(const Comm& comm, const std::vector<int>& senders)
      : comm_(comm.get()),
        random_(seed() + static_cast<std::uint32_t>(31 * comm.rank())),
        letters_(static_cast<std::size_t>(comm.size())),
        numbers_(letters_.size(), 0),
        only_sender_(senders.size() == 1 ? senders.front() : EP_ANY_SOURCE),
        left_(messages * static_cast<int>(senders.size())) {
    for (const int source : senders) {
      letters_[static_cast<std::size_t>(source)] = letters(source, comm.rank());
    }
    EXPECT_EQ(MPI_Type_vector(longest + 100, 1, 2, MPI_BYTE, &spread_), MPI_SUCCESS);
    EXPECT_EQ(MPI_Type_commit(&spread_), MPI_SUCCESS);
  }
  Receiver(const Receiver&) = delete;
  Receiver(Receiver&&) = delete;
  Receiver& operator=(const Receiver&) = delete;
  Receiver& operator=(Receiver&&) = delete;
  ~Receiver() { EXPECT_EQ(MPI_Type_free(&spread_), MPI_SUCCESS); }

  void receive_all() {
    while (left_ > 0 && is_intact_) {
      const int wanted = random_() % 4 != 0 ? 0 : 1 + static_cast<int>(random_() % 3);
      receive_behind(std::min(wanted, left_ - 1));
    }
  }

 private:
  static constexpr int guard = 200;
  static constexpr unsigned char unwritten = 0xA5;

  struct Place {
    std::vector<unsigned char> data = std::vector<unsigned char>(
        static_cast<std::size_t>(2 * (longest + 100 + guard)), unwritten);
    int step = 1;
    EP_Request request = EP_REQUEST_NULL;
    EP_Status status{};
  };
  struct Envelope {
    int source = EP_ANY_SOURCE;
    int tag = EP_ANY_TAG;
  };

  // `posted` receives, and one that blocks; messages meet them in the order of the calls.
  void receive_behind(int posted) {
    for (int i = 0; i < posted; ++i) {
      Place& place = places_[static_cast<std::size_t>(i)];
      const Envelope from = envelope(i);
      const auto [count, type] = shape(place);
      check(EP_Irecv(place.data.data(), count, type, from.source, from.tag, comm_, &place.request));
    }
    Place& last = places_[static_cast<std::size_t>(posted)];
    receive_blocking(last, envelope(posted));
    for (int i = 0; i < posted; ++i) {
      Place& place = places_[static_cast<std::size_t>(i)];
      check(EP_Wait(&place.request, &place.status));
      check_received(place);
    }
    check_received(last);
    left_ -= posted + 1;
  }

  Envelope envelope(int ahead) {
    if (only_sender_ == EP_ANY_SOURCE || random_() % 2 == 0) return {};
    const auto source = static_cast<std::size_t>(only_sender_);
    const auto number = static_cast<std::size_t>(numbers_[source] + ahead);
    return {only_sender_, random_() % 2 == 0 ? EP_ANY_TAG : letters_[source][number].tag};
  }

  std::pair<int, MPI_Datatype> shape(Place& place) {
    place.step = random_() % 8 == 0 ? 2 : 1;
    if (place.step == 2) return {1, spread_};
    return {longest + 100, MPI_BYTE};
  }

  void receive_blocking(Place& place, Envelope from) {
    const auto [count, type] = shape(place);
    EP_Message message = EP_MESSAGE_NULL;
    switch (random_() % 8) {
      case 0:
        check(EP_Probe(from.source, from.tag, comm_, &place.status));
        from = {place.status.EP_SOURCE, place.status.EP_TAG};
        break;
      case 1:
        check(EP_Mprobe(from.source, from.tag, comm_, &message, &place.status));
        check(EP_Mrecv(place.data.data(), count, type, &message, &place.status));
        return;
      default:
        break;
    }
    check(EP_Recv(place.data.data(), count, type, from.source, from.tag, comm_, &place.status));
  }

  void check_received(Place& place) {
    const int source = place.status.EP_SOURCE;
    is_intact_ = false;
    ASSERT_TRUE(source >= 0 && static_cast<std::size_t>(source) < letters_.size()) << source;
    const std::vector<Letter>& all = letters_[static_cast<std::size_t>(source)];
    const int number = numbers_[static_cast<std::size_t>(source)]++;
    ASSERT_LT(static_cast<std::size_t>(number), all.size()) << "more than were sent";
    const Letter& letter = all[static_cast<std::size_t>(number)];
    int bytes = -1;
    check(EP_Get_count(&place.status, MPI_BYTE, &bytes));
    ASSERT_EQ(bytes, letter.bytes) << "message " << number << " of " << source;
    ASSERT_EQ(place.status.EP_TAG, letter.tag) << "message " << number << " of " << source;
    int wrong = -1;
    for (int k = (bytes + guard) * place.step - 1; k >= 0; --k) {
      const bool is_written = k % place.step == 0 && k / place.step < bytes;
      unsigned char& byte = place.data[static_cast<std::size_t>(k)];
      const auto right = static_cast<unsigned char>(content(source, number, k / place.step));
      if (byte != (is_written ? right : unwritten)) wrong = k / place.step;
      byte = unwritten;
    }
    ASSERT_EQ(wrong, -1) << "message " << number << " of " << source << ", " << bytes << " bytes";
    is_intact_ = true;
  }

  EP_Comm comm_;
  std::mt19937 random_;
  std::vector<std::vector<Letter>> letters_;  // by source
  std::vector<int> numbers_;                  // of the next message of each
  int only_sender_;
  int left_;
  bool is_intact_ = true;
  std::array<Place, 4> places_;
  MPI_Datatype spread_ = MPI_DATATYPE_NULL;
};

// Every second endpoint sends while the others receive, then the other way round.
void exchange(const Comm& comm) {
  for (const int odd : {0, 1}) {
    std::vector<int> senders;
    std::vector<int> receivers;
    for (int rank = 0; rank < comm.size(); ++rank) {
      (rank % 2 == odd ? senders : receivers).push_back(rank);
    }
    if (comm.rank() % 2 == odd) {
      send_all(comm, receivers);
    } else {
      Receiver(comm, senders).receive_all();
    }
  }
}

class BlockingStress : public Seeded {};
INSTANTIATE_TEST_SUITE_P(Endpoints, BlockingStress, testing::Values(2, 3, 5));

TEST_P(BlockingStress, messages_arrive_once_and_in_order) { run_endpoints(GetParam(), exchange); }

TEST_P(BlockingStress, the_same_with_hardly_any_tag_bits) {
  with_few_tag_bits([] { run_endpoints(GetParam(), exchange); });
}

}  // namespace
}  // namespace ep::test::blocking_stress_test
