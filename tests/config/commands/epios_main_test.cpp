// The command as people run it: what it prints and how it exits.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "commands/command.hpp"
#include "sample.hpp"

namespace epios::config::epios_main_test {
namespace {

using test::Command;
using test::Outcome;
using test::run;
using test::run_line;

TEST_F(Command, check_says_one_line_of_a_good_configuration) {
  const std::string path = file(test::sample_xml);
  const Outcome outcome = run("check " + path);
  EXPECT_EQ(outcome.text, path + ": 1 context, 2 files, 4 fields: no mistakes\n");
  EXPECT_EQ(outcome.exit_code, 0);
  for (const char* option : {"-q ", "--quiet "}) {
    EXPECT_EQ(run(std::string("check ") + option + path).text, "");
  }
}

TEST_F(Command, migrate_writes_a_set_that_can_be_checked) {
  const std::string fields = file(
      "<field_definition level=\"1\" operation=\"ave(X)\" freq_op=\"3600\">\n"
      "  <field id=\"sst\" domain_ref=\"grid\"/>\n</field_definition>\n",
      "field_def.xml");
  const std::string path = file(
      "<simulation>\n<context id=\"nemo\" calendar_type=\"NoLeap\" start_date=\"2000-01-01\" "
      "timestep=\"3600\">\n<field_definition src=\"field_def.xml\"/>\n<domain_definition>"
      "<domain id=\"grid\" type=\"rectilinear\" ni_glo=\"8\" nj_glo=\"4\"/></domain_definition>\n"
      "<file_definition output_freq=\"86400\"><file id=\"f\"><field field_ref=\"sst\"/></file>"
      "</file_definition>\n</context>\n</simulation>\n");
  const Outcome refused = run("check " + path);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(refused.text.find("epios migrate translates configurations of the first edition."),
            std::string::npos)
      << refused.text;
  EXPECT_NE(run("migrate " + path).text.find("6 translated, 0 left; nothing is written"),
            std::string::npos);
  const std::string now = (folder / "new").string();
  const Outcome outcome = run("migrate -o " + now + " " + path);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_NE(outcome.text.find(fields + ":1:29: operation=\"ave(X)\" of <field_definition> is "
                                       "operation=\"average\" now\n"),
            std::string::npos)
      << outcome.text;
  EXPECT_EQ(run("check " + now + "/iodef.xml").text,
            now + "/iodef.xml: 1 context, 1 file, 1 field: no mistakes\n");
  EXPECT_EQ(run("migrate -o " + now + " " + path).exit_code, 2);  // nothing is overwritten
}

TEST_F(Command, migrate_writes_all_files_of_a_set_or_none) {
  namespace fs = std::filesystem;
  fs::create_directories(folder / "parts");
  file("<field_definition level=\"1\" operation=\"ave(X)\"/>", "parts/field_def.xml");
  const std::string part = "\"><field_definition src=\"parts/field_def.xml\"/></context>";
  const std::string path =
      file("<simulation><context id=\"a" + part + "<context id=\"b" + part + "</simulation>");
  const fs::path now = folder / "new";
  fs::create_directories(now);
  file("", "new/parts");  // a file where a folder is needed
  const Outcome outcome = run("migrate -o " + now.string() + " " + path);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.text.find("field_def.xml' cannot be written"), std::string::npos)
      << outcome.text;
  EXPECT_EQ(std::distance(fs::directory_iterator(now), fs::directory_iterator()), 1);
  fs::remove(now / "parts");
  // A file that is included twice is written once.
  const Outcome done = run("migrate -o " + now.string() + " " + path);
  EXPECT_NE(done.text.find("2 files of the new set in " + now.string()), std::string::npos)
      << done.text;
  EXPECT_TRUE(fs::is_regular_file(now / "parts" / "field_def.xml"));
  EXPECT_EQ(std::distance(fs::recursive_directory_iterator(now), {}), 3);
}

TEST_F(Command, resolve_prints_what_check_accepts_without_what_is_left_out) {
  const std::string path = file(
      "<simulation><context id='a'><calendar type='NoLeap' timestep='1h' start_date='2001-01-01'/>"
      "<axis_definition><axis id='z' n_glo='3'/></axis_definition>"
      "<field_definition axis_ref='z' operation='instant'><field id='t'/></field_definition>\n"
      "<file_definition output_freq='1d'><file id='f'><field field_ref='t'/>"
      "<field field_ref='nothing_like_it'/></file>\n<file id='g'>"
      "<field field_ref='nothing_like_it' name='other'> this + t </field></file>"
      "</file_definition></context></simulation>");
  EXPECT_EQ(run("check " + path).exit_code, 0);
  const Outcome outcome = run("resolve " + path);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_NE(
      outcome.text.find(path + ":3:1: warning: file 'g' is not printed (none of its fields is "
                               "known)\n"),
      std::string::npos)
      << outcome.text;
  const std::size_t begin = outcome.text.find("<?xml");
  const std::size_t end = outcome.text.find("</simulation>");
  ASSERT_NE(end, std::string::npos);
  const std::string printed = file(outcome.text.substr(begin, end + 13 - begin), "printed.xml");
  EXPECT_EQ(run("check " + printed).text, printed + ": 1 context, 1 file, 1 field: no mistakes\n");
}

TEST_F(Command, check_shows_the_line_and_a_caret) {
  const std::string path = file(
      "<simulation>\n<context id=\"a\">\n<calendar type=\"NoLeap\" timestep=\"1h\"/>\n"
      "\t<field_definition\r\n\t  opertion=\"average\"/>\n</context></simulation>\n");
  const Outcome outcome = run("check " + path);
  EXPECT_EQ(outcome.text,
            path +
                ":5:4: error: unknown attribute 'opertion' of <field_definition>. Did "
                "you mean 'operation'? [E0202]\n"
                "  \t  opertion=\"average\"/>\n"
                "  \t  ^\n" +
                path + ": 1 error (1 in what no enabled file needs), 0 warnings, 0 notes\n");
  EXPECT_EQ(outcome.exit_code, 1);
}

TEST_F(Command, check_does_not_ask_for_what_the_model_sets) {
  std::string text = test::sample_xml;
  for (const char* given : {" n_glo=\"3\"", " value=\"(0,2)[5 15.5 40]\"", " ni_glo=\"8\"",
                            " nj_glo=\"4\"", " timestep=\"1h\""}) {
    text.erase(text.find(given), std::string(given).size());
  }
  const std::string path = file(text);
  EXPECT_EQ(run("check " + path).text,
            path +
                ": the model has to say timestep of the calendar, n_glo of axis 'depth' and ni_glo "
                "and nj_glo of domain 'globe' (--notes shows each, --write-model writes a file to "
                "fill in)\n");
  const Outcome outcome = run("check --notes " + path);
  EXPECT_NE(outcome.text.find("0 errors, 0 warnings, 4 notes\n"), std::string::npos)
      << outcome.text;
  EXPECT_EQ(outcome.exit_code, 0);
  const std::string worse = file(text.insert(text.find("<axis_definition>"), "<axis/>"));
  EXPECT_NE(run("check " + worse).text.find("1 warning, 4 notes (--notes shows them)\n"),
            std::string::npos);
}

TEST_F(Command, check_names_a_missing_file) {
  const Outcome outcome = run("check nowhere.xml");
  EXPECT_EQ(outcome.text,
            "nowhere.xml: error: file 'nowhere.xml' cannot be read (it does not exist). [E0101]\n"
            "nowhere.xml: 1 error, 0 warnings, 0 notes\n");
  EXPECT_EQ(outcome.exit_code, 1);
}

TEST_F(Command, check_shows_the_line_of_bad_xml) {
  std::ofstream(folder / "axes.xml") << "<axis_definition>\r  <axis id=z/>\r</axis_definition>\r";
  const std::string path = file(
      "<simulation><context id=\"a\"><axis_definition src=\"axes.xml\"/></context></simulation>");
  const std::string place = (folder / "axes.xml").string();
  EXPECT_EQ(run("check " + path).text,
            place +
                ":2:12: error: XML is not well formed (an attribute reads name=\"value\" after "
                "white space). Is a quote missing? [E0105]\n"
                "    <axis id=z/>\n"
                "             ^\n" +
                path + ": 1 error, 0 warnings, 0 notes\n");
}

TEST_F(Command, check_shows_one_finding_of_each_kind) {
  std::string text = "<simulation><context id=\"a\"><calendar type=\"NoLeap\" timestep=\"1h\"/>\n";
  for (int i = 0; i < 110; ++i) text += "<unknown/>\n";
  const std::string path = file(text + "<axis_definition unti=\"m\"/></context></simulation>");
  const auto carets = [](const std::string& output) {
    return std::count(output.begin(), output.end(), '^');
  };
  const std::string shown = run("check " + path).text;
  EXPECT_EQ(carets(shown), 2) << "one of each kind\n" << shown;
  EXPECT_NE(shown.find("error: unknown attribute 'unti'"), std::string::npos) << shown;
  EXPECT_NE(shown.find("... and 109 more like this: "), std::string::npos) << shown;
  EXPECT_TRUE(
      shown.ends_with(" (--all shows each)\n" + path +
                      ": 1 error (1 in what no enabled file needs), 110 warnings, 0 notes\n"))
      << shown;
  EXPECT_EQ(carets(run("check --all " + path).text), 111);
  const auto json = nlohmann::json::parse(run("check --json " + path).text);
  EXPECT_EQ(json.at("findings").size(), 111U);
}

TEST_F(Command, the_caret_counts_characters_and_long_lines_are_cut) {
  const std::string path =
      file("<simulation>\n<context id=\"\xc3\xa9\xc3\xa9\" x=\"1\"/>\n</simulation>\n");
  const std::string text = run("check " + path).text;
  EXPECT_NE(text.find("\n                   ^\n"), std::string::npos) << text;
  const std::string one_line = file("<simulation><context id=\"a\" " + std::string(5000, ' ') +
                                    "x=\"1\" " + std::string(5000, ' ') + "/></simulation>");
  const std::string cut = run("check " + one_line).text;
  EXPECT_LT(cut.size(), 1500U) << cut;
  EXPECT_NE(cut.find(" x=\"1\" "), std::string::npos) << cut;
  const std::size_t shown = cut.find("\n  ...");
  ASSERT_NE(shown, std::string::npos) << cut;
  const std::size_t place = cut.find("x=\"1\"") - shown;
  EXPECT_EQ(cut.find('^') - cut.find('\n', shown + 1), place) << cut;
}

TEST_F(Command, programs_get_json_of_mistakes_too) {
  const std::string path = file("<simulation><context id=\"a\" x=\"1\"/></simulation>");
  for (const std::string& command : std::vector<std::string>{
           "plan --json --duration 1d " + path, "explain --json " + file("<a") + " '*'"}) {
    const Outcome outcome = run_line(std::string(EPIOS_COMMAND " ") + command + " 2>/dev/null");
    EXPECT_EQ(outcome.exit_code, 1) << command;
    const auto json = nlohmann::json::parse(outcome.text, nullptr, false);
    ASSERT_FALSE(json.is_discarded()) << command << outcome.text;
    EXPECT_EQ(json.at("errors"), 1) << json;
    EXPECT_NE(json.at("findings").at(0).at("problem"), "") << json;
  }
  const Outcome none = run_line(std::string(EPIOS_COMMAND " explain --json ") +
                                file(test::sample_xml) + " field:none 2>/dev/null");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.text.find("nothing answers to 'field:none'"), std::string::npos) << none.text;
}

