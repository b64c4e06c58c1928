// Expands <hierarchy>: for each coarser level in space or time it adds a file beside the one that
// has the hierarchy, or fields on a grid that has it, with fields that refer to those of the finer
// level. First come checks of the element and of the fields, then levels in space, then those in
// time.
#include "grids/hierarchies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/calendar.hpp"
#include "grids/level_grids.hpp"
#include "language/attribute_fill.hpp"
#include "text/text.hpp"
#include "time/duration_text.hpp"

namespace epios::config {

namespace {

constexpr std::int64_t most_levels_of_any = 64;

/// A field on a level: the one as it is written, and that of the level.
struct LevelField {
  int written = -1;
  int field = -1;
};

/// A file with the fields of a level in space.
struct LevelFile {
  int file = -1;
  std::int64_t level = 0;
  std::vector<LevelField> fields;
};

void replace_all(std::string& text, std::string_view place, const std::string& value) {
  for (auto at = text.find(place); at != std::string::npos;
       at = text.find(place, at + value.size())) {
    text.replace(at, place.size(), value);
  }
}

class HierarchyExpander {
 public:
  /// `hierarchies` are those of each file and grid.
  HierarchyExpander(const ContextStore& written, ContextStore& store, Findings& findings,
                    const std::map<int, std::vector<int>>& hierarchies)
      : written_(written),
        store_(store),
        findings_(findings),
        unheard_(Findings::Mode::check, findings.policy()),
        inheritance_(written, unheard_),
        grids_(written, inheritance_, store),
        hierarchies_(hierarchies) {}

  /// Adds the levels of a file that has a hierarchy, or fields on grids that have one.
  void expand(int file) {
    const Resolved& of_file = inheritance_.of(file);
    const Setting* const enabled = of_file.find("enabled");
    if (enabled != nullptr && !std::get<bool>(*enabled->value)) return;
    file_ = file;
    const Setting* const mode = of_file.find("mode");
    const bool is_read = mode != nullptr && *mode->value == Value(std::string("read"));
    find_fields();
    const auto own = hierarchies_.find(file);
    if (own == hierarchies_.end()) {
      if (is_read || !find_hierarchy_of_grids()) return;
    } else if (!is_only_one(file)) {
      return;
    }
    if (is_read) {
      return refuse(place(), fmt::format("{} has a hierarchy", title()),
                    "its fields are read, not written",
                    "Remove it, or put it into a file that is written.");
    }
    if (!has_name() || !read_attributes() || !fits() || !names_differ()) return;
    add_levels_in_space();
    add_levels_in_time();
  }

 private:
  const Origin& place() const { return written_.at(hierarchy_).origin; }
  std::string title() const { return written_.at(file_).title(); }
  Origin place_of(const char* attribute) {
    return origin_of(inheritance_.of(hierarchy_), attribute, written_.at(hierarchy_));
  }
  void refuse(const Origin& origin, std::string problem, std::string why, std::string suggestion) {
    findings_.error(Code::bad_hierarchy, origin, std::move(problem), std::move(why),
                    std::move(suggestion));
  }
  std::string attribute_title(const char* attribute) const {
    return fmt::format("{} of the hierarchy of {}", attribute, written_.at(owner_).title());
  }
  void set(int node, const char* attribute, std::optional<Value> value) {
    store_.set(node, *find_attribute(store_.at(node).kind, attribute), std::move(value), place());
  }

  /// Takes the hierarchy of a file or grid, which has one at least.
  bool is_only_one(int owner) {
    const std::vector<int>& hierarchies = hierarchies_.at(owner);
    owner_ = owner;
    hierarchy_ = hierarchies.front();
    if (hierarchies.size() == 1) return true;
    refuse(written_.at(hierarchies[1]).origin,
           fmt::format("{} has two hierarchies", written_.at(owner).title()),
           fmt::format("the other one is at {}", place().text()),
           "One has the levels of all of its fields.");
    return false;
  }

