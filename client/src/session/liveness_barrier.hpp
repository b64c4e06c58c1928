#pragma once

#include <ep/types.h>

#include <cstddef>
#include <ep/fwd.hpp>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "config/index.hpp"
#include "event/job.hpp"
#include "event/watch.hpp"

namespace epios::client {

/// Which clients of a component are still there: the door before whatever all must enter, since a
/// collective call would wait for ever for a client that has left. Belongs to one client's thread.
class LivenessBarrier {
 public:
  /// Local; all outlive it. `component`: all clients of the component, of which `clients` may be
  /// some.
  LivenessBarrier(const ep::Comm& clients, const io::Job& job, const ep::Comm& component);
  LivenessBarrier(const LivenessBarrier&) = delete;
  LivenessBarrier(LivenessBarrier&&) = delete;
  LivenessBarrier& operator=(const LivenessBarrier&) = delete;
  LivenessBarrier& operator=(LivenessBarrier&&) = delete;
  ~LivenessBarrier();

  /// Waits until all clients have come here. Throws Error{call_order} naming `purpose` when one has
  /// left instead, or when client 0 gives up, as `limits` have it, now and ever after. Collective.
  /// Cost: a message to client 0 and one back.
  void wait_all(const std::string& purpose, const io::WaitLimits& limits);
  /// Tells the others that this client comes no more. Local. Cost on client 0: a message to each.
  void leave(const std::string& why);
  /// After leave(), before MPI ends: waits until all clients have left, and takes what they have
  /// said then, which nobody else would. `poll` is called while it waits. Collective over the
  /// clients that were closed. Any thread.
  void drain_departures(const std::function<void()>& poll);
  /// After leave() of one that waits for no departures. On client 0 the others are told that they
  /// need not wait. Local.
  void release();

 private:
  struct Message {
    std::vector<std::byte> bytes;
    EP_Request request = EP_REQUEST_NULL;
  };
  bool leads() const;
  void gather_all(const std::string& purpose, const io::WaitLimits& limits);
  bool all_are_here();
  /// On client 0: one message of another, if there is any.
  bool take_notice();
  std::vector<int> missing() const;
  io::Actor actor(int rank) const { return job_.fellow_client(nth(in_component_, rank)); }
  bool is_answered();
  void send(int dest, int tag, std::vector<std::byte> bytes);
  void tell_everyone(bool stays, const std::string& text);

  const ep::Comm& clients_;
  const io::Job& job_;
  std::vector<int> in_component_;  // ranks of the clients there
  std::vector<int> arrivals_;      // on client 0: by rank, not yet let in
  int departures_ = 0;             // on client 0: of the others
  std::vector<bool> gone_;         // on client 0: by rank, who has left
  io::WaitLimits limits_;          // of the last wait_all()
  std::string left_;               // "client 1 has left (why)", once it is known
  // On its way: nobody waits for it, as its receiver may never come.
  std::unique_ptr<std::list<Message>> sent_ = std::make_unique<std::list<Message>>();
};

}  // namespace epios::client
