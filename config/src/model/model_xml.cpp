// Prints resolved Models as a configuration without references and groups, which resolves to the
// same Models. In the order of the document: calendar, variables, elements, grids, fields, files,
// couplers; context xios last. Leftovers finds what cannot be printed.
#include "config/model_xml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "config/error.hpp"
#include "config/file_format.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "config/value_print.hpp"
#include "language/attribute_access.hpp"
#include "language/contexts.hpp"
#include "model/printed_elements.hpp"
#include "model/printed_fields.hpp"
#include "model/written_way.hpp"
#include "text/text.hpp"
#include "text/xml_writer.hpp"

namespace epios::config {

namespace {

template <class Attributes>
void append(WrittenAttributes& list, const Attributes& attributes) {
  for_each_attribute(attributes, [&](const AttributeInfo& row, const auto& member) {
    if (member) list.push_back({row.name, printed(Value(*member))});
  });
}

/// The folder that paths of files start from; a Model holds whole paths alone.
std::string output_dir_of(const Model& model) {
  bool has_absolute = false;
  for (const File& file : model.files) {
    const std::filesystem::path name(file_name(file.attributes, file.id));
    has_absolute = has_absolute || name.is_absolute();
    const std::string inside = name.lexically_normal().string();
    if (name.is_absolute() || !file.path.ends_with(inside)) continue;
    const std::string folder = file.path.substr(0, file.path.size() - inside.size());
    return folder.empty() ? "." : folder;
  }
  return has_absolute ? "/" : ".";
}

class XmlPrinter {
 public:
  XmlPrinter(const Model& model, XmlWriter& writer)
      : model_(model), elements_(model), fields_(model), writer_(writer) {}

  void print() {
    writer_.open("context", {{"id", model_.context_id}, {"output_dir", output_dir_of(model_)}});
    print_calendar();
    print_variables("variable_definition", model_.variables);
    print_elements(GridElement::Kind::scalar, "scalar", model_.scalars);
    print_elements(GridElement::Kind::axis, "axis", model_.axes);
    print_elements(GridElement::Kind::domain, "domain", model_.domains);
    print_grids();
    print_fields();
    print_files();
    print_couplers(ElementKind::coupler_in);
    print_couplers(ElementKind::coupler_out);
    writer_.close();
  }

 private:
  void print_calendar() {
    const Calendar calendar = model_.calendar();
    const AttributeInfo& type = *find_attribute(ElementKind::calendar, "type");
    WrittenAttributes list{
        {"type", std::string(nth(split_words(type.words), model_.calendar_type))}};
    if (!model_.timestep.is_zero()) list.push_back({"timestep", model_.timestep.text()});
    list.push_back({"start_date", calendar.text(model_.start_date)});
    list.push_back({"time_origin", calendar.text(model_.time_origin)});
    if (model_.calendar_type == CalendarType::user_defined) append_user_calendar(list);
    writer_.element("calendar", list);
  }

  void append_user_calendar(WrittenAttributes& list) const {
    const UserCalendar& user = model_.user_calendar;
    const auto add = [&list](std::string_view name, const Value& value) {
      list.push_back({name, printed(value)});
    };
    add("day_length", user.day_length_s);
    if (user.month_lengths.empty()) {
      add("year_length", user.year_length_s);
    } else {
      const auto count = static_cast<std::int64_t>(user.month_lengths.size());
      add("month_lengths", value::integers{user.month_lengths, {count}});
    }
    if (user.leap_month == 0) return;
    add("leap_year_month", user.leap_month);
    add("leap_year_drift", user.leap_drift);
    add("leap_year_drift_offset", user.leap_drift_offset);
  }

  void print_variables(std::string_view around, std::span<const Variable> variables) {
    if (variables.empty()) return;
    if (!around.empty()) writer_.open(around);
    for (const Variable& variable : variables) {
      WrittenAttributes list{{"id", variable.id}};
      append(list, variable.attributes);
      writer_.element("variable", list, variable.text);
    }
    if (!around.empty()) writer_.close();
  }

  template <class Id, class Element>
  void print_elements(GridElement::Kind kind, std::string_view tag,
                      const IndexedVector<Id, Element>& elements) {
    if (!elements_.has_any(kind)) return;
    writer_.open(fmt::format("{}_definition", tag));
    for (const Id i : elements.ids()) {
      if (!elements_.has({kind, i})) continue;
      const Element& element = elements[i];
      WrittenAttributes list{{"id", element.id}};
      const Id written(elements_.written({kind, i}));
      append(list, elements[written].attributes);
      const std::vector<Transformation>& steps = elements_.transformations({kind, i});
      if (steps.empty()) {
        writer_.element(tag, list);
        continue;
      }
      writer_.open(tag, list);
      for (const Transformation& transformation : steps) print(transformation);
      writer_.close();
    }
    writer_.close();
  }

