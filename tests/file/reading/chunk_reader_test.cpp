// Deflated chunks of a file that NetCDF has open, too. What they hold is compared with NetCDF's own
// reading by tests/reading; here that they are read at all, and what is left to NetCDF.
#include "reading/chunk_reader.hpp"

#include <cmath>
#include <fstream>

#include "config/error.hpp"
#include "file/source_file.hpp"
#include "scratch.hpp"

namespace epios::io::test {
namespace {

constexpr std::int64_t ny = 20;
constexpr std::int64_t nx = 30;

double value(std::int64_t record, std::int64_t point) {
  return std::round(100 * std::sin(0.01 * static_cast<double>(point + 50 * record)));
}

FileSpec write_file(const std::string& path, int level) {
  FileSpec spec = small_spec(path, ny, nx, {7, 30});
  spec.variables[1].compression.level = level;
  const auto file = create_netcdf4(spec, nullptr);
  for (std::int64_t record = 0; record < 3; ++record) {
    file->reserve(record + 1);
    file->write({0, record, {}, bytes(std::vector<double>{1})});
    std::vector<float> field;
    for (std::int64_t point = 0; point < ny * nx; ++point) {
      field.push_back(static_cast<float>(value(record, point)));
    }
    file->write({1, record, whole({ny, nx}), bytes(field)});
  }
  file->seal(3);
  file->publish();
  return spec;
}

TEST(ChunkReader, reads_beside_netcdf) {
  const Scratch scratch;
  for (const int level : {1, 6}) {
    const FileSpec spec = write_file(scratch.file("a.nc"), level);
    const SourceFile source(spec.path, "time");
    const auto variable = source.find("tos", {ny, nx}, {}, {});
    ChunkReader chunks(spec.path);
    const Box box{{5, 3}, {9, 21}};
    std::vector<double> values(static_cast<std::size_t>(box.volume()));
    ASSERT_TRUE(chunks.read("tos", {true, 2, variable.grid_dimension, &box}, values));
    for (std::int64_t j = 0; j < 9; ++j) {
      for (std::int64_t i = 0; i < 21; ++i) {
        EXPECT_EQ(values[static_cast<std::size_t>(j * 21 + i)], value(2, (5 + j) * nx + 3 + i));
      }
    }
    // NetCDF goes on with its own.
    std::vector<double> same(values.size());
    source.read(variable, 2, box, {}, same);
    EXPECT_EQ(same, values);
  }
}

/// A file of one variable that is not compressed, whose values are their places in the file.
struct Plain {
  std::int64_t rows = 0, columns = 0;
  std::string path;

