#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <ep/ep.hpp>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "layouts.hpp"

namespace ep::test::local_calls_test {
namespace {

using Clock = std::chrono::steady_clock;

/// What the calls of one endpoint that polls need. Nothing of it concerns anybody else.
class Alone {
 public:
  explicit Alone(const Comm& comm) : comm_(comm.get()), self_(comm.split(comm.rank(), 0)) {
    check(EP_Win_create(window_.data(), sizeof window_, sizeof(long), MPI_INFO_NULL, self_.get(),
                        &win_));
    check(EP_Win_lock_all(0, win_));
    check(EP_Irecv(&in_, 1, MPI_LONG, EP_PROC_NULL, 0, comm_, &done_));
    const char* const folder = std::getenv("TMPDIR");
    path_ = std::string(folder != nullptr ? folder : "/tmp") + "/ep_local_calls_" +
            std::to_string(getpid()) + "_" + std::to_string(comm.rank());
    check(EP_File_open(self_.get(), path_.c_str(),
                       MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                       &file_));
  }
  Alone(const Alone&) = delete;
  Alone(Alone&&) = delete;
  Alone& operator=(const Alone&) = delete;
  Alone& operator=(Alone&&) = delete;
  ~Alone() {
    EXPECT_EQ(EP_File_close(&file_), EP_SUCCESS);
    EXPECT_EQ(EP_Wait(&done_, EP_STATUS_IGNORE), EP_SUCCESS);
    EXPECT_EQ(EP_Win_unlock_all(win_), EP_SUCCESS);
    EXPECT_EQ(EP_Win_free(&win_), EP_SUCCESS);
  }

  using Poll = std::pair<const char*, std::function<void()>>;
  std::vector<Poll> polls() {
    std::vector<Poll> all = of_windows();
    for (const auto more : {&Alone::of_messages, &Alone::of_requests, &Alone::of_others}) {
      for (Poll& poll : (this->*more)()) all.push_back(std::move(poll));
    }
    return all;
  }

 private:
  std::vector<Poll> of_windows() {
    return {
        {"fetch_and_op",
         [this] { check(EP_Fetch_and_op(&one_, &in_, MPI_LONG, 0, 0, MPI_SUM, win_)); }},
        {"get and flush",
         [this] {
           check(EP_Get(&in_, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win_));
           check(EP_Win_flush(0, win_));
         }},
        {"put", [this] { check(EP_Put(&one_, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win_)); }},
        {"accumulate",
         [this] { check(EP_Accumulate(&one_, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_SUM, win_)); }},
        {"compare and swap",
         [this] { check(EP_Compare_and_swap(&one_, &in_, &in_, MPI_LONG, 0, 0, win_)); }},
        {"flush_local_all", [this] { check(EP_Win_flush_local_all(win_)); }},
        {"sync", [this] { check(EP_Win_sync(win_)); }},
        {"rget and test", [this] {
           EP_Request request = EP_REQUEST_NULL;
           check(EP_Rget(&in_, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win_, &request));
           test(request);
         }}};
  }

  std::vector<Poll> of_messages() {
    return {
        {"send and receive",
         [this] {
           check(EP_Send(&one_, 1, MPI_LONG, 0, 0, self_.get()));
           check(EP_Recv(&in_, 1, MPI_LONG, 0, 0, self_.get(), EP_STATUS_IGNORE));
         }},
        {"send, probe and receive",
         [this] {
           check(EP_Send(&one_, 1, MPI_LONG, 0, 0, self_.get()));
           check(EP_Probe(0, 0, self_.get(), EP_STATUS_IGNORE));
           check(EP_Recv(&in_, 1, MPI_LONG, 0, 0, self_.get(), EP_STATUS_IGNORE));
         }},
        {"send, match and receive",
         [this] {
           EP_Message message = EP_MESSAGE_NULL;
           check(EP_Send(&one_, 1, MPI_LONG, 0, 0, self_.get()));
           check(EP_Mprobe(0, 0, self_.get(), &message, EP_STATUS_IGNORE));
           check(EP_Mrecv(&in_, 1, MPI_LONG, &message, EP_STATUS_IGNORE));
         }},
        {"sendrecv",
         [this] {
           check(EP_Sendrecv(&one_, 1, MPI_LONG, 0, 0, &in_, 1, MPI_LONG, 0, 0, self_.get(),
                             EP_STATUS_IGNORE));
         }},
        {"send to nobody", [this] { check(EP_Send(&one_, 1, MPI_LONG, EP_PROC_NULL, 0, comm_)); }},
        {"iprobe of nobody", [this] {
           int flag = 0;
           check(EP_Iprobe(EP_PROC_NULL, 0, comm_, &flag, EP_STATUS_IGNORE));
         }}};
  }

