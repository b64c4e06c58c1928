#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "datatypes/datatype.hpp"
#include "datatypes/type_map.hpp"

namespace ep {

/// Walks the bytes of endless repetitions of a datatype, in the order of its type map.
class BlockCursor {
 public:
  /// Begins at the first byte of data; repetition 0 begins at `origin`.
  BlockCursor(const TypeMap& map, std::int64_t origin);

  std::int64_t offset() const;
  /// Returns the bytes from here on without a gap, as far as is known.
  std::int64_t left() const;
  /// Advances by at most left().
  void advance(std::int64_t bytes);

  /// A place in the map: byte `within` of the block `repeat` of a run.
  struct Place {
    std::size_t run = 0;
    std::int64_t repeat = 0;
    std::int64_t within = 0;
  };
  void go_to(std::int64_t repetition, const Place& place);

 private:
  const BlockRun& run() const { return map_->blocks.runs()[place_.run]; }

  const TypeMap* map_;
  std::int64_t origin_;
  std::int64_t base_;  // begin of this repetition
  Place place_;
  bool is_dense_;
};

/// The view of one endpoint on a file. Immutable.
class FileView {
 public:
  /// Shows bytes from the beginning.
  FileView();
  /// Throws EP_ERR_ARG, EP_ERR_TYPE or EP_ERR_UNSUPPORTED_DATAREP for arguments that describe no
  /// view.
  FileView(std::int64_t displacement, MPI_Datatype etype, MPI_Datatype filetype,
           std::string representation);
  FileView(const FileView&) = delete;
  FileView(FileView&&) = delete;
  FileView& operator=(const FileView&) = delete;
  FileView& operator=(FileView&&) = delete;
  ~FileView();

  std::int64_t displacement() const noexcept { return displacement_; }
  MPI_Datatype etype() const noexcept { return etype_; }
  MPI_Datatype filetype() const noexcept { return filetype_; }
  std::int64_t etype_size() const noexcept { return etype_size_; }
  const std::string& representation() const noexcept { return representation_; }
  bool is_external() const noexcept { return representation_ == "external32"; }
  bool is_empty() const noexcept { return map_->size == 0; }

  /// Returns the bytes of data of so many etypes. Throws EP_ERR_ARG for more than files can have.
  std::int64_t bytes_of(std::int64_t etypes) const;
  /// Returns a cursor at byte `position` of the data of the view. Throws EP_ERR_TYPE for an empty
  /// view, EP_ERR_ARG for a place that no file has.
  BlockCursor at(std::int64_t position) const;
  /// Returns the byte of the file there.
  std::int64_t byte_of(std::int64_t position) const { return at(position).offset(); }
  /// Returns the bytes of data of the view before byte `offset` of the file.
  std::int64_t data_before(std::int64_t offset) const;

 private:
  void check() const;
  void index();

  std::int64_t displacement_ = 0;
  MPI_Datatype etype_ = MPI_BYTE;  // our own handles
  MPI_Datatype filetype_ = MPI_BYTE;
  std::int64_t etype_size_ = 1;
  std::string representation_ = "native";
  std::shared_ptr<const TypeMap> map_;
  std::vector<std::int64_t> before_;  // bytes of data before each run
};

/// The names of a process's data representations besides MPI's, none of which converts anything.
/// Any thread.
class Representations {
 public:
  /// Throws EP_ERR_DUP_DATAREP for a known name.
  void add(const std::string& name);
  bool knows(const std::string& name) const;

 private:
  mutable std::mutex mutex_;
  std::set<std::string> added_;
};

/// True if "external32" stores elements of `type` in as many bytes as memory does.
bool keeps_size_in_external32(MPI_Datatype type);

/// Bytes that are contiguous both in the file and in memory.
struct FileSegment {
  std::int64_t offset = 0;
  std::int64_t length = 0;
  std::byte* memory = nullptr;
};

/// Decomposes an access into segments, ascending in the file.
class SegmentWalk {
 public:
  /// Begins at byte `position` of the data of the view. Both arguments must outlive the walk.
  SegmentWalk(const FileView& view, std::int64_t position, const MappedView& memory);

  /// Gets the next segment. Returns false if there are no more.
  bool next(FileSegment& segment);

 private:
  BlockCursor file_;
  BlockCursor memory_;
  std::byte* base_;
  std::int64_t left_;
};

}  // namespace ep
