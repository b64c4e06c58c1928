// Takes sizes and coordinates of grids from files that are read. read_grids_of() finds what is open
// in a draft; complete_from() fits the variables of the files to the grids, sets sizes, and returns
// the coordinates to be read.
#include "building/file_grids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "building/open_elements.hpp"
#include "building/resolve.hpp"
#include "config/model.hpp"
#include "config/spatial.hpp"
#include "config/split_rule.hpp"
#include "grids/file_coordinates.hpp"
#include "grids/station_files.hpp"
#include "language/inheritance.hpp"

namespace epios::config {

namespace {

/// Mistakes in the series of a file are reported when it is resolved.
std::vector<std::string> paths_of(const Model& model, const ReadFile& file) {
  try {
    return first_paths(model, file);
  } catch (const Error&) {
    return {};
  }
}

/// A size of a grid along one dimension of a file.
struct Slot {
  GridElement element;
  std::string_view attribute;
  std::optional<std::int64_t> size;
};

std::string text_of(std::span<const Slot> slots) {
  std::string text;
  for (const Slot& slot : slots) {
    if (!text.empty()) text += " x ";
    text += slot.size ? fmt::format("{}", *slot.size) : "?";
  }
  return text.empty() ? "one value" : text;
}

/// Sizes of a grid, slowest first. `is_flat`: domains of which the type is not known are rows of
/// cells.
std::vector<Slot> slots_of(const Model& model, GridId grid, bool is_flat) {
  std::vector<Slot> slots;
  const auto known = [](const std::optional<std::int64_t>& size) {
    return is_size(size) ? size : std::nullopt;
  };
  const std::vector<GridElement>& elements = model.grids[grid].elements;
  for (std::size_t e = elements.size(); e-- > 0;) {
    const GridElement& element = elements[e];
    if (element.kind == GridElement::Kind::axis) {
      slots.push_back({element, "n_glo", known(model.axes[element.axis()].attributes.n_glo)});
    } else if (element.kind == GridElement::Kind::domain) {
      const DomainAttributes& domain = model.domains[element.domain()].attributes;
      const bool is_row = domain.type ? is_row_of_cells(domain) : is_flat;
      if (!is_row) slots.push_back({element, "nj_glo", known(domain.nj_glo)});
      slots.push_back({element, "ni_glo", known(domain.ni_glo)});
    }
  }
  return slots;
}

/// Collects which of its grids are open.
ReadGrids grids_of(Model draft, const ContextStore& store) {
  ReadGrids grids;
  grids.draft = std::make_shared<const Model>(std::move(draft));
  const Model& model = *grids.draft;
  OpenElements open(model);
  for (const ReadFile& file : model.read_files) {
    const std::vector<std::string> paths = paths_of(model, file);
    FileQuestion question;
    question.wants_dates = file.attributes.time_from_file.value_or(false);
    for (const ReadFieldId field : file.fields) {
      question.variables.push_back(model.read_fields[field].name);
      for (const GridElement& element : model.grids[model.read_fields[field].grid].elements) {
        if (element.kind != GridElement::Kind::scalar) open.add(element);
      }
    }
    for (const std::string& path : paths) {
      question.path = path;
      grids.files.push_back(question);
      grids.time_names.push_back(file.attributes.time_counter_name.value_or("time_counter"));
    }
  }
  grids.elements = open.take();
  add_station_files(store, grids);
  return grids;
}

/// Sets what files have, all at the end: what was found before stays as it is meanwhile.
class Completion {
 public:
  Completion(ContextStore& store, const ReadGrids& grids, std::span<const FileFacts> files,
             const std::vector<bool>& wants, Findings& findings)
      : store_(store),
        files_(files),
        wants_(wants),
        findings_(findings),
        model_(*grids.draft),
        inheritance_(store, ignored_) {
    for (std::size_t e = 0; e < grids.elements.size(); ++e) {
      numbers_.emplace(std::pair(grids.elements[e].kind, grids.elements[e].id),
                       static_cast<int>(e));
    }
  }

  std::vector<CoordinateWish> run() {
    for (const ReadFile& file : model_.read_files) {
      const FileFacts* const facts = facts_of(file);
      if (facts == nullptr) continue;
      if (!facts->exists || !facts->error.empty()) {
        refuse(file, *facts);
        continue;
      }
      for (const ReadFieldId field : file.fields) complete(file, *facts, model_.read_fields[field]);
    }
    set_all();
    return std::move(wishes_);
  }

 private:
  struct Found {
    Value value;
    std::string call;
  };
  using Key = std::pair<int, const AttributeInfo*>;

