#include "traces/trace_file.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <ep/ep.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "scratch_folder.hpp"

namespace ep::trace_file_test {
namespace {

using nlohmann::json;

json file_of(const std::string& path) {
  std::ifstream file(path);
  return json::parse(file);
}

TEST(TraceFile, is_called_by_its_process) {
  EXPECT_EQ(trace_path("run.json", 3), "run.3.json");
  EXPECT_EQ(trace_path("out.d/run", 12), "out.d/run.12");
  EXPECT_EQ(trace_path("out.d/.hidden", 0), "out.d/.hidden.0");
  EXPECT_EQ(trace_path("/tmp/a.b.json", 1), "/tmp/a.b.1.json");
}

TEST(TraceFile, is_whole_at_all_times) {
  const epios::test::ScratchFolder folder("trace");
  const std::string path = folder.path() + "/run.json";
  TraceFile trace(path, 5);
  EXPECT_EQ(file_of(path).size(), 1U);
  const auto now = TraceFile::Clock::now();
  for (int i = 0; i < 3000; ++i) {
    trace.add(i % 3, now, now + std::chrono::nanoseconds(1500), R"("name":"EP_Send","ph":"X")");
    if (i % 500 == 0) {
      EXPECT_EQ(file_of(path)[0].at("pid"), 5);
    }
  }
  trace.flush();
  const json all = file_of(path);
  ASSERT_EQ(all.size(), 3001U);
  EXPECT_EQ(all[3000].at("tid"), 2999 % 3);
  EXPECT_EQ(all[3000].at("dur"), 1.5);
  EXPECT_EQ(all[0].at("name"), "process_name");
}

TEST(TraceFile, takes_lines_of_many_threads) {
  const epios::test::ScratchFolder folder("trace");
  const std::string path = folder.path() + "/run.json";
  {
    TraceFile trace(path, 0);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&trace, t] {
        for (int i = 0; i < 1000; ++i)
          trace.add(t, TraceFile::Clock::now(), R"("name":"x","ph":"i")");
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(file_of(path).size(), 4001U);
}

TEST(TraceFile, keeps_any_text_inside_its_quotes) {
  const std::string text = "a \"b\" \\ \n\t \x01 ü";
  EXPECT_EQ(json::parse("\"" + json_text(text) + "\""), text);
}

// The names of traces are known before a run.
TEST(TraceFile, writes_to_no_link_that_somebody_has_laid) {
  const epios::test::ScratchFolder folder("trace");
  const std::string path = folder.path() + "/run.json";
  const std::string victim = folder.path() + "/victim";
  std::ofstream(victim) << "precious";
  for (const bool is_symbolic : {true, false}) {
    std::filesystem::remove(path);
    if (is_symbolic) {
      std::filesystem::create_symlink(victim, path);
    } else {
      std::filesystem::create_hard_link(victim, path);
    }
    const TraceFile trace(path, 0);
    EXPECT_EQ(file_of(path).size(), 1U);
    EXPECT_FALSE(std::filesystem::is_symlink(path));
    EXPECT_EQ(std::filesystem::file_size(victim), 8U);
  }
}

TEST(TraceFile, says_why_it_cannot_be_made) {
  try {
    const TraceFile trace("/nowhere/run.json", 0);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), EP_ERR_FILE);
    EXPECT_STREQ(error.what(),
                 "trace file '/nowhere/run.json' cannot be created (No such file or directory). "
                 "Is EP_TRACE right?");
  }
}

}  // namespace
}  // namespace ep::trace_file_test
