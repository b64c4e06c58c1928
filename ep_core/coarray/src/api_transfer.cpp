// Coindexed objects in expressions and assignments, as gfortran calls them. Each statement becomes
// a transfer between sections, in which chains of references have been resolved. In order: sections
// from descriptors, allocation on assignment, then gfortran's functions.
#include <cstdlib>
#include <new>
#include <string>

#include "abi.hpp"
#include "image.hpp"
#include "outcome.hpp"
#include "references.hpp"
#include "transfer.hpp"

using namespace ep::caf;  // NOLINT: this file is the C face of the namespace

namespace {

constexpr const char* put_statement = "assignment to a coindexed object";
constexpr const char* get_statement = "reference of a coindexed object";

LocalSection local(const Descriptor& descriptor, int kind) {
  return {static_cast<std::byte*>(descriptor.data), Section::of(descriptor, kind)};
}

RemoteSection remote(Token token, std::size_t offset, int image, const Descriptor& descriptor,
                     int kind, const SubscriptVector* subscripts) {
  const Coarray& coarray = calling_image().coarray(token, image);
  return {image - 1, coarray.at(image - 1) + static_cast<std::ptrdiff_t>(offset),
          Section::of(descriptor, kind, subscripts)};
}

RemoteSection remote(Token token, int image, const Reference* references, int type, int kind) {
  const Coarray& coarray = calling_image().coarray(token, image);
  return follow(calling_image().connection(), coarray, image - 1, references,
                {static_cast<TypeClass>(type), kind, 0});
}

Reach& reach() { return calling_image().connection().reach; }

bool has_shape(const Descriptor& descriptor, const Section& section) {
  for (int i = 0; i < descriptor.rank && i < section.rank(); ++i) {
    const DescriptorDim& dim = descriptor.dims[i];
    if (dim.upper - dim.lower + 1 != section.extent(i)) return false;
  }
  return true;
}

/// Allocates an allocatable variable anew for another shape, as an assignment does.
void reallocate(Descriptor& descriptor, const Section& section) {
  if (descriptor.data != nullptr && has_shape(descriptor, section)) return;
  const std::size_t bytes = descriptor.element_bytes * static_cast<std::size_t>(section.count());
  // The program gives it back with free().
  void* const memory = std::realloc(descriptor.data, bytes == 0 ? 1 : bytes);
  if (memory == nullptr) throw std::bad_alloc();
  descriptor.data = memory;
  descriptor.span = static_cast<std::ptrdiff_t>(descriptor.element_bytes);
  std::ptrdiff_t stride = 1;
  std::ptrdiff_t first = 0;
  for (int i = 0; i < descriptor.rank && i < section.rank(); ++i) {
    descriptor.dims[i] = {stride, 1, section.extent(i)};
    first += stride;
    stride *= section.extent(i);
  }
  descriptor.offset = static_cast<std::size_t>(-first);
}

}  // namespace

void _gfortran_caf_send(Token token, std::size_t offset, int image, Descriptor* destination,
                        SubscriptVector* subscripts, Descriptor* source, int destination_kind,
                        int source_kind, bool may_require_copy, int* stat) {
  serve(put_statement, {stat, nullptr, 0}, [&] {
    put(reach(), remote(token, offset, image, *destination, destination_kind, subscripts),
        local(*source, source_kind), may_require_copy);
  });
}

void _gfortran_caf_get(Token token, std::size_t offset, int image, Descriptor* source,
                       SubscriptVector* subscripts, Descriptor* destination, int source_kind,
                       int destination_kind, bool may_require_copy, int* stat) {
  serve(get_statement, {stat, nullptr, 0}, [&] {
    get(reach(), local(*destination, destination_kind),
        remote(token, offset, image, *source, source_kind, subscripts), may_require_copy);
  });
}

void _gfortran_caf_sendget(Token destination_token, std::size_t destination_offset,
                           int destination_image, Descriptor* destination,
                           SubscriptVector* destination_subscripts, Token source_token,
                           std::size_t source_offset, int source_image, Descriptor* source,
                           SubscriptVector* source_subscripts, int destination_kind,
                           int source_kind, bool may_require_copy, int* stat) {
  serve(put_statement, {stat, nullptr, 0}, [&] {
    move(reach(),
         remote(destination_token, destination_offset, destination_image, *destination,
                destination_kind, destination_subscripts),
         remote(source_token, source_offset, source_image, *source, source_kind, source_subscripts),
         may_require_copy);
  });
}

void _gfortran_caf_send_by_ref(Token token, int image, Descriptor* source, Reference* references,
                               int destination_kind, int source_kind, bool may_require_copy,
                               bool may_reallocate, int* stat, int destination_type) {
  serve(put_statement, {stat, nullptr, 0}, [&] {
    const RemoteSection to = remote(token, image, references, destination_type, destination_kind);
    if (may_reallocate && source->rank == to.section.rank() && !has_shape(*source, to.section)) {
      throw Failure(Stat::failed, "an allocatable component has another shape on image " +
                                      std::to_string(image) +
                                      " (only that image can allocate it again).");
    }
    put(reach(), to, local(*source, source_kind), may_require_copy);
  });
}

void _gfortran_caf_get_by_ref(Token token, int image, Descriptor* destination,
                              Reference* references, int destination_kind, int source_kind,
                              bool may_require_copy, bool may_reallocate, int* stat,
                              int source_type) {
  serve(get_statement, {stat, nullptr, 0}, [&] {
    const RemoteSection from = remote(token, image, references, source_type, source_kind);
    if (may_reallocate) reallocate(*destination, from.section);
    get(reach(), local(*destination, destination_kind), from, may_require_copy);
  });
}

void _gfortran_caf_sendget_by_ref(Token destination_token, int destination_image,
                                  Reference* destination_references, Token source_token,
                                  int source_image, Reference* source_references,
                                  int destination_kind, int source_kind, bool may_require_copy,
                                  int* destination_stat, int* source_stat, int destination_type,
                                  int source_type) {
  if (source_stat != nullptr) *source_stat = 0;
  serve(put_statement, {destination_stat, nullptr, 0}, [&] {
    move(reach(),
         remote(destination_token, destination_image, destination_references, destination_type,
                destination_kind),
         remote(source_token, source_image, source_references, source_type, source_kind),
         may_require_copy);
  });
}

int _gfortran_caf_is_present(Token token, int image, Reference* references) {
  int is_present = 0;
  serve("ALLOCATED", {}, [&] {
    try {
      remote(token, image, references, 0, 0);
      is_present = 1;
    } catch (const NotAllocated&) {
      is_present = 0;
    }
  });
  return is_present;
}
