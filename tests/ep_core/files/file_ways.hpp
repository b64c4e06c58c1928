#pragma once

#include <ep/ep.h>

#include <functional>
#include <string>
#include <vector>

namespace ep::test {

/// A way to move `count` ints at `offset` (in ints), which is also where the pointers are.
struct FileWay {
  std::string name;
  std::function<void(EP_File, MPI_Offset, int*, int, EP_Status*)> write;
  std::function<void(EP_File, MPI_Offset, int*, int, EP_Status*)> read;
};

/// All forms of accesses of one endpoint's own pointer or offset.
std::vector<FileWay> ways();
/// The same with large counts.
std::vector<FileWay> large_ways();

inline std::vector<FileWay> all_file_ways() {
  std::vector<FileWay> all = ways();
  for (FileWay& way : large_ways()) {
    way.name += "_c";
    all.push_back(way);
  }
  return all;
}

}  // namespace ep::test
