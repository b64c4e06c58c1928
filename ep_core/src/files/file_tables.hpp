#pragma once

#include "cliques/errhandler.hpp"
#include "files/file.hpp"
#include "process/arena.hpp"
#include "process/extensions.hpp"
#include "process/process.hpp"

namespace ep {

/// The files of a process.
struct FileTables final : Extension {
  static constexpr Room room = Room::files;

  Arena<ep_file> files;
  ErrorHandling errors{ErrorHandling::OfFiles{}};
  Representations representations;
};

inline FileTables& file_tables() { return process().extension<FileTables>(); }

inline Arena<ep_file>& file_arena() { return file_tables().files; }
/// Returns the handling of errors that belong to no open file, with which files begin.
inline ErrorHandling& file_errors() { return file_tables().errors; }
inline Representations& representations() { return file_tables().representations; }

}  // namespace ep
