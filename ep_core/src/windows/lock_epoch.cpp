#include "handles/endpoint.hpp"
#include "process/error.hpp"
#include "process/first_exception.hpp"
#include "windows/epoch.hpp"
#include "windows/epoch_rules.hpp"
#include "windows/window_message.hpp"
#include "windows/window_site.hpp"

// Epochs of EP_Win_lock and EP_Win_lock_all.

namespace ep {

bool is_locked_at_once(const EndpointWindow& window, const Target& target) {
  return target.exposure != nullptr || window.flavor == EP_WIN_FLAVOR_SHARED;
}

void acquire(EndpointWindow& window, int rank, bool exclusive) {
  const Target& target = target_of(window, rank);
  Access& access = window.accesses.of(rank);
  Endpoint& endpoint = endpoint_of_window(window);
  access.granted.store(false);
  WaitSpec spec{"a lock (EP_Win_lock)", rank};
  if (target.exposure != nullptr) {
    spec.local = true;
    if (target.exposure->target_lock.acquire(
            {exclusive, &access.granted, &endpoint.place(), -1, 0})) {
      access.granted.store(true);
    }
  } else {
    WindowMessage head;
    head.kind = WindowMessage::Kind::lock;
    head.slot = target.place.slot;
    head.exclusive = exclusive ? 1 : 0;
    head.number = window.site->await_answer({&access, &endpoint.place(), nullptr, true});
    access.unanswered.fetch_add(1);
    if (const int code = guarded([&] { send(endpoint.clique, target.place.process, head); });
        code != EP_SUCCESS) {
      static_cast<void>(window.site->take_unanswered(head.number));
      access.unanswered.fetch_sub(1);
      throw Error(code, last_error());
    }
  }
  if (!access.granted.load()) {
    // Refused is answered, too.
    wait_at(window, spec, [&] {
      return access.granted.load() || (target.exposure == nullptr && access.unanswered.load() == 0);
    });
  }
  if (!access.granted.load()) throw_error_of(access);
  access.lock = exclusive ? Access::Lock::exclusive : Access::Lock::shared;
}

namespace {

void release(EndpointWindow& window, int rank) {
  const Target& target = target_of(window, rank);
  Access& access = window.accesses.of(rank);
  const Access::Lock held = access.lock.exchange(Access::Lock::none);
  if (held == Access::Lock::none || held == Access::Lock::unchecked) return;
  const bool exclusive = held == Access::Lock::exclusive;
  const Endpoint& endpoint = endpoint_of_window(window);
  if (target.exposure != nullptr) {
    grant(endpoint.clique, target.exposure->target_lock.release(exclusive));
    return;
  }
  WindowMessage head;
  head.kind = WindowMessage::Kind::unlock;
  head.slot = target.place.slot;
  head.exclusive = exclusive ? 1 : 0;
  send(endpoint.clique, target.place.process, head);
}

void check_lockable(const EndpointWindow& window, const char* what) {
  if (window.no_locks) {
    fail(EP_ERR_RMA_SYNC, what, " of a window that was made with info key no_locks.");
  }
  if (window.epoch != Epoch::lock) check_free(window, what);
}

}  // namespace

void lock(EndpointWindow& window, int type, int rank, int assertion) {
  if (type != EP_LOCK_SHARED && type != EP_LOCK_EXCLUSIVE) {
    fail(EP_ERR_LOCKTYPE, "lock type ", type, " (known: EP_LOCK_SHARED, EP_LOCK_EXCLUSIVE).");
  }
  check_assertion(assertion, EP_MODE_NOCHECK, "EP_Win_lock");
  check_lockable(window, "EP_Win_lock");
  Access& access = window.accesses.of(rank);
  if (access.lock != Access::Lock::none) {
    fail(EP_ERR_RMA_SYNC, "EP_Win_lock of rank ", rank, " a second time. Unlock it first?");
  }
  if ((assertion & EP_MODE_NOCHECK) != 0) {
    access.lock = Access::Lock::unchecked;
  } else {
    acquire(window, rank, type == EP_LOCK_EXCLUSIVE);
  }
  window.accesses.decide(window.epoch);
}

void unlock(EndpointWindow& window, int rank) {
  const bool locked =
      window.epoch == Epoch::lock && window.accesses.of(rank).lock != Access::Lock::none;
  if (!locked) {
    fail(EP_ERR_RMA_SYNC, "EP_Win_unlock of rank ", rank, " in ", name_of(window.epoch),
         " (it is not locked). Call EP_Win_lock first?");
  }
  FirstException first;
  first.guard([&] { complete_at(window, rank, false); });
  first.guard([&] { release(window, rank); });
  window.accesses.decide(window.epoch);
  first.rethrow();
}

void lock_all(EndpointWindow& window, int assertion) {
  check_assertion(assertion, EP_MODE_NOCHECK, "EP_Win_lock_all");
  check_lockable(window, "EP_Win_lock_all");
  if (window.epoch == Epoch::lock) check_free(window, "EP_Win_lock_all");
  window.unchecked = (assertion & EP_MODE_NOCHECK) != 0;
  window.epoch = Epoch::lock_all;
  if (window.unchecked) return;
  for (std::size_t rank = 0; rank < window.targets->size(); ++rank) {
    const bool now = is_locked_at_once(window, (*window.targets)[rank]);
    if (now) acquire(window, static_cast<int>(rank), false);
  }
}

void unlock_all(EndpointWindow& window) {
  if (window.epoch != Epoch::lock_all) {
    fail(EP_ERR_RMA_SYNC, "EP_Win_unlock_all in ", name_of(window.epoch),
         ". Call EP_Win_lock_all first?");
  }
  FirstException first;
  first.guard([&] { complete_everywhere(window, false); });
  const Accesses& accesses = window.accesses;
  for (auto at = accesses.after(-1); at.second != nullptr; at = accesses.after(at.first)) {
    if (at.second->lock == Access::Lock::none) continue;
    first.guard([&] { release(window, at.first); });
  }
  window.epoch = Epoch::none;
  window.unchecked = false;
  first.rethrow();
}

}  // namespace ep
