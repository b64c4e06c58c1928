// Reads a configuration and expands its includes into one tree. read_sources() follows `src`
// attributes with limits and reports loops; Document merges the included roots, adds the part of
// the model, and fills in names of the run.
#include "config/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <system_error>
#include <unordered_map>
#include <unordered_set>

#include "language/contexts.hpp"
#include "language/grammar.hpp"
#include "text/findings.hpp"
#include "text/text.hpp"
#include "text/xml_text.hpp"

namespace epios::config {

namespace {

using Attribute = Document::Attribute;
using Element = Document::Element;

const Attribute* find(const Element& element, std::string_view name) {
  const auto found = std::find_if(element.attributes.begin(), element.attributes.end(),
                                  [name](const Attribute& a) { return a.name == name; });
  return found == element.attributes.end() ? nullptr : &*found;
}

/// The include of an element, nullptr when there is none or its tag takes none.
const Attribute* include_of(const Element& element) {
  return accepts_src(element.tag) ? find(element, "src") : nullptr;
}

/// The files that are being included now, from the entry file inwards.
class IncludeStack {
 public:
  /// False, with the reason in `findings`, for a loop or too many levels.
  bool may_enter(const std::string& path, const Origin& origin, Findings& findings) const {
    if (const auto at = std::find(paths_.begin(), paths_.end(), path); at != paths_.end()) {
      std::string loop;
      for (auto i = at; i != paths_.end(); ++i) loop += *i + " -> ";
      findings.error(Code::include_circle, origin, fmt::format("file '{}' includes itself", path),
                     loop + path);
      return false;
    }
    if (static_cast<int>(paths_.size()) > largest_include_depth) {
      findings.error(Code::too_large, origin, fmt::format("file '{}' is included too deep", path),
                     fmt::format("limit {}", largest_include_depth));
      return false;
    }
    return true;
  }
  void push(const std::string& path) { paths_.push_back(path); }
  void pop() { paths_.pop_back(); }

 private:
  std::vector<std::string> paths_;
};

/// "Did you mean ...?" with a file of the same folder.
std::string neighbour_of(const std::filesystem::path& path, Findings& findings) {
  const std::filesystem::path folder = path.parent_path().empty() ? "." : path.parent_path();
  std::vector<std::string> names;
  const auto list = [&] {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());  // folders have no order of their own
    return std::vector<std::string_view>(names.begin(), names.end());
  };
  return findings.suggestions().text("file:" + folder.string(), path.filename().string(), list);
}

/// "https://...", "file:/...": a scheme of two letters or more, unlike the drive of a Windows path.
bool is_address(std::string_view text) {
  const std::size_t colon =
      text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-");
  return colon != std::string_view::npos && colon > 1 && text.substr(colon).starts_with(":/");
}

/// Reads a file of at most the limit; false with a reason in `findings`.
bool read_file(const std::string& path, const Origin& origin, std::string& text,
               Findings& findings) {
  const auto refuse = [&](const std::string& why, std::string suggestion = {}) {
    findings.error(Code::file_unreadable, origin, fmt::format("file '{}' cannot be read", path),
                   why, std::move(suggestion));
    return false;
  };
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (error && status.type() != std::filesystem::file_type::not_found) {
    return refuse(lower_case(error.message()));  // a circle of links, a folder nobody may enter
  }
  if (!std::filesystem::exists(status)) {
    return refuse("it does not exist", neighbour_of(path, findings));
  }
  if (std::filesystem::is_directory(status)) return refuse("it is a folder");
  // Opening a pipe would wait for somebody who writes into it.
  if (!std::filesystem::is_regular_file(status)) return refuse("it is no regular file");
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return refuse(std::strerror(errno));
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) return refuse(error.message());
  // One byte more than allowed shows that there is more.
  text.resize(static_cast<std::size_t>(std::min<std::uintmax_t>(size, largest_file_bytes)) + 1);
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad()) return refuse("reading failed");
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > largest_file_bytes) {
    return refuse(fmt::format("it is larger than {} bytes", largest_file_bytes));
  }
  return true;
}

/// Reads a file and all it includes, each once.
class SourceReader {
 public:
  SourceReader(std::optional<Compat> compat, Findings& findings)
      : given_compat_(compat), findings_(findings) {}

  void read(const std::string& path, const Origin& origin) {
    if (!stack_.may_enter(path, origin, findings_)) return;
    if (!trees_.contains(path)) {
      if (!has_room(origin)) return;
      SourceText source{path, {}};
      auto& tree = trees_[path];
      if (!read_file(path, origin, source.text, findings_)) return;
      bytes_ += source.text.size();
      sources.push_back(std::move(source));
      tree = std::make_unique<Element>();
      if (!parse_xml(sources.back(), *tree, findings_)) tree.reset();
      if (tree && sources.size() == 1) compat_ = given_compat_.value_or(policy_of(*tree).compat);
    }
    follow_below(path);
  }

