#pragma once

#include <ep/ep.h>

#include <functional>
#include <string>
#include <vector>

namespace ep::test {

/// A way to move `count` ints at `offset` (in ints), which is also where the pointers are.
struct Way {
  std::string name;
  std::function<void(EP_File, MPI_Offset, int*, int, EP_Status*)> write;
  std::function<void(EP_File, MPI_Offset, int*, int, EP_Status*)> read;
};

/// All forms of accesses of one endpoint's own pointer or offset.
std::vector<Way> ways();
/// The same with large counts.
std::vector<Way> large_ways();

inline std::vector<Way> all_ways() {
  std::vector<Way> all = ways();
  for (Way& way : large_ways()) {
    way.name += "_c";
    all.push_back(way);
  }
  return all;
}

}  // namespace ep::test
