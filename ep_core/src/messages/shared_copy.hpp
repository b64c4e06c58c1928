#pragma once

#include <cstddef>

#include "progress/shared_work.hpp"

namespace ep {

/// A large copy between two threads of one process. The maker does not depend on the other thread;
/// if that waits for the end anyway, it copies items, and so do teams. Two cores copy faster than
/// one, and each more often reads or writes data in its own cache.
///
/// It belongs to the request whose owner waits, and serves one copy at a time with one helper
/// besides teams.
class SharedCopy {
 public:
  /// Smallest shared copy: a smaller one is finished before a helper arrives.
  static constexpr std::size_t least_bytes = std::size_t{128} * 1024;

  /// Copies all items; the maker calls it. On return no thread touches either block any more.
  void make(std::byte* to, const std::byte* from, std::size_t bytes) noexcept;
  /// Copies items while there are any. Called by the waiting thread. One load if there is no copy.
  void help() noexcept { work_.help(); }

 private:
  SharedWork work_;
};

}  // namespace ep
