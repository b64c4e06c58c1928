#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "files/file_access.hpp"
#include "schedules/operation.hpp"

namespace ep {

/// The state of a collective access in one process, which sends segments to the processes that move
/// them. The methods are the steps, in order; the transfers that a step appends to the schedule
/// happen before the next step. Steps from tell_sizes() to unpack() run in rounds, each for the
/// next portion of all domains, which limits the memory for messages.
class FileExchange {
 public:
  explicit FileExchange(Operation& operation);

  /// Exchanges the range of the file that each process requests, and whether an endpoint has
  /// failed.
  void tell_ranges(Schedule& out);
  /// True if no endpoint has a problem.
  bool all_well() const;
  /// Begins a round, and sends the others the amounts that this process requests from them in it.
  void tell_sizes(Schedule& out);
  /// True if another round follows.
  bool has_more_rounds() const noexcept { return round_ + 1 < round_count_; }
  /// True if processes exchange segments.
  bool has_peers() const noexcept { return !peers_.empty(); }
  int peer_count() const noexcept { return static_cast<int>(peers_.size()); }
  /// Writes the message for one peer. Several threads at a time, one per peer.
  void pack(int peer);
  void exchange(Schedule& out);
  /// Divides this process's domain into chunks.
  void divide();
  int chunk_count() const noexcept { return chunk_count_; }
  std::int64_t domain_bytes() const noexcept { return domain_.end - domain_.begin; }
  /// Moves one chunk. Several threads at a time.
  void move_chunk(int chunk);
  /// Sends the numbers of bytes done and the data that was read; after the last round, also the
  /// problems.
  void answer(Schedule& out);
  /// Processes the answer of one peer. One thread at a time per peer.
  void unpack(int peer);
  /// Fills in the result of each access of this process, and tells the operation of a problem.
  void conclude();

 private:
  struct Range {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    bool meets(const Range& other) const { return begin < other.end && other.begin < end; }
    Range within(const Range& other) const;
  };
  /// The first message of a process.
  struct Announcement {
    Range range;
    std::int64_t round_bytes = 0;
    std::int32_t has_problem = 0;
    std::int32_t direction = 0;
  };
  /// A segment that this process asks another one to move.
  struct Request {
    std::int64_t offset;
    std::int64_t length;
    std::int32_t rank;
    std::int32_t slot;
  };
  /// Another process with which this one exchanges segments. A message consists of requests,
  /// followed by the data of a write. The answer says how many bytes of each request were done,
  /// followed by the data of a read.
  struct Peer {
    int process = 0;
    std::vector<Request> asked;         // requests of this process
    std::vector<std::byte*> memory;     // memory of these requests
    std::array<std::int64_t, 2> out{};  // numbers of requests and of data bytes
    std::array<std::int64_t, 2> in{};
    std::vector<std::byte> message_out;
    std::vector<std::byte> message_in;
    std::vector<std::byte> answer_out;
    std::vector<std::byte> answer_in;
  };
  /// A task, and the counter of the bytes that are done.
  struct Assignment {
    FileTask task;
    std::int64_t* done = nullptr;
  };
  struct Outcome {
    std::int64_t place = 0;  // lowest rank (arguments) or file offset (moves) wins
    int code = EP_SUCCESS;
    std::array<char, 504> text{};
  };

  FileAccess& access(int slot) const;
  std::int64_t bytes_answered(const std::array<std::int64_t, 2>& counts) const;
  void divide_range();
  void find_peers(const std::vector<Range>& domains);
  void ask(Peer& peer, const Range& domain);
  std::span<const Request> requests_of(const Peer& peer) const;
  void add_segments(int slot, const Range& chunk, std::vector<Assignment>& out);
  void add_requests(Peer& peer, const Range& chunk, std::vector<Assignment>& out);
  void move_assignments(std::span<Assignment> assignments, const Range& chunk);
  void note(std::int64_t place, const Problem& problem);

  Operation& operation_;
  Direction direction_;
  std::vector<Announcement> announcements_;
  std::vector<std::int64_t> announcement_offsets_;
  std::vector<Range> domains_;  // by process
  std::int64_t round_bytes_ = 0;
  std::int64_t round_ = -1;
  std::int64_t round_count_ = 0;
  // The following members belong to the current round.
  std::vector<Peer> peers_;
  Range domain_;
  std::int64_t chunk_bytes_ = 0;
  int chunk_count_ = 0;
  std::vector<std::int64_t> done_;  // by slot
  std::mutex mutex_;
  Outcome outcome_;  // outcome of this process; guarded by the mutex
  std::vector<Outcome> outcomes_;
  std::vector<std::int64_t> outcome_offsets_;
};

}  // namespace ep
