#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "config/model_fwd.hpp"
#include "context/context_account.hpp"
#include "context/context_group.hpp"
#include "context/context_progress.hpp"
#include "data/before_records.hpp"
#include "data/borrowed_buffer.hpp"
#include "data/due_fields.hpp"
#include "data/run_clock.hpp"
#include "data/tile_assembly.hpp"
#include "links/server_link.hpp"
#include "workflow/workflow.hpp"

namespace epios::client {

/// The model's sends in the time loop: whole arrays, tiles of several threads, and arrays that it
/// borrows to fill them in place. Fields are given by their numbers (FieldNumbers::sent()).
class SentFields {
 public:
  /// What a send goes through; all outlive the SentFields.
  struct Setup {
    const ContextGroup& group;
    const config::Model& model;
    std::size_t sources;  ///< that the model may send
    ContextAccount& account;
    ContextProgress& progress;
    RunClock& clock;
    io::Workflow& workflow;
    ServerLink& link;
    BeforeRecords& before_records;
  };
  explicit SentFields(const Setup& setup);

  template <class T>
  void send(int field, std::span<const T> data);
  /// Sends one tile of a field: several threads may send tiles at once. The last one of a step
  /// sends the whole.
  template <class T>
  void send_tile(int field, int tile, std::span<const T> data);
  /// Returns the array of a field at this step, for the model to fill and send; empty for a field
  /// that no file needs. Nothing else is sent meanwhile. T as the model will send it.
  template <class T>
  std::span<T> borrow(int field);
  /// Ends the borrowing without a send.
  void give_back(int field);

  /// Throws Error{argument} if no field has the number.
  void check_number(int field) const;
  /// Returns the extents of the array of a field, fastest first; none if no file needs it.
  std::vector<std::int64_t> extents(int field) const;
  /// True if data of a field would be of use at this step. Beside threads that send tiles.
  bool is_due(int field);
  /// Nothing is sent from now on: what comes is counted. `why`: not "".
  void stop(std::string why) {
    dues_.stop();
    stopped_ = std::move(why);
  }
  /// Returns why, or "".
  const std::string& stopped() const { return stopped_; }
  /// Returns how many fields have come since.
  std::int64_t ignored() const { return ignored_; }
  /// Throws Error{call_order}, naming the call that comes too early, while an array is borrowed.
  void check_nothing_borrowed(const char* call) const;
  /// The step ends, by that call: the same, also when tiles are missing.
  void check_complete(const char* call) const;

 private:
  template <class T>
  void send_unrecorded(int field, std::span<const T> data);
  template <class T>
  void send_tile_unrecorded(int field, int tile, std::span<const T> data);
  template <class T>
  std::span<T> borrow_unrecorded(int field);
  void give_back_unrecorded(int field);
  template <class T>
  void send_whole(int field, std::span<const T> data);
  const std::string& id_of(int field) const;
  std::string place_of(int field) const;
  void check_not_by_tiles_only(int field, const char* what) const;
  std::span<std::byte> borrow_from_channel(int field, std::size_t value_bytes);
  void check_borrowed(int field, const void* data, std::size_t value_bytes) const;
  void release();
  void check_tiles() const;

  Setup to_;
  DueFields dues_;
  std::vector<std::unique_ptr<TileAssembly>> tiles_;  // by source; null without tiles
  bool has_tiles_ = false;
  std::mutex tiles_mutex_;  // for what threads share beside them
  BorrowedBuffer borrowed_;
  std::string stopped_;
  std::int64_t ignored_ = 0;
};

}  // namespace epios::client
