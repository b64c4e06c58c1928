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

/// What is done to a chunk: shuffle and deflate, or what a plug-in does.
struct Encoding {
  int level = 0;
  const PluginFilter* plugin = nullptr;
};

/// Takes chunks from the file thread and hands them back to it, encoded and in the order in which
/// they came. What is under way is bounded: some chunks for each thread; the file thread works,
/// too, instead of waiting. All functions on one thread, the file thread. Threads start with the
/// first chunk.
class Compressors {
 public:
  /// `threads` beside the file thread; with none everything is done in wait().
  explicit Compressors(int threads);
  Compressors(const Compressors&) = delete;
  Compressors(Compressors&&) = delete;
  Compressors& operator=(const Compressors&) = delete;
  Compressors& operator=(Compressors&&) = delete;
  ~Compressors();

  /// As many as are useful beside a file thread: one for each processor that this process may run
  /// on, but for one, and not more than 8.
  static int default_threads();

  /// Who gets a chunk back.
  class Client {
   public:
    Client() = default;
    Client(const Client&) = delete;
    Client(Client&&) = delete;
    Client& operator=(const Client&) = delete;
    Client& operator=(Client&&) = delete;
    virtual ~Client() = default;
    /// `stored` is valid during the call. Called within functions of Compressors, also those that
    /// other clients call.
    virtual void take(std::size_t column, std::int64_t chunk, std::span<const std::byte> stored,
                      std::uint32_t skipped_filters) noexcept = 0;
  };
  struct Job {
    Client* client = nullptr;
    std::size_t column = 0;  ///< handed back
    std::int64_t chunk = 0;  ///< handed back
    Encoding encoding;
    std::int64_t value_bytes = 4;
  };

  /// Room for a chunk of so many bytes, to be filled before submit(). Hands back older chunks when
  /// there is none, and waits for them.
  std::span<std::byte> room(std::size_t bytes);
  /// The chunk that room() was last asked for.
  void submit(const Job& job);
  /// Hands back what is ready. Does not wait.
  void hand_back();
  /// Until nothing is under way.
  void drain();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace epios::io
