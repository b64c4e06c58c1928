#include "file_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>

#include "attribute_fill.hpp"
#include "availability.hpp"
#include "text.hpp"

namespace epios::config {

FileBuilder::FileBuilder(const ContextStore& store, Inheritance& inheritance, Findings& findings,
                         const Clock& clock, std::string output_dir, Model& model)
    : store_(store),
      inheritance_(inheritance),
      findings_(findings),
      periods_(store, inheritance, findings, clock),
      output_dir_(std::move(output_dir)),
      model_(model),
      grids_(store, inheritance, findings, model) {}

void FileBuilder::add_files() {
  for (const int file :
       store_.elements_below(store_.root_of(ElementKind::file), ElementKind::file)) {
    add_file(file);
  }
}

void FileBuilder::add_file(int node) {
  const Node& element = store_.at(node);
  FileAttributes attributes = filled<FileAttributes>(inheritance_.of(node));
  if (!*attributes.enabled) return;
  const std::vector<int> fields = kept_fields(node, *attributes.output_level);
  if (fields.empty()) return;
  check_available(element, inheritance_.of(node), findings_);
  if (!attributes.output_freq && !inheritance_.of(node).is_broken("output_freq")) {
    findings_.error(element.origin, fmt::format("{} has no output_freq", element.title()),
                    "a file needs the period of its records", "Add output_freq=\"1d\"?");
  }
  if (!periods_.settle(attributes.output_freq, "output_freq", node) ||
      !periods_.is_on_steps(*attributes.output_freq, "output_freq", node)) {
    attributes.output_freq.reset();  // what depends on it cannot be judged
  }
  periods_.settle(attributes.sync_freq, "sync_freq", node);
  File file;
  file.id = element.id;
  file.path = path_of(node, attributes);
  file.variables = variables_of(node);
  file.where = element.origin.text();
  check_path_is_free(node, file.path);
  const int index = static_cast<int>(model_.files.size());
  stream_names_.clear();
  for (const int field : fields) {
    if (add_stream(field, index, attributes)) {
      file.streams.push_back(static_cast<int>(model_.streams.size()) - 1);
    }
  }
  file.attributes = std::move(attributes);
  model_.files.push_back(std::move(file));
}

std::vector<int> FileBuilder::kept_fields(int file, std::int64_t output_level) {
  std::vector<int> kept;
  for (const int field : store_.elements_below(file, ElementKind::field)) {
    const FieldAttributes attributes = filled<FieldAttributes>(inheritance_.of(field));
    if (*attributes.enabled && *attributes.level <= output_level) kept.push_back(field);
  }
  return kept;
}

std::string FileBuilder::path_of(int node, const FileAttributes& attributes) {
  const Node& element = store_.at(node);
  const Origin origin = origin_of(inheritance_.of(node), "name", element);
  if (!attributes.name && element.has_automatic_id) {
    findings_.error(element.origin, "<file> has neither name nor id",
                    "the path of a file is made from them", "Add name=\"...\".");
    return {};
  }
  const std::string name =
      attributes.name.value_or(element.id) + attributes.name_suffix.value_or("");
  const std::filesystem::path relative(name + ".nc");
  const std::filesystem::path folder(output_dir_);
  if (name.empty() || name.ends_with('/')) {
    findings_.error(origin, fmt::format("{} has the file name '{}'", element.title(), name),
                    "it names no file");
  }
  if (std::find(relative.begin(), relative.end(), "..") != relative.end()) {
    findings_.error(origin, fmt::format("{} has the file name '{}'", element.title(), name),
                    "'..' could leave the output folder",
                    "Set output_dir of the context to the folder you want.");
  }
  if (!relative.is_absolute()) return (folder / relative).lexically_normal().string();
  const std::filesystem::path base = (folder / "").lexically_normal();
  std::string inside = relative.lexically_normal().string();
  if (!folder.is_absolute() || !inside.starts_with(base.string())) {
    findings_.error(
        origin, fmt::format("{} has the file name '{}'", element.title(), name),
        fmt::format("an absolute name must lie in an absolute output_dir, which is '{}'",
                    output_dir_),
        "Set output_dir of the context to the folder you want.");
  }
  return inside;
}

void FileBuilder::check_path_is_free(int node, const std::string& path) {
  if (path.empty()) return;
  const Node& element = store_.at(node);
  const auto [owner, is_free] = path_owners_.emplace(path, element.origin.text());
  if (is_free) return;
  findings_.error(origin_of(inheritance_.of(node), "name", element),
                  fmt::format("{} writes to '{}'", element.title(), path),
                  fmt::format("the file at {} does so too", owner->second),
                  "Give one of them another name.");
}

bool FileBuilder::add_stream(int field, int file, const FileAttributes& file_attributes) {
  // A root that refers to something has a broken reference, which is reported already.
  if (is_dangling(root_of(field))) return false;
  const Node& element = store_.at(field);
  Stream stream;
  stream.id = inheritance_.public_id(field);
  stream.name = inheritance_.output_name(field);
  stream.file = file;
  stream.attributes = filled<FieldAttributes>(inheritance_.of(field));
  if (!stream.attributes.compression_level) {
    stream.attributes.compression_level = file_attributes.compression_level;
  }
  stream.where = element.origin.text();
  check_available_chain(field);
  check_stream_name(field, stream);
  check_missing_value(field, stream.attributes);
  check_precision(field, stream.attributes);
  stream.variables = variables_of(field);
  stream.sampling = periods_.sampling_of(field, stream.attributes, file_attributes);
  stream.source = source_of(field);
  stream.grid = grids_.grid_of(field);
  if (stream.source < 0 || stream.grid < 0) return false;
  const int source_grid = model_.sources[static_cast<std::size_t>(stream.source)].grid;
  if (stream.grid != source_grid) {
    const auto id = [&](int grid) { return model_.grids[static_cast<std::size_t>(grid)].id; };
    findings_.not_yet(origin_of(inheritance_.of(field), "grid_ref", element),
                      fmt::format("{} has grid '{}', its data comes on grid '{}'", element.title(),
                                  id(stream.grid), id(source_grid)));
  }
  model_.streams.push_back(std::move(stream));
  return true;
}

void FileBuilder::check_stream_name(int field, const Stream& stream) {
  const Node& element = store_.at(field);
  const Resolved& resolved = inheritance_.of(field);
  if (stream.name.empty() || stream.name.find('/') != std::string::npos) {
    findings_.error(origin_of(resolved, "name", element),
                    fmt::format("{} has the name '{}'", element.title(), stream.name),
                    "it cannot be the name of a variable");
  }
  const auto [other, is_free] = stream_names_.emplace(stream.name, stream.where);
  if (is_free) return;
  findings_.error(
      element.origin, fmt::format("two fields of one file have the name '{}'", stream.name),
      fmt::format("the other one is at {}", other->second), "Give one of them another name.");
}

void FileBuilder::check_missing_value(int field, const FieldAttributes& attributes) {
  if (!*attributes.detect_missing_value || attributes.default_value) return;
  const Node& element = store_.at(field);
  findings_.error(
      origin_of(inheritance_.of(field), "detect_missing_value", element),
      fmt::format("{} detects missing values but has no default_value", element.title()),
      "default_value is what marks them", "Add default_value=\"1e20\"?");
}

void FileBuilder::check_precision(int field, const FieldAttributes& attributes) {
  if (*attributes.prec != 4) return;
  const auto check = [&](const char* attribute, const std::optional<double>& value) {
    constexpr double largest = std::numeric_limits<float>::max();
    if (!value || !std::isfinite(*value) || std::abs(*value) <= largest) return;
    const Node& element = store_.at(field);
    findings_.error(
        origin_of(inheritance_.of(field), attribute, element),
        fmt::format("{} '{}' of {}", attribute, *value, element.title()),
        fmt::format("the field is written with prec=\"4\", whose largest value is {:.3g}", largest),
        "Use prec=\"8\" or a smaller value.");
  };
  check("default_value", attributes.default_value);
  check("valid_min", attributes.valid_min);
  check("valid_max", attributes.valid_max);
}

bool FileBuilder::is_dangling(int field) const {
  return inheritance_.of(field).find("field_ref") != nullptr && !findings_.is_compatible();
}

void FileBuilder::check_available_chain(int field) {
  check_available(store_.at(field), inheritance_.of(field), findings_);
  for (int at = inheritance_.reference(field); at >= 0; at = inheritance_.reference(at)) {
    if (const Setting* expression = inheritance_.of(at).find("expr")) {
      findings_.not_yet(expression->origin, "attribute 'expr' of <field> is not available yet");
    }
  }
}

int FileBuilder::root_of(int field) {
  int root = field;
  for (int at = field; at >= 0; at = inheritance_.reference(at)) root = at;
  return root;
}

int FileBuilder::source_of(int field) {
  const int root = root_of(field);
  if (const auto found = sources_.find(root); found != sources_.end()) return found->second;
  const Node& element = store_.at(root);
  const int grid = grids_.grid_of(root);
  if (grid < 0) return sources_[root] = -1;
  if (element.has_automatic_id) {
    findings_.error(element.origin, "<field> has neither id nor field_ref",
                    "no model can send to it", "Add field_ref=\"...\".");
    return sources_[root] = -1;
  }
  const FieldAttributes attributes = filled<FieldAttributes>(inheritance_.of(root));
  check_missing_value(root, attributes);
  model_.sources.push_back(
      {element.id, grid, *attributes.detect_missing_value, attributes.default_value.value_or(0)});
  return sources_[root] = static_cast<int>(model_.sources.size()) - 1;
}

std::vector<Variable> FileBuilder::variables_of(int node) {
  std::vector<Variable> result;
  std::unordered_map<std::string, std::string> names;
  for (const int variable : store_.elements_below(node, ElementKind::variable)) {
    const Node& element = store_.at(variable);
    Variable v;
    v.id = element.id;
    v.attributes = filled<VariableAttributes>(inheritance_.of(variable));
    v.name = v.attributes.name.value_or(element.id);
    v.text = element.text;
    if (element.has_automatic_id && !v.attributes.name) {
      findings_.error(element.origin, "<variable> has neither id nor name",
                      "nothing says what it is called", "Add name=\"...\".");
    }
    std::string why = variable_complaint(*v.attributes.type, v.text);
    if (!why.empty() && !v.text.empty()) {
      findings_.error(element.origin, fmt::format("value of {}", element.title()), std::move(why));
    }
    const auto [other, is_free] = names.emplace(v.name, element.origin.text());
    if (!is_free) {
      findings_.error(element.origin, fmt::format("two variables have the name '{}'", v.name),
                      fmt::format("the other one is at {}", other->second),
                      "Give one of them another name.");
    }
    result.push_back(std::move(v));
  }
  return result;
}

std::vector<std::string> FileBuilder::known_fields() const {
  std::vector<std::string> result;
  for (int node = 0; node < store_.size(); ++node) {
    const Node& element = store_.at(node);
    if (element.kind != ElementKind::field || element.form != Form::element) continue;
    const auto source = sources_.find(node);
    const bool is_sent = source != sources_.end() && source->second >= 0;
    if (element.has_automatic_id || is_sent) continue;
    const bool refers = inheritance_.reference(node) >= 0 || is_dangling(node);
    if (!refers) result.push_back(element.id);
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace epios::config
