// Room is reserved before it is mapped: a full disk is an error then, where a store would end the
// process.
#include "recording/mapped_file.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>

namespace epios::client {
namespace {

constexpr std::int64_t window_bytes = std::int64_t{1} << 20U;
/// From here on bytes are written without a copy in the window.
constexpr std::int64_t large_bytes = std::int64_t{1} << 18U;

/// A limit of file sizes is an error, not a signal that ends the model.
class NoSizeSignal {
 public:
  NoSizeSignal() {
    sigemptyset(&size_);
    sigaddset(&size_, SIGXFSZ);
    is_set_ = ::pthread_sigmask(SIG_BLOCK, &size_, &before_) == 0;
  }
  NoSizeSignal(const NoSizeSignal&) = delete;
  NoSizeSignal(NoSizeSignal&&) = delete;
  NoSizeSignal& operator=(const NoSizeSignal&) = delete;
  NoSizeSignal& operator=(NoSizeSignal&&) = delete;
  ~NoSizeSignal() {
    if (!is_set_) return;
    const timespec now{};
    while (sigismember(&before_, SIGXFSZ) == 0 && ::sigtimedwait(&size_, nullptr, &now) > 0) {
    }
    static_cast<void>(::pthread_sigmask(SIG_SETMASK, &before_, nullptr));
  }

 private:
  sigset_t size_{};
  sigset_t before_{};
  bool is_set_ = false;
};

/// Locks a file; returns false, with EWOULDBLOCK, if another run has done so. (On file systems
/// without locks nobody has.)
bool lock(int file) { return ::flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; }

bool is_written(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return false;
  const bool is_free = lock(file);
  static_cast<void>(::close(file));
  return !is_free;
}

/// Makes a file that is no other process's: what another one has mapped must never become shorter,
/// which would end it. Returns -1 with errno.
int make_own(const std::string& path) {
  if (is_written(path)) {
    errno = EWOULDBLOCK;
    return -1;
  }
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return -1;
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0 || lock(file)) return file;
  static_cast<void>(::close(file));
  errno = EWOULDBLOCK;
  return -1;
}

}  // namespace

MappedFile::MappedFile(const std::string& path) : file_(make_own(path)) {
  if (file_ < 0) error_ = errno;
}

void MappedFile::fail(int error) {
  if (error_ == 0) error_ = error;
  close();
}

void MappedFile::unmap() {
  if (window_ != nullptr)
    static_cast<void>(::munmap(std::exchange(window_, nullptr), window_bytes));
}

void MappedFile::close() {
  unmap();
  if (file_ < 0) return;
  if (::ftruncate(file_, end_) != 0 && error_ == 0) error_ = errno;
  static_cast<void>(::close(std::exchange(file_, -1)));
}

/// Maps the window in which the end lies.
void MappedFile::map() {
  unmap();
  base_ = end_ / window_bytes * window_bytes;
  const NoSizeSignal no_signal;
  if (const int error = ::posix_fallocate(file_, base_, window_bytes); error != 0) {
    return fail(error);
  }
  void* const window =
      ::mmap(nullptr, window_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, base_);
  if (window == MAP_FAILED) return fail(errno);
  window_ = static_cast<std::byte*>(window);
}

/// Large arrays.
void MappedFile::write(std::span<const std::byte> bytes) {
  const NoSizeSignal no_signal;
  while (!bytes.empty()) {
    const std::int64_t count = ::pwrite(file_, bytes.data(), bytes.size(), end_);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return fail(count < 0 ? errno : ENOSPC);
    end_ += count;
    bytes = bytes.subspan(static_cast<std::uint64_t>(count));
  }
}

void MappedFile::append(std::span<const std::byte> bytes) {
  if (std::ssize(bytes) >= large_bytes && is_open()) return write(bytes);
  while (!bytes.empty() && is_open()) {
    if (window_ == nullptr || end_ - base_ >= window_bytes) {
      map();
      continue;
    }
    const auto count =
        static_cast<std::uint64_t>(std::min(std::ssize(bytes), base_ + window_bytes - end_));
    std::memcpy(window_ + (end_ - base_), bytes.data(), count);
    end_ += static_cast<std::int64_t>(count);
    bytes = bytes.subspan(count);
  }
}

}  // namespace epios::client
