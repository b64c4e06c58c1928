#include "config/flow_graph.hpp"

#include <fmt/format.h>

#include <string_view>

#include "findings.hpp"
#include "loader.hpp"
#include "resolve.hpp"
#include "xml_text.hpp"

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

std::string_view word(Operation operation) {
  switch (operation) {
    case Operation::instant:
      return "instant";
    case Operation::average:
      return "average";
    case Operation::accumulate:
      return "accumulate";
    case Operation::minimum:
      return "minimum";
    case Operation::maximum:
      return "maximum";
    case Operation::once:
      break;
  }
  return "once";
}

void add_context(std::string& text, const Model& model, std::size_t context) {
  text += fmt::format("  subgraph cluster_{} {{\n    label=\"{}\";\n", context,
                      escaped(model.context_id));
  for (std::size_t i = 0; i < model.sources.size(); ++i) {
    const Source& source = model.sources[i];
    const Grid& grid = model.grids[static_cast<std::size_t>(source.grid)];
    text += fmt::format("    s{}_{} [shape=ellipse, label=\"{}\\n{}\"];\n", context, i,
                        escaped(source.id), escaped(grid.id));
  }
  for (std::size_t i = 0; i < model.files.size(); ++i) {
    const File& file = model.files[i];
    text +=
        fmt::format("    f{}_{} [shape=note, label=\"{}\\nevery {}\"];\n", context, i,
                    escaped(file.path), file.attributes.output_freq.value_or(Duration{}).text());
  }
  for (std::size_t i = 0; i < model.streams.size(); ++i) {
    const Stream& stream = model.streams[i];
    text += fmt::format("    t{}_{} [shape=box, label=\"{}\\nof samples every {}\"];\n", context, i,
                        word(stream.sampling.operation), stream.sampling.freq_op.text());
    text += fmt::format("    s{0}_{1} -> t{0}_{2};\n", context, stream.source, i);
    text += fmt::format("    t{0}_{1} -> f{0}_{2} [label=\"{3}\"];\n", context, i, stream.file,
                        escaped(stream.name));
  }
  text += "  }\n";
}

}  // namespace

std::string flow_graph(const SourceTexts& sources) {
  const Document document(sources);
  Findings findings(Findings::Mode::check, policy_of(document.root()));
  Contexts contexts;
  load(document, contexts, findings);
  std::string text =
      "digraph flow {\n  rankdir=LR;\n  node [fontname=\"sans-serif\", fontsize=10];\n"
      "  edge [fontname=\"sans-serif\", fontsize=9];\n";
  std::size_t number = 0;
  for (const ContextStore& store : contexts.all()) {
    if (store.id() == parameter_context) continue;
    const Model model = resolve_context(store, findings);
    findings.throw_errors();
    add_context(text, model, number++);
  }
  findings.throw_errors();
  return text + "}\n";
}

}  // namespace epios::config