  void print(const Transformation& transformation) {
    WrittenAttributes list;
    const auto& all = transformation.attributes;
    const auto has = [&all](std::string_view name) {
      return std::any_of(all.begin(), all.end(), [&](const Property& p) { return p.name == name; });
    };
    const bool has_list = has("index");
    const bool has_file = transformation.kind == ElementKind::stations && has("file");
    for (const auto* properties : {&transformation.attributes, &transformation.local_attributes}) {
      for (const Property& property : *properties) {
        // A default, which excludes the list.
        if (has_list && property.name == "begin") continue;
        // What the file says is there.
        const std::string& name = property.name;
        if (has_file && (name == "lon" || name == "lat" || name == "names")) continue;
        list.push_back({property.name, printed(property.value)});
      }
    }
    writer_.element(name(transformation.kind), list);
  }

  void print_grids() {
    if (model_.grids.empty()) return;
    writer_.open("grid_definition");
    for (const GridId i : model_.grids.ids()) {
      if (!elements_.has_grid(i)) continue;
      const Grid& grid = model_.grids[i];
      writer_.open("grid", {{"id", grid.id}});
      std::set<std::string> known;
      for (const GridElement& element : grid.elements) {
        const auto [tag, id] = name_of(element);
        // The first use of an id puts the element of the definition here; later uses can only be
        // references.
        const bool is_first = known.insert(fmt::format("{} {}", tag, id)).second;
        writer_.element(tag, {{is_first ? "id" : reference_to(tag), id}});
      }
      writer_.close();
    }
    writer_.close();
  }

  static std::string_view reference_to(std::string_view tag) {
    return tag == "axis" ? "axis_ref" : tag == "domain" ? "domain_ref" : "scalar_ref";
  }

  struct ElementName {
    std::string_view tag;
    std::string id;
  };
  ElementName name_of(const GridElement& element) const {
    if (element.kind == GridElement::Kind::axis) return {"axis", model_.axes[element.axis()].id};
    if (element.kind == GridElement::Kind::domain) {
      return {"domain", model_.domains[element.domain()].id};
    }
    return {"scalar", model_.scalars[element.scalar()].id};
  }

  const std::string& grid_id(GridId grid) const { return model_.grids[grid].id; }

  void print_fields() {
    if (fields_.ids().empty()) return;
    writer_.open("field_definition");
    // Nameless fields get such ids, and none of them may take this one.
    const std::string automatic = fmt::format("{}__field_undef_id_", model_.context_id);
    for (const std::string& id : fields_.ids()) {
      const PrintedField& field = fields_.at(id);
      WrittenAttributes list{{"id", id}};
      if (!field.is_elsewhere) {
        if (!field.reference.empty()) list.push_back({"field_ref", field.reference});
        if (field.grid >= 0) list.push_back({"grid_ref", grid_id(field.grid)});
        append(list, field.attributes);
        // A field that only passes data on may pass on all attributes.
        const bool is_of_received =
            fields_.has(field.reference) && fields_.at(field.reference).is_received;
        if (field.attributes.detect_missing_value || is_of_received) {
          append_resets(list, field.attributes, field.reference);
        }
      } else if (!id.starts_with(automatic)) {
        continue;
      }
      writer_.element("field", list);
    }
    writer_.close();
  }

  /// Nothing may come along the reference.
  void append_resets(WrittenAttributes& list, const FieldAttributes& attributes,
                     const std::string& reference) const {
    const std::set<std::string_view> inherited = fields_.inherited(reference);
    for_each_attribute(attributes, [&](const AttributeInfo& row, const auto& member) {
      if (!member && inherited.contains(row.name)) list.push_back({row.name, "_reset_"});
    });
  }

  void print_files() {
    if (model_.files.empty() && model_.read_files.empty()) return;
    writer_.open("file_definition");
    for (const File& file : model_.files) {
      if (file.streams.empty()) continue;  // a run leaves it out, too
      WrittenAttributes list{{"id", file.id}};
      append(list, file.attributes);
      writer_.open("file", list);
      print_variables({}, file.variables);
      for (const StreamId stream : file.streams) {
        print(model_.streams[stream], file.attributes);
      }
      writer_.close();
    }
    for (const ReadFile& file : model_.read_files) {
      WrittenAttributes list{{"id", file.id}};
      append(list, file.attributes);
      writer_.open("file", list);
      for (const ReadFieldId field : file.fields) {
        print(model_.read_fields[field]);
      }
      writer_.close();
    }
    writer_.close();
  }

