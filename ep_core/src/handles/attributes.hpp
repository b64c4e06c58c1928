#pragma once

#include <ep/ep.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "process/error.hpp"

namespace ep {

struct Endpoint;

/// The functions that a program gave to EP_Comm_create_keyval.
struct Keyval {
  EP_Comm_copy_attr_function* copy = nullptr;
  EP_Comm_delete_attr_function* remove = nullptr;
  void* extra = nullptr;
};

/// The function that a program gave to EP_Win_create_keyval. Windows are not duplicated, so there
/// is no copy function.
struct WindowKeyval {
  EP_Win_delete_attr_function* remove = nullptr;
  void* extra = nullptr;
};

/// The keyvals of a process for one kind of object. Any thread.
template <class Kind>
class KeyvalTable {
 public:
  /// Numbers keyvals from `first` on, so that keyvals of other kinds of objects are unknown here.
  explicit KeyvalTable(int first) : next_(first) {}
  int add(const Kind& keyval) {
    const std::lock_guard lock(mutex_);
    keyvals_[next_] = std::make_shared<const Kind>(keyval);
    return next_++;
  }
  void remove(int number) {
    const std::lock_guard lock(mutex_);
    if (keyvals_.erase(number) == 0) fail_unknown_keyval(number);
  }
  /// Throws EP_ERR_KEYVAL for an unknown number.
  std::shared_ptr<const Kind> find(int number) const {
    const std::lock_guard lock(mutex_);
    const auto found = keyvals_.find(number);
    if (found == keyvals_.end()) fail_unknown_keyval(number);
    return found->second;
  }

 private:
  [[noreturn]] static void fail_unknown_keyval(int number) {
    fail(EP_ERR_KEYVAL, "keyval ", number, " (freed, predefined, or not a keyval).");
  }

  mutable std::mutex mutex_;
  std::map<int, std::shared_ptr<const Kind>> keyvals_;
  int next_;
};
using Keyvals = KeyvalTable<Keyval>;
using WindowKeyvals = KeyvalTable<WindowKeyval>;
/// Far apart from the predefined keyvals and from each other.
constexpr int first_comm_keyval = 1000;
constexpr int first_window_keyval = 0x10000000;

/// One attribute of one endpoint; the keyval lives with it.
template <class Kind>
struct AttributeOf {
  std::shared_ptr<const Kind> keyval;
  void* value = nullptr;
  std::uint64_t order = 0;  ///< order among the attributes of an object; later ones are higher
};
using Attribute = AttributeOf<Keyval>;

/// Attributes by the number of their keyval.
template <class Kind>
using AttributesOf = std::map<int, AttributeOf<Kind>>;
using Attributes = AttributesOf<Keyval>;
using WindowAttributes = AttributesOf<WindowKeyval>;

/// Throws the code that a program's function returned, if it is an error.
void check_callback(int code, const char* what, int keyval);

template <class Handle, class Kind>
void remove_value(Handle owner, int keyval, const AttributeOf<Kind>& attribute) {
  if (attribute.keyval->remove == nullptr) return;
  check_callback(attribute.keyval->remove(owner, keyval, attribute.value, attribute.keyval->extra),
                 "delete", keyval);
}

/// Returns the keyval behind a number, also if it was freed while the object still has its
/// attribute (MPI-3.1, 6.7.2). Throws EP_ERR_KEYVAL.
template <class Kind>
std::shared_ptr<const Kind> keyval_of(const KeyvalTable<Kind>& table,
                                      const AttributesOf<Kind>& attributes, int number) {
  const auto found = attributes.find(number);
  return found != attributes.end() ? found->second.keyval : table.find(number);
}

template <class Kind>
typename AttributesOf<Kind>::const_iterator set_last(const AttributesOf<Kind>& attributes) {
  return std::max_element(attributes.begin(), attributes.end(), [](const auto& a, const auto& b) {
    return a.second.order < b.second.order;
  });
}

template <class Handle, class Kind>
void set_value(Handle owner, AttributesOf<Kind>& attributes, int keyval,
               AttributeOf<Kind> attribute) {
  if (const auto found = attributes.find(keyval); found != attributes.end()) {
    const AttributeOf<Kind> overwritten = found->second;
    remove_value(owner, keyval, overwritten);
  }
  attribute.order = attributes.empty() ? 0 : set_last(attributes)->second.order + 1;
  attributes[keyval] = attribute;
}

template <class Handle, class Kind>
void delete_value(Handle owner, AttributesOf<Kind>& attributes, int keyval) {
  const auto found = attributes.find(keyval);
  if (found == attributes.end()) return;
  const AttributeOf<Kind> removed = found->second;  // its function may change attributes itself
  remove_value(owner, keyval, removed);
  attributes.erase(keyval);
}

/// Deletes all attributes, the last set first (MPI-3.1, 8.7.1).
template <class Handle, class Kind>
void delete_values(Handle owner, AttributesOf<Kind>& attributes) {
  while (!attributes.empty()) delete_value(owner, attributes, set_last(attributes)->first);
}

bool is_predefined_keyval(int keyval) noexcept;
/// Returns the thread's copy of a predefined value, or null if there is none.
int* predefined_attribute(const Endpoint& endpoint, int keyval);

void set_attribute(EP_Comm comm, int keyval, void* value);
void delete_attribute(EP_Comm comm, int keyval);
/// Deletes all attributes of the endpoint before it is freed, the last one set first. `told` is the
/// handle that the delete functions receive. Throws the errors that they return.
void delete_attributes(EP_Comm comm, EP_Comm told);
/// Copies attributes from the endpoint to a duplicate of it, as their copy functions decide.
void copy_attributes(EP_Comm from, EP_Comm to);

}  // namespace ep
