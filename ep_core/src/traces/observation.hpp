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

/// The place of an endpoint in a communicator, which may not be active yet.
struct Ears {
  int slot = 0;
  int side = 0;
  int rank = 0;
  int id = 0;  ///< which endpoint of its process it is
};

/// Holds the settings of EP_TRACE and EP_STATISTICS and what this process has recorded. Without
/// them endpoints have no Account, and this object is not used again.
class Observation final : public Extension {
 public:
  static constexpr Room room = Room::traces;
  /// Reads the environment. Pending output is written, at the latest, when the process exits.
  Observation();
  Observation(const Observation&) = delete;
  Observation(Observation&&) = delete;
  Observation& operator=(const Observation&) = delete;
  Observation& operator=(Observation&&) = delete;
  ~Observation() override;

  bool counts() const noexcept { return counts_; }
  /// Returns null unless EP_TRACE is set.
  TraceFile* trace() const noexcept { return trace_.get(); }
  /// Returns the number of this process, which accounts know.
  int world_rank() const noexcept { return world_rank_; }

  /// Gives the endpoint in `slot` of `clique` an account if one is requested.
  void listen_at(Clique& clique, const Ears& ears);
  /// True if the processes of the job send their counts to the first one: all of them count.
  bool is_gathered() const noexcept { return is_gathered_; }
  void set_gathered(bool gathered) noexcept { is_gathered_ = gathered; }
  /// Returns the counts since the last call.
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
  std::mutex mutex_;  // guards the following members
  std::set<Account*> living_;
  Statistics ended_;
};

inline Observation& observation() { return process().extension<Observation>(); }

}  // namespace ep