  std::vector<Poll> of_requests() {
    return {{"test of nothing",
             [] {
               EP_Request nothing = EP_REQUEST_NULL;
               int flag = 0;
               check(EP_Test(&nothing, &flag, EP_STATUS_IGNORE));
             }},
            {"testany of nothing",
             [] {
               EP_Request nothing = EP_REQUEST_NULL;
               int flag = 0;
               int which = 0;
               check(EP_Testany(1, &nothing, &which, &flag, EP_STATUS_IGNORE));
             }},
            {"get_status of a complete request",
             [this] {
               int flag = 0;
               check(EP_Request_get_status(done_, &flag, EP_STATUS_IGNORE));
               ASSERT_EQ(flag, 1);
             }},
            {"isend, irecv and waitall",
             [this] {
               std::array<EP_Request, 2> both{};
               check(EP_Irecv(&in_, 1, MPI_LONG, 0, 0, self_.get(), both.data()));
               check(EP_Isend(&one_, 1, MPI_LONG, 0, 0, self_.get(), &both[1]));
               check(EP_Waitall(2, both.data(), EP_STATUSES_IGNORE));
             }},
            {"irecv and cancel", [this] {
               EP_Request request = EP_REQUEST_NULL;
               check(EP_Irecv(&in_, 1, MPI_LONG, 0, 9, self_.get(), &request));
               check(EP_Cancel(&request));
               check(EP_Request_free(&request));
             }}};
  }

  std::vector<Poll> of_others() {
    return {{"barrier", [this] { check(EP_Barrier(self_.get())); }},
            {"allreduce",
             [this] { check(EP_Allreduce(&one_, &in_, 1, MPI_LONG, MPI_SUM, self_.get())); }},
            {"ibcast and test",
             [this] {
               EP_Request request = EP_REQUEST_NULL;
               check(EP_Ibcast(&in_, 1, MPI_LONG, 0, self_.get(), &request));
               test(request);
             }},
            {"duplicate", [this] { static_cast<void>(self_.dup()); }},
            {"write_at",
             [this] { check(EP_File_write_at(file_, 0, &one_, 1, MPI_LONG, EP_STATUS_IGNORE)); }}};
  }

  static void test(EP_Request& request) {
    for (int flag = 0; flag == 0;) check(EP_Test(&request, &flag, EP_STATUS_IGNORE));
  }

  EP_Comm comm_;
  Comm self_;
  std::array<long, 2> window_{};
  EP_Win win_ = EP_WIN_NULL;
  EP_File file_ = EP_FILE_NULL;
  std::string path_;
  EP_Request done_ = EP_REQUEST_NULL;
  const long one_ = 1;
  long in_ = 0;
};

/// What another process needs of the one that polls, one after the other: its part in a collective
/// of several rounds, that it takes a long message, and that it applies an accumulate.
class Needs {
 public:
  explicit Needs(const Comm& comm)
      : comm_(comm.get()), last_(comm.size() - 1), mine_(20'000, 1), sum_(mine_.size()) {
    check(EP_Win_create(&word_, sizeof word_, sizeof word_, MPI_INFO_NULL, comm_, &win_));
  }
  Needs(const Needs&) = delete;
  Needs(Needs&&) = delete;
  Needs& operator=(const Needs&) = delete;
  Needs& operator=(Needs&&) = delete;
  ~Needs() { EXPECT_EQ(EP_Win_free(&win_), EP_SUCCESS); }

