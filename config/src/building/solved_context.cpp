#include "building/solved_context.hpp"

#include "language/group_ref.hpp"
#include "language/inheritance.hpp"
#include "text/findings.hpp"

namespace epios::config {

// Its later members point into its earlier ones. What is wrong with the context is found at the end
// of its definition.
struct SolvedContext::State {
  explicit State(const ContextStore& store)
      : given(store),
        group_refs(follow_group_refs(given, findings)),
        inheritance(group_refs.store ? *group_refs.store : given, findings) {}

  ContextStore given;
  Findings findings;
  GroupRefs group_refs;
  Inheritance inheritance;
};

SolvedContext::SolvedContext(const ContextStore& store) : state_(std::make_unique<State>(store)) {}
SolvedContext::SolvedContext(const SolvedContext& other) : SolvedContext(other.state_->given) {}
SolvedContext::SolvedContext(SolvedContext&&) noexcept = default;
SolvedContext& SolvedContext::operator=(const SolvedContext& other) {
  return *this = SolvedContext(other);
}
SolvedContext& SolvedContext::operator=(SolvedContext&&) noexcept = default;
SolvedContext::~SolvedContext() = default;

std::optional<Value> SolvedContext::value(int node, const AttributeInfo& row) const {
  if (node >= state_->given.size()) return std::nullopt;
  const Setting* setting = state_->inheritance.of(node).find(row);
  return setting == nullptr ? std::nullopt : setting->value;
}

}  // namespace epios::config
