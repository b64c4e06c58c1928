/// @file
/// Small files that a program replaces as a whole.
#pragma once

#include <string>
#include <string_view>

namespace epios::io {

/// The users that may read a file.
enum class Readers {
  owner,    ///< mode 0600
  by_umask  ///< mode 0666, reduced by the umask
};

/// Replaces a small file atomically: after a kill it has the old or the new content. Writes
/// `<path>.new` first. Neither a symbolic link at one of the two names nor a file with other names
/// is written to: the name is taken from it. Returns an errno value, 0 for success. Any thread.
[[nodiscard]] int replace_file(const std::string& path, std::string_view content, Readers readers,
                               bool to_disk);

}  // namespace epios::io
