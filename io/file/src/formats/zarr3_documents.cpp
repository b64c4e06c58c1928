// The documents of a store of version 3: one of each array, and that of the group, in which all of
// them stand once more.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include "disk/unpublished_folder.hpp"
#include "disk/value_kind.hpp"
#include "formats/zarr_json.hpp"
#include "formats/zarr_metadata.hpp"

namespace epios::io {

namespace {

ZarrJson codec(const char* name, ZarrJson configuration = ZarrJson::object()) {
  ZarrJson out = {{"name", name}};
  if (!configuration.empty()) out["configuration"] = std::move(configuration);
  return out;
}

ZarrJson data_type(ValueKind kind) {
  switch (kind) {
    case ValueKind::float32:
      return "float32";
    case ValueKind::float64:
      return "float64";
    case ValueKind::int16:
      return "int16";
    case ValueKind::int32:
      return "int32";
    case ValueKind::int64:
      return "int64";
    case ValueKind::text:
      break;
  }
  // An extension, which zarr for Python has for its S1; the core has no texts.
  return codec("null_terminated_bytes", {{"length_bytes", 1}});
}

ZarrJson bytes_codec(ValueKind kind) {
  if (size_bytes(kind) == 1) return codec("bytes");
  const bool is_little = std::endian::native == std::endian::little;
  return codec("bytes", {{"endian", is_little ? "little" : "big"}});
}

/// There is no shuffle but that of Blosc.
ZarrJson compressor_codec(const VariableSpec& variable) {
  using Method = Compression::Method;
  const Compression& its = variable.compression;
  constexpr std::array<const char*, 3> shuffles{"noshuffle", "shuffle", "bitshuffle"};
  switch (its.method) {
    case Method::zstd:
      return codec("zstd", {{"level", its.level}, {"checksum", false}});
    case Method::blosc_lz4:
    case Method::blosc_zstd:
      return codec("blosc", {{"cname", its.method == Method::blosc_lz4 ? "lz4" : "zstd"},
                             {"clevel", its.level},
                             {"shuffle", shuffles.at(static_cast<std::size_t>(its.shuffle))},
                             {"typesize", size_bytes(variable.kind)},
                             {"blocksize", 0}});
    default:
      return codec("gzip", {{"level", its.level}});
  }
}

ZarrJson codecs_of(const VariableSpec& variable, const ZarrArray& array) {
  ZarrJson of_chunk = ZarrJson::array({bytes_codec(variable.kind)});
  if (!array.is_record) return of_chunk;
  if (variable.compression.is_on()) of_chunk.push_back(compressor_codec(variable));
  of_chunk.push_back(codec("crc32c"));
  if (array.shard.empty()) return of_chunk;
  const ZarrJson of_index =
      ZarrJson::array({codec("bytes", {{"endian", "little"}}), codec("crc32c")});
  return ZarrJson::array({codec("sharding_indexed", {{"chunk_shape", array.chunks},
                                                     {"codecs", of_chunk},
                                                     {"index_codecs", of_index},
                                                     {"index_location", "end"}})});
}

std::string base64(std::span<const std::byte> bytes) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr unsigned bits = 6;
  std::string out;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t group = 0;
    for (std::size_t b = 0; b < 3; ++b) {
      group = group << 8U | (b < count ? std::to_integer<std::uint32_t>(bytes[at + b]) : 0);
    }
    for (std::size_t letter = 0; letter < 4; ++letter) {
      const std::uint32_t value = group >> (bits * static_cast<unsigned>(3 - letter)) & 0x3fU;
      out += letter <= count ? letters[value] : '=';
    }
  }
  return out;
}

/// As xarray writes the attribute: reals as little-endian doubles in base64.
ZarrJson fill_attribute(const VariableSpec& variable) {
  const std::vector<std::byte> bytes = unset_bytes(variable);
  double value = 0;
  if (variable.kind == ValueKind::float32) {
    float single = 0;
    std::memcpy(&single, bytes.data(), sizeof single);
    value = static_cast<double>(single);
  } else if (variable.kind == ValueKind::float64) {
    std::memcpy(&value, bytes.data(), sizeof value);
  } else {
    return unset_number(variable);
  }
  auto word = std::bit_cast<std::uint64_t>(value);
  std::array<std::byte, sizeof word> little{};
  for (std::byte& byte : little) {
    byte = static_cast<std::byte>(word & 0xffU);
    word >>= 8U;
  }
  return base64(little);
}

class Zarr3Metadata final : public ZarrMetadata {
 public:
  explicit Zarr3Metadata(const GrowingFile& file) : ZarrMetadata(file) {
    // Texts that are no JSON are an error now.
    for (std::size_t v = 0; v < spec().variables.size(); ++v) static_cast<void>(array(v, 0));
    static_cast<void>(mark());
  }

  ZarrDocument mark() const override {
    return {zarr3_node, zarr_text_of(group(), spec().path, zarr3_node)};
  }

  ZarrDocuments renew_attributes(int /*variable*/) override { return {}; }

  ZarrDocument array(std::size_t number, std::int64_t records) const override {
    const std::string key = variable(number).name + "/" + zarr3_node;
    return {key, zarr_text_of(node(number, records), spec().path, key)};
  }

  ZarrDocument consolidated(std::int64_t records) const override {
    ZarrJson metadata = ZarrJson::object();
    for (std::size_t v = 0; v < spec().variables.size(); ++v) {
      metadata[variable(v).name] = node(v, records);
    }
    ZarrJson document = group();
    document["consolidated_metadata"] = {
        {"kind", "inline"}, {"must_understand", false}, {"metadata", metadata}};
    return {zarr3_node, zarr_text_of(document, spec().path, zarr3_node)};
  }

 private:
  ZarrJson group() const {
    return {{"zarr_format", 3}, {"node_type", "group"}, {"attributes", attributes_of(spec())}};
  }

  ZarrJson node(std::size_t number, std::int64_t records) const {
    const VariableSpec& its = variable(number);
    const ZarrArray array = array_with(number, records);
    Extents in_file = array.chunks;
    for (std::size_t d = 0; d < array.shard.size(); ++d) in_file[d] *= array.shard[d];
    ZarrJson attributes = attributes_of(its);
    const bool is_text = its.kind == ValueKind::text;
    if (!is_text && (its.fill || its.marks_unset)) attributes["_FillValue"] = fill_attribute(its);
    return {{"zarr_format", 3},
            {"node_type", "array"},
            {"shape", array.shape},
            {"data_type", data_type(its.kind)},
            {"chunk_grid", codec("regular", {{"chunk_shape", in_file}})},
            {"chunk_key_encoding", codec("default", {{"separator", "."}})},
            {"fill_value", is_text ? ZarrJson("AA==") : unset_number(its)},
            {"codecs", codecs_of(its, array)},
            {"attributes", attributes},
            {"dimension_names", dimensions_of(its)}};
  }
};

}  // namespace

std::unique_ptr<ZarrMetadata> zarr3_metadata(const GrowingFile& file) {
  return std::make_unique<Zarr3Metadata>(file);
}

}  // namespace epios::io
