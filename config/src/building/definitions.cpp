// Implements Definitions: the calls of the API on the contexts of a configuration. Calls that
// change something find the node and go to setting.cpp; queries use inheritance as solved last;
// resolve() builds the Model and leaves them unchanged.
#include "config/definitions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "building/calendar_reader.hpp"
#include "building/file_grids.hpp"
#include "building/loader.hpp"
#include "building/received_grids.hpp"
#include "building/resolve.hpp"
#include "building/setting.hpp"
#include "building/solved_context.hpp"
#include "config/model.hpp"
#include "config/run_variables.hpp"
#include "language/contexts.hpp"
#include "language/grammar.hpp"
#include "language/inheritance.hpp"
#include "model/server_plan_reader.hpp"
#include "text/text.hpp"
#include "text/xml_text.hpp"

namespace epios::config {

struct Definitions::Impl {
  Contexts contexts;
  std::vector<Diagnostic> warnings;
  RunNames names;
  std::vector<UntakenPlace> untaken;
  std::map<std::string, SolvedContext, std::less<>> solved;  ///< contexts whose inheritance was

  /// Texts of calls, as those of XML.
  std::string filled(std::string_view text, std::string_view call) const {
    if (const std::string why = complaint(text, names); !why.empty()) {
      refuse_call(call, fmt::format("the value '{}' ({})", text, why));
    }
    return with_names(text, names);
  }
  Value filled(Value value, std::string_view call) const {
    std::string* const text = std::get_if<std::string>(&value);
    const bool has_place = text != nullptr && text->find('%') != std::string::npos;
    if (has_place) *text = filled(std::string_view(*text), call);
    return value;
  }

