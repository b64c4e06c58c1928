// Deflated chunks of a file that NetCDF has open, too. What they hold is compared with NetCDF's own
// reading by tests/reading; here that they are read at all, and what is left to NetCDF.
#include "reading/chunk_reader.hpp"

#include <cmath>

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

TEST(ChunkReader, leaves_to_netcdf_what_is_not_deflated) {
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
