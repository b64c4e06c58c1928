// Adds files and their streams to the Model. Attributes and periods of a file come first, then its
// fields: data, grid, unit and checks. A file with time series is added once more for each of them.
// Results that the model receives come last.
#include "building/file_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "building/variable_builder.hpp"
#include "check/field_check.hpp"
#include "check/file_content_check.hpp"
#include "check/file_period_check.hpp"
#include "check/name_check.hpp"
#include "check/output_dates_check.hpp"
#include "config/file_format.hpp"
#include "config/file_series.hpp"
#include "config/model.hpp"
#include "language/attribute_fill.hpp"
#include "language/availability.hpp"
#include "text/printable.hpp"
#include "time/multiples.hpp"

namespace epios::config {

FileBuilder::FileBuilder(const ContextStore& store, Inheritance& inheritance, Findings& findings,
                         PeriodBuilder& periods, GridBuilder& grids, DataBuilder& data,
                         ReadFileBuilder& read_files, std::string output_dir, Model& model)
    : store_(store),
      inheritance_(inheritance),
      findings_(findings),
      periods_(periods),
      grids_(grids),
      data_(data),
      read_files_(read_files),
      output_dir_(std::move(output_dir)),
      model_(model) {}

void FileBuilder::expect_data() {
  std::vector<int> fields;
  for (const int file :
       store_.elements_below(store_.root_of(ElementKind::file), ElementKind::file)) {
    const FileAttributes attributes = filled<FileAttributes>(inheritance_.of(file));
    if (!*attributes.enabled) continue;
    const std::vector<int> kept = kept_fields(file, *attributes.output_level);
    fields.insert(fields.end(), kept.begin(), kept.end());
  }
  for (int node = 0; node < store_.size(); ++node) {
    if (is_wanted_by_model(node)) fields.push_back(node);
  }
  data_.expect(std::move(fields));
}

void FileBuilder::add_files() {
  expect_data();
  // First those whose fields others may refer to.
  for (const Mode mode : {Mode::read, Mode::write}) {
    for (const int file :
         store_.elements_below(store_.root_of(ElementKind::file), ElementKind::file)) {
      add_file(file, mode);
    }
  }
}

void FileBuilder::add_file(int node, Mode mode) {
  const Node& element = store_.at(node);
  FileAttributes attributes = filled<FileAttributes>(inheritance_.of(node));
  // Fields of a file with an invalid mode may be meant for either mode.
  const bool is_neither = inheritance_.of(node).is_broken("mode");
  const bool is_read = is_neither || attributes.mode.value_or("write") == "read";
  if (is_read != (mode == Mode::read)) return;
  if (!*attributes.enabled) return;
  const std::vector<int> fields = kept_fields(node, *attributes.output_level);
  if (fields.empty()) return;
  if (is_neither) {
    for (const int field : fields) periods_.may_be_read(field);
    return;
  }
  if (findings_.is_compatible() && attributes.output_freq &&
      periods_.is_shorter_than_step(*attributes.output_freq)) {
    findings_.warning(Code::file_dropped, origin_of(inheritance_.of(node), "output_freq", element),
                      fmt::format("{} is not written", element.title()),
                      fmt::format("output_freq '{}' is shorter than the time step",
                                  attributes.output_freq->text()),
                      "Use a multiple of the time step.");
    return;
  }
  check_available(element, inheritance_.of(node), findings_);
  check_names(element, inheritance_.of(node), findings_);
  const bool has_list = mode == Mode::write && has_date_list(attributes);
  if (has_list) attributes.output_freq.reset();
  if (!has_list && !attributes.output_freq && !inheritance_.of(node).is_broken("output_freq")) {
    findings_.error(Code::no_output_freq, element.origin,
                    fmt::format("{} has no output_freq", element.title()),
                    "a file needs the period of its records", "Add output_freq=\"1d\"?");
  }
  if (has_list) {
    // Its dates are checked one by one.
  } else if (!periods_.settle(attributes.output_freq, "output_freq", node) ||
             !periods_.is_on_steps(*attributes.output_freq, "output_freq", node)) {
    attributes.output_freq.reset();  // checks that depend on it are impossible
  }
  settle_or_forget(attributes.sync_freq, "sync_freq", node);
  // Readers of a store that grows see what was flushed.
  if (attributes.live.value_or(false) && !attributes.sync_freq) {
    attributes.sync_freq = attributes.output_freq;
    if (has_list && periods_.clock().is_known) {  // after each record
      attributes.sync_freq = periods_.clock().calendar.timestep();
    }
  }
  settle_or_forget(attributes.split_freq, "split_freq", node);
  settle_or_forget(attributes.climatology_freq, "climatology_freq", node);
  settle_dates(node, attributes, mode);
  if (mode == Mode::read) return read_files_.add(node, attributes, fields);
  streams_of_fields_.clear();
  are_periods_checked_ = false;
  add_with_series(node, std::move(attributes), fields);
}

DatedFile FileBuilder::dated(int node, const FileAttributes& attributes) const {
  const auto context = filled<ContextAttributes>(inheritance_.of(store_.context_node()));
  return {store_.at(node), inheritance_.of(node), attributes, periods_.clock(),
          context.statistics_file.has_value()};
}

void FileBuilder::settle_dates(int node, FileAttributes& attributes, Mode mode) {
  dates_ = {};
  if (mode == Mode::write) {
    say_unused(node, {"interpolate_time", "calendar_mapping"}, "the file is written");
    OutputDates dates = read_output_dates(dated(node, attributes), findings_);
    // Without a valid period, which is reported, there are no records.
    if (dates.is_list() || attributes.output_freq) dates_ = std::move(dates);
    return;
  }
  say_unused(node,
             {"output_dates", "output_initial", "output_anchor", "climatology", "climatology_freq"},
             "the file is read");
}

/// What a group gives to many files need not have an effect on each.
void FileBuilder::say_unused(int node, std::initializer_list<const char*> attributes,
                             const char* why) {
  const Node& element = store_.at(node);
  for (const char* const attribute : attributes) {
    if (element.find(attribute) == nullptr) continue;
    findings_.warning(Code::without_effect, origin_of(inheritance_.of(node), attribute, element),
                      fmt::format("{} of {} has no effect", attribute, element.title()), why,
                      "Remove it.");
  }
}

void FileBuilder::add_with_series(int node, FileAttributes attributes,
                                  const std::vector<int>& fields) {
  const Node& element = store_.at(node);
  const std::string mode = attributes.timeseries.value_or("none");
  std::vector<int> own;
  std::vector<int> series;
  for (const int field : fields) {
    const bool is_series =
        mode != "none" && *filled<FieldAttributes>(inheritance_.of(field)).ts_enabled;
    if (is_series) series.push_back(field);
    if (mode == "none" || mode == "both" || (mode == "exclusive" && !is_series))
      own.push_back(field);
  }
  if (mode == "only") warn_of_left_out(node, fields, series);
  const std::vector<Variable> variables = variables_of(store_, inheritance_, findings_, node);
  const std::string prefix = attributes.ts_prefix.value_or("%file_name%");
  attributes.timeseries = "none";
  attributes.ts_prefix.reset();
  if (!own.empty()) write_file(node, attributes, variables, own);
  if (series.empty()) return;
  constexpr std::string_view place = "%file_name%";
  const std::string name =
      attributes.name.value_or(element.id) + attributes.name_suffix.value_or("");
  attributes.name_suffix.reset();
  std::string replaced = prefix;
  for (auto at = replaced.find(place); at != std::string::npos;
       at = replaced.find(place, at + name.size())) {
    replaced.replace(at, place.size(), name);
  }
  for (const int field : series) {
    FileAttributes its = attributes;
    its.name = fmt::format("{}_{}", replaced, inheritance_.output_name(field));
    write_series(node, std::move(its), variables, field);
  }
}

void FileBuilder::warn_of_left_out(int node, const std::vector<int>& fields,
                                   const std::vector<int>& series) {
  const Node& element = store_.at(node);
  std::vector<std::string> left_out;
  for (const int field : fields) {
    const bool is_known =
        !inheritance_.of(field).is_broken("ts_enabled") && !inheritance_.is_lost(field);
    if (!is_known) return;
    if (std::find(series.begin(), series.end(), field) == series.end()) {
      left_out.push_back(inheritance_.output_name(field));
    }
  }
  if (left_out.empty() && !series.empty()) return;
  std::string what = element.title();
  if (!series.empty()) {
    const std::string others =
        left_out.size() > 1 ? fmt::format(" and {} more", left_out.size() - 1) : std::string();
    what = fmt::format("'{}'{} of {}", left_out.front(), others, what);
  }
  findings_.warning(
      Code::file_dropped, origin_of(inheritance_.of(node), "timeseries", element),
      what + (series.empty() || left_out.size() == 1 ? " is not written" : " are not written"),
      fmt::format("with timeseries 'only' it is its time series alone, and {} has one",
                  series.empty() ? "no field" : "not every field"),
      series.empty() ? "Add ts_enabled=\"true\" to fields."
                     : "Add ts_enabled=\"true\" to them, or timeseries=\"exclusive\"?");
}

FileId FileBuilder::write_file(int node, const FileAttributes& attributes,
                               std::vector<Variable> variables, const std::vector<int>& fields) {
  const Node& element = store_.at(node);
  const FileId index = model_.files.end_id();
  File file;
  file.id = element.id;
  file.path = path_of(node, attributes);
  if (!file.path.empty() && !std::exchange(are_periods_checked_, true)) {
    check_file_periods({element, inheritance_.of(node), attributes, periods_.clock(), file.path},
                       findings_);
  }
  file.variables = std::move(variables);
  file.where = element.origin.text();
  check_path_is_free(node, file.path, attributes);
  stream_names_.clear();
  for (const int field : fields) {
    const auto [known, is_new] = streams_of_fields_.try_emplace(field);
    if (!is_new && known->second < 0) continue;  // reported
    if (!is_new) {                               // in the file of all its fields, too
      Stream copy = model_.streams[known->second];
      copy.file = index;
      model_.streams.push_back(std::move(copy));
    } else if (!add_stream(field, index, attributes)) {
      continue;
    }
    file.streams.push_back(model_.streams.last_id());
    if (is_new) known->second = file.streams.back();
  }
  data_.note_taker(element.title());
  // The targets of its fields do not exist, which is reported already.
  if (!findings_.is_check() && file.streams.empty()) return FileId();
  file.attributes = attributes;
  if (dates_.leaves_out()) {
    const bool is_whole = file.streams.size() == fields.size();
    settle_first_record(dated(node, attributes), model_, is_whole, file, findings_);
  }
  check_file_content(model_, file, element.origin, findings_);
  model_.files.push_back(std::move(file));
  return index;
}

void FileBuilder::write_series(int node, FileAttributes attributes,
                               const std::vector<Variable>& variables, int field) {
  std::optional<Duration> split = filled<FieldAttributes>(inheritance_.of(field)).ts_split_freq;
  if (split) {
    settle_or_forget(split, "ts_split_freq", field);
    attributes.split_freq = split;
  }
  const std::string id =
      free_id(fmt::format("{}_{}", store_.at(node).id, inheritance_.output_name(field)));
  const FileId index = write_file(node, attributes, {}, {field});
  if (index < 0) return;
  File& file = model_.files[index];
  file.id = id;
  if (file.streams.empty()) return;
  share_out(variables, file, model_.streams[file.streams.front()]);
}

void FileBuilder::share_out(const std::vector<Variable>& of_file, File& file, Stream& stream) {
  const auto goes_to = [](const Variable& variable, const char* place, const char* usual) {
    const std::string target = variable.attributes.ts_target.value_or(usual);
    return target == place || target == "both";
  };
  std::vector<Variable> of_field;
  for (const Variable& variable : of_file) {
    if (goes_to(variable, "file", "file")) file.variables.push_back(variable);
    if (goes_to(variable, "field", "file")) of_field.push_back(variable);
  }
  for (const Variable& variable : stream.variables) {
    if (goes_to(variable, "file", "field")) file.variables.push_back(variable);
    if (goes_to(variable, "field", "field")) of_field.push_back(variable);
  }
  stream.variables = std::move(of_field);
}

/// Files of time series have no element of their own.
std::string FileBuilder::free_id(const std::string& wanted) const {
  std::string id = wanted;
  const auto is_taken = [&] {
    return store_.find_form(ElementKind::file, Form::element, id) >= 0 ||
           std::any_of(model_.files.begin(), model_.files.end(),
                       [&](const File& file) { return file.id == id; });
  };
  while (is_taken()) id += "_ts";
  return id;
}

void FileBuilder::settle_or_forget(std::optional<Duration>& period, const char* attribute,
                                   int node) {
  if (!periods_.settle(period, attribute, node)) period.reset();
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
    findings_.error(Code::no_id, element.origin, "<file> has neither name nor id",
                    "the path of a file is made from them", "Add name=\"...\".");
    return {};
  }
  const std::string full =
      attributes.name.value_or(element.id) + attributes.name_suffix.value_or("");
  const std::string name = attributes.split_freq ? full : without_dates(full);
  const std::string_view suffix = traits_of(format_of(attributes)).suffix;
  const std::filesystem::path relative(name + std::string(suffix));
  const std::filesystem::path folder(output_dir_);
  const std::string_view last = std::string_view(name).substr(name.rfind('/') + 1);
  if (last.empty() || last == "." || last == "..") {
    findings_.error(Code::bad_file_name, origin,
                    fmt::format("{} has the file name '{}'", element.title(), name),
                    "it names no file",
                    last.empty() ? "Write a name after the last '/'." : "Write a name.");
  } else if (printable(name) != name) {
    findings_.error(Code::bad_file_name, origin,
                    fmt::format("{} has the file name '{}'", element.title(), name),
                    "it holds a control character", "Write a name that can be typed.");
  }
  if (std::find(relative.begin(), relative.end(), "..") != relative.end()) {
    findings_.error(Code::bad_file_name, origin,
                    fmt::format("{} has the file name '{}'", element.title(), name),
                    "'..' could leave the output folder",
                    "Set output_dir of the context to the folder you want.");
  }
  if (!relative.is_absolute()) return (folder / relative).lexically_normal().string();
  const std::filesystem::path base = (folder / "").lexically_normal();
  std::string inside = relative.lexically_normal().string();
  if (!folder.is_absolute() || !inside.starts_with(base.string())) {
    findings_.tolerate(
        Code::bad_file_name, origin,
        fmt::format("{} has the file name '{}'", element.title(), name),
        fmt::format("it is absolute: output_dir, '{}', does not count for it", output_dir_),
        "Set output_dir of the context to the folder you want.");
  }
  return inside;
}

