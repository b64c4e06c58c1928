#include "config/run_variables.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "text/xml_writer.hpp"

namespace epios::config {

namespace {

constexpr std::array<RunVariable, 41> rows = {{
    {"shared_record_bytes", "", "integer", "", "268435456", "0.1", "epios",
     "a file whose largest record has at least so many bytes is written by all servers", "0"},
    {"buffer_bytes", "", "integer", "", "2147483648", "0.1", "epios",
     "channel memory of one process, for all contexts that are open at a time", "1"},
    {"carrier", "", "word", "auto|shared_memory|messages|one_sided", "auto", "0.1", "epios",
     "how data reaches the servers; auto: by where they are"},
    {"patience_s", "", "real", "", "30", "0.1", "epios",
     "seconds of a wait until it is said who waits for whom in the whole job", "0.001"},
    {"give_up_s", "", "real", "", "0", "0.2", "epios",
     "seconds until the job ends when an event or the end of the definitions waits for clients, "
     "or, "
     "half as long again, clients wait for a server; 0: it waits on",
     "0"},
    {"using_server", "using_server", "boolean", "", "false", "hint", "both",
     "without need: servers are found by themselves"},
    {"servers_per_process", "", "word", "0|1", "0", "0.2", "epios",
     "1: each process of the component has a server on a thread of its own, beside those of other "
     "processes; needs MPI_THREAD_MULTIPLE"},
    {"using_second_level", "using_server2", "boolean", "", "false", "hint", "both",
     "whether some servers gather for those that write"},
    {"second_level_percent", "ratio_server2", "integer", "", "50", "hint", "both",
     "percent of the servers that write when there are two levels"},
    {"second_level_groups", "number_pools_server2", "integer", "", "0", "hint", "both",
     "groups of writing servers; 0: one per process"},
    {"distribute_files_by_memory", "server2_dist_file_memory", "boolean", "", "false", "hint",
     "both", "whether memory counts when files are shared out to servers"},
    {"distribute_files_memory_ratio", "server2_dist_file_memory_ratio", "real", "", "0.5", "hint",
     "both", "weight of memory when files are shared out"},
    {"using_oasis", "using_oasis", "boolean", "", "false", "0.2", "both",
     "the coupler OASIS starts the components: those of local_comm are the job"},
    {"call_oasis_enddef", "call_oasis_enddef", "boolean", "", "true", "hint", "both",
     "whether servers end the definitions of OASIS"},
    {"clients_code_id", "clients_code_id", "string", "", "", "0.2", "both",
     "codes that use the library, when not all processes of the job do: one that does not come is "
     "warned of; which processes they are, the environment variable EPIOS_RANKS says"},
    {"server_publish_timeout_s", "server_puplish_timeout", "real", "", "10", "hint", "xios3",
     "seconds to wait for the address of a server"},
    {"log_level", "info_level", "integer", "", "50", "0.2", "both",
     "what each component reports at its end of what the library has cost it: below 50 nothing, "
     "from 100 on every file and field"},
    {"report_file", "", "string", "", "", "0.2", "epios",
     "where each component writes that as JSON: run.json becomes run_ocean.json for component "
     "ocean"},
    {"log_to_files", "print_file", "boolean", "", "false", "hint", "both",
     "whether clients log to files of their own"},
    {"log_type", "log_type", "string", "", "", "hint", "xios3", "extra logs"},
    {"library_stack", "xios_stack", "boolean", "", "true", "hint", "both",
     "whether an error shows the calls of the library"},
    {"system_stack", "system_stack", "boolean", "", "false", "hint", "both",
     "whether an error shows the calls of the system"},
    {"optimal_buffer_size", "optimal_buffer_size", "word", "performance|memory", "performance",
     "hint", "both", "what buffers are made for"},
    {"buffer_size_factor", "buffer_size_factor", "real", "", "1.0", "hint", "both",
     "without need: buffers are as large as the definitions make them"},
    {"min_buffer_bytes", "min_buffer_size", "integer", "", "8192", "hint", "both",
     "lower limit of a buffer"},
    {"max_buffer_bytes", "max_buffer_size", "integer", "", "2147483647", "hint", "both",
     "upper limit of a buffer"},
    {"receive_timeout_s", "recv_field_timeout", "real", "", "300", "hint", "both",
     "seconds to wait for a field from a file"},
    {"check_event_sync", "check_event_sync", "boolean", "", "false", "hint", "both",
     "without need: clients that make different calls are always found"},
    {"checksum_sent_fields", "checksum_send_fields", "boolean", "", "false", "hint", "xios3",
     "log checksums of fields that are sent"},
    {"checksum_received_fields", "checksum_recv_fields", "boolean", "", "false", "hint", "xios3",
     "log checksums of fields that are received"},
    {"transport_protocol", "transport_protocol", "word",
     "default|legacy|legacy_v2|one_sided|p2p|online", "default", "hint", "xios3",
     "how data moves in XIOS; one_sided counts where carrier is not given"},
    {"pure_one_sided", "pure_one_sided", "boolean", "", "false", "hint", "xios3",
     "a choice inside the transports of XIOS"},
    {"max_attached_windows", "max_attached_mem_window", "integer", "", "32", "hint", "xios3",
     "a limit inside the transports of XIOS"},
    {"prefetched_requests", "number_prefetched_requests", "integer", "", "", "hint", "xios3",
     "a size inside the transports of XIOS"},
    {"services_use_window_manager", "services_use_window_manager", "boolean", "", "true", "hint",
     "xios3", "a choice inside the transports of XIOS"},
    {"log_memory", "log_memory", "boolean", "", "false", "0.2", "xios3",
     "xios_mem_checker_log writes a line to xios_memory_<rank>.csv"},
    {"memory_report", "memory_report", "boolean", "", "true", "hint", "xios3",
     "whether reports show memory"},
    {"memtrack_blocks", "memtrack_blocks", "integer", "", "", "hint", "both",
     "follow blocks of memory"},
    {"memtrack_bytes", "memtrack_size", "integer", "", "", "hint", "both",
     "follow memory from this size on"},
    {"oasis_codes_id", "oasis_codes_id", "string", "", "", "hint", "xios2",
     "codes that OASIS starts; without effect unless using_oasis is true"},
    {"activate_non_distributed_transformation", "activate_non_distributed_transformation",
     "boolean", "", "false", "hint", "xios2",
     "transformations without exchange; ours find out by themselves"},
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
