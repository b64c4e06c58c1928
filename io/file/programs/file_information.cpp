// The command `epios info`: prints how much the bits of a file's fields say, and how many of them
// to keep. One record is looked at, along each of its dimensions; the information of a bit is the
// mean over them.
#include "file_information.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "config/index.hpp"
#include "field_table.hpp"
#include "file/data_file.hpp"
#include "grid/bit_information.hpp"

namespace epios::io {

namespace {

/// Values of a box, NaN where there are none, and the lengths of its dimensions.
struct Values {
  std::vector<double> numbers;
  Extents shape;
};

template <class T>
BitInformation information_as(const Values& values) {
  const std::vector<T> numbers(values.numbers.begin(), values.numbers.end());
  return information_of_array<T>(numbers, values.shape);
}

/// A bar for each bit: sign, exponent, mantissa.
std::string picture(const std::vector<double>& information) {
  static constexpr std::array<std::string_view, 9> bars{" ", "▁", "▂", "▃", "▄",
                                                        "▅", "▆", "▇", "█"};
  const std::size_t mantissa = information.size() == 32 ? 9 : 12;
  std::string out = "|";
  for (std::size_t b = 0; b < information.size(); ++b) {
    if (b == 1 || b == mantissa) out += '|';
    const auto height = static_cast<int>(std::ceil(8 * std::min(1.0, information[b])));
    out += nth(bars, height);
  }
  return out + "|";
}

bool is_constant(const Values& values) {
  std::optional<double> one;
  for (const double value : values.numbers) {
    if (std::isnan(value)) continue;
    if (one && value != *one) return false;
    one = value;
  }
  return true;
}

std::string advice(const KeptBits& kept, const Values& values, bool is_single) {
  const int all = is_single ? 23 : 52;
  if (is_constant(values)) return "constant";
  if (kept.total == 0) return "no neighbour tells anything: noise, or too few values";
  std::string text = kept.mantissa_bits < all
                         ? fmt::format("round to {} of {} mantissa bits", kept.mantissa_bits, all)
                         : "every bit counts";
  if (kept.artificial_from >= 0) {
    text += fmt::format(
        "; bits from {} on repeat others (packed, interpolated or converted data, many equal "
        "values?)",
        kept.artificial_from);
  }
  return text;
}

Row information_row(const std::string& name, const Values& values, bool is_single, double share) {
  const BitInformation information =
      is_single ? information_as<float>(values) : information_as<double>(values);
  const KeptBits kept = bits_to_keep(information, share);
  return {name, is_single ? "float" : "double", picture(information.bits),
          advice(kept, values, is_single), fmt::format("{:.2f}", kept.total)};
}

Values values_of(const DataFile& file, int index, const Box& box) {
  const StoredVariable& variable = nth(file.variables(), index);
  Values out{file.values(index, box), box.size};
  for (double& value : out.numbers) {
    if (variable.is_missing(value)) value = std::numeric_limits<double>::quiet_NaN();
  }
  return out;
}

/// Returns true if the dimension `d` of a variable is vertical, by its coordinate, or is one of
/// three.
bool has_levels(const DataFile& file, const StoredVariable& variable, std::size_t d) {
  if (variable.dimensions.size() <= d + 1) return false;
  if (variable.dimensions.size() > d + 2) return true;
  const int coordinate = file.find(nth(file.dimensions(), variable.dimensions[d]).name);
  if (coordinate < 0) return false;
  const StoredVariable& values = nth(file.variables(), coordinate);
  return values.attribute("axis") == "Z" || !values.attribute("positive").empty();
}

void add_rows(const DataFile& file, int index, const InformationRequest& request,
              std::int64_t record, std::vector<Row>& rows) {
  const StoredVariable& variable = nth(file.variables(), index);
  const bool is_single = variable.type == "float";
  if (variable.is_packed() || (!is_single && variable.type != "double")) {
    rows.push_back({variable.name, variable.type, "",
                    variable.is_packed() ? "packed: its bits are not those of the model"
                                         : "no floating-point numbers",
                    "-"});
    return;
  }
  Box box = whole(file.shape(index));
  const std::size_t first = is_of_records(file, variable) ? 1 : 0;
  if (first == 1) {
    box.begin[0] = record;
    box.size[0] = record >= 0 ? 1 : 0;
  }
  if (box.is_empty()) return;
  rows.push_back(
      information_row(variable.name, values_of(file, index, box), is_single, request.share));
  if (!request.by_level || !has_levels(file, variable, first)) return;
  const std::int64_t levels = box.size[first];
  for (std::int64_t level = 0; level < levels; ++level) {
    box.begin[first] = level;
    box.size[first] = 1;
    rows.push_back(information_row(fmt::format("  [{}]", level), values_of(file, index, box),
                                   is_single, request.share));
  }
}

}  // namespace

std::string file_information(const InformationRequest& request) {
  const DataFile file(request.path);
  const std::int64_t record = shown_record(file, request.record);
  std::vector<Row> rows{{"field", "type", "|sign|exponent|mantissa|",
                         fmt::format("to keep {:g} % of the information", 100 * request.share),
                         "bits"}};
  for (std::size_t v = 0; v < file.variables().size(); ++v) {
    if (is_field(file, file.variables()[v]))
      add_rows(file, static_cast<int>(v), request, record, rows);
  }
  const std::string of_record = record >= 0 ? fmt::format("; record {}", record) : std::string();
  return fmt::format("{}{}\n{}", heading(file), of_record,
                     rows.size() > 1 ? table(rows) : "  no fields\n");
}

}  // namespace epios::io
