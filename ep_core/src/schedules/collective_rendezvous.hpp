#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "process/extensions.hpp"
#include "schedules/collective_tuning.hpp"
#include "schedules/operation.hpp"
#include "schedules/reduction.hpp"

namespace ep {

/// The rendezvous of the endpoints of a process for the operations of one communicator. Each
/// endpoint numbers its operations itself, since all call them in the same order.
class CollectiveRendezvous {
 public:
  explicit CollectiveRendezvous(int slots) : slots_(slots) {}
  /// Uses one tag for all operations. Between processes, an operation begins only after the one
  /// before has ended.
  CollectiveRendezvous(int slots, int tag) : slots_(slots), tag_(tag) {}

  /// Returns operation `number`, which the first caller creates. Any number of operations may be
  /// pending.
  Operation& join(std::uint64_t number, const std::shared_ptr<Clique>& clique);
  /// Returns the plan of reductions over `ranks`, the group of `side`. The plan is built once.
  const ReductionPlan& plan(const RankTable& ranks, int me, int side, bool ordered);
  /// Returns the tag of operation `number` between processes.
  int tag_of(std::uint64_t number) const noexcept {
    return tag_ >= 0 ? tag_ : static_cast<int>(number & 0x3fffU);
  }
  void set_tag(int tag) noexcept { tag_ = tag; }
  /// Recycles an operation after all its users have left it.
  void recycle(Operation& operation) noexcept;

 private:
  Operation* take_spare();
  void grow();

  int slots_;
  int tag_ = -1;  // -1: a different tag for each operation
  std::mutex mutex_;
  std::vector<Operation*> ring_;  // operation n at n % size
  std::vector<std::unique_ptr<Operation>> all_;
  std::vector<Operation*> spare_;
  std::array<std::unique_ptr<const ReductionPlan>, 4> plans_;
};

/// The rendezvous for the starts of one persistent collective.
struct PersistentSite {
  explicit PersistentSite(int slots) : rendezvous(slots, 0) {}

  CollectiveRendezvous rendezvous;
  std::uint64_t first = 0;  ///< number of the operation before its first start
  std::uint64_t last = 0;
  int joined = 0;
  int left = 0;
};

/// The persistent collectives of a communicator. Each endpoint numbers them itself, since all
/// create them in the same order. A site is reused when all its requests have been freed.
class PersistentSites {
 public:
  PersistentSite& join(std::uint64_t number, int slots);
  /// Leaves a site after `starts` starts. The last endpoint to leave makes the site reusable.
  void leave(PersistentSite& site, std::uint64_t starts, int slots) noexcept;

 private:
  std::mutex mutex_;
  std::map<std::uint64_t, PersistentSite*> joining_;
  std::vector<std::unique_ptr<PersistentSite>> all_;
  std::vector<PersistentSite*> spare_;
};

/// The collectives of a communicator in this process.
struct CliqueCollectives final : Extension {
  static constexpr Room room = Room::schedules;
  explicit CliqueCollectives(int slots) : rendezvous(slots) {}

  CollectiveRendezvous rendezvous;
  CollectiveTuning tuning;
  PersistentSites persistent;
};

CollectiveRendezvous& rendezvous_of(const Clique& clique);
PersistentSites& persistent_sites_of(const Clique& clique);

}  // namespace ep
