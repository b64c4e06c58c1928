/// @file
/// Keeps a server's threads off the processors that threads of models are bound to.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "event/job.hpp"
#include "process/log.hpp"

namespace epios::server {

/// Numbers of processors, in order.
using Processors = std::vector<int>;

/// Where threads of a server may run.
struct ThreadPlace {
  Processors processors;
  bool is_apart = false;  ///< no thread of a model is bound to any of them
  int bound = 0;          ///< threads of models that are bound to processors of the process
  bool operator==(const ThreadPlace&) const = default;
};

/// Of the processors of a process, `own`, those that no thread is bound to which may run only on
/// some of them; whole cores where there are any. All of `own` when that leaves none, or nobody is
/// bound. `threads`: where each thread of a model on this node may run; `cores`: processors that
/// are one core, of cores with several. Pure.
ThreadPlace place_beside(const Processors& own, std::span<const Processors> threads,
                         std::span<const Processors> cores);

/// "0-2, 5", and what "0-2,5" of the system says; nothing of a text that is none.
std::string text_of(const Processors& processors);
Processors processors_in(const std::string& list);

/// What a thread is called and where it may run, as they were when this was made: back again when
/// this ends, in the same thread. A model that lends a thread to a server has it back as it was.
class ThreadAsItWas {
 public:
  /// Of the calling thread.
  ThreadAsItWas();
  ThreadAsItWas(const ThreadAsItWas&) = delete;
  ThreadAsItWas(ThreadAsItWas&&) = delete;
  ThreadAsItWas& operator=(const ThreadAsItWas&) = delete;
  ThreadAsItWas& operator=(ThreadAsItWas&&) = delete;
  ~ThreadAsItWas();

 private:
  std::string name_;       // empty: not known
  Processors processors_;  // the same
};

/// The place of the threads of one server, in a process with clients; does nothing in others, and
/// where EPIOS_PIN is 0. Threads are known by their names. By the server's thread, which has its
/// own name and place again at the end; the others have ended by then.
class ThreadPlacer {
 public:
  /// Names the calling thread.
  ThreadPlacer(const io::Job& job, const Log& log);
  /// A context is opened: threads of models come and are bound in the course of a run. Moves the
  /// server's threads, and says so when that is new. Costs a look at each thread of the job on this
  /// node; of many contexts, ever fewer do so.
  void open_context();

 private:
  void look();
  std::vector<long> processes_of_node() const;

  const io::Job& job_;
  const Log& log_;
  std::optional<ThreadAsItWas> thread_;
  bool is_on_ = false;
  std::uint32_t contexts_ = 0;  // opened
  ThreadPlace last_;
};

}  // namespace epios::server
