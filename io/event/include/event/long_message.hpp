/// @file
/// Opening parts hold coordinates and may be longer than one MPI message. They then travel in
/// pieces, after a message with their length. See docs/wire_format.md.
#pragma once

#include <cstddef>
#include <ep/fwd.hpp>
#include <map>
#include <span>
#include <vector>

namespace epios::io {

/// Returns the bytes of the longest piece; longer messages are cut. EPIOS_TEST_PIECE_BYTES makes it
/// smaller.
std::size_t longest_piece();

/// Sends like ep::send, for any length.
void send_long(const ep::Comm& comm, std::span<const std::byte> bytes, int dest, int tag);

/// Assembles what arrives with one tag of one communicator.
class LongMessages {
 public:
  /// Returns true if `message` is complete: it came whole, or was the last piece, and then holds
  /// all of them. Otherwise keeps its bytes until then. Throws Error{protocol} if pieces exceed the
  /// announced length.
  bool complete(ep::Received& message);

 private:
  struct Begun {
    std::vector<std::byte> bytes;
    std::size_t expected = 0;
  };
  std::map<int, Begun> begun_;  // by sender
};

}  // namespace epios::io
