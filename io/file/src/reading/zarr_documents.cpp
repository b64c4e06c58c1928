// Reads the documents of a store of Zarr: consolidated or one by one, then each array (type,
// codecs, fill value), its attributes as texts, and the dimensions that arrays have in common.
#include "reading/zarr_documents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "config/error.hpp"
#include "config/file_facts.hpp"
#include "disk/unpublished_folder.hpp"
#include "grid/index.hpp"
#include "reading/zarr3_as_zarr2.hpp"

namespace epios::io {

namespace {

using Json = nlohmann::ordered_json;
using Documents = std::map<std::string, Json>;
using Content = StoredVariable::Content;

[[noreturn]] void refuse_store(const std::string& path, const std::string& why,
                               const std::string& suggestion) {
  throw Error(ErrorCode::io,
              fmt::format("file '{}' cannot be opened ({}). {}", path, why, suggestion));
}

/// Python's writers put NaN and Infinity as bare words, which JSON does not have: makes texts of
/// them.
std::string with_words_quoted(const std::string& text) {
  std::string out;
  bool is_in_text = false;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (!is_in_text) {
      const auto word = [&]() -> std::string_view {
        for (const std::string_view known : {"NaN", "Infinity", "-Infinity"}) {
          if (std::string_view(text).substr(at).starts_with(known)) return known;
        }
        return {};
      }();
      if (!word.empty()) {
        out += fmt::format("\"{}\"", word);
        at += word.size();
        continue;
      }
    }
    if (is_in_text && c == '\\' && at + 1 < text.size()) out += text[at++];
    if (c == '"') is_in_text = !is_in_text;
    out += text[at++];
  }
  return out;
}

Json parsed(const std::string& path, const std::string& key, const std::string& text) {
  try {
    Json out = Json::parse(with_words_quoted(text));
    if (out.is_object()) return out;
  } catch (const Json::exception&) {  // said below
  }
  refuse_store(path, fmt::format("its document '{}' is not valid JSON", key),
               "Is the store whole?");
}

template <class Visit>
void for_each_folder(const std::string& path, Visit visit) {
  std::error_code problem;
  for (auto entry = std::filesystem::directory_iterator(path, problem);
       !problem && entry != std::filesystem::directory_iterator(); entry.increment(problem)) {
    std::error_code ignored;
    if (entry->is_directory(ignored)) visit(entry->path().filename().string());
  }
  if (problem) refuse_store(path, problem.message(), "Is it yours to read?");
}

/// The same of version 3, in the words of version 2.
Documents read_zarr3_documents(const std::string& path, const Json& group) {
  if (group.value("node_type", "") != "group") {
    refuse_store(path, "it is an array of Zarr, and no group", "Name the folder around it?");
  }
  Documents out;
  out.emplace(zarr3_node, group);
  out.emplace(".zattrs", group.value("attributes", Json::object()));
  const auto take = [&](const std::string& name, const Json& node) {
    if (node.value("node_type", "") != "array") return;
    try {
      out.emplace(name + "/.zarray", zarray_of_zarr3(node));
      out.emplace(name + "/.zattrs", zattrs_of_zarr3(node));
    } catch (const Json::exception&) {
      refuse_store(
          path, fmt::format("its document '{}/{}' is no description of an array", name, zarr3_node),
          "Is the store whole?");
    }
  };
  const Json consolidated = group.value("consolidated_metadata", Json());
  if (consolidated.is_object() && consolidated.value("kind", "") == "inline") {
    const Json nodes = consolidated.value("metadata", Json::object());
    for (const auto& [key, node] : nodes.items()) {
      if (key.find('/') == std::string::npos) take(key, node);
    }
    return out;
  }
  for_each_folder(path, [&](const std::string& name) {
    const std::string key = name + "/" + zarr3_node;
    if (const auto text = zarr_text(path, key)) take(name, parsed(path, key, *text));
  });
  return out;
}

/// All documents of arrays in the group, and those of the group itself.
Documents read_documents(const std::string& path) {
  if (const auto text = zarr_text(path, zarr3_node)) {
    return read_zarr3_documents(path, parsed(path, zarr3_node, *text));
  }
  Documents out;
  if (const auto text = zarr_text(path, ".zmetadata")) {
    const Json all = parsed(path, ".zmetadata", *text);
    const auto metadata = all.find("metadata");
    if (all.value("zarr_consolidated_format", 0) == 1 && metadata != all.end() &&
        metadata->is_object()) {
      for (const auto& [key, document] : metadata->items()) {
        if (std::count(key.begin(), key.end(), '/') <= 1) out.emplace(key, document);
      }
      return out;
    }
    refuse_store(path, "its document '.zmetadata' is of a kind that is not known",
                 "Remove it: the other documents say the same.");
  }
  const auto take = [&](const std::string& key) {
    if (const auto text = zarr_text(path, key)) out.emplace(key, parsed(path, key, *text));
  };
  take(".zgroup");
  take(".zattrs");
  for_each_folder(path, [&](const std::string& name) {
    take(name + "/.zarray");
    if (out.contains(name + "/.zarray")) take(name + "/.zattrs");
  });
  return out;
}

/// The words of JSON's numbers that are none.
std::optional<double> json_number(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  if (value == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (value == "Infinity") return std::numeric_limits<double>::infinity();
  if (value == "-Infinity") return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

/// Numbers as StoredAttribute has them. A text that is a word for a number stays a text, unless the
/// attribute must be a number.
std::string attribute_text(const std::string& name, const Json& value) {
  const bool is_number = name == "_FillValue" || name == "missing_value" ||
                         name == "scale_factor" || name == "add_offset";
  if (value.is_string() && !(is_number && json_number(value))) return value.get<std::string>();
  std::vector<std::string> parts;
  for (const Json& part : value.is_array() ? value : Json::array({value})) {
    if (const auto number = json_number(part)) {
      parts.push_back(fmt::format("{}", *number));
    } else if (part.is_string()) {
      parts.push_back(part.get<std::string>());
    } else {
      return value.dump();
    }
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

struct Kind {
  std::string_view code;  // of dtype, without the byte order
  const char* name;       // as in NetCDF
  Number number;
  std::size_t bytes;
};
constexpr std::array<Kind, 11> kinds{{{"f4", "float", Number::f32, 4},
                                      {"f8", "double", Number::f64, 8},
                                      {"i1", "byte", Number::i8, 1},
                                      {"i2", "short", Number::i16, 2},
                                      {"i4", "int", Number::i32, 4},
                                      {"i8", "int64", Number::i64, 8},
                                      {"u1", "ubyte", Number::u8, 1},
                                      {"u2", "ushort", Number::u16, 2},
                                      {"u4", "uint", Number::u32, 4},
                                      {"u8", "uint64", Number::u64, 8},
                                      {"b1", "byte", Number::u8, 1}}};

/// Sets type, content and byte order from `dtype`.
void take_type(const Json& dtype, StoredVariable& variable, ZarrStorage& storage) {
  const std::string text = dtype.is_string() ? dtype.get<std::string>() : dtype.dump();
  variable.content = Content::other;
  variable.type = text;
  if (text.size() < 2) return;
  const std::string_view code = std::string_view(text).substr(1);
  const bool is_big = text.front() == '>';
  if (code == "S1") {
    variable.content = Content::text;
    variable.type = "char";
    storage.layout.number = Number::u8;
    storage.layout.value_bytes = 1;
  }
  const auto known =
      std::find_if(kinds.begin(), kinds.end(), [&](const Kind& kind) { return kind.code == code; });
  if (known != kinds.end() && (is_big || text.front() == '<' || text.front() == '|')) {
    variable.content = Content::numbers;
    variable.type = known->name;
    storage.layout.number = known->number;
    storage.layout.value_bytes = known->bytes;
    storage.is_swapped = known->bytes > 1 && is_big != (std::endian::native == std::endian::big);
  }
  if (variable.content != Content::other) {
    variable.value_bytes = static_cast<std::int64_t>(storage.layout.value_bytes);
  }
}

/// Returns how chunks are made of which `compressor` is the description, and that are shuffled.
Encoding encoding_of(const Json& compressor, const ZarrPipeline& pipeline) {
  using Method = Compression::Method;
  using Shuffle = Compression::Shuffle;
  Encoding out;
  out.is_zarr = true;
  out.shuffle = pipeline.shuffle > 1 ? Shuffle::byte : Shuffle::none;
  out.level = compressor.value("level", compressor.value("clevel", 1));
  if (pipeline.compressor == ZarrPipeline::Compressor::gzip) out.is_gzip = true;
  if (pipeline.compressor == ZarrPipeline::Compressor::zstd) out.method = Method::zstd;
  if (pipeline.compressor == ZarrPipeline::Compressor::blosc) {
    out.method = compressor.value("cname", "") == "lz4" ? Method::blosc_lz4 : Method::blosc_zstd;
    out.shuffle = static_cast<Shuffle>(std::clamp(compressor.value("shuffle", 1), 0, 2));
  }
  return out;
}

/// Sets the codecs; what is not known makes the array unreadable.
void take_codecs(const Json& document, StoredVariable& variable, ZarrStorage& storage) {
  using Compressor = ZarrPipeline::Compressor;
  const auto id_of = [](const Json& codec) {
    return codec.is_object() ? codec.value("id", std::string()) : codec.dump();
  };
  const auto refuse = [&](const std::string& why) {
    if (variable.unreadable.empty()) variable.unreadable = why;
  };
  if (const Json& codec = document.at("compressor"); !codec.is_null()) {
    const std::string id = id_of(codec);
    constexpr std::array<std::pair<const char*, Compressor>, 4> known{
        {{"zlib", Compressor::zlib},
         {"gzip", Compressor::gzip},
         {"zstd", Compressor::zstd},
         {"blosc", Compressor::blosc}}};
    const auto* const found =
        std::find_if(known.begin(), known.end(), [&](const auto& its) { return its.first == id; });
    if (found == known.end()) {
      refuse(fmt::format("its compressor is '{}', and zlib, gzip, zstd and blosc are known", id));
    } else {
      storage.pipeline.compressor = found->second;
      if (const std::string library = missing_library(found->second); !library.empty()) {
        refuse(fmt::format("its compressor is '{}', and EPIOS was built without {}", id, library));
      }
    }
  }
  const Json& filters = document.at("filters");
  for (const Json& filter : filters.is_null() ? Json::array() : filters) {
    const std::string id = id_of(filter);
    if (id == "bitround") continue;  // decoding changes nothing
    const std::int64_t bytes = id == "shuffle" ? filter.value("elementsize", std::int64_t{4}) : 0;
    if (id != "shuffle" || storage.pipeline.shuffle > 0) {
      refuse(fmt::format("it has the filter '{}', and one shuffle and bitround are known", id));
    } else if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) {
      refuse(fmt::format("its filter shuffles elements of {} bytes", bytes));
    }
    storage.pipeline.shuffle = bytes;
  }
  if (storage.pipeline.compressor == Compressor::none) return;
  storage.encoding = encoding_of(document.at("compressor"), storage.pipeline);
}

template <class T>
std::vector<std::byte> bytes_of_number(const Json& value) {
  T out{};
  if (value.is_number_integer() && std::is_integral_v<T>) {
    out = value.get<T>();
  } else if (const auto number = json_number(value)) {
    // A cast of what the type cannot hold is undefined.
    const bool fits =
        !std::is_integral_v<T> || (*number >= static_cast<double>(std::numeric_limits<T>::min()) &&
                                   *number < std::ldexp(1.0, std::numeric_limits<T>::digits));
    if (!fits) return {};
    out = static_cast<T>(*number);
  } else {
    return {};
  }
  std::vector<std::byte> bytes(sizeof out);
  std::memcpy(bytes.data(), &out, sizeof out);
  return bytes;
}

std::vector<std::byte> fill_bytes(const Json& value, Number number) {
  switch (number) {
    case Number::i8:
      return bytes_of_number<std::int8_t>(value);
    case Number::u8:
      return bytes_of_number<std::uint8_t>(value);
    case Number::i16:
      return bytes_of_number<std::int16_t>(value);
    case Number::u16:
      return bytes_of_number<std::uint16_t>(value);
    case Number::i32:
      return bytes_of_number<std::int32_t>(value);
    case Number::u32:
      return bytes_of_number<std::uint32_t>(value);
    case Number::i64:
      return bytes_of_number<std::int64_t>(value);
    case Number::u64:
      return bytes_of_number<std::uint64_t>(value);
    case Number::f32:
      return bytes_of_number<float>(value);
    case Number::f64:
      return bytes_of_number<double>(value);
  }
  return {};
}

/// As of NetCDF's _FillValue, if it marks missing values. Rounded to the type of the variable.
void take_fill(const Json& value, bool is_mark, StoredVariable& variable, ZarrStorage& storage) {
  if (value.is_null()) return;
  if (variable.content == Content::text) {
    storage.fill = {std::byte{0}};  // xarray and zarr have nothing else, which base64 says
    return;
  }
  if (variable.content != Content::numbers) return;
  storage.fill = fill_bytes(value, storage.layout.number);
  if (storage.fill.empty()) {
    variable.unreadable =
        fmt::format("its fill_value is {}, no number of type {}", value.dump(), variable.type);
    return;
  }
  const bool is_float = storage.layout.number == Number::f32;
  const double number = json_number(value).value_or(0);
  const double held = is_float ? static_cast<double>(static_cast<float>(number)) : number;
  if (is_mark && variable.attribute("_FillValue").empty()) {
    variable.attributes.push_back({"_FillValue", fmt::format("{}", held), true});
  }
}

/// From the attributes, rounded to the type of the variable.
void take_marks(StoredVariable& variable) {
  if (variable.content != Content::numbers) return;
  for (const char* name : {"_FillValue", "missing_value"}) {
    const std::string& text = variable.attribute(name);
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at < end) {
      double value = 0;
      const auto [next, error] = std::from_chars(at, end, value);
      if (error != std::errc()) break;
      const bool is_float = variable.type == "float";
      variable.missing.push_back(is_float ? static_cast<double>(static_cast<float>(value)) : value);
      at = next;
      while (at < end && (*at == ',' || *at == ' ')) ++at;
    }
  }
}

/// Lengths that JSON gives; each is at least `least`, and all together make no more bytes than
/// `most`.
Extents lengths_of(const Json& list, std::int64_t least, std::int64_t most) {
  Extents out;
  std::int64_t total = 1;
  for (const Json& value : list) {
    const auto length = value.get<std::int64_t>();
    if (length < least ||
        __builtin_mul_overflow(total, std::max<std::int64_t>(length, 1), &total) || total > most) {
      throw Error(ErrorCode::io, "has a length that makes no sense");
    }
    out.push_back(length);
  }
  return out;
}

std::vector<StoredAttribute> attributes_of(const Json& document) {
  std::vector<StoredAttribute> out;
  for (const auto& [name, value] : document.items()) {
    if (name == "_ARRAY_DIMENSIONS") continue;
    const Json& first = value.is_array() && !value.empty() ? value.front() : value;
    const std::string text = attribute_text(name, value);
    const bool is_word = value.is_string() && text != value.get<std::string>();  // of a number
    out.push_back({name, text, first.is_number() || is_word});
  }
  return out;
}

/// Sets what version 2 does not have.
void take_zarr3(const Json& third, StoredVariable& variable, ZarrStorage& storage) {
  constexpr std::int64_t most_chunks = 1 << 24;
  storage.prefix = third.at("prefix").get<std::string>();
  storage.may_lack_chunks = true;
  storage.pipeline.has_checksum = third.at("checksum").get<bool>();
  if (third.contains("unreadable")) variable.unreadable = third.at("unreadable").get<std::string>();
  if (!third.contains("shard") || !variable.unreadable.empty()) return;
  storage.shard =
      ShardLayout{lengths_of(third.at("shard"), 1, most_chunks),
                  third.at("index_first").get<bool>(), third.at("index_checksum").get<bool>()};
}

/// Builds the description of a group.
class Description {
 public:
  explicit Description(const std::string& path) : path_(path), documents_(read_documents(path)) {}

  ZarrContents build() {
    if (documents_.contains(zarr3_node)) {
      out_.version = 3;
    } else if (!documents_.contains(".zgroup")) {
      refuse_store(path_,
                   "it is a folder without '.zgroup' or 'zarr.json', which is no store of Zarr",
                   "Is it the folder of an array, or of another format?");
    }
    if (const Json* attributes = find(".zattrs")) out_.attributes = attributes_of(*attributes);
    for (const auto& [key, document] : documents_) {
      const auto slash = key.find('/');
      if (slash != std::string::npos && key.substr(slash) == "/.zarray") {
        add(key, key.substr(0, slash), document);
      }
    }
    find_records();
    return std::move(out_);
  }

 private:
  const Json* find(const std::string& key) const {
    const auto found = documents_.find(key);
    return found == documents_.end() ? nullptr : &found->second;
  }

  void add(const std::string& key, const std::string& name, const Json& document) {
    constexpr std::int64_t most_bytes = std::int64_t{1} << 46;
    StoredVariable& variable = out_.variables.emplace_back();
    ZarrStorage& storage = out_.storage.emplace_back();
    variable.name = name;
    Json dimensions = Json::array();
    if (const Json* attributes = find(name + "/.zattrs")) {
      variable.attributes = attributes_of(*attributes);
      dimensions = attributes->value("_ARRAY_DIMENSIONS", dimensions);
    }
    try {
      if (document.at("zarr_format") != 2) throw Error(ErrorCode::io, "is not of version 2");
      take_type(document.at("dtype"), variable, storage);
      Stored& layout = storage.layout;
      layout.shape = lengths_of(document.at("shape"), 0, std::numeric_limits<std::int64_t>::max());
      layout.chunk = lengths_of(document.at("chunks"), 1, most_bytes / 16);
      if (layout.shape.size() != layout.chunk.size()) {
        throw Error(ErrorCode::io, "has another number of chunks than of dimensions");
      }
      if (layout.shape.size() > most_dimensions) variable.unreadable = "it has too many dimensions";
      if (document.at("order") != "C") {
        variable.unreadable = "the values in its chunks are in the order of Fortran";
      }
      take_codecs(document, variable, storage);
      take_fill(document.at("fill_value"), !document.contains("zarr3"), variable, storage);
      storage.separator =
          document.value("dimension_separator", std::string(".")) == "/" ? '/' : '.';
      if (document.contains("zarr3")) take_zarr3(document.at("zarr3"), variable, storage);
    } catch (const Json::exception&) {
      refuse_store(path_, fmt::format("its document '{}' is no description of an array", key),
                   "Is the store whole?");
    } catch (const Error& error) {
      refuse_store(path_, fmt::format("its document '{}' {}", key, error.what()),
                   "Is the store whole?");
    }
    if (variable.unreadable.empty() && storage.pipeline.shuffle > 0 &&
        storage.layout.chunk_bytes() % as_index(storage.pipeline.shuffle) != 0) {
      variable.unreadable = "its filter shuffles elements that do not divide a chunk";
    }
    variable.chunk = storage.layout.chunk;
    take_marks(variable);
    add_dimensions(variable, storage, dimensions);
  }

  /// Without names each array has dimensions of its own, which still fit a grid by their lengths.
  void add_dimensions(StoredVariable& variable, const ZarrStorage& storage, const Json& names) {
    const Extents& shape = storage.layout.shape;
    const bool are_named = names.is_array() && names.size() == shape.size();
    for (std::size_t d = 0; d < shape.size(); ++d) {
      const std::string name = are_named && names[d].is_string()
                                   ? names[d].get<std::string>()
                                   : fmt::format("{}_dim_{}", variable.name, d);
      const auto known = std::find_if(out_.dimensions.begin(), out_.dimensions.end(),
                                      [&](const auto& its) { return its.name == name; });
      variable.dimensions.push_back(static_cast<int>(known - out_.dimensions.begin()));
      if (known == out_.dimensions.end()) {
        out_.dimensions.push_back({name, shape[d], false});
      } else if (known->length != shape[d]) {
        refuse_store(path_,
                     fmt::format("dimension '{}' is {} long in '{}' and {} in arrays before it",
                                 name, shape[d], variable.name, known->length),
                     "Does a program write it now? With consolidated metadata they agree.");
      }
    }
  }

  /// No dimension says that it grows: those of time do.
  void find_records() {
    for (std::size_t d = 0; d < out_.dimensions.size(); ++d) {
      StoredDimension& dimension = out_.dimensions[d];
      const auto coordinate =
          std::find_if(out_.variables.begin(), out_.variables.end(), [&](const auto& variable) {
            return variable.name == dimension.name && variable.dimensions.size() == 1;
          });
      const auto says = [&](const char* name) {
        return coordinate == out_.variables.end() ? std::string() : coordinate->attribute(name);
      };
      dimension.is_record =
          config::says_time(dimension.name, says("units"), says("axis"), says("standard_name"));
    }
  }

  const std::string& path_;
  Documents documents_;
  ZarrContents out_;
};

}  // namespace

std::optional<std::string> zarr_text(const std::string& path, const std::string& key) {
  errno = 0;
  const std::ifstream file(path + "/" + key);
  if (!file) {
    const int error = errno;
    if (error == ENOENT || error == ENOTDIR) return std::nullopt;
    refuse_store(
        path, fmt::format("'{}' cannot be read: {}", key, std::generic_category().message(error)),
        "Is it yours to read?");
  }
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

ZarrContents read_zarr_documents(const std::string& path) {
  try {
    return Description(path).build();
  } catch (const Json::exception&) {
    refuse_store(path, "its documents are JSON, but not that of a group of Zarr",
                 "Is the store whole?");
  }
}

}  // namespace epios::io
