#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "datatypes/datatype.hpp"

struct ep_request;

namespace ep {

class Clique;

/// The processes that take part in a schedule: index i stands for a process of the communicator.
struct Participants {
  int count = 0;
  int me = 0;                    ///< index of the calling process
  const int* members = nullptr;  ///< processes by index; null: index = process
  int shift = 0;                 ///< index 0 stands for entry `shift` of `members`

  int process(int index) const {
    const int i = index + shift < count ? index + shift : index + shift - count;
    return members != nullptr ? members[i] : i;
  }
  int ahead(int distance) const { return process((me + distance) % count); }
  int behind(int distance) const { return process((me - distance % count + count) % count); }
};

/// Returns the same participants, renumbered so that index 0 is the one with index `first` in
/// `all`, which has no shift.
inline Participants counted_from(const Participants& all, int first) {
  return {all.count, (all.me - first + all.count) % all.count, all.members, first};
}

/// The stage of a collective between processes, as rounds. The transfers of a round start together,
/// and the next round begins when all of them are complete. A schedule contains no timing: any test
/// or wait may advance it. Clearing it keeps its memory.
class Schedule {
 public:
  struct Step {
    enum class Kind { receive, send, round };
    Kind kind;
    int process;
    TypedView view;
  };

  void clear() noexcept { steps_.clear(); }
  bool empty() const noexcept { return steps_.empty(); }

  /// Begins a new round, to which the following steps belong.
  void next_round();
  void send(int process, const TypedView& view);
  void receive(int process, const TypedView& view);
  /// Append transfers of any number of bytes. MPI counts to 2^31 - 1, so both ends cut them alike.
  void send_bytes(int process, const void* bytes, std::int64_t size);
  void receive_bytes(int process, void* bytes, std::int64_t size);

  std::span<const Step> steps() const noexcept { return steps_; }

 private:
  void add_bytes(Step::Kind kind, int process, const void* bytes, std::int64_t size);

  std::vector<Step> steps_;
};

/// A schedule in execution, on behalf of one process of a communicator.
class ScheduleRun {
 public:
  ScheduleRun() = default;
  ScheduleRun(const ScheduleRun&) = delete;
  ScheduleRun(ScheduleRun&&) = delete;
  ScheduleRun& operator=(const ScheduleRun&) = delete;
  ScheduleRun& operator=(ScheduleRun&&) = delete;
  /// Does not wait: pending transfers belong to the thread that completes them.
  ~ScheduleRun() = default;

  /// Begins with the first round. `tag` distinguishes concurrent operations of the communicator;
  /// `what` names the operation in wait reports.
  void begin(int tag, const char* what) noexcept;
  /// Records an error that is known already, if `error` is one. From then on peers receive the
  /// error instead of data.
  void lose(int error) noexcept { loss_ = loss_ != 0 ? loss_ : error; }

  /// Advances as far as possible without waiting; returns true when the schedule has ended. A
  /// failed transfer, also one of an unexpected size, does not end the run, since peers wait for
  /// the other transfers; they receive the error instead of data, so that no process uses invalid
  /// data.
  bool advance(const Schedule& schedule, const std::shared_ptr<Clique>& clique);
  /// Returns the processes that the current round still needs. Called by the thread that advances
  /// it.
  std::vector<int> awaited_processes() const;
  /// Drops pending sends and cancels pending receives.
  void withdraw();

  /// Returns the number of rounds begun since construction; callers compare two values to detect
  /// progress.
  std::uint64_t rounds_begun() const noexcept { return rounds_begun_; }
  /// Returns EP_SUCCESS or the error of the first transfer that failed.
  int error() const noexcept { return error_; }
  const std::string& error_text() const noexcept { return error_text_; }

 private:
  void start_round(std::span<const Schedule::Step> steps, const std::shared_ptr<Clique>& clique);
  void start(const Schedule::Step& step, const std::shared_ptr<Clique>& clique);
  bool round_is_complete() noexcept;
  void end_round();
  void note(const ep_request& request);

  int tag_ = 0;
  const char* what_ = "";
  std::size_t position_ = 0;
  std::size_t round_end_ = 0;
  bool started_ = false;
  std::vector<ep_request*> in_flight_;
  std::size_t done_ = 0;  // number of completed requests, counted from the first
  std::uint64_t rounds_begun_ = 0;
  int error_ = 0;
  std::string error_text_;
  int loss_ = 0;  ///< error that peers receive instead of data
};

/// One block of bytes per participant.
struct ByteBlocks {
  std::byte* base;
  const std::int64_t* offsets;  ///< count + 1 offsets; block i ends where block i + 1 begins

  std::byte* block(int i) const { return base + offsets[i]; }
  std::int64_t size(int first, int count) const { return offsets[first + count] - offsets[first]; }
};

/// Returns the offset of slice i when `size` bytes are divided among `count` participants; slices
/// are whole cache lines.
std::int64_t slice_begin(std::int64_t size, int count, int i);

// The schedules. Each function appends the transfers of the calling participant.

/// Appends a dissemination barrier: ceil(log2(count)) rounds. Hensgen, Finkel, Manber 1988.
void dissemination_barrier(Schedule& out, const Participants& all);
/// Appends a broadcast along a binomial tree from `root` (an index); `view` is the source there and
/// the destination elsewhere.
void binomial_bcast(Schedule& out, const Participants& all, int root, const TypedView& view);
/// Appends van de Geijn's broadcast: slices go to all participants along a binomial tree, then
/// around a ring. Each byte passes a process twice, for any number of processes.
void scatter_ring_bcast(Schedule& out, const Participants& all, int root, std::byte* bytes,
                        std::int64_t size);
/// Appends the same broadcast with few rounds: bruck_allgather() collects the slices, one per
/// participant counted from the root.
void scatter_doubling_bcast(Schedule& out, const Participants& from_root, const ByteBlocks& slices);
/// Appends a broadcast along a chain of participants, in `segments` segments that follow each
/// other.
void pipelined_bcast(Schedule& out, const Participants& from_root, std::byte* bytes,
                     std::int64_t size, int segments);
/// Appends a gather of all blocks at participant 0 along a binomial tree. Participant i needs
/// memory for the blocks i to i + subtree_size(i).
void binomial_gather(Schedule& out, const Participants& from_root, const ByteBlocks& blocks);
/// Appends a scatter of the blocks of participant 0 along the same tree.
void binomial_scatter(Schedule& out, const Participants& from_root, const ByteBlocks& blocks);
/// Returns the number of participants in the subtree of `index`, itself included, in a binomial
/// tree with root 0.
int subtree_size(int count, int index);
/// Appends a ring allgather: block i moves from i to all others in count - 1 rounds; blocks[me]
/// must be filled.
void ring_allgather(Schedule& out, const Participants& all, std::span<const TypedView> blocks);
/// Appends a ring allgather for blocks of bytes at arbitrary addresses.
void ring_allgather(Schedule& out, const Participants& all, std::span<std::byte* const> blocks,
                    const std::int64_t* offsets);
/// Appends an allgather by recursive doubling: log2(count) rounds of one message each; count must
/// be a power of two.
void doubling_allgather(Schedule& out, const Participants& all, const ByteBlocks& blocks);
/// Appends an allgather after Bruck 1997, without the rotation: ceil(log2(count)) rounds of runs of
/// blocks.
void bruck_allgather(Schedule& out, const Participants& all, const ByteBlocks& blocks);

}  // namespace ep
