#include "config/file_format.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "config/attributes.hpp"

namespace epios::config {

namespace {

constexpr auto formats = std::to_array<FileFormatTraits>({
#define FILE_FORMAT(word, suffix, is_folder, has_chunks, is_written_by_endpoints,      \
                    has_int64_attributes)                                              \
  {FileFormat::word,    #word, suffix, is_folder, has_chunks, is_written_by_endpoints, \
   has_int64_attributes},
#include "config/file_formats.def"
});

}  // namespace

std::span<const FileFormatTraits> file_formats() { return formats; }

const FileFormatTraits& traits_of(FileFormat format) {
  return formats.at(static_cast<std::size_t>(format));
}

FileFormat format_of(const FileAttributes& file) {
  const auto is_its = [&](const FileFormatTraits& traits) { return traits.word == file.format; };
  const auto found = std::find_if(formats.begin(), formats.end(), is_its);
  return found == formats.end() ? FileFormat::netcdf4 : found->format;
}

std::string_view suffix_of(std::string_view path) {
  for (const FileFormatTraits& traits : formats) {
    if (path.ends_with(traits.suffix)) return traits.suffix;
  }
  return {};
}

std::string_view stem_of(std::string_view path) {
  return path.substr(0, path.size() - suffix_of(path).size());
}

std::string file_name(const FileAttributes& file, const std::string& id) {
  return file.name.value_or(id) + file.name_suffix.value_or("") +
         std::string(traits_of(format_of(file)).suffix);
}

}  // namespace epios::config