TEST_F(Command, a_full_disk_is_said) {
  const std::string path = file(test::sample_xml);
  const Outcome outcome =
      run_line(std::string(EPIOS_COMMAND " plan --duration 1d ") + path + " 2>&1 >/dev/full");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.text.find("standard output cannot be written (No space left on device)."),
            std::string::npos)
      << outcome.text;
}

TEST_F(Command, check_prints_json) {
  const std::string path = file("<simulation><contxt id=\"a\"/></simulation>");
  const Outcome outcome = run("check --json " + path);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.text.find("\"warnings\": 1,"), std::string::npos) << outcome.text;
  EXPECT_NE(outcome.text.find("\"column\": 13,"), std::string::npos) << outcome.text;
  EXPECT_NE(outcome.text.find("\"suggestion\": \"Did you mean 'context'?\""), std::string::npos);
  EXPECT_EQ(outcome.text.substr(0, 2), "{\n");
}

TEST_F(Command, check_notes_what_is_not_used) {
  const std::string path = file(test::sample_xml);
  const Outcome outcome = run("check --unused " + path);
  EXPECT_NE(outcome.text.find(path + ":24:9: note: field 'salt' is written to no file. [E0705]\n"),
            std::string::npos)
      << outcome.text;
  EXPECT_NE(outcome.text.find("0 errors, 0 warnings, 1 note\n"), std::string::npos);
  const std::string idle = file(
      "<simulation><context id='a'><calendar type='NoLeap' timestep='1h'/>\n<file_definition>\n"
      "<file id='f' output_freq='1d'><field id='a' level='9'/></file></file_definition></context>"
      "</simulation>");
  EXPECT_NE(run("check --unused " + idle)
                .text.find(idle + ":3:1: note: file 'f' is not written (all its fields are "
                                  "disabled or above its output_level). [E0705]\n"),
            std::string::npos);
}

