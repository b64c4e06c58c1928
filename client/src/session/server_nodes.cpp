#include "session/server_nodes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "config/error.hpp"
#include "config/index.hpp"

namespace epios::client {
namespace {

/// With or without the domain.
bool is_called(std::string_view node, std::string_view wanted) {
  return node == wanted || node.substr(0, node.find('.')) == wanted;
}

}  // namespace

ServerNodes::ServerNodes(const io::ProcessTable& process_table) : names_(process_table.nodes) {
  for (const io::ProcessTable::Process& process : process_table.processes) {
    if (process.server < 0) continue;
    const auto rank = static_cast<std::size_t>(process.server);
    nodes_.resize(std::max(nodes_.size(), rank + 1));
    nodes_[rank] = static_cast<std::size_t>(std::max(process.node, 0));
  }
}

std::vector<bool> ServerNodes::chosen(const config::NodeChoice& choice, const std::string& name,
                                      const std::string& where) const {
  if (choice.names.empty() && choice.numbers.empty()) return {};
  std::vector<bool> out(std::max<std::size_t>(names_.size(), 1));
  for (const std::string& wanted : choice.names) {
    bool is_there = false;
    for (std::size_t n = 0; n < names_.size(); ++n) {
      if (!is_called(names_[n], wanted)) continue;
      out[n] = is_there = true;
    }
    if (!is_there) refuse(fmt::format("'{}'", wanted), name, where);
  }
  for (const auto& [first, last] : choice.numbers) {
    if (static_cast<std::size_t>(last) >= out.size()) refuse(fmt::format("{}", last), name, where);
    for (int n = first; n <= last; ++n) nth(out, n) = true;
  }
  return out;
}

void ServerNodes::refuse(const std::string& node, const std::string& name,
                         const std::string& where) const {
  constexpr std::size_t most = 8;
  std::vector<std::string> known;
  for (std::size_t n = 0; n < std::min(names_.size(), most); ++n) {
    known.push_back(fmt::format("{} is '{}'", n, names_[n]));
  }
  if (names_.size() > most) known.push_back(fmt::format("{} in all", names_.size()));
  throw Error(ErrorCode::configuration,
              fmt::format("{}: {} is on node {}, which this job does not have ({}). Does on_node "
                          "name nodes that have processes of the job?",
                          where, name, node, fmt::join(known, ", ")));
}

}  // namespace epios::client
