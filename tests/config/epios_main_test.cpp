// The command as people run it: what it prints and how it exits.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "sample.hpp"

namespace epios::config {
namespace {

struct Outcome {
  std::string text;
  int exit_code = -1;
};

Outcome run(const std::string& arguments) {
  Outcome outcome;
  const std::string command = std::string(EPIOS_COMMAND " ") + arguments + " 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return outcome;
  std::array<char, 4096> buffer{};
  while (const std::size_t got = fread(buffer.data(), 1, buffer.size(), pipe)) {
    outcome.text.append(buffer.data(), got);
  }
  const int status = pclose(pipe);
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  return outcome;
}

class Command : public testing::Test {
 protected:
  void SetUp() override {
    folder = std::filesystem::path(testing::TempDir()) /
             testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  std::string file(const std::string& text) const {
    std::string path = (folder / "iodef.xml").string();
    std::ofstream(path) << text;
    return path;
  }
  std::filesystem::path folder;
};

TEST_F(Command, check_is_quiet_about_a_good_configuration) {
  const std::string path = file(test::sample_xml);
  const Outcome outcome = run("check " + path);
  EXPECT_EQ(outcome.text, path + ": 0 errors, 0 warnings, 0 notes\n");
  EXPECT_EQ(outcome.exit_code, 0);
}

TEST_F(Command, check_shows_the_line_and_a_caret) {
  const std::string path = file(
      "<simulation>\n<context id=\"a\">\n<calendar type=\"NoLeap\" timestep=\"1h\"/>\n"
      "\t<field_definition\r\n\t  opertion=\"average\"/>\n</context></simulation>\n");
  const Outcome outcome = run("check " + path);
  EXPECT_EQ(outcome.text,
            path +
                ":5:4: error: unknown attribute 'opertion' of <field_definition>. Did "
                "you mean 'operation'?\n"
                "  \t  opertion=\"average\"/>\n"
                "  \t  ^\n" +
                path + ": 1 error, 0 warnings, 0 notes\n");
  EXPECT_EQ(outcome.exit_code, 1);
}

TEST_F(Command, check_does_not_ask_for_what_the_model_sets) {
  std::string text = test::sample_xml;
  for (const char* given : {" n_glo=\"3\"", " value=\"(0,2)[5 15.5 40]\"", " ni_glo=\"8\"",
                            " nj_glo=\"4\"", " timestep=\"1h\""}) {
    text.erase(text.find(given), std::string(given).size());
  }
  const std::string path = file(text);
  const Outcome outcome = run("check " + path);
  EXPECT_NE(outcome.text.find("0 errors, 0 warnings, 4 notes\n"), std::string::npos)
      << outcome.text;
  EXPECT_EQ(outcome.exit_code, 0);
}

TEST_F(Command, check_names_a_missing_file) {
  const Outcome outcome = run("check nowhere.xml");
  EXPECT_EQ(outcome.text,
            "nowhere.xml: error: file 'nowhere.xml' cannot be read (it does not exist).\n"
            "nowhere.xml: 1 error, 0 warnings, 0 notes\n");
  EXPECT_EQ(outcome.exit_code, 1);
}

TEST_F(Command, asks_for_a_subcommand) { EXPECT_NE(run("").exit_code, 0); }

TEST_F(Command, prints_reference_and_schema) {
  EXPECT_EQ(run("doc").text.substr(0, 15), "# XML reference");
  EXPECT_EQ(run("schema").text.substr(0, 5), "<?xml");
}

}  // namespace
}  // namespace epios::config
