#pragma once

#include <mpi.h>

#include <cstdint>

#include "process/arena.hpp"

namespace ep {

// Predefined handles are small constants (the largest is EP_COMM_SELF, 64), in Fortran as in C;
// objects follow.
constexpr int first_fortran_object = 128;

/// Returns the Fortran integer of a handle, or 0 if it is not an object of the arena.
template <class Handle, class Item>
MPI_Fint to_fortran(const Arena<Item>& arena, Handle handle) {
  const auto value = reinterpret_cast<std::uintptr_t>(handle);
  if (value < first_fortran_object) return static_cast<MPI_Fint>(value);
  const int number = arena.number(handle);
  return number < 0 ? 0 : number + first_fortran_object;
}

template <class Handle, class Item>
Handle from_fortran(const Arena<Item>& arena, MPI_Fint value) {
  if (value >= 0 && value < first_fortran_object) {
    return reinterpret_cast<Handle>(  // NOLINT(performance-no-int-to-ptr): a constant
        static_cast<std::uintptr_t>(value));
  }
  return arena.at(value - first_fortran_object);
}

}  // namespace ep
