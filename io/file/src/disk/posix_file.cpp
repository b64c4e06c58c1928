// System calls on files, each with its result checked: create, lock, reserve space, read, write,
// sync, and replace a name atomically.
#include "disk/posix_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <utility>
#include <vector>

#include "config/error.hpp"
#include "file/output_file.hpp"
#include "file/replace_file.hpp"

namespace epios::io {

namespace {

// Not waiting: a pipe of that name would hold the job up until somebody reads from it.
constexpr int own_flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;

bool is_same(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

std::string name_in_folder(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// Whoever owns a file can give himself every right to it. Some network file systems give all files
// one owner, which is then that of a file made here, too.
bool belongs_to_another(const std::string& path, const struct stat& info) {
  if (info.st_uid == ::geteuid()) return false;
  PosixFile own;
  std::string name = path + ".XXXXXX";
  if (own.create_temporary(name) != 0) return true;
  static_cast<void>(::unlink(name.c_str()));
  struct stat made = {};
  return ::fstat(own.descriptor(), &made) < 0 || made.st_uid != info.st_uid;
}

}  // namespace

PosixFile::PosixFile(PosixFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

PosixFile& PosixFile::operator=(PosixFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

PosixFile::~PosixFile() {
  // Whoever cares about the result has called close(); what is left here is being abandoned.
  if (descriptor_ >= 0) static_cast<void>(::close(descriptor_));
}

int PosixFile::check_own(const std::string& path) const {
  struct stat info = {};
  if (descriptor_ < 0 || ::fstat(descriptor_, &info) < 0) return errno;
  if (!S_ISREG(info.st_mode)) return ENXIO;
  if (info.st_nlink > 1) return EMLINK;
  return belongs_to_another(path, info) ? EREMOTE : 0;
}

int PosixFile::create(const std::string& path) {
  descriptor_ = ::open(path.c_str(), own_flags | O_CREAT, 0666);
  return check_own(path);
}

int PosixFile::create_new(const std::string& path, unsigned rights) {
  descriptor_ = ::open(path.c_str(), own_flags | O_CREAT | O_EXCL, rights);
  return descriptor_ < 0 ? errno : 0;
}

int PosixFile::open(const std::string& path, Access access) {
  descriptor_ = ::open(path.c_str(), (access == Access::both ? O_RDWR : O_RDONLY) | O_CLOEXEC);
  return descriptor_ < 0 ? errno : 0;
}

int PosixFile::open_own(const std::string& path) {
  descriptor_ = ::open(path.c_str(), own_flags);
  return check_own(path);
}

int PosixFile::open_folder(const std::string& path) {
  descriptor_ = ::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  return descriptor_ < 0 ? errno : 0;
}

int PosixFile::share(const PosixFile& other) {
  descriptor_ = ::fcntl(other.descriptor_, F_DUPFD_CLOEXEC, 0);
  return descriptor_ < 0 ? errno : 0;
}

std::string PosixFile::path_here() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

int PosixFile::create_temporary(std::string& path) {
  descriptor_ = ::mkostemp(path.data(), O_CLOEXEC);
  return descriptor_ < 0 ? errno : 0;
}

int PosixFile::close() {
  if (descriptor_ < 0) return 0;
  return ::close(std::exchange(descriptor_, -1)) < 0 ? errno : 0;
}

int PosixFile::check_written() const {
  const int copy = ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
  return copy < 0 || ::close(copy) < 0 ? errno : 0;
}

int PosixFile::lock() const {
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return 0;
  return errno == EWOULDBLOCK ? EWOULDBLOCK : 0;
}

int PosixFile::write_at(std::span<const std::byte> data, std::uint64_t offset) const {
  while (!data.empty()) {
    const ssize_t written =
        ::pwrite(descriptor_, data.data(), data.size(), static_cast<off_t>(offset));
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    if (written == 0) return EIO;
    data = data.subspan(static_cast<std::size_t>(written));
    offset += static_cast<std::uint64_t>(written);
  }
  return 0;
}

int PosixFile::read_at(std::span<std::byte> data, std::uint64_t offset) const {
  while (!data.empty()) {
    const ssize_t count =
        ::pread(descriptor_, data.data(), data.size(), static_cast<off_t>(offset));
    if (count < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    if (count == 0) {
      std::fill(data.begin(), data.end(), std::byte{0});
      return 0;
    }
    data = data.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
  return 0;
}

int PosixFile::copy(const PosixFile& from) const {
  std::uint64_t size = 0;
  int error = from.size(size);
  std::vector<std::byte> piece;
  for (std::uint64_t done = 0; error == 0 && done < size; done += piece.size()) {
    piece.resize(static_cast<std::size_t>(std::min<std::uint64_t>(size - done, 1U << 20)));
    error = from.read_at(piece, done);
    if (error == 0) error = write_at(piece, done);
  }
  return error;
}

int PosixFile::reserve(std::uint64_t begin, std::uint64_t end) const {
  if (end <= begin) return 0;
  int error = EINTR;
  while (error == EINTR) {
    error =
        ::posix_fallocate(descriptor_, static_cast<off_t>(begin), static_cast<off_t>(end - begin));
  }
  return error;
}

int PosixFile::truncate(std::uint64_t size) const {
  while (::ftruncate(descriptor_, static_cast<off_t>(size)) < 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

int PosixFile::sync() const { return ::fsync(descriptor_) < 0 ? errno : 0; }

int PosixFile::size(std::uint64_t& bytes) const {
  struct stat info = {};
  if (::fstat(descriptor_, &info) < 0) return errno;
  bytes = static_cast<std::uint64_t>(info.st_size);
  return 0;
}

int PosixFile::check_name(const std::string& path) const {
  struct stat own = {};
  struct stat named = {};
  if (::fstat(descriptor_, &own) < 0 || ::lstat(path.c_str(), &named) < 0) return errno;
  return is_same(own, named) ? 0 : ESTALE;
}

int PosixFile::rename(const std::string& from, const std::string& to) const {
  PosixFile folder;
  if (const int error = folder.open_folder(folder_of(from)); error != 0) return error;
  const int at = folder.descriptor();
  const std::string name = name_in_folder(from);
  struct stat own = {};
  struct stat named = {};
  if (::fstat(descriptor_, &own) < 0 ||
      ::fstatat(at, name.c_str(), &named, AT_SYMLINK_NOFOLLOW) < 0)
    return errno;
  if (!is_same(own, named)) return ESTALE;
  return ::renameat(at, name.c_str(), at, name_in_folder(to).c_str()) < 0 ? errno : 0;
}

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

int sync_folder(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const int error = ::fsync(descriptor) < 0 ? errno : 0;
  const int close_error = ::close(descriptor) < 0 ? errno : 0;
  return error != 0 ? error : close_error;
}

int replace_file(const std::string& path, std::string_view content, Readers readers, bool to_disk) {
  const std::string temporary = path + ".new";
  // Removes what a kill has left. What is there nevertheless was put there since, by somebody else.
  static_cast<void>(::unlink(temporary.c_str()));
  PosixFile file;
  int error = file.create_new(temporary, readers == Readers::owner ? 0600 : 0666);
  if (error == 0) error = file.write_at(std::as_bytes(std::span(content)), 0);
  if (error == 0 && to_disk) error = file.sync();
  if (error == 0) error = file.close();
  if (error == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) static_cast<void>(::unlink(temporary.c_str()));
  if (error == 0 && to_disk) error = sync_folder(folder_of(path));
  return error;
}

int make_folder(const std::string& folder, bool to_disk, std::string& failed) {
  struct stat known = {};
  if (::stat(folder.c_str(), &known) == 0) {
    failed = folder;
    return S_ISDIR(known.st_mode) ? 0 : ENOTDIR;
  }
  const std::string above = folder_of(folder);
  int error = errno;
  if ((error == ENOENT || error == ENOTDIR) && above != folder)
    error = make_folder(above, to_disk, failed);
  if (error != 0) {
    if (failed.empty()) failed = folder;
    return error;
  }
  constexpr mode_t all = S_IRWXU | S_IRWXG | S_IRWXO;  // less the umask
  failed = folder;
  if (::mkdir(folder.c_str(), all) < 0 && errno != EEXIST)
    return errno;  // another job may be first
  return to_disk ? sync_folder(above) : 0;
}

namespace {

std::string suggestion(const std::string& file, int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "Free space or write elsewhere (output_dir)?";
    case ENOENT:
    case ENOTDIR:
      return fmt::format("Does the folder '{}' exist?", folder_of(file));
    case EACCES:
    case EPERM:
    case EROFS:
      return fmt::format("May this job write to the folder '{}'?", folder_of(file));
    case EISDIR:
    case ENXIO:
      return fmt::format("Remove what is at '{0}' or '{0}.part', or choose another name?", file);
    case ELOOP:
    case EMLINK:
    case EREMOTE:
      return fmt::format("Remove '{}.part'?", file);
    case ENAMETOOLONG:
      return "Choose a shorter name or output_dir?";
    case ESTALE:
      return "Did another job or a clean-up touch it during the run?";
    case EWOULDBLOCK:
      return "Does another job or context write the same file? Members of an ensemble have names "
             "of "
             "their own by %member%.";
    case EFBIG:
      return "Raise the limit of file sizes (ulimit -f)?";
    case EMFILE:
    case ENFILE:
      return "Raise the limit of open files (ulimit -n)?";
    default:
      return "Is the file system in order?";
  }
}

std::string reason(int error) {
  switch (error) {
    case EWOULDBLOCK:
      return "it is locked";
    case EISDIR:
      return "a folder is in its place";
    case ENXIO:
      return "what is in its place is no regular file";
    case ELOOP:
      return "its '.part' is a symbolic link, what it leads to would be overwritten";
    case EMLINK:
      return "its '.part' is a file with other names, which would be overwritten";
    case EREMOTE:
      return "its '.part' belongs to another user, who could change what is written";
    case ESTALE:
      return "its '.part' is no longer the file that this job writes";
    default:
      return std::generic_category().message(error);
  }
}

}  // namespace

std::string system_error_text(const std::string& file, const std::string& problem, int error) {
  return fmt::format("file '{}': {} ({}). {}", file, problem, reason(error),
                     suggestion(file, error));
}

void make_folders(const std::string& path, bool to_disk) {
  std::string failed;
  const int error = make_folder(folder_of(path), to_disk, failed);
  if (error == 0) return;
  throw Error(ErrorCode::io,
              fmt::format("file '{}': its folder '{}' cannot be made ({}). Choose another name or "
                          "output_dir?",
                          path, failed, reason(error)));
}

}  // namespace epios::io
