#pragma once

#include <ep/ep.h>

#include <map>
#include <memory>
#include <mutex>

namespace ep {

struct Endpoint;

/// What a program gave to EP_Comm_create_keyval.
struct Keyval {
  EP_Comm_copy_attr_function* copy = nullptr;
  EP_Comm_delete_attr_function* remove = nullptr;
  void* extra = nullptr;
};

/// The keyvals of a process. Any thread.
class Keyvals {
 public:
  int add(const Keyval& keyval);
  void remove(int number);
  /// Throws EP_ERR_KEYVAL.
  std::shared_ptr<const Keyval> find(int number) const;

 private:
  mutable std::mutex mutex_;
  std::map<int, std::shared_ptr<const Keyval>> keyvals_;
  int next_ = 1000;  // far from the predefined ones
};

/// One attribute of one endpoint; the keyval lives with it.
struct Attribute {
  std::shared_ptr<const Keyval> keyval;
  void* value = nullptr;
};

bool is_predefined_keyval(int keyval) noexcept;
/// The thread's copy of a predefined value, null if there is none.
int* predefined_attribute(int keyval);

void set_attribute(EP_Comm comm, int keyval, void* value);
void delete_attribute(EP_Comm comm, int keyval);
/// All of them; before the endpoint is freed. Throws what a program's function returns.
void delete_attributes(EP_Comm comm);
/// As the copy functions want it, from the endpoint to a duplicate of it.
void copy_attributes(EP_Comm from, EP_Comm to);

}  // namespace ep
