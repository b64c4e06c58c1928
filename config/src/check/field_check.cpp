#include "check/field_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include "check/name_check.hpp"
#include "config/attributes.hpp"

namespace epios::config {

void check_missing_value(const Node& field, const std::string& title, const Resolved& resolved,
                         FieldAttributes& attributes, Findings& findings) {
  if (!*attributes.detect_missing_value || attributes.default_value) return;
  attributes.detect_missing_value = false;
  if (resolved.is_broken("default_value")) return;
  findings.warning(Code::no_default_value, origin_of(resolved, "detect_missing_value", field),
                   fmt::format("{} detects missing values but has no default_value", title),
                   "default_value is what marks them: detect_missing_value has no effect",
                   "Add default_value=\"1e20\"?");
}

namespace {

constexpr double largest_integer = std::numeric_limits<std::int16_t>::max();
constexpr double least_integer = std::numeric_limits<std::int16_t>::min();

/// One field whose attributes must go with its kind of number.
struct Precision {
  const Node& field;
  const std::string& title;
  const Resolved& resolved;
  const FieldAttributes& attributes;
  Findings& findings;

  double packed(double value) const {
    return (value - attributes.add_offset.value_or(0)) / attributes.scale_factor.value_or(1);
  }

  void check_float(const char* attribute, const std::optional<double>& value) const {
    constexpr double largest = std::numeric_limits<float>::max();
    if (!value || !std::isfinite(*value) || std::abs(*value) <= largest) return;
    findings.error(
        Code::beyond_precision, origin_of(resolved, attribute, field),
        fmt::format("{} '{}' of {}", attribute, *value, title),
        fmt::format("the field is written with prec=\"4\", whose largest value is {:.3g}", largest),
        "Use prec=\"8\" or a smaller value.");
  }

  void check_integer(const char* attribute, const std::optional<double>& value) const {
    if (!value) return;
    const double number = std::nearbyint(packed(*value));
    if (number >= least_integer && number <= largest_integer) return;
    findings.error(Code::beyond_precision, origin_of(resolved, attribute, field),
                   fmt::format("{} '{}' of {}", attribute, *value, title),
                   fmt::format("packed it is {}, and with prec=\"2\" values on file are {} to {}",
                               number, least_integer, largest_integer),
                   "Use prec=\"4\", or another scale_factor and add_offset.");
  }

  /// default_value stands for missing values in the model's arrays, too, where it may be anything.
  void check_integer_fill() const {
    const std::optional<double>& value = attributes.default_value;
    if (!value ||
        (*value >= least_integer && *value <= largest_integer && std::trunc(*value) == *value)) {
      return;
    }
    findings.warning(Code::beyond_precision, origin_of(resolved, "default_value", field),
                     fmt::format("default_value '{}' of {} is -32767 on file", *value, title),
                     fmt::format("with prec=\"2\" values on file are whole numbers from {} to {}",
                                 least_integer, largest_integer),
                     "Readers see it as _FillValue.");
  }

  void check_factor() const {
    const std::optional<double>& factor = attributes.scale_factor;
    if (!factor || (std::isfinite(*factor) && *factor != 0)) return;
    findings.error(Code::beyond_precision, origin_of(resolved, "scale_factor", field),
                   fmt::format("scale_factor '{}' of {}", *factor, title),
                   "values are divided by it", "Leave it out, or write a factor such as \"0.01\".");
  }
};

}  // namespace

void check_precision(const Node& field, const std::string& title, const Resolved& resolved,
                     const FieldAttributes& attributes, Findings& findings) {
  const Precision precision{field, title, resolved, attributes, findings};
  precision.check_factor();
  if (*attributes.prec == 4) {
    precision.check_float("default_value", attributes.default_value);
    precision.check_float("valid_min", attributes.valid_min);
    precision.check_float("valid_max", attributes.valid_max);
  } else if (*attributes.prec == 2) {
    precision.check_integer_fill();
    if (attributes.scale_factor == 0.0) return;
    precision.check_integer("valid_min", attributes.valid_min);
    precision.check_integer("valid_max", attributes.valid_max);
  }
}

/// What a field says of chunks and shards of its file.
struct Pieces {
  const Node& field;
  const std::string& title;
  const Resolved& resolved;
  const FieldAttributes& attributes;
  Findings& findings;

  template <class Number>
  void refuse(const char* attribute, const Number& value, std::string why,
              std::string suggestion) const {
    findings.error(Code::bad_size, origin_of(resolved, attribute, field),
                   fmt::format("{} '{}' of {}", attribute, value, title), std::move(why),
                   std::move(suggestion));
  }

  bool is_count(const char* attribute, const std::optional<std::int64_t>& records) const {
    if (!records || *records >= 1) return true;
    refuse(attribute, *records, "it is a number of records, 1 or more",
           "Leave it out, or write a number such as \"24\".");
    return false;
  }

