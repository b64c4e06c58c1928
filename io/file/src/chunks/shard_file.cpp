#include "chunks/shard_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <new>
#include <vector>

#include "disk/posix_file.hpp"

namespace epios::io {

int ShardFile::append(std::size_t entry, std::span<const std::byte> stored,
                      std::span<const std::byte> checksum) {
  PosixFile file;
  int error = file.create(partial_path());
  if (error == 0) error = file.write_at(stored, end_);
  if (error == 0) error = file.write_at(checksum, end_ + stored.size());
  if (error == 0) error = file.close();
  if (error != 0) return error;
  if (!index_[entry].is_there()) ++count_;
  index_[entry] = {end_, stored.size() + checksum.size()};
  end_ += stored.size() + checksum.size();
  return 0;
}

/// Takes over the chunks of the file that has the name, except one.
int ShardFile::begin(std::size_t but) {
  is_begun_ = true;
  PosixFile before;
  int error = before.open_own(path_);
  if (error == ENOENT) return 0;
  const ShardLayout layout{{static_cast<std::int64_t>(index_.size())}};
  ShardIndex theirs;
  if (error == 0) error = read_shard_index(before.descriptor(), layout, theirs);
  std::vector<std::byte> stored;
  for (std::size_t e = 0; error == 0 && e < theirs.size(); ++e) {
    if (!theirs[e].is_there() || e == but) continue;
    stored.resize(theirs[e].bytes);
    error = read_exactly(before.descriptor(), stored, theirs[e].offset);
    if (error == 0) error = append(e, stored, {});
  }
  return error;
}

int ShardFile::put(std::size_t entry, std::span<const std::byte> stored,
                   std::span<const std::byte> checksum) {
  if (!is_begun_) {
    if (const int error = begin(entry); error != 0) return error;
  }
  return append(entry, stored, checksum);
}

int ShardFile::read(std::size_t entry, std::vector<std::byte>& stored) const {
  stored.clear();
  const ShardEntry& its = index_[entry];
  if (!its.is_there()) return 0;
  PosixFile file;
  if (const int error = file.open_own(partial_path()); error != 0) return error;
  stored.resize(its.bytes);
  return read_exactly(file.descriptor(), stored, its.offset);
}

int ShardFile::finish(bool to_disk) {
  const std::vector<std::byte> index = encoded_index(index_);
  PosixFile file;
  int error = file.create(partial_path());
  if (error == 0) error = file.write_at(index, end_);
  if (error == 0) error = file.truncate(end_ + index.size());
  if (error == 0 && to_disk) error = file.sync();
  if (error == 0) error = file.close();
  if (error == 0 && std::rename(partial_path().c_str(), path_.c_str()) != 0) error = errno;
  return error;
}

void ShardFile::discard() const noexcept {
  try {
    static_cast<void>(::unlink(partial_path().c_str()));
  } catch (const std::bad_alloc&) {  // it stays
  }
}

}  // namespace epios::io
