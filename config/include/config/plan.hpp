/// @file
/// What a run would write, worked out from its Model alone.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/error.hpp"
#include "config/file_facts.hpp"
#include "config/model_fwd.hpp"
#include "config/time_axis.hpp"

namespace epios::config {

struct PlannedField {
  std::string name;
  std::int64_t records = 0;
  /// Of one record, uncompressed: what extraction and other transformations leave. With
  /// indexed_output, masks that are not given yet leave all points.
  std::int64_t record_bytes = 0;
};

/// One file on disk.
struct PlannedPart {
  std::string path;
  std::int64_t first_record = 0;  ///< counted over all parts, from 0
  std::int64_t records = 0;
  /// Ends of the intervals of its first and last record; without one, when its fields of operation
  /// once are written.
  Instant first, last;
  std::int64_t bytes = 0;  ///< of fields and time coordinates; not of headers and other coordinates
};

/// A <file>; several on disk when it is split.
struct PlannedFile {
  std::string id;
  std::vector<PlannedField> fields;
  std::vector<PlannedPart> parts;
  /// In parts that are not listed: there may be `largest_part_count` in a plan.
  std::int64_t unlisted_records = 0;
  std::int64_t records = 0;
  std::int64_t bytes = 0;
};

struct PlannedReadField {
  std::string name;  ///< of the variable
  std::int64_t record_bytes = 0;
  std::string when;  ///< "every 6h", or "once"
};

/// A <file> with mode="read".
struct PlannedReading {
  std::string id, path;
  std::vector<PlannedReadField> fields;
};

/// What servers hold of files that are read until clients have taken it, in all of them.
struct PlannedAnswers {
  std::int64_t records = 0;  ///< at a time, at most
  std::int64_t largest_record_bytes = 0;
  std::int64_t bytes = 0;
};

/// What servers make of records (steps_on_servers): whole records cross the wire as doubles.
struct PlannedTransformations {
  struct Field {
    std::string file, name;
    std::int64_t wire_bytes = 0;  ///< of a record that crosses
  };
  std::vector<Field> fields;
  /// Of the arrays that records go through on a server, if one has all of these files. Rows of
  /// weights, whose number the run finds, are beside it.
  std::int64_t array_bytes = 0;
};

/// What a coupler exchanges. Every value travels as a double.
struct PlannedCoupling {
  struct Field {
    std::string id;
    std::string when;  ///< "every 6h", or "once"
    std::int64_t records = 0;
    std::int64_t record_bytes = 0;  ///< of all clients; 0 while the grid is not known
  };
  bool is_received = false;
  std::string partner;  ///< "atm::sky"
  std::vector<Field> fields;
  std::int64_t bytes = 0;
  /// Of the channels, which have two records of each field: in the receivers, all clients together,
  /// headers left out.
  std::int64_t channel_bytes = 0;
};

/// Of all files that are split, in one plan; a period of seconds over centuries would fill the
/// memory.
inline constexpr std::size_t largest_part_count = 100'000;

/// A record and what the time coordinate of its file says of it.
struct PlannedRecord {
  std::int64_t number = 0;  ///< in its part, from 0
  RecordTime interval;
  std::optional<TimeStamp> stamp;  ///< none if the file has no such coordinate
};

struct Plan {
  std::int64_t steps = 0;
  Instant start, end;
  double days = 0;  ///< of the calendar
  std::vector<PlannedFile> files;
  std::int64_t bytes = 0;
  std::vector<PlannedReading> readings;
  PlannedAnswers answers;
  PlannedTransformations transformations;
  std::vector<PlannedCoupling> couplings;
  std::vector<Diagnostic> warnings;  ///< files that would stay without a record
};

/// The records of a part, in order.
std::vector<PlannedRecord> records_of(const Model& model, const File& file,
                                      const PlannedPart& part);

/// Warnings of files that are read and end before the run does.
std::vector<Diagnostic> short_files(const Model& model, const Plan& plan,
                                    std::span<const FileFacts> files);

/// Of a run over `duration` whose model sends every field at every step. `buffer_bytes`: the
/// variable of context xios. Pure.
Plan plan(const Model& model, const Duration& duration, std::int64_t buffer_bytes = 1LL << 31);

}  // namespace epios::config
