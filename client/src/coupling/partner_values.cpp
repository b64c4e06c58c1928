// Coordinates of a partner's grids, from all of its clients to all of this context's.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "config/byte_fields.hpp"
#include "config/index.hpp"
#include "coupling/dealt_values.hpp"
#include "coupling/partner_grids.hpp"
#include "event/agreement.hpp"

namespace epios::client {

using Kind = io::HandshakeMessage::Kind;

namespace {

/// Calls `use` with each coordinate of which a giver has points for client `taker` of `takers`:
/// with its number, the points, and where those of the taker begin.
template <class Use>
void for_each_common(const config::GridAnswer& answer, int giver, int taker, int takers,
                     const Use& use) {
  const auto givers = static_cast<int>(answer.clients.size());
  std::size_t c = 0;
  for_each_coordinate(answer, [&](const auto& coordinate, std::int64_t size) {
    const io::Dealing taken{size, takers};
    const Stretch common = common_stretch({size, givers}, giver, taken, taker);
    if (!common.is_empty()) use(c, common, taken.begin(taker), coordinate.width);
    ++c;
  });
}

}  // namespace

/// By rank among everyone.
std::map<int, int> PartnerGrids::givers_of_values(const Partner& partner,
                                                  const config::GridAnswer& answer) const {
  std::map<int, int> out;
  for (std::size_t giver = 0; giver < answer.clients.size(); ++giver) {
    for_each_common(answer, static_cast<int>(giver), setup_.clients.rank(), setup_.clients.size(),
                    [&](auto&&...) {
                      const io::Actor client =
                          io::Actor::client_in(partner.component, answer.clients[giver]);
                      out.emplace(setup_.job.rank_among_everyone(client), static_cast<int>(giver));
                    });
  }
  return out;
}

/// By giver. Waits for all of them.
std::map<int, std::vector<std::byte>> PartnerGrids::messages_with_values(
    const Partner& partner, const config::GridAnswer& answer) {
  const std::map<int, int> giver_of = givers_of_values(partner, answer);
  std::map<int, std::vector<std::byte>> found;
  const auto silent_givers = [&] {
    std::vector<io::Actor> out;
    for (const auto& [rank, giver] : giver_of) {
      if (found.count(giver) > 0) continue;
      out.push_back(io::Actor::client_in(partner.component, nth(answer.clients, giver)));
    }
    return out;
  };
  io::Waiting waiting(setup_.job.watch());
  waiting.set(setup_.self, fmt::format("coordinates of the grids of '{}'", partner.name()),
              silent_givers(), {setup_.patience_s, setup_.give_up_s, 0});
  ep::wait_until(setup_.handshake.everyone(), {"coordinates of other contexts"}, [&] {
    setup_.poll();
    while (auto message = setup_.handshake.take([&](const io::HandshakeMessage& one) {
      return one.kind == Kind::values && is_from(partner, one) && one.to_opening == setup_.opening;
    })) {
      found.emplace(giver_of.at(message->rank), std::move(message->facts));
      waiting.set_whom(silent_givers());
    }
    waiting.check();
    return found.size() == giver_of.size();
  });
  return found;
}

/// What other clients have of the stretches of this one.
void PartnerGrids::receive_values(const Partner& partner, const config::GridAnswer& answer) {
  const int taker = setup_.clients.rank();
  const int takers = setup_.clients.size();
  std::vector<std::vector<double>> stretches;
  for_each_coordinate(answer, [&](const auto& coordinate, std::int64_t size) {
    const io::Dealing taken{size, takers};
    stretches.emplace_back(
        static_cast<std::size_t>((taken.end(taker) - taken.begin(taker)) * coordinate.width));
  });
  io::all_or_none(setup_.clients, [&] {
    for (const auto& message : messages_with_values(partner, answer)) {
      config::ByteReader reader(message.second);
      for_each_common(
          answer, message.first, taker, takers,
          [&](std::size_t c, const Stretch& common, std::int64_t begin, std::int64_t width) {
            const auto values = reader.get_vector<double>();
            if (values.size() != static_cast<std::size_t>((common.end - common.first) * width)) {
              config::refuse_bytes("what another context says of its coordinates",
                                   "their number is another one");
            }
            std::copy(values.begin(), values.end(),
                      stretches[c].begin() + (common.first - begin) * width);
          });
    }
  });
  for (auto& [number, taken] : taken_) {
    if (taken.partner != &partner - partners_.data()) continue;
    for (std::size_t c = 0; c < taken.stretches.size(); ++c) {
      taken.stretches[c] = stretches[taken.first + c];
    }
  }
}

}  // namespace epios::client
