#include "session/server_pools.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/definitions.hpp"
#include "config/document.hpp"
#include "config/error.hpp"
#include "config/model.hpp"

namespace epios::client::server_pools_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A model of two clients, and behind it so many servers.
io::ProcessTable job_of(int servers) {
  io::ProcessTable out;
  out.components = {"ocean"};
  out.processes = {{0, 0, 1, -1}, {0, 1, 1, -1}};
  for (int s = 0; s < servers; ++s) out.processes.push_back({-1, 0, 0, s});
  return out;
}

config::Definitions with(const std::string& pools, const std::string& context = {},
                         const std::string& files = {}) {
  return config::Definitions(config::Document(
      {{"iodef.xml", "<simulation>\n<context id='xios'><pool_definition>\n" + pools +
                         "</pool_definition></context><context id='c' " + context +
                         "><calendar type='NoLeap' timestep='1h' start_date='2000-01-01'/>"
                         "<scalar_definition><scalar id='s'/></scalar_definition>"
                         "<field_definition><field id='a' scalar_ref='s'/></field_definition>"
                         "<file_definition output_freq='1d'>" +
                         files + "</file_definition></context></simulation>"}}));
}

const std::string two_pools =
    "<pool name='big' nprocs='3'><service name='w' type='writer' nprocs='2' nb_partitions='2'/>"
    "<service name='r' type='reader' remain='true'/></pool>"
    "<pool name='small' remain='true'><service name='all' type='writer' remain='true'>"
    "<service name='too' type='reader'/></service></pool>";

