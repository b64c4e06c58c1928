// Copies a store that a killed run has left, chunk by chunk: those with durable records as they
// are, after a look whether they can be decoded; where a variable has fewer than the store, the
// others are unset. Shards are made anew of such chunks. Documents come last, with the number of
// records.
#include "earlier_runs/store_recovery.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "chunks/chunk_codec.hpp"
#include "chunks/shard_file.hpp"
#include "chunks/zarr_decoder.hpp"
#include "config/error.hpp"
#include "disk/posix_file.hpp"
#include "disk/unpublished_folder.hpp"
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
    const std::string all = is_third() ? zarr3_node : ".zmetadata";
    const auto text = zarr_text(part, all);
    if (text) documents_ = Json::parse(*text);  // read_zarr_documents() could
    if (text && (!is_third() || documents_.contains("consolidated_metadata"))) return;
    refuse_part(part, fmt::format("it has no '{}' with all of its arrays", all),
                "Is it a store that EPIOS has written?");
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
    if (!is_third()) {
      put(zarr2_group, text_of(zarr2_group));
      put(".zattrs", text_of(".zattrs"));
    }
    for (std::size_t v = 0; v < durable.size(); ++v) {
      const std::int64_t full = has_records(v) ? out_.records : 1;
      copy(v, durable[v] < 0 ? full : durable[v], full);
      if (durable[v] >= 0 && durable[v] < full) {
        out_.shorter.push_back({contents_.variables[v].name, durable[v]});
      }
    }
    put(is_third() ? zarr3_node : ".zmetadata", documents_.dump(indent));
  }

 private:
  static constexpr int indent = 4;

  bool is_third() const { return contents_.version == 3; }
  /// The description of an array in the document of all.
  Json& array(const std::string& name) {
    return is_third() ? documents_.at("consolidated_metadata").at("metadata").at(name)
                      : documents_.at("metadata").at(name + "/.zarray");
  }

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
    if (!is_third()) put(variable.name + "/.zattrs", text_of(variable.name + "/.zattrs"));
    Json& document = array(variable.name);
    Extents shape = storage.layout.shape;
    if (has_records(v)) shape.front() = full;
    document["shape"] = shape;
    put(variable.name + "/" + (is_third() ? zarr3_node : ".zarray"), document.dump(indent));
    Extents position(shape.size(), 0);
    const std::int64_t chunks = count_of(shape, storage.layout.chunk);
    const std::int64_t rows =
        has_records(v) ? count_of({shape.front()}, {storage.layout.chunk.front()}) : 1;
    const std::int64_t tiles = rows == 0 ? 1 : std::max<std::int64_t>(chunks / rows, 1);
    bool is_row_there = false;
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
      const std::int64_t its = std::clamp<std::int64_t>(durable - row, 0, in_row);
      const std::string key = variable.name + "/" + storage.key(position);
      const auto stored = chunk_of(v, key, position, {its, in_row, std::min(full - row, in_row)});
      // Writers have all written a record, or nobody has.
      if (c % tiles == 0) is_row_there = stored.has_value();
      if (its > 0 && stored.has_value() != is_row_there) refuse_torn_row(key);
      if (stored) put_chunk(storage, key, position, *stored);
    }
    for (auto& [key, shard] : shards_) check_made(shard.finish(false), key);
    shards_.clear();
  }

  void put_chunk(const ZarrStorage& storage, const std::string& key, const Extents& position,
                 const std::string& stored) {
    if (!storage.shard) return put(key, stored);
    const auto chunks = as_index(volume(storage.shard->chunks));
    auto& shard = shards_.try_emplace(key, made_ + "/" + key, chunks).first->second;
    check_made(shard.put(storage.shard->entry(position), std::as_bytes(std::span(stored)), {}),
               key);
  }

  void check_made(int error, const std::string& key) const {
    if (error == 0) return;
    throw Error(ErrorCode::io,
                system_error_text(made_, fmt::format("cannot write '{}'", key), error));
  }

  [[noreturn]] void refuse_torn_row(const std::string& key) const {
    refuse_part(
        part_,
        fmt::format("'{}' or a file beside it, whose records should be durable, is not there", key),
        "Was it copied in whole?");
  }

  static std::int64_t count_of(const Extents& shape, const Extents& chunk) {
    std::int64_t count = 1;
    for (std::size_t d = 0; d < shape.size(); ++d) count *= (shape[d] + chunk[d] - 1) / chunk[d];
    return count;
  }

  /// Records of a chunk: those that are whole, those that it has room for, and those that are
  /// wanted.
  struct Records {
    std::int64_t durable = 0;
    std::int64_t room = 0;
    std::int64_t wanted = 0;
  };

  /// A chunk as the new store has it; nothing if it has only points that nobody wrote and need not
  /// be there.
  std::optional<std::string> chunk_of(std::size_t v, const std::string& key,
                                      const Extents& position, const Records& records) {
    const ZarrStorage& storage = contents_.storage[v];
    std::vector<std::byte> values(storage.layout.chunk_bytes());
    std::optional<std::string> stored;
    if (records.durable > 0) {
      stored = stored_chunk(storage, key, position);
      if (stored && !decoder_.decode(storage.pipeline, std::as_bytes(std::span(*stored)), values)) {
        refuse_part(part_,
                    fmt::format("chunk '{}', which should be durable, cannot be decoded", key),
                    "Was the power lost? Then only durability=\"disk\" keeps what was written.");
      }
    }
    if (!stored && storage.may_lack_chunks) return stored;
    if (records.durable < records.wanted) {
      const std::vector<std::byte> unset = unset_value(storage, contents_.variables[v]);
      const std::size_t from = values.size() / as_index(records.room) * as_index(records.durable);
      for (std::size_t at = from; at < values.size(); at += unset.size()) {
        std::memcpy(values.data() + at, unset.data(), unset.size());
      }
      stored = encoded(std::move(values), storage, storage.encoding);
    }
    return stored;
  }

  /// Returns nothing for a chunk that is not there and need not be.
  std::optional<std::string> stored_chunk(const ZarrStorage& storage, const std::string& key,
                                          const Extents& position) const {
    // Coordinates are made in whole, also of version 3.
    const bool is_of_records = storage.shard || storage.pipeline.has_checksum;
    if (!storage.may_lack_chunks || !is_of_records) return text_of(key);
    if (!storage.shard) return zarr_text(part_, key);
    PosixFile shard;
    ShardIndex index;
    int error = shard.open_own(part_ + "/" + key);
    if (error == ENOENT) return std::nullopt;
    if (error == 0) error = read_shard_index(shard.descriptor(), *storage.shard, index);
    if (error != 0) {
      refuse_part(part_, fmt::format("shard '{}' has no index", key),
                  "Was the power lost? Then only durability=\"disk\" keeps what was written.");
    }
    const ShardEntry& its = index[storage.shard->entry(position)];
    if (!its.is_there()) return std::nullopt;
    std::string out(its.bytes, '\0');
    if (read_exactly(shard.descriptor(), std::as_writable_bytes(std::span(out)), its.offset) != 0) {
      out.clear();  // which no codec makes
    }
    return out;
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
    std::string out(reinterpret_cast<const char*>(values.data()), size);
    if (storage.pipeline.has_checksum) {
      const Checksum checksum = checksum_of(std::span(values).first(size));
      out.append(reinterpret_cast<const char*>(checksum.data()), checksum.size());
    }
    return out;
  }

  const std::string& part_;
  const std::string& made_;
  ZarrContents contents_;
  Json documents_;
  int record_dimension_ = -1;
  ZarrDecoder decoder_;
  ChunkCodec codec_;
  std::map<std::string, ShardFile> shards_;  // of one variable
  Recovery& out_;
};

}  // namespace

void recover_store(const std::string& part, const std::string& made,
                   std::map<std::string, std::int64_t> journal, std::int64_t most_records,
                   Recovery& out) {
  StoreCopy(part, made, out).run(journal, most_records);
}

}  // namespace epios::io
