// C functions of ports, names and EP_Comm_join. The root talks to the ports; the others learn the
// outcome by a broadcast. In order: texts, connecting two groups, the exchange over a socket, the
// functions.
#include <ep/ports.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>

#include "collectives/collective.hpp"
#include "collectives/collective_calls.hpp"
#include "creation/creation.hpp"
#include "handles/api_arguments.hpp"
#include "process/error.hpp"
#include "programs/program_tables.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

Ports& ports() { return program_tables().ports; }

std::string checked_text(const char* text) {
  check_out(text);
  return text;
}

void give_port(const std::string& port, char* out) {
  std::memcpy(out, port.c_str(), port.size() + 1);
}

enum class Role { accepts, connects };

/// The result that the root obtains for all endpoints.
struct PortResult {
  int code = EP_SUCCESS;
  int text_size = 0;
  Connection connection;
};

// `find` is the root's part: whom it is connected with.
template <class Find>
EP_Comm connect(Endpoint& endpoint, int root, Role role, Find&& find) {
  PortResult shared;
  std::string text;
  if (endpoint.rank == root) {
    shared.code = guarded([&] { shared.connection = find(); });
    if (shared.code != EP_SUCCESS) text = last_error();
    shared.text_size = static_cast<int>(text.size());
  }
  bcast(endpoint, {&shared, sizeof shared, MPI_BYTE}, root);
  text.resize(static_cast<std::size_t>(shared.text_size));
  if (shared.text_size > 0) bcast(endpoint, {text.data(), shared.text_size, MPI_CHAR}, root);
  if (shared.code != EP_SUCCESS) throw Error(shared.code, text);
  const int tag = 2 * shared.connection.tag;
  const LeaderTags tags =
      role == Role::accepts ? LeaderTags{tag, tag + 1} : LeaderTags{tag + 1, tag};
  return create_intercomm(endpoint, root, ports().job(), shared.connection.process, tags);
}

template <class Find>
int connected(EP_Comm comm, EP_Comm* out, int root, Role role, const char* what, Find&& find) {
  return call_creating(comm, out, [&] {
    Endpoint& endpoint = intra_endpoint_of(comm, what);
    check_root(endpoint, root);
    *out = connect(endpoint, root, role, find);
  });
}

void send_all(int fd, const void* data, std::size_t size) {
  const auto* next = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t sent = ::send(fd, next, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) fail(EP_ERR_ARG, "EP_Comm_join cannot send (", std::strerror(errno), ").");
    next += sent;
    size -= static_cast<std::size_t>(sent);
  }
}

void receive_all(int fd, void* data, std::size_t size) {
  auto* next = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t got = ::recv(fd, next, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(EP_ERR_ARG, "EP_Comm_join cannot receive (", std::strerror(errno), ").");
    if (got == 0) fail(EP_ERR_ARG, "EP_Comm_join: the other end has closed its socket.");
    next += got;
    size -= static_cast<std::size_t>(got);
  }
}

/// The record that both ends of the socket exchange first.
struct Card {
  static constexpr std::array<char, 16> words{"ep_core joins 1"};

  std::array<char, 16> greeting = words;
  std::array<char, EP_MAX_PORT_NAME> port{};
};

std::string port_of_other(int fd, const std::string& own) {
  Card mine;
  Card theirs;
  own.copy(mine.port.data(), mine.port.size() - 1);
  send_all(fd, &mine, sizeof mine);
  receive_all(fd, &theirs, sizeof theirs);
  if (theirs.greeting != Card::words) {
    fail(EP_ERR_ARG, "EP_Comm_join: the other end of the socket says something else.");
  }
  theirs.port.back() = '\0';
  std::string other = theirs.port.data();
  if (!ports().is_of_job(other) || other == own) {
    fail(EP_ERR_ARG, "EP_Comm_join: the other end is no endpoint of this job ('", other, "').");
  }
  return other;
}

// The names of the two ports differ; both sides connect at the smaller one.
EP_Comm join(int fd) {
  const std::string own_port = ports().open();
  EP_Comm out = EP_COMM_NULL;
  const int code = guarded([&] {
    const std::string other = port_of_other(fd, own_port);
    const Role role = own_port < other ? Role::accepts : Role::connects;
    out = connect(endpoint_of(EP_COMM_SELF), 0, role, [&] {
      return role == Role::accepts ? ports().accept(own_port) : ports().call(other);
    });
  });
  const std::string text = code != EP_SUCCESS ? last_error() : std::string();
  ports().close(own_port);
  if (code == EP_ERR_PORT) fail(EP_ERR_ARG, "EP_Comm_join: ", text);
  if (code != EP_SUCCESS) throw Error(code, text);
  return out;
}

}  // namespace

int EP_Open_port(MPI_Info /*info*/, char* port) {
  return guarded([&] {
    check_out(port);
    give_port(ports().open(), port);
  });
}

int EP_Close_port(const char* port) {
  return guarded([&] { ports().close(checked_text(port)); });
}

int EP_Comm_accept(const char* port, MPI_Info /*info*/, int root, EP_Comm comm, EP_Comm* out) {
  return connected(comm, out, root, Role::accepts, "EP_Comm_accept",
                   [port] { return ports().accept(checked_text(port)); });
}

int EP_Comm_connect(const char* port, MPI_Info /*info*/, int root, EP_Comm comm, EP_Comm* out) {
  return connected(comm, out, root, Role::connects, "EP_Comm_connect",
                   [port] { return ports().call(checked_text(port)); });
}

int EP_Comm_join(int fd, EP_Comm* out) {
  return call_creating(EP_COMM_SELF, out, [&] { *out = join(fd); });
}

int EP_Publish_name(const char* service, MPI_Info /*info*/, const char* port) {
  return guarded([&] { ports().publish(checked_text(service), checked_text(port)); });
}

int EP_Unpublish_name(const char* service, MPI_Info /*info*/, const char* port) {
  return guarded([&] { ports().unpublish(checked_text(service), checked_text(port)); });
}

int EP_Lookup_name(const char* service, MPI_Info /*info*/, char* port) {
  return guarded([&] {
    check_out(port);
    give_port(ports().look_up(checked_text(service)), port);
  });
}
