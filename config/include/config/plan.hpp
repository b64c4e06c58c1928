/// @file
/// What a run would write, worked out from its Model alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/model.hpp"

namespace epios::config {

struct PlannedField {
  std::string name;
  std::int64_t records = 0;
  std::int64_t record_bytes = 0;  ///< of one record, uncompressed
};

/// One file on disk.
struct PlannedPart {
  std::string path;
  std::int64_t first_record = 0;  ///< counted over all parts, from 0
  std::int64_t records = 0;
  Instant first, last;     ///< ends of the intervals of its first and last record
  std::int64_t bytes = 0;  ///< of fields and time coordinates; not of headers and other coordinates
};

/// A <file>; several on disk when it is split.
struct PlannedFile {
  std::string id;
  std::vector<PlannedField> fields;
  std::vector<PlannedPart> parts;
  std::int64_t records = 0;
  std::int64_t bytes = 0;
};

struct Plan {
  std::int64_t steps = 0;
  Instant start, end;
  double days = 0;  ///< of the calendar
  std::vector<PlannedFile> files;
  std::int64_t bytes = 0;
};

/// Of a run over `duration` whose model sends every field at every step. Pure.
Plan plan(const Model& model, const Duration& duration);

}  // namespace epios::config
