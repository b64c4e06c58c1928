/// @file
/// The page of counters that each process of a run keeps in shared memory, for those who watch the
/// run: its layout, how a process makes it, and how it fills it.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace epios::config {

// Layout. A page begins with a PageHead; behind it are arrays of slots, each kind at the offset
// that the head says. Everything is written by one thread at a time with single stores, without
// locks, and read by anybody. All memory is zero at first. Any change of what follows is a new
// version; the first 16 bytes of the head never change. Times are nanoseconds of CLOCK_MONOTONIC.

constexpr std::uint64_t page_magic = 0x3147'5053'4f49'5045;
constexpr std::uint32_t page_version = 3;
constexpr std::size_t cache_line = 64;

/// A number in a page. One thread writes it. Whoever sees a number sees all that was set before.
template <class T>
class PageNumber {
 public:
  void set(T value) { value_.store(value, std::memory_order_release); }
  /// Adds to it without an atomic operation, as only one thread writes.
  void add(T value) { set(get() + value); }
  T get() const { return value_.load(std::memory_order_acquire); }

 private:
  static_assert(std::atomic<T>::is_always_lock_free);
  std::atomic<T> value_{};
};

/// Text in a page, of at most `Bytes` bytes. One thread writes it; readers never see half of it.
template <std::size_t Bytes>
class PageText {
  static_assert(Bytes % sizeof(std::uint64_t) == 0);

 public:
  /// Writes both texts one behind the other, and cuts what does not fit.
  void set(std::string_view first, std::string_view second = {}) {
    std::array<std::uint64_t, Bytes / sizeof(std::uint64_t)> words{};
    char* const to = reinterpret_cast<char*>(words.data());
    const std::size_t length = std::min(first.size(), Bytes);
    std::copy_n(first.data(), length, to);
    std::copy_n(second.data(), std::min(second.size(), Bytes - length), to + length);
    const std::uint64_t before = sequence_.load(std::memory_order_relaxed);
    sequence_.store(before + 1, std::memory_order_relaxed);
    for (std::size_t i = 0; i < words.size(); ++i) words_[i].set(words[i]);
    sequence_.store(before + 2, std::memory_order_release);
  }
  std::string get() const {
    std::array<std::uint64_t, Bytes / sizeof(std::uint64_t)> words{};
    // A writer that was killed in the middle leaves an odd number for ever.
    constexpr int most_attempts = 1000;
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
      const std::uint64_t before = sequence_.load(std::memory_order_acquire);
      for (std::size_t i = 0; i < words.size(); ++i) words[i] = words_[i].get();
      if (before % 2 == 0 && sequence_.load(std::memory_order_relaxed) == before) {
        const char* const from = reinterpret_cast<const char*>(words.data());
        return {from, ::strnlen(from, Bytes)};
      }
    }
    return {};
  }

 private:
  std::atomic<std::uint64_t> sequence_{0};  // odd while somebody writes
  std::array<PageNumber<std::uint64_t>, Bytes / sizeof(std::uint64_t)> words_{};
};

enum class SlotState : std::uint32_t { unused, active, over, failed };
/// The kinds of slots, as places in lists of kinds.
constexpr std::size_t client_slots = 0, server_slots = 1, file_slots = 2, wait_slots = 3,
                      map_slots = 4, line_slots = 5;
constexpr std::size_t slot_kinds = 6;

/// What each slot begins with.
struct PageSlot {
  PageNumber<SlotState> state;
  PageNumber<std::int64_t> began_ns;
  PageNumber<std::int64_t> ended_ns;
};

/// A field in a file whose records have waited for room.
struct BlockedField {
  PageNumber<std::int32_t> stream;  ///< number of the field in the model, from 1 on; 0: none
  PageNumber<double> blocked_s;
  PageText<56> name;
};

/// A context on one client.
struct alignas(cache_line) ClientSlot : PageSlot {
  PageNumber<std::int32_t> rank;  ///< of the client in the component
  PageText<56> component;
  PageText<56> context;
  // The client's thread, once per step.
  alignas(cache_line) PageNumber<std::int64_t> updated_ns;
  PageNumber<std::int64_t> step;
  PageNumber<std::int64_t> year;
  PageNumber<std::int32_t> month;  ///< 0 in calendars without months: `day` is that of the year
  PageNumber<std::int32_t> day, hour, minute, second;
  PageNumber<std::int64_t> sends;
  PageNumber<std::int64_t> records;  ///< records of which this client has sent a part
  PageNumber<std::int64_t> bytes;
  PageNumber<double> in_library_s;
  PageNumber<double> blocked_s;
  PageNumber<double> fullest_channel;   ///< 0 ... 1, the most so far
  std::array<BlockedField, 6> blocked;  ///< those that have waited longest, in any order
};

