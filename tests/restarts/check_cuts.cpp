// check_cuts <folder of the whole run> <folders of the cut ones...>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "../client/cut_files.hpp"

namespace {

std::string whole;
std::set<std::string> cut;

TEST(Cuts, AllJobsTogetherHaveTheFilesOfOne) {
  ASSERT_FALSE(cut.empty());
  epios::client::compare(cut, {whole});
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc > 1) whole = argv[1];
  for (int i = 2; i < argc; ++i) cut.insert(argv[i]);
  return RUN_ALL_TESTS();
}
