#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <ep/ep.hpp>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "event/event.hpp"
#include "event/watch.hpp"
#include "event/wire.hpp"
#include "transport/channel.hpp"

namespace epios::client {

class ContextAccount;

/// What one client and the servers say to each other beside the channels: requests to open contexts
/// and their replies, questions about files, and reports about contexts, which are put into the
/// accounts of these. Belongs to the client's thread.
class ControlMessages {
 public:
  /// `servers`: the intercommunicator, which outlives this. `is_one_sided`: channels to them are
  /// windows.
  ControlMessages(const ep::Comm& servers, bool is_one_sided);

  /// Takes what the servers have sent: it is kept until it is asked for, or in an account.
  void poll();
  /// Reports about the context of that number go to the account, until it is forgotten.
  void report_to(std::uint32_t context, ContextAccount& account);
  void forget(const ContextAccount& account);

  /// Returns true, with the oldest reply to a request to open a context and who sent it, if one has
  /// come that was not taken.
  bool take_reply(io::OpenReply& reply, int& server);
  /// Has a server look at files. The answer to an earlier question, if nobody has waited for it, is
  /// nobody's from now on. Local.
  void ask_about(std::vector<config::FileQuestion> files);
  /// Returns true, with the answer to the last ask_about(), if it has come.
  bool take_inspected(io::Inspected& answer);
  void send_to_leader(const std::vector<std::byte>& bytes);

  /// Returns the window of channels to the servers; null: there is none.
  const io::ChannelWindow* window() const { return window_.get(); }
  /// Waits, as `self`, until nothing is under way in the window: servers answer until they have
  /// heard all goodbyes, and what they say later nobody would take.
  void settle_window(io::Watch& watch, const io::Actor& self, const io::WaitLimits& limits);

 private:
  const ep::Comm& servers_;
  std::unique_ptr<io::ChannelWindow> window_;
  std::map<std::uint32_t, ContextAccount*> accounts_;
  std::deque<std::pair<int, io::OpenReply>> replies_;
  std::optional<io::Inspected> inspected_;
  int inspections_due_ = 0;  // answers that have not come
};

}  // namespace epios::client
