#include <ep/work_sharing.h>

#include <cstddef>

#include "handles/api_arguments.hpp"
#include "process/error.hpp"
#include "process/process.hpp"
#include "progress/progress.hpp"
#include "progress/work_board.hpp"
#include "teams/team.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

// Without MPI, the query must not even create the waiting state of the process.
bool has_helpers() noexcept { return process().is_entered() && help_is_available(); }

}  // namespace

int EP_Share_work(int items, void (*work)(int item, void* state), void* state) {
  return guarded([&] {
    if (items < 0) fail(EP_ERR_ARG, "EP_Share_work of ", items, " items (at least 0).");
    if (work == nullptr) fail(EP_ERR_ARG, "EP_Share_work of no function.");
    if (!has_helpers()) {
      for (int item = 0; item < items; ++item) work(item, state);
      return;
    }
    share_items(static_cast<std::size_t>(items),
                [&](std::size_t item) { work(static_cast<int>(item), state); });
  });
}

int EP_Helpers_available(int* flag) {
  return guarded([&] {
    check_out(flag);
    *flag = has_helpers() ? 1 : 0;
  });
}

int EP_Team_help_until(EP_Team team, int (*is_over)(void* state), void* state, const char* reason,
                       double max_sleep_s) {
  return guarded([&] {
    if (is_over == nullptr) fail(EP_ERR_ARG, "EP_Team_help_until without a condition.");
    teams().find(team).help_until(reason != nullptr ? reason : "a condition", max_sleep_s,
                                  [&] { return is_over(state) != 0; });
  });
}

int EP_Team_ring(EP_Team team) {
  return guarded([&] { registry().notify(teams().find(team).point()); });
}
