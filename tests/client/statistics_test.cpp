// Runs that are cut anywhere and go on in any layout have the files of one run, bit by bit.
#include <gtest/gtest.h>

#include <epios/epios.hpp>
#include <filesystem>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "cut_files.hpp"
#include "cut_runs.hpp"

namespace epios::client::statistics_test {
namespace {

std::set<std::string> folders_of(const std::vector<Run>& runs) {
  std::set<std::string> out;
  for (const Run& each : runs) out.insert(each.folder);
  return out;
}

/// Cut runs against one run, for random cuts and layouts.
void check_cuts(Client& client, bool appends) {
  const std::string kind = appends ? "appended" : "anew";
  const std::vector<Run> whole = {{0, steps, kind + "_whole", 1, appends}};
  const auto begin_anew = [&] {
    wait_for_all();
    if (client.rank() == 0) std::filesystem::remove("state.nc");
    wait_for_all();
  };
  begin_anew();
  run(client, whole.front());
  std::mt19937 random(7);
  for (unsigned turn = 0; turn < (appends ? 3U : 6U); ++turn) {
    SCOPED_TRACE(kind + std::to_string(turn));
    begin_anew();
    std::set<int> ends = {steps};
    for (int k = 0; k < 3; ++k) ends.insert(1 + static_cast<int>(random() % (steps - 1)));
    std::vector<Run> runs;
    int begin = 0;
    for (const int end : ends) {
      const std::string folder = kind + std::to_string(turn);
      runs.push_back({begin, end, appends ? folder : folder + "_" + std::to_string(begin),
                      static_cast<unsigned>(random()), appends});
      run(client, runs.back());
      begin = end;
    }
    wait_for_all();
    if (client.rank() == 0) compare(folders_of(runs), folders_of(whole));
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Statistics, CutRunsHaveTheFilesOfOneRun) {
  const SharedFolder folder;
  Session session("model");
  Client client(session);
  check_cuts(client, false);
  check_cuts(client, true);
  client.close();
  session.close();
}

}  // namespace
}  // namespace epios::client::statistics_test
