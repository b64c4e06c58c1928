/// @file
/// Files that were looked at and are still open.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

namespace epios::io {

/// What the system says of a file: it changes when the file is replaced or written to.
struct FileIdentity {
  std::uint64_t device = 0, number = 0;
  std::int64_t bytes = 0, seconds = 0, nanoseconds = 0;
  bool operator==(const FileIdentity&) const = default;
};
/// nullopt: there is no such file.
std::optional<FileIdentity> file_identity(const std::string& path);

/// Opening a file of thousands of variables takes as long as all else that is done before its first
/// record: who looks at one leaves it open here for who reads it. A few at most, the latest. Of the
/// file thread.
class OpenFiles {
 public:
  OpenFiles() = default;
  OpenFiles(const OpenFiles&) = delete;
  OpenFiles(OpenFiles&&) = delete;
  OpenFiles& operator=(const OpenFiles&) = delete;
  OpenFiles& operator=(OpenFiles&&) = delete;
  ~OpenFiles() { close(); }

  /// `file`: NetCDF's number of it, which is closed here from now on.
  void keep(const std::string& path, int file);
  /// The file, if it is here and has not changed since; -1: it has to be opened.
  int take(const std::string& path);
  void close() noexcept;

 private:
  struct Kept {
    std::string path;
    std::optional<FileIdentity> identity;
    int file = -1;
  };
  std::deque<Kept> kept_;
};

}  // namespace epios::io
