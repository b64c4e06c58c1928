#include "event/channel_windows.hpp"

#include <ep/ep.hpp>

#include "event/event.hpp"

namespace epios::io {

std::unique_ptr<ChannelWindow> window_to_servers(const ep::Comm& servers, bool is_wanted) {
  int wish = is_wanted ? 1 : 0;
  const int root = servers.rank() == leader ? EP_ROOT : EP_PROC_NULL;
  ep::check(EP_Bcast(&wish, 1, MPI_INT, root, servers.get()));
  if (!is_wanted) return nullptr;
  return std::make_unique<ChannelWindow>(servers, ChannelWindow::Side::clients);
}

std::unique_ptr<ChannelWindow> window_to_clients(const ep::Comm& clients) {
  int wish = 0;
  ep::check(EP_Bcast(&wish, 1, MPI_INT, leader, clients.get()));
  if (wish == 0) return nullptr;
  return std::make_unique<ChannelWindow>(clients, ChannelWindow::Side::servers);
}

}  // namespace epios::io
