/// @file
/// Says who waits for whom in the whole job when somebody has waited for long, or asks.
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

#include "event/waits.hpp"

namespace epios::io {

class Watch;

/// When a wait is told, and when it is given up.
struct WaitLimits {
  double patience_s = std::numeric_limits<double>::infinity();  ///< 0: never
  double give_up_s = 0;                                         ///< as the user has it; 0: never
  double after_s = 0;  ///< so much later, since those who are waited for shall give up first
  /// At least 0.1.
  double first_word_s() const;
};

/// A wait of somebody in this process, as long as it is begun and not ended. Belongs to one thread.
class Waiting {
 public:
  /// The watch outlives this.
  explicit Waiting(Watch& watch) : watch_(watch) {}
  Waiting(const Waiting&) = delete;
  Waiting(Waiting&&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  Waiting& operator=(Waiting&&) = delete;
  ~Waiting() { end(); }

  /// Begins, for one that is waited for, or nobody in particular. `what` and `about`, which follows
  /// it, must stay valid until the end. Allocates nothing.
  void begin(const Actor& who, std::string_view what, std::string_view about, const Actor& whom,
             const WaitLimits& limits);
  /// The same for several, with a text of its own. While that is the same the wait goes on, for
  /// whom it is now.
  void set(const Actor& who, const std::string& text, std::vector<Actor> whom,
           const WaitLimits& limits);
  /// Of one that goes on.
  void set_whom(std::vector<Actor> whom);
  void end();
  bool is_begun() const { return is_begun_; }
  /// Throws Error{call_order} when this has been waited for too long. For conditions of waits.
  void check() const;

 private:
  friend class Watch;
  using Clock = std::chrono::steady_clock;
  double seconds() const { return std::chrono::duration<double>(Clock::now() - since_).count(); }

  Watch& watch_;
  bool is_begun_ = false;
  // Guarded by the watch's mutex from here on; written by the owner alone.
  Actor who_;
  std::string_view what_, about_;
  std::string text_;  // what_ of set()
  Actor whom_;
  std::vector<Actor> others_;  // whom of set()
  WaitLimits limits_;
  Clock::time_point since_;
  double next_word_s_ = 0;
  const void* sleeper_ = nullptr;  // the thread that has begun
};

/// The part of one process in watching a job. Processes that wait inside the endpoints library look
/// at it from time to time, at no cost for those that do not wait: the first one in which somebody
/// has waited for too long asks all others, and prints what those say that answer within
/// some seconds. Of several that ask at a time the one with the lowest rank prints.
class Watch {
 public:
  /// Collective over the processes of `base`, one endpoint each.
  Watch(const ep::Comm& base, ProcessTable process_table);
  Watch(const Watch&) = delete;
  Watch(Watch&&) = delete;
  Watch& operator=(const Watch&) = delete;
  Watch& operator=(Watch&&) = delete;
  ~Watch();

  const ProcessTable& process_table() const { return process_table_; }

  /// The calling thread is who `who` says: waits in calls of the endpoints library that nobody has
  /// begun a Waiting for are told as its own, and also ask the job when they last.
  void know_thread(const Actor& who, const WaitLimits& limits);
  /// How often this process has asked all others. By the thread that looks, or while none does.
  std::uint32_t queries() const { return queries_; }

 private:
  friend class Waiting;
  using Clock = std::chrono::steady_clock;
  struct Thread {
    Actor who;
    double first_word_s = 0;
    double next_word_s = 0;
  };
  /// A wait that nobody has begun a Waiting for.
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
    bool is_wish = false;              ///< a signal
    const Waiting* waiting = nullptr;  ///< else; null: a wait of sleeper
    const void* sleeper = nullptr;
    Clock::time_point since;  ///< of that wait
    double seconds = 0;
    std::string text;
  };
  /// What the others say to a question of this process.
  struct Query {
    Reason reason;
    bool is_wish() const { return reason.is_wish; }
    std::vector<ProcessWaits> answers;
    int missing = 0;
    Clock::time_point until;
  };

  void look(bool is_asked);
  void receive_queries();
  /// Which of two questions goes on: wishes are answered whatever happens, else the lower process.
  bool gives_way(int process, bool is_wish) const;
  void receive_answers();
  std::optional<Reason> due();
  /// Precondition: mutex_ held.
  std::vector<BareWait> bare_waits();
  /// Of clients that wait for the same, the first one asks, before others have waited as long.
  double stagger_s(double first_word_s) const;
  void postpone();
  void ask(Reason reason);
  bool is_over(const Reason& reason);
  void finish();
  ProcessWaits own_waits();
  void send(int process, int tag, std::vector<std::byte> bytes);

  ProcessTable process_table_;
  ep::Comm comm_;
  std::mutex mutex_;                // guards what is waited for
  std::vector<Waiting*> waitings_;  // begun
  std::map<const void*, Thread> threads_;
  // Of the one thread that looks:
  std::optional<Query> query_;
  std::uint32_t queries_ = 0;
  bool is_wished_ = false;  // by a signal, and nobody has said yet that it will print
  Clock::time_point last_bare_look_{};
  Clock::time_point last_wish_{};  // a question of a process that will print whatever happens
  // On their way: nobody waits for them, as their receivers may never come.
  std::unique_ptr<std::list<Message>> sent_ = std::make_unique<std::list<Message>>();
};

}  // namespace epios::io
