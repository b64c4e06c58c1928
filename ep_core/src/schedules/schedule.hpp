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
  int shift = 0;                 ///< index 0 is that of `members`, or the process

  int process(int index) const {
    const int i = index + shift < count ? index + shift : index + shift - count;
    return members != nullptr ? members[i] : i;
  }
  int ahead(int distance) const { return process((me + distance) % count); }
  int behind(int distance) const { return process((me - distance % count + count) % count); }
};

/// Returns the same participants, counted from the one with index `first` of those without shift.
inline Participants counted_from(const Participants& all, int first) {
  return {all.count, (all.me - first + all.count) % all.count, all.members, first};
}

/// The stage of a collective between processes, as rounds: the communication of a round is started
/// together, and when all of it is complete the next round begins. A schedule contains no timing:
/// any test or wait may advance it. Keeps its memory when cleared.
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
  /// Add transfers of any number of bytes: MPI counts to 2^31 - 1, so both ends cut them alike.
  void send_bytes(int process, const void* bytes, std::int64_t size);
  void receive_bytes(int process, void* bytes, std::int64_t size);

  std::span<const Step> steps() const noexcept { return steps_; }

 private:
  void add_bytes(Step::Kind kind, int process, const void* bytes, std::int64_t size);

  std::vector<Step> steps_;
};

/// A schedule under way on behalf of one process of a communicator.
class ScheduleRun {
 public:
  ScheduleRun() = default;
  ScheduleRun(const ScheduleRun&) = delete;
  ScheduleRun(ScheduleRun&&) = delete;
  ScheduleRun& operator=(const ScheduleRun&) = delete;
  ScheduleRun& operator=(ScheduleRun&&) = delete;
  /// Leaves what is in flight to whoever completes it.
  ~ScheduleRun() = default;

  /// Begins with the first round. `tag` tells concurrent operations of the communicator apart;
  /// `what` names the wait.
  void begin(int tag, const char* what) noexcept;
  /// Notes an error that is known already, if it is one: from then on peers get it instead of data.
  void lose(int error) noexcept { loss_ = loss_ != 0 ? loss_ : error; }

  /// Advances as far as possible without waiting; returns true when finished. A failed transfer,
  /// also one of an unexpected size, does not end the run, since peers wait for the rest; but they
  /// get the error instead of data, so that nobody takes garbage for data.
  bool advance(const Schedule& schedule, const std::shared_ptr<Clique>& clique);
  /// Returns the processes that the current round still needs. Called by the thread that advances
  /// it.
  std::vector<int> awaited_processes() const;
  /// Forgets what is in flight and takes receives back.
  void withdraw();

  /// Returns the number of rounds begun since construction, which tells whether anything moved.
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
  std::size_t done_ = 0;  // requests found complete, from the first
  std::uint64_t rounds_begun_ = 0;
  int error_ = 0;
  std::string error_text_;
  int loss_ = 0;  ///< what peers get instead of data
};

/// One block of bytes per participant.
struct ByteBlocks {
  std::byte* base;
  const std::int64_t* offsets;  ///< count + 1 of them: block i ends where i + 1 begins

  std::byte* block(int i) const { return base + offsets[i]; }
  std::int64_t size(int first, int count) const { return offsets[first + count] - offsets[first]; }
};

/// Returns where slice i of `size` bytes over `count` participants begins; slices are whole cache
/// lines.
std::int64_t slice_begin(std::int64_t size, int count, int i);

// The schedules. Each appends the part of the calling participant.

/// Dissemination: ceil(log2(count)) rounds. Hensgen, Finkel, Manber 1988.
void dissemination_barrier(Schedule& out, const Participants& all);
/// Binomial tree from `root` (an index); `view` is the source there and the target elsewhere.
void binomial_bcast(Schedule& out, const Participants& all, int root, const TypedView& view);
/// Van de Geijn: slices go to everyone along a binomial tree, then around a ring: each byte passes
/// a process twice, however many processes there are.
void scatter_ring_bcast(Schedule& out, const Participants& all, int root, std::byte* bytes,
                        std::int64_t size);
/// Does the same in few rounds: slices, one per participant from the root on, are collected as by
/// bruck_allgather().
void scatter_doubling_bcast(Schedule& out, const Participants& from_root, const ByteBlocks& slices);
/// Chain of participants, along which `segments` segments follow each other.
void pipelined_bcast(Schedule& out, const Participants& from_root, std::byte* bytes,
                     std::int64_t size, int segments);
/// Collects the blocks of all at participant 0, along a binomial tree. Participant i needs memory
/// for those from i to i + subtree_size(i).
void binomial_gather(Schedule& out, const Participants& from_root, const ByteBlocks& blocks);
/// Distributes the blocks of participant 0 along the same tree.
void binomial_scatter(Schedule& out, const Participants& from_root, const ByteBlocks& blocks);
/// Returns how many participants, itself included, hang below one in a binomial tree from
/// participant 0.
int subtree_size(int count, int index);
/// Ring: block i goes from i to everyone, in count - 1 rounds; blocks[me] is filled in already.
void ring_allgather(Schedule& out, const Participants& all, std::span<const TypedView> blocks);
/// Does the same for blocks of bytes, each anywhere.
void ring_allgather(Schedule& out, const Participants& all, std::span<std::byte* const> blocks,
                    const std::int64_t* offsets);
/// Recursive doubling: log2(count) rounds, one message each; count is a power of two.
void doubling_allgather(Schedule& out, const Participants& all, const ByteBlocks& blocks);
/// Bruck 1997, without the rotation: ceil(log2(count)) rounds, runs of blocks.
void bruck_allgather(Schedule& out, const Participants& all, const ByteBlocks& blocks);

}  // namespace ep
