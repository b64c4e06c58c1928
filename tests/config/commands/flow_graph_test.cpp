#include "config/flow_graph.hpp"

#include <gtest/gtest.h>

#include "sample.hpp"

namespace epios::config::flow_graph_test {
namespace {

const std::string xml = test::in_context(R"(
<domain_definition>
  <domain id="globe" type="rectilinear" ni_glo="8" nj_glo="4"/>
  <domain id="coarse" type="rectilinear" ni_glo="4" nj_glo="2">
    <interpolate_domain order="1"/>
  </domain>
</domain_definition>
<field_definition domain_ref="globe" operation="average">
  <field id="tos"/>
  <field id="sst" field_ref="tos"/>
  <field id="heat" freq_op="1d"> @sst * 4000 - tos </field>
  <field id="idle"/>
</field_definition>
<file_definition>
  <file id="a" output_freq="1d">
    <field field_ref="tos"/>
    <field field_ref="sst" name="again"/>
    <field field_ref="heat" freq_op="1d"/>
  </file>
  <file id="b" name="say &quot;b&quot;" output_freq="1mo">
    <field field_ref="sst" domain_ref="coarse"/>
    <field field_ref="rain" operation="instant"/>
  </file>
</file_definition>
<coupler_in_definition>
  <coupler_in id="in" context="atm::air"><field id="rain" domain_ref="globe"/></coupler_in>
</coupler_in_definition>
<coupler_out_definition>
  <coupler_out id="out" context="atm::air"><field field_ref="tos" freq_op="1d"/></coupler_out>
</coupler_out_definition>
)");

// What crosses the wire are the instants.
TEST(FlowGraph, says_what_servers_work_out) {
  const std::string text = flow_graph(test::texts(test::in_context(R"(
<domain_definition>
  <domain id="globe" type="rectilinear" ni_glo="8" nj_glo="4"/>
  <domain id="coarse" type="rectilinear" ni_glo="4" nj_glo="2">
    <interpolate_domain order="1" place="server"/>
  </domain>
  <domain id="part"><extract_domain ibegin="0" ni="1" jbegin="0" nj="2" place="server"/></domain>
</domain_definition>
<field_definition domain_ref="globe" operation="instant">
  <field id="tos"/>
  <field id="sst" field_ref="tos" domain_ref="coarse"/>
</field_definition>
<file_definition>
  <file id="a" output_freq="1d"><field field_ref="sst"/><field field_ref="sst" name="some" domain_ref="part"/></file>
</file_definition>)")))
                               .text;
  EXPECT_EQ(text.substr(text.find("    n0_0")),
            R"dot(    n0_0 [shape=ellipse, label="tos\n(globe)\n32 values"];
    n0_1 [shape=box, label="instant\nof samples every 1d\none per 1d\n1 sample of 32 values"];
    n0_0 -> n0_1;
    f0_0 [shape=note, label="a.nc\nevery 1d"];
    t0_0 [shape=hexagon, label="interpolate_domain\nto coarse\n8 values\nworked out by the server"];
    n0_1 -> t0_0;
    t0_0 -> f0_0 [label="sst"];
    t0_1 [shape=hexagon, label="extract_domain\nto part\n2 values\nworked out by the server"];
    t0_0 -> t0_1;
    t0_1 -> f0_0 [label="some"];
  }
}
)dot");
}

TEST(FlowGraph, shows_the_whole_way) {
  EXPECT_EQ(flow_graph(test::texts(xml)).text,
            R"dot(digraph flow {
  rankdir=LR;
  node [fontname="sans-serif", fontsize=10];
  edge [fontname="sans-serif", fontsize=9];
  subgraph cluster_0 {
    label="ocean";
    n0_0 [shape=ellipse, label="tos\n(globe)\n32 values\nkept for others: 256 B"];
    n0_1 [shape=ellipse, label="rain\n(globe)\n32 values"];
    n0_2 [shape=box, label="average\nof samples every 1h\none per 1d\n24 samples of 32 values"];
    n0_0 -> n0_2;
    n0_4 [shape=box3d, label="multiply(a, 4000)"];
    n0_2 -> n0_4;
    n0_5 [shape=box3d, label="heat\n@sst * 4000 - tos\nsubtract(a, b)"];
    n0_4 -> n0_5 [label="a"];
    n0_0 -> n0_5 [label="b"];
    n0_6 [shape=hexagon, label="interpolate_domain\nto coarse\n8 values\nworked out by the clients"];
    n0_0 -> n0_6;
    n0_7 [shape=box, label="average\nof samples every 1d\none per 1d\n1 sample of 32 values\n64 operations for a result"];
    n0_5 -> n0_7;
    n0_8 [shape=box, label="average\nof samples every 1h\none per 1mo\n744 samples of 8 values"];
    n0_6 -> n0_8;
    n0_9 [shape=box, label="instant\nof samples every 1mo\none per 1mo\n1 sample of 32 values"];
    n0_1 -> n0_9;
    f0_0 [shape=note, label="a.nc\nevery 1d"];
    n0_2 -> f0_0 [label="tos"];
    n0_2 -> f0_0 [label="again (by sst)"];
    n0_7 -> f0_0 [label="heat"];
    f0_1 [shape=note, label="say \"b\".nc\nevery 1mo"];
    n0_8 -> f0_1 [label="sst"];
    n0_9 -> f0_1 [label="rain"];
    c0_0 [shape=cds, label="from\natm::air"];
    c0_0 -> n0_1 [label="rain"];
    c0_1 [shape=cds, label="to\natm::air"];
    n0_2 -> c0_1 [label="tos"];
  }
}
)dot");
}

TEST(FlowGraph, shows_what_is_read_and_what_the_model_receives) {
  const std::string reading = test::in_context(R"(
<domain_definition><domain id="globe" type="rectilinear" ni_glo="8" nj_glo="4"/></domain_definition>
<field_definition domain_ref="globe" operation="instant">
  <field id="sst"/>
  <field id="warmer" read_access="true"> sst + ice </field>
</field_definition>
<file_definition>
  <file id="forcing" mode="read" output_freq="6h">
    <field id="ice" domain_ref="globe" operation="instant" name="siconc"/>
    <field id="wind" domain_ref="globe" operation="instant" read_access="true"/>
  </file>
  <file id="idle" mode="read" output_freq="1d"><field id="snow" domain_ref="globe" operation="instant"/></file>
  <file id="out" output_freq="1d"><field field_ref="ice" operation="average"/></file>
</file_definition>
)");
  const std::string text = flow_graph(test::texts(reading)).text;
  for (const char* line :
       {R"([shape=note, label="forcing.nc\nread every 6h"];)",
        R"(n0_0 [shape=ellipse, label="ice\n(globe)\n32 values)",
        R"(r0_0 -> n0_0 [label="siconc"];)", R"([shape=ellipse, label="the model"];)",
        R"(r0_0 -> m0_0 [label="wind"];)", R"(n0_2 -> m0_0 [label="warmer"];)"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
  }
  EXPECT_EQ(text.find("idle.nc"), std::string::npos) << text;  // nothing takes it
  // Of a field, and of a file: what the model receives is in none.
  const std::string part = flow_graph(test::texts(reading), {}, {{}, {"warmer"}}).text;
  EXPECT_NE(part.find("-> m0_0 [label=\"warmer\"];"), std::string::npos) << part;
  EXPECT_EQ(part.find("wind"), std::string::npos) << part;
  const std::string file = flow_graph(test::texts(reading), {}, {{"out"}, {}}).text;
  EXPECT_NE(file.find("r0_0 -> n0_"), std::string::npos) << file;
  EXPECT_EQ(file.find("the model"), std::string::npos) << file;
}

TEST(FlowGraph, shows_points_that_lie_in_the_array_of_others) {
  const std::string text =
      flow_graph(test::texts(test::in_context(
                     "<axis_definition><axis id='z' n_glo='9'/><axis id='up' axis_ref='z'>"
                     "<extract_axis begin='2' n='3'/><inverse_axis/></axis></axis_definition>"
                     "<field_definition operation='average'><field id='a' axis_ref='z'/>"
                     "</field_definition><file_definition><file id='f' output_freq='1d'>"
                     "<field field_ref='a' axis_ref='up'/></file></file_definition>")))
          .text;
  const std::string way =
      R"(    t0_0 [shape=hexagon, label="extract_axis\nto up, step 1\n3 values\nas they lie in the model's array"];
    n0_0 -> t0_0;
    t0_1 [shape=hexagon, label="inverse_axis\nto up\n3 values\nas they lie in the model's array"];
    t0_0 -> t0_1;
    t0_1 -> n0_1;
)";
  EXPECT_NE(text.find(way), std::string::npos) << text;
}

