#include "reading/chunk_reader.hpp"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstring>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "chunks/chunk_codec.hpp"
#include "chunks/helpers.hpp"
#include "disk/hdf5_handle.hpp"
#include "file/compressors.hpp"

namespace epios::io {

namespace {

enum class Number : std::uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f32, f64 };

/// Uncompressed variables are read here if it pays to look for their chunks.
constexpr std::size_t least_plain_values = 4096;
constexpr std::size_t least_plain_chunk = 8192;
/// A larger chunk is not read for half of it or less: NetCDF reads what is asked for alone.
constexpr std::size_t most_in_vain = 1 << 20;
/// Of variables that are read here; those of more dimensions are NetCDF's.
constexpr std::size_t most_dimensions = 16;
/// A number for each dimension, slowest first: reading allocates nothing.
using Index = std::array<std::int64_t, most_dimensions>;

/// A variable whose chunks can be read here.
struct Stored {
  Hdf5Handle data_set;
  Number number = Number::f64;
  std::size_t value_bytes = 8;
  int shuffle = -1, deflate = -1;  ///< positions in the pipeline; -1: not there
  std::vector<std::int64_t> shape, chunk;

  bool is_plain() const { return deflate < 0; }
  std::size_t chunk_bytes() const {
    std::size_t bytes = value_bytes;
    for (const std::int64_t length : chunk) bytes *= static_cast<std::size_t>(length);
    return bytes;
  }
};

std::optional<Number> number_of(hid_t type) {
  if (H5Tget_order(type) == H5T_ORDER_BE && H5Tget_size(type) > 1) return std::nullopt;
  const std::array<std::pair<hid_t, Number>, 10> known{{{H5T_NATIVE_INT8, Number::i8},
                                                        {H5T_NATIVE_UINT8, Number::u8},
                                                        {H5T_NATIVE_INT16, Number::i16},
                                                        {H5T_NATIVE_UINT16, Number::u16},
                                                        {H5T_NATIVE_INT32, Number::i32},
                                                        {H5T_NATIVE_UINT32, Number::u32},
                                                        {H5T_NATIVE_INT64, Number::i64},
                                                        {H5T_NATIVE_UINT64, Number::u64},
                                                        {H5T_NATIVE_FLOAT, Number::f32},
                                                        {H5T_NATIVE_DOUBLE, Number::f64}}};
  for (const auto& [native, number] : known) {
    if (H5Tequal(type, native) > 0) return number;
  }
  return std::nullopt;
}

/// Which filters there are; false for others than shuffle and deflate, or one that shuffles alone.
bool take_filters(hid_t creation, Stored& stored) {
  const int count = H5Pget_nfilters(creation);
  for (int f = 0; f < count; ++f) {
    unsigned flags = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter = H5Pget_filter2(creation, static_cast<unsigned>(f), &flags, &values,
                                               nullptr, 0, nullptr, nullptr);
    if (filter == H5Z_FILTER_SHUFFLE && stored.shuffle < 0 && stored.deflate < 0) {
      stored.shuffle = f;
    } else if (filter == H5Z_FILTER_DEFLATE && stored.deflate < 0) {
      stored.deflate = f;
    } else {
      return false;
    }
  }
  return stored.deflate >= 0 || stored.shuffle < 0;
}

std::optional<Stored> stored_of(hid_t file, const std::string& name) {
  Stored out;
  out.data_set = Hdf5Handle(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!out.data_set) return std::nullopt;
  const Hdf5Handle creation(H5Dget_create_plist(out.data_set.get()), H5Pclose);
  const Hdf5Handle space(H5Dget_space(out.data_set.get()), H5Sclose);
  const Hdf5Handle type(H5Dget_type(out.data_set.get()), H5Tclose);
  if (!creation || !space || !type) return std::nullopt;
  if (H5Pget_layout(creation.get()) != H5D_CHUNKED || !take_filters(creation.get(), out)) {
    return std::nullopt;
  }
  const auto number = number_of(type.get());
  const int rank = H5Sget_simple_extent_ndims(space.get());
  if (!number || rank < 1 || std::cmp_greater(rank, most_dimensions)) return std::nullopt;
  out.number = *number;
  out.value_bytes = H5Tget_size(type.get());
  std::vector<hsize_t> sizes(static_cast<std::size_t>(rank));
  if (H5Sget_simple_extent_dims(space.get(), sizes.data(), nullptr) != rank) return std::nullopt;
  out.shape.assign(sizes.begin(), sizes.end());
  if (H5Pget_chunk(creation.get(), rank, sizes.data()) != rank) return std::nullopt;
  out.chunk.assign(sizes.begin(), sizes.end());
  return out;
}

/// HDF5 wants all who open a file at once to do so in the same way: NetCDF closes all that is open
/// with it, other builds of NetCDF refuse to.
Hdf5Handle open_beside_netcdf(const std::string& path) {
  for (const H5F_close_degree_t degree : {H5F_CLOSE_STRONG, H5F_CLOSE_SEMI, H5F_CLOSE_WEAK}) {
    const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    if (H5Pset_fclose_degree(access.get(), degree) < 0) continue;
    Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose);
    if (file) return file;
  }
  return {};
}