/// A server.
struct alignas(cache_line) ServerSlot : PageSlot {
  PageNumber<std::int32_t> rank;  ///< among the servers
  // The server's thread.
  alignas(cache_line) PageNumber<std::int64_t> updated_ns;
  PageNumber<std::int64_t> contexts;  ///< open now
  PageNumber<double> open_s;          ///< while any context was open
  PageNumber<double> busy_s;          ///< meanwhile, of its thread
  PageNumber<double> writing_s;       ///< of its file thread
};

/// A file, or a part of a file that is split, on one of its writers.
struct alignas(cache_line) FileSlot : PageSlot {
  PageNumber<std::int32_t> server;
  PageText<56> component;
  PageText<56> context;
  PageText<248> path;  ///< its end, if it is longer
  // The file thread.
  alignas(cache_line) PageNumber<std::int64_t> updated_ns;
  PageNumber<std::int64_t> written;  ///< records of fields, or this server's parts of them
  PageNumber<std::int64_t> durable;  ///< of these, in the file whatever happens to the process
  PageNumber<std::int64_t> lost;
  PageNumber<std::int64_t> bytes;  ///< of data; when it is whole, on disk
  PageNumber<double> writing_s;
};

/// A party that waits, or is waited for: none, a client (its component is the one that PageHead
/// lists at that place) or a server.
struct PageActor {
  enum class Kind : std::uint32_t { none, client, server };
  PageNumber<Kind> kind;
  PageNumber<std::int32_t> component;
  PageNumber<std::int32_t> rank;
};

/// A wait of a client or of a server's context, since `began_ns`.
struct alignas(cache_line) WaitSlot : PageSlot {
  PageActor who;
  PageActor whom;                        ///< the first of them
  PageNumber<std::int32_t> number_whom;  ///< how many are waited for
  alignas(cache_line) PageText<184> what;
};

/// A date in the calendar of a context.
struct PageDate {
  std::int64_t year = 0;
  std::int32_t month = 0;  ///< 0 in calendars without months: `day` is that of the year
  std::int32_t day = 0, hour = 0, minute = 0, second = 0;
};

/// The newest record of a field at some cells of its domain, on one of its writers; several slots
/// if there are more cells than one holds. The cells are those of a coarse sample of the whole
/// domain, and have their numbers there: all writers have slots of the same sample.
struct alignas(cache_line) MapSlot : PageSlot {
  static constexpr std::size_t most_cells = 256;
  PageNumber<std::int32_t> server;
  PageText<56> component;
  PageText<56> context;
  PageText<56> field;
  PageText<56> unit;
  PageText<56> level;                      ///< which one of other elements: "lev 1 of 75"
  PageNumber<std::int32_t> columns, rows;  ///< of the sample; cell number: row * columns + column
  /// Rectilinear: `lon` has one number per column and `lat` one per row, all on the same writer.
  PageNumber<std::uint32_t> is_rectilinear;
  PageNumber<std::int32_t> cells;
  PageNumber<std::int32_t> own;  ///< of these, the first ones: this server writes their values
  std::array<PageNumber<std::uint16_t>, most_cells> cell;  ///< number in the sample
  std::array<PageNumber<float>, most_cells> lon, lat;      ///< NaN: not known here
  // The server's thread, once per record.
  alignas(cache_line) std::atomic<std::uint64_t> sequence{0};  ///< odd while somebody writes
  PageNumber<std::int64_t> updated_ns;
  PageNumber<std::int64_t> record;  ///< of the run, from 0
  struct {
    PageNumber<std::int64_t> year;
    PageNumber<std::int32_t> month, day, hour, minute, second;  ///< as in PageDate
  } date;
  std::array<PageNumber<float>, most_cells> values;  ///< NaN: missing, or on another writer

  /// Writes a record. `value(i)`: that of cell i of this slot.
  template <class Value>
  void set(std::int64_t number, const PageDate& end, const Value& value) {
    const std::uint64_t before = sequence.load(std::memory_order_relaxed);
    sequence.store(before + 1, std::memory_order_relaxed);
    record.set(number);
    date.year.set(end.year);
    date.month.set(end.month);
    date.day.set(end.day);
    date.hour.set(end.hour);
    date.minute.set(end.minute);
    date.second.set(end.second);
    std::int32_t left = cells.get();
    std::size_t i = 0;
    for (PageNumber<float>& to : values) {
      if (left-- <= 0) break;
      to.set(value(i++));
    }
    sequence.store(before + 2, std::memory_order_release);
  }
};

