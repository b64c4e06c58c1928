// How both sides of a coupling make their channels.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <ep/ep.hpp>
#include <limits>
#include <utility>

#include "config/bytes.hpp"
#include "config/error.hpp"
#include "config/index.hpp"
#include "coupled_part.hpp"
#include "coupling/link.hpp"
#include "event/agreement.hpp"
#include "space/directory.hpp"

namespace epios::io {
namespace {

constexpr int base_tag = 16;
/// Records that are on their way at most: one is being received while the next one comes.
constexpr int channel_depth = 2;

/// Exchanges bytes: each rank passes those for every other rank. Collective.
std::vector<std::vector<std::byte>> exchange_bytes(const ep::Comm& comm,
                                                   std::vector<config::ByteWriter> to) {
  std::vector<std::vector<std::int64_t>> words;
  for (config::ByteWriter& writer : to) {
    const std::vector<std::byte> bytes = writer.take();
    auto& list = words.emplace_back((bytes.size() + 7) / 8);
    if (!bytes.empty()) std::memcpy(list.data(), bytes.data(), bytes.size());
  }
  std::vector<std::vector<std::byte>> out;
  for (const auto& list : exchange_lists(comm, words)) {
    auto& bytes = out.emplace_back(list.size() * sizeof(std::int64_t));
    if (!bytes.empty()) std::memcpy(bytes.data(), list.data(), bytes.size());
  }
  return out;
}

}  // namespace

std::size_t received_channel_bytes(std::int64_t points) {
  return channel_bytes(coupled_part_bytes(points), channel_depth);
}

/// The work of CouplingLink::connect().
class CouplingLink::Connecting {
 public:
  Connecting(const ep::Comm& both, ChannelMemory& memory,
             std::vector<std::unique_ptr<CouplingLink>>& links)
      : both_(both), memory_(memory) {
    for (const auto& link : links) nth(sides_, link->side_.side) = link.get();
  }

  void connect() {
    count_fields();
    for (const Side from : {Side::first, Side::second}) find_all_routes(from);
    const auto name_of = [&](int rank) { return name_of_client(rank); };
    const auto make = [&] {
      take_received();
      make_channels();
    };
    all_or_none(both_, make, name_of);
    const std::vector<std::vector<std::byte>> offers = exchange_bytes(both_, offers_of_channels());
    const auto open = [&] {
      open_channels(offers);
      take_sent();
    };
    all_or_none(both_, open, name_of);
    note_unshared();
    // Everybody has opened its ends.
    for (CouplingLink* const link : sides_) {
      if (link == nullptr) continue;
      for (ReceivedField& field : link->received_) {
        if (field.channels) field.channels->unlink();
      }
      link->add_peers();
    }
  }

 private:
  CouplingLink* link(Side side) const { return nth(sides_, side); }

  /// Each client knows at least one side, and so all fields.
  void count_fields() {
    for (const Side from : {Side::first, Side::second}) {
      nth(fields_, from) = link(from) != nullptr ? link(from)->side_.sent.size()
                                                 : link(other(from))->side_.received.size();
    }
  }

  /// Numbers of fields on both sides: those of the first side come first.
  int tag(Side from, std::size_t field) const {
    const std::size_t number = field + (from == Side::first ? 0 : fields_[0]);
    return base_tag + 2 * static_cast<int>(number);
  }

  void find_all_routes(Side from) {
    CouplingLink* const sender = link(from);
    CouplingLink* const receiver = link(other(from));
    for (std::size_t f = 0; f < nth(fields_, from); ++f) {
      CoupledRoutes routes =
          find_routes(both_, sender != nullptr ? sender->side_.sent[f].grid.get() : nullptr,
                      receiver != nullptr ? receiver->side_.received[f].grid.get() : nullptr);
      for (CoupledRoute& route : routes.to) {
        sender->sent_[f].targets.push_back({std::move(route), nullptr});
      }
      for (CoupledRoute& route : routes.from) {
        auto& origins = receiver->received_[f].origins;
        const std::size_t channel = origins.size();
        origins.push_back({std::move(route), channel});
      }
      if (receiver != nullptr) receiver->received_[f].left_out = routes.left_out;
    }
  }

  static std::vector<ChannelSpec> specs(const ReceivedField& field) {
    std::vector<ChannelSpec> out;
    for (const Origin& origin : field.origins) {
      out.push_back(
          {origin.route.rank, coupled_part_bytes(origin.route.pattern.count()), channel_depth});
    }
    return out;
  }

  void take_received() {
    for (CouplingLink* const link : sides_) {
      if (link == nullptr) continue;
      std::size_t bytes = 0;
      for (const ReceivedField& field : link->received_) {
        for (const ChannelSpec& spec : specs(field)) {
          bytes += channel_bytes(spec.capacity_bytes, spec.depth);
        }
      }
      take(*link, bytes, "receives from");
    }
  }

