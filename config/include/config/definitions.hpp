/// @file
/// The mutable definitions of one configuration: XML plus what the model sets through the API.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/document.hpp"
#include "config/element_kind.hpp"
#include "config/error.hpp"
#include "config/model_fwd.hpp"
#include "config/value.hpp"

namespace epios::config {

struct ServerPlan;

struct CoordinateWish;
struct CoupledGrids;
struct FileFacts;
struct ReadGrids;

/// A handle to an element, a group or a definition element. Valid as long as its definitions, and
/// in copies of them.
struct ElementHandle {
  std::int32_t node = -1;
  bool operator==(const ElementHandle&) const = default;
};

/// The purpose of a resolved model. A run refuses what it cannot do yet, a plan accepts it.
enum class Purpose { run, plan };

/// Definitions of all contexts. A value type: each client endpoint holds its own copy, sets its
/// local attributes and resolves. Not thread-safe by itself.
class Definitions {
 public:
  /// Makes empty definitions; everything comes through the API.
  Definitions();
  /// Takes the definitions from a document. Collects unknown attributes and words, values that do
  /// not parse and the like, and throws ConfigError with all of them. Unknown child tags are
  /// warnings. `settings` are those of Additions; throws Error for invalid ones.
  explicit Definitions(const Document& document, const std::vector<std::string>& settings = {},
                       Purpose purpose = Purpose::run);
  Definitions(const Definitions&);
  Definitions(Definitions&&) noexcept;
  Definitions& operator=(const Definitions&);
  Definitions& operator=(Definitions&&) noexcept;
  ~Definitions();

  /// Returns the warnings found so far.
  const std::vector<Diagnostic>& warnings() const;

  /// Returns true if every warning counts as an error (`strict` of <simulation>), also warnings of
  /// the run.
  bool is_strict() const;

  bool has_context(std::string_view context) const;
  /// Returns the ids of all contexts in document order.
  std::vector<std::string> contexts() const;
  /// Creates the context if it does not exist. Throws ConfigError for names in its texts that
  /// nothing can replace, with their places (Document::untaken).
  void open_context(const std::string& context);

  bool has(std::string_view context, ElementKind kind, std::string_view id) const;
  /// Adds an element. `parent` is the id of a group of that kind, of a grid (for axis, domain,
  /// scalar) or of a file (for field); "" puts the element below the definition element of its
  /// kind. Adding an id that exists reopens that element. `call` names the API call for provenance.
  void add(std::string_view context, ElementKind kind, const std::string& id,
           ElementKind parent_kind, std::string_view parent, std::string_view call);

  /// Sets an attribute. The last assignment wins. The calendar has the id "". Attribute `group_ref`
  /// is that of the field_group `id`. Accepts an integer for a real. Throws Error{configuration}
  /// for an unknown element or attribute (with a suggestion), a value of the wrong type, or a word
  /// that is not allowed.
  void set(std::string_view context, ElementKind kind, std::string_view id,
           std::string_view attribute, Value value, std::string_view call);
  /// Like set(), from text in XML syntax.
  void set_text(std::string_view context, ElementKind kind, std::string_view id,
                std::string_view attribute, std::string_view text, std::string_view call);
  /// Returns the element's own value, or nullopt. Nothing is inherited before resolve().
  std::optional<Value> get(std::string_view context, ElementKind kind, std::string_view id,
                           std::string_view attribute) const;

  // The following functions do the same by handle. `tag` is an XML tag: "field", "field_group",
  // "field_definition", "extract_domain" …; "calendar" and "context" have the id "". All throw
  // Error{configuration}, with a suggestion, for what does not exist.

