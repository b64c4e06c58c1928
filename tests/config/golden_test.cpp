// XML in, findings and resolved model out: one folder per rule in golden/, and one per error
// message in golden_errors/, without the model there. EPIOS_WRITE_GOLDEN=1 in the environment
// writes the outcome of today instead of comparing; read the difference before it is committed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "config/model_xml.hpp"
#include "sample.hpp"

namespace epios::config::golden_test {
namespace {

using Path = std::filesystem::path;

std::vector<std::string> folders_of(const char* collection) {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(Path(EPIOS_TEST_FOLDER) / collection))
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string text_of(const Path& path) {
  std::ifstream stream(path);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::string lines(const std::vector<Diagnostic>& findings) {
  std::string text;
  for (const Diagnostic& finding : findings) text += finding.text() + "\n";
  return text;
}

/// Works in the folder of its parameter, so that messages name files as a user would see them.
class Golden : public testing::TestWithParam<std::string> {
 protected:
  explicit Golden(const char* collection)
      : folder_(Path(EPIOS_TEST_FOLDER) / collection / GetParam()) {}
  void SetUp() override { std::filesystem::current_path(folder_); }
  void TearDown() override { std::filesystem::current_path(home_); }

  static void compare(const std::string& name, const std::string& outcome) {
    if (std::getenv("EPIOS_WRITE_GOLDEN") != nullptr) {
      std::ofstream(name) << outcome;
      return;
    }
    EXPECT_EQ(outcome, text_of(name)) << name;
  }

 private:
  Path folder_;
  Path home_ = std::filesystem::current_path();
};

class Rule : public Golden {
 protected:
  Rule() : Golden("golden") {}
};

TEST_P(Rule, outcome_is_the_committed_one) {
  const Checked checked = check_and_resolve(read_sources("iodef.xml"));
  compare("findings.txt", lines(checked.findings));
  std::string models;
  for (const Model& model : checked.models) models += to_json(model);
  compare("model.json", models);
}

TEST_P(Rule, models_survive_their_bytes) {
  for (const Model& model : check_and_resolve(read_sources("iodef.xml")).models) {
    const std::vector<std::byte> bytes = encode(model);
    EXPECT_EQ(to_json(decode_model(bytes)), to_json(model));
    EXPECT_EQ(encode(decode_model(bytes)), bytes);
  }
}

TEST_P(Rule, models_survive_their_print) {
  const Checked checked = check_and_resolve(read_sources("iodef.xml"));
  for (const Diagnostic& finding : checked.findings) {
    if (finding.severity == Severity::error) GTEST_SKIP() << "is not to be printed";
  }
  const auto has = [&](const auto& is) {
    return std::any_of(checked.models.begin(), checked.models.end(), [&](const Model& model) {
      return std::any_of(model.files.begin(), model.files.end(),
                         [](const File& file) { return file.streams.empty(); }) &&
             is(model);
    });
  };
  const auto waits = [](const Model& model) {
    return std::any_of(model.couplers.begin(), model.couplers.end(), [](const Coupler& coupler) {
      return std::any_of(coupler.fields.begin(), coupler.fields.end(),
                         [](const CoupledField& field) { return field.grid < 0; });
    });
  };
  if (has(waits)) {
    EXPECT_THROW(to_xml(checked.models), ConfigError) << "of a file without fields";
    return;
  }
  const Checked again = check_and_resolve({{"printed.xml", to_xml(checked.models, checked.run)}});
  for (const Diagnostic& finding : again.findings) {
    EXPECT_NE(finding.severity, Severity::error) << finding.text();
  }
  EXPECT_EQ(to_json(again.run.servers), to_json(checked.run.servers));
  EXPECT_EQ(again.run.variables.size(), checked.run.variables.size());
  ASSERT_EQ(again.models.size(), checked.models.size()) << lines(again.findings);
  for (std::size_t i = 0; i < again.models.size(); ++i) {
    const Model& model = checked.models[i];
    const auto is_empty = [](const File& file) { return file.streams.empty(); };
    const bool leaves_out = !model.unwritten.unmade.empty() ||
                            std::any_of(model.files.begin(), model.files.end(), is_empty);
    EXPECT_EQ(again.models[i].streams.size(), model.streams.size()) << lines(again.findings);
    if (leaves_out) continue;  // what nobody takes is not there either
    EXPECT_EQ(to_json(again.models[i]), to_json(model)) << lines(again.findings);
  }
}

INSTANTIATE_TEST_SUITE_P(Golden, Rule, testing::ValuesIn(folders_of("golden")),
                         [](const auto& rule) { return rule.param; });

class Message : public Golden {
 protected:
  Message() : Golden("golden_errors") {}
};

TEST_P(Message, is_the_committed_one) {
  std::vector<Diagnostic> findings;
  try {
    findings = check(read_sources("iodef.xml"));
  } catch (const ConfigError& error) {
    findings = error.diagnostics();
  }
  EXPECT_FALSE(findings.empty());
  compare("findings.txt", lines(findings));
}

INSTANTIATE_TEST_SUITE_P(Golden, Message, testing::ValuesIn(folders_of("golden_errors")),
                         [](const auto& message) { return message.param; });

}  // namespace
}  // namespace epios::config::golden_test
