// Periods that do not fit into each other, and values that do not fit into the file, are refused
// where they stand: they would become missing or misdated records.
#include <gtest/gtest.h>

#include "config/run_variables.hpp"
#include "sample.hpp"

namespace epios::config::period_test {
namespace {

struct Periods {
  std::string timestep = "1h";
  std::string output_freq = "1d";
  std::string field;  ///< further attributes of the field
};

std::string xml_of(const Periods& periods) {
  return "<simulation><context id='ocean'>\n<calendar type='NoLeap' start_date='2001-01-01' "
         "timestep='" +
         periods.timestep +
         "'/>\n<scalar_definition><scalar id='s'/></scalar_definition>"
         "<field_definition><field id='a' scalar_ref='s' operation='average'/></field_definition>"
         "<file_definition>\n<file id='f' output_freq='" +
         periods.output_freq + "'>\n<field field_ref='a' " + periods.field +
         "/></file></file_definition></context></simulation>";
}

std::string errors(const Periods& periods) {
  try {
    test::model(xml_of(periods));
  } catch (const ConfigError& error) {
    return test::without_codes(error.what());
  }
  return "";
}

std::string findings(const Periods& periods) {
  std::string text;
  for (const Diagnostic& finding : check(test::texts(xml_of(periods)))) {
    text += test::text(finding) + "\n";
  }
  return text;
}

TEST(Periods, that_fit_are_accepted) {
  for (const Periods& periods : std::vector<Periods>{
           {"1h", "1h", ""},
           {"20mi", "3h", "freq_op='1h'"},
           {"0.1s", "1.2s", "freq_op='0.3s'"},
           {"1h", "1mo", "freq_op='1d'"},
           {"6h", "1y", "freq_op='1mo'"},
           {"5d", "1y", ""},  // of 365 days
           {"1mo", "1y", "freq_op='3mo'"},
           {"1h", "6ts", "freq_op='2ts' freq_offset='1ts'"},
           {"1h", "1d", "freq_op='1d' freq_offset='0s'"},
           {"1h", "1d", "freq_op='1d' freq_offset='23h'"},
           {"1h", "1mo", "freq_op='1mo' freq_offset='10d'"},
       }) {
    EXPECT_EQ(errors(periods), "") << periods.timestep << " " << periods.output_freq;
  }
}

TEST(Periods, output_freq_must_be_a_multiple_of_the_time_step) {
  EXPECT_EQ(errors({"1h", "1h 30mi", ""}),
            "iodef.xml:4:14: error: output_freq '1h 30mi' of file 'f' (it is not a multiple of the "
            "time step '1h'). Use a multiple of the time step.");
  EXPECT_NE(errors({"7d", "1mo", ""}).find("it is not a multiple of the time step '7d'"),
            std::string::npos);
  EXPECT_NE(errors({"5h", "1mo", ""}).find("it is not a multiple of the time step '5h'"),
            std::string::npos);
}

TEST(Periods, freq_op_is_to_divide_output_freq) {
  EXPECT_EQ(findings({"1h", "4h", "freq_op='3h'"}),
            "iodef.xml:5:22: warning: freq_op '3h' of <field> (it does not divide output_freq '4h' "
            "of the file: records are made of the samples of their period, of unequal number or "
            "none). Use a freq_op that divides output_freq?\n");
  EXPECT_NE(findings({"1h", "4h", "freq_op='5h'"}).find("it does not divide output_freq '4h'"),
            std::string::npos);
  EXPECT_NE(findings({"1h", "1mo", "freq_op='5d'"}).find("it does not divide output_freq '1mo'"),
            std::string::npos);
  EXPECT_EQ(findings({"1h", "4h", "operation='once' freq_op='3h'"}), "") << "it has no period";
  EXPECT_EQ(
      errors({"1h", "6h", "freq_op='90mi'"}),
      "iodef.xml:5:22: error: freq_op '90mi' of <field> (it is not a multiple of the time step "
      "'1h'). Use a multiple of the time step.");
}

// Also where nothing but '@' asks for the field.
TEST(Periods, operands_keep_to_steps_and_periods) {
  const auto errors_of = [](const std::string& operand) {
    return test::errors(
        "<simulation><context id='ocean'><calendar type='NoLeap' timestep='1h' "
        "start_date='2000-01-01'/><axis_definition><axis id='z' n_glo='3'/></axis_definition>"
        "<field_definition><field id='t' axis_ref='z'/>\n<field id='m' field_ref='t' "
        "operation='average' " +
        operand +
        "> t </field>\n<field id='x' freq_op='12h' operation='maximum' expr='@m'/>"
        "</field_definition><file_definition><file id='f' output_freq='1d'><field field_ref='x'/>"
        "</file></file_definition></context></simulation>");
  };
  EXPECT_EQ(errors_of("freq_op='2h' freq_offset='1h'"), "");
  EXPECT_EQ(errors_of("freq_op='2h' freq_offset='5h'"), "");
  EXPECT_NE(errors_of("freq_op='2h' freq_offset='20mi'").find("freq_offset '20mi' of field 'm'"),
            std::string::npos);
  EXPECT_NE(errors_of("freq_op='90mi'").find("freq_op '90mi' of field 'm'"), std::string::npos);
}

// XIOS takes any: samples outside of the period of their record are told, not refused.
TEST(Periods, freq_offset_may_lead_out_of_the_period) {
  EXPECT_EQ(findings({"1h", "4h", "freq_op='2h' freq_offset='2h'"}),
            "iodef.xml:5:35: warning: freq_offset '2h' of <field> (samples are taken after the "
            "period that their record stands for, freq_op '2h'). Use less than freq_op?\n");
  EXPECT_EQ(findings({"1h", "4h", "freq_offset='-1h'"}), "") << "the state at the start";
  EXPECT_EQ(findings({"1h", "4h", "freq_offset='-1ts'"}), "");
  EXPECT_EQ(findings({"1h", "4h", "freq_offset='-2h'"}),
            "iodef.xml:5:22: warning: freq_offset '-2h' of <field> (the first sample is due at "
            "2000-12-31 23:00:00, before the run starts: a record of nothing else has no values). "
            "Use \"-1ts\" for the state at the start?\n");
  EXPECT_EQ(findings({"1h", "4h", "freq_op='2h' freq_offset='-9h'"}),
            "iodef.xml:5:35: warning: freq_offset '-9h' of <field> (the first 4 samples are due at "
            "2000-12-31 16:00:00, before the run starts: a record of nothing else has no values). "
            "Use \"-1ts\" for the state at the start?\n");
  EXPECT_NE(errors({"1h", "4h", "freq_offset='1e30h'"}).find("freq_offset '1e+30h' of <field> ("),
            std::string::npos);
  EXPECT_NE(errors({"1h", "4h", "freq_op='2h' freq_offset='30mi'"})
                .find("freq_offset '30mi' of <field> (it is not a multiple of the time step '1h')"),
            std::string::npos);
}

TEST(Values, must_fit_into_the_precision_of_the_file) {
  EXPECT_EQ(errors({"1h", "1d", "default_value='1e200'"}),
            "iodef.xml:5:22: error: default_value '1e+200' of field 'a' (the field is written with "
            "prec=\"4\", whose largest value is 3.4e+38). Use prec=\"8\" or a smaller value.");
  EXPECT_NE(errors({"1h", "1d", "valid_min='-1e39'"}).find("valid_min '-1e+39'"),
            std::string::npos);
  EXPECT_NE(errors({"1h", "1d", "valid_max='1e39'"}).find("valid_max '1e+39'"), std::string::npos);
  EXPECT_EQ(errors({"1h", "1d", "valid_max='1e39' default_value='1e200' prec='8'"}), "");
  EXPECT_EQ(errors({"1h", "1d", "default_value='1e38'"}), "");
}

TEST(Values, that_no_number_can_hold_are_out_of_range) {
  EXPECT_EQ(
      errors({"1h", "1d", "default_value='1e400'"}),
      "iodef.xml:5:22: error: attribute 'default_value' of <field> has the value '1e400' (out "
      "of range).");
  EXPECT_NE(errors({"1h", "1d", "default_value='1e400x'"}).find("(not a number)"),
            std::string::npos);
}

TEST(RunVariables, that_are_misspelt_are_pointed_out) {
  const std::string xml =
      "<simulation><context id='xios'><variable_definition>\n<variable id='patience'>5</variable>\n"
      "<variable id='carrier'>auto</variable>\n<variable id='my_own'>1</variable>\n"
      "</variable_definition></context></simulation>";
  const std::string expected =
      "iodef.xml:2:1: warning: variable 'patience' has no effect (it is no setting of the run). "
      "Did "
      "you mean 'patience_s'?";
  const std::string other =
      "iodef.xml:4:1: warning: variable 'my_own' has no effect (it is no setting of the run).";
  const std::vector<Diagnostic> checked = check(test::texts(xml));
  ASSERT_EQ(checked.size(), 2U);
  EXPECT_EQ(test::text(checked[0]), expected);
  EXPECT_EQ(test::text(checked[1]), other);
  const Definitions at_the_run = test::definitions(xml);
  ASSERT_EQ(at_the_run.warnings().size(), 2U);
  EXPECT_EQ(test::text(at_the_run.warnings()[0]), expected);
}

std::string in_xios(const std::string& variables) {
  return "<simulation><context id='xios'><variable_definition>" + variables +
         "</variable_definition></context></simulation>";
}

std::string findings(const std::string& variables) {
  std::string text;
  for (const Diagnostic& finding : check(test::texts(in_xios(variables)))) {
    text += test::text(finding) + "\n";
  }
  return text;
}

TEST(RunVariables, have_two_spellings) {
  const Definitions d = test::definitions(in_xios(
      "<variable id='recv_field_timeout'>10</variable><variable id='log_level'>3</variable>"));
  EXPECT_EQ(d.variable("xios", "recv_field_timeout"), "10");
  EXPECT_EQ(d.variable("xios", "receive_timeout_s"), "10");
  EXPECT_EQ(d.variable("xios", "info_level"), "3");
  EXPECT_EQ(d.variable("xios", "nothing"), std::nullopt);
  EXPECT_EQ(
      findings("<variable id='info_level'>1</variable>\n<variable id='log_level'>2</variable>"),
      "iodef.xml:2:1: warning: variable 'log_level' is given as 'info_level' too (that one is "
      "at iodef.xml:1:53). Keep one of them.\n");
}

TEST(RunVariables, of_xios_3_and_2_are_all_known) {
  std::size_t of_xios3 = 0;
  for (const RunVariable& row : run_variables()) {
    if (row.compatibility == "both" || row.compatibility == "xios3") ++of_xios3;
    EXPECT_EQ(find_run_variable(row.id), &row) << row.id;
    if (!row.xios.empty()) {
      EXPECT_EQ(find_run_variable(row.xios), &row) << row.xios;
    }
    if (!row.default_text.empty()) {
      EXPECT_EQ(findings("<variable id='" + std::string(row.id) + "'>" +
                         std::string(row.default_text) + "</variable>"),
                "");
    }
  }
  EXPECT_EQ(of_xios3, 32U);
  // Names nothing that a run without OASIS would do.
  EXPECT_EQ(findings("<variable id='oasis_codes_id'>a</variable>"), "");
  EXPECT_EQ(findings("<variable id='oasis_codes_id'>a</variable>"
                     "<variable id='using_oasis'>.FALSE.</variable>"),
            "");
  EXPECT_EQ(findings("<variable id='oasis_codes_id'>a</variable>\n"
                     "<variable id='using_oasis'>true</variable>"),
            "");
  EXPECT_EQ(findings("<variable id='clients_code_id'>a</variable>"), "");
}

// Of a run that they tune, none is worth refusing it.
TEST(RunVariables, that_do_not_read_as_their_type_have_no_effect) {
  const std::string wrong =
      "<variable id='using_server2'>maybe</variable>\n<variable id='carrier'>pigeons</variable>\n"
      "<variable id='patience_s'>-1</variable>\n<variable id='buffer_bytes'>1.5</variable>";
  EXPECT_EQ(findings(wrong),
            "iodef.xml:1:53: warning: variable 'using_server2' of context 'xios' is 'maybe' and "
            "has no effect (expected true or false).\n"
            "iodef.xml:2:1: warning: variable 'carrier' of context 'xios' is 'pigeons' and has no "
            "effect (expected auto, shared_memory, messages or one_sided).\n"
            "iodef.xml:3:1: warning: variable 'patience_s' of context 'xios' is '-1' and has no "
            "effect (expected a number of 0.001 or more).\n"
            "iodef.xml:4:1: warning: variable 'buffer_bytes' of context 'xios' is '1.5' and has no "
            "effect (expected an integer of 1 or more).\n");
  EXPECT_EQ(test::definitions(in_xios(wrong)).warnings().size(), 4U);
  EXPECT_EQ(findings("<variable id='buffer_size_factor'>1.d0</variable>"), "");
  EXPECT_EQ(findings("<variable id='using_oasis'>false</variable>"), "");
}

}  // namespace
}  // namespace epios::config::period_test
