// Compares the files of ocean_heat with means and extremes computed from the model's own dump.
// usage: ocean_heat_check DUMP OUTPUT_DIR

#include <netcdf.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr int days_per_year = 365;
constexpr std::array<int, 12> month_ends{31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};

/// The dump, one step at a time.
class DumpReader {
 public:
  explicit DumpReader(const std::string& path) : file_(path, std::ios::binary) {
    const std::vector<double> sizes = take(4);
    ni_ = static_cast<std::size_t>(sizes[0]);
    nj_ = static_cast<std::size_t>(sizes[1]);
    steps_ = static_cast<std::int64_t>(sizes[2]);
    steps_per_day_ = static_cast<std::int64_t>(86400 / sizes[3]);
    lon_ = take(ni_);
    lat_ = take(nj_);
    wet_ = take(ni_ * nj_);
  }

  std::size_t ni() const { return ni_; }
  std::size_t nj() const { return nj_; }
  std::int64_t steps() const { return steps_; }
  std::int64_t steps_per_day() const { return steps_per_day_; }
  const std::vector<double>& lon() const { return lon_; }
  const std::vector<double>& lat() const { return lat_; }
  bool is_wet(std::size_t cell) const { return wet_[cell] != 0; }

  struct Step {
    std::vector<double> sst;
    double mean = 0;
  };
  Step next() {
    Step step{take(ni_ * nj_), 0};
    step.mean = take(1)[0];
    return step;
  }

 private:
  std::vector<double> take(std::size_t count) {
    std::vector<double> values(count);
    file_.read(reinterpret_cast<char*>(values.data()),
               static_cast<std::streamsize>(count * sizeof(double)));
    if (!file_) throw std::runtime_error("the dump is missing or too short");
    return values;
  }

  std::ifstream file_;
  std::size_t ni_ = 0;
  std::size_t nj_ = 0;
  std::int64_t steps_ = 0;
  std::int64_t steps_per_day_ = 1;
  std::vector<double> lon_, lat_, wet_;
};

/// A file under test; counts what it compared.
class FileUnderTest {
 public:
  explicit FileUnderTest(const std::string& path) : path_(path) {
    require(nc_open(path.c_str(), NC_NOWRITE, &id_), "open");
  }
  FileUnderTest(const FileUnderTest&) = delete;
  FileUnderTest(FileUnderTest&&) = delete;
  FileUnderTest& operator=(const FileUnderTest&) = delete;
  FileUnderTest& operator=(FileUnderTest&&) = delete;
  ~FileUnderTest() { nc_close(id_); }

  std::size_t length(const char* dimension) const {
    int dimension_id = -1;
    std::size_t length = 0;
    require(nc_inq_dimid(id_, dimension, &dimension_id), dimension);
    require(nc_inq_dimlen(id_, dimension_id, &length), dimension);
    return length;
  }

  /// `count` values of a record (or of the whole variable when `record` is negative).
  std::vector<double> read(const char* variable, std::int64_t record, std::size_t count) const {
    int id = -1;
    int rank = 0;
    std::array<int, NC_MAX_VAR_DIMS> dimensions{};
    require(nc_inq_varid(id_, variable, &id), variable);
    require(nc_inq_var(id_, id, nullptr, nullptr, &rank, dimensions.data(), nullptr), variable);
    std::vector<std::size_t> start(static_cast<std::size_t>(rank), 0);
    std::vector<std::size_t> extent(start.size());
    std::size_t volume = 1;
    for (std::size_t d = 0; d < start.size(); ++d) {
      require(nc_inq_dimlen(id_, dimensions[d], &extent[d]), variable);
      if (record >= 0 && d == 0) {
        start[0] = static_cast<std::size_t>(record);
        extent[0] = 1;
      }
      volume *= extent[d];
    }
    if (volume != count) complain(variable, "has another size than expected");
    std::vector<double> values(count);
    require(nc_get_vara_double(id_, id, start.data(), extent.data(), values.data()), variable);
    return values;
  }

  std::string text(const char* variable, const char* attribute) const {
    int id = -1;
    std::size_t length = 0;
    require(nc_inq_varid(id_, variable, &id), variable);
    require(nc_inq_attlen(id_, id, attribute, &length), attribute);
    std::string value(length, '\0');
    require(nc_get_att_text(id_, id, attribute, value.data()), attribute);
    return value.substr(0, value.find('\0'));
  }

