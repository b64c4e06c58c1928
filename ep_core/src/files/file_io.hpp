#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "files/file_view.hpp"

namespace ep {

// System calls on files. Every result is checked: calls that signals interrupt are repeated, and
// calls that move less than requested continue.

enum class Direction { read, write };

/// A segment to be moved, and how much of it has been moved.
struct FileTask : FileSegment {
  std::int64_t done = 0;
  int rank = 0;  ///< rank of the endpoint that owns the data
};

/// How moving ended: at which task with which `errno`, or without an error. An end of file is no
/// error.
struct MoveEnd {
  int error = 0;
  std::size_t task = 0;
};

/// Moves tasks in order of offset and sets the number of bytes done of each. Stops at the first
/// error. Reads may go through a buffer over small gaps; writes never read.
MoveEnd move(int fd, Direction direction, std::span<FileTask> tasks);

/// The meaning of a failed system call for the program.
struct SystemError {
  int error_class;
  std::string text;  ///< "problem (why). Suggestion?"
};
/// Explains `error`; `problem` reads like "cannot write 'name' at byte 7 for rank 2".
SystemError explain(int error, const std::string& problem);
/// Throws the explained error.
[[noreturn]] void fail_system(int error, const std::string& problem);

/// Owns a file descriptor.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  FileDescriptor(FileDescriptor&& other) noexcept;
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  ~FileDescriptor();

  int get() const noexcept { return fd_; }
  explicit operator bool() const noexcept { return fd_ >= 0; }
  /// Closes the descriptor. Returns the error, or 0.
  int close() noexcept;

 private:
  int fd_ = -1;
};

/// Calls open(2). Returns an empty one on failure, with `error` set.
FileDescriptor open_file(const char* path, int flags, int& error);

/// Returns the size of an open file. Throws on failure.
std::int64_t file_size(int fd, const std::string& name);

/// Locks bytes of a file against other descriptors while it lives. Waits for the lock.
class RangeLock {
 public:
  RangeLock(int fd, Direction direction, std::int64_t begin, std::int64_t end,
            const std::string& name);
  RangeLock(const RangeLock&) = delete;
  RangeLock(RangeLock&&) = delete;
  RangeLock& operator=(const RangeLock&) = delete;
  RangeLock& operator=(RangeLock&&) = delete;
  ~RangeLock();

 private:
  int fd_;
  std::int64_t begin_;
  std::int64_t end_;
};

}  // namespace ep
