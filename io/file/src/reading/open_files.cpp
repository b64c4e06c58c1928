#include "file/open_files.hpp"

#include <netcdf.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstddef>

#include "disk/hdf5_handle.hpp"

namespace epios::io {

std::optional<FileIdentity> file_identity(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  // A store that grows is the same store: what was there stays as it is.
  if (S_ISDIR(status.st_mode)) return FileIdentity{status.st_dev, status.st_ino, 0, 0, 0};
  return FileIdentity{status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec,
                      status.st_mtim.tv_nsec};
}

void OpenFiles::keep(const std::string& path, int file) {
  constexpr std::size_t most = 4;
  const Hdf5Silence silence;
  kept_.push_back({path, file_identity(path), file});
  if (kept_.size() <= most) return;
  static_cast<void>(nc_close(kept_.front().file));
  kept_.pop_front();
}

int OpenFiles::take(const std::string& path) {
  const auto found = std::find_if(kept_.begin(), kept_.end(),
                                  [&path](const Kept& kept) { return kept.path == path; });
  if (found == kept_.end()) return -1;
  const Kept kept = *found;
  kept_.erase(found);
  if (kept.identity && kept.identity == file_identity(path)) return kept.file;
  const Hdf5Silence silence;
  static_cast<void>(nc_close(kept.file));
  return -1;
}

void OpenFiles::close() noexcept {
  if (kept_.empty()) return;
  const Hdf5Silence silence;
  for (const Kept& kept : kept_) static_cast<void>(nc_close(kept.file));
  kept_.clear();
}

}  // namespace epios::io
