// Independent check of the toy model's files with the distribution's serial NetCDF: every number is
// computed again from the formulas, bit for bit.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "netcdf_file.hpp"
#include "toy_field.hpp"

namespace {

using toy::NetcdfFile;

int failures = 0;

void expect(bool condition, const std::string& what) {
  if (condition) return;
  std::fprintf(stderr, "check_toy: %s\n", what.c_str());
  ++failures;
}

struct Shape {
  std::int64_t nx = 0, ny = 0, nz = 0, steps = 0;
  bool is_start = false;  ///< more records may follow, about which nothing is known
};

using Point =
    std::function<double(std::int64_t i, std::int64_t j, std::int64_t k, std::int64_t step)>;
using Reduce = std::function<double(const std::vector<double>&)>;

double mean(const std::vector<double>& samples) {
  double sum = samples.front();
  for (std::size_t n = 1; n < samples.size(); ++n) sum += samples[n];
  return sum / static_cast<double>(samples.size());
}
double sum(const std::vector<double>& samples) {
  double total = samples.front();
  for (std::size_t n = 1; n < samples.size(); ++n) total += samples[n];
  return total;
}
double last(const std::vector<double>& samples) { return samples.back(); }
double smallest(const std::vector<double>& samples) {
  return *std::min_element(samples.begin(), samples.end());
}
double largest(const std::vector<double>& samples) {
  return *std::max_element(samples.begin(), samples.end());
}

/// How a variable stores its values, by its attributes.
class Stored {
 public:
  Stored(const NetcdfFile& file, const std::string& name)
      : is_short_(file.is_short(name)),
        factor_(file.number(name, "scale_factor", 1)),
        offset_(file.number(name, "add_offset", 0)),
        fill_(file.number(name, "_FillValue", 0)),
        bits_(static_cast<int>(file.number(name, "_QuantizeBitRoundNumberOfSignificantBits", 0))) {}

  double of(double value) const {
    if (is_short_) {
      const double packed = std::nearbyint((value - offset_) / factor_);
      return packed >= -32768 && packed <= 32767 && packed != fill_ ? packed : fill_;
    }
    if (bits_ == 0) return value;
    int exponent = 0;
    const double mantissa = std::frexp(value, &exponent);
    return std::ldexp(std::round(std::ldexp(mantissa, bits_ + 1)), exponent - bits_ - 1);
  }

