#include <ep/ep.h>

#include <cstring>

#include "handles/api_arguments.hpp"
#include "handles/attributes.hpp"
#include "handles/endpoint.hpp"
#include "handles/handle_tables.hpp"
#include "process/error.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

int EP_Comm_dup_fn(EP_Comm /*comm*/, int /*keyval*/, void* /*extra_state*/, void* value,
                   void* value_out, int* flag) {
  std::memcpy(value_out, static_cast<const void*>(&value), sizeof value);
  *flag = 1;
  return EP_SUCCESS;
}

int EP_Comm_create_keyval(EP_Comm_copy_attr_function* copy, EP_Comm_delete_attr_function* remove,
                          int* keyval, void* extra_state) {
  return guarded([&] {
    check_out(keyval);
    *keyval = handle_tables().keyvals.add({copy, remove, extra_state});
  });
}

int EP_Comm_free_keyval(int* keyval) {
  return guarded([&] {
    check_out(keyval);
    handle_tables().keyvals.remove(*keyval);
    *keyval = EP_KEYVAL_INVALID;
  });
}

int EP_Comm_set_attr(EP_Comm comm, int keyval, void* value) {
  return call_on(comm, [&] { set_attribute(comm, keyval, value); });
}

int EP_Comm_get_attr(EP_Comm comm, int keyval, void* value, int* flag) {
  return call_on(comm, [&] {
    check_out(value);
    check_out(flag);
    const Endpoint& endpoint = endpoint_of(comm);
    void* found = nullptr;
    if (is_predefined_keyval(keyval)) {
      found = predefined_attribute(endpoint, keyval);
      *flag = found != nullptr ? 1 : 0;
    } else {
      static_cast<void>(keyval_of(handle_tables().keyvals, endpoint.attributes, keyval));
      const auto attribute = endpoint.attributes.find(keyval);
      *flag = attribute != endpoint.attributes.end() ? 1 : 0;
      if (*flag != 0) found = attribute->second.value;
    }
    if (*flag != 0) std::memcpy(value, static_cast<const void*>(&found), sizeof found);
  });
}

int EP_Comm_delete_attr(EP_Comm comm, int keyval) {
  return call_on(comm, [&] { delete_attribute(comm, keyval); });
}
