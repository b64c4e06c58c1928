#include "config/flow_graph.hpp"

#include <gtest/gtest.h>

#include "sample.hpp"

namespace epios::config {
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

TEST(FlowGraph, shows_the_whole_way) {
  EXPECT_EQ(flow_graph(test::texts(xml)),
            R"dot(digraph flow {
  rankdir=LR;
  node [fontname="sans-serif", fontsize=10];
  edge [fontname="sans-serif", fontsize=9];
  subgraph cluster_0 {
    label="ocean";
    s0_0 [shape=ellipse, label="tos\n(globe)"];
    s0_1 [shape=ellipse, label="rain\n(globe)"];
    e0_0 [shape=box3d, label="heat\n@sst * 4000 - tos"];
    n0_0 [shape=plaintext, label="sst"];
    s0_0 -> n0_0;
    n0_1 [shape=box, label="average\nof samples every 1h\none per 1d"];
    n0_0 -> n0_1;
    n0_1 -> e0_0;
    s0_0 -> e0_0;
    f0_0 [shape=note, label="a.nc\nevery 1d"];
    n0_2 [shape=box, label="average\nof samples every 1h\none per 1d"];
    s0_0 -> n0_2;
    n0_2 -> f0_0 [label="tos"];
    n0_1 -> f0_0 [label="again"];
    n0_3 [shape=box, label="average\nof samples every 1d\none per 1d"];
    e0_0 -> n0_3;
    n0_3 -> f0_0 [label="heat"];
    f0_1 [shape=note, label="say \"b\".nc\nevery 1mo"];
    n0_4 [shape=hexagon, label="interpolate_domain\nto coarse"];
    n0_0 -> n0_4;
    n0_5 [shape=box, label="average\nof samples every 1h\none per 1mo"];
    n0_4 -> n0_5;
    n0_5 -> f0_1 [label="sst"];
    n0_6 [shape=box, label="instant\nof samples every 1mo\none per 1mo"];
    s0_1 -> n0_6;
    n0_6 -> f0_1 [label="rain"];
    c0_0 [shape=cds, label="from\natm::air"];
    c0_0 -> s0_1 [label="rain"];
    c0_1 [shape=cds, label="to\natm::air"];
    n0_2 -> c0_1 [label="tos"];
  }
}
)dot");
}

TEST(FlowGraph, is_the_same_each_time) {
  EXPECT_EQ(flow_graph(test::texts(xml)), flow_graph(test::texts(xml)));
}

TEST(FlowGraph, throws_mistakes) {
  EXPECT_THROW(flow_graph(test::texts(test::in_context("<field_definition colour='red'/>"))),
               ConfigError);
}

}  // namespace
}  // namespace epios::config
