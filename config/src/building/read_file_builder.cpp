// Adds files with mode="read" and their fields to the Model. A field with an expression has an
// operand for the data as read, and fields that refer to a read field become its aliases.
#include "building/read_file_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "check/field_check.hpp"
#include "config/file_format.hpp"
#include "config/model.hpp"
#include "config/split_rule.hpp"
#include "language/attribute_fill.hpp"
#include "language/availability.hpp"

namespace epios::config {

ReadFileBuilder::ReadFileBuilder(const ContextStore& store, Inheritance& inheritance,
                                 Findings& findings, PeriodBuilder& periods, GridBuilder& grids,
                                 DataBuilder& data, Model& model)
    : store_(store),
      inheritance_(inheritance),
      findings_(findings),
      periods_(periods),
      grids_(grids),
      data_(data),
      model_(model) {}

void ReadFileBuilder::add(int node, const FileAttributes& attributes,
                          const std::vector<int>& fields) {
  const Node& element = store_.at(node);
  const ReadFileId index = model_.read_files.end_id();
  ReadFile file;
  file.id = element.id;
  file.where = element.origin.text();
  file.attributes = attributes;
  if (!attributes.name && element.has_automatic_id) {
    findings_.error(Code::no_id, element.origin, "<file> has neither name nor id",
                    "the path of a file is made from them", "Add name=\"...\".");
  }
  check_series(node, attributes);
  check_dates(node, attributes);
  file.path = file_name(attributes, element.id);
  for (const int field : fields) {
    if (add_field(field, index, attributes)) {
      file.fields.push_back(model_.read_fields.last_id());
    }
  }
  data_.note_taker(store_.at(node).title());
  check_start(node, file);
  model_.read_files.push_back(std::move(file));
}

/// Parts and records that others made mostly follow the calendar, those of EPIOS the run.
void ReadFileBuilder::check_start(int node, const ReadFile& file) {
  const bool has_dates =
      std::any_of(file.fields.begin(), file.fields.end(),
                  [this](ReadFieldId field) { return !model_.read_fields[field].reading.is_once; });
  if (!has_dates) return;
  if (file.attributes.time_from_file.value_or(false)) return check_offset(node, file);
  try {
    if (!calendar_series_of(model_, file)) return;
  } catch (const Error&) {  // said elsewhere
    return;
  }
  const Node& element = store_.at(node);
  findings_.warning(
      Code::bad_reading, origin_of(inheritance_.of(node), "split_freq", element),
      fmt::format("{} comes in parts of '{}', and the run begins inside of one, at {}",
                  element.title(), file.attributes.split_freq->text(),
                  model_.calendar().text(model_.start_date)),
      "parts and their records are counted from the start of the run, as they are written; those "
      "that others made mostly follow the calendar",
      "Add time_from_file=\"true\", which finds records of either by their dates.");
}

void ReadFileBuilder::check_offset(int node, const ReadFile& file) {
  if (file.attributes.record_offset.value_or(0) == 0) return;
  const Node& element = store_.at(node);
  findings_.warning(Code::without_effect,
                    origin_of(inheritance_.of(node), "record_offset", element),
                    fmt::format("record_offset of {} has no effect", element.title()),
                    "time_from_file finds its records by their dates",
                    "Remove it, or read other dates by freq_offset of the fields?");
}

void ReadFileBuilder::check_series(int node, const FileAttributes& attributes) {
  if (!attributes.cyclic.value_or(false) || !attributes.split_freq) return;
  const Node& element = store_.at(node);
  findings_.error(Code::bad_reading, origin_of(inheritance_.of(node), "cyclic", element),
                  fmt::format("{} is cyclic and has split_freq", element.title()),
                  "records that begin again have other dates than the parts of the run",
                  "Remove one of the two.");
}

void ReadFileBuilder::check_dates(int node, const FileAttributes& attributes) {
  const Node& element = store_.at(node);
  const auto refuse = [&](const char* attribute, const std::string& value, std::string why,
                          std::string suggestion) {
    findings_.error(Code::bad_reading, origin_of(inheritance_.of(node), attribute, element),
                    fmt::format("{}=\"{}\" of {}", attribute, value, element.title()),
                    std::move(why), std::move(suggestion));
  };
  const bool has_dates = attributes.time_from_file.value_or(false);
  const auto check = [&](const char* attribute, const std::optional<std::string>& value) {
    if (has_dates || value.value_or("none") == "none") return;
    refuse(attribute, *value, "records are counted, and their dates in the file are not looked at",
           "Add time_from_file=\"true\".");
  };
  check("interpolate_time", attributes.interpolate_time);
  check("calendar_mapping", attributes.calendar_mapping);
  if (attributes.calendar_mapping.value_or("none") != "none" &&
      model_.calendar_type == CalendarType::user_defined) {
    refuse("calendar_mapping", *attributes.calendar_mapping,
           "the calendar of the run is user_defined, and has other months and years than files",
           "Remove it.");
  }
}

bool ReadFileBuilder::add_field(int field, ReadFileId file, const FileAttributes& file_attributes) {
  inheritance_.need(field);
  if (data_.is_lost(field)) return false;
  const Node& element = store_.at(field);
  const Resolved& resolved = inheritance_.of(field);
  ReadField read;
  read.id = inheritance_.public_id(field);
  read.name = inheritance_.output_name(field);
  read.file = file;
  read.attributes = filled<FieldAttributes>(resolved);
  read.attributes.grid_path.reset();  // it belongs to fields that refer to this one
  read.where = element.origin.text();
  check_available(element, resolved, findings_);
  read.reading = periods_.reading_of(field, read.attributes, file_attributes);
  // Marks are those of the file: without default_value what is missing is NaN.
  read.grid = grids_.grid_of(field);
  if (read.grid < 0) return false;
  const auto [other, is_free] = ids_.emplace(read.id, read.where);
  if (!is_free) {
    findings_.error(
        Code::same_name, element.origin, fmt::format("field '{}' is read from two places", read.id),
        fmt::format("the other one is at {}", other->second), "Give one of them an id of its own.");
    return false;
  }
  const ReadFieldId index = model_.read_fields.end_id();
  by_node_.emplace(field, index);
  if (inheritance_.has_expression(field)) {
    model_.read_fields.push_back(std::move(read));
    add_operand(field, index);
    return true;
  }
  // Whoever refers to it has its data. One that goes by another field's id has none who do: that
  // field may be the model's, as those of restarts are.
  if (!element.has_automatic_id) data_.read(field, index);
  model_.read_fields.push_back(std::move(read));
  return true;
}

/// The model and other fields have what its expression makes of it.
void ReadFileBuilder::add_operand(int field, ReadFieldId index) {
  ReadField& read = model_.read_fields[index];
  read.id += operand_of_read_field;
  data_.read(field, index);
  with_expression_.push_back(field);
}

/// Returns true if the model receives other numbers for a field than for the one that is read. With
/// read_access they are made for it.
bool ReadFileBuilder::has_other_values(int field, const ReadField& read) {
  if (data_.conversion_of(field)) return true;
  const auto own = filled<FieldAttributes>(inheritance_.of(field));
  return *own.read_access && (own.default_value != read.attributes.default_value ||
                              own.detect_missing_value != read.attributes.detect_missing_value);
}

void ReadFileBuilder::add_aliases() {
  if (by_node_.empty()) return;
  for (int node = 0; node < store_.size(); ++node) {
    const Node& element = store_.at(node);
    if (element.kind != ElementKind::field || element.form != Form::element ||
        element.has_automatic_id || ids_.contains(element.id)) {
      continue;
    }
    if (inheritance_.has_expression(node)) continue;
    for (int at = inheritance_.reference(node); at >= 0; at = inheritance_.reference(at)) {
      const auto read = by_node_.find(at);
      if (read == by_node_.end()) {
        if (inheritance_.has_expression(at)) break;
        continue;
      }
      ReadField& field = model_.read_fields[read->second];
      if (inheritance_.has_expression(at)) break;
      if (grids_.names_grid(node) && grids_.grid_of(node) != field.grid) break;
      if (has_other_values(node, field)) break;
      field.aliases.push_back(element.id);
      ids_.emplace(element.id, element.origin.text());
      break;
    }
  }
}

}  // namespace epios::config
