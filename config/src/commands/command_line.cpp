// Defines the commands of `epios` and their options, and reports unknown words with a suggestion.
// Each add_ function declares one command and what it runs.
#include "commands/command_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <vector>

#include "config/error.hpp"
#include "config/reference.hpp"
#include "config/suggestion.hpp"
#include "text/printable.hpp"
#include "text/text.hpp"

namespace epios::config {

namespace {

[[noreturn]] void refuse_words(const std::string& problem, const std::string& why,
                               const std::string& suggestion) {
  throw Error(ErrorCode::argument,
              fmt::format("{} ({}).{}{}", problem, why, suggestion.empty() ? "" : " ", suggestion));
}

bool is_option(std::string_view word) { return word.size() > 1 && word.starts_with('-'); }

/// "--json", from "--json=1" too.
std::string_view name_of(std::string_view option) { return option.substr(0, option.find('=')); }

}  // namespace

CommandLine::CommandLine() : app_("Looks after EPIOS configurations.", "epios") {
  app_.set_version_flag("--version", "epios " EPIOS_VERSION, "Print the version");
  // Unknown words are reported here, with a suggestion.
  app_.allow_extras();
  add_check();
  add_migrate();
  add_explain_code();
  add_resolve();
  add_explain();
  add_plan();
  add_graph();
  add_report();
  add_top();
  add("live", "Show the runs on this node in a browser (epios live --help)");
  add("replay", "Play the recording of a run on another layout (epios replay --help)");
  add("advise", "Say which servers and settings suit a run, and why (epios advise --help)");
  add("scale", "Say what a job of any size would send and hold (epios scale --help)");
  add("ls", "Show what data files hold (epios ls --help)");
  add("diff", "Compare the data of two files (epios diff --help)");
  add("recover", "Make a file of what a killed run has left (epios recover --help)");
  add("info", "Say how many bits of each field carry information (epios info --help)");
  add("remap", "Put the fields of a file onto another grid (epios remap --help)");
  add("ragged", "Make trajectories of points that come and go (epios ragged --help)");
  add("references", "Write references by which readers of Zarr read a NetCDF-4 file (kerchunk)");
  add_text("doc", "Print the reference page of all XML", reference_page);
  add_text("schema", "Print an XML Schema for editors", xml_schema);
  add_text("completion", "Print completion for bash", [this] { return completion(); });
  add_help();
  check_.colour = explain_.colour = colour_of_output();
  app_.footer(
      "Exit codes: 0 good, 1 mistakes in the configuration, 2 no answer, 3 no mistake, but no run "
      "can do all of it yet (of check).");
}

CLI::App* CommandLine::add(const char* name, const char* help) {
  CLI::App* command = app_.add_subcommand(name, help);
  command->allow_extras();
  return command;
}

void CommandLine::add_input(CLI::App& command, Input& input) {
  command.add_option("file", input.file, "the entry file, usually iodef.xml")->required();
  command.add_option(
      "--model", input.model,
      "XML file with what the model says at run time (check --write-model makes one)");
  // One value each, as what follows may be the file.
  command
      .add_option(
          "--set", input.settings,
          "a value of the model: kind:id.attribute=value, of a group (field_group:id) too, or "
          "variable:id=value; context/ before it means that one alone; again for more")
      ->allow_extra_args(false);
  command
      .add_option("--compat", input.compat,
                  "behave like that XIOS, whatever the configuration says")
      ->check(CLI::IsMember({"none", "xios2", "xios3"}));
  command.add_flag("--strict", input.strict, "every warning is an error");
  command.add_option("--component", input.component,
                     "read it as this component does: ocean_003 for %component% and, of an "
                     "ensemble, 003 for %member%");
}

void CommandLine::add_check() {
  CLI::App* command = add("check", "Read a configuration, name all mistakes");
  add_input(*command, check_.input);
  command->add_flag("--json", check_.json, "for programs");
  command->add_flag("--notes", check_.notes,
                    "also what the model must set, and what is not available yet");
  command->add_flag("--all", check_.all, "each finding, not one of each kind and a hundred in all");
  command->add_flag("--unused", check_.unused,
                    "note fields and files that nothing is written of, and each mistake in what no "
                    "enabled file needs");
  command->add_flag("-q,--quiet", check_.quiet, "say nothing when all is well");
  command->add_flag("--statistics", check_.statistics, "only how often each code was found");
  command->add_flag("--write-model", check_.write_model,
                    "print what is left to the model as XML to fill in, for --model");
  command->callback([this] { action_ = [this] { return run_check(check_); }; });
}

void CommandLine::add_migrate() {
  CLI::App* command = add("migrate", "Translate a configuration of the first edition");
  command->add_option("file", migrate_.file, "the old entry file")->required();
  command->add_option("-o,--output", migrate_.output,
                      "folder to write the new set to; without it, only say what changes");
  command->callback([this] { action_ = [this] { return run_migrate(migrate_); }; });
}

void CommandLine::add_explain_code() {
  CLI::App* command = add("explain-code", "Say what the code of a finding means");
  command->add_option("code", explain_code_.code, "as in E0301; without it, a list of all");
  command->add_flag("--page", explain_code_.page, "all of them as a page in Markdown");
  command->callback([this] { action_ = [this] { return run_explain_code(explain_code_); }; });
}

void CommandLine::add_resolve() {
  CLI::App* command =
      add("resolve", "Print the configuration without groups, references and includes");
  add_input(*command, resolve_.input);
  command->callback([this] { action_ = [this] { return run_resolve(resolve_); }; });
}

void CommandLine::add_explain() {
  CLI::App* command = add("explain", "Say where values come from");
  add_input(*command, explain_.input);
  command
      ->add_option(
          "what", explain_.question,
          "kind:id, kind:id.attribute, calendar, a group or *, as in field:tos.operation or "
          "field_group:2d")
      ->required();
  command->add_flag("--json", explain_.json, "for programs");
  command->callback([this] { action_ = [this] { return run_explain(explain_); }; });
}

void CommandLine::add_plan() {
  CLI::App* command = add("plan", "Say what a run would write");
  add_input(*command, plan_.input);
  command->add_option("--start", plan_.start, "start date instead of that of the calendar");
  command->add_option("--duration", plan_.duration, "length of the run, as in 1mo")->required();
  command->add_flag("--records", plan_.records, "list every record with its time and bounds");
  command->add_flag("--json", plan_.json, "for programs");
  command->callback([this] { action_ = [this] { return run_plan(plan_); }; });
}

void CommandLine::add_graph() {
  CLI::App* command = add("graph", "Draw the way of the data");
  add_input(*command, graph_.input);
  command->add_option("-o,--output", graph_.output, "picture: .svg, .html or .dot")->required();
  // Each takes one name, and may be given again: what follows is the configuration's file.
  command->add_option("--file", graph_.files, "only what goes into that file, by id or path")
      ->allow_extra_args(false);
  command
      ->add_option("--field", graph_.fields,
                   "only what is made of that field, by id or name in the file")
      ->allow_extra_args(false);
  command->footer("More than 60 nodes are drawn as an overview: files with counts of fields.");
  command->callback([this] { action_ = [this] { return run_graph(graph_); }; });
}

void CommandLine::add_report() {
  CLI::App* command = add("report", "Show what a run has cost");
  command
      ->add_option("file", report_.file,
                   "what a run wrote for variable report_file of context xios, or EPIOS_REPORT")
      ->required();
  command->add_option("second", report_.second, "the same of another run, to be compared with it");
  command->add_option("--html", report_.html, "write a page for a browser instead");
  command->callback([this] { action_ = [this] { return run_report(report_); }; });
}

void CommandLine::add_top() {
  CLI::App* command = add("top", "Watch the runs on this node");
  add_top_options(*command, top_);
  command->callback([this] { action_ = [this] { return run_top(top_); }; });
}

void CommandLine::add_text(const char* name, const char* help,
                           const std::function<std::string()>& text) {
  add(name, help)->callback([this, text] {
    action_ = [text] {
      fmt::print("{}", text());
      return 0;
    };
  });
}

void CommandLine::add_help() {
  CLI::App* command = add("help", "Say how a command is used");
  command->add_option("command", help_about_, "as in epios help check");
  command->callback([this] { action_ = [this] { return print_help({}), 0; }; });
}

/// Asked before anything is parsed: the word behind it is the name of a command, not a command.
void CommandLine::print_help(const std::vector<std::string>& words) const {
  if (words.empty()) {
    fmt::print("{}", app_.help());
    return;
  }
  require_known(words.front());
  if (words.size() > 1) {
    refuse_words(fmt::format("'{}' is one word too many for help", words[1]),
                 "epios help help says how it is used", {});
  }
  fmt::print("{}", app_.get_subcommand(words.front())->help(app_.get_name()));
}

std::vector<std::string_view> CommandLine::names() const {
  std::vector<std::string_view> result;
  for (const CLI::App* command : app_.get_subcommands([](const CLI::App*) { return true; })) {
    result.push_back(command->get_name());
  }
  return result;
}

void CommandLine::require_known(const std::string& command) const {
  const std::vector<std::string_view> known = names();
  if (std::find(known.begin(), known.end(), command) != known.end()) return;
  refuse_words(fmt::format("there is no command '{}'", command),
               fmt::format("commands are {}", joined(known)), did_you_mean(command, known));
}

void CommandLine::refuse_extra(const CLI::App& command, const std::string& word) const {
  const std::string usage =
      &command == &app_ ? std::string("epios help says how it is used")
                        : fmt::format("epios help {} says how it is used", command.get_name());
  if (!is_option(word)) {
    refuse_words(fmt::format("'{}' is one word too many for {}", word, command.get_name()), usage,
                 {});
  }
  std::vector<std::string> options;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  }
  refuse_words(fmt::format("{} has no option '{}'", command.get_name(), name_of(word)), usage,
               did_you_mean(name_of(word), {options.begin(), options.end()}));
}

