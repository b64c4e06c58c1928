#include "language/contexts.hpp"

namespace epios::config {

const ContextStore* Contexts::find(std::string_view id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : &all_[found->second];
}

ContextStore* Contexts::find(std::string_view id) {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : &all_[found->second];
}

ContextStore& Contexts::open(const std::string& id, const Origin& origin) {
  if (ContextStore* found = find(id)) return *found;
  by_id_.emplace(id, all_.size());
  return all_.emplace_back(id, origin);
}

}  // namespace epios::config
