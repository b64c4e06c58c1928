#include "data/written_files.hpp"

#include <fmt/format.h>

#include <utility>

#include "data/written_paths.hpp"

namespace epios::client {

/// Each component has servers of its own in a job without any: what another one writes, these do
/// not know, unless its files are open at the same time.
std::vector<std::string> compare_written_files(const SessionState& session, io::Letters& letters,
                                               const std::string& context,
                                               const config::Model& model) {
  const io::Job& job = session.job();
  const bool is_alone = job.watch().process_table().components.size() < 2;
  if (!job.is_attached() || is_alone) return {};
  letters.take([](const io::Letter&) { return false; });
  std::vector<std::string> warnings;
  std::vector<std::string> paths;
  for (WrittenPath& file : written_paths(model)) {
    if (const io::Letters::Writer* const other = letters.writer_of(file.path)) {
      warnings.push_back(fmt::format(
          "file '{}' of context '{}' of component '{}': context '{}' of component '{}' writes it, "
          "too, in this job (the later one replaces the earlier). Give one of them another name, "
          "members of an ensemble by %member%?",
          file.name, context, session.code_id(), other->context, other->code));
    }
    paths.push_back(std::move(file.path));
  }
  io::Letter letter;
  letter.kind = io::Letter::Kind::files;
  letter.from_code = session.code_id();
  letter.from_context = context;
  letter.facts = io::encode_paths(paths);
  for (const int rank : job.clients_of_others()) letters.send(letter, rank);
  return warnings;
}

}  // namespace epios::client