/// A misspelt option is said before what is missing, which it may have been meant to be.
void CommandLine::parse_words(int argc, const char* const* argv) {
  try {
    app_.parse(argc, argv);
  } catch (const CLI::Success&) {
    throw;
  } catch (const CLI::ParseError&) {
    for (const CLI::App* command : app_.get_subcommands()) {
      for (const std::string& word : command->remaining()) {
        if (is_option(word)) refuse_extra(*command, word);
      }
    }
    throw;
  }
}

std::optional<int> CommandLine::parse(int argc, const char* const* argv) {
  try {
    if (argc < 2) {
      fmt::print(stderr, "{}", app_.help());
      return 2;
    }
    const std::string first = argv[1];
    if (!is_option(first)) require_known(first);
    if (first == "help" && (argc < 3 || !is_option(argv[2]))) {
      print_help({argv + 2, argv + argc});
      return 0;
    }
    parse_words(argc, argv);
    for (const CLI::App* command : app_.get_subcommands()) {
      if (command->remaining_size() > 0) refuse_extra(*command, command->remaining().front());
    }
    if (app_.remaining_size() > 0) refuse_extra(app_, app_.remaining().front());
    return std::nullopt;
  } catch (const CLI::Success& answer) {
    return app_.exit(answer);
  } catch (const CLI::ParseError& error) {
    const auto given = app_.get_subcommands();
    const std::string command = given.empty() ? "" : " " + given.front()->get_name();
    fmt::print(stderr, "epios{}: {} (epios help{} says how it is used).\n", command,
               printable(error.what()), command);
  } catch (const Error& error) {
    fmt::print(stderr, "epios: {}\n", shortened(error.what()));
  }
  return 2;
}

const std::string* CommandLine::json_file() const {
  if (check_.json) return &check_.input.file;
  if (explain_.json) return &explain_.input.file;
  return plan_.json ? &plan_.input.file : nullptr;
}

/// A script for bash, made from the commands themselves.
std::string CommandLine::completion() const {
  std::string commands;
  std::string cases;
  for (const CLI::App* command : app_.get_subcommands([](const CLI::App*) { return true; })) {
    commands += (commands.empty() ? "" : " ") + command->get_name();
    std::string options;
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) options += " --" + name;
    }
    cases += fmt::format("    {}) words=\"{}\" ;;\n", command->get_name(), options.substr(1));
  }
  return fmt::format(R"(# Completion of epios for bash: source <(epios completion)
_epios() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{0}" -- "$word"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
    help) COMPREPLY=($(compgen -W "{0}" -- "$word")); return ;;
{1}  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  else
    COMPREPLY=($(compgen -f -X '!*.xml' -- "$word") $(compgen -d -- "$word"))
  fi
}}
complete -o filenames -F _epios epios
)",
                     commands, cases);
}

}  // namespace epios::config
