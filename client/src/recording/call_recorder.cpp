// Calls are collected in a buffer of fixed size; arrays go straight from the model's memory to the
// file. What has been written stays when the process is killed.
#include "recording/call_recorder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <system_error>
#include <utility>

#include "session/log.hpp"

namespace epios::client {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 20U;

/// A limit of file sizes is an error of write(), not a signal that ends the model.
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

/// Returns 0, or the error.
int write_all(int file, std::span<const std::byte> bytes) {
  const NoSizeSignal no_signal;
  while (!bytes.empty()) {
    const std::int64_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count < 0 ? errno : ENOSPC;
    bytes = bytes.subspan(size_of(count));
  }
  return 0;
}

/// Clients meet the same full disk: the first one that leaves the mark speaks for all.
bool is_first_to_tell(const std::string& path, int client) {
  const std::string mark =
      path.substr(0, path.size() - fmt::format("{}.calls", client).size()) + "stopped";
  const int file = ::open(mark.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return errno != EEXIST;
  static_cast<void>(::close(file));
  return true;
}

void tell(const std::string& path, const RecordingHeader& header, int error) {
  if (!is_first_to_tell(path, header.client)) return;
  log_warning(fmt::format(
      "component '{}': its calls are not recorded any more (client {} cannot write '{}': {}); the "
      "run goes on. Is there room in the folder that variable record of context xios names?",
      header.component, header.client, path, std::strerror(error)));
}

}  // namespace

std::unique_ptr<CallRecorder> CallRecorder::begin(const std::string& folder,
                                                  RecordingHeader header) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  std::string path = recording_path(folder, header.component, header.client);
  const std::string number = fmt::format("{}.calls", header.client);
  if (header.client == 0) {
    std::filesystem::remove(path.substr(0, path.size() - number.size()) + "stopped", problem);
  }
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  int error = file < 0 ? errno : 0;
  if (error == 0) error = write_all(file, encode(header));
  if (error == 0) {
    return std::unique_ptr<CallRecorder>(
        new CallRecorder(std::move(path), std::move(header), file));
  }
  tell(path, header, error);
  if (file >= 0) static_cast<void>(::close(file));
  return nullptr;
}

CallRecorder::CallRecorder(std::string path, RecordingHeader header, int file)
    : path_(std::move(path)),
      component_(std::move(header.component)),
      client_(header.client),
      has_data_(header.has_data),
      file_(file) {
  buffer_.reserve(buffer_bytes);
}

CallRecorder::~CallRecorder() {
  const std::scoped_lock lock(mutex_);
  flush();
  if (file_ >= 0) static_cast<void>(::close(file_));
}

void CallRecorder::stop(int error) {
  is_open_ = false;
  static_cast<void>(::close(std::exchange(file_, -1)));
  buffer_ = {};
  RecordingHeader header;
  header.component = component_;
  header.client = client_;
  tell(path_, header, error);
}

void CallRecorder::put(std::span<const std::byte> bytes) {
  if (file_ < 0) return;
  if (const int error = write_all(file_, bytes); error != 0) stop(error);
}

void CallRecorder::flush() {
  put(buffer_);
  buffer_.clear();
  flushed_ = Clock::now();
}

void CallRecorder::write(const CallView& view) {
  using std::chrono::duration_cast;
  using std::chrono::microseconds;
  constexpr std::chrono::seconds lost_at_most{1};
  const std::scoped_lock lock(mutex_);
  if (file_ < 0) return;
  const Clock::time_point now = Clock::now();
  const auto before = std::max(duration_cast<microseconds>(now - ended_), microseconds{0});
  append(buffer_, view, static_cast<std::uint64_t>(before.count()));
  if (buffer_.size() + view.data.size() <= buffer_bytes) {
    buffer_.insert(buffer_.end(), view.data.begin(), view.data.end());
  } else {
    flush();
    put(view.data);
  }
  ended_ = now;
  // What may be the last of a process is there for others.
  if (now - flushed_ > lost_at_most) flush();
}

void CallRecorder::end_call() {
  const std::scoped_lock lock(mutex_);
  ended_ = Clock::now();
}

void CallRecorder::note_failure(std::string_view text) {
  write({RecordedKind::failure, 0, std::span(&text, 1)});
  const std::scoped_lock lock(mutex_);
  flush();
}

void CallRecorder::abandon(std::string_view why) {
  if (!is_open_) return;
  write({RecordedKind::abandon, 0, std::span(&why, 1)});
  const std::scoped_lock lock(mutex_);
  flush();
}

std::span<const std::byte> ContextRecord::sample_of(std::span<const std::byte> data,
                                                    std::size_t value_bytes,
                                                    std::span<std::byte> room) {
  const std::size_t values = data.size() / value_bytes;
  const std::size_t count = std::min(values, sampled_values);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = count > 1 ? i * (values - 1) / (count - 1) : 0;
    std::memcpy(room.data() + i * value_bytes, data.data() + at * value_bytes, value_bytes);
  }
  return room.first(count * value_bytes);
}

}  // namespace epios::client
