// Time coordinates of files that others made, on the calendar of a run.
#include "config/file_dates.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "config/error.hpp"

namespace epios::config::file_dates_test {
namespace {

std::string date(const Calendar& run, const std::string& units, const std::string& calendar,
                 double value) {
  try {
    return run.text(FileDates(run, units, calendar).at(value));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::io);
    return error.what();
  }
}

TEST(FileDates, know_the_ways_in_which_an_origin_is_written) {
  const Calendar run(CalendarType::no_leap, {});
  for (const std::string origin : {"1900-01-01",
                                   "1900-1-1",
                                   "1900-01-01 00:00:00",
                                   "1900-01-01T00:00:00Z",
                                   "1900-01-01t00:00:00z",
                                   "1900-1-1 0:0:0",
                                   "1900-01-01 00:00",
                                   "1900-01-01 00",
                                   "1900-01-01 00:00:00 UTC",
                                   "1900-01-01 00:00:00UTC",
                                   "1900-01-01 00:00:00.0",
                                   "1900-01-01 00:00:0.0",
                                   "1900-01-01T00:00:00.000000Z",
                                   "1900-01-01 00:00:00 +00:00",
                                   "1900-01-01 00:00:00+00:00",
                                   "1900-01-01 00:00:00 0:00",
                                   "1900-01-01 00:00:00 +0:00",
                                   "1900-01-01 00:00:00 +0000",
                                   "1900-01-01 00:00:00 +00",
                                   "1900-01-01 00:00:00 GMT",
                                   "1900-01-01 UTC",
                                   "1900-01-01Z",
                                   " 1900-01-01  00:00:00 ",
                                   "1899-12-31 23:00:00 -01:00",
                                   "1900-01-01 03:30:00 +0330",
                                   "1900-01-01 02:00:00 UTC+2",
                                   "1899-12-31 23:59:59.999999"}) {
    EXPECT_EQ(date(run, "hours since " + origin, "noleap", 30), "1900-01-02 06:00:00") << origin;
  }
  EXPECT_EQ(date(run, "days since 1-1-1 00:00:0.0", "noleap", 365), "0002-01-01 00:00:00");
  EXPECT_EQ(date(run, "hours since 1900-01-01 00:00:00 CET", "noleap", 30),
            "their units are 'hours since 1900-01-01 00:00:00 CET': 'CET' is no zone of time");
}

TEST(FileDates, know_units_and_calendars_however_they_are_spelt) {
  const Calendar run(CalendarType::no_leap, {});
  for (const std::string unit : {"days", "Days", "day", "d", "DAYS"}) {
    EXPECT_EQ(date(run, unit + " since 2000-01-01", "365_day", 59.25), "2000-03-01 06:00:00");
  }
  EXPECT_EQ(date(run, "Hours Since 2000-01-01", "NOLEAP", 6), "2000-01-01 06:00:00");
  EXPECT_EQ(date(run, "milliseconds since 2000-01-01", "noleap", 6e6), "2000-01-01 01:40:00");
  EXPECT_EQ(date(run, "months since 2000-01-01", "noleap", 1),
            "their units are 'months since 2000-01-01'");
  EXPECT_EQ(date(run, "days", "noleap", 1), "their units are 'days'");
  EXPECT_EQ(date(run, "days since 2000-01-01", "", 1),
            "their calendar is 'standard', the run has 'noleap'; calendar_mapping=\"date\" would "
            "take them as dates of the run");
  EXPECT_EQ(date(run, "days since 2000-01-01", "360_day", 1),
            "their calendar is '360_day', the run has 'noleap'; calendar_mapping=\"date\" would "
            "take them as dates of the run");
  EXPECT_EQ(date(run, "days since 2000-01-01", "noleap", 1e30),
            "one of them is 1e+30 days since 2000-01-01");
  const Calendar d360(CalendarType::d360, {});
  EXPECT_EQ(date(d360, "days since 2000-02-30", "360_Day", 31), "2000-04-01 00:00:00");
}

/// Values as cftime has them (num2date of the distribution's Python).
TEST(FileDates, of_the_mixed_calendar_are_those_of_cf) {
  const Calendar run(CalendarType::gregorian, {});
  for (const std::string calendar : {"standard", "gregorian", "Gregorian", ""}) {
    EXPECT_EQ(date(run, "days since 0001-01-01", calendar, 730121), "2000-01-01 00:00:00");
    EXPECT_EQ(date(run, "days since 1-1-1 00:00:00", calendar, 730121), "2000-01-01 00:00:00");
    EXPECT_EQ(date(run, "days since 1582-10-04", calendar, 1), "1582-10-15 00:00:00");
    EXPECT_EQ(date(run, "days since 1582-10-15", calendar, 1), "1582-10-16 00:00:00");
    EXPECT_EQ(date(run, "hours since 1800-01-01 00:00:0.0", calendar, 1753152),
              "2000-01-01 00:00:00");
  }
  EXPECT_EQ(date(run, "days since 0001-01-01", "proleptic_gregorian", 730119),
            "2000-01-01 00:00:00");
  const Calendar julian(CalendarType::julian, {});
  EXPECT_EQ(date(julian, "days since 0001-01-01", "julian", 366), "0002-01-02 00:00:00");
}

/// The date in a file of such stamps that stands for a date of the run; "none": no record has it.
class Cycle {
 public:
  Cycle(CalendarType type, const std::string& origin, const std::vector<double>& stamps,
        const std::string& period, const std::string& file_calendar,
        CalendarMapping mapping = CalendarMapping::none)
      : run_(type, {}),
        dates_(FileDates(run_, "days since " + origin, file_calendar, mapping), stamps),
        cycle_(run_, dates_, Duration::parse(period)) {}

