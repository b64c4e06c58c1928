// What stores of both versions have in common: how variables are cut, attributes as JSON, numbers
// that JSON does not have.
#include "formats/zarr_metadata.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "config/error.hpp"
#include "disk/value_kind.hpp"
#include "formats/zarr_json.hpp"
#include "grid/index.hpp"

namespace epios::io {

namespace {

// Fixed variables (coordinates) are cut along their slowest dimension, into about so many bytes.
constexpr std::int64_t fixed_chunk_bytes = 10'000'000;

struct AttributeJson {
  static ZarrJson number(double value) { return zarr_number(value); }
  static ZarrJson number(float value) { return zarr_number(static_cast<double>(value)); }
  template <class Integer>
  static ZarrJson number(Integer value) {
    return value;
  }
  ZarrJson operator()(const std::string& text) const { return text; }
  template <class T>
  ZarrJson operator()(const std::vector<T>& numbers) const {
    if (numbers.size() == 1) return number(numbers.front());
    ZarrJson out = ZarrJson::array();
    for (const T& value : numbers) out.push_back(number(value));
    return out;
  }
};

template <class T>
ZarrJson unset_as(const VariableSpec& variable) {
  T value{};
  const std::vector<std::byte> bytes = unset_bytes(variable);
  std::memcpy(&value, bytes.data(), sizeof value);
  return AttributeJson::number(value);
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

ZarrJson zarr_number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

ZarrJson zarr_attribute(const AttributeValue& value) { return std::visit(AttributeJson{}, value); }

ZarrJson unset_number(const VariableSpec& variable) {
  switch (variable.kind) {
    case ValueKind::float32:
      return unset_as<float>(variable);
    case ValueKind::float64:
      return unset_as<double>(variable);
    case ValueKind::int16:
      return unset_as<std::int16_t>(variable);
    case ValueKind::int32:
      return unset_as<std::int32_t>(variable);
    case ValueKind::int64:
      return unset_as<std::int64_t>(variable);
    case ValueKind::text:
      break;
  }
  return nullptr;
}

ZarrJson attributes_of(const VariableSpec& variable) {
  ZarrJson out = ZarrJson::object();
  if (variable.mantissa_bits > 0) {
    // NetCDF's library writes it; the rounding is ours, and the same.
    out["_QuantizeBitRoundNumberOfSignificantBits"] = variable.mantissa_bits;
  }
  for (const FileAttribute& attribute : variable.attributes) {
    ZarrJson value = zarr_attribute(attribute.value);
    // Readers know words for numbers in fill_value alone, which says the same; xarray would take
    // this one for a text, which it cannot write into other files.
    const bool is_number = !std::holds_alternative<std::string>(attribute.value);
    if (attribute.name == "missing_value" && is_number && value.is_string()) continue;
    out[attribute.name] = std::move(value);
  }
  return out;
}

ZarrJson attributes_of(const FileSpec& spec) {
  ZarrJson out = ZarrJson::object();
  for (const FileAttribute& attribute : spec.attributes) {
    out[attribute.name] = zarr_attribute(attribute.value);
  }
  return out;
}

std::string zarr_text_of(const ZarrJson& document, const std::string& path,
                         const std::string& key) {
  constexpr int indent = 4;
  try {
    return document.dump(indent, ' ', true);
  } catch (const ZarrJson::type_error&) {
    throw Error(ErrorCode::configuration,
                fmt::format("file '{}': cannot write '{}' (a name or an attribute is no UTF-8 "
                            "text, which JSON needs). Is the XML in another encoding than it says?",
                            path, key));
  }
}

std::vector<ZarrArray> zarr_arrays(const GrowingFile& file) {
  std::vector<ZarrArray> out;
  for (const VariableSpec& variable : file.spec.variables) {
    out.push_back(fixed_array(variable, file.spec));
  }
  for (const RecordVariable& record : file.variables) {
    ZarrArray& array = out[as_index(record.variable)];
    array = {record.chunks.shape(), record.chunks.chunk(), record.shard, !record.is_once, true};
    if (record.is_once) continue;
    array.shape.insert(array.shape.begin(), 0);
    array.chunks.insert(array.chunks.begin(), record.chunks.records_per_chunk());
  }
  return out;
}

std::string zarr_key(FileFormat format, const std::vector<std::int64_t>& position) {
  const std::string numbers = fmt::format("{}", fmt::join(position, "."));
  if (format == FileFormat::zarr3) return position.empty() ? "c" : "c." + numbers;
  return position.empty() ? "0" : numbers;
}

std::unique_ptr<ZarrMetadata> ZarrMetadata::of(const GrowingFile& file) {
  return file.spec.format == FileFormat::zarr3 ? zarr3_metadata(file) : zarr2_metadata(file);
}

ZarrArray ZarrMetadata::array_with(std::size_t variable, std::int64_t records) const {
  ZarrArray out = arrays_[variable];
  if (out.has_records) out.shape.front() = records;
  return out;
}

std::vector<std::string> ZarrMetadata::dimensions_of(const VariableSpec& variable) const {
  std::vector<std::string> out;
  for (const int d : variable.dimensions) out.push_back(spec().dimensions[as_index(d)].name);
  return out;
}

}  // namespace epios::io
