#include "data/unsent_data.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "config/model.hpp"

namespace epios::client::unsent_data_test {
namespace {

/// A model with hourly steps and one file, with one stream of its own for each of so many fields.
config::Model model_of(int fields) {
  config::Model model;
  model.context_id = "ocean";
  model.calendar_type = config::CalendarType::no_leap;
  model.timestep = {.hour = 1};
  model.start_date = model.calendar().instant({2000, 1, 1});
  config::File& file = model.files.emplace_back();
  file.id = "daily";
  file.path = "daily.nc";
  for (int f = 0; f < fields; ++f) {
    const std::string id = "f" + std::to_string(f);
    model.sources.push_back({id});
    config::Stream& stream = model.streams.emplace_back();
    stream.id = stream.name = id;
    stream.source = config::SourceId(f);
    stream.sampling = {config::Operation::average, {.hour = 1}, {}, {.day = 1}};
    file.streams.push_back(config::StreamId(f));
  }
  return model;
}

io::StreamAccount missed(const config::Model& model, std::int64_t missing, std::int64_t few) {
  io::StreamAccount account;
  account.dates = 48;
  account.dates_missed = 3;
  account.first_missed = model.calendar().at_step(model.start_date, 5);
  account.last_missed = model.calendar().at_step(model.start_date, 30);
  account.records = 2;
  account.records_missing = missing;
  account.records_short = few;
  return account;
}

UnsentData unsent(const config::Model& model, const std::vector<io::StreamAccount>& accounts,
                  std::int64_t repeats = 0, std::int64_t records = 2) {
  const auto account = [&accounts](int stream) -> const io::StreamAccount& {
    return accounts[static_cast<std::size_t>(stream)];
  };
  return {model, account, [repeats](int) { return repeats; }, [records](int) { return records; }};
}

TEST(UnsentData, SaysNothingOfWhatIsComplete) {
  const config::Model model = model_of(1);
  const UnsentData data = unsent(model, {missed(model, 0, 0)});
  EXPECT_TRUE(data.warnings().empty()) << "no record is the worse for it";
  EXPECT_TRUE(data.notes().empty());
  EXPECT_EQ(data.of_file(0).fields, "");
}

TEST(UnsentData, NamesFieldFileDatesAndCounts) {
  const config::Model model = model_of(2);
  const UnsentData data = unsent(model, {missed(model, 1, 1), missed(model, 0, 2)});
  ASSERT_EQ(data.warnings().size(), 2U);
  EXPECT_EQ(data.warnings()[0],
            "context 'ocean': field 'f0' was not always sent when files need it ('f0' of file "
            "'daily' has no data at 3 of 48 dates, 2000-01-01 05:00:00 to 2000-01-02 06:00:00: of "
            "2 records 1 missing, 1 with fewer samples). Does the model send it at every step, or "
            "does freq_op say when?");
  const auto file = data.of_file(0);
  EXPECT_EQ(file.records_missing, 1);
  EXPECT_EQ(file.records_short, 3);
  EXPECT_EQ(file.fields, "f0 1 missing 1 short, f1 2 short");
  EXPECT_EQ(data.of_file(1).records_short, 0);
}

TEST(UnsentData, SaysWhichRecordsTheFileHasNot) {
  const config::Model model = model_of(1);
  const UnsentData data = unsent(model, {missed(model, 2, 0)}, 0, 1);
  ASSERT_EQ(data.warnings().size(), 1U);
  EXPECT_NE(
      data.warnings()[0].find("of 2 records 2 missing (1 in all fields: not in the file)). Does"),
      std::string::npos)
      << data.warnings()[0];
}

TEST(UnsentData, NotesWhatTheEndOfTheRunCutsOff) {
  const config::Model model = model_of(2);
  std::vector<io::StreamAccount> accounts(2);
  accounts[0].samples_left = accounts[1].samples_left = 7;
  accounts[0].records = accounts[1].records = 2;
  accounts[0].last_period = accounts[1].last_period = 2;
  const UnsentData data = unsent(model, accounts);
  EXPECT_TRUE(data.warnings().empty());
  EXPECT_EQ(data.notes(),
            (std::vector<std::string>{
                "context 'ocean': file 'daily' does not hold the data of its last period (the run "
                "ends within it, 2000-01-03 00:00:00 to 2000-01-04 00:00:00)"}));
}

TEST(UnsentData, CutsAListWithoutEnd) {
  const config::Model model = model_of(130);
  const UnsentData data =
      unsent(model, std::vector<io::StreamAccount>(130, missed(model, 2, 0)), 1);
  ASSERT_EQ(data.warnings().size(), 101U);
  EXPECT_EQ(data.warnings().back(),
            "context 'ocean': 160 more warnings like these (the reports of the files name all "
            "fields)");
}

}  // namespace
}  // namespace epios::client::unsent_data_test
