// The command `epios ls`: prints the variables of a file with their layout, compression and range,
// as a table or for programs.
#include "file_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "config/index.hpp"
#include "field_table.hpp"
#include "file/data_file.hpp"

namespace epios::io {

namespace {

using Json = nlohmann::ordered_json;

struct Summary {
  std::int64_t count = 0;
  std::int64_t missing = 0;
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();
  double sum = 0;

  std::int64_t present() const { return count - missing; }
  double mean() const { return sum / static_cast<double>(present()); }
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

/// A variable that is no coordinate, and its values in a record.
struct Listed {
  const StoredVariable& variable;
  double ratio = 0;               ///< of its bytes to those stored; 0: not known
  std::optional<Summary> values;  ///< of numbers, where there is a record
};

Listed listed(const DataFile& file, int index, std::int64_t record) {
  Listed out{nth(file.variables(), index), 0, std::nullopt};
  if (const std::int64_t stored = file.stored_bytes(index); stored > 0) {
    out.ratio = static_cast<double>(volume(file.shape(index)) * out.variable.value_bytes) /
                static_cast<double>(stored);
  }
  Box box = whole(file.shape(index));
  if (is_of_records(file, out.variable)) {
    box.begin[0] = record;
    box.size[0] = record >= 0 ? 1 : 0;
  }
  if (out.variable.content == StoredVariable::Content::numbers && !box.is_empty()) {
    out.values = summary_of(file.values(index, box), out.variable);
  }
  return out;
}

std::vector<Listed> all_listed(const DataFile& file, std::int64_t record) {
  std::vector<Listed> out;
  for (std::size_t v = 0; v < file.variables().size(); ++v) {
    if (is_field(file, file.variables()[v]))
      out.push_back(listed(file, static_cast<int>(v), record));
  }
  return out;
}

Row row_of(const DataFile& file, const Listed& listed) {
  const StoredVariable& variable = listed.variable;
  Row row{variable.name, variable.type, dimensions_text(file, variable),
          variable.chunk.empty() ? "-" : fmt::format("{}", fmt::join(variable.chunk, "x")),
          listed.ratio > 0 ? fmt::format("{:.2f}", listed.ratio) : "-"};
  if (!listed.values) {
    row.insert(row.end(), 4, "-");
    return row;
  }
  const Summary& sum = *listed.values;
  row.push_back(fmt::format(
      "{:.1f} %", 100 * static_cast<double>(sum.missing) / static_cast<double>(sum.count)));
  if (sum.present() == 0) {
    row.insert(row.end(), 3, "-");
    return row;
  }
  for (const double number : {sum.least, sum.mean(), sum.most}) {
    row.push_back(fmt::format("{:.6g}", number));
  }
  return row;
}

Json json_of(const DataFile& file, const Listed& listed) {
  const StoredVariable& variable = listed.variable;
  Json dimensions = Json::object();
  for (const int d : variable.dimensions) {
    const StoredDimension& dimension = nth(file.dimensions(), d);
    dimensions[dimension.name] = dimension.length;
  }
  Json out{{"name", variable.name},   {"type", variable.type}, {"dimensions", dimensions},
           {"chunk", variable.chunk}, {"ratio", nullptr},      {"values", nullptr}};
  if (listed.ratio > 0) out["ratio"] = listed.ratio;
  if (!listed.values) return out;
  const Summary& sum = *listed.values;
  Json& values = out["values"];
  values = {{"count", sum.count}, {"missing", sum.missing}};
  const bool has_any = sum.present() > 0;  // infinite ones become null
  values["min"] = has_any ? Json(sum.least) : Json();
  values["mean"] = has_any ? Json(sum.mean()) : Json();
  values["max"] = has_any ? Json(sum.most) : Json();
  return out;
}

}  // namespace

std::string file_list(const std::string& path, std::optional<std::int64_t> record) {
  const DataFile file(path);
  const std::int64_t shown = shown_record(file, record);
  std::vector<Row> rows = {
      {"field", "type", "dimensions", "chunk", "ratio", "missing", "min", "mean", "max"}};
  for (const Listed& variable : all_listed(file, shown)) rows.push_back(row_of(file, variable));
  const std::string of_record =
      shown >= 0 ? fmt::format("; values of record {}", shown) : std::string();
  return fmt::format("{}{}\n{}", heading(file), of_record,
                     rows.size() > 1 ? table(rows) : "  no fields\n");
}

std::string file_list_json(const std::string& path, std::optional<std::int64_t> record) {
  const DataFile file(path);
  const std::int64_t shown = shown_record(file, record);
  Json variables = Json::array();
  for (const Listed& variable : all_listed(file, shown)) {
    variables.push_back(json_of(file, variable));
  }
  const Json document{{"path", path},
                      {"format", file.format()},
                      {"record", shown >= 0 ? Json(shown) : Json()},
                      {"variables", variables}};
  return document.dump(-1, ' ', true);
}

}  // namespace epios::io