  /// Returns the facts of the file with the first record of `file`: the first one of the candidates
  /// that exists.
  const FileFacts* facts_of(const ReadFile& file) const {
    const FileFacts* out = nullptr;
    for (const std::string& path : paths_of(model_, file)) {
      const auto facts = std::find_if(files_.begin(), files_.end(),
                                      [&path](const FileFacts& f) { return f.path == path; });
      if (facts == files_.end()) continue;
      if (out == nullptr || !out->exists) out = &*facts;
    }
    return out;
  }

  Origin origin_of_node(ElementKind kind, const std::string& id) const {
    const int node = store_.find_form(kind, Form::element, id);
    return node < 0 ? Origin{} : store_.at(node).origin;
  }

  void refuse(const ReadFile& file, const FileFacts& facts) {
    FileProblem text = problem_of(facts);
    const Origin origin = origin_of_node(ElementKind::file, file.id);
    if (!facts.exists && findings_.is_check()) {
      return findings_.add(Severity::note, Code::bad_input_file, origin, std::move(text.problem),
                           std::move(text.why), "It may be there when the model runs.");
    }
    findings_.error(Code::bad_input_file, origin, std::move(text.problem), std::move(text.why),
                    std::move(text.suggestion));
  }

  void complete(const ReadFile& file, const FileFacts& facts, const ReadField& field) {
    const FileFacts::Variable* variable = facts.find(field.name);
    if (variable == nullptr) return refuse_name(facts, field);
    if (!variable->holds_numbers) {
      findings_.error(
          Code::bad_input_file, origin_of(store_, field),
          fmt::format("variable '{}' of file '{}' cannot be read", field.name, facts.path),
          "it holds no numbers", "Is its name right?");
      return;
    }
    // A variable with the dimensions and coordinates of another field on its grid adds nothing.
    std::tuple looks_alike(field.grid, &facts, variable->dimensions, places_of(*variable));
    if (seen_.contains(looks_alike)) return;
    const std::string time_name = file.attributes.time_counter_name.value_or("time_counter");
    std::vector<Slot> slots = with_found(slots_of(model_, field.grid, false));
    std::optional<FittedVariable> fitted = fitted_to(facts, *variable, time_name, slots);
    if (!fitted) {
      std::vector<Slot> flat = with_found(slots_of(model_, field.grid, true));
      fitted = fitted_to(facts, *variable, time_name, flat);
      if (!fitted) return refuse_shape(facts, field, *variable, time_name, slots);
      slots = std::move(flat);
    }
    for (std::size_t s = 0; s < slots.size(); ++s) take_size(facts, field, slots[s], *fitted, s);
    take_coordinates(facts, *variable, slots, *fitted, time_name);
    seen_.insert(std::move(looks_alike));
  }

  /// The attributes that say where a variable's coordinates are.
  static std::string places_of(const FileFacts::Variable& variable) {
    return fmt::format("{}\n{}\n{}", variable.attribute("coordinates"), variable.attribute("mesh"),
                       variable.attribute("location"));
  }

  static std::optional<FittedVariable> fitted_to(const FileFacts& facts,
                                                 const FileFacts::Variable& variable,
                                                 std::string_view time_name,
                                                 std::span<const Slot> slots) {
    std::vector<std::optional<std::int64_t>> sizes;
    for (const Slot& slot : slots) sizes.push_back(slot.size);
    return fit_variable(facts, variable, time_name, sizes);
  }

  void refuse_name(const FileFacts& facts, const ReadField& field) {
    const auto names = [&facts] {
      std::vector<std::string_view> out;
      for (const auto& variable : facts.variables) out.push_back(variable.name);
      return out;
    };
    const std::string guess =
        findings_.suggestions().text(fmt::format("variable of {}", facts.path), field.name, names);
    findings_.error(
        Code::bad_input_file, origin_of(store_, field),
        fmt::format("file '{}' has no variable '{}'", facts.path, field.name),
        fmt::format("it has {}", facts.variables.size()),
        guess.empty() ? std::string("Say its name with name=\"...\" of the field.") : guess);
  }

  void refuse_shape(const FileFacts& facts, const ReadField& field,
                    const FileFacts::Variable& variable, std::string_view time_name,
                    std::span<const Slot> slots) {
    const std::vector<std::int64_t> shape = facts.shape(variable);
    std::string given;
    for (const Slot& slot : slots) {
      const std::string place = slot.size ? place_of(slot) : "";
      if (place.empty()) continue;
      given += fmt::format("; {} = {} of {} '{}' is given at {}", slot.attribute, *slot.size,
                           name(kind_of(slot.element)), id_of(model_, slot.element), place);
    }
    findings_.error(
        Code::bad_input_file, origin_of(store_, field),
        fmt::format("variable '{}' of file '{}' does not fit its field", field.name, facts.path),
        fmt::format(
            "it is {}, the grid is {}, beside records; slowest first{}",
            shape.empty() ? std::string("one value") : fmt::format("{}", fmt::join(shape, " x ")),
            text_of(slots), given),
        fmt::format("Is it another grid, or a dimension too many (that of records is called '{}')?",
                    time_name));
  }

