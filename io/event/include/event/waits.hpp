/// @file
/// Who waits for whom in a job, in words and as a graph.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace epios::io {

/// Somebody who waits, or is waited for: a client, or what a server does for one context.
struct Actor {
  enum class Kind : std::uint8_t { none, client, server };
  Kind kind = Kind::none;
  int component = -1;  ///< into ProcessTable::components; of servers that serve all of them: -1
  int rank = -1;       ///< of a client in its component, of a server among its fellows
  /// Of a server: the context's number. Contexts do not wait for each other, so that each of them
  /// is an actor of its own; -1: the server as a whole.
  std::int64_t context = -1;
  auto operator<=>(const Actor&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// Who lives in which process of a job. The same on all processes.
struct ProcessTable {
  struct Process {
    int component = -1;  ///< of its clients; -1: none
    int first_client = 0;
    int clients = 0;
    int server = -1;       ///< rank of its server, -1: none
    std::int64_t pid = 0;  ///< 0: not known
    int node = -1;         ///< into `nodes`
    int program = -1;      ///< into `programs`
  };
  std::vector<std::string> components;
  std::vector<Process> processes;
  std::vector<std::string> nodes;  ///< their names; numbers of processes may mean others elsewhere
  std::vector<std::string> programs;  ///< what processes were started from
  bool is_attached = false;           ///< each component has its own servers

  /// "client 3 of 'ocean'", "server 0".
  std::string name(const Actor& actor) const;
  /// Of several: "clients 0-2, 5 of 'ocean', server 0".
  std::string names(const std::vector<Actor>& actors) const;
  /// "PID 4711 on node 'n12'"; empty: not known.
  std::string place(const Process& process) const;
  /// A server that component number `component` sends to.
  Actor server(int component, int rank, std::int64_t context = -1) const {
    return {Actor::Kind::server, is_attached ? component : -1, rank, context};
  }
};

/// What somebody waits for.
struct Wait {
  Actor who;
  std::string what;         ///< "room for a record of field 'tos'"
  std::vector<Actor> whom;  ///< all of them; empty: nobody in particular
  double seconds = 0;       ///< so far
};

/// What a process says when it is asked.
struct ProcessWaits {
  bool has_answered = false;
  std::vector<Wait> waits{};
  bool is_gone = false;  ///< nobody will: the process is not there any more. Not in the bytes
};

std::vector<std::byte> encode(const ProcessWaits& waits);
/// Throws Error{protocol}.
ProcessWaits decode_waits(std::span<const std::byte> bytes);

/// Waits that go round: each for the next one, the last for the first. One of them when there are
/// several. Empty: there is no circle.
std::vector<Wait> circle_of(std::span<const ProcessWaits> job);

/// The report: who waits for whom since when, a line for all that wait for the same; who waits for
/// nothing; who has not answered; the circle, if there is one. `why`: what made somebody ask.
std::string waits_text(const ProcessTable& process_table, std::span<const ProcessWaits> job,
                       const std::string& why);

}  // namespace epios::io
