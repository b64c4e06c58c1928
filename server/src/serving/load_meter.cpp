#include "serving/load_meter.hpp"

namespace epios::server {

io::ServerLoad LoadMeter::load(int server, bool is_open, double writing_s) const {
  const auto seconds = [](Clock::duration time) {
    return std::chrono::duration<double>(time).count();
  };
  io::ServerLoad out;
  out.server = server;
  out.open_s = seconds(is_open ? was_open_ + (Clock::now() - opened_) : was_open_);
  out.busy_s = seconds(busy_);
  out.writing_s = writing_s;
  return out;
}

}  // namespace epios::server
