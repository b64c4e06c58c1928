/// @file
/// The arguments of `epios`: commands, options, and messages about wrong ones.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "commands/commands.hpp"

namespace epios::config {

/// Runs a command once its arguments are read.
using Action = std::function<int()>;

class CommandLine {
 public:
  CommandLine();
  // The parser points into it.
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;
  CommandLine(CommandLine&&) = delete;
  CommandLine& operator=(CommandLine&&) = delete;
  ~CommandLine() = default;

  /// Returns the exit code if there is nothing more to do: after help, or after arguments that are
  /// not understood, with a message on standard error.
  std::optional<int> parse(int argc, const char* const* argv);
  const Action& action() const { return action_; }
  /// Returns the file of a command with --json, or nullptr.
  const std::string* json_file() const;

 private:
  CLI::App* add(const char* name, const char* help);
  void add_input(CLI::App& command, Input& input);
  void add_check();
  void add_migrate();
  void add_explain_code();
  void add_resolve();
  void add_explain();
  void add_plan();
  void add_graph();
  void add_report();
  void add_top();
  void add_help();
  void add_text(const char* name, const char* help, const std::function<std::string()>& text);
  void print_help(const std::vector<std::string>& words) const;
  std::vector<std::string_view> names() const;
  void require_known(const std::string& command) const;
  void parse_words(int argc, const char* const* argv);
  [[noreturn]] void refuse_extra(const CLI::App& command, const std::string& word) const;
  std::string completion() const;

  CLI::App app_;
  CheckOptions check_;
  MigrateOptions migrate_;
  ExplainCodeOptions explain_code_;
  ResolveOptions resolve_;
  ExplainOptions explain_;
  PlanOptions plan_;
  GraphOptions graph_;
  ReportOptions report_;
  TopOptions top_;
  std::string help_about_;
  Action action_;
};

}  // namespace epios::config
