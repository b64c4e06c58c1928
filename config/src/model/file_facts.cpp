// The byte codec of questions about files and of their answers, and the matching of variables to
// grids: which dimension of a variable is which dimension of a grid, and which one counts records.
#include "config/file_facts.hpp"

#include <algorithm>
#include <numeric>

#include "config/bytes.hpp"
#include "config/file_dates.hpp"

namespace epios::config {

namespace {

// Smallest number of bytes of an item in a list.
constexpr std::size_t min_text_bytes = 8;
constexpr std::size_t min_dimension_bytes = 8 + 8 + 1;
constexpr std::size_t min_variable_bytes = 8 + 1 + 8 + 8 + 8;
constexpr std::size_t min_file_bytes = 8 + 8 + 1 + 8 + 8 + 8;
constexpr std::size_t min_question_bytes = 8 + 8 + 1;

void close(const ByteReader& reader) {
  if (reader.at_end()) return;
  throw Error(ErrorCode::protocol,
              "what a file says of itself is longer than it should be (damaged, or made by another "
              "version of EPIOS). Are all programs of this job linked with the same EPIOS?");
}

FileFacts::Variable get_variable(ByteReader& reader, std::size_t dimensions) {
  FileFacts::Variable variable;
  variable.name = reader.get_string();
  variable.holds_numbers = reader.get<std::uint8_t>() != 0;
  variable.dimensions = reader.get_vector<int>();
  for (const int dimension : variable.dimensions) {
    if (dimension >= 0 && static_cast<std::size_t>(dimension) < dimensions) continue;
    throw Error(ErrorCode::protocol,
                "what a file says of itself names a dimension that it has not. Is this a bug of "
                "EPIOS?");
  }
  variable.attributes.resize(reader.get_length(2 * min_text_bytes));
  for (FileFacts::Attribute& attribute : variable.attributes) {
    attribute.name = reader.get_string();
    attribute.text = reader.get_string();
  }
  variable.dates = reader.get_vector<double>();
  return variable;
}

FileFacts get_file(ByteReader& reader) {
  FileFacts file;
  file.path = reader.get_string();
  file.folder = reader.get_string();
  file.exists = reader.get<std::uint8_t>() != 0;
  file.error = reader.get_string();
  file.dimensions.resize(reader.get_length(min_dimension_bytes));
  for (FileFacts::Dimension& dimension : file.dimensions) {
    dimension.name = reader.get_string();
    dimension.length = reader.get<std::int64_t>();
    dimension.is_unlimited = reader.get<std::uint8_t>() != 0;
  }
  const std::size_t count = reader.get_length(min_variable_bytes);
  for (std::size_t v = 0; v < count; ++v) {
    file.variables.push_back(get_variable(reader, file.dimensions.size()));
  }
  file.sort_names();
  return file;
}

}  // namespace

std::string_view FileFacts::Variable::attribute(std::string_view wanted) const {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [wanted](const Attribute& a) { return a.name == wanted; });
  return found == attributes.end() ? std::string_view() : found->text;
}

void FileFacts::sort_names() {
  by_name.resize(variables.size());
  std::iota(by_name.begin(), by_name.end(), std::size_t{0});
  std::stable_sort(by_name.begin(), by_name.end(), [this](std::size_t a, std::size_t b) {
    return variables[a].name < variables[b].name;
  });
}

const FileFacts::Variable* FileFacts::find(std::string_view variable) const {
  if (by_name.size() == variables.size()) {
    const auto at = std::lower_bound(by_name.begin(), by_name.end(), variable,
                                     [this](std::size_t number, std::string_view wanted) {
                                       return variables[number].name < wanted;
                                     });
    return at != by_name.end() && variables[*at].name == variable ? &variables[*at] : nullptr;
  }
  const auto found = std::find_if(variables.begin(), variables.end(),
                                  [variable](const Variable& v) { return v.name == variable; });
  return found == variables.end() ? nullptr : &*found;
}

std::vector<std::int64_t> FileFacts::shape(const Variable& variable) const {
  std::vector<std::int64_t> lengths;
  for (const int dimension : variable.dimensions) lengths.push_back(length(dimension));
  return lengths;
}

std::vector<std::byte> encode(std::span<const FileQuestion> questions) {
  ByteWriter writer;
  writer.put(static_cast<std::uint64_t>(questions.size()));
  for (const FileQuestion& question : questions) {
    writer.put(std::string_view(question.path));
    writer.put(static_cast<std::uint64_t>(question.variables.size()));
    for (const std::string& variable : question.variables) writer.put(std::string_view(variable));
    writer.put(static_cast<std::uint8_t>(question.wants_dates ? 1 : 0));
  }
  return writer.take();
}

std::vector<FileQuestion> decode_questions(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  std::vector<FileQuestion> questions(reader.get_length(min_question_bytes));
  for (FileQuestion& question : questions) {
    question.path = reader.get_string();
    question.variables.resize(reader.get_length(min_text_bytes));
    for (std::string& variable : question.variables) variable = reader.get_string();
    question.wants_dates = reader.get<std::uint8_t>() != 0;
  }
  close(reader);
  return questions;
}

