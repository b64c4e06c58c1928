// Brings slabs into files of chunks. In order: what becomes of a slab (as it is, through the
// compressors, or into a chunk of several records), gaps, chunks that come back, files.
#include "formats/zarr_chunks.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

#include "chunks/chunk_codec.hpp"
#include "config/error.hpp"
#include "disk/posix_file.hpp"
#include "disk/value_kind.hpp"
#include "formats/zarr_metadata.hpp"
#include "grid/index.hpp"

namespace epios::io {

ZarrChunks::ZarrChunks(const GrowingFile& file, Compressors* compressors)
    : file_(file), compressors_(compressors) {
  bool is_any_compressed = false;
  for (std::size_t column = 0; column < file.variables.size(); ++column) {
    const Compression& its = file.variable_of(column).compression;
    encodings_.push_back({its.level, nullptr, true, its.method, its.shuffle});
    is_any_compressed = is_any_compressed || its.is_on();
  }
  if (!is_any_compressed || compressors_ != nullptr) return;
  own_ = std::make_unique<Compressors>(0);
  compressors_ = own_.get();
}

ZarrChunks::~ZarrChunks() { drop(); }

bool ZarrChunks::may_wait(std::size_t column) const {
  return variable(column).is_compressed || variable(column).chunks.records_per_chunk() > 1;
}

std::size_t ZarrChunks::pending() const {
  return waiting_.empty() ? 0 : static_cast<std::size_t>(slabs_ - waiting_.begin()->first + 1);
}

void ZarrChunks::begin(std::int64_t slab_number) { ++waiting_[slab_number]; }

void ZarrChunks::end(std::int64_t slab_number) {
  const auto found = waiting_.find(slab_number);
  if (found != waiting_.end() && --found->second == 0) waiting_.erase(found);
}

void ZarrChunks::check() const {
  if (!error_.empty()) throw Error(ErrorCode::io, error_);
}

bool ZarrChunks::write(std::size_t column, const Slab& slab) {
  check();
  const ChunkGrid& grid = variable(column).chunks;
  if (!grid.tiles(slab.box).are_whole) return false;
  if (slab.box.is_empty()) return true;
  if (!may_wait(column)) {
    write_plain(column, slab);
    return true;
  }
  const std::int64_t number = ++slabs_;
  // It counts as waiting until all of its chunks are known.
  begin(number);
  if (grid.records_per_chunk() > 1) {
    write_partial(column, slab, number);
  } else {
    write_compressed(column, slab, number);
  }
  end(number);
  check();
  return true;
}

/// The values of a chunk that lie together in the slab are not copied.
void ZarrChunks::write_plain(std::size_t column, const Slab& slab) {
  const ChunkGrid& grid = variable(column).chunks;
  const auto chunk_bytes = static_cast<std::size_t>(grid.chunk_bytes());
  std::vector<std::byte> edge;
  grid.cut(slab.record, slab.box, slab.data,
           [&](std::int64_t chunk, std::int64_t offset, std::span<const std::byte> bytes) {
             if (bytes.size() == chunk_bytes) return put({column, chunk}, bytes);
             // A chunk at the edge of the variable begins with the points that it has.
             edge.assign(chunk_bytes, std::byte{0});
             std::copy(bytes.begin(), bytes.end(),
                       edge.begin() + static_cast<std::ptrdiff_t>(offset));
             put({column, chunk}, edge);
           });
}

void ZarrChunks::write_compressed(std::size_t column, const Slab& slab, std::int64_t slab_number) {
  variable(column).chunks.copy_tiles(
      slab.record, slab.box, slab.data, [&](std::int64_t) { return room(column); },
      [&](std::int64_t chunk) {
        submit({column, chunk}, slab_number);
      });
  compressors_->hand_back();
}

void ZarrChunks::write_partial(std::size_t column, const Slab& slab, std::int64_t slab_number) {
  const ChunkGrid& grid = variable(column).chunks;
  const auto bytes = static_cast<std::size_t>(grid.chunk_bytes() / grid.records_per_chunk());
  const auto place = static_cast<std::size_t>(slab.record % grid.records_per_chunk()) * bytes;
  const auto chunk_of = [&](std::int64_t chunk) {
    const auto [found, is_new] = partial_.try_emplace({column, chunk});
    if (is_new) found->second.values = unset_chunk(column);
    return found;
  };
  grid.copy_tiles(
      slab.record, slab.box, slab.data,
      [&](std::int64_t chunk) {
        return std::span(chunk_of(chunk)->second.values).subspan(place, bytes);
      },
      [&](std::int64_t chunk) {
        const auto found = chunk_of(chunk);
        Partial& partial = found->second;
        if (partial.first_slab == 0) {
          partial.first_slab = slab_number;
          begin(slab_number);
        }
        if (++partial.records < grid.records_per_chunk()) return;
        store(found->first, partial.values, partial.first_slab);
        partial_.erase(found);
      });
  if (compressors_ != nullptr) compressors_->hand_back();
}

void ZarrChunks::store(const Name& name, std::span<const std::byte> values,
                       std::int64_t slab_number) {
  if (!variable(name.first).is_compressed) {
    put(name, values);
    return end(slab_number);
  }
  const std::span<std::byte> copy = room(name.first);
  std::copy(values.begin(), values.end(), copy.begin());
  submit(name, slab_number);
  end(slab_number);
}

std::span<std::byte> ZarrChunks::room(std::size_t column) {
  const auto bytes = static_cast<std::size_t>(variable(column).chunks.chunk_bytes());
  return compressors_->room(bytes, zarr_bytes_at_most(encodings_[column].method, bytes));
}

void ZarrChunks::submit(const Name& name, std::int64_t slab_number) {
  begin(slab_number);
  compressing_.push_back(slab_number);
  Compressors::Job job;
  job.client = this;
  job.column = name.first;
  job.chunk = name.second;
  job.encoding = encodings_[name.first];
  job.value_bytes = variable(name.first).chunks.value_bytes();
  compressors_->submit(job);
}

void ZarrChunks::take(std::size_t column, std::int64_t chunk, std::span<const std::byte> stored,
                      std::uint32_t skipped_filters) noexcept {
  if (dropped_ || !error_.empty()) return;
  try {
    if (skipped_filters != 0) file_.check_system(ENOMEM, "cannot compress a chunk");
    put({column, chunk}, stored);
    end(compressing_.front());
    compressing_.pop_front();
  } catch (const std::exception& e) {
    error_ = e.what();
  }
}

void ZarrChunks::fill(std::size_t column, std::int64_t record) {
  const ChunkGrid& grid = variable(column).chunks;
  const std::int64_t row = record / grid.records_per_chunk();
  const std::vector<std::byte> unset = unset_chunk(column);
  for (std::int64_t tile = 0; tile < grid.chunks_per_row(); ++tile) {
    const Name name(column, row * grid.chunks_per_row() + tile);
    // One that is there, or will be, has unset points where nobody wrote.
    if (partial_.contains(name) || ::access(path(column, name.second).c_str(), F_OK) == 0) continue;
    const std::int64_t number = ++slabs_;
    begin(number);
    store(name, unset, number);
  }
}

void ZarrChunks::settle() {
  check();
  for (auto next = partial_.begin(); next != partial_.end();) {
    const auto found = next++;
    Partial& partial = found->second;
    if (partial.first_slab != 0) {
      store(found->first, partial.values, partial.first_slab);
      partial.first_slab = 0;
    } else if (const auto& chunks = variable(found->first.first).chunks;
               (found->first.second / chunks.chunks_per_row() + 1) * chunks.records_per_chunk() <=
               file_.ledger.complete(found->first.first)) {
      partial_.erase(found);  // nobody writes the rest
    }
  }
  if (!compressing_.empty()) compressors_->drain();
  check();
}

void ZarrChunks::drop() noexcept {
  dropped_ = true;
  if (!compressing_.empty()) compressors_->drain();
}

void ZarrChunks::remove(std::size_t column, std::int64_t from, std::int64_t to) const {
  const ChunkGrid& grid = variable(column).chunks;
  const std::int64_t end = grid.rows(to) * grid.chunks_per_row();
  for (std::int64_t c = grid.rows(from) * grid.chunks_per_row(); c < end; ++c) {
    if (::unlink(path(column, c).c_str()) == 0 || errno == ENOENT) continue;
    file_.check_system(errno, fmt::format("cannot remove a chunk of '{}'", file_.name_of(column)));
  }
}

std::vector<std::byte> ZarrChunks::unset_chunk(std::size_t column) const {
  const std::vector<std::byte> value = unset_bytes(file_.variable_of(column));
  std::vector<std::byte> out(static_cast<std::size_t>(variable(column).chunks.chunk_bytes()));
  for (std::size_t i = 0; i < out.size(); i += value.size()) {
    std::memcpy(out.data() + i, value.data(), value.size());
  }
  return out;
}

std::string ZarrChunks::path(std::size_t column, std::int64_t chunk) const {
  const RecordVariable& its = variable(column);
  const Extents& counts = its.chunks.counts();
  std::vector<std::int64_t> position(counts.size());
  for (std::size_t d = counts.size(); d-- > 0;) {
    position[d] = chunk % counts[d];
    chunk /= counts[d];
  }
  if (!its.is_once) position.insert(position.begin(), chunk);
  return fmt::format("{}/{}/{}", place_, file_.name_of(column), zarr_key(position));
}

/// A reader sees the whole chunk or the one before it.
void ZarrChunks::put(const Name& name, std::span<const std::byte> stored) const {
  const std::string final_path = path(name.first, name.second);
  const std::string partial_path = final_path + ".partial";
  PosixFile file;
  int error = file.create(partial_path);
  if (error == 0) error = file.write_at(stored, 0);
  if (error == 0 && file_.spec.to_disk) error = file.sync();
  if (error == 0) error = file.close();
  if (error == 0 && std::rename(partial_path.c_str(), final_path.c_str()) != 0) error = errno;
  if (error == 0) return;
  static_cast<void>(::unlink(partial_path.c_str()));  // its space may be needed
  const ChunkGrid& grid = variable(name.first).chunks;
  file_.check_record_written(error, name.second / grid.chunks_per_row() * grid.records_per_chunk(),
                             name.first);
}

}  // namespace epios::io
