#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "creation/hints.hpp"
#include "handles/endpoint.hpp"

namespace ep {

struct Request;

/// A pending duplicate of a communicator (EP_Comm_idup). Everything about it is known in this
/// process except the number by which each other process knows it, and the hints there. These
/// arrive in messages, which processes send after all their endpoints have called; the last one
/// completes the duplicate. The endpoints of the process share the object.
class Duplication : public std::enable_shared_from_this<Duplication> {
 public:
  /// Returns the duplication with the endpoint's next number, which the first caller creates;
  /// `mine` has the hints of this endpoint's info.
  static std::shared_ptr<Duplication> join(Endpoint& endpoint, const Membership& mine);

  Duplication(std::shared_ptr<Clique> parent, std::uint64_t number);

  const std::shared_ptr<Clique>& clique() const noexcept { return clique_; }
  /// Completes `request` when the duplicate can be used.
  void finish_later(Request& request);

 private:
  /// The message of one process to the others.
  struct Offer {
    std::uint32_t context = 0;
    CommHints hints;
  };

  void exchange_offers();
  void one_less();
  void activate();

  std::shared_ptr<Clique> parent_;
  std::shared_ptr<Clique> clique_;
  std::uint64_t number_;
  std::vector<Membership> memberships_;  // by slot; under the parent's lock until all have joined
  std::vector<Offer> offers_;
  std::atomic<int> missing_{1};  // one of them stands for the beginning itself
  int joined_ = 0;               // under the parent's lock

  std::mutex mutex_;
  bool is_complete_ = false;
  int code_ = 0;  // error code of an unknown hint value
  std::string text_;
  std::vector<Request*> waiting_;
};

}  // namespace ep