  /// Takes the hierarchy of the grids of the file's fields; those of other grids have no levels.
  bool find_hierarchy_of_grids() {
    const auto hierarchies_of = [this](int field) {
      const int owner = grids_.grid_owner(field);
      return hierarchies_.find(owner < 0 ? -1 : grids_.named_grid(owner));
    };
    std::erase_if(fields_, [&](int field) { return hierarchies_of(field) == hierarchies_.end(); });
    if (fields_.empty()) return false;
    const int first = hierarchies_of(fields_.front())->first;
    for (const int field : fields_) {
      const int other = hierarchies_of(field)->first;
      if (!is_only_one(other)) return false;
      if (have_equal_hierarchies(first, other)) continue;
      refuse(written_.at(field).origin, fmt::format("levels of {}", title()),
             fmt::format("{} and {}, on which it has fields, have different hierarchies",
                         written_.at(first).title(), written_.at(other).title()),
             "Give each grid a file of its own, or the file a hierarchy, which then counts.");
      return false;
    }
    return true;
  }

  bool have_equal_hierarchies(int grid, int other) {
    if (grid == other) return true;
    const Resolved& one = inheritance_.of(hierarchies_.at(grid).front());
    const Resolved& another = inheritance_.of(hierarchies_.at(other).front());
    const auto rows = attributes_of(ElementKind::hierarchy);
    return std::all_of(rows.begin(), rows.end(), [&](const AttributeInfo& row) {
      const bool is_reported = one.is_broken(row.name) || another.is_broken(row.name);
      return is_reported || value_or_default(row, one) == value_or_default(row, another);
    });
  }

  /// A file without a name is reported where it is added.
  bool has_name() {
    const Setting* const name = inheritance_.of(file_).find("name");
    if (name == nullptr && written_.at(file_).has_automatic_id) return false;
    name_ = name == nullptr ? written_.at(file_).id : std::get<std::string>(*name->value);
    return true;
  }

  /// Values that do not parse have been reported.
  bool read_attributes() {
    const Resolved& own = inheritance_.of(hierarchy_);
    for (const char* attribute :
         {"levels", "operation", "min_valid_share", "place", "periods", "name_rule"}) {
      if (own.is_broken(attribute)) return false;
    }
    const auto value = [&](const char* attribute) {
      return value_or_default(*find_attribute(ElementKind::hierarchy, attribute), own);
    };
    levels_ = std::get<std::int64_t>(*value("levels"));
    const std::optional<Value> who = value("place");
    rule_ = {std::get<std::string>(*value("operation")),
             std::get<double>(*value("min_valid_share")),
             who ? std::get<std::string>(*who) : std::string(), place()};
    const std::optional<Value> names = value("name_rule");
    name_rule_ = names ? std::get<std::string>(*names) : std::string();
    if (!are_words_known()) return false;
    if (levels_ < 1 || levels_ > most_levels_of_any) {
      refuse(place_of("levels"), attribute_title("levels"),
             fmt::format("{} is not from 1 to {}", levels_, most_levels_of_any),
             "Count the file's own level, and each coarser one.");
      return false;
    }
    if (!(rule_.min_valid_share >= 0 && rule_.min_valid_share <= 1)) {
      refuse(place_of("min_valid_share"), attribute_title("min_valid_share"),
             fmt::format("{} is not from 0 to 1", rule_.min_valid_share),
             "Write a part such as \"0.5\".");
      return false;
    }
    const std::optional<Value> periods = value("periods");
    return read_periods(periods ? std::get<std::string>(*periods) : std::string());
  }

  /// Reports words of the name rule that nothing replaces: they would be in names of files.
  bool are_words_known() {
    std::string rest = name_rule_;
    for (const char* const word : {"%name%", "%level%", "%nside%", "%period%"}) {
      replace_all(rest, word, "");
    }
    const std::size_t begin = rest.find('%');
    if (begin == std::string::npos) return true;
    const std::size_t end = std::min(rest.find('%', begin + 1), rest.size() - 1);
    refuse(place_of("name_rule"), attribute_title("name_rule"),
           fmt::format("'{}' stands for nothing", rest.substr(begin, end + 1 - begin)),
           "Use %name%, %level%, %nside% and %period%.");
    return false;
  }