  SourceTexts sources;

 private:
  /// False, reported once, when what was read already is as much as there may be.
  bool has_room(const Origin& origin) {
    const bool has_room = sources.size() < largest_file_count && bytes_ <= largest_total_bytes;
    if (!has_room && !is_full_) {
      findings_.error(
          Code::too_large, origin, "too many files are included",
          fmt::format("limit {} files or {} bytes", largest_file_count, largest_total_bytes));
    }
    is_full_ = is_full_ || !has_room;
    return has_room;
  }

  void follow_below(const std::string& path) {
    const auto& tree = trees_[path];
    if (!tree || !followed_.insert(path).second) return;
    stack_.push(path);
    follow(path, *tree);
    stack_.pop();
  }

  void follow(const std::string& path, const Element& element) {
    if (const Attribute* src = include_of(element); src != nullptr) {
      const Origin origin{src->position, {}};
      if (src->value.empty()) {
        findings_.error(Code::bad_src, origin, "attribute 'src' is empty", {},
                        "Name a file or leave it out.");
      } else if (is_address(src->value)) {
        findings_.error(Code::bad_src, origin, fmt::format("attribute 'src' is '{}'", src->value),
                        "it is an address, and nothing is fetched from elsewhere",
                        "Name a file on disk.");
      } else {
        read(included_path(path, src->value, compat_), origin);
      }
    }
    for (const Element& child : element.children) follow(path, child);
  }

  std::optional<Compat> given_compat_;
  Findings& findings_;
  Compat compat_ = Compat::none;
  std::size_t bytes_ = 0;
  bool is_full_ = false;
  IncludeStack stack_;
  std::unordered_map<std::string, std::unique_ptr<Element>> trees_;
  std::unordered_set<std::string> followed_;
};

/// Puts included files in the place of their `src`.
class Expander {
 public:
  Expander(const SourceTexts& sources, std::optional<Compat> compat, Findings& findings)
      : given_compat_(compat), findings_(findings) {
    for (const SourceText& source : sources) by_path_.emplace(source.path, &source);
  }

  void expand(const std::string& path, Element& element) {
    if (++count_ > largest_element_count) {
      if (count_ == largest_element_count + 1) {
        findings_.error(Code::too_large, {element.position, {}}, "too many elements",
                        fmt::format("limit {} with all includes", largest_element_count));
      }
      return;
    }
    const Attribute* src = include_of(element);
    const Attribute include = src != nullptr ? *src : Attribute{};
    for (Element& child : element.children) expand(path, child);
    if (src != nullptr && !include.value.empty()) merge(path, element, include);
  }

  /// The parsed text of one source, includes expanded; nullptr when it is not well formed.
  std::unique_ptr<Element> tree(const SourceText& source) {
    bytes_ += source.text.size();
    if (bytes_ > largest_total_bytes) {
      findings_.error(Code::too_large, {{source.path, 0, 0}, {}}, "too much text",
                      fmt::format("limit {} bytes with all includes", largest_total_bytes));
      return nullptr;
    }
    auto root = std::make_unique<Element>();
    if (!parse_xml(source, *root, findings_)) return nullptr;
    if (is_entry_) compat_ = given_compat_.value_or(policy_of(*root).compat);
    is_entry_ = false;
    stack_.push(source.path);
    expand(source.path, *root);
    stack_.pop();
    return root;
  }

 private:
  void merge(const std::string& path, Element& element, const Attribute& src) {
    const std::string target = included_path(path, src.value, compat_);
    const Origin origin{src.position, {}};
    const auto source = by_path_.find(target);
    if (source == by_path_.end()) {
      findings_.error(Code::file_unreadable, origin,
                      fmt::format("file '{}' cannot be read", target),
                      "it is not among the texts that were read");
      return;
    }
    if (!stack_.may_enter(target, origin, findings_)) return;
    std::unique_ptr<Element> root = tree(*source->second);
    if (!root) return;
    const bool has_id = find(element, "id") != nullptr;
    for (Attribute& attribute : root->attributes) {
      if (attribute.name == "src" || (attribute.name == "id" && has_id)) continue;
      element.attributes.push_back(std::move(attribute));
    }
    element.children.insert(element.children.begin(),
                            std::make_move_iterator(root->children.begin()),
                            std::make_move_iterator(root->children.end()));
    if (!root->text.empty()) {
      if (element.text.empty()) element.text_position = root->text_position;
      element.text = element.text.empty() ? root->text : root->text + "\n" + element.text;
    }
  }

