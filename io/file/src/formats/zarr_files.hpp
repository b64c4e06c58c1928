/// @file
/// The files of a store's record variables: chunks, or shards of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "chunks/shard_file.hpp"
#include "contract/growing_file.hpp"

namespace epios::io {

/// Puts encoded chunks into files, each of which gets its name when it is whole. Without shards,
/// each chunk is one. A shard takes chunks until it has all of them, or the next ones in time have
/// come, or settle() is called. Each tile of the index space has one writer, so no two write one
/// file. Functions throw Error{io}, which names the store.
class ZarrFiles {
 public:
  /// `file` must outlive this object.
  explicit ZarrFiles(const GrowingFile& file);

  /// Sets the folder of the store.
  void set_place(const std::string& folder) { place_ = folder; }
  /// True if a part of a record has all points of the files that it touches.
  bool are_whole(std::size_t column, const Box& box) const;
  void put(std::size_t column, std::int64_t chunk, std::span<const std::byte> stored);
  /// Returns a chunk as it was put, with its checksum if it has one; nothing if it was not.
  std::vector<std::byte> stored(std::size_t column, std::int64_t chunk) const;
  /// True if nothing need be written where nobody has written: readers take the fill value.
  bool may_lack_chunks() const { return is_third_; }
  /// Finishes all shards.
  void settle();
  /// Removes the files with nothing but records in [from, to).
  void remove(std::size_t column, std::int64_t from, std::int64_t to) const;
  /// Returns the name of the file of a chunk.
  std::string path(std::size_t column, std::int64_t chunk) const;

 private:
  /// The chunks of a column, and how they are grouped.
  struct Column {
    Extents counts;                 // number of chunks along each dimension of a row
    ShardLayout shard;              // if there are shards
    std::optional<ChunkGrid> grid;  // of the shards; without them each chunk is a file
    std::int64_t in_row = 1;        // number of rows of chunks in a shard
  };
  /// A file: its position, and the entry of a chunk in it.
  struct Place {
    Extents position;
    std::size_t entry = 0;
    std::size_t chunks = 1;  // number of those that it can have
  };
  using Name = std::pair<std::size_t, Extents>;  // column and position

  Place place(std::size_t column, std::int64_t chunk) const;
  std::string path(std::size_t column, const Extents& position) const;
  void put_alone(const std::string& path, std::int64_t record, std::size_t column,
                 std::span<const std::byte> stored) const;
  void finish(std::map<Name, ShardFile>::iterator shard);
  void drop(std::map<Name, ShardFile>::iterator shard);
  void finish_older(std::size_t column, const Extents& position);
  std::int64_t first_record(std::size_t column, std::int64_t chunk) const;

  const GrowingFile& file_;
  bool is_third_;
  std::string place_;
  std::vector<Column> columns_;
  std::map<Name, ShardFile> shards_;  // under way
};

}  // namespace epios::io
