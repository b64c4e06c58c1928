#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "files/file.hpp"
#include "files/file_agreement.hpp"

namespace ep {

/// What a call asks for: `count` elements of memory and the etype of the view to begin at.
struct AccessArguments {
  const char* what;
  Direction direction;
  void* buf;
  std::int64_t count;
  MPI_Datatype type;
};

/// One endpoint's part of an access to a file.
class FileAccess {
 public:
  /// Throws for arguments that are wrong, and for what the mode of the file forbids.
  FileAccess(FileState& file, const AccessArguments& arguments, std::int64_t offset);
  /// One that moves nothing, because of `problem`.
  FileAccess(FileState& file, const AccessArguments& arguments, Problem why);
  FileAccess(const FileAccess&) = delete;
  FileAccess(FileAccess&&) = delete;
  FileAccess& operator=(const FileAccess&) = delete;
  FileAccess& operator=(FileAccess&&) = delete;
  ~FileAccess();

  FileState& file() const noexcept { return *file_; }
  Direction direction() const noexcept { return direction_; }
  /// How many etypes are asked for. Throws as the first constructor does.
  static std::int64_t checked_etypes(const FileState& file, const AccessArguments& arguments);

  /// Moves everything by itself; what goes wrong is in `problem`.
  void perform();
  /// For collective accesses: all pieces at once.
  void collect_pieces();
  /// Keeps the file from being closed, as long as this lives.
  void hold_file();
  /// After `done` is known: converts what was read, if it must be.
  void finish() const;

  std::vector<FilePiece> pieces;
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
  std::unique_ptr<std::byte[]> external_;  // the data in external32, if that is asked for
  void* target_ = nullptr;
  MPI_Datatype target_type_ = MPI_DATATYPE_NULL;  // our own handle
};

/// The problem of moving `task`.
Problem problem_of_move(int error, const FileState& file, Direction direction,
                        const FileTask& task);

}  // namespace ep
