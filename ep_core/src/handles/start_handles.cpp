#include "handles/start_handles.hpp"

#include "handles/handle_tables.hpp"
#include "process/error.hpp"

namespace ep {

namespace {

// Null before the first start.
const StartHandles* start_handles() noexcept {
  return handle_tables().start.load(std::memory_order_acquire);
}

}  // namespace

bool is_predefined(EP_Comm comm) noexcept {
  return comm == EP_COMM_WORLD || comm == EP_COMM_ENDPOINTS || comm == EP_COMM_CLIQUE ||
         comm == EP_COMM_SELF;
}

void use_start_handles(const StartHandles& handles) {
  handle_tables().start.store(&handles, std::memory_order_release);
}

void restrict_calls(bool restricted) { handle_tables().restricts_calls.store(restricted); }

EP_Comm resolved(EP_Comm predefined) {
  const StartHandles* const start = start_handles();
  if (start == nullptr) {
    fail(EP_ERR_COMM, "a predefined communicator before EP_Init_thread or EP_Init_endpoint.");
  }
  return start->resolve(predefined);
}

int attached_endpoint() noexcept {
  const StartHandles* const start = start_handles();
  return start != nullptr ? start->attached() : EP_UNDEFINED;
}

std::optional<int> universe_size() {
  const StartHandles* const start = start_handles();
  return start != nullptr ? start->universe_size() : std::nullopt;
}

CallScope::CallScope(EP_Comm comm) {
  if (!handle_tables().restricts_calls.load(std::memory_order_acquire)) return;
  if (const StartHandles* const start = start_handles(); start != nullptr) {
    caller_ = start->begin_call(comm);
  }
}

}  // namespace ep
