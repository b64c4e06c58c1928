#include "config/run_variables.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "text/xml_writer.hpp"

namespace epios::config {

namespace {

constexpr std::array<RunVariable, 42> rows = {{
    {"shared_record_bytes", "", "integer", "", "268435456", "1.0", "epios",
     "files whose largest record has at least this many bytes are written by all servers", "0"},
    {"buffer_bytes", "", "integer", "", "2147483648", "1.0", "epios",
     "channel memory of one process, for all contexts that are open at the same time", "1"},
    {"carrier", "", "word", "auto|shared_memory|messages|one_sided", "auto", "1.0", "epios",
     "how data reaches the servers; auto: depends on where they are"},
    {"patience_s", "", "real", "", "30", "1.0", "epios",
     "seconds of waiting after which a report shows who waits for whom in the whole job", "0.001"},
    {"give_up_s", "", "real", "", "0", "1.0", "epios",
     "seconds after which the job ends if an event or the end of the definitions still waits for "
     "clients; one and a half times as many if clients wait for a server; 0: never",
     "0"},
    {"using_server", "using_server", "boolean", "", "false", "hint", "both",
     "not needed: servers are found automatically"},
    {"servers_per_process", "", "word", "0|1", "0", "1.0", "epios",
     "1: each process of the component also runs a server on a thread of its own; needs "
     "MPI_THREAD_MULTIPLE"},
    {"using_second_level", "using_server2", "boolean", "", "false", "hint", "both",
     "true: some servers gather data for those that write"},
    {"second_level_percent", "ratio_server2", "integer", "", "50", "hint", "both",
     "percent of the servers that write when there are two levels"},
    {"second_level_groups", "number_pools_server2", "integer", "", "0", "hint", "both",
     "groups of writing servers; 0: one per process"},
    {"distribute_files_by_memory", "server2_dist_file_memory", "boolean", "", "false", "hint",
     "both", "true: memory counts when files are assigned to servers"},
    {"distribute_files_memory_ratio", "server2_dist_file_memory_ratio", "real", "", "0.5", "hint",
     "both", "weight of memory when files are assigned to servers"},
    {"using_oasis", "using_oasis", "boolean", "", "false", "1.0", "both",
     "true: the coupler OASIS starts the components, and the processes of local_comm are the job"},
    {"call_oasis_enddef", "call_oasis_enddef", "boolean", "", "true", "hint", "both",
     "true: servers call the end of the definitions of OASIS"},
    {"clients_code_id", "clients_code_id", "string", "", "", "1.0", "both",
     "codes that use the library, if not all processes of the job do; a code that never comes "
     "gives "
     "a warning. The environment variable EPIOS_RANKS says which processes these are"},
    {"server_publish_timeout_s", "server_puplish_timeout", "real", "", "10", "hint", "xios3",
     "seconds to wait for the address of a server"},
    {"log_level", "info_level", "integer", "", "50", "1.0", "both",
     "detail of the report that each component prints at its end: nothing below 50, every file and "
     "field from 100 on"},
    {"report_file", "", "string", "", "", "1.0", "epios",
     "JSON file to which each component writes its report: run.json becomes run_ocean.json for "
     "component ocean"},
    {"metrics_file", "", "string", "", "", "1.0", "epios",
     "file to which the first server writes figures of the run every five seconds, as OpenMetrics"},
    {"log_to_files", "print_file", "boolean", "", "false", "hint", "both",
     "true: each client logs to its own file"},
    {"log_type", "log_type", "string", "", "", "hint", "xios3", "extra logs"},
    {"library_stack", "xios_stack", "boolean", "", "true", "hint", "both",
     "true: an error shows the calls of the library"},
    {"system_stack", "system_stack", "boolean", "", "false", "hint", "both",
     "true: an error shows the calls of the system"},
    {"optimal_buffer_size", "optimal_buffer_size", "word", "performance|memory", "performance",
     "hint", "both", "what buffers are optimized for"},
    {"buffer_size_factor", "buffer_size_factor", "real", "", "1.0", "hint", "both",
     "not needed: sizes of buffers follow from the definitions"},
    {"min_buffer_bytes", "min_buffer_size", "integer", "", "8192", "hint", "both",
     "lower limit of a buffer"},
    {"max_buffer_bytes", "max_buffer_size", "integer", "", "2147483647", "hint", "both",
     "upper limit of a buffer"},
    {"receive_timeout_s", "recv_field_timeout", "real", "", "300", "hint", "both",
     "seconds to wait for a field from a file"},
    {"check_event_sync", "check_event_sync", "boolean", "", "false", "hint", "both",
     "not needed: clients that make different calls are always detected"},
    {"checksum_sent_fields", "checksum_send_fields", "boolean", "", "false", "hint", "xios3",
     "log checksums of fields that are sent"},
    {"checksum_received_fields", "checksum_recv_fields", "boolean", "", "false", "hint", "xios3",
     "log checksums of fields that are received"},
    {"transport_protocol", "transport_protocol", "word",
     "default|legacy|legacy_v2|one_sided|p2p|online", "default", "hint", "xios3",
     "transport of XIOS; one_sided is used if carrier is not given"},
    {"pure_one_sided", "pure_one_sided", "boolean", "", "false", "hint", "xios3",
     "a choice inside the transports of XIOS"},
    {"max_attached_windows", "max_attached_mem_window", "integer", "", "32", "hint", "xios3",
     "a limit inside the transports of XIOS"},
    {"prefetched_requests", "number_prefetched_requests", "integer", "", "", "hint", "xios3",
     "a size inside the transports of XIOS"},
    {"services_use_window_manager", "services_use_window_manager", "boolean", "", "true", "hint",
     "xios3", "a choice inside the transports of XIOS"},
    {"log_memory", "log_memory", "boolean", "", "false", "1.0", "xios3",
     "xios_mem_checker_log writes a line to xios_memory_<rank>.csv"},
    {"memory_report", "memory_report", "boolean", "", "true", "hint", "xios3",
     "true: reports show memory"},
    {"memtrack_blocks", "memtrack_blocks", "integer", "", "", "hint", "both",
     "track blocks of memory"},
    {"memtrack_bytes", "memtrack_size", "integer", "", "", "hint", "both",
     "track blocks of memory from this size on"},
    {"oasis_codes_id", "oasis_codes_id", "string", "", "", "hint", "xios2",
     "codes that OASIS starts; without effect unless using_oasis is true"},
    {"activate_non_distributed_transformation", "activate_non_distributed_transformation",
     "boolean", "", "false", "hint", "xios2",
     "transformations without exchange; EPIOS detects them itself"},
}};

}  // namespace

std::span<const RunVariable> run_variables() { return rows; }

const RunVariable* find_run_variable(std::string_view id) {
  const auto found = std::find_if(rows.begin(), rows.end(), [id](const RunVariable& row) {
    return row.id == id || (row.xios == id && !id.empty());
  });
  return found == rows.end() ? nullptr : &*found;
}

const RunVariable& run_variable(std::string_view id) {
  const RunVariable* row = find_run_variable(id);
  if (row == nullptr || row->id != id) {
    throw std::logic_error(std::string(id) + " is no run variable");
  }
  return *row;
}

/// On a line of their own, so that columns are those of `pairs`.
SourceTexts settings_part(std::string_view place, std::string_view pairs) {
  return {{std::string(place), "<context id=\"xios\"><variable_definition>\n" + escaped(pairs) +
                                   "\n</variable_definition></context>"}};
}

}  // namespace epios::config
