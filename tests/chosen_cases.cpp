#include "chosen_cases.hpp"

#include <fnmatch.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace epios::tests {
namespace {

/// A source named in an option, and how many cases it has.
struct ChosenSource {
  std::string name;
  int cases = 0;
};

std::optional<std::vector<ChosenSource>> sources_of(std::string_view option, int argc,
                                                    char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.substr(0, option.size()) != option) continue;
    std::vector<ChosenSource> sources;
    for (std::string_view names = argument.substr(option.size()); !names.empty();) {
      const auto end = std::min(names.find(','), names.size());
      sources.push_back({std::string(names.substr(0, end))});
      names.remove_prefix(std::min(end + 1, names.size()));
    }
    return sources;
  }
  return std::nullopt;
}

/// True if the file's path ends with the source's, whole names of folders compared.
bool is_of(std::string_view file, std::string_view source) {
  if (file.size() < source.size() || file.substr(file.size() - source.size()) != source)
    return false;
  return file.size() == source.size() || file[file.size() - source.size() - 1] == '/';
}

template <typename Visit>
void visit_cases(const Visit& visit) {
  const auto& program = *testing::UnitTest::GetInstance();
  for (int i = 0; i < program.total_test_suite_count(); ++i) {
    const auto& suite = *program.GetTestSuite(i);
    for (int j = 0; j < suite.total_test_count(); ++j) visit(*suite.GetTestInfo(j));
  }
}

std::string name_of(const testing::TestInfo& test) {
  return std::string(test.test_suite_name()) + "." + test.name();
}

bool matches_one_of(const std::string& name, std::string_view patterns) {
  while (!patterns.empty()) {
    const auto end = std::min(patterns.find(':'), patterns.size());
    if (fnmatch(std::string(patterns.substr(0, end)).c_str(), name.c_str(), 0) == 0) return true;
    patterns.remove_prefix(std::min(end + 1, patterns.size()));
  }
  return false;
}

/// True if a filter of GoogleTest lets the case run: what stands before its dash, without what
/// follows.
bool is_let_through(const std::string& name, std::string_view filter) {
  const auto dash = std::min(filter.find('-'), filter.size());
  const std::string_view wanted = dash == 0 ? "*" : filter.substr(0, dash);
  return matches_one_of(name, wanted) &&
         !matches_one_of(name, filter.substr(std::min(dash + 1, filter.size())));
}

/// Cases of the sources that the filter lets through; those of others are told to `visit_other`.
template <typename VisitOther>
std::string cases_of(std::vector<ChosenSource>& sources, const VisitOther& visit_other) {
  const std::string filter = GTEST_FLAG_GET(filter);
  std::string cases;
  visit_cases([&](const testing::TestInfo& test) {
    const auto source = std::find_if(sources.begin(), sources.end(), [&](const auto& candidate) {
      return is_of(test.file(), candidate.name);
    });
    if (source == sources.end()) {
      visit_other(test);
      return;
    }
    ++source->cases;
    if (is_let_through(name_of(test), filter)) cases += name_of(test) + ":";
  });
  return cases;
}

/// True if each source has a case.
bool have_cases(const std::vector<ChosenSource>& sources) {
  bool all = !sources.empty();
  for (const auto& source : sources) {
    if (source.cases > 0) continue;
    std::fprintf(stderr, "this program has no case of '%s'. Is the source one of its own?\n",
                 source.name.c_str());
    all = false;
  }
  return all;
}

int check_that_only_in(std::vector<ChosenSource> sources) {
  bool only_there = true;
  cases_of(sources, [&](const testing::TestInfo& test) {
    std::fprintf(stderr, "no test starts %s (%s:%d). Name its source in a start?\n",
                 name_of(test).c_str(), test.file(), test.line());
    only_there = false;
  });
  return have_cases(sources) && only_there ? 0 : 1;
}

}  // namespace

int run_chosen_cases(int argc, char** argv) {
  if (auto sources = sources_of("--cases_only_in=", argc, argv))
    return check_that_only_in(std::move(*sources));
  if (auto sources = sources_of("--cases_of=", argc, argv)) {
    const std::string cases = cases_of(*sources, [](const testing::TestInfo&) {});
    if (!have_cases(*sources)) return 1;
    // A filter of nothing would let everything through.
    GTEST_FLAG_SET(filter, cases.empty() ? "-*" : cases);
  }
  const int failed = RUN_ALL_TESTS();
  if (GTEST_FLAG_GET(list_tests)) return failed;
  if (testing::UnitTest::GetInstance()->test_to_run_count() == 0) {
    std::fprintf(stderr, "no case was chosen. Is the filter '%s' spelt as its tests?\n",
                 GTEST_FLAG_GET(filter).c_str());
    return 1;
  }
  return failed;
}

}  // namespace epios::tests
