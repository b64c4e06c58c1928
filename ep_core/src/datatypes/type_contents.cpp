// Takes a datatype apart, down to predefined types. MPI shows its contents one constructor at a
// time; each constructor has a function here. In order: contents, assembly of blocks, constructors
// (vectors, indexed, arrays, distributed arrays), predefined types and pairs.
#include "datatypes/type_contents.hpp"

#include <ep/ep.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "process/error.hpp"
#include "process/raw_call_scope.hpp"

namespace ep {

namespace {

struct Contents {
  int combiner = MPI_COMBINER_NAMED;
  std::vector<int> integers;
  std::vector<MPI_Aint> addresses;
  std::vector<MPI_Datatype> types;

  std::int64_t integer(std::size_t i) const { return integers[i]; }
};

bool is_predefined(int combiner) {
  return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
         combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
}

Contents contents_of(MPI_Datatype type) {
  Contents c;
  int integers = 0;
  int addresses = 0;
  int types = 0;
  const RawCallScope ours;
  if (MPI_Type_get_envelope(type, &integers, &addresses, &types, &c.combiner) != MPI_SUCCESS) {
    fail(EP_ERR_TYPE, "the datatype is not valid (freed, or not a datatype).");
  }
  if (is_predefined(c.combiner)) return c;
  c.integers.resize(static_cast<std::size_t>(integers));
  c.addresses.resize(static_cast<std::size_t>(addresses));
  c.types.resize(static_cast<std::size_t>(types), MPI_DATATYPE_NULL);
  check_mpi(MPI_Type_get_contents(type, integers, addresses, types, c.integers.data(),
                                  c.addresses.data(), c.types.data()),
            "MPI_Type_get_contents");
  return c;
}

TypeMap measured(MPI_Datatype type) {
  TypeMap map;
  MPI_Count size = 0;
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  check_mpi(MPI_Type_size_x(type, &size), "MPI_Type_size_x");
  check_mpi(MPI_Type_get_extent(type, &lower_bound, &extent), "MPI_Type_get_extent");
  map.size = size;
  map.extent = extent;
  return map;
}

/// Assembles a map from the pieces that a combiner describes.
class Assembly {
 public:
  explicit Assembly(MPI_Datatype type) : map_(measured(type)) {}

  void place(const TypeMap& inner, std::int64_t offset, std::int64_t times) {
    if (times == 0) return;
    map_.basic = is_empty_ || map_.basic == inner.basic ? inner.basic : MPI_DATATYPE_NULL;
    is_empty_ = false;
    map_.blocks.place(inner.blocks, offset, times, inner.extent);
    signature_.add(inner.signature, times);
  }

  std::shared_ptr<const TypeMap> finish() {
    map_.signature = std::make_shared<const Signature>(std::move(signature_));
    return std::make_shared<const TypeMap>(std::move(map_));
  }