TEST_F(Command, has_no_colour_in_a_pipe) {
  const std::string path = file(test::sample_xml);
  EXPECT_EQ(run("explain " + path + " field:sst").text.find('\x1b'), std::string::npos);
  // A terminal of its own, made by script(1).
  const std::string in_terminal =
      "script -qec '" EPIOS_COMMAND " explain " + path + " field:sst' /dev/null 2>&1";
  EXPECT_NE(run_line(in_terminal).text.find("\x1b[1mcontext 'ocean', field 'sst'"),
            std::string::npos);
  EXPECT_EQ(run_line("NO_COLOR=1 " + in_terminal).text.find("\x1b[1m"), std::string::npos);
}

TEST_F(Command, explain_says_where_values_come_from) {
  const std::string path = file(test::sample_xml);
  const Outcome outcome = run("explain " + path + " field:sst.operation");
  EXPECT_EQ(outcome.text, "context 'ocean', field 'sst' (" + path +
                              ":21:7)\n  operation = average  (group 'field_definition', " + path +
                              ":20:32)\n");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(
      run("explain " + path + " field:mean_sst.operation")
          .text.find("\n    instead of average (group 'field_definition', " + path + ":20:32)\n"),
      std::string::npos);
  const Outcome nothing = run("explain " + path + " field:nothing");
  EXPECT_EQ(nothing.text,
            "epios: nothing answers to 'field:nothing' (there is no such element). Ask for "
            "kind:id, as in field:tos, or for kind:id.attribute.\n");
  EXPECT_EQ(nothing.exit_code, 2);
  for (const auto& [question, meant] :
       std::vector<std::pair<std::string, std::string>>{{"sst", "field:sst"},
                                                        {"sst.name", "field:sst.name"},
                                                        {"feld:sst.name", "field:sst.name"},
                                                        {"field:sstt", "sst"}}) {
    EXPECT_EQ(run("explain " + path + " " + question).text,
              "epios: nothing answers to '" + question +
                  "' (there is no such element). Did you mean '" + meant + "'?\n");
  }
}

