// The text that Prometheus reads: names and units that dashboards depend on, and the rules of the
// format.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "config/watched_runs.hpp"

namespace epios::config::open_metrics_test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

WatchedRuns two_jobs() {
  WatchedRuns runs;
  for (const char* name : {"n1-1", "n1-2"}) {
    WatchedJob& job = runs.jobs.emplace_back();
    job.name = name;
    job.batch_job = "99";
    job.pids = {1, 2};
    job.contexts.emplace_back();
    job.contexts[0].component = "ocean";
    job.contexts[0].context = "o";
    job.contexts[0].step = 12;
    job.contexts[0].bytes = 5'000'000'000;
    job.contexts[0].blocked_s = 0.25;
    job.servers.push_back({3, 77, false, 1, 10, 5, 2.5});
    job.files.push_back(
        {"ocean", "o", "a \"b\"\\c\n.nc", SlotState::failed, 1, 9, 4, 2, 7, 0.5, 9});
    job.waits.push_back({"server 0", "parts", "", 1.5});
  }
  return runs;
}

TEST(OpenMetrics, HasTheNamesThatArePromised) {
  const std::string text = open_metrics(two_jobs());
  for (const char* line :
       {"# TYPE epios_blocked_seconds counter\n# UNIT epios_blocked_seconds seconds\n# HELP ",
        "epios_blocked_seconds_total{job_id=\"n1-1\",component=\"ocean\",context=\"o\"} 0.25\n"
        "epios_blocked_seconds_total{job_id=\"n1-2\",",
        "epios_steps_total{job_id=\"n1-1\",component=\"ocean\",context=\"o\"} 12\n",
        "epios_sent_bytes_total{job_id=\"n1-1\",component=\"ocean\",context=\"o\"} 5000000000\n",
        "epios_server_busy_seconds_total{job_id=\"n1-1\",server=\"3\",process=\"77\"} 5\n",
        R"(epios_file_lost_records_total{job_id="n1-1",component="ocean",context="o",)",
        R"(file="a \"b\"\\c\\x0a.nc"} 2)", "epios_file_failed{",
        "epios_processes{job_id=\"n1-1\",batch_job=\"99\"} 2\n",
        "epios_longest_wait_seconds{job_id=\"n1-1\",batch_job=\"99\"} 1.5\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST(OpenMetrics, KeepsTheRulesOfTheFormat) {
  const std::string text = open_metrics(two_jobs());
  EXPECT_THAT(text, EndsWith("} 0.5\n# EOF\n"));
  const std::regex sample(R"((\w+)\{(\w+="([^"\\]|\\.)*"(,|(?=\})))+\} [-+0-9.e]+)");
  std::istringstream lines(text);
  std::string line, family, type, unit;
  std::set<std::string> families, samples;
  while (std::getline(lines, line) && line != "# EOF") {
    if (line.starts_with("# TYPE ")) {
      std::istringstream words(line.substr(7));
      words >> family >> type;
      EXPECT_TRUE(families.insert(family).second) << family << " comes again";
      EXPECT_TRUE(type == "counter" || type == "gauge") << line;
    } else if (line.starts_with("# UNIT ")) {
      std::istringstream words(line.substr(7));
      std::string name;
      words >> name >> unit;
      EXPECT_EQ(name, family);
      EXPECT_TRUE(family.ends_with("_" + unit)) << line;
    } else if (!line.starts_with("# HELP " + family + " ")) {
      std::smatch found;
      ASSERT_TRUE(std::regex_match(line, found, sample)) << line;
      EXPECT_EQ(found[1], type == "counter" ? family + "_total" : family);
      EXPECT_TRUE(samples.insert(line.substr(0, line.rfind(' '))).second) << line << " comes again";
    }
  }
  EXPECT_EQ(families.size(), 25U);
  EXPECT_EQ(samples.size(), 50U);
}

TEST(OpenMetrics, IsWholeWithoutAnyRun) {
  const std::string text = open_metrics({});
  EXPECT_THAT(text, EndsWith("# EOF\n"));
  EXPECT_EQ(text.find('{'), std::string::npos);
}

// The dashboard shows all metrics, asks for no others, and by labels that they have.
TEST(OpenMetrics, AreThoseOfTheDashboard) {
  std::map<std::string, std::string> samples;  // by name, the first of each
  std::istringstream lines(open_metrics(two_jobs()));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with('#')) samples.try_emplace(line.substr(0, line.find('{')), line);
  }
  std::ifstream file(EPIOS_SOURCE_FOLDER "/packaging/grafana/epios.json");
  const nlohmann::json dashboard = nlohmann::json::parse(file);
  const std::regex metric(R"((epios_\w+)(\{([^}]*)\})?)");
  const std::regex label(R"((\w+)=~)");
  std::set<std::string> shown;
  for (const nlohmann::json& panel : dashboard.at("panels")) {
    for (const nlohmann::json& target : panel.at("targets")) {
      const auto text = target.at("expr").get<std::string>();
      for (std::sregex_iterator at(text.begin(), text.end(), metric); at != std::sregex_iterator();
           ++at) {
        const std::string name = (*at)[1];
        ASSERT_TRUE(samples.contains(name)) << name << " in " << panel.at("title");
        shown.insert(name);
        const std::string labels = (*at)[3];
        for (std::sregex_iterator of(labels.begin(), labels.end(), label);
             of != std::sregex_iterator(); ++of) {
          EXPECT_THAT(samples.at(name), HasSubstr(of->str(1) + "=\"")) << panel.at("title");
        }
      }
    }
  }
  for (const auto& [name, line] : samples) EXPECT_TRUE(shown.contains(name)) << name;
}

}  // namespace
}  // namespace epios::config::open_metrics_test
