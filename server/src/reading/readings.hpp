#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <ep/fwd.hpp>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "config/model_fwd.hpp"
#include "config/model_ids.hpp"
#include "event/event.hpp"
#include "event/opening.hpp"
#include "event/protocol_trace.hpp"
#include "event/wire.hpp"
#include "file/file_thread.hpp"
#include "grid/pattern.hpp"
#include "grid/pieces.hpp"
#include "grid/routing.hpp"
#include "reading/read_consensus.hpp"
#include "reading/read_source.hpp"
#include "transport/channel.hpp"

namespace epios::server {

/// Reads the files of one context on one server: answers requests for records, in their order,
/// by a part to each client that has points of its slab. Only the server's thread calls; nothing
/// waits for the file thread or a client: a request has reserved the room of its answers.
class Readings {
 public:
  /// Takes what the readings need of their server; all of it outlives them.
  Readings(const ReadConsensus::Environment& among_servers, const ep::Comm& clients,
           io::FileThread& file_thread, io::ActorTrace trace = {});
  Readings(const Readings&) = delete;
  Readings(Readings&&) = delete;
  Readings& operator=(const Readings&) = delete;
  Readings& operator=(Readings&&) = delete;
  /// Files that close() has not closed are closed here: the file thread must have ended.
  ~Readings() = default;

  /// Which slabs this server reads for whom. The model outlives the readings. `readers`: per
  /// Model::read_fields, the servers that read slabs of it, ascending. `parts` as by
  /// check_read_windows.
  void share(const config::Model& model, std::vector<std::vector<int>> readers, io::Pieces pieces,
             std::span<const io::OpeningPart> parts);
  /// Memory of the channels in which clients get their answers, so many at a time.
  std::size_t answer_bytes(int read_ahead) const;
  /// Asks for the files: all are opened and looked at on the file thread.
  void open();
  /// Returns true if nothing of open(), or of a request, is under way on the file thread.
  bool is_idle() const { return pending_.load(std::memory_order_acquire) == 0; }
  /// Why a file cannot be read; "" while all is well. Complete when idle after open().
  std::string open_error() const;

  /// Clients that ask this server for a field, ascending; none: it does not read of it.
  const std::vector<int>& askers(int field) const;
  bool reads(int field) const;

  /// Opens the channel to a client and greets it. Throws ep::Error.
  void connect(const io::AnswerChannel& channel, int remote_rank);
  /// Returns why the first channel that was offered shared memory does not use it, or "".
  const std::string& fallback() const { return fallback_; }
  /// A record of a field is asked for; answered by progress().
  void request(const io::EventHeader& request);
  /// Returns true if the oldest record is read here, and others that read it have not said how they
  /// fared.
  bool awaits_status() const;
  /// Takes what another server says of a record that both read.
  void add_status(const ReadStatus& status, int from) { consensus_.add_status(status, from); }
  /// Does what can be done now; true if anything was. Throws ep::Error when communication fails.
  bool progress();
  /// Returns true if all requests have been answered, and all answers have been taken.
  bool is_finished();
  /// Forgets the requests that have not been answered: the context is over.
  void abandon();
  /// Asks for the files to be closed; nothing is read after it. More calls have no effect.
  void close();

 private:
  /// A field as far as this server reads it.
  struct Share {
    io::Box slab;
    std::vector<int> readers;           ///< servers, with this one
    std::vector<int> askers;            ///< clients
    std::vector<int> receivers;         ///< clients that have points of it, or hear of it alone
    std::vector<io::Pattern> patterns;  ///< parallel: places in the slab
    bool goes_straight = false;         ///< it is large, and all of it goes to one client as it is
  };
  /// A record on its way from the file to the clients.
  struct Slot {
    io::EventHeader request;
    std::vector<double> values;
    std::span<std::byte> straight;  // part of the channel that it is read into instead; empty: none
    ReadVerdict verdict;            // this and `file`: file thread's until is_read
    std::optional<io::FileIdentity> file;  // that was read
    std::size_t next_receiver = 0;
    bool is_announced = false;  // to the other readers
    bool is_resolved = false;   // `verdict` is that of all
    std::atomic<bool> is_read{false};
  };

  void open_files();
  void submit(std::function<void()> job);
  void begin_next();
  bool may_begin() const;
  static std::size_t bytes_of(const Share& share);
  std::span<double> room(Slot& slot, const Share& share);
  void read(Slot& slot);
  void announce_what_is_read();
  bool resolve(Slot& slot);
  std::string differing_text(const Slot& slot) const;
  bool send(Slot& slot);
  bool send_straight(Slot& slot, int client);
  void commit(io::ChannelSender& channel, const Slot& slot, int client);
  bool send_part(const Slot& slot, int client, const io::Pattern& pattern);
  static io::EventHeader header_of(const Slot& slot, std::size_t bytes);
  io::ChannelSender& channel_of(int client);

  static constexpr std::size_t slot_count = 2;
  const ep::Comm& clients_;
  io::FileThread& file_thread_;
  const config::Model* model_ = nullptr;
  std::vector<config::ReadFileId> files_;  // that this server reads
  IndexedVector<config::ReadFieldId, Share> shares_;
  // The file thread's only.
  IndexedVector<config::ReadFileId, std::unique_ptr<ReadSource>> sources_;
  std::vector<std::pair<int, std::unique_ptr<io::ChannelSender>>> channels_;  // by client
  std::deque<io::EventHeader> requests_;  // that have no slot yet
  std::array<Slot, slot_count> slots_;
  std::size_t first_slot_ = 0;  // the oldest
  std::size_t taken_slots_ = 0;
  ReadConsensus consensus_;
  io::ActorTrace trace_;
  std::atomic<int> pending_{0};
  bool is_closed_ = false;
  std::string fallback_;
  mutable std::mutex mutex_;  // guards what follows
  std::string open_error_;
};

}  // namespace epios::server
