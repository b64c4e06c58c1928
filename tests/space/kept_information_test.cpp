// keep_information in whole runs: the bits that the first record with information says, in files of
// both kinds, against what `epios info` says of unrounded values.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <numbers>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "space_run.hpp"

namespace epios::client::kept_information_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr int ni = 144, nj = 72;
constexpr double degree = std::numbers::pi / 180;

const char* const definitions = R"(
    <domain_definition>
      <domain id="d" ni_glo="144" nj_glo="72" type="rectilinear"><generate_rectilinear_domain/></domain>
    </domain_definition>
    <field_definition operation="instant" prec="8" domain_ref="d" default_value="-999">
      <field id="t"/>
    </field_definition>
    <file_definition output_freq="1h">
      <file id="raw"><field field_ref="t"/></file>
      <file id="kept" compression_level="1"><field field_ref="t" keep_information="0.99"/></file>
      <file id="single"><field field_ref="t" prec="4" keep_information="0.99"/></file>
      <file id="store" format="zarr"><field field_ref="t" keep_information="0.99"/></file>
      <file id="part" split_freq="2h"><field field_ref="t" keep_information="0.99"/></file>
    </file_definition>)";

/// Smooth, with noise in the fourth digit, and missing in a corner.
double value_of(std::int64_t i, std::int64_t j, int step) {
  if (i < 4 && j < 4) return -999;
  const double lon = 2.5 * static_cast<double>(i) * degree;
  const double lat = (2.5 * static_cast<double>(j) - 90) * degree;
  const double noise = std::fmod(std::abs(std::sin(12.9898 * static_cast<double>(i) +
                                                   78.233 * static_cast<double>(j + step))) *
                                     43758.5453,
                                 1.0);
  return 280 + 20 * std::cos(lat) * std::cos(lon + 0.1 * step) + 0.02 * noise;
}

void run(Client& client) {
  Context context = client.open_context("k");
  context.close_definition();
  const auto number = [&](const char* name) {
    return context.at("domain", "d").get<std::int64_t>(name).value_or(-1);
  };
  for (int step = 1; step <= 4; ++step) {
    context.update_calendar(step);
    std::vector<double> t;
    for (std::int64_t j = number("jbegin"); j < number("jbegin") + number("nj"); ++j) {
      for (std::int64_t i = number("ibegin"); i < number("ibegin") + number("ni"); ++i) {
        t.push_back(step == 1 ? 1.0 / 3 : value_of(i, j, step));  // constant at first
      }
    }
    context.send("t", t);
  }
  context.finalize();
}

std::string read(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::string output_of(const std::string& command) {
  std::string out;
  FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return out;
  std::array<char, 4096> chunk{};
  while (std::fgets(chunk.data(), static_cast<int>(chunk.size()), pipe) != nullptr) {
    out += chunk.data();
  }
  ::pclose(pipe);
  return out;
}

int number_behind(const std::string& text, const std::string& expression) {
  std::smatch found;
  if (!std::regex_search(text, found, std::regex(expression))) return -1;
  return std::stoi(found[1]);
}

void expect_rounded(const std::vector<double>& raw, const std::vector<double>& kept, int bits) {
  ASSERT_EQ(kept.size(), raw.size());
  constexpr std::size_t first_record = static_cast<std::size_t>(ni) * nj;
  const double largest_error = std::ldexp(1.0, -bits - 1);
  const std::uint64_t left_out = (std::uint64_t{1} << (52U - static_cast<unsigned>(bits))) - 1;
  int changed = 0;
  for (std::size_t k = 0; k < raw.size(); ++k) {
    if (k < first_record || std::isnan(raw[k])) {
      EXPECT_TRUE(kept[k] == raw[k] || (std::isnan(kept[k]) && std::isnan(raw[k]))) << k;
      continue;
    }
    EXPECT_LE(std::abs(kept[k] / raw[k] - 1), largest_error) << k;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(kept[k]) & left_out, 0U) << k;
    changed += kept[k] != raw[k] ? 1 : 0;
  }
  EXPECT_GT(changed, 1000);
}

void look() {
  const std::string info = output_of(std::string(EPIOS_COMMAND) + " info --record 1 raw.nc");
  const int bits = number_behind(info, "round to ([0-9]+) of 52 mantissa bits");
  ASSERT_GT(bits, 3) << info;
  ASSERT_LT(bits, 20) << info;
  const std::string kept = test::dumped("kept.nc");
  EXPECT_THAT(kept, HasSubstr(fmt::format("t:quantization_nsb = {} ;", bits)));
  EXPECT_THAT(kept, HasSubstr(R"(t:quantization = "quantization_info" ;)"));
  EXPECT_THAT(kept, HasSubstr(R"(quantization_info:algorithm = "bitround" ;)"));
  // Would have found the name of a convention that does not have these attributes.
  EXPECT_THAT(kept, HasSubstr(R"(:Conventions = "CF-1.12" ;)"));
  EXPECT_THAT(test::dumped("raw.nc"), HasSubstr(R"(:Conventions = "CF-1.11" ;)"));
  EXPECT_THAT(kept, HasSubstr(R"(quantization_info:implementation = "EPIOS)"));
  const std::vector<double> error =
      test::values(std::regex_replace(kept, std::regex("t:quantization_maximum_relative_error"),
                                      " largest_error"),
                   "largest_error");
  ASSERT_EQ(error.size(), 1U);
  EXPECT_EQ(error.front(), std::ldexp(1.0, -bits - 1));
  const std::vector<double> raw = test::values(test::dumped("raw.nc"), "t");
  expect_rounded(raw, test::values(kept, "t"), bits);
  EXPECT_THAT(test::dumped("raw.nc"), Not(HasSubstr("quantization")));
  // The same bits of float.
  EXPECT_NEAR(number_behind(test::dumped("single.nc"), "t:quantization_nsb = ([0-9]+) ;"), bits, 1);
  EXPECT_THAT(read("store.zarr/t/.zattrs"),
              HasSubstr(fmt::format("\"quantization_nsb\": {}", bits)));
  EXPECT_THAT(read("store.zarr/.zmetadata"),
              HasSubstr(fmt::format("\"quantization_nsb\": {}", bits)));
  // Each part of a split file says it.
  std::istringstream parts(output_of("ls part_*.nc"));
  int count = 0;
  for (std::string name; parts >> name; ++count) {
    EXPECT_THAT(test::dumped(name), HasSubstr(fmt::format("t:quantization_nsb = {} ;", bits)))
        << name;
  }
  EXPECT_EQ(count, 2);
}

TEST(KeptInformation, is_measured_on_the_first_record_with_any) {
  test::run_three_or_one("<simulation>" + test::context("k", definitions) + "</simulation>", run,
                         look);
}

}  // namespace
}  // namespace epios::client::kept_information_test
