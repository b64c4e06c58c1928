#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <string_view>

#include "commands/commands.hpp"
#include "config/error.hpp"
#include "config/flow_graph.hpp"

namespace epios::config {

namespace {

[[noreturn]] void refuse(const std::string& problem, const std::string& why,
                         const std::string& suggestion = {}) {
  throw Error(ErrorCode::io,
              fmt::format("{} ({}).{}{}", problem, why, suggestion.empty() ? "" : " ", suggestion));
}

using Stream = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

Stream temporary_file() {
  Stream file(std::tmpfile(), std::fclose);
  if (!file) refuse("no temporary file", std::strerror(errno));
  return file;
}

/// Runs `dot -Tsvg` from one open file into another; without a shell, since names are anything.
void run_dot(int input, int output) {
  std::array<std::string, 2> words{"dot", "-Tsvg"};
  std::array<char*, 3> arguments{words[0].data(), words[1].data(), nullptr};
  posix_spawn_file_actions_t actions;
  int error = posix_spawn_file_actions_init(&actions);
  if (error != 0) refuse("dot cannot be run", std::strerror(error));
  pid_t pid = 0;
  error = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  if (error == 0) error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  if (error == 0) {
    error = posix_spawnp(&pid, "dot", &actions, nullptr, arguments.data(), environ);
  }
  (void)posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    refuse("dot cannot be run", std::strerror(error),
           "Install Graphviz, or write the graph itself with -o flow.dot.");
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) refuse("dot was lost", std::strerror(errno));
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) refuse("dot failed", "see its message above");
}

std::string read_all(std::FILE* file) {
  std::string text;
  std::array<char, 4096> buffer{};
  std::rewind(file);
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), file)) {
    text.append(buffer.data(), got);
  }
  return text;
}

std::string picture_of(const std::string& graph) {
  const Stream input = temporary_file();
  const Stream output = temporary_file();
  if (std::fwrite(graph.data(), 1, graph.size(), input.get()) != graph.size() ||
      std::fflush(input.get()) != 0) {
    refuse("the graph cannot be handed to dot", std::strerror(errno));
  }
  std::rewind(input.get());
  run_dot(fileno(input.get()), fileno(output.get()));
  return read_all(output.get());
}

/// The picture alone: what stands before <svg belongs to a file of its own.
std::string page_of(const std::string& picture, const std::string& title) {
  const std::size_t begin = picture.find("<svg");
  std::string safe;
  for (const char c : title) safe += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta "
      "charset=\"utf-8\"><title>{}</title></head>\n"
      "<body>\n{}</body>\n</html>\n",
      safe, begin == std::string::npos ? picture : picture.substr(begin));
}

}  // namespace

int run_graph(const GraphOptions& options) {
  const ReadInput input = read(options.input);
  const std::string graph = flow_graph(input.sources, input.additions);
  std::string text;
  if (options.output.ends_with(".dot")) {
    text = graph;
  } else if (options.output.ends_with(".svg")) {
    text = picture_of(graph);
  } else if (options.output.ends_with(".html")) {
    text = page_of(picture_of(graph), options.input.file);
  } else {
    throw Error(ErrorCode::argument,
                fmt::format("'{}' is no kind of picture (its ending says which). Use .svg, .html "
                            "or .dot.",
                            options.output));
  }
  std::ofstream stream(options.output, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) refuse(fmt::format("'{}' cannot be written", options.output), std::strerror(errno));
  return 0;
}

}  // namespace epios::config
