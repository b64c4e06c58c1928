/// @file
/// What both programs have in common: their options, and how they end.
#pragma once

#include <exception>
#include <filesystem>
#include <optional>

namespace coupled {

struct Options {
  int threads = 1;
  int days = 30;
  std::filesystem::path input = "/usr/share/ferret-vis/data";
  std::filesystem::path iodef = "iodef.xml";
  std::filesystem::path output = ".";
};

/// nullopt: the program has nothing to do but to end with `exit_code`.
std::optional<Options> parse_options(int argc, char** argv, const char* program, int& exit_code);

/// Ends the whole job, whose other program would wait for ever for this one.
[[noreturn]] void end_job(int exit_code);
/// The same, after having said why.
[[noreturn]] void fail(const char* program, const std::exception& error);

}  // namespace coupled
