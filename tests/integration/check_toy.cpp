// Independent check of the toy model's files with the distribution's serial NetCDF: every number is
// computed again from the formulas, bit for bit.
#include <netcdf.h>

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

#include "toy_field.hpp"

namespace {

int failures = 0;

void expect(bool condition, const std::string& what) {
  if (condition) return;
  std::fprintf(stderr, "check_toy: %s\n", what.c_str());
  ++failures;
}

class File {
 public:
  explicit File(const std::string& path) : path_(path) {
    check(nc_open(path.c_str(), NC_NOWRITE, &id_));
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { nc_close(id_); }

  std::vector<double> values(const std::string& name) const {
    int rank = 0;
    const int variable = id(name);
    check(nc_inq_varndims(id_, variable, &rank));
    std::vector<int> dimensions(static_cast<std::size_t>(rank));
    check(nc_inq_vardimid(id_, variable, dimensions.data()));
    std::size_t count = 1;
    for (const int dimension : dimensions) {
      std::size_t length = 0;
      check(nc_inq_dimlen(id_, dimension, &length));
      count *= length;
    }
    std::vector<double> out(count);
    check(nc_get_var_double(id_, variable, out.data()));
    return out;
  }
  std::string text(const std::string& variable, const std::string& attribute) const {
    const int owner = variable.empty() ? NC_GLOBAL : id(variable);
    std::size_t length = 0;
    if (nc_inq_attlen(id_, owner, attribute.c_str(), &length) != NC_NOERR) return "(none)";
    std::string out(length, ' ');
    check(nc_get_att_text(id_, owner, attribute.c_str(), out.data()));
    return out;
  }
  std::size_t length(const std::string& dimension) const {
    int d = 0;
    std::size_t out = 0;
    check(nc_inq_dimid(id_, dimension.c_str(), &d));
    check(nc_inq_dimlen(id_, d, &out));
    return out;
  }

 private:
  int id(const std::string& name) const {
    int variable = 0;
    if (nc_inq_varid(id_, name.c_str(), &variable) != NC_NOERR) {
      throw std::runtime_error(path_ + " has no variable " + name);
    }
    return variable;
  }
  void check(int status) const {
    if (status != NC_NOERR) throw std::runtime_error(path_ + ": " + nc_strerror(status));
  }

  std::string path_;
  int id_ = -1;
};

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

/// Record r of `name` holds reduce(samples of the steps period*r+every, ..., period*(r+1)).
void check_field(const File& file, const std::string& name, const Shape& n, std::int64_t period,
                 std::int64_t every, bool single, const Point& point, const Reduce& reduce) {
  std::vector<double> got = file.values(name);
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

void check_instant(const File& instant, const Shape& n, const Point& temperature) {
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
  const File instant(folder + "/instant.nc");
  check_instant(instant, n, temperature);
  expect(instant.text("", "experiment") == "toy run", "global attribute experiment");
  expect(instant.text("", "Conventions").find("CF-1.11") != std::string::npos, "Conventions");
  expect(instant.text("temp", "cell_methods") == "time: point", "cell_methods of temp");

  const File means(folder + "/means.nc");
  check_field(means, "temp_mean", n, 4, 1, false, temperature, mean);
  check_field(means, "temp_max", n, 4, 1, true, temperature, largest);
  check_field(means, "temp_min", n, 4, 1, false, temperature, smallest);
  check_field(means, "temp_sum", n, 4, 2, false, temperature, sum);
}

/// Averages over three steps; land is masked and holds the fill value.
void check_surface_mask(const std::string& folder, const Shape& n) {
  const File surface(folder + "/surface.nc");
  const auto got = surface.values("surface");
  const auto records = static_cast<std::size_t>(n.steps / 3);
  std::size_t at = 0;
  int wrong = 0;
  for (std::size_t r = 0; r < records; ++r) {
    for (std::int64_t j = 0; j < n.ny; ++j) {
      for (std::int64_t i = 0; i < n.nx; ++i, ++at) {
        double want = toy::missing;
        if (!toy::is_land(i, j)) {
          const auto first = static_cast<std::int64_t>(3 * r);
          want = mean({toy::surface(i, j, first + 1), toy::surface(i, j, first + 2),
                       toy::surface(i, j, first + 3)});
        }
        if (want != got[at]) ++wrong;
      }
    }
  }
  expect(wrong == 0, "surface: " + std::to_string(wrong) + " values differ");
}

void check_coordinates(const std::string& folder, const Shape& n) {
  const File file(folder + "/instant.nc");
  const auto lon = file.values("lon");
  const auto lat = file.values("lat");
  const auto depth = file.values("depth");
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
  for (std::size_t r = 0; r < time.size(); ++r) {
    expect(time[r] == 10.0 * 365 * 86400 + 7200.0 * static_cast<double>(r + 1), "time_counter");
  }
  expect(file.text("time_counter", "calendar") == "noleap", "calendar");
  const File means(folder + "/means.nc");
  const auto centered = means.values("time_counter");
  for (std::size_t r = 0; r < centered.size(); ++r) {
    expect(centered[r] == 10.0 * 365 * 86400 + 4 * 3600.0 * (static_cast<double>(r) + 0.5),
           "centred time_counter");
  }
  const auto bounds = means.values(means.text("time_counter", "bounds"));
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
      check_instant(File(argv[1]), n, toy::temperature);
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
