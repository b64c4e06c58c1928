/// @file
/// The status of images, and statements that all of them execute.
#pragma once

#include <ep/ep.h>

#include <cstdint>
#include <vector>

#include "outcome.hpp"

namespace ep::caf {

/// Statements that all images execute in the same order.
enum class Statement : std::int64_t {
  none,
  sync_all,
  allocate,
  deallocate,
  co_broadcast,
  co_sum,
  co_max,
  co_min,
  co_reduce,
};
/// Returns its name in Fortran.
const char* name_of(Statement statement);

/// An argument for which all images must give the same value in a statement.
struct CommonArgument {
  static constexpr std::int64_t wrong = -1;  ///< given by an image whose arguments are wrong

  std::int64_t number = 0;
  const char* unit = "";  ///< unit of the number, for messages
  int image = 0;          ///< SOURCE_IMAGE= or RESULT_IMAGE=
};

/// The state of an image. A statement that involves images of several states ends with the largest:
/// STAT_FAILED_IMAGE is for statements where nothing else is wrong (Fortran 2018, 11.6.11).
enum class State : int { running = 0, failed = 1, stopped = 2 };

/// The status of all images of a job as one of them knows it. Images that have stopped or failed
/// still answer: their answers end statements elsewhere with STAT_STOPPED_IMAGE and
/// STAT_FAILED_IMAGE, so that no image waits for them for ever.
class ImageStatus {
 public:
  explicit ImageStatus(EP_Comm comm);

  /// Synchronises with all images in a statement. Throws Failure at all of them if one has ended,
  /// is in another statement, or gives another argument.
  void synchronise(Statement statement, const CommonArgument& given = {});
  /// Waits until the images with these ranks synchronise with this one. Throws Failure after the
  /// last one if some have ended.
  void synchronise(const std::vector<int>& others);
  /// Ends this image's participation. Returns when all images have ended.
  void leave(State state);

  /// Returns the known state of an image.
  State state(int rank);
  /// Returns the ranks of images in a state.
  std::vector<int> all_in(State state);

 private:
  struct Answers;
  Answers call(State mine, Statement statement, const CommonArgument& given);
  static void compare(const Answers& all, const CommonArgument& given);
  void notify_others(State mine);
  void receive_states();
  [[noreturn]] void fail_for(State state, const std::vector<int>& ranks) const;

  EP_Comm comm_;
  int rank_ = 0;
  bool has_notified_ = false;
  std::vector<State> states_;
};

}  // namespace ep::caf
