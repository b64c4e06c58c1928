/// @file
/// Prints findings for people: equal ones together, those that keep output from being written
/// first.
#pragma once

#include <string>
#include <vector>

#include "config/codes.hpp"
#include "config/document.hpp"
#include "config/error.hpp"
#include "printing/terminal.hpp"
#include "text/finding_groups.hpp"

namespace epios::config {

std::string_view word(Severity severity);
int count(const std::vector<Diagnostic>& findings, Severity severity);

/// Number of findings with a code.
struct CodeCount {
  Code code = Code::none;
  int errors = 0;
  int warnings = 0;
  int notes = 0;
};
/// Returns the most frequent errors first, then warnings, then notes.
std::vector<CodeCount> counts_of(const std::vector<Diagnostic>& findings);

struct FindingPrint {
  bool all = false;  ///< print each finding; otherwise groups, and at most a hundred
  Colour colour = Colour::off;
};
/// Prints findings on standard output, with the lines of the files they are about.
void print_findings(const std::vector<Diagnostic>& findings, const SourceTexts& sources,
                    const FindingPrint& print);

}  // namespace epios::config
