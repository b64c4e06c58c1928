/// @file
/// The workflow of a configuration as a picture.
#pragma once

#include <string>

#include "config/document.hpp"

namespace epios::config {

/// All contexts as one graph in the language of Graphviz: what the model sends or a partner brings,
/// fields that hand data on, expressions, transformations, temporal operations, files and partners.
/// The same configuration makes the same text. Sizes that the model sets may be missing. Throws
/// ConfigError with the mistakes. Local.
std::string flow_graph(const SourceTexts& sources, const Additions& additions = {});

}  // namespace epios::config
