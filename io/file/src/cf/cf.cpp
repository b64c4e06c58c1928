// Describes a file by CF-1.11. In order: elements with their coordinates, time variables, fields
// with their attributes, and global attributes. Time stamp, uuid and the time values of records
// follow.
#include "file/cf.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <limits>
#include <optional>
#include <utility>

#include "cf/cf_elements.hpp"
#include "cf/cf_stations.hpp"
#include "cf/cf_text.hpp"
#include "config/error.hpp"
#include "config/model.hpp"
#include "config/spatial.hpp"
#include "config/time_axis.hpp"
#include "config/time_reference.hpp"
#include "grid/index.hpp"

namespace epios::io {

namespace {

using config::Model;
using config::Stream;
using TimePart = CfFile::TimeVariable::Part;

constexpr const char* quantization = "quantization_info";

Compression compression_of(const Model& model, const Stream& stream) {
  using Method = Compression::Method;
  Compression out;
  out.level = compression_level_of(model, stream);
  const std::string type = stream.attributes.compression_type.value_or("gzip");
  if (type == "ZFP") out.method = Method::zfp;
  if (type == "SZ") out.method = Method::sz;
  if (type == "zstd") out.method = Method::zstd;
  if (type == "blosc_lz4") out.method = Method::blosc_lz4;
  if (type == "blosc_zstd") out.method = Method::blosc_zstd;
  const std::string shuffle = stream.attributes.compression_shuffle.value_or("byte");
  if (shuffle == "none") out.shuffle = Compression::Shuffle::none;
  if (shuffle == "bit") out.shuffle = Compression::Shuffle::bit;
  if (stream.attributes.compression_params) {
    out.parameters = stream.attributes.compression_params->values;
  }
  return out;
}

// Builds one CfFile: elements, then time, then fields.
class Describer {
 public:
  Describer(const Model& model, int file, const CoordinateForms& forms,
            std::span<const CoordinateSlab* const> slabs,
            const std::vector<StreamPlacement>& placements)
      : model_(model),
        file_(nth(model.files, file)),
        placements_(placements),
        own_(std::make_shared<OwnNumbers>()),
        elements_(model, file_, forms, slabs, out_.spec, *own_) {
    out_.own.push_back(own_);
    out_.spec.path = file_.path;
    out_.spec.format = config::format_of(file_.attributes);
    out_.spec.endpoints = static_cast<int>(file_.attributes.writers_per_process.value_or(1));
    out_.spec.is_live = file_.attributes.live.value_or(false);
    out_.spec.to_disk = file_.attributes.durability.value_or("process") == "disk";
  }

  CfFile describe() {
    for (const int stream : file_.streams) {
      const config::Operation operation = nth(model_.streams, stream).sampling.operation;
      if (!has_time(operation)) continue;
      (is_centered(operation) ? has_centered_ : has_instant_) = true;
    }
    elements_.add();
    if (has_centered_ || has_instant_) add_times();
    for (std::size_t s = 0; s < file_.streams.size(); ++s) {
      add_field(model_.streams[file_.streams[s]], placements_.at(s));
    }
    if (is_quantized_) add_quantization();
    add_global_attributes();
    out_.remarks.insert(out_.remarks.begin(), elements_.remarks().begin(),
                        elements_.remarks().end());
    return std::move(out_);
  }

 private:
  void add_times() {
    const std::string name = file_.attributes.time_counter_name.value_or("time_counter");
    check_name(file_.path, "dimension", name);
    out_.spec.dimensions.push_back({name, 0});
    record_dimension_ = static_cast<int>(out_.spec.dimensions.size()) - 1;
    const config::TimeAxis axis =
        config::time_axis(file_.attributes.time_counter.value_or(""), has_instant_, has_centered_);
    writes_instant_ = axis.has_instant;
    writes_centered_ = axis.has_centered;
    if (writes_instant_) add_time("time_instant", TimePart::end, false);
    if (writes_centered_) add_time("time_centered", TimePart::middle, false);
    if (axis.counter == config::CounterTime::centered) {
      add_time(name, TimePart::middle, true);
    } else if (axis.counter == config::CounterTime::instant) {
      add_time(name, TimePart::end, true);
    } else if (axis.counter == config::CounterTime::record) {
      add_number(name);
    }
  }

