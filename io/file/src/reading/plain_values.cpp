#include "file/plain_values.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <utility>

#include "config/error.hpp"

namespace epios::io {

namespace {

constexpr std::int64_t value_bytes = sizeof(double);
constexpr std::int64_t window_values = 131'072;  // 1 MB
constexpr std::int64_t gap_values = 8'192;       // cheaper to read than another call

/// Calls `visit(first, count)` for runs of neighbouring values, ascending.
void for_each_run(const PlainSelection& selection, std::size_t level, std::int64_t first,
                  const std::function<void(std::int64_t, std::int64_t)>& visit) {
  if (level == 0) return visit(first, 1);
  const std::size_t d = level - 1;
  std::int64_t stride = 1;
  for (std::size_t i = 0; i < d; ++i) stride *= selection.sizes[i];
  for (const PlaceRun& run : selection.positions[d]) {
    if (d == 0) {
      visit(first + run.place, run.count);
      continue;
    }
    for (std::int64_t k = 0; k < run.count; ++k) {
      for_each_run(selection, d, first + (run.place + k) * stride, visit);
    }
  }
}

}  // namespace

PlainFile::PlainFile(std::string path, std::int64_t bytes) : path_(std::move(path)) {
  file_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (file_ < 0) fail(fmt::format("cannot be opened ({})", std::strerror(errno)));
  struct stat status {};
  const bool is_known = ::fstat(file_, &status) == 0;
  if (is_known && status.st_size == bytes) return;
  const std::string why =
      is_known ? fmt::format("{} bytes", status.st_size) : std::string(std::strerror(errno));
  ::close(file_);
  fail(fmt::format("is not the file that another process sees ({}, there {} bytes)", why, bytes));
}

PlainFile::~PlainFile() { ::close(file_); }

void PlainFile::fail(const std::string& why) const {
  throw Error(ErrorCode::io, fmt::format("file '{}' {}. Do all processes see one file system, and "
                                         "does nobody change the file?",
                                         path_, why));
}

void PlainFile::read_bytes(std::int64_t offset, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t got = ::pread(file_, bytes.data(), bytes.size(), offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(fmt::format("cannot be read ({})", std::strerror(errno)));
    if (got == 0) fail("ends too early");
    bytes = bytes.subspan(static_cast<std::size_t>(got));
    offset += got;
  }
}

void PlainFile::read(const PlainVariable& variable, const PlainSelection& selection,
                     std::span<double> values) const {
  struct Run {
    std::int64_t first = 0, count = 0;
  };
  std::vector<double> window;
  std::vector<Run> runs;  // in the window under way
  std::size_t done = 0;
  const auto flush = [&] {
    if (runs.empty()) return;
    const std::int64_t begin = runs.front().first;
    const std::int64_t end = runs.back().first + runs.back().count;
    if (runs.size() == 1) {
      const auto to = values.subspan(done, static_cast<std::size_t>(end - begin));
      read_bytes(variable.offset + begin * value_bytes, std::as_writable_bytes(to));
      done += to.size();
    } else {
      window.resize(static_cast<std::size_t>(end - begin));
      read_bytes(variable.offset + begin * value_bytes, std::as_writable_bytes(std::span(window)));
      for (const Run& run : runs) {
        std::copy_n(window.begin() + (run.first - begin), run.count,
                    values.begin() + static_cast<std::ptrdiff_t>(done));
        done += static_cast<std::size_t>(run.count);
      }
    }
    runs.clear();
  };
  for_each_run(
      selection, selection.positions.size(), 0, [&](std::int64_t first, std::int64_t count) {
        if (count == 0) return;
        const bool is_near = !runs.empty() &&
                             first - (runs.back().first + runs.back().count) <= gap_values &&
                             first + count - runs.front().first <= window_values;
        if (!is_near) flush();
        runs.push_back({first, count});
      });
  flush();
}

}  // namespace epios::io
