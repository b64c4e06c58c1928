#include "meetings.hpp"

#include <algorithm>
#include <numeric>

#include "random_case.hpp"
#include "random_numbers.hpp"

namespace grids {
namespace {

/// Ascending, at least one of 0 ... count - 1.
std::vector<int> random_subset(Random& random, int count) {
  std::vector<int> out;
  for (int k = 0; k < count; ++k) {
    if (random.one_in(2)) out.push_back(k);
  }
  if (out.empty()) out.push_back(static_cast<int>(random.pick(0, count - 1)));
  return out;
}

void choose_members(Random& random, int processes, int threads, Meeting& meeting) {
  meeting.opening = static_cast<Opening>(random.pick(0, 2));
  if (meeting.opening == Opening::among_ranks) {
    meeting.members = random_subset(random, processes * threads);
    return;
  }
  std::vector<int> chosen(static_cast<std::size_t>(processes));
  std::iota(chosen.begin(), chosen.end(), 0);
  if (meeting.opening == Opening::on_processes) chosen = random_subset(random, processes);
  for (const int process : chosen) {
    for (int t = 0; t < threads; ++t) meeting.members.push_back(process * threads + t);
  }
}

/// An id is free for clients one of whom has ended the context that had it: that client, which
/// opens both, comes to the second after the end of the first, and the others wait for it there.
bool may_follow(const Meeting& earlier, const Meeting& later) {
  return later.begin >= earlier.begin + steps &&
         std::find_first_of(earlier.members.begin(), earlier.members.end(), later.members.begin(),
                            later.members.end()) != earlier.members.end();
}

}  // namespace

std::vector<Round> plan(std::uint64_t seed, int first, int last, int processes, int threads) {
  std::vector<Round> out;
  Random random(mix(seed, 77));
  std::vector<Meeting> named;  // the last that had each id
  for (int number = first; number <= last;) {
    Round round;
    for (std::int64_t k = random.pick(1, 4); k > 0 && number <= last; --k, ++number) {
      Meeting meeting;
      meeting.number = number;
      choose_members(random, processes, threads, meeting);
      meeting.begin = random.pick(0, 2 * steps);
      round.meetings.push_back(meeting);
    }
    std::stable_sort(round.meetings.begin(), round.meetings.end(),
                     [](const Meeting& a, const Meeting& b) { return a.begin < b.begin; });
    for (Meeting& meeting : named) meeting.begin = -steps;  // of the rounds before
    for (Meeting& meeting : round.meetings) {
      const auto free = std::find_if(named.begin(), named.end(), [&](const Meeting& earlier) {
        return may_follow(earlier, meeting);
      });
      if (free == named.end()) {
        meeting.context = "m" + std::to_string(named.size());
        named.push_back(meeting);
      } else {
        meeting.context = free->context;
        *free = meeting;
      }
      round.end = std::max(round.end, meeting.begin + steps);
    }
    out.push_back(round);
  }
  return out;
}

}  // namespace grids
