#include "context/control_messages.hpp"

#include "context/context_account.hpp"
#include "event/channel_windows.hpp"

namespace epios::client {

ControlMessages::ControlMessages(const ep::Comm& servers, bool is_one_sided)
    : servers_(servers), window_(io::window_to_servers(servers, is_one_sided)) {}

void ControlMessages::poll() {
  if (window_) window_->progress();
  ep::Received message;
  while (ep::try_receive(servers_, EP_ANY_SOURCE, static_cast<int>(io::ControlTag::to_client),
                         message)) {
    if (io::message_kind(message.bytes) == io::MessageKind::open_reply) {
      replies_.emplace_back(message.source, io::decode_open_reply(message.bytes));
      continue;
    }
    if (io::message_kind(message.bytes) == io::MessageKind::inspected) {
      --inspections_due_;
      if (inspections_due_ == 0) inspected_ = io::decode_inspected(message.bytes);
      continue;
    }
    const io::ContextReport report = io::decode_context_report(message.bytes);
    const auto found = accounts_.find(report.context);
    if (found != accounts_.end()) found->second->add(report);
  }
}

void ControlMessages::report_to(std::uint32_t context, ContextAccount& account) {
  accounts_[context] = &account;
}

void ControlMessages::forget(const ContextAccount& account) {
  std::erase_if(accounts_, [&](const auto& known) { return known.second == &account; });
}

bool ControlMessages::take_reply(io::OpenReply& reply, int& server) {
  if (replies_.empty()) return false;
  server = replies_.front().first;
  reply = std::move(replies_.front().second);
  replies_.pop_front();
  return true;
}

void ControlMessages::ask_about(std::vector<config::FileQuestion> files) {
  for (config::FileQuestion& file : files) {
    file.wants_dates = false;  // servers that read look at them
  }
  send_to_leader(io::encode(io::Inspect{std::move(files)}));
  inspected_.reset();
  ++inspections_due_;
}

bool ControlMessages::take_inspected(io::Inspected& answer) {
  if (!inspected_) return false;
  answer = std::move(*inspected_);
  inspected_.reset();
  return true;
}

void ControlMessages::send_to_leader(const std::vector<std::byte>& bytes) {
  ep::send(servers_, bytes, io::leader, static_cast<int>(io::ControlTag::to_server));
}

void ControlMessages::settle_window(io::Watch& watch, const io::Actor& self,
                                    const io::WaitLimits& limits) {
  if (!window_) return;
  io::Waiting waiting(watch);
  waiting.set(self, "the servers' last answers through windows", {}, limits);
  ep::wait_until(servers_, {"the servers' last answers through windows"}, [&] {
    poll();
    if (window_->is_idle()) return true;
    waiting.check();
    return false;
  });
}

}  // namespace epios::client
