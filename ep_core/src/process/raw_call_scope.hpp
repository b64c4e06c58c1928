#pragma once

namespace ep {

/// While it lives, errors of the MPI calls of this thread are only returned: calls of this library,
/// which knows a better handler than MPI's own.
class RawCallScope {
 public:
  RawCallScope() noexcept;
  RawCallScope(const RawCallScope&) = delete;
  RawCallScope(RawCallScope&&) = delete;
  RawCallScope& operator=(const RawCallScope&) = delete;
  RawCallScope& operator=(RawCallScope&&) = delete;
  ~RawCallScope();

  /// Whether the calling thread is in one.
  static bool is_open() noexcept;
};

}  // namespace ep
