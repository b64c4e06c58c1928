// The command `epios ls`: prints the variables of a file with their layout, compression and range,
// as a table.
#include "file_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "config/index.hpp"
#include "field_table.hpp"
#include "file/data_file.hpp"

namespace epios::io {

namespace {

struct Summary {
  std::int64_t count = 0;
  std::int64_t missing = 0;
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();
  double sum = 0;
};

Summary summary_of(const std::vector<double>& values, const StoredVariable& variable) {
  Summary out;
  for (const double value : values) {
    ++out.count;
    if (variable.is_missing(value)) {
      ++out.missing;
      continue;
    }
    out.least = std::min(out.least, value);
    out.most = std::max(out.most, value);
    out.sum += value;
  }
  return out;
}

std::string dimensions_text(const DataFile& file, const StoredVariable& variable) {
  std::vector<std::string> parts;
  for (const int d : variable.dimensions) {
    const StoredDimension& dimension = nth(file.dimensions(), d);
    parts.push_back(dimension.is_record ? dimension.name
                                        : fmt::format("{}={}", dimension.name, dimension.length));
  }
  return fmt::format("{}", fmt::join(parts, ","));
}

std::string ratio_text(const DataFile& file, int index) {
  const StoredVariable& variable = nth(file.variables(), index);
  const std::int64_t stored = file.stored_bytes(index);
  if (stored <= 0) return "-";
  const auto bytes = static_cast<double>(volume(file.shape(index)) * variable.value_bytes);
  return fmt::format("{:.2f}", bytes / static_cast<double>(stored));
}

Row row_of(const DataFile& file, int index, std::int64_t record) {
  const StoredVariable& variable = nth(file.variables(), index);
  Row row{variable.name, variable.type, dimensions_text(file, variable),
          variable.chunk.empty() ? "-" : fmt::format("{}", fmt::join(variable.chunk, "x")),
          ratio_text(file, index)};
  Box box = whole(file.shape(index));
  if (is_of_records(file, variable)) {
    box.begin[0] = record;
    box.size[0] = record >= 0 ? 1 : 0;
  }
  if (variable.content != StoredVariable::Content::numbers || box.is_empty()) {
    row.insert(row.end(), 4, "-");
    return row;
  }
  const Summary sum = summary_of(file.values(index, box), variable);
  const std::int64_t present = sum.count - sum.missing;
  row.push_back(fmt::format(
      "{:.1f} %", 100 * static_cast<double>(sum.missing) / static_cast<double>(sum.count)));
  if (present == 0) {
    row.insert(row.end(), 3, "-");
    return row;
  }
  for (const double number : {sum.least, sum.sum / static_cast<double>(present), sum.most}) {
    row.push_back(fmt::format("{:.6g}", number));
  }
  return row;
}

}  // namespace

std::string file_list(const std::string& path, std::optional<std::int64_t> record) {
  const DataFile file(path);
  const std::int64_t shown = shown_record(file, record);
  std::vector<Row> rows = {
      {"field", "type", "dimensions", "chunk", "ratio", "missing", "min", "mean", "max"}};
  for (std::size_t v = 0; v < file.variables().size(); ++v) {
    if (is_field(file, file.variables()[v])) {
      rows.push_back(row_of(file, static_cast<int>(v), shown));
    }
  }
  const std::string of_record =
      shown >= 0 ? fmt::format("; values of record {}", shown) : std::string();
  return fmt::format("{}{}\n{}", heading(file), of_record,
                     rows.size() > 1 ? table(rows) : "  no fields\n");
}

}  // namespace epios::io
