#include "data/stream_sums.hpp"

#include <algorithm>
#include <chrono>
#include <ep/bytes.hpp>
#include <memory>
#include <optional>
#include <utility>

#include "config/byte_fields.hpp"

namespace epios::client {

template <class Archive>
void fields(Archive& archive, config::Described<StreamFigures> auto& of) {
  archive(of.bytes, of.waits, of.blocked_s, of.most_blocked_s, of.packing_s, of.most_dropped,
          of.infinite, of.infinite_at);
}

namespace {

constexpr int sums_tag = 3;      // beside those of LivenessBarrier
constexpr double look_s = 0.05;  // how often somebody who waits looks at the clock

using Clock = std::chrono::steady_clock;
using Time = std::chrono::time_point<Clock, std::chrono::duration<double>>;
Time after(double seconds) { return Clock::now() + std::chrono::duration<double>(seconds); }

/// A binomial tree: one of 2^k ranks has k below it.
int parent(int rank) { return rank & (rank - 1); }
std::vector<int> children(int rank, int size) {
  std::vector<int> out;
  for (int bit = 1; rank + bit < size && (rank & bit) == 0; bit *= 2) out.push_back(rank + bit);
  return out;
}

/// Nothing when it is of another context, whose first client has not waited for it.
std::optional<StreamSums> decode(std::uint32_t number, std::span<const std::byte> bytes) {
  std::uint32_t context = 0;
  StreamSums out;
  config::decode_fields(bytes, "what a context has cost a client", context, out.clients,
                        out.streams);
  if (context != number) return std::nullopt;
  return out;
}

void add(StreamSums& to, const StreamSums& more) {
  to.clients += more.clients;
  for (std::size_t s = 0; s < std::min(to.streams.size(), more.streams.size()); ++s) {
    StreamFigures& of = to.streams[s];
    const StreamFigures& other = more.streams[s];
    of.bytes += other.bytes;
    of.waits += other.waits;
    of.blocked_s += other.blocked_s;
    of.most_blocked_s = std::max(of.most_blocked_s, other.most_blocked_s);
    of.packing_s += other.packing_s;
    of.most_dropped = std::max(of.most_dropped, other.most_dropped);
    of.infinite += other.infinite;
    const bool is_first =
        other.infinite_at >= 0 && (of.infinite_at < 0 || other.infinite_at < of.infinite_at);
    if (is_first) of.infinite_at = other.infinite_at;
  }
}

void send(const ep::Comm& clients, std::vector<std::byte> bytes, double most_s) {
  auto kept = std::make_unique<std::vector<std::byte>>(std::move(bytes));
  EP_Request request = EP_REQUEST_NULL;
  const int dest = parent(clients.rank());
  ep::check(EP_Isend(kept->data(), ep::message_count(kept->size()), MPI_BYTE, dest, sums_tag,
                     clients.get(), &request));
  int done = 0;
  const Time end = after(most_s);
  ep::wait_until(clients, {"another client to take what a context has cost", dest, look_s}, [&] {
    ep::check(EP_Test(&request, &done, EP_STATUS_IGNORE));
    return done != 0 || Clock::now() >= end;
  });
  if (done == 0) static_cast<void>(kept.release());  // the bytes must outlive the message
}

}  // namespace

StreamSums sum_of_streams(const ep::Comm& clients, std::uint32_t number,
                          std::vector<StreamFigures> own, double most_s) {
  StreamSums out{1, std::move(own)};
  const int rank = clients.rank();
  const std::vector<int> below = children(rank, clients.size());
  std::vector<std::optional<StreamSums>> told(below.size());
  auto missing = below.size();
  const Time end = after(most_s * static_cast<double>(below.size()));  // theirs have waited, too
  const auto take = [&] {
    for (std::size_t i = 0; i < below.size(); ++i) {
      ep::Received message;
      while (!told[i] && ep::try_receive(clients, below[i], sums_tag, message)) {
        told[i] = decode(number, message.bytes);
        if (told[i]) --missing;
      }
    }
    return missing == 0 || Clock::now() >= end;
  };
  if (missing > 0) {
    ep::wait_until(clients, {"what a context has cost other clients", below.front(), look_s}, take);
  }
  for (const auto& sums : told) {  // in one order, so that sums have one value
    if (sums) add(out, *sums);
  }
  if (rank != 0) send(clients, config::encode_fields(number, out.clients, out.streams), most_s);
  return out;
}

}  // namespace epios::client
