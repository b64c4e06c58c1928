/// @file
/// A file before it gets its final name.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "disk/posix_file.hpp"

namespace epios::io {

/// `<path>.part`: one process, the owner, creates and locks it, and gives it its final name; any
/// number of processes write it. Its name alone proves nothing, because another job or a clean-up
/// may have touched it. Functions throw Error{io}, which names the file.
class UnpublishedFile {
 public:
  /// `signature` is how the file begins.
  UnpublishedFile(const std::string& path, std::string signature)
      : path_(path), part_(path + ".part"), signature_(std::move(signature)) {}

  const std::string& part() const { return part_; }
  const PosixFile& data() const { return data_; }

  /// Owner: makes an empty file, locked by this process until it is published or closed.
  void create();
  /// Other writers: opens the file.
  void open();
  /// Brings its data, and with `and_name` its name, to disk.
  void sync(bool and_name = false) const;
  void close();
  void abandon() noexcept { static_cast<void>(data_.close()); }

  // For the owner, between create() and publish():

  /// Throws if the file is no longer the one made here, or was cut.
  void check() const;
  /// Reserves disk space up to `end`; `what` is for the text of an error.
  void set_aside(std::uint64_t end, const std::string& what);
  /// Reserves space up to `end`. If the disk does not have so much, reserves up to least() for what
  /// is needed now; the rest is a hole that takes its space when it is written. Texts as above.
  void set_aside_or(std::uint64_t end, const std::string& what,
                    const std::function<std::uint64_t()>& least, const std::string& needed);
  /// Makes the file as long, without reserving space.
  void extend(std::uint64_t end);
  /// Notes that bytes before `end` are written: they stay if space behind them has to be released.
  void keep(std::uint64_t end);
  /// Cuts the complete file to its length.
  void finish(std::uint64_t bytes, bool to_disk);
  /// Checks that the file is whole and what was written here, and gives it its final name,
  /// replacing a file of that name at once. Returns its size in bytes; the lock is gone.
  std::int64_t publish();

 private:
  int take();
  /// Returns an errno value; after a failure nothing more is set aside than before.
  int set_aside_up_to(std::uint64_t end);
  void check_set_aside(int error, std::uint64_t end, const std::string& what) const;
  void check_length(std::uint64_t bytes, std::uint64_t wanted, bool is_good) const;
  void check_signature() const;
  void check(int error, const std::string& problem) const;

  std::string path_;
  std::string part_;
  std::string signature_;
  PosixFile data_;
  std::uint64_t space_end_ = 0;     // end of the reserved space
  std::uint64_t file_end_ = 0;      // length; above `space_end_` if space was short
  std::uint64_t finished_end_ = 0;  // length of the complete file
};

}  // namespace epios::io
