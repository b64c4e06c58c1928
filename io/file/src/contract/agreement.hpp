/// @file
/// The only door from a file into collectives.
#pragma once

#include <cstdint>
#include <ep/fwd.hpp>
#include <string>
#include <vector>

namespace epios::io {

/// Agreement among the writers of one file. Without a communicator (an owned file) every function
/// is local and makes no call of the endpoints library.
class Agreement {
 public:
  /// `writers` may be null; otherwise it must outlive this object.
  explicit Agreement(const ep::Comm* writers);

  bool is_owner() const { return rank_ == 0; }
  bool is_shared() const { return size_ > 1; }

  /// Returns the text of the lowest writer that met an error, or "", the same on all (collective).
  /// `mine` is empty if all is well here.
  std::string first_error(const std::string& mine) const;
  /// Sums element-wise over the writers, in place (collective); equal lengths.
  void sum(std::vector<std::int64_t>& values) const;
  /// Copies the owner's numbers to all writers (collective); equal lengths.
  void broadcast(std::vector<std::uint64_t>& values) const;

 private:
  const ep::Comm* writers_;
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace epios::io
