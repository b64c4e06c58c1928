#include "attributes.hpp"

#include <array>
#include <climits>
#include <cstddef>

#include "error.hpp"
#include "process.hpp"

namespace ep {

int Keyvals::add(const Keyval& keyval) {
  const std::lock_guard lock(mutex_);
  keyvals_[next_] = std::make_shared<const Keyval>(keyval);
  return next_++;
}

void Keyvals::remove(int number) {
  const std::lock_guard lock(mutex_);
  if (keyvals_.erase(number) == 0) {
    fail(EP_ERR_KEYVAL, "keyval ", number, " (freed, predefined, or not a keyval).");
  }
}

std::shared_ptr<const Keyval> Keyvals::find(int number) const {
  const std::lock_guard lock(mutex_);
  const auto found = keyvals_.find(number);
  if (found == keyvals_.end()) {
    fail(EP_ERR_KEYVAL, "keyval ", number, " (freed, predefined, or not a keyval).");
  }
  return found->second;
}

bool is_predefined_keyval(int keyval) noexcept {
  return keyval >= EP_TAG_UB && keyval <= EP_COMM_MAX_ENDPOINTS;
}

namespace {

// What MPI says of the job, if it does.
bool ask_mpi(int keyval, int& value) {
  int* known = nullptr;
  int found = 0;
  check_mpi(MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, static_cast<void*>(&known), &found),
            "MPI_Comm_get_attr");
  if (found != 0) value = *known;
  return found != 0;
}

bool read_predefined(int keyval, int& value) {
  switch (keyval) {
    case EP_TAG_UB:
      value = INT_MAX;  // what does not fit in a raw tag travels in a header
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
      return ask_mpi(MPI_UNIVERSE_SIZE, value);
    case EP_APPNUM:
      return ask_mpi(MPI_APPNUM, value);
    case EP_LASTUSEDCODE:
      value = process().error_codes().last_used();
      return true;
    default:
      value = process().thread_level() < MPI_THREAD_MULTIPLE ? 1 : most_endpoints;
      return true;
  }
}

void check_callback(int code, const char* what, int keyval) {
  if (code == EP_SUCCESS) return;
  fail(code, "the ", what, " function of keyval ", keyval, " returned error code ", code, ".");
}

void remove_value(EP_Comm comm, int keyval, const Attribute& attribute) {
  if (attribute.keyval->remove == EP_COMM_NULL_DELETE_FN) return;
  check_callback(attribute.keyval->remove(comm, keyval, attribute.value, attribute.keyval->extra),
                 "delete", keyval);
}

}  // namespace

int* predefined_attribute(int keyval) {
  thread_local std::array<int, EP_COMM_MAX_ENDPOINTS + 1> values{};
  int& value = values[static_cast<std::size_t>(keyval)];
  return read_predefined(keyval, value) ? &value : nullptr;
}

void set_attribute(EP_Comm comm, int keyval, void* value) {
  Endpoint& endpoint = endpoint_of(comm);
  const std::shared_ptr<const Keyval> known = process().keyvals().find(keyval);
  if (const auto old = endpoint.attributes.find(keyval); old != endpoint.attributes.end()) {
    remove_value(comm, keyval, old->second);
  }
  endpoint.attributes[keyval] = {known, value};
}

void delete_attribute(EP_Comm comm, int keyval) {
  Endpoint& endpoint = endpoint_of(comm);
  static_cast<void>(process().keyvals().find(keyval));
  const auto found = endpoint.attributes.find(keyval);
  if (found == endpoint.attributes.end()) return;
  remove_value(comm, keyval, found->second);
  endpoint.attributes.erase(keyval);
}

void delete_attributes(EP_Comm comm) {
  Endpoint& endpoint = endpoint_of(comm);
  while (!endpoint.attributes.empty()) {
    const auto [keyval, attribute] = *endpoint.attributes.begin();
    remove_value(comm, keyval, attribute);
    endpoint.attributes.erase(keyval);
  }
}

void copy_attributes(EP_Comm from, EP_Comm to) {
  // A copy function may itself change the attributes of the communicator.
  const std::map<int, Attribute> attributes = endpoint_of(from).attributes;
  for (const auto& [keyval, attribute] : attributes) {
    if (attribute.keyval->copy == EP_COMM_NULL_COPY_FN) continue;
    void* value = nullptr;
    int wanted = 0;
    check_callback(attribute.keyval->copy(from, keyval, attribute.keyval->extra, attribute.value,
                                          static_cast<void*>(&value), &wanted),
                   "copy", keyval);
    if (wanted != 0) endpoint_of(to).attributes[keyval] = {attribute.keyval, value};
  }
}

}  // namespace ep
