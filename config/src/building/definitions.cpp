#include "config/definitions.hpp"

#include <fmt/format.h>

#include <utility>

#include "building/loader.hpp"
#include "building/resolve.hpp"
#include "building/setting.hpp"
#include "config/run_variables.hpp"
#include "language/contexts.hpp"
#include "model/server_plan_reader.hpp"
#include "text/text.hpp"
#include "text/xml_text.hpp"

namespace epios::config {

struct Definitions::Impl {
  Contexts contexts;
  std::vector<Diagnostic> warnings;
};

Definitions::Definitions() : impl_(std::make_unique<Impl>()) {}

Definitions::Definitions(const Document& document, const std::vector<std::string>& settings)
    : impl_(std::make_unique<Impl>()) {
  Findings findings(Findings::Mode::run, policy_of(document.root()));
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
  impl_->contexts.open(context, {{}, fmt::format("open_context('{}')", context)});
}

bool Definitions::has(std::string_view context, ElementKind kind, std::string_view id) const {
  const ContextStore* store = impl_->contexts.find(context);
  return store != nullptr && find_node(*store, kind, id) >= 0;
}

void Definitions::add(std::string_view context, ElementKind kind, const std::string& id,
                      ElementKind parent_kind, std::string_view parent, std::string_view call) {
  const std::string call_text(call);
  context_or_throw(impl_->contexts, context);
  ContextStore& store = *impl_->contexts.find(context);
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
  set_value(impl_->contexts, {context, kind, id, attribute}, std::move(value), call);
}

void Definitions::set_text(std::string_view context, ElementKind kind, std::string_view id,
                           std::string_view attribute, std::string_view text,
                           std::string_view call) {
  config::set_text(impl_->contexts, {context, kind, id, attribute}, text, call);
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

std::optional<std::string> Definitions::variable(std::string_view context,
                                                 std::string_view id) const {
  const ContextStore* store = impl_->contexts.find(context);
  if (store == nullptr) return std::nullopt;
  int node = store->find_form(ElementKind::variable, Form::element, id);
  if (node < 0 && context == parameter_context) {
    const RunVariable* row = find_run_variable(id);
    if (row == nullptr) return std::nullopt;
    const std::string_view other = row->id == id ? row->xios : row->id;
    node = store->find_form(ElementKind::variable, Form::element, other);
  }
  if (node < 0) return std::nullopt;
  return store->at(node).text;
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

Model Definitions::resolve(std::string_view context, Purpose purpose) const {
  const auto mode = purpose == Purpose::run ? Findings::Mode::run : Findings::Mode::plan;
  Findings findings(mode, impl_->contexts.policy);
  Model model = resolve_context(context_or_throw(impl_->contexts, context), findings);
  findings.throw_errors();
  return model;
}

}  // namespace epios::config
