/// @file
/// A descriptor of one file and the system calls on it. Results are errno values, 0 for success, so
/// that callers can name file, record and variable.
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

  /// Creates a file or opens an existing one. Returns ELOOP for a symbolic link, EMLINK for a file
  /// with other names, EREMOTE for a file of another user, and ENXIO for what is no regular file:
  /// these must not be overwritten.
  [[nodiscard]] int create(const std::string& path);
  /// Creates a file with at most these rights (the umask reduces them). Returns EEXIST if there is
  /// anything of that name, a symbolic link included.
  [[nodiscard]] int create_new(const std::string& path, unsigned rights);
  enum class Access { both, reading };
  /// Opens what a symbolic link leads to, too: for names that a user gave.
  [[nodiscard]] int open(const std::string& path, Access access = Access::both);
  /// Opens an existing file of a name of our own. Returns errors like create().
  [[nodiscard]] int open_own(const std::string& path);
  /// Opens a folder, to look names up in it. Nothing is read or written by the descriptor.
  [[nodiscard]] int open_folder(const std::string& path);
  /// Becomes another descriptor of the same open file.
  [[nodiscard]] int share(const PosixFile& other);
  /// Creates a new file; `path` ends in XXXXXX, which becomes part of its name.
  [[nodiscard]] int create_temporary(std::string& path);
  [[nodiscard]] int close();
  /// Returns errors of writing that some file systems report at close() only. The file stays open
  /// and locked.
  [[nodiscard]] int check_written() const;
  int descriptor() const { return descriptor_; }
  /// Returns a path by which this process can open this very file once more, whatever its name
  /// leads to by now.
  std::string path_here() const;

  /// Locks the file for this process. Returns EWOULDBLOCK if another job writes it. File systems
  /// without locks always succeed.
  [[nodiscard]] int lock() const;
  /// Writes everything at an offset. Several writers may do so at a time.
  [[nodiscard]] int write_at(std::span<const std::byte> data, std::uint64_t offset) const;
  /// Copies all of `from` to the same place here.
  [[nodiscard]] int copy(const PosixFile& from) const;
  /// Reads everything; bytes past the end of the file are zero.
  [[nodiscard]] int read_at(std::span<std::byte> data, std::uint64_t offset) const;
  /// Reserves space for bytes [begin, end) in the file system. Returns ENOSPC if there is none.
  [[nodiscard]] int reserve(std::uint64_t begin, std::uint64_t end) const;
  [[nodiscard]] int truncate(std::uint64_t size) const;
  [[nodiscard]] int sync() const;
  [[nodiscard]] int size(std::uint64_t& bytes) const;
  /// Checks that `path` (no link) is this file. Returns ENOENT if there is nothing, ESTALE if it is
  /// another file.
  [[nodiscard]] int check_name(const std::string& path) const;
  /// Gives this file, which has the name `from`, the name `to` in the same folder. The folder is
  /// looked up once, and then has both names. Returns ESTALE if `from` is another file.
  [[nodiscard]] int rename(const std::string& from, const std::string& to) const;

 private:
  /// Checks what was opened; see create().
  int check_own(const std::string& path) const;

  int descriptor_ = -1;
};

/// Returns the folder of a path, or ".".
std::string folder_of(const std::string& path);
/// Calls fsync on a folder, so that names in it survive a loss of power.
[[nodiscard]] int sync_folder(const std::string& folder);
/// Makes a folder and its missing parents. `failed` gets the one that cannot be made.
[[nodiscard]] int make_folder(const std::string& folder, bool to_disk, std::string& failed);
/// Returns "file 'out/a.nc': <problem> (<strerror>). <what to do about this errno>?".
std::string system_error_text(const std::string& file, const std::string& problem, int error);

}  // namespace epios::io
