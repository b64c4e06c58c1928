// Pools and services of context xios.
#include "config/server_plan.hpp"

#include <gtest/gtest.h>

#include "sample.hpp"

namespace epios::config::server_plan_test {
namespace {

std::string xml(const std::string& pools, const std::string& context = "xios") {
  return "<simulation><context id='" + context + "'><pool_definition>\n" + pools +
         "\n</pool_definition></context></simulation>";
}

std::string findings(const std::string& text) {
  std::string result;
  for (const Diagnostic& finding : check(test::texts(text))) result += test::text(finding) + "\n";
  return result;
}

TEST(ServerPlan, resolves_groups_shares_and_services_inside_services) {
  const ServerPlan plan =
      test::definitions(
          xml("<pool_group global_fraction='0.5'><pool id='p' name='big'>"
              "<service_group nb_partitions='2'><service id='w' type='writer' nprocs='4'>"
              "<service id='r' type='reader'/></service></service_group>"
              "<service name='gather' type='gatherer' remain='true'/></pool></pool_group>"
              "<pool id='q' remain='yes'><service id='w2' name='w' type='writer' "
              "remain_fraction='1'/></pool>"))
          .servers();
  ASSERT_EQ(plan.pools.size(), 2U);
  EXPECT_EQ(plan.pools[0].name, "big");
  EXPECT_EQ(plan.pools[0].share.kind, ServerShare::Kind::fraction_of_all);
  EXPECT_EQ(plan.pools[0].share.amount, 0.5);
  ASSERT_EQ(plan.pools[0].services.size(), 2U);
  const Service& writer = plan.pools[0].services[0];
  EXPECT_EQ(writer.share.kind, ServerShare::Kind::processes);
  EXPECT_EQ(writer.share.amount, 4);
  EXPECT_EQ(writer.attributes.nb_partitions, 2);
  ASSERT_EQ(writer.onto.size(), 1U);
  EXPECT_EQ(writer.onto[0].attributes.type, "reader");
  EXPECT_EQ(writer.onto[0].share.kind, ServerShare::Kind::of_parent);
  EXPECT_EQ(plan.pools[0].services[1].name, "gather");
  EXPECT_EQ(plan.pools[1].share.kind, ServerShare::Kind::remain);
  EXPECT_EQ(plan.pools[1].services.at(0).share.kind, ServerShare::Kind::fraction_of_remain);
}

TEST(ServerPlan, prints_as_json) {
  EXPECT_EQ(to_json(test::definitions(xml("<pool id='p' nprocs='3'><service id='w' type='writer' "
                                          "remain='true'/></pool>"))
                        .servers()),
            R"({
  "pools": [
    {
      "id": "p",
      "name": "p",
      "share": {
        "kind": "processes",
        "amount": 3.0
      },
      "attributes": {
        "nprocs": 3
      },
      "services": [
        {
          "id": "w",
          "name": "w",
          "share": {
            "kind": "remain"
          },
          "attributes": {
            "remain": true,
            "type": "writer"
          },
          "onto": []
        }
      ]
    }
  ]
}
)");
}

TEST(ServerPlan, is_empty_without_pools) {
  EXPECT_TRUE(test::definitions(test::sample_xml).servers().pools.empty());
}

TEST(ServerPlan, says_what_is_wrong) {
  EXPECT_EQ(
      findings(xml("<pool id='p'><service id='w' type='writer' remain='true'/></pool>\n"
                   "<pool id='q' nprocs='2' remain='true'/>\n"
                   "<pool id='p2' name='p' global_fraction='1.5'><service nprocs='0'/></pool>")),
      "iodef.xml:2:1: error: pool 'p' has no size (nothing says how many processes it takes). "
      "Give one of nprocs, global_fraction, remain_fraction and remain.\n"
      "iodef.xml:3:1: warning: pool 'q' has no service (nothing would run on it). Add "
      "<service type=\"writer\"/>?\n"
      "iodef.xml:3:25: error: pool 'q' has 2 sizes (given are nprocs, remain). Give one of "
      "nprocs, global_fraction, remain_fraction and remain.\n"
      "iodef.xml:4:1: error: two pools have the name 'p' (the other one is at "
      "iodef.xml:2:1). Give one of them another name.\n"
      "iodef.xml:4:24: error: attribute 'global_fraction' of pool 'p2' (a fraction is more "
      "than 0 and not more than 1).\n"
      "iodef.xml:4:46: error: <service> has neither id nor name (files and contexts refer to "
      "it by name). Add name=\"...\".\n"
      "iodef.xml:4:46: error: <service> has no type (nothing says what it does). Add "
      "type=\"writer\"?\n"
      "iodef.xml:4:55: error: attribute 'nprocs' of <service> (it takes one process at "
      "least).\n");
  EXPECT_EQ(
      findings(xml("<pool id='p' nprocs='2'>\n<service id='w' type='writer' nprocs='2' "
                   "nb_partitions='3'><service id='r' type='reader' nprocs='1'/></service>"
                   "</pool>")),
      "iodef.xml:3:42: error: attribute 'nb_partitions' of service 'w' (2 processes are not 3 "
      "groups).\n"
      "iodef.xml:3:90: error: attribute 'nprocs' of service 'r' (a service inside another one "
      "shares its processes, and has a name and a type only). Remove it, or put the service "
      "into the pool.\n");
}

TEST(ServerPlan, reads_nodes) {
  const auto nodes = [](std::string_view text) { return *read_nodes(text); };
  EXPECT_EQ(nodes("n1, n2.x  node-7").names, (std::vector<std::string>{"n1", "n2.x", "node-7"}));
  EXPECT_EQ(nodes("0-3,5 7").numbers, (std::vector<NodeChoice::Range>{{0, 3}, {5, 5}, {7, 7}}));
  EXPECT_EQ(nodes("3-x").names, (std::vector<std::string>{"3-x"}));
  for (const char* none : {"", " , ", "3-1"}) EXPECT_FALSE(read_nodes(none)) << none;
  const ServerPlan plan =
      test::definitions(xml("<pool_group on_node='0-1'><pool id='p' nprocs='2' per_node='1'>"
                            "<service id='w' type='writer' remain='true' on_node='io'/></pool>"
                            "</pool_group>"))
          .servers();
  EXPECT_EQ(plan.pools.at(0).share.nodes.numbers, (std::vector<NodeChoice::Range>{{0, 1}}));
  EXPECT_EQ(plan.pools.at(0).share.nodes.per_node, 1);
  EXPECT_EQ(plan.pools.at(0).services.at(0).share.nodes.names, std::vector<std::string>{"io"});
}

TEST(ServerPlan, says_what_is_wrong_with_nodes) {
  EXPECT_EQ(
      findings(xml("<pool id='p' nprocs='2' on_node=' ,' per_node='0'><service id='w' "
                   "type='writer' remain='true' on_node='4-2'/></pool>")),
      "iodef.xml:2:25: error: attribute 'on_node' of pool 'p' (it names nodes, or has their "
      "numbers, as in \"n12 n13\" or \"0-3\").\n"
      "iodef.xml:2:38: error: attribute 'per_node' of pool 'p' (it takes one server of a node "
      "at least).\n"
      "iodef.xml:2:95: error: attribute 'on_node' of service 'w' (it names nodes, or has "
      "their numbers, as in \"n12 n13\" or \"0-3\").\n");
}

TEST(ServerPlan, belongs_to_context_xios) {
  EXPECT_NE(findings(xml("<pool id='p' nprocs='2'/>", "ocean"))
                .find("iodef.xml:2:1: warning: pool 'p' of context 'ocean' has no effect (servers "
                      "are shared out in context 'xios').\n"),
            std::string::npos);
}

}  // namespace
}  // namespace epios::config::server_plan_test
