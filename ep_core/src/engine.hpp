#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace ep {

class Clique;
class Operation;
class Wire;
struct Request;

/// Drives the traffic between processes: one thread at a time, on behalf of all.
class Engine {
 public:
  int world_rank() const noexcept { return world_rank_; }
  void set_world_rank(int rank) noexcept { world_rank_ = rank; }

  void attach(const std::shared_ptr<Wire>& wire);
  /// From the wire's destructor.
  void detach(const Wire& wire) noexcept;
  /// No MPI call of ours after this.
  void shut_down();

  /// A raw operation that was not complete at once: `request` is completed when it is. `peer` (a
  /// rank on the clique's wire) is rung as long as it may be needed.
  void add(MPI_Request raw, Request& request, const std::shared_ptr<Clique>& clique, int peer);

  /// A collective operation to advance with everything else, until it is over. Takes over a pin.
  void watch(Operation& operation);

  /// Tests what is pending and takes in what arrived, unless another thread is at it; then advances
  /// the collective operations that are under way.
  void progress();
  /// The same, after the other thread.
  void progress_for_sure();
  /// Rings the processes that pending operations need.
  void ring_peers_of_pending();

  bool has_wires() const noexcept { return wire_count_.load(std::memory_order_relaxed) > 0; }
  bool has_pending() const noexcept { return pending_.load(std::memory_order_relaxed) > 0; }
  bool has_peers_off_node() const noexcept {
    return off_node_wires_.load(std::memory_order_relaxed) > 0;
  }
  /// Completions and arrivals so far.
  std::uint64_t events() const noexcept { return events_.load(std::memory_order_relaxed); }

 private:
  struct RawOperation {
    MPI_Request raw;
    Request* request;
    std::shared_ptr<Clique> clique;
    int peer;
  };

  void drive(int most_per_wire);
  void test_pending();
  void drain(const std::shared_ptr<Wire>& wire, int most);
  void advance_operations();
  Operation* pin_operation(std::size_t index);
  void forget(Operation& operation);

  std::atomic<int> world_rank_{0};
  std::atomic<int> wire_count_{0};
  std::atomic<int> peer_wires_{0};  // of more than one process
  std::atomic<int> off_node_wires_{0};
  std::atomic<int> pending_{0};
  std::atomic<std::uint64_t> events_{0};

  std::mutex mutex_;  // probing and queueing, and everything below
  std::vector<std::weak_ptr<Wire>> wires_;
  std::vector<RawOperation> operations_;

  std::mutex intake_mutex_;
  std::vector<RawOperation> intake_;

  std::atomic<int> operation_count_{0};
  std::mutex collective_mutex_;
  std::vector<Operation*> collective_;
};

}  // namespace ep
