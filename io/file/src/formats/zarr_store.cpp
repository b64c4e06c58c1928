// Stores records in a folder of files, which has no structure to agree on: each writer makes the
// files of its chunks, and the owner says in the documents how many records there are. In order:
// creating, coordinates, records, documents, the end.
#include "formats/zarr_store.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <limits>
#include <utility>

#include "chunks/chunk_codec.hpp"
#include "config/error.hpp"
#include "contract/file_protocol.hpp"
#include "disk/value_kind.hpp"
#include "file/replace_file.hpp"
#include "grid/index.hpp"

namespace epios::io {

ZarrStore::ZarrStore(GrowingFile& file, Compressors* compressors)
    : file_(file), folder_(file.spec.path), chunks_(file, compressors) {
  chunks_.set_place(folder_.place());
}

void ZarrStore::prepare() {
  for (std::size_t column = 0; column < file_.variables.size(); ++column) {
    const Compression& its = file_.variable_of(column).compression;
    check_chunk_size(column);
    check_shard_size(column);
    if (!its.is_on()) continue;
    if (its.method == Compression::Method::zfp || its.method == Compression::Method::sz) {
      file_.reject("variable compressed by ZFP or SZ in a store of Zarr");
    }
    if (const std::string library = missing_library(its.method); !library.empty()) {
      throw Error(ErrorCode::configuration,
                  fmt::format("file '{}': cannot compress '{}' (EPIOS was built without {}). Use "
                              "compression_type=\"gzip\", or build it with {}-dev?",
                              file_.spec.path, file_.name_of(column), library, library));
    }
  }
}

/// Blosc counts in 32 bits, and a chunk of several records is kept in memory.
void ZarrStore::check_chunk_size(std::size_t column) const {
  const ChunkGrid& chunks = file_.variables[column].chunks;
  const bool is_compressed = file_.variable_of(column).compression.is_on();
  if (!is_compressed && chunks.records_per_chunk() <= 1) return;
  const std::int64_t record_bytes = volume(chunks.chunk()) * chunks.value_bytes();
  const std::int64_t most = std::numeric_limits<std::int32_t>::max() / chunks.records_per_chunk();
  if (record_bytes < most) return;
  throw Error(
      ErrorCode::configuration,
      fmt::format("file '{}': cannot {} '{}' (a chunk has 2 GiB or more). Set a smaller "
                  "chunking_blocksize_target, or fewer chunking_records?",
                  file_.spec.path, is_compressed ? "compress" : "keep chunks of several records of",
                  file_.name_of(column)));
}

/// The index of a shard is kept in memory while it is written, and read as a whole.
void ZarrStore::check_shard_size(std::size_t column) const {
  constexpr std::int64_t most = 1'000'000;
  std::int64_t chunks = 1;
  for (const std::int64_t count : file_.variables[column].shard) {
    if (__builtin_mul_overflow(chunks, count, &chunks)) chunks = most + 1;
    if (chunks <= most) continue;
    throw Error(
        ErrorCode::configuration,
        fmt::format("file '{}': cannot write shards of '{}' (each has more than {} chunks). "
                    "Set smaller sharding_records, or larger chunks?",
                    file_.spec.path, file_.name_of(column), most));
  }
}

void ZarrStore::create() {
  metadata_ = ZarrMetadata::of(file_);
  folder_.create();
  // A later run may take the folder.
  const ZarrDocument mark = metadata_->mark();
  replace(mark.key, mark.text);
  for (const VariableSpec& variable : file_.spec.variables) {
    const std::string path = folder_.place() + "/" + variable.name;
    file_.check_system(::mkdir(path.c_str(), 0777) == 0 ? 0 : errno,
                       fmt::format("cannot make the folder of '{}'", variable.name));
  }
  for (const auto& [key, text] : metadata_->fixed()) replace(key, text);
  find_addresses();
  make_fixed_files();
  write_documents(0);
}

/// Each fixed variable has the addresses behind those of the one before, whole chunks.
void ZarrStore::find_addresses() {
  fixed_.clear();
  const std::vector<ZarrArray> arrays = zarr_arrays(file_);
  std::vector<std::uint64_t> addresses;
  std::uint64_t end = 0;
  for (const int v : file_.fixed.variables()) {
    const ZarrArray& array = arrays[as_index(v)];
    FixedArray its{v, end, 0, 1, array.shape.size()};
    const auto bytes = volume(array.chunks) * size_bytes(file_.spec.variables[as_index(v)].kind);
    its.chunk_bytes = static_cast<std::uint64_t>(bytes);
    if (!array.shape.empty()) {
      its.chunks = (array.shape.front() + array.chunks.front() - 1) / array.chunks.front();
    }
    addresses.push_back(end);
    end += its.chunk_bytes * static_cast<std::uint64_t>(its.chunks);
    fixed_.push_back(its);
  }
  file_.fixed.set_addresses(std::move(addresses));
}

std::string ZarrStore::fixed_path(const FixedArray& array, std::int64_t chunk) const {
  std::vector<std::int64_t> position(array.rank, 0);
  if (!position.empty()) position.front() = chunk;
  return fmt::format("{}/{}/{}", folder_.place(),
                     file_.spec.variables[as_index(array.variable)].name,
                     zarr_key(file_.spec.format, position));
}

/// Before the writers open them: chunks are whole, also where nobody writes.
void ZarrStore::make_fixed_files() const {
  for (const FixedArray& array : fixed_) {
    for (std::int64_t chunk = 0; chunk < array.chunks; ++chunk) {
      PosixFile file;
      int error = file.create(fixed_path(array, chunk));
      if (error == 0) error = file.reserve(0, array.chunk_bytes);
      if (error == 0) error = file.close();
      file_.check_system(error, "cannot set aside space for coordinates");
    }
  }
}

void ZarrStore::open() {
  if (!file_.writers.is_owner()) find_addresses();
  if (!file_.fixed.is_empty()) {
    write_fixed_variables(
        file_,
        [this](ValueKind /*kind*/, std::span<const std::byte> data, std::uint64_t address) {
          return write_fixed(data, address);
        },
        [this] { file_.check_system(close_fixed(), "cannot be brought to disk"); });
    file_.writers.together([this] { file_.check_system(close_fixed(), "cannot be written"); });
  }
}

void ZarrStore::show() {
  if (!file_.spec.is_live || is_shown_) return;
  file_.writers.together([this] {
    if (!file_.writers.is_owner()) return;
    // Readers take memory as they find it for chunks that are not there.
    for (std::size_t column = 0; column < file_.variables.size(); ++column) {
      if (file_.variables[column].is_once) chunks_.fill(column, 0);
    }
    chunks_.settle();
    warning_ = folder_.show(file_.spec.to_disk);
  });
  if (!file_.writers.is_owner()) folder_.follow();
  chunks_.set_place(folder_.place());
  is_shown_ = true;
}

int ZarrStore::close_fixed() {
  int error = 0;
  if (!fixed_path_.empty() && file_.spec.to_disk) error = fixed_file_.sync();
  const int closing = fixed_file_.close();
  fixed_path_.clear();
  return error != 0 ? error : closing;
}

int ZarrStore::write_fixed(std::span<const std::byte> data, std::uint64_t address) {
  const auto behind = std::upper_bound(
      fixed_.begin(), fixed_.end(), address,
      [](std::uint64_t value, const FixedArray& array) { return value < array.begin; });
  const FixedArray& array = *std::prev(behind);
  while (!data.empty()) {
    const std::uint64_t offset = address - array.begin;
    const std::uint64_t in_chunk = offset % array.chunk_bytes;
    const std::string path =
        fixed_path(array, static_cast<std::int64_t>(offset / array.chunk_bytes));
    if (path != fixed_path_) {
      int error = close_fixed();
      if (error == 0) error = fixed_file_.open_own(path);
      if (error != 0) return error;
      fixed_path_ = path;
    }
    const auto part = data.first(std::min<std::size_t>(data.size(), array.chunk_bytes - in_chunk));
    if (const int error = fixed_file_.write_at(part, in_chunk); error != 0) return error;
    data = data.subspan(part.size());
    address += part.size();
  }
  return 0;
}

/// Nothing is set aside, since chunks have no place before they have a size. A full disk is an
/// error of the write that meets it, which the other writers learn here.
void ZarrStore::reserve(std::int64_t /*needed*/, std::int64_t /*to*/) {
  file_.writers.together([this] {
    if (file_.writers.is_owner()) folder_.check();
  });
  // Until there is something to show, the store of an earlier run stays.
  if (!file_.spec.is_shown_late) show();
}

void ZarrStore::write(std::size_t column, const Slab& slab) {
  if (!chunks_.write(column, slab)) {
    file_.reject("slab of a store that is not made of whole chunks");
  }
  // What waits for its chunk or shard is in files before records are counted: settle().
  file_.ledger.note(column, slab.record, slab.box.volume());
}

void ZarrStore::fill(std::size_t column, const Slab& unset) {
  chunks_.fill(column, unset.record);
  file_.ledger.note(column, unset.record, unset.box.volume());
}

void ZarrStore::settle() {
  try {
    chunks_.settle();
  } catch (const std::exception& e) {
    file_.writers.note_failure(e.what());  // the others wait in what follows
  }
}

/// Files of chunks are on disk before they get their names; these remain.
void ZarrStore::sync() {
  for (const VariableSpec& variable : file_.spec.variables) {
    file_.check_system(sync_folder(folder_.place() + "/" + variable.name),
                       "cannot be brought to disk");
  }
}

void ZarrStore::replace(const std::string& key, const std::string& text) const {
  file_.check_system(
      replace_file(folder_.place() + "/" + key, text, Readers::by_umask, file_.spec.to_disk),
      fmt::format("cannot write '{}'", key));
}

void ZarrStore::put_rounding(int variable) {
  for (const auto& [key, text] : metadata_->renew_attributes(variable)) replace(key, text);
  shown_ = -1;
}

/// A reader of the consolidated documents never sees a record without its chunks, and others see it
/// last in the time that counts them.
void ZarrStore::write_documents(std::int64_t records) {
  if (records == shown_) return;
  const auto& variables = file_.spec.variables;
  for (const bool is_time : {false, true}) {
    for (std::size_t v = 0; v < variables.size(); ++v) {
      const bool has_points = variables[v].dimensions.size() > 1;
      const bool is_told = shown_ >= 0 && !metadata_->has_records(v);
      if (is_time == has_points || is_told) continue;
      const ZarrDocument its = metadata_->array(v, records);
      replace(its.key, its.text);
    }
  }
  const ZarrDocument all = metadata_->consolidated(records);
  replace(all.key, all.text);
  if (file_.spec.to_disk) {
    file_.check_system(sync_folder(folder_.place()), "cannot be brought to disk");
  }
  shown_ = records;
}

void ZarrStore::flush() {
  folder_.check();
  std::int64_t records = std::numeric_limits<std::int64_t>::max();
  for (std::size_t column = 0; column < file_.variables.size(); ++column) {
    if (file_.variables[column].is_once) continue;
    records = std::min(records, file_.ledger.complete(column));
  }
  if (records != std::numeric_limits<std::int64_t>::max()) write_documents(records);
}

void ZarrStore::finish(std::int64_t records) {
  chunks_.settle();
  folder_.check();
  for (std::size_t column = 0; column < file_.variables.size(); ++column) {
    if (!file_.variables[column].is_once) chunks_.remove(column, records, file_.reserved);
  }
  if (file_.spec.to_disk) sync();
  write_documents(records);
}

std::int64_t ZarrStore::publish() {
  std::string left;
  const std::int64_t bytes = folder_.publish(left, file_.spec.to_disk);
  if (!left.empty()) warning_ = left;
  return bytes;
}

void ZarrStore::abandon() noexcept {
  chunks_.drop();
  // The folder is left as it is; nothing is concluded from how its files close.
  static_cast<void>(fixed_file_.close());
  folder_.abandon();
}

std::unique_ptr<OutputFile> create_zarr(const FileSpec& spec, const ep::Comm* writers,
                                        Compressors* compressors) {
  return std::make_unique<FileProtocol>(spec, writers, [&](GrowingFile& file) {
    return std::make_unique<ZarrStore>(file, compressors);
  });
}

}  // namespace epios::io
