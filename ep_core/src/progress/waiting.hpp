#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "progress/doorbell.hpp"

namespace ep {

class Engine;

/// The waiter of an endpoint. All communicators of an endpoint share one, because the event that it
/// waits for may come through another communicator. Its memory is reused but never freed.
struct Sleeper {
  std::atomic<int> waits{0};
  bool is_called = false;  ///< used by the registry, under its mutex
};

class WaitListener;

/// A place where a thread can wait: an endpoint in one of its communicators, as long as the
/// communicator exists in this process.
struct WaitPoint {
  WaitPoint();
  WaitPoint(const WaitPoint&) = delete;
  WaitPoint(WaitPoint&&) = delete;
  WaitPoint& operator=(const WaitPoint&) = delete;
  WaitPoint& operator=(WaitPoint&&) = delete;
  ~WaitPoint();

  Sleeper own;  ///< sleeper of points that belong to no endpoint
  std::atomic<Sleeper*> sleeper{&own};
  int rank = 0;
  int size = 0;      ///< 0 if the point belongs to no endpoint
  std::string name;  ///< name of the communicator; guarded by the registry's mutex
  /// Null unless a listener is registered for this endpoint; set before any thread waits here.
  std::unique_ptr<WaitListener> listener;
};

/// Knows which participants of an operation are missing.
class Awaited {
 public:
  Awaited() = default;
  Awaited(const Awaited&) = delete;
  Awaited(Awaited&&) = delete;
  Awaited& operator=(const Awaited&) = delete;
  Awaited& operator=(Awaited&&) = delete;
  virtual ~Awaited() = default;

  /// Describes the missing participants for the watchdog; empty if they are unknown. A waiting
  /// thread calls it and holds no lock.
  virtual std::string missing() = 0;
  /// Returns the names of a few missing participants, one string each, for listeners.
  virtual std::vector<std::string> absent() = 0;
};

/// Returns "rank 3" or "ranks 3, 5"; lists only the first of many ranks and counts the others.
std::string list_of_ranks(const std::vector<int>& ranks);
/// Returns a few names: "rank 3", "rank 5".
std::vector<std::string> names_of_ranks(const std::vector<int>& ranks);

/// Describes a wait: its reason, and how the thread may sleep.
struct WaitSpec {
  const char* reason = "a condition";
  int peer = -1;
  double max_sleep_s = 0;  ///< limit of one sleep; 0 for none
  bool polls = false;      ///< the condition is an MPI test, for which no thread rings
  bool local = false;      ///< only an endpoint of this process can make it true
  bool is_idle = false;    ///< the thread waits for work, which the watchdog does not report
  bool drives = true;      ///< the thread may drive communication, which calls MPI
  Awaited* awaited = nullptr;
  bool is_of_caller = false;  ///< the library above waits, and reports the reason itself
};

/// Describes a wait up to `end` to its listener.
struct HeardWait {
  const WaitSpec& spec;
  WaitListener& listener;
  std::chrono::steady_clock::time_point begin;
  std::chrono::steady_clock::time_point end;
  /// The participants that were missing when the waiter last fell asleep; empty if it did not.
  std::vector<std::string> absent;
  double tell_after_s = 1;  ///< seconds until the next call of hear_still()
};

/// Receives reports of waits at a point.
class WaitListener {
 public:
  WaitListener() = default;
  WaitListener(const WaitListener&) = delete;
  WaitListener(WaitListener&&) = delete;
  WaitListener& operator=(const WaitListener&) = delete;
  WaitListener& operator=(WaitListener&&) = delete;
  virtual ~WaitListener() = default;

  // The waiting thread calls these functions.

  /// Reports that the wait has ended.
  virtual void hear_end(const HeardWait& wait) noexcept = 0;
  /// Reports that the wait goes on. It is called after a second, and then at increasing intervals.
  virtual void hear_still(const HeardWait& wait) noexcept = 0;
};

/// A wait of a thread of this process.
struct WaitOfThread {
  std::string text;
  double seconds = 0;
  const void* sleeper = nullptr;
};

/// Returns a mark of the calling thread.
const void* own_sleeper() noexcept;

class Condition;
template <class F>
concept NotACondition = !std::is_same_v<std::remove_cvref_t<F>, Condition>;

/// A reference to any callable `bool()`; must not outlive it.
class Condition {
 public:
  template <NotACondition F>
  // NOLINTNEXTLINE: a view that converts on purpose and never hides a copy
  Condition(F&& function) noexcept
      : object_(const_cast<void*>(static_cast<const void*>(&function))), call_([](void* object) {
          return static_cast<bool>((*static_cast<std::remove_reference_t<F>*>(object))());
        }) {}
  bool operator()() const { return call_(object_); }

