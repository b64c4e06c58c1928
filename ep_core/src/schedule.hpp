#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "datatype.hpp"

struct ep_request;

namespace ep {

class Clique;

/// Who takes part in a schedule: index i stands for a process of the communicator.
struct Participants {
  int count = 0;
  int me = 0;                    ///< index of the calling process
  const int* members = nullptr;  ///< processes by index; null: index = process

  int process(int index) const { return members != nullptr ? members[index] : index; }
  int ahead(int distance) const { return process((me + distance) % count); }
  int behind(int distance) const { return process((me - distance % count + count) % count); }
};

/// A collective's stage between processes, as rounds: the communication of a round is started
/// together, and when all of it is complete the next round begins. Says nothing of when: any test
/// or wait may advance it. Keeps its memory when cleared.
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

  /// Following steps belong to a new round.
  void next_round();
  void send(int process, const TypedView& view);
  void receive(int process, const TypedView& view);
  /// The same for any number of bytes: MPI counts to 2^31 - 1, so both ends cut alike.
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
  /// What is in flight stays with whoever completes it.
  ~ScheduleRun() = default;

  /// From the first round. `tag` tells concurrent operations of the communicator apart; `what`
  /// names the wait.
  void begin(int tag, const char* what) noexcept;

  /// Goes on as far as possible without waiting; true when finished. A failed transfer does not end
  /// it, since peers wait for the rest.
  bool advance(const Schedule& schedule, const std::shared_ptr<Clique>& clique);
  /// Forgets what is in flight, receives taken back.
  void withdraw();

  /// Rounds begun since the construction: whether somebody moved anything.
  std::uint64_t rounds_begun() const noexcept { return rounds_begun_; }
  /// EP_SUCCESS, or that of the first transfer that failed.
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
};

/// A block of bytes per participant.
struct ByteBlocks {
  std::byte* base;
  const std::int64_t* offsets;  ///< count + 1 of them: block i ends where i + 1 begins

  std::byte* block(int i) const { return base + offsets[i]; }
  std::int64_t size(int first, int count) const { return offsets[first + count] - offsets[first]; }
};

// The schedules. Each appends the part of the calling participant.

/// Dissemination: ceil(log2(count)) rounds. Hensgen, Finkel, Manber 1988.
void dissemination_barrier(Schedule& out, const Participants& all);
/// Binomial tree from `root` (an index); `view` is source there and target elsewhere.
void binomial_bcast(Schedule& out, const Participants& all, int root, const TypedView& view);
/// Van de Geijn: slices to everyone along a binomial tree, then a ring: each byte goes twice
/// through a process, however many there are.
void scatter_ring_bcast(Schedule& out, const Participants& all, int root, std::byte* bytes,
                        std::int64_t size);
/// Ring: block i goes from i to everyone, in count - 1 rounds; blocks[me] is filled in already.
void ring_allgather(Schedule& out, const Participants& all, std::span<const TypedView> blocks);
/// The same for blocks of bytes, each anywhere.
void ring_allgather(Schedule& out, const Participants& all, std::span<std::byte* const> blocks,
                    const std::int64_t* offsets);
/// Bruck 1997, without the rotation: ceil(log2(count)) rounds, runs of blocks.
void bruck_allgather(Schedule& out, const Participants& all, const ByteBlocks& blocks);

// The choice of a schedule is apart from the schedules. It may depend only on what all participants
// know.

/// Whether a broadcast of so many bytes goes by slices.
bool bcast_by_slices(const Participants& all, std::int64_t bytes);
/// Whether an allgather of so many bytes in all has few rounds rather than few copies.
bool allgather_by_doubling(const Participants& all, std::int64_t bytes);
/// Whether everybody sends to everybody at once, rather than one after the other.
bool exchange_at_once(const Participants& all, std::int64_t bytes);
/// Whether an allreduce exchanges the operands themselves, rather than slices to reduce.
bool allreduce_by_operands(const Participants& all, std::int64_t bytes);

}  // namespace ep
