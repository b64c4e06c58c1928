#include "handles/attributes.hpp"

#include <array>
#include <climits>
#include <cstddef>
#include <optional>

#include "cliques/wire.hpp"
#include "handles/endpoint.hpp"
#include "handles/handle_tables.hpp"
#include "handles/start_handles.hpp"
#include "process/error.hpp"
#include "process/process.hpp"

namespace ep {

bool is_predefined_keyval(int keyval) noexcept {
  return keyval >= EP_TAG_UB && keyval <= EP_COMM_SHARES_MEMORY;
}

namespace {

// Reads an attribute of the job from MPI. Returns false if MPI does not have it.
bool ask_mpi(int keyval, int& value) {
  int* known = nullptr;
  int found = 0;
  check_mpi(MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, static_cast<void*>(&known), &found),
            "MPI_Comm_get_attr");
  if (found != 0) value = *known;
  return found != 0;
}

bool read_predefined(const Endpoint& endpoint, int keyval, int& value) {
  switch (keyval) {
    case EP_TAG_UB:
      value = INT_MAX;  // tags that do not fit in a raw tag are sent in a header
      return true;
    case EP_HOST:
      value = EP_PROC_NULL;
      return true;
    case EP_IO:
      value = EP_ANY_SOURCE;
      return true;
    case EP_WTIME_IS_GLOBAL:
      value = 0;
      return true;
    case EP_UNIVERSE_SIZE:
      if (const std::optional<int> known = universe_size()) {
        value = *known;
        return true;
      }
      return ask_mpi(MPI_UNIVERSE_SIZE, value);
    case EP_APPNUM:
      if (const int number = handle_tables().application.load(); number >= 0) {
        value = number;
        return true;
      }
      return ask_mpi(MPI_APPNUM, value);
    case EP_LASTUSEDCODE:
      value = error_codes().last_used();
      return true;
    case EP_COMM_SHARES_MEMORY:
      value = endpoint.clique->is_on_one_node() ? 1 : 0;
      return true;
    default:
      value = process().thread_level() < MPI_THREAD_MULTIPLE ? 1 : most_endpoints;
      return true;
  }
}

}  // namespace

void check_callback(int code, const char* what, int keyval) {
  if (code == EP_SUCCESS) return;
  fail(code, "the ", what, " function of keyval ", keyval, " returned error code ", code, ".");
}

int* predefined_attribute(const Endpoint& endpoint, int keyval) {
  thread_local std::array<int, EP_COMM_SHARES_MEMORY + 1> values{};
  int& value = values[static_cast<std::size_t>(keyval)];
  return read_predefined(endpoint, keyval, value) ? &value : nullptr;
}

void set_attribute(EP_Comm comm, int keyval, void* value) {
  Attributes& attributes = endpoint_of(comm).attributes;
  set_value(comm, attributes, keyval, {handle_tables().keyvals.find(keyval), value});
}

void delete_attribute(EP_Comm comm, int keyval) {
  Endpoint& endpoint = endpoint_of(comm);
  static_cast<void>(keyval_of(handle_tables().keyvals, endpoint.attributes, keyval));
  delete_value(comm, endpoint.attributes, keyval);
}

void delete_attributes(EP_Comm comm, EP_Comm told) {
  delete_values(told, endpoint_of(comm).attributes);
}

void copy_attributes(EP_Comm from, EP_Comm to) {
  // A copy function may itself change the attributes of the communicator.
  const Attributes attributes = endpoint_of(from).attributes;
  for (const auto& [keyval, attribute] : attributes) {
    if (attribute.keyval->copy == EP_COMM_NULL_COPY_FN) continue;
    void* value = nullptr;
    int wanted = 0;
    check_callback(attribute.keyval->copy(from, keyval, attribute.keyval->extra, attribute.value,
                                          static_cast<void*>(&value), &wanted),
                   "copy", keyval);
    if (wanted == 0) continue;
    endpoint_of(to).attributes[keyval] = {attribute.keyval, value, attribute.order};
  }
}

}  // namespace ep
