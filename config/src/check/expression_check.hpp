/// @file
/// Checks of expressions of the fields of a context.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "config/expression.hpp"
#include "language/context_store.hpp"
#include "language/inheritance.hpp"
#include "text/findings.hpp"

namespace epios::config {

/// Checks expressions on demand, because most of a configuration may be unused.
class Expressions {
 public:
  Expressions(const ContextStore& store, Inheritance& inheritance, Findings& findings)
      : store_(store), inheritance_(inheritance), findings_(findings) {}

  /// Reports, once, mistakes of a field and of all fields whose data it needs: invalid text,
  /// unknown ids, expressions without a field, and data that would depend on itself.
  void need(int field);
  /// Calls need() for every field of the context.
  void check_all();
  /// Returns the expression of a needed field, or nullptr if it has none or the expression is
  /// invalid. Its operands exist.
  const Expression* of(int field) const;
  /// Returns true if a field stands in an enabled file that is read. `this` is then what is read
  /// there, whatever it refers to.
  bool is_read(int field);

 private:
  /// One field needs the data of another one.
  struct Need {
    int field = -1;
    Origin origin;
  };
  enum class State { untouched, open, done };
  using Path = std::vector<std::pair<int, std::size_t>>;

  const std::vector<Need>& needs_of(int field);
  void check(int field, const Setting& setting);
  // These functions return true if they find no mistake; refuse() always returns false.
  bool check(int field, const ExpressionNode& node);
  bool check_reference(int field, const ExpressionNode& node);
  bool check_variable(int field, const ExpressionNode& node);
  bool check_field(int field, const ExpressionNode& node);
  Origin place(int field, std::size_t offset);
  bool refuse(Code code, int field, std::size_t offset, std::string why,
              std::string suggestion = {});
  void report_circle(const Path& path, const Need& need);

  const ContextStore& store_;
  Inheritance& inheritance_;
  Findings& findings_;
  std::optional<std::unordered_set<int>> read_;
  std::unordered_map<int, Expression> good_;
  std::unordered_map<int, std::vector<Need>> needs_;
  std::unordered_map<int, State> states_;
};

/// Returns the place of a character of an expression, which stands in a field or in a group around
/// it.
Origin place_in_expression(const ContextStore& store, const Setting& expression,
                           std::size_t offset);

/// Returns the place of a character of an ASCII text that stands as `raw` in a file from `begin`
/// on. An entity counts as one character, a comment as none.
Position position_inside(Position begin, std::string_view raw, std::size_t offset);

}  // namespace epios::config
