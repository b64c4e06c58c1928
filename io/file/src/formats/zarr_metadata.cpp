// Writes the documents of a store: groups, attributes, arrays with their codecs, and all of them
// consolidated. JSON has no NaN: Zarr has words for it.
#include "formats/zarr_metadata.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "config/error.hpp"
#include "disk/value_kind.hpp"
#include "grid/index.hpp"

namespace epios::io {

namespace {

using Json = nlohmann::ordered_json;

// Fixed variables (coordinates) are cut along their slowest dimension, into about so many bytes.
constexpr std::int64_t fixed_chunk_bytes = 10'000'000;

Json number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}
Json number(float value) { return number(static_cast<double>(value)); }
template <class Integer>
Json number(Integer value) {
  return value;
}

struct AttributeJson {
  Json operator()(const std::string& text) const { return text; }
  /// One number stands alone, as in NetCDF.
  template <class T>
  Json operator()(const std::vector<T>& numbers) const {
    if (numbers.size() == 1) return number(numbers.front());
    Json out = Json::array();
    for (const T& value : numbers) out.push_back(number(value));
    return out;
  }
};

std::string dtype(ValueKind kind) {
  if (kind == ValueKind::text) return "|S1";
  const bool is_real = kind == ValueKind::float32 || kind == ValueKind::float64;
  return fmt::format("{}{}{}", std::endian::native == std::endian::little ? '<' : '>',
                     is_real ? 'f' : 'i', size_bytes(kind));
}

template <class T>
Json unset_number(const VariableSpec& variable) {
  T value{};
  const std::vector<std::byte> bytes = unset_bytes(variable);
  std::memcpy(&value, bytes.data(), sizeof value);
  return number(value);
}

/// As NetCDF has a _FillValue.
Json fill_value(const VariableSpec& variable) {
  if (!variable.fill && !variable.marks_unset) return nullptr;
  switch (variable.kind) {
    case ValueKind::float32:
      return unset_number<float>(variable);
    case ValueKind::float64:
      return unset_number<double>(variable);
    case ValueKind::int16:
      return unset_number<std::int16_t>(variable);
    case ValueKind::int32:
      return unset_number<std::int32_t>(variable);
    case ValueKind::int64:
      return unset_number<std::int64_t>(variable);
    case ValueKind::text:
      break;
  }
  return nullptr;
}

Json compressor(const Compression& compression) {
  using Method = Compression::Method;
  if (!compression.is_on()) return nullptr;
  switch (compression.method) {
    case Method::zstd:
      return {{"id", "zstd"}, {"level", compression.level}};
    case Method::blosc_lz4:
    case Method::blosc_zstd:
      return {{"id", "blosc"},
              {"cname", compression.method == Method::blosc_lz4 ? "lz4" : "zstd"},
              {"clevel", compression.level},
              {"shuffle", static_cast<int>(compression.shuffle)},
              {"blocksize", 0}};
    default:
      return {{"id", "zlib"}, {"level", compression.level}};
  }
}

/// Blosc shuffles itself.
Json filters(const VariableSpec& variable) {
  using Method = Compression::Method;
  const Compression& its = variable.compression;
  const bool is_blosc = its.method == Method::blosc_lz4 || its.method == Method::blosc_zstd;
  if (!its.is_on() || is_blosc || its.shuffle != Compression::Shuffle::byte) return nullptr;
  return Json::array({{{"id", "shuffle"}, {"elementsize", size_bytes(variable.kind)}}});
}

std::string text_of(const Json& document, const std::string& path, const std::string& key) {
  constexpr int indent = 4;
  try {
    return document.dump(indent, ' ', true);
  } catch (const Json::type_error&) {
    throw Error(ErrorCode::configuration,
                fmt::format("file '{}': cannot write '{}' (a name or an attribute is no UTF-8 "
                            "text, which JSON needs). Is the XML in another encoding than it says?",
                            path, key));
  }
}

Json attributes_of(const VariableSpec& variable, const FileSpec& spec) {
  Json out;
  Json& dimensions = out["_ARRAY_DIMENSIONS"] = Json::array();
  for (const int d : variable.dimensions) dimensions.push_back(spec.dimensions[as_index(d)].name);
  if (variable.mantissa_bits > 0) {
    // NetCDF's library writes it; the rounding is ours, and the same.
    out["_QuantizeBitRoundNumberOfSignificantBits"] = variable.mantissa_bits;
  }
  for (const FileAttribute& attribute : variable.attributes) {
    out[attribute.name] = std::visit(AttributeJson{}, attribute.value);
  }
  return out;
}

ZarrArray fixed_array(const VariableSpec& variable, const FileSpec& spec) {
  ZarrArray out;
  std::int64_t row_bytes = size_bytes(variable.kind);
  for (std::size_t d = 0; d < variable.dimensions.size(); ++d) {
    out.shape.push_back(spec.dimensions[as_index(variable.dimensions[d])].length);
    if (d > 0) row_bytes *= out.shape[d];
  }
  // A chunk has at least one point, also where a dimension has none yet.
  for (const std::int64_t length : out.shape)
    out.chunks.push_back(std::max<std::int64_t>(length, 1));
  if (!out.shape.empty()) {
    const std::int64_t fitting = fixed_chunk_bytes / std::max<std::int64_t>(row_bytes, 1);
    out.chunks.front() = std::clamp<std::int64_t>(fitting, 1, out.chunks.front());
  }
  return out;
}

}  // namespace

