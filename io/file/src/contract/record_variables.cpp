#include "contract/record_variables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "config/error.hpp"
#include "config/file_format.hpp"
#include "config/index.hpp"
#include "disk/value_kind.hpp"
#include "grid/layout.hpp"

namespace epios::io {

namespace {

// Chunks of short records hold as many records as fit in this, so that a time axis is not made of
// chunks of eight bytes.
constexpr std::int64_t short_record_chunk_bytes = 4096;
// The same in a store, where each chunk is a file.
constexpr std::int64_t short_record_store_chunk_bytes = std::int64_t{32} << 10;
// Chunks of variables for which nobody asked for a shape.
constexpr std::int64_t default_chunk_bytes = std::int64_t{4} << 20;

bool is_record_dimension(const FileSpec& spec, int dimension) {
  return nth(spec.dimensions, dimension).length == 0;
}

ChunkGrid chunk_grid(const FileSpec& spec, const VariableSpec& variable) {
  Extents shape;
  for (std::size_t d = variable.is_once ? 0 : 1; d < variable.dimensions.size(); ++d) {
    shape.push_back(nth(spec.dimensions, variable.dimensions[d]).length);
  }
  const std::int64_t bytes = size_bytes(variable.kind);
  const bool is_store = config::traits_of(spec.format).is_folder;
  if (variable.is_once && !is_store) return {shape, shape, 1, bytes};
  Extents chunk = variable.chunk;
  if (chunk.empty()) chunk = chunk_shape(shape, bytes, default_chunk_bytes, 1);
  const std::int64_t record_bytes = volume(chunk) * bytes;
  if (is_store) {
    std::int64_t records = variable.is_once ? 1 : variable.records_per_chunk;
    if (records == 0) {
      records = std::max<std::int64_t>(1, short_record_store_chunk_bytes / record_bytes);
      const std::int64_t in_shard = variable.records_per_shard;
      if (in_shard > 0) records = std::min(records, in_shard);
      while (in_shard % records != 0) --records;
    }
    return {std::move(shape), std::move(chunk), records, bytes};
  }
  // A compressed chunk is written once: no record of it may come later.
  if (variable.compression.is_on()) return {std::move(shape), std::move(chunk), 1, bytes};
  const std::int64_t records = std::max<std::int64_t>(1, short_record_chunk_bytes / record_bytes);
  return {std::move(shape), std::move(chunk), records, bytes};
}

[[noreturn]] void reject(const FileSpec& spec, const std::string& what, const std::string& why) {
  throw Error(ErrorCode::internal,
              fmt::format("file '{}': {} ({}). Please report this?", spec.path, what, why));
}

/// Lengths of a variable's dimensions; the record dimension may be the first, with length 0.
Extents checked_shape(const FileSpec& spec, const VariableSpec& variable, const std::string& what) {
  Extents shape;
  for (const int number : variable.dimensions) {
    if (number < 0 || std::cmp_greater_equal(number, spec.dimensions.size())) {
      reject(spec, what, "no such dimension");
    }
    shape.push_back(nth(spec.dimensions, number).length);
    if (shape.back() == 0 && shape.size() > 1) {
      reject(spec, what, "the record dimension is not the first");
    }
  }
  return shape;
}

void check_chunk(const FileSpec& spec, const VariableSpec& variable, const Extents& shape,
                 const std::string& what) {
  if (variable.chunk.empty()) return;
  const std::size_t first = variable.is_once ? 0 : 1;
  if (variable.chunk.size() + first != shape.size()) {
    reject(spec, what, "the chunk has another rank");
  }
  std::int64_t chunk_bytes = size_bytes(variable.kind);
  for (std::size_t d = 0; d < variable.chunk.size(); ++d) {
    if (variable.chunk[d] < 1 || variable.chunk[d] > shape[d + first]) {
      reject(spec, what, "the chunk does not fit the variable");
    }
    chunk_bytes *= variable.chunk[d];
  }
  if (chunk_bytes > std::numeric_limits<std::uint32_t>::max()) {
    reject(spec, what, "a chunk has 4 GiB or more");
  }
}

Extents shard_of(const VariableSpec& variable, const ChunkGrid& chunks) {
  if (variable.shard.empty() && variable.records_per_shard == 0) return {};
  Extents shard = variable.shard;
  shard.resize(chunks.shape().size(), 1);
  if (variable.is_once) return shard;
  const std::int64_t records = std::max(variable.records_per_shard, chunks.records_per_chunk());
  shard.insert(shard.begin(), records / chunks.records_per_chunk());
  return shard;
}

void check_shard(const FileSpec& spec, const VariableSpec& variable, const std::string& what) {
  const bool has_records = variable.records_per_shard > 0 && variable.records_per_chunk > 0;
  if (has_records && variable.records_per_shard % variable.records_per_chunk != 0) {
    reject(spec, what, "chunks do not divide a shard");
  }
  const bool is_whole = std::all_of(variable.shard.begin(), variable.shard.end(),
                                    [](std::int64_t chunks) { return chunks > 0; });
  const std::size_t first = variable.is_once ? 0 : 1;
  if (!is_whole ||
      (!variable.shard.empty() && variable.shard.size() + first != variable.dimensions.size())) {
    reject(spec, what, "the shard does not fit the variable");
  }
}

void check_variable(const FileSpec& spec, const VariableSpec& variable) {
  const std::string what = fmt::format("bad description of '{}'", variable.name);
  const Extents shape = checked_shape(spec, variable, what);
  const bool has_records = !shape.empty() && shape.front() == 0;
  if (has_records || variable.is_once) check_chunk(spec, variable, shape, what);
  check_shard(spec, variable, what);
}

}  // namespace

std::vector<RecordVariable> record_variables(const FileSpec& spec) {
  std::vector<RecordVariable> out;
  for (std::size_t v = 0; v < spec.variables.size(); ++v) {
    const VariableSpec& variable = spec.variables[v];
    const bool has_records =
        !variable.dimensions.empty() && is_record_dimension(spec, variable.dimensions[0]);
    if (!has_records && !variable.is_once) continue;
    ChunkGrid chunks = chunk_grid(spec, variable);
    Extents shard = shard_of(variable, chunks);
    out.push_back({static_cast<int>(v), std::move(chunks), variable.compression.is_on(),
                   variable.is_once, std::move(shard)});
  }
  return out;
}

void check_spec(const FileSpec& spec) {
  const auto record_dimensions =
      std::count_if(spec.dimensions.begin(), spec.dimensions.end(),
                    [](const DimensionSpec& d) { return d.length == 0; });
  if (record_dimensions > 1) reject(spec, "bad description", "more than one record dimension");
  if (spec.records_per_block < 1) reject(spec, "bad description", "empty blocks");
  for (const DimensionSpec& dimension : spec.dimensions) {
    if (dimension.length < 0) reject(spec, "bad description", "negative length");
  }
  for (const VariableSpec& variable : spec.variables) check_variable(spec, variable);
}

}  // namespace epios::io
