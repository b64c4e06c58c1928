// The exchange of a collective access, step by step: ranges and domains are agreed on, then rounds
// move segments to the processes that own their domains, which read or write in chunks; answers go
// back. In order: ranges and domains, requests and messages, moving, answers and outcome.
#include "files/file_exchange.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "cliques/clique.hpp"
#include "cliques/rank_table.hpp"
#include "messages/request.hpp"
#include "recipes/recipes.hpp"

namespace ep {

namespace {

// Domains and chunks begin at multiples of this, so that no two write one page.
constexpr std::int64_t alignment = std::int64_t{64} * 1024;
// A chunk has about so many bytes: what a thread moves before others may help.
constexpr std::int64_t bytes_of_chunk = std::int64_t{4} * 1024 * 1024;

std::int64_t aligned(std::int64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

std::vector<std::int64_t> offsets_of_blocks(std::size_t count, std::size_t size) {
  std::vector<std::int64_t> offsets;
  for (std::size_t i = 0; i <= count; ++i) offsets.push_back(static_cast<std::int64_t>(i * size));
  return offsets;
}

void add_atomically(std::int64_t& sum, std::int64_t value) {
  std::atomic_ref<std::int64_t>(sum).fetch_add(value, std::memory_order_relaxed);
}

}  // namespace

FileExchange::Range FileExchange::Range::within(const Range& other) const {
  const Range both{std::max(begin, other.begin), std::min(end, other.end)};
  return both.begin < both.end ? both : Range{};
}

FileExchange::FileExchange(Operation& operation)
    : operation_(operation),
      direction_(Direction::read),
      done_(static_cast<std::size_t>(operation.slot_count()), 0) {
  direction_ = access(0).direction();
  const auto processes = static_cast<std::size_t>(operation.clique().process_count());
  announcements_.resize(processes);
  announcement_offsets_ = offsets_of_blocks(processes, sizeof(Announcement));
  outcomes_.resize(processes);
  outcome_offsets_ = offsets_of_blocks(processes, sizeof(Outcome));
}

FileAccess& FileExchange::access(int slot) const {
  return *static_cast<FileAccess*>(operation_.call(slot).more);
}

void FileExchange::note(std::int64_t place, const Problem& problem) {
  const std::lock_guard lock(mutex_);
  if (outcome_.code != EP_SUCCESS && outcome_.place <= place) return;
  outcome_.place = place;
  outcome_.code = problem.code;
  outcome_.text[problem.text.copy(outcome_.text.data(), outcome_.text.size() - 1)] = '\0';
}

void FileExchange::tell_ranges(Schedule& out) {
  Announcement mine;
  bool is_first = true;
  for (int slot = 0; slot < operation_.slot_count(); ++slot) {
    const FileAccess& local_access = access(slot);
    if (local_access.problem) note(operation_.contribution(slot).rank, local_access.problem);
    if (local_access.segments.empty()) continue;
    const FileSegment& last = local_access.segments.back();
    const Range range{local_access.segments.front().offset, last.offset + last.length};
    mine.range.begin = is_first ? range.begin : std::min(mine.range.begin, range.begin);
    mine.range.end = std::max(mine.range.end, range.end);
    is_first = false;
  }
  mine.round_bytes = access(0).file().round_bytes;
  mine.has_problem = outcome_.code != EP_SUCCESS ? 1 : 0;
  mine.direction = direction_ == Direction::write ? 1 : 0;
  const Participants all = operation_.all_processes();
  announcements_[static_cast<std::size_t>(all.me)] = mine;
  bruck_allgather(
      out, all,
      {reinterpret_cast<std::byte*>(announcements_.data()), announcement_offsets_.data()});
}

bool FileExchange::all_well() const {
  return std::all_of(announcements_.begin(), announcements_.end(), [this](const Announcement& one) {
    return one.has_problem == 0 && one.direction == announcements_[0].direction;
  });
}

void FileExchange::divide_range() {
  std::vector<Range> ranges;
  round_bytes_ = announcements_.front().round_bytes;
  for (const Announcement& announcement : announcements_) {
    round_bytes_ = std::min(round_bytes_, announcement.round_bytes);
    if (announcement.range.begin < announcement.range.end) ranges.push_back(announcement.range);
  }
  std::sort(ranges.begin(), ranges.end(),
            [](const Range& a, const Range& b) { return a.begin < b.begin; });
  bool is_apart = true;
  std::int64_t end = 0;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    is_apart = is_apart && (i == 0 || ranges[i].begin >= end);
    end = std::max(end, ranges[i].end);
  }
  const auto count = static_cast<std::int64_t>(announcements_.size());
  const std::int64_t begin = ranges.empty() ? 0 : ranges.front().begin;
  const std::int64_t first = begin / alignment * alignment;
  const std::int64_t domain_bytes_each = aligned((end - first + count - 1) / count);
  round_bytes_ = std::max(round_bytes_ / alignment, std::int64_t{1}) * alignment;
  // If each process moves only its own segments, no messages are needed.
  if (is_apart) round_bytes_ = std::numeric_limits<std::int64_t>::max();
  round_count_ = is_apart ? 1 : (domain_bytes_each + round_bytes_ - 1) / round_bytes_;
  for (std::int64_t i = 0; i < count; ++i) {
    const Range& announced = announcements_[static_cast<std::size_t>(i)].range;
    const Range domain{std::max(begin, first + i * domain_bytes_each),
                       std::min(end, first + (i + 1) * domain_bytes_each)};
    domains_.push_back(is_apart ? announced : domain.begin < domain.end ? domain : Range{});
  }
}

void FileExchange::find_peers(const std::vector<Range>& domains) {
  const int me = operation_.clique().my_process();
  domain_ = domains[static_cast<std::size_t>(me)];
  const Range mine = announcements_[static_cast<std::size_t>(me)].range;
  for (std::size_t p = 0; p < domains.size(); ++p) {
    // Both sides reach the same result, so both know if they exchange messages.
    const bool meets = mine.meets(domains[p]) || announcements_[p].range.meets(domain_);
    if (static_cast<int>(p) == me || !meets) continue;
    Peer peer;
    peer.process = static_cast<int>(p);
    ask(peer, domains[p]);
    peers_.push_back(std::move(peer));
  }
}

void FileExchange::ask(Peer& peer, const Range& domain) {
  std::vector<Assignment> assignments;
  for (int slot = 0; slot < operation_.slot_count(); ++slot) {
    assignments.clear();
    add_segments(slot, domain, assignments);
    for (const Assignment& assignment : assignments) {
      peer.asked.push_back(
          {assignment.task.offset, assignment.task.length, assignment.task.rank, slot});
      peer.memory.push_back(assignment.task.memory);
      peer.out[1] += assignment.task.length;
    }
  }
  peer.out[0] = static_cast<std::int64_t>(peer.asked.size());
}

void FileExchange::tell_sizes(Schedule& out) {
  if (++round_ == 0) divide_range();
  std::vector<Range> now = domains_;
  if (round_count_ > 1) {
    for (Range& domain : now) {
      const std::int64_t begin = domain.begin / alignment * alignment + round_ * round_bytes_;
      domain = domain.within({begin, begin + round_bytes_});
    }
  }
  peers_.clear();
  find_peers(now);
  for (Peer& peer : peers_) {
    out.send_bytes(peer.process, peer.out.data(), sizeof peer.out);
    out.receive_bytes(peer.process, peer.in.data(), sizeof peer.in);
  }
}

namespace {

std::int64_t bytes_of_requests(std::int64_t count, std::size_t size) {
  return count * static_cast<std::int64_t>(size);
}

}  // namespace

void FileExchange::pack(int index) {
  Peer& peer = peers_[static_cast<std::size_t>(index)];
  const std::int64_t head = bytes_of_requests(peer.out[0], sizeof(Request));
  const bool has_data = direction_ == Direction::write;
  peer.message_out.resize(static_cast<std::size_t>(head + (has_data ? peer.out[1] : 0)));
  if (head == 0) return;
  std::memcpy(peer.message_out.data(), peer.asked.data(), static_cast<std::size_t>(head));
  if (!has_data) return;
  std::byte* data = peer.message_out.data() + head;
  for (std::size_t i = 0; i < peer.asked.size(); ++i) {
    const auto length = static_cast<std::size_t>(peer.asked[i].length);
    std::memcpy(data, peer.memory[i], length);
    data += length;
  }
}

void FileExchange::exchange(Schedule& out) {
  for (Peer& peer : peers_) {
    const std::int64_t data = direction_ == Direction::write ? peer.in[1] : 0;
    peer.message_in.resize(
        static_cast<std::size_t>(bytes_of_requests(peer.in[0], sizeof(Request)) + data));
    const auto in = static_cast<std::int64_t>(peer.message_in.size());
    const auto away = static_cast<std::int64_t>(peer.message_out.size());
    if (away > 0) out.send_bytes(peer.process, peer.message_out.data(), away);
    if (in > 0) out.receive_bytes(peer.process, peer.message_in.data(), in);
  }
}

std::int64_t FileExchange::bytes_answered(const std::array<std::int64_t, 2>& counts) const {
  return bytes_of_requests(counts[0], sizeof(std::int64_t)) +
         (direction_ == Direction::read ? counts[1] : 0);
}

void FileExchange::divide() {
  for (Peer& peer : peers_) {
    peer.answer_out.resize(static_cast<std::size_t>(bytes_answered(peer.in)));
    peer.answer_in.resize(static_cast<std::size_t>(bytes_answered(peer.out)));
  }
  if (operation_.clique().process_count() == 1) domain_ = announcements_[0].range;
  chunk_bytes_ = std::max(bytes_of_chunk, aligned(domain_bytes() / 4096));
  chunk_count_ = static_cast<int>((domain_bytes() + chunk_bytes_ - 1) / chunk_bytes_);
}

std::span<const FileExchange::Request> FileExchange::requests_of(const Peer& peer) const {
  return {reinterpret_cast<const Request*>(peer.message_in.data()),
          static_cast<std::size_t>(peer.in[0])};
}

// Adds the segments in `chunk`, cut at its ends.
void FileExchange::add_segments(int slot, const Range& chunk, std::vector<Assignment>& out) {
  const std::vector<FileSegment>& segments = access(slot).segments;
  const int rank = operation_.contribution(slot).rank;
  auto next = std::partition_point(
      segments.begin(), segments.end(),
      [&](const FileSegment& segment) { return segment.offset + segment.length <= chunk.begin; });
  for (; next != segments.end() && next->offset < chunk.end; ++next) {
    const Range cut = Range{next->offset, next->offset + next->length}.within(chunk);
    FileTask task;
    task.offset = cut.begin;
    task.length = cut.end - cut.begin;
    task.memory = next->memory + (cut.begin - next->offset);
    task.rank = rank;
    out.push_back({task, &done_[static_cast<std::size_t>(slot)]});
  }
}

void FileExchange::add_requests(Peer& peer, const Range& chunk, std::vector<Assignment>& out) {
  const auto requests = requests_of(peer);
  auto* const done = reinterpret_cast<std::int64_t*>(peer.answer_out.data());
  std::byte* data = direction_ == Direction::write
                        ? peer.message_in.data() + requests.size_bytes()
                        : peer.answer_out.data() + requests.size() * sizeof(std::int64_t);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const Request& request = requests[i];
    const Range cut = Range{request.offset, request.offset + request.length}.within(chunk);
    if (cut.begin < cut.end) {
      FileTask task;
      task.offset = cut.begin;
      task.length = cut.end - cut.begin;
      task.memory = data + (cut.begin - request.offset);
      task.rank = request.rank;
      out.push_back({task, &done[i]});
    }
    data += request.length;
  }
}

