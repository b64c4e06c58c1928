// A report is read; or a recording is played, by the program that lies beside this one, so that
// there is a report to read.
#include "short_run.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

#include "config/error.hpp"

namespace epios::layouts {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& recording, const std::string& why) {
  throw Error(ErrorCode::io,
              fmt::format("recording '{}' cannot be played ({}). Does epios replay play it?",
                          recording, why));
}

/// A new folder beside a recording, on the file system on which its run wrote.
class FolderBeside {
 public:
  explicit FolderBeside(const std::string& recording) : path_(recording + ".advise.XXXXXX") {
    if (::mkdtemp(path_.data()) == nullptr) {
      refuse(recording,
             fmt::format("a folder '{}' cannot be made: {}", path_, std::strerror(errno)));
    }
  }
  FolderBeside(const FolderBeside&) = delete;
  FolderBeside& operator=(const FolderBeside&) = delete;
  FolderBeside(FolderBeside&&) = delete;
  FolderBeside& operator=(FolderBeside&&) = delete;
  ~FolderBeside() {
    std::error_code stays;
    fs::remove_all(path_, stays);
    if (stays) fmt::print(stderr, "epios: note: '{}' stays: {}\n", path_, stays.message());
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string replay_program() {
  std::error_code unknown;
  const fs::path own = fs::read_symlink("/proc/self/exe", unknown);
  return (own.parent_path() / "epios-replay").string();
}

/// Runs a program, whose standard output becomes the standard error. Returns its status as of
/// waitpid(), or why there is none.
int run(std::vector<std::string> words, std::string& problem) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  int error = posix_spawn_file_actions_init(&actions);
  pid_t child = 0;
  int status = 0;
  if (error == 0) {
    error = posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    if (error == 0) {
      error = posix_spawn(&child, arguments.front(), &actions, nullptr, arguments.data(), environ);
    }
    static_cast<void>(posix_spawn_file_actions_destroy(&actions));
  }
  while (error == 0 && waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) error = errno;
  }
  if (error != 0) problem = fmt::format("'{}': {}", words.front(), std::strerror(error));
  return status;
}

bool has_context(const config::RunReport& report, const std::string& context) {
  return std::any_of(report.contexts.begin(), report.contexts.end(),
                     [&](const config::ContextCost& one) { return one.id == context; });
}

}  // namespace

config::RunReport read_report(const std::string& path) {
  std::ifstream stream(path);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream.good() && text.empty()) {
    throw Error(ErrorCode::io,
                fmt::format("report '{}' cannot be read (it is not there, or empty). Is it what a "
                            "run wrote for report_file, or EPIOS_REPORT?",
                            path));
  }
  try {
    return config::read_run_report(text);
  } catch (const Error& error) {
    throw error.within("report '" + path + "'");
  }
}

config::RunReport play_recording(const std::string& recording, const std::string& context,
                                 const std::string& mpiexec) {
  std::string name = fs::absolute(recording).lexically_normal().string();
  while (name.ends_with('/')) name.pop_back();
  if (!fs::is_directory(name)) refuse(recording, "there is no such folder");
  const FolderBeside folder(name);
  // This program has no threads. The report is named for each component: run_ocean.json.
  ::setenv("EPIOS_REPORT", (folder.path() + "/run.json").c_str(), 1);
  std::vector<std::string> words{replay_program(), name, "--recorded-time", "--folder",
                                 folder.path() + "/played"};
  if (!mpiexec.empty()) words.insert(words.end(), {"--mpiexec", mpiexec});
  std::string problem;
  const int status = run(std::move(words), problem);
  if (!problem.empty()) refuse(recording, problem);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    refuse(recording, "epios replay has failed, as it says above");
  }
  for (const fs::directory_entry& file : fs::directory_iterator(folder.path())) {
    if (file.path().extension() != ".json") continue;
    config::RunReport report = read_report(file.path().string());
    if (has_context(report, context)) return report;
  }
  throw Error(ErrorCode::argument,
              fmt::format("recording '{}' has no component with context '{}'. Is it of a run of "
                          "this configuration?",
                          recording, context));
}

}  // namespace epios::layouts
