#include "config/attributes.hpp"

#include <algorithm>
#include <array>

namespace epios::config {

namespace {

// clang-format off
#define EPIOS_ROW_yes true
#define EPIOS_ROW_no false
#define EPIOS_ROW(element, name, type, words, default_text, inheritable, scope, since, compat, text) \
  AttributeInfo{ElementKind::element, #name,      ValueType::type,   words,  default_text,           \
                EPIOS_ROW_##inheritable, Scope::scope, since, #compat, text},
#define EPIOS_ROW_OF(element, ...) EPIOS_ROW(element, __VA_ARGS__)

constexpr auto table = std::to_array<AttributeInfo>({
#define ANY(...) EPIOS_ROW_OF(any, __VA_ARGS__)
#define CONTEXT(...) EPIOS_ROW_OF(context, __VA_ARGS__)
#define CALENDAR(...) EPIOS_ROW_OF(calendar, __VA_ARGS__)
#define SCALAR(...) EPIOS_ROW_OF(scalar, __VA_ARGS__)
#define AXIS(...) EPIOS_ROW_OF(axis, __VA_ARGS__)
#define DOMAIN(...) EPIOS_ROW_OF(domain, __VA_ARGS__)
#define GRID(...) EPIOS_ROW_OF(grid, __VA_ARGS__)
#define FIELD(...) EPIOS_ROW_OF(field, __VA_ARGS__)
#define FILE_(...) EPIOS_ROW_OF(file, __VA_ARGS__)
#define VARIABLE(...) EPIOS_ROW_OF(variable, __VA_ARGS__)
#include "config/attributes.def"
});
// clang-format on

constexpr std::array<std::string_view, 10> kind_names{
    "any", "context", "calendar", "scalar", "axis", "domain", "grid", "field", "file", "variable"};
constexpr std::array<std::string_view, 12> type_names{"boolean",  "integer",  "real",  "string",
                                                      "word",     "duration", "date",  "reference",
                                                      "booleans", "integers", "reals", "strings"};

}  // namespace

std::string_view name(ElementKind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

std::string_view name(ValueType type) { return type_names[static_cast<std::size_t>(type)]; }

std::span<const AttributeInfo> attribute_table() { return table; }

std::span<const AttributeInfo> attributes_of(ElementKind element) {
  const auto is_of = [element](const AttributeInfo& row) { return row.element == element; };
  const auto first = std::find_if(table.begin(), table.end(), is_of);
  const auto last = std::find_if_not(first, table.end(), is_of);
  return {first, last};
}

const AttributeInfo* find_attribute(ElementKind element, std::string_view name) {
  for (const AttributeInfo& row : attributes_of(element)) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace epios::config