TEST_F(Command, plan_says_what_a_run_would_write) {
  const std::string path = file(test::sample_xml);
  const Outcome outcome = run("plan " + path + " --start 2002-01-01 --duration 2mo");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.text.find("context 'ocean': 2002-01-01 00:00:00 to 2002-03-01 00:00:00, 1416 "
                              "steps\n"),
            std::string::npos)
      << outcome.text;
  EXPECT_NE(outcome.text.find("-> monthly.nc: 2 records from 2002-02-01 00:00:00 to 2002-03-01 "
                              "00:00:00, 112 B\n"),
            std::string::npos)
      << outcome.text;
  EXPECT_EQ(run("plan " + path + " --duration soon").exit_code, 2);
}

TEST_F(Command, plan_says_what_a_run_would_read_and_through_how_much_memory) {
  const std::string path = file(
      "<simulation><context id='c'><calendar type='NoLeap' timestep='1h' start_date='2000-01-01'/>"
      "<domain_definition><domain id='d' type='rectilinear' ni_glo='100' nj_glo='50'/>"
      "</domain_definition><file_definition>"
      "<file id='f' mode='read' name='winds' output_freq='6h' cyclic='true'>"
      "<field id='uas' domain_ref='d' operation='instant'/>"
      "<field id='mask' domain_ref='d' operation='once'/></file></file_definition></context>"
      "<context id='xios'><variable_definition><variable id='buffer_bytes' type='int'>800000"
      "</variable></variable_definition></context></simulation>");
  const Outcome outcome = run("plan " + path + " --duration 1d");
  EXPECT_EQ(outcome.exit_code, 0);
  // A quarter of the budget: five records of 5,000 doubles.
  EXPECT_NE(outcome.text.find("  file 'f' is read: winds.nc\n    uas: 40.0 kB, every 6h\n"
                              "    mask: 40.0 kB, once\n  answers of servers: 5 records at a time "
                              "of at most 40.0 kB, 200.0 kB in all\n"),
            std::string::npos)
      << outcome.text;
  const std::string json = run("plan " + path + " --duration 1d --json").text;
  EXPECT_NE(json.find("\"largest_record_bytes\": 40000"), std::string::npos) << json;
}

