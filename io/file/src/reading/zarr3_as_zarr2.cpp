// Translates the document of an array of version 3: type, chunks and shards, codecs, fill value,
// attributes.
#include "reading/zarr3_as_zarr2.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace epios::io {

namespace {

using Json = nlohmann::ordered_json;

struct Type {
  const char* name;
  const char* code;  // of version 2
};
constexpr std::array<Type, 13> types{{{"bool", "b1"},
                                      {"int8", "i1"},
                                      {"int16", "i2"},
                                      {"int32", "i4"},
                                      {"int64", "i8"},
                                      {"uint8", "u1"},
                                      {"uint16", "u2"},
                                      {"uint32", "u4"},
                                      {"uint64", "u8"},
                                      {"float16", "f2"},
                                      {"float32", "f4"},
                                      {"float64", "f8"},
                                      {"null_terminated_bytes", "S1"}}};

/// Names stand alone, or with a configuration.
std::string name_of(const Json& extension) {
  if (extension.is_string()) return extension.get<std::string>();
  return extension.at("name").get<std::string>();
}

Json configuration_of(const Json& extension) {
  return extension.is_object() ? extension.value("configuration", Json::object()) : Json::object();
}

/// Returns "" for a type that version 2 has not.
std::string code_of(const Json& type) {
  const std::string name = name_of(type);
  const auto* const known =
      std::find_if(types.begin(), types.end(), [&](const Type& its) { return its.name == name; });
  if (known == types.end()) return {};
  const bool is_text = std::string_view(known->code) == "S1";
  if (is_text && configuration_of(type).value("length_bytes", 0) != 1) return {};
  return known->code;
}

/// The codecs of chunks: numbers to bytes, then a compressor, then a checksum.
class Codecs {
 public:
  Json compressor;
  bool is_big = false;
  bool has_checksum = false;
  std::string unreadable;

  void take(const Json& codecs) {
    for (const Json& codec : codecs) take_one(name_of(codec), configuration_of(codec));
    if (!has_bytes_) refuse("no codec makes bytes of its values");
  }

 private:
  void refuse(const std::string& why) {
    if (unreadable.empty()) unreadable = why;
  }

  void take_one(const std::string& name, const Json& configuration) {
    if (name == "bytes") {
      has_bytes_ = true;
      is_big = configuration.value("endian", "little") == "big";
    } else if (name == "transpose") {
      refuse("the values in its chunks are transposed");
    } else if (!has_bytes_) {
      refuse(fmt::format("its codec '{}' is not known", name));
    } else if (name == "crc32c" && !has_checksum) {
      has_checksum = true;
    } else if (!compressor.is_null() || has_checksum) {
      refuse(fmt::format("its codec '{}' comes after another compressor, or a checksum", name));
    } else {
      take_compressor(name, configuration);
    }
  }

  void take_compressor(const std::string& name, const Json& configuration) {
    compressor = {{"id", name}};
    compressor.update(configuration);
    if (name != "blosc") return;
    // Numbers in version 2.
    const std::string shuffle = configuration.value("shuffle", "noshuffle");
    compressor["shuffle"] = shuffle == "bitshuffle" ? 2 : shuffle == "shuffle" ? 1 : 0;
  }