void FileExchange::move_chunk(int chunk) {
  const std::int64_t begin = domain_.begin / alignment * alignment + chunk * chunk_bytes_;
  const bool is_last = chunk + 1 == chunk_count_;
  const Range range{std::max(domain_.begin, begin), is_last ? domain_.end : begin + chunk_bytes_};
  std::vector<Assignment> assignments;
  for (int slot = 0; slot < operation_.slot_count(); ++slot) add_segments(slot, range, assignments);
  for (Peer& peer : peers_) add_requests(peer, range, assignments);
  if (assignments.empty()) return;
  std::sort(assignments.begin(), assignments.end(), [](const Assignment& a, const Assignment& b) {
    return std::pair(a.task.offset, a.task.rank) < std::pair(b.task.offset, b.task.rank);
  });
  std::int64_t end = 0;
  bool overlaps = false;
  for (const Assignment& assignment : assignments) {
    overlaps = overlaps || assignment.task.offset < end;
    end = std::max(end, assignment.task.offset + assignment.task.length);
  }
  if (!overlaps || direction_ == Direction::read) {
    move_assignments(assignments, range);
    return;
  }
  // Tasks are ordered by rank, so that the data of the highest rank prevails.
  std::stable_sort(
      assignments.begin(), assignments.end(),
      [](const Assignment& a, const Assignment& b) { return a.task.rank < b.task.rank; });
  for (std::size_t from = 0, to = 0; from < assignments.size(); from = to) {
    while (to < assignments.size() && assignments[to].task.rank == assignments[from].task.rank)
      ++to;
    move_assignments(std::span(assignments).subspan(from, to - from), range);
  }
}

