#pragma once

#include <cstddef>

#include "progress/shared_work.hpp"

namespace ep {

/// A large copy between two threads of one process. The one that makes it does not depend on the
/// other; the other, if it waits for the end anyway, takes items of it, and so do teams. Two cores
/// copy faster than one, and each reads or writes what lies in its own cache more often.
///
/// It belongs to the request whose owner waits: one copy at a time, one helper beside teams.
class SharedCopy {
 public:
  /// Smaller ones are over before a helper has come.
  static constexpr std::size_t least_bytes = std::size_t{128} * 1024;

  /// The maker: copies all. On return nobody touches either block any more.
  void make(std::byte* to, const std::byte* from, std::size_t bytes) noexcept;
  /// The waiting thread: copies items while there are any. One load if there is no copy.
  void help() noexcept { work_.help(); }

 private:
  SharedWork work_;
};

}  // namespace ep
