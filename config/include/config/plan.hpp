/// @file
/// What a run would write, computed from its Model alone.
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
  /// Bytes of one record, uncompressed, after extraction and other transformations. With
  /// indexed_output, a mask that is not given yet leaves all points.
  std::int64_t record_bytes = 0;
};

/// One file on disk.
struct PlannedPart {
  std::string path;
  std::int64_t first_record = 0;  ///< counted over all parts, from 0, those left out included
  std::int64_t records = 0;
  /// Records among its own that no field has a sample for, counted as first_record: they are in no
  /// file.
  std::vector<std::int64_t> left_out{};
  /// Ends of the intervals of its first and last record. Without a record: the date at which its
  /// fields of operation once are written.
  Instant first, last;
  std::int64_t bytes =
      0;  ///< bytes of fields and time coordinates, without headers and other coordinates
};

/// A <file>; it is several files on disk if it is split.
struct PlannedFile {
  std::string id;
  std::vector<PlannedField> fields;
  std::vector<PlannedPart> parts;
  /// Records in parts that are not listed; a plan lists at most `largest_part_count` parts.
  std::int64_t unlisted_records = 0;
  std::int64_t records = 0;
  std::int64_t left_out = 0;  ///< records that no field has a sample for, in no file
  std::int64_t bytes = 0;
};

struct PlannedReadField {
  std::string name;  ///< name of the variable
  std::int64_t record_bytes = 0;
  std::string when;  ///< "every 6h", or "once"
};

/// A <file> with mode="read".
struct PlannedReading {
  std::string id, path;
  std::vector<PlannedReadField> fields;
};

/// Records that servers have read ahead and that clients have not taken yet, over all servers.
struct PlannedAnswers {
  std::int64_t records = 0;  ///< number held at a time, at most
  std::int64_t largest_record_bytes = 0;
  std::int64_t bytes = 0;
};

/// Transformations that servers compute (steps_on_servers). Whole records cross the wire as
/// doubles.
struct PlannedTransformations {
  struct Field {
    std::string file, name;
    std::int64_t wire_bytes = 0;  ///< bytes of a record that crosses the wire
  };
  std::vector<Field> fields;
  /// Bytes of the arrays that records pass through on a server, and of coarser levels that are kept
  /// until they are written, if one server has all of these files. Rows of weights, whose number
  /// only the run knows, come in addition.
  std::int64_t array_bytes = 0;
};

/// Exchanges of a coupler. Every value travels as a double.
struct PlannedCoupling {
  struct Field {
    std::string id;
    std::string when;  ///< "every 6h", or "once"
    std::int64_t records = 0;
    std::int64_t record_bytes =
        0;  ///< bytes of a record of all clients; 0 while the grid is not known
  };
  bool is_received = false;
  std::string partner;  ///< "atm::sky"
  std::vector<Field> fields;
  std::int64_t bytes = 0;
  /// Bytes of the channels, which hold two records of each field, in the receivers, over all
  /// clients, without headers.
  std::int64_t channel_bytes = 0;
};

/// Largest number of parts of all split files in one plan. Periods of seconds over centuries would
/// fill the memory.
inline constexpr std::size_t largest_part_count = 100'000;

/// A record and its entry in the time coordinate of its file.
struct PlannedRecord {
  std::int64_t number = 0;  ///< number in its part, from 0
  RecordTime interval;
  std::optional<TimeStamp> stamp;  ///< not set if the file has no such coordinate
};

struct Plan {
  std::int64_t steps = 0;
  Instant start, end;
  double days = 0;  ///< length in days of the calendar
  std::vector<PlannedFile> files;
  std::int64_t bytes = 0;
  std::vector<PlannedReading> readings;
  PlannedAnswers answers;
  PlannedTransformations transformations;
  std::vector<PlannedCoupling> couplings;
  std::vector<Diagnostic> warnings;  ///< files that would stay without a record
};

/// Returns the records of a part, in order.
std::vector<PlannedRecord> records_of(const Model& model, const File& file,
                                      const PlannedPart& part);

/// Returns warnings about files that are read and end before the run does.
std::vector<Diagnostic> short_files(const Model& model, const Plan& plan,
                                    std::span<const FileFacts> files);

/// Plans a run over `duration` whose model sends every field at every step. `buffer_bytes` is the
/// variable of context xios. Pure.
Plan plan(const Model& model, const Duration& duration, std::int64_t buffer_bytes = 1LL << 31);

}  // namespace epios::config
