// The documents of a store of version 2: those of groups and attributes, of arrays with their
// codecs, and all of them consolidated.
#include <fmt/format.h>

#include <bit>

#include "chunks/chunk_codec.hpp"
#include "disk/unpublished_folder.hpp"
#include "disk/value_kind.hpp"
#include "formats/zarr_json.hpp"
#include "formats/zarr_metadata.hpp"
#include "grid/index.hpp"

namespace epios::io {

namespace {

std::string dtype(ValueKind kind) {
  if (kind == ValueKind::text) return "|S1";
  const bool is_real = kind == ValueKind::float32 || kind == ValueKind::float64;
  return fmt::format("{}{}{}", std::endian::native == std::endian::little ? '<' : '>',
                     is_real ? 'f' : 'i', size_bytes(kind));
}

ZarrJson compressor(const Compression& compression) {
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
ZarrJson filters(const VariableSpec& variable) {
  const Compression& its = variable.compression;
  if (!its.is_on() || is_blosc(its.method) || its.shuffle != Compression::Shuffle::byte)
    return nullptr;
  return ZarrJson::array({{{"id", "shuffle"}, {"elementsize", size_bytes(variable.kind)}}});
}

class Zarr2Metadata final : public ZarrMetadata {
 public:
  explicit Zarr2Metadata(const GrowingFile& file) : ZarrMetadata(file) {
    fixed_[".zattrs"] = zarr_text_of(attributes_of(spec()), spec().path, ".zattrs");
    for (std::size_t v = 0; v < spec().variables.size(); ++v) renew_attributes(static_cast<int>(v));
  }

  ZarrDocument mark() const override {
    return {zarr2_group, zarr_text_of({{"zarr_format", 2}}, spec().path, zarr2_group)};
  }

  ZarrDocuments renew_attributes(int number) override {
    const VariableSpec& its = variable(as_index(number));
    const std::string key = its.name + "/.zattrs";
    ZarrJson attributes = {{"_ARRAY_DIMENSIONS", dimensions_of(its)}};
    attributes.update(attributes_of(its));
    fixed_[key] = zarr_text_of(attributes, spec().path, key);
    return {{key, fixed_[key]}};
  }

  ZarrDocument array(std::size_t number, std::int64_t records) const override {
    const VariableSpec& its = variable(number);
    const ZarrArray array = array_with(number, records);
    // As NetCDF has a _FillValue.
    const bool has_fill = its.fill || its.marks_unset;
    const ZarrJson document = {{"zarr_format", 2},
                               {"shape", array.shape},
                               {"chunks", array.chunks},
                               {"dtype", dtype(its.kind)},
                               {"compressor", compressor(its.compression)},
                               {"fill_value", has_fill ? unset_number(its) : ZarrJson()},
                               {"order", "C"},
                               {"filters", filters(its)}};
    const std::string key = its.name + "/.zarray";
    return {key, zarr_text_of(document, spec().path, key)};
  }

  ZarrDocument consolidated(std::int64_t records) const override {
    constexpr const char* key = ".zmetadata";
    ZarrJson metadata;
    const ZarrDocument group = mark();
    metadata[group.key] = ZarrJson::parse(group.text);
    for (const auto& [its_key, text] : fixed_) metadata[its_key] = ZarrJson::parse(text);
    for (std::size_t v = 0; v < spec().variables.size(); ++v) {
      const ZarrDocument its = array(v, records);
      metadata[its.key] = ZarrJson::parse(its.text);
    }
    const ZarrJson document = {{"zarr_consolidated_format", 1}, {"metadata", metadata}};
    return {key, zarr_text_of(document, spec().path, key)};
  }
};

}  // namespace

std::unique_ptr<ZarrMetadata> zarr2_metadata(const GrowingFile& file) {
  return std::make_unique<Zarr2Metadata>(file);
}

}  // namespace epios::io