  /// Fields that others stand for have ids of their own; so have those that the definition lacks.
  void print(const ReadField& field) {
    if (field.attributes.expr) {
      const std::string id = field.id.substr(0, field.id.size() - operand_of_read_field.size());
      const bool is_owner = fields_.has(id) && fields_.at(id).is_elsewhere;
      return writer_.element("field", used_field(id, is_owner, field.grid, field.attributes));
    }
    if (field.aliases.empty() && fields_.has(field.id) && !fields_.at(field.id).is_elsewhere) {
      return writer_.element("field", used_field(field.id, false, field.grid, field.attributes));
    }
    WrittenAttributes list{{"id", field.id}, {"grid_ref", grid_id(field.grid)}};
    append(list, field.attributes);
    writer_.element("field", list);
  }

  void print_couplers(ElementKind kind) {
    const auto is_of_kind = [kind](const Coupler& coupler) { return coupler.kind == kind; };
    if (std::none_of(model_.couplers.begin(), model_.couplers.end(), is_of_kind)) return;
    writer_.open(fmt::format("{}_definition", name(kind)));
    for (const Coupler& coupler : model_.couplers) {
      if (coupler.kind != kind) continue;
      const std::string partner = coupler.partner_code + "::" + coupler.partner_context;
      writer_.open(name(kind), {{"id", coupler.id}, {"context", partner}});
      for (const CoupledField& field : coupler.fields) {
        const bool is_owner = field.attributes.expr && fields_.has_own_id(field.expression);
        const bool has_id = kind == ElementKind::coupler_in || is_owner;
        FieldAttributes attributes = field.attributes;
        attributes.grid_path = fields_.path_to(field.expression);
        writer_.element("field", used_field(field.id, has_id, field.grid, attributes));
      }
      writer_.close();
    }
    writer_.close();
  }

  void print(const Stream& stream, const FileAttributes& file) {
    FieldAttributes attributes = stream.attributes;
    // A field may be in several files, and have that of each.
    if (attributes.compression_level == file.compression_level) {
      attributes.compression_level.reset();
    }
    attributes.grid_path = fields_.path_to(stream.expression);
    const bool has_id = attributes.expr && fields_.has_own_id(stream.expression);
    // A nameless one may refer to another nameless one.
    const std::string reference =
        attributes.expr && !has_id ? fields_.reference_of(stream.expression) : std::string();
    const WrittenAttributes list =
        used_field(stream.id, has_id, stream.grid, attributes, reference);
    if (stream.variables.empty()) return writer_.element("field", list);
    writer_.open("field", list);
    print_variables({}, stream.variables);
    writer_.close();
  }

  /// A field of a file or a coupler: by its own id, or nameless with a reference to that id.
  WrittenAttributes used_field(const std::string& id, bool has_id, GridId grid,
                               const FieldAttributes& attributes,
                               const std::string& refers_to = {}) const {
    const std::string& reference = has_id              ? fields_.at(id).reference
                                   : refers_to.empty() ? id
                                                       : refers_to;
    WrittenAttributes list;
    if (has_id) list.push_back({"id", id});
    if (!reference.empty()) list.push_back({"field_ref", reference});
    if (grid >= 0) list.push_back({"grid_ref", grid_id(grid)});
    append(list, attributes);
    append_resets(list, attributes, reference);
    return list;
  }

