#include "resolve.hpp"

#include <fmt/format.h>

#include <optional>

#include "attribute_fill.hpp"
#include "availability.hpp"
#include "calendar_reader.hpp"
#include "expression_check.hpp"
#include "file_builder.hpp"
#include "group_ref.hpp"
#include "inheritance.hpp"

namespace epios::config {

namespace {

/// Couplers that are on would have to exchange fields.
void check_couplers(const ContextStore& store, Inheritance& inheritance, Findings& findings) {
  for (const ElementKind kind : {ElementKind::coupler_in, ElementKind::coupler_out}) {
    for (const int coupler : store.elements_below(store.root_of(kind), kind)) {
      const Setting* enabled = inheritance.of(coupler).find("enabled");
      if (enabled != nullptr && !std::get<bool>(*enabled->value)) continue;
      const Node& node = store.at(coupler);
      findings.not_yet(node.origin, fmt::format("<{}> is not available yet", name(kind)));
    }
  }
}

}  // namespace

Model resolve_context(const ContextStore& written, Findings& findings) {
  const std::optional<ContextStore> expanded = with_group_refs(written, findings);
  const ContextStore& store = expanded ? *expanded : written;
  Model model;
  model.context_id = store.id();
  Inheritance inheritance(store, findings);
  inheritance.check_references();
  check_expressions(store, inheritance, findings);
  const Clock clock = read_calendar(store, inheritance, findings, model);
  const auto context = filled<ContextAttributes>(inheritance.of(store.context_node()));
  check_available(store.at(store.context_node()), inheritance.of(store.context_node()), findings);
  check_couplers(store, inheritance, findings);
  FileBuilder files(store, inheritance, findings, clock, *context.output_dir, model);
  model.variables = files.variables_of(store.root_of(ElementKind::variable));
  files.add_files();
  model.known_fields = files.known_fields();
  return model;
}

}  // namespace epios::config
