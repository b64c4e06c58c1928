#include "contexts/event_check.hpp"

#include <fmt/format.h>

#include "config/error.hpp"
#include "config/model.hpp"

namespace epios::server {
namespace {

std::string file_text(const config::Model& model, int file) {
  if (file < 0 || file >= static_cast<int>(model.files.size())) {
    return fmt::format("unknown file {}", file);
  }
  return fmt::format("file '{}'", model.files[config::FileId(file)].id);
}

bool is_known(const io::EventHeader& header, const EventContext& context) {
  const auto index = static_cast<std::size_t>(header.stream);
  switch (header.kind) {
    case io::EventKind::record:
      if (context.gathers) {
        return header.stream >= 0 && index < context.model.streams.size() && header.record >= 0;
      }
      return header.stream >= 0 && index < context.shares.size() &&
             context.shares[index].is_concerned() && header.record >= 0;
    case io::EventKind::sync:
    case io::EventKind::part_end:
    case io::EventKind::left_out:
      if (context.gathers) return header.stream >= 0 && index < context.model.files.size();
      return context.files.is_writer(header.stream);
    case io::EventKind::read:
      return context.readings.reads(header.stream) && header.record >= 0;
    case io::EventKind::finalize:
      return true;
  }
  return false;
}

}  // namespace

std::string event_text(const config::Model& model, const io::EventHeader& header) {
  if (header.kind == io::EventKind::finalize) return "end of the context";
  if (header.kind == io::EventKind::read) {
    if (header.stream < 0 || header.stream >= static_cast<int>(model.read_fields.size())) {
      return fmt::format("unknown field {} that is read", header.stream);
    }
    const auto& field = model.read_fields[config::ReadFieldId(header.stream)];
    return fmt::format("reading of field '{}'", field.id);
  }
  if (header.kind != io::EventKind::record) return file_text(model, header.stream);
  if (header.stream < 0 || header.stream >= static_cast<int>(model.streams.size())) {
    return fmt::format("unknown stream {}", header.stream);
  }
  const auto& stream = model.streams[config::StreamId(header.stream)];
  return fmt::format("field '{}' of file '{}'", stream.name,
                     model.files[config::FileId(stream.file)].id);
}

void check_event(const io::EventHeader& header, const EventContext& context) {
  if (header.context == context.number && is_known(header, context)) return;
  throw Error(
      ErrorCode::protocol,
      fmt::format("context '{}': event {} is for context {}, stream {}, record {} (this is context "
                  "{} with {} streams). Is this a bug of EPIOS?",
                  context.id, header.event, header.context, header.stream, header.record,
                  context.number, context.shares.size()));
}

void check_parts(const std::string& id, const io::EventQueue::Event& event,
                 const StreamAssignment& share, std::string_view sender) {
  for (std::size_t i = 0; i < event.parts.size(); ++i) {
    const std::size_t bytes = share.part_bytes(i);
    if (event.parts[i].payload.size() == bytes) continue;
    throw Error(
        ErrorCode::protocol,
        fmt::format("context '{}': {} {} sent {} bytes (expected {}). Is this a bug of "
                    "EPIOS?",
                    id, sender, event.parts[i].client, event.parts[i].payload.size(), bytes));
  }
}

}  // namespace epios::server