TEST_F(Command, plan_says_what_servers_would_transform_and_in_how_much_memory) {
  const std::string path = file(
      "<simulation><context id='c'><calendar type='NoLeap' timestep='1h' start_date='2000-01-01'/>"
      "<domain_definition><domain id='d' type='rectilinear' ni_glo='100' nj_glo='50'/>"
      "<domain id='half' type='rectilinear' ni_glo='50' nj_glo='25'><generate_rectilinear_domain/>"
      "<interpolate_domain place='server'/></domain>"
      "<domain id='part'><extract_domain ibegin='0' ni='5' jbegin='0' nj='5' place='server'/>"
      "</domain></domain_definition>"
      "<field_definition operation='instant'><field id='a' domain_ref='d'/>"
      "<field id='b' field_ref='a' domain_ref='half'/></field_definition><file_definition>"
      "<file id='f' output_freq='6h'><field field_ref='a'/><field field_ref='b'/>"
      "<field field_ref='b' name='window' domain_ref='part'/></file></file_definition></context>"
      "</simulation>");
  const Outcome outcome = run("plan " + path + " --duration 1d");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_NE(outcome.text.find(
                "  field 'b' of file 'f' is transformed by its server: 40.0 kB cross for a record\n"
                "  field 'window' of file 'f' is transformed by its server: 40.0 kB cross for a "
                "record\n  arrays of a server that transforms: 50.0 kB, beside rows of weights\n"),
            std::string::npos)
      << outcome.text;
  const std::string json = run("plan " + path + " --duration 1d --json").text;
  EXPECT_NE(json.find("\"array_bytes\": 50000"), std::string::npos) << json;
}

TEST_F(Command, plan_says_what_a_run_would_exchange) {
  const std::string path = file(
      "<simulation><context id='c'><calendar type='NoLeap' timestep='1h' start_date='2000-01-01'/>"
      "<domain_definition><domain id='d' type='rectilinear' ni_glo='100' nj_glo='50'/>"
      "</domain_definition><coupler_in_definition>"
      "<coupler_in context='m::x'><field id='uas' domain_ref='d' freq_op='6h'/>"
      "<field id='vas' operation='once'/></coupler_in></coupler_in_definition>"
      "</context></simulation>");
  const Outcome outcome = run("plan " + path + " --duration 1d");
  EXPECT_NE(
      outcome.text.find("  from 'm::x': 160.0 kB, in channels of 80.0 kB (two records of each "
                        "field)\n    uas: every 6h, 4 records of 40.0 kB\n    vas: once, 1 "
                        "record of unknown size\n"),
      std::string::npos)
      << outcome.text;
  const std::string json = run("plan " + path + " --duration 1d --json").text;
  EXPECT_NE(json.find("\"from\": \"m::x\""), std::string::npos) << json;
}

TEST_F(Command, plan_does_not_mind_what_no_run_can_do_yet) {
  std::string text = test::sample_xml;
  text.insert(text.find("<file_definition>"),
              "<coupler_in_definition><coupler_in context=\"air::air\"><field id=\"rain\" "
              "operation=\"once\"/></coupler_in></coupler_in_definition>");
  const std::string path = file(text);
  EXPECT_EQ(run("check " + path).exit_code, 3);
  EXPECT_EQ(run("plan " + path + " --duration 1d").exit_code, 0);
}

