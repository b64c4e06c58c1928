/// @file
/// Access of one endpoint to a CDF-5 file, with its own file handle, view and individual pointer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ep/file.hpp>
#include <span>
#include <string>
#include <vector>

#include "file/output_file.hpp"
#include "grid/box.hpp"

namespace epios::io {

/// Takes values in the byte order of this machine and writes them with the highest byte first
/// ("external32", MPI-3.1, 13.5.2), as CDF-5 requires. Functions return errno values, 0 for
/// success, and throw Error{internal} for errors that are not of the system. Used on the endpoint's
/// own thread.
class CdfEndpoint {
 public:
  CdfEndpoint() = default;
  CdfEndpoint(const CdfEndpoint&) = delete;
  CdfEndpoint(CdfEndpoint&&) = delete;
  CdfEndpoint& operator=(const CdfEndpoint&) = delete;
  CdfEndpoint& operator=(CdfEndpoint&&) = delete;
  ~CdfEndpoint();

  /// The share of this endpoint in each record of a variable.
  struct Share {
    std::uint64_t begin = 0;  ///< offset of the variable in a record, in bytes
    ValueKind kind = ValueKind::float32;
    Extents shape;
    Box box;  ///< empty if the endpoint has nothing
  };
  /// `comm` contains this endpoint only; the file exists.
  [[nodiscard]] int open(const ep::Comm& comm, const std::string& path);
  /// Defines the view: a record has `record_bytes`, the first one is at `records_begin`. `shares`
  /// has one entry per column, ascending in the file.
  void set_shares(std::vector<Share> shares, std::uint64_t records_begin,
                  std::uint64_t record_bytes);

  /// Writes this endpoint's share of a record of a column, through the view of all its shares.
  [[nodiscard]] int write_share(std::size_t column, std::int64_t record,
                                std::span<const std::byte> data);
  /// Writes contiguous values from byte `address` of the file on.
  [[nodiscard]] int write_at(ValueKind kind, std::span<const std::byte> data,
                             std::uint64_t address);
  [[nodiscard]] int sync();
  [[nodiscard]] int close();

 private:
  enum class View { none, bytes, shares };
  void show_bytes();
  void show_shares();
  void write(ValueKind kind, std::span<const std::byte> data) const;
  template <class Work>
  int attempt(Work work);

  ep::File file_;
  View view_ = View::none;
  std::vector<Share> shares_;
  std::vector<std::int64_t>
      places_;                    // place of each share in the data that the view shows of a record
  std::int64_t shown_bytes_ = 0;  // bytes of a record in the view
  std::uint64_t records_begin_ = 0;
  ep::Datatype filetype_;
  std::uint64_t record_bytes_ = 0;
};

}  // namespace epios::io
