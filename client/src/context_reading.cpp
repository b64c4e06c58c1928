// Fields that come from files.

#include <fmt/format.h>

#include "config/error.hpp"
#include "context_state.hpp"

namespace epios::client {

template <class T>
void ContextState::receive_field(std::string_view field, std::span<T> /*data*/) {
  if (state_ != State::running) {
    out_of_order("a field received outside the time loop",
                 "(it comes after epios_close_definition and before epios_context_finalize)");
  }
  throw Error(ErrorCode::call_order,
              fmt::format("context '{}': field '{}' cannot be received (reading is not there yet). "
                          "Read the file in the model until then?",
                          id_, field));
}

template void ContextState::receive_field(std::string_view, std::span<double>);
template void ContextState::receive_field(std::string_view, std::span<float>);

}  // namespace epios::client
