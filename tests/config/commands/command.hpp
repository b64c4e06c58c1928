// The command as people run it.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "../../scratch_folder.hpp"

namespace epios::config::test {

struct Outcome {
  std::string text;
  int exit_code = -1;
};

inline Outcome run_line(const std::string& command) {
  Outcome outcome;
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

inline Outcome run(const std::string& arguments) {
  return run_line(std::string(EPIOS_COMMAND " ") + arguments + " 2>&1");
}

class Command : public testing::Test {
 protected:
  std::string file(const std::string& text, const std::string& name = "iodef.xml") const {
    std::string path = (folder / name).string();
    std::ofstream(path) << text;
    return path;
  }

  const epios::test::ScratchFolder own_folder{"epios_command"};
  const std::filesystem::path folder = own_folder.path();
};

}  // namespace epios::config::test
