#include "check/field_check.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

namespace epios::config {

void check_missing_value(const Node& field, const std::string& title, const Resolved& resolved,
                         const FieldAttributes& attributes, Findings& findings) {
  if (!*attributes.detect_missing_value || attributes.default_value) return;
  if (resolved.is_broken("default_value")) return;
  findings.error(Code::no_default_value, origin_of(resolved, "detect_missing_value", field),
                 fmt::format("{} detects missing values but has no default_value", title),
                 "default_value is what marks them", "Add default_value=\"1e20\"?");
}

void check_precision(const Node& field, const std::string& title, const Resolved& resolved,
                     const FieldAttributes& attributes, Findings& findings) {
  if (*attributes.prec != 4) return;
  const auto check = [&](const char* attribute, const std::optional<double>& value) {
    constexpr double largest = std::numeric_limits<float>::max();
    if (!value || !std::isfinite(*value) || std::abs(*value) <= largest) return;
    findings.error(
        Code::beyond_precision, origin_of(resolved, attribute, field),
        fmt::format("{} '{}' of {}", attribute, *value, title),
        fmt::format("the field is written with prec=\"4\", whose largest value is {:.3g}", largest),
        "Use prec=\"8\" or a smaller value.");
  };
  check("default_value", attributes.default_value);
  check("valid_min", attributes.valid_min);
  check("valid_max", attributes.valid_max);
}

void check_chunks(const Node& field, const std::string& title, const Resolved& resolved,
                  const FieldAttributes& attributes, Findings& findings) {
  const std::optional<double>& target = attributes.chunking_blocksize_target;
  if (!target || (std::isfinite(*target) && *target > 0)) return;
  findings.error(Code::bad_size, origin_of(resolved, "chunking_blocksize_target", field),
                 fmt::format("chunking_blocksize_target '{}' of {}", *target, title),
                 "it is the size of a chunk in MB, above 0",
                 "Leave it out, or write a size such as \"4\".");
}

}  // namespace epios::config
