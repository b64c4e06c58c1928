// Borrowed fields in C.
#include <epios/epios.h>

#include "handles/c_arguments.hpp"
#include "handles/c_guard.hpp"
#include "handles/locked_handles.hpp"

namespace {

using epios::client::guarded;
using epios::client::LockedContext;
using epios::client::RunCall;
using epios::client::target;

template <class T>
int borrow(epios_field field, T** data, int64_t* count) {
  return guarded([&] {
    target(data, "data") = nullptr;
    target(count, "count") = 0;
    const auto array =
        LockedContext(field.context)->run(RunCall::borrow).sent().borrow<T>(field.number);
    *data = array.data();
    *count = static_cast<int64_t>(array.size());
  });
}

}  // namespace

extern "C" {

int epios_field_borrow_double(epios_field field, double** data, int64_t* count) {
  return borrow(field, data, count);
}

int epios_field_borrow_float(epios_field field, float** data, int64_t* count) {
  return borrow(field, data, count);
}

int epios_field_give_back(epios_field field) {
  return guarded([&] {
    LockedContext(field.context)->run(RunCall::give_back).sent().give_back(field.number);
  });
}

}  // extern "C"