 private:
  TypeMap map_;
  Signature signature_;
  bool is_empty_ = true;
};

void place_vector(Assembly& out, const Contents& c, const TypeMap& inner) {
  const std::int64_t stride =
      c.combiner == MPI_COMBINER_VECTOR ? c.integer(2) * inner.extent : c.addresses[0];
  for (std::int64_t i = 0; i < c.integer(0); ++i) out.place(inner, i * stride, c.integer(1));
}

void place_indexed(Assembly& out, const Contents& c, const TypeMap& inner) {
  const auto count = static_cast<std::size_t>(c.integer(0));
  for (std::size_t i = 0; i < count; ++i) {
    switch (c.combiner) {
      case MPI_COMBINER_INDEXED:
        out.place(inner, c.integer(1 + count + i) * inner.extent, c.integer(1 + i));
        break;
      case MPI_COMBINER_HINDEXED:
        out.place(inner, c.addresses[i], c.integer(1 + i));
        break;
      case MPI_COMBINER_INDEXED_BLOCK:
        out.place(inner, c.integer(2 + i) * inner.extent, c.integer(1));
        break;
      default:
        out.place(inner, c.addresses[i], c.integer(1));
    }
  }
}

// The selected global indices of one dimension of an array, in rising order, as (first, length)
// pieces.
struct Dimension {
  std::int64_t size;
  std::vector<std::pair<std::int64_t, std::int64_t>> pieces;
};

// `dimensions` with the slowest first; the fastest is placed piece by piece.
void place_array(Assembly& out, const TypeMap& inner, const std::vector<Dimension>& dimensions,
                 std::size_t level, std::int64_t base) {
  const Dimension& dimension = dimensions[level];
  for (const auto& [first, length] : dimension.pieces) {
    if (level + 1 == dimensions.size()) {
      out.place(inner, (base * dimension.size + first) * inner.extent, length);
      continue;
    }
    for (std::int64_t i = first; i < first + length; ++i) {
      place_array(out, inner, dimensions, level + 1, base * dimension.size + i);
    }
  }
}

std::vector<Dimension> in_order(std::vector<Dimension> dimensions, int order) {
  if (order == MPI_ORDER_C) return dimensions;
  return {dimensions.rbegin(), dimensions.rend()};
}

void place_subarray(Assembly& out, const Contents& c, const TypeMap& inner) {
  const auto rank = static_cast<std::size_t>(c.integer(0));
  std::vector<Dimension> dimensions;
  for (std::size_t d = 0; d < rank; ++d) {
    dimensions.push_back(
        {c.integer(1 + d), {{c.integer(1 + 2 * rank + d), c.integer(1 + rank + d)}}});
  }
  place_array(out, inner, in_order(std::move(dimensions), c.integers[1 + 3 * rank]), 0, 0);
}

// The part of process `coordinate` of `processes` (MPI-3.1, 4.1.4).
Dimension distributed(std::int64_t size, int distribution, std::int64_t argument,
                      std::int64_t processes, std::int64_t coordinate) {
  Dimension dimension{size, {}};
  if (distribution == MPI_DISTRIBUTE_NONE) {
    dimension.pieces.emplace_back(0, size);
    return dimension;
  }
  std::int64_t block = argument;
  if (argument == MPI_DISTRIBUTE_DFLT_DARG) {
    block = distribution == MPI_DISTRIBUTE_BLOCK ? (size + processes - 1) / processes : 1;
  }
  for (std::int64_t first = coordinate * block; first < size; first += processes * block) {
    dimension.pieces.emplace_back(first, std::min(block, size - first));
  }
  return dimension;
}

void place_distributed(Assembly& out, const Contents& c, const TypeMap& inner) {
  const auto rank = static_cast<std::size_t>(c.integer(2));
  const auto at = [&](std::size_t list, std::size_t d) { return c.integer(3 + list * rank + d); };
  std::vector<std::int64_t> coordinates(rank);
  std::int64_t left = c.integer(1);  // processes are ordered row-major in either order of storage
  for (std::size_t d = rank; d-- > 0;) {
    coordinates[d] = left % at(3, d);
    left /= at(3, d);
  }
  std::vector<Dimension> dimensions;
  for (std::size_t d = 0; d < rank; ++d) {
    dimensions.push_back(
        distributed(at(0, d), static_cast<int>(at(1, d)), at(2, d), at(3, d), coordinates[d]));
  }
  place_array(out, inner, in_order(std::move(dimensions), c.integers[3 + 4 * rank]), 0, 0);
}

void place_contents(Assembly& out, const Contents& c,
                    const std::vector<std::shared_ptr<const TypeMap>>& inner) {
  switch (c.combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
      out.place(*inner[0], 0, 1);
      break;
    case MPI_COMBINER_CONTIGUOUS:
      out.place(*inner[0], 0, c.integer(0));
      break;
    case MPI_COMBINER_VECTOR:
    case MPI_COMBINER_HVECTOR:
      place_vector(out, c, *inner[0]);
      break;
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED_BLOCK:
      place_indexed(out, c, *inner[0]);
      break;
    case MPI_COMBINER_STRUCT:
      for (std::size_t i = 0; i < inner.size(); ++i) {
        out.place(*inner[i], c.addresses[i], c.integer(1 + i));
      }
      break;
    case MPI_COMBINER_SUBARRAY:
      place_subarray(out, c, *inner[0]);
      break;
    case MPI_COMBINER_DARRAY:
      place_distributed(out, c, *inner[0]);
      break;
    default:
      fail(EP_ERR_TYPE, "a datatype was made by combiner ", c.combiner,
           " (not known to this library).");
  }
}

// The pairs of MPI_MINLOC have gaps in C, and MPI does not show their contents.
template <class Value>
void describe_pair(TypeMap& map, MPI_Datatype value) {
  struct Pair {
    Value value;
    int index;
  };
  map.blocks.add({offsetof(Pair, value), sizeof(Value), 0, 1});
  map.blocks.add({offsetof(Pair, index), sizeof(int), 0, 1});
  Signature signature;
  signature.add(std::make_shared<const Signature>(basic_number(value), sizeof(Value)), 1);
  signature.add(std::make_shared<const Signature>(basic_number(MPI_INT), sizeof(int)), 1);
  map.signature = std::make_shared<const Signature>(std::move(signature));
}

std::shared_ptr<const TypeMap> predefined(MPI_Datatype type) {
  TypeMap map = measured(type);
  map.named = true;
  map.basic = type;
  if (type == MPI_DOUBLE_INT) {
    describe_pair<double>(map, MPI_DOUBLE);
  } else if (type == MPI_FLOAT_INT) {
    describe_pair<float>(map, MPI_FLOAT);
  } else if (type == MPI_LONG_INT) {
    describe_pair<long>(map, MPI_LONG);  // NOLINT(google-runtime-int): MPI's name for it
  } else if (type == MPI_SHORT_INT) {
    describe_pair<short>(map, MPI_SHORT);  // NOLINT(google-runtime-int)
  } else if (type == MPI_LONG_DOUBLE_INT) {
    describe_pair<long double>(map, MPI_LONG_DOUBLE);
  } else if (type == MPI_2INT) {
    describe_pair<int>(map, MPI_INT);
  } else {
    map.blocks.add({0, map.size, 0, 1});
    map.signature = std::make_shared<const Signature>(basic_number(type), map.size);
  }
  return std::make_shared<const TypeMap>(std::move(map));
}

// MPI returns references to derived contents, which must be freed.
class Borrowed {
 public:
  explicit Borrowed(MPI_Datatype type) : type_(type) {}
  Borrowed(const Borrowed&) = delete;
  Borrowed(Borrowed&&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  Borrowed& operator=(Borrowed&&) = delete;
  ~Borrowed() {
    if (type_ == MPI_DATATYPE_NULL) return;
    if (MPI_Type_free(&type_) != MPI_SUCCESS) set_last_error("MPI_Type_free failed.");
  }

 private:
  MPI_Datatype type_;
};

}  // namespace

std::shared_ptr<const TypeMap> take_apart(MPI_Datatype type) {
  const Contents contents = contents_of(type);
  if (is_predefined(contents.combiner)) return predefined(type);
  std::vector<std::shared_ptr<const TypeMap>> inner;
  for (const MPI_Datatype part : contents.types) {
    // An exception before this point leaks the other references, but nothing else.
    inner.push_back(take_apart(part));
    const Borrowed reference(inner.back()->named ? MPI_DATATYPE_NULL : part);
  }
  Assembly assembly(type);
  place_contents(assembly, contents, inner);
  return assembly.finish();
}

}  // namespace ep
