/// @file
/// The dates of output of a file, for the Model.
#pragma once

#include <string>

#include "config/model_fwd.hpp"
#include "config/temporal.hpp"
#include "language/context_store.hpp"
#include "language/inheritance.hpp"
#include "text/findings.hpp"
#include "time/clock.hpp"

namespace epios::config {

/// A file that is written, with settled attributes.
struct DatedFile {
  const Node& file;
  const Resolved& resolved;
  const FileAttributes& attributes;
  const Clock& clock;
  bool is_continued = false;  ///< its context has a statistics_file
};

/// Returns true if the file has a list of dates, which replaces output_freq.
bool has_date_list(const FileAttributes& attributes);

/// Returns the dates of output of a file. Reports mistakes: text that is no dates, dates that no
/// time step has or that are all before the start, cycles of a climatology that its periods do not
/// divide, and attributes without effect beside them.
OutputDates read_output_dates(const DatedFile& file, Findings& findings);

/// A field of a file that is written.
struct DatedField {
  const Node& field;
  const Resolved& resolved;
  std::string title;
  const Clock& clock;
};

/// Reports that a field that is an instant has no sample at dates of its file, by its own freq_op
/// or freq_offset. `given`: its sampling without the dates.
void check_instant_at_dates(const DatedField& dated, const Sampling& given,
                            const OutputDates& dates, Findings& findings);

/// Reports that a field of a climatology has no operation over several samples.
void check_operation_of_climatology(const DatedField& dated, Operation operation,
                                    Findings& findings);

/// Finishes a file whose streams are known: its first record is the first one that is not left out.
/// If it is whole, with all of its fields, reports dates that no record has.
void settle_first_record(const DatedFile& dated, const Model& model, bool is_whole, File& file,
                         Findings& findings);

}  // namespace epios::config