  void add_time(const std::string& name, TimePart part, bool is_counter) {
    const config::Calendar calendar = model_.calendar();
    const config::TimeReference reference =
        config::time_reference(calendar, model_.time_origin, model_.start_date);
    const std::string origin = calendar.text(reference.epoch);
    VariableSpec time;
    time.name = name;
    time.kind = ValueKind::float64;
    time.dimensions = {record_dimension_};
    if (is_counter) time.attributes.push_back({"axis", std::string("T")});
    time.attributes.push_back({"standard_name", std::string("time")});
    time.attributes.push_back({"long_name", std::string("Time axis")});
    time.attributes.push_back({"calendar", reference.calendar});
    if (reference.calendar == cf_name(config::CalendarType::user_defined)) {
      add_calendar(time.attributes, calendar);
    }
    time.attributes.push_back(
        {"units", file_.attributes.time_units.value_or("seconds") + " since " + origin});
    time.attributes.push_back({"time_origin", origin});
    // CF 7.4: the periods of a climatology have gaps between them.
    const bool is_climatology = file_.attributes.climatology.has_value();
    const std::string bounds_name = name + (is_climatology ? "_climatology" : "_bounds");
    time.attributes.push_back({is_climatology ? "climatology" : "bounds", bounds_name});
    out_.times.push_back({add(std::move(time), "time"), part, false, reference.epoch});
    VariableSpec bounds;  // CF 7.1: without attributes, they are those of the coordinate
    bounds.name = bounds_name;
    bounds.kind = ValueKind::float64;
    bounds.dimensions = {record_dimension_, elements_.bounds_dimension()};
    out_.times.push_back({add(std::move(bounds), "time bounds"), TimePart::bounds,
                          part == TimePart::end, reference.epoch});
  }

  /// Records are numbered, without a time.
  void add_number(const std::string& name) {
    VariableSpec number;
    number.name = name;
    number.kind = ValueKind::float64;
    number.dimensions = {record_dimension_};
    number.attributes.push_back({"axis", std::string("T")});
    number.attributes.push_back({"long_name", std::string("Record number")});
    out_.times.push_back({add(std::move(number), "record number"), TimePart::number, false, {}});
  }

  void add_field(const Stream& stream, const StreamPlacement& placement) {
    const auto& a = stream.attributes;
    VariableSpec variable;
    variable.name = stream.name;
    variable.kind = kind_of(stream);
    variable.dimensions = elements_.dimensions(stream.grid);
    variable.is_once = !has_time(stream.sampling.operation);
    if (!variable.is_once) {
      variable.dimensions.insert(variable.dimensions.begin(), record_dimension_);
      variable.records_per_chunk = a.chunking_records.value_or(0);
      variable.records_per_shard = a.sharding_records.value_or(0);
    }
    // In NetCDF what is written once is contiguous.
    if (!variable.is_once || config::traits_of(format_of(file_.attributes)).is_folder) {
      variable.chunk = placement.chunk;
      variable.shard = placement.shard;
      variable.compression = compression_of(model_, stream);
    }
    variable.mantissa_bits = mantissa_bits(stream);
    variable.fill = file_fill(stream);
    auto& attributes = variable.attributes;
    add_text(attributes, "standard_name", a.standard_name);
    add_text(attributes, "long_name", a.long_name);
    add_text(attributes, "units", a.unit);
    for (FileAttribute& attribute : elements_.mesh(stream.grid)) {
      attributes.push_back(std::move(attribute));
    }
    add_valid_range(attributes, stream);
    if (a.scale_factor) {
      attributes.push_back({"scale_factor", std::vector<double>{*a.scale_factor}});
    }
    if (a.add_offset) attributes.push_back({"add_offset", std::vector<double>{*a.add_offset}});
    add_rounding(a, variable);
    const config::Sampling& sampling = stream.sampling;
    attributes.push_back({"online_operation", a.operation.value_or("instant")});
    const std::string of_space = config::spatial_cell_methods(model_, stream.expression);
    if (variable.is_once) {
      if (const std::string text = cell_methods(a, of_space, ""); !text.empty()) {
        attributes.push_back({"cell_methods", text});
      }
    } else {
      add_intervals(attributes, sampling);
      attributes.push_back({"cell_methods", cell_methods(a, of_space, cell_methods(sampling))});
    }
    add_text(attributes, "cell_measures", cell_measures(stream));
    if (variable.fill) {
      attributes.push_back({"missing_value", typed(variable.kind, *variable.fill)});
    }
    add_text(attributes, "coordinates", coordinates_of(stream));
    for (const config::Variable& child : stream.variables) {
      attributes.push_back(attribute_of(child, fmt::format("field '{}'", stream.id)));
    }
    out_.stream_variables.push_back(add(std::move(variable), "field"));
  }

