#include "local_channel.hpp"

#include <ep/ep.hpp>
#include <utility>

namespace epios::io {

LocalSender::LocalSender(CarrierKind carrier, std::shared_ptr<Memory> memory, std::byte* ring,
                         EP_Comm comm, int server)
    : carrier_(carrier), memory_(std::move(memory)), writer_(ring), comm_(comm), server_(server) {}

std::span<std::byte> LocalSender::try_reserve(std::size_t bytes) {
  return writer_.try_reserve(bytes);
}

void LocalSender::commit() {
  writer_.commit();
  ep::check(EP_Ring(comm_, server_));
}

LocalReceiver::LocalReceiver(CarrierKind carrier, std::byte* ring, EP_Comm comm, int client)
    : carrier_(carrier), reader_(ring), comm_(comm), client_(client) {}

void LocalReceiver::release() {
  reader_.release();
  ep::check(EP_Ring(comm_, client_));
}

}  // namespace epios::io
