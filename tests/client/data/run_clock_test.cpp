#include "data/run_clock.hpp"

#include <gtest/gtest.h>

#include "config/model.hpp"

namespace epios::client::run_clock_test {
namespace {

/// Hourly steps, of which a run before has done 24.
config::Model model() {
  config::Model out;
  out.calendar_type = config::CalendarType::no_leap;
  out.timestep = {.hour = 1};
  out.start_date = out.calendar().instant({2000, 1, 1});
  out.steps_before = 24;
  return out;
}

TEST(RunClock, begins_where_the_run_before_has_ended) {
  const RunClock clock(model());
  EXPECT_EQ(clock.step(), 0);
  EXPECT_EQ(clock.model_step(), 24);
  EXPECT_EQ(clock.text(), "2000-01-02 00:00:00");
}

TEST(RunClock, a_run_without_data_ends_where_it_began) {
  const RunClock clock(model());
  EXPECT_EQ(clock.end(), clock.now());
  EXPECT_EQ(clock.end_model_step(), 24);
}

TEST(RunClock, a_step_without_data_has_only_been_announced) {
  RunClock clock(model());
  clock.advance(3);
  clock.note_data();
  EXPECT_EQ(clock.end_model_step(), 27);
  EXPECT_EQ(clock.calendar().text(clock.end()), "2000-01-02 03:00:00");
  clock.advance(5);
  EXPECT_FALSE(clock.has_data());
  EXPECT_EQ(clock.model_step(), 29);
  EXPECT_EQ(clock.end_model_step(), 27);
  EXPECT_EQ(clock.calendar().text(clock.end()), "2000-01-02 03:00:00");
}

}  // namespace
}  // namespace epios::client::run_clock_test
