#pragma once

#include <cstddef>
#include <cstdint>
#include <ep/ep.hpp>
#include <span>
#include <string>
#include <vector>

#include "orders.hpp"

namespace epios::server {

/// From one server to another that reads slabs of the same record.
struct ReadWord {
  std::uint32_t context = 0;
  std::int64_t event = 0;   ///< the request, on the context's timeline
  bool is_verdict = false;  ///< of all, from the first of them; else how one of the others fared
  std::string error;        ///< empty: it can be read
};

std::vector<std::byte> encode(const ReadWord& word);
/// Throws Error{protocol}.
ReadWord decode_read_word(std::span<const std::byte> bytes);

/// What servers that read slabs of one record say of it together: each tells the first of them how
/// it fared, which tells all others when it has heard them. So all clients hear the same of a
/// record, be their points in what is damaged or not. Of one context on one server, whose thread
/// calls; nothing waits.
class ReadVerdicts {
 public:
  /// All of it outlives this.
  struct Environment {
    const ep::Comm* servers = nullptr;
    Outbox* to_servers = nullptr;
    std::uint32_t context = 0;
  };
  explicit ReadVerdicts(const Environment& environment);

  /// This server has read its slab, or could not. `readers`: ranks of all that read the record,
  /// ascending, this one among them.
  void tell(std::int64_t event, const std::vector<int>& readers, const std::string& error);
  /// Another server's word, which may come before this server is there itself.
  void hear(const ReadWord& word, int from);
  /// Takes the verdict, which is then forgotten: whether there is one. `error`: "" if the record
  /// can be read, else the words of the lowest rank that could not.
  bool take(std::int64_t event, std::string& error);

 private:
  /// Of a record that not all have been heard about.
  struct Hearing {
    std::int64_t event = -1;  ///< -1: none, the place is free
    int due = -1;             ///< words that are to come; -1: not known before tell()
    int heard = 0;
    int speaker = 0;  ///< whose error it is
    bool is_settled = false;
    std::string error;
    std::vector<int> listeners;
  };
  Hearing& find(std::int64_t event);
  static void note(Hearing& hearing, int rank, const std::string& error);
  void settle(Hearing& hearing);
  void send(int rank, const Hearing& hearing, bool is_verdict);

  Environment environment_;
  int rank_;
  std::vector<Hearing> hearings_;  ///< few: as many as are read at a time
};

}  // namespace epios::server
