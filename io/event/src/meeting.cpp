#include "event/meeting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "config/error.hpp"

namespace epios::io {
namespace {

constexpr std::chrono::seconds patience{30};

std::string list() {
  const char* const text = std::getenv("EPIOS_RANKS");
  return text == nullptr ? "" : text;
}

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
  throw Error(
      ErrorCode::argument,
      fmt::format("EPIOS_RANKS is '{}' ({}). List the ranks in MPI_COMM_WORLD of all "
                  "processes of models and servers that use EPIOS, as in EPIOS_RANKS=0-3,8?",
                  text, why));
}

/// "3" or "0-3", from the front of a list.
int take_number(std::string_view& rest, std::string_view text) {
  int value = -1;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (error != std::errc{} || value < 0) refuse(text, "numbers and ranges are listed with commas");
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  return value;
}

/// Beside a call of MPI that cannot be asked how it is getting on: says once that it takes long.
std::jthread say_later(const std::string& line) {
  return std::jthread([line](const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    wake.wait_for(lock, stop, patience, [] { return false; });
    if (!stop.stop_requested()) fmt::print(stderr, "{}\n", line);
  });
}

}  // namespace

std::vector<int> meeting_ranks(std::string_view text, int self, int size) {
  std::vector<int> out;
  std::string_view rest = text;
  while (true) {
    const int first = take_number(rest, text);
    int last = first;
    if (rest.starts_with('-')) {
      rest.remove_prefix(1);
      last = take_number(rest, text);
    }
    if (last < first)
      refuse(text, fmt::format("the range {}-{} ends before it begins", first, last));
    if (last >= size) {
      refuse(text, fmt::format("there is no rank {} among {} processes", last, size));
    }
    for (int rank = first; rank <= last; ++rank) out.push_back(rank);
    if (rest.empty()) break;
    if (!rest.starts_with(',')) refuse(text, "numbers and ranges are listed with commas");
    rest.remove_prefix(1);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  if (!std::binary_search(out.begin(), out.end(), self)) {
    refuse(text, fmt::format("rank {}, which uses EPIOS, is not in it", self));
  }
  return out;
}

bool Meeting::is_listed() { return !list().empty(); }

Meeting::Meeting(MPI_Comm comm) : given_(comm) {
  if (comm != MPI_COMM_WORLD || !is_listed()) return;
  const std::string text = list();
  const ep::WorldPlace self = ep::own_place_in_world();
  const std::vector<int> ranks = meeting_ranks(text, self.rank, self.size);
  // Some are enough to tell, should one of them be who does not come.
  constexpr std::ptrdiff_t tellers = 3;
  std::jthread teller;
  if (std::find(ranks.begin(), ranks.end(), self.rank) - ranks.begin() < tellers) {
    teller = say_later(
        fmt::format("epios: waiting: process {} of MPI_COMM_WORLD: {} s for the processes of "
                    "EPIOS_RANKS, '{}', to start EPIOS. Does each of them use it?",
                    self.rank, patience.count(), text));
  }
  own_ = ep::GroupComm(comm, ranks);
}

}  // namespace epios::io
