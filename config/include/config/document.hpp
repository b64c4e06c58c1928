/// @file
/// A configuration as one tree of XML, with its includes: the first stage of Document ->
/// Definitions -> Model.
#pragma once

#include <filesystem>
#include <vector>

#include "config/error.hpp"
#include "config/run_names.hpp"
#include "config/xml_element.hpp"

namespace epios::config {

/// Additions to a configuration by options of the command.
struct Additions {
  /// The part of the model, with its includes: a <context_group>, or one <context>. It is read
  /// after all other contexts, so that its values win. If it is given, nothing is left to the
  /// model.
  SourceTexts model{};
  std::string compat{};  ///< replaces that attribute of <simulation>; "" for none
  bool strict = false;   ///< has the effect of that attribute of <simulation>
  /// Settings such as "domain:globe.ni_glo=360", "calendar.timestep=1h" or "variable:relax=30".
  /// They apply last, in every context that has the element.
  std::vector<std::string> settings{};
  /// Names that replace %component% and %member% in all texts of the files.
  RunNames names{};
};

/// Reads `entry` and every file that it includes through `src` attributes. Paths are relative to
/// the including file or, with compat="xios2" on the root element, to the working directory. Local;
/// one process of a job calls it. `compat` is that of Additions. Throws ConfigError (unreadable
/// file, include loop, limits).
SourceTexts read_sources(const std::filesystem::path& entry, std::string_view compat = {});

struct ReadSources {
  SourceTexts sources;               ///< what could be read, even if it is not well formed
  std::vector<Diagnostic> mistakes;  ///< if there are any, there is no configuration
};
/// Like read_sources(), for callers that show the lines of mistakes. Returns mistakes instead of
/// throwing them.
ReadSources try_read_sources(const std::filesystem::path& entry, std::string_view compat = {});

/// A placeholder in a text of a context that nothing replaces: a mistake of the component that
/// opens the context.
struct UntakenPlace {
  std::string context;
  Position position;
  std::string problem, why, suggestion;
};

/// Parsed XML: a tree of elements that know their positions. Immutable.
class Document {
 public:
  using Attribute = XmlAttribute;
  using Element = XmlElement;

  /// Parses the first text; looks includes up in `sources`. The root of an included file brings its
  /// attributes and children: first come the attributes of the including tag, then those of the
  /// included root, then inline children. Takes all of `additions` but the settings. Throws
  /// ConfigError with file:line:column of every syntax error and of every placeholder that nothing
  /// can replace and that stands outside of contexts or in context "xios".
  explicit Document(const SourceTexts& sources, const Additions& additions = {});
  const Element& root() const { return root_; }
  /// Returns the names of the additions.
  const RunNames& names() const { return names_; }
  /// Returns placeholders in contexts that other components may open.
  const std::vector<UntakenPlace>& untaken() const { return untaken_; }
  /// Returns warnings about what is tolerated although XML forbids it.
  const std::vector<Diagnostic>& warnings() const { return warnings_; }

 private:
  Element root_;
  RunNames names_;
  std::vector<UntakenPlace> untaken_;
  std::vector<Diagnostic> warnings_;
};

}  // namespace epios::config
