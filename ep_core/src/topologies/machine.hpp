#pragma once

#include <ep/ep.h>

#include <array>
#include <memory>
#include <optional>
#include <string>

namespace ep {

/// The processors of an object of hwloc's: the number of the first and how many. Such objects are
/// disjoint or nested, so this distinguishes two of them.
struct ProcessorSet {
  int first = 0;
  int count = 0;
  bool operator==(const ProcessorSet&) const = default;
  auto operator<=>(const ProcessorSet&) const = default;
};

/// By level of EP_Shmem_comm_create, without the node: the smallest object of the level, or around
/// it, that contains some processors. Each contains the one before.
using Places = std::array<ProcessorSet, EP_SHMEM_NODE>;

/// The place of some processors.
struct Located {
  Places places{};
  unsigned inside = 0;  ///< bits: levels of which one object contains them
};

/// The topology of the node as hwloc knows it. Immutable; any thread.
class Machine {
 public:
  /// Describes the node that runs this, unless hwloc's environment variables (HWLOC_SYNTHETIC,
  /// HWLOC_XMLFILE) name another machine.
  Machine();

  /// Returns the processors on which the calling thread may run, as a list of hwloc's like "0-3,8".
  std::string processors_of_this_thread() const;
  /// Returns the place of those processors; nothing for a text that is no list or names processors
  /// that the machine does not have.
  std::optional<Located> places_of(const std::string& processors) const;

 private:
  struct Topology;
  struct Deleter {
    void operator()(Topology* topology) const noexcept;
  };
  std::unique_ptr<Topology, Deleter> topology_;
};

/// Returns the machine, loaded at first use, which takes milliseconds.
const Machine& machine();

}  // namespace ep
