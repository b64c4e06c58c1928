// Preloaded into a run: counts its calls that change files of a folder, and kills the process in
// the middle of one of them, or lets one fail.
//   KILL_FOLDER  the folder
//   KILL_AT      which call, from 1, 0: none
//   KILL_COUNT   a file that gets the number of calls at the end
//   FAULT        EIO, ENOSPC, ...: the call fails with it; short: it writes half; jump: the clock
//   is
//                an hour off from then on, back at the next call, and so on. Else the process dies.
//   FAULT_CALL   counts only these: open, write, space, fsync, close, rename, unlink; or clock,
//                thread (starts of std::thread), memory (operator new, from main() on)
//   FAULT_LASTS  all such calls from there on fail
//   FAULT_LEAST  bytes of an allocation from which on it counts, 4096 unless it is set
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
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

bool is_writable(int descriptor) {
  const int flags = ::fcntl(descriptor, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

[[noreturn]] void die() {
  ::kill(::getpid(), SIGKILL);
  std::abort();
}

const char* fault() { return std::getenv("FAULT"); }

/// Returns the number of the fault as an error of a system call; 0 if it is none.
int error_of_fault() {
  struct Known {
    const char* name;
    int error;
  };
  constexpr std::array all{Known{"EIO", EIO},       Known{"ENOSPC", ENOSPC},
                           Known{"EDQUOT", EDQUOT}, Known{"EINTR", EINTR},
                           Known{"EMFILE", EMFILE}, Known{"EAGAIN", EAGAIN},
                           Known{"EACCES", EACCES}, Known{"ENOMEM", ENOMEM}};
  for (const Known& known : all) {
    if (std::strcmp(known.name, fault()) == 0) return known.error;
  }
  return 0;
}

/// Counts a call of a kind; returns true if it is the one, or a later one where faults last.
bool is_struck(const char* kind) {
  const char* const only = std::getenv("FAULT_CALL");
  if (only != nullptr && std::strcmp(only, kind) != 0) return false;
  const long wanted = number("KILL_AT");
  const long now = ++calls;
  return now == wanted || (wanted > 0 && now > wanted && std::getenv("FAULT_LASTS") != nullptr);
}

/// Counts a call on a file of the folder. Returns an error that it is to fail with, or 0. A fault
/// is not for files that are only read, but for folders.
int error_of(const char* kind, int descriptor) {
  const bool is_meant =
      fault() == nullptr || is_writable(descriptor) || std::strcmp(kind, "fsync") == 0;
  if (!is_meant || !is_inside(descriptor) || !is_struck(kind)) return 0;
  if (fault() == nullptr) die();
  return error_of_fault();
}

int error_of(const char* kind, const std::string& path) {
  if (!is_inside(path.c_str()) || !is_struck(kind)) return 0;
  if (fault() == nullptr) die();
  return error_of_fault();
}

template <class Result>
Result failed(int error, Result result) {
  errno = error;
  return result;
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

/// Writes through `call(bytes)`, or half of it, or nothing.
template <class Call>
ssize_t write_or_not(int descriptor, std::size_t size, Call call) {
  if (!is_inside(descriptor) || !is_struck("write")) return call(size);
  const bool is_short = fault() != nullptr && std::strcmp(fault(), "short") == 0;
  if (fault() != nullptr && !is_short) return failed<ssize_t>(error_of_fault(), -1);
  const ssize_t written = size > 1 || is_short ? call(size > 1 ? size / 2 : size) : 0;
  if (!is_short) die();
  return written;
}

/// The folder of a file that may not be there yet.
bool is_made_inside(const char* path) {
  const std::string text(path);
  const auto slash = text.rfind('/');
  return is_inside(
             (slash == std::string::npos ? "./." : text.substr(0, slash + 1) + ".").c_str()) ||
         is_inside(path);
}

/// Opening for reading alone is no change of a file, and not counted among kills, as it never was.
int error_of_open(const char* path, int flags) {
  if (fault() == nullptr || (flags & O_ACCMODE) == O_RDONLY || !is_made_inside(path)) return 0;
  return is_struck("open") ? error_of_fault() : 0;
}

using Open = int(const char*, int, ...);

/// Seconds that the clock is off.
long seconds_off() {
  if (fault() == nullptr || std::strcmp(fault(), "jump") != 0 || !is_struck("clock")) return 0;
  constexpr long hour = 3600;
  return calls % 2 == 0 ? hour : -hour;
}

/// True if the caller is std::thread. Communication libraries that get no thread end the process.
bool is_of_cpp(const void* caller) {
  Dl_info where;
  return ::dladdr(caller, &where) != 0 && std::strstr(where.dli_fname, "libstdc++") != nullptr;
}

/// True from the start of main() to its end.
std::atomic<bool> is_in_program{false};

std::size_t least_size() {
  constexpr std::size_t unless_told = 4096;
  const long least = number("FAULT_LEAST");
  return least > 0 ? static_cast<std::size_t>(least) : unless_told;
}

void* take_memory(std::size_t size, bool throws) {
  // (Some libraries allocate when they are loaded, where nobody could catch what is thrown.)
  const bool is_out = is_in_program && fault() != nullptr && size >= least_size() &&
                      std::getenv("FAULT_CALL") != nullptr &&
                      std::strcmp(std::getenv("FAULT_CALL"), "memory") == 0 && is_struck("memory");
  void* const out = is_out ? nullptr : std::malloc(size == 0 ? 1 : size);
  if (out == nullptr && throws) throw std::bad_alloc();
  return out;
}

}  // namespace

extern "C" int __libc_start_main(int (*program)(int, char**, char**), int count, char** texts,
                                 void (*begin)(), void (*end)(), void (*over)(), void* stack) {
  static auto* const own_main = program;
  const auto counted_main = [](int argc, char** argv, char** environment) {
    is_in_program = true;
    const int result = own_main(argc, argv, environment);
    is_in_program = false;
    return result;
  };
  using Start =
      int(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
  return next<Start>("__libc_start_main")(+counted_main, count, texts, begin, end, over, stack);
}

// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" ssize_t pwrite(int descriptor, const void* data, size_t size, off_t at) {
  auto* const call = next<ssize_t(int, const void*, size_t, off_t)>("pwrite");
  return write_or_not(descriptor, size,
                      [&](size_t bytes) { return call(descriptor, data, bytes, at); });
}

extern "C" ssize_t pwrite64(int descriptor, const void* data, size_t size, off64_t at) {
  auto* const call = next<ssize_t(int, const void*, size_t, off64_t)>("pwrite64");
  return write_or_not(descriptor, size,
                      [&](size_t bytes) { return call(descriptor, data, bytes, at); });
}

extern "C" ssize_t pwritev(int descriptor, const iovec* parts, int count, off_t at) {
  const int error = error_of("write", descriptor);
  if (error != 0) return failed<ssize_t>(error, -1);
  return next<ssize_t(int, const iovec*, int, off_t)>("pwritev")(descriptor, parts, count, at);
}

extern "C" ssize_t write(int descriptor, const void* data, size_t size) {
  auto* const call = next<ssize_t(int, const void*, size_t)>("write");
  return write_or_not(descriptor, size,
                      [&](size_t bytes) { return call(descriptor, data, bytes); });
}

extern "C" int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  if (const int error = error_of_open(path, flags); error != 0) return failed(error, -1);
  return next<Open>("open")(path, flags, mode);
}

extern "C" int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  if (const int error = error_of_open(path, flags); error != 0) return failed(error, -1);
  return next<Open>("open64")(path, flags, mode);
}

