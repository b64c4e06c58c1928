/// @file
/// What the elements of a context inherit, as of one moment.
#pragma once

#include <memory>
#include <optional>

#include "config/attribute_table.hpp"
#include "config/value.hpp"
#include "language/context_store.hpp"

namespace epios::config {

/// Keeps a copy of the context as it was: what is set later is not seen. By one thread at a time.
class SolvedContext {
 public:
  explicit SolvedContext(const ContextStore& store);
  SolvedContext(const SolvedContext& other);
  SolvedContext(SolvedContext&&) noexcept;
  SolvedContext& operator=(const SolvedContext& other);
  SolvedContext& operator=(SolvedContext&&) noexcept;
  ~SolvedContext();

  /// nullopt where nothing was given, and for elements that were not there.
  std::optional<Value> value(int node, const AttributeInfo& row) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace epios::config