  /// The element behind a handle, which must be one of this context.
  int node_of(const ContextStore& store, ElementHandle element) const {
    if (element.node >= 0 && element.node < store.size()) return element.node;
    throw Error(ErrorCode::argument,
                fmt::format("handle {} stands for no element of context '{}' (it has {}). Is it of "
                            "another context?",
                            element.node, store.id(), store.size()));
  }
};

namespace {

/// Returns the meaning of a tag. If the parent distinguishes several, it is the first one.
const Tag& tag_or_throw(std::string_view tag, std::string_view call) {
  const std::size_t slash = tag.find('/');
  const Tag* parent = slash == std::string_view::npos ? nullptr : find_tag(tag.substr(0, slash));
  const Tag* found = parent == nullptr ? find_tag(tag) : find_child(*parent, tag.substr(slash + 1));
  if (found != nullptr && found->kind != ElementKind::any) {
    return *found;
  }
  std::vector<std::string_view> tags;
  for (const Tag& known : grammar()) tags.push_back(known.name);
  refuse_call(call, fmt::format("there is no element <{}>", tag), did_you_mean(tag, tags));
}

/// The tag of an element that is there.
const Tag& tag_of(const ContextStore& store, int node) {
  const Node& element = store.at(node);
  const std::string_view suffix = element.form == Form::group        ? "_group"
                                  : element.form == Form::definition ? "_definition"
                                                                     : "";
  return *find_tag(fmt::format("{}{}", name(element.kind), suffix));
}

/// Groups of variables may stand in a file or a field, and are named per owner.
int find_group(const ContextStore& store, ElementKind kind, std::string_view id) {
  const int node = store.find_form(kind, Form::group, id);
  if (node >= 0 || kind != ElementKind::variable) return node;
  for (int i = 0; i < store.size(); ++i) {
    const Node& candidate = store.at(i);
    if (candidate.kind == kind && candidate.form == Form::group && candidate.id == id) return i;
  }
  return -1;
}

int find_by_tag(const ContextStore& store, const Tag& tag, std::string_view id) {
  if (tag.form == Form::definition) return store.root_of(tag.kind);
  if (tag.form == Form::group) return find_group(store, tag.kind, id);
  if (tag.kind == ElementKind::calendar || tag.kind == ElementKind::context) {
    return store.find(tag.kind, id);
  }
  const int node = store.find_form(tag.kind, Form::element, id);
  if (node >= 0) return node;
  return tag.kind == ElementKind::variable ? find_node(store, tag.kind, id)
                                           : find_lent(store, tag.kind, id);
}

/// Variables of an id: that of the context itself, else those of files and fields, of which models
/// set what each of them says. Settings of a run have two spellings.
int find_variable(const ContextStore& store, std::string_view id) {
  const int node = find_node(store, ElementKind::variable, id);
  if (node >= 0 || store.id() != parameter_context) return node;
  const RunVariable* row = find_run_variable(id);
  if (row == nullptr) return -1;
  const std::string_view other = row->id == id ? row->xios : row->id;
  return store.find_form(ElementKind::variable, Form::element, other);
}

}  // namespace

Definitions::Definitions() : impl_(std::make_unique<Impl>()) {}

namespace {

Findings::Mode mode_of(Purpose purpose) {
  return purpose == Purpose::run ? Findings::Mode::run : Findings::Mode::plan;
}

}  // namespace

Definitions::Definitions(const Document& document, const std::vector<std::string>& settings,
                         Purpose purpose)
    : impl_(std::make_unique<Impl>()) {
  Findings findings(mode_of(purpose), policy_of(document.root()));
  impl_->names = document.names();
  impl_->untaken = document.untaken();
  load(document, settings, impl_->contexts, findings);
  findings.throw_errors();
  impl_->warnings = findings.all();
}

Definitions::Definitions(const Definitions& other) : impl_(std::make_unique<Impl>(*other.impl_)) {}
Definitions::Definitions(Definitions&&) noexcept = default;
Definitions& Definitions::operator=(const Definitions& other) {
  if (this != &other) impl_ = std::make_unique<Impl>(*other.impl_);
  return *this;
}
Definitions& Definitions::operator=(Definitions&&) noexcept = default;
Definitions::~Definitions() = default;

const std::vector<Diagnostic>& Definitions::warnings() const { return impl_->warnings; }

bool Definitions::has_context(std::string_view context) const {
  return impl_->contexts.find(context) != nullptr;
}

std::vector<std::string> Definitions::contexts() const {
  std::vector<std::string> ids;
  for (const ContextStore& store : impl_->contexts.all()) ids.push_back(store.id());
  return ids;
}

void Definitions::open_context(const std::string& context) {
  if (context.empty()) throw Error(ErrorCode::argument, "the id of a context is empty.");
  Findings findings;
  for (const UntakenPlace& place : impl_->untaken) {
    if (place.context != context) continue;
    findings.error(Code::bad_value, {place.position, {}}, place.problem, place.why,
                   place.suggestion);
  }
  findings.throw_errors();
  impl_->contexts.open(context, {{}, fmt::format("open_context('{}')", context)});
}

bool Definitions::has(std::string_view context, ElementKind kind, std::string_view id) const {
  const ContextStore* store = impl_->contexts.find(context);
  return store != nullptr && find_node(*store, kind, id) >= 0;
}

void Definitions::add(std::string_view context, ElementKind kind, const std::string& id,
                      ElementKind parent_kind, std::string_view parent, std::string_view call) {
  const std::string call_text(call);
  ContextStore& store = context_or_throw(impl_->contexts, context);
  const Tag* tag = find_tag(name(kind));
  if (tag == nullptr || tag->kind == ElementKind::context || tag->kind == ElementKind::calendar) {
    refuse_call(call_text, fmt::format("elements of kind '{}' cannot be added", name(kind)));
  }
  int around = store.root_of(kind);
  int owner = store.context_node();
  if (!parent.empty()) {
    const Form form = parent_kind == kind ? Form::group : Form::element;
    const Tag* parent_tag = find_tag(name(parent_kind));
    if (form == Form::element && (parent_tag == nullptr || !parent_tag->has_child(tag->name))) {
      refuse_call(call_text,
                  fmt::format("<{}> cannot stand in <{}>", tag->name, name(parent_kind)));
    }
    around = store.find_form(parent_kind, form, parent);
    if (around < 0) {
      refuse_call(call_text,
                  fmt::format("there is no {}{} '{}' in context '{}'", name(parent_kind),
                              form == Form::group ? "_group" : "", parent, context),
                  did_you_mean(parent, store.ids(parent_kind)));
    }
    if (form == Form::element && kind == ElementKind::variable) owner = around;
  }
  const int node = store.open(kind, Form::element, id, owner, {{}, call_text});
  store.adopt(around, node);
}

void Definitions::set(std::string_view context, ElementKind kind, std::string_view id,
                      std::string_view attribute, Value value, std::string_view call) {
  set_value(impl_->contexts, {context, kind, id, attribute}, impl_->filled(std::move(value), call),
            call);
}

void Definitions::set_text(std::string_view context, ElementKind kind, std::string_view id,
                           std::string_view attribute, std::string_view text,
                           std::string_view call) {
  config::set_text(impl_->contexts, {context, kind, id, attribute}, impl_->filled(text, call),
                   call);
}

std::optional<Value> Definitions::get(std::string_view context, ElementKind kind,
                                      std::string_view id, std::string_view attribute) const {
  const ContextStore& store = context_or_throw(impl_->contexts, context);
  const std::string call = fmt::format("get({} '{}', '{}')", name(kind), id, attribute);
  const int node = node_or_throw(store, kind, id, call);
  row_or_throw(kind, attribute, call);
  const Setting* setting = store.at(node).find(attribute);
  return setting == nullptr ? std::nullopt : setting->value;
}

Definitions::ContextCalendar Definitions::calendar(std::string_view context) const {
  const ContextStore& store = context_or_throw(impl_->contexts, context);
  Findings findings(Findings::Mode::check, impl_->contexts.policy);  // a time step may still come
  Inheritance inheritance(store, findings);
  Model model;
  read_calendar(store, inheritance, findings, model);
  findings.throw_errors();
  return {model.calendar(), model.start_date, model.time_origin};
}

std::optional<ElementHandle> Definitions::find(std::string_view context, std::string_view tag,
                                               std::string_view id) const {
  const ContextStore& store = context_or_throw(impl_->contexts, context);
  const int node = find_by_tag(store, tag_or_throw(tag, "find"), id);
  if (node < 0) return std::nullopt;
  return ElementHandle{node};
}

ElementHandle Definitions::at(std::string_view context, std::string_view tag,
                              std::string_view id) const {
  if (const auto found = find(context, tag, id)) return *found;
  const ContextStore& store = context_or_throw(impl_->contexts, context);
  refuse_call(fmt::format("find({} '{}')", tag, id),
              fmt::format("there is no {} '{}' in context '{}'", tag, id, context),
              did_you_mean(id, store.ids(find_tag(tag)->kind)));
}

ElementHandle Definitions::add_child(std::string_view context, ElementHandle parent,
                                     std::string_view tag, const std::string& id,
                                     std::string_view call) {
  ContextStore& store = context_or_throw(impl_->contexts, context);
  const int around = impl_->node_of(store, parent);
  const Tag& parent_tag = tag_of(store, around);
  tag_or_throw(tag, call);
  const Tag* child = find_child(parent_tag, tag);
  if (child == nullptr || child->form == Form::definition || child->kind == ElementKind::context ||
      child->kind == ElementKind::calendar) {
    refuse_call(call, fmt::format("<{}> cannot stand in <{}>", tag, parent_tag.name));
  }
  // Variables are named per owner, through their groups; those of the context below its node.
  int owner = store.context_node();
  if (child->kind == ElementKind::variable) {
    int above = around;
    while (store.at(above).kind == ElementKind::variable && !store.at(above).parents.empty()) {
      above = store.at(above).parents.front();
    }
    if (store.at(above).kind != ElementKind::variable) owner = above;
  }
  const int node = store.open(child->kind, child->form, id, owner, {{}, std::string(call)});
  if (!store.adopt(around, node)) {
    refuse_call(call, fmt::format("{} would contain itself", store.at(node).title()));
  }
  return {node};
}

const std::string& Definitions::id(std::string_view context, ElementHandle element) const {
  const ContextStore& store = context_or_throw(impl_->contexts, context);
  return store.at(impl_->node_of(store, element)).id;
}

std::string Definitions::title(std::string_view context, ElementHandle element) const {
  const ContextStore& store = context_or_throw(impl_->contexts, context);
  return store.at(impl_->node_of(store, element)).title();
}

void Definitions::set(std::string_view context, ElementHandle element, std::string_view attribute,
                      Value value, const char* function) {
  ContextStore& store = context_or_throw(impl_->contexts, context);
  const int node = impl_->node_of(store, element);
  set_value(store, node, attribute, impl_->filled(std::move(value), function),
            store.call(function, node, attribute));
}

void Definitions::set_text(std::string_view context, ElementHandle element,
                           std::string_view attribute, std::string_view text,
                           const char* function) {
  ContextStore& store = context_or_throw(impl_->contexts, context);
  const int node = impl_->node_of(store, element);
  config::set_text(store, node, attribute, impl_->filled(text, function),
                   store.call(function, node, attribute));
}

std::optional<Value> Definitions::get(std::string_view context, ElementHandle element,
                                      std::string_view attribute) const {
  const ContextStore& store = context_or_throw(impl_->contexts, context);
  const Node& node = store.at(impl_->node_of(store, element));
  if (attribute == "group_ref" && node.form != Form::element) return node.group_ref.value;
  const AttributeInfo* row = find_attribute(node.kind, attribute);
  if (row == nullptr) {
    row =
        &row_or_throw(node.kind, attribute, fmt::format("get({}, '{}')", node.title(), attribute));
  }
  if (const Setting* setting = node.find(attribute)) return setting->value;
  const auto solved = impl_->solved.find(context);
  return solved == impl_->solved.end() ? std::nullopt : solved->second.value(element.node, *row);
}

void Definitions::solve_inheritance(std::string_view context) {
  const ContextStore& store = context_or_throw(impl_->contexts, context);
  impl_->solved.insert_or_assign(std::string(context), SolvedContext(store));
}

std::vector<ElementHandle> Definitions::grid_elements(std::string_view context, ElementHandle field,
                                                      ElementKind kind) const {
  const ContextStore& store = context_or_throw(impl_->contexts, context);
  const int node = impl_->node_of(store, field);
  if (store.at(node).kind != ElementKind::field || store.at(node).form != Form::element) {
    throw Error(ErrorCode::argument,
                fmt::format("{} has no grid (only fields have one). Pass the handle of a field?",
                            store.at(node).title()));
  }
  // Mistakes in the references are found at the end of the definition.
  Findings findings(Findings::Mode::check, impl_->contexts.policy);
  Inheritance inheritance(store, findings);
  std::vector<ElementHandle> out;
  for (const int element : inheritance.grid_elements(node, kind)) out.push_back({element});
  return out;
}

std::optional<std::string> Definitions::variable(std::string_view context,
                                                 std::string_view id) const {
  const ContextStore* store = impl_->contexts.find(context);
  if (store == nullptr) return std::nullopt;
  const int node = find_variable(*store, id);
  if (node < 0) return std::nullopt;
  return store->at(node).text;
}

bool Definitions::set_variable(std::string_view context, std::string_view id,
                               std::string_view text) {
  ContextStore& store = context_or_throw(impl_->contexts, context);
  const int found = find_variable(store, id);
  if (found < 0) return false;
  const std::string filled = impl_->filled(text, "set_variable");
  store.at(found).text = filled;
  if (store.find_form(ElementKind::variable, Form::element, id) == found) return true;
  for (int i = found + 1; i < store.size(); ++i) {
    Node& node = store.at(i);
    if (node.kind == ElementKind::variable && node.form == Form::element && node.id == id) {
      node.text = filled;
    }
  }
  return true;
}

bool Definitions::is_strict() const { return impl_->contexts.policy.strict; }

ServerPlan Definitions::servers() const {
  const ContextStore* store = impl_->contexts.find(parameter_context);
  if (store == nullptr) return {};
  Findings findings(Findings::Mode::run, impl_->contexts.policy);
  ServerPlan plan = read_server_plan(*store, findings);
  findings.throw_errors();
  return plan;
}

ReadGrids Definitions::read_grids(std::string_view context) const {
  return read_grids_of(context_or_throw(impl_->contexts, context), impl_->contexts.policy);
}

CoupledGrids Definitions::coupled_grids(std::string_view context) const {
  return coupled_grids_of(context_or_throw(impl_->contexts, context));
}

void Definitions::keep_coordinates(std::string_view context, std::string_view domain) {
  ContextStore& store = context_or_throw(impl_->contexts, context);
  const int node = store.find_form(ElementKind::domain, Form::element, domain);
  if (node >= 0) store.at(node).has_file_coordinates = true;
}

std::vector<CoordinateWish> Definitions::complete(std::string_view context, const ReadGrids& grids,
                                                  std::span<const FileFacts> files,
                                                  const std::vector<bool>& wants) {
  Findings findings(Findings::Mode::run, impl_->contexts.policy);
  ContextStore& store = context_or_throw(impl_->contexts, context);
  std::vector<CoordinateWish> wishes = complete_from(store, grids, files, wants, findings);
  const bool are_read = std::all_of(files.begin(), files.end(), [](const FileFacts& file) {
    return file.exists && file.error.empty();
  });
  if (findings.has_errors() && !are_read) {
    throw Error(ErrorCode::io, ConfigError(findings.errors()).what());
  }
  findings.throw_errors();
  return wishes;
}

Model Definitions::resolve(std::string_view context, Purpose purpose,
                           std::vector<Diagnostic>* warnings) const {
  Findings findings(mode_of(purpose), impl_->contexts.policy);
  Model model = resolve_context(context_or_throw(impl_->contexts, context), findings);
  findings.throw_errors();
  if (warnings != nullptr) *warnings = findings.warnings();
  return model;
}

}  // namespace epios::config
