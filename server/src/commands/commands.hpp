#pragma once

#include <ep/types.h>

#include <cstddef>
#include <cstdint>
#include <ep/fwd.hpp>
#include <list>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace epios::server {

/// What all servers do together. The leader broadcasts commands, and all servers apply them in the
/// same order, over all contexts and files.
struct Command {
  enum class Kind : std::uint8_t {
    open_context = 1,  ///< package: the client leader's OpenContext; component
    context_opened,    ///< all clients have opened their channels
    reserve,           ///< shared file: room for `records`, and the rest of their block
    sync,              ///< shared file: at the sync point that is `event`, or at once
    seal,              ///< shared file: close a part with `records`, at the event or at the end
    component_over,    ///< component's clients are gone; failed: contexts are abandoned
    make_files,        ///< the context's files, when this server knows all its clients' parts
  };
  Kind kind = Kind::open_context;
  std::int32_t component = -1;
  std::uint32_t context = 0;
  std::int32_t file = -1;
  std::int64_t part = 0;  ///< reserve, seal: of a file that is split; -1: none
  std::int64_t records = 0;
  std::int32_t stream = -1;  ///< reserve: whose record asked for room, for messages
  std::int64_t event =
      -1;            ///< sync, seal: number on the context's timeline; -1: at once, at the end
  bool last = true;  ///< seal: the last one of the event, or of the file
  bool failed = false;
  std::int32_t client = -1;  ///< component_over, failed: who gave up
  std::string reason;
  std::vector<std::byte> package;
};

std::vector<std::byte> encode(const Command& command);
/// Returns a command as the trace of the protocol has it.
std::string traced(const Command& command);
/// Throws Error{protocol}.
Command decode_command(std::span<const std::byte> bytes);

/// Messages under way: sends without blocking and keeps the bytes until they have left.
class Outbox {
 public:
  Outbox();
  Outbox(const Outbox&) = delete;
  Outbox(Outbox&&) = delete;
  Outbox& operator=(const Outbox&) = delete;
  Outbox& operator=(Outbox&&) = delete;
  /// Messages that are still under way keep their bytes for the rest of the process.
  ~Outbox();

  /// Room of messages that have left, empty: who fills it and sends it takes no memory.
  std::vector<std::byte> room();
  /// Throws ep::Error for bytes that one message cannot carry.
  void send(const ep::Comm& comm, int dest, int tag, std::vector<std::byte> bytes);
  /// Sends bytes of any length; the receiver uses io::LongMessages.
  void send_long(const ep::Comm& comm, int dest, int tag, std::vector<std::byte> bytes);
  /// Forgets what has left. Throws ep::Error for a message that cannot leave, and forgets it too.
  /// Local.
  void progress();
  bool is_empty() const { return messages_->empty(); }

 private:
  struct Message {
    std::vector<std::byte> bytes;
    std::vector<EP_Request> requests;  // of its pieces
  };
  Message& add(std::vector<std::byte> bytes);
  std::unique_ptr<std::list<Message>> messages_ = std::make_unique<std::list<Message>>();
  std::list<Message> left_;  // some that have left
};

}  // namespace epios::server
