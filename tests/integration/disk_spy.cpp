// Preloaded into a run: logs what is brought to disk and what gets another name or
// loses its own, in order.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

void note(const std::string& what, const char* path) {
  const char* log = std::getenv("DISK_LOG");
  const int file = log != nullptr ? ::open(log, O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;
  if (file < 0) return;  // a missing log makes the test fail
  const std::string line = what + " " + path + "\n";
  if (::write(file, line.data(), line.size()) < 0) std::perror("disk_spy");
  ::close(file);
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" int fsync(int descriptor) {
  const int result = next<int(int)>("fsync")(descriptor);
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  char path[PATH_MAX];
  if (result == 0 && ::realpath(link.c_str(), path) != nullptr) note("fsync", path);
  return result;
}

extern "C" int rename(const char* from, const char* to) noexcept {
  char path[PATH_MAX];
  if (::realpath(from, path) != nullptr) note("rename", path);
  return next<int(const char*, const char*)>("rename")(from, to);
}

extern "C" int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
  const std::string link = "/proc/self/fd/" + std::to_string(from_folder) + "/" + from;
  char path[PATH_MAX];
  if (::realpath(link.c_str(), path) != nullptr) note("rename", path);
  return next<int(int, const char*, int, const char*)>("renameat")(from_folder, from, to_folder,
                                                                   to);
}

extern "C" int unlink(const char* name) noexcept {
  char path[PATH_MAX];
  if (::realpath(name, path) != nullptr) note("unlink", path);
  return next<int(const char*)>("unlink")(name);
}
