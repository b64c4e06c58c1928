// Error handlers of communicators, windows, files and sessions. One class serves all four, since
// MPI's rules are the same for each. In order: references to handler objects, setters, raise(),
// which invokes a handler, and the objects that programs make.
#include "cliques/errhandler.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "cliques/clique_tables.hpp"
#include "process/error.hpp"
#include "progress/progress.hpp"

namespace ep {

namespace {

bool is_predefined(EP_Errhandler handler) {
  return handler == EP_ERRORS_ARE_FATAL ||  // NOLINT(performance-no-int-to-ptr): constants
         handler == EP_ERRORS_ABORT ||      // NOLINT(performance-no-int-to-ptr)
         handler == EP_ERRORS_RETURN;       // NOLINT(performance-no-int-to-ptr)
}

void check_errhandler(EP_Errhandler handler) {
  if (is_predefined(handler)) return;
  if (handler == EP_ERRHANDLER_NULL || !clique_tables().errhandlers.contains(handler) ||
      handler->alive.load() != errhandler_alive) {
    fail(EP_ERR_ARG, "the error handler is not valid (null, freed, or not an error handler).");
  }
}

const char* name(ErrorHandler::Owner owner) {
  constexpr std::array<const char*, 4> names{"communicators", "windows", "files", "sessions"};
  return names.at(static_cast<std::size_t>(owner));
}

std::mutex& mutex() { return clique_tables().errhandler_mutex; }

void add_reference(EP_Errhandler handler) {
  if (!is_predefined(handler)) ++handler->references;
}

void drop_reference(EP_Errhandler handler) {
  if (is_predefined(handler) || --handler->references > 0) return;
  handler->alive.store(0);
  clique_tables().errhandlers.give(handler);
}

[[noreturn]] void end_job(int code, const WaitPoint& where) {
  const std::string name = registry().name_of(where);
  std::fprintf(stderr, "[ep] fatal error at rank %d of %d%s%s%s: %s\n", where.rank, where.size,
               name.empty() ? "" : " in '", name.c_str(), name.empty() ? "" : "'", last_error());
  abort_job(code);
}

}  // namespace

ErrorHandling::ErrorHandling(OfFiles /*kind*/)
    : handler_(EP_ERRORS_RETURN),  // NOLINT(performance-no-int-to-ptr): a constant
      owner_(Owner::file) {}

ErrorHandling::~ErrorHandling() {
  const std::lock_guard lock(mutex());
  drop_reference(handler_);
}

void ErrorHandling::set_comm(EP_Comm comm) {
  const std::lock_guard lock(mutex());
  comm_ = comm;
}

void ErrorHandling::set_win(EP_Win win) {
  const std::lock_guard lock(mutex());
  owner_ = Owner::window;
  win_ = win;
}

void ErrorHandling::set_file(EP_File file, const ErrorHandling& defaults) {
  if (owner_ != Owner::file) inherit(defaults);
  const std::lock_guard lock(mutex());
  owner_ = Owner::file;
  file_ = file;
}

void ErrorHandling::set_session(EP_Session session) {
  const std::lock_guard lock(mutex());
  owner_ = Owner::session;
  session_ = session;
}

void ErrorHandling::set_handler(EP_Errhandler handler) {
  const std::lock_guard lock(mutex());
  check_errhandler(handler);
  if (!is_predefined(handler) && handler->made_for() != owner_) {
    fail(EP_ERR_ARG, "the error handler was made for ", name(handler->made_for()), ", not for ",
         name(owner_), " (its function has other arguments).");
  }
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

int ErrorHandling::raise(int code, const WaitPoint& where) const noexcept {
  EP_Comm_errhandler_function* function = nullptr;
  EP_Win_errhandler_function* win_function = nullptr;
  EP_File_errhandler_function* file_function = nullptr;
  EP_Session_errhandler_function* session_function = nullptr;
  EP_Comm comm = EP_COMM_NULL;
  EP_Win win = EP_WIN_NULL;
  EP_File file = EP_FILE_NULL;
  EP_Session session = EP_SESSION_NULL;
  {
    const std::lock_guard lock(mutex());
    if (handler_ == EP_ERRORS_RETURN) return code;  // NOLINT(performance-no-int-to-ptr)
    if (!is_predefined(handler_)) {
      function = handler_->function;
      win_function = handler_->win_function;
      file_function = handler_->file_function;
      session_function = handler_->session_function;
    }
    comm = comm_;
    win = win_;
    file = file_;
    session = session_;
  }
  if (win_function != nullptr) {
    win_function(&win, &code);
  } else if (file_function != nullptr) {
    file_function(&file, &code);
  } else if (session_function != nullptr) {
    session_function(&session, &code);
  } else if (function != nullptr) {
    function(&comm, &code);
  } else {
    end_job(code, where);
  }
  return code;
}

namespace {

/// A handler with one of its functions, which says what kind of object it is for.
template <class Function>
EP_Errhandler make(Function* ErrorHandler::*member, Function* function) {
  if (function == nullptr) fail(EP_ERR_ARG, "the error handler function is a null pointer.");
  ep_errhandler* const handler = clique_tables().errhandlers.take();
  handler->function = nullptr;
  handler->win_function = nullptr;
  handler->file_function = nullptr;
  handler->session_function = nullptr;
  handler->*member = function;
  handler->references = 1;
  handler->alive.store(errhandler_alive);
  return handler;
}

}  // namespace

EP_Errhandler make_errhandler(EP_Comm_errhandler_function* function) {
  return make(&ErrorHandler::function, function);
}

EP_Errhandler make_errhandler(EP_Win_errhandler_function* function) {
  return make(&ErrorHandler::win_function, function);
}

EP_Errhandler make_errhandler(EP_File_errhandler_function* function) {
  return make(&ErrorHandler::file_function, function);
}

EP_Errhandler make_errhandler(EP_Session_errhandler_function* function) {
  return make(&ErrorHandler::session_function, function);
}

void free_errhandler(EP_Errhandler handler) {
  const std::lock_guard lock(mutex());
  check_errhandler(handler);
  drop_reference(handler);
}

}  // namespace ep
