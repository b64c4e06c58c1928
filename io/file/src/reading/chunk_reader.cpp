// Reads chunks of NetCDF-4 variables directly and decompresses them in several threads, since HDF5
// uses one. It finds the layout of a variable once, then reads the chunks of a request, and leaves
// to NetCDF what it does not know.
#include "reading/chunk_reader.hpp"

#include <hdf5.h>
#include <netcdf.h>
#include <netcdf_filter.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "chunks/chunk_codec.hpp"
#include "chunks/helpers.hpp"
#include "disk/hdf5_handle.hpp"
#include "file/compressors.hpp"
#include "reading/stored_chunks.hpp"

namespace epios::io {

namespace {

/// Uncompressed variables are read here if it pays to look for their chunks.
constexpr std::size_t least_plain_values = 4096;
constexpr std::size_t least_plain_chunk = 8192;
/// For chunks larger than this, NetCDF reads only what is requested if that is at most half of
/// them, or if it is stored in long pieces.
constexpr std::size_t most_in_vain = 1 << 20;
constexpr std::size_t long_piece = 65536;

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

/// Returns true if it pays to read uncompressed chunks here. Looks at sizes, not at the file.
bool pays(const Stored& plain, std::span<const Range> ranges, std::size_t values) {
  const std::size_t chunk_bytes = plain.chunk_bytes();
  if (values < least_plain_values || chunk_bytes < least_plain_chunk) return false;
  if (chunk_bytes <= most_in_vain) return true;
  std::size_t chunks = 0;
  std::size_t pieces = 0;
  for_each_chunk(plain, ranges, [&](const Index& at) {
    const Runs runs = runs_of(plain, ranges, at);
    ++chunks;
    pieces += static_cast<std::size_t>(runs.values / runs.length);
    return true;
  });
  const std::size_t asked = values * plain.value_bytes;
  return chunks * chunk_bytes < 2 * asked && asked < pieces * long_piece;
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
  std::vector<std::byte> bytes;  ///< stored bytes of all chunks of a record
  std::vector<std::unique_ptr<ChunkCodec>> codecs;
  std::vector<std::vector<std::byte>> room;  ///< per thread: a chunk
  Helpers helpers;                           // last: they use the rest
};

const Stored* ChunkReader::Impl::find(const std::string& variable) {
  const auto [found, is_new] = known.try_emplace(variable);
  if (is_new) {
    if (!std::exchange(was_tried, true)) {
      file = open_beside_netcdf(path);
    }
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

/// Uncompressed values go to their place directly, or through a buffer that stays in the caches.
/// HDF5 allocates memory for each chunk.
bool ChunkReader::Impl::read_plain(const Stored& stored, std::span<const Range> ranges,
                                   double* values) {
  const std::size_t chunk_bytes = stored.chunk_bytes();
  const bool are_there = for_each_chunk(
      stored, ranges, [&](const Index& at) { return stored_bytes(stored, at) == chunk_bytes; });
  return are_there && for_each_chunk(stored, ranges, [&](const Index& at) {
           std::uint32_t skipped = 0;
           const std::int64_t to = place_as_it_is(stored, ranges, at);
           if (to >= 0) return read_chunk(stored, at, skipped, values + to);
           if (bytes.size() < chunk_bytes) bytes.resize(chunk_bytes);
           if (!read_chunk(stored, at, skipped, bytes.data())) return false;
           place(stored, ranges, at, bytes.data(), values);
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
    place(stored, ranges, work.first, chunk.data(), values);
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
  if (stored->is_plain()) {
    return pays(*stored, ranges, values.size()) &&
           impl_->read_plain(*stored, ranges, values.data());
  }
  return impl_->read_chunks(*stored, ranges) && impl_->inflate(*stored, ranges, values.data());
}

namespace {

/// Returns true if a variable has the name of a dimension and is not its coordinate. NetCDF stores
/// it under another name in HDF5, and opens the dimension in its place when it opens the variable
/// again.
bool is_named_as_dimension(int netcdf_file, int variable, int rank) {
  std::array<char, NC_MAX_NAME + 1> name = {};
  std::array<int, NC_MAX_VAR_DIMS> dimensions = {};
  if (nc_inq_varname(netcdf_file, variable, name.data()) != NC_NOERR ||
      nc_inq_vardimid(netcdf_file, variable, dimensions.data()) != NC_NOERR) {
    return true;
  }
  int same = -1;
  if (nc_inq_dimid(netcdf_file, name.data(), &same) != NC_NOERR) return false;
  return rank == 0 || dimensions.front() != same;
}

}  // namespace

void read_large_chunks_in_part(int netcdf_file, int variable, bool has_records) {
  int storage = NC_CONTIGUOUS;
  std::size_t filters = 0;
  int rank = 0;
  std::array<std::size_t, NC_MAX_VAR_DIMS> chunk = {};
  nc_type type = NC_NAT;
  std::size_t bytes = 0;
  if (nc_inq_var(netcdf_file, variable, nullptr, &type, &rank, nullptr, nullptr) != NC_NOERR ||
      nc_inq_type(netcdf_file, type, nullptr, &bytes) != NC_NOERR ||
      nc_inq_var_chunking(netcdf_file, variable, &storage, chunk.data()) != NC_NOERR ||
      nc_inq_var_filter_ids(netcdf_file, variable, &filters, nullptr) != NC_NOERR) {
    return;
  }
  if (storage != NC_CHUNKED || filters > 0 || (has_records && chunk.front() != 1)) return;
  for (int d = 0; d < rank; ++d) bytes *= chunk.at(static_cast<std::size_t>(d));
  if (bytes <= most_in_vain || is_named_as_dimension(netcdf_file, variable, rank)) return;
  // Not done, values are the same.
  static_cast<void>(nc_set_var_chunk_cache(netcdf_file, variable, 0, 1, 0));
}

}  // namespace epios::io