void FileBuilder::check_path_is_free(int node, const std::string& path,
                                     const FileAttributes& attributes) {
  if (path.empty()) return;
  const Node& element = store_.at(node);
  // Placeholders that a model has not replaced by the time of a run stay as they are.
  const std::string final_path = findings_.is_run() ? path : path_with_period(path, attributes);
  const auto [owner, is_free] = path_owners_.emplace(final_path, element.origin.text());
  if (is_free) return;
  findings_.error(Code::same_file, origin_of(inheritance_.of(node), "name", element),
                  fmt::format("{} writes to '{}'", element.title(), path),
                  fmt::format("the file at {} does so too", owner->second),
                  "Give one of them another name.");
}

bool FileBuilder::add_stream(int field, FileId file, const FileAttributes& file_attributes) {
  inheritance_.need(field);
  if (data_.is_lost(field)) return false;
  const Node& element = store_.at(field);
  const Resolved& resolved = inheritance_.of(field);
  Stream stream;
  stream.id = inheritance_.public_id(field);
  stream.name = inheritance_.output_name(field);
  stream.file = file;
  stream.attributes = filled<FieldAttributes>(resolved);
  if (!stream.attributes.compression_level) {
    stream.attributes.compression_level = file_attributes.compression_level;
  }
  stream.where = element.origin.text();
  check_available(element, resolved, findings_);
  check_stream_name(field, stream);
  check_precision(element, inheritance_.title(field), resolved, stream.attributes, findings_);
  check_chunks(element, inheritance_.title(field), resolved, stream.attributes, findings_);
  check_information(element, inheritance_.title(field), resolved, stream.attributes, findings_);
  check_cell_measures(element, inheritance_.title(field), resolved, stream.attributes, findings_);
  stream.variables = variables_of(store_, inheritance_, findings_, field);
  stream.sampling = periods_.sampling_of(field, stream.attributes, file_attributes, dates_);
  const bool has_data = find_data(field, stream);
  check_marks(field, stream);
  if (!has_data) return false;
  sample_as_read(field, stream);
  model_.streams.push_back(std::move(stream));
  return true;
}

