// Allocation and deallocation of coarrays.
#include "abi.hpp"
#include "image.hpp"
#include "outcome.hpp"

using namespace ep::caf;  // NOLINT: this file is the C face of the namespace

namespace {

/// Sizes of locks and events are numbers of elements, which are pointers to the compiler.
std::size_t bytes_of(std::size_t size, RegisterKind kind) {
  const bool counts_bytes =
      kind == RegisterKind::coarray_static || kind == RegisterKind::coarray_allocatable ||
      kind == RegisterKind::component_token || kind == RegisterKind::component_memory;
  return counts_bytes ? size : size * sizeof(void*);
}

}  // namespace

void _gfortran_caf_register(std::size_t size, int kind_number, Token* token, Descriptor* descriptor,
                            int* stat, char* errmsg, std::size_t errmsg_length) {
  const auto kind = static_cast<RegisterKind>(kind_number);
  serve("ALLOCATE", {stat, errmsg, errmsg_length}, [&] {
    Image& image = calling_image();
    const std::size_t bytes = bytes_of(size, kind);
    switch (kind) {
      case RegisterKind::coarray_static:
      case RegisterKind::lock_static:
      case RegisterKind::critical:
      case RegisterKind::event_static:
        *token = image.add_static(bytes, kind, &descriptor->data);
        return;
      case RegisterKind::component_token:
        *token = image.add_component();
        return;
      case RegisterKind::component_memory:
        if (!image.is_component(*token)) {
          throw Failure(Stat::failed,
                        "memory for a component that the compiler has not announced.");
        }
        image.allocate_component(*token, bytes, &descriptor->data);
        return;
      case RegisterKind::coarray_allocatable:
        // gfortran says so, too, of a component that an assignment allocates.
        if (image.is_component(*token)) {
          image.allocate_component(*token, bytes, &descriptor->data);
          return;
        }
        [[fallthrough]];
      case RegisterKind::lock_allocatable:
      case RegisterKind::event_allocatable:
        *token = image.allocate(bytes, kind, *descriptor);
        return;
    }
    throw Failure(Stat::failed, "kind " + std::to_string(kind_number) +
                                    " of memory is none that gfortran 12 has.");
  });
}

void _gfortran_caf_deregister(Token* token, int kind, int* stat, char* errmsg,
                              std::size_t errmsg_length) {
  serve("DEALLOCATE", {stat, errmsg, errmsg_length}, [&] {
    Image& image = calling_image();
    if (!image.is_component(*token)) {
      image.deallocate(*token);
    } else if (static_cast<DeregisterKind>(kind) == DeregisterKind::component_memory) {
      image.free_component(*token);
      return;
    } else {
      image.remove_component(*token);
    }
    *token = nullptr;
  });
}
