#include "topologies/machine.hpp"

#include <hwloc.h>

#include <cstdlib>
#include <new>

#include "process/error.hpp"

namespace ep {

namespace {

/// A bitmap of hwloc's.
class Bitmap {
 public:
  Bitmap() : bits_(hwloc_bitmap_alloc()) {
    if (!bits_) throw std::bad_alloc();
  }
  hwloc_bitmap_t get() const noexcept { return bits_.get(); }

 private:
  struct Deleter {
    void operator()(hwloc_bitmap_t bits) const noexcept { hwloc_bitmap_free(bits); }
  };
  std::unique_ptr<hwloc_bitmap_s, Deleter> bits_;
};

struct Freed {
  void operator()(char* text) const noexcept { std::free(text); }  // NOLINT: hwloc allocated it
};

constexpr std::array<hwloc_obj_type_t, EP_SHMEM_NODE> level_types{
    HWLOC_OBJ_CORE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_NUMANODE, HWLOC_OBJ_PACKAGE};

ProcessorSet set_of(hwloc_const_bitmap_t processors) {
  return {hwloc_bitmap_first(processors), hwloc_bitmap_weight(processors)};
}

// The smallest object of a type that contains `inside`; null if none does.
hwloc_obj_t around(hwloc_topology_t topology, hwloc_obj_type_t type, hwloc_const_bitmap_t inside) {
  hwloc_obj_t best = nullptr;
  for (hwloc_obj_t object = hwloc_get_next_obj_by_type(topology, type, nullptr); object != nullptr;
       object = hwloc_get_next_obj_by_type(topology, type, object)) {
    if (hwloc_bitmap_isincluded(inside, object->cpuset) == 0) continue;
    const bool is_smaller =
        best == nullptr || hwloc_bitmap_weight(object->cpuset) < hwloc_bitmap_weight(best->cpuset);
    if (is_smaller) best = object;
  }
  return best;
}

}  // namespace

struct Machine::Topology {
  hwloc_topology_t handle = nullptr;
};

void Machine::Deleter::operator()(Topology* topology) const noexcept {
  if (topology->handle != nullptr) hwloc_topology_destroy(topology->handle);
  delete topology;  // NOLINT(cppcoreguidelines-owning-memory): this is the owner's deleter
}

// Includes the processors that this process may not use: peers may use them, and all must see the
// same objects.
Machine::Machine() : topology_(new Topology) {
  const bool loaded =
      hwloc_topology_init(&topology_->handle) == 0 &&
      hwloc_topology_set_flags(topology_->handle, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) == 0 &&
      hwloc_topology_load(topology_->handle) == 0;
  if (!loaded) {
    fail(EP_ERR_OTHER,
         "hwloc cannot tell how this node is built. Does lstopo work, are HWLOC_ variables right?");
  }
}

std::string Machine::processors_of_this_thread() const {
  const hwloc_topology_t topology = topology_->handle;
  const Bitmap bound;
  hwloc_const_bitmap_t processors = bound.get();
  if (hwloc_get_cpubind(topology, bound.get(), HWLOC_CPUBIND_THREAD) != 0 ||
      hwloc_bitmap_iszero(bound.get()) != 0) {
    processors = hwloc_topology_get_allowed_cpuset(topology);
  }
  char* text = nullptr;
  if (hwloc_bitmap_list_asprintf(&text, processors) < 0) throw std::bad_alloc();
  const std::unique_ptr<char, Freed> owner(text);
  return text;
}

std::optional<Located> Machine::places_of(const std::string& processors) const {
  const hwloc_topology_t topology = topology_->handle;
  const Bitmap wanted;
  if (hwloc_bitmap_list_sscanf(wanted.get(), processors.c_str()) != 0) return std::nullopt;
  if (hwloc_bitmap_iszero(wanted.get()) != 0) return std::nullopt;
  const hwloc_obj_t closest = hwloc_get_obj_covering_cpuset(topology, wanted.get());
  if (closest == nullptr) return std::nullopt;
  Located out;
  hwloc_const_bitmap_t place = closest->cpuset;
  for (std::size_t level = 0; level < out.places.size(); ++level) {
    const hwloc_obj_t object = around(topology, level_types[level], place);
    if (object != nullptr) {
      place = object->cpuset;
      out.inside |= 1U << level;
    }
    out.places[level] = set_of(place);
  }
  return out;
}

const Machine& machine() {
  static const Machine* const instance = new Machine;  // NOLINT: as long as handles, see Process
  return *instance;
}

}  // namespace ep
