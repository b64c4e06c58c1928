// The ring of small messages in shared memory. Writers claim lines by one compare-exchange and mark
// a record when it is written; the reader follows. In order: sizes and records, the reading side,
// leases of copy pages, the writing side.
#include "shm/inbox.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

namespace ep {

namespace {

constexpr std::size_t line_bytes = 64;
constexpr int nobody = -1;

struct Record {
  std::atomic<std::uint32_t> lines;  ///< 0 until it is set
  std::int32_t source;
  std::int32_t tag;
  std::uint32_t bytes;
};
static_assert(sizeof(Record) == 16);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

constexpr std::uint64_t lines_of(std::size_t bytes) {
  return (sizeof(Record) + bytes + line_bytes - 1) / line_bytes;
}
constexpr std::size_t first_line = sizeof(InboxPage);
static_assert(first_line % line_bytes == 0);

// Two lines each, and one gap at the end of the memory.
constexpr std::uint64_t kept_lines = lines_of(most_answer_bytes) * most_shm_answers + 1;

std::byte* line(InboxPage& page, std::uint64_t number) noexcept {
  return reinterpret_cast<std::byte*>(&page) + first_line + (number & page.last_line) * line_bytes;
}

Record& record_at(InboxPage& page, std::uint64_t number) noexcept {
  return *reinterpret_cast<Record*>(line(page, number));
}

void clear(InboxPage& page, std::uint64_t begin, std::uint64_t lines) noexcept {
  for (std::uint64_t i = begin; i < begin + lines; ++i) {
    record_at(page, i).lines.store(0, std::memory_order_relaxed);
  }
}

// A power of 2.
std::uint64_t lines_of_inbox() noexcept {
  constexpr std::uint64_t usual = 4096;
  constexpr std::uint64_t least = std::bit_ceil(2 * lines_of(most_shm_bytes) + kept_lines);
  const char* const value = std::getenv("EP_TEST_SHM_BYTES");
  if (value == nullptr) return usual;
  const auto bytes = static_cast<std::uint64_t>(std::max(std::atoll(value), 0LL));
  return std::max(least, std::bit_floor(bytes / line_bytes));
}

}  // namespace

std::size_t shm_inbox_bytes() noexcept {
  static const std::size_t bytes = first_line + lines_of_inbox() * line_bytes;
  return bytes;
}

Inbox::Inbox() : pages_("ep_inbox", shm_inbox_bytes()) { page().last_line = lines_of_inbox() - 1; }

bool Inbox::look(ShmMessage& message) noexcept {
  while (true) {
    Record& record = record_at(page(), head_);
    const std::uint32_t lines = record.lines.load(std::memory_order_acquire);
    if (lines == 0) return false;
    if (record.source != nobody) {
      const auto* const data = reinterpret_cast<const std::byte*>(&record) + sizeof record;
      message = {record.source, record.tag, {data, record.bytes}};
      return true;
    }
    clear(page(), head_, 1);  // nothing is written in its other lines
    head_ += lines;
    page().head.store(head_, std::memory_order_release);
  }
}

bool Inbox::take() noexcept {
  const std::uint32_t lines = record_at(page(), head_).lines.load(std::memory_order_relaxed);
  clear(page(), head_, lines);
  head_ += lines;
  page().head.store(head_, std::memory_order_release);
  // A writer that asks just now may be overlooked; it checks again within a millisecond.
  return page().starved.load(std::memory_order_relaxed) != 0 && page().starved.exchange(0) != 0;
}

std::optional<CopyLease> Inbox::begin_copy() noexcept {
  std::uint32_t used = copies_.load(std::memory_order_relaxed);
  std::uint32_t number = 0;
  do {
    number = static_cast<std::uint32_t>(std::countr_one(used));
    if (number >= most_copies) return std::nullopt;
  } while (!copies_.compare_exchange_weak(used, used | 1U << number, std::memory_order_acquire));
  std::uint32_t& turn = turns_[number];
  if (++turn == 0) ++turn;  // none is 0
  page().copies[number].begin(turn);
  return std::make_optional<CopyLease>(*this, number, turn);
}

CopyLease::~CopyLease() {
  if (inbox_ != nullptr) {
    inbox_->copies_.fetch_and(~(1U << number_), std::memory_order_release);
  }
}

CopyPage& CopyLease::page() const noexcept { return inbox_->page().copies[number_]; }

void PeerInbox::open(const PagesAddress& address) noexcept {
  pages_ = PeerPages(address, shm_inbox_bytes());
}

bool PeerInbox::put(const ShmMessage& message, ShmKind kind) noexcept {
  InboxPage& page = this->page();
  const std::uint64_t kept = kind == ShmKind::answer ? 0 : kept_lines;
  const std::uint64_t lines = lines_of(message.data.size());
  const std::uint64_t capacity = page.last_line + 1;
  std::uint64_t tail = page.tail.load(std::memory_order_relaxed);
  std::uint64_t skipped = 0;
  do {
    const std::uint64_t to_the_end = capacity - (tail & page.last_line);
    skipped = lines > to_the_end ? to_the_end : 0;
    const std::uint64_t end = tail + skipped + lines;
    // `tail` may be older than the head that another thread has seen.
    const auto has_room = [&](std::uint64_t head) { return end + kept <= head + capacity; };
    if (!has_room(seen_head_.load(std::memory_order_acquire))) {
      const std::uint64_t head = page.head.load(std::memory_order_acquire);
      seen_head_.store(head, std::memory_order_release);
      if (!has_room(head)) return false;
    }
  } while (
      !page.tail.compare_exchange_weak(tail, tail + skipped + lines, std::memory_order_relaxed));
  if (skipped > 0) {
    Record& nothing = record_at(page, tail);
    nothing.source = nobody;
    nothing.lines.store(static_cast<std::uint32_t>(skipped), std::memory_order_release);
  }
  Record& record = record_at(page, tail + skipped);
  record.source = message.source;
  record.tag = message.tag;
  record.bytes = static_cast<std::uint32_t>(message.data.size());
  if (!message.data.empty()) {
    std::memcpy(reinterpret_cast<std::byte*>(&record) + sizeof record, message.data.data(),
                message.data.size());
  }
  record.lines.store(static_cast<std::uint32_t>(lines), std::memory_order_release);
  return true;
}

}  // namespace ep
