#include "files/failing_system.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstring>

namespace ep::test {
namespace {

struct Faults {
  std::atomic<SystemCall> call{SystemCall::last};
  std::atomic<std::int64_t> calls{0};  // of `call`, from when it was chosen
  std::atomic<std::int64_t> first{0};
  std::atomic<std::int64_t> end{0};
  std::atomic<int> error{0};
  std::atomic<int> failures{0};
};

Faults& faults() {
  static Faults instance;
  return instance;
}

// Whether this one fails. Other libraries of the process move data, too: only files of ours count,
// which is what tests open between fail_system_calls() and let_system_work().
bool fails(SystemCall call) {
  Faults& all = faults();
  if (all.call.load() != call) return false;
  const std::int64_t number = all.calls.fetch_add(1);
  if (number < all.first.load() || number >= all.end.load()) return false;
  all.failures.fetch_add(1);
  return true;
}

template <class Function>
Function* real(const char* name) {
  void* const found = dlsym(RTLD_NEXT, name);
  Function* function = nullptr;
  std::memcpy(&function, &found, sizeof function);
  return function;
}

// -1: this one fails with `errno` set; else the most bytes that it may move.
std::int64_t most_bytes(SystemCall call, std::int64_t asked) {
  if (!fails(call)) return asked;
  const int error = faults().error.load();
  if (error == 0) return std::min<std::int64_t>(asked, 7);
  errno = error;
  return -1;
}

// So many vectors that at most `bytes` are moved; the first is cut.
int cut(std::array<iovec, 1>& first, const iovec* parts, std::int64_t bytes) {
  first[0] = parts[0];
  first[0].iov_len = std::min(first[0].iov_len, static_cast<std::size_t>(bytes));
  return 1;
}

}  // namespace

void fail_system_calls(SystemCall call, int nth, int times, int error) {
  Faults& all = faults();
  let_system_work();
  all.calls.store(0);
  all.first.store(nth - 1);
  all.end.store(std::int64_t{nth} - 1 + times);
  all.error.store(error);
  all.call.store(call);
}

void let_system_work() {
  faults().call.store(SystemCall::last);
  faults().failures.store(0);
}

int system_failures() { return faults().failures.load(); }

}  // namespace ep::test

using ep::test::SystemCall;

extern "C" {

int open(const char* path, int flags, ...) {
  std::va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  if (std::strstr(path, "ep_file_") != nullptr && ep::test::most_bytes(SystemCall::open, 0) < 0) {
    return -1;
  }
  return ep::test::real<int(const char*, int, ...)>("open")(path, flags, mode);
}

ssize_t pwrite(int fd, const void* data, size_t size, off_t offset) {
  const auto most = ep::test::most_bytes(SystemCall::write, static_cast<std::int64_t>(size));
  if (most < 0) return -1;
  using Function = ssize_t(int, const void*, size_t, off_t);
  return ep::test::real<Function>("pwrite")(fd, data, static_cast<size_t>(most), offset);
}

ssize_t pwritev(int fd, const iovec* parts, int count, off_t offset) {
  std::array<iovec, 1> first{};
  const auto most = ep::test::most_bytes(SystemCall::write, INT64_MAX);
  if (most < 0) return -1;
  const bool whole = most == INT64_MAX;
  if (!whole) count = ep::test::cut(first, parts, most);
  using Function = ssize_t(int, const iovec*, int, off_t);
  return ep::test::real<Function>("pwritev")(fd, whole ? parts : first.data(), count, offset);
}

ssize_t pread(int fd, void* data, size_t size, off_t offset) {
  const auto most = ep::test::most_bytes(SystemCall::read, static_cast<std::int64_t>(size));
  if (most < 0) return -1;
  using Function = ssize_t(int, void*, size_t, off_t);
  return ep::test::real<Function>("pread")(fd, data, static_cast<size_t>(most), offset);
}

ssize_t preadv(int fd, const iovec* parts, int count, off_t offset) {
  std::array<iovec, 1> first{};
  const auto most = ep::test::most_bytes(SystemCall::read, INT64_MAX);
  if (most < 0) return -1;
  const bool whole = most == INT64_MAX;
  if (!whole) count = ep::test::cut(first, parts, most);
  using Function = ssize_t(int, const iovec*, int, off_t);
  return ep::test::real<Function>("preadv")(fd, whole ? parts : first.data(), count, offset);
}

int fsync(int fd) {
  if (ep::test::most_bytes(SystemCall::fsync, 0) < 0) return -1;
  return ep::test::real<int(int)>("fsync")(fd);
}

int ftruncate(int fd, off_t size) noexcept {
  if (ep::test::most_bytes(SystemCall::truncate, 0) < 0) return -1;
  return ep::test::real<int(int, off_t)>("ftruncate")(fd, size);
}

int close(int fd) {
  const bool failing = ep::test::most_bytes(SystemCall::close, 0) < 0;
  const int error = errno;
  const int result = ep::test::real<int(int)>("close")(fd);
  if (!failing) return result;
  errno = error;
  return -1;
}

}  // extern "C"
