#pragma once

#include <string>
#include <vector>

#include "config/model_fwd.hpp"

namespace epios::client {

/// A file that a context writes: as the XML has it, and from the root, by its first part if it is
/// cut in time.
struct WrittenPath {
  std::string name;
  std::string path;
};

std::vector<WrittenPath> written_paths(const config::Model& model);

}  // namespace epios::client
