/// @file
/// The connection between a context on one client and a partner, over which coupled fields are sent
/// and received.
#pragma once

#include <ep/types.h>

#include <cstddef>
#include <cstdint>
#include <ep/fwd.hpp>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/index.hpp"
#include "coupling/routes.hpp"
#include "event/channel_memory.hpp"
#include "event/watch.hpp"
#include "transport/channel.hpp"

namespace epios::io {

/// One of the two sides of a coupling: the context whose name comes first, or the other one.
enum class Side : std::uint8_t { first = 0, second = 1 };
constexpr Side other(Side side) { return side == Side::first ? Side::second : Side::first; }

/// Values of a record as they come from the workflow.
struct CoupledValues {
  std::span<const double> doubles;
  std::span<const float> floats;  ///< used instead of `doubles` in single precision
  std::optional<double> marker;   ///< values equal to it are missing
};

/// The description of a context on this client that both sides of a link need.
struct CouplingSide {
  Side side = Side::first;
  std::string name;     ///< "ocean::ocean"
  std::string partner;  ///< "atm::atm"
  Actor self;
  WaitLimits limits;
  int carrier = 0;                ///< 0 chooses by locality, otherwise a CarrierKind that is forced
  std::int64_t buffer_bytes = 0;  ///< limit for all channels of this process; 0 means none
  struct Field {
    std::string id;
    std::unique_ptr<CoupledGrid> grid;
    std::int64_t first = 0;  ///< for sent fields: earlier records are not exchanged
    std::function<std::string(std::int64_t)> date;  ///< returns the date of a record, for messages
  };
  std::vector<Field> sent, received;  ///< in an order that both sides know
  ChannelMemory::Share reserved{};    ///< memory that becomes part of that of its channels
  /// Called while this client waits. An exception ends the wait.
  std::function<void()> check;
};

/// Returns the memory of the channels of a received field of which a client has so many points. It
/// is a little less than they will take, because the number of sending clients is not known yet.
std::size_t received_channel_bytes(std::int64_t points);

/// The link between a context on this client and its partner. Belongs to the thread of the client.
/// Records count as the sender counts them.
class CouplingLink {
 public:
  CouplingLink(const CouplingLink&) = delete;
  CouplingLink(CouplingLink&&) = delete;
  CouplingLink& operator=(const CouplingLink&) = delete;
  CouplingLink& operator=(CouplingLink&&) = delete;
  ~CouplingLink();

  /// Makes the links of all sides that live on this client: one or both. Collective over `both`,
  /// the clients of both contexts; `actors` describes them, by rank. The watch must outlive the
  /// links, and so must `memory`, which accounts for their channels. Throws on all if one of them
  /// cannot have its channels.
  static std::vector<std::unique_ptr<CouplingLink>> connect(
      const std::shared_ptr<const ep::Comm>& both, const std::vector<Actor>& actors, Watch& watch,
      ChannelMemory& memory, std::vector<CouplingSide> sides);

  /// Sends a record. Waits for room if two earlier ones have not been received. Drops it if the
  /// partner has ended. Throws if the partner has failed, or after give_up_s.
  void send(int field, std::int64_t record, const CoupledValues& values);
  /// Announces that the period of a record is over without values, to those that wait for it. Waits
  /// like send().
  void miss(int field, std::int64_t record);
  /// Waits for a record and writes its values to their places; other places stay as they are. Drops
  /// earlier records. Throws Error{call_order} if the partner has ended, or continues, without it.
  void receive(int field, std::int64_t record, std::span<double> array);
  /// Drops records up to this one when they come, because nobody will receive them.
  void drop(int field, std::int64_t record);
  /// Makes progress on what is under way. Local, returns at once.
  void progress();
  /// Tells the partner that this side has ended or, if `why` is not empty, failed. Local.
  void end(const std::string& why);
  bool has_ended() const { return has_ended_; }
  /// Returns true if the clients that this one exchanges with have ended, too. Local.
  bool is_over();

