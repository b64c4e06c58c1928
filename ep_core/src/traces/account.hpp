#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "progress/waiting.hpp"
#include "traces/observation.hpp"
#include "traces/statistics.hpp"
#include "traces/trace_file.hpp"

namespace ep {

class Clique;

/// The facts about a call for its line in the trace.
struct CallFacts {
  const char* what = "";  ///< "EP_Bcast", or with the name in brackets at the end
  std::int64_t bytes = -1;
  int peer = -1;
  int tag = -1;
  std::string_view algorithm;
};

/// Records what one endpoint does in one communicator. Any thread.
class Account final : public WaitListener {
 public:
  using Clock = TraceFile::Clock;

  Account(Observation& observation, Clique& clique, const Ears& ears);
  Account(const Account&) = delete;
  Account(Account&&) = delete;
  Account& operator=(const Account&) = delete;
  Account& operator=(Account&&) = delete;
  ~Account() override;

  void hear_end(const HeardWait& wait) noexcept override;
  void hear_still(const HeardWait& wait) noexcept override;
  /// Records that a message to rank `peer` leaves.
  void send(int peer, int tag, std::int64_t bytes, Clock::time_point time);
  /// Records that a message of rank `source` has matched its receive.
  void receive(int source, int tag, std::int64_t bytes) noexcept;
  /// Records the end of a collective of this endpoint. It began at `begin` if no call waits for it.
  void end_collective(const CallFacts& facts, std::optional<Clock::time_point> begin) noexcept;

  /// Adds its counts to `statistics` and starts again at zero.
  void give(Statistics& statistics);

 private:
  friend class HeardCall;
  void line(const CallFacts& facts, const char* category, Clock::time_point begin,
            Clock::time_point end, std::string_view more);
  std::string flow(int source, int tag, std::uint64_t number) const;
  std::string own_place() const;
  std::string place_of(int peer) const;
  std::string place_in_job(int world_rank, std::uint32_t context, int slot) const;
  std::string common(const CallFacts& facts) const;

  Observation& observation_;
  TraceFile* const trace_;
  const Clique& clique_;
  const WaitPoint& point_;
  Ears ears_;
  std::mutex mutex_;  // guards the following members
  Totals totals_;
  // Messages of one sender with one tag do not overtake each other, so the n-th sent is the n-th
  // received.
  std::map<std::pair<int, int>, std::uint64_t> sent_;
  std::map<std::pair<int, int>, std::uint64_t> received_;
};

/// Returns the account of an endpoint in a communicator, or null.
inline Account* account_at(const WaitPoint& point) noexcept {
  return static_cast<Account*>(point.listener.get());
}

/// Records a call of the endpoint that waits at `point`, for the lifetime of the object. Costs one
/// check without a listener.
class HeardCall {
 public:
  enum class Kind { send, receive, collective };

  HeardCall(const WaitPoint& point, Kind kind, const CallFacts& facts)
      : account_(account_at(point)) {
    if (account_ != nullptr) [[unlikely]]
      begin(kind, facts);
  }
  HeardCall(const HeardCall&) = delete;
  HeardCall(HeardCall&&) = delete;
  HeardCall& operator=(const HeardCall&) = delete;
  HeardCall& operator=(HeardCall&&) = delete;
  ~HeardCall() {
    if (account_ != nullptr) [[unlikely]]
      end();
  }

  explicit operator bool() const noexcept { return account_ != nullptr; }
  /// Returns the facts, so that those known only at the end can be added.
  CallFacts& facts() { return open_->facts; }

 private:
  friend class Account;
  struct Open {
    Kind kind;
    CallFacts facts;
    Account::Clock::time_point begin;
    double waited_s = 0;
    std::string waited_for;
    HeardCall* outer;
  };
  static HeardCall*& innermost() noexcept;
  void begin(Kind kind, const CallFacts& facts);
  void end() noexcept;

  Account* const account_;
  std::optional<Open> open_;
};

}  // namespace ep
