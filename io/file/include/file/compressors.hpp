/// @file
/// The threads of a process that compress what the file thread is to write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "file/output_file.hpp"

namespace epios::io {

class PluginFilter;

/// The encoding of a chunk: shuffle and deflate, or a filter of a plug-in; with `is_zarr` the
/// method and shuffle of Zarr's codecs.
struct Encoding {
  int level = 0;
  const PluginFilter* plugin = nullptr;
  bool is_zarr = false;
  Compression::Method method = Compression::Method::deflate;
  Compression::Shuffle shuffle = Compression::Shuffle::byte;
  bool is_gzip = false;  ///< deflate as a gzip stream (RFC 1952), which Zarr 3 has, not a zlib one
};

/// Encodes chunks of the file thread and returns them in their order. The amount under way is
/// bounded: some chunks per thread; instead of waiting, the file thread encodes, too. All functions
/// are called on one thread, the file thread. Threads start with the first chunk.
class Compressors {
 public:
  /// Uses `threads` threads in addition to the file thread. With none, room() and drain() do
  /// everything.
  explicit Compressors(int threads);
  Compressors(const Compressors&) = delete;
  Compressors(Compressors&&) = delete;
  Compressors& operator=(const Compressors&) = delete;
  Compressors& operator=(Compressors&&) = delete;
  ~Compressors();

  /// Returns how many threads are useful beside a file thread: one fewer than the processors that
  /// this process may run on, at most 8.
  static int default_threads();

  /// Receives encoded chunks.
  class Client {
   public:
    Client() = default;
    Client(const Client&) = delete;
    Client(Client&&) = delete;
    Client& operator=(const Client&) = delete;
    Client& operator=(Client&&) = delete;
    virtual ~Client() = default;
    /// Takes an encoded chunk; `stored` is valid during the call. Called within functions of
    /// Compressors, also those that other clients call.
    virtual void take(std::size_t column, std::int64_t chunk, std::span<const std::byte> stored,
                      std::uint32_t skipped_filters) noexcept = 0;
  };
  struct Job {
    Client* client = nullptr;
    std::size_t column = 0;  ///< returned with the chunk
    std::int64_t chunk = 0;  ///< returned with the chunk
    Encoding encoding;
    std::int64_t value_bytes = 4;
  };

  /// Returns room for a chunk of so many bytes, to be filled before submit(). Returns older chunks
  /// first, and waits for them, if there is no room. `most` is the largest size of the encoded
  /// chunk, if that may be larger.
  std::span<std::byte> room(std::size_t bytes, std::size_t most = 0);
  /// Submits the chunk that room() was last called for.
  void submit(const Job& job);
  /// Returns finished chunks to their clients. Does not wait.
  void hand_back();
  /// Waits until nothing is under way.
  void drain();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace epios::io
