#pragma once

namespace ep {

/// During its lifetime, errors of this thread's MPI calls are only returned. They are calls of the
/// library, which passes errors to the handler of the endpoint.
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
