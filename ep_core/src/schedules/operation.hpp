#pragma once

#include <ep/ep.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "datatypes/datatype.hpp"
#include "datatypes/scratch.hpp"
#include "progress/engine.hpp"
#include "progress/waiting.hpp"
#include "schedules/algorithm_choice.hpp"
#include "schedules/schedule.hpp"
#include "schedules/stage_items.hpp"
#include "schedules/step_turn.hpp"

namespace ep {

class Clique;
class CollectiveRendezvous;
class Operation;
class RankTable;
struct CallFacts;
struct Endpoint;
struct Member;
struct Request;

/// True if a buffer is EP_IN_PLACE.
inline bool is_in_place(const void* data) {
  return data == EP_IN_PLACE;  // NOLINT(performance-no-int-to-ptr): MPI's way to say so
}

/// Counts or displacements in an array of the caller's, of int or of MPI's wide integers.
class Numbers {
 public:
  Numbers() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): arguments of the C functions come as they are
  Numbers(const int* numbers) : narrow_(numbers) {}
  template <class Wide>
  requires(std::is_same_v<Wide, MPI_Aint> || std::is_same_v<Wide, MPI_Count>)
      // NOLINTNEXTLINE(google-explicit-constructor)
      Numbers(const Wide* numbers)
      : wide_(reinterpret_cast<const std::int64_t*>(numbers)) {
    static_assert(sizeof(Wide) == sizeof(std::int64_t));
  }

  explicit operator bool() const noexcept { return narrow_ != nullptr || wide_ != nullptr; }
  std::int64_t operator[](std::size_t i) const {
    return narrow_ != nullptr ? std::int64_t{narrow_[i]} : wide_[i];
  }
  bool operator==(const Numbers&) const = default;

 private:
  const int* narrow_ = nullptr;
  const std::int64_t* wide_ = nullptr;
};

/// The blocks of a buffer, one per rank or neighbour, in any form in which MPI describes them.
struct Blocks {
  void* base = nullptr;
  std::int64_t uniform = 0;  ///< elements per block, unless `counts` is set
  Numbers counts;
  Numbers displacements;  ///< in extents of the datatype; in bytes if `types` is set
  MPI_Datatype type = MPI_BYTE;
  const MPI_Datatype* types = nullptr;  ///< datatype of each block
  bool irregular = false;               ///< true if arrays describe the blocks, also null ones

  std::int64_t count(std::size_t index) const { return counts ? counts[index] : uniform; }
  TypedView block(int index) const;
  std::int64_t bytes(int index) const { return block(index).bytes(); }
};

/// The ranks at the other ends of one endpoint's blocks: block i belongs to rank(i).
struct Ends {
  int count = 0;
  int first = 0;
  const int* ranks = nullptr;  ///< EP_PROC_NULL stands for no rank
  int skipped = -1;            ///< a rank whose block is in place already
  bool one_block = false;      ///< all ranks have the same block 0
  bool by_direction = false;   ///< for grids: data sent by end i arrives at end i ^ 1

  int rank(int i) const { return ranks != nullptr ? ranks[i] : first + i; }
  int block(int i) const { return one_block ? 0 : i; }
};

/// The implementation of one kind of collective, after all endpoints of the process have arrived.
/// It consists of stages; each stage has work items, which any threads may run, and then a schedule
/// between processes. The operation holds the state; a recipe has none.
class Recipe {
 public:
  struct Stage {
    int items = 0;
    bool heavy = false;               ///< worth waking siblings for
    bool communicates_first = false;  ///< the schedule does not need the items
    bool over = false;                ///< nothing left to do
  };

  Recipe() = default;
  Recipe(const Recipe&) = delete;
  Recipe(Recipe&&) = delete;
  Recipe& operator=(const Recipe&) = delete;
  Recipe& operator=(Recipe&&) = delete;
  virtual ~Recipe() = default;

  /// Prepares stage 1, 2, … and writes its schedule. Called once, by one thread.
  virtual Stage begin(Operation& operation, int stage) const = 0;
  /// Runs work item `item` of the stage. Several threads at a time.
  virtual void run_item(Operation& operation, int stage, int item) const;
};

/// The arguments of one endpoint's call.
struct Call {
  const Recipe* recipe = nullptr;
  const char* what = "";
  Blocks send;
  Blocks receive;
  Ends out;
  Ends in;
  int root = 0;
  bool regular = false;  ///< all blocks have one size, which every rank knows
  MPI_Op op = MPI_OP_NULL;
  void* more = nullptr;  ///< the recipe's own
};

inline Call call_of(const Recipe& recipe, const char* what, void* more = nullptr) {
  Call call;
  call.recipe = &recipe;
  call.what = what;
  call.more = more;
  return call;
}

/// The contribution of one endpoint to an operation. Other endpoints of the process may read it
/// from its arrival until the operation is over.
struct Contribution {
  Call call;
  int side = 0;
  int rank = 0;
  std::atomic<bool> has_come{false};
  Request* request = nullptr;            ///< request of a non-blocking call
  std::vector<MPI_Datatype> send_types;  ///< duplicates of the types of a non-blocking call
  std::vector<MPI_Datatype> receive_types;
  std::chrono::steady_clock::time_point begin;  ///< begin of a non-blocking call with a listener
  std::shared_ptr<const void> topology;  ///< keeps the topology whose neighbours `call` points to
  int error = EP_SUCCESS;
  std::string error_text;
};

