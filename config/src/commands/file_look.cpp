// Looks into data files for a check by starting `epios-files`, because config itself may not link
// NetCDF. One process looks at the files of each question; answers are kept.
#include "commands/file_look.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <system_error>

#include "commands/data_command.hpp"
#include "config/error.hpp"

namespace epios::config {

namespace {

/// Exit status of a program that could not be started.
constexpr int not_started = 127;
/// How epios-files ends when HDF5 dies of a file, or does not come to an end (BreakdownWatch).
constexpr int broken_down = 70;

struct Output {
  std::vector<std::byte> bytes;
  int status = 0;  ///< status from waitpid()
};

/// Returns what a program prints until it ends, or nullopt if no process could be made.
std::optional<Output> output_of(const std::vector<std::string>& words) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return std::nullopt;
  std::vector<std::string> copies = words;
  std::vector<char*> arguments;
  arguments.reserve(copies.size() + 1);
  for (std::string& word : copies) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    // Its answer says what it found, or its exit status does.
    if (const int nowhere = ::open("/dev/null", O_WRONLY); nowhere >= 0)
      dup2(nowhere, STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    execv(arguments.front(), arguments.data());
    _exit(not_started);
  }
  close(ends[1]);
  Output output;
  std::array<std::byte, 65536> buffer{};
  for (;;) {
    const ssize_t count = child < 0 ? 0 : ::read(ends[0], buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    output.bytes.insert(output.bytes.end(), buffer.begin(), buffer.begin() + count);
  }
  close(ends[0]);
  if (child < 0) return std::nullopt;
  while (waitpid(child, &output.status, 0) < 0 && errno == EINTR) {
  }
  return output;
}

/// nullopt: nothing can look.
std::optional<FileFacts> facts_of(const std::string& program, const FileQuestion& question) {
  std::vector<std::string> words{program, "facts"};
  if (question.wants_dates) words.emplace_back("--dates");
  if (question.wants_stations) words.emplace_back("--stations");
  words.insert(words.end(), {"--", question.path});
  words.insert(words.end(), question.variables.begin(), question.variables.end());
  const std::optional<Output> output = output_of(words);
  if (!output || (WIFEXITED(output->status) && WEXITSTATUS(output->status) == not_started)) {
    return std::nullopt;
  }
  FileFacts facts;
  facts.path = question.path;
  facts.exists = true;
  if (WIFEXITED(output->status) && WEXITSTATUS(output->status) == broken_down) {
    facts.error = "HDF5 breaks down over its structure";
    return facts;
  }
  if (!WIFEXITED(output->status)) {
    facts.error = fmt::format("who looked at it ended by signal {}", WTERMSIG(output->status));
    return facts;
  }
  try {
    std::vector<FileFacts> found = decode_facts(output->bytes);
    if (found.size() == 1) return std::move(found.front());
  } catch (const Error&) {  // another version of the program, or no room for its output
  }
  return std::nullopt;
}

/// Returns true if there are files like those of several writers: <path without .nc>_<number>.nc.
bool may_be_set(const std::string& path) {
  const std::filesystem::path whole(path);
  const std::string front = whole.stem().string() + "_";
  std::error_code problem;
  const std::filesystem::path folder = whole.has_parent_path() ? whole.parent_path() : ".";
  for (const auto& entry : std::filesystem::directory_iterator(folder, problem)) {
    if (entry.path().filename().string().starts_with(front)) return true;
  }
  return false;
}

/// Returns true if the answer to one question contains that to another one about the same file.
bool answers(const FileQuestion& known, const FileQuestion& question) {
  const auto is_known = [&](const std::string& variable) {
    return std::find(known.variables.begin(), known.variables.end(), variable) !=
           known.variables.end();
  };
  if (question.wants_dates && !known.wants_dates) return false;
  if (question.wants_stations != known.wants_stations) return false;
  return known.variables == question.variables ||
         std::all_of(question.variables.begin(), question.variables.end(), is_known);
}

}  // namespace

std::vector<FileFacts> FileLooks::operator()(const std::vector<FileQuestion>& questions) {
  std::vector<FileFacts> files;
  std::error_code problem;
  const std::string program = files_program();
  for (const FileQuestion& question : questions) {
    const auto seen = seen_.find(question.path);
    if (seen != seen_.end() && answers(seen->second.question, question)) {
      files.push_back(seen->second.facts);
      continue;
    }
    const auto status = std::filesystem::status(question.path, problem);
    const bool is_nowhere = status.type() == std::filesystem::file_type::not_found;
    if (is_nowhere && !may_be_set(question.path)) {
      FileFacts none;
      none.path = question.path;
      none.folder = std::filesystem::current_path(problem).string();
      files.push_back(std::move(none));
      continue;
    }
    std::optional<FileFacts> facts = facts_of(program, question);
    if (!facts) {
      fmt::print(stderr, "epios: files that are read are not looked at ('{}' gives no answer)\n",
                 program);
      return {};
    }
    seen_.insert_or_assign(question.path, Seen{question, *facts});
    files.push_back(std::move(*facts));
  }
  return files;
}

}  // namespace epios::config
