#include "data/written_files.hpp"

#include <fmt/format.h>

#include <utility>

#include "data/written_paths.hpp"

namespace epios::client {

/// Each component has servers of its own in a job without any: what another one writes, these do
/// not know, unless its files are open at the same time.
std::vector<std::string> compare_written_files(const SessionState& session,
                                               io::CouplingHandshake& handshake,
                                               const std::string& context,
                                               const config::Model& model) {
  const io::Job& job = session.job();
  const bool is_alone = job.watch().process_table().components.size() < 2;
  if (!job.is_attached() || is_alone) return {};
  handshake.take([](const io::HandshakeMessage&) { return false; });
  std::vector<std::string> warnings;
  std::vector<std::string> paths;
  for (WrittenPath& file : written_paths(model)) {
    if (const io::CouplingHandshake::Writer* const other = handshake.writer_of(file.path)) {
      warnings.push_back(fmt::format(
          "file '{}' of context '{}' of component '{}': context '{}' of component '{}' writes it, "
          "too, in this job (the later one replaces the earlier). Give one of them another name, "
          "members of an ensemble by %member%?",
          file.name, context, session.code_id(), other->context, other->code));
    }
    paths.push_back(std::move(file.path));
  }
  io::HandshakeMessage message;
  message.kind = io::HandshakeMessage::Kind::files;
  message.from_code = session.code_id();
  message.from_context = context;
  message.facts = io::encode_paths(paths);
  for (const int rank : job.clients_of_others()) handshake.send(message, rank);
  return warnings;
}

}  // namespace epios::client