/// One collective operation of a communicator in this process. Endpoints arrive without waiting.
/// After the last arrival any thread that waits or tests may drive it; all leave when it is over.
///
/// Its phases, which only step() and give_up() change:
///
///     arrivals --the last arrive()--> begin <------------------------------------+
///                                       | begin_stage(): Recipe::begin()         |
///                                       |   returns that nothing is left         |
///                                       +---------> over: finish()               |
///                                       |   returns items and a schedule         |
///                                       v                                        |
///                                     items: any thread, run_items()             |
///                                       | none left                              |
///                                       v                                        |
///                                     transfers: run_.advance() --complete-------+ end_transfers()
///                                       | give_up()
///                                       +---------> over: finish()
///
/// begin_stage() runs light items at once. Any number of threads may be in advance(), and each runs
/// items (StageItems), but only the one that has the turn takes steps (StepTurn):
///
///     1. run_items()
///     2. turn_: step(), as often as a thread leaves word
///     3. run_items(); if there were items, again from 1.
class Operation final : public Driven, public Awaited {
 public:
  Operation(CollectiveRendezvous& rendezvous, int slots);
  Operation(const Operation&) = delete;
  Operation(Operation&&) = delete;
  Operation& operator=(const Operation&) = delete;
  Operation& operator=(Operation&&) = delete;
  ~Operation() override = default;

  bool advance() override;
  /// May be called when the operation is over and serves another call, since a request does not
  /// know that.
  std::string missing() override;
  std::vector<std::string> absent() override;
  bool is_over() const noexcept override { return over_.load(std::memory_order_seq_cst); }
  void pin() noexcept override { users_.fetch_add(1, std::memory_order_relaxed); }
  void unpin() noexcept override;

  // For recipes.
  Clique& clique() const noexcept { return *clique_; }
  const char* what() const noexcept { return contributions_.front().call.what; }
  int slot_count() const noexcept { return static_cast<int>(contributions_.size()); }
  Contribution& contribution(int slot) { return contributions_[static_cast<std::size_t>(slot)]; }
  Call& call(int slot) { return contribution(slot).call; }
  /// Returns the group to which an endpoint of `side` sends.
  const RankTable& opposite_group(int side) const;
  Participants all_processes() const noexcept;
  Schedule& schedule() noexcept { return schedule_; }
  Scratch& scratch() noexcept { return scratch_; }
  /// Returns the algorithm for the transfers between processes, as ep::choose() chooses it.
  Algorithm choose(Collective collective, const Shape& shape, std::int64_t bytes,
                   AlgorithmSet usable);
  /// Returns the state that the recipe made with make_state().
  template <class T>
  T& state() {
    return *static_cast<T*>(state_);
  }
  template <class T>
  T& make_state() {
    T& made = scratch_.take_one<T>();
    state_ = &made;
    return made;
  }
  /// Keeps an object alive until the operation is over.
  void keep(std::shared_ptr<void> kept) { kept_ = std::move(kept); }
  /// Records an error of one endpoint of this process; only the first one counts.
  void fail_slot(int slot, int code, const std::string& text);
  /// Records an error of all endpoints of this process. From then on nothing is computed or copied,
  /// and other processes receive the error instead of data. Schedules are still built, since other
  /// processes wait for their messages.
  void fail_all(int code, const std::string& text);
  bool is_spoiled() const noexcept { return spoiled_.load(std::memory_order_acquire) != 0; }

 private:
  friend class CollectiveRendezvous;
  /// Runs one collective operation from beginning to end.
  friend void run(Endpoint& endpoint, const Call& call);
  friend void wait_until_over(Endpoint& endpoint, Operation& operation, const char* what);
  /// Begins an operation. Types may be freed at once; arrays and buffers must stay. The request
  /// keeps `kept` alive.
  friend EP_Request start(Endpoint& endpoint, const Call& call, std::shared_ptr<void> kept);
  friend class PersistentCollective;

  enum class Phase { arrivals, begin, items, transfers, over };

  void arrive(const Member& member, const Call& call, Request* request);
  void check_same_call();
  bool pin_if_used() noexcept;
  std::vector<int> late_siblings();
  std::vector<int> late_processes();
  std::string name_of_process(int process) const;
  bool step();
  void begin_stage();
  bool run_items();
  void run_item(int stage, int item) noexcept;
  void notify_endpoints();
  void end_transfers();
  void finish();
  void tell_listeners() noexcept;
  std::int64_t bytes_of(const Contribution& c) const;
  CallFacts facts(int slot) const;
  bool give_up(int code, const std::string& text);
  template <class Work>
  void attempt(Work&& work) noexcept;
  void let_others_help();

  CollectiveRendezvous& rendezvous_;
  std::uint64_t number_ = 0;
  std::shared_ptr<Clique> clique_;
  std::vector<Contribution> contributions_;
  std::atomic<int> users_{0};
  alignas(64) std::atomic<int> arrived_{0};
  std::atomic<bool> over_{false};
  std::atomic<bool> heard_{false};  ///< true if someone listens to an endpoint

  alignas(64) StepTurn turn_;
  Phase phase_ = Phase::arrivals;
  int stage_ = 0;
  bool watched_ = false;
  Recipe::Stage now_;
  std::optional<Algorithm> algorithm_;
  Schedule schedule_;
  ScheduleRun run_;
  Scratch scratch_;
  void* state_ = nullptr;
  std::shared_ptr<void> kept_;

  alignas(64) StageItems items_;

  std::mutex error_mutex_;
  std::atomic<int> spoiled_{0};  // error of all endpoints
};

/// One collective operation from beginning to end.
void run(Endpoint& endpoint, const Call& call);
/// Begins a collective operation. Types may be freed at once; arrays and buffers must stay. The
/// request keeps `kept` alive.
EP_Request start(Endpoint& endpoint, const Call& call, std::shared_ptr<void> kept = nullptr);

}  // namespace ep