std::string error_of(const std::string& pools, int servers) {
  try {
    notes_on_pools(with(pools).servers(), job_of(servers));
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(ServerPools, are_told_as_a_table) {
  EXPECT_THAT(notes_on_pools(with(two_pools).servers(), job_of(5)),
              ElementsAre("epios: pool   service  does    servers  processes",
                          "epios: big    w        writer  0 | 1    2-3",
                          "epios: big    r        reader  2        4",
                          "epios: small  all      writer  3-4      5-6",
                          "epios: small  too      reader  3-4      5-6"));
}

TEST(ServerPools, take_shares_in_the_order_of_the_text) {
  const std::string thirds =
      "<pool name='a' global_fraction='0.25'><service name='x' type='writer' remain='true'/></pool>"
      "<pool name='b' remain_fraction='0.5'><service name='x' type='writer' remain='true'/></pool>"
      "<pool name='c' remain='true'><service name='x' type='writer' remain='true'/></pool>";
  EXPECT_THAT(
      notes_on_pools(with(thirds).servers(), job_of(8)),
      ElementsAre(HasSubstr("pool"), HasSubstr(" 0-1 "), HasSubstr(" 2-4 "), HasSubstr(" 5-7 ")));
}

TEST(ServerPools, of_fractions_that_are_all_take_all) {
  const auto sizes = [](const std::string& share, int pools, int servers) {
    std::string text;
    for (int p = 0; p < pools; ++p) {
      text += "<pool name='p" + std::to_string(p) + "' global_fraction='" + share +
              "'><service name='x' type='writer' remain='true'/></pool>";
    }
    if (const std::string error = error_of(text, servers); error != "none") return error;
    std::string out;
    for (const std::string& line : notes_on_pools(with(text).servers(), job_of(servers))) {
      out += line.substr(line.find("writer") == std::string::npos ? line.size()
                                                                  : line.find("writer") + 8);
      out += "; ";
    }
    return out;
  };
  EXPECT_EQ(sizes("0.5", 2, 2), "; 0        2; 1        3; ");
  EXPECT_EQ(sizes("0.5", 2, 3), "; 0-1      2-3; 2        4; ");
  EXPECT_EQ(sizes("0.5", 2, 5), "; 0-2      2-4; 3-4      5-6; ");
  EXPECT_EQ(sizes("0.33333", 3, 4), "; 0        2; 1-2      3-4; 3        5; ");
  EXPECT_EQ(sizes("0.33333", 3, 5), "; 0-1      2-3; 2        4; 3-4      5-6; ");
  EXPECT_THAT(sizes("0.5", 2, 1), HasSubstr("pool 'p1' takes 1 of the servers"));
}

TEST(ServerPools, larger_than_the_job_are_refused) {
  EXPECT_EQ(error_of(two_pools, 2),
            "iodef.xml:3:1: pool 'big' takes 3 of the servers of this job (2 of 2 are left). Start "
            "more servers, or give each a share of them?");
  EXPECT_THAT(
      error_of(two_pools, 3),
      HasSubstr("pool 'small' takes the rest of the servers of this job (0 of 3 are left)"));
  EXPECT_THAT(error_of("<pool name='p' nprocs='2'><service name='w' type='writer' nprocs='3'/>"
                       "</pool>",
                       4),
              HasSubstr("service 'w' takes 3 of the servers of pool 'p' (2 of 2 are left)"));
  EXPECT_THAT(error_of("<pool name='p' remain='true'><service name='w' type='writer' "
                       "remain='true' nb_partitions='3'/></pool>",
                       2),
              HasSubstr("service 'w' has nb_partitions=\"3\", and 2 servers"));
}

/// A model on the first of some nodes, and on each of them so many servers.
io::ProcessTable job_on(const std::vector<std::string>& nodes, int servers_per_node) {
  io::ProcessTable out = job_of(0);
  out.nodes = nodes;
  for (io::ProcessTable::Process& process : out.processes) process.node = 0;
  int server = 0;
  for (int node = 0; node < static_cast<int>(nodes.size()); ++node) {
    for (int s = 0; s < servers_per_node; ++s) {
      io::ProcessTable::Process& process = out.processes.emplace_back();
      process.server = server++;
      process.node = node;
    }
  }
  return out;
}

std::string on_nodes(const std::string& pools, const io::ProcessTable& process_table) {
  std::string out;
  try {
    for (const std::string& line : notes_on_pools(with(pools).servers(), process_table)) {
      out += line + '\n';
    }
  } catch (const Error& error) {
    return error.what();
  }
  return out;
}

std::string pool_of(const std::string& name, const std::string& attributes) {
  return "<pool name='" + name + "' " + attributes +
         "><service name='w' type='writer' remain='true'/></pool>";
}

const std::vector<std::string> three_nodes{"n7.cluster", "n8.cluster", "io-1"};

TEST(ServerPools, are_on_nodes_by_name_or_number) {
  const io::ProcessTable process_table = job_on(three_nodes, 2);
  EXPECT_EQ(on_nodes(pool_of("a", "remain='true' on_node='io-1'") +
                         pool_of("b", "nprocs='1' on_node='0 n8'") + pool_of("c", "remain='true'"),
                     process_table),
            "epios: pool  service  does    servers  processes  nodes\n"
            "epios: a     w        writer  4-5      6-7        io-1\n"
            "epios: b     w        writer  0        2          n7.cluster\n"
            "epios: c     w        writer  1-3      3-5        n7.cluster, n8.cluster\n");
  EXPECT_EQ(on_nodes(pool_of("a", "remain='true' on_node='1-2,n7.cluster'"), process_table),
            "epios: pool  service  does    servers  processes  nodes\n"
            "epios: a     w        writer  0-5      2-7        n7.cluster, n8.cluster, io-1\n");
}

TEST(ServerPools, take_so_many_of_each_node) {
  const io::ProcessTable process_table = job_on(three_nodes, 2);
  EXPECT_EQ(on_nodes(pool_of("a", "remain='true' per_node='1'") + pool_of("b", "remain='true'"),
                     process_table),
            "epios: pool  service  does    servers  processes  nodes\n"
            "epios: a     w        writer  0, 2, 4  2, 4, 6    n7.cluster, n8.cluster, io-1\n"
            "epios: b     w        writer  1, 3, 5  3, 5, 7    n7.cluster, n8.cluster, io-1\n");
  // Of those of a pool, too.
  EXPECT_EQ(on_nodes("<pool name='p' remain='true'>"
                     "<service name='r' type='reader' nprocs='2' per_node='1'/>"
                     "<service name='w' type='writer' on_node='2' remain='true'/>"
                     "<service name='x' type='writer' global_fraction='0.5' on_node='0-1'/></pool>",
                     process_table),
            "epios: pool  service  does    servers  processes  nodes\n"
            "epios: p     r        reader  0, 2     2, 4       n7.cluster, n8.cluster\n"
            "epios: p     w        writer  4-5      6-7        io-1\n"
            "epios: p     x        writer  1, 3     3, 5       n7.cluster, n8.cluster\n");
}

TEST(ServerPools, of_many_nodes_are_told_in_a_line) {
  std::vector<std::string> nodes;
  for (int n = 0; n < 10; ++n) nodes.push_back("n" + std::to_string(n));
  EXPECT_THAT(on_nodes(pool_of("a", "remain='true'"), job_on(nodes, 1)),
              HasSubstr("0-9      2-11       n0, n1, n2, n3 and 6 more\n"));
  EXPECT_EQ(
      on_nodes(pool_of("a", "remain='true' on_node='n10'"), job_on(nodes, 1)),
      "iodef.xml:3:1: pool 'a' is on node 'n10', which this job does not have (0 is 'n0', 1 "
      "is 'n1', 2 is 'n2', 3 is 'n3', 4 is 'n4', 5 is 'n5', 6 is 'n6', 7 is 'n7', 10 in all). "
      "Does on_node name nodes that have processes of the job?");
}

TEST(ServerPools, on_nodes_without_enough_servers_are_refused) {
  const io::ProcessTable process_table = job_on(three_nodes, 2);
  EXPECT_EQ(on_nodes(pool_of("a", "nprocs='3' on_node='1'"), process_table),
            "iodef.xml:3:1: pool 'a' takes 3 of the servers of this job on nodes 1 (2 of 2 are "
            "left). Start more servers there, or give each a share of them?");
  EXPECT_EQ(on_nodes(pool_of("a", "nprocs='4' per_node='1'"), process_table),
            "iodef.xml:3:1: pool 'a' takes 4 of the servers of this job, 1 per node (3 of 6 are "
            "left). Start more servers there, or give each a share of them?");
  EXPECT_EQ(
      on_nodes(pool_of("a", "remain='true' on_node='n8'") +
                   pool_of("b", "nprocs='1' on_node='1 io-1'") +
                   pool_of("c", "remain='true' on_node='0-1, n8'") +
                   pool_of("d", "remain='true' on_node='1'"),
               process_table),
      "iodef.xml:3:295: pool 'd' takes the rest of the servers of this job on nodes 1 (0 of 2 "
      "are left). Start more servers there, or give each a share of them?");
  EXPECT_THAT(on_nodes(pool_of("a", "remain='true' on_node='2-3'"), process_table),
              HasSubstr("pool 'a' is on node 3, which this job does not have (0 is 'n7.cluster', 1 "
                        "is 'n8.cluster', 2 is 'io-1')."));
}

TEST(ServerPools, without_servers_place_nothing) {
  io::ProcessTable attached = job_of(1);
  attached.is_attached = true;
  EXPECT_THAT(notes_on_pools(with(two_pools).servers(), attached),
              ElementsAre(HasSubstr("pools are for servers, of which this job has none")));
  EXPECT_TRUE(notes_on_pools({}, job_of(2)).empty());
}

TEST(ServerPools, files_go_to_what_they_or_their_context_name) {
  const std::string field = "<field field_ref='a' operation='instant'/></file>";
  const std::string files =
      "<file id='f1' pool_writer='big'>" + field + "<file id='f2' writer='all'>" + field +
      "<file id='f3'>" + field + "<file id='f4' writer='attached'>" + field +
      "<file id='f5' pool_writer='big' writer='w'>" + field +
      "<file id='r1' mode='read' pool_reader='big'><field id='b' scalar_ref='s' "
      "operation='instant' read_access='true'/></file>"
      "<file id='r2' mode='read'><field id='d' scalar_ref='s' operation='instant' "
      "read_access='true'/></file>";
  const auto choice_of = [&](const std::string& context) {
    const config::Definitions all = with(two_pools, context, files);
    return choose_servers(all.servers(), all.resolve("c"), job_of(5));
  };
  const io::ServerChoice plain = choice_of("");
  const io::ServerGroups big{{0}, {1}};
  const io::ServerGroups small{{3, 4}};
  EXPECT_EQ(plain.writers, (io::FileServers{big, small, {}, {}, big}));
  const io::ServerGroups reader{{2}};
  EXPECT_EQ(plain.readers, (io::FileServers{reader, {}}));
  const io::ServerChoice of_small = choice_of("default_pool='small'");
  EXPECT_EQ(of_small.writers.of(2), small);
  EXPECT_EQ(of_small.readers, (io::FileServers{reader, small}));
  EXPECT_EQ(choice_of("default_writer='w'").writers.of(2), big);
  // The context's service is in another pool than the file's.
  const io::ServerChoice of_all = choice_of("default_writer='all' default_reader='too'");
  EXPECT_EQ(of_all.writers.of(0), big);
  EXPECT_EQ(of_all.readers, (io::FileServers{reader, small}));
}

TEST(ServerPools, of_gatherers_are_told) {
  const config::Definitions all = with(two_pools, "",
                                       "<file id='f' pool_gatherer='big'><field "
                                       "field_ref='a' operation='instant'/>"
                                       "</file>");
  EXPECT_THAT(notes_on_servers(all.resolve("c")),
              ElementsAre(HasSubstr("the gatherer of file 'f' has no effect")));
}

}  // namespace
}  // namespace epios::client::server_pools_test
