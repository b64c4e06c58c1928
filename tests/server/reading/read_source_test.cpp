// Which record of which part of a series a date of the run is: parts that follow the calendar and
// parts counted from the start of the run, from a start beside the turn of a part.
#include "reading/read_source.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "../file/scratch.hpp"
#include "config/error.hpp"
#include "config/model.hpp"
#include "config/split_rule.hpp"

namespace epios::server::read_source_test {
namespace {

using config::Instant;
using io::test::Scratch;

/// Values of records are the days since 1 January 2000.
class ReadSourceTest : public ::testing::Test {
 protected:
  ReadSourceTest() {
    model_.calendar_type = config::CalendarType::no_leap;
    model_.timestep = {.hour = 1};
    model_.grids.push_back({"one", {}});
    config::ReadFile& file = model_.read_files.emplace_back();
    file.id = "forcing";
    file.path = scratch_.file("forcing_%start_date%.nc");
    file.fields = {config::ReadFieldId(0)};
    file.attributes.split_freq = config::Duration{.year = 1};
    file.attributes.split_freq_format = "%y";
    config::ReadField& field = model_.read_fields.emplace_back();
    field.id = field.name = "v";
    field.reading = {false, {.day = 1}, {}};
    begin(2000, 1);
  }

  config::FileAttributes& attributes() { return model_.read_files[0].attributes; }
  void begin(int year, int month) {
    model_.start_date = model_.calendar().instant({year, month, 1});
    model_.time_origin = model_.start_date;
  }
  /// Records of days `first` to `last`; `shift`: of their stamps from the beginning of the day.
  void make(const std::string& name, int first, int last, double shift = 0,
            const std::string& units = "days since 2000-01-01", const std::string& marks = {}) {
    std::string values;
    std::string times;
    for (int day = first; day <= last; ++day) {
      values += std::to_string(day) + (day < last ? ", " : "");
      times += std::to_string(day + shift) + (day < last ? ", " : "");
    }
    std::ofstream(scratch_.file("f.cdl"))
        << "netcdf f { dimensions: time = UNLIMITED ; variables: double v(time) ;"
        << " double time(time) ; time:units = \"" << units << "\" ; time:calendar = \"noleap\" ;"
        << marks << " data: v = " << values << " ; time = " << times << " ; }\n";
    const auto made = io::test::run("ncgen -k nc4 -o '" + scratch_.file(name) + "' '" +
                                    scratch_.file("f.cdl") + "'");
    ASSERT_EQ(made.status, 0) << made.output;
  }
  /// What is read at the dates of records, in this order; the text of the first error.
  std::string read(const std::vector<std::int64_t>& records) {
    std::string out;
    try {
      ReadSource source(model_, config::ReadFileId(0), open_);
      for (const std::int64_t record : records) {
        double value = -1;
        source.read(config::ReadFieldId(0), record, {}, std::span(&value, 1));
        out += (out.empty() ? "" : " ") + std::to_string(static_cast<int>(value));
      }
      return out;
    } catch (const Error& error) {
      return error.what();
    }
  }

