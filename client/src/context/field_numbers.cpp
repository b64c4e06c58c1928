// Fields by id, by element and by number. The time loop works with numbers; ids and elements are
// looked up here, and what cannot be found is refused here, since the reason depends on what the
// model and the definitions know of the id. In this order: what is numbered, fields that are sent,
// fields that are received.
#include "context/field_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "config/data_graph.hpp"
#include "config/error.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "config/suggestion.hpp"

namespace epios::client {

namespace {

/// Returns sources that only such fields take as cannot be made.
std::set<config::SourceId> sources_of_nothing(const config::Model& model) {
  std::set<config::SourceId> out;
  for (const config::Unmade& unmade : model.unwritten.unmade) {
    for (const config::SourceId i : model.sources.ids()) {
      if (model.sources[i].id == unmade.source) out.insert(i);
    }
  }
  if (out.empty()) return out;
  const config::DataGraph graph = config::data_graph(model);
  for (const std::span<const config::DataNodeId> nodes :
       {std::span(graph.of_stream), std::span(graph.of_sent), std::span(graph.of_result)}) {
    for (const config::DataNodeId node : nodes) {
      for (const config::SourceId source : graph.sources_of(node)) out.erase(source);
    }
  }
  return out;
}

}  // namespace

FieldNumbers::FieldNumbers(const std::string& context, const config::Definitions& definitions,
                           const config::Model& model)
    : context_(context),
      definitions_(definitions),
      model_(model),
      source_count_(model.sources.size()),
      first_coupled_(static_cast<int>(model.read_fields.size() + model.results.size())) {
  const std::set<config::SourceId> unused = sources_of_nothing(model);
  for (const config::SourceId i : model.sources.ids()) {
    if (unused.contains(i)) continue;
    if (config::is_sent_by_model(model, i)) sent_.emplace(model.sources[i].id, i);
  }
  const auto read_fields = model.read_fields.size();
  for (std::size_t i = 0; i < read_fields; ++i) {
    const config::ReadField& field = nth(model.read_fields, i);
    received_.emplace(field.id, static_cast<int>(i));
    for (const std::string& alias : field.aliases) received_.emplace(alias, static_cast<int>(i));
  }
  const auto coupled = config::coupled_fields(model, config::ElementKind::coupler_in);
  for (std::size_t i = 0; i < coupled.size(); ++i) {
    received_.emplace(coupled[i]->id, first_coupled_ + static_cast<int>(i));
  }
  for (std::size_t i = 0; i < model.results.size(); ++i) {
    received_.emplace(nth(model.results, i).id, static_cast<int>(read_fields + i));
  }
}

/// What fields are made of that take their data from others: results of expressions, and those that
/// only hand on.
void FieldNumbers::find_operands() {
  const config::DataGraph graph = config::data_graph(model_);
  const auto add = [&](const std::string& id, config::DataNodeId node) {
    if (sent_.contains(id)) return;
    std::vector<config::SourceId> sources = graph.sources_of(node);
    std::erase_if(sources, [&](config::SourceId source) {
      return !config::is_sent_by_model(model_, source);
    });
    operands_.try_emplace(id, std::move(sources));
  };
  const auto add_all = [&](const std::vector<std::string>& via, config::SourceId source,
                           config::ExpressionId expression) {
    if (source < 0 && expression < 0) return;
    const config::DataNodeId node =
        source >= 0 ? graph.of_source[source] : graph.of_expression[expression];
    for (const std::string& id : via) add(id, node);
  };
  for (const config::ExpressionId e : model_.expressions.ids()) {
    const config::FieldExpression& expression = model_.expressions[e];
    add(expression.id, graph.of_expression[e]);
    for (const config::FieldExpressionNode& node : expression.nodes) {
      add_all(node.via, node.source, node.expression);
    }
  }
  for (const config::ResultId r : model_.results.ids()) {
    add(model_.results[r].id, graph.of_result[r]);
  }
  for (const config::Stream& stream : model_.streams) {
    add_all(stream.via, stream.source, stream.expression);
  }
}

void FieldNumbers::number_elements() {
  // What nobody needs has a number, too: sending it costs one search.
  for (const std::string& id : model_.unwritten.known) {
    if (!operands_.contains(id)) sent_.emplace(id, -1);
  }
  const auto number_element = [&](std::string_view id, int number) {
    const auto element = definitions_.find(context_, "field", id);
    if (!element) return;
    const auto at = static_cast<std::size_t>(element->node);
    if (at >= by_node_.size()) by_node_.resize(at + 1, none);
    by_node_[at] = number;
  };
  // What some file cannot have has no number: it is refused by its id.
  for (const auto& [id, number] : sent_) {
    if (unmade(id) == nullptr) number_element(id, number);
  }
}

const config::Unmade* FieldNumbers::unmade(std::string_view id) const {
  const auto found = std::find_if(model_.unwritten.unmade.begin(), model_.unwritten.unmade.end(),
                                  [&](const config::Unmade& u) { return u.source == id; });
  return found == model_.unwritten.unmade.end() ? nullptr : &*found;
}

const std::vector<config::SourceId>* FieldNumbers::operands(std::string_view id) const {
  const auto found = operands_.find(id);
  return found == operands_.end() ? nullptr : &found->second;
}

int FieldNumbers::find_sent(std::string_view id) const {
  const auto found = sent_.find(id);
  return found == sent_.end() ? none : found->second;
}

int FieldNumbers::find_sent(config::ElementHandle element) const {
  const auto at = static_cast<std::size_t>(element.node);  // beyond the end when it is none
  return at < by_node_.size() ? by_node_[at] : none;
}

int FieldNumbers::sent(config::ElementHandle element) const {
  const int number = find_sent(element);
  return number != none ? number : sent(definitions_.id(context_, element));
}

int FieldNumbers::sent(std::string_view id) const {
  if (const config::Unmade* unmade_field = unmade(id)) refuse_unmade(*unmade_field);
  const int number = find_sent(id);
  if (number != none) return number;
  const bool is_made = operands_.contains(id);
  if (is_made || find_received(id) != none) refuse_sent(id);
  // One that would be made of others, if a file needed it.
  if (definitions_.find(context_, "field", id)) return -1;
  std::vector<std::string_view> candidates;
  for (const auto& known : sent_) candidates.push_back(known.first);
  const std::string guess = config::did_you_mean(id, candidates);
  throw Error(
      ErrorCode::argument,
      fmt::format("context '{}': field '{}' does not exist (neither XML nor the model defines "
                  "it). {}",
                  context_, id, guess.empty() ? "Is its id spelt as in the XML?" : guess));
}

void FieldNumbers::refuse_unmade(const config::Unmade& unmade) const {
  const std::string place = unmade.where.empty() ? "" : unmade.where + ": ";
  const std::string taker = unmade.taker.empty() ? "" : fmt::format("for {}: ", unmade.taker);
  throw Error(ErrorCode::configuration,
              fmt::format("{}context '{}': field '{}' cannot be sent ({}{}). {}", place, context_,
                          unmade.source, taker, unmade.why, unmade.suggestion));
}

void FieldNumbers::refuse_sent(std::string_view id) const {
  if (!operands_.contains(id)) {
    throw Error(
        ErrorCode::argument,
        fmt::format("context '{}': field '{}' cannot be sent ({}). Receive it?", context_, id,
                    find_received(id) >= first_coupled_
                        ? "it comes from another context, by a coupler_in"
                        : "a file that is read has it"));
  }
  throw Error(ErrorCode::argument,
              fmt::format("context '{}': field '{}' cannot be sent (it is made of other fields, by "
                          "field_ref or an expression). Send those, or use 'this' in its "
                          "expression?",
                          context_, id));
}

int FieldNumbers::find_received(std::string_view id) const {
  const auto found = received_.find(id);
  return found == received_.end() ? none : found->second;
}

int FieldNumbers::received(std::string_view id) const {
  const int number = find_received(id);
  if (number != none) return number;
  std::vector<std::string_view> candidates;
  for (const auto& known : received_) candidates.push_back(known.first);
  const std::string guess = config::did_you_mean(id, candidates);
  throw Error(ErrorCode::argument,
              fmt::format("context '{}': field '{}' cannot be received (no enabled file with "
                          "mode=\"read\" has it, nor has it read_access=\"true\"). {}",
                          context_, id, guess.empty() ? "Is its id spelt as in the XML?" : guess));
}

}  // namespace epios::client
