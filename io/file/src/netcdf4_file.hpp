/// @file
/// A NetCDF-4 file: structure by netCDF-C and HDF5 on the owner, data by every writer for itself.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "agreement.hpp"
#include "compressed_chunks.hpp"
#include "file/output_file.hpp"
#include "fixed_values.hpp"
#include "posix_file.hpp"
#include "record_ledger.hpp"
#include "record_space.hpp"

namespace epios::io {

class Netcdf4File final : public OutputFile {
 public:
  Netcdf4File(const FileSpec& spec, const ep::Comm* writers, Compressors* compressors);
  Netcdf4File(const Netcdf4File&) = delete;
  Netcdf4File(Netcdf4File&&) = delete;
  Netcdf4File& operator=(const Netcdf4File&) = delete;
  Netcdf4File& operator=(Netcdf4File&&) = delete;
  ~Netcdf4File() override;

  void reserve(std::int64_t records) override;
  std::int64_t reserved() const override { return reserved_; }
  void write(const Slab& slab) override;
  std::size_t pending() const override { return compressed_.pending() + waiting_slabs_; }
  void sync() override;
  void seal(std::int64_t records) override;
  std::int64_t publish() override;
  std::string warning() const override { return warning_; }
  void abandon() noexcept override;
  void fail(const std::string& why) override;

 private:
  enum class Stage { writing, sealed, published };
  /// Set aside beyond what HDF5 has given out, for the metadata it writes when it flushes.
  static constexpr std::uint64_t metadata_margin = std::uint64_t{64} << 10;

  void mark_unset();
  void create();
  /// Every writer writes what it has of the fixed variables (collective).
  void write_fixed_variables();
  /// Opens and locks the .part file, which is its only name.
  int take_part();
  /// Throws when the .part file is no longer the one written here, or was cut.
  void check_part() const;
  void check_head() const;
  void check_length(std::uint64_t bytes, std::uint64_t wanted, bool is_good) const;
  /// Runs `work` unless an error is known here, then agrees on the outcome (collective).
  void together(const std::function<void()>& work);
  /// Throws the error that all writers know of, or `why` for a call out of order.
  void require(Stage stage, const char* call) const;
  [[noreturn]] void reject(const std::string& what) const;
  void check_system(int error, const std::string& problem) const;
  /// Sets space aside up to `end`; errno of failure, which takes none.
  int set_aside_up_to(std::uint64_t end);
  /// Sets the space aside that HDF5 has given out, which coordinates need.
  void set_aside_coordinates();
  /// Sets aside what HDF5 has given out to records [reserved_, to), or at least to those before
  /// `needed`. `addresses`: of their chunks.
  void set_aside_records(const std::vector<std::uint64_t>& addresses, std::int64_t needed,
                         std::int64_t to);
  /// Where the chunks of records [reserved_, records) end.
  std::uint64_t end_of_records(const std::vector<std::uint64_t>& addresses,
                               std::int64_t records) const;
  void check_set_aside(int error, std::uint64_t end, const std::string& what) const;
  void take_addresses(const std::vector<std::uint64_t>& addresses, std::int64_t from,
                      std::int64_t to);
  std::size_t column_of(const Slab& slab) const;
  void write_part(std::size_t column, std::int64_t record, const Box& box,
                  std::span<const std::byte> data);
  CompressedChunks::Sinks compressed_sinks();
  /// Compressed chunks that are in the file, with this one.
  void put(const StoredChunk& chunk, std::uint64_t address, std::span<const std::byte> stored);
  void put_now(const StoredChunk& chunk, std::span<const std::byte> stored);
  /// Takes what went wrong on the way of compressed chunks as this writer's failure.
  void take_over_error();
  /// Brings all compressed chunks that were written into the file (collective).
  void place_compressed();
  void place_waiting();
  void fill_gaps(const std::vector<RecordLedger::Gap>& gaps);
  void finish(std::int64_t records);
  void write_journal();
  const std::string& name_of(std::size_t column) const;

  FileSpec spec_;
  std::string part_;
  Agreement agreement_;
  std::vector<RecordVariable> variables_;
  FixedValues fixed_;
  std::vector<std::vector<std::uint64_t>> addresses_;  // of chunks, per record variable
  RecordLedger ledger_;
  PosixFile data_;  // the owner keeps it, and its lock, until the file has its final name
  std::unique_ptr<RecordSpace> space_;  // owner only
  std::uint64_t space_end_ = 0;         // owner: bytes set aside so far
  std::uint64_t file_end_ = 0;          // owner: length of the file; more where space was short
  std::uint64_t sealed_bytes_ = 0;      // owner: length of the complete file
  std::int64_t reserved_ = 0;
  Stage stage_ = Stage::writing;
  std::string failure_;  // first error here, later the one all agreed on
  bool failure_is_agreed_ = false;
  std::string warning_;
  bool puts_now_ = true;  // compressed chunks; else when the writers meet
  WaitingChunks waiting_;
  std::size_t waiting_slabs_ = 0;  // whose last chunk waits
  CompressedChunks compressed_;    // last: it uses what is above
};

}  // namespace epios::io
