#include <ep/ep.h>

#include <cstdint>
#include <limits>

#include "datatypes/datatype.hpp"
#include "datatypes/type_contents.hpp"
#include "handles/api_arguments.hpp"
#include "process/error.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

// EP_UNDEFINED when the last one is incomplete.
std::int64_t elements_in(const EP_Status& status, MPI_Datatype type) {
  const auto map = map_to_measure(type);
  if (map->size == 0) return status.ep_bytes == 0 ? 0 : EP_UNDEFINED;
  const auto prefix =
      map->signature->prefix(status.ep_bytes / map->size + 1, std::int64_t{status.ep_bytes});
  return prefix.rest == 0 ? prefix.hash.elements : EP_UNDEFINED;
}

// EP_UNDEFINED when it is not whole.
std::int64_t count_in(const EP_Status& status, MPI_Datatype type) {
  const std::int64_t size = map_to_measure(type)->size;
  const std::int64_t bytes = status.ep_bytes;
  if (size == 0) return bytes == 0 ? 0 : EP_UNDEFINED;
  return bytes % size == 0 ? bytes / size : EP_UNDEFINED;
}

// EP_UNDEFINED when `count` cannot hold what `find()` says.
template <class Integer, class Find>
int tell(const EP_Status* status, Integer* count, Find&& find) {
  return guarded([&] {
    check_out(status);
    check_out(count);
    const std::int64_t number = find();
    *count = number <= std::numeric_limits<Integer>::max() ? static_cast<Integer>(number)
                                                           : Integer{EP_UNDEFINED};
  });
}

void set_elements(EP_Status* status, MPI_Datatype type, std::int64_t count) {
  check_out(status);
  if (count < 0) fail(EP_ERR_COUNT, "count ", count, " of elements (negative).");
  status->ep_bytes = map_to_measure(type)->signature->bytes_of(count);
}

}  // namespace

int EP_Get_count(const EP_Status* status, MPI_Datatype type, int* count) {
  return tell(status, count, [&] { return count_in(*status, type); });
}

int EP_Get_count_c(const EP_Status* status, MPI_Datatype type, MPI_Count* count) {
  return tell(status, count, [&] { return count_in(*status, type); });
}

int EP_Get_elements(const EP_Status* status, MPI_Datatype type, int* count) {
  return tell(status, count, [&] { return elements_in(*status, type); });
}

int EP_Get_elements_x(const EP_Status* status, MPI_Datatype type, MPI_Count* count) {
  return tell(status, count, [&] { return elements_in(*status, type); });
}

int EP_Get_elements_c(const EP_Status* status, MPI_Datatype type, MPI_Count* count) {
  return EP_Get_elements_x(status, type, count);
}

int EP_Status_set_elements(EP_Status* status, MPI_Datatype type, int count) {
  return guarded([&] { set_elements(status, type, count); });
}

int EP_Status_set_elements_x(EP_Status* status, MPI_Datatype type, MPI_Count count) {
  return guarded([&] { set_elements(status, type, count); });
}

int EP_Status_set_cancelled(EP_Status* status, int flag) {
  return guarded([&] {
    check_out(status);
    status->ep_cancelled = flag != 0 ? 1 : 0;
  });
}

int EP_Test_cancelled(const EP_Status* status, int* flag) {
  return guarded([&] {
    check_out(status);
    check_out(flag);
    *flag = status->ep_cancelled;
  });
}