 private:
  bool is_short_;
  double factor_;
  double offset_;
  double fill_;
  int bits_;
};

/// Record r of `name` holds reduce(samples of the steps period*r+every, ..., period*(r+1)).
void check_field(const NetcdfFile& file, const std::string& name, const Shape& n,
                 std::int64_t period, std::int64_t every, bool single, const Point& point,
                 const Reduce& reduce) {
  std::vector<double> got = file.values(name);
  const Stored stored(file, name);
  const std::int64_t records = n.steps / period;
  const auto expected = static_cast<std::size_t>(records * n.nx * n.ny * n.nz);
  if (n.is_start && got.size() > expected) got.resize(expected);
  expect(got.size() == expected, name + " has " + std::to_string(got.size()) + " values");
  if (failures > 0) return;
  std::size_t at = 0;
  int wrong = 0;
  for (std::int64_t r = 0; r < records; ++r) {
    for (std::int64_t k = 0; k < n.nz; ++k) {
      for (std::int64_t j = 0; j < n.ny; ++j) {
        for (std::int64_t i = 0; i < n.nx; ++i, ++at) {
          std::vector<double> samples;
          for (std::int64_t s = period * r + every; s <= period * (r + 1); s += every) {
            samples.push_back(point(i, j, k, s));
          }
          double want = reduce(samples);
          if (single) want = static_cast<double>(static_cast<float>(want));
          want = stored.of(want);
          if (std::bit_cast<std::uint64_t>(want) != std::bit_cast<std::uint64_t>(got[at]) &&
              ++wrong == 1) {
            std::fprintf(stderr,
                         "check_toy: %s record %lld (%lld,%lld,%lld): %.17g, expected %.17g\n",
                         name.c_str(), static_cast<long long>(r), static_cast<long long>(i),
                         static_cast<long long>(j), static_cast<long long>(k), got[at], want);
          }
        }
      }
    }
  }
  expect(wrong == 0, name + ": " + std::to_string(wrong) + " values differ");
}

void check_instant(const NetcdfFile& instant, const Shape& n, const Point& temperature) {
  const Shape line{1, 1, n.nz, n.steps, n.is_start};
  const Shape dot{1, 1, 1, n.steps, n.is_start};
  check_field(instant, "temp", n, 2, 2, false, temperature, last);
  check_field(
      instant, "index", dot, 2, 2, false, [](auto, auto, auto, auto s) { return toy::index(s); },
      last);
  check_field(
      instant, "profile", line, 2, 2, false,
      [](auto, auto, auto k, auto s) { return toy::profile(k, s); }, last);
}

void check_all(const std::string& folder, const Shape& n, bool single_input) {
  const auto input = [single_input](double value) {
    return single_input ? static_cast<double>(static_cast<float>(value)) : value;
  };
  const Point temperature = [&](auto i, auto j, auto k, auto s) {
    return input(toy::temperature(i, j, k, s));
  };
  const NetcdfFile instant(folder + "/instant.nc");
  check_instant(instant, n, temperature);
  expect(instant.text("", "experiment") == "toy run", "global attribute experiment");
  expect(instant.text("", "Conventions").find("CF-1.11") != std::string::npos, "Conventions");
  expect(instant.text("temp", "cell_methods") == "time: point", "cell_methods of temp");

  const NetcdfFile means(folder + "/means.nc");
  check_field(means, "temp_mean", n, 4, 1, false, temperature, mean);
  check_field(means, "temp_max", n, 4, 1, true, temperature, largest);
  check_field(means, "temp_min", n, 4, 1, false, temperature, smallest);
  check_field(means, "temp_sum", n, 4, 2, false, temperature, sum);
}

bool has_size(const char* name, const std::vector<double>& values, std::int64_t expected) {
  const bool has = values.size() == static_cast<std::size_t>(expected);
  expect(has, std::string(name) + " has " + std::to_string(values.size()) + " values, expected " +
                  std::to_string(expected));
  return has;
}

/// Averages over three steps; land is masked and holds the fill value.
void check_surface_mask(const std::string& folder, const Shape& n) {
  const NetcdfFile surface(folder + "/surface.nc");
  const auto got = surface.values("surface");
  const Stored stored(surface, "surface");
  const auto records = static_cast<std::size_t>(n.steps / 3);
  if (!has_size("surface", got, n.steps / 3 * n.ny * n.nx)) return;
  std::size_t at = 0;
  int wrong = 0;
  for (std::size_t r = 0; r < records; ++r) {
    for (std::int64_t j = 0; j < n.ny; ++j) {
      for (std::int64_t i = 0; i < n.nx; ++i, ++at) {
        double want = toy::missing;
        if (!toy::is_land(i, j)) {
          const auto first = static_cast<std::int64_t>(3 * r);
          want = stored.of(mean({toy::surface(i, j, first + 1), toy::surface(i, j, first + 2),
                                 toy::surface(i, j, first + 3)}));
        }
        if (want != got[at]) ++wrong;
      }
    }
  }
  expect(wrong == 0, "surface: " + std::to_string(wrong) + " values differ");
}

void check_coordinates(const std::string& folder, const Shape& n) {
  const NetcdfFile file(folder + "/instant.nc");
  const auto lon = file.values("lon");
  const auto lat = file.values("lat");
  const auto depth = file.values("depth");
  has_size("lon", lon, n.nx);
  has_size("lat", lat, n.ny);
  has_size("depth", depth, n.nz);
  for (std::size_t i = 0; i < lon.size(); ++i) {
    expect(lon[i] == 360.0 / static_cast<double>(n.nx) * (static_cast<double>(i) + 0.5), "lon");
  }
  for (std::size_t j = 0; j < lat.size(); ++j) {
    expect(lat[j] == -90.0 + 180.0 / static_cast<double>(n.ny) * (static_cast<double>(j) + 0.5),
           "lat");
  }
  for (std::size_t k = 0; k < depth.size(); ++k) {
    expect(depth[k] == 10.0 * static_cast<double>(k) + 5.0, "depth");
  }
  expect(file.text("depth", "positive") == "down", "positive of depth");
  // Ten years of 365 days from the origin to the start; instant stamps every 2 h.
  const auto time = file.values("time_counter");
  has_size("time_counter", time, n.steps / 2);
  for (std::size_t r = 0; r < time.size(); ++r) {
    expect(time[r] == 10.0 * 365 * 86400 + 7200.0 * static_cast<double>(r + 1), "time_counter");
  }
  expect(file.text("time_counter", "calendar") == "noleap", "calendar");
  const NetcdfFile means(folder + "/means.nc");
  const auto centered = means.values("time_counter");
  has_size("centred time_counter", centered, n.steps / 4);
  for (std::size_t r = 0; r < centered.size(); ++r) {
    expect(centered[r] == 10.0 * 365 * 86400 + 4 * 3600.0 * (static_cast<double>(r) + 0.5),
           "centred time_counter");
  }
  const auto bounds = means.values(means.text("time_counter", "bounds"));
  has_size("time bounds", bounds, 2 * (n.steps / 4));
  for (std::size_t b = 0; b < bounds.size(); ++b) {
    const std::size_t periods = (b + 1) / 2;
    expect(bounds[b] == 10.0 * 365 * 86400 + 4 * 3600.0 * static_cast<double>(periods),
           "time bounds");
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) {
    std::fprintf(stderr,
                 "usage: check_toy <folder> <nx> <ny> <nz> <steps> [single]\n"
                 "       check_toy <instant file of a run that was killed> <nx> <ny> <nz> <steps "
                 "that are durable> start\n");
    return 2;
  }
  const std::string mode = argc > 6 ? argv[6] : "";
  Shape n{std::atoll(argv[2]), std::atoll(argv[3]), std::atoll(argv[4]), std::atoll(argv[5])};
  try {
    if (mode == "start") {
      n.is_start = true;
      check_instant(NetcdfFile(argv[1]), n, toy::temperature);
    } else {
      check_all(argv[1], n, mode == "single");
      check_surface_mask(argv[1], n);
      check_coordinates(argv[1], n);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "check_toy: %s\n", error.what());
    return 1;
  }
  if (failures == 0) std::printf("check_toy: all values as computed\n");
  return failures == 0 ? 0 : 1;
}
