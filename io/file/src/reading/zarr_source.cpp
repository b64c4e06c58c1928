// Reads boxes of the arrays of a store: finds the chunks that a box touches, reads and decodes each
// on one of several threads, and copies what the box has of it to its place.
#include "reading/zarr_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <utility>

#include "config/error.hpp"
#include "disk/unpublished_folder.hpp"
#include "file/compressors.hpp"

namespace epios::io {

namespace {

constexpr std::size_t most_kept_bytes = std::size_t{64} << 20;

/// A descriptor that is closed in the end.
class Reading {
 public:
  explicit Reading(const std::string& path)
      : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  Reading(const Reading&) = delete;
  Reading(Reading&&) = delete;
  Reading& operator=(const Reading&) = delete;
  Reading& operator=(Reading&&) = delete;
  ~Reading() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

void swap_bytes(std::span<std::byte> values, std::size_t value_bytes) {
  for (std::size_t at = 0; at < values.size(); at += value_bytes) {
    std::reverse(values.begin() + static_cast<std::ptrdiff_t>(at),
                 values.begin() + static_cast<std::ptrdiff_t>(at + value_bytes));
  }
}

/// True for a file that nobody has replaced or changed since.
bool is_same(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_size == b.st_size &&
         a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

using Ranges = std::array<Range, most_dimensions>;

Ranges ranges_of(const Box& box) {
  Ranges out{};
  for (std::size_t d = 0; d < box.rank(); ++d) out.at(d) = {box.begin[d], box.size[d]};
  return out;
}

}  // namespace

ZarrSource::ZarrSource(const std::string& path)
    : path_(path), contents_(read_zarr_documents(path)), helpers_(Compressors::default_threads()) {
  for (int t = 0; t <= helpers_.count(); ++t) threads_.push_back(std::make_unique<Thread>());
}

ZarrSource::~ZarrSource() = default;

bool ZarrSource::read_stored(const std::string& path, const std::optional<ShardLayout>& shard,
                             std::size_t entry, Thread& thread) {
  const Reading file(path);
  if (file.get() < 0 && (errno == ENOENT || errno == ENOTDIR)) return false;
  struct stat status {};
  int error = file.get() < 0 || ::fstat(file.get(), &status) != 0 ? errno : 0;
  ShardEntry place{0, error == 0 ? static_cast<std::uint64_t>(status.st_size) : 0};
  if (error == 0 && shard) {
    KnownShard& known = thread.shard;
    if (known.path != path || !is_same(known.status, status)) {
      known.path.clear();
      error = read_shard_index(file.get(), *shard, known.index);
      if (error == EBADMSG) throw Error(ErrorCode::io, "its file has no index of a shard");
      if (error == 0) known.path = path;
      known.status = status;
    }
    if (error == 0) place = known.index[entry];
    if (error == 0 && !place.is_there()) return false;
  }
  std::vector<std::byte>& bytes = thread.stored;
  bytes.resize(error == 0 ? place.bytes : 0);
  if (error == 0) error = read_exactly(file.get(), bytes, place.offset);
  if (error != 0) throw Error(ErrorCode::io, std::generic_category().message(error));
  return true;
}

void ZarrSource::decode(int variable, const Index& at, Thread& thread,
                        std::span<std::byte> values) const {
  const ZarrStorage& its = storage(variable);
  Index position{};
  for (std::size_t d = 0; d < its.layout.chunk.size(); ++d) {
    position[d] = at[d] / its.layout.chunk[d];
  }
  const std::string name =
      fmt::format("{}/{}", contents_.variables[as_index(variable)].name, its.key(position));
  try {
    const std::size_t entry = its.shard ? its.shard->entry(position) : 0;
    if (!read_stored(path_ + "/" + name, its.shard, entry, thread)) {
      if (its.fill.empty()) {
        throw Error(ErrorCode::io,
                    "it is not there, and without a fill_value nothing stands for it");
      }
      for (std::size_t v = 0; v < values.size(); v += its.fill.size()) {
        std::memcpy(values.data() + v, its.fill.data(), its.fill.size());
      }
      return;
    }
    if (!thread.decoder.decode(its.pipeline, thread.stored, values)) {
      throw Error(ErrorCode::io,
                  fmt::format("its {} bytes are not those of {} values", thread.stored.size(),
                              values.size() / its.layout.value_bytes));
    }
  } catch (const std::exception& error) {
    throw Error(ErrorCode::io, fmt::format("file '{}' has a chunk '{}' that cannot be read ({}). "
                                           "Has the store been copied in whole?",
                                           path_, name, error.what()));
  }
  if (its.is_swapped) swap_bytes(values, its.layout.value_bytes);
}

const ZarrSource::Kept* ZarrSource::find_kept(int variable, const Index& at) const {
  const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) {
    return kept.variable == variable && kept.at == at;
  });
  return found == kept_.end() ? nullptr : &*found;
}

void ZarrSource::keep(Kept chunk) {
  kept_bytes_ += chunk.values.size();
  kept_.push_back(std::move(chunk));
  while (kept_bytes_ > most_kept_bytes) {
    kept_bytes_ -= kept_.front().values.size();
    kept_.pop_front();
  }
}

void ZarrSource::check_box(int variable, const Box& box) const {
  const StoredVariable& its = contents_.variables[as_index(variable)];
  if (!its.unreadable.empty() || its.content == StoredVariable::Content::other) {
    throw Error(
        ErrorCode::io,
        fmt::format("file '{}' has a variable '{}' that cannot be read ({})", path_, its.name,
                    its.unreadable.empty() ? "its type is '" + its.type + "'" : its.unreadable));
  }
  const Extents& shape = storage(variable).layout.shape;
  bool is_inside = box.rank() == shape.size();
  for (std::size_t d = 0; is_inside && d < shape.size(); ++d) {
    is_inside = box.begin[d] >= 0 && box.size[d] <= shape[d] - box.begin[d];
  }
  if (is_inside) return;
  throw Error(ErrorCode::io, fmt::format("file '{}' does not have all values of '{}' that are "
                                         "wanted. Has it been changed since it was opened?",
                                         path_, its.name));
}

void ZarrSource::for_chunks(int variable, const Box& box, const Visit& visit) {
  if (box.is_empty()) return;
  const Stored& layout = storage(variable).layout;
  const std::size_t bytes = layout.chunk_bytes();
  const Ranges all = ranges_of(box);
  const std::span<const Range> ranges = std::span<const Range>(all).first(box.rank());
  std::vector<Kept> wanted;  // values remain where the chunk is worth keeping
  std::size_t total = 0;
  for_each_chunk(layout, ranges, [&](const Index& at) {
    if (const Kept* const kept = find_kept(variable, at)) {
      visit(at, kept->values.data());
      return true;
    }
    Kept& chunk = wanted.emplace_back(Kept{variable, at, {}});
    std::int64_t values = 1;  // that the variable has in it
    for (std::size_t d = 0; d < ranges.size(); ++d) {
      values *= std::min(layout.chunk[d], layout.shape[d] - at[d]);
    }
    const bool is_part = runs_of(layout, ranges, at).values < values;
    if (!is_part || total + bytes > most_kept_bytes) return true;
    chunk.values.resize(bytes);
    total += bytes;
    return true;
  });
  std::mutex mutex;
  std::exception_ptr problem;
  helpers_.run(wanted.size(), [&](std::size_t number, std::size_t thread) {
    Kept& chunk = wanted[number];
    Thread& own = *threads_[thread];
    try {
      if (chunk.values.empty() && own.values.size() < bytes) own.values.resize(bytes);
      const std::span<std::byte> values =
          chunk.values.empty() ? std::span(own.values).first(bytes) : std::span(chunk.values);
      decode(variable, chunk.at, own, values);
      visit(chunk.at, values.data());
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!problem) problem = std::current_exception();
    }
  });
  if (problem) std::rethrow_exception(problem);
  for (Kept& chunk : wanted) {
    if (!chunk.values.empty()) keep(std::move(chunk));
  }
}

