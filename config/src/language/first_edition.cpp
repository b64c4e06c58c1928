// Translates configurations in the words of the first edition of the language. A scanner finds tags
// with positions; a translator records edits for each of them, which are applied to the text at the
// end so that everything else stays as it was.
#include "language/first_edition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "text/text.hpp"

namespace epios::config {

namespace {

using Pair = std::pair<std::string_view, std::string_view>;

constexpr std::array<Pair, 3> variable_types{
    {{"integer", "int"}, {"boolean", "bool"}, {"real", "double"}}};
constexpr std::array<Pair, 6> operations{{{"ave(x)", "average"},
                                          {"inst(x)", "instant"},
                                          {"t_sum(x)", "accumulate"},
                                          {"max(x)", "maximum"},
                                          {"t_max(x)", "maximum"},
                                          {"min(x)", "minimum"}}};
constexpr std::array<Pair, 1> other_minimum{{{"t_min(x)", "minimum"}}};
constexpr std::array<Pair, 2> positive_words{{{".true.", "up"}, {".false.", "down"}}};
constexpr std::array<Pair, 2> axis_names{{{"size", "n_glo"}, {"description", "long_name"}}};
constexpr std::array<std::string_view, 4> calendar_names{"calendar_type", "start_date",
                                                         "time_origin", "timestep"};
constexpr std::array<std::string_view, 4> domain_zoom{"zoom_ibegin", "zoom_jbegin", "zoom_ni",
                                                      "zoom_nj"};
constexpr std::array<std::string_view, 3> axis_zoom{"zoom_begin", "zoom_end", "zoom_size"};
constexpr std::array<std::string_view, 3> grid_references{"domain_ref", "axis_ref", "scalar_ref"};
constexpr std::array<std::string_view, 5> periods{"freq_op", "output_freq", "freq_offset",
                                                  "sync_freq", "split_freq"};

bool is_one_of(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string_view of_pair(std::span<const Pair> pairs, std::string_view word) {
  const std::string wanted = lower_case(trimmed(word));
  for (const auto& [old_word, now] : pairs) {
    if (old_word == wanted) return now;
  }
  return {};
}

/// "field" of "field_group" and "field_definition".
std::string_view kind_of(std::string_view tag) {
  for (const std::string_view ending : {"_group", "_definition"}) {
    if (tag.ends_with(ending)) return tag.substr(0, tag.size() - ending.size());
  }
  return tag;
}

bool is_seconds(std::string_view value) {
  return parse_real(value).has_value() &&
         trimmed(value).find_first_not_of("0123456789.") == std::string_view::npos;
}

/// The word that stands for a value now; empty: the value is none of the first edition.
std::string new_value(std::string_view kind, std::string_view attribute, std::string_view value) {
  if (kind == "variable" && attribute == "type") return std::string(of_pair(variable_types, value));
  if (kind == "axis" && attribute == "positive") return std::string(of_pair(positive_words, value));
  if (kind == "field" && attribute == "operation") {
    const std::string_view word = of_pair(operations, value);
    return std::string(word.empty() ? of_pair(other_minimum, value) : word);
  }
  const bool has_periods = kind == "field" || kind == "file";
  if (has_periods && is_one_of(periods, attribute) && is_seconds(value)) {
    return fmt::format("{}s", trimmed(value));
  }
  return {};
}

bool is_old_name(std::string_view kind, std::string_view attribute) {
  if (kind == "context") return is_one_of(calendar_names, attribute);
  if (kind == "domain") return is_one_of(domain_zoom, attribute);
  if (kind == "axis") {
    return is_one_of(axis_zoom, attribute) || !of_pair(axis_names, attribute).empty();
  }
  return kind == "grid" && is_one_of(grid_references, attribute);
}

/// A part of the text, [begin, end).
struct Range {
  std::size_t begin = 0, end = 0;
};

struct OldAttribute {
  std::string_view name, value;
  Range whole;  ///< with the white space before it
  Range inside;
};

struct StartTag {
  std::string_view name;
  std::size_t begin = 0;  ///< place of its '<'
  Range end;              ///< ">" or "/>"
  bool is_empty = false;
  std::vector<OldAttribute> attributes;

  const OldAttribute* find(std::string_view wanted) const {
    const auto found = std::find_if(attributes.begin(), attributes.end(),
                                    [&](const OldAttribute& a) { return a.name == wanted; });
    return found == attributes.end() ? nullptr : &*found;
  }
};

/// Start tags of a text, one after the other.
class TagScanner {
 public:
  explicit TagScanner(std::string_view text) : text_(text) {}

  std::optional<StartTag> next() {
    while (at_ < text_.size()) {
      at_ = std::min(text_.find('<', at_), text_.size());
      if (at_ == text_.size()) return std::nullopt;
      if (skip("<!--", "-->") || skip("<![CDATA[", "]]>") || skip("<?", "?>") || skip("</", ">") ||
          skip("<!", ">")) {
        continue;
      }
      if (auto tag = start_tag()) return tag;
      ++at_;
    }
    return std::nullopt;
  }

 private:
  static constexpr std::string_view blanks = " \t\r\n";

  bool skip(std::string_view opening, std::string_view closing) {
    if (!text_.substr(at_).starts_with(opening)) return false;
    const std::size_t end = text_.find(closing, at_ + opening.size());
    at_ = end == std::string_view::npos ? text_.size() : end + closing.size();
    return true;
  }

  std::size_t after_blanks(std::size_t from) const {
    return std::min(text_.find_first_not_of(blanks, from), text_.size());
  }

  std::optional<StartTag> start_tag() {
    StartTag tag;
    tag.begin = at_;
    std::size_t at = std::min(text_.find_first_of(" \t\r\n/>", at_), text_.size());
    tag.name = text_.substr(at_ + 1, at - at_ - 1);
    while (at < text_.size()) {
      const std::size_t before = at;
      at = after_blanks(at);
      const bool is_empty = text_.substr(at).starts_with("/>");
      if (is_empty || text_.substr(at).starts_with(">")) {
        tag.is_empty = is_empty;
        tag.end = {at, at + (is_empty ? 2U : 1U)};
        at_ = tag.end.end;
        return tag;
      }
      const std::size_t equal = text_.find('=', at);
      if (equal == std::string_view::npos) return std::nullopt;
      const std::size_t quote = after_blanks(equal + 1);
      if (quote >= text_.size() || (text_[quote] != '"' && text_[quote] != '\'')) {
        return std::nullopt;
      }
      const std::size_t close = text_.find(text_[quote], quote + 1);
      if (close == std::string_view::npos) return std::nullopt;
      tag.attributes.push_back({trimmed(text_.substr(at, equal - at)),
                                text_.substr(quote + 1, close - quote - 1),
                                {before, close + 1},
                                {quote + 1, close}});
      at = close + 1;
    }
    return std::nullopt;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

class Translator {
 public:
  explicit Translator(std::string_view text) : text_(text), lines_(line_starts(text)) {}

  Migrated translate() {
    TagScanner scanner(text_);
    while (const auto tag = scanner.next()) {
      children_.clear();
      const std::string_view kind = kind_of(tag->name);
      for (const OldAttribute& attribute : tag->attributes) {
        const std::string value = new_value(kind, attribute.name, attribute.value);
        if (!value.empty()) replace_value(*tag, attribute, value);
        const std::string_view name =
            kind == "axis" ? of_pair(axis_names, attribute.name) : std::string_view();
        if (!name.empty()) rename(*tag, attribute, name);
      }
      if (tag->name == "context") take_calendar(*tag);
      if (tag->name == "grid") take_elements(*tag);
      if (kind == "domain") take_domain_zoom(*tag);
      if (kind == "axis") take_axis_zoom(*tag);
      add_children(*tag);
    }
    std::stable_sort(out_.remarks.begin(), out_.remarks.end(), [](const auto& a, const auto& b) {
      return std::pair(a.line, a.column) < std::pair(b.line, b.column);
    });
    apply();
    return std::move(out_);
  }

 private:
  struct Edit {
    Range range;
    std::string text;
  };

  void remark(std::size_t offset, std::string text, bool is_done = true) {
    const auto behind = std::upper_bound(lines_.begin(), lines_.end(), offset);
    const auto line = static_cast<std::size_t>(behind - lines_.begin());
    out_.remarks.push_back({line, offset - *std::prev(behind) + 1, std::move(text), is_done});
  }

  static std::string text_of(const OldAttribute& attribute) {
    return fmt::format("{}=\"{}\"", attribute.name, attribute.value);
  }
  static std::size_t place(const OldAttribute& attribute) {
    return attribute.inside.begin - 2 - attribute.name.size();
  }

  void replace_value(const StartTag& tag, const OldAttribute& attribute, const std::string& value) {
    remark(place(attribute), fmt::format("{} of <{}> is {}=\"{}\" now", text_of(attribute),
                                         tag.name, attribute.name, value));
    edits_.push_back({attribute.inside, value});
  }

  void rename(const StartTag& tag, const OldAttribute& attribute, std::string_view name) {
    if (tag.find(name) != nullptr)
      return leave(tag, attribute, fmt::format("it has {}, too", name));
    remark(place(attribute), fmt::format("{} of <{}> is {} now", attribute.name, tag.name, name));
    const std::size_t begin = text_.find(attribute.name, attribute.whole.begin);
    edits_.push_back({{begin, begin + attribute.name.size()}, std::string(name)});
  }

  void leave(const StartTag& tag, const OldAttribute& attribute, const std::string& why) {
    remark(place(attribute),
           fmt::format("{} of <{}> is left as it stands ({})", text_of(attribute), tag.name, why),
           false);
  }

  /// Moves an attribute into a child.
  void move(const StartTag& tag, const OldAttribute& attribute, const std::string& child) {
    remark(place(attribute),
           fmt::format("{} of <{}> is in {} now", text_of(attribute), tag.name, child));
    edits_.push_back({attribute.whole, {}});
  }

  void take_calendar(const StartTag& tag) {
    std::string calendar;
    for (const std::string_view name : calendar_names) {
      const OldAttribute* attribute = tag.find(name);
      if (attribute == nullptr) continue;
      move(tag, *attribute, "<calendar>");
      const std::string_view now = name == "calendar_type" ? "type" : name;
      const bool is_number = name == "timestep" && is_seconds(attribute->value);
      calendar += fmt::format(" {}=\"{}{}\"", now, attribute->value, is_number ? "s" : "");
    }
    if (!calendar.empty()) children_.push_back(fmt::format("<calendar{}/>", calendar));
  }

  void take_elements(const StartTag& tag) {
    for (const std::string_view name : grid_references) {
      const OldAttribute* attribute = tag.find(name);
      if (attribute == nullptr) continue;
      const std::string_view element = name.substr(0, name.size() - 4);
      move(tag, *attribute, fmt::format("<{}>", element));
      children_.push_back(fmt::format("<{} {}=\"{}\"/>", element, name, attribute->value));
    }
  }

  /// All of them, or nothing when one is no number.
  std::optional<std::vector<std::int64_t>> numbers(const StartTag& tag,
                                                   std::span<const OldAttribute* const> given) {
    std::vector<std::int64_t> out;
    for (const OldAttribute* attribute : given) {
      const auto number = parse_integer(attribute->value);
      if (!number) leave(tag, *attribute, "its value is no number");
      if (!number) return std::nullopt;
      out.push_back(*number);
    }
    return out;
  }

  void take_domain_zoom(const StartTag& tag) {
    std::vector<const OldAttribute*> given;
    for (const std::string_view name : domain_zoom) {
      if (const OldAttribute* attribute = tag.find(name)) given.push_back(attribute);
    }
    if (given.empty() || !has_reference(tag, "domain_ref", given)) return;
    const auto values = numbers(tag, given);
    if (!values) return;
    std::string extract;
    for (std::size_t i = 0; i < given.size(); ++i) {
      const std::string_view name = given[i]->name.substr(5);  // without "zoom_"
      const bool is_begin = name.ends_with("begin");           // counted from 1
      extract += fmt::format(" {}=\"{}\"", name, (*values)[i] - (is_begin ? 1 : 0));
      move(tag, *given[i], "<extract_domain>");
    }
    children_.push_back(fmt::format("<extract_domain{}/>", extract));
  }

  void take_axis_zoom(const StartTag& tag) {
    std::vector<const OldAttribute*> given;
    for (const std::string_view name : axis_zoom) {
      if (const OldAttribute* attribute = tag.find(name)) given.push_back(attribute);
    }
    if (given.empty() || !has_reference(tag, "axis_ref", given)) return;
    const auto values = numbers(tag, given);
    if (!values) return;
    const auto value_of = [&](std::string_view name) -> std::optional<std::int64_t> {
      for (std::size_t i = 0; i < given.size(); ++i) {
        if (given[i]->name == name) return (*values)[i];
      }
      return std::nullopt;
    };
    const std::int64_t begin = value_of("zoom_begin").value_or(1);
    std::optional<std::int64_t> size = value_of("zoom_size");
    if (const auto end = value_of("zoom_end"); end && !size) size = *end - begin + 1;
    std::string extract = fmt::format(" begin=\"{}\"", begin - 1);
    if (size) extract += fmt::format(" n=\"{}\"", *size);
    for (const OldAttribute* attribute : given) move(tag, *attribute, "<extract_axis>");
    children_.push_back(fmt::format("<extract_axis{}/>", extract));
  }

  /// A part is taken of something else.
  bool has_reference(const StartTag& tag, std::string_view name,
                     std::span<const OldAttribute* const> given) {
    if (tag.find(name) != nullptr && tag.name == kind_of(tag.name)) return true;
    for (const OldAttribute* attribute : given) {
      leave(tag, *attribute,
            fmt::format("a part is one of another {}: write one with {}, and let fields have it",
                        kind_of(tag.name), name));
    }
    return false;
  }

  void add_children(const StartTag& tag) {
    if (children_.empty()) return;
    std::string inside;
    for (const std::string& child : children_) inside += child;
    edits_.push_back(
        {tag.end, tag.is_empty ? fmt::format(">{}</{}>", inside, tag.name) : ">" + inside});
  }

  void apply() {
    std::stable_sort(edits_.begin(), edits_.end(),
                     [](const Edit& a, const Edit& b) { return a.range.begin < b.range.begin; });
    std::size_t at = 0;
    for (const Edit& edit : edits_) {
      if (edit.range.begin < at) continue;  // edit of an attribute that has moved
      out_.text += text_.substr(at, edit.range.begin - at);
      out_.text += edit.text;
      at = edit.range.end;
    }
    out_.text += text_.substr(at);
  }

  std::string_view text_;
  std::vector<std::size_t> lines_;
  std::vector<std::string> children_;  ///< children of the current tag
  std::vector<Edit> edits_;
  Migrated out_;
};

}  // namespace

bool is_of_first_edition(std::string_view tag, std::string_view attribute, std::string_view value) {
  const std::string_view kind = kind_of(tag);
  return is_old_name(kind, attribute) || !new_value(kind, attribute, value).empty();
}

Migrated migrate(std::string_view old_text) { return Translator(old_text).translate(); }

}  // namespace epios::config