TEST_F(Command, plan_lists_records_of_cut_files) {
  std::string text = test::sample_xml;
  const std::string monthly = "<file id=\"monthly\" output_freq=\"1mo\"";
  text.insert(text.find(monthly) + monthly.size(), " split_freq=\"1mo\" time_units=\"days\"");
  const std::string path = file(text);
  const Outcome outcome = run("plan " + path + " --duration 2mo --records");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_NE(outcome.text.find("-> monthly_200102-200102.nc: 1 record from 2001-03-01 00:00:00 to "
                              "2001-03-01 00:00:00, 56 B\n       0: 2001-02-01 00:00:00 to "
                              "2001-03-01 00:00:00, time 424 in [424, 424]\n"),
            std::string::npos)
      << outcome.text;
  const std::string json = run("plan " + path + " --duration 2mo --records --json").text;
  EXPECT_NE(json.find("\"path\": \"monthly_200102-200102.nc\""), std::string::npos) << json;
  EXPECT_NE(json.find("\"begin\": \"2001-02-01 00:00:00\""), std::string::npos) << json;
  EXPECT_NE(json.find("\"time\": 424.0"), std::string::npos) << json;
  const Outcome idle = run("plan " + path + " --duration 1d");
  EXPECT_NE(idle.text.find("warning: file 'monthly' has no record (the run ends before its "
                           "output_freq '1mo' is over)"),
            std::string::npos)
      << idle.text;
}

TEST_F(Command, plan_names_the_option_that_is_wrong) {
  const std::string path = file(test::sample_xml);
  EXPECT_EQ(
      run("plan " + path + " --start 2001-02-30 --duration 1d").text,
      "option --start: error: start_date '2001-02-30' of the calendar (that month has days 1 to 28 "
      "in calendar noleap). [E0403]\n");
  EXPECT_EQ(run("plan " + path + " --duration 1w").text.substr(0, 45),
            "epios: --duration: '1w' is not a duration (un");
}

TEST_F(Command, plan_does_not_list_what_nobody_reads) {
  std::string text = test::sample_xml;
  text.replace(text.find("timestep=\"1h\""), 13, "timestep=\"1s\"");
  const std::string daily = "output_freq=\"1d\"";
  text.replace(text.find(daily), daily.size(), "output_freq=\"1s\" split_freq=\"1s\"");
  const std::string freq = "freq_op=\"6h\"";
  text.erase(text.find(freq), freq.size());
  const Outcome outcome = run("plan " + file(text) + " --duration 100y | tail -n 6");
  EXPECT_NE(outcome.text.find("    -> and so on: 3153500000 records in parts that are not listed"),
            std::string::npos)
      << outcome.text;
  const std::string split = " split_freq=\"1s\"";
  text.erase(text.find(split), split.size());
  const Outcome records = run("plan " + file(text) + " --duration 100y --records");
  EXPECT_EQ(records.exit_code, 2);
  EXPECT_EQ(records.text,
            "epios: --records would list 3153601200 records (limit 200000). Use a shorter "
            "--duration.\n");
}

TEST_F(Command, plan_takes_what_the_model_sets) {
  std::string text = test::sample_xml;
  for (const char* given : {" ni_glo=\"8\"", " timestep=\"1h\""}) {
    text.erase(text.find(given), std::string(given).size());
  }
  const std::string path = file(text);
  EXPECT_EQ(run("plan " + path + " --duration 1d").exit_code, 1);
  const Outcome outcome = run("plan --set domain:globe.ni_glo=100 --set calendar.timestep=2h " +
                              path + " --duration 1d");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_NE(outcome.text.find("12 steps"), std::string::npos) << outcome.text;
  EXPECT_NE(outcome.text.find("tos: 1 record of 3.2 kB"), std::string::npos) << outcome.text;
  EXPECT_NE(run("plan " + path + " --duration 1d --set domain:glob.ni_glo=1")
                .text.find("has no effect (no context has domain 'glob')"),
            std::string::npos);
}

TEST_F(Command, graph_draws) {
  const std::string path = file(test::sample_xml);
  for (const auto& [ending, content] : std::vector<std::pair<std::string, std::string>>{
           {"dot", "digraph flow {"}, {"svg", "<svg"}, {"html", "<!DOCTYPE html>"}}) {
    const std::string picture = (folder / ("flow." + ending)).string();
    const Outcome outcome = run("graph " + path + " -o " + picture);
    EXPECT_EQ(outcome.text, "");
    EXPECT_EQ(outcome.exit_code, 0);
    std::ifstream stream(picture);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    EXPECT_NE(text.find(content), std::string::npos) << text;
    EXPECT_NE(text.find("out/daily.nc"), std::string::npos) << text;
  }
  EXPECT_EQ(run("graph " + path + " -o flow.pdf").exit_code, 2);
}