  std::optional<Compat> given_compat_;
  Findings& findings_;
  IncludeStack stack_;
  std::unordered_map<std::string, const SourceText*> by_path_;
  Compat compat_ = Compat::none;
  bool is_entry_ = true;
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;
};

/// In texts that are read as they stand, raw ones too, names take their places.
class NameFiller {
 public:
  NameFiller(const RunNames& names, std::vector<UntakenPlace>& untaken)
      : names_(names), untaken_(untaken) {}

  void fill(Element& element) {
    const bool is_context = element.tag == "context";
    if (is_context) {
      const Attribute* const id = find(element, "id");
      context_ = id == nullptr ? "" : id->value;
    }
    for (Attribute& attribute : element.attributes) {
      fill(attribute.value, attribute.raw_value, attribute.position,
           fmt::format("attribute '{}' of <{}>", attribute.name, element.tag));
    }
    fill(element.text, element.raw_text, element.text_position,
         fmt::format("the text of <{}>", element.tag));
    for (Element& child : element.children) fill(child);
    if (is_context) context_.clear();
  }

 private:
  void fill(std::string& value, std::string& raw, const Position& position,
            const std::string& title) {
    if (value.find('%') == std::string::npos) return;
    if (std::string why = complaint(value, names_); !why.empty()) {
      untaken_.push_back({context_, position, fmt::format("{} has the value '{}'", title, value),
                          std::move(why),
                          "Start each member with a number of its own in EPIOS_MEMBER?"});
    }
    std::string filled = with_names(value, names_);
    if (filled == value) return;
    if (raw.empty()) raw = value;
    value = std::move(filled);
  }

  const RunNames& names_;
  std::vector<UntakenPlace>& untaken_;
  std::string context_;  ///< around the element; empty: none is
};

/// In the place of an attribute of the root element, by an option.
void set_by_option(Element& root, const std::string& name, std::string value) {
  const Position option{"option --" + name, 0, 0};
  std::erase_if(root.attributes, [&name](const Attribute& a) { return a.name == name; });
  root.attributes.push_back({name, std::move(value), option, option});
}

/// Adds the part of the model as the last child of the root, so that its values win.
void add_model_part(Element& root, Element part, Findings& findings) {
  if (part.tag == "context") {
    Element group;
    group.position = part.position;
    group.children.push_back(std::move(part));
    part = std::move(group);
  } else if (part.tag != "context_group" && part.tag != "simulation") {
    findings.error(Code::wrong_root, {part.position, {}},
                   fmt::format("the model's part begins with <{}>", part.tag),
                   "it is a <context_group> of contexts, or one <context>");
    return;
  }
  part.tag = "context_group";
  root.children.push_back(std::move(part));
}

}  // namespace

ReadSources try_read_sources(const std::filesystem::path& entry, std::string_view compat) {
  Findings findings;
  SourceReader reader(compat_named(compat), findings);
  const std::string path = entry.lexically_normal().string();
  reader.read(path, {{path, 0, 0}, {}});
  ReadSources result{std::move(reader.sources), {}};
  if (findings.has_errors()) result.mistakes = findings.errors();
  return result;
}

SourceTexts read_sources(const std::filesystem::path& entry, std::string_view compat) {
  ReadSources read = try_read_sources(entry, compat);
  if (!read.mistakes.empty()) throw ConfigError(std::move(read.mistakes));
  return std::move(read.sources);
}

Document::Document(const SourceTexts& sources, const Additions& additions)
    : names_(additions.names) {
  Findings findings;
  if (sources.empty()) {
    findings.error(Code::file_unreadable, {}, "no configuration text was given");
    findings.throw_errors();
  }
  const std::optional<Compat> compat = compat_named(additions.compat);
  Expander expander(sources, compat, findings);
  if (std::unique_ptr<Element> root = expander.tree(sources.front())) root_ = std::move(*root);
  if (compat) set_by_option(root_, "compat", additions.compat);
  if (additions.strict) set_by_option(root_, "strict", "true");
  if (!additions.model.empty()) {
    Expander model(additions.model, compat.value_or(policy_of(root_).compat), findings);
    if (std::unique_ptr<Element> part = model.tree(additions.model.front())) {
      add_model_part(root_, std::move(*part), findings);
    }
  }
  if (!names_.component.empty()) NameFiller(names_, untaken_).fill(root_);
  std::erase_if(untaken_, [&findings](const UntakenPlace& place) {
    const bool is_for_all = place.context.empty() || place.context == parameter_context;
    if (is_for_all) {
      findings.error(Code::bad_value, {place.position, {}}, place.problem, place.why,
                     place.suggestion);
    }
    return is_for_all;
  });
  findings.throw_errors();
  warnings_ = findings.all();
}

}  // namespace epios::config
