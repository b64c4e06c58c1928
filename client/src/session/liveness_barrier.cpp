#include "session/liveness_barrier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

#include "config/byte_fields.hpp"
#include "config/error.hpp"
#include "config/index.hpp"
#include "event/event.hpp"
#include "session/xios_words.hpp"

namespace epios::client {
namespace {

/// Tags on the communicator of the clients.
enum Tag : int { to_leader = 1, from_leader = 2, dismissal = 3 };

/// What has come: "I am here" or "all are here", or that somebody has left, and why.
struct Notice {
  bool stays = true;
  std::string text;
};

template <class Archive>
void fields(Archive& archive, config::Described<Notice> auto& notice) {
  archive(notice.stays, notice.text);
}

std::vector<std::byte> encode(const Notice& notice) { return config::encode_fields(notice); }

Notice decode(const std::vector<std::byte>& bytes) {
  Notice out;
  config::decode_fields(bytes, "what another client says of its end", out);
  return out;
}

std::string departure_text(int rank, const std::string& why) {
  return fmt::format("client {} has left ({})", rank, why);
}

/// Of all of `some`.
std::vector<int> ranks_in(const ep::Comm& some, const ep::Comm& all) {
  std::vector<int> own(static_cast<std::size_t>(some.size()));
  std::iota(own.begin(), own.end(), 0);
  if (some.get() == all.get()) return own;
  EP_Group from = EP_GROUP_NULL;
  EP_Group to = EP_GROUP_NULL;
  ep::check(EP_Comm_group(some.get(), &from));
  ep::check(EP_Comm_group(all.get(), &to));
  std::vector<int> out(own.size());
  ep::check(
      EP_Group_translate_ranks(from, ep::message_count(own.size()), own.data(), to, out.data()));
  ep::check(EP_Group_free(&from));
  ep::check(EP_Group_free(&to));
  return out;
}

}  // namespace

LivenessBarrier::LivenessBarrier(const ep::Comm& clients, const io::Job& job,
                                 const ep::Comm& component)
    : clients_(clients),
      job_(job),
      in_component_(ranks_in(clients, component)),
      arrivals_(static_cast<std::size_t>(clients.size())),
      gone_(arrivals_.size()) {}

LivenessBarrier::~LivenessBarrier() {
  for (auto& message : *sent_) {
    int done = 0;
    if (EP_Test(&message.request, &done, EP_STATUS_IGNORE) == EP_SUCCESS && done != 0) continue;
    // The bytes must outlive the message.
    static_cast<void>(sent_.release());
    return;
  }
}

bool LivenessBarrier::leads() const { return clients_.rank() == io::leader; }

void LivenessBarrier::wait_all(const std::string& purpose, const io::WaitLimits& limits) {
  limits_ = limits;
  if (left_.empty()) {
    if (leads()) {
      gather_all(purpose, limits);
      tell_everyone(left_.empty(), left_);
    } else {
      send(io::leader, to_leader, encode({true, {}}));
      // That one says for whom it waits itself, and gives up for all.
      io::Waiting waiting(job_.watch());
      waiting.begin(actor(clients_.rank()), "the end of the definitions of ", purpose,
                    actor(io::leader), {limits.patience_s, 0});
      ep::wait_until(clients_, {"all clients to close a definition", io::leader},
                     [&] { return is_answered(); });
    }
  }
  if (left_.empty()) return;
  throw Error(ErrorCode::call_order,
              fmt::format("{}: {}. Did an earlier call fail there?", purpose, left_));
}

void LivenessBarrier::gather_all(const std::string& purpose, const io::WaitLimits& limits) {
  using Clock = std::chrono::steady_clock;
  if (all_are_here()) return;
  const auto begin = Clock::now();
  const auto actors = [this] {
    std::vector<io::Actor> out;
    for (const int rank : missing()) out.push_back(actor(rank));
    return out;
  };
  auto still_missing = missing().size();
  io::Waiting waiting(job_.watch());
  waiting.set(
      actor(io::leader),
      words_of_model(fmt::format(
          "the end of the definitions of {}. Does every client call epios_close_definition?",
          purpose)),
      actors(), limits);
  const double look_s = limits.give_up_s > 0 ? limits.give_up_s / 2 : 0;
  ep::wait_until(clients_, {"all clients to close a definition", -1, look_s}, [&] {
    if (all_are_here()) return true;
    const std::vector<int> missing_now = missing();
    if (missing_now.size() != still_missing) {
      still_missing = missing_now.size();
      waiting.set_whom(actors());
    }
    const std::chrono::duration<double> waited = Clock::now() - begin;
    if (limits.give_up_s <= 0 || waited.count() < limits.give_up_s) return false;
    left_ = fmt::format("{} did not come to the end of the definitions in the time of give_up_s",
                        io::ranks_text(missing_now, "client", "clients"));
    return true;
  });
}

std::vector<int> LivenessBarrier::missing() const {
  std::vector<int> out;
  for (int rank = 1; rank < clients_.size(); ++rank) {
    if (nth(arrivals_, rank) == 0) out.push_back(rank);
  }
  return out;
}

void LivenessBarrier::leave(const std::string& why) {
  if (!leads()) return send(io::leader, to_leader, encode({false, why}));
  // Who knows that somebody has left needs no second notice.
  if (left_.empty()) tell_everyone(false, departure_text(io::leader, why));
}

bool LivenessBarrier::all_are_here() {
  while (left_.empty() && take_notice()) {
  }
  if (!left_.empty()) return true;
  if (std::count(arrivals_.begin() + 1, arrivals_.end(), 0) > 0) return false;
  for (int& arrivals : arrivals_) --arrivals;
  return true;
}

bool LivenessBarrier::take_notice() {
  ep::Received message;
  if (!ep::try_receive(clients_, EP_ANY_SOURCE, to_leader, message)) return false;
  const Notice notice = decode(message.bytes);
  if (notice.stays) {
    ++nth(arrivals_, message.source);
    return true;
  }
  ++departures_;
  nth(gone_, message.source) = true;
  if (left_.empty()) left_ = departure_text(message.source, notice.text);
  return true;
}

// Each client says once that it leaves: client 0 to each, the others to client 0, which says when
// all have.
void LivenessBarrier::drain_departures(const std::function<void()>& poll) {
  const io::WaitLimits limits{limits_.patience_s, 0};  // a session ends without exceptions
  const std::string what = "all clients of the component to be closed";
  io::Waiting waiting(job_.watch());
  if (leads()) {
    int known = -1;
    ep::wait_until(clients_, {"all clients of the component to be closed"}, [&] {
      poll();
      while (take_notice()) {
      }
      if (std::exchange(known, departures_) != departures_) {
        std::vector<io::Actor> open;
        for (int rank = 1; rank < clients_.size(); ++rank) {
          if (!nth(gone_, rank)) open.push_back(actor(rank));
        }
        waiting.set(actor(io::leader), what, {}, limits);
        waiting.set_whom(std::move(open));
      }
      return departures_ == clients_.size() - 1;
    });
    release();
    return;
  }
  waiting.begin(actor(clients_.rank()), what, {}, actor(io::leader), limits);
  ep::wait_until(clients_, {"all clients of the component to be closed", io::leader}, [&] {
    poll();
    while (is_answered()) {
    }
    ep::Received message;
    return ep::try_receive(clients_, io::leader, dismissal, message);
  });
}

void LivenessBarrier::release() {
  if (!leads()) return;
  for (int rank = 0; rank < clients_.size(); ++rank) {
    if (rank != io::leader) send(rank, dismissal, {});
  }
}

bool LivenessBarrier::is_answered() {
  ep::Received message;
  if (!ep::try_receive(clients_, io::leader, from_leader, message)) return false;
  const Notice notice = decode(message.bytes);
  if (!notice.stays) left_ = notice.text;
  return true;
}

void LivenessBarrier::tell_everyone(bool stays, const std::string& text) {
  for (int rank = 0; rank < clients_.size(); ++rank) {
    if (rank != io::leader) send(rank, from_leader, encode({stays, text}));
  }
}

void LivenessBarrier::send(int dest, int tag, std::vector<std::byte> bytes) {
  Message& message = sent_->emplace_back();
  message.bytes = std::move(bytes);
  ep::check(EP_Isend(message.bytes.data(), ep::message_count(message.bytes.size()), MPI_BYTE, dest,
                     tag, clients_.get(), &message.request));
  EP_Progress(clients_.get());
}

}  // namespace epios::client