void FileExchange::move_assignments(std::span<Assignment> assignments, const Range& chunk) {
  const FileState& file = access(0).file();
  const Problem problem = problem_of([&] {
    std::vector<FileTask> tasks;
    tasks.reserve(assignments.size());
    for (const Assignment& assignment : assignments) tasks.push_back(assignment.task);
    std::optional<RangeLock> lock;
    if (file.is_atomic) {
      lock.emplace(file.descriptor.get(), direction_, chunk.begin, chunk.end, file.name);
    }
    const MoveEnd end = move(file.descriptor.get(), direction_, tasks);
    for (std::size_t i = 0; i < tasks.size(); ++i)
      add_atomically(*assignments[i].done, tasks[i].done);
    if (end.error != 0) {
      const FileTask& task = tasks[end.task];
      note(task.offset + task.done, problem_of_move(end.error, file, direction_, task));
    }
  });
  if (problem) note(assignments.front().task.offset, problem);
}

void FileExchange::answer(Schedule& out) {
  for (Peer& peer : peers_) {
    const auto away = static_cast<std::int64_t>(peer.answer_out.size());
    const auto in = static_cast<std::int64_t>(peer.answer_in.size());
    if (away > 0) out.send_bytes(peer.process, peer.answer_out.data(), away);
    if (in > 0) out.receive_bytes(peer.process, peer.answer_in.data(), in);
  }
  if (has_more_rounds()) return;
  out.next_round();
  const Participants all = operation_.all_processes();
  outcomes_[static_cast<std::size_t>(all.me)] = outcome_;
  bruck_allgather(out, all,
                  {reinterpret_cast<std::byte*>(outcomes_.data()), outcome_offsets_.data()});
}

