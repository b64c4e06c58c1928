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
#include "formats/zarr_files.hpp"

namespace epios::io {

/// A chunk of several records is kept in memory until it is full, a record behind it comes, or
/// settle() is called; one that is in its file and not full is replaced at once when more of its
/// records have come. Each tile of the index space has one writer, so no two write one chunk.
/// Functions throw Error{io}, which names the store.
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
  void set_place(const std::string& folder) { files_.set_place(folder); }
  /// Takes a slab; returns false if it does not consist of whole chunks, or shards.
  bool write(std::size_t column, const Slab& slab);
  /// Makes those chunks of a record that have no file, where readers need them; they have unset
  /// points only.
  void fill(std::size_t column, std::int64_t record);
  bool may_wait(std::size_t column) const;
  /// Returns the number of latest slabs, of columns that may wait, from the first one on that is
  /// not in its files yet.
  std::size_t pending() const;
  /// Brings everything into files.
  void settle();
  /// Waits for the compressors and discards what comes back.
  void drop() noexcept;
  /// Removes the files of records in [from, to).
  void remove(std::size_t column, std::int64_t from, std::int64_t to) const {
    files_.remove(column, from, to);
  }

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
  void put(const Name& name, std::span<const std::byte> stored) {
    files_.put(name.first, name.second, stored);
  }
  void leave_earlier(std::size_t column, std::int64_t row);
  std::vector<std::byte> values_in_file(const Name& name);
  std::vector<std::byte> unset_chunk(std::size_t column) const;
  void begin(std::int64_t slab_number);
  void end(std::int64_t slab_number);
  void check() const;

  const GrowingFile& file_;
  ZarrFiles files_;
  std::vector<Encoding> encodings_;     // per column
  std::vector<std::int64_t> last_row_;  // of chunks of several records, per column
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
