// Copies a store that a killed run has left, chunk by chunk: those with durable records as they
// are, after a look whether they can be decoded; where a variable has fewer than the store, the
// others are unset. Documents come last, with the number of records.
#include "earlier_runs/store_recovery.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "chunks/chunk_codec.hpp"
#include "chunks/zarr_decoder.hpp"
#include "config/error.hpp"
#include "disk/posix_file.hpp"
#include "disk/value_kind.hpp"
#include "file/replace_file.hpp"
#include "grid/index.hpp"
#include "reading/zarr_documents.hpp"

namespace epios::io {

namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void refuse_part(const std::string& part, const std::string& why,
                              const std::string& suggestion) {
  throw Error(ErrorCode::io,
              fmt::format("file '{}' cannot be recovered ({}). {}", part, why, suggestion));
}

/// How the codecs of an array of ours make its chunks.
Encoding encoding_of(const Json& compressor, const ZarrPipeline& pipeline) {
  using Method = Compression::Method;
  using Shuffle = Compression::Shuffle;
  Encoding out;
  out.is_zarr = true;
  out.shuffle = pipeline.shuffle > 1 ? Shuffle::byte : Shuffle::none;
  out.level = compressor.value("level", compressor.value("clevel", 1));
  if (pipeline.compressor == ZarrPipeline::Compressor::zstd) out.method = Method::zstd;
  if (pipeline.compressor == ZarrPipeline::Compressor::blosc) {
    out.method = compressor.value("cname", "") == "lz4" ? Method::blosc_lz4 : Method::blosc_zstd;
    out.shuffle = static_cast<Shuffle>(std::clamp(compressor.value("shuffle", 1), 0, 2));
  }
  return out;
}

/// The value of points that nobody wrote, as of a store that was closed.
std::vector<std::byte> unset_value(const ZarrStorage& storage, const StoredVariable& variable) {
  if (!storage.fill.empty()) return storage.fill;
  VariableSpec alike;
  alike.kind = variable.type == "double"  ? ValueKind::float64
               : variable.type == "int64" ? ValueKind::int64
               : variable.type == "int"   ? ValueKind::int32
               : variable.type == "short" ? ValueKind::int16
               : variable.type == "char"  ? ValueKind::text
                                          : ValueKind::float32;
  return unset_bytes(alike);
}

class StoreCopy {
 public:
  StoreCopy(const std::string& part, const std::string& made, Recovery& out)
      : part_(part), made_(made), contents_(read_zarr_documents(part)), out_(out) {
    const auto text = zarr_text(part, ".zmetadata");
    if (!text) refuse_part(part, "it has no '.zmetadata'", "Is it a store that EPIOS has written?");
    documents_ = Json::parse(*text);  // read_zarr_documents() could
  }

  void run(std::map<std::string, std::int64_t>& journal, std::int64_t most_records) {
    find_records(journal);
    std::vector<std::int64_t> durable(contents_.variables.size(), -1);
    for (std::size_t v = 0; v < durable.size(); ++v) {
      const auto promised = journal.find(contents_.variables[v].name);
      if (promised == journal.end()) continue;
      durable[v] = promised->second;
      if (has_records(v)) durable[v] = std::min(durable[v], most_records);
      if (has_records(v)) out_.records = std::max(out_.records, durable[v]);
      journal.erase(promised);
    }
    if (!journal.empty()) {
      refuse_part(part_,
                  fmt::format("its journal names '{}', which it has not", journal.begin()->first),
                  "Are the two of one run?");
    }
    put(".zgroup", text_of(".zgroup"));
    put(".zattrs", text_of(".zattrs"));
    for (std::size_t v = 0; v < durable.size(); ++v) {
      const std::int64_t full = has_records(v) ? out_.records : 1;
      copy(v, durable[v] < 0 ? full : durable[v], full);
      if (durable[v] >= 0 && durable[v] < full) {
        out_.shorter.push_back({contents_.variables[v].name, durable[v]});
      }
    }
    put(".zmetadata", documents_.dump(indent));
  }

 private:
  static constexpr int indent = 4;

  /// The dimension of records is the first one of those that say how often they are written, or of
  /// the journal's variables over time.
  void find_records(const std::map<std::string, std::int64_t>& journal) {
    for (const StoredVariable& variable : contents_.variables) {
      if (!journal.contains(variable.name) || variable.dimensions.empty()) continue;
      const int first = variable.dimensions.front();
      const bool is_it = !variable.attribute("interval_write").empty();
      if (is_it) {
        record_dimension_ = first;
        return;
      }
      if (contents_.dimensions[as_index(first)].is_record) {
        record_dimension_ = first;
      }
    }
  }

  bool has_records(std::size_t v) const {
    const std::vector<int>& dimensions = contents_.variables[v].dimensions;
    return !dimensions.empty() && dimensions.front() == record_dimension_;
  }

  std::string text_of(const std::string& key) const {
    auto text = zarr_text(part_, key);
    if (!text) refuse_part(part_, fmt::format("'{}' is not there", key), "Was it copied in whole?");
    return *std::move(text);
  }

