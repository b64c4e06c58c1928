#pragma once

#include <epios/epios.h>

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "handles/element_numbers.hpp"
#include "handles/memory_log.hpp"

namespace epios::client {

/// What `module xios` takes for granted: one session and one client per process, contexts by id,
/// one of them the current one. Kept by the HandleTable, since Fortran has nowhere else to keep it.
/// Any thread; what is collective is called by one.
class XiosRun {
 public:
  /// All throw Error.
  /// `local`: what the model has got from a coupler; `job`: all processes that meet; MPI_COMM_NULL
  /// each when not given. `component`: may be null.
  void initialize(const std::string& code_id, MPI_Comm local, MPI_Comm job, MPI_Comm* component);
  void finalize();

  /// Collective over the processes of `comm`.
  void open_context(const std::string& id, MPI_Comm comm);
  bool is_open(const std::string& id) const;
  /// The handle of an open context, null when there is none of that id.
  epios_context* context(const std::string& id) const;
  /// Ends the current one: none is current then.
  void finalize_context();
  /// For the calling thread; those that never choose are where the thread is that chose first.
  void set_current(epios_context* context);
  /// Throws Error{call_order} when there is none.
  epios_context* current() const;
  /// Null when there is none.
  epios_context* current_or_null() const;
  std::string id_of(epios_context* context) const;

  ElementNumbers& numbers() { return numbers_; }

  epios_session* session() const { return session_; }
  epios_client* client() const { return client_; }

  enum class TimerAction { read, resume, suspend, reset };
  /// A line of the table of memory, when variable log_memory of context xios is true; with
  /// `finalize` all lines are in the file.
  void log_memory(const char* place, bool finalize);
  /// Seconds of a timer of that name after the action; the clock itself has none, and only goes on.
  double timer(const std::string& name, TimerAction action);

 private:
  using Clock = std::chrono::steady_clock;
  struct Timer {
    double seconds = 0;
    Clock::time_point since;
    bool runs = false;
  };

  std::atomic<epios_session*> session_ = nullptr;
  std::atomic<epios_client*> client_ = nullptr;
  std::atomic<epios_context*> shared_current_ = nullptr;
  std::thread::id chooser_;   // of shared_current_
  mutable std::mutex mutex_;  // for what follows
  std::map<std::string, epios_context*> contexts_;
  std::map<std::string, Timer> timers_;
  ElementNumbers numbers_;
  std::unique_ptr<MemoryLog> memory_log_;  // null: not asked for
};

}  // namespace epios::client
