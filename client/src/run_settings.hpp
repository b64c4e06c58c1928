#pragma once

#include <cstdint>

#include "config/definitions.hpp"

namespace epios::client {

/// The variables of context `xios`, with their defaults (config/run_variables.hpp).
struct RunSettings {
  std::int64_t shared_record_bytes = std::int64_t{256} << 20;
  std::int64_t buffer_bytes = std::int64_t{2} << 30;
  int carrier = 0;  ///< 0: by locality, else an io::CarrierKind
  double patience_s = 30;
};

/// Throws Error{configuration} for a value that cannot be.
RunSettings read_run_settings(const config::Definitions& definitions);

}  // namespace epios::client
