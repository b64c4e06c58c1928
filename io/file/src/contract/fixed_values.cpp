// Coordinates and other variables without records, each writer its own part. It checks that the
// parts fit and together cover every point, and writes them, converted in small blocks, into the
// file.
#include "contract/fixed_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "config/error.hpp"
#include "config/index.hpp"
#include "disk/posix_file.hpp"
#include "disk/value_kind.hpp"

namespace epios::io {

namespace {

// Numbers are converted and written so many at a time.
constexpr std::int64_t piece_points = std::int64_t{1} << 14;

std::size_t index(std::int64_t value) { return static_cast<std::size_t>(value); }

}  // namespace

void for_each_run(
    const Extents& shape, const Box& box,
    const std::function<void(std::int64_t point, std::int64_t offset, std::int64_t count)>& run) {
  if (box.is_empty()) return;
  // Dimensions from `inner` on form a run: all whole but the first of them.
  std::size_t inner = shape.size();
  std::int64_t count = 1;
  while (inner > 0) {
    --inner;
    count *= box.size[inner];
    if (box.size[inner] != shape[inner]) break;
  }
  const std::int64_t runs = box.volume() / count;
  Extents point = box.begin;
  for (std::int64_t r = 0; r < runs; ++r) {
    std::int64_t place = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) place = place * shape[d] + point[d];
    run(place, r * count, count);
    for (std::size_t d = inner; d-- > 0;) {
      if (++point[d] < box.begin[d] + box.size[d]) break;
      point[d] = box.begin[d];
    }
  }
}

FixedValues::FixedValues(const FileSpec& spec) : spec_(spec) {
  for (std::size_t v = 0; v < spec.variables.size(); ++v) {
    const auto& dimensions = spec.variables[v].dimensions;
    const bool is_record = !dimensions.empty() && nth(spec.dimensions, dimensions[0]).length == 0;
    if (!is_record && !spec.variables[v].is_once) variables_.push_back(static_cast<int>(v));
  }
}

const VariableSpec& FixedValues::variable(std::size_t number) const {
  return nth(spec_.variables, variables_[number]);
}

Extents FixedValues::shape(std::size_t number) const {
  Extents out;
  for (const int d : variable(number).dimensions) out.push_back(nth(spec_.dimensions, d).length);
  return out;
}

void FixedValues::reject(std::size_t number, const std::string& why) const {
  throw Error(ErrorCode::internal,
              fmt::format("file '{}': bad description of '{}' ({}). Please report this?",
                          spec_.path, variable(number).name, why));
}

void FixedValues::check() const {
  for (std::size_t n = 0; n < variables_.size(); ++n) check(n);
}

void FixedValues::check(std::size_t number) const {
  const FixedPart& part = variable(number).fixed;
  const Extents shape = this->shape(number);
  const bool is_text = variable(number).kind == ValueKind::text;
  std::int64_t points = 0;
  std::int64_t rows = 0;
  if (!part.box.is_empty()) {
    if (part.box.rank() != shape.size() || !contains(whole(shape), part.box)) {
      reject(number, "the fixed part is outside of the variable");
    }
    if (is_text && (shape.empty() || part.box.size.back() != shape.back())) {
      reject(number, "the fixed part has no whole rows of text");
    }
    (is_text ? rows : points) = part.box.volume() / (is_text ? shape.back() : 1);
  }
  if (std::cmp_not_equal(part.numbers.size(), points) ||
      std::cmp_not_equal(part.texts.size(), rows)) {
    reject(number, fmt::format("{} numbers and {} texts where {} and {} are due",
                               part.numbers.size(), part.texts.size(), points, rows));
  }
  for (const std::string& text : part.texts) {
    if (std::cmp_greater(text.size(), shape.back())) {
      reject(number, fmt::format("the text '{}' is longer than its row", text));
    }
  }
}

std::vector<std::int64_t> FixedValues::counts() const {
  std::vector<std::int64_t> out;
  for (std::size_t n = 0; n < variables_.size(); ++n) {
    out.push_back(variable(n).fixed.box.volume());
  }
  return out;
}

std::vector<std::int64_t> FixedValues::value_counts() const {
  std::vector<std::int64_t> out = counts();
  for (std::size_t n = 0; n < variables_.size(); ++n) {
    const auto& numbers = variable(n).fixed.numbers;
    out[n] -= std::count_if(numbers.begin(), numbers.end(), [](double v) { return std::isnan(v); });
  }
  return out;
}