TEST(FlowGraph, is_the_same_each_time) {
  EXPECT_EQ(flow_graph(test::texts(xml)).text, flow_graph(test::texts(xml)).text);
}

TEST(FlowGraph, throws_mistakes) {
  EXPECT_THROW(flow_graph(test::texts(test::in_context("<field_definition colour='red'/>"))),
               ConfigError);
}

/// `files` files of `fields` fields each, all of one grid, every field in one file.
std::string large(int files, int fields) {
  std::string defined;
  std::string written;
  for (int i = 0; i < files; ++i) {
    written += "<file id='f" + std::to_string(i) + "' name='out/f" + std::to_string(i) + "'>";
    for (int k = 0; k < fields; ++k) {
      const std::string id = "v" + std::to_string(i) + "_" + std::to_string(k);
      defined += "<field id='" + id + "' axis_ref='z'/>\n";
      written += "<field field_ref='" + id + "' name='n" + id + "'/>\n";
    }
    written += "</file>\n";
  }
  return test::in_context(
      "<axis_definition><axis id='z' n_glo='3'/></axis_definition>"
      "<field_definition operation='average'>" +
      defined + "</field_definition><file_definition output_freq='1d'>" + written +
      "</file_definition>");
}

TEST(FlowGraph, much_is_shown_as_files_with_counts) {
  const FlowGraph graph = flow_graph(test::texts(large(3, 1000)));
  EXPECT_EQ(graph.whole, 3U * 1000 * 2 + 3) << "data and temporal operations, and files";
  EXPECT_EQ(graph.nodes, 4U);
  EXPECT_EQ(graph.text, R"dot(digraph flow {
  rankdir=LR;
  node [fontname="sans-serif", fontsize=10];
  edge [fontname="sans-serif", fontsize=9];
  subgraph cluster_0 {
    label="ocean";
    m0_0 [shape=ellipse, label="the model\n3000 fields\n0 expressions"];
    f0_0 [shape=note, label="out/f0.nc\nevery 1d"];
    m0_0 -> f0_0 [label="1000 fields"];
    f0_1 [shape=note, label="out/f1.nc\nevery 1d"];
    m0_0 -> f0_1 [label="1000 fields"];
    f0_2 [shape=note, label="out/f2.nc\nevery 1d"];
    m0_0 -> f0_2 [label="1000 fields"];
  }
}
)dot");
}

