#pragma once

#include <ep/ep.h>

#include <atomic>
#include <cstdint>

namespace ep {

struct WaitPoint;

/// The object behind an EP_Errhandler that a program made: lives while a handle or an endpoint
/// refers to it.
struct ErrorHandler {
  std::atomic<std::uint32_t> alive{0};
  int references = 0;
  EP_Comm_errhandler_function* function = nullptr;             ///< set for communicators
  EP_Win_errhandler_function* win_function = nullptr;          ///< set for windows
  EP_File_errhandler_function* file_function = nullptr;        ///< set for files
  EP_Session_errhandler_function* session_function = nullptr;  ///< set for sessions

  enum class Owner { communicator, window, file, session };
  Owner made_for() const noexcept {
    if (win_function != nullptr) return Owner::window;
    if (session_function != nullptr) return Owner::session;
    return file_function != nullptr ? Owner::file : Owner::communicator;
  }
};

constexpr std::uint32_t errhandler_alive = 0x45504548;

/// Holds the error handler of one endpoint of a communicator, window, file or session, and the
/// handle that its functions receive. Only error paths and setters use it, so one lock serves all.
class ErrorHandling {
 public:
  ErrorHandling() = default;
  /// Selects the handler of EP_FILE_NULL.
  struct OfFiles {};
  explicit ErrorHandling(OfFiles /*kind*/);
  ErrorHandling(const ErrorHandling&) = delete;
  ErrorHandling(ErrorHandling&&) = delete;
  ErrorHandling& operator=(const ErrorHandling&) = delete;
  ErrorHandling& operator=(ErrorHandling&&) = delete;
  ~ErrorHandling();

  /// Sets the communicator; EP_COMM_NULL when the endpoint's handle is freed.
  void set_comm(EP_Comm comm);
  /// Turns the error handling of a window's communicator into that of the window.
  void set_win(EP_Win win);
  /// Turns the error handling of a file's communicator into that of the file, with the handler of
  /// `defaults`.
  void set_file(EP_File file, const ErrorHandling& defaults);
  /// Turns this object into the error handling of a session.
  void set_session(EP_Session session);
  /// Sets the handler. Throws for one of another kind of object.
  void set_handler(EP_Errhandler handler);
  void inherit(const ErrorHandling& parent);
  /// Returns the handler with a reference for the caller.
  EP_Errhandler handler() const;

  /// Invokes the handler with `code`. If the handler returns, returns the code for the call, which
  /// the handler may have changed (MPI-3.1, 8.3). `where` names the endpoint.
  int raise(int code, const WaitPoint& where) const noexcept;

 private:
  using Owner = ErrorHandler::Owner;

  EP_Errhandler handler_ = EP_ERRORS_ARE_FATAL;
  EP_Comm comm_ = EP_COMM_NULL;
  Owner owner_ = Owner::communicator;
  EP_Win win_ = EP_WIN_NULL;
  EP_File file_ = EP_FILE_NULL;
  EP_Session session_ = EP_SESSION_NULL;
};

EP_Errhandler make_errhandler(EP_Comm_errhandler_function* function);
EP_Errhandler make_errhandler(EP_Win_errhandler_function* function);
EP_Errhandler make_errhandler(EP_File_errhandler_function* function);
EP_Errhandler make_errhandler(EP_Session_errhandler_function* function);
/// Drops one reference. Throws for an unknown handle.
void free_errhandler(EP_Errhandler handler);

}  // namespace ep

// The handle of the C interface points to this.
struct ep_errhandler : ep::ErrorHandler {};
