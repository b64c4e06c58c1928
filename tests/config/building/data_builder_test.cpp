// Where the data of fields come from: sources and expressions of the Model.
#include <gtest/gtest.h>

#include "sample.hpp"

namespace epios::config::data_builder_test {
namespace {

constexpr const char* calendar = R"(<calendar type="NoLeap" timestep="1h"/>)";

/// A context with two domains of 12 points and an axis of 3, the fields, and files of them.
std::string xml(const std::string& fields, const std::string& written) {
  return test::in_context(
      "<domain_definition><domain id='d' type='rectilinear' ni_glo='4' nj_glo='3'/>"
      "<domain id='e' type='rectilinear' ni_glo='4' "
      "nj_glo='3'/></domain_definition><axis_definition><axis id='z' n_glo='3'/></axis_definition>"
      "<variable_definition><variable id='unused'>x</variable>"
      "<variable id='rho'>1026.5</variable></variable_definition>\n"
      "<field_definition operation='average' domain_ref='d'>\n" +
          fields + "\n</field_definition>\n<file_definition><file id='f' output_freq='1d'>\n" +
          written + "\n</file></file_definition>",
      calendar);
}

/// What a check of the configuration resolves, with its findings but the notes.
struct Outcome {
  Model model;
  std::string findings;
};
Outcome outcome(const std::string& fields, const std::string& written) {
  Checked checked = check_and_resolve(test::texts(xml(fields, written)));
  Outcome result;
  for (const Diagnostic& finding : checked.findings) {
    if (finding.severity != Severity::note) result.findings += test::text(finding) + "\n";
  }
  result.model = std::move(checked.models.at(0));
  return result;
}

std::vector<std::string> ids(const Model& model) {
  std::vector<std::string> result;
  for (const Source& source : model.sources) result.push_back(source.id);
  return result;
}

using Ids = std::vector<std::string>;

TEST(DataBuilder, operands_are_indices_of_sources_and_variables) {
  const auto [model, findings] = outcome(
      "<field id='a'/><field id='b'/><field id='idle'/><field id='c'> 2 * a + b / $rho "
      "</field>",
      "<field field_ref='c'/>");
  EXPECT_EQ(findings, "");
  EXPECT_EQ(ids(model), (Ids{"a", "b"}));
  EXPECT_EQ(model.unwritten.known, Ids{"idle"});
  ASSERT_EQ(model.streams.size(), 1U);
  EXPECT_EQ(model.streams[0].source, -1);
  EXPECT_EQ(model.streams[0].expression, 0);
  ASSERT_EQ(model.expressions.size(), 1U);
  EXPECT_EQ(model.expressions[0].id, "c");
  const auto& nodes = model.expressions[0].nodes;
  ASSERT_EQ(nodes.size(), 7U);  // 2, a, *, b, $rho, /, +
  EXPECT_EQ(nodes[0].number, 2);
  EXPECT_EQ(nodes[1].source, 0);
  EXPECT_EQ(nodes[1].expression, -1);
  EXPECT_EQ(nodes[2].op, ExpressionOp::multiply);
  EXPECT_EQ(nodes[2].arguments, (std::vector{ExpressionNodeId(0), ExpressionNodeId(1)}));
  EXPECT_EQ(nodes[2].type, ExpressionType::field);
  EXPECT_EQ(nodes[3].source, 1);
  EXPECT_EQ(nodes[4].variable, 1);
  EXPECT_EQ(nodes[4].number, 1026.5);
  EXPECT_EQ(nodes[4].type, ExpressionType::scalar);
  EXPECT_EQ(nodes[6].arguments, (std::vector{ExpressionNodeId(2), ExpressionNodeId(5)}));
}

TEST(DataBuilder, this_is_what_the_model_sends_or_what_the_reference_has) {
  const auto [model, findings] = outcome(
      "<field id='a'> this * 2 </field><field id='b' field_ref='a'> this + this_ref </field>",
      "<field field_ref='b'/><field field_ref='a'/>");
  EXPECT_EQ(findings, "");
  EXPECT_EQ(ids(model), (Ids{"a"}));
  EXPECT_EQ(model.find_source("b"), -1);
  ASSERT_EQ(model.expressions.size(), 2U);
  EXPECT_EQ(model.expressions[0].nodes[0].source, 0);
  EXPECT_EQ(model.expressions[1].nodes[0].expression, 0);
  EXPECT_EQ(model.expressions[1].nodes[1].expression, 0);
  EXPECT_EQ(model.streams.at(0).expression, 1);
  EXPECT_EQ(model.streams.at(1).expression, 0);
  EXPECT_TRUE(model.unwritten.known.empty());
}

TEST(DataBuilder, a_field_that_refers_to_nothing_is_left_out_and_not_to_be_sent) {
  const Definitions definitions = test::definitions(test::in_context(
      "<axis_definition><axis id='z' n_glo='3'/></axis_definition>"
      "<field_definition operation='instant' axis_ref='z'><field id='a' field_ref='nothing'/>"
      "<field id='b'/><field id='c' field_ref='nothing'/>"
      "<field id='d' field_ref='nothing' read_access='true'/></field_definition><file_definition>"
      "<file id='f' output_freq='1d'><field field_ref='a'/><field field_ref='b'/></file>"
      "</file_definition>"));
  const Model model = definitions.resolve("ocean");
  ASSERT_EQ(model.streams.size(), 1U);
  EXPECT_EQ(model.streams[0].id, "b");
  ASSERT_EQ(model.unwritten.unmade.size(), 2U);  // nobody wants c
  EXPECT_EQ(model.unwritten.unmade[1].source, "d");
  EXPECT_EQ(model.unwritten.unmade[1].taker, "the model, which receives it");
  EXPECT_EQ(model.unwritten.unmade[0].source, "a");
  EXPECT_EQ(model.unwritten.unmade[0].taker, "file 'f'");
  EXPECT_NE(model.unwritten.unmade[0].where, "");
  EXPECT_EQ(model.unwritten.unmade[0].why,
            "it has the field_ref 'nothing', which refers to nothing");
  EXPECT_EQ(model.unwritten.unmade[0].suggestion, "Correct the field_ref, or leave it out?");
}

TEST(DataBuilder, expressions_come_before_those_that_use_them) {
  const auto [model, findings] = outcome(
      "<field id='d'> c + b </field><field id='c' field_ref='b'/><field id='b'> a * a </field>"
      "<field id='a'/>",
      "<field field_ref='d'/><field field_ref='c' name='again'/>");
  EXPECT_EQ(findings, "");
  ASSERT_EQ(model.expressions.size(), 2U);
  EXPECT_EQ(model.expressions[0].id, "b");
  EXPECT_EQ(model.expressions[1].id, "d");
  // c has the data of b.
  EXPECT_EQ(model.expressions[1].nodes[0].expression, 0);
  EXPECT_EQ(model.expressions[1].nodes[1].expression, 0);
  EXPECT_EQ(model.streams.at(0).expression, 1);
  EXPECT_EQ(model.streams.at(1).expression, 0);
  EXPECT_EQ(ids(model), Ids{"a"});
}

TEST(DataBuilder, a_temporal_operand_has_a_result_every_freq_op_of_its_owner) {
  const auto [model, findings] = outcome(
      "<field id='t' operation='maximum' freq_op='6h' detect_missing_value='true' "
      "default_value='1e20'/>",
      "<field field_ref='t' name='tmax' operation='average' freq_op='1d'> @this_ref - t </field>");
  EXPECT_EQ(findings, "");
  ASSERT_EQ(model.expressions.size(), 1U);
  const FieldExpressionNode& operand = model.expressions[0].nodes[0];
  EXPECT_TRUE(operand.is_temporal);
  EXPECT_EQ(operand.source, 0);
  EXPECT_EQ(operand.sampling.operation, Operation::maximum);
  EXPECT_EQ(operand.sampling.freq_op.text(), "6h");
  EXPECT_EQ(operand.sampling.freq_offset.text(), "5h");
  EXPECT_EQ(operand.sampling.output_freq.text(), "1d");
  EXPECT_TRUE(operand.detect_missing_value);
  EXPECT_FALSE(model.expressions[0].nodes[1].is_temporal);
  EXPECT_EQ(model.streams.at(0).sampling.freq_op.text(), "1d");
}

TEST(DataBuilder, this_is_sampled_at_every_step_for_its_own_operation) {
  const auto [model, findings] =
      outcome("<field id='t' operation='minimum' freq_op='1d'> @this </field>",
              "<field field_ref='t' operation='average'/>");
  EXPECT_EQ(findings, "");
  const Sampling& sampling = model.expressions.at(0).nodes.at(0).sampling;
  EXPECT_EQ(sampling.operation, Operation::minimum);
  EXPECT_EQ(sampling.freq_op.text(), "1h");
  EXPECT_EQ(sampling.freq_offset, Duration{});
  EXPECT_EQ(sampling.output_freq.text(), "1d");
}

TEST(DataBuilder, parentheses_behind_at_have_the_operation_of_the_field_they_are_in) {
  const auto [model, findings] = outcome(
      "<field id='t'/><field id='w' freq_op='6h'/>"
      "<field id='mean' operation='maximum' freq_op='1d' detect_missing_value='true' "
      "default_value='1e20'> @(t*w) / @w </field>",
      "<field field_ref='mean'/>");
  EXPECT_EQ(findings, "");
  const auto& nodes = model.expressions.at(0).nodes;
  ASSERT_EQ(nodes.size(), 6U);  // t, w, *, @(), @w, /
  EXPECT_FALSE(nodes[0].is_temporal);
  EXPECT_FALSE(nodes[1].is_temporal);
  const FieldExpressionNode& product = nodes[3];
  EXPECT_EQ(product.op, ExpressionOp::temporal);
  EXPECT_EQ(product.arguments, std::vector{ExpressionNodeId(2)});
  EXPECT_EQ(product.sampling.operation, Operation::maximum);
  EXPECT_EQ(product.sampling.freq_op.text(), "1h");  // whenever both are there
  EXPECT_EQ(product.sampling.freq_offset, Duration{});
  EXPECT_EQ(product.sampling.output_freq.text(), "1d");
  EXPECT_TRUE(product.detect_missing_value);
  EXPECT_EQ(nodes[4].sampling.operation, Operation::average);
  EXPECT_EQ(nodes[4].sampling.output_freq.text(), "1d");
}

TEST(DataBuilder, says_what_keeps_a_temporal_operand_from_working) {
  EXPECT_EQ(outcome("<field id='a' freq_op='5h'/>\n<field id='b' freq_op='12h'> @a </field>",
                    "<field field_ref='b'/>")
                .findings,
            "iodef.xml:5:30: warning: expression of field 'b' (freq_op '5h' of field 'a' does not "
            "divide freq_op '12h', the period of '@': results are made of the samples of their "
            "period, of unequal number or none). Use a freq_op that is a multiple of the "
            "operand's?\n");
  EXPECT_EQ(outcome("<field id='a' operation='_reset_'/>\n<field id='b' freq_op='12h'> @a </field>",
                    "<field field_ref='b'/>")
                .findings,
            "iodef.xml:4:1: error: field 'a' has no operation ('@' asks for it at iodef.xml:5:30). "
            "Add operation=\"average\"?\n");
}

TEST(DataBuilder, names_a_missing_operation_once_for_all_who_ask) {
  EXPECT_EQ(outcome("<field id='a' operation='_reset_'/>\n<field id='b' freq_op='12h'> @a </field>"
                    "<field id='c' freq_op='12h'> @a + @a </field>",
                    "<field field_ref='b'/><field field_ref='c'/>")
                .findings,
            "iodef.xml:4:1: error: field 'a' has no operation ('@' asks for it at iodef.xml:5:30 "
            "and 2 more). Add operation=\"average\"?\n");
}

TEST(DataBuilder, temporal_operands_are_worked_out_at_each_step_without_freq_op) {
  const auto [model, findings] =
      outcome("<field id='a'/><field id='b'> @a + 1 / @a </field>", "<field field_ref='b'/>");
  EXPECT_EQ(findings,
            "iodef.xml:4:31: warning: '@' in the expression of field 'b' has no effect (without "
            "freq_op of that field '@' has a result at every time step, of one sample). Add "
            "freq_op=\"1d\" for daily results, or leave out '@'?\n");
  EXPECT_EQ(model.expressions.at(0).nodes.at(0).sampling.output_freq.text(), "1h");
}

TEST(DataBuilder, operands_have_equally_many_points) {
  EXPECT_EQ(outcome("<field id='a'/><field id='b' domain_ref='_reset_' axis_ref='z'/>\n"
                    "<field id='c'> a + 2 * b </field>",
                    "<field field_ref='c'/>")
                .findings,
            "iodef.xml:5:24: error: expression of field 'c' ('b' has 3 points, 'a' has 12). Give "
            "all operands one grid.\n");
}

TEST(DataBuilder, a_broken_expression_is_reported_once_and_has_no_stream) {
  const auto [model, findings] =
      outcome("<field id='a'/><field id='c'> nothing + a </field>\n<field id='d'> c * 2 </field>",
              "<field field_ref='d'/><field field_ref='a'/>");
  EXPECT_EQ(findings,
            "iodef.xml:4:31: error: expression of field 'c' (there is no field 'nothing' in "
            "context 'ocean').\n");
  EXPECT_TRUE(model.expressions.empty());
  ASSERT_EQ(model.streams.size(), 1U);
  EXPECT_EQ(model.streams[0].id, "a");
}

TEST(DataBuilder, a_circle_ends) {
  const Outcome circle =
      outcome("<field id='a'> b </field>\n<field id='b'> a </field>", "<field field_ref='a'/>");
  EXPECT_EQ(circle.findings, "iodef.xml:4:16: error: field 'a' depends on itself (a -> b -> a).\n");
  EXPECT_TRUE(circle.model.streams.empty());
}

TEST(DataBuilder, a_long_chain_of_expressions_does_not_end_the_process) {
  std::string fields = "<field id='f0'/>";
  constexpr int count = 20'000;
  for (int i = 1; i <= count; ++i) {
    fields += "<field id='f" + std::to_string(i) + "'>f" + std::to_string(i - 1) + " + 1</field>";
  }
  const Model model = outcome(fields, "<field field_ref='f" + std::to_string(count) + "'/>").model;
  EXPECT_EQ(model.expressions.size(), static_cast<std::size_t>(count));
  EXPECT_EQ(model.expressions.back().nodes.front().expression, count - 2);
}

TEST(DataBuilder, a_result_is_on_the_grid_of_its_field) {
  const Outcome own =
      outcome("<field id='a'/><field id='b' domain_ref='e'>a</field>", "<field field_ref='b'/>");
  EXPECT_EQ(own.findings, "");
  ASSERT_EQ(own.model.expressions.size(), 1U);
  EXPECT_EQ(own.model.grids[own.model.expressions[0].grid].id, "(e)");
}

TEST(DataBuilder, expressions_are_part_of_bytes_and_hash) {
  const auto hash = [](const std::string& expression) {
    const Model model =
        outcome("<field id='a'/><field id='b' freq_op='1d'>" + expression + "</field>",
                "<field field_ref='b'/>")
            .model;
    const Model back = decode_model(encode(model));
    EXPECT_EQ(to_json(back), to_json(model));
    EXPECT_EQ(back.expressions.at(0).nodes.back().type, ExpressionType::field);
    return global_hash(model);
  };
  EXPECT_EQ(hash("a + 1"), hash(" ( a+1.0 ) "));
  EXPECT_NE(hash("a + 1"), hash("a + 2"));
  EXPECT_NE(hash("a"), hash("@a"));
  EXPECT_NE(hash("a * 2 - a"), hash("@(a * 2) - a"));
  EXPECT_NE(hash("a - this"), hash("this - a"));
  EXPECT_NE(hash("a * $rho"), hash("a * 1026.5"));
}

}  // namespace
}  // namespace epios::config::data_builder_test