  /// Returns nullopt if there is no such element. A tag with several meanings needs its parent in
  /// front: "axis/extract_domain".
  std::optional<ElementHandle> find(std::string_view context, std::string_view tag,
                                    std::string_view id) const;
  /// Like find(), but throws if there is no such element.
  ElementHandle at(std::string_view context, std::string_view tag, std::string_view id) const;
  /// Adds a child that the grammar allows in `parent`, or reopens the child with that id; "" makes
  /// up an id.
  ElementHandle add_child(std::string_view context, ElementHandle parent, std::string_view tag,
                          const std::string& id, std::string_view call);
  /// Returns the id, also one that was made up.
  const std::string& id(std::string_view context, ElementHandle element) const;
  /// Returns "field 'sst'", for messages.
  std::string title(std::string_view context, ElementHandle element) const;
  /// Sets an attribute of the element. `function` names the calling function for provenance and
  /// must outlive the definitions.
  void set(std::string_view context, ElementHandle element, std::string_view attribute, Value value,
           const char* function);
  void set_text(std::string_view context, ElementHandle element, std::string_view attribute,
                std::string_view text, const char* function);
  /// Returns the element's own value or, if it has none, the value inherited at the last
  /// solve_inheritance(). Ignores defaults.
  std::optional<Value> get(std::string_view context, ElementHandle element,
                           std::string_view attribute) const;
  /// Resolves what all elements of a context inherit, as things stand now. Elements and attributes
  /// may still be added; own values win over inherited ones.
  void solve_inheritance(std::string_view context);

  /// Returns the elements of one kind (axis, domain, scalar) in the grid of a field, in the order
  /// of the grid, as references stand now. An element without id that only refers to another one is
  /// that other element.
  std::vector<ElementHandle> grid_elements(std::string_view context, ElementHandle field,
                                           ElementKind kind) const;

  /// The calendar as it is set so far, and the origin of its dates. Throws ConfigError if the
  /// calendar is invalid.
  struct ContextCalendar {
    Calendar calendar;
    Instant start_date, time_origin;
  };
  ContextCalendar calendar(std::string_view context) const;

  /// Returns the value of a variable of a context, or else of a file or field in it. In context
  /// "xios", settings of a run have two spellings, and either finds the value.
  std::optional<std::string> variable(std::string_view context, std::string_view id) const;
  /// Changes the variable in all files and fields that have one. Returns false if there is none.
  bool set_variable(std::string_view context, std::string_view id, std::string_view text);

  /// Returns the pools and services of context "xios". Throws ConfigError with all mistakes in
  /// them.
  ServerPlan servers() const;

  // Grids from files that are read, see read_grids.hpp:

  /// Returns which of these grids are open. Leaves other mistakes in the definitions to resolve().
  ReadGrids read_grids(std::string_view context) const;
  /// Sets sizes that nobody gave from the files, and the whole range as local part if nobody
  /// described one, unless the domain is dealt out (is_dealt_out()). Returns the coordinates that
  /// `wants` (per ReadGrids::elements) asks for, as far as the files have them. `grids` must be the
  /// result of read_grids() on unchanged definitions. Throws ConfigError for contradictions, and
  /// Error{io} for files that cannot be read.
  std::vector<CoordinateWish> complete(std::string_view context, const ReadGrids& grids,
                                       std::span<const FileFacts> files,
                                       const std::vector<bool>& wants);
  /// Returns the open grids that come from other contexts, see coupled_grids.hpp.
  CoupledGrids coupled_grids(std::string_view context) const;
  /// Makes a domain keep coordinates that come from a file or another context:
  /// <generate_rectilinear_domain> does not replace them.
  void keep_coordinates(std::string_view context, std::string_view domain);
  /// Resolves inheritance and references of one context and checks everything that one client can
  /// check: mandatory attributes, sizes of local arrays, local parts inside the global range.
  /// Throws ConfigError with all mistakes. Doubts go to `warnings`, if given. Leaves the
  /// definitions unchanged.
  Model resolve(std::string_view context, Purpose purpose = Purpose::run,
                std::vector<Diagnostic>* warnings = nullptr) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace epios::config
