/// @file
/// The client interface of EPIOS in C++: a thin, header-only façade over <epios/epios.h>. Objects
/// own their handles, errors are exceptions of type Error. Each method has the pre- and
/// postconditions of the C function that its comment names.
#pragma once

#include <epios/epios.h>

#include <cstddef>
#include <cstdint>
#include <epios/definition.hpp>
#include <epios/error.hpp>
#include <exception>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace epios::client {

/// Returns the version of the library (epios_version).
inline std::string version() { return epios_version(); }

/// Where the data of a component goes.
struct Servers {
  int count = 0;
  bool attached = false;  ///< true if the servers live in the clients
};

struct FileReport {
  std::string path;
  std::int64_t records_written = 0;
  std::int64_t records_lost = 0;
  std::int64_t bytes = 0;
  std::string error;   ///< empty if the file is complete
  std::string losses;  ///< records lost by field, such as "tos 3, sos 1"
  std::int64_t records_short = 0;
  std::int64_t records_missing = 0;
  std::string unsent;  ///< data that the model did not send, by field: "tos 1 short, sos 2 missing"
};

/// Returns all extents that a function of C gets: `get(rank, extents, capacity)`.
template <class Get>
std::vector<std::int64_t> all_extents(const Get& get) {
  int rank = 0;
  check(get(&rank, nullptr, 0));
  std::vector<std::int64_t> out;
  for (int d = 0; d < rank; ++d) out.push_back(0);
  check(get(&rank, out.data(), rank));
  return out;
}

/// A handle to a field of a context, found once (epios_find_field). It may be copied and is valid
/// until the context is finalized.
class Field {
 public:
  /// Sends the local array for the current date (epios_field_send_double, epios_field_send_float).
  void send(std::span<const double> data) const {
    check(epios_field_send_double(handle_, data.data(), static_cast<std::int64_t>(data.size())));
  }
  void send(std::span<const float> data) const {
    check(epios_field_send_float(handle_, data.data(), static_cast<std::int64_t>(data.size())));
  }
  void send(double value) const { send(std::span<const double>(&value, 1)); }
  /// Sends one tile (epios_field_send_tile_double, epios_field_send_tile_float). Several threads
  /// may call it at once.
  void send_tile(int tile, std::span<const double> data) const {
    check(epios_field_send_tile_double(handle_, tile, data.data(),
                                       static_cast<std::int64_t>(data.size())));
  }
  void send_tile(int tile, std::span<const float> data) const {
    check(epios_field_send_tile_float(handle_, tile, data.data(),
                                      static_cast<std::int64_t>(data.size())));
  }
  /// Borrows the array to compute in (epios_field_borrow_double, epios_field_borrow_float). T is
  /// double or float. The array must be sent or given back before anything else is sent.
  template <class T = double>
  std::span<T> borrow() const {
    static_assert(std::is_same_v<T, double> || std::is_same_v<T, float>, "double or float");
    T* data = nullptr;
    std::int64_t count = 0;
    if constexpr (std::is_same_v<T, double>) {
      check(epios_field_borrow_double(handle_, &data, &count));
    } else {
      check(epios_field_borrow_float(handle_, &data, &count));
    }
    return {data, static_cast<std::size_t>(count)};
  }
  /// Ends the loan without a send (epios_field_give_back).
  void give_back() const { check(epios_field_give_back(handle_)); }
  /// Returns true if a file uses the field, with `now` at the current date
  /// (epios_field_ask_active).
  bool is_active(bool now = false) const {
    int active = 0;
    check(epios_field_ask_active(handle_, now ? 1 : 0, &active));
    return active != 0;
  }
  /// Returns the extents of the local array, first index fastest; none if no file needs the field
  /// (epios_field_extents).
  std::vector<std::int64_t> extents() const {
    return all_extents([this](int* rank, std::int64_t* extents, int capacity) {
      return epios_field_extents(handle_, rank, extents, capacity);
    });
  }
  epios_field get() const noexcept { return handle_; }

 private:
  friend class Context;
  Field() = default;
  epios_field handle_{nullptr, -1};
};

/// One context of one client: its definitions, then its time loop. It is a view; the client owns
/// the context.
class Context {
 public:
  /// Finds an element, or returns nullopt (epios_find).
  std::optional<Element> find(const std::string& tag, const std::string& id = "") const {
    Element out;
    check(epios_find(handle_, tag.c_str(), id.c_str(), &out.handle_));
    if (out.handle_.node < 0) return std::nullopt;
    return out;
  }
  /// Finds an element, or throws (epios_at).
  Element at(const std::string& tag, const std::string& id = "") const {
    Element out;
    check(epios_at(handle_, tag.c_str(), id.c_str(), &out.handle_));
    return out;
  }
  /// Resolves inherited attributes now (epios_solve_inheritance).
  void solve_inheritance() { check(epios_solve_inheritance(handle_)); }

