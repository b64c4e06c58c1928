#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace epios::config {

/// Returns the path of the program that reads data files, which is beside this one.
std::string files_program();

/// Returns true if another program in the folder of `epios` itself runs a command: `epios-files`
/// those that read data files, `epios-live` the one that needs HTTP.
bool is_data_command(std::string_view word);

/// Replaces this process by that program; `arguments` are those of main(). Returns only if that
/// fails: prints the reason on stderr and returns an exit code.
int run_data_command(char* const* arguments);
/// The same with `epios-live` and these words, the first of which is its command.
int run_live_program(const std::vector<std::string>& words);

}  // namespace epios::config
