// Words that the command does not understand, and its help.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "commands/command.hpp"
#include "sample.hpp"

namespace epios::config::command_line_test {
namespace {

using test::Command;
using test::Outcome;
using test::run;

TEST_F(Command, names_the_wrong_word_and_suggests) {
  const Outcome wrong = run("chek iodef.xml");
  EXPECT_EQ(
      wrong.text,
      "epios: there is no command 'chek' (commands are check, migrate, explain-code, resolve, "
      "explain, "
      "plan, graph, report, top, live, replay, advise, scale, ls, diff, recover, info, remap, "
      "ragged, "
      "references, "
      "doc, "
      "schema, "
      "completion, "
      "help). Did "
      "you mean "
      "'check'?\n");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_EQ(
      run("check --jsn iodef.xml").text,
      "epios: check has no option '--jsn' (epios help check says how it is used). Did you mean "
      "'--json'?\n");
  EXPECT_EQ(
      run("check --strictly=1 iodef.xml").text,
      "epios: check has no option '--strictly' (epios help check says how it is used). Did you "
      "mean '--strict'?\n");
  EXPECT_EQ(
      run("check a.xml b.xml").text,
      "epios: 'b.xml' is one word too many for check (epios help check says how it is used).\n");
  EXPECT_EQ(run("--verson").exit_code, 2);
  EXPECT_NE(run("--verson").text.find("'--version'"), std::string::npos);
  EXPECT_EQ(run("'ch\x1b[31m'").text.find('\x1b'), std::string::npos);
}

TEST_F(Command, says_what_is_missing_of_a_call) {
  const Outcome missing = run("plan iodef.xml");
  EXPECT_NE(missing.text.find("epios plan: --duration is required (epios help plan says how it is "
                              "used).\n"),
            std::string::npos)
      << missing.text;
  EXPECT_EQ(missing.exit_code, 2);
  const Outcome word = run("check --compat xios9 iodef.xml");
  EXPECT_EQ(word.exit_code, 2);
  EXPECT_NE(word.text.find("epios check: --compat: xios9 not in {none,xios2,xios3} (epios help "
                           "check"),
            std::string::npos)
      << word.text;
}

TEST_F(Command, a_wrong_option_is_said_before_what_is_missing) {
  EXPECT_EQ(run("check --strct").text,
            "epios: check has no option '--strct' (epios help check says how it is used). Did you "
            "mean '--strict'?\n");
  EXPECT_EQ(run("plan --duraton=1d iodef.xml").text,
            "epios: plan has no option '--duraton' (epios help plan says how it is used). Did you "
            "mean '--duration'?\n");
  EXPECT_EQ(run("check --strct --help").exit_code, 0);
  EXPECT_EQ(run("--model x").text,
            "epios: epios has no option '--model' (epios help says how it is used).\n");
}

TEST_F(Command, words_are_never_echoed_as_a_terminal_would_obey_them) {
  const std::string red = "'\x1b[31mred'";
  const std::string good = file(test::sample_xml);
  const std::string gaps = file(
      "<simulation><context id='a'><calendar type='NoLeap' timestep='1h'/><axis_definition>"
      "<axis id='\x1b[31mz'/></axis_definition><field_definition operation='average'>"
      "<field id='t' axis_ref='\x1b[31mz'/></field_definition><file_definition>"
      "<file id='f' output_freq='1d'><field field_ref='t'/></file></file_definition></context>"
      "</simulation>",
      "gaps.xml");
  EXPECT_NE(run("check " + gaps).text.find("n_glo of axis '\\x1b[31mz'"), std::string::npos)
      << run("check " + gaps).text;
  for (const std::string& words :
       {"check " + red, "check " + gaps, "check --notes " + gaps, "check --set " + red + " " + good,
        "check --set axis:" + red + ".n_glo=3 " + good, "check --compat " + red + " " + good,
        "check --model " + red + " " + good, "explain " + good + " field:" + red,
        "explain " + good + " " + red, "explain " + gaps + " '*'",
        "plan --duration " + red + " " + good, "plan --duration 1d --start " + red + " " + good,
        "graph -o " + red + " " + good, "graph -o a.dot --file " + red + " " + good,
        "graph -o a.dot --field " + red + " " + good, "graph -o /nowhere/" + red + ".dot " + good,
        "help " + red, "explain-code " + red, "check --" + red + " " + good}) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.text.find('\x1b'), std::string::npos) << words << '\n' << outcome.text;
    EXPECT_NE(outcome.text.find("\\x1b"), std::string::npos) << words << '\n' << outcome.text;
  }
}

