/// @file
/// A job that need not run: what each of its ranks would send, receive and hold, from the same
/// functions by which clients and servers open a context and route its records.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/model.hpp"
#include "dealt_model.hpp"
#include "grid/pieces.hpp"
#include "grid/routing.hpp"

namespace epios::layouts {

struct Layout {
  int clients = 1;
  int servers = 1;
  int gatherers = 0;  ///< of the servers; 0: clients send to those that write
  int columns = 0;    ///< clients side by side; 0: about as many as rows
  int threads = 1;    ///< clients in a process
};

/// Settings of a run that decide who writes what, and through how much memory.
struct RunLimits {
  std::int64_t shared_record_bytes = 0;
  std::size_t buffer_bytes = 0;
};

/// Messages or parts, and their bytes.
struct Traffic {
  std::int64_t count = 0;
  std::int64_t bytes = 0;
  void add(std::int64_t one) {
    ++count;
    bytes += one;
  }
  bool operator==(const Traffic&) const = default;
};

/// What one client does and holds.
struct ClientLoad {
  std::int64_t channels = 0;           ///< servers that it sends to
  Traffic opening;                     ///< what it tells servers when a context opens
  Traffic records;                     ///< parts of one record of each field
  std::int64_t opening_tables = 0;     ///< bytes of what it knows of servers while it opens
  std::int64_t kept_tables = 0;        ///< bytes of what remains of that
  std::int64_t own_value_bytes = 0;    ///< bytes of its values in one record of each field
  std::int64_t accumulated_bytes = 0;  ///< memory of its operations in time
};

/// What one server defines, or all of them: a file that several write is defined by the first one.
struct DefinedFiles {
  std::int64_t servers = 0;  ///< that begin to use HDF5 for it
  std::int64_t files = 0;
  std::int64_t variables = 0;  ///< fields in them
  bool operator==(const DefinedFiles&) const = default;
};

/// What one server does and holds.
struct ServerLoad {
  std::int64_t channels = 0;         ///< clients, or gatherers, that send to it
  Traffic opening;                   ///< what it hears when a context opens
  Traffic replies;                   ///< what it answers
  Traffic records;                   ///< parts of one record of each field
  std::int64_t worked_on_bytes = 0;  ///< of one record of each field: RecordBytes
  std::int64_t written_bytes = 0;    ///< of one record of each field, uncompressed
  std::int64_t files = 0;            ///< that it writes, alone or with others
  std::int64_t variables = 0;        ///< in these
  DefinedFiles defined;              ///< of these
  std::int64_t settled_points = 0;   ///< of domains, over the grids of which it finds the owners
  std::int64_t channel_bytes = 0;    ///< memory of channels
  std::int64_t buffer_bytes = 0;     ///< memory in which records are put together
  std::int64_t opening_tables = 0;   ///< bytes of what it knows of servers while it opens
};

/// What one server does with a record of one stream, in bytes.
struct RecordBytes {
  std::int64_t received = 0;   ///< that come to it; none of a level that it makes of a finer one
  std::int64_t worked_on = 0;  ///< that transformations with place="server" read, and make of it
  std::int64_t written = 0;    ///< that it writes, before compression, or passes on if it gathers
};
/// Returns what a server that writes `pieces` does. `wire_bytes`: of a value of the stream.
RecordBytes record_bytes(const config::Model& model, const io::Pieces& pieces, std::size_t stream,
                         int wire_bytes);

/// What the first client and the leader of the servers do beside that.
struct LeaderLoad {
  std::int64_t request_bytes = 0;   ///< what the first client sends, and every server gets
  std::int64_t order_messages = 0;  ///< from the leader of the servers, for one order to all
  std::int64_t shared_files = 0;    ///< files of which each block of records takes such an order
  std::int64_t reports = 0;         ///< that the first client gets at the end
  DefinedFiles defined;             ///< by all servers
};

class ImaginedJob {
 public:
  /// `model` is the global part. Throws Error{configuration} for sizes that are left to the model,
  /// Error{argument} for a layout that cannot be.
  ImaginedJob(const config::Model& model, const Layout& layout, const RunLimits& limits);

  const Layout& layout() const { return layout_; }
  /// O(servers × fields + points of the client along each element).
  ClientLoad client(int rank);
  /// O(clients). Throws Error{resource} if its channels do not fit into `buffer_bytes`.
  ServerLoad server(int rank);
  LeaderLoad leader() const;
  /// Returns who writes each file.
  const std::vector<io::FilePlacement>& placements() const { return written_; }
  RecordBytes bytes_of(int server, std::size_t stream) const;
  /// Returns the server that writes most.
  int heaviest_server() const;

 private:
  bool is_writer_behind(int rank) const;
  std::int64_t server_sets() const;
  /// Of all servers, or of one.
  DefinedFiles definitions(std::optional<int> server) const;
  std::vector<io::OpeningPart> parts_for(int rank, ServerLoad& load);
  std::vector<io::OpeningPart> gathered_parts(const io::Pieces& written, ServerLoad& load) const;

  config::Model model_;
  Layout layout_;
  RunLimits limits_;
  DealtModel clients_;
  io::ServerChoice choice_;
  std::vector<int> wire_bytes_;             // per stream, of a value
  std::vector<io::FilePlacement> heard_;    // per file: whom clients send to
  std::vector<io::FilePlacement> written_;  // per file: who writes it
  std::vector<io::Pieces> pieces_;          // per server, as clients see it
  std::vector<io::Pieces> behind_;          // per server that writes what gatherers pass on
};

/// Returns why servers cannot gather for others that write the files of a model, as in a run; "" if
/// they can.
std::string obstacle_to_gatherers(const config::Model& model);

/// Returns the bytes of heap that the pieces of servers take.
std::int64_t table_bytes(std::span<const io::Pieces> pieces);

}  // namespace epios::layouts
