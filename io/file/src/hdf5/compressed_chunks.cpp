#include "hdf5/compressed_chunks.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "config/index.hpp"

namespace epios::io {

namespace {

// Filters that a chunk can skip are two: bits below this go with its size.
constexpr std::int64_t mask_range = 4;

}  // namespace

CompressedChunks::CompressedChunks(const FileSpec& spec,
                                   const std::vector<RecordVariable>& variables,
                                   Compressors* compressors, Sinks sinks)
    : variables_(variables), compressors_(compressors), sinks_(std::move(sinks)) {
  for (const RecordVariable& variable : variables) {
    const auto& its = nth(spec.variables, variable.variable).compression;
    encodings_.push_back({its.level, nullptr});
    if (its.is_on()) are_none_ = false;
  }
  if (are_none_ || compressors_ != nullptr) return;
  own_ = std::make_unique<Compressors>(0);
  compressors_ = own_.get();
}

CompressedChunks::~CompressedChunks() { drop(); }

void CompressedChunks::load_plugins(const FileSpec& spec) {
  for (std::size_t column = 0; column < variables_.size(); ++column) {
    auto plugin = plugin_filter(spec, variables_[column]);
    if (!plugin) continue;
    plugins_.push_back(std::make_unique<PluginFilter>(*std::move(plugin)));
    encodings_[column].plugin = plugins_.back().get();
  }
}

void CompressedChunks::drop() noexcept {
  dropped_ = true;
  if (!slabs_.empty()) compressors_->drain();
}

bool CompressedChunks::write(std::size_t column, std::int64_t record, const Box& box,
                             std::span<const std::byte> data) {
  const ChunkGrid& grid = variables_[column].chunks;
  const auto touched = grid.tiles(box);
  if (!touched.are_whole) return false;
  if (box.is_empty()) return true;
  slabs_.push_back({column, record, box.volume(), touched.count});
  Compressors::Job job;
  job.client = this;
  job.column = column;
  job.encoding = encodings_[column];
  job.value_bytes = grid.value_bytes();
  grid.copy_tiles(
      record, box, data,
      [&](std::int64_t) {
        return compressors_->room(static_cast<std::size_t>(grid.chunk_bytes()));
      },
      [&](std::int64_t chunk) {
        job.chunk = chunk;
        compressors_->submit(job);
      });
  compressors_->hand_back();
  return true;
}

void CompressedChunks::drain() {
  if (!slabs_.empty()) compressors_->drain();
}

void CompressedChunks::take(std::size_t column, std::int64_t chunk,
                            std::span<const std::byte> stored,
                            std::uint32_t skipped_filters) noexcept {
  if (dropped_ || !error_.empty()) return;
  try {
    sinks_.store({column, chunk, stored.size(), skipped_filters}, stored);
    PendingSlab& slab = slabs_.front();
    if (--slab.chunks_left > 0) return;
    sinks_.complete(slab.column, slab.record, slab.points);
    slabs_.pop_front();
  } catch (const std::exception& e) {
    error_ = e.what();
  }
}

void WaitingChunks::add(const StoredChunk& chunk, std::span<const std::byte> stored) {
  waiting_.push_back({chunk, bytes_.size(), 0});
  bytes_.insert(bytes_.end(), stored.begin(), stored.end());
}

std::vector<std::int64_t> WaitingChunks::sizes(std::int64_t records) {
  asked_.clear();
  std::vector<std::size_t> begin_of_column(settled_.size());
  for (std::size_t column = 0; column < settled_.size(); ++column) {
    begin_of_column[column] = asked_.size();
    if (!variables_[column].is_compressed) continue;
    const ChunkGrid& grid = variables_[column].chunks;
    const std::int64_t end = grid.rows(records) * grid.chunks_per_row();
    for (std::int64_t chunk = settled_[column].first; chunk < end; ++chunk) {
      asked_.push_back({column, chunk});
    }
  }
  std::vector<std::int64_t> out(asked_.size(), 0);
  for (Waiting& waiting : waiting_) {
    const std::size_t column = waiting.chunk.column;
    waiting.position = begin_of_column[column] +
                       static_cast<std::size_t>(waiting.chunk.chunk - settled_[column].first);
    out[waiting.position] =
        static_cast<std::int64_t>(waiting.chunk.bytes) * mask_range + waiting.chunk.skipped_filters;
  }
  return out;
}

StoredChunk WaitingChunks::unpacked(const Name& name, std::int64_t size) {
  return {name.column, name.chunk, static_cast<std::size_t>(size / mask_range),
          static_cast<std::uint32_t>(size % mask_range)};
}

void WaitingChunks::settle(const std::vector<std::int64_t>& sums) {
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (sums[i] == 0) continue;
    Settled& settled = settled_[asked_[i].column];
    const auto position = static_cast<std::size_t>(asked_[i].chunk - settled.first);
    if (settled.placed.size() <= position) settled.placed.resize(position + 1, false);
    settled.placed[position] = true;
  }
  for (Settled& settled : settled_) {
    while (!settled.placed.empty() && settled.placed.front()) {
      settled.placed.pop_front();
      ++settled.first;
    }
  }
  waiting_.clear();
  bytes_.clear();
}

}  // namespace epios::io
