#include "datatype.hpp"

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstring>
#include <memory>
#include <vector>

#include "error.hpp"

namespace ep {

namespace {

struct Envelope {
  int integers = 0;
  int addresses = 0;
  int types = 0;
  int combiner = MPI_COMBINER_NAMED;
};

Envelope envelope_of(MPI_Datatype type) {
  Envelope e;
  check_mpi(MPI_Type_get_envelope(type, &e.integers, &e.addresses, &e.types, &e.combiner),
            "MPI_Type_get_envelope");
  return e;
}

// Only shapes that keep the order of a contiguous inner type count; others are packed.
bool is_contiguous(MPI_Datatype type, const Envelope& e, std::int64_t size, std::int64_t extent) {
  if (size != extent) return false;
  if (e.combiner == MPI_COMBINER_NAMED) return true;
  if (e.combiner != MPI_COMBINER_CONTIGUOUS && e.combiner != MPI_COMBINER_DUP) return false;
  std::vector<int> integers(static_cast<std::size_t>(e.integers) + 1);
  std::vector<MPI_Aint> addresses(static_cast<std::size_t>(e.addresses) + 1);
  std::vector<MPI_Datatype> types(static_cast<std::size_t>(e.types) + 1, MPI_DATATYPE_NULL);
  check_mpi(MPI_Type_get_contents(type, e.integers, e.addresses, e.types, integers.data(),
                                  addresses.data(), types.data()),
            "MPI_Type_get_contents");
  const TypeFacts inner = type_facts(types[0]);
  if (!inner.named) check_mpi(MPI_Type_free(types.data()), "MPI_Type_free");
  return inner.contiguous;
}

int checked_int(std::int64_t bytes) {
  if (bytes > INT_MAX) {
    fail(EP_ERR_COUNT, "a message of a derived datatype has ", bytes,
         " bytes (packing is limited to 2^31 - 1). Send it in parts?");
  }
  return static_cast<int>(bytes);
}

}  // namespace

TypeFacts type_facts(MPI_Datatype type) {
  if (type == MPI_BYTE || type == MPI_CHAR) return {1, 0, 1, true, true};
  if (type == MPI_DOUBLE) return {sizeof(double), 0, sizeof(double), true, true};
  if (type == MPI_INT) return {sizeof(int), 0, sizeof(int), true, true};
  if (type == MPI_FLOAT) return {sizeof(float), 0, sizeof(float), true, true};
  if (type == MPI_DATATYPE_NULL) fail(EP_ERR_TYPE, "the datatype is MPI_DATATYPE_NULL.");
  MPI_Count size = 0;
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  check_mpi(MPI_Type_size_x(type, &size), "MPI_Type_size_x");
  check_mpi(MPI_Type_get_extent(type, &lower_bound, &extent), "MPI_Type_get_extent");
  const Envelope e = envelope_of(type);
  return {size, lower_bound, extent, is_contiguous(type, e, size, extent),
          e.combiner == MPI_COMBINER_NAMED};
}

void pack_bytes(const TypedView& source, void* bytes) {
  const TypeFacts facts = type_facts(source.type);
  const std::int64_t size = facts.size * source.count;
  if (size == 0) return;
  if (facts.contiguous) {
    std::memcpy(bytes, source.data, static_cast<std::size_t>(size));
    return;
  }
  int position = 0;
  check_mpi(MPI_Pack(source.data, source.count, source.type, bytes, checked_int(size), &position,
                     MPI_COMM_SELF),
            "MPI_Pack");
}

void unpack_bytes(const void* bytes, std::int64_t size, const TypedView& target) {
  const TypeFacts facts = type_facts(target.type);
  const std::int64_t fitting = std::min(size, facts.size * target.count);
  if (fitting == 0) return;
  if (facts.contiguous) {
    std::memcpy(target.data, bytes, static_cast<std::size_t>(fitting));
    return;
  }
  if (fitting % facts.size != 0) {
    fail(EP_ERR_TYPE, "a message of ", size, " bytes ends inside an element of ", facts.size,
         " bytes (partly received derived datatypes are not supported).");
  }
  int position = 0;
  check_mpi(MPI_Unpack(bytes, checked_int(fitting), &position, target.data,
                       static_cast<int>(fitting / facts.size), target.type, MPI_COMM_SELF),
            "MPI_Unpack");
}

std::int64_t copy_typed(const TypedView& source, const TypedView& target) {
  const TypeFacts from = type_facts(source.type);
  const TypeFacts to = type_facts(target.type);
  const std::int64_t bytes = from.size * source.count;
  if (bytes == 0) return 0;
  if (from.contiguous) {
    unpack_bytes(source.data, bytes, target);
  } else if (to.contiguous && bytes <= to.size * target.count) {
    pack_bytes(source, target.data);
  } else {
    const auto packed =
        std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes));
    pack_bytes(source, packed.get());
    unpack_bytes(packed.get(), bytes, target);
  }
  return bytes;
}

MPI_Datatype keep_type(MPI_Datatype type) {
  if (type_facts(type).named) return type;
  MPI_Datatype kept = MPI_DATATYPE_NULL;
  check_mpi(MPI_Type_dup(type, &kept), "MPI_Type_dup");
  return kept;
}

void drop_type(MPI_Datatype type) noexcept {
  int integers = 0;
  int addresses = 0;
  int types = 0;
  int combiner = MPI_COMBINER_NAMED;
  if (MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) != MPI_SUCCESS) return;
  if (combiner == MPI_COMBINER_NAMED) return;
  if (MPI_Type_free(&type) != MPI_SUCCESS) set_last_error("MPI_Type_free failed.");
}

void* element_address(void* base, std::int64_t index, MPI_Datatype type) {
  return static_cast<std::byte*>(base) + index * type_facts(type).extent;
}

}  // namespace ep