  void add_rounding(const config::FieldAttributes& a, VariableSpec& variable) {
    if (variable.mantissa_bits > 0) {
      variable.attributes.push_back(
          {"significant_digits",
           std::vector<std::int32_t>{static_cast<std::int32_t>(*a.significant_digits)}});
      say_rounding(variable, variable.mantissa_bits);
    }
    if (!a.keep_information) return;
    // How many bits stay is known with the first record; until then, all do.
    variable.is_rounded_later = true;
    say_rounding(variable, variable.kind == ValueKind::float64
                               ? std::numeric_limits<double>::digits - 1
                               : std::numeric_limits<float>::digits - 1);
  }

  void say_rounding(VariableSpec& variable, int bits) {
    variable.attributes.push_back({"quantization", std::string(quantization)});
    for (FileAttribute& attribute : rounding_attributes(bits)) {
      variable.attributes.push_back(std::move(attribute));
    }
    is_quantized_ = true;
  }

  /// The algorithm, to which rounded fields refer (CF-1.12, 8.4).
  void add_quantization() {
    static constexpr double no_meaning = 0;
    VariableSpec algorithm;
    algorithm.name = quantization;
    algorithm.kind = ValueKind::int32;
    algorithm.attributes = {{"algorithm", std::string("bitround")},
                            {"implementation", std::string("EPIOS")}};
    algorithm.fixed.box = whole({});
    algorithm.fixed.numbers = {&no_meaning, 1};
    static_cast<void>(add(std::move(algorithm), "variable"));
  }

  /// Returns the cell_methods of the XML, with those of transformations in place of "%cells%" and
  /// with the temporal ones, as cell_methods_mode says.
  static std::string cell_methods(const config::FieldAttributes& a, const std::string& of_space,
                                  const std::string& of_time) {
    const std::string mode = a.cell_methods_mode.value_or("overwrite");
    if (!a.cell_methods || mode == "none") return of_time;
    constexpr std::string_view place = "%cells%";
    std::string own = *a.cell_methods;
    if (const auto at = own.find(place); at != std::string::npos) {
      own.replace(at, place.size(), of_space);
      if (own.empty()) return of_time;
    }
    if (of_time.empty()) return own;
    if (mode == "prefix") return fmt::format("{} {}", own, of_time);
    if (mode == "suffix") return fmt::format("{} {}", of_time, own);
    return own;
  }

  /// The dates of a list are those of the time coordinate.
  void add_intervals(std::vector<FileAttribute>& attributes,
                     const config::Sampling& sampling) const {
    const bool is_list = sampling.dates.is_list();
    if (!is_list || is_centered(sampling.operation)) {
      attributes.push_back(
          {"interval_operation", interval_text(sampling.freq_op, model_.timestep)});
    }
    if (is_list) return;
    attributes.push_back({"interval_write", interval_text(sampling.output_freq, model_.timestep)});
  }

  std::string cell_methods(const config::Sampling& sampling) const {
    const std::string_view method = config::cell_method(sampling.operation);
    const std::string samples = samples_text(sampling);
    if (!sampling.dates.is_climatology()) return fmt::format("time: {}{}", method, samples);
    const std::string cycles = *file_.attributes.climatology + "s";  // CF 7.4
    return fmt::format("time: {0} within {1}{2} time: {0} over {1}", method, cycles, samples);
  }

  // CF 7.3: the interval is that of the sampled data, where it differs from that of the records.
  std::string samples_text(const config::Sampling& sampling) const {
    const config::Calendar calendar = model_.calendar();
    if (is_each_sample(calendar, sampling)) return {};
    const auto sampled = calendar.parts(sampling.freq_op);
    const auto written = calendar.parts(sampling.output_freq);
    // However they are said: 60mi is 1h.
    if (sampled.months == written.months && sampled.seconds == written.seconds) return {};
    const std::string interval = cf_interval(sampling.freq_op, model_.timestep);
    if (sampling.is_weighted) {
      return interval.empty() ? " (weighted by time)"
                              : fmt::format(" (interval: {} comment: weighted by time)", interval);
    }
    return interval.empty() ? std::string() : fmt::format(" (interval: {})", interval);
  }

