/// @file
/// Which tags exist, what they may contain, and which kind of element they stand for. Attributes
/// are in the attribute table, not here.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/element_kind.hpp"
#include "config/error.hpp"
#include "config/value.hpp"

namespace epios::config {

enum class Form { element, group, definition };

/// The meaning of the text of an element.
enum class TextUse { none, value, pairs, expression };

struct Tag {
  std::string name;
  /// `any` for context_group and expr, which are no elements.
  ElementKind kind = ElementKind::any;
  Form form = Form::element;
  std::vector<std::string_view> children;
  bool accepts_id = true;
  bool accepts_src = false;
  TextUse text = TextUse::none;
  /// An unknown child of an axis, domain or scalar would be an ignored transformation, so there it
  /// is an error.
  Severity unknown_child = Severity::warning;
  std::string_view meaning;
  /// For a transformation: the only kind of element that may contain it. The same tag elsewhere is
  /// another one.
  ElementKind within = ElementKind::any;
  /// For a deprecated tag: its replacement.
  std::string_view successor{};

  bool has_child(std::string_view tag) const;
  /// Returns true for groups and definition elements of kinds, but not for context_group.
  bool accepts_group_ref() const { return form != Form::element && kind != ElementKind::any; }
};

/// Returns all tags, outermost first.
std::span<const Tag> grammar();
/// Returns the tag with a name; the first one if it depends on the parent.
const Tag* find_tag(std::string_view name);
/// Returns the meaning of `name` inside `parent`, or nullptr if it is not allowed there.
const Tag* find_child(const Tag& parent, std::string_view name);
/// Returns true if `tag` is a container that accepts `src`. Called for text before anything is
/// typed.
bool accepts_src(std::string_view tag);

}  // namespace epios::config
