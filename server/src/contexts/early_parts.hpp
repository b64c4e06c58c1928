#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace epios::server {

/// Opening parts that have come before the leader's command to open their context. Nothing is kept
/// of contexts that have been opened before, nor of components that are over: who gives up may have
/// sent parts that come after all else, and nobody would ever take them.
class EarlyParts {
 public:
  using Parts = std::vector<std::vector<std::byte>>;

  /// A client's, by the number of the opening among those of its component.
  void keep_of_client(int component, std::uint64_t opening, std::vector<std::byte> part);
  /// A gatherer's, by the number of the context, which is not open here.
  void keep_of_gatherer(std::uint32_t context, std::vector<std::byte> part);
  /// The context is opened: what has come of it. Numbers of contexts ascend from call to call.
  Parts take(int component, std::uint64_t opening, std::uint32_t context);
  /// The component's clients are gone.
  void end(int component);
  /// How many parts are kept.
  std::size_t size() const;

 private:
  std::map<std::pair<int, std::uint64_t>, Parts> of_clients_;
  std::map<std::uint32_t, Parts> of_gatherers_;
  std::vector<int> ended_;          // components
  std::uint32_t next_context_ = 0;  // those before have been opened
};

}  // namespace epios::server
