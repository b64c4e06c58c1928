// Access epochs of a window: which accesses are allowed, and when they are complete. In order:
// rules that all epochs share, access checks, completion at one or all targets, fences and flushes.
// Locks and post/start have files of their own.
#include "windows/epoch.hpp"

#include <algorithm>
#include <mutex>
#include <string>

#include "cliques/wire.hpp"
#include "collectives/collective.hpp"
#include "handles/endpoint.hpp"
#include "process/error.hpp"
#include "process/first_exception.hpp"
#include "progress/progress.hpp"
#include "recipes/recipes.hpp"
#include "windows/epoch_rules.hpp"
#include "windows/window_message.hpp"
#include "windows/window_site.hpp"

namespace ep {

const char* name_of(Epoch epoch) {
  switch (epoch) {
    case Epoch::none:
      return "no epoch";
    case Epoch::fence:
      return "the epoch of EP_Win_fence";
    case Epoch::start:
      return "the epoch of EP_Win_start";
    case Epoch::lock:
      return "the epoch of EP_Win_lock";
    case Epoch::lock_all:
      return "the epoch of EP_Win_lock_all";
  }
  return "an epoch";
}

// A fence begins an epoch only if an access follows.
bool is_free(const EndpointWindow& window) {
  return window.epoch == Epoch::none || (window.epoch == Epoch::fence && !window.used);
}

void check_free(const EndpointWindow& window, const char* what) {
  if (is_free(window)) return;
  fail(EP_ERR_RMA_SYNC, what, " in ", name_of(window.epoch), ". End that one first?");
}

void check_assertion(int assertion, int allowed, const char* what) {
  if ((assertion & ~allowed) == 0) return;
  fail(EP_ERR_ASSERT, "assertion ", assertion, " of ", what,
       " (a sum of EP_MODE_... that fit it).");
}

void wait_at(EndpointWindow& window, const WaitSpec& spec, Condition ready) {
  registry().wait(endpoint_of_window(window).place(), spec, ready);
}

void throw_error_of(Access& access) {
  if (access.error.load() == EP_SUCCESS) return;
  std::unique_lock lock(access.error_mutex);
  const int code = access.error.exchange(EP_SUCCESS);
  const std::string text = access.error_text;
  lock.unlock();
  if (code != EP_SUCCESS) throw Error(code, text);
}

Endpoint& endpoint_of_window(const EndpointWindow& window) { return *window.comm; }

const Target& target_of(const EndpointWindow& window, int rank) {
  return (*window.targets)[static_cast<std::size_t>(rank)];
}

namespace {

// Requests the lock of a target at the first access by any thread.
void lock_for_access(EndpointWindow& window, int rank) {
  if (window.unchecked || is_locked_at_once(window, target_of(window, rank))) return;
  Access& access = window.accesses.of(rank);
  if (access.lock != Access::Lock::none) return;
  const std::lock_guard lock(access.locking);
  if (access.lock == Access::Lock::none) acquire(window, rank, false);
}

}  // namespace

void barrier(EndpointWindow& window, const char* what) {
  run(endpoint_of_window(window), call_of(barrier_recipe(), what));
}

const char* open_epoch(const EndpointWindow& window) {
  if (!is_free(window)) return name_of(window.epoch);
  return window.is_posted ? "the exposure of EP_Win_post" : nullptr;
}

void check_access(EndpointWindow& window, int rank, bool with_request, const char* what) {
  switch (window.epoch) {
    case Epoch::lock_all:
      lock_for_access(window, rank);
      return;
    case Epoch::lock:
      if (window.accesses.of(rank).lock != Access::Lock::none) return;
      break;
    case Epoch::start:
      if (with_request) break;
      if (std::binary_search(window.started.begin(), window.started.end(), rank)) return;
      break;
    case Epoch::fence:
      if (with_request) break;
      window.used.store(true, std::memory_order_relaxed);
      return;
    case Epoch::none:
      break;
  }
  if (with_request && window.epoch != Epoch::lock && window.epoch != Epoch::none) {
    fail(EP_ERR_RMA_SYNC, what, " in ", name_of(window.epoch),
         " (requests need an epoch of EP_Win_lock or EP_Win_lock_all).");
  }
  fail(EP_ERR_RMA_SYNC, what, " to rank ", rank, " in ", name_of(window.epoch),
       " (which does not cover it). Lock it, start with it or fence before?");
}

namespace {

void complete_raw_accesses(EndpointWindow& window, int rank, Access& access, bool local) {
  const std::lock_guard lock(access.raw_mutex);
  if (!access.raw_pending) return;
  const Target& target = target_of(window, rank);
  const Endpoint& endpoint = endpoint_of_window(window);
  const int peer = endpoint.clique->process(target.place.process).wire_rank;
  const Wire::Attention attention(*endpoint.clique->wire(), peer);
  window.site->raw.flush(raw_window_of(window, target), target.place.process, local);
  access.raw_pending = local;
  for (const StagedBytes& staged : access.staged) {
    const auto size = static_cast<std::int64_t>(staged.bytes.size());
    if (staged.view.map) unpack_bytes(staged.bytes.data(), size, staged.view);
  }
  access.staged.clear();
}

void complete_access(EndpointWindow& window, int rank, Access& access, bool local) {
  if (access.unanswered.load() > 0) {
    const WaitSpec spec{"the process of a target to apply what was sent (EP_Win_flush)", rank};
    wait_at(window, spec, [&access] { return access.unanswered.load() == 0; });
  }
  complete_raw_accesses(window, rank, access, local);
  throw_error_of(access);
}

}  // namespace

void complete_at(EndpointWindow& window, int rank, bool local) {
  full_fence();
  Access* const access = window.accesses.find(rank);
  if (access != nullptr) complete_access(window, rank, *access, local);
}

void complete_everywhere(EndpointWindow& window, bool local) {
  full_fence();
  FirstException first;
  const Accesses& accesses = window.accesses;
  for (auto at = accesses.after(-1); at.second != nullptr; at = accesses.after(at.first)) {
    first.guard([&] { complete_access(window, at.first, *at.second, local); });
  }
  first.rethrow();
}

// Other endpoints are on their way to the same barrier, so an error here is thrown after it.
void fence(EndpointWindow& window, int assertion) {
  constexpr int allowed = EP_MODE_NOSTORE | EP_MODE_NOPUT | EP_MODE_NOPRECEDE | EP_MODE_NOSUCCEED;
  FirstException wrong;
  wrong.guard([&] {
    check_assertion(assertion, allowed, "EP_Win_fence");
    if (window.epoch != Epoch::fence) check_free(window, "EP_Win_fence");
    if (window.is_posted) fail(EP_ERR_RMA_SYNC, "EP_Win_fence in the exposure of EP_Win_post.");
    if ((assertion & EP_MODE_NOPRECEDE) != 0 && window.used) {
      fail(EP_ERR_RMA_SYNC,
           "EP_Win_fence with EP_MODE_NOPRECEDE after an access (which it was to complete).");
    }
  });
  FirstException incomplete;
  incomplete.guard([&] { complete_everywhere(window, false); });
  barrier(window, "EP_Win_fence");
  wrong.rethrow();
  window.epoch = (assertion & EP_MODE_NOSUCCEED) != 0 ? Epoch::none : Epoch::fence;
  window.used = false;
  incomplete.rethrow();
}

void check_flush(const EndpointWindow& window, int rank, const char* what) {
  if (window.epoch == Epoch::lock_all) return;
  if (window.epoch == Epoch::lock) {
    if (rank < 0) return;
    const Access* const access = window.accesses.find(rank);
    if (access != nullptr && access->lock != Access::Lock::none) return;
    fail(EP_ERR_RMA_SYNC, what, " of rank ", rank, ", which is not locked.");
  }
  fail(EP_ERR_RMA_SYNC, what, " in ", name_of(window.epoch),
       " (it needs one of EP_Win_lock or EP_Win_lock_all).");
}

void sync(EndpointWindow& window) {
  full_fence();
  window.site->raw.sync();
}

}  // namespace ep
