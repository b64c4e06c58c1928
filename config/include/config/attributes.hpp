/// @file
/// Structs generated from the attribute table (attributes.def). A new row recompiles every user of
/// this header. Code that only names the structs includes model_fwd.hpp, code that looks attributes
/// up includes attribute_table.hpp.
#pragma once

#include <optional>

#include "config/value.hpp"

namespace epios::config {

// One struct per element with one optional member per attribute, named as in XML.
#define EPIOS_MEMBER(name, type, ...) std::optional<value::type> name;
struct ContextAttributes {
#define CONTEXT(...) EPIOS_MEMBER(__VA_ARGS__)
#include "config/attributes.def"
};
struct CalendarAttributes {
#define CALENDAR(...) EPIOS_MEMBER(__VA_ARGS__)
#include "config/attributes.def"
};
struct ScalarAttributes {
#define SCALAR(...) EPIOS_MEMBER(__VA_ARGS__)
#include "config/attributes.def"
};
struct AxisAttributes {
#define AXIS(...) EPIOS_MEMBER(__VA_ARGS__)
#include "config/attributes.def"
};
struct DomainAttributes {
#define DOMAIN(...) EPIOS_MEMBER(__VA_ARGS__)
#include "config/attributes.def"
};
struct GridAttributes {
#define GRID(...) EPIOS_MEMBER(__VA_ARGS__)
#include "config/attributes.def"
};
struct FieldAttributes {
#define FIELD(...) EPIOS_MEMBER(__VA_ARGS__)
#include "config/attributes.def"
};
struct FileAttributes {
#define FILE_(...) EPIOS_MEMBER(__VA_ARGS__)
#include "config/attributes.def"
};
struct VariableAttributes {
#define VARIABLE(...) EPIOS_MEMBER(__VA_ARGS__)
#include "config/attributes.def"
};
struct CouplerInAttributes {
#define COUPLER_IN(...) EPIOS_MEMBER(__VA_ARGS__)
#include "config/attributes.def"
};
struct CouplerOutAttributes {
#define COUPLER_OUT(...) EPIOS_MEMBER(__VA_ARGS__)
#include "config/attributes.def"
};
struct PoolAttributes {
#define POOL(...) EPIOS_MEMBER(__VA_ARGS__)
#include "config/attributes.def"
};
struct ServiceAttributes {
#define SERVICE(...) EPIOS_MEMBER(__VA_ARGS__)
#include "config/attributes.def"
};
#undef EPIOS_MEMBER

}  // namespace epios::config
