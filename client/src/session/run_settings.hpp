#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/definitions.hpp"

namespace epios::client {

/// The variables of context `xios`; config/run_variables.hpp has their defaults.
struct RunSettings {
  std::int64_t shared_record_bytes = 0;
  std::int64_t buffer_bytes = 0;
  int carrier = 0;  ///< 0: by locality, else an io::CarrierKind
  /// The same of what comes from servers and of other clients: their windows would have to be
  /// served by models that compute.
  int carrier_of_answers() const;
  double patience_s = 0;
  double give_up_s = 0;                   ///< 0: never
  std::string metrics_file;               ///< empty: none
  std::string stop_on_signal;             ///< "TERM+USR2"; empty: none
  bool uses_second_level = false;         ///< some servers gather for those that write
  std::int64_t second_level_percent = 0;  ///< of servers without pools: those that write then
  std::int64_t second_level_groups = 0;   ///< of those; 0: each by itself
};

/// What is no value has no effect: reading the configuration warns of it.
RunSettings read_run_settings(const config::Definitions& definitions);
/// Where the calls of the model are recorded, and what of them.
struct RecordingSettings {
  std::string folder;  ///< empty: they are not
  bool has_data = true;
  std::string member;        ///< EPIOS_MEMBER
  std::string run_settings;  ///< EPIOS_SET
};
RecordingSettings recording_settings(const config::Definitions& definitions);
/// Whether the memory is logged where the model asks for it.
bool logs_memory(const config::Definitions& definitions);
/// What a component says at its end of what the run has cost it. EPIOS_LOG decides, if it asks for
/// more or less than warnings, else log_level.
enum class ReportDetail { none, summary, all };
ReportDetail report_detail(const config::Definitions& definitions);
/// Where it is written, for a component: EPIOS_REPORT or report_file with the component's name
/// before its ending, "run_ocean.json"; "": nowhere.
std::string report_path(const config::Definitions& definitions, std::string_view component);
/// Whether each process of the component has a server.
bool serves_in_processes(const config::Definitions& definitions);
/// Whether a coupler starts the components, some of which may never have heard of this library.
bool is_coupled(const config::Definitions& definitions);
/// The components that clients_code_id names.
std::vector<std::string> expected_codes(const config::Definitions& definitions);

}  // namespace epios::client
