#include "options.hpp"

namespace epios::layouts {
namespace {

constexpr double megabyte = 1e6;

}  // namespace

void add_input(CLI::App& command, ModelInput& input) {
  command.add_option("file", input.file, "the entry file, usually iodef.xml")->required();
  command.add_option("--model", input.model, "XML file with what the model says at run time");
  command
      .add_option("--set", input.settings,
                  "a value of the model, as in domain:globe.ni_glo=360; again for more")
      ->allow_extra_args(false);
  command.add_option("--context", input.context, "the context, if there are several");
}

void add_rate(CLI::App& command, const char* name, double& rate, const char* help) {
  command
      .add_option_function<double>(
          name, [&rate](const double& value) { rate = value * megabyte; }, help)
      ->check(CLI::PositiveNumber)
      ->type_name("MB/s");
}

void add_machine(CLI::App& command, Machine& machine) {
  add_rate(command, "--disk-rate", machine.disk_rate, "at which a server writes (1000)");
  add_rate(command, "--link-rate", machine.link_rate, "of the link of a node (10000)");
  command
      .add_option_function<double>(
          "--memory-rate",
          [&machine](const double& value) {
            machine.memory_rate = machine.assemble_rate = value * megabyte;
          },
          "at which a core copies (5000)")
      ->check(CLI::PositiveNumber)
      ->type_name("MB/s");
  add_rate(command, "--page-rate", machine.new_memory.page_rate,
           "at which a core first writes to new memory (1000)");
  command
      .add_option_function<double>(
          "--latency", [&machine](const double& value) { machine.latency_s = value * 1e-6; },
          "of a message between nodes (2)")
      ->check(CLI::PositiveNumber)
      ->type_name("µs");
}

}  // namespace epios::layouts
