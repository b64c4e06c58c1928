#include "context/turn.hpp"

#include <fmt/format.h>

#include "config/error.hpp"

namespace epios::client {

void Turn::refuse(const ClientState& client, std::string_view context) {
  throw Error(
      ErrorCode::call_order,
      fmt::format("{}two threads call client {} at the same time (a client and its contexts "
                  "belong to one thread at a time, but for tiles). Open one client per "
                  "thread, or let only one of them call?",
                  context.empty() ? "" : fmt::format("context '{}': ", context), client.rank()));
}

}  // namespace epios::client
