#include "resolve.hpp"

#include "attribute_fill.hpp"
#include "calendar_reader.hpp"
#include "expression_check.hpp"
#include "file_builder.hpp"
#include "inheritance.hpp"

namespace epios::config {

Model resolve_context(const ContextStore& store, Findings& findings) {
  Model model;
  model.context_id = store.id();
  Inheritance inheritance(store, findings);
  inheritance.check_references();
  check_expressions(store, inheritance, findings);
  const Clock clock = read_calendar(store, inheritance, findings, model);
  const auto context = filled<ContextAttributes>(inheritance.of(store.context_node()));
  FileBuilder files(store, inheritance, findings, clock, *context.output_dir, model);
  model.variables = files.variables_of(store.root_of(ElementKind::variable));
  files.add_files();
  model.known_fields = files.known_fields();
  return model;
}

}  // namespace epios::config
