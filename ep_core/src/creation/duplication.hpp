#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "handles/endpoint.hpp"

namespace ep {

struct Request;

/// A duplicate of a communicator under way without anybody waiting: everything about it is known
/// here but the number under which each other process knows it, and these come in messages whose
/// end sets off the rest. Shared by the endpoints of the process.
class Duplication : public std::enable_shared_from_this<Duplication> {
 public:
  /// The one of the endpoint's next duplication number, made by whoever comes first.
  static std::shared_ptr<Duplication> join(Endpoint& endpoint);

  Duplication(std::shared_ptr<Clique> parent, std::uint64_t number);

  const std::shared_ptr<Clique>& clique() const noexcept { return clique_; }
  /// `request` is finished when the duplicate can be used.
  void finish_later(Request& request);

 private:
  void exchange_contexts();
  void one_less();
  void activate();

  std::shared_ptr<Clique> parent_;
  std::shared_ptr<Clique> clique_;
  std::uint64_t number_;
  std::uint32_t my_context_;
  std::vector<std::uint32_t> contexts_;
  std::atomic<int> missing_{1};  // the one is for the beginning itself
  int joined_ = 0;               // under the parent's lock

  std::mutex mutex_;
  bool is_complete_ = false;
  std::vector<Request*> waiting_;
};

}  // namespace ep
