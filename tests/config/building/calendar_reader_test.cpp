// The calendar of a context, from XML to the Model.
#include <gtest/gtest.h>

#include "sample.hpp"

namespace epios::config::calendar_reader_test {
namespace {

std::string errors_of(const std::string& calendar) {
  return test::errors(test::in_context("", "\n<calendar timestep='1h' " + calendar + "/>"));
}

TEST(CalendarReader, takes_all_types) {
  for (const auto& [word, name] : std::vector<std::pair<std::string, std::string>>{
           {"Gregorian", "gregorian"},
           {"Julian", "julian"},
           {"noleap", "noleap"},
           {"AllLeap", "all_leap"},
           {"D360", "360_day"},
           {"user_defined' day_length='10' year_length='100", "user_defined"}}) {
    const Model model =
        test::model(test::in_context("", "<calendar timestep='1s' type='" + word + "'/>"));
    EXPECT_EQ(model.calendar().cf_name(), name);
    EXPECT_EQ(model.start_date, Instant{}) << word;
    EXPECT_EQ(encode(decode_model(encode(model))), encode(model)) << word;
  }
}

TEST(CalendarReader, takes_the_years_of_a_user) {
  const Model model = test::model(test::in_context(
      "",
      "<calendar type='user_defined' timestep='1h' day_length='88775' time_origin='1-1-1' "
      "start_date='0001-12-56 24:39:34' month_lengths='(0,11)[61 66 66 65 60 54 50 46 47 47 51 "
      "55]' leap_year_month='12' leap_year_drift='0.6' leap_year_drift_offset='0.5'/>"));
  const UserCalendar& user = model.user_calendar;
  EXPECT_EQ(user.day_length_s, 88'775);
  EXPECT_EQ(user.month_lengths.size(), 12U);
  EXPECT_EQ(user.origin_year, 1);
  EXPECT_EQ(user.leap_month, 12);
  EXPECT_EQ(user.leap_drift, 0.6);
  EXPECT_EQ(user.leap_drift_offset, 0.5);
  EXPECT_EQ(decode_model(encode(model)).user_calendar, user);
  EXPECT_EQ(model.calendar().text(model.start_date), "0001-12-56 24:39:34");
  EXPECT_NE(to_json(model).find("\"leap_year_drift\": 0.6"), std::string::npos);
}

TEST(CalendarReader, takes_dates_with_durations) {
  const Model model = test::model(test::in_context(
      "", "<calendar type='D360' timestep='1h' start_date='2000-2-30 + 1d' time_origin='1950'/>"));
  EXPECT_EQ(model.calendar().text(model.start_date), "2000-03-01 00:00:00");
  EXPECT_EQ(model.calendar().text(model.time_origin), "1950-01-01 00:00:00");
}

// Readers differ about year 0, from which XIOS counts.
TEST(CalendarReader, time_begins_with_the_run_unless_somebody_says_otherwise) {
  const auto origin = [](const std::string& simulation, const std::string& calendar) {
    const Model model = test::model("<simulation" + simulation +
                                    "><context id='ocean'><calendar type='NoLeap' timestep='1h' " +
                                    calendar + "/></context></simulation>");
    return model.calendar().text(model.time_origin);
  };
  EXPECT_EQ(origin("", "start_date='1980-02-03 06:00'"), "1980-02-03 06:00:00");
  EXPECT_EQ(origin("", ""), "0000-01-01 00:00:00");
  EXPECT_EQ(origin("", "start_date='1980-02-03' time_origin='1950'"), "1950-01-01 00:00:00");
  EXPECT_EQ(origin(" compat='xios2'", "start_date='1980-02-03'"), "0000-01-01 00:00:00");
  EXPECT_EQ(origin(" compat='xios3'", "start_date='1980-02-03'"), "0000-01-01 00:00:00");
}

// Where the run starts is no reason for other leap years.
TEST(CalendarReader, leap_years_of_a_user_do_not_follow_the_start) {
  const Model model = test::model(
      test::in_context("",
                       "<calendar type='user_defined' timestep='1h' day_length='86400' "
                       "start_date='0003-01-01' month_lengths='(0,1)[10 10]' leap_year_month='2' "
                       "leap_year_drift='0.25'/>"));
  EXPECT_EQ(model.user_calendar.origin_year, 0);
  EXPECT_EQ(model.time_origin, model.start_date);
}

TEST(CalendarReader, says_what_a_user_defined_calendar_lacks) {
  EXPECT_EQ(errors_of("type='user_defined'"),
            "iodef.xml:2:1: error: the calendar of context 'ocean' has no day_length (it is "
            "mandatory). Add day_length=\"86400\"?");
  EXPECT_EQ(errors_of("type='user_defined' day_length='1'"),
            "iodef.xml:2:1: error: the calendar of context 'ocean' has no month_lengths (it is "
            "mandatory). Add month_lengths, or year_length if there are no months.");
  EXPECT_EQ(errors_of("type='user_defined' day_length='1' month_lengths='(0,0)[3]' "
                      "leap_year_month='1'"),
            "iodef.xml:2:85: error: leap_year_month of the calendar (leap years need "
            "leap_year_drift too).");
  EXPECT_EQ(errors_of("type='user_defined' day_length='1' month_lengths='(0,0)[3]' "
                      "leap_year_drift_offset='0'"),
            "iodef.xml:2:85: error: leap_year_drift_offset of the calendar (leap years need "
            "leap_year_month and leap_year_drift too).");
}

TEST(CalendarReader, says_what_does_not_fit_a_user_defined_calendar) {
  EXPECT_EQ(errors_of("type='user_defined' day_length='1' month_lengths='(0,0)[3]' "
                      "year_length='3'"),
            "iodef.xml:2:85: error: year_length of the calendar (the year is as long as its "
            "months).");
  EXPECT_EQ(errors_of("type='user_defined' day_length='1' month_lengths='(0,0)[3]' "
                      "leap_year_drift='0.5' leap_year_month='0'"),
            "iodef.xml:2:107: error: leap_year_month of the calendar (months are 1 to 1).");
  EXPECT_EQ(errors_of("type='user_defined' day_length='10' year_length='35' start_date='0-5'"),
            "iodef.xml:2:78: error: start_date '0-5' of the calendar (a year has days 1 to 4).");
  EXPECT_EQ(test::errors(
                test::in_context("",
                                 "<calendar type='user_defined' day_length='10' year_length='35' "
                                 "timestep='1mo'/>")),
            "iodef.xml:1:96: error: time step '1mo' (the calendar has no months). Use y, d, h, "
            "mi, s and ts.");
}

TEST(CalendarReader, lets_no_other_type_have_years_of_its_own) {
  EXPECT_EQ(errors_of("type='NoLeap' day_length='86400'"),
            "iodef.xml:2:39: error: day_length of the calendar (type 'NoLeap' has a year of its "
            "own). Use type=\"user_defined\".");
}

}  // namespace
}  // namespace epios::config::calendar_reader_test
