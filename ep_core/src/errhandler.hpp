#pragma once

#include <ep/ep.h>

#include <atomic>
#include <cstdint>

namespace ep {

struct Slot;

/// Behind an EP_Errhandler that a program made: lives while a handle or an endpoint refers to it.
struct ErrorHandler {
  std::atomic<std::uint32_t> alive{0};
  int references = 0;
  EP_Comm_errhandler_function* function = nullptr;
};

constexpr std::uint32_t errhandler_alive = 0x45504548;

/// The error handler of one endpoint, and the handle that its functions are called with. Only error
/// paths and setters look at it, so one lock serves all.
class ErrorHandling {
 public:
  ErrorHandling() = default;
  ErrorHandling(const ErrorHandling&) = delete;
  ErrorHandling(ErrorHandling&&) = delete;
  ErrorHandling& operator=(const ErrorHandling&) = delete;
  ErrorHandling& operator=(ErrorHandling&&) = delete;
  ~ErrorHandling();

  /// EP_COMM_NULL when the endpoint's handle is freed.
  void set_comm(EP_Comm comm);
  void set_handler(EP_Errhandler handler);
  void inherit(const ErrorHandling& parent);
  /// With a reference of its own for the caller.
  EP_Errhandler handler() const;

  /// Has the handler deal with `code`; returns if the handler does. `where` names the endpoint.
  void raise(int code, const Slot& where) const noexcept;

 private:
  EP_Errhandler handler_ = EP_ERRORS_ARE_FATAL;
  EP_Comm comm_ = EP_COMM_NULL;
};

EP_Errhandler make_errhandler(EP_Comm_errhandler_function* function);
/// Drops one reference. Throws for a handle that is none.
void free_errhandler(EP_Errhandler handler);

}  // namespace ep

// The handle of the C interface points to this.
struct ep_errhandler : ep::ErrorHandler {};
