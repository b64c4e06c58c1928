/// @file
/// The workflow of a configuration as a picture.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "config/document.hpp"

namespace epios::config {

/// What of a configuration is drawn.
struct FlowPart {
  std::vector<std::string> files;   ///< ids or paths; of several, each
  std::vector<std::string> fields;  ///< ids or names in files
  /// Without files and fields: above so many nodes an overview, files with the number of their
  /// fields.
  std::size_t most_nodes = 60;
};

struct FlowGraph {
  std::string text;       ///< in the language of Graphviz
  std::size_t nodes = 0;  ///< in `text`
  std::size_t whole = 0;  ///< nodes of the whole, when `text` is an overview, else 0
};

/// All contexts as one graph: the nodes of the DataGraph that a run works out, each once, with what
/// they cost (values, operations for a result, bytes that are kept for other operands), files and
/// partners, and what is understood but not worked out yet. The same configuration makes the same
/// text. Sizes that the model sets may be missing. Throws ConfigError with the
/// mistakes, Error{argument} for a file or a field of `part` that is not written. Local.
FlowGraph flow_graph(const SourceTexts& sources, const Additions& additions = {},
                     const FlowPart& part = {});

}  // namespace epios::config
