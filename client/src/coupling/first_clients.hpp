/// @file
/// What the first client of a context says to the others, which wait for it and serve everybody
/// else meanwhile.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <ep/bytes.hpp>
#include <ep/ep.hpp>
#include <vector>

namespace epios::client {

/// Numbers of the first client.
using Word = std::array<std::int64_t, 3>;

/// By the first client; the others hear() it.
inline void say(const ep::Comm& clients, Word word) {
  EP_Request request = EP_REQUEST_NULL;
  ep::check(EP_Ibcast(word.data(), static_cast<int>(word.size()), MPI_INT64_T, 0, clients.get(),
                      &request));
  ep::check(EP_Wait(&request, EP_STATUS_IGNORE));
}

/// By the others. `poll` is called while they wait; `everyone`: whose messages it takes.
template <class Poll>
Word hear(const ep::Comm& clients, const ep::Comm& everyone, const Poll& poll) {
  Word word{};
  EP_Request request = EP_REQUEST_NULL;
  ep::check(EP_Ibcast(word.data(), static_cast<int>(word.size()), MPI_INT64_T, 0, clients.get(),
                      &request));
  ep::wait_until(everyone, {"contexts that fields are exchanged with"}, [&] {
    poll();
    int done = 0;
    ep::check(EP_Test(&request, &done, EP_STATUS_IGNORE));
    return done != 0;
  });
  return word;
}

}  // namespace epios::client
