#include "contract/growing_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "config/error.hpp"
#include "config/index.hpp"
#include "disk/posix_file.hpp"

namespace epios::io {

namespace {

std::vector<RecordVariable> checked_record_variables(const FileSpec& spec) {
  check_spec(spec);
  return record_variables(spec);
}

std::vector<RecordLedger::Account> accounts_of(const std::vector<RecordVariable>& variables) {
  std::vector<RecordLedger::Account> out;
  out.reserve(variables.size());
  for (const RecordVariable& variable : variables) {
    out.push_back({variable.chunks.points(), variable.is_once});
  }
  return out;
}

}  // namespace

std::string records_text(std::int64_t from, std::int64_t to) {
  return to - from == 1 ? fmt::format("record {}", from)
                        : fmt::format("records {} to {}", from, to - 1);
}

GrowingFile::GrowingFile(const FileSpec& described, const ep::Comm* communicator)
    : spec(described),
      writers(communicator),
      variables(checked_record_variables(described)),
      fixed(spec),
      ledger(accounts_of(variables)) {}

const VariableSpec& GrowingFile::variable_of(std::size_t column) const {
  return nth(spec.variables, variables[column].variable);
}

void GrowingFile::reject(const std::string& what) const {
  throw Error(ErrorCode::internal,
              fmt::format("file '{}': {} (a rule of OutputFile was broken). Please report this?",
                          spec.path, what));
}

void GrowingFile::check_system(int error, const std::string& problem) const {
  if (error != 0) throw Error(ErrorCode::io, system_error_text(spec.path, problem, error));
}

void mark_unset(GrowingFile& file) {
  if (file.fixed.is_empty()) return;
  std::vector<std::int64_t> counts = file.fixed.value_counts();
  file.writers.agreement().sum(counts);
  const std::vector<int> incomplete = file.fixed.incomplete(counts);
  for (std::size_t v = 0; v < file.spec.variables.size(); ++v) {
    VariableSpec& variable = file.spec.variables[v];
    variable.marks_unset =
        variable.marks_unset &&
        std::binary_search(incomplete.begin(), incomplete.end(), static_cast<int>(v));
  }
}

void write_fixed_variables(GrowingFile& file, const ValueSink& sink,
                           const std::function<void()>& sync) {
  WriterGroup& writers = file.writers;
  std::vector<std::int64_t> counts = file.fixed.counts();
  writers.agreement().sum(counts);
  if (!file.fixed.are_complete(counts)) {
    writers.together([&] {
      if (writers.is_owner()) file.fixed.write_unset(sink, counts);
    });
  }
  writers.together([&] {
    file.fixed.write(sink);
    if (file.spec.to_disk) sync();
  });
}

void GrowingFile::check_record_written(int error, std::int64_t record, std::size_t column) const {
  if (error == 0) return;
  check_system(error, fmt::format("cannot write record {} of '{}'", record, name_of(column)));
}

}  // namespace epios::io