 private:
  void* object_;
  bool (*call_)(void*);
};

/// The waiting policy of a process, and the table of its waits.
///
/// A waiter checks its condition a few times, yields a few times, then sleeps. One sleeper of the
/// process at a time is the poller: it drives communication and sleeps on the doorbell that other
/// processes ring. The others sleep on words of their own until they are notified, or until they
/// become the poller.
///
///     wait(): check -> yield -> park(): the life of a Parked, in rounds
///
///     +-> word = 0 -> claim_poller()
///     |     | is the poller                            | is not
///     |     v                                          v
///     |   poller_asleep = 1, token = bell            drive communication if the wait polls
///     |   forward_user_rings(), drive communication    |
///     |     +----------------> ready()? <--------------+
///     |                         | yes: leave
///     |     +-------------------+ no
///     |     | poller: until bell != token      | sibling: until word != 0
///     |     | (a moment only if a peer needs   |
///     |     |  attention); poller_asleep = 0   |
///     +-----+-------- sleep_bound() at most, watch() ------+
///
/// No wake-up is missed: the word, the token and `poller_asleep` are written before ready() checks,
/// so that a thread that makes the condition true later finds a sleeper to wake. wake() wakes the
/// poller by its bell and another sleeper by its word; peers use ring(), which reads
/// `poller_asleep`.
///
/// poller_ is null, or a Parked that drives:
///
///     null --claim_poller(), in a round of a Parked that drives, if there is traffic--> Parked p
///     p    --p leaves (~Parked), by return or exception--> null, and the first of parked_ that
///            drives is woken, to claim in its next round
///     p    --a wait inside the condition of p claims--> that wait; afterwards p checks again
///     null --any Parked leaves--> null, and the next is woken: the one that was woken before may
///            have left without a claim
class WaitRegistry {
 public:
  using Clock = std::chrono::steady_clock;

  WaitRegistry(Doorbell& doorbell, Engine& engine);

  /// Waits until `ready()` returns true; exceptions of `ready` or of communication end the wait.
  /// Waits at all `points`: a notify() of any of them wakes it.
  void wait(std::span<WaitPoint* const> points, const WaitSpec& spec, Condition ready);
  void wait(WaitPoint& point, const WaitSpec& spec, Condition ready);

  /// Wakes the endpoint of `point` wherever it waits. Call it after making a condition true. Costs
  /// two loads if the endpoint does not sleep.
  void notify(WaitPoint& point);
  /// Wakes many endpoints, which costs less than each alone: `point(i)` for i below `count`.
  template <class Point>
  void notify_all(int count, Point&& point) {
    full_fence();
    const auto sleeper = [&](int i) { return point(i).sleeper.load(std::memory_order_seq_cst); };
    bool sleeps = false;
    for (int i = 0; i < count && !sleeps; ++i) {
      sleeps = sleeper(i)->waits.load(std::memory_order_seq_cst) != 0;
    }
    if (!sleeps) return;
    std::unique_lock lock(mutex_);
    for (int i = 0; i < count; ++i) sleeper(i)->is_called = true;
    call_asleep();
    for (int i = 0; i < count; ++i) sleeper(i)->is_called = false;
    wake_called(lock);
  }
  /// Wakes the endpoint after a sequentially consistent store that made the condition true.
  void notify_of_change(WaitPoint& point) {
    const Sleeper* const sleeper = point.sleeper.load(std::memory_order_seq_cst);
    if (sleeper->waits.load(std::memory_order_seq_cst) != 0) wake_at(*sleeper);
  }
  /// Makes the sleeping poller check, because there is something new to poll.
  void kick_poller() noexcept { ring(doorbell_.page()); }

  void set_watchdog(double seconds) noexcept { watchdog_s_.store(seconds); }
  void set_name(WaitPoint& point, const std::string& name);
  std::string name_of(const WaitPoint& point);
  /// Returns the table of waits, one line each.
  std::string describe();
  /// Returns the waits inside this library, longest first.
  std::vector<WaitOfThread> waits_inside();

 private:
  class Parked;
  void wait_unheard(std::span<WaitPoint* const> points, const WaitSpec& spec, Condition ready,
                    HeardWait* heard);
  void park(std::span<WaitPoint* const> points, const WaitSpec& spec, Condition ready,
            HeardWait* heard);
  bool claim_poller(Parked& self);
  void wake_at(const Sleeper& sleeper);
  void call_asleep();
  void wake_called(std::unique_lock<std::mutex>& lock);
  void wake(Parked& parked) noexcept;
  void wake_all();
  void forward_user_rings();
  double sleep_bound(const Parked& self, const WaitSpec& spec, bool poller, double backoff_s) const;
  void watch(Parked& self);
  void report_all_waits(Parked& self);
  void look_closer(Parked& self);
  std::string describe_locked() const;
  static std::string place_text(const Parked& parked);

  Doorbell& doorbell_;
  Engine& engine_;
  std::mutex mutex_;
  std::vector<Parked*> parked_;  // in order of coming
  Parked* poller_ = nullptr;
  std::uint32_t seen_user_rings_ = 0;
  Clock::time_point last_report_{};
  std::atomic<double> watchdog_s_{60.0};
};

}  // namespace ep
