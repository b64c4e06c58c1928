#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <ep/fwd.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/calendar.hpp"
#include "config/index.hpp"
#include "config/model_fwd.hpp"
#include "config/temporal.hpp"
#include "event/event.hpp"
#include "event/opening.hpp"
#include "event/wire.hpp"
#include "grid/pattern.hpp"
#include "grid/pieces.hpp"
#include "grid/routing.hpp"
#include "links/server_waits.hpp"
#include "transport/channel.hpp"

namespace epios::client {

/// The receiving side of one context on one client: asks for records of files, some of them before
/// the model does, and places what comes in the model's arrays.
///
/// Which records are asked for when follows from the model's calls alone, so that all clients ask
/// alike. A server has at most `read_ahead` requests of a context that clients have not taken the
/// answers of: each channel has room for as many of its largest parts, and the server never waits.
class ReadLink {
 public:
  struct Setup {
    const config::Model& model;
    const io::LocalParts& parts;
    const std::vector<io::FilePlacement>& placements;  ///< per read file
    const std::vector<io::Pieces>& pieces;             ///< per server: what it reads
    std::uint32_t context = 0;
    io::CarrierKind carrier = io::CarrierKind::in_process;  ///< the least that is used
    int client = 0;
    const ServerWaits& waits;
    int read_ahead = 2;                              ///< io::read_ahead()
    std::vector<std::int64_t> first_records{};       ///< per field: asked for first; -1: none
    const std::vector<config::ReadSchedule>& dates;  ///< per field; outlives the link
  };
  /// Asks the servers for a record: an event. `concerned`: per server, those that read the field;
  /// `asked`: of them, those that this client sends a part to.
  using Ask =
      std::function<void(int field, std::int64_t record, const std::vector<std::uint8_t>& concerned,
                         const std::vector<int>& asked)>;

  /// Makes the channels and offers them to the servers. The setup is not kept, the model is.
  /// `check` is called while waiting: it throws when the context has failed.
  ReadLink(const ep::Comm& servers, const Setup& setup, Ask ask, std::function<void()> check);

  /// Waits until the servers have opened the channels; asks for what is needed first.
  void begin();
  /// The values of a record at their places of the model's array; others are left alone, but
  /// `elsewhere` fills them. `next`: the record that will be asked for next, -1: none. Collective
  /// in the sense that all clients make the calls in one order. A record that was not there
  /// ahead of time is asked for once more. Throws Error{io}, on all clients, when it cannot be
  /// read.
  template <class T>
  void receive(int field, std::int64_t record, std::int64_t next,
               const std::optional<double>& elsewhere, std::span<T> array);
  /// The calendar has come to a date. While the model receives many records that were foreseen for
  /// it, the requests that follow from that leave in batches: servers are woken less often, and
  /// take less from the model while it copies.
  void begin_date(config::Instant now);
  /// Takes all answers that are under way: nothing is left in the channels.
  void drain();
  /// That these have been taken: servers wait for it at the end. To be called until they have
  /// ended.
  void tell_servers();

  /// Returns why answers come as messages though the servers are on this node, or "".
  std::string fallback() const { return channels_ ? channels_->fallback() : std::string(); }

  /// Seconds of waiting for records so far.
  double waited_s() const { return waited_s_; }

  std::size_t array_size(int field) const {
    return static_cast<std::size_t>(nth(fields_, field).array->size);
  }

 private:
  /// Why there are no values.
  struct Problem {
    std::string text;       // "": there are
    bool may_mend = false;  // another request may be answered better
  };
  /// What one server reads for this client of a field; of one who has no points of it no places.
  struct Share {
    int server = 0;
    const io::Pattern* pattern = nullptr;  // of patterns_: places in the model's array
    std::vector<std::uint64_t> mask;       // of the grid: a bit per value; empty: none is masked
    double* stash = nullptr;               // in stash_: values that came before the model asked
    std::int64_t stashed = -1;             // record in it; -1: none
    Problem problem;                       // instead of values, of `stashed`
  };
  /// The model's array of a grid.
  struct Array {
    std::int64_t size = 0;
    std::vector<io::Part::Repeat> repeats;
  };
  struct Field {
    const Array* array = nullptr;         // of arrays_
    std::vector<std::uint8_t> concerned;  // per server
    std::vector<int> servers;             // concerned ones
    std::vector<int> asked;               // this client sends them its part of the event
    std::vector<Share> shares;
    std::int64_t asked_record = -1;  // under way, or stashed; -1: none
    config::Instant asked_date;      // of asked_record
    bool is_due = false;             // foreseen for the date, and not received yet
    bool comes = false;              // the model received the two records before
    std::int64_t received = -2;      // by the model, last
    std::int64_t first_record = -1;  // asked for before the model does; -1: none
    bool was_asked = false;
  };
  /// Per server: fields asked for whose answers have not been taken, oldest first.
  struct Server {
    int channel = -1;  // in channels_; -1: nothing comes from it
    std::deque<int> under_way;
  };

  void add_fields(const Setup& setup);
  void open_channels(const Setup& setup);
  bool has_room(const Field& field) const;
  void ask_for(int field, std::int64_t record);
  void ask_now(int field, std::int64_t record);
  void foresee(int field, std::int64_t record);
  void foresee_next_first();
  bool holds_back() const;
  void ask_foreseen();
  Share* share_of(int field, int server);
  std::span<std::byte> wait_for_part(int server);
  /// Values, or why there are none, of the oldest answer of a server. The channel's until released.
  std::span<const double> read_part(int server, int field, Problem& problem);
  /// Takes the oldest answer of a server; keeps the values if they are still wanted.
  void set_aside(int server, bool is_wanted);
  template <class T>
  void take(int field, int server, std::span<T> array, Problem& problem);
  template <class T>
  Problem take_all(int field, std::span<T> array);
  template <class T>
  static void place(const Share& share, std::span<const double> values, std::span<T> array);
  void give_up(int field);

  const ep::Comm& servers_comm_;
  const config::Model& model_;
  Ask ask_;
  std::function<void()> check_;
  ServerWaits waits_;
  io::ActorTrace trace_;
  int read_ahead_;
  const std::vector<config::ReadSchedule>& dates_;
  config::Instant now_{};
  int due_ = 0;                  // fields that are
  std::map<int, Array> arrays_;  // by grid: many fields are on one
  std::deque<io::Pattern> patterns_;
  std::unique_ptr<double[]> stash_;  // of all shares
  std::vector<Field> fields_;        // per Model::read_fields
  std::vector<Server> servers_;      // per server
  std::unique_ptr<io::ChannelGroup> channels_;
  struct Wanted {
    int field = 0;
    std::int64_t record = 0;
    config::Instant date;
  };
  std::deque<Wanted> foreseen_;  // not asked for yet
  double waited_s_ = 0;
  std::size_t next_first_ = 0;  // of first records: the field that comes next
};

}  // namespace epios::client
