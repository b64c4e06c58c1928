/// @file
/// The end of a statement: with its STAT= and ERRMSG=, or with the end of the job.
#pragma once

#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>

namespace ep::caf {

/// Values of STAT=; those of ISO_FORTRAN_ENV are gfortran's.
enum class Stat : int {
  none = 0,
  locked = 1,
  locked_other_image = 2,
  unlocked = 3,
  failed = 10,  ///< for failures without a value of their own
  no_memory = 5014,
  stopped_image = 6000,
  failed_image = 6001,
  unlocked_failed_image = 6002,  ///< gfortran 12 has no name for it
};

/// A statement that could not be done: "problem (why). Suggestion?".
class Failure : public std::runtime_error {
 public:
  Failure(Stat stat, const std::string& text) : std::runtime_error(text), stat_(stat) {}
  Stat stat() const noexcept { return stat_; }

 private:
  Stat stat_;
};

/// The places where a statement reports its outcome; null pointers if the program gives none.
struct Outcome {
  int* stat = nullptr;
  char* errmsg = nullptr;
  std::size_t errmsg_length = 0;
};

/// Reports the failure to the program; if it gives no STAT=, prints `text` and ends the job.
void report(const char* statement, const Outcome& outcome, Stat stat, const std::string& text);
/// Ends all images with `code`, after their output has left its buffers.
[[noreturn]] void end_job(int code);
/// Prints `text` on stderr and flushes, as gfortran's library does.
void say(const std::string& text);

/// Runs `work` as a statement of the program; no exception propagates through Fortran.
template <class Work>
void serve(const char* statement, const Outcome& outcome, const Work& work) {
  try {
    work();
    if (outcome.stat != nullptr) *outcome.stat = 0;
  } catch (const Failure& failure) {
    report(statement, outcome, failure.stat(), failure.what());
  } catch (const std::bad_alloc&) {
    report(statement, outcome, Stat::no_memory, "no memory is left.");
  } catch (const std::exception& error) {
    report(statement, outcome, Stat::failed, error.what());
  }
}

}  // namespace ep::caf
