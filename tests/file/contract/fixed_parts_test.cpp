// Fixed variables of which each writer has a part. The last test needs as much memory as it allows
// itself, no more.
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>

#include "config/error.hpp"
#include "file_size_limit.hpp"
#include "together.hpp"

namespace epios::io::test::fixed_parts_test {
namespace {

using std::filesystem::exists;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A variable and, on this writer, the memory of its part.
struct Fixed {
  VariableSpec variable;
  Extents shape;
  std::vector<double> numbers;
  std::vector<std::string> texts;
};

/// Number of the point in C order.
double value_at(const Extents& shape, const Extents& point) {
  std::int64_t number = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) number = number * shape[d] + point[d];
  return static_cast<double>(number);
}

/// Points of `box` in C order.
std::vector<Extents> points_of(const Box& box) {
  std::vector<Extents> out;
  if (box.is_empty()) return out;
  Extents point = box.begin;
  for (std::int64_t n = 0; n < box.volume(); ++n) {
    out.push_back(point);
    for (std::size_t d = point.size(); d-- > 0;) {
      if (++point[d] < box.begin[d] + box.size[d]) break;
      point[d] = box.begin[d];
    }
  }
  return out;
}

/// Cuts a shape into boxes at random: some of `count` boxes, one for each writer, may be empty.
std::vector<Box> random_boxes(std::mt19937& random, const Extents& shape, int count) {
  std::vector<Box> boxes = {whole(shape)};
  const auto pick = [&](std::int64_t last) {
    return std::uniform_int_distribution<std::int64_t>(0, last)(random);
  };
  while (boxes.size() < static_cast<std::size_t>(count) && !shape.empty()) {
    Box& box = boxes[static_cast<std::size_t>(pick(static_cast<std::int64_t>(boxes.size()) - 1))];
    const auto d = static_cast<std::size_t>(pick(static_cast<std::int64_t>(shape.size()) - 1));
    Box rest = box;
    box.size[d] = pick(rest.size[d]);
    rest.begin[d] += box.size[d];
    rest.size[d] -= box.size[d];
    boxes.push_back(rest);
  }
  boxes.resize(static_cast<std::size_t>(count), nothing(shape.size()));
  std::shuffle(boxes.begin(), boxes.end(), random);
  return boxes;
}

/// All of a file, as the distribution's reader sees it.
std::string dump_of(const std::string& path) { return ncdump("-p 17,17", path); }

/// Values of a variable in such a dump.
std::vector<double> read(const std::string& text, const std::string& variable) {
  const std::string start = "\n " + variable + " =";
  std::vector<double> out;
  const auto begin = text.find(start, text.find("data:"));
  EXPECT_NE(begin, std::string::npos) << text;
  if (begin == std::string::npos) return out;
  std::string body = text.substr(begin + start.size());
  body = body.substr(0, body.find(';'));
  std::replace(body.begin(), body.end(), ',', ' ');
  std::istringstream in(body);
  for (double value = 0; in >> value;) out.push_back(value);
  return out;
}

TEST(FixedParts, any_boxes_make_the_whole_variable) {
  const Together all;
  for (unsigned seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    FileSpec spec;
    spec.path = all.file("a" + std::to_string(seed) + ".nc");
    std::vector<Fixed> fixed(4);
    for (std::size_t v = 0; v < fixed.size(); ++v) {
      Fixed& its = fixed[v];
      its.variable.name = "v" + std::to_string(v);
      its.variable.kind = ValueKind::float64;
      for (std::size_t d = 0; d < v; ++d) {  // from a scalar to three dimensions
        its.shape.push_back(std::uniform_int_distribution<std::int64_t>(1, 7)(random));
        its.variable.dimensions.push_back(static_cast<int>(spec.dimensions.size()));
        spec.dimensions.push_back({"d" + std::to_string(v) + std::to_string(d), its.shape.back()});
      }
      const auto boxes = random_boxes(random, its.shape, all.size());
      const Box& mine = boxes[static_cast<std::size_t>(all.rank())];
      for (const Extents& point : points_of(mine)) {
        its.numbers.push_back(value_at(its.shape, point));
      }
      its.variable.fixed = {mine, its.numbers};
    }
    for (const Fixed& its : fixed) spec.variables.push_back(its.variable);
    const auto file = create_netcdf4(spec, all.writers());
    file->seal(0);
    file->publish();
    all.wait();
    if (!all.is_owner()) continue;
    const std::string dump = dump_of(spec.path);
    for (const Fixed& its : fixed) {
      std::vector<double> expected(static_cast<std::size_t>(volume(its.shape)));
      std::iota(expected.begin(), expected.end(), 0.0);
      EXPECT_EQ(read(dump, its.variable.name), expected) << its.variable.name;
    }
  }
}

/// Cells, two of which the writer has: those from 2 * rank on, and no more than `cells`.
FileSpec cells_spec(const Together& all, const std::string& name, std::int64_t cells,
                    std::span<const double> numbers, ValueKind kind) {
  FileSpec spec;
  spec.path = all.file(name);
  spec.dimensions = {{"cell", cells}, {"time", 0}};
  VariableSpec lon{"lon", kind, {0}, {}, {}, {}, {}};
  lon.fixed = {{{2 * all.rank()}, {2}}, numbers};
  spec.variables = {lon, {"t", ValueKind::float32, {1, 0}, {}, {}, {}, {}}};
  return spec;
}

TEST(FixedParts, what_no_writer_has_is_unset) {
  const Together all;
  const std::vector<double> mine = {1.5, nan};
  const std::int64_t cells = 2 * all.size() + 2;
  struct Case {
    ValueKind kind;
    std::optional<double> fill;
    std::string written, hole;
  };
  const Case cases[] = {
      {ValueKind::float32, {}, "1.5", "NaNf"}, {ValueKind::float64, {}, "1.5", "NaN"},
      {ValueKind::float32, 1e20, "1.5", "_"},  {ValueKind::int16, {}, "2", "_"},
      {ValueKind::int32, -7.0, "2", "_"},      {ValueKind::int64, {}, "2", "_"}};
  for (const Case& its : cases) {
    FileSpec spec = cells_spec(all, "a.nc", cells, mine, its.kind);
    spec.variables[0].fill = its.fill;
    const auto file = create_netcdf4(spec, all.writers());
    file->seal(0);
    file->publish();
    all.wait();
    if (all.is_owner()) {
      std::string expected = " lon = ";
      for (int writer = 0; writer < all.size(); ++writer) {
        expected += its.written + ", " + its.hole + ", ";
      }
      expected += its.hole + ", " + its.hole + " ;";
      const std::string dump = ncdump("-v lon", spec.path);
      EXPECT_NE(dump.find(expected), std::string::npos) << dump;
    }
    all.wait();
  }
}

/// CF-1.11, 2.5.1: missing values are marked, which only variables that are no coordinate variables
/// may do. Whether there are any is a matter of all writers.
TEST(FixedParts, what_is_unset_is_marked_where_that_is_allowed) {
  const Together all;
  struct Case {
    bool marks;
    std::int64_t holes;  // cells of no writer
    double second;       // value of a writer's second cell
    std::string fill;
  };
  const Case cases[] = {
      {true, 0, 2, ""}, {true, 1, 2, "NaNf"}, {true, 0, nan, "NaNf"}, {false, 1, nan, ""}};
  for (const Case& its : cases) {
    // Only the last writer has a cell without a value.
    const std::vector<double> mine = {1, all.rank() == all.size() - 1 ? its.second : 2};
    FileSpec spec = cells_spec(all, "a.nc", 2 * all.size() + its.holes, mine, ValueKind::float32);
    spec.variables[0].marks_unset = its.marks;
    const auto file = create_netcdf4(spec, all.writers());
    file->seal(0);
    file->publish();
    all.wait();
    if (all.is_owner()) {
      const std::string dump = ncdump("-h", spec.path);
      const std::string fill = "lon:_FillValue = " + its.fill + " ;";
      EXPECT_EQ(dump.find(fill) != std::string::npos, !its.fill.empty()) << dump;
      EXPECT_EQ(dump.find("lon:_FillValue") != std::string::npos, !its.fill.empty()) << dump;
    }
    all.wait();
  }
}

TEST(FixedParts, text_comes_in_rows) {
  const Together all;
  FileSpec spec;
  spec.path = all.file("a.nc");
  spec.dimensions = {{"basin", all.size() + 1}, {"str_len", 8}};
  const std::vector<std::string> mine = {"basin " + std::to_string(all.rank())};
  VariableSpec basin{"basin", ValueKind::text, {0, 1}, {}, {}, {}, {}};
  basin.fixed = {{{all.rank(), 0}, {1, 8}}, {}, mine};
  spec.variables = {basin};
  const auto file = create_netcdf4(spec, all.writers());
  file->seal(0);
  file->publish();
  all.wait();
  if (!all.is_owner()) return;
  std::string expected = " basin =\n";
  for (int writer = 0; writer < all.size(); ++writer) {
    expected += "  \"basin " + std::to_string(writer) + "\",\n";
  }
  const std::string dump = ncdump("", spec.path);
  EXPECT_NE(dump.find(expected + "  \"\" ;"), std::string::npos) << dump;
}

TEST(FixedParts, are_there_beside_records) {
  const Together all;
  const double first = all.rank();
  const std::vector<double> mine = {first, first + 0.5};
  const std::int64_t cells = 2 * all.size();
  FileSpec spec = cells_spec(all, "a.nc", cells, mine, ValueKind::float64);
  spec.to_disk = true;
  const auto file = create_netcdf4(spec, all.writers());
  file->reserve(2);
  for (const std::int64_t record : {0, 1}) {
    const std::vector<float> values(2, static_cast<float>(record));
    file->write({1, record, spec.variables[0].fixed.box, bytes(values)});
  }
  file->sync();
  file->seal(2);
  file->publish();
  all.wait();
  if (!all.is_owner()) return;
  std::vector<double> expected;
  for (std::int64_t cell = 0; cell < cells; ++cell) {
    expected.push_back(static_cast<double>(cell) / 2);
  }
  const std::string dump = dump_of(spec.path);
  EXPECT_EQ(read(dump, "lon"), expected);
  std::vector<double> records(static_cast<std::size_t>(2 * cells), 0);
  std::fill(records.begin() + cells, records.end(), 1);
  EXPECT_EQ(read(dump, "t"), records);
}

// A kill after this point leaves a file that can be read.
TEST(FixedParts, are_in_the_part_file_at_once) {
  const Together all;
  const std::vector<double> mine = {1, 2};
  const FileSpec spec = cells_spec(all, "a.nc", 2 * all.size(), mine, ValueKind::float64);
  const auto file = create_netcdf4(spec, all.writers());
  all.wait();
  if (all.is_owner()) {
    // The file itself is locked.
    std::filesystem::copy_file(spec.path + ".part", all.file("copy.nc"));
    std::vector<double> expected;
    for (int writer = 0; writer < all.size(); ++writer) expected.insert(expected.end(), {1, 2});
    EXPECT_EQ(read(dump_of(all.file("copy.nc")), "lon"), expected);
  }
  all.wait();
  file->abandon();
}

TEST(FixedParts, a_number_that_does_not_fit_is_an_error_on_all) {
  const Together all;
  for (const ValueKind kind : {ValueKind::float32, ValueKind::int16}) {
    std::vector<double> mine = {1, 2};
    const bool is_small = kind == ValueKind::int16;
    if (all.rank() == all.last()) mine[1] = is_small ? 32767.6 : 1e39;
    const FileSpec spec = cells_spec(all, "a.nc", 2 * all.size(), mine, kind);
    EXPECT_EQ(io_error([&] { create_netcdf4(spec, all.writers()); }),
              "file '" + spec.path + "': cannot write the values of 'lon' (" +
                  (is_small ? "32767.6 is too large for 2" : "1e+39 is too large for 4") +
                  " bytes). Set prec=\"8\"?");
    EXPECT_FALSE(exists(spec.path));
  }
  const std::vector<double> largest = {std::numeric_limits<float>::max(),
                                       -std::numeric_limits<double>::infinity()};
  const FileSpec spec = cells_spec(all, "b.nc", 2 * all.size(), largest, ValueKind::float32);
  EXPECT_EQ(io_error([&] { create_netcdf4(spec, all.writers()); }), "");
}

/// What create_netcdf4 says of a spec that breaks its rules, on this writer or another.
std::string rejection(const Together& all, const FileSpec& spec) {
  try {
    create_netcdf4(spec, all.writers());
  } catch (const Error& e) {
    const std::string text = e.what();
    const std::string start = "file '" + spec.path + "': bad description of 'lon' (";
    EXPECT_EQ(text.rfind(start, 0), 0U) << text;
    return text.substr(start.size(), text.rfind(')') - start.size());
  }
  return "";
}

TEST(FixedParts, a_part_that_does_not_fit_is_an_error_on_all) {
  const Together all;
  const std::vector<double> mine = {1, 2};
  const auto spec_with = [&](FixedPart part) {
    FileSpec spec = cells_spec(all, "a.nc", 2 * all.size(), mine, ValueKind::float64);
    if (all.rank() == all.last()) spec.variables[0].fixed = part;
    return spec;
  };
  const std::int64_t end = 2 * all.size();
  EXPECT_EQ(rejection(all, spec_with({{{end - 1}, {2}}, mine})),
            "the fixed part is outside of the variable");
  EXPECT_EQ(rejection(all, spec_with({{{0, 0}, {1, 2}}, mine})),
            "the fixed part is outside of the variable");
  EXPECT_EQ(rejection(all, spec_with({{{end - 2}, {1}}, mine})),
            "2 numbers and 0 texts where 1 and 0 are due");
  if (all.size() > 1) {
    EXPECT_EQ(
        rejection(all,
                  spec_with({{{0}, {end}}, std::vector<double>(static_cast<std::size_t>(end))})),
        "its writers have " + std::to_string(2 * end - 2) + " points of " + std::to_string(end));
  }
}

TEST(FixedParts, a_write_that_fails_on_one_writer_is_an_error_on_all) {
  const Together all;
  const std::vector<double> mine(200'000, 1.5);
  FileSpec spec;
  spec.path = all.file("a.nc");
  const auto cells = static_cast<std::int64_t>(mine.size());
  spec.dimensions = {{"cell", cells * all.size()}};
  VariableSpec lon{"lon", ValueKind::float64, {0}, {}, {}, {}, {}};
  lon.fixed = {{{cells * all.rank()}, {cells}}, mine};
  spec.variables = {lon};
  std::optional<FileSizeLimit> limit;
  if (all.rank() == all.last()) limit.emplace(1'300'000);
  const std::string error = io_error([&] { create_netcdf4(spec, all.writers()); });
  limit.reset();
  // The owner learns of it before, when it sets the space aside.
  EXPECT_EQ(error, "file '" + spec.path + "': " +
                       (all.size() == 1 ? "cannot set aside 1.7 MB for coordinates"
                                        : "cannot write the values of 'lon'") +
                       " (File too large). Raise the limit of file sizes (ulimit -f)?");
  EXPECT_FALSE(exists(spec.path));
}

long peak_kb() {
  struct rusage usage = {};
  EXPECT_EQ(::getrusage(RUSAGE_SELF, &usage), 0);
  return usage.ru_maxrss;
}

TEST(FixedParts, large_coordinates_are_not_copied) {
  const Together all;
  const std::vector<double> warm_up = {1, 2};
  static_cast<void>(create_netcdf4(
      cells_spec(all, "warm_up.nc", 2 * all.size(), warm_up, ValueKind::float32), all.writers()));

  const std::int64_t cells = 4'000'000 / all.size();  // 32 MB of doubles
  const std::vector<double> mine(static_cast<std::size_t>(cells), 12.5);
  FileSpec spec;
  spec.path = all.file("a.nc");
  spec.dimensions = {{"cell", cells * all.size()}};
  VariableSpec lon{"lon", ValueKind::float32, {0}, {}, {}, {}, {}};
  lon.fixed = {{{cells * all.rank()}, {cells}}, mine};
  spec.variables = {lon};
  const long before = peak_kb();
  const auto file = create_netcdf4(spec, all.writers());
  EXPECT_LT(peak_kb() - before, 3000);
  file->seal(0);
  file->publish();
}

}  // namespace
}  // namespace epios::io::test::fixed_parts_test
