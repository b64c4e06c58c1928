#include "context/context_account.hpp"

#include <gtest/gtest.h>

#include <string>

#include "config/file_series.hpp"
#include "config/model.hpp"
#include "config/split_rule.hpp"

namespace epios::client::context_account_test {
namespace {

/// Two files with data and one for statistics.
config::Model model() {
  config::Model out;
  out.files.resize(3);
  out.statistics_file = config::FileId(2);
  return out;
}

io::ContextReport lost(std::int32_t file, const std::string& path) {
  io::ContextReport out;
  out.files.emplace_back();
  out.files.back().file = file;
  out.files.back().path = path;
  out.files.back().error = path + ": disk full";
  return out;
}

std::string failure_of(ContextAccount& account) {
  try {
    account.throw_if_failed();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ContextAccount, other_files_go_on_until_all_with_data_are_lost) {
  const config::Model files = model();
  ContextAccount account("ocean");
  account.watch_files(files, [&files] { return files.start_date; });
  account.add(lost(0, "a.nc"));
  account.add(lost(0, "a.nc"));  // by another of its writers
  EXPECT_EQ(failure_of(account), "");
  account.add(lost(1, "b.nc"));
  EXPECT_EQ(failure_of(account),
            "context 'ocean': no file is left to write to: a.nc: disk full\nb.nc: disk full");
}

// Would have found that a context ended for want of files, although the files that had lost a month
// each went on with the next one.
TEST(ContextAccount, later_parts_of_a_split_file_may_be_well) {
  config::Model files = model();
  files.files[config::FileId(0)].path = "a.nc";
  files.files[config::FileId(0)].attributes.split_freq = config::Duration{0, 1};
  const config::FileSeries series = config::series_of(files, files.files[config::FileId(0)]);
  const auto part = [&](int number) { return config::path_of_part(series, "a.nc", number); };
  config::Instant now = series.period(0).end;
  ContextAccount account("ocean");
  account.watch_files(files, [&now] { return now; });
  account.add(lost(0, part(0)));
  account.add(lost(1, "b.nc"));
  ContextAccount at_once = account;
  EXPECT_NE(failure_of(at_once), "") << "at the end of the month that is lost";
  now = series.period(1).end;
  EXPECT_EQ(failure_of(account), "");
  const std::string of_writer = config::path_of_writer(part(1), "_3");
  account.add(lost(0, of_writer));
  EXPECT_EQ(failure_of(account), "context 'ocean': no file is left to write to: " + part(0) +
                                     ": disk full\nb.nc: disk full\n" + of_writer + ": disk full");
}

TEST(ContextAccount, the_first_failure_stays) {
  ContextAccount account("ocean");
  io::ContextReport report;
  report.failed = true;
  report.error_code = static_cast<int>(ErrorCode::mismatch);
  report.error = "clients differ";
  account.add(report);
  report.error = "what follows from it";
  account.add(report);
  ASSERT_TRUE(account.failure().has_value());
  EXPECT_EQ(account.failure()->code(), ErrorCode::mismatch);
  EXPECT_EQ(failure_of(account), "clients differ");
}

// The failure says itself where it came up; other errors get their place.
TEST(ContextAccount, errors_get_their_place_but_for_the_failure) {
  ContextAccount account("ocean");
  const auto rethrown = [&] {
    try {
      try {
        throw Error(ErrorCode::argument, "3 values");
      } catch (const Error& error) {
        account.rethrow(error, "field 'sst'");
      }
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(rethrown(), "field 'sst': 3 values");
  io::ContextReport report;
  report.failed = true;
  account.add(report);
  EXPECT_EQ(rethrown(), "3 values");
}

TEST(ContextAccount, files_of_several_servers_are_put_together_by_path) {
  ContextAccount account("ocean");
  io::ContextReport report;
  report.closed = true;
  report.files.resize(2);
  report.files[0].path = "b.nc";
  report.files[0].fields = {{"sst", io::RecordSet({{0, 2}}), io::RecordSet({{2, 3}})}};
  report.files[0].error = "b.nc: disk full";
  report.files[1].path = "a.nc";
  account.add(report);
  account.add(report);
  EXPECT_EQ(account.servers_done(), 2);
  EXPECT_EQ(account.loads().size(), 2U);
  ASSERT_EQ(account.files().size(), 2U);
  EXPECT_EQ(account.files()[0].report.path, "a.nc");
  EXPECT_EQ(account.files()[1].losses, "sst 1");
  EXPECT_EQ(account.errors(),
            "b.nc: disk full [2 records written, 1 lost (sst 1); see 'b.nc.part']");
}

TEST(ContextAccount, statistics_are_of_the_calls_and_of_the_channels) {
  ContextAccount account("ocean");
  account.open();
  account.count_send();
  account.count_send();
  account.add_seconds(0.5);
  ServerLink::Account sent;
  sent.records = 3;
  sent.bytes = 4096;
  sent.blocked_s = 0.25;
  account.close(sent);
  const epios_statistics statistics = account.statistics(account.sent());
  EXPECT_EQ(statistics.sends, 2);
  EXPECT_EQ(statistics.records_sent, 3);
  EXPECT_EQ(statistics.bytes_sent, 4096);
  EXPECT_DOUBLE_EQ(statistics.in_library_s, 0.5);
  EXPECT_DOUBLE_EQ(statistics.blocked_s, 0.25);
  EXPECT_GE(statistics.open_s, 0);
}

}  // namespace
}  // namespace epios::client::context_account_test
