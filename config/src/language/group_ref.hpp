/// @file
/// `group_ref`: includes the fields and attributes of one group of fields in another one.
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
  /// The context with every group_ref of a field group expanded; not set if there is none. The
  /// group takes the attributes of the other one that it does not give itself. For each field with
  /// an id in the other one it gets a nameless child that refers to that field.
  std::optional<ContextStore> store;
  std::unordered_map<int, int> targets;  ///< target of each group
  std::vector<GroupRefMistake>
      mistakes;  ///< not reported yet; that happens when somebody needs the group
};

GroupRefs follow_group_refs(const ContextStore& store, Findings& findings);

}  // namespace epios::config
