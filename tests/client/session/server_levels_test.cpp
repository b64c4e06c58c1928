#include "session/server_levels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "config/definitions.hpp"
#include "config/document.hpp"
#include "config/error.hpp"
#include "config/model.hpp"
#include "session/server_pools.hpp"

namespace epios::client::server_levels_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

io::ProcessTable job_of(int servers) {
  io::ProcessTable out;
  out.components = {"ocean"};
  out.processes = {{0, 0, 1, -1}, {0, 1, 1, -1}};
  for (int s = 0; s < servers; ++s) out.processes.push_back({-1, 0, 0, s});
  return out;
}

struct Texts {
  std::string variables{}, pools{}, context{}, files = one_file;
  static constexpr const char* one_file =
      "<file id='f'><field field_ref='a' operation='instant'/></file>";
};

ServerLevels levels_of(const Texts& texts, const io::ProcessTable& process_table) {
  const std::string pools =
      texts.pools.empty() ? "" : "<pool_definition>" + texts.pools + "</pool_definition>";
  const config::Definitions all(config::Document(
      {{"iodef.xml", "<simulation><context id='xios'><variable_definition>" + texts.variables +
                         "</variable_definition>" + pools + "</context><context id='c' " +
                         texts.context +
                         "><calendar type='NoLeap' timestep='1h' start_date='2000-01-01'/>"
                         "<scalar_definition><scalar id='s'/></scalar_definition>"
                         "<field_definition><field id='a' scalar_ref='s'/></field_definition>"
                         "<file_definition output_freq='1d'>" +
                         texts.files + "</file_definition></context></simulation>"}}));
  const config::Model model = all.resolve("c");
  return with_gatherers(all.servers(), model, process_table, read_run_settings(all),
                        choose_servers(all.servers(), model, process_table));
}

std::string variable(const std::string& id, const std::string& value) {
  return "<variable id='" + id + "'>" + value + "</variable>";
}

const std::string on = variable("using_server2", "true");
const std::string two_services =
    "<pool name='p' remain='true'><service name='w' type='writer' nprocs='1'/>"
    "<service name='g' type='gatherer' remain='true'/></pool>";
const std::string read_file =
    "<file id='r' mode='read'><field id='b' scalar_ref='s' operation='instant' "
    "read_access='true'/></file>";

TEST(ServerLevels, AreOneUntilAskedFor) {
  const ServerLevels one = levels_of({}, job_of(4));
  EXPECT_THAT(one.choice.gatherers, IsEmpty());
  EXPECT_THAT(one.notes, IsEmpty());
}

TEST(ServerLevels, HalfOfTheServersWriteUnlessToldOtherwise) {
  const ServerLevels half = levels_of({on}, job_of(4));
  EXPECT_THAT(half.choice.gatherers, ElementsAre(0, 1));
  EXPECT_THAT(half.choice.writers.of(0), ElementsAre(ElementsAre(2), ElementsAre(3)));
  EXPECT_THAT(half.notes, ElementsAre("epios: note: context 'c': gathering: servers 0 and 1; "
                                      "writing for these: servers 2 and 3"));
  const ServerLevels few = levels_of({on + variable("ratio_server2", "20")}, job_of(3));
  EXPECT_THAT(few.choice.gatherers, ElementsAre(0, 1)) << "one writes at least";
  const ServerLevels most = levels_of({on + variable("ratio_server2", "100")}, job_of(3));
  EXPECT_THAT(most.choice.gatherers, ElementsAre(0)) << "one gathers at least";
}

TEST(ServerLevels, WritersComeInGroups) {
  const ServerLevels two = levels_of(
      {on + variable("number_pools_server2", "2") + variable("ratio_server2", "75")}, job_of(4));
  EXPECT_THAT(two.choice.writers.of(0), ElementsAre(ElementsAre(1, 2), ElementsAre(3)));
  const ServerLevels many = levels_of({on + variable("number_pools_server2", "9")}, job_of(4));
  EXPECT_THAT(many.choice.writers.of(0), ElementsAre(ElementsAre(2), ElementsAre(3)));
  const ServerLevels apart =
      levels_of({.variables = on,
                 .files = "<file id='f' type='multiple_file'><field field_ref='a' "
                          "operation='instant'/></file>"},
                job_of(4));
  EXPECT_THAT(apart.choice.writers.of(0), ElementsAre(ElementsAre(2, 3))) << "each has its own";
}

