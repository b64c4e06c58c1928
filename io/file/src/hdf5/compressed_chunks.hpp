/// @file
/// The compressed variables of a file on one of its writers: slabs on their way through the
/// compressors, and chunks that wait for a place in the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "chunks/chunk_grid.hpp"
#include "chunks/plugin_filter.hpp"
#include "file/compressors.hpp"
#include "file/output_file.hpp"
#include "hdf5/record_space.hpp"

namespace epios::io {

/// A chunk in its stored form.
struct StoredChunk {
  std::size_t column = 0;  ///< number of the record variable
  std::int64_t chunk = 0;  ///< number over all rows
  std::size_t bytes = 0;
  std::uint32_t skipped_filters = 0;
};

class CompressedChunks final : public Compressors::Client {
 public:
  struct Sinks {
    /// Called when a chunk comes back, in the order of write().
    std::function<void(const StoredChunk&, std::span<const std::byte>)> store;
    /// Called when all chunks of a slab have come back.
    std::function<void(std::size_t column, std::int64_t record, std::int64_t points)> complete;
  };
  /// The arguments must outlive this object. Without `compressors` it has its own, without threads.
  CompressedChunks(const FileSpec& spec, const std::vector<RecordVariable>& variables,
                   Compressors* compressors, Sinks sinks);
  CompressedChunks(const CompressedChunks&) = delete;
  CompressedChunks(CompressedChunks&&) = delete;
  CompressedChunks& operator=(const CompressedChunks&) = delete;
  CompressedChunks& operator=(CompressedChunks&&) = delete;
  /// Calls drop().
  ~CompressedChunks() override;

  /// Finds the filters from plug-ins. Throws Error{io}, which names a missing one.
  void load_plugins(const FileSpec& spec);
  bool are_none() const { return are_none_; }
  bool has(std::size_t column) const { return encodings_[column].level > 0; }
  /// Passes on a slab of whole chunks; returns false if it is none. May call sinks for older ones.
  bool write(std::size_t column, std::int64_t record, const Box& box,
             std::span<const std::byte> data);
  /// Waits until everything has come back and discards it; sinks are not called any more.
  void drop() noexcept;
  /// Waits until everything has come back.
  void drain();
  /// Returns the number of slabs that have not come back yet, or could not be stored.
  std::size_t pending() const { return slabs_.size(); }
  /// Returns the first error of a sink, or "". Sinks are not called any more afterwards.
  const std::string& error() const { return error_; }

  void take(std::size_t column, std::int64_t chunk, std::span<const std::byte> stored,
            std::uint32_t skipped_filters) noexcept override;

 private:
  struct PendingSlab {
    std::size_t column = 0;
    std::int64_t record = 0;
    std::int64_t points = 0;
    std::int64_t chunks_left = 0;
  };

  const std::vector<RecordVariable>& variables_;
  std::vector<Encoding> encodings_;                     // per record variable
  std::vector<std::unique_ptr<PluginFilter>> plugins_;  // set for some of them
  bool are_none_ = true;
  std::unique_ptr<Compressors> own_;
  Compressors* compressors_;
  Sinks sinks_;
  std::deque<PendingSlab> slabs_;
  std::string error_;
  bool dropped_ = false;
};

/// Chunks of a shared file that wait until the writers agree, and an account of the chunks that
/// have places, which is the same on all writers.
class WaitingChunks {
 public:
  explicit WaitingChunks(const std::vector<RecordVariable>& variables)
      : variables_(variables), settled_(variables.size()) {}

  void add(const StoredChunk& chunk, std::span<const std::byte> stored);
  /// Returns a number for each chunk of records before `records` that had no place at the last
  /// agreement: for chunks that wait here the argument of place(), 0 for others. The writers add
  /// them up.
  std::vector<std::int64_t> sizes(std::int64_t records);
  /// Calls `place(chunk, position)` for each chunk that some writer has, in order; `sums` are those
  /// of all writers.
  template <class Place>
  void for_each(const std::vector<std::int64_t>& sums, Place place) const {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (sums[i] != 0) place(unpacked(asked_[i], sums[i]), i);
    }
  }
  /// Calls `write(chunk, stored, position)` for each chunk that waits here, and forgets these.
  template <class Write>
  void take(const std::vector<std::int64_t>& sums, Write write) {
    for (const Waiting& waiting : waiting_) {
      write(waiting.chunk, std::span(bytes_).subspan(waiting.offset, waiting.chunk.bytes),
            waiting.position);
    }
    settle(sums);
  }

 private:
  struct Waiting {
    StoredChunk chunk;
    std::size_t offset = 0;
    std::size_t position = 0;
  };
  struct Name {
    std::size_t column = 0;
    std::int64_t chunk = 0;
  };
  /// Chunks with places: their number from the start of the file on, then those among the others.
  struct Settled {
    std::int64_t first = 0;
    std::deque<bool> placed;
  };
  static StoredChunk unpacked(const Name& name, std::int64_t size);
  void settle(const std::vector<std::int64_t>& sums);

  const std::vector<RecordVariable>& variables_;
  std::vector<Settled> settled_;
  std::vector<Waiting> waiting_;
  std::vector<std::byte> bytes_;
  std::vector<Name> asked_;
};

}  // namespace epios::io
