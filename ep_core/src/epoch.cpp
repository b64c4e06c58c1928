#include "epoch.hpp"

#include <algorithm>
#include <string>

#include "collective.hpp"
#include "error.hpp"
#include "process.hpp"
#include "recipes.hpp"
#include "window_message.hpp"
#include "window_site.hpp"
#include "wire.hpp"

namespace ep {

namespace {

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
bool is_free(const Window& window) {
  return window.epoch == Epoch::none || (window.epoch == Epoch::fence && !window.used);
}

void check_free(const Window& window, const char* what) {
  if (is_free(window)) return;
  fail(EP_ERR_RMA_SYNC, what, " in ", name_of(window.epoch), ". End that one first?");
}

void check_assertion(int assertion, int allowed, const char* what) {
  if ((assertion & ~allowed) == 0) return;
  fail(EP_ERR_ASSERT, "assertion ", assertion, " of ", what,
       " (a sum of EP_MODE_... that fit it).");
}

void wait_at(Window& window, const WaitSpec& spec, Condition ready) {
  process().registry().wait(endpoint_of_window(window).place(), spec, ready);
}

void throw_error_of(Access& access) {
  const int code = access.error.load();
  if (code == EP_SUCCESS) return;
  const std::string text = access.error_text;
  access.error.store(EP_SUCCESS);
  throw Error(code, text);
}

}  // namespace

Endpoint& endpoint_of_window(const Window& window) { return *window.comm; }

const Target& target_of(const Window& window, int rank) {
  return (*window.targets)[static_cast<std::size_t>(rank)];
}

Access& access_of(Window& window, int rank) {
  auto& place = window.accesses[rank];
  if (!place) place = std::make_unique<Access>();
  return *place;
}

void meet(Window& window, const char* what) {
  Call call;
  call.recipe = &barrier_recipe();
  call.what = what;
  run(endpoint_of_window(window), call);
}

const char* open_epoch(const Window& window) {
  if (!is_free(window)) return name_of(window.epoch);
  return window.is_posted ? "the exposure of EP_Win_post" : nullptr;
}

namespace {

void acquire(Window& window, int rank, bool exclusive) {
  const Target& target = target_of(window, rank);
  Access& access = access_of(window, rank);
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
  if (!access.granted.load()) wait_at(window, spec, [&access] { return access.granted.load(); });
  access.lock = exclusive ? Access::Lock::exclusive : Access::Lock::shared;
}

void release(Window& window, int rank) {
  const Target& target = target_of(window, rank);
  Access& access = access_of(window, rank);
  const Access::Lock held = std::exchange(access.lock, Access::Lock::none);
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

// Tells an endpoint, by one of its counters.
void tell(Window& window, int rank, WindowMessage::Kind kind,
          std::map<int, int> Exposure::*counts) {
  const Target& target = target_of(window, rank);
  const Endpoint& endpoint = endpoint_of_window(window);
  if (target.exposure != nullptr) {
    {
      const std::lock_guard guard(target.exposure->mutex);
      ++(target.exposure->*counts)[endpoint.rank];
    }
    process().registry().notify(endpoint.clique->slot(target.place.slot));
    return;
  }
  WindowMessage head;
  head.kind = kind;
  head.slot = target.place.slot;
  head.rank = endpoint.rank;
  send(endpoint.clique, target.place.process, head);
}

// Whether each of `ranks` has told us; if so, that is used up.
bool take_counts(Window& window, const std::vector<int>& ranks,
                 std::map<int, int> Exposure::*counts) {
  Exposure& own = window.site->exposure(endpoint_of_window(window).slot);
  const std::lock_guard guard(own.mutex);
  std::map<int, int>& told = own.*counts;
  const auto has_told = [&told](int rank) {
    const auto found = told.find(rank);
    return found != told.end() && found->second > 0;
  };
  if (!std::all_of(ranks.begin(), ranks.end(), has_told)) return false;
  for (const int rank : ranks) --told[rank];
  return true;
}

}  // namespace

void check_access(Window& window, int rank, bool with_request, const char* what) {
  switch (window.epoch) {
    case Epoch::lock_all:
      if (!target_of(window, rank).is_direct() && !window.unchecked &&
          access_of(window, rank).lock == Access::Lock::none) {
        acquire(window, rank, false);
      }
      return;
    case Epoch::lock:
      if (access_of(window, rank).lock != Access::Lock::none) return;
      break;
    case Epoch::start:
      if (with_request) break;
      if (std::binary_search(window.started.begin(), window.started.end(), rank)) return;
      break;
    case Epoch::fence:
      if (with_request) break;
      window.used = true;
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

void complete_access(Window& window, int rank, Access& access, bool local) {
  if (access.unanswered.load() > 0) {
    const WaitSpec spec{"the process of a target to apply what was sent (EP_Win_flush)", rank};
    wait_at(window, spec, [&access] { return access.unanswered.load() == 0; });
  }
  if (access.raw_pending) {
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
  throw_error_of(access);
}

}  // namespace

void complete_at(Window& window, int rank, bool local) {
  full_fence();
  const auto found = window.accesses.find(rank);
  if (found != window.accesses.end()) complete_access(window, rank, *found->second, local);
}

void complete_everywhere(Window& window, bool local) {
  full_fence();
  int first = EP_SUCCESS;
  std::string text;
  for (const auto& [rank, access] : window.accesses) {
    const int code = guarded(
        [&, target = rank, what = access.get()] { complete_access(window, target, *what, local); });
    if (code == EP_SUCCESS || first != EP_SUCCESS) continue;
    first = code;
    text = last_error();
  }
  if (first != EP_SUCCESS) throw Error(first, text);
}

// Others are on their way to the same meeting: what is wrong here is said after it.
void fence(Window& window, int assertion) {
  constexpr int allowed = EP_MODE_NOSTORE | EP_MODE_NOPUT | EP_MODE_NOPRECEDE | EP_MODE_NOSUCCEED;
  const int code = guarded([&] {
    check_assertion(assertion, allowed, "EP_Win_fence");
    if (window.epoch != Epoch::fence) check_free(window, "EP_Win_fence");
    if (window.is_posted) fail(EP_ERR_RMA_SYNC, "EP_Win_fence in the exposure of EP_Win_post.");
    if ((assertion & EP_MODE_NOPRECEDE) != 0 && window.used) {
      fail(EP_ERR_RMA_SYNC,
           "EP_Win_fence with EP_MODE_NOPRECEDE after an access (which it was to complete).");
    }
  });
  const std::string text = code != EP_SUCCESS ? last_error() : "";
  const int completion = guarded([&] { complete_everywhere(window, false); });
  const std::string completion_text = completion != EP_SUCCESS ? last_error() : "";
  meet(window, "EP_Win_fence");
  if (code != EP_SUCCESS) throw Error(code, text);
  window.epoch = (assertion & EP_MODE_NOSUCCEED) != 0 ? Epoch::none : Epoch::fence;
  window.used = false;
  if (completion != EP_SUCCESS) throw Error(completion, completion_text);
}

void start(Window& window, std::vector<int> ranks, int assertion) {
  check_assertion(assertion, EP_MODE_NOCHECK, "EP_Win_start");
  check_free(window, "EP_Win_start");
  if ((assertion & EP_MODE_NOCHECK) == 0) {
    const WaitSpec spec{"all targets to post (EP_Win_start)",
                        ranks.size() == 1 ? ranks.front() : -1};
    wait_at(window, spec, [&] { return take_counts(window, ranks, &Exposure::posts); });
  }
  std::sort(ranks.begin(), ranks.end());
  window.started = std::move(ranks);
  window.epoch = Epoch::start;
}

void complete(Window& window) {
  if (window.epoch != Epoch::start) {
    fail(EP_ERR_RMA_SYNC, "EP_Win_complete in ", name_of(window.epoch),
         ". Call EP_Win_start first?");
  }
  const int code = guarded([&] { complete_everywhere(window, false); });
  const std::string text = code != EP_SUCCESS ? last_error() : "";
  window.epoch = Epoch::none;
  for (const int rank : window.started) {
    tell(window, rank, WindowMessage::Kind::complete, &Exposure::completes);
  }
  window.started.clear();
  if (code != EP_SUCCESS) throw Error(code, text);
}

void post(Window& window, std::vector<int> ranks, int assertion) {
  check_assertion(assertion, EP_MODE_NOCHECK | EP_MODE_NOSTORE | EP_MODE_NOPUT, "EP_Win_post");
  if (window.is_posted) {
    fail(EP_ERR_RMA_SYNC, "EP_Win_post in the exposure of EP_Win_post. Call EP_Win_wait first?");
  }
  if (window.epoch == Epoch::fence) check_free(window, "EP_Win_post");
  full_fence();
  window.posted = std::move(ranks);
  window.is_posted = true;
  if ((assertion & EP_MODE_NOCHECK) != 0) return;  // nobody looks for it
  for (const int rank : window.posted) {
    tell(window, rank, WindowMessage::Kind::post, &Exposure::posts);
  }
}

namespace {

void check_posted(const Window& window, const char* what) {
  if (window.is_posted) return;
  fail(EP_ERR_RMA_SYNC, what, " without an exposure. Call EP_Win_post first?");
}

void end_exposure(Window& window) {
  window.is_posted = false;
  window.posted.clear();
  full_fence();
}

}  // namespace

void wait_exposed(Window& window) {
  check_posted(window, "EP_Win_wait");
  const WaitSpec spec{"all origins to complete (EP_Win_wait)",
                      window.posted.size() == 1 ? window.posted.front() : -1};
  wait_at(window, spec, [&] { return take_counts(window, window.posted, &Exposure::completes); });
  end_exposure(window);
}

bool test_exposed(Window& window) {
  check_posted(window, "EP_Win_test");
  process().engine().progress();
  if (!take_counts(window, window.posted, &Exposure::completes)) return false;
  end_exposure(window);
  return true;
}

namespace {

void check_lockable(const Window& window, const char* what) {
  if (window.no_locks) {
    fail(EP_ERR_RMA_SYNC, what, " of a window that was made with info key no_locks.");
  }
  if (window.epoch != Epoch::lock) check_free(window, what);
}

}  // namespace

void lock(Window& window, int type, int rank, int assertion) {
  if (type != EP_LOCK_SHARED && type != EP_LOCK_EXCLUSIVE) {
    fail(EP_ERR_LOCKTYPE, "lock type ", type, " (known: EP_LOCK_SHARED, EP_LOCK_EXCLUSIVE).");
  }
  check_assertion(assertion, EP_MODE_NOCHECK, "EP_Win_lock");
  check_lockable(window, "EP_Win_lock");
  Access& access = access_of(window, rank);
  if (access.lock != Access::Lock::none) {
    fail(EP_ERR_RMA_SYNC, "EP_Win_lock of rank ", rank, " a second time. Unlock it first?");
  }
  if ((assertion & EP_MODE_NOCHECK) != 0) {
    access.lock = Access::Lock::unchecked;
  } else {
    acquire(window, rank, type == EP_LOCK_EXCLUSIVE);
  }
  window.epoch = Epoch::lock;
}

void unlock(Window& window, int rank) {
  const bool locked =
      window.epoch == Epoch::lock && access_of(window, rank).lock != Access::Lock::none;
  if (!locked) {
    fail(EP_ERR_RMA_SYNC, "EP_Win_unlock of rank ", rank, " in ", name_of(window.epoch),
         " (it is not locked). Call EP_Win_lock first?");
  }
  const int code = guarded([&] { complete_at(window, rank, false); });
  const std::string text = code != EP_SUCCESS ? last_error() : "";
  release(window, rank);
  const bool is_last =
      std::all_of(window.accesses.begin(), window.accesses.end(),
                  [](const auto& entry) { return entry.second->lock == Access::Lock::none; });
  if (is_last) window.epoch = Epoch::none;
  if (code != EP_SUCCESS) throw Error(code, text);
}

void lock_all(Window& window, int assertion) {
  check_assertion(assertion, EP_MODE_NOCHECK, "EP_Win_lock_all");
  check_lockable(window, "EP_Win_lock_all");
  if (window.epoch == Epoch::lock) check_free(window, "EP_Win_lock_all");
  window.unchecked = (assertion & EP_MODE_NOCHECK) != 0;
  window.epoch = Epoch::lock_all;
  if (window.unchecked) return;
  // Whose memory the caller can touch without a call is locked at once.
  for (std::size_t rank = 0; rank < window.targets->size(); ++rank) {
    if ((*window.targets)[rank].is_direct()) acquire(window, static_cast<int>(rank), false);
  }
}

void unlock_all(Window& window) {
  if (window.epoch != Epoch::lock_all) {
    fail(EP_ERR_RMA_SYNC, "EP_Win_unlock_all in ", name_of(window.epoch),
         ". Call EP_Win_lock_all first?");
  }
  const int code = guarded([&] { complete_everywhere(window, false); });
  const std::string text = code != EP_SUCCESS ? last_error() : "";
  for (const auto& [rank, access] : window.accesses) {
    if (access->lock != Access::Lock::none) release(window, rank);
  }
  window.epoch = Epoch::none;
  window.unchecked = false;
  if (code != EP_SUCCESS) throw Error(code, text);
}

void check_flush(const Window& window, int rank, const char* what) {
  if (window.epoch == Epoch::lock_all) return;
  if (window.epoch == Epoch::lock) {
    if (rank < 0) return;
    const auto found = window.accesses.find(rank);
    if (found != window.accesses.end() && found->second->lock != Access::Lock::none) return;
    fail(EP_ERR_RMA_SYNC, what, " of rank ", rank, ", which is not locked.");
  }
  fail(EP_ERR_RMA_SYNC, what, " in ", name_of(window.epoch),
       " (it needs one of EP_Win_lock or EP_Win_lock_all).");
}

void sync(Window& window) {
  full_fence();
  window.site->raw.sync();
}

}  // namespace ep
