// The waiting policy of a process, drawn in the header: check, yield, sleep, with one sleeper that
// polls for all. In order: the life of a parked thread, wait(), waking (one, many, all), names, and
// the watchdog with its table.
#include "progress/waiting.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
#include <sstream>
#include <thread>
#include <utility>
#include <vector>

#include "process/process.hpp"
#include "progress/backoff.hpp"
#include "progress/diagnostic_signal.hpp"
#include "progress/engine.hpp"
#include "progress/progress_hook.hpp"

namespace ep {

namespace {

// Number of checks before a waiter begins to yield, and time for which it yields before it sleeps.
// Machines are oversubscribed, so an idle thread must not keep others from running.
constexpr int spin_rounds = 80;
constexpr std::chrono::microseconds yield_time{100};
// Yield time while long transfers between processes are pending, and for a thread whose last sleep
// was shorter than this. Where waking up takes long, two threads that answer each other would
// otherwise both fall asleep for every message.
constexpr std::chrono::microseconds long_yield_time{500};
// Number of checks of local memory between two checks for messages of other processes.
constexpr int local_looks = 8;

constexpr double off_node_poll_s = 1e-3;
// No wake-up should be missed; this limits the damage if the node's rings are lost.
constexpr double poller_sleep_s = 0.1;
constexpr double sibling_sleep_s = 1.0;

void pause_briefly() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

WaitPoint::WaitPoint() = default;
WaitPoint::~WaitPoint() = default;

namespace {

constexpr std::size_t most = 8;  // ranks that are named

}  // namespace

std::vector<std::string> names_of_ranks(const std::vector<int>& ranks) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < ranks.size() && i < most; ++i) {
    out.push_back("rank " + std::to_string(ranks[i]));
  }
  return out;
}

std::string list_of_ranks(const std::vector<int>& ranks) {
  std::ostringstream out;
  out << (ranks.size() == 1 ? "rank " : "ranks ");
  for (std::size_t i = 0; i < ranks.size() && i < most; ++i) out << (i > 0 ? ", " : "") << ranks[i];
  if (ranks.size() > most) out << " and " << ranks.size() - most << " more";
  return out.str();
}

const void* own_sleeper() noexcept {
  thread_local const char mark = 0;
  return &mark;
}

/// One sleeping thread. The object is on its stack, and in the registry's list during its lifetime.
class WaitRegistry::Parked {
 public:
  Parked(WaitRegistry& registry, std::span<WaitPoint* const> points, const WaitSpec& spec)
      : registry_(registry),
        points_(points),
        spec_(spec),
        since_(Clock::now()),
        outer_(innermost()) {
    {
      const std::lock_guard lock(registry_.mutex_);
      registry_.parked_.push_back(this);
    }
    registry_.doorbell_.page().sleepers.fetch_add(1, std::memory_order_seq_cst);
    for (const WaitPoint* point : points_) {
      point->sleeper.load()->waits.fetch_add(1, std::memory_order_seq_cst);
    }
    report_after_s =
        spec_.is_idle ? std::numeric_limits<double>::infinity() : registry_.watchdog_s_.load();
    look_after_s = report_after_s / 2;
    innermost() = this;
  }
  Parked(const Parked&) = delete;
  Parked(Parked&&) = delete;
  Parked& operator=(const Parked&) = delete;
  Parked& operator=(Parked&&) = delete;
  ~Parked() {
    innermost() = outer_;
    for (const WaitPoint* point : points_) {
      point->sleeper.load()->waits.fetch_sub(1, std::memory_order_relaxed);
    }
    BellPage& page = registry_.doorbell_.page();
    page.sleepers.fetch_sub(1, std::memory_order_relaxed);
    if (is_long) page.long_waits.fetch_sub(1, std::memory_order_relaxed);
    const std::lock_guard lock(registry_.mutex_);
    std::erase(registry_.parked_, this);
    if (registry_.poller_ == this) {
      registry_.poller_ = nullptr;
      page.poller_asleep.store(0, std::memory_order_relaxed);
    }
    // Some thread must poll. The one that was woken for it may be leaving, too; then the next one
    // is woken.
    if (registry_.poller_ != nullptr || !registry_.engine_.has_traffic()) return;
    const auto next = std::find_if(registry_.parked_.begin(), registry_.parked_.end(),
                                   [](const Parked* other) { return other->spec_.drives; });
    if (next != registry_.parked_.end()) registry_.wake(**next);
  }

