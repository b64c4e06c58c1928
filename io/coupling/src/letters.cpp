// Encodes, sends and takes handshake messages between contexts. Messages that nobody wants yet are
// kept.
#include "coupling/letters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ep/ep.hpp>
#include <utility>

#include "config/byte_fields.hpp"
#include "config/error.hpp"
#include "event/wire.hpp"

namespace epios::io {
namespace {

constexpr config::Magic letter_magic{0x4C435045};  // "EPCL" as bytes
constexpr int letter_tag = static_cast<int>(ControlTag::coupling);

constexpr std::string_view what_comes = "a letter about coupling";

std::vector<std::string> decode_paths(std::span<const std::byte> bytes) {
  std::vector<std::string> out;
  config::decode_fields(bytes, what_comes, out);
  return out;
}

}  // namespace

template <class Archive>
void fields(Archive& archive, config::Described<Letter> auto& letter) {
  archive.one_of(letter.kind, Letter::Kind::greeting, Letter::Kind::files, "its kind is");
  archive(letter.from_code, letter.from_context, letter.to_code, letter.to_context, letter.text,
          letter.from_opening, letter.to_opening, letter.is_final, letter.facts);
}

std::vector<std::byte> encode(const Letter& letter) {
  return config::encode_fields(letter_magic, letter);
}

Letter decode_letter(std::span<const std::byte> bytes) {
  Letter out;
  config::decode_fields(bytes, what_comes, letter_magic, out);
  return out;
}

std::vector<std::byte> encode_paths(const std::vector<std::string>& paths) {
  return config::encode_fields(paths);
}

Letter refusal_of(const Letter& greeting, const std::string& why, bool is_final) {
  Letter out;
  out.kind = Letter::Kind::refusal;
  out.from_code = greeting.to_code;
  out.from_context = greeting.to_context;
  out.to_code = greeting.from_code;
  out.to_context = greeting.from_context;
  out.to_opening = greeting.from_opening;
  out.text = why;
  out.is_final = is_final;
  return out;
}

std::string stranger_text(const Letter& greeting) {
  return fmt::format(
      "that one exchanges nothing with it: no coupler_in or coupler_out there has "
      "context=\"{}::{}\". Add one?",
      greeting.from_code, greeting.from_context);
}

std::string ended_text(const std::string& code) {
  return fmt::format("all clients of '{}' have ended", code);
}

std::string ended_text(const std::string& code, int rank) {
  return fmt::format("client {} of '{}' has ended without it", rank, code);
}

const Letters::Writer* Letters::writer_of(const std::string& path) const {
  const auto found = writers_.find(path);
  return found == writers_.end() ? nullptr : &found->second;
}

Letters::~Letters() {
  for (Sent& sent : *sent_) {
    int done = 0;
    if (EP_Test(&sent.request, &done, EP_STATUS_IGNORE) == EP_SUCCESS && done != 0) continue;
    // The bytes must outlive the message.
    static_cast<void>(sent_.release());
    return;
  }
}

void Letters::send(const Letter& letter, int rank) {
  Sent& sent = sent_->emplace_back();
  sent.bytes = encode(letter);
  ep::check(EP_Isend(sent.bytes.data(), ep::message_count(sent.bytes.size()), MPI_BYTE, rank,
                     letter_tag, everyone_.get(), &sent.request));
  EP_Progress(everyone_.get());
}

std::optional<Letter> Letters::take(const IsWanted& is_wanted) {
  ep::Received message;
  while (ep::try_receive(everyone_, EP_ANY_SOURCE, letter_tag, message)) {
    Letter letter = decode_letter(message.bytes);
    letter.rank = message.source;
    if (letter.kind == Letter::Kind::farewell) {
      ended_.insert(letter.from_code);
      continue;
    }
    if (letter.kind == Letter::Kind::files) {
      for (std::string& path : decode_paths(letter.facts)) {
        writers_.try_emplace(std::move(path), Writer{letter.from_code, letter.from_context});
      }
      continue;
    }
    // Only the newest request of a client for one context counts: it asks for grids before it
    // greets.
    const auto ends_or_asks = [](const Letter& one) {
      return one.asks() || one.kind == Letter::Kind::withdrawal;
    };
    if (ends_or_asks(letter)) {
      std::erase_if(kept_, [&](const Letter& kept) {
        return ends_or_asks(kept) && kept.rank == letter.rank &&
               kept.from_code == letter.from_code && kept.from_context == letter.from_context &&
               kept.to_context == letter.to_context && kept.from_opening <= letter.from_opening;
      });
    }
    const bool says_nothing = letter.kind == Letter::Kind::withdrawal && letter.text.empty();
    if (!says_nothing) kept_.push_back(std::move(letter));
  }
  const auto found = std::find_if(kept_.begin(), kept_.end(), is_wanted);
  if (found == kept_.end()) return std::nullopt;
  Letter out = std::move(*found);
  kept_.erase(found);
  return out;
}

}  // namespace epios::io
