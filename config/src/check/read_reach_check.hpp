/// @file
/// Whether files that are read have the records that a run asks for, by what they say of
/// themselves.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "config/calendar.hpp"
#include "config/file_facts.hpp"
#include "config/model_fwd.hpp"

namespace epios::config {

/// The files that a run until `end` may read of, those of a series part by part, as far as their
/// names can be made. Of very many parts those at the beginning.
std::vector<FileQuestion> questions_of_run(const Model& model, Instant end);

/// A record that a run may ask for and that no file has.
struct MissingRecord {
  int field = 0;  ///< into Model::read_fields
  std::string problem, why, suggestion;
};
/// Returns the first missing record of each field until `end`. `files` are those that are known. A
/// series is judged as far as its parts are known; if some of its parts exist, parts that do not
/// exist count as missing.
std::vector<MissingRecord> missing_records(const Model& model, Instant end,
                                           std::span<const FileFacts> files);

}  // namespace epios::config
