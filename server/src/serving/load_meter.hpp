#pragma once

#include <chrono>

#include "event/wire.hpp"

namespace epios::server {

/// Measures what a server has had to do: how long any context was open, and how long its thread was
/// busy meanwhile. Only the server's thread calls.
class LoadMeter {
 public:
  using Clock = std::chrono::steady_clock;

  /// The first of the contexts that are open is opened.
  void begin_open() { opened_ = Clock::now(); }
  /// The last one is closed.
  void end_open() { was_open_ += Clock::now() - opened_; }
  void add_busy(Clock::duration time) { busy_ += time; }
  /// Returns the load until now. `is_open`: any context is; `writing_s`: of the file thread.
  io::ServerLoad load(int server, bool is_open, double writing_s) const;

 private:
  Clock::time_point opened_;
  Clock::duration was_open_{0};
  Clock::duration busy_{0};
};

}  // namespace epios::server
