#include "config/flow_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "building/loader.hpp"
#include "building/resolve.hpp"
#include "config/suggestion.hpp"
#include "text/findings.hpp"
#include "text/printable.hpp"
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

/// Names that were asked for, and whether somebody has them. No name: everything.
class NameChoice {
 public:
  NameChoice(std::string_view what, const std::vector<std::string>& names) : what_(what) {
    for (const std::string& name : names) found_.emplace_back(name, false);
  }
  bool is_empty() const { return found_.empty(); }
  /// Whether one of `names`, all of one thing, was asked for.
  bool takes(const std::vector<std::string_view>& names) {
    bool is_taken = found_.empty();
    for (const std::string_view name : names) {
      if (!found_.empty()) known_.emplace(name);
      for (auto& [wanted, is_found] : found_) {
        if (wanted != name) continue;
        is_found = true;
        is_taken = true;
      }
    }
    return is_taken;
  }
  void require_all() const {
    for (const auto& [name, is_found] : found_) {
      if (is_found) continue;
      const std::string guess = did_you_mean(name, {known_.begin(), known_.end()});
      throw Error(ErrorCode::argument,
                  shortened(fmt::format("there is no {} '{}' that is written.{}{}", what_, name,
                                        guess.empty() ? "" : " ", guess)));
    }
  }

 private:
  std::string_view what_;
  std::vector<std::pair<std::string, bool>> found_;
  std::set<std::string, std::less<>> known_;
};

struct FlowChoice {
  NameChoice files, fields;
  bool is_all() const { return files.is_empty() && fields.is_empty(); }
};

/// One context. Nodes are numbered as they come: the same configuration makes the same text.
class ContextGraph {
 public:
  ContextGraph(const Model& model, std::size_t number, FlowChoice& choice)
      : model_(model), number_(number), choice_(choice) {}

  /// All that is chosen.
  std::string text() {
    begin();
    find_needed();
    for (std::size_t i = 0; i < model_.sources.size(); ++i) {
      const Source& source = model_.sources[i];
      if (!is_needed(sources_, i)) continue;
      node(name_of('s', i), "ellipse", {source.id, grid_id(source.grid)});
    }
    for (std::size_t i = 0; i < model_.expressions.size(); ++i) {
      if (is_needed(expressions_, i)) add_expression(i);
    }
    for (std::size_t i = 0; i < model_.files.size(); ++i) add_file(i);
    if (choice_.is_all()) {
      for (std::size_t i = 0; i < model_.couplers.size(); ++i) add_coupler(i);
    }
    line("}");
    return nodes_ == 0 ? std::string() : text_;
  }

  /// Files and partners with the number of their fields.
  std::string overview() {
    begin();
    node(name_of('m', 0), "ellipse",
         {"the model", fmt::format("{} fields", model_.sources.size()),
          fmt::format("{} expressions", model_.expressions.size())});
    for (std::size_t i = 0; i < model_.files.size(); ++i) {
      add_file_node(i);
      edge(name_of('m', 0), name_of('f', i), counted_fields(model_.files[i].streams.size()));
    }
    for (std::size_t i = 0; i < model_.couplers.size(); ++i) {
      const bool is_in = add_coupler_node(i);
      const std::string partner = name_of('c', i);
      const std::string label = counted_fields(model_.couplers[i].fields.size());
      edge(is_in ? partner : name_of('m', 0), is_in ? name_of('m', 0) : partner, label);
    }
    line("}");
    return text_;
  }

  std::size_t nodes() const { return nodes_; }

 private:
  static std::string counted_fields(std::size_t n) {
    return fmt::format("{} field{}", n, n == 1 ? "" : "s");
  }
  void begin() {
    line(fmt::format("subgraph cluster_{} {{", number_));
    line(fmt::format("  label=\"{}\";", escaped(model_.context_id)));
  }

