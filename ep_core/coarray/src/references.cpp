// Follows the references of a coindexed object (components, subscripts, triplets, vectors) to the
// memory of another image. Descriptors on the way lie there, too, and are fetched. In order:
// triplets and subscripts, then Path, which walks from reference to reference.
#include "references.hpp"

#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>

namespace ep::caf {

namespace {

constexpr std::size_t header_bytes = offsetof(Descriptor, dims);

int rank_of(const Reference& reference) {
  int rank = 0;
  while (rank < max_rank && reference.array.mode[rank] != SubscriptKind::none) ++rank;
  return rank;
}

/// The first and the last index of a subscript triplet, and its stride.
struct Triplet {
  std::ptrdiff_t start;
  std::ptrdiff_t end;
  std::ptrdiff_t stride;

  std::int64_t count() const { return (end - start + stride) / stride; }
};

Triplet triplet_of(const Reference& reference, int dimension, const DescriptorDim& bounds) {
  const auto& range = reference.array.dims[dimension].range;
  const std::ptrdiff_t stride = range.stride == 0 ? 1 : range.stride;
  const std::ptrdiff_t first = stride > 0 ? bounds.lower : bounds.upper;
  const std::ptrdiff_t last = stride > 0 ? bounds.upper : bounds.lower;
  switch (reference.array.mode[dimension]) {
    case SubscriptKind::range:
      return {range.start, range.end, stride};
    case SubscriptKind::open_end:
      return {range.start, last, stride};
    case SubscriptKind::open_start:
      return {first, range.end, stride};
    default:
      return {first, last, stride};
  }
}

/// Subscripts of an array that has a descriptor.
void add_subscripts(Section& section, const Reference& reference, const Descriptor& descriptor) {
  const auto item = static_cast<std::ptrdiff_t>(reference.item_bytes);
  const std::ptrdiff_t span = descriptor.span != 0 ? descriptor.span : item;
  for (int i = 0; i < rank_of(reference); ++i) {
    const DescriptorDim& bounds = descriptor.dims[i];
    const std::ptrdiff_t stride = bounds.stride * span;
    const auto& subscript = reference.array.dims[i];
    if (reference.array.mode[i] == SubscriptKind::single) {
      section.move((subscript.range.start - bounds.lower) * stride);
    } else if (reference.array.mode[i] == SubscriptKind::vector) {
      section.add(subscript_offsets(subscript.vector.values, subscript.vector.count,
                                    subscript.vector.kind, bounds.lower, stride));
    } else {
      const Triplet triplet = triplet_of(reference, i, bounds);
      section.move((triplet.start - bounds.lower) * stride);
      section.add(triplet.count(), triplet.stride * stride);
    }
  }
}

/// Subscripts of an array without one: the compiler counts elements from its first one on.
void add_static_subscripts(Section& section, const Reference& reference) {
  const auto item = static_cast<std::ptrdiff_t>(reference.item_bytes);
  for (int i = 0; i < rank_of(reference); ++i) {
    const auto& range = reference.array.dims[i].range;
    const SubscriptKind mode = reference.array.mode[i];
    if (mode == SubscriptKind::single) {
      section.move(range.start * item);
    } else if ((mode == SubscriptKind::full || mode == SubscriptKind::range) && range.stride != 0) {
      section.move(range.start * item);
      section.add((range.end - range.start + range.stride) / range.stride, range.stride * item);
    } else {
      throw Failure(Stat::failed,
                    "a vector subscript, or a section without an end, of an array that is a "
                    "component beside allocatable ones (gfortran does not say where it lies). "
                    "Assign to or from a whole array, or name the bounds?");
    }
  }
}

/// Goes from the coarray to what the references name.
class Path {
 public:
  Path(Connection& connection, const Coarray& coarray, int rank)
      : connection_(connection), coarray_(coarray), rank_(rank), base_(coarray.at(rank)) {}

