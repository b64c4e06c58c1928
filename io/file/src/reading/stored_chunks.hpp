/// @file
/// Chunks of a variable as a file stores them, and the places of their values in a request.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "disk/hdf5_handle.hpp"

namespace epios::io {

enum class Number : std::uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f32, f64 };

/// Variables with more dimensions are read by NetCDF.
constexpr std::size_t most_dimensions = 16;
/// One number per dimension, slowest first. A fixed array, so that reading does not allocate.
using Index = std::array<std::int64_t, most_dimensions>;

/// A variable whose chunks can be read here.
struct Stored {
  Hdf5Handle data_set;
  Number number = Number::f64;
  std::size_t value_bytes = 8;
  int shuffle = -1, deflate = -1;  ///< positions in the pipeline; -1 if absent
  std::vector<std::int64_t> shape, chunk;

  bool is_plain() const { return deflate < 0; }
  std::size_t chunk_bytes() const {
    std::size_t bytes = value_bytes;
    for (const std::int64_t length : chunk) bytes *= static_cast<std::size_t>(length);
    return bytes;
  }
};

/// Returns the layout of a variable of an open file; nothing if it does not exist, or if NetCDF has
/// to read its chunks.
std::optional<Stored> stored_of(hid_t file, const std::string& name);
/// Returns the name of a NetCDF variable in HDF5. It differs if a dimension has that name and the
/// variable is not its coordinate.
std::string data_set_of(hid_t file, const std::string& variable);

/// The requested range, in values of a dimension.
struct Range {
  std::int64_t begin = 0, size = 1;
};

/// Calls `visit(first)` for all chunks with values of the ranges until it returns false.
template <class Visit>
bool for_each_chunk(const Stored& stored, std::span<const Range> ranges, Visit&& visit) {
  const std::size_t rank = ranges.size();
  Index first{};
  for (std::size_t d = 0; d < rank; ++d) {
    first[d] = ranges[d].begin / stored.chunk[d] * stored.chunk[d];
  }
  Index at = first;
  while (true) {
    if (!visit(at)) return false;
    std::size_t d = rank;
    while (d > 0) {
      at[d - 1] += stored.chunk[d - 1];
      if (at[d - 1] < ranges[d - 1].begin + ranges[d - 1].size) break;
      at[d - 1] = first[d - 1];
      --d;
    }
    if (d == 0) return true;
  }
}

/// Returns the place of an unchanged chunk in the request, or -1 if it is not contiguous there.
std::int64_t place_as_it_is(const Stored& stored, std::span<const Range> ranges, const Index& at);

/// Copies the requested part of the chunk at `at`, row by row, to its place in the request.
void place(const Stored& stored, std::span<const Range> ranges, const Index& at,
           const std::byte* values, double* out);

/// The requested values of one chunk, as runs that are contiguous both in the chunk and in the
/// request.
struct Runs {
  Index begin{}, size{};    ///< requested part, in values of the variable
  std::size_t outer = 0;    ///< number of slowest dimensions that have a run for each index
  std::int64_t length = 0;  ///< number of values in a run
  std::int64_t values = 0;  ///< number of values in all runs
};
Runs runs_of(const Stored& stored, std::span<const Range> ranges, const Index& at);

/// Calls `visit(from, to)` for all runs, with places in the chunk and in the request, until it
/// returns false.
template <class Visit>
bool for_each_run(const Stored& stored, std::span<const Range> ranges, const Index& at,
                  const Runs& runs, Visit&& visit) {
  Index row{};
  while (true) {
    std::int64_t from = 0;
    std::int64_t to = 0;
    for (std::size_t d = 0; d < ranges.size(); ++d) {
      from = from * stored.chunk[d] + runs.begin[d] + row[d] - at[d];
      to = to * ranges[d].size + runs.begin[d] + row[d] - ranges[d].begin;
    }
    if (!visit(from, to)) return false;
    std::size_t d = runs.outer;
    while (d > 0 && ++row[d - 1] == runs.size[d - 1]) row[--d] = 0;
    if (d == 0) return true;
  }
}

}  // namespace epios::io
