// Preloaded into a run: counts its calls that change files of a folder, and kills the process in
// the middle of one of them. KILL_FOLDER: the folder; KILL_AT: which call, from 1, 0: none;
// KILL_COUNT: a file that gets the number of calls at the end.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

std::atomic<long> calls{0};

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

long number(const char* name) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtol(text, nullptr, 10) : 0;
}

bool is_inside(const char* path) {
  const char* folder = std::getenv("KILL_FOLDER");
  char full[PATH_MAX];
  return folder != nullptr && ::realpath(path, full) != nullptr &&
         std::string(full).rfind(std::string(folder) + "/", 0) == 0;
}

bool is_inside(int descriptor) {
  return is_inside(("/proc/self/fd/" + std::to_string(descriptor)).c_str());
}

/// Counts a call; whether it is the last one.
template <class Where>
bool is_last(Where where) {
  return is_inside(where) && ++calls == number("KILL_AT");
}

[[noreturn]] void die() {
  ::kill(::getpid(), SIGKILL);
  std::abort();
}

struct AtEnd {
  AtEnd() = default;
  AtEnd(const AtEnd&) = delete;
  AtEnd& operator=(const AtEnd&) = delete;
  ~AtEnd() {
    const char* path = std::getenv("KILL_COUNT");
    FILE* file = path != nullptr ? std::fopen(path, "w") : nullptr;
    if (file == nullptr) return;
    std::fprintf(file, "%ld\n", calls.load());
    std::fclose(file);
  }
};
const AtEnd at_end;

using Pwrite = ssize_t(int, const void*, size_t, off_t);

ssize_t write_or_die(const char* name, int descriptor, const void* data, size_t size, off_t at) {
  auto* const call = next<Pwrite>(name);
  if (!is_last(descriptor)) return call(descriptor, data, size, at);
  if (size > 1) static_cast<void>(call(descriptor, data, size / 2, at));
  die();
}

}  // namespace

// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" ssize_t pwrite(int descriptor, const void* data, size_t size, off_t at) {
  return write_or_die("pwrite", descriptor, data, size, at);
}

extern "C" ssize_t pwrite64(int descriptor, const void* data, size_t size, off64_t at) {
  return write_or_die("pwrite64", descriptor, data, size, at);
}

extern "C" ssize_t pwritev(int descriptor, const iovec* parts, int count, off_t at) {
  if (is_last(descriptor)) die();
  return next<ssize_t(int, const iovec*, int, off_t)>("pwritev")(descriptor, parts, count, at);
}

extern "C" ssize_t write(int descriptor, const void* data, size_t size) {
  auto* const call = next<ssize_t(int, const void*, size_t)>("write");
  if (!is_last(descriptor)) return call(descriptor, data, size);
  if (size > 1) static_cast<void>(call(descriptor, data, size / 2));
  die();
}

extern "C" int ftruncate(int descriptor, off_t size) noexcept {
  if (is_last(descriptor)) die();
  return next<int(int, off_t)>("ftruncate")(descriptor, size);
}

extern "C" int posix_fallocate(int descriptor, off_t at, off_t size) {
  if (is_last(descriptor)) die();
  return next<int(int, off_t, off_t)>("posix_fallocate")(descriptor, at, size);
}

extern "C" int fsync(int descriptor) {
  if (is_last(descriptor)) die();
  return next<int(int)>("fsync")(descriptor);
}

extern "C" int close(int descriptor) {
  if (is_last(descriptor)) die();
  return next<int(int)>("close")(descriptor);
}

extern "C" int rename(const char* from, const char* to) noexcept {
  if (is_last(from)) die();
  return next<int(const char*, const char*)>("rename")(from, to);
}

extern "C" int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
  if (is_last(("/proc/self/fd/" + std::to_string(from_folder) + "/" + from).c_str())) die();
  return next<int(int, const char*, int, const char*)>("renameat")(from_folder, from, to_folder,
                                                                   to);
}

extern "C" int unlink(const char* path) noexcept {
  if (is_last(path)) die();
  return next<int(const char*)>("unlink")(path);
}
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
