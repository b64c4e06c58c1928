// Which images run, have stopped or have failed, and synchronisation with all or some of them.
// Images that have ended still answer, so that no image waits for them for ever. In order:
// statements of all images (one allreduce of their contributions), SYNC IMAGES, leaving, and
// queries.
#include "image_status.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <ep/ep.hpp>
#include <limits>
#include <string>
#include <thread>
#include <utility>

#include "tags.hpp"

namespace ep::caf {

namespace {

using Clock = std::chrono::steady_clock;

// Time after which an image that ends notifies images that may wait for it in SYNC IMAGES. In a job
// that ends regularly no notification is needed.
constexpr auto patience = std::chrono::milliseconds(20);
constexpr auto look_again = std::chrono::microseconds(200);

constexpr std::int64_t nothing = std::numeric_limits<std::int64_t>::min();

}  // namespace

const char* name_of(Statement statement) {
  constexpr std::array names{"nothing", "SYNC ALL", "ALLOCATE", "DEALLOCATE", "CO_BROADCAST",
                             "CO_SUM",  "CO_MAX",   "CO_MIN",   "CO_REDUCE"};
  return names.at(static_cast<std::size_t>(statement));
}

/// Largest values of all images.
struct ImageStatus::Answers {
  std::int64_t gone;  ///< state and number of an image that has gone
  std::int64_t minus_state;
  std::int64_t statement;
  std::int64_t minus_statement;
  std::int64_t number;
  std::int64_t minus_number;
  std::int64_t image;
  std::int64_t minus_image;
};

ImageStatus::ImageStatus(EP_Comm comm) : comm_(comm) {
  int size = 0;
  check(EP_Comm_size(comm, &size));
  check(EP_Comm_rank(comm, &rank_));
  states_.resize(static_cast<std::size_t>(size), State::running);
}

ImageStatus::Answers ImageStatus::call(State mine, Statement statement,
                                       const CommonArgument& given) {
  const auto name = static_cast<std::int64_t>(statement);
  const auto state = static_cast<std::int64_t>(mine);
  Answers answers{0, -state, name, -name, given.number, -given.number, given.image, -given.image};
  if (mine != State::running) {
    answers = {
        (state << 32) + rank_ + 1, -state, nothing, nothing, nothing, nothing, nothing, nothing};
  }
  Answers all{};
  constexpr int count = sizeof answers / sizeof answers.gone;
  EP_Request request = EP_REQUEST_NULL;
  check(EP_Iallreduce(&answers, &all, count, MPI_INT64_T, MPI_MAX, comm_, &request));
  if (mine != State::running) {
    int is_done = 0;
    const auto end = Clock::now() + patience;
    while (is_done == 0 && Clock::now() < end) {
      check(EP_Test(&request, &is_done, EP_STATUS_IGNORE));
      if (is_done == 0) std::this_thread::sleep_for(look_again);
    }
    if (is_done == 0) notify_others(mine);
  }
  check(EP_Wait(&request, EP_STATUS_IGNORE));
  return all;
}

void ImageStatus::synchronise(Statement statement, const CommonArgument& given) {
  const Answers all = call(State::running, statement, given);
  if (all.gone != 0) {
    const auto state = static_cast<State>(all.gone >> 32);
    states_[static_cast<std::size_t>((all.gone & 0xffffffff) - 1)] = state;
    fail_for(state, all_in(state));
  }
  if (all.statement != -all.minus_statement) {
    const bool is_largest = all.statement == static_cast<std::int64_t>(statement);
    const auto other = static_cast<Statement>(is_largest ? -all.minus_statement : all.statement);
    throw Failure(Stat::failed, std::string("another image is in ") + name_of(other) +
                                    " (all images execute such statements in the same order).");
  }
  compare(all, given);
}

void ImageStatus::compare(const Answers& all, const CommonArgument& given) {
  const auto differ = [](std::int64_t mine, const char* unit, std::int64_t largest,
                         std::int64_t smallest) {
    if (largest == smallest) return;
    throw Failure(Stat::failed, std::to_string(mine) + " " + unit + " here, but " +
                                    std::to_string(largest == mine ? smallest : largest) +
                                    " on another image (all images give the same).");
  };
  if (given.number != CommonArgument::wrong && -all.minus_number == CommonArgument::wrong) {
    throw Failure(Stat::failed, "the arguments of another image are wrong. Its error says why.");
  }
  differ(given.number, given.unit, all.number, -all.minus_number);
  differ(given.image, "is the image", all.image, -all.minus_image);
}

void ImageStatus::synchronise(const std::vector<int>& others) {
  std::vector<EP_Request> sends;
  constexpr int here = static_cast<int>(State::running);
  for (const int other : others) {
    if (states_[static_cast<std::size_t>(other)] != State::running) continue;
    sends.push_back(EP_REQUEST_NULL);
    check(EP_Isend(&here, 1, MPI_INT, other, tags::sync_images, comm_, &sends.back()));
  }
  State worst = State::running;
  for (const int other : others) {
    State& state = states_[static_cast<std::size_t>(other)];
    if (state == State::running) {
      int answer = 0;
      check(EP_Recv(&answer, 1, MPI_INT, other, tags::sync_images, comm_, EP_STATUS_IGNORE));
      state = static_cast<State>(answer);
    }
    worst = std::max(worst, state);
  }
  check(EP_Waitall(static_cast<int>(sends.size()), sends.data(), EP_STATUSES_IGNORE));
  if (worst == State::running) return;
  std::vector<int> gone = others;
  std::erase_if(gone, [&](int other) { return states_[static_cast<std::size_t>(other)] != worst; });
  fail_for(worst, gone);
}

void ImageStatus::leave(State state) {
  states_[static_cast<std::size_t>(rank_)] = state;
  for (;;) {
    const Answers all = call(state, Statement::none, {});
    if (all.minus_state < 0) return;
    // Images that continue have just learned that an image has ended, but not which one.
    notify_others(state);
  }
}

void ImageStatus::notify_others(State mine) {
  if (std::exchange(has_notified_, true)) return;
  const int state = static_cast<int>(mine);
  for (int other = 0; other < static_cast<int>(states_.size()); ++other) {
    if (other == rank_) continue;
    check(EP_Send(&state, 1, MPI_INT, other, tags::sync_images, comm_));
    check(EP_Send(&state, 1, MPI_INT, other, tags::gone, comm_));
  }
}

void ImageStatus::receive_states() {
  for (;;) {
    int is_there = 0;
    EP_Status status{};
    check(EP_Iprobe(EP_ANY_SOURCE, tags::gone, comm_, &is_there, &status));
    if (is_there == 0) return;
    int state = 0;
    const int from = status.EP_SOURCE;
    check(EP_Recv(&state, 1, MPI_INT, from, tags::gone, comm_, EP_STATUS_IGNORE));
    states_[static_cast<std::size_t>(from)] = static_cast<State>(state);
  }
}

State ImageStatus::state(int rank) {
  receive_states();
  return states_[static_cast<std::size_t>(rank)];
}

std::vector<int> ImageStatus::all_in(State state) {
  receive_states();
  std::vector<int> ranks;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    if (states_[i] == state) ranks.push_back(static_cast<int>(i));
  }
  return ranks;
}

void ImageStatus::fail_for(State state, const std::vector<int>& ranks) const {
  const bool has_stopped = state == State::stopped;
  std::string who;
  for (const int rank : ranks) who += (who.empty() ? "image " : ", ") + std::to_string(rank + 1);
  throw Failure(has_stopped ? Stat::stopped_image : Stat::failed_image,
                who + (has_stopped ? " has stopped." : " has failed."));
}

}  // namespace ep::caf