  std::string cell_measures(const Stream& stream) const {
    if (stream.attributes.cell_measures) return *stream.attributes.cell_measures;
    std::vector<std::string> measures;
    for (const std::string& area : elements_.areas(stream.grid)) {
      measures.push_back("area: " + area);
    }
    return fmt::format("{}", fmt::join(measures, " "));
  }

  std::string coordinates_of(const Stream& stream) const {
    // A time that is the counter itself is a coordinate already.
    std::vector<std::string> names = elements_.auxiliary(stream.grid);
    if (!has_time(stream.sampling.operation)) return fmt::format("{}", fmt::join(names, " "));
    if (is_centered(stream.sampling.operation)) {
      if (writes_centered_) names.insert(names.begin(), "time_centered");
    } else if (writes_instant_) {
      names.insert(names.begin(), "time_instant");
    }
    return fmt::format("{}", fmt::join(names, " "));
  }

  static ValueKind kind_of(const Stream& stream) {
    switch (file_value_bytes(stream)) {
      case 2:
        return ValueKind::int16;
      case 8:
        return ValueKind::float64;
      default:
        return ValueKind::float32;
    }
  }

  // CF 8.1 and 2.5.1: of the packed values. A negative factor changes their order.
  static void add_valid_range(std::vector<FileAttribute>& attributes, const Stream& stream) {
    const auto& a = stream.attributes;
    const bool is_turned = a.scale_factor.value_or(1) < 0;
    const auto add = [&](const char* name, const std::optional<double>& value) {
      if (!value) return;
      const double on_file = is_packed(stream) ? packed(stream, *value) : *value;
      attributes.push_back({name, typed(kind_of(stream), on_file)});
    };
    add("valid_min", is_turned ? a.valid_max : a.valid_min);
    add("valid_max", is_turned ? a.valid_min : a.valid_max);
  }

  static AttributeValue typed(ValueKind kind, double value) {
    if (kind == ValueKind::float64) return std::vector<double>{value};
    if (kind == ValueKind::int16) {
      return std::vector<std::int16_t>{static_cast<std::int16_t>(std::nearbyint(value))};
    }
    return std::vector<float>{static_cast<float>(value)};
  }

  void add_global_attributes() {
    auto& attributes = out_.spec.attributes;
    const std::string description = file_.attributes.description.value_or("Created by EPIOS");
    attributes.push_back({"name", file_.attributes.name.value_or(file_.id)});
    attributes.push_back({"description", description});
    attributes.push_back({"title", description});
    const config::FileAttributes& a = file_.attributes;
    const bool has_meshes = a.convention.value_or("CF") == "UGRID";
    const char* const cf = elements_.has_pixels() ? "CF-1.13"
                           : is_quantized_        ? "CF-1.12"
                                                  : "CF-1.11";
    const std::string conventions = fmt::format("{}{}", cf, has_meshes ? " UGRID-1.0" : "");
    attributes.push_back({"Conventions", a.convention_str.value_or(conventions)});
    add_feature_type();
    add_text(attributes, "external_variables", external_variables());
    const std::string stamp_name = a.time_stamp_name.value_or("timeStamp");
    check_name(file_.path, "global attribute", stamp_name);
    out_.time_stamp = static_cast<int>(attributes.size());
    attributes.push_back({stamp_name, std::string()});
    const std::string uuid_name = a.uuid_name.value_or("uuid");
    check_name(file_.path, "global attribute", uuid_name);
    out_.uuid = static_cast<int>(attributes.size());
    attributes.push_back({uuid_name, std::string()});
    for (const config::Variable& variable : file_.variables) {
      attributes.push_back(attribute_of(variable, fmt::format("file '{}'", file_.path)));
    }
  }

  /// Returns the variables that cell_measures of fields name and that are in other files
  /// (CF 2.6.3).
  std::string external_variables() const {
    std::vector<std::string> names;
    for (const config::StreamId s : file_.streams) {
      const Stream& stream = model_.streams[s];
      if (!stream.attributes.cell_measures) continue;
      for (const std::string& name : measure_variables(*stream.attributes.cell_measures)) {
        const auto& all = out_.spec.variables;
        const bool is_here =
            std::any_of(all.begin(), all.end(), [&](const auto& v) { return v.name == name; });
        const bool is_known = std::find(names.begin(), names.end(), name) != names.end();
        if (!is_here && !is_known) names.push_back(name);
      }
    }
    return fmt::format("{}", fmt::join(names, " "));
  }