std::vector<ZarrArray> zarr_arrays(const GrowingFile& file) {
  std::vector<ZarrArray> out;
  for (const VariableSpec& variable : file.spec.variables) {
    out.push_back(fixed_array(variable, file.spec));
  }
  for (const RecordVariable& record : file.variables) {
    ZarrArray& array = out[as_index(record.variable)];
    array = {record.chunks.shape(), record.chunks.chunk(), !record.is_once};
    if (record.is_once) continue;
    array.shape.insert(array.shape.begin(), 0);
    array.chunks.insert(array.chunks.begin(), record.chunks.records_per_chunk());
  }
  return out;
}

std::string zarr_key(const std::vector<std::int64_t>& position) {
  return position.empty() ? "0" : fmt::format("{}", fmt::join(position, "."));
}

ZarrMetadata::ZarrMetadata(const GrowingFile& file) : file_(file), arrays_(zarr_arrays(file)) {
  const FileSpec& spec = file.spec;
  fixed_[".zgroup"] = text_of({{"zarr_format", 2}}, spec.path, ".zgroup");
  Json attributes = Json::object();
  for (const FileAttribute& attribute : spec.attributes) {
    attributes[attribute.name] = std::visit(AttributeJson{}, attribute.value);
  }
  fixed_[".zattrs"] = text_of(attributes, spec.path, ".zattrs");
  for (const VariableSpec& variable : spec.variables) {
    const std::string key = variable.name + "/.zattrs";
    fixed_[key] = text_of(attributes_of(variable, spec), spec.path, key);
  }
}

std::string ZarrMetadata::renew_attributes(int variable) {
  const VariableSpec& its = file_.spec.variables[as_index(variable)];
  std::string key = its.name + "/.zattrs";
  fixed_[key] = text_of(attributes_of(its, file_.spec), file_.spec.path, key);
  return key;
}

std::string ZarrMetadata::array(std::size_t variable, std::int64_t records) const {
  const VariableSpec& its = file_.spec.variables[variable];
  ZarrArray array = arrays_[variable];
  if (array.has_records) array.shape.front() = records;
  const Json document = {{"zarr_format", 2},
                         {"shape", array.shape},
                         {"chunks", array.chunks},
                         {"dtype", dtype(its.kind)},
                         {"compressor", compressor(its.compression)},
                         {"fill_value", fill_value(its)},
                         {"order", "C"},
                         {"filters", filters(its)}};
  return text_of(document, file_.spec.path, its.name + "/.zarray");
}

std::string ZarrMetadata::consolidated(std::int64_t records) const {
  Json metadata;
  for (const auto& [key, text] : fixed_) metadata[key] = Json::parse(text);
  for (std::size_t v = 0; v < file_.spec.variables.size(); ++v) {
    metadata[file_.spec.variables[v].name + "/.zarray"] = Json::parse(array(v, records));
  }
  const Json document = {{"zarr_consolidated_format", 1}, {"metadata", metadata}};
  return text_of(document, file_.spec.path, ".zmetadata");
}

}  // namespace epios::io
