// Whatever a configuration holds, findings can be printed: no character that a terminal would obey,
// no value of a thousand characters. Each value of the golden folders is once such a text.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "config/check.hpp"
#include "config/unused.hpp"
#include "text/printable.hpp"

namespace epios::config::hostile_test {
namespace {

using Path = std::filesystem::path;

/// What clears a screen, a control sequence of one character, and a turn of direction; then length.
std::string hostile(std::size_t length) {
  return "\x1b[2J\xc2\x9b"
         "31m\xe2\x80\xae" +
         std::string(length, 'x') + "\x1b[0m";
}

/// Begin and length of each text between double quotes, and between tags.
std::vector<std::pair<std::size_t, std::size_t>> values_of(const std::string& text) {
  std::vector<std::pair<std::size_t, std::size_t>> result;
  for (std::size_t open = text.find('"'); open != std::string::npos;) {
    const std::size_t close = text.find('"', open + 1);
    if (close == std::string::npos) break;
    result.emplace_back(open + 1, close - open - 1);
    open = text.find('"', close + 1);
  }
  for (std::size_t end = text.find('>'); end != std::string::npos; end = text.find('>', end + 1)) {
    const std::size_t next = text.find('<', end);
    const std::size_t word = text.find_first_not_of(" \n\t", end + 1);
    if (next != std::string::npos && word < next) result.emplace_back(word, next - word);
  }
  return result;
}

void expect_printable(const SourceTexts& sources, const std::string& where) {
  std::vector<Diagnostic> findings = check(sources);
  const std::vector<Diagnostic> idle = unused(sources);
  findings.insert(findings.end(), idle.begin(), idle.end());
  for (const Diagnostic& finding : findings) {
    const std::string text = finding.text();
    EXPECT_EQ(text, printable(text)) << where;
    EXPECT_LT(text.size(), 2500U) << where << text;
  }
}

class Hostile : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { std::filesystem::current_path(Path(EPIOS_TEST_FOLDER) / GetParam()); }
  void TearDown() override { std::filesystem::current_path(home_); }

 private:
  Path home_ = std::filesystem::current_path();
};

TEST_P(Hostile, findings_can_be_printed) {
  const SourceTexts good = try_read_sources("iodef.xml").sources;
  for (std::size_t file = 0; file < good.size(); ++file) {
    const auto values = values_of(good[file].text);
    const std::size_t stride = 1 + values.size() / 60;
    for (std::size_t i = 0; i < values.size(); i += stride) {
      SourceTexts sources = good;
      sources[file].text.replace(values[i].first, values[i].second, hostile(i % 2 == 0 ? 5000 : 3));
      expect_printable(sources, good[file].text.substr(values[i].first, values[i].second));
      if (HasFailure()) return;
    }
  }
}

std::vector<std::string> folders() {
  std::vector<std::string> names;
  for (const std::string collection : {"golden", "golden_errors"}) {
    for (const auto& entry :
         std::filesystem::directory_iterator(Path(EPIOS_TEST_FOLDER) / collection)) {
      if (entry.is_directory()) {
        names.push_back(collection + "/" + entry.path().filename().string());
      }
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Golden, Hostile, testing::ValuesIn(folders()), [](const auto& folder) {
  std::string name = folder.param;
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
});

}  // namespace
}  // namespace epios::config::hostile_test