  Plain(const Scratch& scratch, ValueKind kind, const Extents& shape, const Extents& chunk)
      : rows(shape[0]), columns(shape[1]), path(scratch.file("plain.nc")) {
    FileSpec spec = small_spec(path, rows, columns, chunk);
    spec.variables[1].kind = kind;
    const auto file = create_netcdf4(spec, nullptr);
    for (std::int64_t record = 0; record < 2; ++record) {
      file->reserve(record + 1);
      file->write({0, record, {}, bytes(std::vector<double>{1})});
      std::vector<double> values;
      for (std::int64_t k = 0; k < rows * columns; ++k) values.push_back(at(record, k));
      const std::vector<float> narrow(values.begin(), values.end());
      file->write(
          {1, record, whole(shape), kind == ValueKind::float64 ? bytes(values) : bytes(narrow)});
    }
    file->seal(2);
    file->publish();
  }
  double at(std::int64_t record, std::int64_t point) const {
    return static_cast<double>(record * rows * columns + point);
  }
  /// Whether the box is read here, and that it is what NetCDF makes of it.
  bool is_read(const Box& box) const {
    const SourceFile source(path, "time");
    const auto variable = source.find("tos", {rows, columns}, {}, {});
    std::vector<double> expected;
    for (std::int64_t j = 0; j < box.size[0]; ++j) {
      for (std::int64_t i = 0; i < box.size[1]; ++i) {
        expected.push_back(at(1, (box.begin[0] + j) * columns + box.begin[1] + i));
      }
    }
    std::vector<double> values(expected.size());
    source.read(variable, 1, box, {}, values);
    EXPECT_EQ(values, expected);
    ChunkReader chunks(path);
    values.assign(values.size(), -1);
    if (!chunks.read("tos", {true, 1, variable.grid_dimension, &box}, values)) return false;
    EXPECT_EQ(values, expected);
    return true;
  }
};

TEST(ChunkReader, puts_plain_chunks_where_they_belong) {
  const std::vector<Box> boxes{{{0, 0}, {110, 130}}, {{0, 0}, {50, 130}},  {{20, 0}, {60, 130}},
                               {{3, 0}, {97, 130}},  {{0, 10}, {110, 90}}, {{7, 5}, {103, 125}},
                               {{60, 60}, {50, 70}}};
  // Rows that are whole or cut, columns too, chunks beyond the end, and one for all.
  const std::vector<Extents> chunks{{110, 130}, {20, 130}, {50, 65}, {40, 100}, {110, 65}};
  for (const ValueKind kind : {ValueKind::float32, ValueKind::float64}) {
    for (const Extents& chunk : chunks) {
      const Scratch scratch;
      const Plain plain(scratch, kind, {110, 130}, chunk);
      for (const Box& box : boxes) {
        const bool is_small = box.volume() < 4096;
        EXPECT_EQ(plain.is_read(box), !is_small)
            << chunk[0] << 'x' << chunk[1] << " at " << box.begin[0] << ' ' << box.begin[1];
      }
    }
  }
}

/// Bytes that this process has read so far, of any file.
std::int64_t bytes_read() {
  std::ifstream in("/proc/self/io");
  std::string name;
  std::int64_t count = -1;
  in >> name >> count;
  return name == "rchar:" ? count : -1;
}

// A record in one chunk that four servers read: not four times all of it.
TEST(ChunkReader, reads_of_large_chunks_what_is_asked_for) {
  const Scratch scratch;
  for (const ValueKind kind : {ValueKind::float32, ValueKind::float64}) {
    const Plain plain(scratch, kind, {600, 400}, {600, 400});
    for (const Box& box : {Box{{0, 0}, {75, 400}}, Box{{75, 0}, {70, 400}},
                           Box{{590, 0}, {10, 400}}, Box{{530, 0}, {70, 400}}}) {
      const bool is_small = box.volume() * (kind == ValueKind::float32 ? 4 : 8) < 65536;
      if (is_small) continue;
      EXPECT_TRUE(plain.is_read(box)) << box.begin[0];
      if (bytes_read() < 0) continue;
      const SourceFile source(plain.path, "time");
      const auto variable = source.find("tos", {600, 400}, {}, {});
      ChunkReader chunks(plain.path);
      std::vector<double> values(static_cast<std::size_t>(box.volume()));
      chunks.read("tos", {true, 0, variable.grid_dimension, &box}, values);  // looks at the file
      const std::int64_t before = bytes_read();
      ASSERT_TRUE(chunks.read("tos", {true, 1, variable.grid_dimension, &box}, values));
      EXPECT_LT(bytes_read() - before, 3 * box.volume() * 8 / 2);
    }
  }
}

TEST(ChunkReader, leaves_to_netcdf_what_does_not_pay) {
  {  // few values, small chunks
    const Scratch scratch;
    const Plain plain(scratch, ValueKind::float32, {110, 130}, {20, 30});
    EXPECT_FALSE(plain.is_read({{0, 0}, {110, 130}}));
  }
  {  // a large chunk of which little is asked for
    const Scratch scratch;
    const Plain plain(scratch, ValueKind::float64, {600, 300}, {600, 300});
    EXPECT_TRUE(plain.is_read({{0, 0}, {600, 300}}));
    EXPECT_TRUE(plain.is_read({{0, 0}, {300, 300}}));
    EXPECT_FALSE(plain.is_read({{0, 0}, {600, 75}}));
  }
  const Scratch scratch;
  const FileSpec spec = write_file(scratch.file("a.nc"), 0);
  ChunkReader chunks(spec.path);
  const Box box = whole({ny, nx});
  std::vector<double> values(static_cast<std::size_t>(ny * nx));
  const std::vector<int> dimensions{0, 1};
  EXPECT_FALSE(chunks.read("tos", {true, 0, dimensions, &box}, values));
  EXPECT_FALSE(chunks.read("nothing", {true, 0, dimensions, &box}, values));
}

}  // namespace
}  // namespace epios::io::test
