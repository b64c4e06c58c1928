/// @file
/// The table of formats of files (file_formats.def): what each of them can do, and names of files.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "config/model_fwd.hpp"

namespace epios::config {

enum class FileFormat {
#define FILE_FORMAT(word, ...) word,
#include "config/file_formats.def"
};

struct FileFormatTraits {
  FileFormat format;
  std::string_view word;         ///< of attribute `format`
  std::string_view suffix;       ///< of names: ".nc"
  bool is_folder;                ///< a folder of files, not one file
  bool has_chunks;               ///< record variables lie in chunks, which can be compressed
  bool is_written_by_endpoints;  ///< several endpoints of a process may write it at a time
  bool has_int64_attributes;
};
std::span<const FileFormatTraits> file_formats();
const FileFormatTraits& traits_of(FileFormat format);
/// Returns the format that a file says, or the default.
FileFormat format_of(const FileAttributes& file);

/// What everybody calls NetCDF files: weights, states and what is read.
inline constexpr std::string_view netcdf_suffix = ".nc";
/// Returns the suffix of a format that a path ends with; empty if there is none.
std::string_view suffix_of(std::string_view path);
/// Returns a path without suffix_of() it.
std::string_view stem_of(std::string_view path);

/// Returns the name that a file says, with its suffix; `id` is that of a file without name.
std::string file_name(const FileAttributes& file, const std::string& id);

}  // namespace epios::config
