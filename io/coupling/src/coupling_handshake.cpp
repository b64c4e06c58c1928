// Encodes, sends and takes handshake messages between contexts. Messages that nobody wants yet are
// kept.
#include "coupling/coupling_handshake.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ep/ep.hpp>
#include <utility>

#include "config/byte_fields.hpp"
#include "config/error.hpp"
#include "event/wire.hpp"

namespace epios::io {
namespace {

constexpr config::Magic handshake_magic{0x4C435045};  // "EPCL" as bytes
constexpr int handshake_tag = static_cast<int>(ControlTag::coupling);

constexpr std::string_view what_comes = "a handshake message";

std::vector<std::string> decode_paths(std::span<const std::byte> bytes) {
  std::vector<std::string> out;
  config::decode_fields(bytes, what_comes, out);
  return out;
}

}  // namespace

template <class Archive>
void fields(Archive& archive, config::Described<HandshakeMessage> auto& message) {
  archive.one_of(message.kind, HandshakeMessage::Kind::hello, HandshakeMessage::Kind::files,
                 "its kind is");
  archive(message.from_code, message.from_context, message.to_code, message.to_context,
          message.text, message.from_opening, message.to_opening, message.is_final, message.facts);
}

std::vector<std::byte> encode(const HandshakeMessage& message) {
  return config::encode_fields(handshake_magic, message);
}

HandshakeMessage decode_handshake(std::span<const std::byte> bytes) {
  HandshakeMessage out;
  config::decode_fields(bytes, what_comes, handshake_magic, out);
  return out;
}

std::vector<std::byte> encode_paths(const std::vector<std::string>& paths) {
  return config::encode_fields(paths);
}

HandshakeMessage refusal_of(const HandshakeMessage& hello, const std::string& why, bool is_final) {
  HandshakeMessage out;
  out.kind = HandshakeMessage::Kind::refusal;
  out.from_code = hello.to_code;
  out.from_context = hello.to_context;
  out.to_code = hello.from_code;
  out.to_context = hello.from_context;
  out.to_opening = hello.from_opening;
  out.text = why;
  out.is_final = is_final;
  return out;
}

std::string not_coupled_text(const HandshakeMessage& hello) {
  return fmt::format(
      "that one exchanges nothing with it: no coupler_in or coupler_out there has "
      "context=\"{}::{}\". Add one?",
      hello.from_code, hello.from_context);
}

std::string ended_text(const std::string& code) {
  return fmt::format("all clients of '{}' have ended", code);
}

std::string ended_text(const std::string& code, int rank) {
  return fmt::format("client {} of '{}' has ended without it", rank, code);
}

const CouplingHandshake::Writer* CouplingHandshake::writer_of(const std::string& path) const {
  const auto found = writers_.find(path);
  return found == writers_.end() ? nullptr : &found->second;
}

CouplingHandshake::~CouplingHandshake() {
  for (Sent& sent : *sent_) {
    int done = 0;
    if (EP_Test(&sent.request, &done, EP_STATUS_IGNORE) == EP_SUCCESS && done != 0) continue;
    // The bytes must outlive the message.
    static_cast<void>(sent_.release());
    return;
  }
}

void CouplingHandshake::send(const HandshakeMessage& message, int rank) {
  Sent& sent = sent_->emplace_back();
  sent.bytes = encode(message);
  ep::check(EP_Isend(sent.bytes.data(), ep::message_count(sent.bytes.size()), MPI_BYTE, rank,
                     handshake_tag, everyone_.get(), &sent.request));
  EP_Progress(everyone_.get());
}

std::optional<HandshakeMessage> CouplingHandshake::take(const IsWanted& is_wanted) {
  ep::Received received;
  while (ep::try_receive(everyone_, EP_ANY_SOURCE, handshake_tag, received)) {
    HandshakeMessage message = decode_handshake(received.bytes);
    message.rank = received.source;
    if (message.kind == HandshakeMessage::Kind::bye) {
      ended_.insert(message.from_code);
      continue;
    }
    if (message.kind == HandshakeMessage::Kind::files) {
      for (std::string& path : decode_paths(message.facts)) {
        writers_.try_emplace(std::move(path), Writer{message.from_code, message.from_context});
      }
      continue;
    }
    // Only the newest request of a client for one context counts: it asks for grids before it
    // greets.
    const auto ends_or_asks = [](const HandshakeMessage& one) {
      return one.asks() || one.kind == HandshakeMessage::Kind::cancel;
    };
    if (ends_or_asks(message)) {
      std::erase_if(kept_, [&](const HandshakeMessage& kept) {
        return ends_or_asks(kept) && kept.rank == message.rank &&
               kept.from_code == message.from_code && kept.from_context == message.from_context &&
               kept.to_context == message.to_context && kept.from_opening <= message.from_opening;
      });
    }
    const bool says_nothing =
        message.kind == HandshakeMessage::Kind::cancel && message.text.empty();
    if (!says_nothing) kept_.push_back(std::move(message));
  }
  const auto found = std::find_if(kept_.begin(), kept_.end(), is_wanted);
  if (found == kept_.end()) return std::nullopt;
  HandshakeMessage out = std::move(*found);
  kept_.erase(found);
  return out;
}

}  // namespace epios::io
