#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace epios::client {

/// A file that grows at its end, through a window of mapped memory: what is in it stays when the
/// process is killed. Until it is closed, zeros may follow what was appended.
class MappedFile {
 public:
  /// Makes the file, in place of one that nobody writes any more. `error()` says whether that was
  /// possible: EWOULDBLOCK if somebody writes it. Locked until it is closed.
  explicit MappedFile(const std::string& path);
  MappedFile(const MappedFile&) = delete;
  MappedFile(MappedFile&&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  MappedFile& operator=(MappedFile&&) = delete;
  ~MappedFile() { close(); }

  /// Returns 0, or the error (errno) that ended it: the file is closed then.
  int error() const { return error_; }
  bool is_open() const { return file_ >= 0; }
  /// Appends bytes, as long as it is open.
  void append(std::span<const std::byte> bytes);
  /// Cuts the file behind what was appended, and closes it.
  void close();

 private:
  void write(std::span<const std::byte> bytes);
  void map();
  void unmap();
  void fail(int error);

  int file_ = -1;
  int error_ = 0;
  std::byte* window_ = nullptr;  // maps the file from base_ on
  std::int64_t base_ = 0;
  std::int64_t end_ = 0;  // of what was appended
};

}  // namespace epios::client
