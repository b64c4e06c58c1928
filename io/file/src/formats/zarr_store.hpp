/// @file
/// A store of Zarr in a folder: chunks or shards of them are files, and so are the documents that
/// describe them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "contract/record_store.hpp"
#include "disk/posix_file.hpp"
#include "disk/unpublished_folder.hpp"
#include "formats/zarr_chunks.hpp"
#include "formats/zarr_metadata.hpp"

namespace epios::io {

/// The owner writes the documents: those of arrays after the chunks that they tell of, and the
/// consolidated ones last. Every writer writes its chunks without asking anybody. Fixed variables
/// are files of equal length, one after the other in an order of addresses, and all writers write
/// their parts into them.
class ZarrStore final : public RecordStore {
 public:
  ZarrStore(GrowingFile& file, Compressors* compressors);
  ZarrStore(const ZarrStore&) = delete;
  ZarrStore(ZarrStore&&) = delete;
  ZarrStore& operator=(const ZarrStore&) = delete;
  ZarrStore& operator=(ZarrStore&&) = delete;
  ~ZarrStore() override = default;

  void prepare() override;
  void create() override;
  void open() override;
  void reserve(std::int64_t needed, std::int64_t to) override;
  void write(std::size_t column, const Slab& slab) override;
  void fill(std::size_t column, const Slab& unset) override;
  std::size_t pending() const override { return chunks_.pending(); }
  bool may_wait(std::size_t column) const override { return chunks_.may_wait(column); }
  void put_rounding(int variable) override;
  void settle() override;
  void sync() override;
  void flush() override;
  void show() override;
  void close() override {}
  void finish(std::int64_t records) override;
  std::int64_t publish() override;
  std::string warning() const override { return warning_; }
  void abandon() noexcept override;

 private:
  struct FixedArray {
    int variable = 0;
    std::uint64_t begin = 0;  ///< address
    std::uint64_t chunk_bytes = 0;
    std::int64_t chunks = 0;
    std::size_t rank = 0;
  };
  void check_chunk_size(std::size_t column) const;
  void check_shard_size(std::size_t column) const;
  void find_addresses();
  void make_fixed_files() const;
  std::string fixed_path(const FixedArray& array, std::int64_t chunk) const;
  /// Writes at an address of the fixed variables; returns errno.
  int write_fixed(std::span<const std::byte> data, std::uint64_t address);
  int close_fixed();
  void replace(const std::string& key, const std::string& text) const;
  void write_documents(std::int64_t records);

  GrowingFile& file_;
  UnpublishedFolder folder_;
  std::vector<FixedArray> fixed_;
  PosixFile fixed_file_;  // the one that was written last
  std::string fixed_path_;
  std::unique_ptr<ZarrMetadata> metadata_;  // owner only
  std::int64_t shown_ = -1;                 // records that the documents tell of, if no attribute
                                            // has changed since
  bool is_shown_ = false;                   // has its final name while it grows
  std::string warning_;
  ZarrChunks chunks_;
};

}  // namespace epios::io
