// Whether files have the records of a run: which files are asked, and what is missing of them.
#include "check/read_reach_check.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "config/model.hpp"

namespace epios::config::read_reach_check_test {
namespace {

/// A run from 2000-01-01 with one field of one value, read every six hours from 'f.nc'.
class ReadReachCheck : public ::testing::Test {
 protected:
  ReadReachCheck() {
    model_.calendar_type = CalendarType::no_leap;
    model_.timestep = {.hour = 1};
    model_.start_date = model_.time_origin = model_.calendar().instant({2000, 1, 1});
    model_.grids.push_back({"one", {}});
    ReadFile& file = model_.read_files.emplace_back();
    file.id = "f";
    file.path = "f.nc";
    file.fields = {ReadFieldId(0)};
    ReadField& field = model_.read_fields.emplace_back();
    field.id = field.name = "v";
    field.reading = {false, {.hour = 6}, {}};
  }

  FileAttributes& attributes() { return model_.read_files[0].attributes; }
  Instant after(double hours) const {
    return model_.calendar().add(model_.start_date, {.hour = hours});
  }
  std::string asked(double hours) const {
    std::string out;
    for (const FileQuestion& question : questions_of_run(model_, after(hours))) {
      out += question.path + (question.wants_dates ? " with dates, " : ", ");
    }
    return out;
  }
  /// `hours` since the start of the stamps of its records.
  static FileFacts facts(const std::string& path, const std::vector<double>& hours) {
    FileFacts out;
    out.path = path;
    out.exists = true;
    out.dimensions = {{"time", std::ssize(hours), true}};
    out.variables = {
        {"v", true, {0}, {}},
        {"time", true, {0}, {{"units", "hours since 2000-01-01"}, {"calendar", "noleap"}}, hours}};
    out.sort_names();
    return out;
  }
  std::string missing(double hours, const std::vector<FileFacts>& files) const {
    std::string out;
    for (const MissingRecord& record : missing_records(model_, after(hours), files)) {
      out += record.problem + " (" + record.why + "). " + record.suggestion;
    }
    return out;
  }

  Model model_;
};

TEST_F(ReadReachCheck, asks_for_one_file_once_however_long_the_run_is) {
  EXPECT_EQ(asked(0), "f.nc, ");
  EXPECT_EQ(asked(1e6), "f.nc, ");
  attributes().time_from_file = true;
  EXPECT_EQ(asked(1e6), "f.nc with dates, ");
}

TEST_F(ReadReachCheck, asks_for_all_parts_and_for_400_at_most) {
  attributes().split_freq = Duration{.day = 1};
  EXPECT_EQ(asked(18), "f_20000101-20000101.nc, ");
  // A date between two parts may stand in either.
  const std::string three = asked(60);
  for (const std::string day : {"01", "02", "03"}) {
    const std::string part = "f_200001" + day + "-200001" + day + ".nc, ";
    EXPECT_NE(three.find(part), std::string::npos) << three;
  }
  EXPECT_EQ(three.find("20000104"), std::string::npos) << three;
  const auto many = questions_of_run(model_, after(24 * 3650));
  EXPECT_GE(many.size(), 400);
  EXPECT_LE(many.size(), 402);
}

TEST_F(ReadReachCheck, counts_records) {
  const std::vector<FileFacts> files{facts("f.nc", {0, 6, 12})};
  EXPECT_EQ(missing(12, files), "");
  EXPECT_EQ(missing(17, files), "");
  EXPECT_EQ(missing(18, files),
            "file 'f.nc' ends before the run (variable 'v' has 3 records, the last one for "
            "2000-01-01 12:00:00; the run can ask for that of 2000-01-01 18:00:00). With "
            "cyclic=\"true\" records begin again after the last one.");
  attributes().record_offset = 1;
  EXPECT_NE(missing(12, files), "");
  attributes().record_offset.reset();
  attributes().cyclic = true;
  EXPECT_EQ(missing(1e5, files), "");
  model_.read_fields[0].reading.is_once = true;
  EXPECT_EQ(missing(1e5, {facts("f.nc", {0})}), "");
}

TEST_F(ReadReachCheck, counts_records_of_parts) {
  attributes().split_freq = Duration{.day = 1};
  std::vector<FileFacts> files;
  for (const std::string day : {"01", "02", "03"}) {
    files.push_back(facts("f_200001" + day + "-200001" + day + ".nc", {0, 6, 12, 18}));
  }
  EXPECT_EQ(missing(66, files), "");
  EXPECT_EQ(missing(1e5, files), "");  // nobody has looked at the fourth
  files[1] = facts(files[1].path, {0, 6, 12});
  EXPECT_NE(missing(66, files).find("f_20000102-20000102.nc' ends before the run (variable 'v' has "
                                    "3 records, the last one for 2000-01-02 12:00:00"),
            std::string::npos)
      << missing(66, files);
  files[1].exists = false;
  EXPECT_NE(missing(66, files).find("f_20000102-20000102.nc' does not exist"), std::string::npos);
}

TEST_F(ReadReachCheck, finds_records_by_their_dates) {
  attributes().time_from_file = true;
  EXPECT_EQ(missing(18, {facts("f.nc", {12, 0, 18, 6})}), "");
  EXPECT_NE(missing(18, {facts("f.nc", {0, 6, 18})}).find("has no record of 2000-01-01 12:00:00"),
            std::string::npos);
  EXPECT_NE(missing(24, {facts("f.nc", {0, 6, 12, 18})}).find("ends before the run"),
            std::string::npos);
}

TEST_F(ReadReachCheck, finds_dates_that_come_again) {
  attributes().time_from_file = true;
  attributes().cyclic = true;
  const std::vector<FileFacts> day{facts("f.nc", {0, 6, 12, 18})};
  EXPECT_EQ(missing(1e5, day), "");
  EXPECT_EQ(missing(1e5, {facts("f.nc", {24, 30, 36, 42})}), "");
  EXPECT_EQ(missing(1e5, {facts("f.nc", {0, 12, 18})}),
            "file 'f.nc' has no record of 2000-01-01 06:00:00 (variable 'v' has 3 records of "
            "2000-01-01 00:00:00 to 2000-01-01 18:00:00, again every 1d; the run can ask for that "
            "of 2000-01-01 06:00:00). Is output_freq that of the file?");
  // Months, by stamps in their middle.
  model_.read_fields[0].reading.period = {.month = 1};
  EXPECT_EQ(missing(24 * 3650, {facts("f.nc", {372, 1080, 1788, 2520, 3252, 3984, 4716, 5460, 6192,
                                               6924, 7656, 8388})}),
            "");
}

}  // namespace
}  // namespace epios::config::read_reach_check_test
