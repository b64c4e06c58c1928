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
#include "image_status.hpp"
#include "locks.hpp"
#include "memory.hpp"

namespace ep::caf {

/// The state of an image while it is connected with the others.
struct Connection {
  explicit Connection(EP_Comm comm_of_images);

  EP_Comm comm;
  int rank = 0;
  int size = 0;
  Reach reach;
  ImageStatus status;
  Locks locks;
  Events events;
  std::uint64_t chance;            ///< random number of this run, the same on all images
  std::uint64_t common_seeds = 0;  ///< number of seeds that this image has drawn from it
};

/// The state of one image. Its coarrays exist from the constructors of its copy of the program on,
/// its connection from `start()` to `leave()`. Threads of that image call, one at a time.
class Image {
 public:
  Image() = default;
  Image(const Image&) = delete;
  Image(Image&&) = delete;
  Image& operator=(const Image&) = delete;
  Image& operator=(Image&&) = delete;
  ~Image() = default;

  bool is_connected() const noexcept { return connection_ != nullptr; }
  /// Connects the image with all others, if it is not connected yet. Collective.
  void start();
  /// Waits until all have left, and ends the connection.
  void leave(State state);
  /// Returns the connection. Throws Failure before start().
  Connection& connection();

  /// Returns the coarray of a token. Throws Failure for an image number that is invalid.
  const Coarray& coarray(Token token, int image);

  // Memory. Tokens are the program's from here on.

  Token add_static(std::size_t bytes, RegisterKind kind, void** data);
  /// Allocates a coarray. The compiler fills in the bounds of `descriptor` afterwards. Collective.
  /// Throws Failure at all images or none.
  Token allocate(std::size_t bytes, RegisterKind kind, Descriptor& descriptor);
  /// Deallocates a coarray. Collective.
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

/// Returns the image to which the calling thread belongs; the first call makes it.
Image& calling_image();
/// Returns the number of that image, from 1 on; 0 before it is connected.
int number_of_calling_image() noexcept;

}  // namespace ep::caf
