// Preloaded into a run: records what is done to the files of a folder, in order, so that
// power_loss.py can say what a loss of power would have left of them at any moment.
//   RECORD_FOLDER  the folder
//   RECORD_LOG     the record: a line for each call that has ended, of words between tabs, which
//                  begin with the process and what it did. A sync has two, since only what was
//                  done before its first one is on the disk after its second one.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

namespace {

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

const std::string& folder() {
  static const std::string path = [] {
    const char* name = std::getenv("RECORD_FOLDER");
    char full[PATH_MAX];
    return std::string(name != nullptr && ::realpath(name, full) != nullptr ? full : "");
  }();
  return path;
}

bool is_inside(const std::string& path) {
  return !folder().empty() && (path == folder() || path.rfind(folder() + "/", 0) == 0);
}

using Open = int(const char*, int, ...);

/// Appends a line, which stays whole among those of other processes.
template <class... Words>
void note(const Words&... words) {
  static const int log = [] {
    const char* name = std::getenv("RECORD_LOG");
    constexpr mode_t rights = 0666;
    return name == nullptr
               ? -1
               : next<Open>("open")(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, rights);
  }();
  const int error = errno;
  std::string line = std::to_string(::getpid());
  ((line += "\t", line += words), ...);
  line += "\n";
  // A record with a gap does not end in the files that the run has left, which fails the test.
  if (next<ssize_t(int, const void*, size_t)>("write")(log, line.data(), line.size()) < 0) {
    std::perror("disk_recorder");
  }
  errno = error;
}

/// Returns where a descriptor leads, unless that has no name in the folder any more.
std::optional<std::string> path_of(int descriptor) {
  char full[PATH_MAX];
  const int error = errno;
  const bool is_known =
      ::realpath(("/proc/self/fd/" + std::to_string(descriptor)).c_str(), full) != nullptr;
  errno = error;
  if (!is_known || !is_inside(full)) return std::nullopt;
  return full;
}

/// Returns a name in the folder, which may not be there, without following it.
std::optional<std::string> path_of(int at, const char* name) {
  std::string text(name);
  if (text.front() != '/' && at != AT_FDCWD)
    text = "/proc/self/fd/" + std::to_string(at) + "/" + text;
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  const auto slash = text.rfind('/');
  const std::string above = slash == std::string::npos ? "." : text.substr(0, slash + 1);
  char full[PATH_MAX];
  const int error = errno;
  const bool is_known = ::realpath(above.c_str(), full) != nullptr;
  errno = error;
  const std::string path = std::string(is_known ? full : "") + "/" + text.substr(slash + 1);
  if (!is_known || !is_inside(path)) return std::nullopt;
  return path;
}

std::string number_of(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 ? std::to_string(status.st_ino) : "?";
}

std::string digits(const void* data, std::size_t size) {
  constexpr const char* hexadecimal = "0123456789abcdef";
  std::string out;
  for (std::size_t i = 0; i < size; ++i) {
    const unsigned byte = static_cast<const unsigned char*>(data)[i];
    out += hexadecimal[byte / 16];
    out += hexadecimal[byte % 16];
  }
  return out;
}

int opened(int descriptor, int flags) {
  if (descriptor < 0 || (flags & O_ACCMODE) == O_RDONLY) return descriptor;
  if (const auto path = path_of(descriptor)) {
    note("open", number_of(descriptor), *path);
    if ((flags & O_TRUNC) != 0) note("size", number_of(descriptor), "0");
  }
  return descriptor;
}

ssize_t written(ssize_t result, int descriptor, const void* data, off_t at) {
  if (result > 0 && path_of(descriptor)) {
    note("write", number_of(descriptor), std::to_string(at),
         digits(data, static_cast<std::size_t>(result)));
  }
  return result;
}

int sized(int result, int descriptor, const char* how, off_t size) {
  if (result == 0 && path_of(descriptor)) note(how, number_of(descriptor), std::to_string(size));
  return result;
}

template <class Call>
int synced(int descriptor, Call call) {
  static std::atomic<long> count{0};
  const auto path = path_of(descriptor);
  const std::string token = std::to_string(++count);
  struct stat status {};
  const bool is_folder = ::fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode);
  if (path) note("sync", token, is_folder ? *path : number_of(descriptor));
  const int result = call();
  if (path && result == 0) note("synced", token);
  return result;
}

int named(int result, const char* how, int at, const char* name) {
  if (result != 0) return result;
  if (const auto path = path_of(at, name)) note(how, *path);
  return result;
}

