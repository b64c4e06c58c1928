// The collective subroutines CO_BROADCAST, CO_SUM, CO_MAX, CO_MIN and CO_REDUCE, as gfortran calls
// them. MPI's collectives do the work where MPI has type and operation; otherwise the operands
// combine along a tree, since the program's functions take single elements. In order: arguments as
// blocks of bytes, the tree, MPI's types, agreement and reduction, then gfortran's functions.
#include <ep/large.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <ep/ep.hpp>
#include <vector>

#include "abi.hpp"
#include "image.hpp"
#include "outcome.hpp"
#include "reduction.hpp"
#include "section.hpp"
#include "tags.hpp"

using namespace ep::caf;  // NOLINT: this file is the C face of the namespace

namespace {

/// The compiler tells it of strings alone, by their length, and only where there is no ERRMSG=.
int kind_of(const Descriptor& descriptor, int length) {
  return static_cast<std::size_t>(length) * 4 == descriptor.element_bytes ? 4 : 1;
}

/// The argument of a collective subroutine as one block of bytes.
class Argument {
 public:
  /// `length`: characters of strings.
  explicit Argument(const Descriptor& descriptor, int length = 0)
      : base_(static_cast<std::byte*>(descriptor.data)),
        section_(Section::of(descriptor, kind_of(descriptor, length))) {
    const Walk walk(section_);
    is_block_ = walk.left() == section_.count() &&
                (walk.stride() == static_cast<std::ptrdiff_t>(section_.type().bytes) ||
                 section_.count() <= 1);
    if (is_block_) return;
    copy_.resize(section_.bytes());
    assign(section_.packed(), copy_.data(), section_, base_);
  }

  const ElementType& type() const { return section_.type(); }
  std::span<std::byte> bytes() {
    return is_block_ ? std::span(base_, section_.bytes()) : std::span(copy_);
  }
  /// Copies the block back to the section.
  void unpack() {
    if (!is_block_) assign(section_, base_, section_.packed(), copy_.data());
  }