  bool is(const Sleeper* sleeper) const {
    return std::any_of(points_.begin(), points_.end(), [sleeper](const WaitPoint* point) {
      return point->sleeper.load() == sleeper;
    });
  }
  bool is_called() const {
    return std::any_of(points_.begin(), points_.end(),
                       [](const WaitPoint* point) { return point->sleeper.load()->is_called; });
  }
  double waited_s() const { return std::chrono::duration<double>(Clock::now() - since_).count(); }

  std::atomic<std::uint32_t> word{0};
  double report_after_s = 0;
  double look_after_s = 0;   ///< time of a closer look before the next report
  bool is_long = false;      ///< true if the page counts this wait
  std::string missing;       ///< missing participants; guarded by the registry's mutex
  bool is_to_wake = false;   ///< word is set, but the futex is not woken yet; under that mutex
  bool is_relieved = false;  ///< a nested wait has polled instead; own thread only

  /// True if this wait is inside the condition of another one, of the same thread.
  bool is_inside(const Parked* other) const {
    const Parked* around = outer_;
    while (around != nullptr && around != other) around = around->outer_;
    return around != nullptr;
  }

  std::span<WaitPoint* const> points() const noexcept { return points_; }
  const WaitSpec& spec() const noexcept { return spec_; }
  const void* sleeper() const noexcept { return sleeper_; }

 private:
  WaitRegistry& registry_;
  std::span<WaitPoint* const> points_;
  const WaitSpec& spec_;
  Clock::time_point since_;
  Parked* const outer_;  ///< the wait of this thread whose condition waits itself
  const void* const sleeper_ = own_sleeper();
  /// Returns the innermost wait of the calling thread.
  static Parked*& innermost() noexcept {
    struct Innermost {
      Parked* parked = nullptr;
    };
    thread_local Innermost innermost;
    return innermost.parked;
  }
};

WaitRegistry::WaitRegistry(Doorbell& doorbell, Engine& engine)
    : doorbell_(doorbell), engine_(engine) {}

void WaitRegistry::wait(WaitPoint& point, const WaitSpec& spec, Condition ready) {
  const std::array<WaitPoint*, 1> points{&point};
  wait(points, spec, ready);
}

void WaitRegistry::wait(std::span<WaitPoint* const> points, const WaitSpec& spec, Condition ready) {
  WaitListener* const listener = points.empty() ? nullptr : points.front()->listener.get();
  if (listener == nullptr || spec.is_idle) {
    wait_unheard(points, spec, ready, nullptr);
    return;
  }
  if (ready()) return;
  HeardWait heard{spec, *listener, Clock::now(), {}, {}};
  const auto tell = [&] {
    heard.end = Clock::now();
    listener->hear_end(heard);
  };
  try {
    wait_unheard(points, spec, ready, &heard);
  } catch (...) {
    tell();
    throw;
  }
  tell();
}

void WaitRegistry::wait_unheard(std::span<WaitPoint* const> points, const WaitSpec& spec,
                                Condition ready, HeardWait* heard) {
  const int looks = spec.local ? local_looks : 1;
  for (int round = 0; round < spin_rounds; ++round) {
    for (int look = 1; look < looks; ++look) {
      if (ready()) return;
      pause_briefly();
    }
    if (ready()) return;
    if (spec.drives) engine_.progress();
  }
  thread_local bool slept_briefly = false;
  const Clock::time_point begin = Clock::now();
  Clock::time_point now = begin;
  while (now - begin < (slept_briefly || engine_.has_pending() ? long_yield_time : yield_time)) {
    if (ready()) return;
    if (spec.drives) engine_.progress();
    std::this_thread::yield();
    now = Clock::now();
  }
  park(points, spec, ready, heard);
  slept_briefly = Clock::now() - now < long_yield_time;
}

