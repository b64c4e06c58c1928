#include "data/infinite_data.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "config/model.hpp"

namespace epios::client::infinite_data_test {
namespace {

/// A model with hourly steps and one file, with daily means of so many fields.
config::Model model_of(int fields) {
  config::Model model;
  model.context_id = "ocean";
  model.calendar_type = config::CalendarType::no_leap;
  model.timestep = {.hour = 1};
  model.start_date = model.calendar().instant({2000, 1, 1});
  model.files.emplace_back().id = "daily";
  for (int f = 0; f < fields; ++f) {
    config::Stream& stream = model.streams.emplace_back();
    stream.name = "f" + std::to_string(f);
    stream.file = config::FileId(0);
    stream.sampling = {config::Operation::average, {.hour = 1}, {}, {.day = 1}};
  }
  return model;
}

TEST(InfiniteData, is_told_with_field_file_and_first_record) {
  config::Model model = model_of(3);
  model.streams[1].sampling.operation = config::Operation::instant;
  model.streams[2].sampling.operation = config::Operation::once;
  EXPECT_EQ(
      infinity_warnings(model, {{2, 1, 0}, {0, 12, 3}, {1, 2, 0}}),
      (std::vector<std::string>{
          "context 'ocean': 12 values of 'f0' in file 'daily' are infinite, first in the record of "
          "2000-01-04 00:00:00 to 2000-01-05 00:00:00 (prec=\"4\" holds numbers up to 3.4e38; the "
          "model may have sent infinite ones). Does it need prec=\"8\"?",
          "context 'ocean': 2 values of 'f1' in file 'daily' are infinite, first in the record of "
          "2000-01-02 00:00:00 (prec=\"4\" holds numbers up to 3.4e38; the model may have sent "
          "infinite ones). Does it need prec=\"8\"?",
          "context 'ocean': 1 value of 'f2' in file 'daily' is infinite (prec=\"4\" holds numbers "
          "up "
          "to 3.4e38; the model may have sent infinite ones). Does it need prec=\"8\"?"}));
  EXPECT_TRUE(infinity_warnings(model, {}).empty());
}

TEST(InfiniteData, of_very_many_fields_the_first_ones_are_told) {
  std::vector<io::InfiniteValues> all;
  for (int stream = 0; stream < 150; ++stream) all.push_back({stream, 5, 0});
  const auto warnings = infinity_warnings(model_of(150), all);
  ASSERT_EQ(warnings.size(), 101U);
  EXPECT_EQ(warnings.back(), "context 'ocean': 50 more warnings like these");
}

TEST(InfiniteData, that_the_model_receives_is_told_with_the_first_date) {
  const config::Model model = model_of(1);
  const config::Instant date = model.calendar().instant({2000, 1, 3});
  EXPECT_EQ(received_infinity_text(model, "wind", 2, date),
            "context 'ocean': 2 values of 'wind' are infinite as received in single precision, "
            "first at 2000-01-03 00:00:00 (it holds numbers up to 3.4e38; the data may have "
            "infinite ones). Receive double precision?");
}

}  // namespace
}  // namespace epios::client::infinite_data_test
