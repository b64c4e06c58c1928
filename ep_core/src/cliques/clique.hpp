#pragma once

#include <ep/ep.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "cliques/errhandler.hpp"
#include "cliques/intercomm_owner.hpp"
#include "cliques/mailbox.hpp"
#include "cliques/rank_table.hpp"
#include "cliques/tag_layout.hpp"
#include "process/extensions.hpp"
#include "progress/waiting.hpp"

namespace ep {

class Wire;

/// One endpoint of a communicator in this process.
struct Slot : WaitPoint {
  Mailbox mailbox;
  ErrorHandling errors;
};

/// A process of a communicator. `context` is the number under which that process knows the
/// communicator on the wire: the receiver chooses it, so no agreement is needed.
struct ProcessRef {
  int world_rank;
  int wire_rank;
  std::uint32_t context;
};

/// The state of one communicator in one process, shared by its endpoints there: ranks, mailboxes,
/// and the wire to other processes. An intercommunicator has two groups that may share processes;
/// its slots are numbered over both, its processes are the union.
class Clique {
 public:
  /// Makes a clique of `slots` endpoints and registers it with the wire (if any) at once, so that
  /// early messages find it; they wait until activate().
  static std::shared_ptr<Clique> make(std::shared_ptr<Wire> wire, int slots);

  /// For make() only.
  Clique(std::shared_ptr<Wire> wire, int slots);
  Clique(const Clique&) = delete;
  Clique(Clique&&) = delete;
  Clique& operator=(const Clique&) = delete;
  Clique& operator=(Clique&&) = delete;
  ~Clique();

  struct Layout {
    std::vector<ProcessRef> processes;  ///< sorted by wire rank
    int my_process = 0;
    int largest_clique = 1;
    bool inter = false;
    std::array<RankTable, 2> groups;  ///< [0] only, for intracommunicators
    std::vector<Owner> owners;        ///< by process, for intercommunicators
  };
  /// Sets the layout and delivers early messages, in order. Only the first call has an effect.
  void activate(Layout layout);
  bool is_active() const noexcept { return active_.load(std::memory_order_acquire); }
  /// Runs `deliver` now, or after activation, in the order of calls.
  void when_active(std::function<void()> deliver);

  const Layout& layout() const noexcept { return layout_; }
  int process_count() const noexcept { return static_cast<int>(layout_.processes.size()); }
  int my_process() const noexcept { return layout_.my_process; }
  bool is_inter() const noexcept { return layout_.inter; }
  /// Returns the first process on this process's node.
  int first_on_node() const noexcept;
  /// True if this process can share memory with all others, of both groups.
  bool is_on_one_node() const noexcept;
  const ProcessRef& process(int index) const {
    return layout_.processes[static_cast<std::size_t>(index)];
  }
  /// Returns which side carries a process of an intercommunicator.
  Owner owner(int process) const { return layout_.owners[static_cast<std::size_t>(process)]; }
  /// Returns the index of the process with this rank on the wire, -1 if it takes no part.
  int process_of_wire_rank(int wire_rank) const noexcept;

  /// Return the groups of a side, which is 0 or 1 for intercommunicators and 0 otherwise.
  const RankTable& local_group(int side) const { return layout_.groups[local_index(side)]; }
  const RankTable& remote_group(int side) const { return layout_.groups[remote_index(side)]; }
  /// Returns the rank of a sender in its group, seen from a receiver of the other (or only) side.
  int rank_of_sender(const Place& sender) const;
  const TagLayout& tags() const noexcept { return tags_; }

  int slot_count() const noexcept { return slot_count_; }
  Slot& slot(int index) { return slots_[static_cast<std::size_t>(index)]; }
  /// Returns the mailbox of messages between processes rather than endpoints (schedules of
  /// collectives).
  Slot& process_slot() { return slots_[static_cast<std::size_t>(slot_count_)]; }
  /// Returns the state that rooms above attach to this clique.
  Extensions& extensions() const noexcept { return extensions_; }

  const std::shared_ptr<Wire>& wire() const noexcept { return wire_; }
  std::uint32_t context() const noexcept { return context_; }

  /// True if messages carry type signatures; the same at all endpoints of the communicator here.
  std::atomic<bool> checks_types{false};

 private:
  std::size_t local_index(int side) const { return static_cast<std::size_t>(side); }
  std::size_t remote_index(int side) const {
    return static_cast<std::size_t>(layout_.inter ? 1 - side : 0);
  }

  std::shared_ptr<Wire> wire_;
  std::uint32_t context_ = 0;
  int slot_count_;
  std::unique_ptr<Slot[]> slots_;
  Layout layout_;
  TagLayout tags_;
  std::atomic<bool> active_{false};
  std::mutex early_mutex_;
  std::deque<std::function<void()>> early_;
  mutable Extensions extensions_;
};

}  // namespace ep
