#pragma once

#include <string>
#include <vector>

#include "space/weights.hpp"

namespace epios::io {

/// epios remap IN --to GRID -o OUT.
struct RemapRequest {
  std::string input, target, output;
  std::string weights;  ///< file of weights: read if it exists, else written; "": none
  std::vector<std::string> variables;  ///< these alone; empty: all
  RemapMethod method = RemapMethod::conservative;
  int order = 1;
  int threads = 1;
  double least_cover = 0;  ///< part of a target cell that must have values
  bool check = false;
};

/// Writes OUT; remarks go to standard error, what --check says to standard output. The exit code.
/// Throws Error naming the file.
int run_remap(const RemapRequest& request);

}  // namespace epios::io
