/// @file
/// `group_ref`: the fields and attributes of one group of fields stand in another one too.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "language/context_store.hpp"
#include "text/findings.hpp"

namespace epios::config {

/// A group_ref that leads to nothing or in a circle.
struct GroupRefMistake {
  int group = -1;  ///< group that has it
  std::string problem;
  std::string why;
  std::string suggestion{};
  Code code = Code::refers_to_nothing;
};

struct GroupRefs {
  /// The context with every group_ref of a field group carried out, nullopt when there is none: the
  /// group takes the attributes of the other one that it does not give itself, and for each field
  /// with an id in there it gets a nameless child that refers to it.
  std::optional<ContextStore> store;
  std::unordered_map<int, int> targets;   ///< of groups, by group
  std::vector<GroupRefMistake> mistakes;  ///< not reported yet: who needs the group does so
};

GroupRefs follow_group_refs(const ContextStore& store, Findings& findings);

}  // namespace epios::config
