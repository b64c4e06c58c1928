/// @file
/// Messages between clients of different contexts before the contexts are connected.
#pragma once

#include <ep/types.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <ep/fwd.hpp>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace epios::io {

/// A handshake message from the first client of a context; a refusal may come from any receiver.
/// Two contexts are connected when both agree. The context whose name comes first proposes and may
/// change its mind until it sends go. The context that has accepted waits for that and does nothing
/// else meanwhile.
struct HandshakeMessage {
  enum class Kind : std::uint8_t {
    hello = 1,   ///< to all clients of the partner's component: asks for its first client
    facts,       ///< between first clients: an encoded CoupledContext
    refusal,     ///< the partner will not come
    proposal,    ///< proposes to connect
    acceptance,  ///< accepts the proposal
    go,          ///< starts connecting
    cancel,      ///< cancels a hello of the same opening, sent to all that got it: the sender is
                 ///< connected, or will never be, for the reason in the text
    question,    ///< to all clients of the partner's component: an encoded GridQuestion
    answer,      ///< to the client that asked: an encoded GridAnswer
    values,      ///< coordinates, between all clients of both contexts
    bye,         ///< to all clients of other components: this component has no clients any more
    files        ///< to the same clients: paths of the files that a context writes, encode_paths()
  } kind = Kind::hello;
  std::string from_code, from_context;
  std::string to_code, to_context;
  std::uint64_t from_opening =
      0;                         ///< opening of the sending context, since its id may be used again
  std::uint64_t to_opening = 0;  ///< not set in a hello, which is for any opening
  std::vector<std::byte> facts;
  std::string text;       ///< the reason, in a refusal
  bool is_final = false;  ///< in a refusal: nobody else needs to be waited for
  int rank = -1;          ///< rank of the sender; not part of the bytes
  /// Returns true if the sender waits for an answer, possibly of a context that does not exist.
  bool asks() const { return kind == Kind::hello || kind == Kind::question; }
};

std::vector<std::byte> encode(const HandshakeMessage& message);
/// Throws Error{protocol} for bytes that encode() did not make.
HandshakeMessage decode_handshake(std::span<const std::byte> bytes);

std::vector<std::byte> encode_paths(const std::vector<std::string>& paths);

/// Returns a refusal in answer to a hello. `is_final` means that nobody else needs to be waited
/// for.
HandshakeMessage refusal_of(const HandshakeMessage& hello, const std::string& why, bool is_final);
/// Returns why nobody of a component, or one client of it, opens anything any more.
std::string ended_text(const std::string& code);
std::string ended_text(const std::string& code, int rank);
/// Returns why a context refuses another one that it exchanges nothing with.
std::string not_coupled_text(const HandshakeMessage& hello);

/// The handshake messages of one client. Belongs to its thread.
class CouplingHandshake {
 public:
  /// `everyone` contains the endpoints of a job and must outlive this object.
  explicit CouplingHandshake(const ep::Comm& everyone) : everyone_(everyone) {}
  CouplingHandshake(const CouplingHandshake&) = delete;
  CouplingHandshake(CouplingHandshake&&) = delete;
  CouplingHandshake& operator=(const CouplingHandshake&) = delete;
  CouplingHandshake& operator=(CouplingHandshake&&) = delete;
  ~CouplingHandshake();

  const ep::Comm& everyone() const { return everyone_; }
  /// Sends a message. Never waits. Local.
  void send(const HandshakeMessage& message, int rank);
  /// Returns the oldest message that has arrived and satisfies `is_wanted`. Keeps the others.
  /// Local.
  using IsWanted = std::function<bool(const HandshakeMessage&)>;
  std::optional<HandshakeMessage> take(const IsWanted& is_wanted);
  /// Returns true if take() has seen a bye of the component, which then opens nothing any
  /// more.
  bool has_ended(const std::string& code) const { return ended_.count(code) > 0; }
  /// Returns the context of another component that was the first to announce writing a file, among
  /// the messages that take() has seen, or null.
  struct Writer {
    std::string code, context;
  };
  const Writer* writer_of(const std::string& path) const;

 private:
  struct Sent {
    std::vector<std::byte> bytes;
    EP_Request request = EP_REQUEST_NULL;
  };
  const ep::Comm& everyone_;
  std::deque<HandshakeMessage> kept_;
  std::set<std::string> ended_;            // components
  std::map<std::string, Writer> writers_;  // by path
  // Messages on their way. Nobody waits for them, because their receivers may never come.
  std::unique_ptr<std::list<Sent>> sent_ = std::make_unique<std::list<Sent>>();
};

}  // namespace epios::io
