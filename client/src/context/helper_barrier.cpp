#include "context/helper_barrier.hpp"

#include <fmt/format.h>

#include <thread>
#include <utility>

namespace epios::client {
namespace {

/// Counts the calling thread as long as it may use what the client has.
class Inside {
 public:
  explicit Inside(std::atomic<int>& count) : count_(count) { ++count_; }
  Inside(const Inside&) = delete;
  Inside(Inside&&) = delete;
  Inside& operator=(const Inside&) = delete;
  Inside& operator=(Inside&&) = delete;
  ~Inside() { --count_; }

 private:
  std::atomic<int>& count_;
};

}  // namespace

HelperBarrier::HelperBarrier(io::Watch& watch, const io::Actor& owner, const io::WaitLimits& limits,
                             std::string name)
    : watch_(watch), owner_(owner), limits_(limits), name_(std::move(name)) {}

void HelperBarrier::wait(int threads) {
  if (threads < 1) {
    throw Error(
        ErrorCode::argument,
        fmt::format("{}: {} threads help at the barrier (at least 1, the caller). Is it the "
                    "number of threads that call?",
                    name_, threads));
  }
  const Inside inside(inside_);  // before the look at is_over_
  std::uint64_t round = 0;
  if (come(threads, round)) return helpers_.ring();
  wait_for_others(round);
  if (round_.load() == round) throw Error(code_, text_);
}

/// Whether the caller is the last one.
bool HelperBarrier::come(int threads, std::uint64_t& round) {
  const std::scoped_lock lock(mutex_);
  if (came_ > 0 && threads != threads_) {
    refuse_later(
        ErrorCode::argument,
        fmt::format(
            "{}: threads come to the helper barrier as {} and as {} (all that come together "
            "give one number). Is it the number of threads of the parallel "
            "region?",
            name_, threads_, threads));
  }
  if (is_over_.load()) throw Error(code_, text_);
  threads_ = threads;
  round = round_.load();
  if (++came_ < threads) return false;
  came_ = 0;
  round_.store(round + 1);
  return true;
}

/// With the lock held.
void HelperBarrier::refuse_later(ErrorCode code, std::string text) {
  if (is_over_.load()) return;
  code_ = code;
  text_ = std::move(text);
  is_over_.store(true);
  helpers_.ring();
}

void HelperBarrier::wait_for_others(std::uint64_t round) {
  io::Waiting waiting(watch_);
  waiting.begin(owner_, "all threads of its process at its helper barrier", {}, {}, limits_);
  helpers_.help_until({"all threads at a helper barrier"},
                      [&] { return round_.load() != round || is_over_.load(); });
}

void HelperBarrier::end(const std::string& how) {
  {
    const std::scoped_lock lock(mutex_);
    refuse_later(
        ErrorCode::call_order,
        came_ > 0
            ? fmt::format("{} {} while {} of {} threads wait at its helper barrier (they "
                          "come together). Do all of them call "
                          "epios_client_help_at_barrier before?",
                          name_, how, came_, threads_)
            : fmt::format("{} {} (its helper barrier is over). Is it closed last?", name_, how));
  }
  // They have been rung: whoever works on a piece is over it in microseconds.
  while (inside_.load() > 0) std::this_thread::yield();
}

}  // namespace epios::client
