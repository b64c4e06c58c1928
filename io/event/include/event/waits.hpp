/// @file
/// Who waits for whom in a job, as text and as a graph.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace epios::io {

/// A party that waits or is waited for: a client, or the work of a server for one context.
struct Actor {
  enum class Kind : std::uint8_t { none, client, server };
  Kind kind = Kind::none;
  int component =
      -1;         ///< index into ProcessTable::components; -1 for servers that serve all of them
  int rank = -1;  ///< rank of a client in its component, or of a server among the servers
  /// For a server: the number of the context. Contexts do not wait for each other, so each is an
  /// actor of its own. -1 means the server as a whole.
  std::int64_t context = -1;
  /// Returns a client of any component of the job, by the number of the component.
  static Actor client_in(int component, int rank) { return {Kind::client, component, rank, -1}; }
  auto operator<=>(const Actor&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// Which endpoints live in which process of a job. The same on all processes.
struct ProcessTable {
  struct Process {
    int component = -1;  ///< component of its clients; -1 for none
    int first_client = 0;
    int clients = 0;
    int server = -1;       ///< rank of its server, -1 for none
    std::int64_t pid = 0;  ///< 0 if unknown
    int node = -1;         ///< index into `nodes`
    int program = -1;      ///< index into `programs`
  };
  std::vector<std::string> components;
  std::vector<Process> processes;
  std::vector<std::string> nodes;  ///< names of nodes; a process number is valid on its node only
  std::vector<std::string> programs;  ///< programs that processes were started from
  bool is_attached = false;           ///< true if each component has servers of its own

  /// Returns "client 3 of 'ocean'" or "server 0".
  std::string name(const Actor& actor) const;
  /// Returns "clients 0-2, 5 of 'ocean', server 0".
  std::string names(const std::vector<Actor>& actors) const;
  /// Returns "PID 4711 on node 'n12'", or "" if it is not known.
  std::string place(const Process& process) const;
  /// Returns a server that component number `component` sends to.
  Actor server(int component, int rank, std::int64_t context = -1) const {
    return {Actor::Kind::server, is_attached ? component : -1, rank, context};
  }
};

/// A wait.
struct Wait {
  Actor who;
  std::string what;         ///< "room for a record of field 'tos'"
  std::vector<Actor> whom;  ///< all actors waited for; empty if there is none in particular
  double seconds = 0;       ///< duration so far
};

/// The answer of a process about its waits.
struct ProcessWaits {
  bool has_answered = false;
  std::vector<Wait> waits{};
  bool is_gone =
      false;  ///< the process does not exist any more and cannot answer; not in the bytes
};

std::vector<std::byte> encode(const ProcessWaits& waits);
/// Throws Error{protocol}.
ProcessWaits decode_waits(std::span<const std::byte> bytes);

/// Returns one circle of waits: each waits for the next one, the last one for the first. Empty if
/// there is none.
std::vector<Wait> circle_of(std::span<const ProcessWaits> job);

/// Returns the report: who waits for whom since when, one line for all that wait for the same; who
/// waits for nothing; who has not answered; the circle, if there is one. `why` is the reason for
/// the report.
std::string waits_text(const ProcessTable& process_table, std::span<const ProcessWaits> job,
                       const std::string& why);

}  // namespace epios::io
