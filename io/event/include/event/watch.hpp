/// @file
/// Reports who waits for whom in the whole job, after a long wait or on request.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ep/ep.hpp>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/run_page.hpp"
#include "event/waits.hpp"

namespace epios::io {

class Watch;

/// When a wait is reported, and when it is given up.
struct WaitLimits {
  double patience_s = std::numeric_limits<double>::infinity();  ///< 0 means never
  double give_up_s = 0;  ///< the user's setting; 0 means never
  double after_s = 0;    ///< additional seconds, because those waited for shall give up first
  /// Returns the seconds before the first report, at least 0.1.
  double first_word_s() const;
};

/// A wait in this process, from begin to end. Belongs to one thread.
class Waiting {
 public:
  /// The watch must outlive this object.
  explicit Waiting(Watch& watch) : watch_(watch) {}
  Waiting(const Waiting&) = delete;
  Waiting(Waiting&&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  Waiting& operator=(Waiting&&) = delete;
  ~Waiting() { end(); }

  /// Begins a wait for one actor, or for nobody in particular. `what`, and `about` which follows
  /// it, must stay valid until the end. Does not allocate.
  void begin(const Actor& who, std::string_view what, std::string_view about, const Actor& whom,
             const WaitLimits& limits);
  /// Begins a wait for several actors, with a text that is copied. While the text stays the same,
  /// the wait continues, for the actors of the last call.
  void set(const Actor& who, const std::string& text, std::vector<Actor> whom,
           const WaitLimits& limits);
  /// Changes the actors of a wait that continues.
  void set_whom(std::vector<Actor> whom);
  void end();
  bool is_begun() const { return is_begun_; }
  /// Throws Error{call_order} if the wait lasts too long. For conditions of waits.
  void check() const;

 private:
  friend class Watch;
  using Clock = std::chrono::steady_clock;
  double seconds() const { return std::chrono::duration<double>(Clock::now() - since_).count(); }
  /// Precondition: the caller holds the mutex of the watch.
  void show();

  Watch& watch_;
  bool is_begun_ = false;
  // The mutex of the watch guards the following members; only the owner writes them.
  Actor who_;
  std::string_view what_, about_;
  std::string text_;  // what_ of set()
  Actor whom_;
  std::vector<Actor> others_;  // actors of set()
  WaitLimits limits_;
  Clock::time_point since_;
  double next_word_s_ = 0;
  const void* sleeper_ = nullptr;             // the thread that began the wait
  config::HeldSlot<config::WaitSlot> shown_;  // in the page of the process
};

/// Watches a job in one process. Processes that wait inside the endpoints library look at it from
/// time to time; processes that do not wait pay nothing. The first process with a wait that is too
/// long asks all others and prints the answers that arrive within some seconds. If several ask at
/// the same time, the one with the lowest rank prints.
class Watch {
 public:
  /// Collective over the processes of `base`, one endpoint each. Waits are shown in `page`, which
  /// must outlive the watch.
  Watch(const ep::Comm& base, ProcessTable process_table, config::RunPage& page);
  Watch(const Watch&) = delete;
  Watch(Watch&&) = delete;
  Watch& operator=(const Watch&) = delete;
  Watch& operator=(Watch&&) = delete;
  ~Watch();

  const ProcessTable& process_table() const { return process_table_; }
  /// Returns the page of this process, by which the run can be watched from outside.
  config::RunPage& page() const { return page_; }

  /// Registers the calling thread as `who`. Waits in calls of the endpoints library without a
  /// Waiting are then reported as its own, and also ask the job if they last.
  void know_thread(const Actor& who, const WaitLimits& limits);
  /// Returns how often this process has asked all others. Called by the thread that looks, or while
  /// none does.
  std::uint32_t queries() const { return queries_; }

 private:
  friend class Waiting;
  using Clock = std::chrono::steady_clock;
  struct Thread {
    Actor who;
    double first_word_s = 0;
    double next_word_s = 0;
  };
  /// A wait without a Waiting.
  struct BareWait {
    const void* sleeper = nullptr;
    Thread* thread = nullptr;
    Wait wait;
  };
  struct Message {
    std::vector<std::byte> bytes;
    EP_Request request = EP_REQUEST_NULL;
  };
  /// Why this process asks.
  struct Reason {
    bool is_wish = false;              ///< a signal asked for it
    const Waiting* waiting = nullptr;  ///< otherwise the wait; null for a wait of sleeper
    const void* sleeper = nullptr;
    Clock::time_point since;  ///< start of that wait
    double seconds = 0;
    std::string text;
  };
  /// A question of this process, and the answers of the others.
  struct Query {
    Reason reason;
    bool is_wish() const { return reason.is_wish; }
    std::vector<ProcessWaits> answers;
    int missing = 0;
    Clock::time_point until;
  };

  void look(bool is_asked);
  void receive_queries();
  /// Returns true if the question of this process yields to that of `process`. Requests by signal
  /// always proceed; otherwise the lower process does.
  bool gives_way(int process, bool is_wish) const;
  void receive_answers();
  std::optional<Reason> due();
  /// Precondition: the caller holds mutex_.
  std::vector<BareWait> bare_waits();
  /// Returns a delay, so that among clients that wait for the same the first one asks before the
  /// others.
  double stagger_s(double first_word_s) const;
  void postpone();
  void ask(Reason reason);
  bool is_gone(int process) const;
  bool is_over(const Reason& reason);
  void finish();
  ProcessWaits own_waits();
  /// Adds what this process knows without asking: its own waits, and which processes are gone.
  void note_here(std::vector<ProcessWaits>& answers);
  void send(int process, int tag, std::vector<std::byte> bytes);

  ProcessTable process_table_;
  config::RunPage& page_;
  ep::Comm comm_;
  std::mutex mutex_;                // guards the waits
  std::vector<Waiting*> waitings_;  // waits that have begun
  std::map<const void*, Thread> threads_;
  // For the one thread that looks:
  std::optional<Query> query_;
  std::uint32_t queries_ = 0;
  bool is_wished_ = false;  // requested by a signal, and nobody has announced that it prints
  Clock::time_point last_bare_look_{};
  Clock::time_point last_wish_{};  // last question of a process that prints whatever happens
  // Messages on their way. Nobody waits for them, because their receivers may never come.
  std::unique_ptr<std::list<Message>> sent_ = std::make_unique<std::list<Message>>();
};

}  // namespace epios::io