  bool read_periods(const std::string& text) {
    periods_.clear();
    for (const std::string_view word : split_list(text)) {
      ParsedDuration parsed = parse_duration(word);
      if (!parsed.why.empty()) {
        refuse(place_of("periods"), attribute_title("periods"),
               fmt::format("'{}' is no duration: {}", word, parsed.why),
               "Write periods like \"1d, 1mo\".");
        return false;
      }
      const Duration& period = parsed.duration;
      const auto parts = {period.year,   period.month,  period.day,     period.hour,
                          period.minute, period.second, period.timestep};
      const bool is_above_0 =
          std::all_of(parts.begin(), parts.end(), [](double part) { return part >= 0; }) &&
          std::any_of(parts.begin(), parts.end(), [](double part) { return part > 0; });
      const bool is_twice = std::find(periods_.begin(), periods_.end(), period) != periods_.end();
      if (!is_above_0 || is_twice) {
        refuse(place_of("periods"), attribute_title("periods"),
               fmt::format("'{}' {}", word, is_twice ? "is there twice" : "is no time above 0"),
               "Write periods like \"1d, 1mo\".");
        return false;
      }
      periods_.push_back(period);
    }
    if (levels_ == 1 && periods_.empty()) {
      findings_.warning(Code::without_effect, place(), fmt::format("<hierarchy> of {}", title()),
                        "it has no coarser level", "Add levels=\"3\" or periods=\"1d, 1mo\"?");
    }
    return true;
  }

  /// Finds the fields that are written. Those without a domain are on the finest level only.
  void find_fields() {
    fields_.clear();
    const Setting* const most = inheritance_.of(file_).find("output_level");
    const std::int64_t output_level = most == nullptr ? 5 : std::get<std::int64_t>(*most->value);
    for (const int field : written_.elements_below(file_, ElementKind::field)) {
      const auto attributes = filled<FieldAttributes>(inheritance_.of(field));
      const bool is_written = *attributes.enabled && *attributes.level <= output_level;
      // What lacks something is reported for the finest level, not for each.
      const bool is_whole = attributes.operation && !inheritance_.is_lost(field);
      if (is_written && is_whole) fields_.push_back(field);
    }
  }

  /// Checks that each field can have the levels. What is not known yet is checked with the grids.
  bool fits() {
    on_levels_.clear();
    bool is_right = true;
    for (const int field : fields_) {
      if (levels_ == 1) break;
      const int owner = grids_.grid_owner(field);
      if (owner < 0 || !grids_.is_known(owner)) continue;  // reported where it is added
      const std::vector<int> domains = grids_.domains(owner);
      if (domains.size() == 1) {
        on_levels_[field] = owner;
        is_right = fits(field, domains.front()) && is_right;
      } else if (domains.empty()) {
        findings_.warning(
            Code::without_effect, written_.at(field).origin,
            fmt::format("{} of {} is on its finest level only", inheritance_.title(field), title()),
            "its grid has no domain");
      } else {
        refuse(written_.at(field).origin,
               fmt::format("{} cannot have the levels of {}", inheritance_.title(field), title()),
               "its grid has several domains", "Write it to a file without hierarchy.");
        is_right = false;
      }
    }
    return is_right;
  }

  bool fits(int field, int domain) {
    const auto refuse_levels = [&](std::string why, std::string suggestion) {
      refuse(place_of("levels"),
             fmt::format("{} cannot have {} levels", inheritance_.title(field), levels_),
             std::move(why), std::move(suggestion));
      return false;
    };
    const std::string id = inheritance_.public_id(domain);
    const std::string type = grids_.word(domain, "type");
    if (!written_.elements_below(domain, ElementKind::stations).empty()) {
      return refuse_levels(fmt::format("domain '{}' is one of <stations>, of which none are beside "
                                       "each other",
                                       id),
                           "Write the field to a file without hierarchy.");
    }
    const bool has_blocks =
        type.empty() || type == "healpix" || type == "rectilinear" || type == "curvilinear";
    if (!has_blocks) {
      return refuse_levels(
          fmt::format("domain '{}' is of type {}, whose cells are not grouped", id, type),
          "Give the field a domain of type healpix with <interpolate_domain>, and the levels of "
          "that.");
    }
    const auto most = grids_.most_levels(domain);
    if (!most || *most >= levels_) return true;
    return refuse_levels(fmt::format("domain '{}' has one cell{} on level {} already", id,
                                     type == "healpix" ? " for each base pixel" : "", *most - 1),
                         fmt::format("Write levels=\"{}\" at most.", *most));
  }

  /// Returns the first domain of a field that is, or may be, of type healpix; -1 if there is none.
  int first_pixels() {
    for (const auto& [field, owner] : on_levels_) {
      const int domain = grids_.domains(owner).front();
      const std::string type = grids_.word(domain, "type");
      if (type.empty() || type == "healpix") return domain;
    }
    return -1;
  }

  /// Returns nside of a level; words that differ by level while it is not known.
  std::string nside(std::int64_t level) {
    const int domain = first_pixels();
    const Setting* const own = domain < 0 ? nullptr : inheritance_.of(domain).find("nside");
    if (own == nullptr) return fmt::format("nside-{}", level);
    return fmt::format("{}", std::get<std::int64_t>(*own->value) >> level);
  }

