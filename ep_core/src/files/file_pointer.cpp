#include "files/file_pointer.hpp"

#include <ep/ep.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <filesystem>

namespace ep {

namespace {

std::string hidden_beside(const std::filesystem::path& file, const std::string& id) {
  return file.parent_path() / ("." + file.filename().string() + ".shared-pointer." + id);
}

}  // namespace

SharedPointer::SharedPointer(bool in_one_process, const std::string& beside, const std::string& id,
                             std::int64_t first)
    : in_one_process_(in_one_process), path_(hidden_beside(beside, id)), position_(first) {}

std::int64_t SharedPointer::advance(std::int64_t count) {
  if (in_one_process_) return position_.fetch_add(count);
  const std::lock_guard lock(mutex_);
  return advance_in_file(count);
}

std::int64_t SharedPointer::advance_in_file(std::int64_t count) {
  if (!hidden_) {
    int error = 0;
    hidden_ = open_file(path_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW, error);
    if (error != 0) fail_system(error, "cannot keep the shared pointer in '" + path_ + "'");
  }
  const RangeLock lock(hidden_.get(), Direction::write, 0, sizeof(std::int64_t), path_);
  // The hidden file is empty until an endpoint has moved the pointer.
  std::int64_t now = position_.load();
  std::array<FileTask, 1> task{};
  std::int64_t found = 0;
  task[0].memory = reinterpret_cast<std::byte*>(&found);
  task[0].length = sizeof found;
  MoveEnd end = move(hidden_.get(), Direction::read, task);
  if (end.error != 0) fail_system(end.error, "cannot read the shared pointer in '" + path_ + "'");
  if (task[0].done == sizeof found) now = found;
  if (count == 0) return now;
  found = now + count;
  end = move(hidden_.get(), Direction::write, task);
  if (end.error != 0) fail_system(end.error, "cannot write the shared pointer in '" + path_ + "'");
  return now;
}

void SharedPointer::note(std::int64_t position) {
  const std::lock_guard lock(mutex_);
  position_.store(position);
  static_cast<void>(hidden_.close());  // the hidden file will be removed
}

void SharedPointer::forget() const {
  if (in_one_process_ || unlink(path_.c_str()) == 0 || errno == ENOENT) return;
  fail_system(errno, "cannot remove the shared pointer in '" + path_ + "'");
}

}  // namespace ep
