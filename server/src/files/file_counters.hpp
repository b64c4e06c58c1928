#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "config/run_page.hpp"

namespace epios::server {

/// What has become of one file so far, also for those who watch the run. Made by the server's
/// thread; then only the file thread calls, if nothing else is said.
class FileCounters {
 public:
  void count_written() {
    if (slot_) slot_->written.add(1);
  }
  /// Any thread, one at a time.
  void count_lost() {
    if (slot_) slot_->lost.add(1);
  }
  void add_bytes(std::size_t bytes) {
    if (slot_) slot_->bytes.add(static_cast<std::int64_t>(bytes));
  }
  /// What has been written so far stays, whatever happens to the process.
  void note_durable() {
    if (slot_) slot_->durable.set(slot_->written.get());
  }
  /// The file is whole.
  void note_published(std::int64_t bytes) {
    note_durable();
    if (!slot_) return;
    slot_->bytes.set(bytes);
    slot_->state.set(config::SlotState::over);
  }
  void note_failure() {
    if (slot_) slot_->state.set(config::SlotState::failed);
  }
  void add_time(std::chrono::duration<double> time) {
    writing_s_.add(time.count());
    if (!slot_) return;
    slot_->writing_s.set(writing_s_.get());
    slot_->updated_ns.set(config::page_clock_ns());
  }
  /// Returns the time of all jobs of the file. Any thread.
  double writing_s() const { return writing_s_.get(); }
  /// Shows it from now on. Before anything is counted.
  void show(config::HeldSlot<config::FileSlot> slot) { slot_ = std::move(slot); }

 private:
  config::PageNumber<double> writing_s_;
  config::HeldSlot<config::FileSlot> slot_;
};

}  // namespace epios::server