void ZarrSource::read(int variable, const Box& box, std::span<double> out) {
  check_box(variable, box);
  const Stored& layout = storage(variable).layout;
  const Ranges all = ranges_of(box);
  const std::span<const Range> ranges = std::span<const Range>(all).first(box.rank());
  for_chunks(variable, box, [&](const Index& at, const std::byte* values) {
    place(layout, ranges, at, values, out.data());
  });
}

std::vector<std::byte> ZarrSource::bytes(int variable, const Box& box) {
  check_box(variable, box);
  const Stored& layout = storage(variable).layout;
  const std::size_t size = layout.value_bytes;
  const Ranges all = ranges_of(box);
  const std::span<const Range> ranges = std::span<const Range>(all).first(box.rank());
  std::vector<std::byte> out(as_index(box.volume()) * size);
  for_chunks(variable, box, [&](const Index& at, const std::byte* values) {
    const Runs runs = runs_of(layout, ranges, at);
    for_each_run(layout, ranges, at, runs, [&](std::int64_t from, std::int64_t to) {
      std::memcpy(out.data() + as_index(to) * size, values + as_index(from) * size,
                  as_index(runs.length) * size);
      return true;
    });
  });
  return out;
}

std::int64_t ZarrSource::stored_bytes(int variable) const {
  const std::string& name = contents_.variables[as_index(variable)].name;
  std::int64_t bytes = 0;
  std::error_code problem;
  for (auto entry = std::filesystem::recursive_directory_iterator(path_ + "/" + name, problem);
       !problem && entry != std::filesystem::recursive_directory_iterator();
       entry.increment(problem)) {
    std::error_code ignored;
    const std::string file = entry->path().filename().string();
    if (!entry->is_regular_file(ignored) || file.starts_with('.') || file == zarr3_node) continue;
    const auto size = entry->file_size(ignored);
    if (!ignored) bytes += static_cast<std::int64_t>(size);
  }
  return problem ? 0 : bytes;
}

}  // namespace epios::io
