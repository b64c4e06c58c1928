/// @file
/// Records of an earlier run in a file that this run continues (append="true").
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/model_fwd.hpp"
#include "config/temporal.hpp"
#include "file/cf.hpp"
#include "file/data_file.hpp"
#include "file/output_file.hpp"
#include "grid/box.hpp"

namespace epios::io {

/// The file with the final name, as an earlier run has left it. This run writes a new file beside
/// it, with the records that stay, and replaces it when the new one is complete. Used on the file
/// thread.
class EarlierRecords {
 public:
  /// The description of this run's records, on one of its writers.
  struct Run {
    const config::Model& model;
    const config::File& file;
    config::RecordTime first;  ///< interval of its first record in the file
    std::span<const Box>
        slabs;  ///< slab of this writer for each stream of the file, in the indices of its file
    /// For a writer with a file of its own (type="multiple_file"): the end of its path, "_0".
    std::string_view rank_suffix;
    bool keeps_once = false;  ///< what is written once stays, too: this run writes none of it
  };
  /// Inspects the file `described.spec.path`, if it exists, and makes the times of `described`
  /// count from the same date as its times. Local, and the same on all writers except for the
  /// coordinates that they have. Throws Error{configuration}, which names both sides, if the file
  /// has other dimensions, variables, coordinates, units or another calendar, or if another number
  /// of writers has left it as other files. Throws Error{io} if it cannot be read.
  EarlierRecords(CfFile& described, const Run& run);

  /// Returns the number of its records whose period ends before that of the first record of this
  /// run begins.
  std::int64_t kept() const { return kept_; }
  /// Returns the number of records behind them.
  std::int64_t dropped() const { return dropped_; }
  /// Writes the kept records, if there are any, into the new file, each writer its slabs, the owner
  /// the times (collective).
  void copy_to(OutputFile& file, bool is_owner) const;
  /// Returns a warning about records that are not kept, or "".
  const std::string& warning() const { return warning_; }
  /// Returns a warning about kept records whose samples have another distance (freq_op) than those
  /// of this run, or "".
  std::string changed_interval() const { return kept_ > 0 ? changed_interval_ : std::string(); }

 private:
  struct Copied {
    int from = 0;  // variable of the earlier file
    int to = 0;    // variable of the new file
    Box box;       // without the record dimension
    bool is_time = false;
    bool is_once = false;
  };
  void copy_record(OutputFile& file, std::int64_t record, bool is_owner) const;
  static void fail_with_others(OutputFile& file, std::int64_t records);

  std::unique_ptr<DataFile> file_;  // null if there is no earlier file
  std::vector<Copied> copied_;
  std::int64_t kept_ = 0;
  std::int64_t dropped_ = 0;
  bool is_live_ = false;
  std::string warning_;
  std::string changed_interval_;
};

}  // namespace epios::io
