/// @file
/// What runs that were cut have written, against what one run has.
#pragma once

#include <gtest/gtest.h>
#include <netcdf.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace epios::client {

/// Variables of a file: per variable without time its values, of others per end of the interval.
struct Contents {
  std::map<std::string, std::vector<double>> fixed;
  std::map<std::string, std::map<double, std::vector<double>>> records;
};

inline void read_into(Contents& out, const std::filesystem::path& path) {
  int file = -1;
  ASSERT_EQ(nc_open(path.c_str(), NC_NOWRITE, &file), NC_NOERR) << path;
  int unlimited = -1;
  std::size_t length = 0;
  nc_inq_unlimdim(file, &unlimited);
  if (unlimited >= 0) nc_inq_dimlen(file, unlimited, &length);
  std::vector<double> bounds_of_time(2 * length);
  for (const char* name : {"time_counter_bounds", "time_instant_bounds"}) {
    int id = -1;
    if (nc_inq_varid(file, name, &id) == NC_NOERR)
      nc_get_var_double(file, id, bounds_of_time.data());
  }
  int count = 0;
  nc_inq_nvars(file, &count);
  for (int v = 0; v < count; ++v) {
    std::array<char, NC_MAX_NAME + 1> name{};
    std::array<int, NC_MAX_VAR_DIMS> dimensions{};
    int rank = 0;
    nc_inq_var(file, v, name.data(), nullptr, &rank, dimensions.data(), nullptr);
    std::size_t size = 1;
    for (int d = 0; d < rank; ++d) {
      std::size_t n = 0;
      nc_inq_dimlen(file, dimensions.at(static_cast<std::size_t>(d)), &n);
      size *= n;
    }
    std::vector<double> values(size);
    EXPECT_EQ(nc_get_var_double(file, v, values.data()), NC_NOERR);
    if (rank == 0 || dimensions[0] != unlimited) {
      const auto [known, is_new] = out.fixed.emplace(name.data(), values);
      const bool is_same =
          known->second.size() == values.size() &&
          std::memcmp(known->second.data(), values.data(), values.size() * sizeof(double)) == 0;
      EXPECT_TRUE(is_same) << path << " " << name.data() << " is another one in another file";
      continue;
    }
    const std::size_t points = length == 0 ? 0 : size / length;
    for (std::size_t r = 0; r < length; ++r) {
      const auto first = values.begin() + static_cast<std::ptrdiff_t>(r * points);
      const auto [place, is_new] = out.records[name.data()].emplace(
          bounds_of_time[2 * r + 1],
          std::vector<double>(first, first + static_cast<std::ptrdiff_t>(points)));
      EXPECT_TRUE(is_new) << path << " " << name.data() << " at " << bounds_of_time[2 * r + 1];
    }
  }
  nc_close(file);
}

/// Files of one kind, of all runs.
inline Contents contents(const std::set<std::string>& folders, const std::string& kind) {
  Contents out;
  for (const std::string& folder : folders) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with(kind) && name.ends_with(".nc")) read_into(out, entry.path());
    }
  }
  return out;
}

inline bool is_same(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y) ||
           (std::isnan(x) && std::isnan(y));
  });
}

/// The files in the folders of cut runs against those of a whole one.
inline void compare(const std::set<std::string>& cut, const std::set<std::string>& whole) {
  for (const char* kind : {"means", "now", "parts", "series.", "series_u", "series_masked"}) {
    SCOPED_TRACE(kind);
    const Contents got = contents(cut, kind);
    const Contents wanted = contents(whole, kind);
    ASSERT_FALSE(wanted.records.empty());
    ASSERT_EQ(got.fixed.size(), wanted.fixed.size());
    for (const auto& [name, values] : wanted.fixed) {
      ASSERT_TRUE(got.fixed.contains(name)) << name;
      EXPECT_TRUE(is_same(got.fixed.at(name), values)) << name;
    }
    ASSERT_EQ(got.records.size(), wanted.records.size());
    for (const auto& [name, records] : wanted.records) {
      ASSERT_TRUE(got.records.contains(name)) << name;
      ASSERT_EQ(got.records.at(name).size(), records.size()) << name;
      for (const auto& [time, values] : records) {
        ASSERT_TRUE(got.records.at(name).contains(time)) << name << " at " << time;
        EXPECT_TRUE(is_same(got.records.at(name).at(time), values)) << name << " at " << time;
      }
    }
  }
}

}  // namespace epios::client