/// A chunk on its way.
struct Work {
  Index first{};           ///< of its values in the variable
  std::size_t offset = 0;  ///< in the bytes that were read
  std::size_t bytes = 0;
  std::uint32_t skipped_filters = 0;
};

/// In values of a dimension: what is asked for.
struct Range {
  std::int64_t begin = 0, size = 1;
};

template <class T>
void widen(const std::byte* from, double* to, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, from + static_cast<std::size_t>(i) * sizeof(T), sizeof(T));
    to[i] = static_cast<double>(value);
  }
}

using Widen = void (*)(const std::byte*, double*, std::int64_t);
Widen widen_of(Number number) {
  constexpr std::array<Widen, 10> all{
      widen<std::int8_t>,  widen<std::uint8_t>,  widen<std::int16_t>, widen<std::uint16_t>,
      widen<std::int32_t>, widen<std::uint32_t>, widen<std::int64_t>, widen<std::uint64_t>,
      widen<float>,        widen<double>};
  return all.at(static_cast<std::size_t>(number));
}

/// Calls `visit(first)` for all chunks with values of the ranges until one is refused.
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

/// Where among all that is asked for a chunk stands as it is; -1: not in one piece.
std::int64_t place_as_it_is(const Stored& stored, std::span<const Range> ranges, const Index& at) {
  if (stored.number != Number::f64) return -1;
  std::int64_t to = 0;
  bool is_split = false;  // slower dimensions have several values
  for (std::size_t d = 0; d < ranges.size(); ++d) {
    const Range& range = ranges[d];
    const std::int64_t length = stored.chunk[d];
    if (at[d] < range.begin || at[d] + length > range.begin + range.size) return -1;
    if (is_split && length != range.size) return -1;
    is_split = is_split || length > 1;
    to = to * range.size + at[d] - range.begin;
  }
  return to;
}

/// The part of a chunk that is asked for, row by row, to its place among all that is.
void place(const Stored& stored, std::span<const Range> ranges, const Work& work,
           const std::byte* values, double* out) {
  const std::size_t rank = stored.chunk.size();
  Index begin{};
  Index size{};
  for (std::size_t d = 0; d < rank; ++d) {
    begin[d] = std::max(work.first[d], ranges[d].begin);
    size[d] =
        std::min(work.first[d] + stored.chunk[d], ranges[d].begin + ranges[d].size) - begin[d];
  }
  const Widen convert = widen_of(stored.number);
  Index row{};
  while (true) {
    std::int64_t from = 0;
    std::int64_t to = 0;
    for (std::size_t d = 0; d < rank; ++d) {
      from = from * stored.chunk[d] + begin[d] + row[d] - work.first[d];
      to = to * ranges[d].size + begin[d] + row[d] - ranges[d].begin;
    }
    convert(values + static_cast<std::size_t>(from) * stored.value_bytes, out + to, size[rank - 1]);
    std::size_t d = rank - 1;
    while (d > 0 && ++row[d - 1] == size[d - 1]) row[--d] = 0;
    if (d == 0) return;
  }
}

bool pays(const Stored& plain, std::size_t values) {
  const std::size_t bytes = plain.chunk_bytes();
  return values >= least_plain_values && bytes >= least_plain_chunk &&
         bytes <= std::max(2 * values * plain.value_bytes, most_in_vain);
}

using Offset = std::array<hsize_t, most_dimensions>;

Offset offset_of(const Index& at) {
  Offset offset{};
  std::copy(at.begin(), at.end(), offset.begin());
  return offset;
}

/// 0: it was never written, or cannot be found.
std::size_t stored_bytes(const Stored& stored, const Index& at) {
  hsize_t size = 0;
  const Offset offset = offset_of(at);
  const herr_t status = H5Dget_chunk_storage_size(stored.data_set.get(), offset.data(), &size);
  return status < 0 ? 0 : static_cast<std::size_t>(size);
}

bool read_chunk(const Stored& stored, const Index& at, std::uint32_t& skipped, void* to) {
  const Offset offset = offset_of(at);
  return H5Dread_chunk(stored.data_set.get(), H5P_DEFAULT, offset.data(), &skipped, to) >= 0;
}

}  // namespace

struct ChunkReader::Impl {
  explicit Impl(std::string name) : path(std::move(name)), helpers(Compressors::default_threads()) {
    codecs.resize(static_cast<std::size_t>(helpers.count()) + 1);
    for (auto& codec : codecs) codec = std::make_unique<ChunkCodec>();
    room.resize(codecs.size());
  }

  const Stored* find(const std::string& variable);
  bool read_plain(const Stored& stored, std::span<const Range> ranges, double* values);
  bool read_chunks(const Stored& stored, std::span<const Range> ranges);
  bool inflate(const Stored& stored, std::span<const Range> ranges, double* values);