  std::string name_of(std::int64_t level, const Duration* period) {
    std::string name = name_rule_;
    if (name.empty()) {
      name = "%name%";
      if (period != nullptr) name += "_%period%";
      if (level > 0) name += "_level%level%";
    }
    std::string length = period == nullptr ? std::string() : period->text();
    if (period == nullptr) {
      const Setting* const own = inheritance_.of(file_).find("output_freq");
      if (own != nullptr) length = std::get<Duration>(*own->value).text();
    }
    std::erase(length, ' ');
    replace_all(name, "%level%", fmt::format("{}", level));
    if (name.find("%nside%") != std::string::npos) replace_all(name, "%nside%", nside(level));
    replace_all(name, "%period%", length);
    replace_all(name, "%name%", name_);
    return name;
  }

  bool names_differ() {
    if (name_rule_.find("%nside%") != std::string::npos && first_pixels() < 0) {
      if (on_levels_.empty()) return false;  // what their fields lack is reported
      refuse(place_of("name_rule"), attribute_title("name_rule"),
             "it has %nside%, and no field is on a domain of type healpix", "Write %level%.");
      return false;
    }
    std::map<std::string, std::string> known{{name_, "the file itself"}};
    std::vector<const Duration*> periods{nullptr};
    for (const Duration& period : periods_) periods.push_back(&period);
    for (const Duration* const period : periods) {
      for (std::int64_t level = period == nullptr ? 1 : 0; level < levels_; ++level) {
        const std::string what =
            period == nullptr ? fmt::format("level {}", level)
                              : fmt::format("level {} with period {}", level, period->text());
        const auto [other, is_free] = known.emplace(name_of(level, period), what);
        if (is_free) continue;
        refuse(place_of("name_rule"),
               fmt::format("two levels of {} have the name '{}'", title(), other->first),
               fmt::format("they are {} and {}", other->second, what),
               "Write a name_rule with %level% or %nside%, and with %period% for periods.");
        return false;
      }
    }
    return true;
  }

  void copy_variables(int from, int to) {
    for (const int variable : written_.elements_below(from, ElementKind::variable)) {
      const Node& node = written_.at(variable);
      const int copy =
          store_.open(ElementKind::variable, Form::element,
                      node.has_automatic_id ? std::string() : node.id, to, node.origin);
      store_.at(copy).settings = node.settings;
      store_.at(copy).text = node.text;
      store_.adopt(to, copy);
    }
  }

  /// Adds a file with the attributes of the one that has the hierarchy.
  int add_file(std::int64_t level, const Duration* period) {
    const Node& node = written_.at(file_);
    const std::string name = name_of(level, period);
    std::string id;
    if (!node.has_automatic_id) {
      id = fmt::format("{}{}{}", node.id, period == nullptr ? "" : "_" + period->text(),
                       level == 0 ? "" : fmt::format("_level{}", level));
      std::erase(id, ' ');
      while (store_.find_form(ElementKind::file, Form::element, id) >= 0) id += "_";
    }
    const int made = store_.open(ElementKind::file, Form::element, id, 0, place());
    store_.at(made).settings = node.settings;
    set(made, "name", name);
    if (period != nullptr) set(made, "output_freq", *period);
    copy_variables(file_, made);
    for (const int parent : node.parents) store_.adopt(parent, made);
    return made;
  }

  /// A field of the finest level without an id, whose data are made in the file, gets one: coarser
  /// levels are made of them.
  void name_data(int field) {
    const Node& node = written_.at(field);
    const auto has = [&](const char* attribute) { return node.find(attribute) != nullptr; };
    const bool is_made = has("expr") || has("grid_ref") || has("domain_ref") || has("axis_ref");
    if (!node.has_automatic_id || !is_made) return;
    const std::string name = inheritance_.output_name(field);
    store_.give_id(field, free_field_id(file_, name));
    set(field, "name", name);
  }

  std::string free_field_id(int file, const std::string& name) const {
    std::string id = fmt::format("{}_{}", store_.at(file).id, name);
    while (store_.find_form(ElementKind::field, Form::element, id) >= 0) id += "_";
    return id;
  }