  /// Adds or reopens an element (epios_add).
  void add(const std::string& element, const std::string& id,
           const std::string& parent_element = "", const std::string& parent_id = "") {
    check(
        epios_add(handle_, element.c_str(), id.c_str(), parent_element.c_str(), parent_id.c_str()));
  }

  /// Set an attribute; a text sets any of them in XML syntax: words, durations, dates, references
  /// (epios_set_text and its siblings).
  void set(const std::string& element, const std::string& id, const std::string& attribute,
           const char* text) {
    check(epios_set_text(handle_, element.c_str(), id.c_str(), attribute.c_str(), text));
  }
  void set(const std::string& element, const std::string& id, const std::string& attribute,
           const std::string& text) {
    set(element, id, attribute, text.c_str());
  }
  void set(const std::string& element, const std::string& id, const std::string& attribute,
           bool value) {
    check(epios_set_bool(handle_, element.c_str(), id.c_str(), attribute.c_str(), value ? 1 : 0));
  }
  void set(const std::string& element, const std::string& id, const std::string& attribute,
           std::int64_t value) {
    check(epios_set_int(handle_, element.c_str(), id.c_str(), attribute.c_str(), value));
  }
  void set(const std::string& element, const std::string& id, const std::string& attribute,
           int value) {
    set(element, id, attribute, static_cast<std::int64_t>(value));
  }
  void set(const std::string& element, const std::string& id, const std::string& attribute,
           double value) {
    check(epios_set_double(handle_, element.c_str(), id.c_str(), attribute.c_str(), value));
  }
  /// Set an array, first index fastest. Without a shape it has one dimension.
  void set(const std::string& element, const std::string& id, const std::string& attribute,
           std::span<const double> values, std::initializer_list<std::int64_t> shape = {}) {
    const ArrayShape s(values.size(), shape);
    check(epios_set_doubles(handle_, element.c_str(), id.c_str(), attribute.c_str(), values.data(),
                            s.rank(), s.data()));
  }
  void set(const std::string& element, const std::string& id, const std::string& attribute,
           std::span<const std::int64_t> values, std::initializer_list<std::int64_t> shape = {}) {
    const ArrayShape s(values.size(), shape);
    check(epios_set_ints(handle_, element.c_str(), id.c_str(), attribute.c_str(), values.data(),
                         s.rank(), s.data()));
  }
  void set(const std::string& element, const std::string& id, const std::string& attribute,
           std::span<const unsigned char> values, std::initializer_list<std::int64_t> shape = {}) {
    const ArrayShape s(values.size(), shape);
    check(epios_set_bools(handle_, element.c_str(), id.c_str(), attribute.c_str(), values.data(),
                          s.rank(), s.data()));
  }
  void set(const std::string& element, const std::string& id, const std::string& attribute,
           const std::vector<double>& values, std::initializer_list<std::int64_t> shape = {}) {
    set(element, id, attribute, std::span<const double>(values), shape);
  }
  void set(const std::string& element, const std::string& id, const std::string& attribute,
           const std::vector<unsigned char>& values,
           std::initializer_list<std::int64_t> shape = {}) {
    set(element, id, attribute, std::span<const unsigned char>(values), shape);
  }

  /// Returns the text of a variable, or nullopt if there is none (epios_variable_length,
  /// epios_get_variable).
  std::optional<std::string> variable(const std::string& id) const {
    std::int64_t length = 0;
    check(epios_variable_length(handle_, id.c_str(), &length));
    if (length < 0) return std::nullopt;
    std::string text(static_cast<std::size_t>(length) + 1, '\0');
    check(epios_get_variable(handle_, id.c_str(), text.data(), text.size()));
    text.pop_back();
    return text;
  }

