// What observed.cpp left behind: its traces, and its statistics. The folder is EP_TEST_OBSERVED,
// its name ends with the way: "whole", "kill" or "stuck".
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

using nlohmann::json;

constexpr int processes = 2;
constexpr double late_us = 50000;  // somewhat less than observed.cpp sleeps

std::string folder() {
  const char* const name = std::getenv("EP_TEST_OBSERVED");
  return name != nullptr ? name : ".";
}
bool is_stuck() { return folder().ends_with("stuck"); }
bool was_killed() { return folder().ends_with("kill") || is_stuck(); }

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<json> events() {
  std::vector<json> out;
  for (int p = 0; p < processes; ++p) {
    const json file = json::parse(text_of(folder() + "/run." + std::to_string(p) + ".json"));
    EXPECT_TRUE(file.is_array());
    for (const json& event : file) {
      EXPECT_EQ(event.at("pid"), p);
      out.push_back(event);
    }
  }
  return out;
}

std::vector<json> of_ocean(const std::string& name) {
  std::vector<json> out;
  for (const json& event : events()) {
    if (event.at("name") == name && event.contains("args") &&
        event.at("args").value("comm", "") == "the \"ocean\"") {
      out.push_back(event);
    }
  }
  return out;
}

TEST(Observed, traces_are_whole_json_also_of_a_killed_process) {
  EXPECT_GT(events().size(), 20U);
  for (int p = 0; p < processes; ++p) {
    const std::string text = text_of(folder() + "/run." + std::to_string(p) + ".json");
    EXPECT_TRUE(text.starts_with("[\n{")) << p;
    EXPECT_TRUE(text.ends_with("}\n]\n")) << p;
  }
}

TEST(Observed, a_call_has_its_line_with_what_it_moved) {
  const std::vector<json> sends = of_ocean("EP_Isend");
  ASSERT_GE(sends.size(), 4U);
  std::set<int> peers;
  for (const json& event : sends) {
    EXPECT_EQ(event.at("ph"), "X");
    EXPECT_EQ(event.at("args").at("bytes"), 400);
    EXPECT_EQ(event.at("args").at("tag"), 7);
    const int rank = event.at("args").at("rank");
    EXPECT_EQ(event.at("args").at("peer"), (rank + 1) % 4);
    EXPECT_EQ(event.at("pid"), rank / 2);
    EXPECT_EQ(event.at("tid"), rank % 2);
    peers.insert(rank);
  }
  EXPECT_EQ(peers.size(), 4U);
}

TEST(Observed, a_wait_says_how_long_and_for_whom) {
  const std::vector<json> sends = of_ocean("EP_Ssend");
  ASSERT_EQ(sends.size(), 1U);
  const json& args = sends.front().at("args");
  EXPECT_EQ(args.at("peer"), 3);
  EXPECT_GE(args.at("waited_us"), late_us);
  EXPECT_EQ(args.at("waited_for"), "rank 3");
  EXPECT_GE(sends.front().at("dur"), args.at("waited_us"));
}

TEST(Observed, a_receive_says_what_came) {
  const std::vector<json> receives = of_ocean("EP_Recv");
  ASSERT_GE(receives.size(), 5U);
  for (const json& event : receives) {
    const json& args = event.at("args");
    const int rank = args.at("rank");
    const bool is_of_ring = args.at("tag") == 7;
    EXPECT_EQ(args.at("bytes"), is_of_ring ? 400 : 8);
    EXPECT_EQ(args.at("peer"), is_of_ring ? (rank + 3) % 4 : 0);
  }
}

TEST(Observed, a_wait_that_does_not_end_is_in_the_file_all_the_same) {
  if (!is_stuck()) GTEST_SKIP() << "all waits end";
  const std::vector<json> waits = of_ocean("still waits for a message (EP_Recv)");
  ASSERT_GE(waits.size(), 1U);
  EXPECT_EQ(waits.front().at("ph"), "i");
  EXPECT_EQ(waits.front().at("args").at("rank"), 0);
  EXPECT_EQ(waits.front().at("args").at("waited_for"), "rank 3");
  EXPECT_GE(waits.front().at("args").at("waited_us"), 1e6);
}

TEST(Observed, a_collective_names_who_came_late_and_its_algorithm) {
  const std::vector<json> reductions = of_ocean("EP_Allreduce");
  ASSERT_EQ(reductions.size(), 4U);
  for (const json& event : reductions) {
    EXPECT_EQ(event.at("args").at("bytes"), 80);
    EXPECT_FALSE(event.at("args").at("algorithm").get<std::string>().empty());
  }
  bool is_sibling_named = false;
  bool is_process_named = false;
  for (const json& event : of_ocean("EP_Barrier")) {
    const std::string whom = event.at("args").value("waited_for", "");
    is_sibling_named = is_sibling_named || whom == "rank 1 of this process";
    is_process_named = is_process_named || whom == "process 0 (ranks 0, 1)";
  }
  EXPECT_TRUE(is_sibling_named);
  EXPECT_TRUE(is_process_named);
}

