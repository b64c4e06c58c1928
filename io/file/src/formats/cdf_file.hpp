/// @file
/// A CDF-5 file: its header by netCDF-C on the owner, data by every endpoint of every writer for
/// itself.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "contract/part_file.hpp"
#include "file/writing_endpoints.hpp"
#include "formats/cdf_endpoint.hpp"
#include "formats/cdf_header.hpp"

namespace epios::io {

/// The structure is the header, which stays as it is but for the number of records: record r of
/// variable v is at begin[v] + r * record_bytes.
class CdfFile final : public PartFile {
 public:
  CdfFile(const FileSpec& spec, const ep::Comm* writers, WritingEndpoints& endpoints);
  CdfFile(const CdfFile&) = delete;
  CdfFile(CdfFile&&) = delete;
  CdfFile& operator=(const CdfFile&) = delete;
  CdfFile& operator=(CdfFile&&) = delete;
  ~CdfFile() override;

  void reserve(std::int64_t records) override;
  void abandon() noexcept override;

 private:
  void sync_data() override;
  void close_data() override;
  void flush_structure() override;
  void write_part(std::size_t column, std::int64_t record, const Box& box,
                  std::span<const std::byte> data) override;
  void write_gap(std::size_t column, std::int64_t record, std::span<const std::byte> data) override;
  std::uint64_t finish_structure(std::int64_t records) override;

  void create();
  /// What all must know of the header (collective).
  void tell_places();
  void open_endpoints();
  void share_out();
  std::uint64_t file_bytes(std::int64_t records) const;
  /// Of a record of a column.
  std::uint64_t address_of(std::size_t column, std::int64_t record) const;
  void write_runs(std::size_t column, std::int64_t record, const Box& box,
                  std::span<const std::byte> data);
  void write_shares(std::size_t column, std::int64_t record, std::span<const std::byte> data);
  void write_records(std::int64_t records);
  /// Closes all; the first error.
  int close_endpoints();

  WritingEndpoints& endpoints_;
  std::vector<std::uint64_t> begins_;  // per variable of the spec
  std::uint64_t records_begin_ = 0;
  std::uint64_t record_bytes_ = 0;
  std::vector<std::unique_ptr<CdfEndpoint>> handles_;  // per endpoint
  struct Piece {
    int endpoint = 0;
    std::size_t offset = 0;  ///< in the slab's data
    std::size_t bytes = 0;
  };
  std::vector<std::vector<Piece>> pieces_;  // per column whose slab is known: who writes what
};

}  // namespace epios::io
