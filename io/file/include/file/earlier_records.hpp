/// @file
/// append="true": what an earlier run has left in a file that this one goes on with.
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

/// The file of the final name, as an earlier run has left it. This run writes it anew beside it,
/// with the records that stay, and replaces it when it is whole. On the file thread.
class EarlierRecords {
 public:
  /// What this run is going to write, on one of its writers.
  struct Run {
    const config::Model& model;
    const config::File& file;
    config::RecordTime first;    ///< of its first record in the file
    std::span<const Box> slabs;  ///< of this writer per stream of the file, as its file counts
    /// Of a writer whose file is apart (type="multiple_file"): what its path ends in, "_0".
    std::string_view rank_suffix;
  };
  /// Looks at the file `described.spec.path`, if it is there, and makes times of `described` count
  /// from the date that its own count from. Local, and the same on all writers but for the
  /// coordinates that they have. Throws Error{configuration} naming both where it has other
  /// dimensions, variables, coordinates, units or another calendar, or where another number of
  /// writers has left it as other files; Error{io} where it cannot be read.
  EarlierRecords(CfFile& described, const Run& run);

  /// Its records whose periods end before that of the first one of this run begins.
  std::int64_t kept() const { return kept_; }
  /// Those behind them.
  std::int64_t dropped() const { return dropped_; }
  /// Writes them into the new file, each writer its slabs, the owner the times (collective).
  void copy_to(OutputFile& file, bool is_owner) const;
  /// What the user should know: records that are not kept. Empty when there is nothing.
  const std::string& warning() const { return warning_; }

 private:
  struct Copied {
    int from = 0;  // variable of the earlier file
    int to = 0;    // of the new one
    Box box;       // without the record dimension
    bool is_time = false;
  };
  std::unique_ptr<DataFile> file_;  // null: there is none
  std::vector<Copied> copied_;
  std::int64_t kept_ = 0;
  std::int64_t dropped_ = 0;
  std::string warning_;
};

}  // namespace epios::io