  std::pair<int, const AttributeInfo*> key_of(const GridElement& element,
                                              std::string_view attribute) const {
    return {store_.find_form(kind_of(element), Form::element, id_of(model_, element)),
            find_attribute(kind_of(element), attribute)};
  }

  /// Where a size comes from: a place of the configuration, a call or another file.
  std::string place_of(const Slot& slot) {
    const Key key = key_of(slot.element, slot.attribute);
    if (const auto found = found_.find(key); found != found_.end()) return found->second.call;
    if (key.first < 0) return {};
    const Setting* setting = inheritance_.of(key.first).find(slot.attribute);
    return setting == nullptr ? std::string() : setting->origin.text();
  }

  std::vector<Slot> with_found(std::vector<Slot> slots) const {
    for (Slot& slot : slots) {
      const auto found = found_.find(key_of(slot.element, slot.attribute));
      if (found != found_.end()) slot.size = std::get<std::int64_t>(found->second.value);
    }
    return slots;
  }

  void find(const GridElement& element, std::string_view attribute, Value value,
            const std::string& call) {
    const Key key = key_of(element, attribute);
    if (key.first >= 0) found_.emplace(key, Found{std::move(value), call});
  }

  void take_size(const FileFacts& facts, const ReadField& field, const Slot& slot,
                 const FittedVariable& fitted, std::size_t s) {
    if (slot.size) return;
    const std::string call = fmt::format("file '{}' (variable '{}')", facts.path, field.name);
    const int dimension = fitted.dimensions[s];
    find(slot.element, slot.attribute, dimension < 0 ? std::int64_t{1} : facts.length(dimension),
         call);
    if (slot.element.kind == GridElement::Kind::axis) {
      const AxisAttributes& axis = model_.axes[slot.element.axis()].attributes;
      if (axis.begin || axis.n || axis.index) return;
      take_whole(slot.element, "begin", "n", "n_glo", call);
    } else {
      const DomainAttributes& domain = model_.domains[slot.element.domain()].attributes;
      if (domain.i_index || domain.j_index) return;
      if (is_dealt_out(model_.domains[slot.element.domain()])) return;
      if (slot.attribute == "ni_glo" && !domain.ibegin && !domain.ni) {
        take_whole(slot.element, "ibegin", "ni", "ni_glo", call);
      }
      const bool has_rows = slot.attribute == "nj_glo" || is_row_of_cells(domain);
      if (has_rows && !domain.jbegin && !domain.nj) {
        take_whole(slot.element, "jbegin", "nj", "nj_glo", call);
      }
    }
  }

  /// Nobody has said what this client's part is: it is everything.
  void take_whole(const GridElement& element, std::string_view begin, std::string_view n,
                  std::string_view whole, const std::string& call) {
    const auto found = found_.find(key_of(element, whole));
    find(element, begin, std::int64_t{0}, call);
    find(element, n, found == found_.end() ? Value(std::int64_t{1}) : found->second.value, call);
  }

  void take_coordinates(const FileFacts& facts, const FileFacts::Variable& variable,
                        std::span<const Slot> slots, const FittedVariable& fitted,
                        const std::string& time_name) {
    for (std::size_t s = 0; s < slots.size(); ++s) {
      const GridElement& element = slots[s].element;
      const auto number = numbers_.find({kind_of(element), id_of(model_, element)});
      if (number == numbers_.end() || is_done_.contains(number->second)) continue;
      const auto e = static_cast<std::size_t>(number->second);
      const bool is_wanted = wants_.empty() || wants_[e];
      FileCoordinates found;
      if (element.kind == GridElement::Kind::axis) {
        const AxisAttributes& axis = model_.axes[element.axis()].attributes;
        if (is_wanted && !has_coordinates(axis)) {
          found = coordinates_of_axis(facts, variable, fitted.dimensions[s]);
        }
        for (CoordinateWish& wish : found.wishes) {
          wish.factor = axis.convert_from_factor.value_or(1);
        }
      } else {
        const bool has_rows = slots[s].attribute == "nj_glo";
        const int rows = has_rows ? fitted.dimensions[s] : -1;
        if (has_rows) ++s;
        const DomainAttributes& domain = model_.domains[element.domain()].attributes;
        // Where dimensions and what names them are the same, it is looked for once, not by each of
        // a thousand variables.
        if (!looked_for_
                 .emplace(number->second, &facts, rows, fitted.dimensions[s], places_of(variable))
                 .second) {
          continue;
        }
        found =
            coordinates_of_domain(facts, variable, {rows, fitted.dimensions[s], has_rows}, domain);
        if (!domain.type) {
          const std::string call = fmt::format("file '{}'", facts.path);
          // A variable without coordinates says only how many dimensions the domain has.
          if (!found.wishes.empty()) find(element, "type", found.type, call);
          guesses_.emplace(key_of(element, "type"), Found{found.type, call});
        }
        if (!is_wanted || has_coordinates(domain)) found.wishes.clear();
        if (!found.wishes.empty()) take_vertices(facts, element, domain, found);
      }
      if (!found.wishes.empty()) is_done_.insert(number->second);
      for (CoordinateWish& wish : found.wishes) {
        wish.element = number->second;
        wish.path = facts.path;
        wish.time_name = time_name;
        wishes_.push_back(std::move(wish));
      }
    }
  }

