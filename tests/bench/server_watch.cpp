#include "server_watch.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace bench {
namespace {

/// Fields of /proc/<pid>/stat after the command's name: state, parent, ...
std::vector<std::string> stat_fields(const std::string& folder, std::string& name) {
  std::ifstream file(folder + "/stat");
  std::string text;
  std::getline(file, text);
  const std::size_t open = text.find('(');
  const std::size_t close = text.rfind(')');
  if (open == std::string::npos || close == std::string::npos) return {};
  name = text.substr(open + 1, close - open - 1);
  std::istringstream rest(text.substr(close + 1));
  std::vector<std::string> fields;
  for (std::string word; rest >> word;) fields.push_back(word);
  return fields;
}

std::int64_t kb_of(const std::string& path, const std::string& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.compare(0, key.size() + 1, key + ":") == 0) {
      return std::stoll(line.substr(key.size() + 1));
    }
  }
  return 0;
}

}  // namespace

ServerWatch::ServerWatch() {
  constexpr std::size_t parent_field = 1;
  const std::string launcher = std::to_string(getppid());
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string pid = entry.path().filename().string();
    if (pid.find_first_not_of("0123456789") != std::string::npos) continue;
    std::string name;
    const auto fields = stat_fields(entry.path().string(), name);
    if (name == "epios_server" && fields.size() > parent_field &&
        fields[parent_field] == launcher) {
      processes_.push_back(entry.path().string());
    }
  }
}

ServerUse ServerWatch::look() const {
  constexpr std::size_t user_field = 11;
  constexpr std::size_t system_field = 12;
  const auto ticks_per_s = static_cast<double>(sysconf(_SC_CLK_TCK));
  ServerUse use;
  for (const std::string& folder : processes_) {
    std::string name;
    const auto fields = stat_fields(folder, name);
    if (fields.size() <= system_field) continue;
    use.cpu_s += (std::stod(fields[user_field]) + std::stod(fields[system_field])) / ticks_per_s;
    const std::int64_t anonymous = kb_of(folder + "/status", "RssAnon");
    if (anonymous > use.anonymous_kb) {
      use.anonymous_kb = anonymous;
      use.shared_kb = kb_of(folder + "/status", "RssShmem");
    }
  }
  return use;
}

double ServerWatch::pss_kb() const {
  double sum = 0;
  for (const std::string& folder : processes_) {
    sum += static_cast<double>(kb_of(folder + "/smaps_rollup", "Pss"));
  }
  return sum;
}

double own_pss_kb() { return static_cast<double>(kb_of("/proc/self/smaps_rollup", "Pss")); }

std::int64_t own_anonymous_kb() { return kb_of("/proc/self/status", "RssAnon"); }

}  // namespace bench