TEST(Observed, a_collective_that_nobody_waits_for_in_its_call_has_begin_and_end) {
  std::map<std::string, std::set<std::string>> phases;
  for (const json& event : events()) {
    if (event.at("name") == "EP_Ibcast") phases[event.at("id")].insert(event.at("ph"));
  }
  EXPECT_EQ(phases.size(), 4U);
  for (const auto& [id, both] : phases) EXPECT_EQ(both, (std::set<std::string>{"b", "e"})) << id;
}

TEST(Observed, every_message_flows_from_its_send_to_its_receive) {
  std::map<std::string, double> begins;
  std::map<std::string, double> ends;
  for (const json& event : events()) {
    const std::string phase = event.at("ph");
    if (phase == "s") {
      EXPECT_TRUE(begins.emplace(event.at("id"), event.at("ts")).second) << event;
    }
    if (phase == "f") {
      EXPECT_TRUE(ends.emplace(event.at("id"), event.at("ts")).second) << event;
    }
  }
  // The ring, the late message; of the second ring of those who are killed some lines are lost.
  if (was_killed()) {
    const auto is_second = [](const auto& flow) { return flow.first.ends_with(":2"); };
    std::erase_if(begins, is_second);
    std::erase_if(ends, is_second);
  }
  EXPECT_EQ(begins.size(), 5U);
  for (const auto& [id, begin] : begins) {
    ASSERT_TRUE(ends.contains(id)) << id;
    EXPECT_LE(begin, ends.at(id) + 5) << id;
  }
  EXPECT_EQ(ends.size(), begins.size());
}

// Viewers put slices of one thread into each other by their times.
TEST(Observed, slices_of_an_endpoint_lie_inside_or_beside_each_other) {
  std::map<std::pair<int, int>, std::vector<std::pair<double, double>>> slices;
  for (const json& event : events()) {
    if (event.at("ph") != "X") continue;
    const double begin = event.at("ts");
    slices[{event.at("pid"), event.at("tid")}].emplace_back(begin,
                                                            begin + event.at("dur").get<double>());
  }
  EXPECT_EQ(slices.size(), 4U);
  constexpr double digits = 0.02;  // of numbers this large
  for (const auto& [endpoint, all] : slices) {
    for (const auto& a : all) {
      for (const auto& b : all) {
        const bool overlap = a.first < b.first - digits && b.first < a.second - digits &&
                             a.second < b.second - digits;
        EXPECT_FALSE(overlap) << a.first << " " << a.second << " " << b.first << " " << b.second;
      }
    }
  }
}

TEST(Observed, endpoints_are_called_by_their_ranks) {
  std::set<std::string> names;
  for (const json& event : events()) {
    if (event.at("name") == "thread_name") names.insert(event.at("args").at("name"));
  }
  EXPECT_EQ(names, (std::set<std::string>{"rank 0", "rank 1", "rank 2", "rank 3"}));
}

TEST(Observed, statistics_are_one_table_of_the_job) {
  if (was_killed()) GTEST_SKIP() << "nobody ends the job";
  const std::string text = text_of(folder() + "/statistics.txt");
  EXPECT_EQ(text.find("[ep statistics] 2 processes"), text.rfind("[ep statistics] 2 processes"));
  EXPECT_EQ(text.find("[ep statistics] process "), std::string::npos) << text;
  std::istringstream lines(text);
  std::string line;
  std::string next;
  while (std::getline(lines, line) && line.find("the \"ocean\"") == std::string::npos) {
  }
  std::getline(lines, next);
  std::string name_1, name_2, tag, bytes, unit, bytes_of_collectives, unit_of_collectives;
  int ranks = 0, made = 0, messages = 0, collectives = 0;
  double waited_s = 0;
  std::istringstream words(line);
  words >> tag >> tag >> name_1 >> name_2 >> ranks >> made >> messages >> bytes >> unit >>
      collectives >> bytes_of_collectives >> unit_of_collectives >> waited_s;
  EXPECT_EQ(ranks, 4) << line;
  EXPECT_EQ(made, 1) << line;
  EXPECT_EQ(messages, 5) << line;  // 4 of 400 bytes, 1 of 8
  EXPECT_EQ(bytes + unit, "1.6kB") << line;
  EXPECT_EQ(collectives, 12) << line;  // 3 of each endpoint
  EXPECT_EQ(bytes_of_collectives + unit_of_collectives, "640B") << line;
  EXPECT_GE(waited_s, 1e-6 * late_us) << line;
  // Two endpoints wait for another process; of single ones the table may leave some out.
  EXPECT_NE(line.find("  process 0 (ranks 0, 1) 0."), std::string::npos) << line;
  EXPECT_NE(next.find("between processes by EP_Allreduce: "), std::string::npos) << next;
  EXPECT_NE(next.find("; EP_Ibcast: binomial 4"), std::string::npos) << next;
}

}  // namespace
