#include "contexts/early_parts.hpp"

#include <algorithm>
#include <iterator>

namespace epios::server {

void EarlyParts::keep_of_client(int component, std::uint64_t opening, std::vector<std::byte> part) {
  if (std::find(ended_.begin(), ended_.end(), component) != ended_.end()) return;
  of_clients_[{component, opening}].push_back(std::move(part));
}

void EarlyParts::keep_of_gatherer(std::uint32_t context, std::vector<std::byte> part) {
  if (context < next_context_) return;
  of_gatherers_[context].push_back(std::move(part));
}

EarlyParts::Parts EarlyParts::take(int component, std::uint64_t opening, std::uint32_t context) {
  next_context_ = context + 1;
  Parts out;
  if (auto node = of_clients_.extract({component, opening})) out = std::move(node.mapped());
  if (auto node = of_gatherers_.extract(context)) {
    std::move(node.mapped().begin(), node.mapped().end(), std::back_inserter(out));
  }
  return out;
}

void EarlyParts::end(int component) {
  ended_.push_back(component);
  std::erase_if(of_clients_, [component](const auto& of) { return of.first.first == component; });
}

std::size_t EarlyParts::size() const {
  std::size_t out = 0;
  for (const auto& [opening, parts] : of_clients_) out += parts.size();
  for (const auto& [context, parts] : of_gatherers_) out += parts.size();
  return out;
}

}  // namespace epios::server
