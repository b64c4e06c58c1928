/// @file
/// The chunks of a store's record variables on one of its writers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "contract/growing_file.hpp"
#include "file/compressors.hpp"

namespace epios::io {

/// Each chunk is a file of its own, which gets its name when it is whole. A chunk of several
/// records is kept in memory until it is full or settle() is called; a file that is not full is
/// replaced at once when more records have come. Each tile of the index space has one writer, so no
/// two write one chunk. Functions throw Error{io}, which names the store.
class ZarrChunks final : public Compressors::Client {
 public:
  /// The arguments must outlive this object. Without `compressors` it has its own, without threads.
  ZarrChunks(const GrowingFile& file, Compressors* compressors);
  ZarrChunks(const ZarrChunks&) = delete;
  ZarrChunks(ZarrChunks&&) = delete;
  ZarrChunks& operator=(const ZarrChunks&) = delete;
  ZarrChunks& operator=(ZarrChunks&&) = delete;
  /// Calls drop().
  ~ZarrChunks() override;

  /// Sets the folder of the store.
  void set_place(const std::string& folder) { place_ = folder; }
  /// Takes a slab; returns false if it does not consist of whole chunks.
  bool write(std::size_t column, const Slab& slab);
  /// Makes those chunks of a record that have no file; they have unset points only.
  void fill(std::size_t column, std::int64_t record);
  bool may_wait(std::size_t column) const;
  /// Returns the number of latest slabs, of columns that may wait, from the first one on that is
  /// not in its files yet.
  std::size_t pending() const;
  /// Brings everything into files.
  void settle();
  /// Waits for the compressors and discards what comes back.
  void drop() noexcept;
  /// Removes the chunks of records in [from, to), a row of chunks at a time.
  void remove(std::size_t column, std::int64_t from, std::int64_t to) const;
  std::string path(std::size_t column, std::int64_t chunk) const;

  void take(std::size_t column, std::int64_t chunk, std::span<const std::byte> stored,
            std::uint32_t skipped_filters) noexcept override;

 private:
  using Name = std::pair<std::size_t, std::int64_t>;  // column and number of a chunk
  /// A chunk of several records.
  struct Partial {
    std::vector<std::byte> values;
    std::int64_t records = 0;     // number of those that it has
    std::int64_t first_slab = 0;  // of those that are not in its file; 0: all are
  };

  const RecordVariable& variable(std::size_t column) const { return file_.variables[column]; }
  void write_partial(std::size_t column, const Slab& slab, std::int64_t slab_number);
  void write_compressed(std::size_t column, const Slab& slab, std::int64_t slab_number);
  void write_plain(std::size_t column, const Slab& slab);
  /// Writes a chunk from memory, through the compressors if it is to be compressed.
  void store(const Name& name, std::span<const std::byte> values, std::int64_t slab_number);
  void submit(const Name& name, std::int64_t slab_number);
  std::span<std::byte> room(std::size_t column);
  void put(const Name& name, std::span<const std::byte> stored) const;
  std::vector<std::byte> unset_chunk(std::size_t column) const;
  void begin(std::int64_t slab_number);
  void end(std::int64_t slab_number);
  void check() const;

  const GrowingFile& file_;
  std::string place_;
  std::vector<Encoding> encodings_;  // per column
  std::unique_ptr<Compressors> own_;
  Compressors* compressors_;
  std::map<Name, Partial> partial_;
  std::int64_t slabs_ = 0;                        // number of slabs taken of columns that may wait
  std::map<std::int64_t, std::int64_t> waiting_;  // chunks that are not in files, by slab number
  std::deque<std::int64_t> compressing_;          // slab number of each chunk under way, in order
  std::string error_;
  bool dropped_ = false;
};

}  // namespace epios::io
