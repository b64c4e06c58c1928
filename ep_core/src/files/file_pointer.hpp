#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

#include "files/file_io.hpp"

namespace ep {

/// The shared pointer of a file, in etypes, as the endpoints of one process share it. For a single
/// process it is a number; otherwise a hidden file beside the file, created at first use, holds it.
class SharedPointer {
 public:
  /// `beside` is the path of the file; `id` distinguishes this opening of it from all others.
  SharedPointer(bool in_one_process, const std::string& beside, const std::string& id,
                std::int64_t first);

  /// Moves the pointer by `count` and returns where it was.
  std::int64_t advance(std::int64_t count);
  /// Set the pointer. Collective, with a barrier before and after: all endpoints call note(), and
  /// one of them forget().
  void note(std::int64_t position);
  void forget() const;

 private:
  std::int64_t advance_in_file(std::int64_t count);

  const bool in_one_process_;
  const std::string path_;
  std::atomic<std::int64_t> position_;  // its value, or its value when the hidden file was empty
  std::mutex mutex_;                    // needed since file locks belong to processes, not threads
  FileDescriptor hidden_;
};

}  // namespace ep
