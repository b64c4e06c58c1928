/// @file
/// A NetCDF-4 file: structure by netCDF-C and HDF5 on the owner, data by every writer for itself.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "contract/part_file.hpp"
#include "hdf5/compressed_chunks.hpp"

namespace epios::io {

class Netcdf4File final : public PartFile {
 public:
  Netcdf4File(const FileSpec& spec, const ep::Comm* writers, Compressors* compressors);
  Netcdf4File(const Netcdf4File&) = delete;
  Netcdf4File(Netcdf4File&&) = delete;
  Netcdf4File& operator=(const Netcdf4File&) = delete;
  Netcdf4File& operator=(Netcdf4File&&) = delete;
  ~Netcdf4File() override;

  void reserve(std::int64_t records) override;
  void write(const Slab& slab) override;
  std::size_t pending() const override { return compressed_.pending() + waiting_slabs_; }
  void abandon() noexcept override;

 private:
  /// Set aside beyond what HDF5 has given out, for the metadata it writes when it flushes.
  static constexpr std::uint64_t metadata_margin = std::uint64_t{64} << 10;

  void settle_writes() override { place_compressed(); }
  void sync_data() override;
  void close_data() override;
  void flush_structure() override;
  void write_part(std::size_t column, std::int64_t record, const Box& box,
                  std::span<const std::byte> data) override;
  void begin_gaps() override { puts_now_ = true; }
  void write_gap(std::size_t column, std::int64_t record, std::span<const std::byte> data) override;
  void end_gaps() override;
  std::uint64_t finish_structure(std::int64_t records) override;

  void create();
  void place_fixed_variables();
  /// Where the chunks of records [reserved_, records) end.
  std::uint64_t end_of_records(const std::vector<std::uint64_t>& addresses,
                               std::int64_t records) const;
  void take_addresses(const std::vector<std::uint64_t>& addresses, std::int64_t from,
                      std::int64_t to);
  CompressedChunks::Sinks compressed_sinks();
  /// Compressed chunks that are in the file, with this one.
  void put(const StoredChunk& chunk, std::uint64_t address, std::span<const std::byte> stored);
  void put_now(const StoredChunk& chunk, std::span<const std::byte> stored);
  /// Takes what went wrong on the way of compressed chunks as this writer's failure.
  void take_over_error();
  /// Brings all compressed chunks that were written into the file (collective).
  void place_compressed();
  void place_waiting();

  std::vector<std::vector<std::uint64_t>> addresses_;  // of chunks, per record variable
  std::unique_ptr<RecordSpace> space_;                 // owner only
  bool puts_now_ = true;  // compressed chunks; else when the writers meet
  WaitingChunks waiting_;
  std::size_t waiting_slabs_ = 0;  // whose last chunk waits
  CompressedChunks compressed_;    // last: it uses what is above
};

}  // namespace epios::io
