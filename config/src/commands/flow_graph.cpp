#include "config/flow_graph.hpp"

#include <fmt/format.h>

#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "building/loader.hpp"
#include "building/resolve.hpp"
#include "text/findings.hpp"
#include "text/xml_text.hpp"

namespace epios::config {

namespace {

/// Text of users inside a quoted string.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

/// What data go through on their way from a field to a file or a partner.
struct Way {
  int source = -1;
  int expression = -1;
  const std::vector<std::string>& via;
  int grid = -1;  ///< where they arrive; -1: as they are
};

/// One context. Nodes are numbered as they come: the same configuration makes the same text.
class ContextGraph {
 public:
  ContextGraph(const Model& model, std::size_t number) : model_(model), number_(number) {}

  std::string text() {
    line(fmt::format("subgraph cluster_{} {{", number_));
    line(fmt::format("  label=\"{}\";", escaped(model_.context_id)));
    for (std::size_t i = 0; i < model_.sources.size(); ++i) {
      const Source& source = model_.sources[i];
      node(name_of('s', i), "ellipse", {source.id, grid_id(source.grid)});
    }
    for (std::size_t i = 0; i < model_.expressions.size(); ++i) add_expression(i);
    for (std::size_t i = 0; i < model_.files.size(); ++i) add_file(i);
    for (std::size_t i = 0; i < model_.couplers.size(); ++i) add_coupler(i);
    line("}");
    return text_;
  }

 private:
  void line(const std::string& text) { text_ += "  " + text + "\n"; }
  std::string name_of(char kind, std::size_t i) const {
    return fmt::format("{}{}_{}", kind, number_, i);
  }
  const std::string& grid_id(int grid) const {
    return model_.grids[static_cast<std::size_t>(grid)].id;
  }
  /// Lines of users and ours; the break between them is Graphviz' own.
  void node(const std::string& name, const char* shape, const std::vector<std::string>& lines) {
    std::string label;
    for (const std::string& part : lines) label += (label.empty() ? "" : "\\n") + escaped(part);
    line(fmt::format("  {} [shape={}, label=\"{}\"];", name, shape, label));
  }
  void edge(const std::string& from, const std::string& to, const std::string& label = {}) {
    if (!edges_.insert(fmt::format("{} {} {}", from, to, label)).second) return;
    const std::string attributes =
        label.empty() ? "" : fmt::format(" [label=\"{}\"]", escaped(label));
    line(fmt::format("  {} -> {}{};", from, to, attributes));
  }

  /// The node that stands for `key`, made with its edge from `before` when it is new.
  std::string step(const std::string& before, const std::string& key, const char* shape,
                   const std::vector<std::string>& lines) {
    const auto [found, is_new] = steps_.emplace(before + " " + key, name_of('n', steps_.size()));
    if (is_new) {
      node(found->second, shape, lines);
      edge(before, found->second);
    }
    return found->second;
  }

  /// The last node before the temporal operation: data, the fields that hand them on, what is done
  /// on the way to another grid.
  std::string arrival(const Way& way) {
    const auto at = static_cast<std::size_t>(way.source >= 0 ? way.source : way.expression);
    std::string last = name_of(way.source >= 0 ? 's' : 'e', at);
    for (const std::string& id : way.via) {
      last = step(last, fmt::format("field {}", id), "plaintext", {id});
    }
    const int from = way.source >= 0 ? model_.sources[at].grid : model_.expressions[at].grid;
    return way.grid < 0 || way.grid == from ? last : on_grid(last, way.grid);
  }

  std::string on_grid(std::string last, int grid) {
    const std::string to = fmt::format("to grid {}", grid_id(grid));
    bool is_changed = false;
    for (const GridElement& element : model_.grids[static_cast<std::size_t>(grid)].elements) {
      const auto at = static_cast<std::size_t>(element.index);
      const auto add = [&](const auto& holder) {
        for (std::size_t i = 0; i < holder.transformations.size(); ++i) {
          const std::string_view tag = name(holder.transformations[i].kind);
          last = step(last, fmt::format("{} {} {}", to, holder.id, i), "hexagon",
                      {std::string(tag), "to " + holder.id});
          is_changed = true;
        }
      };
      if (element.kind == GridElement::Kind::scalar) add(model_.scalars[at]);
      if (element.kind == GridElement::Kind::axis) add(model_.axes[at]);
      if (element.kind == GridElement::Kind::domain) add(model_.domains[at]);
    }
    return is_changed ? last : step(last, to, "hexagon", {to});
  }

  std::string sampled(const std::string& before, const Sampling& sampling) {
    const std::string operation(name(sampling.operation));
    const std::string every = "of samples every " + sampling.freq_op.text();
    const std::string results = "one per " + sampling.output_freq.text();
    return step(before,
                fmt::format("{} {} {} {}", operation, every, results, sampling.freq_offset.text()),
                "box", {operation, every, results});
  }

  void add_expression(std::size_t i) {
    const FieldExpression& expression = model_.expressions[i];
    node(name_of('e', i), "box3d", {expression.id, expression.text});
    for (const FieldExpressionNode& operand : expression.nodes) {
      if (!is_data(operand.op)) continue;
      const std::string last = arrival({operand.source, operand.expression, operand.via, -1});
      edge(operand.is_temporal ? sampled(last, operand.sampling) : last, name_of('e', i));
    }
  }

  void add_file(std::size_t i) {
    const File& file = model_.files[i];
    node(name_of('f', i), "note",
         {file.path, "every " + file.attributes.output_freq.value_or(Duration{}).text()});
    for (const int index : file.streams) {
      const Stream& stream = model_.streams[static_cast<std::size_t>(index)];
      const Way way{stream.source, stream.expression, stream.via, stream.grid};
      edge(sampled(arrival(way), stream.sampling), name_of('f', i), stream.name);
    }
  }

  void add_coupler(std::size_t i) {
    const Coupler& coupler = model_.couplers[i];
    const bool is_in = coupler.kind == ElementKind::coupler_in;
    const std::string name = name_of('c', i);
    node(name, "cds",
         {is_in ? "from" : "to", coupler.partner_code + "::" + coupler.partner_context});
    for (const CoupledField& field : coupler.fields) {
      if (is_in && field.source >= 0) {
        edge(name, name_of('s', static_cast<std::size_t>(field.source)), field.id);
      } else if (!is_in) {
        const Way way{field.source, field.expression, field.via, field.grid};
        edge(sampled(arrival(way), field.sampling), name, field.id);
      }
    }
  }

  const Model& model_;
  std::size_t number_;
  std::string text_;
  std::unordered_map<std::string, std::string> steps_;
  std::unordered_set<std::string> edges_;
};

}  // namespace

std::string flow_graph(const SourceTexts& sources, const Additions& additions) {
  const Document document(sources, additions);
  Findings findings(mode_of_check(additions), policy_of(document.root()));
  Contexts contexts;
  load(document, additions.settings, contexts, findings);
  std::string text =
      "digraph flow {\n  rankdir=LR;\n  node [fontname=\"sans-serif\", fontsize=10];\n"
      "  edge [fontname=\"sans-serif\", fontsize=9];\n";
  std::size_t number = 0;
  for (const ContextStore& store : contexts.all()) {
    if (store.id() == parameter_context) continue;
    const Model model = resolve_context(store, findings);
    findings.throw_errors();
    text += ContextGraph(model, number++).text();
  }
  findings.throw_errors();
  return text + "}\n";
}

}  // namespace epios::config