TEST_F(Command, graph_of_much_is_an_overview_or_a_part) {
  std::string fields;
  std::string written;
  for (int i = 0; i < 600; ++i) {
    const std::string id = "v" + std::to_string(i);
    fields += "<field id='" + id + "' axis_ref='z'/>\n";
    written += "<field field_ref='" + id + "'/>\n";
  }
  const std::string path = file(test::in_context(
      "<axis_definition><axis id='z' n_glo='3'/></axis_definition>"
      "<field_definition operation='average'>" +
      fields + "</field_definition><file_definition output_freq='1d'><file id='f'>" + written +
      "</file></file_definition>"));
  const std::string picture = (folder / "flow.html").string();
  const Outcome overview = run("graph " + path + " -o " + picture);
  EXPECT_EQ(overview.text,
            "epios: an overview in 2 nodes, the whole has 1201 (--file and --field "
            "draw a part of it).\n");
  EXPECT_EQ(overview.exit_code, 0);
  std::ifstream stream(picture);
  const std::string page{std::istreambuf_iterator<char>(stream), {}};
  for (const char* part : {"600 fields", "id=\"search\"", "addEventListener('wheel'"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(page.find("src="), std::string::npos) << "a page that needs nothing else";
  const Outcome refused = run("graph --file f " + path + " -o " + picture);
  EXPECT_EQ(refused.text,
            "epios: the picture would have 1201 nodes (limit 500). Draw a part of it "
            "with --file or --field, or write the graph itself with -o flow.dot.\n");
  EXPECT_EQ(refused.exit_code, 2);
  const std::string text = (folder / "flow.dot").string();
  EXPECT_EQ(run("graph --file f " + path + " -o " + text).text, "");
  EXPECT_EQ(run("graph --field v17 --field v18 -o " + picture + " " + path).text, "");
  EXPECT_EQ(run("graph --field v600 -o " + picture + " " + path).exit_code, 2);
}

TEST_F(Command, completes_commands_and_options_in_bash) {
  const auto complete = [](const std::string& words, int at) {
    return run_line("bash -c 'source <(" EPIOS_COMMAND " completion); COMP_WORDS=(" + words +
                    "); COMP_CWORD=" + std::to_string(at) + "; _epios; echo ${COMPREPLY[@]}' 2>&1")
        .text;
  };
  EXPECT_EQ(complete("epios ex", 1), "explain-code explain\n");
  EXPECT_EQ(complete("epios plan --d", 2), "--duration\n");
}

TEST_F(Command, says_by_its_exit_code_that_it_was_not_understood) {
  EXPECT_EQ(run("").exit_code, 2);
  EXPECT_EQ(run("plan iodef.xml").exit_code, 2);
  EXPECT_EQ(run("--help").exit_code, 0);
}

TEST_F(Command, prints_reference_and_schema) {
  EXPECT_EQ(run("doc").text.substr(0, 15), "# XML reference");
  EXPECT_EQ(run("schema").text.substr(0, 5), "<?xml");
}

TEST_F(Command, values_of_the_model_that_cannot_be_are_named) {
  const std::string path = file(test::sample_xml);
  const auto says = [&](const std::string& option, const std::string& text) {
    const Outcome outcome = run("check " + option + " " + path);
    EXPECT_NE(outcome.text.find(text), std::string::npos) << outcome.text;
    EXPECT_NE(outcome.exit_code, 0);
  };
  says("--set nonsense",
       "--set 'nonsense' is not understood (it reads kind:id.attribute=value, or "
       "variable:id=value). Write --set domain:globe.ni_glo=360?");
  says("--set domain:moon.ni_glo=3",
       "--set 'domain:moon.ni_glo=3' has no effect (no context has domain 'moon').\n");
  says("--set domain:glob.ni_glo=3",
       "--set 'domain:glob.ni_glo=3' has no effect (no context has domain 'glob'). Did you mean "
       "'globe'?\n");
  says("--set domian:globe.ni_glo=3",
       "--set 'domian:globe.ni_glo=3' has no effect (nothing is called 'domian'). Did you mean "
       "'domain'?\n");
  says("--set domain:globe.ni_gol=3",
       "unknown attribute 'ni_gol' of domain. Did you mean 'ni_glo'?");
  says("--set variable:undefind=3", "no context has variable 'undefind')");
  says("--set field_group:moon.enabled=false", "(no context has field_group 'moon')");
  says("--set field_grup:moon.enabled=false",
       "(nothing is called 'field_grup'). Did you mean 'field_group'?");
  says("--set field_definition:moon.enabled=false", "(no context has field_definition 'moon')");
  says("--set ocaen/domain:globe.ni_glo=3",
       "has no effect (there is no context 'ocaen'). Did you mean 'ocean'?");
  says("--set ocean/domain:glob.ni_glo=3",
       "has no effect (context 'ocean' has no domain 'glob'). Did you mean 'globe'?");
  const std::string part = (std::filesystem::path(path).parent_path() / "part.xml").string();
  std::ofstream(part) << "<domain/>";
  says("--model " + part,
       "the model's part begins with <domain> (it is a <context_group> of contexts, or one "
       "<context>)");
}

TEST_F(Command, sets_groups_and_one_context_alone) {
  const std::string path = file(
      "<simulation>"
      "<context id='a'><axis_definition><axis id='z' n_glo='3'/></axis_definition>"
      "<field_definition><field_group id='z' unit='m'><field id='f'/></field_group>"
      "<field id='z'/></field_definition></context>"
      "<context id='b'><axis_definition><axis id='z' n_glo='3'/></axis_definition></context>"
      "</simulation>");
  const auto value = [&](const std::string& question, const std::string& option) {
    const std::string text = run("explain " + path + " " + question + " --set " + option).text;
    return text.substr(0, text.find("  (")).substr(text.find("\n  ") + 3);
  };
  EXPECT_EQ(value("a/axis:z.n_glo", "axis:z.n_glo=7"), "n_glo = 7");
  EXPECT_EQ(value("a/axis:z.n_glo", "b/axis:z.n_glo=7"), "n_glo = 3");
  EXPECT_EQ(value("b/axis:z.n_glo", "b/axis:z.n_glo=7"), "n_glo = 7");
  // An element and a group of one id.
  EXPECT_EQ(value("field:f.unit", "field_group:z.unit=km"), "unit = km");
  EXPECT_EQ(value("field:z.unit", "field_group:z.unit=km"), "unit is not set");
  EXPECT_EQ(value("field:f.unit", "field:z.unit=km"), "unit = m");
  EXPECT_EQ(value("field:f.long_name", "a/field_definition.long_name=x"), "long_name = x");
}

TEST_F(Command, explain_says_that_an_attribute_is_not_set) {
  const std::string path = file(
      "<simulation><context id='a'><calendar type='NoLeap' timestep='1h'/>\n"
      "<axis_definition>\n<axis id='z.t' n_glo='3'/></axis_definition></context></simulation>");
  EXPECT_EQ(run("explain " + path + " axis:z.t.unit").text,
            "context 'a', axis 'z.t' (" + path +
                ":3:1)\n  unit is not set  (it has no default)\n"
                "    can be set in axis 'z.t' (" +
                path +
                ":3:1)\n"
                "    can be set in group 'axis_definition' (" +
                path + ":2:1)\n");
  EXPECT_NE(run("explain " + path + " axis:z.t.positive --json").text.find("could_be_given_by"),
            std::string::npos);
  EXPECT_EQ(run("explain " + path + " axis:z.t.n_glo --set axis:z.t.n_glo=7").text,
            "context 'a', axis 'z.t' (" + path +
                ":3:1)\n"
                "  n_glo = 7  (own, option --set axis:z.t.n_glo=7)\n");
}

TEST_F(Command, check_warns_of_what_a_run_leaves_out) {
  const std::string path = file(
      "<simulation><context id='a'><calendar type='NoLeap' timestep='1h' start_date='2001-01-01'/>"
      "<axis_definition><axis id='z' n_glo='3'/><axis id='w' n_glo='4'/>"
      "</axis_definition>"
      "<field_definition operation='instant'><field id='t' axis_ref='z'/>"
      "<field id='u' axis_ref='w'>2 * t</field></field_definition>"
      "<file_definition><file id='f' output_freq='1d'><field field_ref='t'/>"
      "<field field_ref='u'/></file></file_definition>"
      "</context></simulation>");
  const Outcome outcome = run("check " + path);
  EXPECT_NE(outcome.text.find("its operands come on grid '(z)'"), std::string::npos)
      << outcome.text;
  EXPECT_EQ(outcome.exit_code, 0);
}

}  // namespace
}  // namespace epios::config::epios_main_test
