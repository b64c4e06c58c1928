// XML in, findings and resolved model out: one folder per rule in golden/. EPIOS_WRITE_GOLDEN=1 in
// the environment writes the outcome of today instead of comparing; read the difference before it
// is committed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "sample.hpp"

namespace epios::config {
namespace {

const std::filesystem::path& golden_folder() {
  static const std::filesystem::path folder = std::filesystem::path(EPIOS_TEST_FOLDER) / "golden";
  return folder;
}

std::vector<std::string> rules() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(golden_folder())) {
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream stream(path);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

class Golden : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    folder = golden_folder() / GetParam();
    sources = read_sources(folder / "iodef.xml");
    // Messages name files as they are given; the folder of the sources is no part of the rule.
    const std::string prefix = folder.lexically_normal().string() + "/";
    for (SourceText& source : sources) {
      ASSERT_TRUE(source.path.starts_with(prefix));
      source.path.erase(0, prefix.size());
    }
  }
  void compare(const std::string& name, const std::string& outcome) const {
    if (std::getenv("EPIOS_WRITE_GOLDEN") != nullptr) {
      std::ofstream(folder / name) << outcome;
      return;
    }
    EXPECT_EQ(outcome, text_of(folder / name)) << name;
  }
  std::filesystem::path folder;
  SourceTexts sources;
};

TEST_P(Golden, outcome_is_the_committed_one) {
  const Checked checked = check_and_resolve(sources);
  std::string findings;
  for (const Diagnostic& finding : checked.findings) findings += finding.text() + "\n";
  compare("findings.txt", findings);
  std::string models;
  for (const Model& model : checked.models) models += to_json(model);
  compare("model.json", models);
}

TEST_P(Golden, models_survive_their_bytes) {
  for (const Model& model : check_and_resolve(sources).models) {
    const std::vector<std::byte> bytes = encode(model);
    EXPECT_EQ(to_json(decode_model(bytes)), to_json(model));
    EXPECT_EQ(encode(decode_model(bytes)), bytes);
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, Golden, testing::ValuesIn(rules()),
                         [](const auto& rule) { return rule.param; });

}  // namespace
}  // namespace epios::config
