/// @file
/// A configuration as one tree of XML, includes and all: the first of Document -> Definitions ->
/// Model.
#pragma once

#include <filesystem>
#include <vector>

#include "config/error.hpp"
#include "config/run_names.hpp"
#include "config/xml_element.hpp"

namespace epios::config {

/// What is said of a configuration beside its files, by options of the command.
struct Additions {
  /// The model's part, and what it includes: a <context_group>, or one <context>, which is read
  /// after all others, so that its values win. With it nothing is left to the model any more.
  SourceTexts model{};
  std::string compat{};  ///< in the place of that attribute of <simulation>; "" for none
  bool strict = false;   ///< as if <simulation> said so
  /// "domain:globe.ni_glo=360", "calendar.timestep=1h", "variable:relax=30": in every context that
  /// has the element, after everything else.
  std::vector<std::string> settings{};
  /// Take the places %component% and %member% in all texts of the files.
  RunNames names{};
};

/// Reads `entry` and, following `src` attributes, every file it includes: relative to the including
/// file or, with compat="xios2" on the root element, to the working directory. Local; one process
/// of a job does it. `compat` is as of Additions. Throws ConfigError (unreadable, include loop,
/// limits).
SourceTexts read_sources(const std::filesystem::path& entry, std::string_view compat = {});

struct ReadSources {
  SourceTexts sources;               ///< what could be read, also when it is not well formed
  std::vector<Diagnostic> mistakes;  ///< with any of them there is no configuration
};
/// As read_sources(), for who shows the lines of mistakes. Throws nothing for them.
ReadSources try_read_sources(const std::filesystem::path& entry, std::string_view compat = {});

/// A text of a context with a place that nothing takes: a mistake of the component that opens it.
struct UntakenPlace {
  std::string context;
  Position position;
  std::string problem, why, suggestion;
};

/// Parsed XML: a tree of elements that know where they stand. Immutable.
class Document {
 public:
  using Attribute = XmlAttribute;
  using Element = XmlElement;

  /// Parses the first text; includes are looked up in `sources`. An included file's root brings its
  /// attributes and children: (1) attributes of the including tag, (2) the included root's, (3)
  /// inline children. Of `additions`, takes all but the settings. Throws ConfigError with every
  /// syntax error's file:line:column, and those of places that nothing can take and that are in no
  /// context, or in that of the settings of all, "xios".
  explicit Document(const SourceTexts& sources, const Additions& additions = {});
  const Element& root() const { return root_; }
  /// As of the additions.
  const RunNames& names() const { return names_; }
  /// Of contexts, which other components may open.
  const std::vector<UntakenPlace>& untaken() const { return untaken_; }
  /// What is tolerated although XML forbids it.
  const std::vector<Diagnostic>& warnings() const { return warnings_; }

 private:
  Element root_;
  RunNames names_;
  std::vector<UntakenPlace> untaken_;
  std::vector<Diagnostic> warnings_;
};

}  // namespace epios::config