  void add_feature_type() {
    const Features features = features_of(model_, file_);
    if (!features.type.empty()) {
      out_.spec.attributes.push_back({"featureType", features.type});
    } else if (!features.misfit.empty()) {
      out_.remarks.push_back(
          {file_.path,
           fmt::format("has stations, but no featureType, because of field '{}'", features.misfit),
           0,
           {},
           "All fields of such a file are time series at stations, or all of them profiles (CF "
           "9.1). Write them to files of their own?"});
    }
  }

  int add(VariableSpec variable, const char* what) {
    check_name(file_.path, what, variable.name);
    auto& variables = out_.spec.variables;
    const bool is_taken = std::any_of(variables.begin(), variables.end(),
                                      [&](const auto& v) { return v.name == variable.name; });
    if (is_taken) {
      throw Error(ErrorCode::configuration,
                  fmt::format("file '{}': two variables are called '{}' (names of fields and "
                              "coordinates share one space). Set another name on one of them?",
                              file_.path, variable.name));
    }
    variables.push_back(std::move(variable));
    return static_cast<int>(variables.size()) - 1;
  }

  const Model& model_;
  const config::File& file_;
  const std::vector<StreamPlacement>& placements_;
  CfFile out_;
  std::shared_ptr<OwnNumbers> own_;
  CfElements elements_;
  int record_dimension_ = 0;
  bool is_quantized_ = false;
  bool has_instant_ = false;
  bool has_centered_ = false;
  bool writes_instant_ = false;  ///< true if it is a variable in addition to the counter
  bool writes_centered_ = false;
};

}  // namespace

CfFile describe_file(const Model& model, int file, const CoordinateForms& forms,
                     std::span<const CoordinateSlab* const> slabs,
                     const std::vector<StreamPlacement>& placements) {
  return Describer(model, file, forms, slabs, placements).describe();
}

void stamp(CfFile& described, const config::File& file, std::int64_t seconds_since_1970,
           std::string_view uuid) {
  const auto seconds = static_cast<std::time_t>(seconds_since_1970);
  std::tm parts = {};
  const std::string format = file.attributes.time_stamp_format.value_or("%Y-%b-%d %H:%M:%S %Z");
  std::array<char, 1024> text = {};
  std::size_t length = 0;
  if (gmtime_r(&seconds, &parts) != nullptr) {
    length = std::strftime(text.data(), text.size(), format.c_str(), &parts);
  }
  auto& attributes = described.spec.attributes;
  attributes[as_index(described.time_stamp)].value = std::string(text.data(), length);
  std::string name = file.attributes.uuid_format.value_or("%uuid%");
  constexpr std::string_view place = "%uuid%";
  for (auto found = name.find(place); found != std::string::npos;
       found = name.find(place, found + uuid.size())) {
    name.replace(found, place.size(), uuid);
  }
  attributes[as_index(described.uuid)].value = std::move(name);
}

std::string random_uuid() {
  std::array<unsigned char, 16> bytes = {};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw Error(ErrorCode::resource, "the system gives no random bytes for the uuid of a file.");
  }
  bytes[6] = static_cast<unsigned char>(0x40 | (bytes[6] & 0x0f));  // version 4
  bytes[8] = static_cast<unsigned char>(0x80 | (bytes[8] & 0x3f));  // the variant of RFC 4122
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", bytes.at(i));
  }
  return text;
}

std::vector<double> time_values(const Model& model, const config::File& file,
                                const CfFile::TimeVariable& time, const config::RecordTime& record,
                                std::int64_t number) {
  if (time.part == TimePart::number) return {static_cast<double>(number)};
  const bool in_days = file.attributes.time_units.value_or("seconds") == "days";
  const bool is_centered =
      time.part == TimePart::middle || (time.part == TimePart::bounds && !time.instant_bounds);
  const config::TimeStamp stamp =
      config::time_stamp(model.calendar(), record, is_centered, time.epoch,
                         in_days ? config::TimeUnits::days : config::TimeUnits::seconds);
  if (time.part == TimePart::bounds) return {stamp.bounds[0], stamp.bounds[1]};
  return {stamp.value};
}

}  // namespace epios::io
