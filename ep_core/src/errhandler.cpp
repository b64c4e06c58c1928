#include "errhandler.hpp"

#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "clique.hpp"
#include "error.hpp"
#include "process.hpp"

namespace ep {

namespace {

bool is_predefined(EP_Errhandler handler) {
  return handler == EP_ERRORS_ARE_FATAL ||  // NOLINT(performance-no-int-to-ptr): constants
         handler == EP_ERRORS_RETURN;       // NOLINT(performance-no-int-to-ptr)
}

void check_errhandler(EP_Errhandler handler) {
  if (is_predefined(handler)) return;
  if (handler == EP_ERRHANDLER_NULL || !process().errhandlers().contains(handler) ||
      handler->alive.load() != errhandler_alive) {
    fail(EP_ERR_ARG, "the error handler is not valid (null, freed, or not an error handler).");
  }
}

std::mutex& mutex() { return process().errhandler_mutex(); }

void add_reference(EP_Errhandler handler) {
  if (!is_predefined(handler)) ++handler->references;
}

void drop_reference(EP_Errhandler handler) {
  if (is_predefined(handler) || --handler->references > 0) return;
  handler->alive.store(0);
  process().errhandlers().give(handler);
}

[[noreturn]] void end_job(int code, const Slot& where) {
  const std::string name = process().registry().name_of(where);
  std::fprintf(stderr, "[ep] fatal error at rank %d of %d%s%s%s: %s\n", where.rank, where.size,
               name.empty() ? "" : " in '", name.c_str(), name.empty() ? "" : "'", last_error());
  MPI_Abort(MPI_COMM_WORLD, code);
  std::abort();
}

}  // namespace

ErrorHandling::~ErrorHandling() {
  const std::lock_guard lock(mutex());
  drop_reference(handler_);
}

void ErrorHandling::set_comm(EP_Comm comm) {
  const std::lock_guard lock(mutex());
  comm_ = comm;
}

void ErrorHandling::set_handler(EP_Errhandler handler) {
  const std::lock_guard lock(mutex());
  check_errhandler(handler);
  add_reference(handler);
  drop_reference(handler_);
  handler_ = handler;
}

void ErrorHandling::inherit(const ErrorHandling& parent) {
  const std::lock_guard lock(mutex());
  add_reference(parent.handler_);
  drop_reference(handler_);
  handler_ = parent.handler_;
}

EP_Errhandler ErrorHandling::handler() const {
  const std::lock_guard lock(mutex());
  add_reference(handler_);
  return handler_;
}

void ErrorHandling::raise(int code, const Slot& where) const noexcept {
  EP_Comm_errhandler_function* function = nullptr;
  EP_Comm comm = EP_COMM_NULL;
  {
    const std::lock_guard lock(mutex());
    if (handler_ == EP_ERRORS_RETURN) return;  // NOLINT(performance-no-int-to-ptr)
    if (!is_predefined(handler_)) function = handler_->function;
    comm = comm_;
  }
  if (function == nullptr) end_job(code, where);
  function(&comm, &code);
}

EP_Errhandler make_errhandler(EP_Comm_errhandler_function* function) {
  if (function == nullptr) fail(EP_ERR_ARG, "the error handler function is a null pointer.");
  ep_errhandler* const handler = process().errhandlers().take();
  handler->function = function;
  handler->references = 1;
  handler->alive.store(errhandler_alive);
  return handler;
}

void free_errhandler(EP_Errhandler handler) {
  const std::lock_guard lock(mutex());
  check_errhandler(handler);
  drop_reference(handler);
}

}  // namespace ep