TEST(ServerLevels, FilesAndContextsAskForThem) {
  EXPECT_THAT(levels_of({.context = "default_using_server2='true'"}, job_of(2)).choice.gatherers,
              ElementsAre(0));
  EXPECT_THAT(levels_of({.variables = on, .context = "default_using_server2='false'"}, job_of(2))
                  .choice.gatherers,
              IsEmpty());
  const std::string files =
      "<file id='f' using_server2='true'><field field_ref='a' operation='instant'/></file>"
      "<file id='h'><field field_ref='a' operation='instant'/></file>";
  EXPECT_THAT(levels_of({.files = files}, job_of(2)).notes,
              ElementsAre("epios: note: context 'c': gathering: server 0; writing for these: "
                          "server 1 (also for file 'h', which does not ask for it)"));
}

TEST(ServerLevels, ServicesGatherInPools) {
  const ServerLevels pools = levels_of({.variables = on, .pools = two_services}, job_of(3));
  EXPECT_THAT(pools.choice.gatherers, ElementsAre(1, 2));
  EXPECT_THAT(pools.choice.writers.of(0), ElementsAre(ElementsAre(0)));
  const std::string named =
      "<pool name='p' remain='true'><service name='g1' type='gatherer' "
      "nprocs='1'/><service name='g2' type='gatherer' nprocs='1'/>"
      "<service name='w' type='writer' remain='true'/></pool>";
  EXPECT_THAT(levels_of({on, named}, job_of(4)).choice.gatherers, ElementsAre(0, 1));
  EXPECT_THAT(levels_of({on, named, "default_gatherer='g2' default_writer='w'"}, job_of(4))
                  .choice.gatherers,
              ElementsAre(1));
  const std::string writers =
      "<pool name='p' remain='true'><service name='w' type='writer' "
      "nprocs='1'/></pool>";
  EXPECT_THAT(levels_of({on, writers, "default_writer='w'"}, job_of(3)).choice.gatherers,
              ElementsAre(1, 2))
      << "who writes nothing";
}

TEST(ServerLevels, FilesAreReadByServersThatClientsSpeakTo) {
  const ServerLevels plain =
      levels_of({.variables = on, .files = Texts::one_file + read_file}, job_of(4));
  EXPECT_THAT(plain.choice.readers.of(0), ElementsAre(ElementsAre(0, 1)));
  const std::string pools =
      "<pool name='p' remain='true'><service name='g' type='gatherer' nprocs='1'/>"
      "<service name='w' type='writer' nprocs='1'><service name='rw' type='reader'/></service>"
      "<service name='r' type='reader' remain='true'/></pool>";
  const auto readers = [&](const std::string& reader) {
    return levels_of({on, pools, "default_writer='w' default_reader='" + reader + "'",
                      Texts::one_file + read_file},
                     job_of(3))
        .choice.readers.of(0);
  };
  EXPECT_THAT(readers("r"), ElementsAre(ElementsAre(2)));
  EXPECT_THAT(readers("rw"), ElementsAre(ElementsAre(0))) << "it writes for gatherers";
}

TEST(ServerLevels, WhatCannotBeHadIsOneLevelAndAWarning) {
  const auto warning = [](const Texts& texts, const io::ProcessTable& process_table) {
    const ServerLevels levels = levels_of(texts, process_table);
    EXPECT_THAT(levels.choice.gatherers, IsEmpty());
    EXPECT_THAT(levels.notes, IsEmpty());
    EXPECT_EQ(levels.warnings.size(), 1U);
    return levels.warnings.empty() ? std::string() : levels.warnings.front();
  };
  EXPECT_EQ(warning({on}, job_of(1)),
            "context 'c': two levels of servers (using_server2) are not to be had "
            "with one server: clients send to it. Start more servers?");
  io::ProcessTable attached = job_of(1);
  attached.is_attached = true;
  EXPECT_THAT(warning({on}, attached), HasSubstr("this job has no servers"));
  const std::string all =
      "<pool name='p' remain='true'><service name='g' type='gatherer' "
      "remain='true'><service name='w' type='writer'/></service></pool>";
  EXPECT_THAT(warning({on, all}, job_of(2)), HasSubstr("no server would be left to write"));
  const std::string both =
      "<pool name='p' remain='true'><service name='g' type='gatherer' nprocs='1'><service "
      "name='w' type='writer'/></service><service name='r' type='reader' remain='true'/></pool>";
  EXPECT_THAT(warning({on, both, "default_writer='w'"}, job_of(2)),
              HasSubstr("all that may write file 'f' would gather"));
}

TEST(ServerLevels, GatherersOfOneLevelAreTold) {
  EXPECT_THAT(levels_of({.pools = two_services}, job_of(2)).notes,
              ElementsAre(HasSubstr("service 'g' gathers nothing: clients send to those that write "
                                    "(using_server2 is not true)")));
}

}  // namespace
}  // namespace epios::client::server_levels_test
