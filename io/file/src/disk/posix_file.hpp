/// @file
/// A descriptor of one file and the system calls made on it. Results are errno values, 0 for
/// success, so that callers can name file, record and variable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace epios::io {

/// Owns a file descriptor.
class PosixFile {
 public:
  PosixFile() noexcept = default;
  PosixFile(const PosixFile&) = delete;
  PosixFile& operator=(const PosixFile&) = delete;
  PosixFile(PosixFile&& other) noexcept;
  PosixFile& operator=(PosixFile&& other) noexcept;
  ~PosixFile();

  /// Creates a file or opens what is there; ELOOP for a symbolic link, EMLINK for a file with other
  /// names, ENXIO for what is no regular file: their content is not ours to replace.
  [[nodiscard]] int create(const std::string& path);
  [[nodiscard]] int open(const std::string& path);
  /// Creates a new file; `path` ends in XXXXXX, which becomes part of its name.
  [[nodiscard]] int create_temporary(std::string& path);
  [[nodiscard]] int close();
  /// The errors of writing that some file systems keep for close(). The file stays open and locked.
  [[nodiscard]] int check_written() const;
  int descriptor() const { return descriptor_; }

  /// Takes the file for this process; EWOULDBLOCK when another job writes it. File systems without
  /// locks grant it.
  [[nodiscard]] int lock() const;
  /// Writes everything, at a position of its own; several writers may do so at a time.
  [[nodiscard]] int write_at(std::span<const std::byte> data, std::uint64_t offset) const;
  /// Writes all of `from` to the same place here.
  [[nodiscard]] int copy(const PosixFile& from) const;
  /// Reads everything; bytes past the end of the file are zero.
  [[nodiscard]] int read_at(std::span<std::byte> data, std::uint64_t offset) const;
  /// Makes the file system set bytes [begin, end) aside. ENOSPC when it cannot.
  [[nodiscard]] int reserve(std::uint64_t begin, std::uint64_t end) const;
  [[nodiscard]] int truncate(std::uint64_t size) const;
  [[nodiscard]] int sync() const;
  [[nodiscard]] int size(std::uint64_t& bytes) const;
  /// Checks that `path` (no link) is this file. Returns ENOENT if there is nothing, ESTALE if it is
  /// another file.
  [[nodiscard]] int check_name(const std::string& path) const;

 private:
  int descriptor_ = -1;
};

/// Folder of a path, "." when it names none.
std::string folder_of(const std::string& path);
/// fsync of a folder, so that names in it survive a loss of power.
[[nodiscard]] int sync_folder(const std::string& folder);
/// Makes a folder and those above it that are missing. `failed`: the one that cannot be made.
[[nodiscard]] int make_folder(const std::string& folder, bool to_disk, std::string& failed);
/// Replaces a small file at once: after a kill it has the old or the new content.
[[nodiscard]] int replace_file(const std::string& path, const std::string& content, bool to_disk);

/// "file 'out/a.nc': <problem> (<strerror>). <what to do about this errno>?"
std::string system_error_text(const std::string& file, const std::string& problem, int error);

}  // namespace epios::io