void FileExchange::unpack(int index) {
  Peer& peer = peers_[static_cast<std::size_t>(index)];
  const auto* const done = reinterpret_cast<const std::int64_t*>(peer.answer_in.data());
  const std::byte* data = peer.answer_in.data() + peer.asked.size() * sizeof(std::int64_t);
  for (std::size_t i = 0; i < peer.asked.size(); ++i) {
    const Request& request = peer.asked[i];
    add_atomically(done_[static_cast<std::size_t>(request.slot)], done[i]);
    if (direction_ == Direction::write) continue;
    std::memcpy(peer.memory[i], data, static_cast<std::size_t>(done[i]));
    data += request.length;
  }
}

void FileExchange::conclude() {
  const Outcome* first = nullptr;
  for (const Outcome& outcome : outcomes_) {
    if (outcome.code == EP_SUCCESS) continue;
    if (first == nullptr || outcome.place < first->place) first = &outcome;
  }
  for (const Announcement& announcement : announcements_) {
    if (first != nullptr || announcement.direction == announcements_[0].direction) continue;
    operation_.fail_all(EP_ERR_OTHER, std::string(operation_.what()) +
                                          " at some endpoints while others move data the other way "
                                          "(collective operations must be called in one order).");
  }
  for (int slot = 0; slot < operation_.slot_count(); ++slot) {
    Contribution& mine = operation_.contribution(slot);
    FileAccess& local_access = access(slot);
    local_access.done = done_[static_cast<std::size_t>(slot)];
    const Problem last = problem_of([&] { local_access.finish(); });
    if (mine.request != nullptr) mine.request->status.ep_bytes = local_access.done;
    if (local_access.problem) {
      operation_.fail_slot(slot, local_access.problem.code, local_access.problem.text);
    } else if (first != nullptr) {
      operation_.fail_slot(slot, first->code, first->text.data());
    } else if (last) {
      operation_.fail_slot(slot, last.code, last.text);
    }
  }
}

}  // namespace ep
