#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "files/file.hpp"
#include "files/file_agreement.hpp"

namespace ep {

/// The arguments of a call: `count` elements of memory.
struct AccessArguments {
  const char* what;
  Direction direction;
  void* buf;
  std::int64_t count;
  MPI_Datatype type;
};

/// The access of one endpoint to a file.
class FileAccess {
 public:
  /// Throws for invalid arguments, and for an access that the mode of the file forbids.
  FileAccess(FileState& file, const AccessArguments& arguments, std::int64_t offset);
  /// Makes an access that moves nothing, because of `why`.
  FileAccess(FileState& file, const AccessArguments& arguments, Problem why);
  FileAccess(const FileAccess&) = delete;
  FileAccess(FileAccess&&) = delete;
  FileAccess& operator=(const FileAccess&) = delete;
  FileAccess& operator=(FileAccess&&) = delete;
  ~FileAccess();

  FileState& file() const noexcept { return *file_; }
  Direction direction() const noexcept { return direction_; }
  /// Returns the number of requested etypes. Throws as the first constructor does.
  static std::int64_t checked_etypes(const FileState& file, const AccessArguments& arguments);

  /// Performs the access independently; errors go to `problem`.
  void perform();
  /// Collects all segments at once, for collective accesses.
  void collect_segments();
  /// Keeps the file from being closed while this object lives.
  void hold_file();
  /// Converts the data that was read, if it must be, after `done` is known.
  void finish() const;

  std::vector<FileSegment> segments;
  std::int64_t done = 0;  ///< bytes
  Problem problem;

 private:
  void convert();
  void perform_locked();

  FileState* file_;
  bool holds_file_ = false;
  Direction direction_;
  std::shared_ptr<const FileView> view_;
  std::int64_t position_ = 0;  // in the data of the view, bytes
  MappedView memory_;
  std::unique_ptr<std::byte[]> external_;         // the data in external32, if the view requires it
  MappedView target_;                             // the program's memory, if data are converted
  MPI_Datatype target_type_ = MPI_DATATYPE_NULL;  // our own handle, if MPI converts them
};

/// Returns the problem of moving `task`.
Problem problem_of_move(int error, const FileState& file, Direction direction,
                        const FileTask& task);

}  // namespace ep
