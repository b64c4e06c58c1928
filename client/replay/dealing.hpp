#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "dealt_arrays.hpp"
#include "dealt_parts.hpp"
#include "recording_reader.hpp"
#include "session/run_texts.hpp"

namespace epios::replay {

/// What one client of a replay has of the points and values of all recorded clients, when there are
/// more or fewer of those. The calls are those of recorded client 0.
class Dealing {
 public:
  Dealing(std::string folder, client::RecordingHeader recorded, const Share& share);

  /// A context is opened: finds out which points of it this client has. Throws Error{argument} for
  /// what cannot be dealt out.
  void open(const client::RecordedCall& call);
  /// Returns true if the next call of the definitions of a context says something of the part of
  /// recorded client 0. To be asked once for each.
  bool drops_next(std::uint32_t context);
  /// Returns what takes the place of those.
  const std::vector<DealtAttribute>& attributes(std::uint32_t context) const;
  /// Returns how many values this client sends in a call.
  std::int64_t size(const client::RecordedCall& send) const;
  /// A context goes on to a step.
  void go_to(std::uint32_t context, std::int64_t step) {
    std::int64_t& its = contexts_.at(context).step;
    its = std::max(its, step);
  }
  /// Puts values together that recorded clients sent at this step.
  void fill(const client::RecordedCall& send, std::span<std::byte> out);

 private:
  struct Context {
    std::vector<bool> drops;  // per call of the definitions
    std::size_t next = 0;
    std::vector<DealtAttribute> attributes;
    std::unique_ptr<DealtArrays> arrays;
    std::int64_t step = 0;
  };
  /// What another recorded client sent, read in its order.
  struct Sender {
    explicit Sender(const std::string& path) : reader(path) {}
    RecordingReader reader;
    std::map<std::uint32_t, std::int64_t> steps;  // by context
    struct Sent {
      client::RecordedCall call;
      std::int64_t step = 0;
    };
    std::deque<Sent> ahead;  // that have been read, and not been asked for yet
  };
  /// Hands the calls of the definitions of a context on one client to `take`.
  template <class Take>
  void for_each_definition(int client, std::uint32_t context, const Take& take) const;
  config::Model elements_of(int client, std::uint32_t context, const std::string& id) const;
  client::RecordedCall next_values(int client, const client::RecordedCall& send);
  static bool read_on(Sender& sender);

  std::string folder_;
  client::RecordingHeader recorded_;
  client::RunTexts texts_;
  config::RunNames names_;
  Share share_;
  std::map<std::uint32_t, Context> contexts_;
  std::map<int, Sender> senders_;
};

}  // namespace epios::replay
