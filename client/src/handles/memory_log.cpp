#include "handles/memory_log.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "config/error.hpp"

namespace epios::client {

double resident_memory_mb() {
  std::ifstream statm("/proc/self/statm");  // pages: all, resident, ...
  double all = 0;
  double resident = 0;
  if (!(statm >> all >> resident)) {
    throw Error(ErrorCode::resource,
                "the memory of this process is not known (/proc/self/statm cannot be read). Is "
                "/proc mounted?");
  }
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1e6;
}

void MemoryLog::check(bool done) const {
  if (done) return;
  throw Error(ErrorCode::io,
              fmt::format("'xios_memory_{}.csv' cannot be written ({}). Set log_memory to false?",
                          rank_, std::strerror(errno)));
}

void MemoryLog::add(std::string_view place) {
  if (!file_) {
    // The name is known beforehand. What stands there, perhaps a link that somebody else has laid,
    // is replaced and never written to.
    const std::string path = fmt::format("xios_memory_{}.csv", rank_);
    static_cast<void>(::unlink(path.c_str()));
    file_.reset(std::fopen(path.c_str(), "wxe"));
    check(file_ != nullptr);
    check(std::fputs("place,seconds,resident_mb\n", file_.get()) >= 0);
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const std::string line = fmt::format("{},{:.3f},{:.3f}\n", place, seconds, resident_memory_mb());
  check(std::fputs(line.c_str(), file_.get()) >= 0);
}

void MemoryLog::flush() {
  if (file_) check(std::fflush(file_.get()) == 0);
}

}  // namespace epios::client