void WaitRegistry::park(std::span<WaitPoint* const> points, const WaitSpec& spec, Condition ready,
                        HeardWait* heard) {
  Parked self(*this, points, spec);
  BellPage& page = doorbell_.page();
  Backoff backoff(Clock::now());
  std::uint64_t seen_events = engine_.events();
  while (true) {
    self.word.store(0, std::memory_order_seq_cst);
    const bool poller = spec.drives && claim_poller(self);
    std::uint32_t token = 0;
    if (poller) {
      // The poller announces its sleep before it checks, so that an event in between rings.
      page.poller_asleep.store(1, std::memory_order_seq_cst);
      token = page.bell.load(std::memory_order_seq_cst);
    }
    // Looks are loads of any order: without the fence they could be older than the announcements,
    // and who makes something true would see no sleeper.
    full_fence();  // before all looks
    if (poller) {
      forward_user_rings();
      engine_.progress_for_sure();
      engine_.ring_peers_of_pending();
    } else if (spec.polls) {
      engine_.progress();
    }
    if (ready()) return;
    // Others have polled meanwhile, and may have left without checking this thread's condition.
    if (std::exchange(self.is_relieved, false)) continue;
    if (heard != nullptr && spec.awaited != nullptr) {
      std::vector<std::string> absent = spec.awaited->absent();
      if (!absent.empty()) heard->absent = std::move(absent);
    }
    const std::uint64_t events = engine_.events();
    const bool is_under_way = engine_.has_pending() && engine_.has_peers_off_node();
    const double backoff_s = backoff.next_s(events != seen_events, is_under_way, Clock::now());
    seen_events = events;
    const double bound_s = sleep_bound(self, spec, poller, backoff_s);
    if (poller && page.attention.load(std::memory_order_seq_cst) != 0) {
      std::this_thread::yield();  // a peer is in MPI and needs our progress
    } else if (poller) {
      futex_wait(page.bell, token, bound_s, true);
      page.poller_asleep.store(0, std::memory_order_seq_cst);
    } else {
      futex_wait(self.word, 0, bound_s, false);
    }
    watch(self);
    if (heard != nullptr && self.waited_s() >= heard->tell_after_s) {
      heard->tell_after_s = 2 * self.waited_s();
      heard->end = Clock::now();
      heard->listener.hear_still(*heard);
    }
  }
}

double WaitRegistry::sleep_bound(const Parked& self, const WaitSpec& spec, bool poller,
                                 double backoff_s) const {
  double bound_s = sibling_sleep_s;
  if (poller) {
    bound_s = poller_sleep_s;
    if (engine_.has_peers_off_node()) bound_s = std::max(off_node_poll_s, backoff_s);
    if (engine_.has_pending()) bound_s = backoff_s;
  }
  if (spec.polls) bound_s = std::min(bound_s, backoff_s);
  if (spec.max_sleep_s > 0) bound_s = std::min(bound_s, spec.max_sleep_s);
  if (watchdog_s_.load() > 0) {
    const double next_s = std::min(self.report_after_s, self.look_after_s);
    bound_s = std::min(bound_s, std::max(next_s - self.waited_s(), 1e-3));
  }
  return bound_s;
}

bool WaitRegistry::claim_poller(Parked& self) {
  if (!engine_.has_traffic()) return false;
  const std::lock_guard lock(mutex_);
  if (poller_ != nullptr && self.is_inside(poller_)) {
    // The poller is this very thread, inside the condition of its wait, so no other thread would
    // poll.
    poller_->is_relieved = true;
    poller_ = nullptr;
  }
  if (poller_ == nullptr) poller_ = &self;
  return poller_ == &self;
}

// Precondition: mutex_ held, so that `parked` cannot leave meanwhile.
void WaitRegistry::wake(Parked& parked) noexcept {
  parked.word.store(1, std::memory_order_seq_cst);
  if (&parked == poller_) {
    BellPage& page = doorbell_.page();
    page.bell.fetch_add(1, std::memory_order_seq_cst);
    futex_wake(page.bell, true);
  } else {
    futex_wake(parked.word, false);
  }
}

void WaitRegistry::notify(WaitPoint& point) {
  full_fence();
  notify_of_change(point);
}

void WaitRegistry::wake_at(const Sleeper& sleeper) {
  const std::lock_guard lock(mutex_);
  for (Parked* parked : parked_) {
    if (parked->is(&sleeper)) wake(*parked);
  }
}

// Precondition: mutex_ held.
void WaitRegistry::call_asleep() {
  for (Parked* const parked : parked_) {
    if (!parked->is_called()) continue;
    if (parked == poller_) {
      wake(*parked);
    } else {
      parked->word.store(1, std::memory_order_seq_cst);
      parked->is_to_wake = true;
    }
  }
}

// Wakes sleepers after the lock is released, since a woken thread needs it first. If a word is gone
// by then, the call wakes no thread, or one that checks again. A thread that has fallen asleep anew
// is not meant.
void WaitRegistry::wake_called(std::unique_lock<std::mutex>& lock) {
  std::array<std::atomic<std::uint32_t>*, 256> words{};
  while (true) {
    std::size_t found = 0;
    for (Parked* const parked : parked_) {
      if (found == words.size()) break;
      if (std::exchange(parked->is_to_wake, false)) words[found++] = &parked->word;
    }
    if (found == 0) return;
    lock.unlock();
    for (std::size_t i = 0; i < found; ++i) futex_wake(*words[i], false);
    lock.lock();
  }
}

