#include "commands/commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ep/ep.hpp>
#include <utility>

#include "config/byte_fields.hpp"
#include "config/error.hpp"
#include "event/long_message.hpp"
#include "event/wire.hpp"

namespace epios::server {

template <class Archive>
void fields(Archive& archive, config::Described<Command> auto& command) {
  archive.one_of(command.kind, Command::Kind::open_context, Command::Kind::make_files,
                 "its kind is");
  archive(command.component, command.context, command.file, command.part, command.records,
          command.stream, command.event, command.last, command.failed, command.client,
          command.reason, command.package);
}

std::vector<std::byte> encode(const Command& command) { return config::encode_fields(command); }

Command decode_command(std::span<const std::byte> bytes) {
  Command command;
  config::decode_fields(bytes, "a command among servers", command);
  return command;
}

std::string traced(const Command& command) {
  return fmt::format("kind={} of={} file={} part={} records={} event={} last={} failed={}",
                     static_cast<int>(command.kind), command.context, command.file, command.part,
                     command.records, command.event, command.last ? 1 : 0, command.failed ? 1 : 0);
}

Outbox::Outbox() = default;

Outbox::~Outbox() {
  if (!messages_->empty()) static_cast<void>(messages_.release());
}

void Outbox::send(const ep::Comm& comm, int dest, int tag, std::vector<std::byte> bytes) {
  const int count = ep::message_count(bytes.size());
  Message& message = add(std::move(bytes));
  ep::check(EP_Isend(message.bytes.data(), count, MPI_BYTE, dest, tag, comm.get(),
                     &message.requests.emplace_back(EP_REQUEST_NULL)));
}

void Outbox::send_long(const ep::Comm& comm, int dest, int tag, std::vector<std::byte> bytes) {
  const std::size_t longest = io::longest_piece();
  if (bytes.size() <= longest) return send(comm, dest, tag, std::move(bytes));
  send(comm, dest, tag, io::encode(io::InPieces{bytes.size()}));
  Message& message = add(std::move(bytes));
  for (std::size_t begin = 0; begin < message.bytes.size(); begin += longest) {
    const std::size_t size = std::min(longest, message.bytes.size() - begin);
    ep::check(EP_Isend(message.bytes.data() + begin, ep::message_count(size), MPI_BYTE, dest, tag,
                       comm.get(), &message.requests.emplace_back(EP_REQUEST_NULL)));
  }
}

Outbox::Message& Outbox::add(std::vector<std::byte> bytes) {
  if (left_.empty()) left_.emplace_back();
  messages_->splice(messages_->end(), left_, left_.begin());
  Message& message = messages_->back();
  message.bytes = std::move(bytes);
  message.requests.clear();
  return message;
}

std::vector<std::byte> Outbox::room() {
  if (left_.empty()) return {};
  std::vector<std::byte> out = std::move(left_.front().bytes);
  out.clear();
  return out;
}

void Outbox::progress() {
  constexpr std::size_t most_kept = 8;
  constexpr std::size_t most_bytes = 4096;
  for (auto it = messages_->begin(); it != messages_->end();) {
    int code = EP_SUCCESS;
    bool is_under_way = false;
    for (EP_Request& request : it->requests) {
      int done = 0;
      const int its_code = EP_Test(&request, &done, EP_STATUS_IGNORE);
      if (its_code != EP_SUCCESS) code = its_code;
      is_under_way = is_under_way || (done == 0 && its_code == EP_SUCCESS);
    }
    const auto message = it++;
    if (!is_under_way && left_.size() < most_kept && message->bytes.capacity() <= most_bytes) {
      left_.splice(left_.begin(), *messages_, message);
    } else if (!is_under_way) {
      messages_->erase(message);
    }
    ep::check(code);
  }
}

}  // namespace epios::server