  /// Returns a variable as bool, std::int64_t or double, or nullopt if there is none
  /// (epios_get_variable_bool and its siblings).
  template <class T>
  std::optional<T> variable_as(const std::string& id) const {
    std::int64_t length = 0;
    check(epios_variable_length(handle_, id.c_str(), &length));
    if (length < 0) return std::nullopt;
    if constexpr (std::is_same_v<T, bool>) {
      int value = 0;
      check(epios_get_variable_bool(handle_, id.c_str(), &value));
      return value != 0;
    } else if constexpr (std::is_same_v<T, double>) {
      double value = 0;
      check(epios_get_variable_double(handle_, id.c_str(), &value));
      return value;
    } else {
      static_assert(std::is_same_v<T, std::int64_t>, "bool, std::int64_t or double");
      std::int64_t value = 0;
      check(epios_get_variable_int(handle_, id.c_str(), &value));
      return value;
    }
  }
  /// Changes a variable (epios_set_variable).
  void set_variable(const std::string& id, const std::string& text) {
    check(epios_set_variable(handle_, id.c_str(), text.c_str()));
  }

  /// Ends the definition (epios_close_definition). Collective.
  void close_definition() { check(epios_close_definition(handle_)); }
  /// Sets the current step (epios_update_calendar).
  void update_calendar(std::int64_t step) { check(epios_update_calendar(handle_, step)); }
  /// Returns the date of the current step as text (epios_current_date).
  std::string current_date() const {
    char text[64];
    check(epios_current_date(handle_, text, sizeof text));
    return text;
  }
  /// Sends the local array for the current date (epios_send_double, epios_send_float).
  void send(const std::string& field, std::span<const double> data) {
    check(epios_send_double(handle_, field.c_str(), data.data(),
                            static_cast<std::int64_t>(data.size())));
  }
  void send(const std::string& field, std::span<const float> data) {
    check(epios_send_float(handle_, field.c_str(), data.data(),
                           static_cast<std::int64_t>(data.size())));
  }
  void send(const std::string& field, double value) {
    send(field, std::span<const double>(&value, 1));
  }
  /// Receives the local array for the current date (epios_recv_double, epios_recv_float).
  void receive(const std::string& field, std::span<double> data) {
    check(epios_recv_double(handle_, field.c_str(), data.data(),
                            static_cast<std::int64_t>(data.size())));
  }
  void receive(const std::string& field, std::span<float> data) {
    check(epios_recv_float(handle_, field.c_str(), data.data(),
                           static_cast<std::int64_t>(data.size())));
  }
  /// Finds a field for repeated sends (epios_find_field).
  Field field(const std::string& id) const {
    Field out;
    check(epios_find_field(handle_, id.c_str(), &out.handle_));
    return out;
  }
  /// Returns true if a file uses the field, with `now` at the current date (epios_field_is_active).
  bool is_active(const std::string& field, bool now = false) const {
    int active = 0;
    check(epios_field_is_active(handle_, field.c_str(), now ? 1 : 0, &active));
    return active != 0;
  }
  /// Returns what the context has cost this client so far (epios_get_statistics).
  epios_statistics statistics() const {
    epios_statistics out;
    check(epios_get_statistics(handle_, &out));
    return out;
  }
  /// Ends the context and finishes its files (epios_context_finalize). Collective.
  void finalize() { check(epios_context_finalize(handle_)); }
  /// Returns the reports about all files of the finalized context (epios_get_file_report). The text
  /// of an earlier failure stays (epios_last_error).
  std::vector<FileReport> file_reports() const {
    std::vector<FileReport> out;
    int count = 0;
    check(epios_count_file_reports(handle_, &count));
    epios_file_report report;
    for (int i = 0; i < count; ++i) {
      check(epios_get_file_report(handle_, i, &report));
      out.push_back({report.path, report.records_written, report.records_lost, report.bytes,
                     report.error, report.losses, report.records_short, report.records_missing,
                     report.unsent});
    }
    return out;
  }

  epios_context* get() const noexcept { return handle_; }

 private:
  friend class Client;
  explicit Context(epios_context* handle) noexcept : handle_(handle) {}

  epios_context* handle_;
};

/// Returns the extents of the array that a field is received into (epios_read_field_extents).
inline std::vector<std::int64_t> extents_received(const Context& context,
                                                  const std::string& field) {
  epios_read_field found;
  check(epios_find_read_field(context.get(), field.c_str(), &found));
  return all_extents([&](int* rank, std::int64_t* extents, int capacity) {
    return epios_read_field_extents(found, rank, extents, capacity);
  });
}

/// The membership of this process in the job (epios_session_open … epios_session_close). One per
/// process.
class Session {
 public:
  struct Options {
    std::string iodef;  ///< entry XML file; "" means $EPIOS_IODEF or else "iodef.xml"
    int clients = 1;    ///< number of sending threads of this process
    bool host_server =
        false;  ///< this process also runs a server, on the thread that calls serve()
    MPI_Comm comm = MPI_COMM_WORLD;
  };

