#pragma once

#include <cstdint>
#include <ep/ep.hpp>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "config/model.hpp"
#include "event/event.hpp"
#include "event/wire.hpp"
#include "grid/box.hpp"
#include "grid/routing.hpp"
#include "transport/channel.hpp"

namespace epios::client {

/// The sending side of one context on one client: packs records straight into the channels of the
/// servers that write them.
class ServerLink {
 public:
  /// What the servers answered, by server rank.
  using Replies = std::vector<io::OpenReply>;

  /// Opens the channels. `servers` is the intercommunicator; `boxes` are the client's own per grid.
  /// `check` is called before and while waiting: it throws when the context has failed.
  ServerLink(const ep::Comm& servers, const config::Model& model, std::vector<io::Box> boxes,
             std::int64_t shared_record_bytes, const Replies& replies, std::function<void()> check);

  /// One record of one stream; `values` are the points of the own box. Blocks only while a channel
  /// of this client is full. Every client calls for every record, also if it has no part.
  void send_record(int stream, std::int64_t record, std::int64_t step,
                   std::span<const double> values);
  /// The sync point of a file behind its first `records` records. Blocks like send_record().
  void send_sync(int file, std::int64_t records, std::int64_t step);
  /// The last event.
  void send_finalize(std::int64_t step);

  struct Account {
    double blocked_s = 0;
    std::int64_t records = 0;
    std::int64_t bytes = 0;
  };
  const Account& account() const { return account_; }

 private:
  /// One server's part of a stream, as far as this client is expected to send it.
  struct Target {
    int server = 0;
    io::Box region;
  };
  struct Route {
    int grid = 0;
    int value_bytes = 8;
    std::vector<std::uint8_t> concerned;  // per server
    std::vector<Target> targets;
  };

  std::span<std::byte> reserve(int server, std::size_t bytes);
  template <class Pack>
  void send_part(int server, const io::Timeline::Stamp& stamp, std::size_t payload_bytes,
                 const Pack& pack);

  const ep::Comm& servers_;
  std::vector<io::Box> boxes_;
  std::vector<Route> routes_;                           // per stream
  std::vector<io::FilePlacement> placements_;           // per file
  std::vector<std::vector<std::uint8_t>> writes_file_;  // per file, per server
  std::vector<std::uint8_t> everyone_;
  std::vector<std::unique_ptr<io::ChannelSender>> channels_;  // per server
  io::Timeline timeline_;
  std::function<void()> check_;
  Account account_;
};

}  // namespace epios::client
