// Checks the header of a classic file (CDF-1, CDF-2, CDF-5) before netcdf-c sees it, which may
// crash on invalid ones. Reads dimensions, attributes and variables with bounds on all counts, and
// compares the result with the size of the file.
#include "reading/classic_header.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "config/file_permission.hpp"
#include "config/index.hpp"

namespace epios::io {

namespace {

/// The header, byte by byte (NetCDF User's Guide, "File Format Specifications"). After anything
/// that makes no sense `is_good()` is false and numbers are 0.
class Header {
 public:
  explicit Header(const std::string& path) : in_(path, std::ios::binary) {
    std::array<char, 4> magic{};
    in_.read(magic.data(), magic.size());
    good_ = in_.good() && magic[0] == 'C' && magic[1] == 'D' && magic[2] == 'F';
    version_ = magic[3];
    good_ = good_ && (version_ == 1 || version_ == 2 || version_ == 5);
    is_classic_ = good_;
  }

  bool is_classic() const { return is_classic_; }

  std::optional<std::int64_t> size() {
    std::int64_t records = count();
    const std::int64_t streaming = is_wide() ? -1 : 0xffffffffLL;
    if (records == streaming) records = 0;
    if (records < 0) return std::nullopt;
    read_dimensions();
    skip_attributes();
    read_variables();
    if (!good_) return std::nullopt;
    std::int64_t record_bytes = 0;
    std::int64_t record_variables = 0;
    for (const Variable& variable : variables_) {
      if (!variable.has_records) continue;
      record_bytes = sum(record_bytes, padded(variable.bytes));
      ++record_variables;
    }
    // A single record variable is not padded.
    if (record_variables == 1) {
      for (const Variable& variable : variables_) {
        if (variable.has_records) record_bytes = variable.bytes;
      }
    }
    std::int64_t end = 0;
    for (const Variable& variable : variables_) {
      std::int64_t last = variable.begin;
      if (variable.has_records) {
        if (records == 0) continue;
        last = sum(last, product(record_bytes, records - 1));
      }
      end = std::max(end, sum(last, variable.bytes));
    }
    return end;
  }

 private:
  struct Variable {
    std::int64_t begin = 0;
    std::int64_t bytes = 0;  // bytes of all values, or of those of a record
    bool has_records = false;
  };
  static constexpr std::int64_t most_rank = 1024;
  static constexpr std::int64_t too_many = std::numeric_limits<std::int64_t>::max() / 4;

  bool is_wide() const { return version_ == 5; }
  static std::int64_t padded(std::int64_t bytes) { return (bytes + 3) / 4 * 4; }
  static std::int64_t sum(std::int64_t a, std::int64_t b) {
    return a > too_many - b ? too_many : a + b;
  }
  static std::int64_t product(std::int64_t a, std::int64_t b) {
    return b > 0 && a > too_many / b ? too_many : a * b;
  }

  std::int64_t number(int bytes) {
    std::uint64_t value = 0;
    for (int b = 0; b < bytes && good_; ++b) {
      const int byte = in_.get();
      good_ = byte >= 0;
      value = (value << 8U) | static_cast<std::uint64_t>(byte & 0xff);
    }
    return good_ ? static_cast<std::int64_t>(value) : 0;
  }
  std::int64_t count() { return number(is_wide() ? 8 : 4); }

  /// A count of things that follow, of which a header has no more than that.
  std::int64_t length(std::int64_t most = 1 << 20) {
    const std::int64_t value = count();
    good_ = good_ && value >= 0 && value <= most;
    return good_ ? value : 0;
  }

  void skip(std::int64_t bytes) {
    in_.seekg(bytes, std::ios::cur);
    good_ = good_ && in_.good();
  }
  void skip_name() { skip(padded(length())); }

  std::int64_t bytes_of_type() {
    const std::int64_t type = number(4);
    constexpr std::array<std::int64_t, 12> bytes{0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
    good_ = good_ && type >= 1 && type < static_cast<std::int64_t>(bytes.size());
    return good_ ? bytes.at(static_cast<std::size_t>(type)) : 0;
  }

  /// Reads the head of a list: its tag and its number of items.
  std::int64_t list() {
    number(4);
    return length();
  }

  void read_dimensions() {
    const std::int64_t dimensions = list();
    for (std::int64_t d = 0; d < dimensions && good_; ++d) {
      skip_name();
      const std::int64_t size = count();
      good_ = good_ && size >= 0;
      sizes_.push_back(size);
    }
  }

  void skip_attributes() {
    const std::int64_t attributes = list();
    for (std::int64_t a = 0; a < attributes && good_; ++a) {
      skip_name();
      const std::int64_t bytes = bytes_of_type();
      skip(padded(product(length(1 << 30), bytes)));
    }
  }

  void read_variables() {
    const std::int64_t variables = list();
    for (std::int64_t v = 0; v < variables && good_; ++v) {
      skip_name();
      Variable variable;
      std::int64_t values = 1;
      const std::int64_t rank = length(most_rank);
      for (std::int64_t d = 0; d < rank && good_; ++d) {
        const std::int64_t dimension = count();
        good_ = good_ && dimension >= 0 && dimension < static_cast<std::int64_t>(sizes_.size());
        if (!good_) break;
        const std::int64_t size = nth(sizes_, dimension);
        if (size == 0 && d == 0) {
          variable.has_records = true;
        } else {
          values = product(values, size);
        }
      }
      skip_attributes();
      variable.bytes = product(values, bytes_of_type());
      count();  // its size, which may be too large to be told
      variable.begin = number(version_ == 1 ? 4 : 8);
      good_ = good_ && variable.begin >= 0;
      variables_.push_back(variable);
    }
  }

  std::ifstream in_;
  bool good_ = false;
  bool is_classic_ = false;
  char version_ = 0;
  std::vector<std::int64_t> sizes_;
  std::vector<Variable> variables_;
};

}  // namespace

bool is_nowhere(const std::string& path) {
  std::error_code unknown;
  return std::filesystem::status(path, unknown).type() == std::filesystem::file_type::not_found;
}

std::string classic_problem(const std::string& path) {
  std::error_code unknown;
  const std::filesystem::file_status status = std::filesystem::status(path, unknown);
  if (unknown == std::errc::permission_denied) return std::string(config::not_allowed);
  if (unknown) return unknown.message();
  if (!std::filesystem::is_regular_file(status)) return "it is no regular file";
  if (::access(path.c_str(), R_OK) != 0 && errno == EACCES) {
    return std::string(config::not_allowed);
  }
  Header header(path);
  if (!header.is_classic()) return {};
  const std::optional<std::int64_t> wanted = header.size();
  if (!wanted) return "its header makes no sense";
  std::error_code problem;
  const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(path, problem));
  if (problem || bytes >= *wanted) return {};
  return fmt::format("it has {} bytes, its header speaks of {}", bytes, *wanted);
}

}  // namespace epios::io