int renamed(int result, const char* how, int from_at, const char* from, int to_at, const char* to) {
  if (result != 0) return result;
  const auto before = path_of(from_at, from);
  const auto after = path_of(to_at, to);
  if (before && after) note(how, *before, *after);
  return result;
}

}  // namespace

// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  return opened(next<Open>("open")(path, flags, mode), flags);
}

extern "C" int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  return opened(next<Open>("open64")(path, flags, mode), flags);
}

extern "C" ssize_t pwrite(int descriptor, const void* data, size_t size, off_t at) {
  return written(
      next<ssize_t(int, const void*, size_t, off_t)>("pwrite")(descriptor, data, size, at),
      descriptor, data, at);
}

extern "C" ssize_t pwrite64(int descriptor, const void* data, size_t size, off64_t at) {
  return written(
      next<ssize_t(int, const void*, size_t, off64_t)>("pwrite64")(descriptor, data, size, at),
      descriptor, data, at);
}

extern "C" ssize_t pwritev(int descriptor, const iovec* parts, int count, off_t at) {
  const ssize_t result =
      next<ssize_t(int, const iovec*, int, off_t)>("pwritev")(descriptor, parts, count, at);
  std::size_t rest = result > 0 ? static_cast<std::size_t>(result) : 0;
  for (int i = 0; i < count && rest > 0; ++i) {
    const std::size_t size = std::min(rest, parts[i].iov_len);
    written(static_cast<ssize_t>(size), descriptor, parts[i].iov_base, at);
    at += static_cast<off_t>(size);
    rest -= size;
  }
  return result;
}

extern "C" ssize_t write(int descriptor, const void* data, size_t size) {
  const ssize_t result = next<ssize_t(int, const void*, size_t)>("write")(descriptor, data, size);
  if (result <= 0 || !path_of(descriptor)) return result;
  return written(result, descriptor, data, ::lseek(descriptor, 0, SEEK_CUR) - result);
}

extern "C" int ftruncate(int descriptor, off_t size) noexcept {
  return sized(next<int(int, off_t)>("ftruncate")(descriptor, size), descriptor, "size", size);
}

extern "C" int ftruncate64(int descriptor, off64_t size) noexcept {
  return sized(next<int(int, off64_t)>("ftruncate64")(descriptor, size), descriptor, "size", size);
}

extern "C" int posix_fallocate(int descriptor, off_t at, off_t size) {
  return sized(next<int(int, off_t, off_t)>("posix_fallocate")(descriptor, at, size), descriptor,
               "reserve", at + size);
}

extern "C" int fsync(int descriptor) {
  return synced(descriptor, [&] { return next<int(int)>("fsync")(descriptor); });
}

extern "C" int fdatasync(int descriptor) {
  return synced(descriptor, [&] { return next<int(int)>("fdatasync")(descriptor); });
}

extern "C" int rename(const char* from, const char* to) noexcept {
  return renamed(next<int(const char*, const char*)>("rename")(from, to), "rename", AT_FDCWD, from,
                 AT_FDCWD, to);
}

extern "C" int renameat(int from_at, const char* from, int to_at, const char* to) noexcept {
  return renamed(
      next<int(int, const char*, int, const char*)>("renameat")(from_at, from, to_at, to), "rename",
      from_at, from, to_at, to);
}

extern "C" int renameat2(int from_at, const char* from, int to_at, const char* to,
                         unsigned flags) noexcept {
  const int result = next<int(int, const char*, int, const char*, unsigned)>("renameat2")(
      from_at, from, to_at, to, flags);
  return renamed(result, (flags & RENAME_EXCHANGE) != 0 ? "exchange" : "rename", from_at, from,
                 to_at, to);
}

extern "C" int unlink(const char* path) noexcept {
  return named(next<int(const char*)>("unlink")(path), "unlink", AT_FDCWD, path);
}

extern "C" int unlinkat(int at, const char* path, int flags) noexcept {
  return named(next<int(int, const char*, int)>("unlinkat")(at, path, flags), "unlink", at, path);
}

extern "C" int rmdir(const char* path) noexcept {
  return named(next<int(const char*)>("rmdir")(path), "unlink", AT_FDCWD, path);
}

extern "C" int remove(const char* path) noexcept {
  return named(next<int(const char*)>("remove")(path), "unlink", AT_FDCWD, path);
}

extern "C" int mkdir(const char* path, mode_t mode) noexcept {
  return named(next<int(const char*, mode_t)>("mkdir")(path, mode), "mkdir", AT_FDCWD, path);
}
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
