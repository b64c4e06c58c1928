// C functions of dynamic processes. The root reserves spares and starts their programs; all learn
// the outcome and then connect. In order: reading the arguments, the spawn, the functions.
#include <ep/ep.h>

#include <algorithm>
#include <charconv>
#include <span>
#include <string>
#include <vector>

#include "collectives/collective.hpp"
#include "collectives/collective_calls.hpp"
#include "creation/creation.hpp"
#include "creation/hints.hpp"
#include "handles/api_arguments.hpp"
#include "handles/endpoint.hpp"
#include "process/info.hpp"
#include "programs/program_tables.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

int endpoints_in(MPI_Info info) {
  const std::string text = find_hint(info, "num_endpoints").value_or("1");
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1 ||
      number > EP_MAX_ENDPOINTS) {
    fail(EP_ERR_SPAWN, "info key num_endpoints is '", text, "' (a number from 1 to ",
         EP_MAX_ENDPOINTS, ").");
  }
  return number;
}

// Whom the intercommunicator connects with: all endpoints of the new processes, or the first of
// each, as the proposal of 2011 has it.
bool asks_for_first(MPI_Info info) {
  const std::string whom = find_hint(info, "ep_spawn_group").value_or("all");
  if (whom != "all" && whom != "first") {
    fail(EP_ERR_SPAWN, "info key ep_spawn_group is '", whom, "' (known: all, first).");
  }
  return whom == "first";
}

Command read_command(const char* program, char** arguments, int processes, MPI_Info info) {
  check_out(program);
  if (*program == '\0') fail(EP_ERR_ARG, "a spawn without the name of a program.");
  if (processes < 1) fail(EP_ERR_ARG, "a spawn of ", processes, " processes.");
  Command command;
  command.program = program;
  command.arguments.emplace_back(program);
  for (char** each = arguments; each != nullptr && *each != nullptr; ++each) {
    command.arguments.emplace_back(*each);
  }
  command.folder = find_hint(info, "wdir").value_or("");
  command.path = find_hint(info, "path").value_or("");
  command.is_soft = !find_hint(info, "soft").value_or("").empty();
  command.connects_first = asks_for_first(info);
  command.processes = processes;
  command.endpoints = endpoints_in(info);
  return command;
}

/// The processes that the root requests.
struct SpawnRequest {
  std::vector<Command> commands;
  int processes = 0;  ///< known also where the commands cannot be read
};

int processes_of(std::span<const int> counts) {
  int sum = 0;
  for (const int count : counts) sum += std::max(count, 0);
  return sum;
}

/// The outcome of a spawn that the root sends to all endpoints.
struct SpawnResult {
  int error = EP_SUCCESS;
  int tag = 0;
  int first = 0;  ///< rank of the first new process
  int text_size = 0;
  int code_count = 0;
};

template <class Read>
void spawn(Endpoint& endpoint, int root, EP_Comm* out, int* codes, Read&& read) {
  SpawnResult shared;
  SpawnOutcome outcome;
  if (endpoint.rank == root) {
    SpawnRequest request;
    shared.error = guarded([&] {
      read(request);
      outcome = spare_processes().reserve(request.commands);
      if (!outcome.problem.empty()) fail(EP_ERR_SPAWN, outcome.problem);
      shared.first = outcome.processes.front();
    });
    if (shared.error != EP_SUCCESS) {
      outcome.problem = last_error();
      outcome.codes.assign(static_cast<std::size_t>(request.processes), EP_ERR_SPAWN);
    }
    shared.tag = outcome.tag;
    shared.text_size = static_cast<int>(outcome.problem.size());
    shared.code_count = static_cast<int>(outcome.codes.size());
  }
  bcast(endpoint, {&shared, sizeof shared, MPI_BYTE}, root);
  outcome.problem.resize(static_cast<std::size_t>(shared.text_size));
  outcome.codes.resize(static_cast<std::size_t>(shared.code_count));
  bcast(endpoint, {outcome.problem.data(), shared.text_size, MPI_CHAR}, root);
  bcast(endpoint, {outcome.codes.data(), shared.code_count, MPI_INT}, root);
  if (codes != nullptr) std::copy(outcome.codes.begin(), outcome.codes.end(), codes);
  if (shared.error != EP_SUCCESS) throw Error(shared.error, outcome.problem);
  const EP_Comm peer = spare_processes().control();
  *out = create_intercomm(endpoint, root, peer, shared.first, shared.tag);
}

}  // namespace

int EP_Comm_spawn(const char* command, char* arguments[], int maxprocs, MPI_Info info, int root,
                  EP_Comm comm, EP_Comm* out, int codes[]) {
  return call_creating(comm, out, [&] {
    Endpoint& endpoint = intra_endpoint_of(comm, "EP_Comm_spawn");
    check_root(endpoint, root);
    spawn(endpoint, root, out, codes, [&](SpawnRequest& request) {
      request.processes = processes_of({&maxprocs, 1});
      request.commands.push_back(read_command(command, arguments, maxprocs, info));
    });
  });
}

int EP_Comm_spawn_multiple(int count, char* commands[], char** arguments[], const int maxprocs[],
                           const MPI_Info infos[], int root, EP_Comm comm, EP_Comm* out,
                           int codes[]) {
  return call_creating(comm, out, [&] {
    Endpoint& endpoint = intra_endpoint_of(comm, "EP_Comm_spawn_multiple");
    check_root(endpoint, root);
    spawn(endpoint, root, out, codes, [&](SpawnRequest& request) {
      if (count < 1) fail(EP_ERR_ARG, "a spawn of ", count, " programs.");
      check_out(commands);
      check_out(maxprocs);
      check_out(infos);
      request.processes = processes_of({maxprocs, static_cast<std::size_t>(count)});
      for (int i = 0; i < count; ++i) {
        char** const command_arguments = arguments != nullptr ? arguments[i] : nullptr;
        request.commands.push_back(
            read_command(commands[i], command_arguments, maxprocs[i], infos[i]));
        request.commands.back().number = i;
      }
    });
  });
}

int EP_Comm_get_parent(EP_Comm* parent) {
  return guarded([&] {
    check_out(parent);
    *parent = EP_COMM_NULL;
    const int endpoint = start_communicators().attached();
    if (endpoint == EP_UNDEFINED) return;
    const EP_Comm known = start_communicators().parent_of(endpoint);
    if (is_endpoint(known)) *parent = known;
  });
}

int EP_Comm_disconnect(EP_Comm* comm) {
  int code = guarded([&] { check_out(comm); });
  if (code != EP_SUCCESS) return code;
  // Once all endpoints have called, every pending operation has met its counterpart.
  code = EP_Barrier(*comm);
  return code == EP_SUCCESS ? EP_Comm_free(comm) : code;
}
