#include <ep/hands.h>

#include <cstddef>

#include "handles/api_arguments.hpp"
#include "process/error.hpp"
#include "process/process.hpp"
#include "progress/progress.hpp"
#include "progress/work_board.hpp"
#include "teams/team.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

// Programs without MPI do not even set up the waiting of a process by asking.
bool are_lent() noexcept { return process().is_entered() && help_is_available(); }

}  // namespace

int EP_Share_pieces(int pieces, void (*work)(int piece, void* state), void* state) {
  return guarded([&] {
    if (pieces < 0) fail(EP_ERR_ARG, "EP_Share_pieces of ", pieces, " pieces (at least 0).");
    if (work == nullptr) fail(EP_ERR_ARG, "EP_Share_pieces of no function.");
    if (!are_lent()) {
      for (int piece = 0; piece < pieces; ++piece) work(piece, state);
      return;
    }
    share_items(static_cast<std::size_t>(pieces),
                [&](std::size_t piece) { work(static_cast<int>(piece), state); });
  });
}

int EP_Are_hands_lent(int* flag) {
  return guarded([&] {
    check_out(flag);
    *flag = are_lent() ? 1 : 0;
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