TEST_F(Command, has_a_version_and_helps) {
  EXPECT_EQ(run("--version").text, "epios " EPIOS_VERSION "\n");
  EXPECT_EQ(run("--version").exit_code, 0);
  const Outcome all = run("help");
  EXPECT_EQ(all.exit_code, 0);
  EXPECT_EQ(all.text, run("--help").text);
  EXPECT_EQ(run("help check plan").text,
            "epios: 'plan' is one word too many for help (epios help help says how it is used).\n");
  EXPECT_EQ(run("help check plan").exit_code, 2);
  EXPECT_NE(run("help chek").text.find("Did you mean 'check'?"), std::string::npos);
}

TEST_F(Command, help_is_the_committed_one) {
  // EPIOS_WRITE_GOLDEN=1 writes that of today; read the difference before it is committed.
  std::string shown = run("help").text;
  for (const char* command : {"check", "migrate", "explain-code", "resolve", "explain", "plan",
                              "graph", "report", "top", "doc", "schema", "completion", "help"}) {
    const Outcome help = run(std::string("help ") + command);
    EXPECT_EQ(help.exit_code, 0) << command;
    EXPECT_EQ(help.text, run(std::string(command) + " --help").text);
    shown += "\n$ epios help " + std::string(command) + "\n" + help.text;
  }
  const std::string path = EPIOS_TEST_FOLDER "/commands/help.txt";
  if (std::getenv("EPIOS_WRITE_GOLDEN") != nullptr) std::ofstream(path) << shown;
  std::ifstream stream(path);
  const std::string committed{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_EQ(shown, committed);
}

TEST_F(Command, commands_about_data_files_need_their_program) {
  const std::string alone = (folder / "epios").string();
  std::filesystem::copy_file(EPIOS_COMMAND, alone);
  for (const std::string command :
       {" ls a.nc", " diff a.nc b.nc", " live", " replay", " scale", " advise"}) {
    const test::Outcome outcome = test::run_line(alone + command + " 2>&1");
    const std::string program = command == " live"                            ? "epios-live"
                                : command == " replay"                        ? "epios-replay"
                                : command == " scale" || command == " advise" ? "epios-layouts"
                                                                              : "epios-files";
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.text, "epios: '" + (folder / program).string() +
                                "' cannot be started (No such file or directory). " +
                                (command == " live"
                                     ? "It is built where cpp-httplib is (Debian: "
                                       "libcpp-httplib-dev). Install that, and build EPIOS again?\n"
                                     : "Is EPIOS installed in whole?\n"));
  }
}

TEST_F(Command, strict_and_compat_are_as_in_the_file) {
  const std::string path = file(test::in_context("<unknown/>"));
  EXPECT_EQ(run("check " + path).exit_code, 0);
  const Outcome strict = run("check --strict " + path);
  EXPECT_EQ(strict.exit_code, 1);
  EXPECT_NE(strict.text.find("error: unknown element <unknown>"), std::string::npos) << strict.text;
  EXPECT_EQ(run("check -q --compat xios3 " + path).text, "");
  EXPECT_NE(run("check --strict --compat none " + path).text.find("error: "), std::string::npos);
}

}  // namespace
}  // namespace epios::config::command_line_test
