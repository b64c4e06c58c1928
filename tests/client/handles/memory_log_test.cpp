#include "handles/memory_log.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "../scratch.hpp"

namespace epios::client::memory_log_test {
namespace {

std::string text_of(const std::string& path) {
  std::ostringstream out;
  out << std::ifstream(path).rdbuf();
  return out.str();
}

// The name is that of every run in the folder.
TEST(MemoryLog, replaces_an_earlier_table_and_writes_to_no_link) {
  const Scratch scratch("");
  std::ofstream("victim") << "precious";
  for (const char* kind : {"nothing", "table", "link", "other name"}) {
    std::filesystem::remove("xios_memory_3.csv");
    if (kind == std::string("table")) std::ofstream("xios_memory_3.csv") << "old";
    if (kind == std::string("link")) std::filesystem::create_symlink("victim", "xios_memory_3.csv");
    if (kind == std::string("other name"))
      std::filesystem::create_hard_link("victim", "xios_memory_3.csv");
    MemoryLog log(3);
    log.add("here");
    log.flush();
    EXPECT_EQ(text_of("xios_memory_3.csv").rfind("place,seconds,resident_mb\nhere,", 0), 0U)
        << kind;
    EXPECT_EQ(text_of("victim"), "precious") << kind;
  }
}

}  // namespace
}  // namespace epios::client::memory_log_test