  /// Bounds of cells have a number of vertices that the domain must have.
  void take_vertices(const FileFacts& facts, const GridElement& element,
                     const DomainAttributes& domain, FileCoordinates& found) {
    if (found.vertices == 0) return;
    if (!domain.nvertex) {
      return find(element, "nvertex", found.vertices, fmt::format("file '{}'", facts.path));
    }
    if (*domain.nvertex == found.vertices) return;
    const int node = key_of(element, "nvertex").first;
    const Setting* setting = node < 0 ? nullptr : inheritance_.of(node).find("nvertex");
    findings_.error(
        Code::bad_input_file,
        setting == nullptr ? origin_of_node(ElementKind::domain, id_of(model_, element))
                           : setting->origin,
        fmt::format("domain '{}' has nvertex = {}", id_of(model_, element), *domain.nvertex),
        fmt::format("file '{}' has bounds of {} vertices", facts.path, found.vertices),
        "Leave it out: the file says it.");
    std::erase_if(found.wishes, [](const CoordinateWish& wish) { return wish.vertices > 0; });
  }

  void set_all() {
    for (auto& [key, guess] : guesses_) {
      if (key.first >= 0) found_.emplace(key, std::move(guess));
    }
    for (auto& [key, found] : found_) {
      store_.set(key.first, *key.second, std::move(found.value), {{}, found.call});
    }
  }

  ContextStore& store_;
  std::span<const FileFacts> files_;
  const std::vector<bool>& wants_;
  Findings& findings_;
  Findings ignored_;
  const Model& model_;
  Inheritance inheritance_;
  std::map<std::pair<ElementKind, std::string>, int> numbers_;  // positions in ReadGrids::elements
  std::map<Key, Found> found_;
  std::map<Key, Found> guesses_;  // for what no variable says
  // Grids and dimensions of variables that have been looked at, and where their coordinates are.
  std::set<std::tuple<int, const FileFacts*, std::vector<int>, std::string>> seen_;
  std::set<int> is_done_;  // elements with coordinates of one file
  // Elements and dimensions of files that have been looked at, and the names that said where.
  std::set<std::tuple<int, const FileFacts*, int, int, std::string>> looked_for_;
  std::vector<CoordinateWish> wishes_;
};

}  // namespace

/// A nameless field of a file has no other place than its own.
Origin origin_of(const ContextStore& store, const ReadField& field) {
  for (int node = 0; node < store.size(); ++node) {
    const Node& element = store.at(node);
    if (element.kind == ElementKind::field && element.origin.text() == field.where) {
      return element.origin;
    }
  }
  return {{}, {}};
}

bool may_read(const ContextStore& store) {
  if (has_station_files(store)) return true;
  for (int node = 0; node < store.size(); ++node) {
    const Node& element = store.at(node);
    if (element.kind != ElementKind::file) continue;
    const Setting* mode = element.find("mode");
    if (mode != nullptr && mode->value == Value(std::string("read"))) return true;
  }
  return false;
}

ReadGrids read_grids_of(const ContextStore& store, const Policy& policy) {
  if (!may_read(store)) return {};
  Findings findings(Findings::Mode::run, policy);
  Model model = resolve_context(store, findings);
  if (findings.has_errors()) return grids_of(draft_of(store), store);
  ReadGrids grids = grids_of(std::move(model), store);
  grids.is_resolved = true;
  grids.warnings = findings.warnings();
  return grids;
}

std::vector<CoordinateWish> complete_from(ContextStore& store, const ReadGrids& grids,
                                          std::span<const FileFacts> files,
                                          const std::vector<bool>& wants, Findings& findings) {
  if (!grids.draft) return {};
  if (grids.lacks_stations) take_stations(store, files, findings);
  return Completion(store, grids, files, wants, findings).run();
}

}  // namespace epios::config
