/// @file
/// Visits the members of the attribute structs together with their rows of the table.
#pragma once

#include <concepts>
#include <type_traits>

#include "config/attribute_table.hpp"
#include "config/attributes.hpp"

namespace epios::config {

// clang-format off
// For each struct: for_each_attribute(attributes, f) calls f(row, member) in table order; works for
// const and mutable structs.
#define EPIOS_VISIT(name, ...) visit(*row++, attributes.name);
#define EPIOS_VISITOR(Struct, kind)                                                    \
  template <class Attributes, class Visit>                                             \
    requires std::same_as<std::remove_const_t<Attributes>, Struct>                     \
  void for_each_attribute(Attributes& attributes, Visit&& visit) {                     \
    const AttributeInfo* row = attributes_of(ElementKind::kind).data();

EPIOS_VISITOR(ContextAttributes, context)
#define CONTEXT(...) EPIOS_VISIT(__VA_ARGS__)
#include "config/attributes.def"
}
EPIOS_VISITOR(CalendarAttributes, calendar)
#define CALENDAR(...) EPIOS_VISIT(__VA_ARGS__)
#include "config/attributes.def"
}
EPIOS_VISITOR(ScalarAttributes, scalar)
#define SCALAR(...) EPIOS_VISIT(__VA_ARGS__)
#include "config/attributes.def"
}
EPIOS_VISITOR(AxisAttributes, axis)
#define AXIS(...) EPIOS_VISIT(__VA_ARGS__)
#include "config/attributes.def"
}
EPIOS_VISITOR(DomainAttributes, domain)
#define DOMAIN(...) EPIOS_VISIT(__VA_ARGS__)
#include "config/attributes.def"
}
EPIOS_VISITOR(GridAttributes, grid)
#define GRID(...) EPIOS_VISIT(__VA_ARGS__)
#include "config/attributes.def"
}
EPIOS_VISITOR(FieldAttributes, field)
#define FIELD(...) EPIOS_VISIT(__VA_ARGS__)
#include "config/attributes.def"
}
EPIOS_VISITOR(FileAttributes, file)
#define FILE_(...) EPIOS_VISIT(__VA_ARGS__)
#include "config/attributes.def"
}
EPIOS_VISITOR(VariableAttributes, variable)
#define VARIABLE(...) EPIOS_VISIT(__VA_ARGS__)
#include "config/attributes.def"
}
EPIOS_VISITOR(CouplerInAttributes, coupler_in)
#define COUPLER_IN(...) EPIOS_VISIT(__VA_ARGS__)
#include "config/attributes.def"
}
EPIOS_VISITOR(CouplerOutAttributes, coupler_out)
#define COUPLER_OUT(...) EPIOS_VISIT(__VA_ARGS__)
#include "config/attributes.def"
}
EPIOS_VISITOR(PoolAttributes, pool)
#define POOL(...) EPIOS_VISIT(__VA_ARGS__)
#include "config/attributes.def"
}
EPIOS_VISITOR(ServiceAttributes, service)
#define SERVICE(...) EPIOS_VISIT(__VA_ARGS__)
#include "config/attributes.def"
}
#undef EPIOS_VISITOR
#undef EPIOS_VISIT
// clang-format on

}  // namespace epios::config
