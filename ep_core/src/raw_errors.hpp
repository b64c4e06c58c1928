#pragma once

namespace ep {

// Errors of MPI's own functions that name no communicator: of datatypes, operations and infos.
// Programs of epcc call these directly, and MPI would end the job.

/// From here on such an error meets the handler that the calling endpoint has for
/// EP_COMM_ENDPOINTS. After MPI was initialised; any number of times.
void hear_raw_errors();

/// While it lives, errors of the calls of this thread are only returned: calls of this library,
/// which knows a better handler.
class RawCallScope {
 public:
  RawCallScope() noexcept;
  RawCallScope(const RawCallScope&) = delete;
  RawCallScope(RawCallScope&&) = delete;
  RawCallScope& operator=(const RawCallScope&) = delete;
  RawCallScope& operator=(RawCallScope&&) = delete;
  ~RawCallScope();
};

}  // namespace ep
