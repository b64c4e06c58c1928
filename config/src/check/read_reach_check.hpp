/// @file
/// Checks that files that are read have the records that a run asks for, according to their
/// metadata.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "config/calendar.hpp"
#include "config/file_facts.hpp"
#include "config/model_ids.hpp"

namespace epios::config {

/// Returns the files that a run until `end` may read, a series part by part, as far as their names
/// are known. For very many parts it returns those at the beginning.
std::vector<FileQuestion> questions_of_run(const Model& model, Instant end);

/// A record that a run may ask for and that no file has.
struct MissingRecord {
  ReadFieldId field{};
  std::string problem, why, suggestion;
};
/// Returns the first missing record of each field until `end`. `files` are those that are known. A
/// series is judged as far as its parts are known; if some of its parts exist, parts that do not
/// exist count as missing.
std::vector<MissingRecord> missing_records(const Model& model, Instant end,
                                           std::span<const FileFacts> files);

}  // namespace epios::config
