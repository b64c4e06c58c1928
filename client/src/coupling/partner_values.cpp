// Coordinates of a partner's grids, from all of its clients to all of this context's.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "config/bytes.hpp"
#include "config/index.hpp"
#include "coupling/dealt_values.hpp"
#include "coupling/partner_grids.hpp"
#include "event/agreement.hpp"

namespace epios::client {

using Kind = io::Letter::Kind;

/// What other clients have of the stretches of this one.
void PartnerGrids::receive_values(const Partner& partner, const config::GridAnswer& answer) {
  const auto givers = static_cast<int>(answer.clients.size());
  const int takers = setup_.clients.size();
  std::vector<std::vector<double>> stretches;
  std::map<int, std::vector<std::byte>> letters;  // by giver
  std::map<int, int> giver_of;                    // by rank among everyone
  for_each_coordinate(answer, [&](const auto& coordinate, std::int64_t size) {
    const io::Dealing taken{size, takers};
    const std::int64_t own = taken.end(setup_.clients.rank()) - taken.begin(setup_.clients.rank());
    stretches.emplace_back(static_cast<std::size_t>(own * coordinate.width));
    for (int giver = 0; giver < givers; ++giver) {
      if (common_stretch({size, givers}, giver, taken, setup_.clients.rank()).is_empty()) continue;
      const io::Actor client = io::Job::client_in(partner.component, nth(answer.clients, giver));
      giver_of.emplace(setup_.job.rank_among_everyone(client), giver);
    }
  });
  const auto silent_givers = [&] {
    std::vector<io::Actor> out;
    for (const auto& [rank, giver] : giver_of) {
      if (letters.count(giver) > 0) continue;
      out.push_back(io::Job::client_in(partner.component, nth(answer.clients, giver)));
    }
    return out;
  };
  io::all_or_none(setup_.clients, [&] {
    io::Waiting waiting(setup_.job.watch());
    waiting.set(setup_.self, fmt::format("coordinates of the grids of '{}'", partner.name()),
                silent_givers(), {setup_.patience_s, setup_.give_up_s, 0});
    ep::wait_until(setup_.letters.everyone(), {"coordinates of other contexts"}, [&] {
      setup_.poll();
      while (auto letter = setup_.letters.take([&](const io::Letter& one) {
        return one.kind == Kind::values && is_from(partner, one) &&
               one.to_opening == setup_.opening;
      })) {
        letters.emplace(giver_of.at(letter->rank), std::move(letter->facts));
        waiting.set_whom(silent_givers());
      }
      waiting.check();
      return letters.size() == giver_of.size();
    });
    for (const auto& letter : letters) {
      const int giver = letter.first;
      const std::vector<std::byte>& bytes = letter.second;
      config::ByteReader reader(bytes);
      std::size_t c = 0;
      for_each_coordinate(answer, [&](const auto& coordinate, std::int64_t size) {
        std::vector<double>& own = stretches[c++];
        const io::Dealing taken{size, takers};
        const Stretch common = common_stretch({size, givers}, giver, taken, setup_.clients.rank());
        if (common.is_empty()) return;
        const std::vector<double> values = reader.template get_vector<double>();
        const auto first = static_cast<std::size_t>(
            (common.first - taken.begin(setup_.clients.rank())) * coordinate.width);
        std::copy(values.begin(), values.end(), own.begin() + static_cast<std::ptrdiff_t>(first));
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
