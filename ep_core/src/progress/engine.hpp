#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "progress/raw_message.hpp"

namespace ep {

/// The messages of other processes on a raw communicator of the library, which only the engine
/// probes.
class Traffic {
 public:
  Traffic() = default;
  Traffic(const Traffic&) = delete;
  Traffic(Traffic&&) = delete;
  Traffic& operator=(const Traffic&) = delete;
  Traffic& operator=(Traffic&&) = delete;
  virtual ~Traffic() = default;

  virtual MPI_Comm comm() const noexcept = 0;
  virtual bool has_peers() const noexcept = 0;
  /// True if some peer cannot be rung.
  virtual bool has_peers_off_node() const noexcept = 0;
  /// Draws the attention of a peer, by its rank in comm().
  virtual void ring(int peer) const noexcept = 0;
  /// Takes a message off the communicator and delivers it. Called under the engine's lock.
  virtual void take_in(const RawMessage& message) = 0;

  /// Takes in the oldest message that does not come through MPI; returns false if there is none.
  virtual bool take_in_shm() { return false; }
  /// True if MPI is likely to bring messages; otherwise the engine polls it only now and then.
  virtual bool expects_raw() const noexcept { return true; }
  /// Sends messages that had to wait for room in shared memory. Returns true if any has left.
  /// Called under the engine's lock.
  virtual bool push_shm() { return false; }
  /// Rings the peers that have to make that room.
  virtual void ring_full_inboxes() const noexcept {}
};

/// Owns an operation that was given to MPI.
class RawOwner {
 public:
  RawOwner() = default;
  RawOwner(const RawOwner&) = delete;
  RawOwner(RawOwner&&) = delete;
  RawOwner& operator=(const RawOwner&) = delete;
  RawOwner& operator=(RawOwner&&) = delete;
  virtual ~RawOwner() = default;

  /// Is called when the operation has ended with `code` of MPI's, under the engine's lock. May end
  /// the owner.
  virtual void end_raw(int code) noexcept = 0;
};

/// Something that advances in steps whenever a thread drives it.
class Driven {
 public:
  Driven() = default;
  Driven(const Driven&) = delete;
  Driven(Driven&&) = delete;
  Driven& operator=(const Driven&) = delete;
  Driven& operator=(Driven&&) = delete;
  virtual ~Driven() = default;

  /// Advances as far as possible without waiting. Returns true if anything moved. Any thread that
  /// holds a pin.
  virtual bool advance() = 0;
  virtual bool is_over() const noexcept = 0;
  /// Keeps the object from being reused.
  virtual void pin() noexcept = 0;
  virtual void unpin() noexcept = 0;
};

/// Drives the traffic between processes: one thread at a time, on behalf of all.
class Engine {
 public:
  void attach(const std::shared_ptr<Traffic>& traffic);
  /// Is called from the traffic's destructor.
  void detach(const Traffic& traffic) noexcept;
  /// Ends all MPI calls of the engine.
  void shut_down();

  /// Adds a raw operation that was not complete at once; `owner` is notified when it completes.
  /// `traffic` keeps objects of the owner alive; `peer` is rung as long as the operation may need
  /// it.
  void add(MPI_Request raw, RawOwner& owner, std::shared_ptr<Traffic> traffic, int peer);

  /// Advances `driven` with everything else until it is over. Takes over a pin.
  void watch(Driven& driven);
  /// Advances all driven objects, each as far as possible now. The caller must not hold the
  /// engine's lock.
  void advance_driven();

  enum class Asking { always, now_and_then };
  /// Tests pending operations and takes in arrived messages, unless another thread is doing so;
  /// then advances driven objects. With `now_and_then`, MPI is polled only sometimes if nothing is
  /// expected from it.
  void progress(Asking asking = Asking::now_and_then);
  /// Called at the beginning of every function, since a function may end without driving what
  /// others need. Drives the communication in one of many calls of a thread, so that a thread that
  /// only makes such calls still serves others. Keeps an error for the next progress().
  void look_now_and_then() noexcept;
  /// Does what progress() does, after the thread that is at it.
  void progress_for_sure();
  /// Rings the processes that pending operations need.
  void ring_peers_of_pending();

  /// Counts further sends that wait for room in shared memory.
  void note_queued(int more) noexcept;
  /// Drives the traffic until no send waits for room.
  void send_queued();

  bool has_traffic() const noexcept { return traffic_count_.load(std::memory_order_relaxed) > 0; }
  bool has_pending() const noexcept {
    return pending_.load(std::memory_order_relaxed) > 0 ||
           queued_.load(std::memory_order_relaxed) > 0;
  }
  bool has_peers_off_node() const noexcept {
    return off_node_count_.load(std::memory_order_relaxed) > 0;
  }
  /// Returns the number of completions and arrivals so far.
  std::uint64_t events() const noexcept { return events_.load(std::memory_order_relaxed); }

 private:
  struct RawOperation {
    MPI_Request raw;
    RawOwner* owner;
    std::shared_ptr<Traffic> traffic;
    int peer;
  };

  void drive(int most_each, std::size_t most_tests, Asking asking);
  void test_pending(std::size_t most);
  void drain(Traffic& traffic, int most, bool asks_raw);
  Driven* pin_driven(std::size_t index);
  void forget(Driven& driven);
  void look() noexcept;
  void throw_kept();

  std::atomic<int> traffic_count_{0};
  std::atomic<int> peer_count_{0};  // number of wires with peers
  std::atomic<int> off_node_count_{0};
  std::atomic<int> pending_{0};
  std::atomic<int> queued_{0};  // number of messages queued outside MPI
  std::atomic<std::uint64_t> events_{0};

  std::mutex mutex_;  // guards probing and queueing, and the members below
  std::vector<std::weak_ptr<Traffic>> traffic_;
  std::vector<RawOperation> operations_;

  std::mutex intake_mutex_;
  std::vector<RawOperation> intake_;
  std::uint32_t looks_ = 0;      // under mutex_
  std::uint32_t next_test_ = 0;  // index of the next operation to test; under mutex_

  std::atomic<bool> has_kept_{false};
  std::mutex kept_mutex_;
  int kept_code_ = 0;  // code of an error that no waiting thread has received
  std::string kept_text_;

  std::atomic<int> driven_count_{0};
  std::mutex driven_mutex_;
  std::vector<Driven*> driven_;
};

}  // namespace ep
