// Writes a trace file that is valid JSON at any time, so that it can be read even if the job is
// killed: each write ends the array, and the next one overwrites that end. In order: clocks and
// texts, the file, adding events, writing.
#include "traces/trace_file.hpp"

#include <ep/ep.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "process/error.hpp"

namespace ep {

namespace {

constexpr std::size_t most_waiting_bytes = 65536;
constexpr std::chrono::seconds longest_delay{1};
constexpr std::string_view end_of_array = "\n]\n";

// Times count from here, the same in all processes and small enough for the digits of a double.
constexpr std::chrono::sys_days origin{std::chrono::year{2026} / 1 / 1};

// Two clocks, read together as well as possible.
std::chrono::nanoseconds time_between_origins() {
  using System = std::chrono::system_clock;
  std::chrono::nanoseconds best{};
  std::chrono::nanoseconds closest = std::chrono::nanoseconds::max();
  for (int i = 0; i < 16; ++i) {
    const auto before = TraceFile::Clock::now().time_since_epoch();
    const auto now = System::now() - origin;
    const auto after = TraceFile::Clock::now().time_since_epoch();
    if (after - before >= closest) continue;
    closest = after - before;
    best = now - before - closest / 2;
  }
  return best;
}

// Microseconds with three digits behind the point.
std::string as_microseconds(std::int64_t nanoseconds) {
  std::array<char, 40> text{};
  const int size = std::snprintf(text.data(), text.size(), "%lld.%03lld",
                                 static_cast<long long>(nanoseconds / 1000),
                                 static_cast<long long>(nanoseconds % 1000));
  return {text.data(), static_cast<std::size_t>(size)};
}

}  // namespace

std::string json_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      std::array<char, 8> code{};
      const auto number = static_cast<unsigned>(static_cast<unsigned char>(c));
      out.append(code.data(), static_cast<std::size_t>(
                                  std::snprintf(code.data(), code.size(), "\\u%04x", number)));
    } else {
      out += c;
    }
  }
  return out;
}

std::string trace_path(const std::string& pattern, int world_rank) {
  const std::size_t name = pattern.find_last_of('/') + 1;  // 0 where there is no folder
  const std::size_t point = pattern.find_last_of('.');
  const std::string number = "." + std::to_string(world_rank);
  if (point == std::string::npos || point <= name) return pattern + number;
  return pattern.substr(0, point) + number + pattern.substr(point);
}

namespace {

// The name is known beforehand. What stands there, perhaps a link that somebody else has laid, is
// replaced and never written to.
int create_instead(const std::string& path) {
  static_cast<void>(::unlink(path.c_str()));
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

}  // namespace

TraceFile::TraceFile(std::string path, int world_rank)
    : path_(std::move(path)),
      world_rank_(world_rank),
      descriptor_(create_instead(path_)),
      since_origin_(time_between_origins()),
      last_write_(Clock::now()) {
  if (descriptor_ < 0) {
    fail(EP_ERR_FILE, "trace file '", path_, "' cannot be created (", std::strerror(errno),
         "). Is EP_TRACE right?");
  }
  std::array<char, 256> host{};
  static_cast<void>(::gethostname(host.data(), host.size() - 1));
  append(0, {},
         "\"name\":\"process_name\",\"ph\":\"M\",\"args\":{\"name\":\"process " +
             std::to_string(world_rank_) + " (" + json_text(host.data()) + ")\"}");
  write();
}

TraceFile::~TraceFile() {
  flush();
  if (descriptor_ >= 0) ::close(descriptor_);
}

void TraceFile::add(int thread, Clock::time_point time, std::string_view fields) {
  append(thread, ",\"ts\":" + microseconds(time), fields);
}

void TraceFile::add(int thread, Clock::time_point begin, Clock::time_point end,
                    std::string_view fields) {
  // An interval shorter than the resolution of the clock is shown with 1 ns.
  const auto duration = std::max<std::int64_t>(std::chrono::nanoseconds(end - begin).count(), 1);
  append(thread, ",\"ts\":" + microseconds(begin) + ",\"dur\":" + as_microseconds(duration),
         fields);
}

void TraceFile::name(int thread, std::string_view text) {
  append(thread, {},
         "\"name\":\"thread_name\",\"ph\":\"M\",\"args\":{\"name\":\"" + json_text(text) + "\"}");
}

std::string TraceFile::microseconds(Clock::time_point time) const {
  return as_microseconds((time.time_since_epoch() + since_origin_).count());
}

void TraceFile::append(int thread, std::string_view times, std::string_view fields) {
  const std::lock_guard lock(mutex_);
  if (descriptor_ < 0) return;
  lines_ += offset_ == 0 && lines_.empty() ? "[\n" : ",\n";
  lines_ += "{\"pid\":" + std::to_string(world_rank_) + ",\"tid\":" + std::to_string(thread);
  lines_.append(times).append(",").append(fields).append("}");
  const bool is_late = Clock::now() - last_write_ >= longest_delay;
  if (is_late || lines_.size() >= most_waiting_bytes) write();
}

void TraceFile::flush() {
  const std::lock_guard lock(mutex_);
  write();
}

// Writes the end of the array in the same call; the next lines overwrite it.
void TraceFile::write() {
  if (descriptor_ < 0 || lines_.empty()) return;
  const std::size_t size = lines_.size();
  lines_ += end_of_array;
  std::size_t done = 0;
  while (done < lines_.size()) {
    const ssize_t written = ::pwrite(descriptor_, lines_.data() + done, lines_.size() - done,
                                     offset_ + static_cast<std::int64_t>(done));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      std::fprintf(stderr, "ep: warning: trace file '%s' cannot be written (%s). It ends here.\n",
                   path_.c_str(), std::strerror(errno));
      ::close(std::exchange(descriptor_, -1));
      break;
    }
    done += static_cast<std::size_t>(written);
  }
  offset_ += static_cast<std::int64_t>(size);
  lines_.clear();
  last_write_ = Clock::now();
}

}  // namespace ep
