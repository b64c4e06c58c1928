/// @file
/// Prints answers for programs.
#pragma once

#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "config/error.hpp"

namespace epios::config {

using Json = nlohmann::ordered_json;

/// Prints on standard output.
void print_json(const Json& json);

/// Returns the JSON of `check --json`. `notes` may exceed the number of notes among the findings.
Json json_of(const std::string& file, const std::vector<Diagnostic>& findings, int notes);

/// Prints a failure for --json of commands that have no answer, in the form of `check --json`.
void print_failure_json(const std::string& file, const std::exception& failure);

}  // namespace epios::config
