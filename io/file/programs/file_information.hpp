#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace epios::io {

struct InformationRequest {
  std::string path;
  std::optional<std::int64_t> record;  ///< from 0; the last one by itself
  double share = 0.99;                 ///< part of the information that is to be kept
  bool by_level = false;               ///< a row for each level, too
};

/// Returns a table of the real information in the bits of the fields of a file, with a picture of
/// it and what to keep. Throws Error{io}, and Error{argument} for a record that the file does not
/// have.
std::string file_information(const InformationRequest& request);

}  // namespace epios::io
