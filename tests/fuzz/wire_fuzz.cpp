// Any bytes as each message of the wire: from clients to servers, from servers to clients, among
// servers and among clients. Whatever is accepted must be written as bytes that are read as the
// same. Nothing of MPI is called.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ep/error.hpp>
#include <span>
#include <vector>

#include "commands/commands.hpp"
#include "config/coupled_contexts.hpp"
#include "config/coupled_grids.hpp"
#include "config/error.hpp"
#include "config/model.hpp"
#include "coupling/coupling_handshake.hpp"
#include "event/event.hpp"
#include "event/opening.hpp"
#include "event/wire.hpp"
#include "offer.hpp"
#include "reading/read_consensus.hpp"
#include "session/run_texts.hpp"

namespace {

using Bytes = std::vector<std::byte>;
using Input = std::span<const std::byte>;
namespace io = epios::io;
namespace config = epios::config;
namespace server = epios::server;

/// Compares what is written after one and after two readings.
template <class Decode, class Encode>
void check(Input input, Decode decode, Encode encode) {
  const Bytes once = encode(decode(input));
  if (encode(decode(Input(once))) == once) return;
  std::fprintf(stderr, "wire_fuzz: a message changes when it is sent on\n");
  std::abort();
}

void check_control(Input input) {
  const auto write = [](const auto& message) { return io::encode(message); };
  switch (io::message_kind(input)) {
    case io::MessageKind::opening_part:
      static_cast<void>(io::opening_of(input));
      return check(input, io::decode_opening_part, write);
    case io::MessageKind::open_context:
      return check(input, io::decode_open_context, write);
    case io::MessageKind::open_reply:
      return check(input, io::decode_open_reply, write);
    case io::MessageKind::context_opened:
      return check(input, io::decode_context_opened, write);
    case io::MessageKind::context_report:
      return check(input, io::decode_context_report, write);
    case io::MessageKind::goodbye:
      return check(input, io::decode_goodbye, write);
    case io::MessageKind::passed:
      return check(input, io::decode_passed, write);
    case io::MessageKind::answer_channel:
      return check(input, io::decode_answer_channel, write);
    case io::MessageKind::inspect:
      return check(input, io::decode_inspect, write);
    case io::MessageKind::inspected:
      return check(input, io::decode_inspected, write);
    case io::MessageKind::in_pieces:
      return check(input, io::decode_in_pieces, write);
  }
}

/// The front of every control message, so that the fuzzer need not find it.
Bytes with_front(Input input) {
  constexpr std::size_t front_bytes = 8;
  Bytes out = io::encode(io::Passed{});
  out.resize(front_bytes);
  out.insert(out.end(), input.begin(), input.end());
  return out;
}

void check_header(Input input) {
  const io::EventHeader header = io::read_header(input);
  Bytes out(input.begin(), input.end());
  io::write_header(out, header);
  if (io::event_hash(io::read_header(out)) != header.hash) std::abort();
}

void check_message(unsigned kind, Input input) {
  switch (kind % 11) {
    case 0:
      return check_control(with_front(input));
    case 1:
      return check_control(input);
    case 2:
      return check(input, server::decode_command, [](const auto& c) { return server::encode(c); });
    case 3:
      return check(input, server::decode_read_status, [](const auto& status) {
        Bytes out;
        server::encode(status, out);
        return out;
      });
    case 4:
      return check(input, io::decode, [](const auto& offered) { return io::encode(offered); });
    case 5:
      return check(input, io::decode_handshake, [](const auto& l) { return io::encode(l); });
    case 6:
      return check(input, config::decode_coupled_context,
                   [](const auto& context) { return config::encode(context); });
    case 7:
      return check(input, config::decode_grid_question,
                   [](const auto& question) { return config::encode(question); });
    case 8:
      return check(input, config::decode_grid_answer,
                   [](const auto& answer) { return config::encode(answer); });
    case 9:
      return check(input, epios::client::decode_run_texts,
                   [](const auto& texts) { return epios::client::encode(texts); });
    default:
      return check_header(input);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  try {
    check_message(data[0], std::as_bytes(std::span(data + 1, size - 1)));
  } catch (const epios::Error& error) {
    if (error.code() != epios::ErrorCode::protocol) {
      std::fprintf(stderr, "wire_fuzz: refused as something else: %s\n", error.what());
      std::abort();
    }
  } catch (const ep::Error&) {  // offers of channels
  }
  return 0;
}