bool FileBuilder::find_data(int field, Stream& stream) {
  const DataOrigin data = data_.data_of(field);
  stream.source = data.source;
  stream.expression = data.expression;
  stream.via = data_.references_between(field);
  // A computed field has the grid of its operands. If it has none, the operands are reported.
  const bool has_grid =
      grids_.names_grid(field) || !inheritance_.has_expression(data_.owner_of(field));
  if (has_grid) stream.grid = grids_.grid_of(field);
  if (!data.is_known() || stream.grid < 0) return false;
  stream.grid = has_grid ? data_.grid_of(data, stream.grid) : data_.grid_of(data);
  stream.attributes.grid_path.reset();  // its steps are there
  convert_units(field, stream);
  return true;
}

/// Data of a file is NaN where that file has no value, so it needs no marker.
void FileBuilder::check_marks(int field, Stream& stream) {
  if (stream.source >= 0 && model_.sources[stream.source].read_field >= 0) return;
  check_missing_value(store_.at(field), inheritance_.title(field), inheritance_.of(field),
                      stream.attributes, findings_);
}

void FileBuilder::sample_as_read(int field, Stream& stream) {
  const Operation operation = stream.sampling.operation;
  if (operation == Operation::instant || operation == Operation::once) return;
  if (stream.sampling.dates.has_anchor) return;  // records that are read count from the start
  const Resolved& resolved = inheritance_.of(field);
  if (resolved.find("freq_op") != nullptr || resolved.is_broken("freq_op")) return;
  if (periods_.freq_offset_of(field) != nullptr || !periods_.clock().is_known) return;
  const auto period = data_.reading_period({stream.source, stream.expression});
  if (!period || period->is_zero() || stream.sampling.output_freq.is_zero()) return;
  const Clock& clock = periods_.clock();
  if (!is_multiple(clock.calendar, clock.start, stream.sampling.output_freq, *period)) return;
  stream.sampling.freq_op = *period;
  stream.sampling.freq_offset = *period + clock.calendar.timestep() * -1.0;
}

