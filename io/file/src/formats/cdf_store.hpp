/// @file
/// A CDF-5 file. NetCDF-C makes its header on the owner; every endpoint of every writer writes its
/// own data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "contract/record_store.hpp"
#include "disk/unpublished_file.hpp"
#include "file/writing_endpoints.hpp"
#include "formats/cdf_endpoint.hpp"
#include "formats/cdf_header.hpp"

namespace epios::io {

/// The structure is the header, of which only the number of records changes: record r of variable v
/// is at begin[v] + r * record_bytes.
class CdfStore final : public RecordStore {
 public:
  CdfStore(GrowingFile& file, WritingEndpoints& endpoints);
  CdfStore(const CdfStore&) = delete;
  CdfStore(CdfStore&&) = delete;
  CdfStore& operator=(const CdfStore&) = delete;
  CdfStore& operator=(CdfStore&&) = delete;
  ~CdfStore() override = default;

  void prepare() override;
  void create() override;
  void open() override;
  void reserve(std::int64_t needed, std::int64_t to) override;
  void write(std::size_t column, const Slab& slab) override;
  void put_rounding(int variable) override;
  void sync() override;
  void flush() override;
  void close() override;
  void finish(std::int64_t records) override;
  std::int64_t publish() override { return part_.publish(); }
  void abandon() noexcept override;

 private:
  /// Sends to all writers what they must know about the header (collective).
  void tell_places();
  void open_endpoints();
  void share_out();
  std::uint64_t file_bytes(std::int64_t records) const;
  /// Returns the address of a record of a column.
  std::uint64_t address_of(std::size_t column, std::int64_t record) const;
  void write_runs(std::size_t column, const Slab& slab);
  void write_shares(std::size_t column, const Slab& slab);
  void write_records(std::int64_t records);
  /// Closes all endpoints and returns the first error.
  int close_endpoints();

  GrowingFile& file_;
  UnpublishedFile part_;
  WritingEndpoints& endpoints_;
  std::vector<std::uint64_t> begins_;  // per variable of the spec
  std::uint64_t records_begin_ = 0;
  std::uint64_t record_bytes_ = 0;
  std::vector<std::unique_ptr<CdfEndpoint>> handles_;  // per endpoint
  struct Piece {
    int endpoint = 0;
    std::size_t offset = 0;  ///< offset in the data of the slab
    std::size_t bytes = 0;
  };
  std::vector<std::vector<Piece>>
      pieces_;  // shares of the endpoints, per column whose slab is known
};

}  // namespace epios::io
