#include "disk/unpublished_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "config/error.hpp"

namespace epios::io {

void UnpublishedFile::check(int error, const std::string& problem) const {
  if (error != 0) throw Error(ErrorCode::io, system_error_text(path_, problem, error));
}

void UnpublishedFile::create() {
  std::error_code ignored;
  const bool is_folder = std::filesystem::is_directory(path_, ignored);
  check(is_folder ? EISDIR : 0, "cannot be created");
  check(take(), "cannot be created");
  check(data_.truncate(0), "cannot be created");
}

/// Opens and locks the .part file, which is its only name.
int UnpublishedFile::take() {
  // Another job may give the file its final name between open and lock: then there is a new one.
  constexpr int attempts = 3;
  int error = ESTALE;
  for (int attempt = 0; attempt < attempts && (error == ESTALE || error == ENOENT); ++attempt) {
    PosixFile file;
    error = file.create(part_);
    if (error == 0) error = file.lock();
    if (error == 0) error = file.check_name(part_);
    if (error == 0) data_ = std::move(file);
  }
  return error;
}

void UnpublishedFile::open() { check(data_.open_own(part_), "cannot be opened by every writer"); }

void UnpublishedFile::sync(bool and_name) const {
  check(data_.sync(), "cannot be brought to disk");
  if (and_name) check(sync_folder(folder_of(part_)), "cannot be brought to disk");
}

void UnpublishedFile::close() { check(data_.close(), "cannot be closed"); }

void UnpublishedFile::check() const {
  check(data_.check_name(part_), "cannot be continued");
  std::uint64_t bytes = 0;
  check(data_.size(bytes), "cannot be looked at");
  check_length(bytes, file_end_, bytes >= file_end_);
}

void UnpublishedFile::check_length(std::uint64_t bytes, std::uint64_t wanted, bool is_good) const {
  if (is_good) return;
  throw Error(ErrorCode::io,
              fmt::format("file '{}': cannot be continued (its '.part' has {} bytes, {} were "
                          "written). Did another job or a clean-up touch it during the run?",
                          path_, bytes, wanted));
}

int UnpublishedFile::set_aside_up_to(std::uint64_t end) {
  if (end <= space_end_) return 0;
  if (file_end_ == 0) {
    check(data_.size(file_end_), "cannot be looked at");
    space_end_ = file_end_;
  }
  const int error = data_.reserve(space_end_, end);
  if (error == 0) {
    space_end_ = end;
    file_end_ = std::max(file_end_, end);
  } else {  // some file systems keep what they could give
    check(data_.truncate(file_end_), "cannot be cut");
  }
  return error;
}

void UnpublishedFile::check_set_aside(int error, std::uint64_t end, const std::string& what) const {
  check(error, fmt::format("cannot set aside {:.1f} MB for {}",
                           static_cast<double>(end - space_end_) / 1e6, what));
}

void UnpublishedFile::set_aside(std::uint64_t end, const std::string& what) {
  check_set_aside(set_aside_up_to(end), end, what);
}

// Writing what got no space may fail, on one writer; the others learn of it in the next thing that
// all do together.
void UnpublishedFile::set_aside_or(std::uint64_t end, const std::string& what,
                                   const std::function<std::uint64_t()>& least,
                                   const std::string& needed) {
  const int error = set_aside_up_to(end);
  if (error != ENOSPC && error != EDQUOT) return check_set_aside(error, end, what);
  const std::uint64_t bare = least();
  check_set_aside(set_aside_up_to(bare), bare, needed);
  extend(end);
}

void UnpublishedFile::extend(std::uint64_t end) {
  file_end_ = std::max(file_end_, end);
  check(data_.truncate(file_end_), "cannot be extended");
}

void UnpublishedFile::keep(std::uint64_t end) {
  file_end_ = std::max(file_end_, end);
  space_end_ = std::max(space_end_, end);
}

void UnpublishedFile::finish(std::uint64_t bytes, bool to_disk) {
  finished_end_ = bytes;
  check(data_.truncate(bytes), "cannot be cut to its length");
  if (to_disk) sync();
  check(data_.check_written(), "cannot be closed");
}

/// A file that was overwritten from outside shows it at the beginning first.
void UnpublishedFile::check_signature() const {
  std::vector<std::byte> head(signature_.size());
  check(data_.read_at(head, 0), "cannot be looked at");
  if (std::memcmp(head.data(), signature_.data(), signature_.size()) == 0) return;
  throw Error(
      ErrorCode::io,
      fmt::format("file '{}': cannot get its final name (its '.part' does not begin as it was "
                  "written). Did another job or a clean-up touch it during the run?",
                  path_));
}

std::int64_t UnpublishedFile::publish() {
  std::uint64_t bytes = 0;
  check(data_.check_name(part_), "cannot get its final name");
  check(data_.size(bytes), "cannot be looked at");
  check_length(bytes, finished_end_, bytes == finished_end_);
  check_signature();
  check(data_.rename(part_, path_), "cannot get its final name");
  abandon();
  return static_cast<std::int64_t>(bytes);
}

}  // namespace epios::io
