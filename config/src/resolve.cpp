#include "resolve.hpp"

#include <optional>

#include "attribute_fill.hpp"
#include "availability.hpp"
#include "calendar_reader.hpp"
#include "coupler_builder.hpp"
#include "expression_check.hpp"
#include "file_builder.hpp"
#include "group_ref.hpp"
#include "inheritance.hpp"
#include "variable_builder.hpp"

namespace epios::config {

Model resolve_context(const ContextStore& written, Findings& findings) {
  const std::optional<ContextStore> expanded = with_group_refs(written, findings);
  const ContextStore& store = expanded ? *expanded : written;
  Model model;
  model.context_id = store.id();
  Inheritance inheritance(store, findings);
  inheritance.check_references();
  const Expressions expressions = check_expressions(store, inheritance, findings);
  const Clock clock = read_calendar(store, inheritance, findings, model);
  const auto context = filled<ContextAttributes>(inheritance.of(store.context_node()));
  check_available(store.at(store.context_node()), inheritance.of(store.context_node()), findings);
  model.variables =
      variables_of(store, inheritance, findings, store.root_of(ElementKind::variable));
  PeriodBuilder periods(store, inheritance, findings, clock);
  GridBuilder grids(store, inheritance, findings, model);
  DataBuilder data(store, inheritance, findings, expressions, periods, grids, model);
  CouplerBuilder couplers(store, inheritance, findings, periods, grids, data, model);
  couplers.expect_received_fields();
  FileBuilder(store, inheritance, findings, periods, grids, data, *context.output_dir, model)
      .add_files();
  couplers.add_couplers();
  periods.report_missing_operations();
  model.known_fields = data.known_fields();
  return model;
}

}  // namespace epios::config
