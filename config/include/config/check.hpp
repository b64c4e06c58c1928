/// @file
/// Everything wrong with a configuration, without a model.
#pragma once

#include <functional>
#include <vector>

#include "config/document.hpp"
#include "config/error.hpp"
#include "config/file_facts.hpp"
#include "config/model.hpp"
#include "config/model_xml.hpp"

namespace epios::config {

/// Looks at files that are read, where there are any. Those that it does not tell of are not
/// judged.
using FileLook = std::function<std::vector<FileFacts>(const std::vector<FileQuestion>&)>;

/// Parses and resolves all contexts and returns every finding, in reading order. What a model
/// sets at run time (sizes, calendar, elements that are referred to) is a note when it is missing,
/// or an error when the additions have the model's part. Throws nothing for mistakes in the
/// configuration, Error for settings that are none. Local.
std::vector<Diagnostic> check(const SourceTexts& sources, const Additions& additions = {},
                              const FileLook& look = {});

struct Checked {
  std::vector<Diagnostic> findings;
  /// Of each context but "xios", as far as they could be resolved: what is in error is left out,
  /// what no run can do yet is there. Empty when the text is no XML.
  std::vector<Model> models;
  RunPart run;
};
/// As check(), with what came out of it.
Checked check_and_resolve(const SourceTexts& sources, const Additions& additions = {},
                          const FileLook& look = {});

}  // namespace epios::config
