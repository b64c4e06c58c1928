#pragma once

namespace ep {

/// While it lives, errors of this thread's MPI calls are only returned: they are calls of this
/// library, which knows a better handler than MPI's own.
class RawCallScope {
 public:
  RawCallScope() noexcept;
  RawCallScope(const RawCallScope&) = delete;
  RawCallScope(RawCallScope&&) = delete;
  RawCallScope& operator=(const RawCallScope&) = delete;
  RawCallScope& operator=(RawCallScope&&) = delete;
  ~RawCallScope();

  /// True if the calling thread is in such a scope.
  static bool is_open() noexcept;
};

}  // namespace ep
