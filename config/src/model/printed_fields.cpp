// Decides which <field> elements print a Model: a Model has sources, expressions and streams, XML
// has fields that refer to each other. It first collects fields that are read or received, then
// sources, results and expressions. Then it adds what only passes data on, and the fields that own
// data under another id.
#include "model/printed_fields.hpp"

#include <algorithm>

#include "config/data_graph.hpp"
#include "config/model.hpp"
#include "language/attribute_access.hpp"
#include "model/written_way.hpp"

namespace epios::config {

namespace {

/// The field is what the model sends.
void send(const Source& source, PrintedField& field) {
  field.grid = source.grid;
  if (source.detect_missing_value) field.attributes.detect_missing_value = true;
  if (source.detect_missing_value || source.default_value != 0) {
    field.attributes.default_value = source.default_value;
  }
}

}  // namespace

/// A field in a file or coupler whose data are known.
struct PrintedFields::Use {
  std::string id;
  SourceId source;
  ExpressionId expression;
  GridId grid;
  const FieldAttributes* attributes = nullptr;
  /// The expression is its own, not that of a field it refers to.
  bool has_expression() const { return attributes->expr.has_value(); }
};

PrintedFields::PrintedFields(const Model& model)
    : model_(model),
      step_(model.timestep.is_zero() ? Duration{0, 0, 0, 0, 0, 0, 1} : model.timestep) {
  add_received();
  add_sources();
  for (const std::string& id : model.unwritten.known) add(id);
  add_expressions();
  add_what_hands_on();
  add_owners_elsewhere();
  add_units();
  add_aliases();
  add_results();
  for (const ExpressionId i : model.expressions.ids()) {
    for (const FieldExpressionNode& node : model.expressions[i].nodes) {
      const bool is_temporal = node.is_temporal || node.op == ExpressionOp::temporal;
      if (is_temporal) add_operand(i, node);
    }
  }
}

bool PrintedFields::has_own_id(ExpressionId expression) const {
  const std::string& id = model_.expressions[expression].id;
  return at(id).expression == own(expression);
}

ExpressionId PrintedFields::own(ExpressionId expression) const {
  if (expression < 0) return ExpressionId();
  const ExpressionId own = written_way(model_, expression).expression;
  return own < 0 ? expression : own;
}

std::optional<std::string> PrintedFields::path_to(ExpressionId expression) const {
  if (expression < 0) return std::nullopt;
  const WrittenWay way = written_way(model_, expression);
  const std::string& id = model_.expressions[expression].id;
  if (way.stops.empty() || (has(id) && at(id).way == expression)) return std::nullopt;
  return grid_path(model_, way);
}

std::set<std::string_view> PrintedFields::inherited(const std::string& reference) const {
  std::set<std::string_view> names;
  for (std::string id = reference; has(id); id = at(id).reference) {
    for_each_attribute(at(id).attributes, [&](const AttributeInfo& row, const auto& member) {
      if (member && row.handed_down == HandedDown::yes) names.insert(row.name);
    });
  }
  return names;
}

/// Fields that stand for one that is read.
void PrintedFields::add_aliases() {
  for (const ReadField& read : model_.read_fields) {
    for (const std::string& alias : read.aliases) {
      PrintedField& field = add(alias);
      if (field.reference.empty() && field.expression < 0) field.reference = read.id;
    }
  }
}

PrintedField& PrintedFields::add(const std::string& id) {
  const auto [found, is_new] = fields_.try_emplace(id);
  if (is_new) order_.push_back(id);
  return found->second;
}

const std::string& PrintedFields::id_of(SourceId source, ExpressionId expression) const {
  if (source >= 0) return model_.sources[source].id;
  return model_.expressions[expression].id;
}

const std::string& PrintedFields::operand_of(const FieldExpressionNode& node) const {
  return node.via.empty() ? id_of(node.source, node.expression) : node.via.back();
}

std::string PrintedFields::reference_of(ExpressionId expression) const {
  for (const auto& node : model_.expressions[own(expression)].nodes) {
    if (node.op == ExpressionOp::reference) return operand_of(node);
  }
  return {};
}

std::vector<PrintedFields::Use> PrintedFields::uses() const {
  std::vector<Use> result;
  for (const Stream& s : model_.streams) {
    result.push_back({s.id, s.source, own(s.expression), s.grid, &s.attributes});
  }
  for (const Coupler& coupler : model_.couplers) {
    for (const CoupledField& f : coupler.fields) {
      if (f.source < 0 && f.expression < 0) continue;
      result.push_back({f.id, f.source, own(f.expression), f.grid, &f.attributes});
    }
  }
  return result;
}

void PrintedFields::add_received() {
  for (const Coupler& coupler : model_.couplers) {
    if (coupler.kind != ElementKind::coupler_in) continue;
    for (const CoupledField& field : coupler.fields) {
      if (!field.attributes.expr)
        add(field.id) = {{}, field.grid, ExpressionId(), field.attributes, true};
    }
  }
}

void PrintedFields::add_sources() {
  std::set<SourceId> of_expressions;  // what `this` stands for is printed with another field
  for (const FieldExpression& expression : model_.expressions) {
    for (const FieldExpressionNode& node : expression.nodes) {
      if (node.op == ExpressionOp::self) of_expressions.insert(node.source);
    }
  }
  for (const SourceId i : model_.sources.ids()) {
    const Source& source = model_.sources[i];
    if (fields_.contains(source.id) || of_expressions.contains(i)) continue;
    if (source.read_field >= 0) {
      add_read(source);
      continue;
    }
    send(source, add(source.id));
  }
}

/// The file that is read holds it, with an id of its own or by that of a field of the definition.
void PrintedFields::add_read(const Source& source) {
  const auto& known = model_.unwritten.known;
  PrintedField& field = add(source.id);
  field.is_elsewhere = !std::binary_search(known.begin(), known.end(), source.id);
}

/// Adds what the model receives from its own workflow; the field says so, wherever it stands.
void PrintedFields::add_results() {
  for (const Stream& result : model_.results) {
    PrintedField& field = add(result.id);
    const bool is_read =
        result.expression >= 0 && is_of_read_file(model_.expressions[own(result.expression)]);
    if (field.is_elsewhere || (is_read && result.attributes.expr)) continue;
    const std::optional<std::string> text = field.attributes.expr;
    field.attributes = result.attributes;
    field.attributes.expr = text;
    field.is_received = true;
    const std::string& data = id_of(result.source, result.expression);
    if (result.id == data || !field.reference.empty() || field.expression >= 0) continue;
    field.reference = data;
    field.grid = result.grid;
  }
}

/// Adds expressions that no file or coupler holds; others refer to them by id.
void PrintedFields::add_expressions() {
  std::set<ExpressionId> elsewhere;
  for (const Use& use : uses()) {
    if (use.has_expression()) elsewhere.insert(use.expression);
  }
  for (const ExpressionId i : model_.expressions.ids()) {
    if (elsewhere.contains(i)) continue;
    const FieldExpression& expression = model_.expressions[i];
    if (is_way(expression)) {
      if (expression.stage == FieldExpression::Stage::end) add_way(i);
      continue;
    }
    if (is_of_read_file(expression)) {
      add_of_read_file(i);
      continue;
    }
    PrintedField& field = add(expression.id);
    field.expression = i;
    field.grid = expression.grid;
    field.reference = reference_of(i);
    field.attributes.expr = expression.text;
    for (const FieldExpressionNode& node : expression.nodes) {
      if (node.op != ExpressionOp::self) continue;
      field.attributes.detect_missing_value = false;  // whatever the reference brings
      send(model_.sources[node.source], field);
    }
  }
}

bool PrintedFields::is_of_read_file(const FieldExpression& expression) const {
  return std::any_of(expression.nodes.begin(), expression.nodes.end(), [this](const auto& node) {
    return node.op == ExpressionOp::self && model_.sources[node.source].read_field >= 0;
  });
}

/// The file has it under its own id, unless the definition has another one of that id.
void PrintedFields::add_of_read_file(ExpressionId expression) {
  const std::string& id = model_.expressions[expression].id;
  const auto& known = model_.unwritten.known;
  if (fields_.contains(id) || std::binary_search(known.begin(), known.end(), id)) return;
  PrintedField& field = add(id);
  field.expression = expression;
  field.reference = reference_of(expression);
  field.is_elsewhere = true;
}

/// Without an id of its own it is that of its data, and the grid stands where the field does.
void PrintedFields::add_way(ExpressionId expression) {
  const FieldExpression& end = model_.expressions[expression];
  const WrittenWay way = written_way(model_, expression);
  if (way.expression < 0) {
    if (fields_.contains(end.id) || operand_of(*way.data) == end.id) return;
    add(end.id).reference = operand_of(*way.data);
  } else if (!fields_.contains(end.id) || at(end.id).expression != way.expression) {
    return;  // a file or a coupler holds it
  }
  PrintedField& field = fields_.at(end.id);
  field.grid = end.grid;
  field.way = expression;
  if (!way.stops.empty()) field.attributes.grid_path = grid_path(model_, way);
}

void PrintedFields::add_what_hands_on() {
  const auto hand_on = [this](const std::string& id, const std::string& data) {
    if (id != data && !fields_.contains(id)) add(id).reference = data;
  };
  for (const Use& use : uses()) {
    if (!use.has_expression()) hand_on(use.id, id_of(use.source, use.expression));
  }
  for (const FieldExpression& expression : model_.expressions) {
    for (const FieldExpressionNode& node : expression.nodes) {
      if (is_data(node.op)) hand_on(operand_of(node), id_of(node.source, node.expression));
    }
  }
}

/// A field in a file that has its expression itself goes by its own id or, without one, by that of
/// the field it refers to. Whoever others refer to has an id; of the rest, the first one whose id
/// nobody else has.
void PrintedFields::add_owners_elsewhere() {
  std::set<ExpressionId> wanted;
  for (const Use& use : uses()) {
    if (!use.has_expression()) wanted.insert(use.expression);
  }
  for (const ExpressionId i : model_.expressions.ids()) {
    for (const FieldExpressionNode& node : model_.expressions[i].nodes) {
      if (!is_data(node.op)) continue;
      wanted.insert(node.op == ExpressionOp::self ? i : own(node.expression));
    }
  }
  for (const bool is_wanted : {true, false}) {
    for (const Use& use : uses()) {
      const bool is_turn = use.has_expression() && wanted.contains(use.expression) == is_wanted;
      if (is_turn && !fields_.contains(use.id)) add_owner(use);
    }
  }
}

void PrintedFields::add_owner(const Use& use) {
  add(use.id) = {reference_of(use.expression), use.grid, use.expression, *use.attributes, true};
}

/// Adds units of data that is converted.
void PrintedFields::add_units() {
  for (const Stream& stream : model_.streams) {
    if (stream.conversion.empty()) continue;
    PrintedField& field = fields_.at(id_of(stream.source, stream.expression));
    if (!field.is_elsewhere) field.attributes.unit = stream.data_unit;
  }
  for (const CoupledField* const sent : coupled_fields(model_, ElementKind::coupler_out)) {
    if (sent->conversion.empty()) continue;
    PrintedField& field = fields_.at(id_of(sent->source, sent->expression));
    if (!field.is_elsewhere) field.attributes.unit = sent->data_unit;
  }
  for (const FieldExpression& expression : model_.expressions) {
    for (const FieldExpressionNode& node : expression.nodes) {
      if (node.conversion.empty()) continue;
      PrintedField& data = fields_.at(id_of(node.source, node.expression));
      if (!data.is_elsewhere) data.attributes.unit = node.data_unit;
      PrintedField& operand = fields_.at(operand_of(node));
      if (operand.is_elsewhere) continue;
      operand.attributes.unit = node.unit;
      operand.attributes.convert_units = true;
    }
  }
}

/// '@' works with attributes of the operand and with the freq_op of the owner. A default depends on
/// who uses it: only another value is one of the field.
void PrintedFields::add_operand(ExpressionId owner, const FieldExpressionNode& node) {
  const Sampling& sampling = node.sampling;
  const std::string& owner_id = model_.expressions[owner].id;
  PrintedField& around = fields_.at(owner_id);
  // A field in a file without an id of its own goes by that of another one.
  const bool is_here = around.expression == owner && !around.is_elsewhere;
  if (is_here && sampling.output_freq != step_) {
    around.attributes.freq_op = sampling.output_freq;
  }
  const bool is_self = node.op == ExpressionOp::self || node.op == ExpressionOp::temporal;
  PrintedField& operand = fields_.at(is_self ? owner_id : operand_of(node));
  if (operand.is_elsewhere || (is_self && !is_here)) return;
  FieldAttributes& attributes = operand.attributes;
  attributes.operation = std::string(name(sampling.operation));
  if (sampling.is_weighted) attributes.weight = "time";
  attributes.detect_missing_value = node.detect_missing_value;
  if (node.detect_missing_value && !attributes.default_value) {  // nothing is looked for without it
    const bool is_sent = node.source >= 0;
    attributes.default_value = is_sent ? model_.sources[node.source].default_value : 1e20;
  }
  if (is_self) return;
  const bool is_instant = sampling.operation == Operation::instant;
  if (sampling.freq_op != (is_instant ? sampling.output_freq : step_)) {
    attributes.freq_op = sampling.freq_op;
  }
  if (sampling.freq_offset != sampling.freq_op + step_ * -1.0) {
    attributes.freq_offset = sampling.freq_offset;
  }
}

}  // namespace epios::config
