#include <ep/ep.h>

#include <algorithm>
#include <vector>

#include "handles/api_group.hpp"
#include "windows/api_window.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

// Ranks in the group that the window accesses.
std::vector<int> ranks_of(const EndpointWindow& window, EP_Group group) {
  const Identities& members = members_of(group);
  std::vector<int> ranks = ranks_in(identities_of(endpoint_of_window(window), true), members);
  if (std::find(ranks.begin(), ranks.end(), EP_UNDEFINED) != ranks.end()) {
    fail(EP_ERR_GROUP, "the group has members that are not in the window.");
  }
  return ranks;
}

template <class Flush>
int flush_one(EP_Win win, int rank, const char* what, Flush&& flush) {
  return call_on_window(win, [&](EndpointWindow& window) {
    if (rank == EP_PROC_NULL) return;
    check_target(window, rank);
    check_flush(window, rank, what);
    flush(window);
  });
}

int flush_all(EP_Win win, bool local, const char* what) {
  return call_on_window(win, [&](EndpointWindow& window) {
    check_flush(window, -1, what);
    complete_everywhere(window, local);
  });
}

}  // namespace

int EP_Win_fence(int assert, EP_Win win) {
  return call_on_window(win, [&](EndpointWindow& window) { fence(window, assert); });
}

int EP_Win_start(EP_Group group, int assert, EP_Win win) {
  return call_on_window(
      win, [&](EndpointWindow& window) { start(window, ranks_of(window, group), assert); });
}

int EP_Win_complete(EP_Win win) {
  return call_on_window(win, [](EndpointWindow& window) { complete(window); });
}

int EP_Win_post(EP_Group group, int assert, EP_Win win) {
  return call_on_window(
      win, [&](EndpointWindow& window) { post(window, ranks_of(window, group), assert); });
}

int EP_Win_wait(EP_Win win) {
  return call_on_window(win, [](EndpointWindow& window) { wait_exposed(window); });
}

int EP_Win_test(EP_Win win, int* flag) {
  return call_on_window(win, [&](EndpointWindow& window) {
    check_out(flag);
    *flag = test_exposed(window) ? 1 : 0;
  });
}

int EP_Win_lock(int lock_type, int rank, int assert, EP_Win win) {
  return call_on_window(win, [&](EndpointWindow& window) {
    if (rank == EP_PROC_NULL) return;
    check_target(window, rank);
    lock(window, lock_type, rank, assert);
  });
}

int EP_Win_lock_all(int assert, EP_Win win) {
  return call_on_window(win, [&](EndpointWindow& window) { lock_all(window, assert); });
}

int EP_Win_unlock(int rank, EP_Win win) {
  return call_on_window(win, [&](EndpointWindow& window) {
    if (rank == EP_PROC_NULL) return;
    check_target(window, rank);
    unlock(window, rank);
  });
}

int EP_Win_unlock_all(EP_Win win) {
  return call_on_window(win, [](EndpointWindow& window) { unlock_all(window); });
}

int EP_Win_flush(int rank, EP_Win win) {
  return flush_one(win, rank, "EP_Win_flush",
                   [rank](EndpointWindow& window) { complete_at(window, rank, false); });
}

int EP_Win_flush_all(EP_Win win) { return flush_all(win, false, "EP_Win_flush_all"); }

int EP_Win_flush_local(int rank, EP_Win win) {
  return flush_one(win, rank, "EP_Win_flush_local",
                   [rank](EndpointWindow& window) { complete_at(window, rank, true); });
}

int EP_Win_flush_local_all(EP_Win win) { return flush_all(win, true, "EP_Win_flush_local_all"); }

int EP_Win_sync(EP_Win win) {
  return call_on_window(win, [](EndpointWindow& window) { sync(window); });
}
