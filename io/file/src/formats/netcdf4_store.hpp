/// @file
/// A NetCDF-4 file. NetCDF-C and HDF5 make its structure on the owner; every writer writes its own
/// data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "contract/record_store.hpp"
#include "disk/unpublished_file.hpp"
#include "hdf5/compressed_chunks.hpp"
#include "hdf5/record_space.hpp"

namespace epios::io {

class Netcdf4Store final : public RecordStore {
 public:
  Netcdf4Store(GrowingFile& file, Compressors* compressors);
  Netcdf4Store(const Netcdf4Store&) = delete;
  Netcdf4Store(Netcdf4Store&&) = delete;
  Netcdf4Store& operator=(const Netcdf4Store&) = delete;
  Netcdf4Store& operator=(Netcdf4Store&&) = delete;
  ~Netcdf4Store() override = default;

  void prepare() override { compressed_.load_plugins(file_.spec); }
  void create() override;
  void open() override;
  void reserve(std::int64_t needed, std::int64_t to) override;
  void write(std::size_t column, const Slab& slab) override;
  std::size_t pending() const override { return compressed_.pending() + waiting_slabs_; }
  bool may_wait(std::size_t column) const override { return compressed_.has(column); }
  void put_rounding(int variable) override;
  void settle() override;
  void forget_complete() override;
  void sync() override { part_.sync(); }
  void flush() override;
  void close() override { part_.close(); }
  void begin_writing_alone() override { puts_now_ = true; }
  void finish(std::int64_t records) override;
  std::int64_t publish() override { return part_.publish(); }
  void abandon() noexcept override;

 private:
  /// Space reserved beyond what HDF5 has allocated, for the metadata that it writes when it
  /// flushes.
  static constexpr std::uint64_t metadata_margin = std::uint64_t{64} << 10;

  /// Addresses of the chunks of a record variable, but for those whose records are complete.
  struct Addresses {
    std::int64_t first_chunk = 0;
    std::deque<std::uint64_t> chunks;
  };

  void place_fixed_variables();
  /// Returns the end of the chunks of records from GrowingFile::reserved to `records`.
  std::uint64_t end_of_records(const std::vector<std::uint64_t>& addresses,
                               std::int64_t records) const;
  void take_addresses(const std::vector<std::uint64_t>& addresses, std::int64_t from,
                      std::int64_t to);
  CompressedChunks::Sinks compressed_sinks();
  /// Writes a compressed chunk and notes its address.
  void put(const StoredChunk& chunk, std::uint64_t address, std::span<const std::byte> stored);
  void put_now(const StoredChunk& chunk, std::span<const std::byte> stored);
  void write_chunks(std::size_t column, const Slab& slab);
  void write_compressed(std::size_t column, const Slab& slab);
  /// Throws the first error of a sink.
  void check_compressed() const;
  void place_waiting();

  GrowingFile& file_;
  UnpublishedFile part_;
  std::vector<Addresses> addresses_;    // per record variable
  std::unique_ptr<RecordSpace> space_;  // owner only
  bool puts_now_ = true;  // puts compressed chunks at once; otherwise when the writers agree
  WaitingChunks waiting_;
  std::size_t waiting_slabs_ = 0;  // number of slabs whose last chunk waits
  CompressedChunks compressed_;    // last, because it uses the members above
};

}  // namespace epios::io
