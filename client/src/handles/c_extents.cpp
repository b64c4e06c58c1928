// Extents of the arrays of fields in C.
#include <epios/epios.h>

#include <algorithm>
#include <vector>

#include "handles/c_arguments.hpp"
#include "handles/c_guard.hpp"
#include "handles/locked_handles.hpp"

namespace {

using epios::client::ClientLock;
using epios::client::guarded;
using epios::client::LockedContext;
using epios::client::RunCall;
using epios::client::target;

void tell(const std::vector<int64_t>& found, int* rank, int64_t* extents, int capacity) {
  target(rank, "rank") = static_cast<int>(found.size());
  const int told = std::min(*rank, std::max(capacity, 0));
  if (told > 0) std::copy_n(found.begin(), told, &target(extents, "extents"));
}

}  // namespace

extern "C" {

int epios_field_extents(epios_field field, int* rank, int64_t* extents, int capacity) {
  return guarded([&] {
    const LockedContext context(field.context, ClientLock::Kind::question);
    tell(context->run(RunCall::find_field).sent().extents(field.number), rank, extents, capacity);
  });
}

int epios_read_field_extents(epios_read_field field, int* rank, int64_t* extents, int capacity) {
  return guarded([&] {
    const LockedContext context(field.context, ClientLock::Kind::question);
    tell(context->run(RunCall::find_read_field).received().extents(field.number), rank, extents,
         capacity);
  });
}

}  // extern "C"