  double fill_value(const char* variable) const {
    int id = -1;
    double value = 0;
    require(nc_inq_varid(id_, variable, &id), variable);
    require(nc_get_att_double(id_, id, "_FillValue", &value), "_FillValue");
    return value;
  }

  void expect(const char* what, double found, double expected, double tolerance) {
    ++compared_;
    const double difference = std::abs(found - expected);
    if (!(difference <= tolerance)) {
      if (++wrong_ <= 5) {
        std::fprintf(stderr, "%s: %s is %.17g, expected %.17g\n", path_.c_str(), what, found,
                     expected);
      }
    } else {
      worst_ = std::max(worst_, difference);
    }
  }
  void expect(const char* what, const std::string& found, const std::string& expected) {
    ++compared_;
    if (found == expected) return;
    ++wrong_;
    std::fprintf(stderr, "%s: %s is \"%s\", expected \"%s\"\n", path_.c_str(), what, found.c_str(),
                 expected.c_str());
  }

  /// Prints what was done; true if all was right.
  bool report() const {
    std::printf("%s  %s: %lld values compared, %lld wrong, largest accepted difference %.3g\n",
                wrong_ == 0 ? "ok   " : "WRONG", path_.c_str(), compared_, wrong_, worst_);
    return wrong_ == 0;
  }

 private:
  [[noreturn]] void complain(const std::string& what, const std::string& problem) const {
    throw std::runtime_error(path_ + ": " + what + ": " + problem);
  }
  void require(int status, const char* what) const {
    if (status != NC_NOERR) complain(what, nc_strerror(status));
  }

  std::string path_;
  int id_ = -1;
  long long compared_ = 0;
  long long wrong_ = 0;
  double worst_ = 0;
};

/// Distance from a float to its neighbour: what one rounding more may change.
double ulp(double value) {
  const float magnitude = std::abs(static_cast<float>(value));
  return static_cast<double>(std::nextafter(magnitude, std::numeric_limits<float>::infinity()) -
                             magnitude);
}

enum class Precision { exact, one_ulp };

void compare_map(FileUnderTest& file, const char* variable, std::int64_t record,
                 const DumpReader& dump, const std::vector<double>& expected, Precision precision) {
  const std::vector<double> found = file.read(variable, record, expected.size());
  const double fill = file.fill_value(variable);
  for (std::size_t c = 0; c < found.size(); ++c) {
    if (!dump.is_wet(c)) {
      file.expect("land", found[c], fill, 0);
      continue;
    }
    const double rounded = static_cast<double>(static_cast<float>(expected[c]));
    file.expect(variable, found[c], rounded, precision == Precision::exact ? 0 : ulp(rounded));
  }
}

void compare_time(FileUnderTest& file, std::int64_t record, double begin_day, double end_day,
                  bool centred) {
  file.expect("time", file.read("time", record, 1)[0],
              centred ? (begin_day + end_day) / 2 : end_day, 1e-9);
  if (!centred) return;
  const std::string bounds = file.text("time", "bounds");
  const std::vector<double> found = file.read(bounds.c_str(), record, 2);
  file.expect("begin of interval", found[0], begin_day, 1e-9);
  file.expect("end of interval", found[1], end_day, 1e-9);
}

void compare_grid(FileUnderTest& file, const DumpReader& dump) {
  const std::vector<double> lon = file.read("lon", -1, dump.ni());
  const std::vector<double> lat = file.read("lat", -1, dump.nj());
  for (std::size_t i = 0; i < lon.size(); ++i) file.expect("lon", lon[i], dump.lon()[i], 0);
  for (std::size_t j = 0; j < lat.size(); ++j) file.expect("lat", lat[j], dump.lat()[j], 0);
}

/// Mean of a global field by plain summation, accurate enough to see a wrong one.
double area_mean(const DumpReader& dump, const std::vector<double>& sst) {
  long double heat = 0;
  long double area = 0;
  for (std::size_t c = 0; c < sst.size(); ++c) {
    if (!dump.is_wet(c)) continue;
    const double weight = std::cos(dump.lat()[c / dump.ni()] * std::numbers::pi / 180);
    heat += static_cast<long double>(weight) * static_cast<long double>(sst[c]);
    area += static_cast<long double>(weight);
  }
  return static_cast<double>(heat / area);
}