  RemoteSection follow(const Reference* reference, ElementType type) {
    for (; reference != nullptr; reference = reference->next) {
      type.bytes = reference->item_bytes;
      if (reference->kind == ReferenceKind::component) {
        section_.move(reference->component.offset);
        if (reference->component.token_offset == 0) continue;
        const Reference* const next = reference->next;
        if (next == nullptr || next->kind != ReferenceKind::array) {
          std::array<std::byte, sizeof(void*)> pointer{};
          read(pointer);
          go_to(pointer);
        } else {
          follow_descriptor(*next);
          type.bytes = next->item_bytes;
          reference = next;
        }
      } else if (reference->kind == ReferenceKind::array) {
        add_subscripts(section_, *reference, bounds_of_coarray());
      } else {
        add_static_subscripts(section_, *reference);
      }
    }
    section_.set_type(type);
    const auto [begin, end] = section_.bounds();
    check_reach(begin, end);
    return {rank_, base_, std::move(section_)};
  }

 private:
  /// Reads bytes of the element that the path has reached.
  void read(std::span<std::byte> bytes) {
    if (section_.rank() > 0) {
      throw Failure(Stat::failed,
                    "an allocatable component of several elements of an array (Fortran 2018, "
                    "C919). Name one element?");
    }
    const std::ptrdiff_t begin = section_.bounds().begin;
    check_reach(begin, begin + static_cast<std::ptrdiff_t>(bytes.size()));
    connection_.reach.get(rank_, base_ + begin, bytes);
    if (base_.direct == nullptr) connection_.reach.finish_gets(rank_);
  }

  void go_to(std::span<const std::byte> pointer) {
    std::uintptr_t address = 0;
    std::memcpy(&address, pointer.data(), sizeof address);
    if (address == 0) throw NotAllocated(rank_ + 1);
    base_ = connection_.reach.at(rank_, address);
    section_ = Section({});
    is_behind_pointer_ = true;
  }

  void follow_descriptor(const Reference& subscripts) {
    Descriptor descriptor{};
    const std::size_t bytes =
        header_bytes + static_cast<std::size_t>(rank_of(subscripts)) * sizeof(DescriptorDim);
    std::array<std::byte, sizeof descriptor> raw{};
    read(std::span(raw).first(bytes));
    std::memcpy(&descriptor, raw.data(), bytes);
    go_to(std::span(raw).subspan(offsetof(Descriptor, data), sizeof(void*)));
    add_subscripts(section_, subscripts, descriptor);
  }

  void check_reach(std::ptrdiff_t begin, std::ptrdiff_t end) const {
    if (!is_behind_pointer_ || begin == end) return;
    if (connection_.reach.has(rank_, base_ + begin, base_ + (end - 1))) return;
    throw Failure(Stat::failed,
                  "the target of a pointer on image " + std::to_string(rank_ + 1) +
                      " (that image is in another process, which knows of coarrays and components "
                      "alone). Allocate the component instead?");
  }

  const Descriptor& bounds_of_coarray() const {
    const Descriptor* const descriptor = coarray_.descriptor();
    if (descriptor == nullptr || descriptor->data != coarray_.own()) {
      throw Failure(Stat::failed,
                    "a component of an array whose bounds the compiler has not told (it was moved, "
                    "or its procedure has ended). Allocate it in a module or the main program?");
    }
    return *descriptor;
  }

  Connection& connection_;
  const Coarray& coarray_;
  int rank_;
  Place base_;
  Section section_{ElementType{}};
  bool is_behind_pointer_ = false;
};

}  // namespace

NotAllocated::NotAllocated(int image)
    : Failure(Stat::failed, "a component is not allocated on image " + std::to_string(image) +
                                ". Allocate it there, then SYNC?") {}

RemoteSection follow(Connection& connection, const Coarray& coarray, int rank,
                     const Reference* references, ElementType type) {
  return Path(connection, coarray, rank).follow(references, type);
}

}  // namespace ep::caf