/// A line of a server's log.
struct alignas(cache_line) LineSlot : PageSlot {
  enum class Severity : std::uint32_t { info, warning, error };
  PageNumber<Severity> severity;
  PageText<504> text;
};

struct alignas(cache_line) PageHead {
  std::atomic<std::uint64_t> magic{0};  ///< written last
  PageNumber<std::uint32_t> version;
  PageNumber<std::uint32_t> head_bytes;
  PageNumber<std::uint64_t> page_bytes;
  PageNumber<std::int64_t> pid;
  PageNumber<std::int64_t> began_ns;
  PageNumber<std::int32_t> process;    ///< rank in the job
  PageNumber<std::int32_t> processes;  ///< of the job
  std::array<PageNumber<std::uint32_t>, slot_kinds> offsets;
  std::array<PageNumber<std::uint32_t>, slot_kinds> counts;
  std::array<PageNumber<std::uint32_t>, slot_kinds> slot_bytes;
  std::array<PageNumber<std::uint32_t>, slot_kinds> crowded;  ///< how many had no slot
  PageText<120> job;         ///< the same on all processes of a job, and of no other
  PageText<56> batch_job;    ///< number of the batch system, if there is one
  PageText<248> components;  ///< of the job, a line each
};

/// Ends what a slot says.
template <class Slot>
struct SlotEnd {
  void operator()(Slot* slot) const noexcept;
};
/// A slot that somebody fills. What he has counted stays readable until the slot is taken again.
template <class Slot>
using HeldSlot = std::unique_ptr<Slot, SlotEnd<Slot>>;

/// Returns the time of pages.
std::int64_t page_clock_ns();

/// The page of this process. Slots may be taken and filled by any thread, each by one at a time.
/// Without shared memory, with EPIOS_PAGE=0, or if there are more of a kind than slots, what is
/// counted goes to memory that nobody reads: nothing here fails.
class RunPage {
 public:
  struct Contents {
    std::string job;
    int process = 0, processes = 1;
    std::vector<std::string> components;
    std::array<std::uint32_t, slot_kinds> slots{};  ///< number of slots of each kind
  };
  /// Makes the page, with mode 0600 and a name that has the job's first process, this process and
  /// 64 random bits. `first_pid`: of the job's first process.
  RunPage(const Contents& contents, std::int64_t first_pid);
  RunPage(const RunPage&) = delete;
  RunPage(RunPage&&) = delete;
  RunPage& operator=(const RunPage&) = delete;
  RunPage& operator=(RunPage&&) = delete;
  /// Removes the page. All slots must have been given back.
  ~RunPage();

  /// Returns why there is no page that others can read, or "".
  const std::string& problem() const { return problem_; }
  /// Returns the name of the job.
  const std::string& job() const { return job_; }
  /// Returns the name of the file, "" if there is none.
  const std::string& path() const { return path_; }
  /// Removes the name. For a process that will end without the destructor.
  void unlink() noexcept;

  HeldSlot<ClientSlot> take_client(std::string_view component, std::string_view context, int rank);
  HeldSlot<ServerSlot> take_server(int rank);
  HeldSlot<FileSlot> take_file(std::string_view component, std::string_view context,
                               std::string_view path, int server);
  HeldSlot<WaitSlot> take_wait();
  /// Returns a slot for each `most_cells` cells of a map, or none if there are too few: a map in
  /// part would look like one with missing values.
  std::vector<HeldSlot<MapSlot>> take_maps(std::size_t cells);
  /// Keeps a line, in place of the oldest one. Any thread.
  void add_line(LineSlot::Severity severity, std::string_view first, std::string_view second);

 private:
  template <class Slot>
  HeldSlot<Slot> take(std::size_t kind, Slot& spare);
  template <class Slot>
  Slot* slots(std::size_t kind);
  void make(const Contents& contents, std::int64_t first_pid);
  void map(int fd);

  std::mutex mutex_;  // guards which slots are taken
  std::string job_, problem_, path_;
  int lock_ = -1;  // the open file, locked while this process lives
  std::byte* memory_ = nullptr;
  std::size_t bytes_ = 0;
  ClientSlot spare_client_;
  ServerSlot spare_server_;
  FileSlot spare_file_;
  WaitSlot spare_wait_;
  MapSlot spare_map_;
  std::uint32_t next_line_ = 0;  // guarded by mutex_
};

}  // namespace epios::config
