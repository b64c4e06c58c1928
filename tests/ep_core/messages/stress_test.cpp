#include "messages/stress.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <thread>
#include <vector>

#include "layouts.hpp"

namespace ep::test::stress_test {
namespace {

constexpr int messages = 150;

enum class Sending { standard, synchronous, buffered, ready, persistent };

struct Letter {
  int count;
  int tag;
  Sending sending;
  bool is_spread;  ///< every second element of the buffer
};

constexpr int longest = 41'000;

// What `source` sends to `dest`, known to both.
std::vector<Letter> letters(int source, int dest) {
  std::mt19937 random(seed() + static_cast<std::uint32_t>(977 * source + dest));
  std::vector<Letter> out;
  for (int i = 0; i < messages; ++i) {
    const bool is_long = random() % 10 == 0;
    const bool wide_tag = random() % 8 == 0;
    Letter letter{static_cast<int>(random() % (is_long ? 40'000U : 300U)) + 2,
                  static_cast<int>(random() % 5U) + (wide_tag ? 1'500'000'000 : 0),
                  static_cast<Sending>(random() % 5U), random() % 4 == 0};
    // The attached buffer is not that large.
    if (is_long && letter.sending == Sending::buffered) letter.sending = Sending::standard;
    out.push_back(letter);
  }
  return out;
}

MPI_Datatype every_second(int count) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  EXPECT_EQ(MPI_Type_vector(count, 1, 2, MPI_INT, &type), MPI_SUCCESS);
  EXPECT_EQ(MPI_Type_commit(&type), MPI_SUCCESS);
  return type;
}

void start_letter(const Letter& letter, const std::vector<int>& data, int dest, EP_Comm comm,
                  EP_Request* request) {
  const auto send = [&](int count, MPI_Datatype type) {
    switch (letter.sending) {
      case Sending::standard:
        return EP_Isend(data.data(), count, type, dest, letter.tag, comm, request);
      case Sending::synchronous:
        return EP_Issend(data.data(), count, type, dest, letter.tag, comm, request);
      case Sending::buffered:
        return EP_Ibsend(data.data(), count, type, dest, letter.tag, comm, request);
      case Sending::ready:
        return EP_Irsend(data.data(), count, type, dest, letter.tag, comm, request);
      case Sending::persistent:
        check(EP_Send_init(data.data(), count, type, dest, letter.tag, comm, request));
        return EP_Start(request);
    }
    return EP_ERR_INTERN;
  };
  if (!letter.is_spread) {
    check(send(letter.count, MPI_INT));
    return;
  }
  MPI_Datatype type = every_second(letter.count);
  check(send(1, type));
  EXPECT_EQ(MPI_Type_free(&type), MPI_SUCCESS);  // at once: the library no longer needs it
}

/// Receives the next letter in one of several ways, contiguous or spread.
class Mailman {
 public:
  Mailman(const Comm& comm, std::uint32_t salt)
      : comm_(comm.get()),
        random_(seed() + salt),
        in_(2 * (longest + guard), unwritten),
        spread_(every_second(longest)) {}
  Mailman(const Mailman&) = delete;
  Mailman(Mailman&&) = delete;
  Mailman& operator=(const Mailman&) = delete;
  Mailman& operator=(Mailman&&) = delete;
  ~Mailman() { EXPECT_EQ(MPI_Type_free(&spread_), MPI_SUCCESS); }

  EP_Status receive() {
    step_ = random_() % 3 == 0 ? 2 : 1;
    const int count = step_ == 2 ? 1 : longest;
    const MPI_Datatype type = step_ == 2 ? spread_ : MPI_INT;
    EP_Status status;
    int source = EP_ANY_SOURCE;
    switch (random_() % 5) {
      case 0:
        check(EP_Probe(EP_ANY_SOURCE, EP_ANY_TAG, comm_, &status));
        source = status.EP_SOURCE;
        [[fallthrough]];
      case 1:
        check(EP_Recv(in_.data(), count, type, source, EP_ANY_TAG, comm_, &status));
        break;
      case 2: {
        EP_Message message = EP_MESSAGE_NULL;
        check(EP_Mprobe(EP_ANY_SOURCE, EP_ANY_TAG, comm_, &message, &status));
        check(EP_Mrecv(in_.data(), count, type, &message, &status));
        break;
      }
      case 3: {
        EP_Message message = EP_MESSAGE_NULL;
        EP_Request request = EP_REQUEST_NULL;
        for (int found = 0; found == 0;) {
          check(EP_Improbe(EP_ANY_SOURCE, EP_ANY_TAG, comm_, &found, &message, &status));
          if (found == 0) std::this_thread::yield();
        }
        check(EP_Imrecv(in_.data(), count, type, &message, &request));
        check(EP_Wait(&request, &status));
        break;
      }
      default: {
        EP_Request request = EP_REQUEST_NULL;
        check(EP_Irecv(in_.data(), count, type, EP_ANY_SOURCE, EP_ANY_TAG, comm_, &request));
        check(EP_Wait(&request, &status));
      }
    }
    return status;
  }

  /// The first element, or -1, that is not as in this message of `count` elements; also what must
  /// not have been written: between the elements, and behind the last. Makes ready for the next.
  int first_wrong(int source, int number, int count) {
    int wrong = -1;
    for (int k = (count + guard) * step_ - 1; k >= 0; --k) {
      const bool is_written = k % step_ == 0 && k / step_ < count;
      int& element = in_[static_cast<std::size_t>(k)];
      if (element !=
          (is_written ? static_cast<int>(content(source, number, k / step_)) : unwritten))
        wrong = k / step_;
      element = unwritten;
    }
    return wrong;
  }

 private:
  static constexpr int guard = 100;
  static constexpr int unwritten = -77;

  EP_Comm comm_;
  std::mt19937 random_;
  std::vector<int> in_;
  MPI_Datatype spread_;
  int step_ = 1;
};

// What a message holds follows from its sender and its number there: a receive by any mix of
// wildcards must see the numbers of every sender in rising order, each exactly once, with untouched
// content, and nothing written around it.
void exchange_letters(const Comm& comm) {
  const int size = comm.size();
  const int rank = comm.rank();
  std::vector<std::vector<int>> buffers;
  std::vector<EP_Request> sends(static_cast<std::size_t>(messages * size), EP_REQUEST_NULL);
  std::size_t next = 0;
  for (int i = 0; i < messages; ++i) {
    for (int dest = 0; dest < size; ++dest) {
      const Letter letter = letters(rank, dest)[static_cast<std::size_t>(i)];
      const auto room =
          static_cast<std::size_t>(letter.is_spread ? 2 * letter.count : letter.count);
      std::vector<int>& data = buffers.emplace_back(room, -1);
      for (int k = 0; k < letter.count; ++k) {
        data[static_cast<std::size_t>(letter.is_spread ? 2 * k : k)] =
            static_cast<int>(content(rank, i, k));
      }
      start_letter(letter, data, dest, comm.get(), &sends[next++]);
    }
  }
  Mailman mailman(comm, static_cast<std::uint32_t>(rank));
  std::vector<int> numbers(static_cast<std::size_t>(size), 0);
  std::vector<std::vector<Letter>> expected;
  for (int source = 0; source < size; ++source) expected.push_back(letters(source, rank));
  for (int left = size * messages; left > 0; --left) {
    const EP_Status status = mailman.receive();
    const auto from = static_cast<std::size_t>(status.EP_SOURCE);
    ASSERT_LT(from, expected.size());
    const int number = numbers[from]++;
    ASSERT_LT(number, messages) << "more than were sent";
    const Letter& letter = expected[from][static_cast<std::size_t>(number)];
    int count = 0;
    check(EP_Get_count(&status, MPI_INT, &count));
    ASSERT_EQ(count, letter.count);
    ASSERT_EQ(status.EP_TAG, letter.tag);
    ASSERT_EQ(mailman.first_wrong(status.EP_SOURCE, number, count), -1)
        << "message " << number << " of " << from << ", " << count << " elements";
  }
  check(EP_Waitall(static_cast<int>(sends.size()), sends.data(), EP_STATUSES_IGNORE));
  for (EP_Request& request : sends) {
    if (request != EP_REQUEST_NULL) check(EP_Request_free(&request));  // the persistent ones
  }
}

// All endpoints of a process share one buffer for buffered sends.
void exchange_letters_of(int endpoints) {
  std::vector<std::byte> buffer(8'000'000);
  check(EP_Buffer_attach(buffer.data(), static_cast<int>(buffer.size())));
  run_endpoints(endpoints, exchange_letters);
  void* memory = nullptr;
  int size = 0;
  check(EP_Buffer_detach(static_cast<void*>(&memory), &size));
}

class Stress : public Seeded {};
INSTANTIATE_TEST_SUITE_P(Endpoints, Stress, testing::Values(2, 3, 5));

TEST_P(Stress, random_messages_arrive_once_and_in_order) { exchange_letters_of(GetParam()); }

// With few tag bits everything travels in headers, bodies share raw tags, and nothing else changes.
TEST_P(Stress, the_same_with_hardly_any_tag_bits) {
  with_few_tag_bits([] { exchange_letters_of(GetParam()); });
}

TEST_P(Stress, the_same_with_checked_types) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    MPI_Info info = MPI_INFO_NULL;
    ASSERT_EQ(MPI_Info_create(&info), MPI_SUCCESS);
    ASSERT_EQ(MPI_Info_set(info, "ep_check_types", "true"), MPI_SUCCESS);
    EP_Comm checked = EP_COMM_NULL;
    check(EP_Comm_create_endpoints(comm.get(), 1, info, &checked));
    ASSERT_EQ(MPI_Info_free(&info), MPI_SUCCESS);
    const Comm owned(checked);
    std::vector<int> data(500, owned.rank());
    const int next = (owned.rank() + 1) % owned.size();
    for (int i = 0; i < 100; ++i) {
      MPI_Datatype type = every_second(i + 1);
      check(EP_Sendrecv_replace(data.data(), 1, type, next, i, EP_ANY_SOURCE, i, checked,
                                EP_STATUS_IGNORE));
      ASSERT_EQ(MPI_Type_free(&type), MPI_SUCCESS);
    }
    EXPECT_EQ(data[1], owned.rank());
  });
}

TEST_P(Stress, collectives_in_a_row) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    std::mt19937 random(seed());  // the same choices everywhere
    for (int i = 0; i < 200; ++i) {
      const int root = static_cast<int>(random() % static_cast<unsigned>(comm.size()));
      int value = comm.rank() == root ? i : -1;
      switch (random() % 4) {
        case 0:
          check(EP_Barrier(comm.get()));
          break;
        case 1:
          check(EP_Bcast(&value, 1, MPI_INT, root, comm.get()));
          ASSERT_EQ(value, i);
          break;
        case 2: {
          check(EP_Allreduce(EP_IN_PLACE, &value, 1, MPI_INT, MPI_MAX, comm.get()));
          ASSERT_EQ(value, i);
          break;
        }
        default: {
          std::vector<int> all(static_cast<std::size_t>(comm.size()), -7);
          check(EP_Allgather(&value, 1, MPI_INT, all.data(), 1, MPI_INT, comm.get()));
          for (int rank = 0; rank < comm.size(); ++rank) {
            ASSERT_EQ(all[static_cast<std::size_t>(rank)], rank == root ? i : -1);
          }
        }
      }
    }
  });
}

}  // namespace
}  // namespace ep::test::stress_test