  std::string at(const std::string& date) const {
    const std::int64_t found = cycle_.find(dates_, run_.parse(date));
    return found < 0 ? "none" : run_.text(dates_.of(found));
  }
  std::string length() const { return cycle_.text(); }
  const Calendar& run() const { return run_; }

 private:
  Calendar run_;
  RecordDates dates_;
  DateCycle cycle_;
};

std::vector<double> days(int count) {
  std::vector<double> out;
  for (int day = 0; day < count; ++day) out.push_back(day);
  return out;
}

TEST(DateCycle, of_days_of_a_year_has_each_day_of_all_years) {
  const Cycle common(CalendarType::gregorian, "2001-01-01", days(365), "1d", "proleptic_gregorian");
  EXPECT_EQ(common.length(), "1y");
  EXPECT_EQ(common.at("2000-12-31"), "2001-12-31 00:00:00");
  EXPECT_EQ(common.at("2001-03-01"), "2001-03-01 00:00:00");
  EXPECT_EQ(common.at("2004-02-28"), "2001-02-28 00:00:00");
  EXPECT_EQ(common.at("2004-02-29"), "2001-02-28 00:00:00");
  EXPECT_EQ(common.at("2004-03-01"), "2001-03-01 00:00:00");
  EXPECT_EQ(common.at("1850-07-31"), "2001-07-31 00:00:00");
  EXPECT_EQ(common.at("1850-07-31 12:00:00"), "none");
  const Cycle leap(CalendarType::gregorian, "2000-01-01", days(366), "1d", "");
  EXPECT_EQ(leap.length(), "1y");
  EXPECT_EQ(leap.at("2004-02-29"), "2000-02-29 00:00:00");
  EXPECT_EQ(leap.at("2003-03-01"), "2000-03-01 00:00:00");
  const Cycle four(CalendarType::gregorian, "2001-01-01", days(1461), "1d", "");
  EXPECT_EQ(four.length(), "4y");
  EXPECT_EQ(four.at("2008-02-29"), "2004-02-29 00:00:00");
  EXPECT_EQ(four.at("1999-06-01"), "2003-06-01 00:00:00");
}

// A year of 360 days ends with 30 December, which is a day short of a year of the run: its cycle
// was taken for one of 364 days, so that each year went back by another day.
TEST(DateCycle, of_a_year_of_another_calendar_is_a_year_of_the_run) {
  for (const char* const period : {"1d", "1.01d"}) {
    for (const CalendarType type : {CalendarType::gregorian, CalendarType::no_leap}) {
      const Cycle year(type, "2001-01-01", days(360), period, "360_day", CalendarMapping::date);
      EXPECT_EQ(year.length(), "1y");
      EXPECT_EQ(year.at("2001-12-30"), "2001-12-30 00:00:00");
      EXPECT_EQ(year.at("2001-12-31"), "2001-12-30 00:00:00");
      EXPECT_EQ(year.at("2002-01-01"), "2001-01-01 00:00:00");
      EXPECT_EQ(year.at("2010-07-15"), "2001-07-15 00:00:00");
      EXPECT_EQ(year.at("1990-03-01"), "2001-03-01 00:00:00");
    }
  }
  const Cycle quarters(CalendarType::gregorian, "2001-01-01", {0, 90, 180, 270}, "3mo", "360_day",
                       CalendarMapping::date);
  EXPECT_EQ(quarters.length(), "1y");
  EXPECT_EQ(quarters.at("2007-10-01"), "2001-10-01 00:00:00");
  const Cycle shorter(CalendarType::d360, "2001-01-01", days(365), "1d", "noleap",
                      CalendarMapping::date);
  EXPECT_EQ(shorter.length(), "1y");
  EXPECT_EQ(shorter.at("2007-12-30"), "2001-12-30 00:00:00");
  EXPECT_EQ(shorter.at("2008-01-01"), "2001-01-01 00:00:00");
  const Cycle share(CalendarType::gregorian, "2001-01-01", days(360), "1d", "360_day",
                    CalendarMapping::year);
  EXPECT_EQ(share.length(), "1y");
  EXPECT_EQ(share.at("2003-07-02 12:00:00"), "2001-07-02 12:00:00");
}

TEST(DateCycle, of_months_in_their_middle_or_at_their_end_is_a_year) {
  const Cycle middle(CalendarType::no_leap, "0001-01-01",
                     {15.5, 45, 74.5, 105, 135.5, 166, 196.5, 227.5, 258, 288.5, 319, 349.5}, "1mo",
                     "noleap");
  EXPECT_EQ(middle.length(), "1y");
  EXPECT_EQ(middle.at("1990-01-16 12:00:00"), "0001-01-16 12:00:00");
  EXPECT_EQ(middle.at("1990-12-16 12:00:00"), "0001-12-16 12:00:00");
  // A run asks at 16 January and a month later, at the beginning, or at the end of a month.
  const std::vector<std::string> days{"01-16 12", "02-15 00", "03-16 12", "04-16 00",
                                      "05-16 12", "06-16 00", "07-16 12", "08-16 12",
                                      "09-16 00", "10-16 12", "11-16 00", "12-16 12"};
  for (int month = 1; month <= 12; ++month) {
    const std::string its = (month < 10 ? "0" : "") + std::to_string(month);
    for (const std::string day : {"-16 12:00:00", "-01", "-28 23:59:59"}) {
      EXPECT_EQ(middle.at("1850-" + its + day),
                "0001-" + days[static_cast<std::size_t>(month - 1)] + ":00:00");
    }
  }
  const Cycle end(CalendarType::d360, "2000-01-01",
                  {30, 60, 90, 120, 150, 180, 210, 240, 270, 300, 330, 360}, "1mo", "360_day");
  EXPECT_EQ(end.length(), "1y");
  EXPECT_EQ(end.at("2010-01-01"), "2001-01-01 00:00:00");
  EXPECT_EQ(end.at("2010-02-01"), "2000-02-01 00:00:00");
}

TEST(DateCycle, of_less_than_a_year_is_what_its_records_cover) {
  const Cycle day(CalendarType::no_leap, "2000-01-01", {0, 0.25, 0.5, 0.75}, "6h", "noleap");
  EXPECT_EQ(day.length(), "1d");
  EXPECT_EQ(day.at("2007-05-09 18:00:00"), "2000-01-01 18:00:00");
  EXPECT_EQ(day.at("1999-12-31 18:00:00"), "2000-01-01 18:00:00");
  EXPECT_EQ(day.at("2000-01-02"), "2000-01-01 00:00:00");
  EXPECT_EQ(
      Cycle(CalendarType::no_leap, "2000-01-01", {14, 16, 45}, "1mo", "noleap").at("2000-01-01"),
      "none");  // which of both?
  const Cycle season(CalendarType::gregorian, "2000-03-01", {0, 31, 61}, "1mo", "");
  EXPECT_EQ(season.length(), "3mo");
  EXPECT_EQ(season.at("2000-06-01"), "2000-03-01 00:00:00");
  EXPECT_EQ(season.at("2001-02-01"), "2000-05-01 00:00:00");
  const Cycle one(CalendarType::gregorian, "2000-03-01", {0}, "5d", "");
  EXPECT_EQ(one.length(), "5d");
  EXPECT_EQ(one.at("2000-03-11"), "2000-03-01 00:00:00");
}

/// Whatever the file, a date goes where adding whole cycles to it comes from.
TEST(DateCycle, goes_back_by_whole_cycles) {
  for (const CalendarType type :
       {CalendarType::gregorian, CalendarType::julian, CalendarType::no_leap,
        CalendarType::all_leap, CalendarType::d360}) {
    const std::string name = type == CalendarType::gregorian
                                 ? std::string("proleptic_gregorian")
                                 : std::string(Calendar(type, {}).cf_name());
    for (const int count : {1, 10, 30, 31, 90, 360, 365, 366, 400, 730, 1461}) {
      const Cycle cycle(type, "2001-01-01", days(count), "1d", name);
      for (std::int64_t day = -1500; day < 1500; day += 7) {
        const Instant date =
            cycle.run().add(cycle.run().parse("2001-01-01"), {.day = static_cast<double>(day)});
        EXPECT_NE(cycle.at(cycle.run().text(date)), "none")
            << name << ' ' << count << ' ' << cycle.run().text(date) << ' ' << cycle.length();
      }
    }
  }
}

std::string mapped(CalendarType run, CalendarMapping mapping, const std::string& calendar,
                   const std::string& date, double days = 0) {
  const Calendar own(run, {});
  const FileDates dates(own, "days since " + date, calendar, mapping);
  return own.text(dates.at(days)) + (dates.has(days) ? "" : " (not there)");
}

TEST(FileDates, of_another_calendar_keep_their_day_or_their_share_of_the_year) {
  constexpr auto by_date = CalendarMapping::date;
  constexpr auto by_year = CalendarMapping::year;
  EXPECT_EQ(mapped(CalendarType::gregorian, by_date, "noleap", "2000-02-28", 1),
            "2000-03-01 00:00:00");
  EXPECT_EQ(mapped(CalendarType::gregorian, by_date, "365_day", "1999-12-31 18:00", 366),
            "2001-01-01 18:00:00");
  EXPECT_EQ(mapped(CalendarType::no_leap, by_date, "standard", "2000-02-28", 1),
            "2000-02-28 00:00:00 (not there)");
  EXPECT_EQ(mapped(CalendarType::no_leap, by_date, "gregorian", "2000-02-28", 2),
            "2000-03-01 00:00:00");
  EXPECT_EQ(mapped(CalendarType::gregorian, by_date, "360_day", "2001-02-30"),
            "2001-02-28 00:00:00 (not there)");
  EXPECT_EQ(mapped(CalendarType::d360, by_date, "proleptic_gregorian", "2001-01-31"),
            "2001-01-30 00:00:00 (not there)");
  EXPECT_EQ(mapped(CalendarType::gregorian, by_year, "360_day", "2001-07-01"),
            "2001-07-02 12:00:00");
  EXPECT_EQ(mapped(CalendarType::d360, by_year, "366_day", "2001-01-01", 183),
            "2001-07-01 00:00:00");
  EXPECT_EQ(mapped(CalendarType::no_leap, by_year, "standard", "2000-12-31 12:00", 0.5),
            "2001-01-01 00:00:00");
  // The same calendar under another name is not mapped.
  EXPECT_EQ(mapped(CalendarType::all_leap, by_date, "366_day", "2001-02-29"),
            "2001-02-29 00:00:00");
}

TEST(FileDates, of_another_calendar_are_refused_without_a_mapping) {
  const auto refusal = [](CalendarType run, CalendarMapping mapping, const char* calendar) {
    try {
      const FileDates dates(Calendar(run, {}), "days since 2000-01-01", calendar, mapping);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_EQ(refusal(CalendarType::gregorian, CalendarMapping::none, "noleap"),
            "their calendar is 'noleap', the run has 'gregorian'; calendar_mapping=\"date\" would "
            "take them as dates of the run");
  EXPECT_EQ(refusal(CalendarType::gregorian, CalendarMapping::date, "lunar"),
            "their calendar is 'lunar', the run has 'gregorian'");
  EXPECT_EQ(refusal(CalendarType::gregorian, CalendarMapping::date, "noleap"), "none");
}

// Days that one of the calendars does not have.
TEST(RecordDates, of_another_calendar_have_a_record_for_each_day) {
  const Calendar gregorian(CalendarType::gregorian, {});
  std::vector<double> days;
  for (int day = 0; day < 3 * 365; ++day) days.push_back(day + 0.5);
  const FileDates common(gregorian, "days since 1999-01-01", "noleap", CalendarMapping::date);
  const RecordDates of_common(common, days);
  const auto record = [&](const RecordDates& dates, const Calendar& run, const char* date) {
    return dates.find(run.parse(date));
  };
  EXPECT_EQ(record(of_common, gregorian, "2000-02-28 12:00"), 365 + 58);
  EXPECT_EQ(record(of_common, gregorian, "2000-02-29 12:00"), 365 + 58) << "as the 28th";
  EXPECT_EQ(record(of_common, gregorian, "2000-03-01 12:00"), 365 + 59);
  EXPECT_EQ(record(of_common, gregorian, "2000-12-31 12:00"), 2 * 365 - 1);
  EXPECT_EQ(record(of_common, gregorian, "2000-02-29 11:00"), -1);

  const Calendar no_leap(CalendarType::no_leap, {});
  const FileDates leap(no_leap, "days since 2000-01-01", "standard", CalendarMapping::date);
  const RecordDates of_leap(leap, days);
  EXPECT_EQ(record(of_leap, no_leap, "2000-02-28 12:00"), 58);
  EXPECT_EQ(record(of_leap, no_leap, "2000-03-01 12:00"), 60) << "the 29th is skipped";
  const auto before = of_leap.latest(no_leap.parse("2000-03-01"));
  const auto after = of_leap.earliest(no_leap.parse("2000-03-01"));
  ASSERT_TRUE(before && after);
  EXPECT_EQ(before->record, 58);
  EXPECT_EQ(after->record, 60);
  EXPECT_EQ(records_around(*before, *after, no_leap.parse("2000-03-01")).share, 0.5);

  const Calendar d360(CalendarType::d360, {});
  const FileDates real(d360, "days since 2001-01-01", "standard", CalendarMapping::date);
  const RecordDates of_real(real, std::span(days).first(365));
  EXPECT_EQ(record(of_real, d360, "2001-02-30 12:00"), 58) << "as 28 February";
  EXPECT_EQ(record(of_real, d360, "2001-01-30 12:00"), 29);
  EXPECT_EQ(record(of_real, d360, "2001-02-01 12:00"), 31) << "31 January is skipped";
}

TEST(DateCycle, of_months_is_interpolated_round_the_year) {
  const Calendar run(CalendarType::gregorian, {});
  const FileDates dates(run, "days since 2001-01-01", "standard");
  // The middle of each month.
  const std::vector<double> days{15.5,  45,    74.5, 105,   135.5, 166,
                                 196.5, 227.5, 258,  288.5, 319,   349.5};
  const RecordDates records(dates, days);
  const DateCycle cycle(run, records, mean_spacing(records));
  EXPECT_EQ(cycle.text(), "1y");
  const auto around = [&](const char* date) { return cycle.around(records, run.parse(date)); };
  EXPECT_EQ(around("2010-02-15").before.record, 1);
  EXPECT_EQ(around("2010-02-15").share, 0);
  EXPECT_EQ(around("2010-02-15").after.record, 1);
  EXPECT_EQ(around("1990-01-31 00:00").before.record, 0);
  EXPECT_EQ(around("1990-01-31 00:00").after.record, 1);
  EXPECT_DOUBLE_EQ(around("1990-01-31 00:00").share, 14.5 / 29.5);
  // From 16 December 12:00 to 16 January 12:00 it is 31 days.
  for (const char* const date : {"2005-01-01", "2000-01-01", "2031-01-01"}) {
    EXPECT_EQ(around(date).before.record, 11) << date;
    EXPECT_EQ(around(date).after.record, 0) << date;
    EXPECT_DOUBLE_EQ(around(date).share, 0.5) << date;
  }
  EXPECT_EQ(around("2005-12-16 12:00").before.record, 11);
  EXPECT_EQ(around("2005-12-16 12:00").share, 0);
}

}  // namespace
}  // namespace epios::config::file_dates_test
