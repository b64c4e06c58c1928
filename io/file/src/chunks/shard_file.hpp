/// @file
/// A shard while it is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "chunks/shard_index.hpp"

namespace epios::io {

/// Chunks come in any order and go at once to the end of `<path>.partial`, which gets the index and
/// its name in finish(). Only the index is kept in memory, and no descriptor. One that has its name
/// already is continued in a copy, so that readers always see a whole one. Functions return errno.
class ShardFile {
 public:
  ShardFile(std::string path, std::size_t chunks) : path_(std::move(path)), index_(chunks) {}

  /// Adds a chunk, or replaces it; its checksum comes behind it.
  [[nodiscard]] int put(std::size_t entry, std::span<const std::byte> stored,
                        std::span<const std::byte> checksum);
  /// Reads a chunk back, with its checksum; leaves `stored` empty if it is not there.
  [[nodiscard]] int read(std::size_t entry, std::vector<std::byte>& stored) const;
  [[nodiscard]] int finish(bool to_disk);
  /// Removes what is not finished: its space may be needed.
  void discard() const noexcept;
  /// Returns how many chunks it has.
  std::size_t count() const { return count_; }

 private:
  std::string partial_path() const { return path_ + ".partial"; }
  int begin(std::size_t but);
  int append(std::size_t entry, std::span<const std::byte> stored,
             std::span<const std::byte> checksum);

  std::string path_;
  ShardIndex index_;
  std::size_t count_ = 0;
  std::uint64_t end_ = 0;
  bool is_begun_ = false;
};

}  // namespace epios::io