  const Model& model_;
  const PrintedElements elements_;
  const PrintedFields fields_;
  XmlWriter& writer_;
};

void print_service(XmlWriter& writer, const Service& service) {
  WrittenAttributes list{{"id", service.id}};
  append(list, service.attributes);
  if (service.onto.empty()) return writer.element("service", list);
  writer.open("service", list);
  for (const Service& inner : service.onto) print_service(writer, inner);
  writer.close();
}

/// Context "xios".
void print_run(XmlWriter& writer, const RunPart& run) {
  if (run.variables.empty() && run.servers.pools.empty()) return;
  writer.open("context", {{"id", std::string(parameter_context)}});
  if (!run.servers.pools.empty()) {
    writer.open("pool_definition");
    for (const Pool& pool : run.servers.pools) {
      WrittenAttributes list{{"id", pool.id}};
      append(list, pool.attributes);
      writer.open("pool", list);
      for (const Service& service : pool.services) print_service(writer, service);
      writer.close();
    }
    writer.close();
  }
  if (!run.variables.empty()) {
    writer.open("variable_definition");
    for (const Variable& variable : run.variables) {
      WrittenAttributes list{{"id", variable.id}};
      append(list, variable.attributes);
      writer.element("variable", list, variable.text);
    }
    writer.close();
  }
  writer.close();
}

/// What is in the Model for fields that are not in it, because they wait for the grid of a partner.
class Leftovers {
 public:
  explicit Leftovers(const Model& model)
      : model_(model), sources_(model.sources.size()), expressions_(model.expressions.size()) {
    for (const Stream& stream : model.streams) mark(stream);
    for (const Stream& result : model.results) mark(result);
    for (const Coupler& coupler : model.couplers) {
      for (const CoupledField& field : coupler.fields) mark(field);
    }
    for (ExpressionId i = model.expressions.last_id(); i >= 0; i = ExpressionId(i - 1)) {
      // Each needs earlier ones only.
      if (!expressions_[i]) continue;
      for (const FieldExpressionNode& node : model.expressions[i].nodes) mark(node);
    }
  }

  void visit(const std::function<void(const std::string& where, std::string what)>& visit) const {
    for (const SourceId i : sources_.ids()) {
      if (!sources_[i]) visit("", fmt::format("field '{}'", model_.sources[i].id));
    }
    for (const ExpressionId i : expressions_.ids()) {
      const FieldExpression& expression = model_.expressions[i];
      if (expressions_[i]) continue;
      visit(expression.where, fmt::format("expression of field '{}'", expression.id));
    }
  }

 private:
  template <class User>
  void mark(const User& user) {
    if (user.source >= 0) sources_[user.source] = true;
    if (user.expression >= 0) expressions_[user.expression] = true;
  }

  const Model& model_;
  IndexedVector<SourceId, bool> sources_;
  IndexedVector<ExpressionId, bool> expressions_;
};

bool waits_for_partner(const Model& model) {
  return std::any_of(model.couplers.begin(), model.couplers.end(), [](const Coupler& coupler) {
    return std::any_of(coupler.fields.begin(), coupler.fields.end(),
                       [](const CoupledField& field) { return field.grid < 0; });
  });
}

void refuse_what_has_no_print(const Model& model) {
  std::vector<Diagnostic> mistakes;
  const auto refuse = [&mistakes](const std::string& where, std::string problem, std::string why) {
    mistakes.push_back({Severity::error, where, std::move(problem), std::move(why), "", {}});
  };
  // Else they belong to fields that are left out.
  if (waits_for_partner(model)) {
    Leftovers(model).visit([&](const std::string& where, std::string what) {
      refuse(where, std::move(what),
             "it cannot be printed: all that needs it waits for the grid of a partner");
    });
    for (const File& file : model.files) {
      if (!file.streams.empty()) continue;
      refuse(file.where, fmt::format("file '{}'", file.id),
             "it cannot be printed: all its fields are left to the model or to a partner");
    }
  }
  for (const FieldExpression& expression : model.expressions) {
    if (!expression.text.empty()) continue;
    if (is_way(expression)) continue;
    refuse(expression.where, fmt::format("expression of field '{}'", expression.id),
           "it cannot be printed: its text is lost");
  }
  const std::vector<std::string>& known = model.unwritten.known;
  for (const Coupler& coupler : model.couplers) {
    for (const CoupledField& field : coupler.fields) {
      if (field.grid >= 0 || std::binary_search(known.begin(), known.end(), field.id)) continue;
      refuse(field.where,
             fmt::format("field '{}' of {} '{}'", field.id, name(coupler.kind), coupler.id),
             "it cannot be printed: without a grid, it has an expression or refers to a field");
    }
  }
  if (!mistakes.empty()) throw ConfigError(std::move(mistakes));
}

}  // namespace

std::string to_xml(std::span<const Model> models, const RunPart& run) {
  for (const Model& model : models) refuse_what_has_no_print(model);
  XmlWriter writer;
  writer.open("simulation");
  for (const Model& model : models) XmlPrinter(model, writer).print();
  print_run(writer, run);
  writer.close();
  return "<?xml version=\"1.0\"?>\n" + writer.text();
}

std::string to_xml(const Model& model) { return to_xml(std::span(&model, 1)); }

}  // namespace epios::config
