#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "process/extensions.hpp"
#include "process/process.hpp"
#include "traces/statistics.hpp"
#include "traces/trace_file.hpp"

namespace ep {

class Account;
class Clique;

/// Where an endpoint is in a communicator, which may not be active yet.
struct Ears {
  int slot = 0;
  int side = 0;
  int rank = 0;
  int id = 0;  ///< which endpoint of its process it is
};

/// What EP_TRACE and EP_STATISTICS ask for, and what has been heard in this process. Without them
/// endpoints have no Account, and nobody looks here again.
class Observation final : public Extension {
 public:
  static constexpr Room room = Room::traces;
  /// As the environment has it. What waits to be written or said is, at the latest, when the
  /// process exits.
  Observation();
  Observation(const Observation&) = delete;
  Observation(Observation&&) = delete;
  Observation& operator=(const Observation&) = delete;
  Observation& operator=(Observation&&) = delete;
  ~Observation() override;

  bool counts() const noexcept { return counts_; }
  /// Null unless EP_TRACE asked for one.
  TraceFile* trace() const noexcept { return trace_.get(); }
  /// Of this process. Known to accounts.
  int world_rank() const noexcept { return world_rank_; }

  /// From here on the endpoint in `slot` of `clique` has an account, if anybody asked for it.
  void listen_at(Clique& clique, const Ears& ears);
  /// Whether the processes of the job tell their first one: all of them count.
  bool is_gathered() const noexcept { return is_gathered_; }
  void set_gathered(bool gathered) noexcept { is_gathered_ = gathered; }
  /// What has been counted since the last time.
  Statistics take_statistics();

 private:
  friend class Account;
  void enter(Account& account);
  void leave(Account& account) noexcept;
  static void say_rest() noexcept;

  bool counts_ = false;
  bool is_gathered_ = false;
  std::string trace_pattern_;
  std::once_flag opened_;
  int world_rank_ = 0;
  std::unique_ptr<TraceFile> trace_;
  std::mutex mutex_;  // what follows
  std::set<Account*> living_;
  Statistics ended_;
};

inline Observation& observation() { return process().extension<Observation>(); }

}  // namespace ep
