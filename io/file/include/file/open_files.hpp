/// @file
/// Files that were inspected and are still open.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

namespace epios::io {

/// Identity of a file in the file system. It changes when the file is replaced or written to; that
/// of a folder (a store of Zarr) when it is replaced.
struct FileIdentity {
  std::uint64_t device = 0, number = 0;
  std::int64_t bytes = 0, seconds = 0, nanoseconds = 0;
  bool operator==(const FileIdentity&) const = default;
};
/// Returns nullopt if there is no such file.
std::optional<FileIdentity> file_identity(const std::string& path);

/// Keeps a few recently inspected files open for those that read them. Opening a file of thousands
/// of variables takes as long as everything else before its first record. Used on the file thread.
class OpenFiles {
 public:
  OpenFiles() = default;
  OpenFiles(const OpenFiles&) = delete;
  OpenFiles(OpenFiles&&) = delete;
  OpenFiles& operator=(const OpenFiles&) = delete;
  OpenFiles& operator=(OpenFiles&&) = delete;
  ~OpenFiles() { close(); }

  /// Takes over `file`, the NetCDF id of an open file, and closes it later.
  void keep(const std::string& path, int file);
  /// Returns the NetCDF id of the file if it is kept and unchanged; -1 if it must be opened.
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
