// Makes the page of a process in shared memory and hands out its slots. The file is locked while
// the process lives, by which readers and the clean-up of later runs know whether it still does.
// In order: the file, the head, slots.
#include "config/run_page.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <new>

#include "watching/page_names.hpp"

namespace epios::config {
namespace {

std::size_t rounded_up(std::size_t bytes) {
  return (bytes + cache_line - 1) / cache_line * cache_line;
}

constexpr std::array<std::size_t, slot_kinds> bytes_of_slot{sizeof(ClientSlot), sizeof(ServerSlot),
                                                            sizeof(FileSlot),   sizeof(WaitSlot),
                                                            sizeof(MapSlot),    sizeof(LineSlot)};

/// The number under which the batch system knows the job.
std::string batch_job() {
  for (const char* name : {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "PJM_JOBID", "OAR_JOB_ID"}) {
    const char* const value = std::getenv(name);
    if (value != nullptr && *value != '\0') return value;
  }
  return {};
}

/// Returns true if the file is locked and still has its name. Readers hold the lock for a moment.
bool lock_page(int fd) {
  constexpr int most_attempts = 100;
  constexpr unsigned pause_us = 100;
  int code = -1;
  for (int attempt = 0; attempt < most_attempts && code != 0; ++attempt) {
    if (attempt > 0) ::usleep(pause_us);
    code = ::flock(fd, LOCK_EX | LOCK_NB);
  }
  struct stat info {};
  return code == 0 && ::fstat(fd, &info) == 0 && info.st_nlink > 0;
}

bool is_wanted() {
  const char* const wish = std::getenv("EPIOS_PAGE");
  return wish == nullptr || std::string_view(wish) != "0";
}

}  // namespace

std::int64_t page_clock_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

template <class Slot>
void SlotEnd<Slot>::operator()(Slot* slot) const noexcept {
  slot->ended_ns.set(page_clock_ns());
  if (slot->state.get() == SlotState::active) slot->state.set(SlotState::over);
}
template struct SlotEnd<ClientSlot>;
template struct SlotEnd<ServerSlot>;
template struct SlotEnd<FileSlot>;
template struct SlotEnd<WaitSlot>;
template struct SlotEnd<MapSlot>;

RunPage::RunPage(const Contents& contents, std::int64_t first_pid) : job_(contents.job) {
  if (!is_wanted()) return;
  // Who cleans up may take the name before the file is locked.
  for (int attempt = 0; attempt < 3 && memory_ == nullptr; ++attempt) {
    problem_.clear();
    make(contents, first_pid);
    if (memory_ == nullptr) unlink();
  }
}

/// Says in problem_ why it was not possible.
void RunPage::make(const Contents& contents, std::int64_t first_pid) {
  const std::int64_t pid = ::getpid();
  std::uint64_t random = 0;
  if (::getrandom(&random, sizeof random, 0) != static_cast<ssize_t>(sizeof random)) {
    problem_ = std::strerror(errno);
    return;
  }
  std::string path =
      fmt::format("{}/{}{}-{}-{:016x}", page_folder, page_prefix, first_pid, pid, random);
  lock_ =
      ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (lock_ < 0) {
    problem_ = fmt::format("'{}' cannot be created ({})", path, std::strerror(errno));
    return;
  }
  path_ = std::move(path);
  bytes_ = rounded_up(sizeof(PageHead));
  std::array<std::size_t, slot_kinds> offsets{};
  for (std::size_t k = 0; k < slot_kinds; ++k) {
    offsets[k] = bytes_;
    bytes_ += bytes_of_slot[k] * contents.slots[k];
  }
  // A umask may take away what readers need.
  if (::fchmod(lock_, S_IRUSR | S_IWUSR) != 0 || !lock_page(lock_)) {
    problem_ = fmt::format("'{}' cannot be locked ({})", path_, std::strerror(errno));
    return;
  }
  map(lock_);
  if (memory_ == nullptr) return;
  auto* const head = new (memory_) PageHead();
  head->version.set(page_version);
  head->head_bytes.set(sizeof(PageHead));
  head->page_bytes.set(bytes_);
  head->pid.set(pid);
  head->began_ns.set(page_clock_ns());
  head->process.set(contents.process);
  head->processes.set(contents.processes);
  for (std::size_t k = 0; k < slot_kinds; ++k) {
    head->offsets[k].set(static_cast<std::uint32_t>(offsets[k]));
    head->counts[k].set(contents.slots[k]);
    head->slot_bytes[k].set(static_cast<std::uint32_t>(bytes_of_slot[k]));
  }
  head->job.set(contents.job);
  head->batch_job.set(batch_job());
  head->components.set(fmt::format("{}", fmt::join(contents.components, "\n")));
  head->magic.store(page_magic, std::memory_order_release);
}

/// Sparse memory would end the process by a signal at the first store that finds no room.
void RunPage::map(int fd) {
  int code = EINTR;
  while (code == EINTR) code = ::posix_fallocate(fd, 0, static_cast<off_t>(bytes_));
  if (code != 0) {
    problem_ =
        fmt::format("'{}' has no room for {} bytes ({})", path_, bytes_, std::strerror(code));
    return;
  }
  void* const memory = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED) {
    problem_ = fmt::format("'{}' cannot be mapped ({})", path_, std::strerror(errno));
    return;
  }
  memory_ = static_cast<std::byte*>(memory);
}