void WaitRegistry::wake_all() {
  const std::lock_guard lock(mutex_);
  for (Parked* parked : parked_) {
    if (parked != poller_) wake(*parked);
  }
}

void WaitRegistry::forward_user_rings() {
  const std::uint32_t rings = doorbell_.page().user_rings.load(std::memory_order_seq_cst);
  {
    const std::lock_guard lock(mutex_);
    if (rings == seen_user_rings_) return;
    seen_user_rings_ = rings;
  }
  wake_all();
}

void WaitRegistry::set_name(WaitPoint& point, const std::string& name) {
  const std::lock_guard lock(mutex_);
  point.name = name;
}

std::string WaitRegistry::name_of(const WaitPoint& point) {
  const std::lock_guard lock(mutex_);
  return point.name;
}

// Runs some time before the table is due, since one thread prints it for all: announces the long
// wait to peers and stores what is missing.
void WaitRegistry::look_closer(Parked& self) {
  self.look_after_s = self.waited_s() + watchdog_s_.load() / 8;
  if (!self.is_long) {
    self.is_long = true;
    doorbell_.page().long_waits.fetch_add(1, std::memory_order_relaxed);
  }
  if (self.spec().awaited == nullptr) return;
  std::string missing = self.spec().awaited->missing();
  const std::lock_guard lock(mutex_);
  self.missing = std::move(missing);
}

/// Answers a diagnostics request: the table has every wait.
void WaitRegistry::report_all_waits(Parked& self) {
  if (self.spec().awaited != nullptr) {
    std::string missing = self.spec().awaited->missing();
    const std::lock_guard lock(mutex_);
    self.missing = std::move(missing);
  }
  std::fputs(describe().c_str(), stderr);
}

void WaitRegistry::watch(Parked& self) {
  const bool has_hook = has_progress_hook();
  if (has_hook && self.spec().drives) run_progress_hook();
  if (!has_hook && diagnostics_requested()) report_all_waits(self);
  const double limit_s = watchdog_s_.load();
  if (limit_s <= 0) return;
  if (self.waited_s() >= self.look_after_s) look_closer(self);
  if (self.waited_s() < self.report_after_s) return;
  self.report_after_s = 2 * self.waited_s();
  if (has_hook) return;
  std::string table;
  {
    const std::lock_guard lock(mutex_);
    const auto now = Clock::now();
    // One table shows all waits, so a second thread has nothing to add.
    if (std::chrono::duration<double>(now - last_report_).count() < limit_s / 2) return;
    last_report_ = now;
    table = describe_locked();
  }
  std::fputs(table.c_str(), stderr);
}

std::string WaitRegistry::describe() {
  const std::lock_guard lock(mutex_);
  return describe_locked();
}

/// "rank 0 of 2 in 'ocean'".
std::string WaitRegistry::place_text(const Parked& parked) {
  if (parked.points().empty() || parked.points().front()->size == 0) return "a thread";
  const WaitPoint& point = *parked.points().front();
  std::ostringstream out;
  out << "rank " << point.rank << " of " << point.size;
  if (!point.name.empty()) out << " in '" << point.name << "'";
  return out.str();
}

std::vector<WaitOfThread> WaitRegistry::waits_inside() {
  std::vector<WaitOfThread> out;
  const std::lock_guard lock(mutex_);
  for (const Parked* parked : parked_) {
    const WaitSpec& spec = parked->spec();
    if (spec.is_idle || spec.is_of_caller) continue;
    std::ostringstream text;
    text << spec.reason;
    if (spec.peer >= 0) text << " of rank " << spec.peer;
    if (!parked->missing.empty()) text << ", still to come: " << parked->missing;
    text << ", as " << place_text(*parked);
    out.push_back({text.str(), parked->waited_s(), parked->sleeper()});
  }
  std::stable_sort(out.begin(), out.end(), [](const WaitOfThread& a, const WaitOfThread& b) {
    return a.seconds > b.seconds;
  });
  return out;
}

std::string WaitRegistry::describe_locked() const {
  std::ostringstream out;
  out << "[ep watchdog] process " << process().world_rank() << ": " << parked_.size()
      << (parked_.size() == 1 ? " endpoint waits\n" : " endpoints wait\n");
  for (const Parked* parked : parked_) {
    out << "[ep watchdog]   " << place_text(*parked) << " waits " << parked->waited_s() << " s for "
        << parked->spec().reason;
    if (parked->spec().peer >= 0) out << " of rank " << parked->spec().peer;
    if (!parked->missing.empty()) out << ", still to come: " << parked->missing;
    out << "\n";
  }
  return out.str();
}

}  // namespace ep