  bool is_size(const char* attribute, const std::optional<double>& target, const char* what) const {
    if (!target || (std::isfinite(*target) && *target > 0)) return true;
    refuse(attribute, *target, fmt::format("it is the size of a {} in MB, above 0", what),
           "Leave it out, or write a size such as \"4\".");
    return false;
  }

  void check() const {
    const FieldAttributes& a = attributes;
    const bool are_counts = is_count("chunking_records", a.chunking_records) &&
                            is_count("sharding_records", a.sharding_records);
    const bool are_sizes =
        is_size("chunking_blocksize_target", a.chunking_blocksize_target, "chunk") &&
        is_size("sharding_blocksize_target", a.sharding_blocksize_target, "shard");
    const std::int64_t in_chunk = a.chunking_records.value_or(1);
    if (are_counts && a.sharding_records && *a.sharding_records % in_chunk != 0) {
      const std::int64_t chunks = std::max<std::int64_t>(*a.sharding_records / in_chunk, 1);
      refuse("sharding_records", *a.sharding_records,
             fmt::format("a chunk has {} records (chunking_records), which do not divide a shard",
                         in_chunk),
             fmt::format("Write a multiple, such as \"{}\".", chunks * in_chunk));
    }
    const double chunk = a.chunking_blocksize_target.value_or(default_store_chunk_megabytes);
    if (!are_sizes || !a.sharding_blocksize_target || *a.sharding_blocksize_target >= chunk) return;
    refuse("sharding_blocksize_target", *a.sharding_blocksize_target,
           fmt::format("a chunk has {} MB (chunking_blocksize_target), more than the shard", chunk),
           "Write a larger one, or a smaller chunking_blocksize_target.");
  }

 private:
  static constexpr double default_store_chunk_megabytes = 10;
};

void check_chunks(const Node& field, const std::string& title, const Resolved& resolved,
                  const FieldAttributes& attributes, Findings& findings) {
  Pieces{field, title, resolved, attributes, findings}.check();
}

void check_cell_measures(const Node& field, const std::string& title, const Resolved& resolved,
                         const FieldAttributes& attributes, Findings& findings) {
  if (!attributes.cell_measures) return;
  std::istringstream words(*attributes.cell_measures);
  std::size_t count = 0;
  bool is_good = true;
  for (std::string word; words >> word; ++count) {
    const bool has_colon = word.size() > 1 && word.ends_with(':');
    is_good =
        is_good && has_colon == (count % 2 == 0) && (has_colon || name_complaint(word).empty());
  }
  is_good = is_good && count > 0 && count % 2 == 0;
  if (is_good) return;
  findings.error(Code::bad_value, origin_of(resolved, "cell_measures", field),
                 fmt::format("cell_measures '{}' of {}", *attributes.cell_measures, title),
                 "it is a list of measures and variables (CF 7.2)",
                 "Write \"area: areacello\", or \"area: areacello volume: volcello\".");
}

namespace {

/// What is rounded is the packed value, whose first digit may stand elsewhere.
void check_digits(const Node& field, const std::string& title, const Resolved& resolved,
                  FieldAttributes& attributes, Findings& findings) {
  const bool is_elsewhere = *attributes.prec == 2 || attributes.add_offset.value_or(0) != 0;
  if (!attributes.significant_digits || !is_elsewhere) return;
  findings.warning(
      Code::without_effect, origin_of(resolved, "significant_digits", field),
      fmt::format("significant_digits '{}' of {}", *attributes.significant_digits, title),
      "it has no effect: digits of values are not those of packed ones",
      "Leave out prec=\"2\" and add_offset?");
  attributes.significant_digits = std::nullopt;
}

}  // namespace

void check_information(const Node& field, const std::string& title, const Resolved& resolved,
                       FieldAttributes& attributes, Findings& findings) {
  if (!attributes.keep_information) {
    return check_digits(field, title, resolved, attributes, findings);
  }
  const double share = *attributes.keep_information;
  const Origin origin = origin_of(resolved, "keep_information", field);
  const std::string problem = fmt::format("keep_information '{}' of {}", share, title);
  if (!(share > 0 && share <= 1)) {
    findings.error(Code::bad_value, origin, problem, "it is a share above 0 and up to 1",
                   "Leave it out, or write a share such as \"0.99\".");
  } else if (attributes.significant_digits) {
    findings.error(Code::bad_value, origin, problem, "it has significant_digits, too",
                   "Give one of them.");
  } else if (*attributes.prec == 2 || attributes.scale_factor || attributes.add_offset) {
    findings.warning(Code::without_effect, origin, problem,
                     "it has no effect: packed values keep what their scale_factor leaves",
                     "Leave out prec=\"2\", scale_factor and add_offset?");
    attributes.keep_information = std::nullopt;
  }
}

}  // namespace epios::config
