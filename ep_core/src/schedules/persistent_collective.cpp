#include "schedules/persistent_collective.hpp"

#include <memory>

#include "handles/endpoint.hpp"
#include "messages/p2p.hpp"
#include "messages/persistent.hpp"
#include "schedules/collective_rendezvous.hpp"
#include "schedules/kept_types.hpp"

namespace ep {

class PersistentCollective final : public Persistent {
 public:
  PersistentCollective(Endpoint& endpoint, const Call& call)
      : Persistent(endpoint, call.what),
        call_(call),
        send_types_(call_.send, call_.out.count),
        receive_types_(call_.receive, call_.in.count),
        topology_(endpoint.topology),
        site_(persistent_sites_of(*endpoint.clique)
                  .join(++endpoint.persistent_operations, endpoint.clique->slot_count())) {}
  PersistentCollective(const PersistentCollective&) = delete;
  PersistentCollective(PersistentCollective&&) = delete;
  PersistentCollective& operator=(const PersistentCollective&) = delete;
  PersistentCollective& operator=(PersistentCollective&&) = delete;
  ~PersistentCollective() override {
    const Clique& clique = *member.clique;
    persistent_sites_of(clique).leave(site_, starts_, clique.slot_count());
  }

  void start(Request& request) override {
    prepare(request, member, MappedView{}, what);
    Operation& operation = site_.rendezvous.join(site_.first + ++starts_, member.clique);
    request.awaited = &operation;
    operation.pin();
    operation.arrive(member, call_, &request);
    operation.unpin();
  }

 private:
  Call call_;
  KeptTypes send_types_;  // duplicates of the send types of `call_`
  KeptTypes receive_types_;
  std::shared_ptr<const void> topology_;  // keeps the topology whose neighbours `call_` points to
  PersistentSite& site_;
  std::uint64_t starts_ = 0;
};

EP_Request make_persistent(Endpoint& endpoint, const Call& call) {
  return make_persistent(std::make_unique<PersistentCollective>(endpoint, call));
}

}  // namespace ep