 private:
  std::byte* base_;
  Section section_;
  bool is_block_ = false;
  std::vector<std::byte> copy_;
};

// ERRMSG= is left alone: gfortran 12 hands over its characters instead of their address, and moves
// the arguments behind it.
Outcome outcome_of(int* stat) { return {stat, nullptr, 0}; }

/// gfortran passes components of a derived type one by one, also those that are not allocated, and
/// allocates none on the receiving images. Collective.
bool is_allocated(const Connection& mine, const Descriptor& argument) {
  const int is_there = argument.data != nullptr ? 1 : 0;
  const std::array<int, 2> flags{is_there, 1 - is_there};
  std::array<int, 2> any{};
  ep::check(EP_Allreduce(flags.data(), any.data(), 2, MPI_INT, MPI_MAX, mine.comm));
  if (any[0] != 0 && any[1] != 0) {
    throw Failure(Stat::failed,
                  "an allocatable component is allocated on some images alone (gfortran allocates "
                  "none on those that receive). Allocate it on all of them first?");
  }
  return is_there != 0;
}

/// What CO_BROADCAST gets for an allocatable component: gfortran 12 makes a descriptor of one
/// dimension over all elements, and leaves its span and offset as the stack had them. Every other
/// descriptor says by its offset where index 0 would lie.
Descriptor with_span(const Descriptor& argument) {
  Descriptor out{};
  const auto rank = static_cast<std::size_t>(argument.rank);
  std::memcpy(&out, &argument, offsetof(Descriptor, dims) + rank * sizeof(DescriptorDim));
  if (argument.rank != 1) return out;
  const DescriptorDim& dim = argument.dims[0];
  const bool has_offset = static_cast<std::ptrdiff_t>(argument.offset) == -dim.lower * dim.stride;
  const bool may_be_component = dim.lower == 1 && dim.stride == 1;
  const auto least = static_cast<std::ptrdiff_t>(argument.element_bytes);
  if (may_be_component && (!has_offset || argument.span < least)) out.span = least;
  return out;
}

void broadcast(const Connection& mine, std::span<std::byte> bytes, int rank) {
  ep::check(
      EP_Bcast_c(bytes.data(), static_cast<MPI_Count>(bytes.size()), MPI_BYTE, rank, mine.comm));
}

/// Combines along a binomial tree, in an order that depends on nothing but the number of images.
/// The result is that of `root`.
void reduce(const Connection& mine, std::span<std::byte> bytes, const Combine& combine, int root) {
  std::vector<std::byte> other(bytes.size());
  const auto count = static_cast<MPI_Count>(bytes.size());
  const int place = (mine.rank - root + mine.size) % mine.size;
  const auto rank_at = [&](int i) { return (i + root) % mine.size; };
  for (int step = 1; step < mine.size; step *= 2) {
    if (place % (2 * step) != 0) {
      ep::check(EP_Send_c(bytes.data(), count, MPI_BYTE, rank_at(place - step), tags::reduction,
                          mine.comm));
      return;
    }
    if (place + step >= mine.size) continue;
    ep::check(EP_Recv_c(other.data(), count, MPI_BYTE, rank_at(place + step), tags::reduction,
                        mine.comm, EP_STATUS_IGNORE));
    combine(bytes, other);
  }
}

/// Returns MPI's datatype for the element type, or MPI_DATATYPE_NULL.
MPI_Datatype mpi_type(Statement statement, const ElementType& type) {
  if (type.type == TypeClass::integer) {
    if (type.bytes == 1) return MPI_INT8_T;
    if (type.bytes == 2) return MPI_INT16_T;
    if (type.bytes == 4) return MPI_INT32_T;
    if (type.bytes == 8) return MPI_INT64_T;
  }
  if (type.type == TypeClass::real && type.bytes == 4) return MPI_FLOAT;
  if (type.type == TypeClass::real && type.bytes == 8) return MPI_DOUBLE;
  if (type.type == TypeClass::complex && statement == Statement::co_sum) {
    if (type.bytes == 8) return MPI_C_FLOAT_COMPLEX;
    if (type.bytes == 16) return MPI_C_DOUBLE_COMPLEX;
  }
  return MPI_DATATYPE_NULL;
}

MPI_Op mpi_operation(Statement statement) {
  if (statement == Statement::co_sum) return MPI_SUM;
  return statement == Statement::co_max ? MPI_MAX : MPI_MIN;
}

void reduce_by_mpi(const Connection& mine, Argument& a, Statement statement, MPI_Datatype type,
                   int result_image) {
  const std::span<std::byte> bytes = a.bytes();
  const auto count = static_cast<MPI_Count>(bytes.size() / a.type().bytes);
  const MPI_Op operation = mpi_operation(statement);
  void* const in_place = EP_IN_PLACE;  // NOLINT(performance-no-int-to-ptr): a constant
  if (result_image == 0) {
    ep::check(EP_Allreduce_c(in_place, bytes.data(), count, type, operation, mine.comm));
    return;
  }
  const bool is_root = mine.rank == result_image - 1;
  ep::check(EP_Reduce_c(is_root ? in_place : bytes.data(), bytes.data(), count, type, operation,
                        result_image - 1, mine.comm));
}

/// Meets all images with this argument. Throws Failure at all of them or none.
void meet(Connection& mine, Statement statement, Argument& a, int image) {
  mine.reach.finish_puts();
  const int lowest = statement == Statement::co_broadcast ? 1 : 0;
  if (image >= lowest && image <= mine.size) {
    mine.status.synchronise(statement,
                            {static_cast<std::int64_t>(a.bytes().size()), "bytes", image});
    return;
  }
  mine.status.synchronise(statement, {CommonArgument::wrong, "", 0});
  throw Failure(Stat::failed, "image " + std::to_string(image) + " does not exist (there are " +
                                  std::to_string(mine.size) + ").");
}

void reduce(Statement statement, const Descriptor& descriptor, int length, int result_image,
            const Outcome& outcome, const auto& make_combine) {
  serve(name_of(statement), outcome, [&] {
    Connection& mine = calling_image().connection();
    Argument a(descriptor, length);
    const Combine combine = make_combine(a.type());
    meet(mine, statement, a, result_image);
    const MPI_Datatype type = mpi_type(statement, a.type());
    if (type != MPI_DATATYPE_NULL && statement != Statement::co_reduce) {
      reduce_by_mpi(mine, a, statement, type, result_image);
    } else {
      reduce(mine, a.bytes(), combine, result_image == 0 ? 0 : result_image - 1);
      if (result_image == 0) broadcast(mine, a.bytes(), 0);
    }
    a.unpack();
  });
}

void reduce(Statement statement, const Descriptor& a, int length, int result_image,
            const Outcome& outcome) {
  reduce(statement, a, length, result_image, outcome,
         [&](const ElementType& type) { return combine_of(statement, type); });
}

}  // namespace

void _gfortran_caf_co_broadcast(Descriptor* a, int source_image, int* stat, char* /*errmsg*/,
                                std::size_t /*errmsg_length*/) {
  serve("CO_BROADCAST", outcome_of(stat), [&] {
    Connection& mine = calling_image().connection();
    if (!is_allocated(mine, *a)) return;
    Argument argument(with_span(*a));
    meet(mine, Statement::co_broadcast, argument, source_image);
    broadcast(mine, argument.bytes(), source_image - 1);
    argument.unpack();
  });
}

void _gfortran_caf_co_sum(Descriptor* a, int result_image, int* stat, char* /*errmsg*/,
                          std::size_t /*errmsg_length*/) {
  reduce(Statement::co_sum, *a, 0, result_image, outcome_of(stat));
}

void _gfortran_caf_co_max(Descriptor* a, int result_image, int* stat, char* /*errmsg*/, int length,
                          std::size_t /*errmsg_length*/) {
  reduce(Statement::co_max, *a, length, result_image, outcome_of(stat));
}

void _gfortran_caf_co_min(Descriptor* a, int result_image, int* stat, char* /*errmsg*/, int length,
                          std::size_t /*errmsg_length*/) {
  reduce(Statement::co_min, *a, length, result_image, outcome_of(stat));
}

void _gfortran_caf_co_reduce(Descriptor* a, void (*function)(), int flags, int result_image,
                             int* stat, char* /*errmsg*/, int length,
                             std::size_t /*errmsg_length*/) {
  reduce(Statement::co_reduce, *a, length, result_image, outcome_of(stat),
         [&](const ElementType& type) {
           return combine_of(function, static_cast<unsigned>(flags), type);
         });
}
