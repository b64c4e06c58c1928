/// @file
/// Repeated messages of one size between the same ranks.
#pragma once

#include <ep/types.h>

#include <cstddef>
#include <cstdint>
#include <ep/fwd.hpp>
#include <span>
#include <vector>

#include "space/steps.hpp"

namespace epios::io {

/// Send and receive buffers of a rank, with persistent requests. Each message has a receive buffer
/// before it is sent, so that no library has to keep it: a sender waits for the buffer and is at
/// most one message ahead. Belongs to one endpoint.
class PersistentExchange {
 public:
  /// `sends[r]` and `receives[r]` are the bytes for rank r and from it; 0 means none. Both ends
  /// must agree. `traffic`, which must outlive this object, counts what is sent. Local.
  PersistentExchange(const ep::Comm& comm, std::span<const std::size_t> sends,
                     std::span<const std::size_t> receives, int tag, StepTraffic& traffic);
  PersistentExchange(const PersistentExchange&) = delete;
  PersistentExchange(PersistentExchange&&) = delete;
  PersistentExchange& operator=(const PersistentExchange&) = delete;
  PersistentExchange& operator=(PersistentExchange&&) = delete;
  ~PersistentExchange();

  template <class T>
  std::span<T> to(int rank) {
    return part<T>(sent_, sent_at_, rank);
  }
  template <class T>
  std::span<T> from(int rank) {
    return part<T>(received_, received_at_, rank);
  }
  /// Return the ranks that data is sent to, and those that it comes from; ascending.
  const std::vector<int>& targets() const { return targets_; }
  const std::vector<int>& origins() const { return origins_; }

  /// Opens the receive buffers for the next messages, after the last ones have been used.
  void open();
  /// Sends the buffers, with date `date`. Never waits.
  void start(std::int64_t date);
  /// Returns true if everything has been sent and received. Never waits. Throws Error{mismatch} if
  /// somebody has sent data of another date.
  bool is_done();
  /// Returns, while messages are missing, the ranks that they come from. For reports.
  std::vector<int> awaited() const;

 private:
  template <class T>
  static std::span<T> part(std::vector<std::byte>& bytes, const std::vector<std::size_t>& at,
                           int rank) {
    const auto r = static_cast<std::size_t>(rank);
    if (at[r] == at[r + 1]) return {};
    // The values follow the date.
    return {reinterpret_cast<T*>(bytes.data() + at[r] + date_bytes),
            (at[r + 1] - at[r] - date_bytes) / sizeof(T)};
  }

  static constexpr std::size_t date_bytes = sizeof(std::int64_t);

  const ep::Comm& comm_;
  StepTraffic& traffic_;
  std::int64_t date_ = 0;
  bool is_active_ = false;
  bool are_receives_open_ = false;
  std::vector<std::size_t> sent_at_, received_at_;
  std::vector<std::byte> sent_, received_;
  std::vector<int> targets_, origins_;
  std::vector<EP_Request> requests_;
};

}  // namespace epios::io