  explicit Session(const std::string& code_id) : Session(code_id, Options()) {}
  Session(const std::string& code_id, const Options& options) {
    const epios_session_options c{options.iodef.empty() ? nullptr : options.iodef.c_str(),
                                  options.clients, options.host_server ? 1 : 0, options.comm};
    check(epios_session_open(code_id.c_str(), &c, &handle_));
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  Session(Session&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Session& operator=(Session&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  /// Closes the session and ignores errors, or abandons it if an exception is being thrown
  /// (epios_session_abandon).
  ~Session() {
    if (handle_ == nullptr) return;
    if (std::uncaught_exceptions() > exceptions_) {
      epios_session_abandon(handle_);
    } else {
      epios_session_close(handle_);
    }
  }

  /// Runs the hosted server until all components have finished (epios_session_serve).
  void serve() { check(epios_session_serve(handle_)); }
  /// Gives the session up after an error (epios_session_abandon); the object is empty then.
  void abandon() noexcept {
    if (handle_ != nullptr) epios_session_abandon(std::exchange(handle_, nullptr));
  }
  /// Returns the communicator over the processes of the component (epios_session_comm).
  MPI_Comm comm() const {
    MPI_Comm out = MPI_COMM_NULL;
    check(epios_session_comm(handle_, &out));
    return out;
  }
  /// Returns the number of open clients of this process (epios_session_open_clients).
  int open_clients() const {
    int out = 0;
    check(epios_session_open_clients(handle_, &out));
    return out;
  }
  /// Leaves the job (epios_session_close). Throws while clients are open; the session then stays
  /// open and can be closed after them.
  void close() {
    const bool stays_open = open_clients() > 0;
    const int code = epios_session_close(handle_);
    if (!stays_open) handle_ = nullptr;
    check(code);
  }

  epios_session* get() const noexcept { return handle_; }

 private:
  int exceptions_ = std::uncaught_exceptions();
  epios_session* handle_ = nullptr;
};

/// One sending thread of the component (epios_client_open … epios_client_close).
class Client {
 public:
  explicit Client(const Session& session, int index = 0) {
    check(epios_client_open(session.get(), index, &handle_));
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  Client(Client&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Client& operator=(Client&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  /// Closes the client and ignores errors, or abandons it if an exception is being thrown
  /// (epios_client_abandon).
  ~Client() {
    if (handle_ == nullptr) return;
    if (std::uncaught_exceptions() > exceptions_) {
      epios_client_abandon(handle_);
    } else {
      epios_client_close(handle_);
    }
  }

  int rank() const { return query(epios_client_rank); }
  int size() const { return query(epios_client_size); }
  /// Returns the servers that the component writes to (epios_client_servers).
  Servers servers() const {
    int count = 0;
    int attached = 0;
    check(epios_client_servers(handle_, &count, &attached));
    return {count, attached != 0};
  }
  /// Waits for `threads` threads of this process, which help the client meanwhile
  /// (epios_client_help_at_barrier).
  void help_at_barrier(int threads) { check(epios_client_help_at_barrier(handle_, threads)); }
  /// Opens a context on all clients of the component (epios_context_open).
  Context open_context(const std::string& id) {
    epios_context* context = nullptr;
    check(epios_context_open(handle_, id.c_str(), &context));
    return Context(context);
  }
  /// Opens a context on the clients of the processes of `comm` (epios_context_open_on). Collective
  /// over these clients.
  Context open_context(const std::string& id, MPI_Comm comm) {
    epios_context* context = nullptr;
    check(epios_context_open_on(handle_, id.c_str(), comm, &context));
    return Context(context);
  }
  /// Opens a context on the clients with these ranks (epios_context_open_among). Collective over
  /// these clients.
  Context open_context(const std::string& id, std::span<const int> ranks) {
    epios_context* context = nullptr;
    check(epios_context_open_among(handle_, id.c_str(), ranks.data(),
                                   static_cast<int>(ranks.size()), &context));
    return Context(context);
  }
  /// Gives the client up after an error (epios_client_abandon); the object is empty then.
  void abandon() noexcept {
    if (handle_ != nullptr) epios_client_abandon(std::exchange(handle_, nullptr));
  }
  /// Closes the client (epios_client_close).
  void close() { check(epios_client_close(std::exchange(handle_, nullptr))); }

  epios_client* get() const noexcept { return handle_; }

 private:
  int query(int (*function)(const epios_client*, int*)) const {
    int value = 0;
    check(function(handle_, &value));
    return value;
  }

  int exceptions_ = std::uncaught_exceptions();
  epios_client* handle_ = nullptr;
};

}  // namespace epios::client
