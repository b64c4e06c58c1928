#include "recording/call_recorder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "session/log.hpp"

namespace epios::client {
namespace {

/// The name of a mark beside the file of a client.
std::string mark_beside(const std::string& path, int client, const char* mark) {
  return path.substr(0, path.size() - fmt::format("{}.calls", client).size()) + mark;
}

/// A run that records there already, and one that may not, have marks of their own.
const char* mark_of(int error) { return error == EWOULDBLOCK ? "refused" : "stopped"; }

/// Clients meet the same full disk: the first one that leaves the mark speaks for all.
bool is_first_to_tell(const std::string& path, int client, int error) {
  const std::string mark = mark_beside(path, client, mark_of(error));
  const int file = ::open(mark.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return errno != EEXIST;
  static_cast<void>(::close(file));
  return true;
}

void tell(const std::string& path, const std::string& component, int client, int error) {
  if (!is_first_to_tell(path, client, error)) return;
  if (error == EWOULDBLOCK) {
    return log_warning(
        fmt::format("component '{}': its calls are not recorded (another run writes '{}'). Name "
                    "another folder by variable record of context xios?",
                    component, path));
  }
  log_warning(fmt::format(
      "component '{}': its calls are not recorded any more (client {} cannot write '{}': {}); the "
      "run goes on. Is there room in the folder that variable record of context xios names?",
      component, client, path, std::strerror(error)));
}

}  // namespace

std::unique_ptr<CallRecorder> CallRecorder::begin(const std::string& folder,
                                                  RecordingHeader header) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  std::string path = recording_path(folder, header.component, header.client);
  auto file = std::make_unique<MappedFile>(path);
  if (header.client == 0) {  // of a run before
    std::filesystem::remove(mark_beside(path, 0, mark_of(file->error())), problem);
  }
  file->append(encode(header));
  if (file->is_open()) {
    return std::unique_ptr<CallRecorder>(
        new CallRecorder(std::move(path), std::move(header), std::move(file)));
  }
  tell(path, header.component, header.client, file->error());
  return nullptr;
}

CallRecorder::CallRecorder(std::string path, RecordingHeader header,
                           std::unique_ptr<MappedFile> file)
    : path_(std::move(path)),
      component_(std::move(header.component)),
      client_(header.client),
      has_data_(header.has_data),
      file_(std::move(file)) {}

void CallRecorder::write(const CallView& view) {
  using std::chrono::duration_cast;
  using std::chrono::microseconds;
  const std::scoped_lock lock(mutex_);
  if (!file_->is_open()) return;
  const Clock::time_point now = Clock::now();
  const auto before = std::max(duration_cast<microseconds>(now - ended_), microseconds{0});
  encoded_.clear();
  append(encoded_, view, static_cast<std::uint64_t>(before.count()));
  file_->append(encoded_);
  file_->append(view.data);
  ended_ = now;
  if (file_->is_open()) return;
  is_open_ = false;
  tell(path_, component_, client_, file_->error());
}

void CallRecorder::end_call() {
  const std::scoped_lock lock(mutex_);
  ended_ = Clock::now();
}

void CallRecorder::note_failure(std::string_view text) {
  write({RecordedKind::failure, 0, std::span(&text, 1)});
}

void CallRecorder::abandon(std::string_view why) {
  if (!is_open_) return;
  write({RecordedKind::abandon, 0, std::span(&why, 1)});
  is_open_ = false;
  const std::scoped_lock lock(mutex_);
  file_->close();
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
