#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "handles/endpoint.hpp"
#include "schedules/operation.hpp"

namespace ep {

// The collectives that the library uses itself: blocking, on bytes, within a group.

void barrier(Endpoint& endpoint);
void bcast(Endpoint& endpoint, const TypedView& view, int root);
/// Collects `size` bytes of every endpoint in size() * `size` bytes.
void allgather_bytes(Endpoint& endpoint, const void* mine, int size, void* all);

/// An operation in which every process contributes one lump of bytes of any size on behalf of its
/// endpoints, and then has the lumps of all.
class ExchangeRecipe : public Recipe {
 public:
  using Lumps = std::vector<std::vector<std::byte>>;

  Stage begin(Operation& operation, int stage) const final;

 protected:
  /// Returns the lump of this process, after all its endpoints have arrived.
  virtual std::vector<std::byte> contribute(Operation& operation) const = 0;
  /// Gets the lumps of all, by process.
  virtual void conclude(Operation& operation, const Lumps& all) const = 0;
};

}  // namespace ep
