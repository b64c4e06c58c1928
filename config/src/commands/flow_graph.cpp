// Draws the graph of data in the language of Graphviz. It first finds the nodes needed by the
// chosen files and fields, then writes nodes with their cost, edges, files and partners, and steps
// that servers compute.
#include "config/flow_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "building/loader.hpp"
#include "building/resolve.hpp"
#include "config/data_graph.hpp"
#include "config/model.hpp"
#include "config/spatial.hpp"
#include "config/suggestion.hpp"
#include "config/temporal.hpp"
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

/// Names that were asked for, and whether somebody has them. No name: everything.
class NameChoice {
 public:
  NameChoice(std::string_view what, const std::vector<std::string>& names) : what_(what) {
    for (const std::string& name : names) found_.emplace_back(name, false);
  }
  bool is_empty() const { return found_.empty(); }
  /// Returns true if one of `names`, all of one thing, was asked for.
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

/// "1.2 MB"; of values, whose number may not be known.
std::string bytes_text(double bytes) {
  constexpr std::array<const char*, 5> units{"B", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  for (; bytes >= 1000 && unit + 1 < units.size(); ++unit) bytes /= 1000;
  return fmt::format("{:.3g} {}", bytes, units.at(unit));
}

std::string counted(double count, const char* what) {
  return count < 1e6 ? fmt::format("{} {}", static_cast<std::int64_t>(count), what)
                     : fmt::format("{:.3g} {}", count, what);
}

/// One context: the nodes of its DataGraph, which is what a run works out, and where results go.
/// The same configuration makes the same text.
class ContextGraph {
 public:
  ContextGraph(const Model& model, std::size_t number, FlowChoice& choice)
      : model_(model), graph_(data_graph(model)), number_(number), choice_(choice) {}

  /// All that is chosen.
  std::string text() {
    begin();
    find_needed();
    find_copied();
    for (const DataNodeId n : graph_.nodes.ids()) {
      if (is_needed_[n] != 0) add_node(n);
    }
    for (const FileId i : model_.files.ids()) add_file(i);
    add_received();
    if (choice_.is_all()) {
      for (const CouplerId i : model_.couplers.ids()) add_coupler(i);
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
    for (const ReadFileId i : model_.read_files.ids()) {
      edge(read_node(i), name_of('m', 0), counted_fields(model_.read_files[i].fields.size()));
    }
    for (const FileId i : model_.files.ids()) {
      add_file_node(i);
      edge(name_of('m', 0), name_of('f', i), counted_fields(model_.files[i].streams.size()));
    }
    for (const CouplerId i : model_.couplers.ids()) {
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
  const DataNode& data(DataNodeId n) const { return graph_.nodes[n]; }
  void begin() {
    line(fmt::format("subgraph cluster_{} {{", number_));
    line(fmt::format("  label=\"{}\";", escaped(model_.context_id)));
  }

  void need(DataNodeId node) {
    std::vector<DataNodeId> open{node};
    while (!open.empty()) {
      const DataNodeId n = open.back();
      open.pop_back();
      const bool is_drawn = data(n).kind != DataNode::Kind::number;
      if (!is_drawn || std::exchange(is_needed_[n], std::uint8_t{1}) != 0) continue;
      open.insert(open.end(), data(n).arguments.begin(), data(n).arguments.end());
    }
  }
  /// Finds the nodes before the chosen fields of the chosen files, and before what partners
  /// receive.
  void find_needed() {
    is_needed_.assign(graph_.nodes.size(), 0);
    for (const File& file : model_.files) {
      for (const StreamId index : file.streams) {
        const Stream& stream = model_.streams[index];
        if (!choice_.is_all() && !is_chosen(file, stream)) continue;
        streams_.insert(index);
        need(graph_.of_stream[index]);
      }
    }
    for (const ResultId r : model_.results.ids()) {
      if (!choice_.is_all() && !is_received(model_.results[r])) continue;
      results_.insert(r);
      need(received(r));
    }
    if (!choice_.is_all()) return;
    for (const Coupler& coupler : model_.couplers) {
      for (const CoupledField& field : coupler.fields) {
        if (field.source >= 0) need(graph_.of_source[field.source]);
        if (field.expression >= 0) need(graph_.of_expression[field.expression]);
      }
    }
  }
  bool is_chosen(const File& file, const Stream& stream) {
    return choice_.files.takes({file.id, file.path}) && choice_.fields.takes(names_of(stream));
  }
  /// Data are handed over as they are at each step: the instant that does so is not drawn.
  DataNodeId received(ResultId result) const {
    return data(graph_.of_result[result]).arguments.front();
  }
  /// Results that the model receives are in no file.
  bool is_received(const Stream& result) {
    return choice_.files.is_empty() && choice_.fields.takes(names_of(result));
  }
  std::vector<std::string_view> names_of(const Stream& stream) const {
    std::vector<std::string_view> names{stream.name};
    if (stream.source >= 0) names.push_back(model_.sources[stream.source].id);
    if (stream.expression >= 0) names.push_back(model_.expressions[stream.expression].id);
    names.insert(names.end(), stream.via.begin(), stream.via.end());
    return names;
  }

  /// Inputs of an operation: data of the model, results of operations, and the number of arithmetic
  /// steps between.
  struct Inputs {
    std::vector<DataNodeId> leaves;
    int arithmetic = 0;
  };
  Inputs inputs_of(const DataNode& operation) const {
    Inputs out;
    std::vector<DataNodeId> open = operation.arguments;
    std::set<DataNodeId> seen;
    while (!open.empty()) {
      const DataNodeId n = open.back();
      open.pop_back();
      if (data(n).kind == DataNode::Kind::number || !seen.insert(n).second) continue;
      if (data(n).kind != DataNode::Kind::arithmetic) {
        out.leaves.push_back(n);
        continue;
      }
      ++out.arithmetic;
      open.insert(open.end(), data(n).arguments.begin(), data(n).arguments.end());
    }
    return out;
  }
  /// Data of the model that may have to wait for others are kept in a copy.
  void find_copied() {
    is_copied_.assign(graph_.nodes.size(), 0);
    for (const DataNodeId n : graph_.nodes.ids()) {
      if (is_needed_[n] == 0 || graph_.nodes[n].kind != DataNode::Kind::temporal) continue;
      const Inputs inputs = inputs_of(graph_.nodes[n]);
      if (inputs.leaves.size() < 2) continue;
      for (const DataNodeId leaf : inputs.leaves) {
        if (data(leaf).kind == DataNode::Kind::source) is_copied_[leaf] = 1;
      }
    }
  }
  std::optional<double> points(GridId grid) const {
    const auto known = grid < 0 ? std::nullopt : model_.points(grid);
    if (!known) return std::nullopt;
    return static_cast<double>(*known);
  }

  void line(const std::string& text) { text_ += "  " + text + "\n"; }
  template <class Number>
  std::string name_of(char kind, Number i) const {
    return fmt::format("{}{}_{}", kind, number_, i);
  }
  const std::string& grid_id(GridId grid) const { return model_.grids[grid].id; }
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

  void add_node(DataNodeId n) {
    const DataNode& made = data(n);
    const std::string name = name_of('n', n);
    if (made.kind == DataNode::Kind::source) return add_source(n, name);
    if (made.kind == DataNode::Kind::temporal) {
      node(name, "box", operation_text(made));
      edge(with_views(made.arguments.front(), made.grid), name);
      return;
    }
    if (made.kind == DataNode::Kind::spatial) {
      const auto way = spatial_step(model_, model_.expressions[made.expression]);
      node(name, "hexagon", step_text(*way));
      edge(with_views(made.arguments.front(), way->from), name);
      return;
    }
    add_arithmetic(n, name);
  }

  void add_source(DataNodeId n, const std::string& name) {
    const Source& source = model_.sources[data(n).source];
    std::vector<std::string> lines{source.id, grid_id(source.grid)};
    if (const auto count = points(source.grid)) {
      lines.push_back(counted(*count, "values"));
      if (is_copied_[n] != 0) {
        lines.push_back("kept for others: " + bytes_text(*count * sizeof(double)));
      }
    }
    node(name, "ellipse", lines);
    if (source.read_field < 0) return;
    const ReadField& field = model_.read_fields[source.read_field];
    edge(read_node(field.file), name, field.name);
  }

  /// A file that is read, drawn when it is first asked for.
  std::string read_node(ReadFileId i) {
    const ReadFile& file = model_.read_files[i];
    std::string name = name_of('r', i);
    if (!read_files_.insert(i).second) return name;
    std::vector<std::string> lines{file.path, "read"};
    if (file.attributes.output_freq)
      lines.back() += " every " + file.attributes.output_freq->text();
    node(name, "note", lines);
    return name;
  }

  /// Adds what the model receives: from files, and results of its own data.
  void add_received() {
    const std::string model = name_of('m', 0);
    bool is_drawn = false;
    const auto to_model = [&](const std::string& from, const std::string& id) {
      if (!std::exchange(is_drawn, true)) node(model, "ellipse", {"the model"});
      edge(from, model, id);
    };
    for (const ReadField& field : model_.read_fields) {
      if (!field.attributes.read_access.value_or(false)) continue;
      const bool is_wanted = choice_.is_all() || (choice_.files.is_empty() &&
                                                  choice_.fields.takes({field.id, field.name}));
      if (is_wanted) to_model(read_node(field.file), field.id);
    }
    for (const ResultId r : results_) {
      const Stream& result = model_.results[r];
      const bool is_source = result.source >= 0;
      const GridId grid = is_source ? model_.sources[result.source].grid
                                    : model_.expressions[result.expression].grid;
      to_model(on_grid(name_of('n', received(r)), grid, result.grid), result.id);
    }
  }

  /// "multiply(a, 4000)", with the ids and texts of the expressions that it is the result of.
  void add_arithmetic(DataNodeId n, const std::string& name) {
    std::vector<std::string> lines;
    for (const ExpressionId e : model_.expressions.ids()) {
      if (graph_.of_expression[e] != n) continue;
      lines.push_back(model_.expressions[e].id);
      lines.push_back(model_.expressions[e].text);
    }
    const DataNode& made = data(n);
    const auto fields =
        std::count_if(made.arguments.begin(), made.arguments.end(),
                      [this](DataNodeId a) { return data(a).kind != DataNode::Kind::number; });
    std::string text(config::name(made.op));
    std::vector<std::pair<DataNodeId, std::string>> edges;
    for (std::size_t i = 0; i < made.arguments.size(); ++i) {
      const DataNodeId argument = made.arguments[i];
      const bool is_number = data(argument).kind == DataNode::Kind::number;
      const std::string letter(1, static_cast<char>('a' + edges.size()));
      text += (i == 0 ? "(" : ", ") +
              (is_number ? fmt::format("{:.6g}", data(argument).number) : letter);
      if (!is_number) edges.emplace_back(argument, fields > 1 ? letter : std::string());
    }
    lines.push_back(text + ")");
    node(name, "box3d", lines);
    for (const auto& [from, label] : edges) edge(name_of('n', from), name, label);
  }

  std::vector<std::string> sampling_text(const Sampling& s) const {
    const auto operation = std::string(name(s.operation)) + (s.is_weighted ? " by time" : "");
    const std::size_t dates = s.dates.ends.size();
    if (dates > 0) return {operation, fmt::format("at {} dates", dates)};
    return {operation, "of samples every " + s.freq_op.text(), "one per " + s.output_freq.text()};
  }
  /// With what a result costs: samples, values of each, and steps of arithmetic for a value.
  std::vector<std::string> operation_text(const DataNode& operation) const {
    std::vector<std::string> lines = sampling_text(operation.sampling);
    const auto count = points(operation.grid);
    if (!count || model_.timestep.is_zero()) return lines;
    const Schedule schedule(model_.calendar(), model_.start_date, operation.sampling);
    const std::int64_t first = schedule.times().first_wanted(0);
    const auto samples = static_cast<double>(schedule.samples_of(first));
    lines.push_back(fmt::format("{} of {}", counted(samples, samples == 1 ? "sample" : "samples"),
                                counted(*count, "values")));
    const int arithmetic = inputs_of(operation).arithmetic;
    if (arithmetic > 0) {
      lines.push_back(counted(samples * *count * arithmetic, "operations for a result"));
    }
    return lines;
  }

  std::string step_text_of(const GridElement& element) const {
    if (element.kind == GridElement::Kind::axis) return model_.axes[element.axis()].id;
    if (element.kind == GridElement::Kind::domain) return model_.domains[element.domain()].id;
    return model_.scalars[element.scalar()].id;
  }
  std::vector<std::string> step_text(const SpatialStep& way,
                                     std::string_view by = "worked out by the clients") const {
    std::vector<std::string> lines{std::string(name(way.transformation->kind)),
                                   "to " + step_text_of(way.target)};
    if (const auto count = points(way.to)) lines.push_back(counted(*count, "values"));
    lines.emplace_back(by);
    return lines;
  }
  /// Adds the steps that the server with the file applies to the records of clients.
  std::string behind_wire(std::string last, const Stream& stream) {
    for (const ExpressionId expression : steps_on_servers(model_, stream)) {
      const auto way = spatial_step(model_, model_.expressions[expression]);
      last = step(last, fmt::format("on servers to grid {}", way->to),
                  step_text(*way, "worked out by the server"));
    }
    return last;
  }
  /// Data as they lie in the grid of who takes them: its points may be some of those of the data,
  /// in another order, which takes no work.
  std::string with_views(DataNodeId data, GridId grid) {
    std::vector<SpatialStep> views;
    const bool is_made_there =
        this->data(data).kind == DataNode::Kind::spatial && this->data(data).grid == grid;
    for (ExpressionId e = is_made_there ? ExpressionId() : model_.expressions.last_id(); e >= 0;
         e = ExpressionId(e - 1)) {
      const FieldExpression& expression = model_.expressions[e];
      if (graph_.of_expression[e] != data || expression.grid != grid) continue;
      const auto way = spatial_step(model_, expression);
      if (!way || !is_view(way->transformation->kind)) continue;
      views.push_back(*way);
      grid = way->from;
    }
    std::string last = name_of('n', data);
    for (std::size_t i = views.size(); i-- > 0;) {
      const std::string key = fmt::format("as grid {}", views[i].to);
      last = step(last, key, step_text(views[i], "as they lie in the model's array"));
    }
    return last;
  }
  /// Adds a step that is understood but not supported yet: the way to another grid. Returns its
  /// last node.
  std::string on_grid(std::string last, GridId from, GridId grid) {
    if (grid < 0 || grid == from) return last;
    const std::string to = fmt::format("to grid {}", grid_id(grid));
    bool is_changed = false;
    for (const GridElement& element : model_.grids[grid].elements) {
      const auto add = [&](const auto& holder) {
        for (std::size_t i = 0; i < holder.transformations.size(); ++i) {
          const std::string_view tag = name(holder.transformations[i].kind);
          last = step(last, fmt::format("{} {} {}", to, holder.id, i),
                      {std::string(tag), "to " + holder.id});
          is_changed = true;
        }
      };
      if (element.kind == GridElement::Kind::scalar) add(model_.scalars[element.scalar()]);
      if (element.kind == GridElement::Kind::axis) add(model_.axes[element.axis()]);
      if (element.kind == GridElement::Kind::domain) add(model_.domains[element.domain()]);
    }
    return is_changed ? last : step(last, to, {to});
  }
  /// The node that stands for `key`, made with its edge from `before` when it is new.
  std::string step(const std::string& before, const std::string& key,
                   const std::vector<std::string>& lines, const char* shape = "hexagon") {
    const auto [found, is_new] = steps_.emplace(before + " " + key, name_of('t', steps_.size()));
    if (is_new) {
      node(found->second, shape, lines);
      edge(before, found->second);
    }
    return found->second;
  }

  void add_file_node(FileId i) {
    const File& file = model_.files[i];
    const std::string dates = "at " + file.attributes.output_dates.value_or("");
    const auto& freq = file.attributes.output_freq;
    node(name_of('f', i), "note", {file.path, freq ? "every " + freq->text() : dates});
  }
  void add_file(FileId i) {
    const File& file = model_.files[i];
    const auto is_drawn = [this](StreamId index) { return streams_.contains(index); };
    if (!choice_.is_all() && std::none_of(file.streams.begin(), file.streams.end(), is_drawn)) {
      return;
    }
    add_file_node(i);
    for (const StreamId index : file.streams) {
      if (!is_drawn(index)) continue;
      const Stream& stream = model_.streams[index];
      const DataNodeId result = graph_.of_stream[index];
      const std::string made = name_of('n', result);
      const std::string last = steps_on_servers(model_, stream).empty()
                                   ? on_grid(made, data(result).grid, stream.grid)
                                   : behind_wire(made, stream);
      const bool says_more = !stream.via.empty() && stream.via.back() != stream.name;
      const std::string by =
          says_more ? fmt::format(" (by {})", fmt::join(stream.via, ", ")) : std::string();
      edge(last, name_of('f', i), stream.name + by);
    }
  }

  /// The node of the same operation, which a file takes, too; -1: none is drawn.
  DataNodeId operation_on(DataNodeId argument, const Sampling& sampling) const {
    const Calendar calendar = model_.calendar();
    const auto normal = [&calendar](Sampling its) {
      for (auto* d : {&its.freq_op, &its.freq_offset, &its.output_freq}) *d = calendar.normal(*d);
      return its;
    };
    for (const DataNodeId n : graph_.nodes.ids()) {
      const DataNode& node = graph_.nodes[n];
      const bool is_same = node.kind == DataNode::Kind::temporal &&
                           node.arguments.front() == argument &&
                           normal(node.sampling) == normal(sampling);
      if (is_same && is_needed_[n] != 0) return n;
    }
    return {};
  }

  /// Returns true if fields come from it.
  bool add_coupler_node(CouplerId i) {
    const Coupler& coupler = model_.couplers[i];
    const bool is_in = coupler.kind == ElementKind::coupler_in;
    node(name_of('c', i), "cds",
         {is_in ? "from" : "to", coupler.partner_code + "::" + coupler.partner_context});
    return is_in;
  }
  void add_coupler(CouplerId i) {
    const Coupler& coupler = model_.couplers[i];
    const bool is_in = add_coupler_node(i);
    const std::string partner = name_of('c', i);
    for (const CoupledField& field : coupler.fields) {
      const bool is_source = field.source >= 0;
      if (!is_source && field.expression < 0) continue;
      const DataNodeId from =
          is_source ? graph_.of_source[field.source] : graph_.of_expression[field.expression];
      const std::string data_name = name_of('n', from);
      if (is_in) {
        edge(partner, data_name, field.id);
        continue;
      }
      const GridId grid =
          is_source ? model_.sources[field.source].grid : model_.expressions[field.expression].grid;
      const DataNodeId known = operation_on(from, field.sampling);
      if (known >= 0 && (field.grid < 0 || field.grid == grid)) {
        edge(name_of('n', known), partner, field.id);
        continue;
      }
      const std::vector<std::string> lines = sampling_text(field.sampling);
      edge(step(on_grid(data_name, grid, field.grid), fmt::format("{}", fmt::join(lines, " ")),
                lines, "box"),
           partner, field.id);
    }
  }

  const Model& model_;
  DataGraph graph_;
  std::size_t number_;
  std::string text_;
  std::unordered_map<std::string, std::string> steps_;
  std::unordered_set<std::string> edges_;
  FlowChoice& choice_;
  IndexedVector<DataNodeId, std::uint8_t> is_needed_, is_copied_;
  std::unordered_set<ReadFileId> read_files_;  ///< that are drawn
  std::set<ResultId> results_;                 ///< that are drawn
  std::unordered_set<StreamId> streams_;       ///< that are drawn
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