TEST(FlowGraph, sixty_nodes_are_shown_whole) {
  EXPECT_EQ(flow_graph(test::texts(large(1, 29))).whole, 0U);
  EXPECT_EQ(flow_graph(test::texts(large(1, 29))).nodes, 59U);
  EXPECT_EQ(flow_graph(test::texts(large(2, 29))).whole, 118U);
  // Partners are in the overview, too.
  const FlowGraph small = flow_graph(test::texts(xml), {}, {{}, {}, 3});
  EXPECT_NE(small.text.find("c0_0 -> m0_0 [label=\"1 field\"];"), std::string::npos) << small.text;
  EXPECT_NE(small.text.find("m0_0 -> c0_1 [label=\"1 field\"];"), std::string::npos) << small.text;
}

TEST(FlowGraph, a_part_is_what_leads_to_a_file) {
  const FlowGraph by_id = flow_graph(test::texts(large(40, 20)), {}, {{"f7"}, {}});
  EXPECT_EQ(by_id.nodes, 41U);
  EXPECT_EQ(by_id.whole, 0U);
  EXPECT_NE(by_id.text.find("label=\"out/f7.nc\\nevery 1d\""), std::string::npos) << by_id.text;
  EXPECT_NE(by_id.text.find("\"v7_19\\n"), std::string::npos) << by_id.text;
  EXPECT_EQ(by_id.text.find("v8_"), std::string::npos) << by_id.text;
  EXPECT_EQ(flow_graph(test::texts(large(40, 20)), {}, {{"out/f7.nc"}, {}}).text, by_id.text);
  EXPECT_EQ(flow_graph(test::texts(large(40, 20)), {}, {{"f7", "f8"}, {}}).nodes, 82U);
}

TEST(FlowGraph, a_part_is_what_is_made_of_a_field) {
  const std::string text = flow_graph(test::texts(xml), {}, {{}, {"heat"}}).text;
  EXPECT_NE(text.find("@sst * 4000 - tos"), std::string::npos) << text;
  EXPECT_NE(text.find("label=\"tos\\n(globe)\\n"), std::string::npos) << "what it needs\n" << text;
  EXPECT_EQ(text.find("again"), std::string::npos) << text;
  EXPECT_EQ(text.find("say"), std::string::npos) << "a file without it\n" << text;
  // By its name in a file, by the id of what it comes from, by a field on the way. What is worked
  // out once is drawn once.
  EXPECT_EQ(flow_graph(test::texts(xml), {}, {{}, {"again"}}).nodes, 3U);
  EXPECT_EQ(flow_graph(test::texts(xml), {}, {{}, {"rain"}}).nodes, 3U);
  const std::string in_one_file = flow_graph(test::texts(xml), {}, {{"b"}, {"sst"}}).text;
  EXPECT_EQ(in_one_file.find("a.nc"), std::string::npos) << in_one_file;
  EXPECT_NE(in_one_file.find("coarse"), std::string::npos) << in_one_file;
}

TEST(FlowGraph, what_is_not_written_is_no_part) {
  const auto refusal = [](const FlowPart& part) {
    try {
      flow_graph(test::texts(xml), {}, part);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal({{"a.n"}, {}}), "there is no file 'a.n' that is written. Did you mean 'a.nc'?");
  EXPECT_EQ(refusal({{}, {"idle"}}), "there is no field 'idle' that is written.");
  EXPECT_EQ(refusal({{"a"}, {"agin"}}),
            "there is no field 'agin' that is written. Did you mean 'again'?");
}

}  // namespace
}  // namespace epios::config::flow_graph_test
