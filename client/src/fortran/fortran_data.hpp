#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>

#include "context/client_lock.hpp"
#include "context/context_state.hpp"
#include "fortran/fortran_array.hpp"

namespace epios::client {

/// What both Fortran modules do with texts and arrays.

/// A text of Fortran: blanks at its end do not count.
inline std::string_view trimmed(const char* text, size_t length) {
  while (length > 0 && text[length - 1] == ' ') --length;
  return {text, length};
}

/// Sends an array, or a tile, of a field: by its number, or by its id where no tile is meant. A
/// tile below 0 is none, as models compute it that have no tiles.
template <class Field>
void send_array(ContextState& context, const Field& field, const CFI_cdesc_t& data,
                const int* tile) {
  const FortranArray array(data);
  array.with_values([&]<class T>(std::span<T> values) {
    const std::span<const T> sent = values;
    constexpr bool is_number = std::is_same_v<Field, int>;
    if (tile == nullptr || *tile < 0) {
      const ClientLock lock(context.client(), context.id());
      if constexpr (is_number) {
        context.run(RunCall::send).sent().send(field, sent);
      } else {
        context.run(RunCall::send_by_id, field).send(field, sent);
      }
    } else if constexpr (is_number) {
      context.run(RunCall::send_tile).sent().send_tile(field, *tile, sent);
    } else {
      const int number = context.run(RunCall::find_field).numbers().sent(field);
      context.run(RunCall::send_tile).sent().send_tile(number, *tile, sent);
    }
  });
}

/// What a section has no place for on this client keeps what it holds.
inline void receive_array(ContextState& context, int read_field, const CFI_cdesc_t& data) {
  const ClientLock lock(context.client(), context.id());
  const FortranArray array(data);
  array.with_values(
      [&](auto values) { context.run(RunCall::receive).receive(read_field, values); });
  array.put_back();
}
inline void receive_array(ContextState& context, std::string_view field, const CFI_cdesc_t& data) {
  receive_array(context, context.run(RunCall::find_read_field).numbers().received(field), data);
}

/// Ends the job with the text of the last error of this thread. `client` may be null.
[[noreturn]] void fail(epios_client* client, const std::string& text);

}  // namespace epios::client
