#include <fmt/format.h>

#include <string>
#include <vector>

#include "commands/commands.hpp"
#include "commands/data_command.hpp"
#include "config/watched_runs.hpp"

namespace epios::config {

int run_top(const TopOptions& options) {
  if (options.connect.empty()) {
    RunWatch watch(options.job);
    return show_runs(options, [&watch] { return watch.look(); });
  }
  std::vector<std::string> words{"top",
                                 "--connect",
                                 options.connect,
                                 "--sort",
                                 options.sort,
                                 "--interval",
                                 fmt::format("{}", options.interval_s)};
  if (!options.job.empty()) words.insert(words.end(), {"--job", options.job});
  if (options.once) words.emplace_back("--once");
  if (options.json) words.emplace_back("--json");
  return run_live_program(words);
}

}  // namespace epios::config
