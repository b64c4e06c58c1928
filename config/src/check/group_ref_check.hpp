/// @file
/// Checks that group_ref of groups in use leads to existing groups.
#pragma once

#include <unordered_set>
#include <vector>

#include "language/context_store.hpp"
#include "language/group_ref.hpp"
#include "language/inheritance.hpp"
#include "text/findings.hpp"

namespace epios::config {

class GroupRefCheck {
 public:
  GroupRefCheck(const GroupRefs& groups, const ContextStore& store, Inheritance& inheritance,
                Findings& findings)
      : groups_(groups), store_(store), inheritance_(inheritance), findings_(findings) {}

  /// Reports mistakes of groups in enabled files and couplers, and around fields that are needed.
  void check_needed();
  /// Reports mistakes of all other groups.
  void check_rest();

 private:
  void mark_below(int node);
  void mark_around(int node);
  void report(bool is_needed);

  const GroupRefs& groups_;
  const ContextStore& store_;
  Inheritance& inheritance_;
  Findings& findings_;
  std::unordered_set<int> needed_;  ///< groups that are needed
};

}  // namespace epios::config
