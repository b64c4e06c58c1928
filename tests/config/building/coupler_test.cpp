// Couplers of the Model: what is exchanged with other contexts, and when.
#include <gtest/gtest.h>

#include "sample.hpp"

namespace epios::config::coupler_test {
namespace {

std::string xml(const std::string& body) {
  return test::in_context(
      "<domain_definition><domain id='d' type='rectilinear' ni_glo='4' nj_glo='3'/>"
      "</domain_definition>\n" +
      body);
}

struct Outcome {
  Model model;
  std::string findings;
};
Outcome outcome(const std::string& body) {
  Checked checked = check_and_resolve(test::texts(xml(body)));
  Outcome result;
  for (const Diagnostic& finding : checked.findings) {
    if (finding.severity != Severity::note) result.findings += test::text(finding) + "\n";
  }
  result.model = std::move(checked.models.at(0));
  return result;
}

TEST(Coupler, sends_fields_expressions_and_results_of_operations) {
  const auto [model, findings] = outcome(
      "<field_definition domain_ref='d' operation='average'><field id='tos'/>"
      "<field id='heat'> 4000 * tos </field></field_definition>"
      "<coupler_out_definition freq_op='1d'><coupler_out id='to_air' context=' atm :: air '>"
      "<field_group freq_op='3h'><field field_ref='tos'/><field id='hot' field_ref='heat' "
      "operation='instant'/></field_group>"
      "<field id='off' field_ref='tos' enabled='false'/></coupler_out>"
      "<coupler_out id='idle' enabled='false'/></coupler_out_definition>");
  EXPECT_NE(findings.find("unknown attribute 'freq_op' of <coupler_out_definition>"),
            std::string::npos);
  ASSERT_EQ(model.couplers.size(), 1U);
  const Coupler& coupler = model.couplers[0];
  EXPECT_EQ(coupler.kind, ElementKind::coupler_out);
  EXPECT_EQ(coupler.partner_code, "atm");
  EXPECT_EQ(coupler.partner_context, "air");
  ASSERT_EQ(coupler.fields.size(), 2U);
  EXPECT_EQ(coupler.fields[0].id, "tos");
  EXPECT_EQ(coupler.fields[0].source, 0);
  EXPECT_EQ(coupler.fields[0].sampling.operation, Operation::average);
  EXPECT_EQ(coupler.fields[0].sampling.freq_op.text(), "1h");
  EXPECT_EQ(coupler.fields[0].sampling.output_freq.text(), "3h");
  EXPECT_EQ(coupler.fields[1].id, "hot");
  EXPECT_EQ(coupler.fields[1].source, -1);
  EXPECT_EQ(coupler.fields[1].expression, 0);
  EXPECT_EQ(coupler.fields[1].sampling.operation, Operation::instant);
  EXPECT_EQ(coupler.fields[1].sampling.freq_op.text(), "3h");
  EXPECT_EQ(coupler.fields[1].sampling.freq_offset.text(), "2h");
}

/// Would have found that both attributes were dropped for what goes to a partner.
TEST(Coupler, sends_means_weighted_and_from_the_state_at_the_start) {
  const auto [model, findings] = outcome(
      "<field_definition domain_ref='d'><field id='tos' operation='average' weight='time'/>"
      "</field_definition><coupler_out_definition><coupler_out id='o' context='atm::air'>"
      "<field field_ref='tos' freq_op='3h' freq_offset='-1ts'/>"
      "<field id='later' field_ref='tos' freq_op='3h' freq_offset='2h'/>"
      "<field id='last' field_ref='tos' operation='instant' freq_op='3h' freq_offset='2h'/>"
      "</coupler_out></coupler_out_definition>");
  EXPECT_EQ(findings.find("warning"), findings.rfind("warning"));
  EXPECT_NE(findings.find("freq_offset '2h' of field 'later' has no effect"), std::string::npos);
  const auto& fields = model.couplers[0].fields;
  ASSERT_EQ(fields.size(), 3U);
  EXPECT_EQ(fields[0].sampling.freq_op.text(), "1h");
  EXPECT_EQ(fields[0].sampling.freq_offset.text(), "-1h");
  EXPECT_TRUE(fields[0].sampling.is_weighted);
  EXPECT_EQ(fields[1].sampling.freq_offset, Duration{});
  EXPECT_EQ(fields[2].sampling.freq_offset.text(), "2h");
  EXPECT_FALSE(fields[2].sampling.is_weighted);
}

TEST(Coupler, what_it_receives_is_a_source_with_or_without_a_grid_of_its_own) {
  const auto [model, findings] = outcome(
      "<coupler_in_definition><coupler_in id='from_air' context='atm::air'>"
      "<field id='rain' domain_ref='d' freq_op='2h' freq_offset='0s'/><field id='wind'/>"
      "</coupler_in></coupler_in_definition>\n"
      "<file_definition><file id='f' output_freq='1d'>"
      "<field field_ref='rain' operation='average'/><field field_ref='wind' operation='average'/>"
      "</file></file_definition>");
  EXPECT_EQ(findings, "");
  ASSERT_EQ(model.couplers.size(), 1U);
  ASSERT_EQ(model.couplers[0].fields.size(), 2U);
  const CoupledField& rain = model.couplers[0].fields[0];
  EXPECT_EQ(rain.source, model.find_source("rain"));
  EXPECT_EQ(rain.sampling.operation, Operation::instant);
  EXPECT_EQ(rain.sampling.freq_op.text(), "2h");
  EXPECT_EQ(rain.sampling.freq_offset, Duration{});
  EXPECT_EQ(model.couplers[0].fields[1].grid, -1);
  EXPECT_EQ(model.couplers[0].fields[1].source, -1);
  ASSERT_EQ(model.streams.size(), 1U);  // the grid of wind comes with its partner
  EXPECT_EQ(model.streams[0].id, "rain");
}

TEST(Coupler, says_what_is_wrong) {
  EXPECT_EQ(
      outcome("<coupler_out_definition>\n<coupler_out id='a'><field id='x'/></coupler_out>\n"
              "<coupler_out id='b' context='air'/>\n</coupler_out_definition>")
          .findings,
      "iodef.xml:4:1: error: coupler_out 'a' has no context (nothing says whom it exchanges "
      "fields with). Add context=\"code::context\".\n"
      "iodef.xml:4:21: error: field 'x' has no grid (nothing says what its data looks like). "
      "Add grid_ref, or domain_ref, axis_ref or scalar_ref.\n"
      "iodef.xml:5:1: warning: coupler_out 'b' has no field (nothing would be exchanged). Add "
      "<field field_ref=\"...\"/>?\n"
      "iodef.xml:5:21: error: context 'air' of coupler_out 'b' (a partner is the id of its "
      "code and that of its context). Write context=\"code::context\".\n");
  EXPECT_EQ(outcome("<coupler_in_definition><coupler_in id='a' context='m::c'>\n"
                    "<field domain_ref='d'/>\n<field id='p' freq_op='90mi'/>\n"
                    "<field id='q' freq_op='2h' freq_offset='2h'/>\n"
                    "</coupler_in></coupler_in_definition>")
                .findings,
            "iodef.xml:4:1: error: <field> of a coupler_in has no id (it receives the field of "
            "that id). Add id=\"...\".\n"
            "iodef.xml:5:15: error: freq_op '90mi' of field 'p' (it is not a multiple of the "
            "time step '1h'). Use a multiple of the time step.\n"
            "iodef.xml:6:28: warning: freq_offset '2h' of field 'q' (samples are taken after the "
            "period that their record stands for, freq_op '2h'). Use less than freq_op?\n");
}

TEST(Coupler, survives_its_bytes_and_counts_in_the_hash) {
  const auto model_with = [](const std::string& context) {
    return outcome(
               "<field_definition domain_ref='d'><field id='tos'/></field_definition>"
               "<coupler_out_definition><coupler_out id='o' context='" +
               context +
               "'><field field_ref='tos'/></coupler_out></coupler_out_definition>"
               "<coupler_in_definition><coupler_in id='i' context='b::c'><field id='r'/>"
               "</coupler_in></coupler_in_definition>")
        .model;
  };
  const Model model = model_with("a::c");
  ASSERT_EQ(model.couplers.size(), 2U);
  const Model back = decode_model(encode(model));
  EXPECT_EQ(to_json(back), to_json(model));
  EXPECT_EQ(back.couplers[0].fields.at(0).grid, -1);
  EXPECT_NE(global_hash(model_with("a::d")), global_hash(model));
}

}  // namespace
}  // namespace epios::config::coupler_test
