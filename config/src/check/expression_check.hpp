/// @file
/// Expressions of the fields of a context: whether they can be worked out.
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

/// Looked at when somebody needs them: most of a configuration may be in use by nobody.
class Expressions {
 public:
  Expressions(const ContextStore& store, Inheritance& inheritance, Findings& findings)
      : store_(store), inheritance_(inheritance), findings_(findings) {}

  /// Reports, once, of a field and of all whose data it needs: text that is no expression, ids of
  /// nothing, expressions without a field, and data that would depend on itself.
  void need(int field);
  /// Calls need() for every field of the context.
  void check_all();
  /// The expression of a field that is needed, nullptr when it has none or it cannot be worked out.
  /// Its operands exist.
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

/// The place of a character of an expression, which stands in a field or in a group around it.
Origin place_in_expression(const ContextStore& store, const Setting& expression,
                           std::size_t offset);

/// The place of a character of a text of ASCII that stands as `raw` in a file from `begin` on: an
/// entity is one character, a comment none.
Position position_inside(Position begin, std::string_view raw, std::size_t offset);

}  // namespace epios::config