  const std::string& partner() const { return side_.partner; }
  /// Returns the clients of the partner that have not ended.
  std::vector<Actor> unfinished() const;
  /// Returns the number of records of a sent field that the partner did not want any more.
  std::int64_t dropped(int field) const { return nth(sent_, field).dropped; }
  double waited_s() const { return waited_s_; }
  /// Returns why data go as messages between clients that should share memory. The text is that of
  /// the first of them, on that client only, so that it is said once; "" elsewhere.
  const std::string& fallback() const { return fallback_; }
  /// Returns the number of points of a received field on this client that nobody sends.
  std::int64_t left_out(int field) const { return nth(received_, field).left_out; }

 private:
  struct Target {
    CoupledRoute route;
    std::unique_ptr<ChannelSender> channel;
  };
  struct SentField {
    std::vector<Target> targets;
    std::int64_t last = -1;         ///< last record that was sent, also one without values
    std::int64_t last_made = -1;    ///< last record with values
    std::int64_t before_last = -1;  ///< the record with values before it
    std::int64_t dropped = 0;
  };
  struct Origin {
    CoupledRoute route;
    std::size_t channel = 0;
  };
  struct ReceivedField {
    std::vector<Origin> origins;
    std::unique_ptr<ChannelGroup> channels;
    std::int64_t unwanted = -1;  ///< last record that is not wanted; earlier ones are not either
    std::int64_t left_out = 0;
  };
  /// A client that this one exchanges with.
  struct Peer {
    int rank = 0;
    bool has_ended = false;
    std::string why;                      ///< why it has failed
    std::vector<std::int64_t> last;       ///< last record of each of its sent fields
    std::vector<std::int64_t> last_made;  ///< last record with values of each
  };
  struct Notice {
    std::vector<std::byte> bytes;
    EP_Request request = EP_REQUEST_NULL;
  };
  class Connecting;

  CouplingLink(std::shared_ptr<const ep::Comm> both, std::vector<Actor> actors, Watch& watch,
               CouplingSide side);
  Peer& peer(int rank);
  const Actor& actor(int rank) const { return nth(actors_, rank); }
  void add_peers();
  void take_notices();
  void check_peer(const Peer& peer) const;
  /// Sends a part to each receiver that wants one. `fill` writes what follows the header and
  /// returns its length. Returns false if all receivers have ended.
  template <class Fill>
  bool leave(int field, std::int64_t record, const Fill& fill);
  std::span<std::byte> wait_for_room(int field, Target& target, std::int64_t record);
  std::span<std::byte> wait_for_part(int field, Origin& origin, std::int64_t record);
  [[noreturn]] void refuse_missing(int field, std::int64_t record, const Peer& from) const;
  template <class IsDone>
  void wait(const char* reason, int rank, const std::string& what, const IsDone& is_done);
  void drop_unwanted();
  void check_own_sending(int field, std::int64_t record, const Peer& from) const;
  void check_own_receiving(int field, std::int64_t record, const Peer& to) const;

  std::shared_ptr<const ep::Comm> both_;
  std::vector<Actor> actors_;
  Watch& watch_;
  CouplingSide side_;
  std::vector<ChannelMemory::Share>
      memory_;  ///< declared before the channels that it accounts for, so that it outlives them
  std::vector<SentField> sent_;
  std::vector<ReceivedField> received_;
  std::vector<Peer> peers_;          ///< by rank
  CouplingLink* sibling_ = nullptr;  ///< the link of the partner if it lives on this client, too
  bool has_ended_ = false;
  double waited_s_ = 0;
  std::string fallback_;
  // Messages on their way. Nobody waits for them, because their receivers may never come.
  std::unique_ptr<std::list<Notice>> notices_ = std::make_unique<std::list<Notice>>();
};

}  // namespace epios::io
