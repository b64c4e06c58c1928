// Reads the header of a CDF-5 file that NetCDF-C has written, to know where the values of each
// variable begin.
#include "formats/cdf_header.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "config/error.hpp"
#include "config/index.hpp"

namespace epios::io {

namespace {

constexpr std::uint32_t dimension_tag = 10;
constexpr std::uint32_t variable_tag = 11;
constexpr std::uint32_t attribute_tag = 12;

// No file is as long; the sum of some of these is still a number.
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 60U;

std::uint64_t padded(std::uint64_t bytes) { return (bytes + 3) / 4 * 4; }

class Reader {
 public:
  Reader(std::span<const std::byte> bytes, const std::string& path) : bytes_(bytes), path_(path) {}

  CdfHeader read() {
    check(skip(3) && bytes_.size() > 3 && bytes_[0] == std::byte{'C'} &&
          bytes_[1] == std::byte{'D'} && bytes_[2] == std::byte{'F'});
    check(number(1) == 5);
    static_cast<void>(number(8));  // number of records
    for (std::uint64_t d = entries(dimension_tag); d > 0; --d) {
      static_cast<void>(name());
      lengths_.push_back(number(8));
    }
    skip_attributes();
    for (std::uint64_t v = entries(variable_tag); v > 0; --v) read_variable();
    out_.end = at_;
    settle();
    return std::move(out_);
  }

 private:
  void check(bool good) const {
    if (good) return;
    throw Error(ErrorCode::internal,
                fmt::format("file '{}': its header is not that of a CDF-5 file (at byte {}). "
                            "Please report this?",
                            path_, at_));
  }
  std::uint64_t product(std::uint64_t a, std::uint64_t b) const {
    check(b == 0 || a <= most_bytes / b);
    return a * b;
  }
  bool skip(std::uint64_t bytes) {
    if (bytes > bytes_.size() - at_) return false;
    at_ += bytes;
    return true;
  }
  std::uint64_t number(std::size_t bytes) {
    const std::size_t from = at_;
    check(skip(bytes));
    std::uint64_t value = 0;
    for (std::size_t b = 0; b < bytes; ++b) {
      value = value << 8U | std::to_integer<std::uint64_t>(bytes_[from + b]);
    }
    return value;
  }
  std::string name() {
    const std::uint64_t length = number(8);
    const std::size_t from = at_;
    check(length <= bytes_.size() && skip(padded(length)));
    const auto* const text = reinterpret_cast<const char*>(bytes_.data() + from);
    return {text, static_cast<std::size_t>(length)};
  }
  /// Reads the number of entries of a list, whose tag is 0 if it is empty.
  std::uint64_t entries(std::uint32_t tag) {
    const std::uint64_t found = number(4);
    const std::uint64_t count = number(8);
    check(found == tag || (found == 0 && count == 0));
    return count;
  }
  static std::uint64_t bytes_of_type(std::uint64_t type) {
    switch (type) {
      case 1:  // byte
      case 2:  // char
      case 7:  // unsigned byte
        return 1;
      case 3:  // short
      case 8:
        return 2;
      case 4:  // int
      case 5:  // float
      case 9:
        return 4;
      case 6:  // double
      case 10:
      case 11:
        return 8;
      default:
        return 0;
    }
  }
  void skip_attributes() {
    for (std::uint64_t a = entries(attribute_tag); a > 0; --a) {
      static_cast<void>(name());
      const std::uint64_t bytes = bytes_of_type(number(4));
      const std::uint64_t values = number(8);
      check(bytes > 0 && values <= bytes_.size() && skip(padded(values * bytes)));
    }
  }
  void read_variable() {
    CdfHeader::Variable variable;
    variable.name = name();
    std::uint64_t points = 1;
    for (std::uint64_t d = 0, count = number(8); d < count; ++d) {
      const std::uint64_t dimension = number(8);
      check(dimension < lengths_.size());
      const std::uint64_t length = nth(lengths_, dimension);
      if (length == 0 && d == 0) {
        variable.has_records = true;
      } else {
        points = product(points, length);
      }
    }
    skip_attributes();
    const std::uint64_t bytes = product(points, bytes_of_type(number(4)));
    static_cast<void>(number(8));  // the same number, except for very large ones
    variable.begin = number(8);
    check(variable.begin <= most_bytes);
    variable.bytes = padded(bytes);
    if (variable.has_records) last_record_bytes_ = bytes;
    out_.variables.push_back(std::move(variable));
  }
  void settle() {
    out_.records_begin = out_.end;
    std::uint64_t count = 0;
    for (const CdfHeader::Variable& variable : out_.variables) {
      if (variable.has_records) {
        ++count;
        out_.record_bytes += variable.bytes;
        check(out_.record_bytes <= most_bytes);
      } else {
        out_.records_begin = std::max(out_.records_begin, variable.begin + variable.bytes);
      }
    }
    // The records of a variable that is alone are not padded.
    if (count == 1) out_.record_bytes = last_record_bytes_;
    const auto first = std::find_if(out_.variables.begin(), out_.variables.end(),
                                    [](const CdfHeader::Variable& v) { return v.has_records; });
    if (first != out_.variables.end()) out_.records_begin = first->begin;
  }

  std::span<const std::byte> bytes_;
  const std::string& path_;
  std::size_t at_ = 0;
  std::vector<std::uint64_t> lengths_;
  std::uint64_t last_record_bytes_ = 0;
  CdfHeader out_;
};

}  // namespace

CdfHeader read_cdf_header(std::span<const std::byte> bytes, const std::string& path) {
  return Reader(bytes, path).read();
}

}  // namespace epios::io
