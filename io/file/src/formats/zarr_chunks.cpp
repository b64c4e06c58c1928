// Brings slabs into files of chunks. In order: what becomes of a slab (as it is, through the
// compressors, or into a chunk of several records), gaps, chunks that come back.
#include "formats/zarr_chunks.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>

#include "chunks/chunk_codec.hpp"
#include "chunks/zarr_decoder.hpp"
#include "config/error.hpp"
#include "disk/value_kind.hpp"
#include "grid/index.hpp"

namespace epios::io {

ZarrChunks::ZarrChunks(const GrowingFile& file, Compressors* compressors)
    : file_(file), files_(file), last_row_(file.variables.size(), 0), compressors_(compressors) {
  const bool is_third = file.spec.format == FileFormat::zarr3;
  bool is_any_compressed = false;
  for (std::size_t column = 0; column < file.variables.size(); ++column) {
    const Compression& its = file.variable_of(column).compression;
    encodings_.push_back({its.level, nullptr, true, its.method, its.shuffle, is_third});
    // Version 3 has no shuffle but that of Blosc.
    if (is_third && !is_blosc(its.method)) encodings_.back().shuffle = Compression::Shuffle::none;
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
  return waiting_.empty() ? 0 : as_index(slabs_ - waiting_.begin()->first + 1);
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
  if (!files_.are_whole(column, slab.box)) return false;
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
  const std::int64_t row = slab.record / grid.records_per_chunk();
  leave_earlier(column, row);
  const bool is_late = row < last_row_[column];
  last_row_[column] = std::max(last_row_[column], row);
  if (is_late && !compressing_.empty()) compressors_->drain();
  const auto chunk_of = [&](std::int64_t chunk) {
    const auto [found, is_new] = partial_.try_emplace({column, chunk});
    if (is_new) found->second.values = is_late ? values_in_file(found->first) : unset_chunk(column);
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

/// Records that nobody writes leave chunks that never become full.
void ZarrChunks::leave_earlier(std::size_t column, std::int64_t row) {
  const std::int64_t end = row * variable(column).chunks.chunks_per_row();
  for (auto next = partial_.lower_bound({column, 0});
       next != partial_.end() && next->first.first == column && next->first.second < end;) {
    const auto found = next++;
    if (found->second.first_slab != 0) {
      store(found->first, found->second.values, found->second.first_slab);
    }
    partial_.erase(found);
  }
}

/// The values of a chunk that was left before it was full.
std::vector<std::byte> ZarrChunks::values_in_file(const Name& name) {
  std::vector<std::byte> values = unset_chunk(name.first);
  const std::vector<std::byte> stored = files_.stored(name.first, name.second);
  if (stored.empty()) return values;
  using Compressor = ZarrPipeline::Compressor;
  const Encoding& its = encodings_[name.first];
  ZarrPipeline pipeline;
  pipeline.has_checksum = file_.spec.format == FileFormat::zarr3;
  if (variable(name.first).is_compressed) {
    pipeline.compressor = is_blosc(its.method)                      ? Compressor::blosc
                          : its.method == Compression::Method::zstd ? Compressor::zstd
                          : its.is_gzip                             ? Compressor::gzip
                                                                    : Compressor::zlib;
    if (!is_blosc(its.method) && its.shuffle == Compression::Shuffle::byte) {
      pipeline.shuffle = variable(name.first).chunks.value_bytes();
    }
  }
  const bool is_good = ZarrDecoder().decode(pipeline, stored, values);
  file_.check_system(is_good ? 0 : EBADMSG,
                     fmt::format("cannot continue a chunk of '{}'", file_.name_of(name.first)));
  return values;
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
  if (files_.may_lack_chunks()) return;
  const ChunkGrid& grid = variable(column).chunks;
  const std::int64_t row = record / grid.records_per_chunk();
  const std::vector<std::byte> unset = unset_chunk(column);
  for (std::int64_t tile = 0; tile < grid.chunks_per_row(); ++tile) {
    const Name name(column, row * grid.chunks_per_row() + tile);
    // One that is there, or will be, has unset points where nobody wrote.
    if (partial_.contains(name) || ::access(files_.path(column, name.second).c_str(), F_OK) == 0)
      continue;
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
  files_.settle();
}

void ZarrChunks::drop() noexcept {
  dropped_ = true;
  if (!compressing_.empty()) compressors_->drain();
}

std::vector<std::byte> ZarrChunks::unset_chunk(std::size_t column) const {
  const std::vector<std::byte> value = unset_bytes(file_.variable_of(column));
  std::vector<std::byte> out(static_cast<std::size_t>(variable(column).chunks.chunk_bytes()));
  for (std::size_t i = 0; i < out.size(); i += value.size()) {
    std::memcpy(out.data() + i, value.data(), value.size());
  }
  return out;
}

}  // namespace epios::io
