/// @file
/// The interface that gfortran 12 calls under `-fcoarray=lib`: types and functions as the chapter
/// "Coarray Programming" of the GNU Fortran manual describes them, and as the compiler emits them
/// where the two differ (arguments of co_sum and its kind, of error stop, of image_status).
#pragma once

#include <cstddef>
#include <cstdint>

namespace ep::caf {

/// Largest rank, coranks included.
constexpr int max_rank = 15;

/// The class of an element's type; the numbers are gfortran's.
enum class TypeClass : signed char {
  unknown = 0,
  integer = 1,
  logical = 2,
  real = 3,
  complex = 4,
  derived = 5,
  character = 6,
};

struct DescriptorDim {
  std::ptrdiff_t stride;  ///< in spans
  std::ptrdiff_t lower;
  std::ptrdiff_t upper;
};

/// An array descriptor. There are as many dimensions behind it as its rank says.
struct Descriptor {
  void* data;
  std::size_t offset;
  std::size_t element_bytes;
  int version;
  signed char rank;
  TypeClass type;
  std::int16_t attribute;
  std::ptrdiff_t span;  ///< bytes between elements whose indices are neighbours, at stride 1
  DescriptorDim dims[max_rank];  // NOLINT: the compiler's
};

/// One dimension of a section with vector subscripts: a vector if it has elements, else a triplet.
struct SubscriptVector {
  struct Vector {
    const void* values;
    int kind;
  };
  struct Triplet {
    std::ptrdiff_t lower;
    std::ptrdiff_t upper;
    std::ptrdiff_t stride;
  };

  std::size_t count;
  union {
    Vector vector;
    Triplet triplet;
  };
};

enum class RegisterKind : int {
  coarray_static = 0,
  coarray_allocatable = 1,
  lock_static = 2,
  lock_allocatable = 3,
  critical = 4,
  event_static = 5,
  event_allocatable = 6,
  component_token = 7,   ///< a token for a component, no memory
  component_memory = 8,  ///< memory for a component that has a token
};

enum class DeregisterKind : int { coarray = 0, component_memory = 1 };

enum class ReferenceKind : int { component = 0, array = 1, static_array = 2 };

enum class SubscriptKind : unsigned char {
  none = 0,
  vector = 1,
  full = 2,
  range = 3,
  single = 4,
  open_end = 5,
  open_start = 6,
};

/// One link of the chain that leads from a coarray to a part of it.
struct Reference {
  struct Component {
    std::ptrdiff_t offset;
    std::ptrdiff_t token_offset;  ///< 0 unless the component is allocatable or a pointer
  };
  struct Range {
    std::ptrdiff_t start;
    std::ptrdiff_t end;
    std::ptrdiff_t stride;
  };
  struct Vector {
    const void* values;
    std::size_t count;
    int kind;
  };
  union Subscript {
    Range range;
    Vector vector;
  };
  struct Array {
    SubscriptKind mode[max_rank];  // NOLINT: the compiler's
    int static_type;
    Subscript dims[max_rank];  // NOLINT: the compiler's
  };

  Reference* next;
  ReferenceKind kind;
  std::size_t item_bytes;
  union {
    Component component;
    Array array;
  };
};

/// Bits that say how the function of co_reduce is called.
enum ReductionFlags : unsigned {
  result_by_reference = 1U,
  with_lengths = 2U,
  arguments_by_value = 4U,
  arguments_by_descriptor = 8U,
};

class Coarray;
using Token = void*;

}  // namespace ep::caf

// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier): names are the compiler's
extern "C" {

void _gfortran_caf_init(int* argc, char*** argv);
void _gfortran_caf_finalize();
int _gfortran_caf_this_image(int distance);
int _gfortran_caf_num_images(int distance, int failed);
int _gfortran_caf_image_status(int image, int team);
void _gfortran_caf_failed_images(ep::caf::Descriptor* images, void* team, const int* kind);
void _gfortran_caf_stopped_images(ep::caf::Descriptor* images, void* team, const int* kind);
void _gfortran_caf_random_init(bool repeatable, bool image_distinct);

void _gfortran_caf_register(std::size_t size, int kind, ep::caf::Token* token,
                            ep::caf::Descriptor* descriptor, int* stat, char* errmsg,
                            std::size_t errmsg_length);
void _gfortran_caf_deregister(ep::caf::Token* token, int kind, int* stat, char* errmsg,
                              std::size_t errmsg_length);

void _gfortran_caf_send(ep::caf::Token token, std::size_t offset, int image,
                        ep::caf::Descriptor* destination, ep::caf::SubscriptVector* subscripts,
                        ep::caf::Descriptor* source, int destination_kind, int source_kind,
                        bool may_require_copy, int* stat);
void _gfortran_caf_get(ep::caf::Token token, std::size_t offset, int image,
                       ep::caf::Descriptor* source, ep::caf::SubscriptVector* subscripts,
                       ep::caf::Descriptor* destination, int source_kind, int destination_kind,
                       bool may_require_copy, int* stat);
void _gfortran_caf_sendget(ep::caf::Token destination_token, std::size_t destination_offset,
                           int destination_image, ep::caf::Descriptor* destination,
                           ep::caf::SubscriptVector* destination_subscripts,
                           ep::caf::Token source_token, std::size_t source_offset, int source_image,
                           ep::caf::Descriptor* source, ep::caf::SubscriptVector* source_subscripts,
                           int destination_kind, int source_kind, bool may_require_copy, int* stat);
void _gfortran_caf_send_by_ref(ep::caf::Token token, int image, ep::caf::Descriptor* source,
                               ep::caf::Reference* references, int destination_kind,
                               int source_kind, bool may_require_copy, bool may_reallocate,
                               int* stat, int destination_type);
void _gfortran_caf_get_by_ref(ep::caf::Token token, int image, ep::caf::Descriptor* destination,
                              ep::caf::Reference* references, int destination_kind, int source_kind,
                              bool may_require_copy, bool may_reallocate, int* stat,
                              int source_type);
void _gfortran_caf_sendget_by_ref(ep::caf::Token destination_token, int destination_image,
                                  ep::caf::Reference* destination_references,
                                  ep::caf::Token source_token, int source_image,
                                  ep::caf::Reference* source_references, int destination_kind,
                                  int source_kind, bool may_require_copy, int* destination_stat,
                                  int* source_stat, int destination_type, int source_type);
int _gfortran_caf_is_present(ep::caf::Token token, int image, ep::caf::Reference* references);

void _gfortran_caf_sync_all(int* stat, char** errmsg, std::size_t errmsg_length);
void _gfortran_caf_sync_memory(int* stat, char** errmsg, std::size_t errmsg_length);
void _gfortran_caf_sync_images(int count, const int* images, int* stat, char** errmsg,
                               std::size_t errmsg_length);
void _gfortran_caf_lock(ep::caf::Token token, std::size_t index, int image, int* acquired,
                        int* stat, char* errmsg, std::size_t errmsg_length);
void _gfortran_caf_unlock(ep::caf::Token token, std::size_t index, int image, int* stat,
                          char* errmsg, std::size_t errmsg_length);
void _gfortran_caf_event_post(ep::caf::Token token, std::size_t index, int image, int* stat,
                              char* errmsg, std::size_t errmsg_length);
void _gfortran_caf_event_wait(ep::caf::Token token, std::size_t index, int until_count, int* stat,
                              char* errmsg, std::size_t errmsg_length);
void _gfortran_caf_event_query(ep::caf::Token token, std::size_t index, int image, int* count,
                               int* stat);

void _gfortran_caf_atomic_define(ep::caf::Token token, std::size_t offset, int image, void* value,
                                 int* stat, int type, int kind);
void _gfortran_caf_atomic_ref(ep::caf::Token token, std::size_t offset, int image, void* value,
                              int* stat, int type, int kind);
void _gfortran_caf_atomic_cas(ep::caf::Token token, std::size_t offset, int image, void* old,
                              void* compare, void* value, int* stat, int type, int kind);
void _gfortran_caf_atomic_op(int operation, ep::caf::Token token, std::size_t offset, int image,
                             void* value, void* old, int* stat, int type, int kind);

void _gfortran_caf_co_broadcast(ep::caf::Descriptor* a, int source_image, int* stat, char* errmsg,
                                std::size_t errmsg_length);
void _gfortran_caf_co_sum(ep::caf::Descriptor* a, int result_image, int* stat, char* errmsg,
                          std::size_t errmsg_length);
void _gfortran_caf_co_max(ep::caf::Descriptor* a, int result_image, int* stat, char* errmsg,
                          int length, std::size_t errmsg_length);
void _gfortran_caf_co_min(ep::caf::Descriptor* a, int result_image, int* stat, char* errmsg,
                          int length, std::size_t errmsg_length);
void _gfortran_caf_co_reduce(ep::caf::Descriptor* a, void (*function)(), int flags,
                             int result_image, int* stat, char* errmsg, int length,
                             std::size_t errmsg_length);

[[noreturn]] void _gfortran_caf_stop_numeric(int code, bool quiet);
[[noreturn]] void _gfortran_caf_stop_str(const char* text, std::size_t length, bool quiet);
[[noreturn]] void _gfortran_caf_error_stop(int code, bool quiet);
[[noreturn]] void _gfortran_caf_error_stop_str(const char* text, std::size_t length, bool quiet);
[[noreturn]] void _gfortran_caf_fail_image();

}  // extern "C"
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)