  bool has_bytes_ = false;
};

/// The index of a shard: pairs of 64-bit integers, and a checksum.
std::optional<bool> index_checksum(const Json& codecs) {
  if (codecs.empty() || name_of(codecs.front()) != "bytes" ||
      configuration_of(codecs.front()).value("endian", "little") != "little") {
    return std::nullopt;
  }
  if (codecs.size() == 1) return false;
  if (codecs.size() == 2 && name_of(codecs.at(1)) == "crc32c") return true;
  return std::nullopt;
}

/// Replaces the shards, which `out` has as chunks, by the chunks in them. Returns the codecs of
/// chunks.
Json take_shards(const Json& sharding, Json& out, Json& third) {
  const Json shards = out.at("chunks");
  const Json& chunks = sharding.at("chunk_shape");
  Json counts = Json::array();
  bool are_whole = chunks.size() == shards.size();
  for (std::size_t d = 0; are_whole && d < chunks.size(); ++d) {
    const auto shard = shards.at(d).get<std::int64_t>();
    const auto chunk = chunks.at(d).get<std::int64_t>();
    are_whole = chunk > 0 && shard % chunk == 0;
    if (are_whole) counts.push_back(shard / chunk);
  }
  if (!are_whole) third["unreadable"] = "its chunks do not divide its shards";
  if (are_whole) out["chunks"] = chunks;
  third["shard"] = counts;
  third["index_first"] = sharding.value("index_location", "end") == "start";
  const auto checksum = index_checksum(sharding.at("index_codecs"));
  if (!checksum) third["unreadable"] = "the index of its shards has codecs that are not known";
  third["index_checksum"] = checksum.value_or(false);
  return sharding.at("codecs");
}

/// A pattern of bits, for a NaN mostly.
Json number_of(const Json& fill, const std::string& code) {
  if (!fill.is_string()) return fill;
  const auto text = fill.get<std::string>();
  if (!text.starts_with("0x") || (code != "f4" && code != "f8")) return fill;
  const std::uint64_t bits = std::strtoull(text.c_str() + 2, nullptr, 16);
  const double value =
      code == "f8" ? std::bit_cast<double>(bits)
                   : static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  return std::isnan(value) ? Json("NaN") : Json(value);
}

/// xarray has reals in base64: a little-endian double.
std::optional<double> number_in_base64(const std::string& text) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr std::size_t length = 12;
  if (text.size() != length || text.back() != '=') return std::nullopt;
  std::array<std::uint8_t, 9> bytes{};
  for (std::size_t group = 0; group < 3; ++group) {
    std::uint32_t word = 0;
    for (std::size_t letter = 0; letter < 4; ++letter) {
      const char c = text[4 * group + letter];
      const std::size_t value = c == '=' ? 0 : letters.find(c);
      if (value == std::string_view::npos) return std::nullopt;
      word = word << 6U | static_cast<std::uint32_t>(value);
    }
    for (std::size_t b = 0; b < 3; ++b) {
      bytes.at(3 * group + b) = static_cast<std::uint8_t>(word >> (8 * (2 - b)) & 0xffU);
    }
  }
  std::uint64_t word = 0;
  for (std::size_t b = sizeof word; b-- > 0;) word = word << 8U | bytes.at(b);
  return std::bit_cast<double>(word);
}

}  // namespace

Json zarray_of_zarr3(const Json& array) {
  Json out;
  out["zarr_format"] = array.at("zarr_format") == 3 ? Json(2) : array.at("zarr_format");
  out["shape"] = array.at("shape");
  Json third = Json::object();
  const Json& grid = array.at("chunk_grid");
  out["chunks"] = grid.at("configuration").at("chunk_shape");
  if (name_of(grid) != "regular") third["unreadable"] = "its chunks are of several sizes";
  const Json& keys = array.at("chunk_key_encoding");
  const bool is_default = name_of(keys) == "default";
  third["prefix"] = is_default ? "c" : "";
  out["dimension_separator"] = configuration_of(keys).value("separator", is_default ? "/" : ".");
  Json codecs = array.at("codecs");
  const bool has_shards = !codecs.empty() && name_of(codecs.front()) == "sharding_indexed";
  if (has_shards && codecs.size() > 1) third["unreadable"] = "its shards are compressed";
  if (has_shards) codecs = take_shards(configuration_of(Json(codecs.front())), out, third);
  Codecs its;
  its.take(codecs);
  if (!its.unreadable.empty()) third["unreadable"] = its.unreadable;
  if (!array.value("storage_transformers", Json::array()).empty()) {
    third["unreadable"] = "it has a storage transformer";
  }
  third["checksum"] = its.has_checksum;
  const std::string code = code_of(array.at("data_type"));
  const bool has_order = !code.empty() && code.back() != '1';
  out["dtype"] = code.empty() ? Json(array.at("data_type"))
                              : Json((!has_order   ? "|"
                                      : its.is_big ? ">"
                                                   : "<") +
                                     code);
  out["compressor"] = its.compressor;
  out["filters"] = nullptr;
  out["order"] = "C";
  out["fill_value"] = number_of(array.at("fill_value"), code);
  out["zarr3"] = std::move(third);
  return out;
}

Json zattrs_of_zarr3(const Json& array) {
  Json out = array.value("attributes", Json::object());
  const std::string code = code_of(array.at("data_type"));
  const auto fill = out.find("_FillValue");
  if (fill != out.end() && fill->is_string() && code.starts_with('f')) {
    if (const auto number = number_in_base64(fill->get<std::string>())) {
      *fill = std::isnan(*number) ? Json("NaN") : Json(*number);
    }
  }
  const auto names = array.find("dimension_names");
  if (names != array.end() && names->is_array()) out["_ARRAY_DIMENSIONS"] = *names;
  return out;
}

}  // namespace epios::io