  void put(const std::string& key, const std::string& text) const {
    const int error = replace_file(made_ + "/" + key, text, Readers::by_umask, false);
    if (error != 0) {
      throw Error(ErrorCode::io,
                  system_error_text(made_, fmt::format("cannot write '{}'", key), error));
    }
  }

  /// Copies all chunks of a variable of which `durable` of `full` records are whole.
  void copy(std::size_t v, std::int64_t durable, std::int64_t full) {
    const StoredVariable& variable = contents_.variables[v];
    const ZarrStorage& storage = contents_.storage[v];
    if (::mkdir((made_ + "/" + variable.name).c_str(), 0777) != 0) {
      const int error = errno;
      throw Error(ErrorCode::io,
                  system_error_text(
                      made_, fmt::format("cannot make the folder of '{}'", variable.name), error));
    }
    put(variable.name + "/.zattrs", text_of(variable.name + "/.zattrs"));
    Json& document = documents_.at("metadata").at(variable.name + "/.zarray");
    Extents shape = storage.layout.shape;
    if (has_records(v)) shape.front() = full;
    document["shape"] = shape;
    put(variable.name + "/.zarray", document.dump(indent));
    const Encoding encoding = encoding_of(
        document.at("compressor").is_null() ? Json::object() : document.at("compressor"),
        storage.pipeline);
    Extents position(shape.size(), 0);
    const std::int64_t chunks = count_of(shape, storage.layout.chunk);
    for (std::int64_t c = 0; c < chunks; ++c) {
      std::int64_t rest = c;
      for (std::size_t d = shape.size(); d-- > 0;) {
        const std::int64_t count =
            (shape[d] + storage.layout.chunk[d] - 1) / storage.layout.chunk[d];
        position[d] = rest % count;
        rest /= count;
      }
      // A variable that is written once is durable, or it is not.
      const std::int64_t row = has_records(v) ? position.front() * storage.layout.chunk.front() : 0;
      const std::int64_t in_row = has_records(v) ? storage.layout.chunk.front() : 1;
      copy_chunk(v, variable.name + "/" + key_of(position, storage.separator),
                 std::clamp<std::int64_t>(durable - row, 0, in_row), in_row,
                 std::min(full - row, in_row), encoding);
    }
  }

  static std::int64_t count_of(const Extents& shape, const Extents& chunk) {
    std::int64_t count = 1;
    for (std::size_t d = 0; d < shape.size(); ++d) count *= (shape[d] + chunk[d] - 1) / chunk[d];
    return count;
  }

  static std::string key_of(const Extents& position, char separator) {
    return position.empty() ? "0"
                            : fmt::format("{}", fmt::join(position, std::string(1, separator)));
  }

  /// `durable` of the `wanted` records of a chunk with room for `in_chunk` are whole.
  void copy_chunk(std::size_t v, const std::string& key, std::int64_t durable,
                  std::int64_t in_chunk, std::int64_t wanted, const Encoding& encoding) {
    const ZarrStorage& storage = contents_.storage[v];
    std::vector<std::byte> values(storage.layout.chunk_bytes());
    std::string stored;
    if (durable > 0) {
      stored = text_of(key);
      if (!decoder_.decode(storage.pipeline, std::as_bytes(std::span(stored)), values)) {
        refuse_part(part_,
                    fmt::format("chunk '{}', which should be durable, cannot be decoded", key),
                    "Was the power lost? Then only durability=\"disk\" keeps what was written.");
      }
    }
    if (durable < wanted) {
      const std::vector<std::byte> unset = unset_value(storage, contents_.variables[v]);
      const std::size_t from = values.size() / as_index(in_chunk) * as_index(durable);
      for (std::size_t at = from; at < values.size(); at += unset.size()) {
        std::memcpy(values.data() + at, unset.data(), unset.size());
      }
      stored = encoded(std::move(values), storage, encoding);
    }
    put(key, stored);
  }

  std::string encoded(std::vector<std::byte> values, const ZarrStorage& storage,
                      const Encoding& encoding) {
    const std::size_t bytes = values.size();
    std::size_t size = bytes;
    if (!storage.pipeline.is_plain()) {
      values.resize(zarr_bytes_at_most(encoding.method, bytes));
      size = codec_
                 .encode_zarr(encoding, static_cast<std::int64_t>(storage.layout.value_bytes),
                              bytes, values)
                 .bytes;
    }
    return {reinterpret_cast<const char*>(values.data()), size};
  }

  const std::string& part_;
  const std::string& made_;
  ZarrContents contents_;
  Json documents_;
  int record_dimension_ = -1;
  ZarrDecoder decoder_;
  ChunkCodec codec_;
  Recovery& out_;
};

}  // namespace

void recover_store(const std::string& part, const std::string& made,
                   std::map<std::string, std::int64_t> journal, std::int64_t most_records,
                   Recovery& out) {
  StoreCopy(part, made, out).run(journal, most_records);
}

}  // namespace epios::io
