#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <unordered_map>

#include "config/attribute_table.hpp"
#include "config/element_kind.hpp"
#include "config/index.hpp"
#include "config/value.hpp"

namespace epios::config {

namespace {

// clang-format off
#define EPIOS_ROW(element, name, type, words, default_text, inheritable, scope, since, compat, text) \
  AttributeInfo{ElementKind::element, #name,      ValueType::type,   words,  default_text,           \
                HandedDown::inheritable, Scope::scope, since, #compat, text},
#define EPIOS_ROW_OF(element, ...) EPIOS_ROW(element, __VA_ARGS__)

constexpr auto table = std::to_array<AttributeInfo>({
#define ANY(...) EPIOS_ROW_OF(any, __VA_ARGS__)
#define SIMULATION(...) EPIOS_ROW_OF(simulation, __VA_ARGS__)
#define CONTEXT(...) EPIOS_ROW_OF(context, __VA_ARGS__)
#define CALENDAR(...) EPIOS_ROW_OF(calendar, __VA_ARGS__)
#define SCALAR(...) EPIOS_ROW_OF(scalar, __VA_ARGS__)
#define AXIS(...) EPIOS_ROW_OF(axis, __VA_ARGS__)
#define DOMAIN(...) EPIOS_ROW_OF(domain, __VA_ARGS__)
#define GRID(...) EPIOS_ROW_OF(grid, __VA_ARGS__)
#define FIELD(...) EPIOS_ROW_OF(field, __VA_ARGS__)
#define FILE_(...) EPIOS_ROW_OF(file, __VA_ARGS__)
#define HIERARCHY(...) EPIOS_ROW_OF(hierarchy, __VA_ARGS__)
#define VARIABLE(...) EPIOS_ROW_OF(variable, __VA_ARGS__)
#define COUPLER_IN(...) EPIOS_ROW_OF(coupler_in, __VA_ARGS__)
#define COUPLER_OUT(...) EPIOS_ROW_OF(coupler_out, __VA_ARGS__)
#define POOL(...) EPIOS_ROW_OF(pool, __VA_ARGS__)
#define SERVICE(...) EPIOS_ROW_OF(service, __VA_ARGS__)
#include "config/attributes.def"
#define TRANSFORMATION_ATTRIBUTE(...) EPIOS_ROW_OF(__VA_ARGS__)
#include "config/transformations.def"
});
// clang-format on

constexpr auto kind_names = std::to_array<std::string_view>({
    "any",
    "simulation",
    "context",
    "calendar",
    "scalar",
    "axis",
    "domain",
    "grid",
    "field",
    "file",
    "hierarchy",
    "variable",
    "coupler_in",
    "coupler_out",
    "pool",
    "service",
#define TRANSFORMATION(kind, tag, ...) tag,
#include "config/transformations.def"
});
static_assert(kind_names.size() == element_kind_count);
constexpr std::array<std::string_view, 12> type_names{"boolean",  "integer",  "real",  "string",
                                                      "word",     "duration", "date",  "reference",
                                                      "booleans", "integers", "reals", "strings"};

/// Where the rows of each kind are.
struct Index {
  std::array<std::span<const AttributeInfo>, element_kind_count> rows;
  std::array<std::unordered_map<std::string_view, const AttributeInfo*>, element_kind_count>
      by_name;

  Index() {
    for (const AttributeInfo& row : table) {
      const auto kind = static_cast<std::size_t>(row.element);
      std::span<const AttributeInfo>& known = rows[kind];
      known = {known.empty() ? &row : known.data(), known.size() + 1};
      by_name[kind].emplace(row.name, &row);
    }
  }
};

const Index& index() {
  static const Index result;
  return result;
}

}  // namespace

std::string_view name(ElementKind kind) { return nth(kind_names, kind); }

std::string_view name(ValueType type) { return nth(type_names, type); }

std::span<const AttributeInfo> attribute_table() { return table; }

std::span<const AttributeInfo> attributes_of(ElementKind element) {
  return nth(index().rows, element);
}

const AttributeInfo* find_attribute(ElementKind element, std::string_view name) {
  const auto& names = nth(index().by_name, element);
  const auto found = names.find(name);
  return found == names.end() ? nullptr : found->second;
}

}  // namespace epios::config
