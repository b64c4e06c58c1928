#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/file_dates.hpp"
#include "config/file_series.hpp"
#include "config/model_fwd.hpp"
#include "config/model_ids.hpp"
#include "file/source_file.hpp"
#include "grid/box.hpp"

namespace epios::server {

/// A file of the model that is read, or its parts in time (split_freq), of which one is open: which
/// record of which of them a record of the run is. Of the file thread. All functions throw
/// Error{io} with file, variable and date.
class ReadSource {
 public:
  /// Opens the part of the first record, unless it is among `open`, and looks at all fields. The
  /// model and `open` outlive this.
  ReadSource(const config::Model& model, config::ReadFileId file, io::OpenFiles& open);

  /// Record `record` of a field, counted by its dates. Values as by SourceFile::read().
  void read(config::ReadFieldId field, std::int64_t record, const io::Box& box,
            std::span<double> values);

  /// The file that is open, to be told from another one of its name; none: of a set.
  std::optional<io::FileIdentity> identity() const {
    return source_ ? source_->identity() : std::nullopt;
  }
  /// What is not there may be there later: parts come one after the other.
  bool may_come() const { return series_.is_split(); }

 private:
  /// A record in a part of the file.
  struct Place {
    std::string path;
    config::RecordDates::Dated at;
    bool operator==(const Place&) const = default;
  };
  /// Records on both sides of a date, which may be in two parts; 0 is the first one, 1 the second.
  struct Between {
    Place before, after;
    double share = 0;
  };
  struct Kept {
    Place place;
    std::vector<double> values;  ///< empty: none
  };
  /// A field of the file, in the part that is open.
  struct Field {
    config::ReadFieldId number;
    config::ReadSchedule dates;
    io::SourceFile::Variable variable;
    /// Of time_from_file, or to compare with; or none. One for all variables of a dimension.
    std::shared_ptr<const config::RecordDates> stamps;
    std::optional<config::DateCycle> cycle;  ///< of a file that is cyclic and has dates
    // Of interpolation in time, which outlive the part:
    std::optional<Between> between;  ///< of the last date
    std::array<Kept, 2> kept;        ///< slabs of records on both sides of it
  };
  Field& field_of(config::ReadFieldId number);
  void open(const std::string& path);
  void check_order(const Field& field) const;
  void check_sides(const Field& field) const;
  const std::vector<std::string>& paths_of(const Field& field, std::int64_t record);
  void open_part_of(const Field& field, std::int64_t record);
  bool has_dates(const Field& field) const;
  bool checks_dates(const Field& field) const;
  std::shared_ptr<const config::RecordDates> stamps_of(const Field& field) const;
  void check_date(const Field& field, config::Instant date, std::int64_t record) const;
  const config::ReadField& read_field(const Field& field) const;
  std::int64_t record_in_file(const Field& field, std::int64_t record) const;
  std::int64_t record_of_date(const Field& field, config::Instant date) const;
  [[noreturn]] void refuse_date(const Field& field, config::Instant date) const;
  bool interpolates(const Field& field) const;
  static Between made_of(const Place& before, const Place& after, config::Instant date);
  Between between(Field& field, config::Instant date);
  Between between_parts(Field& field, config::Instant date);
  std::span<const double> slab(Field& field, const Place& place, const Place& other,
                               const io::Box& box, std::size_t size);
  void read_between(Field& field, config::Instant date, const io::Box& box,
                    std::span<double> values);
  std::optional<double> missing_of(const Field& field) const;

  const config::Model& model_;
  const config::ReadFile& file_;
  io::OpenFiles& open_files_;
  config::Calendar calendar_;
  config::FileSeries series_;
  std::vector<Field> fields_;
  std::optional<config::FileSeries> calendar_series_;  // whose parts may be the calendar's
  config::CalendarMapping mapping_;
  config::TimeInterpolation interpolation_;
  std::array<std::int64_t, 5> parts_{};  // that paths_ are of
  std::vector<std::string> paths_;
  std::unique_ptr<io::SourceFile> source_;
};

}  // namespace epios::server
