#include "process/metrics_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): unsetenv
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "config/run_page.hpp"

namespace epios::server::metrics_file_test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Waits until a file says so, ten seconds at most.
bool comes(const std::filesystem::path& path, const std::string& text) {
  for (int attempt = 0; attempt < 1000; ++attempt) {
    if (content(path).find(text) != std::string::npos) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

TEST(MetricsFile, HasTheFiguresOfTheJobAndIsNeverHalf) {
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / ("metrics-" + std::to_string(::getpid()));
  config::RunPage::Contents contents;
  contents.job = "metrics_file_test-" + std::to_string(::getpid());
  contents.slots = {1, 0, 0, 0};
  config::RunPage page(contents, 1);
  const auto client = page.take_client("ocean", "o", 0);
  client->step.set(3);
  const std::string begin =
      "epios_steps_total{job_id=\"" + contents.job + R"(",component="ocean",context="o"} )";
  {
    MetricsFile file(path, contents.job, Log(0));
    EXPECT_TRUE(comes(path, begin + "3\n")) << content(path);
    client->step.set(4);
    file.write_soon();
    EXPECT_TRUE(comes(path, begin + "4\n")) << content(path);
    client->step.set(5);
    file.write_soon();
  }
  // What was to be written soon is, though the end came at once.
  EXPECT_THAT(content(path), HasSubstr(begin + "5\n"));
  EXPECT_THAT(content(path), EndsWith("# EOF\n"));
  std::filesystem::remove(path);
}

TEST(MetricsFile, SaysOnceThatItCannotBeWritten) {
  ::unsetenv("EPIOS_LOG");
  testing::internal::CaptureStderr();
  {
    MetricsFile file("/no_such_folder/run.prom", "no such job", Log(0));
    file.write_soon();
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "epios server 0: warning: metrics_file '/no_such_folder/run.prom' cannot be written "
            "(No such file or directory). The run goes on without. Is its folder there?\n");
}

}  // namespace
}  // namespace epios::server::metrics_file_test
