#include "process/log.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): setenv
#include <unistd.h>

#include <string>

#include "config/run_page.hpp"
#include "config/watched_runs.hpp"

namespace epios::server::log_test {
namespace {

/// What the log of a server prints with EPIOS_LOG set so.
std::string printed(const char* wish, int rank = 0) {
  if (wish == nullptr) {
    ::unsetenv("EPIOS_LOG");
  } else {
    ::setenv("EPIOS_LOG", wish, 1);
  }
  testing::internal::CaptureStderr();
  const Log log(rank);
  log.info("one");
  log.warning("two");
  log.error("three");
  return testing::internal::GetCapturedStderr();
}

TEST(Log, IsQuietUnlessAskedForMore) {
  const std::string usual = "epios server 0: warning: two\nepios server 0: error: three\n";
  EXPECT_EQ(printed(nullptr), usual);
  EXPECT_EQ(printed("warning"), usual);
  EXPECT_EQ(printed("error"), "epios server 0: error: three\n");
  EXPECT_EQ(printed("info"), "epios server 0: info: one\n" + usual);
  EXPECT_EQ(printed("off"), "");
}

TEST(Log, ShowsItsLinesInThePage) {
  config::RunPage::Contents contents;
  contents.job = "log_test-" + std::to_string(::getpid());
  contents.slots = {0, 0, 0, 0, 0, 4};
  config::RunPage page(contents, 1);
  ::setenv("EPIOS_LOG", "warning", 1);
  testing::internal::CaptureStderr();
  const Log log(2, &page);
  log.info("one");
  log.of("ocean").warning("two");
  log.error("three");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "epios server 2: warning: component 'ocean': two\nepios server 2: error: three\n");
  const auto lines = config::RunWatch(contents.job).look().jobs.at(0).lines;
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].text, "server 2: component 'ocean': two");
  EXPECT_EQ(lines[0].severity, "warning");
  EXPECT_EQ(lines[1].text, "server 2: three");
}

TEST(Log, AWordThatIsNoLevelSilencesNothing) {
  EXPECT_EQ(
      printed("loud"),
      "epios server 0: warning: EPIOS_LOG is 'loud' (no level of the log). Use error, warning, "
      "info, debug or trace?\nepios server 0: warning: two\nepios server 0: error: three\n");
  // One server says so.
  EXPECT_EQ(printed("loud", 1), "epios server 1: warning: two\nepios server 1: error: three\n");
}

TEST(Log, NamesAComponentWhereItIsToldTo) {
  ::setenv("EPIOS_LOG", "info", 1);
  testing::internal::CaptureStderr();
  const Log log(2);
  const Log of_ocean = log.of("ocean");
  of_ocean.info("one");
  of_ocean.warning("two");
  of_ocean.error("three");
  log.info("four");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "epios server 2: info: component 'ocean': one\n"
            "epios server 2: warning: component 'ocean': two\n"
            "epios server 2: error: component 'ocean': three\n"
            "epios server 2: info: four\n");
}

}  // namespace
}  // namespace epios::server::log_test
