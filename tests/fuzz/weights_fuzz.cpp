// Any file as one of weights: names, shapes, attributes and numbers are what the input says, in
// place of NetCDF. What is accepted has rows of cells that are there, and numbers.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/error.hpp"
#include "file/data_file.hpp"
#include "file/weights_file.hpp"

namespace {

using namespace epios;  // NOLINT(google-build-using-namespace)

void expect(bool law, const char* what) {
  if (law) return;
  std::fprintf(stderr, "weights_fuzz: %s\n", what);
  std::abort();
}

/// Takes numbers and words from the front of the input, and zeros behind its end.
class Input {
 public:
  explicit Input(std::span<const std::uint8_t> bytes) : rest_(bytes) {}
  unsigned byte() {
    if (rest_.empty()) return 0;
    const unsigned out = rest_.front();
    rest_ = rest_.subspan(1);
    return out;
  }
  double number() {
    switch (byte() % 8) {
      case 0:
        return std::nan("");
      case 1:
        return -static_cast<double>(byte());
      case 2:
        return std::ldexp(static_cast<double>(byte()) - 128, static_cast<int>(byte()));
      case 3:
        return byte() / 7.0;
      default:
        return byte() % 16;
    }
  }
  std::string text() {
    std::string out;
    for (unsigned length = byte() % 64; length > 0; --length) out += static_cast<char>(byte());
    return out;
  }

 private:
  std::span<const std::uint8_t> rest_;
};

constexpr std::array names{"src_idx",
                           "dst_idx",
                           "weight",
                           "weight_first",
                           "src_address",
                           "dst_address",
                           "remap_matrix",
                           "col",
                           "row",
                           "S",
                           "src_grid_center_lon",
                           "xc_a",
                           "yc_a",
                           "src_grid_center_lat",
                           "other"};
constexpr std::array lengths{"n_src",     "n_dst",    "n_weight", "src_grid_size", "dst_grid_size",
                             "num_links", "num_wgts", "n_a",      "n_b",           "n_s"};
constexpr std::array words{"epios_weights", "epios_source_grid", "epios_target_grid",
                           "epios_index_base", "units"};

/// The file of this input, while it is read. (Constructors of what is fuzzed get only a path.)
std::span<const std::uint8_t>& input() {
  static std::span<const std::uint8_t> bytes;
  return bytes;
}

void check_weights(std::span<const std::uint8_t> bytes) {
  input() = bytes.subspan(3);
  io::WeightsQuestion question;
  question.path = "weights.nc";
  question.base = bytes[0] % 2 == 0 ? io::WeightsBase::zero : io::WeightsBase::one;
  question.source_cells = bytes[1] % 16;
  question.target_cells = bytes[2] % 16;
  const io::WeightsReader reader(question);
  static_cast<void>(reader.identity());
  static_cast<void>(reader.leaves_gradients_out());
  for (const bool is_source : {false, true}) {
    for (const std::int64_t cell : {0, 7}) static_cast<void>(reader.centre(is_source, cell));
  }
  constexpr std::array<std::int64_t, 4> targets{3, 0, 1, 200};
  const io::Weights rows = io::read_weights(question, targets);
  expect(rows.offsets.size() == targets.size() + 1, "rows are missing");
  expect(rows.offsets.front() == 0 &&
             rows.offsets.back() == static_cast<std::int64_t>(rows.source.size()),
         "rows do not end where their numbers do");
  expect(rows.weight.size() == rows.source.size(), "cells without weights");
  for (std::size_t k = 0; k < rows.source.size(); ++k) {
    expect(std::isfinite(rows.weight[k]) || std::isinf(rows.weight[k]), "a weight is no number");
    expect(rows.source[k] >= 0, "a cell before the first one");
    expect(question.source_cells == 0 || rows.source[k] < question.source_cells,
           "a cell behind the last one");
  }
}

}  // namespace

namespace epios::io {

/// Stands for the reader of stores, which no input has.
class ZarrSource {};

// What the input says is there, instead of a file.

const std::string& StoredVariable::attribute(const std::string& wanted) const {
  static const std::string none;
  for (const StoredAttribute& its : attributes) {
    if (its.name == wanted) return its.text;
  }
  return none;
}

DataFile::DataFile(const std::string& path) : path_(path) {
  Input in(input());
  for (unsigned d = in.byte() % 6; d > 0; --d) {
    const unsigned which = in.byte();
    dimensions_.push_back(
        {lengths.at(which % lengths.size()), static_cast<std::int64_t>(in.byte() % 20)});
  }
  const auto attributes = [&] {
    std::vector<StoredAttribute> out;
    for (unsigned a = in.byte() % 3; a > 0; --a) {
      const unsigned which = in.byte();
      out.push_back({words.at(which % words.size()), in.text()});
    }
    return out;
  };
  for (unsigned v = in.byte() % 8; v > 0; --v) {
    StoredVariable& variable = variables_.emplace_back();
    variable.name = names.at(in.byte() % names.size());
    for (unsigned d = in.byte() % 4; d > 0 && !dimensions_.empty(); --d) {
      variable.dimensions.push_back(static_cast<int>(in.byte() % dimensions_.size()));
    }
    variable.attributes = attributes();
  }
  attributes_ = attributes();
}
DataFile::~DataFile() = default;

int DataFile::find(const std::string& variable) const {
  for (std::size_t v = 0; v < variables_.size(); ++v) {
    if (variables_[v].name == variable) return static_cast<int>(v);
  }
  return -1;
}

Extents DataFile::shape(int variable) const {
  Extents out;
  for (const int d : variables_.at(static_cast<std::size_t>(variable)).dimensions) {
    out.push_back(dimensions_.at(static_cast<std::size_t>(d)).length);
  }
  return out;
}

/// A box beyond the variable is a mistake of the caller, which NetCDF would tell the user.
std::vector<double> DataFile::stored_values(int variable, const Box& box) const {
  const Extents there = shape(variable);
  expect(box.begin.size() == there.size() && box.size.size() == there.size(), "another rank");
  for (std::size_t d = 0; d < there.size(); ++d) {
    expect(box.begin[d] >= 0 && box.size[d] >= 0 && box.begin[d] + box.size[d] <= there[d],
           "values that are not there");
  }
  Input in(input().subspan(
      std::min<std::size_t>(input().size(), 24 + 16 * static_cast<unsigned>(variable))));
  std::vector<double> out(static_cast<std::size_t>(box.volume()));
  for (double& value : out) value = in.number();
  return out;
}

}  // namespace epios::io

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 4) return 0;
  try {
    check_weights({data, size});
  } catch (const Error& error) {
    expect(error.code() == ErrorCode::io, error.what());
  }
  return 0;
}