  std::string path;
  Hdf5Handle file;
  bool was_tried = false;
  std::map<std::string, std::optional<Stored>> known;
  std::vector<Work> works;
  std::vector<std::byte> bytes;  ///< of all chunks of a record, as stored
  std::vector<std::unique_ptr<ChunkCodec>> codecs;
  std::vector<std::vector<std::byte>> room;  ///< per thread: a chunk
  Helpers helpers;                           // last: they use the rest
};

const Stored* ChunkReader::Impl::find(const std::string& variable) {
  const auto [found, is_new] = known.try_emplace(variable);
  if (is_new) {
    if (!std::exchange(was_tried, true)) file = open_beside_netcdf(path);
    if (file) found->second = stored_of(file.get(), variable);
  }
  return found->second ? &*found->second : nullptr;
}

/// Bytes of all chunks that have values of the ranges; false: one is not there.
bool ChunkReader::Impl::read_chunks(const Stored& stored, std::span<const Range> ranges) {
  works.clear();
  std::size_t total = 0;
  const bool are_there = for_each_chunk(stored, ranges, [&](const Index& at) {
    const std::size_t size = stored_bytes(stored, at);
    works.push_back({at, total, size, 0});
    total += size;
    return size > 0;
  });
  if (!are_there) return false;
  if (bytes.size() < total) bytes.resize(total);
  return std::all_of(works.begin(), works.end(), [&](Work& work) {
    return read_chunk(stored, work.first, work.skipped_filters, bytes.data() + work.offset);
  });
}

/// What is not compressed goes where it belongs, or through room that stays in the caches: HDF5
/// takes new memory for each chunk.
bool ChunkReader::Impl::read_plain(const Stored& stored, std::span<const Range> ranges,
                                   double* values) {
  const std::size_t chunk_bytes = stored.chunk_bytes();
  return for_each_chunk(stored, ranges, [&](const Index& at) {
    if (stored_bytes(stored, at) != chunk_bytes) return false;
    std::uint32_t skipped = 0;
    const std::int64_t to = place_as_it_is(stored, ranges, at);
    if (to >= 0) return read_chunk(stored, at, skipped, values + to);
    if (bytes.size() < chunk_bytes) bytes.resize(chunk_bytes);
    if (!read_chunk(stored, at, skipped, bytes.data())) return false;
    place(stored, ranges, {at, 0, chunk_bytes, 0}, bytes.data(), values);
    return true;
  });
}

bool ChunkReader::Impl::inflate(const Stored& stored, std::span<const Range> ranges,
                                double* values) {
  const std::size_t chunk_bytes = stored.chunk_bytes();
  for (auto& own : room) {
    if (own.size() < chunk_bytes) own.resize(chunk_bytes);
  }
  std::atomic<bool> is_whole{true};
  helpers.run(works.size(), [&](std::size_t number, std::size_t thread) {
    const Work& work = works[number];
    const auto skips = [&](int filter) {
      return filter < 0 || (work.skipped_filters >> static_cast<unsigned>(filter) & 1U) != 0;
    };
    const std::span<std::byte> chunk = std::span(room[thread]).first(chunk_bytes);
    const ChunkCodec::Filters filters{!skips(stored.shuffle), !skips(stored.deflate)};
    if (!codecs[thread]->decode(filters, static_cast<std::int64_t>(stored.value_bytes),
                                std::span(bytes).subspan(work.offset, work.bytes), chunk)) {
      is_whole.store(false, std::memory_order_relaxed);
      return;
    }
    place(stored, ranges, work, chunk.data(), values);
  });
  return is_whole.load();
}

ChunkReader::ChunkReader(std::string path) : impl_(std::make_unique<Impl>(std::move(path))) {}
ChunkReader::~ChunkReader() = default;

bool ChunkReader::read(const std::string& variable, const ChunkRequest& request,
                       std::span<double> values) {
  static_assert(std::endian::native == std::endian::little);
  if (values.empty()) return false;
  const Hdf5Silence silence;
  const Stored* const stored = impl_->find(variable);
  if (stored == nullptr) return false;
  const std::size_t rank = stored->chunk.size();
  if (stored->is_plain() && !pays(*stored, values.size())) return false;
  if (request.grid_dimension.size() + (request.has_records ? 1 : 0) != rank) return false;
  std::array<Range, most_dimensions> all{};
  std::size_t next = 0;
  if (request.has_records) all.at(next++) = {request.record, 1};
  for (const int d : request.grid_dimension) {
    const auto at = static_cast<std::size_t>(std::max(d, 0));
    all.at(next++) = d < 0 ? Range{} : Range{request.box->begin[at], request.box->size[at]};
  }
  const std::span<const Range> ranges = std::span<const Range>(all).first(rank);
  // The next record would inflate the same chunks again, which HDF5 keeps.
  if (request.has_records && stored->chunk.front() != 1) return false;
  for (std::size_t d = 0; d < ranges.size(); ++d) {
    if (ranges[d].begin + ranges[d].size > stored->shape[d]) return false;
  }
  if (stored->is_plain()) return impl_->read_plain(*stored, ranges, values.data());
  return impl_->read_chunks(*stored, ranges) && impl_->inflate(*stored, ranges, values.data());
}

}  // namespace epios::io
