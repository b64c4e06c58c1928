/// @file
/// Options that the commands about layouts have in common.
#pragma once

#include <CLI/CLI.hpp>

#include "machine.hpp"
#include "read_model.hpp"

namespace epios::layouts {

void add_input(CLI::App& command, ModelInput& input);
/// Rates are given in MB/s, and latency in microseconds.
void add_machine(CLI::App& command, Machine& machine);
void add_rate(CLI::App& command, const char* name, double& rate, const char* help);

}  // namespace epios::layouts
