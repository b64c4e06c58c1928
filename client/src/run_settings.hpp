#pragma once

#include <cstdint>

#include "config/definitions.hpp"

namespace epios::client {

/// The variables of context `xios`; config/run_variables.hpp has their defaults.
struct RunSettings {
  std::int64_t shared_record_bytes = 0;
  std::int64_t buffer_bytes = 0;
  int carrier = 0;  ///< 0: by locality, else an io::CarrierKind
  double patience_s = 0;
  double give_up_s = 0;  ///< 0: never
};

/// What is no value has no effect: reading the configuration warns of it.
RunSettings read_run_settings(const config::Definitions& definitions);
/// Whether the memory is logged where the model asks for it.
bool logs_memory(const config::Definitions& definitions);
/// Whether a component says at its end what the run has cost it: log_level from 50 on, or EPIOS_LOG
/// from info on.
bool is_reported(const config::Definitions& definitions);
/// Whether a coupler starts the components, some of which may never have heard of this library.
bool is_coupled(const config::Definitions& definitions);

}  // namespace epios::client
