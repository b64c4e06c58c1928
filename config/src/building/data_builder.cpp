// Finds where the data of fields comes from, and builds the sources and expressions of the Model.
// It follows references to the field that owns the data, resolves the operands of expressions, and
// adds steps where data changes its grid.
#include "building/data_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "check/field_check.hpp"
#include "config/model.hpp"
#include "config/value_print.hpp"
#include "grids/element_shapes.hpp"
#include "language/attribute_fill.hpp"
#include "text/text.hpp"

namespace epios::config {

namespace {

std::string tag_or_none(std::string_view name) {
  return name.empty() ? "none" : fmt::format("<{}>", name);
}

}  // namespace

DataBuilder::DataBuilder(const ContextStore& store, Inheritance& inheritance, Findings& findings,
                         Expressions& expressions, PeriodBuilder& periods, GridBuilder& grids,
                         Model& model)
    : store_(store),
      inheritance_(inheritance),
      findings_(findings),
      expressions_(expressions),
      periods_(periods),
      grids_(grids),
      model_(model),
      units_(store, inheritance, findings),
      transformed_(findings, grids, model),
      on_grids_(store, inheritance, grids, transformed_, model) {
  for (const VariableId i : model.variables.ids()) variables_.emplace(model.variables[i].id, i);
}

int DataBuilder::owner_of(int field) {
  int at = field;
  while (!read_.contains(at) && !inheritance_.has_expression(at) && !received_.contains(at) &&
         !changes_grid(at)) {
    const int next = inheritance_.reference(at);
    if (next < 0) break;
    at = next;
  }
  return at;
}

int DataBuilder::root_of(int field) {
  int at = owner_of(field);
  const auto is_made = [this](int f) {
    return read_.contains(f) || inheritance_.has_expression(f) || received_.contains(f);
  };
  while (!is_made(at) && changes_grid(at)) at = owner_of(inheritance_.reference(at));
  return at;
}

// A field without known grid is reported where its data is needed.
bool DataBuilder::changes_grid(int field) {
  const auto [known, is_new] = changes_grid_.try_emplace(field, false);
  if (!is_new) return known->second;
  const int next = inheritance_.reference(field);
  if (next < 0 || !grids_.names_grid(field)) return false;
  const bool is_own = !grids_.names_grid(next);
  if (is_own) return changes_grid_[field] = inheritance_.has_expression(next);
  const GridId own = grids_.grid_of(field);
  const GridId before = own < 0 ? GridId() : grids_.grid_of(next);
  if (own < 0 || before < 0 || TransformedGrids::are_equal(model_, own, before)) return false;
  return changes_grid_[field] = true;
}

bool DataBuilder::is_dangling(int field) const {
  return inheritance_.reference(field) < 0 && inheritance_.is_lost(field);
}

// Expressions may lean on each other in long chains: no recursion.
DataOrigin DataBuilder::data_of(int field) {
  expressions_.need(field);
  const int wanted = owner_of(field);
  std::vector<int> waiting{wanted};
  while (!waiting.empty()) {
    const int owner = waiting.back();
    const std::size_t before = waiting.size();
    if (!made_.contains(owner) && begun_.insert(owner).second) {
      for (const int operand : operands_of(owner)) {
        inheritance_.need(operand);
        const int next = owner_of(operand);
        if (!made_.contains(next)) waiting.push_back(next);
      }
    }
    if (waiting.size() > before) continue;
    waiting.pop_back();
    if (!made_.contains(owner)) made_[owner] = make(owner);
  }
  return made_[wanted];
}

GridId DataBuilder::grid_of(const DataOrigin& data) const {
  if (data.source >= 0) return model_.sources[data.source].grid;
  return model_.expressions[data.expression].grid;
}

std::vector<std::string> DataBuilder::references_between(int field) {
  std::vector<std::string> ids;
  const int owner = owner_of(field);
  for (int at = field; at != owner;) {
    at = inheritance_.reference(at);
    if (at != owner && !store_.at(at).has_automatic_id) ids.push_back(store_.at(at).id);
  }
  std::reverse(ids.begin(), ids.end());
  return ids;
}

int DataBuilder::operand_of(int owner, const ExpressionNode& node) {
  if (node.op == ExpressionOp::self) return owner;
  if (node.op == ExpressionOp::reference) return inheritance_.reference(owner);
  return store_.find_form(ElementKind::field, Form::element, node.id);
}

std::vector<int> DataBuilder::made_of(int field) {
  if (received_.contains(field) || expressions_.is_read(field)) return {field};
  const int reference = inheritance_.reference(field);
  const Setting* text = inheritance_.expression(field);
  if (text == nullptr) return {reference < 0 ? field : reference};
  std::vector<int> result;
  const auto parsed = parse_expression(std::get<std::string>(*text->value));
  for (const ExpressionNode& node : parsed.expression.nodes) {
    if (!is_data(node.op)) continue;
    const bool is_own = node.op == ExpressionOp::self && reference >= 0;
    const int operand = is_own ? reference : operand_of(field, node);
    if (operand >= 0) result.push_back(operand);
  }
  return result;
}

void DataBuilder::expect(std::vector<int> fields) {
  std::unordered_set<int> seen(fields.begin(), fields.end());
  while (!fields.empty()) {
    const int field = fields.back();
    fields.pop_back();
    std::vector<int> operands = made_of(field);
    const int reference = inheritance_.reference(field);
    const bool has_own = std::find(operands.begin(), operands.end(), field) != operands.end();
    if (reference >= 0 || is_dangling(field)) {
      grids_.has_other_data(field, reference);
    }
    if (has_own && !is_dangling(field)) grids_.has_own_data(field);
    const std::vector<int> coordinates = grids_.coordinates_of(field);
    operands.insert(operands.end(), coordinates.begin(), coordinates.end());
    std::copy_if(operands.begin(), operands.end(), std::back_inserter(fields),
                 [&seen](int next) { return seen.insert(next).second; });
  }
}

std::vector<int> DataBuilder::operands_of(int owner) {
  std::vector<int> result;
  const bool is_plain =
      !read_.contains(owner) && !inheritance_.has_expression(owner) && !received_.contains(owner);
  if (is_plain && changes_grid(owner)) return {inheritance_.reference(owner)};
  const Expression* expression = expressions_.of(owner);
  if (expression == nullptr) return result;
  for (const ExpressionNode& node : expression->nodes) {
    if (!is_data(node.op) || node.op == ExpressionOp::self) continue;
    if (const int operand = operand_of(owner, node); operand >= 0) result.push_back(operand);
  }
  std::reverse(result.begin(), result.end());  // the first one ends on top, and is made first
  return result;
}

DataOrigin DataBuilder::make(int owner) {
  const auto read = read_.find(owner);
  if (read != read_.end() && !inheritance_.has_expression(owner)) {
    return {source_of_file(owner, read->second), ExpressionId()};
  }
  if (read == read_.end() && is_dangling(owner)) {
    leave_dangling(owner);
    return {};
  }
  if (!inheritance_.has_expression(owner)) {
    if (changes_grid(owner) && !received_.contains(owner)) return transformed(owner);
    return {source_of(owner), ExpressionId()};
  }
  const Expression* expression = expressions_.of(owner);
  return {SourceId(), expression == nullptr ? ExpressionId() : add_expression(owner, *expression)};
}

bool DataBuilder::is_lost(int field) {
  const int root = root_of(field);
  if (!is_dangling(root)) return false;
  leave_dangling(root);
  return true;
}

void DataBuilder::leave_dangling(int field) {
  const Node& element = store_.at(field);
  if (element.has_automatic_id || !left_dangling_.insert(field).second) return;
  const Setting& reference = *inheritance_.of(field).find("field_ref");
  model_.unwritten.unmade.push_back(
      {element.id, reference.origin.text(),
       fmt::format("it has the field_ref '{}', which refers to nothing",
                   std::get<std::string>(*reference.value)),
       "Correct the field_ref, or leave it out?"});
}

void DataBuilder::note_taker(const std::string& title) {
  for (Unmade& unmade : model_.unwritten.unmade) {
    if (unmade.taker.empty()) unmade.taker = title;
  }
}

DataOrigin DataBuilder::transformed(int field) {
  const int reference = inheritance_.reference(field);
  const int owner = owner_of(reference);
  const DataOrigin data = on_grids_.on_named(reference, owner, made_[owner]);
  const GridId own = grids_.grid_of(field);
  if (!data.is_known() || own < 0) return {};
  if (TransformedGrids::are_equal(model_, grid_of(data), own)) return data;
  FieldExpressionNode node;
  node.op = ExpressionOp::field;
  node.type = ExpressionType::field;
  node.source = data.source;
  node.expression = data.expression;
  node.via = references_between(reference);
  if (reference != owner) node.via.push_back(store_.at(reference).id);
  return {SourceId(), bring(field, node, own)};
}

const Setting* DataBuilder::path_of(int field) {
  const Setting* path = inheritance_.of(field).find("grid_path");
  if (path == nullptr || !path->value) return nullptr;
  for (int at = inheritance_.reference(field); at >= 0; at = inheritance_.reference(at)) {
    const Setting* other = inheritance_.of(at).find("grid_path");
    if (other == nullptr || other->origin.text() != path->origin.text()) break;
    if (changes_grid(at)) return nullptr;
  }
  return path;
}

GridId DataBuilder::grid_on_path(const Setting& path, std::string_view id) {
  const int node = store_.find_form(ElementKind::grid, Form::element, id);
  if (node >= 0) {
    inheritance_.need(node);
    return grids_.explicit_grid(node);
  }
  if (id.find("::") != std::string_view::npos) {  // otherwise said with all references
    findings_.error(Code::bad_transformation, path.origin,
                    fmt::format("grid_path '{}' is no grid of this context", id),
                    "data pass through grids that are defined here", "Write the id of a <grid>.");
  }
  return GridId();
}

ExpressionId DataBuilder::bring(int field, const FieldExpressionNode& data, GridId own) {
  const Node& element = store_.at(field);
  DataOnAnotherGrid leg;
  leg.id = inheritance_.public_id(field);
  leg.where = element.origin.text();
  leg.data = data;
  leg.named = [this](const std::string& id) { return named(id); };
  const auto go_to = [&](GridId grid) {
    leg.from = grid_of({leg.data.source, leg.data.expression});
    leg.to = grid;
    if (TransformedGrids::are_equal(model_, leg.from, leg.to)) {
      if (leg.stage == FieldExpression::Stage::stop) on_grids_.put_on(grid, field, leg.data);
      return true;
    }
    leg.data.expression = transformed_.bring(leg);
    leg.data.source = SourceId();
    leg.data.via.clear();
    return leg.data.expression >= 0;
  };
  if (const Setting* path = path_of(field)) {
    paths_gone_.insert(path->origin.text());
    leg.stage = FieldExpression::Stage::stop;
    leg.grid_origin = path->origin;
    for (const std::string_view id : split_list(std::get<std::string>(*path->value))) {
      leg.title = fmt::format("grid_path '{}' of {}", id, inheritance_.title(field));
      const GridId stop = grid_on_path(*path, id);
      if (stop < 0 || (stop != own && !go_to(stop))) return ExpressionId();
    }
  }
  leg.stage = FieldExpression::Stage::end;
  leg.title = inheritance_.title(field);
  leg.grid_origin = element.origin;
  for (const char* name : {"grid_ref", "domain_ref", "axis_ref", "scalar_ref"}) {
    if (const Setting* setting = inheritance_.of(field).find(name)) {
      leg.grid_origin = setting->origin;
    }
  }
  return go_to(own) ? leg.data.expression : ExpressionId();
}

/// A field that a transformation names; its data are made here and now.
NamedData DataBuilder::named(const std::string& id) {
  NamedData out;
  const int field = store_.find_form(ElementKind::field, Form::element, id);
  if (id.find("::") != std::string::npos) out.why = "a field of this context is wanted";
  if (field < 0) return out;  // otherwise said where it is named
  if (!named_.insert(field).second) return {std::nullopt, GridId(), "they lead in a circle"};
  inheritance_.need(field);
  const DataOrigin data = on_grids_.on_named(field, owner_of(field), data_of(field));
  named_.erase(field);
  if (!data.is_known()) return out;
  FieldExpressionNode& node = out.data.emplace();
  node.op = ExpressionOp::field;
  node.type = ExpressionType::field;
  node.source = data.source;
  node.expression = data.expression;
  node.via = references_between(field);
  if (field != owner_of(field)) node.via.push_back(store_.at(field).id);
  out.grid = grid_of(data);
  return out;
}

SourceId DataBuilder::source_of(int field) {
  if (const auto found = sources_.find(field); found != sources_.end()) return found->second;
  const Node& element = store_.at(field);
  const GridId grid = grids_.grid_of(field);
  if (grid < 0) return sources_[field] = SourceId();
  if (element.has_automatic_id) {
    findings_.error(Code::no_id, element.origin, "<field> has neither id nor field_ref",
                    "no model can send to it", "Add field_ref=\"...\".");
    return sources_[field] = SourceId();
  }
  const Resolved& resolved = inheritance_.of(field);
  auto attributes = filled<FieldAttributes>(resolved);
  check_missing_value(element, inheritance_.title(field), resolved, attributes, findings_);
  return sources_[field] =
             model_.sources.push_back({element.id, grid, *attributes.detect_missing_value,
                                       attributes.default_value.value_or(0)});
}

SourceId DataBuilder::source_of_file(int field, ReadFieldId read_field) {
  const auto [known, is_new] = sources_.try_emplace(field, model_.sources.end_id());
  if (!is_new) return known->second;
  ReadField& read = model_.read_fields[read_field];
  read.source = known->second;
  const FieldAttributes& attributes = read.attributes;
  // Values missing in the file are received as default_value.
  model_.sources.push_back(
      {read.id, read.grid,
       attributes.detect_missing_value.value_or(false) && attributes.default_value,
       attributes.default_value.value_or(0), read_field});
  return known->second;
}

std::optional<Duration> DataBuilder::reading_period(const DataOrigin& data) const {
  std::optional<Duration> longest;
  std::vector<DataOrigin> open{data};
  std::unordered_set<int> seen;
  double most = 0;
  const auto look_at = [&](const ReadField& field) {
    if (field.reading.is_once) return true;
    const Calendar calendar = model_.calendar();
    const Duration& offset = field.reading.offset;
    if (!offset.is_zero() && !calendar.are_equal(offset, field.reading.period)) return false;
    const double length = static_cast<double>(
        calendar.add(model_.start_date, field.reading.period).ms - model_.start_date.ms);
    if (length > most) longest = field.reading.period;
    most = std::max(most, length);
    return true;
  };
  while (!open.empty()) {
    const DataOrigin next = open.back();
    open.pop_back();
    if (next.source >= 0) {
      const ReadFieldId read = model_.sources[next.source].read_field;
      if (read >= 0 && !look_at(model_.read_fields[read])) return {};
      continue;
    }
    if (next.expression < 0 || !seen.insert(next.expression).second) continue;
    const auto& expression = model_.expressions[next.expression];
    for (const FieldExpressionNode& node : expression.nodes) {
      if (node.is_temporal || node.op == ExpressionOp::temporal) return {};
      if (!is_data(node.op)) continue;
      open.push_back({node.source, node.expression});
    }
  }
  return longest;
}

ExpressionId DataBuilder::add_expression(int owner, const Expression& expression) {
  const Node& element = store_.at(owner);
  FieldExpression result;
  result.id = inheritance_.public_id(owner);
  result.where = element.origin.text();
  result.text = trimmed(std::get<std::string>(*inheritance_.expression(owner)->value));
  bool is_whole = true;
  for (const ExpressionNode& node : expression.nodes) {
    FieldExpressionNode& resolved = result.nodes.emplace_back();
    resolved.op = node.op;
    resolved.type = node.type;
    resolved.number = node.number;
    resolved.arguments = node.arguments;
    if (node.op == ExpressionOp::variable) resolve_variable(node, resolved);
    if (is_data(node.op)) is_whole = resolve_data(owner, node, resolved) && is_whole;
    if (node.op == ExpressionOp::temporal) {
      is_whole = resolve_operation(owner, owner, node, resolved) && is_whole;
    }
  }
  if (!is_whole) return ExpressionId();
  result.grid = common_grid(owner, expression, result);
  if (result.grid < 0) return ExpressionId();
  const GridId common = result.grid;
  const GridId own = grids_.names_grid(owner) ? grids_.grid_of(owner) : common;
  if (own < 0) return ExpressionId();
  if (own != common && transformed_.is_made_of(own, common)) {
    result.stage = FieldExpression::Stage::between;
    FieldExpressionNode data;
    data.op = ExpressionOp::field;
    data.type = ExpressionType::field;
    data.expression = model_.expressions.push_back(std::move(result));
    return bring(owner, data, own);
  }
  if (own != common && !check_own_grid(owner, common, own, result)) return ExpressionId();
  result.grid = own;
  return model_.expressions.push_back(std::move(result));
}

void DataBuilder::resolve_variable(const ExpressionNode& node,
                                   FieldExpressionNode& resolved) const {
  const auto found = variables_.find(node.id);
  if (found == variables_.end()) return;  // the model may still set it, which is noted
  resolved.variable = found->second;
  const std::string& text = model_.variables[found->second].text;
  resolved.number = read_real(text).value_or(0);  // refused, unless the model still sets it
}

bool DataBuilder::resolve_data(int owner, const ExpressionNode& node,
                               FieldExpressionNode& resolved) {
  const int operand = operand_of(owner, node);
  if (operand < 0 || is_grid_broken(operand)) return false;
  DataOrigin data;
  if (node.op == ExpressionOp::self) {
    const auto read = read_.find(owner);
    data.source = read == read_.end() ? source_of(owner) : source_of_file(owner, read->second);
  } else if (const auto made = made_.find(owner_of(operand)); made != made_.end()) {
    data = on_grids_.on_named(operand, made->first, made->second);
  }
  resolved.source = data.source;
  resolved.expression = data.expression;
  if (node.op != ExpressionOp::self) {
    resolved.via = references_between(operand);
    if (operand != owner_of(operand)) resolved.via.push_back(store_.at(operand).id);
    if (const auto conversion = conversion_of(operand)) {
      resolved.conversion = {conversion->numbers.factor, conversion->numbers.offset};
      resolved.data_unit = conversion->from;
      resolved.unit = conversion->to;
    }
  }
  resolved.is_temporal = node.is_temporal;
  if (node.is_temporal && !resolve_operation(owner, operand, node, resolved)) return false;
  return data.is_known();
}

bool DataBuilder::resolve_operation(int owner, int field, const ExpressionNode& node,
                                    FieldExpressionNode& resolved) {
  const std::optional<Sampling> sampling =
      periods_.nested_sampling(owner, field, place_in_expression(owner, node.offset));
  if (!sampling) return false;
  resolved.sampling = *sampling;
  const auto attributes = filled<FieldAttributes>(inheritance_.of(field));
  resolved.detect_missing_value = *attributes.detect_missing_value && attributes.default_value;
  return true;
}

Origin DataBuilder::place_in_expression(int owner, std::size_t offset) {
  return config::place_in_expression(store_, *inheritance_.expression(owner), offset);
}

GridId DataBuilder::common_grid(int owner, const Expression& expression,
                                const FieldExpression& resolved) {
  const auto text = [&](ExpressionNodeId i) -> std::string_view {
    const ExpressionNode& node = expression.nodes[i];
    if (node.op == ExpressionOp::self) return "this";
    if (node.op == ExpressionOp::reference) return "this_ref";
    return node.id;
  };
  GridId common;
  GridId named;  // of an operand that names a grid whose mask its data have not
  ExpressionNodeId first;
  for (const ExpressionNodeId i : resolved.nodes.ids()) {
    const FieldExpressionNode& node = resolved.nodes[i];
    if (!is_data(node.op)) continue;
    const GridId grid = grid_of({node.source, node.expression});
    if (named < 0 && on_grids_.has_made(node.expression)) named = grid;
    if (common < 0) {
      common = grid;
      first = i;
      continue;
    }
    if (const auto difference = transformed_.difference_in_making(common, grid)) {
      std::string why =
          difference->is_window
              ? fmt::format("'{}' and '{}' are extracted from other places of one grid", text(i),
                            text(first))
              : fmt::format(
                    "'{}' and '{}' are made of one grid by different transformations, {} "
                    "and {}",
                    text(i), text(first), tag_or_none(difference->others),
                    tag_or_none(difference->own));
      findings_.error(Code::bad_operand, place_in_expression(owner, expression.nodes[i].offset),
                      fmt::format("expression of {}", store_.at(owner).title()), std::move(why),
                      difference->is_window
                          ? "Give all operands one grid."
                          : "Give each a field with field_ref to it, all on one grid of that size "
                            "without transformations, and take these.");
      return GridId();
    }
    const auto expected = model_.points(common);
    const auto points = model_.points(grid);
    if (!expected || !points) continue;
    std::string why = *expected == *points ? misfit_of_window(model_, grid, common)
                                           : fmt::format("'{}' has {} points, '{}' has {}", text(i),
                                                         *points, text(first), *expected);
    if (why.empty()) continue;
    findings_.error(Code::bad_operand, place_in_expression(owner, expression.nodes[i].offset),
                    fmt::format("expression of {}", store_.at(owner).title()), std::move(why),
                    "Give all operands one grid.");
    return GridId();
  }
  return named >= 0 && TransformedGrids::are_equal(model_, named, common) ? named : common;
}

/// A grid of its own has the points of those of its operands.
bool DataBuilder::check_own_grid(int owner, GridId common, GridId own,
                                 const FieldExpression& expression) {
  const auto points = model_.points(common);
  const auto expected = model_.points(own);
  if (!expected || !points || *expected == *points || is_grid_broken(owner)) return true;
  const auto id = [&](GridId grid) { return model_.grids[grid].id; };
  const std::string problem = fmt::format("{} has grid '{}', its operands come on grid '{}'",
                                          store_.at(owner).title(), id(own), id(common));
  const std::string why =
      fmt::format("that has {} points, this one {}, and no transformation", *points, *expected);
  const char* suggestion = "Add a transformation, such as <extract_domain> or <interpolate_axis>.";
  const Origin& origin = inheritance_.expression(owner)->origin;
  leave_unmade(model_, expression.nodes, origin, fmt::format("{}: {}", problem, why), suggestion);
  findings_.tolerate(Code::bad_transformation, origin, problem, why + "; nothing is written of it",
                     suggestion);
  return false;
}

/// Which is said elsewhere.
bool DataBuilder::is_grid_broken(int field) {
  if (!grids_.names_grid(field)) return false;
  const GridId grid = grids_.grid_of(field);
  if (grid < 0) return true;
  const auto& elements = model_.grids[grid].elements;
  return std::any_of(elements.begin(), elements.end(),
                     [this](const GridElement& e) { return grids_.is_broken(e); });
}

void DataBuilder::check_sources() {
  transformed_.check_sources();
  for (int node = 0; node < store_.size(); ++node) {
    const Node& element = store_.at(node);
    if (element.kind != ElementKind::field || element.form != Form::element) continue;
    if (!inheritance_.needed().contains(node)) continue;
    const Setting* path = inheritance_.of(node).find("grid_path");
    if (path == nullptr || !path->value || paths_gone_.contains(path->origin.text())) continue;
    const auto made = made_.find(owner_of(node));
    if (made == made_.end() || !made->second.is_known() || is_grid_broken(node)) continue;
    paths_gone_.insert(path->origin.text());
    findings_.warning(
        Code::without_effect, path->origin,
        fmt::format("grid_path of {} has no effect", inheritance_.title(node)),
        "its data come on its own grid",
        "Give the field the grid that the path leads to, and field_ref=\"...\" to its data.");
  }
}

std::vector<std::string> DataBuilder::known_fields() const {
  std::vector<std::string> result;
  for (int node = 0; node < store_.size(); ++node) {
    const Node& element = store_.at(node);
    if (element.kind != ElementKind::field || element.form != Form::element) continue;
    if (element.has_automatic_id) continue;
    const auto source = sources_.find(node);
    const auto made = made_.find(node);
    const bool is_sent = source != sources_.end() && source->second >= 0;
    const bool is_computed = made != made_.end() && made->second.expression >= 0;
    if (is_sent || is_computed || read_.contains(node)) continue;
    if (inheritance_.reference(node) < 0) result.push_back(element.id);
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace epios::config
