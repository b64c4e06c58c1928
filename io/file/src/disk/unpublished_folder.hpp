/// @file
/// A folder of files before it gets its final name.
#pragma once

#include <cstdint>
#include <string>

#include "disk/posix_file.hpp"

namespace epios::io {

/// The documents of a group of Zarr, of version 2 and of version 3.
inline constexpr const char* zarr2_group = ".zgroup";
inline constexpr const char* zarr3_node = "zarr.json";
/// True if a folder has one of them.
bool is_store(const std::string& folder);

/// `<path>.part`, or `<path>` itself once it is shown: one process, the owner, creates and locks it
/// (by a file in it), and gives it its final name; any number of processes write in it. Only
/// folders that is_store() are replaced or emptied. Functions throw Error{io}, which names the
/// folder.
class UnpublishedFolder {
 public:
  explicit UnpublishedFolder(const std::string& path)
      : path_(path), part_(path + ".part"), place_(part_) {}

  /// Returns where the folder is now.
  const std::string& place() const { return place_; }

  /// Owner: makes it, or empties what a dead run has left, and locks it.
  void create();
  /// Owner: gives it its final name while it grows. Returns a warning, or "".
  std::string show(bool to_disk);
  /// Other writers, once the owner has shown it.
  void follow() { place_ = path_; }
  /// Owner: throws if the folder is no longer the one made here.
  void check() const;
  /// Owner: gives it its final name, if it does not have it, and replaces a store of that name. The
  /// lock is gone. `warning` gets what is left behind. Returns its size in bytes. `to_disk`: a
  /// store that was there is removed when the new one has the name on the disk.
  std::int64_t publish(std::string& warning, bool to_disk);
  void abandon() noexcept { static_cast<void>(lock_.close()); }

 private:
  void check(int error, const std::string& problem) const;
  void check_final() const;
  void empty() const;
  int take();
  std::string replace(bool to_disk);
  std::string lock_name() const { return place_ + "/.epios.lock"; }

  std::string path_;
  std::string part_;
  std::string place_;
  PosixFile lock_;
};

}  // namespace epios::io
