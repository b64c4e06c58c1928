/// @file
/// Files and their streams, for the Model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "building/data_builder.hpp"
#include "building/period_builder.hpp"
#include "building/read_file_builder.hpp"
#include "check/output_dates_check.hpp"
#include "config/model_fwd.hpp"
#include "grids/grid_builder.hpp"
#include "language/inheritance.hpp"

namespace epios::config {

class FileBuilder {
 public:
  FileBuilder(const ContextStore& store, Inheritance& inheritance, Findings& findings,
              PeriodBuilder& periods, GridBuilder& grids, DataBuilder& data,
              ReadFileBuilder& read_files, std::string output_dir, Model& model);

  /// Adds all enabled files that keep at least one field.
  void add_files();
  /// Adds what the model receives from its own workflow. Called when all files, and the operands of
  /// fields that are read, exist.
  void add_results();

 private:
  enum class Mode : std::uint8_t { read, write };
  /// Adds a file. Ignores files of another mode.
  void add_file(int node, Mode mode);
  /// Announces the fields whose data is needed.
  void expect_data();
  bool is_wanted_by_model(int node);
  bool add_result(int field);
  /// Adds a file with the time series of its fields, as attribute timeseries says.
  void add_with_series(int node, FileAttributes attributes, const std::vector<int>& fields);
  /// Warns about those of `fields` that are left out because timeseries="only" writes `series`
  /// alone.
  void warn_of_left_out(int node, const std::vector<int>& fields, const std::vector<int>& series);
  FileId write_file(int node, const FileAttributes& attributes, std::vector<Variable> variables,
                    const std::vector<int>& fields);
  void write_series(int node, FileAttributes attributes, const std::vector<Variable>& variables,
                    int field);
  /// Moves the variables of a file and its only field to the places that their ts_target says.
  static void share_out(const std::vector<Variable>& of_file, File& file, Stream& stream);
  std::string free_id(const std::string& wanted) const;
  /// Settles a period. An invalid one is reported and removed, so that it causes no further
  /// reports.
  void settle_or_forget(std::optional<Duration>& period, const char* attribute, int node);
  /// Reads the dates of output of a file that is written, or says that they have no effect.
  void settle_dates(int node, FileAttributes& attributes, Mode mode);
  DatedFile dated(int node, const FileAttributes& attributes) const;
  /// Returns the fields of a file that are enabled and not above its level, in document order.
  std::vector<int> kept_fields(int file, std::int64_t output_level);
  std::string path_of(int node, const FileAttributes& attributes);
  void check_path_is_free(int node, const std::string& path, const FileAttributes& attributes);
  bool add_stream(int field, FileId file, const FileAttributes& attributes);
  /// Finds data, grid and conversion of a stream. Returns false if any of them is not known, which
  /// is reported.
  bool find_data(int field, Stream& stream);
  void check_marks(int field, Stream& stream);
  /// Sets the sampling of data that comes from a file: freq_op says when samples are taken.
  void sample_as_read(int field, Stream& stream);
  void convert_units(int field, Stream& stream);
  void check_stream_name(int field, const Stream& stream);

  const ContextStore& store_;
  Inheritance& inheritance_;
  Findings& findings_;
  PeriodBuilder& periods_;
  GridBuilder& grids_;
  DataBuilder& data_;
  ReadFileBuilder& read_files_;
  std::string output_dir_;
  Model& model_;
  std::unordered_map<std::string, std::string> path_owners_;
  std::unordered_map<std::string, std::string> stream_names_;
  std::unordered_map<int, StreamId> streams_of_fields_;  // for the current file
  bool are_periods_checked_ = false;                     // for the current file
  OutputDates dates_;                                    // of the current file
};

}  // namespace epios::config