  int add_field(int file, int written, int finer) {
    const std::string name = inheritance_.output_name(written);
    const int made = store_.open(ElementKind::field, Form::element, free_field_id(file, name), 0,
                                 written_.at(written).origin);
    set(made, "field_ref", store_.at(finer).id);
    set(made, "name", name);
    set(made, "read_access", false);  // the model receives the field itself
    copy_variables(written, made);
    store_.adopt(file, made);
    return made;
  }

  void add_levels_in_space() {
    space_.clear();
    LevelFile& finest = space_.emplace_back();
    finest.file = file_;
    for (const int field : fields_) {
      finest.fields.push_back({field, field});
      name_data(field);
    }
    for (std::int64_t level = 1; level < levels_; ++level) {
      LevelFile coarser;
      coarser.level = level;
      for (const LevelField& finer : space_.back().fields) {
        const auto owner = on_levels_.find(finer.written);
        if (owner == on_levels_.end()) continue;
        if (coarser.file < 0) coarser.file = add_file(level, nullptr);
        const int field = add_field(coarser.file, finer.written, finer.field);
        grids_.set_grid(field, owner->second, level, rule_);
        say_operation(finer.written, field);
        coarser.fields.push_back({finer.written, field});
      }
      if (coarser.fields.empty()) return;
      space_.push_back(std::move(coarser));
    }
  }

  /// CF wants to know that values are means over cells; what the user says of it counts.
  void say_operation(int written, int field) {
    const Resolved& own = inheritance_.of(written);
    if (own.find("cell_methods") != nullptr || own.find("cell_methods_mode") != nullptr) return;
    set(field, "cell_methods", std::string("%cells%"));
    set(field, "cell_methods_mode", std::string("prefix"));
  }

  void add_levels_in_time() {
    const Setting* const freq = inheritance_.of(file_).find("output_freq");
    if (freq == nullptr) return;  // reported where the file is added
    for (const LevelFile& level : space_) {
      std::vector<LevelField> finer = level.fields;
      Duration before = std::get<Duration>(*freq->value);
      for (const Duration& period : periods_) {
        finer = add_period(level.level, finer, before, period);
        before = period;
      }
    }
  }

  std::vector<LevelField> add_period(std::int64_t level, const std::vector<LevelField>& finer,
                                     const Duration& before, const Duration& period) {
    std::vector<LevelField> out;
    int file = -1;
    for (const LevelField& field : finer) {
      const auto attributes = filled<FieldAttributes>(inheritance_.of(field.written));
      const std::string operation = attributes.operation.value_or("");
      if (operation == "once") continue;  // it has one record, which the first file has
      if (file < 0) file = add_file(level, &period);
      const int made = add_field(file, field.written, field.field);
      if (operation != "instant") {
        // Records of the finer level are the samples.
        set(made, "expr", std::string("@this_ref"));
        set(made, "freq_op", before);
        set(made, "freq_offset", std::nullopt);
      }
      out.push_back({field.written, made});
    }
    return out;
  }

  const ContextStore& written_;
  ContextStore& store_;
  Findings& findings_;
  Findings unheard_;  ///< mistakes that are reported when the context is resolved
  Inheritance inheritance_;
  LevelGrids grids_;
  const std::map<int, std::vector<int>>& hierarchies_;
  // Of the file at hand.
  int file_ = -1, hierarchy_ = -1;
  int owner_ = -1;  ///< file or grid that has the hierarchy
  std::string name_, name_rule_;
  std::int64_t levels_ = 1;
  LevelGrids::Rule rule_;
  std::vector<Duration> periods_;
  std::vector<int> fields_;
  std::map<int, int> on_levels_;  ///< field that says the grid of each field that has levels
  std::vector<LevelFile> space_;
};

}  // namespace

std::optional<ContextStore> expand_hierarchies(const ContextStore& written, Findings& findings) {
  std::map<int, std::vector<int>> hierarchies;  // by file and grid
  for (int node = 0; node < written.size(); ++node) {
    if (written.at(node).kind != ElementKind::hierarchy) continue;
    for (const int owner : written.at(node).parents) hierarchies[owner].push_back(node);
  }
  if (hierarchies.empty()) return std::nullopt;
  std::optional<ContextStore> store(written);
  HierarchyExpander expander(written, *store, findings, hierarchies);
  for (int node = 0; node < written.size(); ++node) {
    const bool is_file = written.at(node).kind == ElementKind::file;
    if (is_file && written.at(node).form == Form::element) expander.expand(node);
  }
  return store;
}

}  // namespace epios::config