extern "C" int ftruncate(int descriptor, off_t size) noexcept {
  if (const int error = error_of("space", descriptor); error != 0) return failed(error, -1);
  return next<int(int, off_t)>("ftruncate")(descriptor, size);
}

extern "C" int posix_fallocate(int descriptor, off_t at, off_t size) {
  if (const int error = error_of("space", descriptor); error != 0) return error;
  return next<int(int, off_t, off_t)>("posix_fallocate")(descriptor, at, size);
}

extern "C" int fsync(int descriptor) {
  if (const int error = error_of("fsync", descriptor); error != 0) return failed(error, -1);
  return next<int(int)>("fsync")(descriptor);
}

// It is closed whatever it says.
extern "C" int close(int descriptor) {
  const int error = error_of("close", descriptor);
  if (error != 0) {
    const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
    std::array<char, 4096> name{};
    if (::readlink(link.c_str(), name.data(), name.size() - 1) > 0) {
      std::fprintf(stderr, "kill_at: the close of '%s' fails\n", name.data());
    }
  }
  const int closed = next<int(int)>("close")(descriptor);
  return error != 0 ? failed(error, -1) : closed;
}

extern "C" int rename(const char* from, const char* to) noexcept {
  if (const int error = error_of("rename", from); error != 0) return failed(error, -1);
  return next<int(const char*, const char*)>("rename")(from, to);
}

extern "C" int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
  const std::string path = "/proc/self/fd/" + std::to_string(from_folder) + "/" + from;
  if (const int error = error_of("rename", path); error != 0) return failed(error, -1);
  return next<int(int, const char*, int, const char*)>("renameat")(from_folder, from, to_folder,
                                                                   to);
}

extern "C" int unlink(const char* path) noexcept {
  if (const int error = error_of("unlink", path); error != 0) return failed(error, -1);
  return next<int(const char*)>("unlink")(path);
}

extern "C" int clock_gettime(clockid_t clock, timespec* now) noexcept {
  const int result = next<int(clockid_t, timespec*)>("clock_gettime")(clock, now);
  if (result == 0 && clock == CLOCK_REALTIME) now->tv_sec += seconds_off();
  return result;
}

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* how, void* (*start)(void*),
                              void* with) noexcept {
  const char* const only = std::getenv("FAULT_CALL");
  if (fault() != nullptr && only != nullptr && std::strcmp(only, "thread") == 0 &&
      is_of_cpp(__builtin_return_address(0)) && is_struck("thread")) {
    return error_of_fault();
  }
  return next<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create")(
      thread, how, start, with);
}

void* operator new(std::size_t size) { return take_memory(size, true); }
void* operator new[](std::size_t size) { return take_memory(size, true); }
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return take_memory(size, false);
}
void* operator new[](std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return take_memory(size, false);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t /*size*/) noexcept { std::free(memory); }
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
