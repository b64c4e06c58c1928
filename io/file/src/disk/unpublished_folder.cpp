// A store that grows in a folder: lock, emptying what a dead run has left, final name. A store of
// that name is exchanged with the new one at once, then removed.
#include "disk/unpublished_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "config/error.hpp"

namespace epios::io {

namespace {

namespace fs = std::filesystem;

constexpr const char* lock_file = ".epios.lock";

/// Returns true if there is a folder, which is no link.
bool is_folder(const std::string& path) {
  std::error_code ignored;
  return fs::symlink_status(path, ignored).type() == fs::file_type::directory;
}

/// Returns EREMOTE for a folder that has another owner than a file of ours in it: others could
/// exchange files.
int check_owner(const std::string& path, const PosixFile& ours) {
  struct stat folder = {};
  struct stat file = {};
  if (::lstat(path.c_str(), &folder) != 0 || ::fstat(ours.descriptor(), &file) != 0) return errno;
  return folder.st_uid == file.st_uid ? 0 : EREMOTE;
}

bool is_nothing(const std::string& path) {
  std::error_code ignored;
  return fs::symlink_status(path, ignored).type() == fs::file_type::not_found;
}

}  // namespace

bool is_store(const std::string& folder) {
  std::error_code ignored;
  return fs::exists(folder + "/" + zarr2_group, ignored) ||
         fs::exists(folder + "/" + zarr3_node, ignored);
}

void UnpublishedFolder::check(int error, const std::string& problem) const {
  if (error != 0) throw Error(ErrorCode::io, system_error_text(path_, problem, error));
}

/// What has the final name is to be replaced: it must be a store that nobody writes.
void UnpublishedFolder::check_final() const {
  if (is_nothing(path_)) return;
  check(is_folder(path_) ? 0 : ENOTDIR, "cannot be created");
  std::error_code problem;
  if (!is_store(path_) && !fs::is_empty(path_, problem)) {
    throw Error(ErrorCode::io,
                fmt::format("file '{}': cannot be created (there is a folder of that name without "
                            "'{}' or '{}', which is no store). Remove it, or give the file another "
                            "name?",
                            path_, zarr2_group, zarr3_node));
  }
  const std::string lock = path_ + "/" + lock_file;
  if (is_nothing(lock)) return;
  PosixFile theirs;
  int error = theirs.open_own(lock);
  if (error == 0) error = theirs.lock();
  if (error != ENOENT) check(error, "cannot be created");
}

void UnpublishedFolder::create() {
  check_final();
  check(take(), "cannot be created");
  empty();
}

/// Makes and locks the folder.
int UnpublishedFolder::take() {
  // Another job may give the folder its final name before it is locked: then there is a new one.
  constexpr int attempts = 3;
  int error = ESTALE;
  for (int attempt = 0; attempt < attempts && (error == ESTALE || error == ENOENT); ++attempt) {
    if (::mkdir(part_.c_str(), 0777) != 0 && errno != EEXIST) return errno;
    if (!is_folder(part_)) return ENOTDIR;
    std::error_code problem;
    const bool is_ours = is_store(part_) || fs::exists(part_ + "/" + lock_file, problem) ||
                         fs::is_empty(part_, problem);
    if (!is_ours) return ENOTEMPTY;
    PosixFile lock;
    error = lock.create(lock_name());
    if (error == 0) error = check_owner(part_, lock);
    if (error == 0) error = lock.lock();
    if (error == 0) error = lock.check_name(lock_name());
    if (error == 0) lock_ = std::move(lock);
  }
  return error;
}

void UnpublishedFolder::empty() const {
  std::error_code problem;
  for (auto entry = fs::directory_iterator(part_, problem);
       !problem && entry != fs::directory_iterator(); entry.increment(problem)) {
    if (entry->path().filename() == lock_file) continue;
    fs::remove_all(entry->path(), problem);
    if (problem) break;
  }
  check(problem.value(), "cannot be created");
}

void UnpublishedFolder::check() const {
  check(lock_.check_name(lock_name()), "cannot be continued");
}

/// Gives it the final name; returns what to warn of. A loss of power may take this change of names
/// and leave later ones in other folders: what was there goes when the change is on the disk.
std::string UnpublishedFolder::replace(bool to_disk) {
  constexpr const char* problem = "cannot get its final name";
  check_final();
  if (std::rename(part_.c_str(), path_.c_str()) == 0) return {};
  if (errno != ENOTEMPTY && errno != EEXIST) check(errno, problem);
  const std::string old = path_ + ".replaced";
  std::error_code left;
  fs::remove_all(old, left);
  check(left.value(), problem);
  if (::renameat2(AT_FDCWD, part_.c_str(), AT_FDCWD, path_.c_str(), RENAME_EXCHANGE) == 0) {
    if (std::rename(part_.c_str(), old.c_str()) != 0) check(errno, problem);
  } else {
    // A file system without exchange: for a moment nothing has the name.
    if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP) check(errno, problem);
    if (std::rename(path_.c_str(), old.c_str()) != 0) check(errno, problem);
    if (std::rename(part_.c_str(), path_.c_str()) != 0) check(errno, problem);
  }
  if (to_disk) check(sync_folder(folder_of(path_)), "cannot be brought to disk");
  fs::remove_all(old, left);
  if (!left) return {};
  return system_error_text(path_, fmt::format("is there, but '{}' cannot be removed", old),
                           left.value());
}

std::string UnpublishedFolder::show(bool to_disk) {
  check();
  std::string warning = replace(to_disk);
  place_ = path_;
  if (to_disk) check(sync_folder(folder_of(path_)), "cannot be brought to disk");
  return warning;
}

std::int64_t UnpublishedFolder::publish(std::string& warning, bool to_disk) {
  check(lock_.check_name(lock_name()), "cannot get its final name");
  std::int64_t bytes = 0;
  std::error_code problem;
  for (auto entry = fs::recursive_directory_iterator(place_, problem);
       !problem && entry != fs::recursive_directory_iterator(); entry.increment(problem)) {
    if (entry->is_regular_file(problem)) bytes += static_cast<std::int64_t>(entry->file_size());
  }
  check(problem.value(), "cannot be looked at");
  if (place_ != path_) warning = replace(to_disk);
  place_ = path_;
  // Until here nobody else takes it.
  if (::unlink(lock_name().c_str()) != 0) {
    warning = system_error_text(path_, "is complete, but its lock cannot be removed", errno);
  }
  abandon();
  return bytes;
}

}  // namespace epios::io