  void begin(int rank) {
    check(EP_Barrier(comm_));  // also where a poll that served nobody was given up
    word_ = 0;
    check(EP_Barrier(comm_));
    check(EP_Iallreduce(mine_.data(), sum_.data(), static_cast<int>(mine_.size()), MPI_DOUBLE,
                        MPI_SUM, comm_, &reduction_));
    if (rank == 0) {
      check(EP_Irecv(sum_of_last_.data(), static_cast<int>(sum_of_last_.size()), MPI_DOUBLE, last_,
                     3, comm_, &message_));
    }
  }
  /// Of the one that polls.
  bool are_met() { return std::atomic_ref<long>(word_).load() != 0; }
  /// Of the last rank.
  void ask() {
    check(EP_Wait(&reduction_, EP_STATUS_IGNORE));
    check(EP_Send(sum_.data(), static_cast<int>(sum_.size()), MPI_DOUBLE, 0, 3, comm_));
    const long one = 1;
    check(EP_Win_lock(EP_LOCK_EXCLUSIVE, 0, 0, win_));
    check(EP_Accumulate(&one, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_SUM, win_));
    check(EP_Win_unlock(0, win_));
  }
  void end(int rank) {
    check(EP_Wait(&reduction_, EP_STATUS_IGNORE));
    check(EP_Wait(&message_, EP_STATUS_IGNORE));
    EXPECT_EQ(sum_.back(), last_ + 1);
    EXPECT_EQ(sum_of_last_.back(), rank == 0 ? last_ + 1 : 0);
  }

 private:
  EP_Comm comm_;
  int last_;
  EP_Win win_ = EP_WIN_NULL;
  long word_ = 0;
  std::vector<double> mine_;
  std::vector<double> sum_;
  std::vector<double> sum_of_last_ = std::vector<double>(mine_.size());
  EP_Request reduction_ = EP_REQUEST_NULL;
  EP_Request message_ = EP_REQUEST_NULL;
};

/// Endpoints per process.
class LocalCalls : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Endpoints, LocalCalls, testing::Values(1, 2));

// Nobody in the process of rank 0 makes another call meanwhile.
TEST_P(LocalCalls, do_not_keep_a_process_from_serving) {
  constexpr std::chrono::seconds patience{20};
  if (processes() == 1) GTEST_SKIP() << "there is nobody to serve";
  std::vector<std::unique_ptr<std::atomic<bool>>> is_over;
  for (int i = 0; i < 100; ++i) is_over.push_back(std::make_unique<std::atomic<bool>>(false));
  run_endpoints(GetParam() * processes(), [&](const Comm& comm) {
    Alone alone(comm);
    Needs needs(comm);
    int locality = 0;
    check(EP_Comm_locality(comm.get(), 0, &locality));
    const auto polls = alone.polls();
    for (std::size_t i = 0; i < polls.size(); ++i) {
      needs.begin(comm.rank());
      const Clock::time_point begin = Clock::now();
      if (comm.rank() == 0) {
        while (!needs.are_met() && Clock::now() - begin < patience) polls[i].second();
        EXPECT_TRUE(needs.are_met()) << polls[i].first << " serves nobody";
        is_over[i]->store(true);
      } else if (locality == EP_LOCALITY_PROCESS) {
        while (!is_over[i]->load()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      } else if (comm.rank() == comm.size() - 1) {
        needs.ask();
      }
      needs.end(comm.rank());
    }
    check(EP_Barrier(comm.get()));
  });
}

}  // namespace
}  // namespace ep::test::local_calls_test
