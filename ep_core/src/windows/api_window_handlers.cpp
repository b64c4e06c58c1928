#include <ep/ep.h>

#include <cstring>

#include "handles/attributes.hpp"
#include "process/process.hpp"
#include "windows/api_window.hpp"
#include "windows/window_tables.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

int ep::raise_at(EP_Win win, int code) noexcept {
  if (!is_window(win)) return code;
  const Slot& place = win->comm->place();
  return place.errors.raise(code, place);
}

namespace {

bool is_predefined_window_keyval(int keyval) {
  return keyval >= EP_WIN_BASE && keyval <= EP_WIN_MODEL;
}

void* predefined_value(EndpointWindow& window, int keyval) {
  switch (keyval) {
    case EP_WIN_BASE:
      return window.base;
    case EP_WIN_SIZE:
      return &window.size;
    case EP_WIN_DISP_UNIT:
      return &window.disp_unit;
    case EP_WIN_CREATE_FLAVOR:
      return &window.flavor;
    default:
      return &window.model;
  }
}

}  // namespace

int EP_Win_dup_fn(EP_Win /*win*/, int /*keyval*/, void* /*extra_state*/, void* value,
                  void* value_out, int* flag) {
  std::memcpy(value_out, static_cast<const void*>(&value), sizeof value);
  *flag = 1;
  return EP_SUCCESS;
}

int EP_Win_create_keyval(EP_Win_copy_attr_function* copy, EP_Win_delete_attr_function* remove,
                         int* keyval, void* extra_state) {
  static_cast<void>(copy);
  return guarded([&] {
    check_out(keyval);
    *keyval = window_keyvals().add({remove, extra_state});
  });
}

int EP_Win_free_keyval(int* keyval) {
  return guarded([&] {
    check_out(keyval);
    window_keyvals().remove(*keyval);
    *keyval = EP_KEYVAL_INVALID;
  });
}

int EP_Win_set_attr(EP_Win win, int keyval, void* value) {
  return call_on_window(win, [&](EndpointWindow& window) {
    set_value(win, window.attributes, keyval, {window_keyvals().find(keyval), value});
  });
}

int EP_Win_get_attr(EP_Win win, int keyval, void* value, int* flag) {
  return call_on_window(win, [&](EndpointWindow& window) {
    check_out(value);
    check_out(flag);
    void* found = nullptr;
    if (is_predefined_window_keyval(keyval)) {
      found = predefined_value(window, keyval);
      *flag = 1;
    } else {
      static_cast<void>(keyval_of(window_keyvals(), window.attributes, keyval));
      const auto attribute = window.attributes.find(keyval);
      *flag = attribute != window.attributes.end() ? 1 : 0;
      if (*flag != 0) found = attribute->second.value;
    }
    if (*flag != 0) std::memcpy(value, static_cast<const void*>(&found), sizeof found);
  });
}

int EP_Win_delete_attr(EP_Win win, int keyval) {
  return call_on_window(win, [&](EndpointWindow& window) {
    static_cast<void>(keyval_of(window_keyvals(), window.attributes, keyval));
    delete_value(win, window.attributes, keyval);
  });
}

int EP_Win_create_errhandler(EP_Win_errhandler_function* function, EP_Errhandler* errhandler) {
  return guarded([&] {
    check_out(errhandler);
    *errhandler = make_errhandler(function);
  });
}

int EP_Win_set_errhandler(EP_Win win, EP_Errhandler errhandler) {
  return call_on_window(win, [&](EndpointWindow& window) {
    endpoint_of_window(window).place().errors.set_handler(errhandler);
  });
}

int EP_Win_get_errhandler(EP_Win win, EP_Errhandler* errhandler) {
  return call_on_window(win, [&](EndpointWindow& window) {
    check_out(errhandler);
    *errhandler = endpoint_of_window(window).place().errors.handler();
  });
}

int EP_Win_call_errhandler(EP_Win win, int code) {
  return guarded([&] {
    static_cast<void>(window_of(win));
    set_last_error(error_codes().text_of(code));
    raise_at(win, code);
  });
}
