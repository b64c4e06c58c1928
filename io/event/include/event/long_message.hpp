/// @file
/// Opening parts hold coordinates and may be longer than one message of MPI: then they travel in
/// pieces, behind a message that says how long they are. See docs/wire_format.md.
#pragma once

#include <cstddef>
#include <ep/fwd.hpp>
#include <map>
#include <span>
#include <vector>

namespace epios::io {

/// Bytes of the longest piece: what is longer is cut. EPIOS_TEST_PIECE_BYTES makes it less.
std::size_t longest_piece();

/// As ep::send, for any length.
void send_long(const ep::Comm& comm, std::span<const std::byte> bytes, int dest, int tag);

/// Puts together what arrives with one tag of one communicator.
class LongMessages {
 public:
  /// Whether `message` is one as its sender had it: it came whole, or was the last piece, and holds
  /// all of them now. Else its bytes are kept until then. Throws Error{protocol} for pieces that
  /// are more than was said.
  bool complete(ep::Received& message);

 private:
  struct Begun {
    std::vector<std::byte> bytes;
    std::size_t expected = 0;
  };
  std::map<int, Begun> begun_;  // by sender
};

}  // namespace epios::io