void RunPage::unlink() noexcept {
  // Somebody may have removed it by hand: gone is what is wanted.
  if (!path_.empty()) static_cast<void>(::unlink(path_.c_str()));
  path_.clear();
  if (lock_ >= 0) static_cast<void>(::close(lock_));
  lock_ = -1;
}

RunPage::~RunPage() {
  unlink();
  if (memory_ != nullptr) static_cast<void>(::munmap(memory_, bytes_));
}

template <class Slot>
Slot* RunPage::slots(std::size_t kind) {
  const auto* const head = reinterpret_cast<const PageHead*>(memory_);
  return reinterpret_cast<Slot*>(memory_ + head->offsets[kind].get());
}

/// A slot that was never used, or else the one whose holder has left first.
template <class Slot>
HeldSlot<Slot> RunPage::take(std::size_t kind, Slot& spare) {
  if (memory_ == nullptr) return HeldSlot<Slot>(&spare);
  auto* const head = reinterpret_cast<PageHead*>(memory_);
  Slot* const all = slots<Slot>(kind);
  Slot* best = nullptr;
  const std::uint32_t count = head->counts[kind].get();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (all[i].state.get() == SlotState::active) continue;
    if (best == nullptr || all[i].ended_ns.get() < best->ended_ns.get()) best = &all[i];
    if (all[i].state.get() == SlotState::unused) break;
  }
  if (best == nullptr) {
    head->crowded[kind].add(1);
    return HeldSlot<Slot>(&spare);
  }
  new (best) Slot();
  best->began_ns.set(page_clock_ns());
  return HeldSlot<Slot>(best);
}

HeldSlot<ClientSlot> RunPage::take_client(std::string_view component, std::string_view context,
                                          int rank) {
  const std::scoped_lock lock(mutex_);
  auto out = take(client_slots, spare_client_);
  out->rank.set(rank);
  out->component.set(component);
  out->context.set(context);
  out->state.set(SlotState::active);
  return out;
}

HeldSlot<ServerSlot> RunPage::take_server(int rank) {
  const std::scoped_lock lock(mutex_);
  auto out = take(server_slots, spare_server_);
  out->rank.set(rank);
  out->state.set(SlotState::active);
  return out;
}

HeldSlot<FileSlot> RunPage::take_file(std::string_view component, std::string_view context,
                                      std::string_view path, int server) {
  constexpr std::size_t most = 248;
  const std::scoped_lock lock(mutex_);
  auto out = take(file_slots, spare_file_);
  out->server.set(server);
  out->component.set(component);
  out->context.set(context);
  out->path.set(path.substr(path.size() > most ? path.size() - most : 0));
  out->state.set(SlotState::active);
  return out;
}

HeldSlot<WaitSlot> RunPage::take_wait() {
  const std::scoped_lock lock(mutex_);
  return take(wait_slots, spare_wait_);
}

std::vector<HeldSlot<MapSlot>> RunPage::take_maps(std::size_t cells) {
  std::vector<HeldSlot<MapSlot>> out;
  if (memory_ == nullptr) return out;
  const std::scoped_lock lock(mutex_);
  const auto* const head = reinterpret_cast<const PageHead*>(memory_);
  const MapSlot* const all = slots<MapSlot>(map_slots);
  const std::size_t wanted =
      std::max<std::size_t>(1, (cells + MapSlot::most_cells - 1) / MapSlot::most_cells);
  std::size_t free = 0;
  for (std::uint32_t i = 0; i < head->counts[map_slots].get(); ++i) {
    if (all[i].state.get() != SlotState::active) ++free;
  }
  if (free < wanted) return out;
  for (std::size_t i = 0; i < wanted; ++i) {
    out.push_back(take(map_slots, spare_map_));
    out.back()->state.set(SlotState::active);  // or the next one would be the same
  }
  return out;
}

void RunPage::add_line(LineSlot::Severity severity, std::string_view first,
                       std::string_view second) {
  if (memory_ == nullptr) return;
  const std::scoped_lock lock(mutex_);
  const auto* const head = reinterpret_cast<const PageHead*>(memory_);
  const std::uint32_t count = head->counts[line_slots].get();
  if (count == 0) return;
  LineSlot& line = slots<LineSlot>(line_slots)[next_line_++ % count];
  line.severity.set(severity);
  line.text.set(first, second);
  line.began_ns.set(page_clock_ns());
  line.state.set(SlotState::over);
}

}  // namespace epios::config
