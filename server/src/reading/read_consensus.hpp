#pragma once

#include <cstddef>
#include <cstdint>
#include <ep/fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "commands/commands.hpp"
#include "file/open_files.hpp"

namespace epios::server {

/// How one server, or all together, have fared with a record.
struct ReadVerdict {
  std::string error;      ///< empty: it can be read
  bool may_mend = false;  ///< another attempt may be better
  bool differs = false;   ///< of all: they have read different files, which `error` describes
};

/// From one server to another that reads slabs of the same record.
struct ReadStatus {
  std::uint32_t context = 0;
  std::int64_t event = 0;   ///< the request, on the context's timeline
  bool is_verdict = false;  ///< of all, from the first of them; else how one of the others fared
  ReadVerdict verdict;
  std::optional<io::FileIdentity> file{};  ///< that it has read
};

/// Replaces what `out` holds.
void encode(const ReadStatus& status, std::vector<std::byte>& out);
/// Throws Error{protocol}.
ReadStatus decode_read_status(std::span<const std::byte> bytes);

/// Makes the servers that read slabs of one record agree on the result: each reports to the first
/// of them, which sends the common result to all others. So all clients get the same answer for a
/// record, be their points in what is damaged or not, and slabs of different files never make one
/// record. Of one context on one server, whose thread calls; nothing waits.
class ReadConsensus {
 public:
  /// All of it outlives this.
  struct Environment {
    const ep::Comm* servers = nullptr;
    Outbox* to_servers = nullptr;
    std::uint32_t context = 0;
  };
  explicit ReadConsensus(const Environment& environment);

  /// This server has read its slab of `file`, or could not. `readers`: ranks of all that read the
  /// record, ascending, this one among them.
  void report(std::int64_t event, const std::vector<int>& readers, const ReadVerdict& own,
              const std::optional<io::FileIdentity>& file);
  /// Another server's word, which may come before this server is there itself.
  void add_status(const ReadStatus& status, int from);
  /// Takes the verdict, which is then forgotten: whether there is one. If the record cannot be
  /// read, that of the lowest rank that could not.
  bool take(std::int64_t event, ReadVerdict& verdict);

 private:
  /// A record about which not all have reported.
  struct Round {
    std::int64_t event = -1;  ///< -1: none, the place is free
    int due = -1;             ///< reports that are to come; -1: not known before report()
    int received = 0;
    int failed_rank = 0;  ///< whose verdict it is
    int reader = 0;       ///< whose `file` it is
    bool is_resolved = false;
    ReadVerdict verdict;
    std::optional<io::FileIdentity> file;  ///< of those who have read
    std::string difference;                ///< between two of them
    std::vector<int> others;
  };
  Round& round_of(std::int64_t event);
  static void note(Round& round, int rank, const ReadVerdict& verdict,
                   const std::optional<io::FileIdentity>& file);
  void resolve(Round& round);
  void send(int rank, const Round& round, bool is_verdict);

  Environment environment_;
  int rank_;
  std::vector<Round> rounds_;  ///< few: as many as are read at a time
};

}  // namespace epios::server
