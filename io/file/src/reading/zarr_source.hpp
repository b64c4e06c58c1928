/// @file
/// Values of a store of Zarr in a folder.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "chunks/helpers.hpp"
#include "grid/box.hpp"
#include "grid/index.hpp"
#include "reading/zarr_documents.hpp"

namespace epios::io {

/// Reads chunks, which several threads decode. Chunks of which a request takes a part (several
/// records, mostly) stay decoded, up to 64 MB, since the next request may take another part. One
/// thread at a time. All functions throw Error{io}, which names the store and the chunk.
class ZarrSource {
 public:
  explicit ZarrSource(const std::string& path);
  ZarrSource(const ZarrSource&) = delete;
  ZarrSource(ZarrSource&&) = delete;
  ZarrSource& operator=(const ZarrSource&) = delete;
  ZarrSource& operator=(ZarrSource&&) = delete;
  ~ZarrSource();

  const ZarrContents& contents() const { return contents_; }
  /// Reads the numbers in a box of a variable, in C order, as stored. `out` has its volume.
  void read(int variable, const Box& box, std::span<double> out);
  /// Returns the values of any type but `other`, in the byte order of this machine.
  std::vector<std::byte> bytes(int variable, const Box& box);
  /// Returns the sizes of all chunks of a variable, which are looked at.
  std::int64_t stored_bytes(int variable) const;

 private:
  struct Kept {
    int variable = -1;
    Index at{};
    std::vector<std::byte> values;
  };
  /// The index of a shard as a file had it, which may be replaced.
  struct KnownShard {
    std::string path;
    struct stat status {};
    ShardIndex index;
  };
  struct Thread {
    ZarrDecoder decoder;
    std::vector<std::byte> stored, values;
    KnownShard shard;  // the last one: its chunks follow each other
  };
  /// Receives the values of a chunk; several threads may call it at a time.
  using Visit = std::function<void(const Index& at, const std::byte* values)>;
  void for_chunks(int variable, const Box& box, const Visit& visit);
  void check_box(int variable, const Box& box) const;
  void decode(int variable, const Index& at, Thread& thread, std::span<std::byte> values) const;
  /// Reads a chunk into Thread::stored; returns false if it is not there.
  static bool read_stored(const std::string& path, const std::optional<ShardLayout>& shard,
                          std::size_t entry, Thread& thread);
  const Kept* find_kept(int variable, const Index& at) const;
  void keep(Kept chunk);
  const ZarrStorage& storage(int variable) const { return contents_.storage[as_index(variable)]; }

  std::string path_;
  ZarrContents contents_;
  std::deque<Kept> kept_;
  std::size_t kept_bytes_ = 0;
  std::vector<std::unique_ptr<Thread>> threads_;
  Helpers helpers_;  // last: they use the rest
};

}  // namespace epios::io
