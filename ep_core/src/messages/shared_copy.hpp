#pragma once

#include <cstddef>

#include "progress/shared_work.hpp"

namespace ep {

/// A large copy between two threads of one process. The maker does not depend on the other thread;
/// if the other waits for the end anyway, it copies items of it, and so do teams. Two cores copy
/// faster than one, and each reads or writes what lies in its own cache more often.
///
/// It belongs to the request whose owner waits: one copy at a time, one helper beside teams.
class SharedCopy {
 public:
  /// Smallest shared copy: a smaller one is over before a helper has come.
  static constexpr std::size_t least_bytes = std::size_t{128} * 1024;

  /// Copies all. Called by the maker. On return nobody touches either block any more.
  void make(std::byte* to, const std::byte* from, std::size_t bytes) noexcept;
  /// Copies items while there are any. Called by the waiting thread. One load if there is no copy.
  void help() noexcept { work_.help(); }

 private:
  SharedWork work_;
};

}  // namespace ep
