// Deflated chunks of a file that NetCDF has open, too. What they hold is compared with NetCDF's own
// reading by tests/reading; here that they are read at all, and what is left to NetCDF.
#include "reading/chunk_reader.hpp"

#include <netcdf.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <numeric>
#include <utility>

#include "config/error.hpp"
#include "file/source_file.hpp"
#include "scratch.hpp"

namespace epios::io::test::chunk_reader_test {
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

/// Bytes that this process has read so far, of any file.
std::int64_t bytes_read() {
  std::ifstream in("/proc/self/io");
  std::string name;
  std::int64_t count = -1;
  in >> name >> count;
  return name == "rchar:" ? count : -1;
}

/// A file of one variable that is not compressed, whose values are their places in the file.
template <class T>
struct Plain {
  Extents shape;
  std::string path;

  Plain(const Scratch& scratch, Extents of, const Extents& chunk)
      : shape(std::move(of)), path(scratch.file("plain.nc")) {
    int file = -1;
    int variable = -1;
    std::vector<int> dimensions(1);
    std::vector<std::size_t> chunks{1};
    EXPECT_EQ(nc_create(path.c_str(), NC_NETCDF4 | NC_CLOBBER, &file), NC_NOERR);
    EXPECT_EQ(nc_def_dim(file, "time", NC_UNLIMITED, dimensions.data()), NC_NOERR);
    for (std::size_t d = 0; d < shape.size(); ++d) {
      chunks.push_back(static_cast<std::size_t>(chunk[d]));
      const std::string name = "d" + std::to_string(d);
      EXPECT_EQ(nc_def_dim(file, name.c_str(), static_cast<std::size_t>(shape[d]),
                           &dimensions.emplace_back()),
                NC_NOERR);
    }
    const nc_type type = sizeof(T) == 2 ? NC_SHORT : sizeof(T) == 4 ? NC_FLOAT : NC_DOUBLE;
    EXPECT_EQ(nc_def_var(file, "tos", type, static_cast<int>(dimensions.size()), dimensions.data(),
                         &variable),
              NC_NOERR);
    EXPECT_EQ(nc_def_var_chunking(file, variable, NC_CHUNKED, chunks.data()), NC_NOERR);
    std::vector<std::size_t> begin(dimensions.size());
    std::vector<std::size_t> count{1};
    for (const std::int64_t length : shape) count.push_back(static_cast<std::size_t>(length));
    std::vector<T> values(static_cast<std::size_t>(whole(shape).volume()));
    for (std::int64_t record = 0; record < 2; ++record) {
      begin[0] = static_cast<std::size_t>(record);
      for (std::size_t k = 0; k < values.size(); ++k) {
        values[k] = static_cast<T>(at(record, static_cast<std::int64_t>(k)));
      }
      EXPECT_EQ(nc_put_vara(file, variable, begin.data(), count.data(), values.data()), NC_NOERR);
    }
    EXPECT_EQ(nc_close(file), NC_NOERR);
  }
  double at(std::int64_t record, std::int64_t point) const {
    const std::int64_t place = record * whole(shape).volume() + point;
    return static_cast<double>(sizeof(T) == 2 ? place % 31'991 : place);
  }
  std::vector<double> expected(const Box& box) const {
    std::vector<double> out;
    Extents row(shape.size(), 0);
    for (std::int64_t k = 0; k < box.volume(); ++k) {
      std::int64_t point = 0;
      for (std::size_t d = 0; d < shape.size(); ++d) {
        point = point * shape[d] + box.begin[d] + row[d];
      }
      out.push_back(at(1, point));
      for (std::size_t d = shape.size(); d-- > 0 && ++row[d] == box.size[d];) row[d] = 0;
    }
    return out;
  }
  /// Whether the box is read here, and that it is what NetCDF makes of it.
  bool is_read(const Box& box) const {
    const SourceFile source(path, "time");
    const auto variable = source.find("tos", shape, {}, {});
    std::vector<double> values(static_cast<std::size_t>(box.volume()));
    source.read(variable, 1, box, {}, values);
    EXPECT_EQ(values, expected(box));
    ChunkReader chunks(path);
    values.assign(values.size(), -1);
    if (!chunks.read("tos", {true, 1, variable.grid_dimension, &box}, values)) return false;
    EXPECT_EQ(values, expected(box));
    return true;
  }
  /// Bytes of files that a second record takes, in what the box has; 1 where nobody counts them.
  double bytes_per_byte(const Box& box) const {
    const SourceFile source(path, "time");
    const auto variable = source.find("tos", shape, {}, {});
    std::vector<double> values(static_cast<std::size_t>(box.volume()));
    source.read(variable, 0, box, {}, values);  // looks at the file
    const std::int64_t before = bytes_read();
    source.read(variable, 1, box, {}, values);
    const std::int64_t taken = bytes_read() - before;
    EXPECT_EQ(values, expected(box));
    if (before < 0) return 1;
    return static_cast<double>(taken) / static_cast<double>(box.volume() * std::int64_t{sizeof(T)});
  }
};

template <class T>
class PlainChunks : public ::testing::Test {};
using Kinds = ::testing::Types<std::int16_t, float, double>;
TYPED_TEST_SUITE(PlainChunks, Kinds);

TYPED_TEST(PlainChunks, come_where_they_belong) {
  const std::vector<Box> boxes{{{0, 0}, {110, 130}}, {{0, 0}, {50, 130}},  {{20, 0}, {60, 130}},
                               {{3, 0}, {97, 130}},  {{0, 10}, {110, 90}}, {{7, 5}, {103, 125}},
                               {{60, 60}, {50, 70}}};
  // Rows that are whole or cut, columns too, chunks beyond the end, and one for all.
  const std::vector<Extents> chunks{{110, 130}, {50, 130}, {50, 90}, {40, 110}, {110, 65}};
  for (const Extents& chunk : chunks) {
    const Scratch scratch;
    const Plain<TypeParam> plain(scratch, {110, 130}, chunk);
    for (const Box& box : boxes) {
      EXPECT_EQ(plain.is_read(box), box.volume() >= 4096)
          << chunk[0] << 'x' << chunk[1] << " at " << box.begin[0] << ' ' << box.begin[1];
    }
  }
}

// Levels and rows that are cut, chunks beyond the end, slabs within a chunk and over several.
TYPED_TEST(PlainChunks, of_a_grid_with_levels_come_where_they_belong) {
  const std::vector<Box> boxes{{{0, 0, 0}, {11, 150, 400}},  {{0, 0, 0}, {11, 130, 400}},
                               {{1, 40, 0}, {2, 90, 400}},   {{5, 7, 0}, {6, 143, 400}},
                               {{2, 101, 30}, {7, 49, 311}}, {{10, 149, 0}, {1, 1, 400}}};
  for (const Extents& chunk : {Extents{4, 100, 400}, Extents{4, 150, 400}, Extents{11, 150, 300}}) {
    const Scratch scratch;
    const Plain<TypeParam> plain(scratch, {11, 150, 400}, chunk);
    for (const Box& box : boxes) {
      double all_chunks = 1;  // of the box, in values: none is read twice
      for (std::size_t d = 0; d < chunk.size(); ++d) {
        const std::int64_t last = (box.begin[d] + box.size[d] - 1) / chunk[d];
        all_chunks *= static_cast<double>((last - box.begin[d] / chunk[d] + 1) * chunk[d]);
      }
      const double most = 1.01 * all_chunks / static_cast<double>(box.volume()) + 0.1;
      EXPECT_LT(plain.bytes_per_byte(box), most) << chunk[0] << 'x' << chunk[1];
      plain.is_read(box);
    }
  }
}

// A record in one chunk that several servers read: not as often all of it.
TYPED_TEST(PlainChunks, that_are_large_are_read_in_part) {
  const Scratch scratch;
  const Plain<TypeParam> plain(scratch, {1400, 500}, {1400, 500});
  for (const Box& box : {Box{{0, 0}, {1400, 500}}, Box{{0, 0}, {175, 500}},
                         Box{{175, 0}, {170, 500}}, Box{{1390, 0}, {10, 500}}}) {
    EXPECT_FALSE(plain.is_read(box)) << box.begin[0];
    EXPECT_LT(plain.bytes_per_byte(box), 1.5) << box.begin[0];
  }
  // Many short pieces that are most of it: at once.
  EXPECT_TRUE(plain.is_read({{0, 0}, {1400, 400}}));
}

// Slabs are cut without regard to chunks.
TYPED_TEST(PlainChunks, of_which_a_slab_has_a_sliver_are_read_once) {
  const Scratch scratch;
  const Plain<TypeParam> plain(scratch, {2400, 500}, {1200, 500});
  const Box box{{0, 0}, {1210, 500}};
  EXPECT_FALSE(plain.is_read(box));
  EXPECT_LT(plain.bytes_per_byte(box), 1.1);
}

/// A variable with the name of one of its dimensions is another data set in HDF5: of large chunks
/// and of compressed ones, read by NetCDF and beside it.
TEST(ChunkReader, reads_a_variable_with_the_name_of_a_dimension) {
  constexpr std::size_t rows = 300;
  constexpr std::size_t columns = 500;
  for (const int level : {0, 1}) {
    const Scratch scratch;
    const std::string path = scratch.file("named.nc");
    int file = -1;
    int variable = -1;
    std::array<int, 3> dimensions{};
    ASSERT_EQ(nc_create(path.c_str(), NC_NETCDF4 | NC_CLOBBER, &file), NC_NOERR);
    nc_def_dim(file, "time", NC_UNLIMITED, &dimensions[0]);
    nc_def_dim(file, "y", rows, &dimensions[1]);
    nc_def_dim(file, "x", columns, &dimensions[2]);
    ASSERT_EQ(nc_def_var(file, "x", NC_DOUBLE, 3, dimensions.data(), &variable), NC_NOERR);
    const std::array<std::size_t, 3> chunk{1, rows, columns};
    ASSERT_EQ(nc_def_var_chunking(file, variable, NC_CHUNKED, chunk.data()), NC_NOERR);
    if (level > 0) {
      ASSERT_EQ(nc_def_var_deflate(file, variable, 0, 1, level), NC_NOERR);
    }
    std::vector<double> values(rows * columns);
    std::iota(values.begin(), values.end(), 1.0);
    const std::array<std::size_t, 3> begin{0, 0, 0};
    ASSERT_EQ(nc_put_vara(file, variable, begin.data(), chunk.data(), values.data()), NC_NOERR);
    ASSERT_EQ(nc_close(file), NC_NOERR);

    const SourceFile source(path, "time");
    const Extents shape{rows, columns};
    const auto found = source.find("x", shape, {}, {});
    const Box box = whole(shape);
    std::vector<double> read(values.size());
    source.read(found, 0, box, {}, read);
    EXPECT_EQ(read, values) << level;
    std::fill(read.begin(), read.end(), 0.0);
    ChunkReader chunks(path);
    if (chunks.read("x", {true, 0, found.grid_dimension, &box}, read)) {
      EXPECT_EQ(read, values) << level;
    } else {
      EXPECT_EQ(level, 0);
    }
  }
}

TEST(ChunkReader, leaves_to_netcdf_what_does_not_pay) {
  {  // few values, small chunks
    const Scratch scratch;
    const Plain<float> plain(scratch, {110, 130}, {20, 30});
    EXPECT_FALSE(plain.is_read({{0, 0}, {110, 130}}));
  }
  {  // a large chunk of which little is asked for
    const Scratch scratch;
    const Plain<double> plain(scratch, {600, 300}, {600, 300});
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
}  // namespace epios::io::test::chunk_reader_test
