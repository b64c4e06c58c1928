#pragma once

#include <ep/ep.h>

#include <array>
#include <memory>
#include <optional>
#include <string>

namespace ep {

/// The processors of an object of hwloc's: the number of the first and how many. Such objects are
/// disjoint or nested, so that this tells two of them apart.
struct ProcessorSet {
  int first = 0;
  int count = 0;
  bool operator==(const ProcessorSet&) const = default;
  auto operator<=>(const ProcessorSet&) const = default;
};

/// By level of EP_Shmem_comm_create, without the node: the smallest object of the level, or around
/// it, that contains some processors. Each contains the one before.
using Places = std::array<ProcessorSet, EP_SHMEM_NODE>;

/// Where some processors are.
struct Located {
  Places places{};
  unsigned inside = 0;  ///< bits: levels of which one object contains them
};

/// What hwloc knows of the node. Immutable; any thread.
class Machine {
 public:
  /// The node that runs this, unless hwloc's environment variables (HWLOC_SYNTHETIC,
  /// HWLOC_XMLFILE) name another machine.
  Machine();

  /// The processors that the calling thread may run on, as a list of hwloc's like "0-3,8".
  std::string processors_of_this_thread() const;
  /// Where those processors are; nothing for a list that is none or names others than the
  /// machine's.
  std::optional<Located> places_of(const std::string& processors) const;

 private:
  struct Topology;
  struct Deleter {
    void operator()(Topology* topology) const noexcept;
  };
  std::unique_ptr<Topology, Deleter> topology_;
};

/// Loaded at first use, which takes milliseconds.
const Machine& machine();

}  // namespace ep
