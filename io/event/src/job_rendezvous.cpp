#include "event/job_rendezvous.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string>

#include "config/error.hpp"
#include "late_start.hpp"

namespace epios::io {
namespace {

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

}  // namespace

std::vector<int> rendezvous_ranks(std::string_view text, int self, int size) {
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

bool JobRendezvous::is_listed() { return !list().empty(); }

JobRendezvous::JobRendezvous(MPI_Comm comm) : given_(comm) {
  if (comm != MPI_COMM_WORLD || !is_listed()) return;
  const std::string text = list();
  const ep::WorldPlace self = ep::own_place_in_world();
  const std::vector<int> ranks = rendezvous_ranks(text, self.rank, self.size);
  // Some are enough to tell, should one of them be who does not come.
  constexpr std::ptrdiff_t tellers = 3;
  const bool tells = std::find(ranks.begin(), ranks.end(), self.rank) - ranks.begin() < tellers;
  const LateStart teller =
      tells
          ? LateStart(fmt::format("the processes {} of MPI_COMM_WORLD, as EPIOS_RANKS has them, to "
                                  "start EPIOS (process {} has). Does each of them use it?",
                                  text, self.rank))
          : LateStart();
  own_ = ep::GroupComm(comm, ranks);
}

}  // namespace epios::io
