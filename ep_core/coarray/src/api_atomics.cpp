// Atomic subroutines.
#include <array>
#include <cstring>
#include <string>

#include "abi.hpp"
#include "image.hpp"
#include "outcome.hpp"

using namespace ep::caf;  // NOLINT: this file is the C face of the namespace

namespace {

/// The variable that a call is about.
struct Atom {
  Reach& reach;
  int rank;
  Place place;

  Atom(Token token, std::size_t offset, int image, int kind)
      : reach(calling_image().connection().reach),
        rank(image == 0 ? calling_image().connection().rank : image - 1),
        place(calling_image().coarray(token, rank + 1).at(rank) +
              static_cast<std::ptrdiff_t>(offset)) {
    if (kind != sizeof(std::int32_t)) {
      throw Failure(Stat::failed, "atomic variables of kind " + std::to_string(kind) +
                                      " (ATOMIC_INT_KIND and ATOMIC_LOGICAL_KIND are 4).");
    }
    // Order against what this image has put at the same place.
    reach.finish_puts(rank);
  }
};

std::int32_t number_at(const void* value) {
  std::int32_t number = 0;
  std::memcpy(&number, value, sizeof number);
  return number;
}

void set_number(void* value, std::int32_t number) { std::memcpy(value, &number, sizeof number); }

}  // namespace

void _gfortran_caf_atomic_define(Token token, std::size_t offset, int image, void* value, int* stat,
                                 int /*type*/, int kind) {
  serve("ATOMIC_DEFINE", {stat, nullptr, 0}, [&] {
    const Atom atom(token, offset, image, kind);
    atom.reach.update(atom.rank, atom.place, number_at(value), MPI_REPLACE);
  });
}

void _gfortran_caf_atomic_ref(Token token, std::size_t offset, int image, void* value, int* stat,
                              int /*type*/, int kind) {
  serve("ATOMIC_REF", {stat, nullptr, 0}, [&] {
    const Atom atom(token, offset, image, kind);
    set_number(value, atom.reach.update(atom.rank, atom.place, 0, MPI_NO_OP));
    atom.reach.let_others();
  });
}

void _gfortran_caf_atomic_cas(Token token, std::size_t offset, int image, void* old, void* compare,
                              void* value, int* stat, int /*type*/, int kind) {
  serve("ATOMIC_CAS", {stat, nullptr, 0}, [&] {
    const Atom atom(token, offset, image, kind);
    set_number(old,
               atom.reach.exchange(atom.rank, atom.place, number_at(compare), number_at(value)));
    if (number_at(old) != number_at(compare)) atom.reach.let_others();
  });
}

void _gfortran_caf_atomic_op(int operation, Token token, std::size_t offset, int image, void* value,
                             void* old, int* stat, int /*type*/, int kind) {
  serve("an atomic operation", {stat, nullptr, 0}, [&] {
    const std::array operations{MPI_OP_NULL, MPI_SUM, MPI_BAND, MPI_BOR, MPI_BXOR};
    const Atom atom(token, offset, image, kind);
    if (operation < 1 || operation >= static_cast<int>(operations.size())) {
      throw Failure(Stat::failed,
                    "operation " + std::to_string(operation) + " is none that gfortran 12 has.");
    }
    const std::int32_t before = atom.reach.update(atom.rank, atom.place, number_at(value),
                                                  operations[static_cast<std::size_t>(operation)]);
    if (old != nullptr) set_number(old, before);
  });
}