  bool is_needed(const std::unordered_set<int>& set, std::size_t i) const {
    return choice_.is_all() || set.contains(static_cast<int>(i));
  }
  /// The sources and expressions behind the chosen fields of the chosen files.
  void find_needed() {
    if (choice_.is_all()) return;
    std::vector<int> open;
    const auto take = [&](int source, int expression) {
      if (source >= 0) sources_.insert(source);
      if (expression >= 0 && expressions_.insert(expression).second) open.push_back(expression);
    };
    for (const File& file : model_.files) {
      for (const int index : file.streams) {
        const Stream& stream = model_.streams[static_cast<std::size_t>(index)];
        if (!is_chosen(file, stream)) continue;
        streams_.insert(index);
        take(stream.source, stream.expression);
      }
    }
    while (!open.empty()) {
      const int at = open.back();
      open.pop_back();
      for (const auto& operand : model_.expressions[static_cast<std::size_t>(at)].nodes) {
        if (is_data(operand.op)) take(operand.source, operand.expression);
      }
    }
  }
  bool is_chosen(const File& file, const Stream& stream) {
    if (!choice_.files.takes({file.id, file.path})) return false;
    std::vector<std::string_view> names{stream.name};
    if (stream.source >= 0) names.push_back(model_.sources[at(stream.source)].id);
    if (stream.expression >= 0) names.push_back(model_.expressions[at(stream.expression)].id);
    names.insert(names.end(), stream.via.begin(), stream.via.end());
    return choice_.fields.takes(names);
  }
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

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
    ++nodes_;
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

  void add_file_node(std::size_t i) {
    const File& file = model_.files[i];
    node(name_of('f', i), "note",
         {file.path, "every " + file.attributes.output_freq.value_or(Duration{}).text()});
  }
  void add_file(std::size_t i) {
    const File& file = model_.files[i];
    const auto is_drawn = [this](int index) {
      return choice_.is_all() || streams_.contains(index);
    };
    if (!choice_.is_all() && std::none_of(file.streams.begin(), file.streams.end(), is_drawn)) {
      return;
    }
    add_file_node(i);
    for (const int index : file.streams) {
      if (!is_drawn(index)) continue;
      const Stream& stream = model_.streams[static_cast<std::size_t>(index)];
      const Way way{stream.source, stream.expression, stream.via, stream.grid};
      edge(sampled(arrival(way), stream.sampling), name_of('f', i), stream.name);
    }
  }

  /// Whether fields come from it.
  bool add_coupler_node(std::size_t i) {
    const Coupler& coupler = model_.couplers[i];
    const bool is_in = coupler.kind == ElementKind::coupler_in;
    node(name_of('c', i), "cds",
         {is_in ? "from" : "to", coupler.partner_code + "::" + coupler.partner_context});
    return is_in;
  }
  void add_coupler(std::size_t i) {
    const Coupler& coupler = model_.couplers[i];
    const bool is_in = add_coupler_node(i);
    const std::string name = name_of('c', i);
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
  FlowChoice& choice_;
  std::unordered_set<int> sources_, expressions_, streams_;  ///< that are drawn, unless all are
  std::size_t nodes_ = 0;
};

}  // namespace

FlowGraph flow_graph(const SourceTexts& sources, const Additions& additions, const FlowPart& part) {
  const Document document(sources, additions);
  Findings findings(mode_of_check(additions), policy_of(document.root()));
  Contexts contexts;
  load(document, additions.settings, contexts, findings);
  FlowChoice choice{{"file", part.files}, {"field", part.fields}};
  FlowGraph whole;
  FlowGraph overview;
  std::size_t number = 0;
  for (const ContextStore& store : contexts.all()) {
    if (store.id() == parameter_context) continue;
    const Model model = resolve_context(store, findings);
    findings.throw_errors();
    ContextGraph all(model, number, choice);
    whole.text += all.text();
    whole.nodes += all.nodes();
    if (choice.is_all()) {
      ContextGraph files(model, number, choice);
      overview.text += files.overview();
      overview.nodes += files.nodes();
    }
    ++number;
  }
  findings.throw_errors();
  choice.files.require_all();
  choice.fields.require_all();
  const bool is_too_large = choice.is_all() && whole.nodes > part.most_nodes;
  FlowGraph& shown = is_too_large ? overview : whole;
  if (is_too_large) shown.whole = whole.nodes;
  shown.text =
      "digraph flow {\n  rankdir=LR;\n  node [fontname=\"sans-serif\", fontsize=10];\n"
      "  edge [fontname=\"sans-serif\", fontsize=9];\n" +
      shown.text + "}\n";
  return std::move(shown);
}

}  // namespace epios::config
