#pragma once

#include <cstdint>
#include <ep/ep.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/error.hpp"
#include "config/model.hpp"
#include "event/event_queue.hpp"
#include "event/wire.hpp"
#include "file/file_thread.hpp"
#include "grid/routing.hpp"
#include "log.hpp"
#include "orders.hpp"
#include "server_file.hpp"
#include "stream_share.hpp"
#include "transport/channel.hpp"

namespace epios::server {

/// One context on one server: its channels, its timeline, its files. Only the server's thread
/// calls.
class ServerContext {
 public:
  /// What a context needs of its server; all of it outlives the context.
  struct Environment {
    const ep::Comm* servers = nullptr;       ///< this endpoint among the servers
    const ep::Comm* file_threads = nullptr;  ///< same ranks
    const ep::Comm* clients = nullptr;       ///< intercommunicator to the component
    io::FileThread* file_thread = nullptr;
    Outbox* outbox = nullptr;
    const Log* log = nullptr;
    std::function<void(Order)> issue;  ///< leader only: gives an order to all servers
  };

  /// Decodes the model, opens channels and asks for the files; clients are answered by progress()
  /// when the files exist. What the clients must be told of is kept, not thrown.
  ServerContext(const Environment& environment, std::uint32_t number, int component,
                const io::OpenContext& request);
  ServerContext(const ServerContext&) = delete;
  ServerContext(ServerContext&&) = delete;
  ServerContext& operator=(const ServerContext&) = delete;
  ServerContext& operator=(ServerContext&&) = delete;
  ~ServerContext();

  /// Does what can be done now; true if anything was. Never waits.
  bool progress();
  /// Whether an order can be carried out now: a seal must wait for this server's own events.
  bool can_obey(const Order& order) const;
  void obey(const Order& order);
  /// Fails the context before its component's end is obeyed, so that orders before that can be.
  void give_up(const std::string& why);
  /// Lets go of everything: the component is gone.
  void abandon(const std::string& why);

  bool is_over() const;
  bool is_clean() const { return clean_; }
  int component() const { return component_; }
  const std::string& id() const { return id_; }
  /// What the next event waits for, "" when nothing is pending.
  std::string waiting_for() const;

 private:
  enum class State { opening, running, closing, closed, failed };

  void build(const io::OpenContext& request);
  void build_channels(const io::OpenContext& request);
  void build_files(const std::vector<io::ClientPart>& clients);
  bool reply_when_open();
  void reply_to_all();
  bool execute_next();
  void check_header(const io::EventHeader& header) const;
  bool can_execute(const io::EventQueue::Event& event) const;
  void execute(const io::EventQueue::Event& event);
  void execute_record(const io::EventQueue::Event& event);
  void issue_sync(std::size_t file);
  void sync_if_due(int index, std::int64_t record);
  void order_room(ServerFile& file, const StreamShare& share, std::int64_t record) const;
  void close_files();
  bool report_when_closed();
  void report_failed_files();
  void fail(ErrorCode code, const std::string& text);
  void send_report(const io::ContextReport& report);
  bool is_leader() const { return rank_ == 0; }

  Environment environment_;
  std::uint32_t number_;
  int component_;
  std::string id_;
  int rank_;
  State state_ = State::opening;
  bool clean_ = true;
  std::string open_error_;
  config::Model model_;
  std::vector<int> client_ranks_;              // in the intercommunicator
  std::vector<io::FilePlacement> placements_;  // per file
  std::vector<StreamShare> shares_;            // per stream
  std::vector<int> all_clients_;
  std::unique_ptr<io::ChannelGroup> channels_;
  std::unique_ptr<io::EventQueue> queue_;
  std::vector<std::unique_ptr<ServerFile>> files_;  // per file, null where this is no writer
  std::vector<std::vector<std::byte>> buffers_;  // record buffer per file, empty where not needed
  std::vector<bool> reported_;                   // per file: its failure has been told
  std::vector<bool> sealed_;                     // per file: the leader's seal has been obeyed
  std::vector<std::int64_t> syncs_;              // per file: sync periods passed
  ServerFile* in_place_ = nullptr;               // writes from the front event's channel
};

}  // namespace epios::server
