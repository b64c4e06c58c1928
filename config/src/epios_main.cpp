#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <string>
#include <string_view>

#include "commands.hpp"
#include "config/error.hpp"
#include "config/reference.hpp"

namespace {

using namespace epios::config;

constexpr const char* entry_help = "the entry file, usually iodef.xml";

/// A script for bash, made from the commands themselves.
std::string bash_completion(const CLI::App& app) {
  std::string commands;
  std::string cases;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
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
    COMPREPLY=($(compgen -W "{}" -- "$word"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{}  esac
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

/// What a command does with its arguments once they are read.
using Action = std::function<int()>;

struct Commands {
  CheckOptions check;
  ResolveOptions resolve;
  ExplainOptions explain;
  PlanOptions plan;
  GraphOptions graph;
  Action action;
};

void add_check(CLI::App& app, Commands& c) {
  CLI::App* command = app.add_subcommand("check", "Read a configuration, name all mistakes");
  command->add_option("file", c.check.file, entry_help)->required();
  command->add_flag("--json", c.check.json, "for programs");
  command->add_flag("--notes", c.check.notes,
                    "also what the model must set, and what no run can do yet");
  command->add_flag("--all", c.check.all, "all findings, not the first hundred");
  command->add_flag("--unused", c.check.unused, "note fields and files that nothing is written of");
  command->callback([&c] { c.action = [&c] { return run_check(c.check); }; });
}

void add_resolve(CLI::App& app, Commands& c) {
  CLI::App* command = app.add_subcommand(
      "resolve", "Print the configuration without groups, references and includes");
  command->add_option("file", c.resolve.file, entry_help)->required();
  command->callback([&c] { c.action = [&c] { return run_resolve(c.resolve); }; });
}

void add_explain(CLI::App& app, Commands& c) {
  CLI::App* command = app.add_subcommand("explain", "Say where values come from");
  command->add_option("file", c.explain.file, entry_help)->required();
  command
      ->add_option(
          "what", c.explain.question,
          "kind:id, kind:id.attribute, calendar, a group or *, as in field:tos.operation or "
          "field_group:2d")
      ->required();
  command->add_flag("--json", c.explain.json, "for programs");
  command->callback([&c] { c.action = [&c] { return run_explain(c.explain); }; });
}

void add_plan(CLI::App& app, Commands& c) {
  CLI::App* command = app.add_subcommand("plan", "Say what a run would write");
  command->add_option("file", c.plan.file, entry_help)->required();
  command->add_option("--start", c.plan.start, "start date instead of that of the calendar");
  command->add_option("--duration", c.plan.duration, "length of the run, as in 1mo")->required();
  command->add_option("--set", c.plan.settings,
                      "what the model sets at run time: kind:id.attribute=value");
  command->add_flag("--records", c.plan.records, "list every record with its time and bounds");
  command->add_flag("--json", c.plan.json, "for programs");
  command->callback([&c] { c.action = [&c] { return run_plan(c.plan); }; });
}

void add_graph(CLI::App& app, Commands& c) {
  CLI::App* command = app.add_subcommand("graph", "Draw the way of the data");
  command->add_option("file", c.graph.file, entry_help)->required();
  command->add_option("-o,--output", c.graph.output, "picture: .svg, .html or .dot")->required();
  command->callback([&c] { c.action = [&c] { return run_graph(c.graph); }; });
}

void add_text(CLI::App& app, Commands& c, const char* name, const char* help,
              const std::function<std::string()>& text) {
  app.add_subcommand(name, help)->callback([&c, text] {
    c.action = [text] {
      fmt::print("{}", text());
      return 0;
    };
  });
}

/// Says why there is no answer; programs that asked for JSON get it in every case.
void report(const Commands& commands, const std::exception& failure, std::string_view prefix) {
  if (commands.explain.json) {
    print_failure_json(commands.explain.file, failure);
  } else if (commands.plan.json) {
    print_failure_json(commands.plan.file, failure);
  }
  fmt::print(stderr, "{}{}\n", prefix, failure.what());
}

int run(const Commands& commands) {
  try {
    const int exit_code = commands.action();
    // What the buffer still holds may not fit on the disk.
    if (std::fflush(stdout) != 0) {
      throw epios::Error(
          epios::ErrorCode::io,
          fmt::format("standard output cannot be written ({}).", std::strerror(errno)));
    }
    return exit_code;
  } catch (const ConfigError& error) {
    report(commands, error, "");
    return 1;
  } catch (const std::exception& error) {
    report(commands, error, "epios: ");
    return 2;
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Looks after EPIOS configurations.", "epios");
  app.require_subcommand(1);
  Commands commands;
  commands.check.colour = commands.explain.colour = colour_of_output();
  add_check(app, commands);
  add_resolve(app, commands);
  add_explain(app, commands);
  add_plan(app, commands);
  add_graph(app, commands);
  add_text(app, commands, "doc", "Print the reference page of all XML", reference_page);
  add_text(app, commands, "schema", "Print an XML Schema for editors", xml_schema);
  add_text(app, commands, "completion", "Print completion for bash",
           [&app] { return bash_completion(app); });
  app.footer("Exit codes: 0 good, 1 mistakes in the configuration, 2 no answer.");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return run(commands);
}
