#include <ep/ep.h>

#include <array>
#include <charconv>
#include <string>
#include <vector>

#include "api_arguments.hpp"
#include "collective.hpp"
#include "creation.hpp"
#include "spares.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

std::string info_text(MPI_Info info, const char* key) {
  if (info == MPI_INFO_NULL) return {};
  std::array<char, MPI_MAX_INFO_VAL + 1> value{};
  int found = 0;
  check_mpi(MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value.data(), &found), "MPI_Info_get");
  return found != 0 ? value.data() : "";
}

int endpoints_in(MPI_Info info) {
  const std::string text = info_text(info, "num_endpoints");
  if (text.empty()) return 1;
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1 ||
      number > EP_MAX_ENDPOINTS) {
    fail(EP_ERR_SPAWN, "info key num_endpoints is '", text, "' (a number from 1 to ",
         EP_MAX_ENDPOINTS, ").");
  }
  return number;
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
  command.folder = info_text(info, "wdir");
  command.path = info_text(info, "path");
  command.is_soft = !info_text(info, "soft").empty();
  command.processes = processes;
  command.endpoints = endpoints_in(info);
  return command;
}

void check_root(const Endpoint& endpoint, int root) {
  const int size = endpoint.local_group().size();
  if (root < 0 || root >= size) {
    fail(EP_ERR_ROOT, "root ", root, " of a spawn (the communicator has ", size, " ranks).");
  }
}

/// What all must know of the outcome at the root.
struct Shared {
  int error = EP_SUCCESS;
  int tag = 0;
  int first = 0;  ///< of the new processes
  int text_size = 0;
  int code_count = 0;
};

template <class ReadCommands>
void spawn(Endpoint& endpoint, int root, EP_Comm* out, int* codes, ReadCommands&& read_commands) {
  Shared shared;
  SpawnOutcome outcome;
  if (endpoint.rank == root) {
    shared.error = guarded([&] {
      const std::vector<Command> commands = read_commands();
      outcome = process().spares().reserve(commands);
      if (!outcome.problem.empty()) fail(EP_ERR_SPAWN, outcome.problem);
      shared.first = outcome.processes.front();
    });
    if (shared.error != EP_SUCCESS) outcome.problem = last_error();
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
  const EP_Comm peer = process().spares().control();
  *out = create_intercomm(endpoint, root, peer, shared.first, shared.tag);
}

}  // namespace

int EP_Comm_spawn(const char* command, char* arguments[], int maxprocs, MPI_Info info, int root,
                  EP_Comm comm, EP_Comm* out, int codes[]) {
  return guarded_on(comm, [&] {
    check_out(out);
    *out = EP_COMM_NULL;
    Endpoint& endpoint = intra_endpoint_of(comm, "EP_Comm_spawn");
    check_root(endpoint, root);
    spawn(endpoint, root, out, codes,
          [&] { return std::vector<Command>{read_command(command, arguments, maxprocs, info)}; });
  });
}

int EP_Comm_spawn_multiple(int count, char* commands[], char** arguments[], const int maxprocs[],
                           const MPI_Info infos[], int root, EP_Comm comm, EP_Comm* out,
                           int codes[]) {
  return guarded_on(comm, [&] {
    check_out(out);
    *out = EP_COMM_NULL;
    Endpoint& endpoint = intra_endpoint_of(comm, "EP_Comm_spawn_multiple");
    check_root(endpoint, root);
    spawn(endpoint, root, out, codes, [&] {
      if (count < 1) fail(EP_ERR_ARG, "a spawn of ", count, " programs.");
      check_out(commands);
      check_out(maxprocs);
      check_out(infos);
      std::vector<Command> read;
      for (int i = 0; i < count; ++i) {
        char** const own = arguments != nullptr ? arguments[i] : nullptr;
        read.push_back(read_command(commands[i], own, maxprocs[i], infos[i]));
      }
      return read;
    });
  });
}

int EP_Comm_get_parent(EP_Comm* parent) {
  return guarded([&] {
    check_out(parent);
    *parent = EP_COMM_NULL;
    const int endpoint = process().start().attached();
    if (endpoint == EP_UNDEFINED) return;
    const EP_Comm known = process().start().parent_of(endpoint);
    if (is_endpoint(known)) *parent = known;
  });
}

int EP_Comm_disconnect(EP_Comm* comm) {
  check_out(comm);
  // What is pending at others has met its other half when all have come.
  const int code = EP_Barrier(*comm);
  return code == EP_SUCCESS ? EP_Comm_free(comm) : code;
}
