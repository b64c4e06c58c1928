/// @file
/// The workflow of a configuration as a picture.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "config/document.hpp"

namespace epios::config {

/// The part of a configuration that is drawn.
struct FlowPart {
  std::vector<std::string> files;   ///< ids or paths; all of several files
  std::vector<std::string> fields;  ///< ids or names in files
  /// If there are neither files nor fields and the graph has more nodes than this, it becomes an
  /// overview: files with the number of their fields.
  std::size_t most_nodes = 60;
};

struct FlowGraph {
  std::string text;       ///< in the language of Graphviz
  std::size_t nodes = 0;  ///< number of nodes in `text`
  std::size_t whole = 0;  ///< number of nodes of the whole graph if `text` is an overview, else 0
};

/// Draws all contexts as one graph: each node of the DataGraph once, with its cost (values,
/// operations per result, bytes kept for other operands), files and partners, and features that are
/// understood but not supported yet. The same configuration gives the same text. Sizes that the
/// model sets may be missing. Throws ConfigError with the mistakes, and Error{argument} for a file
/// or a field of `part` that is not written. Local.
FlowGraph flow_graph(const SourceTexts& sources, const Additions& additions = {},
                     const FlowPart& part = {});

}  // namespace epios::config
