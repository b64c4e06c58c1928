// Brings encoded chunks into files: one each, or many in a shard with an index. In order: where a
// chunk belongs, writing, reading back, removing.
#include "formats/zarr_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "disk/posix_file.hpp"
#include "formats/zarr_metadata.hpp"
#include "grid/index.hpp"

namespace epios::io {

ZarrFiles::ZarrFiles(const GrowingFile& file)
    : file_(file), is_third_(file.spec.format == FileFormat::zarr3) {
  for (const RecordVariable& record : file.variables) {
    Column& column = columns_.emplace_back();
    column.counts = record.chunks.counts();
    if (record.shard.empty()) continue;
    column.shard.chunks = record.shard;
    Extents tile = record.chunks.chunk();
    const std::size_t first = record.is_once ? 0 : 1;
    for (std::size_t d = 0; d < tile.size(); ++d) tile[d] *= record.shard[d + first];
    if (!record.is_once) column.in_row = record.shard.front();
    column.grid.emplace(record.chunks.shape(), std::move(tile),
                        column.in_row * record.chunks.records_per_chunk(),
                        record.chunks.value_bytes());
  }
}

bool ZarrFiles::are_whole(std::size_t column, const Box& box) const {
  const auto& shards = columns_[column].grid;
  return (shards ? *shards : file_.variables[column].chunks).tiles(box).are_whole;
}

ZarrFiles::Place ZarrFiles::place(std::size_t column, std::int64_t chunk) const {
  const Column& its = columns_[column];
  Place out;
  out.position.resize(its.counts.size());
  for (std::size_t d = its.counts.size(); d-- > 0;) {
    out.position[d] = chunk % its.counts[d];
    chunk /= its.counts[d];
  }
  if (!file_.variables[column].is_once) out.position.insert(out.position.begin(), chunk);
  const Extents& shard = its.shard.chunks;
  if (shard.empty()) return out;
  out.entry = its.shard.entry(out.position);
  const std::size_t first = shard.size() - its.counts.size();
  for (std::size_t d = 0; d < shard.size(); ++d) {
    out.position[d] /= shard[d];
    // Beyond the edge of the variable there are none.
    const std::int64_t there =
        d < first ? shard[d]
                  : std::min(shard[d], its.counts[d - first] - out.position[d] * shard[d]);
    out.chunks *= as_index(there);
  }
  return out;
}

std::string ZarrFiles::path(std::size_t column, const Extents& position) const {
  return fmt::format("{}/{}/{}", place_, file_.name_of(column),
                     zarr_key(file_.spec.format, position));
}

std::string ZarrFiles::path(std::size_t column, std::int64_t chunk) const {
  return path(column, place(column, chunk).position);
}

std::int64_t ZarrFiles::first_record(std::size_t column, std::int64_t chunk) const {
  const ChunkGrid& grid = file_.variables[column].chunks;
  return chunk / grid.chunks_per_row() * grid.records_per_chunk();
}

/// A reader sees the whole chunk or the one before it.
void ZarrFiles::put_alone(const std::string& path, std::int64_t record, std::size_t column,
                          std::span<const std::byte> stored) const {
  const std::string partial_path = path + ".partial";
  PosixFile file;
  int error = file.create(partial_path);
  if (error == 0) error = file.write_at(stored, 0);
  if (error == 0 && is_third_) error = file.write_at(checksum_of(stored), stored.size());
  if (error == 0 && file_.spec.to_disk) error = file.sync();
  if (error == 0) error = file.close();
  if (error == 0 && std::rename(partial_path.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return;
  static_cast<void>(::unlink(partial_path.c_str()));  // its space may be needed
  file_.check_record_written(error, record, column);
}

void ZarrFiles::put(std::size_t column, std::int64_t chunk, std::span<const std::byte> stored) {
  const Place its = place(column, chunk);
  const std::int64_t record = first_record(column, chunk);
  if (!columns_[column].grid) {
    return put_alone(path(column, its.position), record, column, stored);
  }
  const Name name(column, its.position);
  auto found = shards_.find(name);
  if (found == shards_.end()) {
    finish_older(column, its.position);
    const auto entries = as_index(volume(columns_[column].shard.chunks));
    found = shards_.emplace(name, ShardFile(path(column, its.position), entries)).first;
  }
  const int error = found->second.put(its.entry, stored, checksum_of(stored));
  if (error != 0) drop(found);
  file_.check_record_written(error, record, column);
  if (found->second.count() == its.chunks) finish(found);
}

void ZarrFiles::finish(std::map<Name, ShardFile>::iterator shard) {
  const auto& [column, position] = shard->first;
  const bool is_once = file_.variables[column].is_once;
  const std::int64_t record =
      is_once ? 0 : position.front() * columns_[column].grid->records_per_chunk();
  const std::size_t its_column = column;
  const int error = shard->second.finish(file_.spec.to_disk);
  if (error != 0) {
    drop(shard);
  } else {
    shards_.erase(shard);
  }
  file_.check_record_written(error, record, its_column);
}

/// A shard that cannot be written must never replace the one that readers see.
void ZarrFiles::drop(std::map<Name, ShardFile>::iterator shard) {
  shard->second.discard();
  shards_.erase(shard);
}

/// Records come in their order, mostly: a shard of earlier ones gets nothing more but in a copy.
void ZarrFiles::finish_older(std::size_t column, const Extents& position) {
  if (file_.variables[column].is_once) return;
  for (auto next = shards_.lower_bound({column, {}}); next != shards_.end();) {
    const auto shard = next++;
    if (shard->first.first != column || shard->first.second.front() >= position.front()) break;
    finish(shard);
  }
}

void ZarrFiles::settle() {
  while (!shards_.empty()) finish(shards_.begin());
}

std::vector<std::byte> ZarrFiles::stored(std::size_t column, std::int64_t chunk) const {
  const Place its = place(column, chunk);
  std::vector<std::byte> out;
  const auto check = [&](int error) {
    file_.check_system(error,
                       fmt::format("cannot continue a chunk of '{}'", file_.name_of(column)));
  };
  if (const auto found = shards_.find({column, its.position}); found != shards_.end()) {
    check(found->second.read(its.entry, out));
    return out;
  }
  PosixFile file;
  int error = file.open_own(path(column, its.position));
  if (error == ENOENT) return out;
  ShardEntry entry{0, 0};
  if (error == 0 && columns_[column].grid) {
    ShardIndex index;
    error = read_shard_index(file.descriptor(), columns_[column].shard, index);
    if (error == 0) entry = index[its.entry];
    if (error == 0 && !entry.is_there()) return out;
  } else if (error == 0) {
    error = file.size(entry.bytes);
  }
  if (error == 0) out.resize(entry.bytes);
  if (error == 0) error = read_exactly(file.descriptor(), out, entry.offset);
  check(error);
  return out;
}

void ZarrFiles::remove(std::size_t column, std::int64_t from, std::int64_t to) const {
  const ChunkGrid& chunks = file_.variables[column].chunks;
  const ChunkGrid& grid = columns_[column].grid ? *columns_[column].grid : chunks;
  const Extents& counts = grid.counts();
  for (std::int64_t row = grid.rows(from); row < grid.rows(to); ++row) {
    for (std::int64_t tile = 0; tile < grid.chunks_per_row(); ++tile) {
      Extents position(counts.size());
      std::int64_t rest = tile;
      for (std::size_t d = counts.size(); d-- > 0;) {
        position[d] = rest % counts[d];
        rest /= counts[d];
      }
      position.insert(position.begin(), row);
      if (::unlink(path(column, position).c_str()) == 0 || errno == ENOENT) continue;
      file_.check_system(errno,
                         fmt::format("cannot remove a chunk of '{}'", file_.name_of(column)));
    }
  }
}

}  // namespace epios::io
