// Memory of channels: private memory, or a named POSIX segment that processes of a node map. All
// pages are reserved when it is made; segments left by dead processes are removed.
#include "memory.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ep/ep.hpp>
#include <utility>

namespace epios::io {
namespace {

constexpr const char* segment_folder = "/dev/shm";
constexpr const char* segment_prefix = "/epios-";

std::uint64_t random_number() {
  std::uint64_t value = 0;
  if (getrandom(&value, sizeof value, 0) != static_cast<ssize_t>(sizeof value)) {
    throw ep::Error(EP_ERR_OTHER,
                    fmt::format("no random number for a name that is unique ({}). Does "
                                "this kernel lack getrandom?",
                                std::strerror(errno)));
  }
  return value;
}

std::string megabytes(std::size_t bytes) {
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

std::byte* map(std::size_t bytes, int flags, int fd, std::size_t offset) {
  void* address = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags | MAP_POPULATE, fd,
                         static_cast<off_t>(offset));
  if (address == MAP_FAILED) {
    throw ep::Error(EP_ERR_OTHER, fmt::format("{} of channel memory cannot be mapped ({}). Do the "
                                              "channels need more memory than this job may use?",
                                              megabytes(bytes), std::strerror(errno)));
  }
  return static_cast<std::byte*>(address);
}

// Sparse segments would end the job by a signal at the first write that finds no page.
void reserve_every_byte(int fd, std::size_t bytes) {
  int code = EINTR;
  while (code == EINTR) code = ::posix_fallocate(fd, 0, static_cast<off_t>(bytes));
  if (code != 0) {
    throw ep::Error(
        EP_ERR_OTHER,
        fmt::format("a shared memory segment of {} cannot be reserved ({}). Is /dev/shm too "
                    "small, or does it hold epios-* segments of killed jobs?",
                    megabytes(bytes), std::strerror(code)));
  }
}

// Everybody on the node may make files in /dev/shm, also under a name of ours.
bool is_own(const struct stat& info) { return S_ISREG(info.st_mode) && info.st_uid == ::geteuid(); }

void check_private(const std::string& name, const struct stat& info) {
  constexpr mode_t others = S_IRWXG | S_IRWXO;
  if (is_own(info) && (info.st_mode & others) == 0) return;
  throw ep::Error(
      EP_ERR_ARG,
      fmt::format("the shared memory segment {} belongs to user {} and has mode {:04o} (expected "
                  "user {} and mode 0600). Has another user made it?",
                  name, info.st_uid, info.st_mode & 07777U, ::geteuid()));
}

// Segments without a lock belong to servers that were killed before all clients had opened them.
void remove_stale_segments() {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(segment_folder), ::closedir);
  if (!folder) return;
  while (const dirent* entry = ::readdir(folder.get())) {
    if (std::strncmp(entry->d_name, segment_prefix + 1, std::strlen(segment_prefix) - 1) != 0)
      continue;
    const Descriptor file(::openat(::dirfd(folder.get()), entry->d_name,
                                   O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat info {};
    if (file.get() < 0 || ::fstat(file.get(), &info) != 0 || !is_own(info) ||
        ::flock(file.get(), LOCK_EX | LOCK_NB) != 0)
      continue;
    static_cast<void>(::unlinkat(::dirfd(folder.get()), entry->d_name, 0));
  }
}

// Returns true if the name still exists once the lock is held; another server may be removing stale
// segments.
bool lock_segment(const Descriptor& file) {
  struct stat info {};
  return ::flock(file.get(), LOCK_EX | LOCK_NB) == 0 && ::fstat(file.get(), &info) == 0 &&
         info.st_nlink > 0;
}

struct NamedFile {
  std::string name;
  Descriptor file;
};

NamedFile create_segment() {
  for (int attempt = 0;; ++attempt) {
    NamedFile out{fmt::format("{}{}-{:016x}", segment_prefix, ::getpid(), random_number()),
                  Descriptor()};
    out.file =
        Descriptor(::shm_open(out.name.c_str(), O_RDWR | O_CREAT | O_EXCL, S_IRUSR | S_IWUSR));
    const int reason = errno;
    // A umask may take away what the clients need.
    if (out.file.get() >= 0 && ::fchmod(out.file.get(), S_IRUSR | S_IWUSR) == 0 &&
        lock_segment(out.file))
      return out;
    if (out.file.get() >= 0) static_cast<void>(::shm_unlink(out.name.c_str()));
    if (out.file.get() >= 0 && attempt < 100) continue;
    throw ep::Error(EP_ERR_OTHER,
                    fmt::format("the shared memory segment {} cannot be created ({}). Is /dev/shm "
                                "mounted and writable?",
                                out.name, out.file.get() < 0 ? std::strerror(reason) : "no lock"));
  }
}

}  // namespace

Descriptor::~Descriptor() {
  if (fd_ >= 0) static_cast<void>(::close(fd_));
}

std::size_t page_bytes() {
  const long bytes = ::sysconf(_SC_PAGESIZE);
  return bytes > 0 ? static_cast<std::size_t>(bytes) : 4096;
}

ProcessToken process_token() {
  static const std::uint64_t random = random_number();
  return {random, ::getpid()};
}

std::shared_ptr<Memory> Memory::make_private(std::size_t bytes) {
  remove_stale_segments();  // jobs without servers of their own clear up, too
  std::byte* data = map(bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return std::shared_ptr<Memory>(new Memory(data, bytes));
}

std::shared_ptr<Memory> Memory::make_segment(std::size_t bytes) {
  remove_stale_segments();
  NamedFile segment = create_segment();
  try {
    reserve_every_byte(segment.file.get(), bytes);
    std::shared_ptr<Memory> memory(
        new Memory(map(bytes, MAP_SHARED, segment.file.get(), 0), bytes));
    memory->name_ = std::move(segment.name);
    memory->lock_ = std::move(segment.file);
    return memory;
  } catch (...) {
    static_cast<void>(::shm_unlink(segment.name.c_str()));
    throw;
  }
}

std::shared_ptr<Memory> Memory::open_segment(const std::string& name, std::size_t segment_bytes,
                                             std::size_t offset, std::size_t bytes) {
  if (!name.starts_with(segment_prefix)) {
    throw ep::Error(EP_ERR_ARG, fmt::format("'{}' is not the name of a shared memory segment of a "
                                            "server. Please report this?",
                                            name));
  }
  const Descriptor file(::shm_open(name.c_str(), O_RDWR, 0));
  if (file.get() < 0) {
    throw ep::Error(
        EP_ERR_OTHER,
        fmt::format("the server's shared memory segment {} cannot be opened ({}). Has the "
                    "server ended, or do client and server see different /dev/shm?",
                    name, std::strerror(errno)));
  }
  struct stat info {};
  const bool is_known = ::fstat(file.get(), &info) == 0;
  if (is_known) check_private(name, info);
  if (!is_known || static_cast<std::size_t>(info.st_size) != segment_bytes ||
      bytes > segment_bytes || offset > segment_bytes - bytes) {
    throw ep::Error(EP_ERR_ARG,
                    fmt::format("the shared memory segment {} has {} bytes (expected {}). Does it "
                                "belong to another job?",
                                name, info.st_size, segment_bytes));
  }
  return std::shared_ptr<Memory>(new Memory(map(bytes, MAP_SHARED, file.get(), offset), bytes));
}

void Memory::unlink() noexcept {
  if (lock_.get() < 0) return;
  // Somebody may have removed the name by hand: gone is what was wanted.
  static_cast<void>(::shm_unlink(name_.c_str()));
  lock_ = Descriptor();
}

Memory::~Memory() {
  unlink();
  // Fails only for an address that was never mapped.
  static_cast<void>(::munmap(data_, size_));
}

}  // namespace epios::io
