/// @file
/// An image: an endpoint that runs a copy of a coarray program.
#pragma once

#include <ep/ep.h>

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "abi.hpp"
#include "coarray.hpp"
#include "events.hpp"
#include "locks.hpp"
#include "memory.hpp"
#include "roll.hpp"

namespace ep::caf {

/// What an image has while it is connected with the others.
struct Connection {
  explicit Connection(EP_Comm comm_of_images);

  EP_Comm comm;
  int rank = 0;
  int size = 0;
  Reach reach;
  Roll roll;
  Locks locks;
  Events events;
  std::uint64_t chance;            ///< of this run, the same on all images
  std::uint64_t common_seeds = 0;  ///< that this image has drawn of it
};

/// The state of one image. Its coarrays exist from the constructors of its copy of the program on,
/// the connection from `start()` to `leave()`. Calls are by threads of that image, one at a time.
class Image {
 public:
  Image() = default;
  Image(const Image&) = delete;
  Image(Image&&) = delete;
  Image& operator=(const Image&) = delete;
  Image& operator=(Image&&) = delete;
  ~Image() = default;

  bool is_connected() const noexcept { return connection_ != nullptr; }
  /// Connects it with all others; before, if nobody has. Collective.
  void start();
  /// Waits until all have left, and ends the connection.
  void leave(State state);
  /// Throws Failure before start().
  Connection& connection();

  /// The coarray of a token. Throws Failure for an image that is none.
  const Coarray& coarray(Token token, int image);

  // Memory. Tokens are the program's from here on.

  Token add_static(std::size_t bytes, RegisterKind kind, void** data);
  /// Collective. The compiler fills in the bounds of `descriptor` afterwards.
  Token allocate(std::size_t bytes, RegisterKind kind, Descriptor& descriptor);
  /// Collective.
  void deallocate(Token token);

  Token add_component();
  bool is_component(Token token) const { return components_.contains(token); }
  void allocate_component(Token token, std::size_t bytes, void** data);
  void free_component(Token token);
  void remove_component(Token token);

 private:
  std::unique_ptr<Coarray> allocate_apart(std::size_t bytes);
  Token keep(std::unique_ptr<Coarray> coarray, bool has_events);
  void free_windows();

  std::unique_ptr<Connection> connection_;
  StaticMemory static_memory_;
  std::int64_t next_number_ = 0;
  std::map<Token, std::unique_ptr<Coarray>> coarrays_;
  std::vector<const Coarray*> static_events_;
  std::map<Token, std::unique_ptr<Component>> components_;
};

/// The image that the calling thread belongs to. The first call makes it.
Image& calling_image();
/// Its number, from 1 on; 0 before it is connected.
int number_of_calling_image() noexcept;

}  // namespace ep::caf