bool FileBuilder::is_wanted_by_model(int node) {
  const Node& element = store_.at(node);
  if (element.kind != ElementKind::field || element.form != Form::element ||
      element.has_automatic_id) {
    return false;
  }
  const auto attributes = filled<FieldAttributes>(inheritance_.of(node));
  return *attributes.read_access && *attributes.enabled;
}

void FileBuilder::add_results() {
  for (int node = 0; node < store_.size(); ++node) {
    if (is_wanted_by_model(node) && !read_files_.has(store_.at(node).id)) add_result(node);
  }
  for (const int field : read_files_.with_expression()) add_result(field);
  data_.note_taker("the model, which receives it");
  std::sort(model_.results.begin(), model_.results.end(),
            [](const Stream& a, const Stream& b) { return a.id < b.id; });
}

bool FileBuilder::add_result(int field) {
  inheritance_.need(field);
  if (data_.is_lost(field)) return false;
  const Node& element = store_.at(field);
  const Resolved& resolved = inheritance_.of(field);
  Stream result;
  result.id = result.name = inheritance_.public_id(field);
  result.file = FileId();
  result.attributes = filled<FieldAttributes>(resolved);
  result.where = element.origin.text();
  check_available(element, resolved, findings_);
  // The data is available at its date, which may be the start of the run.
  const Duration step = periods_.clock().is_known ? periods_.clock().calendar.timestep()
                                                  : Duration{0, 0, 0, 0, 0, 0, 1};
  result.sampling = {Operation::instant, step, step * -1.0, step};
  const bool has_data = find_data(field, result);
  check_marks(field, result);
  if (!has_data) return false;
  model_.results.push_back(std::move(result));
  return true;
}

void FileBuilder::convert_units(int field, Stream& stream) {
  const auto conversion = data_.conversion_of(field);
  if (!conversion) return;
  stream.conversion = {conversion->numbers.factor, conversion->numbers.offset};
  stream.data_unit = conversion->from;
}

void FileBuilder::check_stream_name(int field, const Stream& stream) {
  const Node& element = store_.at(field);
  const Resolved& resolved = inheritance_.of(field);
  if (const std::string why = name_complaint(stream.name); !why.empty()) {
    findings_.error(Code::bad_name, origin_of(resolved, "name", element),
                    fmt::format("{} has the name '{}'", inheritance_.title(field), stream.name),
                    fmt::format("no variable can have it: {}", why),
                    "Add name=\"...\" that NetCDF takes.");
  }
  const auto [other, is_free] = stream_names_.emplace(stream.name, stream.where);
  if (is_free) return;
  findings_.error(Code::same_name, element.origin,
                  fmt::format("two fields of one file have the name '{}'", stream.name),
                  fmt::format("the other one is at {}", other->second),
                  "Give one of them another name.");
}

}  // namespace epios::config
