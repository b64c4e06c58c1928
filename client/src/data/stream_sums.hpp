#pragma once

#include <cstddef>
#include <cstdint>
#include <ep/fwd.hpp>
#include <span>
#include <vector>

namespace epios::client {

/// What clients of a context have each for themselves, by stream.
struct StreamFigures {
  double bytes = 0;
  double waits = 0;
  double blocked_s = 0;
  double most_blocked_s = 0;  ///< of the client with most
  double packing_s = 0;
  double most_dropped =
      0;  ///< of a field for a partner: records after its end, on the client with most
  double infinite = 0;      ///< values that single precision did not hold, of what is received
  double infinite_at = -1;  ///< the first step at which there were any; -1: there were none
};

/// Figures of several clients.
struct StreamSums {
  int clients = 0;
  std::vector<StreamFigures> streams;
};

/// Of all clients, on the first one; elsewhere of some. Clients call it with as many streams each.
/// No collective call, since one may have given up meanwhile: nobody is waited for longer than
/// `most_s` for each message on its way, and StreamSums::clients counts those that are in it.
/// `number` tells contexts of the same clients apart. Cost: a message of each client in turn, along
/// a tree.
StreamSums sum_of_streams(const ep::Comm& clients, std::uint32_t number,
                          std::vector<StreamFigures> own, double most_s);

}  // namespace epios::client
