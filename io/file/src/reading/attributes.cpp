#include "reading/attributes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace epios::io {

std::string text_attribute(int file, int variable, const char* name) {
  constexpr std::size_t most = 65536;
  nc_type type = NC_NAT;
  std::size_t length = 0;
  if (nc_inq_att(file, variable, name, &type, &length) != NC_NOERR) return {};
  if (length == 0 || length > most) return {};
  if (type == NC_CHAR) {
    std::string text(length, '\0');
    if (nc_get_att_text(file, variable, name, text.data()) != NC_NOERR) return {};
    return text.substr(0, text.find('\0'));
  }
  if (type != NC_STRING) return {};
  std::vector<char*> texts(length, nullptr);
  if (nc_get_att_string(file, variable, name, texts.data()) != NC_NOERR) return {};
  std::string text = texts.front() == nullptr ? "" : texts.front();
  static_cast<void>(nc_free_string(length, texts.data()));
  return text;
}

std::optional<double> number_attribute(int file, int variable, const char* name) {
  std::size_t length = 0;
  double value = 0;
  if (nc_inq_attlen(file, variable, name, &length) != NC_NOERR || length != 1) return std::nullopt;
  if (nc_get_att_double(file, variable, name, &value) != NC_NOERR) return std::nullopt;
  return value;
}

void unpack(int file, int variable, std::span<double> values) {
  const double factor = number_attribute(file, variable, "scale_factor").value_or(1);
  const double offset = number_attribute(file, variable, "add_offset").value_or(0);
  for (double& value : values) value = value * factor + offset;
}

int read_marks(int file, int variable, nc_type type, std::vector<double>& marks) {
  constexpr std::size_t most = 1024;
  for (const char* name : {"_FillValue", "missing_value"}) {
    nc_type its = NC_NAT;
    std::size_t length = 0;
    if (nc_inq_att(file, variable, name, &its, &length) != NC_NOERR) continue;
    if (its == NC_CHAR || its > NC_UINT64 || length > most) continue;
    std::vector<double> values(length);
    const int status = nc_get_att_double(file, variable, name, values.data());
    if (status != NC_NOERR) return status;
    for (const double value : values) {
      marks.push_back(type == NC_FLOAT ? static_cast<double>(static_cast<float>(value)) : value);
    }
  }
  return NC_NOERR;
}

double unsigned_span(std::string_view is_unsigned, bool is_integer, std::int64_t value_bytes) {
  const bool is_true = is_unsigned == "true" || is_unsigned == "True" || is_unsigned == "TRUE";
  return is_true && is_integer ? std::exp2(8.0 * static_cast<double>(value_bytes)) : 0;
}

bool is_mark(std::span<const double> marks, double value) {
  const auto is_it = [value](double mark) {
    return mark == value || (std::isnan(mark) && std::isnan(value));
  };
  return std::any_of(marks.begin(), marks.end(), is_it);
}

}  // namespace epios::io