/// Sum and extremes of an interval.
class Interval {
 public:
  void add(const std::vector<double>& values) {
    if (count_++ == 0) {
      sum_ = low_ = high_ = values;
      return;
    }
    for (std::size_t c = 0; c < values.size(); ++c) {
      sum_[c] += values[c];
      low_[c] = std::min(low_[c], values[c]);
      high_[c] = std::max(high_[c], values[c]);
    }
  }
  std::vector<double> mean() const {
    std::vector<double> out = sum_;
    for (double& value : out) value /= static_cast<double>(count_);
    return out;
  }
  const std::vector<double>& low() const { return low_; }
  const std::vector<double>& high() const { return high_; }

 private:
  std::int64_t count_ = 0;
  std::vector<double> sum_, low_, high_;
};

/// All files of a run.
class Run {
 public:
  Run(const std::string& dump, const std::string& folder)
      : dump_(dump),
        daily_(folder + "/ocean_daily.nc"),
        monthly_(folder + "/ocean_monthly.nc"),
        yearly_(folder + "/ocean_yearly.nc"),
        global_(folder + "/ocean_global.nc") {}

  bool check() {
    for (FileUnderTest* file : {&daily_, &monthly_, &yearly_}) compare_grid(*file, dump_);
    check_cell_method(daily_, "sst", "time: point");
    check_cell_method(monthly_, "sst", "time: mean");
    check_cell_method(yearly_, "sst_min", "time: minimum");
    check_cell_method(yearly_, "sst_max", "time: maximum");
    for (std::int64_t step = 1; step <= dump_.steps(); ++step) {
      const DumpReader::Step now = dump_.next();
      month_.add(now.sst);
      year_.add(now.sst);
      if (step % dump_.steps_per_day() == 0) end_day(step / dump_.steps_per_day(), now);
    }
    check_record_count(daily_, days_);
    check_record_count(monthly_, months_);
    check_record_count(yearly_, years_);
    check_record_count(global_, days_);
    bool good = true;
    for (const FileUnderTest* file : {&daily_, &monthly_, &yearly_, &global_}) {
      good = file->report() && good;
    }
    return good;
  }

 private:
  void end_day(std::int64_t day, const DumpReader::Step& now) {
    const auto end = static_cast<double>(day);
    compare_map(daily_, "sst", days_, dump_, now.sst, Precision::exact);
    compare_time(daily_, days_, end - 1, end, false);
    const double mean = global_.read("sst_global_mean", days_, 1)[0];
    global_.expect("sst_global_mean", mean, now.mean, 0);
    global_.expect("sst_global_mean", mean, area_mean(dump_, now.sst), 1e-9);
    compare_time(global_, days_, end - 1, end, false);
    ++days_;
    if (std::ranges::find(month_ends, (day - 1) % days_per_year + 1) != month_ends.end()) {
      compare_map(monthly_, "sst", months_, dump_, month_.mean(), Precision::one_ulp);
      compare_time(monthly_, months_, month_begin_, end, true);
      ++months_;
      month_begin_ = end;
      month_ = Interval();
    }
    if (day % days_per_year == 0) {
      compare_map(yearly_, "sst_min", years_, dump_, year_.low(), Precision::exact);
      compare_map(yearly_, "sst_max", years_, dump_, year_.high(), Precision::exact);
      compare_time(yearly_, years_, end - days_per_year, end, true);
      ++years_;
      year_ = Interval();
    }
  }

  /// The method; an interval may follow.
  static void check_cell_method(FileUnderTest& file, const char* variable,
                                const std::string& expected) {
    const std::string found = file.text(variable, "cell_methods");
    file.expect("cell_methods", found.substr(0, found.find(" (")), expected);
  }

  static void check_record_count(FileUnderTest& file, std::int64_t expected) {
    file.expect("number of records", static_cast<double>(file.length("time")),
                static_cast<double>(expected), 0);
  }

  DumpReader dump_;
  FileUnderTest daily_, monthly_, yearly_, global_;
  Interval month_, year_;
  std::int64_t days_ = 0;
  std::int64_t months_ = 0;
  std::int64_t years_ = 0;
  double month_begin_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s DUMP OUTPUT_DIR\n", argv[0]);
    return EXIT_FAILURE;
  }
  try {
    return Run(argv[1], argv[2]).check() ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ocean_heat_check: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
