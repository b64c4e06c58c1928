/// @file
/// Contexts of random cases: who shares them, and when they begin and end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace grids {

/// Who is told which clients a context is for.
enum class Opening {
  on_all,       ///< it is for all
  among_ranks,  ///< by the ranks of its clients
  on_processes  ///< by a communicator, with all clients of its processes
};

/// A case in a context of its own.
struct Meeting {
  int number = 0;            ///< of the case
  std::string context;       ///< its id, which others have had before
  std::vector<int> members;  ///< ranks of its clients; their places in it are their ranks there
  Opening opening = Opening::on_all;
  std::int64_t begin = 0;  ///< its steps 0, 1, ... are those of the round from here
};

/// Meetings in the order in which all their clients open them: at any step some begin, go on or
/// end, on clients that others have too or have not.
struct Round {
  std::vector<Meeting> meetings;
  std::int64_t end = 0;  ///< steps of the round
};

/// The same for all. Client t of process p has the rank p * threads + t.
std::vector<Round> plan(std::uint64_t seed, int first, int last, int processes, int threads);

}  // namespace grids