std::vector<int> FixedValues::incomplete(const std::vector<std::int64_t>& value_counts) const {
  std::vector<int> out;
  for (std::size_t n = 0; n < variables_.size(); ++n) {
    if (value_counts[n] < volume(shape(n))) out.push_back(variables_[n]);
  }
  return out;
}

bool FixedValues::are_complete(const std::vector<std::int64_t>& counts) const {
  bool all = true;
  for (std::size_t n = 0; n < variables_.size(); ++n) {
    const std::int64_t points = volume(shape(n));
    // All writers may have what has no dimensions (grid mappings, how values are rounded), alike.
    if (counts[n] > points && !shape(n).empty()) {
      reject(n, fmt::format("its writers have {} points of {}", counts[n], points));
    }
    all = all && counts[n] >= points;
  }
  return all;
}

void FixedValues::write_at(const ValueSink& file, std::size_t number, std::int64_t point,
                           std::span<const std::byte> data) const {
  const std::int64_t offset = point * size_bytes(variable(number).kind);
  const int error =
      file(variable(number).kind, data, addresses_[number] + static_cast<std::uint64_t>(offset));
  if (error == 0) return;
  const std::string problem = fmt::format("cannot write the values of '{}'", variable(number).name);
  throw Error(ErrorCode::io, system_error_text(spec_.path, problem, error));
}

void FixedValues::write_unset(const ValueSink& file,
                              const std::vector<std::int64_t>& counts) const {
  for (std::size_t n = 0; n < variables_.size(); ++n) {
    const std::int64_t points = volume(shape(n));
    if (counts[n] >= points) continue;
    const std::vector<std::byte> value = unset_bytes(variable(n));
    std::vector<std::byte> piece;
    for (std::int64_t p = std::min(points, piece_points); p > 0; --p) {
      piece.insert(piece.end(), value.begin(), value.end());
    }
    for (std::int64_t p = 0; p < points; p += piece_points) {
      const std::int64_t count = std::min(piece_points, points - p);
      write_at(file, n, p, std::span(piece).first(index(count) * value.size()));
    }
  }
}

void FixedValues::write(const ValueSink& file) const {
  for (std::size_t n = 0; n < variables_.size(); ++n) {
    if (variable(n).fixed.box.is_empty()) continue;
    if (variable(n).kind == ValueKind::text) {
      write_texts(file, n);
    } else {
      write_numbers(file, n);
    }
  }
}

void FixedValues::write_numbers(const ValueSink& file, std::size_t number) const {
  const VariableSpec& described = variable(number);
  const std::vector<std::byte> unset = unset_bytes(described);
  std::vector<std::byte> piece;
  const auto write_piece = [&](std::int64_t point, std::span<const double> numbers) {
    piece.resize(numbers.size() * index(size_bytes(described.kind)));
    const auto wrong = encode_numbers(described.kind, numbers, unset, piece);
    if (wrong) {
      throw Error(
          ErrorCode::io,
          fmt::format("file '{}': cannot write the values of '{}' ({} is too large for {} "
                      "bytes). Set prec=\"8\"?",
                      spec_.path, described.name, numbers[*wrong], size_bytes(described.kind)));
    }
    write_at(file, number, point, piece);
  };
  const FixedPart& part = described.fixed;
  for_each_run(shape(number), part.box,
               [&](std::int64_t point, std::int64_t offset, std::int64_t count) {
                 for (std::int64_t p = 0; p < count; p += piece_points) {
                   const std::int64_t n = std::min(piece_points, count - p);
                   write_piece(point + p, part.numbers.subspan(index(offset + p), index(n)));
                 }
               });
}

void FixedValues::write_texts(const ValueSink& file, std::size_t number) const {
  const FixedPart& part = variable(number).fixed;
  const std::size_t length = index(part.box.size.back());
  std::vector<std::byte> rows(part.texts.size() * length);
  for (std::size_t t = 0; t < part.texts.size(); ++t) {
    const auto bytes = std::as_bytes(std::span(part.texts[t]));
    std::copy(bytes.begin(), bytes.end(), rows.begin() + static_cast<std::ptrdiff_t>(t * length));
  }
  for_each_run(
      shape(number), part.box, [&](std::int64_t point, std::int64_t offset, std::int64_t count) {
        write_at(file, number, point, std::span(rows).subspan(index(offset), index(count)));
      });
}

}  // namespace epios::io