  /// Channels by messages also take memory of the sender.
  void take_sent() {
    for (CouplingLink* const link : sides_) {
      if (link == nullptr) continue;
      std::size_t bytes = 0;
      for (const SentField& field : link->sent_) {
        for (const Target& target : field.targets) {
          if (target.channel->carrier() != CarrierKind::messages) continue;
          bytes += channel_bytes(coupled_part_bytes(target.route.pattern.count()), channel_depth);
        }
      }
      take(*link, bytes, "sends as messages to");
    }
  }

  void take(CouplingLink& link, std::size_t bytes, const char* what) {
    CouplingSide& side = link.side_;
    const auto limit = side.buffer_bytes > 0 ? static_cast<std::size_t>(side.buffer_bytes)
                                             : std::numeric_limits<std::size_t>::max();
    auto taken = memory_.take(bytes, limit, std::move(side.reserved));
    if (taken.share) return link.memory_.push_back(std::move(*taken.share));
    const std::string others =
        taken.others > 0
            ? fmt::format(", of which other channels of this process hold {}", taken.others)
            : std::string();
    throw Error(ErrorCode::resource,
                fmt::format("context '{}': what it {} '{}' needs channels of {} bytes on one "
                            "client (buffer_bytes of context xios allows {} in a process{}). Raise "
                            "it, or use more processes?",
                            side.name, what, side.partner, bytes, side.buffer_bytes, others));
  }

  void make_channels() {
    for (const Side from : {Side::first, Side::second}) {
      CouplingLink* const receiver = link(other(from));
      if (receiver == nullptr) continue;
      const auto force = receiver->side_.carrier > 0
                             ? static_cast<CarrierKind>(receiver->side_.carrier)
                             : CarrierKind::in_process;
      for (std::size_t f = 0; f < receiver->received_.size(); ++f) {
        ReceivedField& field = receiver->received_[f];
        if (field.origins.empty()) continue;
        field.channels = std::make_unique<ChannelGroup>(both_, tag(from, f), specs(field), force);
      }
    }
  }

  std::vector<config::ByteWriter> offers_of_channels() const {
    std::vector<config::ByteWriter> out(static_cast<std::size_t>(both_.size()));
    for (const Side from : {Side::first, Side::second}) {
      const CouplingLink* const receiver = link(other(from));
      if (receiver == nullptr) continue;
      for (const ReceivedField& field : receiver->received_) {
        for (const Origin& origin : field.origins) {
          nth(out, origin.route.rank).put(field.channels->offer(origin.channel));
        }
      }
    }
    return out;
  }

  /// In the order in which receivers have written them.
  void open_channels(const std::vector<std::vector<std::byte>>& offers) const {
    std::vector<config::ByteReader> readers(offers.begin(), offers.end());
    for (const Side from : {Side::first, Side::second}) {
      CouplingLink* const sender = link(from);
      if (sender == nullptr) continue;
      for (SentField& field : sender->sent_) {
        for (Target& target : field.targets) {
          const auto offer = nth(readers, target.route.rank).get_vector<std::byte>();
          target.channel = open_channel(both_, target.route.rank, offer);
        }
      }
    }
  }

  /// Keeps the reason of the first client that does without shared memory. Collective.
  void note_unshared() const {
    CouplingLink* who = nullptr;
    std::string why;
    for (CouplingLink* const link : sides_) {
      if (link == nullptr) continue;
      for (const ReceivedField& field : link->received_) {
        if (why.empty() && field.channels) why = field.channels->fallback();
      }
      for (const SentField& field : link->sent_) {
        for (const Target& target : field.targets) {
          if (why.empty()) why = target.channel->fallback();
        }
      }
      if (who == nullptr && !why.empty()) who = link;
    }
    const int rank = who != nullptr ? both_.rank() : both_.size();
    int first = 0;
    ep::check(EP_Allreduce(&rank, &first, 1, MPI_INT, MPI_MIN, both_.get()));
    if (who != nullptr && rank == first) who->fallback_ = std::move(why);
  }

  std::string name_of_client(int rank) const {
    const CouplingLink* const any = sides_[0] != nullptr ? sides_[0] : sides_[1];
    return any->watch_.process_table().name(any->actor(rank));
  }

  const ep::Comm& both_;
  ChannelMemory& memory_;
  CouplingLink* sides_[2] = {nullptr, nullptr};
  std::size_t fields_[2] = {0, 0};
};

std::vector<std::unique_ptr<CouplingLink>> CouplingLink::connect(
    const std::shared_ptr<const ep::Comm>& both, const std::vector<Actor>& actors, Watch& watch,
    ChannelMemory& memory, std::vector<CouplingSide> sides) {
  std::vector<std::unique_ptr<CouplingLink>> links;
  links.reserve(sides.size());
  for (CouplingSide& side : sides) {
    links.emplace_back(new CouplingLink(both, actors, watch, std::move(side)));
  }
  Connecting(*both, memory, links).connect();
  if (links.size() == 2) {
    links[0]->sibling_ = links[1].get();
    links[1]->sibling_ = links[0].get();
  }
  return links;
}

}  // namespace epios::io
