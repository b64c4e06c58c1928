#include <fmt/format.h>

#include <cstdio>

#include "commands/commands.hpp"
#include "commands/file_look.hpp"
#include "config/check.hpp"
#include "config/model_xml.hpp"
#include "printing/finding_print.hpp"
#include "text/printable.hpp"

namespace epios::config {

int run_resolve(const ResolveOptions& options) {
  const ReadInput input = read(options.input);
  const Checked checked = check_and_resolve(input.sources, input.additions, FileLooks());
  for (const Diagnostic& finding : checked.findings) {
    if (finding.severity == Severity::error) fmt::print(stderr, "{}\n", finding.text());
  }
  if (count(checked.findings, Severity::error) > 0) return 1;
  fmt::print("{}", to_xml(checked.models, checked.run));
  for (const Model& model : checked.models) {
    for (const File& file : model.files) {
      if (!file.streams.empty()) continue;
      fmt::print(stderr, "{}: warning: file '{}' is not printed (none of its fields is known)\n",
                 printable(file.where), printable(file.id));
    }
  }
  return 0;
}

}  // namespace epios::config
