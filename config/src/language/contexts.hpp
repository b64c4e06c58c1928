/// @file
/// The mutable definitions of all contexts.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "language/context_store.hpp"
#include "text/findings.hpp"

namespace epios::config {

/// The context of run-time parameters. It has no calendar and writes nothing.
constexpr const char* parameter_context = "xios";

/// All contexts of a configuration, in document order.
class Contexts {
 public:
  const ContextStore* find(std::string_view id) const;
  ContextStore* find(std::string_view id);
  ContextStore& open(const std::string& id, const Origin& origin);
  const std::vector<ContextStore>& all() const { return all_; }

  Policy policy;  ///< how the configuration is to be read

 private:
  std::vector<ContextStore> all_;
  /// Every attribute that a model sets names its context, so look-ups use a hash table.
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> by_id_;
};

}  // namespace epios::config
