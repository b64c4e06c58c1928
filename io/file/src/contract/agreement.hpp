/// @file
/// The only door from a file into a collective.
#pragma once

#include <cstdint>
#include <ep/fwd.hpp>
#include <string>
#include <vector>

namespace epios::io {

/// The writers of one file agreeing. Without a communicator (an owned file) every function is local
/// and makes no call of the endpoints library.
class Agreement {
 public:
  /// `writers` may be null; else it must outlive this.
  explicit Agreement(const ep::Comm* writers);

  bool is_owner() const { return rank_ == 0; }
  bool is_shared() const { return size_ > 1; }

  /// The text of the lowest writer that met an error, empty when none did; the same on all
  /// (collective). `mine` is empty when all is well here.
  std::string first_error(const std::string& mine) const;
  /// Element-wise sum over writers, in place (collective); equal lengths.
  void sum(std::vector<std::int64_t>& values) const;
  /// The owner's numbers on all writers (collective); equal lengths.
  void broadcast(std::vector<std::uint64_t>& values) const;

 private:
  const ep::Comm* writers_;
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace epios::io
