/// @file
/// All mistakes of a configuration, found without a model.
#pragma once

#include <functional>
#include <vector>

#include "config/document.hpp"
#include "config/error.hpp"
#include "config/file_facts.hpp"
#include "config/model.hpp"
#include "config/model_xml.hpp"

namespace epios::config {

/// Inspects files that are read. What it does not report about is not checked.
using FileLook = std::function<std::vector<FileFacts>(const std::vector<FileQuestion>&)>;

/// Parses and resolves all contexts and returns every finding, in reading order. Values that the
/// model sets at run time (sizes, calendar, elements that others refer to) give a note if they are
/// missing, or an error if the additions contain the part of the model. Mistakes in the
/// configuration are returned, not thrown. Throws Error for invalid settings. Local.
std::vector<Diagnostic> check(const SourceTexts& sources, const Additions& additions = {},
                              const FileLook& look = {});

struct Checked {
  std::vector<Diagnostic> findings;
  /// The models of all contexts but "xios". What is in error is left out; features that no run
  /// supports yet are included. Empty if the text is not XML.
  std::vector<Model> models;
  RunPart run;
};
/// Like check(), and also returns the resolved models.
Checked check_and_resolve(const SourceTexts& sources, const Additions& additions = {},
                          const FileLook& look = {});

}  // namespace epios::config