  Scratch scratch_;
  config::Model model_;
  io::OpenFiles open_;
};

TEST_F(ReadSourceTest, begins_with_a_part_of_the_calendar) {
  make("forcing_2000.nc", 0, 364);
  make("forcing_2001.nc", 365, 729);
  for (const bool has_dates : {false, true}) {
    attributes().time_from_file = has_dates;
    EXPECT_EQ(read({0, 1, 364, 365, 729, 3}), "0 1 364 365 729 3");
  }
}

TEST_F(ReadSourceTest, finds_parts_of_the_calendar_by_their_dates_from_any_start) {
  make("forcing_2000.nc", 0, 364);
  make("forcing_2001.nc", 365, 729);
  attributes().time_from_file = true;
  begin(2000, 7);  // day 181
  EXPECT_EQ(read({0, 183, 184, 364, 365, 0}), "181 364 365 545 546 181");
  // The names have both dates: parts counted from July have others.
  std::filesystem::rename(scratch_.file("forcing_2000.nc"), scratch_.file("forcing_2000-2000.nc"));
  std::filesystem::rename(scratch_.file("forcing_2001.nc"), scratch_.file("forcing_2001-2001.nc"));
  model_.read_files[0].path = scratch_.file("forcing.nc");
  EXPECT_EQ(read({0, 183, 184, 364, 365, 0}), "181 364 365 545 546 181");
  const std::string text = read({0, 1000});
  EXPECT_NE(text.find("forcing_2002-2003.nc' cannot be read (it does not exist"), std::string::npos)
      << text;
}

TEST_F(ReadSourceTest,
       counted_in_a_part_of_the_calendar_says_so_instead_of_reading_january_in_july) {
  make("forcing_2000.nc", 0, 364);
  make("forcing_2001.nc", 365, 729);
  begin(2000, 7);
  const std::string text = read({0});
  EXPECT_NE(text.find("forcing_2000.nc' has record 0 of variable 'v' dated 2000-01-01 00:00:00, "
                      "where 2000-07-01 00:00:00 is read (parts of a series are counted from the "
                      "start of the run, 2000-07-01 00:00:00). With time_from_file=\"true\""),
            std::string::npos)
      << text;
}

TEST_F(ReadSourceTest, counts_in_parts_that_a_run_from_the_same_start_has_written) {
  begin(2000, 7);
  for (const double shift : {0.0, 0.5, 1.0}) {
    make("forcing_2000.nc", 181, 545, shift);
    make("forcing_2001.nc", 546, 910, shift);
    attributes().time_from_file = false;
    EXPECT_EQ(read({0, 364, 365, 0}), "181 545 546 181");
  }
  make("forcing_2000.nc", 181, 545);
  make("forcing_2001.nc", 546, 910);
  attributes().time_from_file = true;
  EXPECT_EQ(read({0, 364, 365, 0}), "181 545 546 181");
  // Nothing to compare with.
  attributes().time_from_file = false;
  make("forcing_2000.nc", 181, 545, 0, "months");
  EXPECT_EQ(read({0, 364}), "181 545");
}

TEST_F(ReadSourceTest, finds_a_record_that_stands_at_the_end_of_its_period) {
  // Instants as they are written: at the end of the day, so that the last one is of next year.
  make("forcing_2000.nc", 0, 364, 1);
  make("forcing_2001.nc", 365, 729, 1);
  attributes().time_from_file = true;
  model_.read_fields[0].reading.offset = {.day = 1};
  EXPECT_EQ(read({0, 363, 364, 365}), "0 363 364 365");
  // Counted, the same: the instant of the turn of the year is the last one of the old file.
  attributes().time_from_file = false;
  EXPECT_EQ(read({0, 363, 364, 365, 366, 729}), "0 363 364 365 366 729");
}

TEST_F(ReadSourceTest, counts_records_that_stand_inside_of_their_period_from_the_start_of_a_part) {
  make("forcing_2000.nc", 0, 364, 0.5);
  make("forcing_2001.nc", 365, 729, 0.5);
  model_.read_fields[0].reading.offset = {.hour = 12};
  EXPECT_EQ(read({0, 364, 365, 366, 729}), "0 364 365 366 729");
}

TEST_F(ReadSourceTest, knows_where_months_and_hours_begin) {
  const auto has_other = [this](const config::Duration& freq, const config::Date& start) {
    attributes().split_freq = freq;
    model_.start_date = model_.calendar().instant(start);
    const auto series = config::calendar_series_of(model_, model_.read_files[0]);
    return series ? model_.calendar().text(series->period(0).begin) : std::string("none");
  };
  EXPECT_EQ(has_other({.year = 1}, {2000, 1, 1}), "none");
  EXPECT_EQ(has_other({.year = 1}, {2000, 1, 2}), "2000-01-01 00:00:00");
  EXPECT_EQ(has_other({.month = 12}, {2003, 7, 1}), "2003-01-01 00:00:00");
  EXPECT_EQ(has_other({.year = 10}, {2003, 7, 1}), "2000-01-01 00:00:00");
  EXPECT_EQ(has_other({.month = 1}, {2000, 7, 1}), "none");
  EXPECT_EQ(has_other({.month = 1}, {2000, 7, 16}), "2000-07-01 00:00:00");
  EXPECT_EQ(has_other({.month = 3}, {2000, 6, 1}), "2000-04-01 00:00:00");
  EXPECT_EQ(has_other({.month = 5}, {2000, 6, 1}), "none");
  EXPECT_EQ(has_other({.day = 1}, {2000, 6, 1, 6}), "2000-06-01 00:00:00");
  EXPECT_EQ(has_other({.day = 10}, {2000, 6, 7}), "none");
  EXPECT_EQ(has_other({.hour = 6}, {2000, 6, 1, 7, 30}), "2000-06-01 06:00:00");
  EXPECT_EQ(has_other({.hour = 7}, {2000, 6, 1, 6}), "none");
  EXPECT_EQ(has_other({}, {2000, 6, 1, 6}), "none");
}

/// Values of records are the days since 1 January 2000, and the model wants them every six hours.
class InterpolatedTest : public ReadSourceTest {
 protected:
  InterpolatedTest() {
    attributes().time_from_file = true;
    attributes().interpolate_time = "linear";
    model_.read_fields[0].reading.period = {.hour = 6};
  }
  /// Values at hours since the start, as text.
  std::string at(const std::vector<double>& hours) {
    std::string out;
    try {
      ReadSource source(model_, config::ReadFileId(0), open_);
      for (const double hour : hours) {
        double value = -1;
        source.read(config::ReadFieldId(0), static_cast<std::int64_t>(hour / 6), {},
                    std::span(&value, 1));
        out += (out.empty() ? "" : " ") + fmt::format("{}", value);
      }
      return out;
    } catch (const Error& error) {
      return error.what();
    }
  }
};

TEST_F(InterpolatedTest, has_values_between_records_and_beside_the_turn_of_parts) {
  make("forcing_1999.nc", -365, -1, 0.5);
  make("forcing_2000.nc", 0, 364, 0.5);
  make("forcing_2001.nc", 365, 729, 0.5);
  // Stamps are at noon: record d is worth d, at midnight it is half way from the day before.
  EXPECT_EQ(at({0, 6, 12, 18, 24, 36}), "-0.5 -0.25 0 0.25 0.5 1");
  EXPECT_EQ(at({24 * 364.0 + 12, 24 * 365.0 - 6, 24 * 365.0, 24 * 365.0 + 6, 24 * 365.0 + 12}),
            "364 364.25 364.5 364.75 365");
  EXPECT_EQ(at({24 * 365.0 + 6, 24 * 365.0 - 6, 0, 24 * 366.0}), "364.75 364.25 -0.5 365.5");
  attributes().interpolate_time = "nearest";
  EXPECT_EQ(at({6, 12, 18, 30, 24 * 365.0 - 6, 24 * 365.0 + 6}), "0 0 0 1 364 365");
  attributes().interpolate_time = "linear";
  begin(2000, 7);  // parts follow the calendar, the run begins inside of one: day 181
  EXPECT_EQ(at({0, 12, 24 * 184.0 - 6, 24 * 184.0 + 6}), "180.5 181 364.25 364.75");
}

TEST_F(InterpolatedTest, says_what_is_missing_at_the_ends) {
  make("forcing_2000.nc", 0, 364, 0.5);
  const std::string early = at({0});
  EXPECT_NE(early.find("forcing_1999.nc' cannot be read (it does not exist"), std::string::npos)
      << early;
  model_.read_files[0].path = scratch_.file("forcing_2000.nc");
  attributes().split_freq.reset();
  EXPECT_EQ(at({12}), "0");
  EXPECT_NE(at({6}).find("dated 2000-01-01 06:00:00 (its 365 records are of 2000-01-01 12:00:00 to "
                         "2000-12-31 12:00:00). Does the file begin after the run?"),
            std::string::npos)
      << at({6});
  EXPECT_NE(at({24 * 365.0}).find("Does the file end before the run?"), std::string::npos);
}

TEST_F(InterpolatedTest, of_a_cycle_goes_from_its_end_to_its_beginning) {
  make("forcing_2000.nc", 0, 364, 0.5);
  model_.read_files[0].path = scratch_.file("forcing_2000.nc");
  attributes().split_freq.reset();
  attributes().cyclic = true;
  EXPECT_EQ(at({0, 6, 12, 18, 24 * 365.0, 24 * 365.0 + 18}), "182 91 0 0.25 182 0.25");
}

// A value that is that of missing ones, such as no rain, was taken for one: half way from 0 to 1
// was 0.
TEST_F(InterpolatedTest, tells_what_is_missing_from_what_has_the_same_value) {
  make("forcing_2000.nc", 0, 5, 0, "days since 2000-01-01", " v:missing_value = 3.0 ;");
  model_.read_files[0].path = scratch_.file("forcing_2000.nc");
  attributes().split_freq.reset();
  model_.read_fields[0].attributes.detect_missing_value = true;
  model_.read_fields[0].attributes.default_value = 0;
  EXPECT_EQ(at({0, 6, 12, 24, 48, 54, 72, 84, 96}), "0 0.25 0.5 1 2 0 0 0 4");
  model_.read_fields[0].attributes.default_value = -1;
  EXPECT_EQ(at({0, 6, 54, 72, 84, 96}), "0 0.25 -1 -1 -1 4");
  attributes().interpolate_time = "nearest";
  EXPECT_EQ(at({54, 66, 72, 78, 90}), "2 -1 -1 -1 4");
  model_.read_fields[0].attributes.detect_missing_value = false;
  EXPECT_EQ(at({54, 66}), "2 3");
}

TEST_F(InterpolatedTest, goes_from_another_calendar) {
  model_.calendar_type = config::CalendarType::gregorian;
  begin(2000, 2);
  make("forcing_2000.nc", 0, 364);  // noleap
  model_.read_files[0].path = scratch_.file("forcing_2000.nc");
  attributes().split_freq.reset();
  EXPECT_NE(at({0}).find("their calendar is 'noleap', the run has 'gregorian'; calendar_mapping"),
            std::string::npos)
      << at({0});
  attributes().calendar_mapping = "date";
  // 28 February is record 58; 29 February lies half way to 1 March, record 59.
  EXPECT_EQ(at({24 * 27.0, 24 * 28.0, 24 * 29.0}), "58 58.5 59");
  attributes().interpolate_time.reset();
  EXPECT_EQ(at({24 * 27.0, 24 * 28.0, 24 * 29.0}), "58 58 59");
}

// Would have found that longitudes and latitudes of one number were read for each other.
TEST_F(ReadSourceTest, refuses_a_domain_whose_sides_are_in_another_order) {
  config::Domain& domain = model_.domains.emplace_back();
  domain.id = "d";
  domain.attributes.type = "rectilinear";
  domain.attributes.ni_glo = domain.attributes.nj_glo = 2;
  model_.grids[0].elements = {{config::GridElement::Kind::domain, 0}};
  attributes() = {};
  model_.read_files[0].path = scratch_.file("sides.nc");
  const auto read_dimensions = [&](const std::string& dimensions, const std::string& words) {
    std::ofstream(scratch_.file("f.cdl"))
        << "netcdf f { dimensions: time = UNLIMITED ; x = 2 ; y = 2 ; variables: double v(time, "
        << dimensions << ") ; double x(x) ; double y(y) ; " << words
        << " data: v = 0, 1, 2, 3 ; }\n";
    const auto made = io::test::run("ncgen -k nc4 -o '" + scratch_.file("sides.nc") + "' '" +
                                    scratch_.file("f.cdl") + "'");
    EXPECT_EQ(made.status, 0) << made.output;
    try {
      ReadSource source(model_, config::ReadFileId(0), open_);
      std::vector<double> values(4, -1);
      source.read(config::ReadFieldId(0), 0, {{0, 0}, {2, 2}}, values);
      EXPECT_EQ(values, (std::vector<double>{0, 1, 2, 3}));
      return std::string("read");
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  const std::string why =
      "variable 'v' whose longitudes come before its latitudes (domain 'd' has rows";
  const std::string units = "x:units = \"degrees_east\" ; y:units = \"degrees_north\" ;";
  EXPECT_EQ(read_dimensions("y, x", units), "read");
  EXPECT_NE(read_dimensions("x, y", units).find(why), std::string::npos);
  EXPECT_NE(read_dimensions("x, y", "x:axis = \"X\" ;").find(why), std::string::npos);
  EXPECT_NE(read_dimensions("x, y", "y:standard_name = \"latitude\" ;").find(why),
            std::string::npos);
  EXPECT_EQ(read_dimensions("x, y", ""), "read");  // nothing says which is which
  // On axes nothing says which has to come first.
  config::Axis& axis = model_.axes.emplace_back();
  axis.attributes.n_glo = 2;
  model_.grids[0].elements = {{config::GridElement::Kind::axis, 0},
                              {config::GridElement::Kind::axis, 0}};
  EXPECT_EQ(read_dimensions("x, y", units), "read");
}

}  // namespace
}  // namespace epios::server::read_source_test
