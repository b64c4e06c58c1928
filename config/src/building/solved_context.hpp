/// @file
/// Inherited values of the elements of a context at one moment.
#pragma once

#include <memory>
#include <optional>

#include "config/attribute_table.hpp"
#include "config/value.hpp"
#include "language/context_store.hpp"

namespace epios::config {

/// Keeps a copy of the context; later settings have no effect on it. One thread at a time.
class SolvedContext {
 public:
  explicit SolvedContext(const ContextStore& store);
  SolvedContext(const SolvedContext& other);
  SolvedContext(SolvedContext&&) noexcept;
  SolvedContext& operator=(const SolvedContext& other);
  SolvedContext& operator=(SolvedContext&&) noexcept;
  ~SolvedContext();

  /// Returns nullopt if nothing was given, and for elements that did not exist.
  std::optional<Value> value(int node, const AttributeInfo& row) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace epios::config
