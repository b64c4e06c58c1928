/// @file
/// The connection of a context on one client to a partner: coupled fields leave and arrive.
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

#include "coupling/routes.hpp"
#include "event/channel_memory.hpp"
#include "event/watch.hpp"
#include "transport/channel.hpp"

namespace epios::io {

/// One of two sides of a coupling: that whose name comes first, or the other one.
enum class Side : std::uint8_t { first = 0, second = 1 };
constexpr Side other(Side side) { return side == Side::first ? Side::second : Side::first; }

/// Values of a record as they come from the workflow.
struct CoupledValues {
  std::span<const double> doubles;
  std::span<const float> floats;  ///< instead of those
  std::optional<double> marker;   ///< values equal to it are missing
};

/// What both sides of a link need of a context on this client.
struct CouplingSide {
  Side side = Side::first;
  std::string name;     ///< "ocean::ocean"
  std::string partner;  ///< "atm::atm"
  Actor self;
  WaitLimits limits;
  int carrier = 0;                ///< 0: by locality, else a CarrierKind that is forced
  std::int64_t buffer_bytes = 0;  ///< for all channels of this process, at most; 0: no limit
  struct Field {
    std::string id;
    std::unique_ptr<CoupledGrid> grid;
    std::int64_t first = 0;                         ///< sent: earlier records are not exchanged
    std::function<std::string(std::int64_t)> date;  ///< of a record, for messages
  };
  std::vector<Field> sent, received;  ///< in an order that both sides know
  ChannelMemory::Share reserved{};    ///< becomes part of what its channels take
  /// Called while this client waits; what it throws ends the wait.
  std::function<void()> check;
};

/// What the channels of a received field take, of which a client has so many points: a little less
/// than they will, as nobody knows yet how many clients send them.
std::size_t received_channel_bytes(std::int64_t points);

/// A context on this client and its partner. Belongs to the client's thread. Records are counted as
/// the sender counts them.
class CouplingLink {
 public:
  CouplingLink(const CouplingLink&) = delete;
  CouplingLink(CouplingLink&&) = delete;
  CouplingLink& operator=(const CouplingLink&) = delete;
  CouplingLink& operator=(CouplingLink&&) = delete;
  ~CouplingLink();

  /// Makes the links of all sides that live on this client: one or both. Collective over `both`,
  /// the clients of both contexts; `actors` are they, by rank. The watch outlives the links, and so
  /// does `memory`, which their channels are part of. All throw alike when one of them cannot have
  /// its channels.
  static std::vector<std::unique_ptr<CouplingLink>> connect(
      const std::shared_ptr<const ep::Comm>& both, const std::vector<Actor>& actors, Watch& watch,
      ChannelMemory& memory, std::vector<CouplingSide> sides);

  /// A record leaves. Waits for room, when two earlier ones have not been received. Dropped when
  /// the partner has ended. Throws when it has failed, or in time of give_up_s.
  void send(int field, std::int64_t record, const CoupledValues& values);
  /// The period of a record is over without values: who waits for them hears so. Waits as send().
  void miss(int field, std::int64_t record);
  /// Waits for a record; its values come to their places, others stay as they are. Records before
  /// it are dropped. Throws Error{call_order} when the partner has ended, or goes on, without it.
  void receive(int field, std::int64_t record, std::span<double> array);
  /// Nobody will receive records up to this one: they are dropped when they come.
  void drop(int field, std::int64_t record);
  /// Moves what is under way. Local, returns at once.
  void progress();
  /// Tells the partner that this side has ended; `why`, if not empty: that it has failed. Local.
  void end(const std::string& why);
  bool has_ended() const { return has_ended_; }
  /// Whether the clients that this one exchanges with have ended, too. Local.
  bool is_over();

  const std::string& partner() const { return side_.partner; }
  /// Clients of the partner that have not ended.
  std::vector<Actor> unfinished() const;
  /// Records of a sent field that the partner did not want any more.
  std::int64_t dropped(int field) const { return sent_[at(field)].dropped; }
  double waited_s() const { return waited_s_; }
  /// Points of received fields that nobody sends, on this client.
  std::int64_t left_out(int field) const { return received_[at(field)].left_out; }

 private:
  struct Target {
    CoupledRoute route;
    std::unique_ptr<ChannelSender> channel;
  };
  struct SentField {
    std::vector<Target> targets;
    std::int64_t last = -1;         ///< record that has left, also one without values
    std::int64_t last_made = -1;    ///< and the last one with values
    std::int64_t before_last = -1;  ///< and the one before
    std::int64_t dropped = 0;
  };
  struct Origin {
    CoupledRoute route;
    std::size_t channel = 0;
  };
  struct ReceivedField {
    std::vector<Origin> origins;
    std::unique_ptr<ChannelGroup> channels;
    std::int64_t unwanted = -1;  ///< this record and those before
    std::int64_t left_out = 0;
  };
  /// Somebody that this client exchanges with.
  struct Peer {
    int rank = 0;
    bool has_ended = false;
    std::string why;                      ///< it has failed
    std::vector<std::int64_t> last;       ///< of its sent fields: the last record
    std::vector<std::int64_t> last_made;  ///< that had values
  };
  struct Notice {
    std::vector<std::byte> bytes;
    EP_Request request = EP_REQUEST_NULL;
  };
  class Connecting;

  CouplingLink(std::shared_ptr<const ep::Comm> both, std::vector<Actor> actors, Watch& watch,
               CouplingSide side);
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }
  Peer& peer(int rank);
  const Actor& actor(int rank) const { return actors_[at(rank)]; }
  void add_peers();
  void take_notices();
  void check_peer(const Peer& peer) const;
  /// `fill` writes what follows the header of a part, and says how much there is. Whether anybody
  /// wants it.
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
  std::vector<ChannelMemory::Share> memory_;  ///< before the channels that it is of: outlives them
  std::vector<SentField> sent_;
  std::vector<ReceivedField> received_;
  std::vector<Peer> peers_;          ///< by rank
  CouplingLink* sibling_ = nullptr;  ///< that of the partner, when it lives on this client, too
  bool has_ended_ = false;
  double waited_s_ = 0;
  // On their way: nobody waits for them, as their receivers may never come.
  std::unique_ptr<std::list<Notice>> notices_ = std::make_unique<std::list<Notice>>();
};

}  // namespace epios::io