std::vector<std::byte> encode(std::span<const FileFacts> facts) {
  ByteWriter writer;
  writer.put(static_cast<std::uint64_t>(facts.size()));
  for (const FileFacts& file : facts) {
    writer.put(std::string_view(file.path));
    writer.put(std::string_view(file.folder));
    writer.put(static_cast<std::uint8_t>(file.exists ? 1 : 0));
    writer.put(std::string_view(file.error));
    writer.put(static_cast<std::uint64_t>(file.dimensions.size()));
    for (const FileFacts::Dimension& dimension : file.dimensions) {
      writer.put(std::string_view(dimension.name));
      writer.put(dimension.length);
      writer.put(static_cast<std::uint8_t>(dimension.is_unlimited ? 1 : 0));
    }
    writer.put(static_cast<std::uint64_t>(file.variables.size()));
    for (const FileFacts::Variable& variable : file.variables) {
      writer.put(std::string_view(variable.name));
      writer.put(static_cast<std::uint8_t>(variable.holds_numbers ? 1 : 0));
      writer.put(variable.dimensions);
      writer.put(static_cast<std::uint64_t>(variable.attributes.size()));
      for (const FileFacts::Attribute& attribute : variable.attributes) {
        writer.put(std::string_view(attribute.name));
        writer.put(std::string_view(attribute.text));
      }
      writer.put(variable.dates);
    }
  }
  return writer.take();
}

std::vector<FileFacts> decode_facts(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  const std::size_t count = reader.get_length(min_file_bytes);
  std::vector<FileFacts> facts;
  for (std::size_t f = 0; f < count; ++f) facts.push_back(get_file(reader));
  close(reader);
  return facts;
}

std::optional<std::vector<int>> fit_dimensions(std::span<const std::int64_t> lengths,
                                               std::span<const std::optional<std::int64_t>> sizes) {
  // fits[i][j]: from size i and length j on they go together. Few of each.
  const std::size_t rows = sizes.size();
  const std::size_t columns = lengths.size();
  std::vector<std::vector<char>> fits(rows + 1, std::vector<char>(columns + 1, 0));
  const auto may_meet = [&](std::size_t i, std::size_t j) {
    return sizes[i].value_or(lengths[j]) == lengths[j];
  };
  for (std::size_t i = rows + 1; i-- > 0;) {
    for (std::size_t j = columns + 1; j-- > 0;) {
      const bool meet = i < rows && j < columns && may_meet(i, j) && fits[i + 1][j + 1] != 0;
      const bool skip_length = j < columns && lengths[j] == 1 && fits[i][j + 1] != 0;
      const bool skip_size = i < rows && sizes[i] == 1 && fits[i + 1][j] != 0;
      fits[i][j] = (i == rows && j == columns) || meet || skip_length || skip_size ? 1 : 0;
    }
  }
  if (fits[0][0] == 0) return std::nullopt;
  std::vector<int> out(rows, -1);
  std::size_t j = 0;
  for (std::size_t i = 0; i < rows;) {
    if (j < columns && may_meet(i, j) && fits[i + 1][j + 1] != 0) {
      out[i++] = static_cast<int>(j++);
    } else if (j < columns && lengths[j] == 1 && fits[i][j + 1] != 0) {
      ++j;
    } else {
      ++i;
    }
  }
  return out;
}

bool says_time(std::string_view dimension, std::string_view units, std::string_view axis,
               std::string_view standard_name) {
  return dimension == "time" || dimension == "time_counter" || axis == "T" ||
         standard_name == "time" || say_dates(units);
}

std::optional<FittedVariable> fit_variable(const FileFacts& file,
                                           const FileFacts::Variable& variable,
                                           std::string_view time_name,
                                           std::span<const std::optional<std::int64_t>> sizes) {
  const std::vector<std::int64_t> lengths = file.shape(variable);
  const auto fitted = [&](bool has_records) -> std::optional<FittedVariable> {
    const std::size_t skipped = has_records ? 1 : 0;
    const auto places = fit_dimensions(std::span(lengths).subspan(skipped), sizes);
    if (!places) return std::nullopt;
    FittedVariable out{has_records, {}};
    for (const int place : *places) {
      out.dimensions.push_back(
          place < 0 ? -1 : variable.dimensions[static_cast<std::size_t>(place) + skipped]);
    }
    return out;
  };
  if (lengths.empty()) return fitted(false);
  const auto& first = file.dimensions[static_cast<std::size_t>(variable.dimensions.front())];
  if (first.is_unlimited || first.name == time_name) return fitted(true);
  const FileFacts::Variable* const coordinate = file.find(first.name);
  const auto says = [coordinate](std::string_view name) {
    return coordinate == nullptr ? std::string_view() : coordinate->attribute(name);
  };
  if (says_time(first.name, says("units"), says("axis"), says("standard_name"))) {
    if (auto with = fitted(true)) return with;
  }
  return fitted(false);
}

}  // namespace epios::config
