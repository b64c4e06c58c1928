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

/// An element, a group or a definition element, found once and used many times. Stays valid as long
/// as the definitions it came from, and in copies of them.
struct ElementHandle {
  std::int32_t node = -1;
  bool operator==(const ElementHandle&) const = default;
};

/// What a model is resolved for: a run refuses what it cannot do yet, a plan does not mind.
enum class Purpose { run, plan };

/// Definitions of all contexts. A value type: each client endpoint holds its own copy, sets its
/// local attributes and resolves. Not thread-safe by itself.
class Definitions {
 public:
  /// Empty: everything comes through the API.
  Definitions();
  /// Takes everything from a document. Unknown attributes and words, values that do not parse and
  /// the like are collected; throws ConfigError with all of them. Unknown child tags are warnings.
  /// `settings` are as of Additions; throws Error for those that are none.
  explicit Definitions(const Document& document, const std::vector<std::string>& settings = {},
                       Purpose purpose = Purpose::run);
  Definitions(const Definitions&);
  Definitions(Definitions&&) noexcept;
  Definitions& operator=(const Definitions&);
  Definitions& operator=(Definitions&&) noexcept;
  ~Definitions();

  /// Warnings found so far.
  const std::vector<Diagnostic>& warnings() const;

  /// Whether every warning is an error (`strict` of <simulation>), those of the run too.
  bool is_strict() const;

  bool has_context(std::string_view context) const;
  /// Ids of all contexts in document order.
  std::vector<std::string> contexts() const;
  /// Creates it if it is not there. Throws ConfigError with the places for names in its texts that
  /// nothing takes (Document::untaken).
  void open_context(const std::string& context);

  bool has(std::string_view context, ElementKind kind, std::string_view id) const;
  /// Adds an element. `parent` is the id of a group of that kind, of a grid (for axis, domain,
  /// scalar) or of a file (for field); "" puts it below the kind's definition element. The same id
  /// again reopens the element. `call` names the API call for provenance.
  void add(std::string_view context, ElementKind kind, const std::string& id,
           ElementKind parent_kind, std::string_view parent, std::string_view call);

  /// Sets an attribute; the last assignment wins. The calendar has the id "". Attribute `group_ref`
  /// is that of the field_group `id`. Throws
  /// Error{configuration} for an unknown element or attribute (with a suggestion) or a value of the
  /// wrong type or not among the allowed words. An integer is taken for a real.
  void set(std::string_view context, ElementKind kind, std::string_view id,
           std::string_view attribute, Value value, std::string_view call);
  /// As set(), from text in XML syntax.
  void set_text(std::string_view context, ElementKind kind, std::string_view id,
                std::string_view attribute, std::string_view text, std::string_view call);
  /// The element's own value, or nullopt. Before resolve() nothing is inherited.
  std::optional<Value> get(std::string_view context, ElementKind kind, std::string_view id,
                           std::string_view attribute) const;

  // The same by handle. `tag` is one of the XML: "field", "field_group", "field_definition",
  // "extract_domain" …; "calendar" and "context" take the id "". All throw Error{configuration} for
  // what is not there, with a suggestion.

  /// nullopt when there is none. A tag that means several things takes the parent in front:
  /// "axis/extract_domain".
  std::optional<ElementHandle> find(std::string_view context, std::string_view tag,
                                    std::string_view id) const;
  /// As find(), which must succeed.
  ElementHandle at(std::string_view context, std::string_view tag, std::string_view id) const;
  /// Adds a child that the grammar allows in `parent`, or reopens the one of that id; "" makes up
  /// an id.
  ElementHandle add_child(std::string_view context, ElementHandle parent, std::string_view tag,
                          const std::string& id, std::string_view call);
  /// Its id, also one that was made up.
  const std::string& id(std::string_view context, ElementHandle element) const;
  /// "field 'sst'", for messages.
  std::string title(std::string_view context, ElementHandle element) const;
  /// `function`, which stays as long as the definitions, is what is called with the element.
  void set(std::string_view context, ElementHandle element, std::string_view attribute, Value value,
           const char* function);
  void set_text(std::string_view context, ElementHandle element, std::string_view attribute,
                std::string_view text, const char* function);
  /// The element's own value; after solve_inheritance() what it had inherited then, if it has none.
  /// Defaults are not told.
  std::optional<Value> get(std::string_view context, ElementHandle element,
                           std::string_view attribute) const;
  /// Works out what all elements of a context inherit as of now. Elements and settings may still be
  /// added, and count before what is inherited.
  void solve_inheritance(std::string_view context);

  /// Elements of one kind (axis, domain, scalar) in the grid of a field, in the grid's order, as
  /// far as references lead to them now. One without id that only refers to another is that other.
  std::vector<ElementHandle> grid_elements(std::string_view context, ElementHandle field,
                                           ElementKind kind) const;

  /// The calendar as it is set so far, and the origin of its dates. Throws ConfigError with what is
  /// wrong with it.
  struct ContextCalendar {
    Calendar calendar;
    Instant start_date, time_origin;
  };
  ContextCalendar calendar(std::string_view context) const;

  /// Value of a variable of a context, or else of a file or field in it. In context "xios",
  /// settings of a run have two spellings, and either finds the value.
  std::optional<std::string> variable(std::string_view context, std::string_view id) const;
  /// Changes it, in all files and fields that have one; false when there is none.
  bool set_variable(std::string_view context, std::string_view id, std::string_view text);

  /// Pools and services of context "xios". Throws ConfigError with all mistakes in them.
  ServerPlan servers() const;

  // Grids from files that are read, see read_grids.hpp:

  /// What of them is open. Whatever is wrong with the definitions is left to resolve().
  ReadGrids read_grids(std::string_view context) const;
  /// Sets, where nothing is given, the sizes that the files have, and the whole range where no part
  /// is, unless the domain is dealt out (is_dealt_out()). Returns the coordinates that `wants` (per
  /// ReadGrids::elements) asks for, as far as the files have them. `grids`: by read_grids(), since
  /// which nothing has changed. Throws ConfigError with what does not go together, Error{io} for
  /// files that cannot be read.
  std::vector<CoordinateWish> complete(std::string_view context, const ReadGrids& grids,
                                       std::span<const FileFacts> files,
                                       const std::vector<bool>& wants);
  /// The same of grids that come from other contexts, see coupled_grids.hpp.
  CoupledGrids coupled_grids(std::string_view context) const;
  /// A domain has the coordinates of a file, or of another context: <generate_rectilinear_domain>
  /// does not replace them.
  void keep_coordinates(std::string_view context, std::string_view domain);
  /// Solves inheritance and references of one context and checks everything that can be checked on
  /// one client: mandatory attributes, sizes of local arrays, local parts inside the global range.
  /// Throws ConfigError with all mistakes; what is only doubtful goes to `warnings`, if given.
  /// const: definitions stay as they were.
  Model resolve(std::string_view context, Purpose purpose = Purpose::run,
                std::vector<Diagnostic>* warnings = nullptr) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace epios::config
