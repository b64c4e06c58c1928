// Compressed variables with one writer. No MPI here at all.
#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "config/error.hpp"
#include "file/compressors.hpp"
#include "scratch.hpp"

namespace epios::io::test::compressed_test {
namespace {

using std::filesystem::exists;

constexpr std::int64_t ny = 37;
constexpr std::int64_t nx = 53;

FileSpec packed_spec(const std::string& path, int level, Extents chunk) {
  FileSpec spec = small_spec(path, ny, nx, std::move(chunk));
  spec.variables[1].compression.level = level;
  return spec;
}

/// A smooth field; `noise`: bits that no compressor can spare.
std::vector<float> field(std::int64_t record, bool noise) {
  std::vector<float> out(static_cast<std::size_t>(ny * nx));
  std::mt19937 random(static_cast<unsigned>(record));
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = std::round(100 *
                        std::cos(0.01F * static_cast<float>(i + static_cast<std::size_t>(record))));
    if (noise) out[i] = static_cast<float>(random()) * 1e-3F;
  }
  return out;
}

void write_records(OutputFile& file, std::int64_t from, std::int64_t to, bool noise = false) {
  for (std::int64_t record = from; record < to; ++record) {
    file.reserve(record + 1);
    const std::vector<double> time = {static_cast<double>(record)};
    file.write({0, record, {}, bytes(time)});
    file.write({1, record, whole({ny, nx}), bytes(field(record, noise))});
  }
}

void write_file(const FileSpec& spec, Compressors* compressors, std::int64_t records,
                bool noise = false) {
  const auto file = create_netcdf4(spec, nullptr, compressors);
  write_records(*file, 0, records, noise);
  file->seal(records);
  EXPECT_EQ(file->pending(), 0U);
  file->publish();
}

/// All data, with as many digits as tell two numbers apart.
std::string data_of(const std::string& path) {
  const std::string dump = ncdump("-p 9,17", path);
  return dump.substr(dump.find("data:"));
}

class CompressedFile : public testing::TestWithParam<int> {};

TEST_P(CompressedFile, has_the_values_of_one_that_is_not) {
  const Scratch scratch;
  write_file(packed_spec(scratch.file("plain.nc"), 0, {10, 20}), nullptr, 12);
  const std::string expected = data_of(scratch.file("plain.nc"));
  std::vector<std::string> contents;
  for (const int threads : {-1, 0, 1, 3}) {
    Compressors compressors(threads);
    const FileSpec spec = packed_spec(scratch.file("a.nc"), GetParam(), {10, 20});
    write_file(spec, threads < 0 ? nullptr : &compressors, 12);
    EXPECT_EQ(data_of(spec.path), expected) << threads;
    contents.push_back(read_text(spec.path));
  }
  // The number of threads changes no byte of the file.
  for (const std::string& content : contents) EXPECT_EQ(content, contents.front());
  const std::string header = ncdump("-hs", scratch.file("a.nc"));
  for (const char* said : {"tos:_Shuffle = \"true\" ;", "tos:_ChunkSizes = 1, 10, 20 ;",
                           "time = UNLIMITED ; // (12 currently)"}) {
    EXPECT_NE(header.find(said), std::string::npos) << header;
  }
  EXPECT_NE(header.find("tos:_DeflateLevel = " + std::to_string(GetParam()) + " ;"),
            std::string::npos)
      << header;
  EXPECT_LT(contents.front().size(), read_text(scratch.file("plain.nc")).size());
}

INSTANTIATE_TEST_SUITE_P(levels, CompressedFile, testing::Values(1, 2, 4, 9));

TEST(CompressedFile, of_what_cannot_be_compressed_is_not_larger) {
  const Scratch scratch;
  write_file(packed_spec(scratch.file("plain.nc"), 0, {ny, nx}), nullptr, 6, true);
  for (const int level : {1, 6}) {
    const FileSpec spec = packed_spec(scratch.file("a.nc"), level, {ny, nx});
    Compressors compressors(1);
    write_file(spec, &compressors, 6, true);
    EXPECT_EQ(data_of(spec.path), data_of(scratch.file("plain.nc")));
    EXPECT_LT(read_text(spec.path).size(), read_text(scratch.file("plain.nc")).size() + 8192);
  }
}

TEST(CompressedFile, of_other_kinds_of_values) {
  for (const ValueKind kind : {ValueKind::float64, ValueKind::int16, ValueKind::int64}) {
    const Scratch scratch;
    std::vector<std::string> dumps;
    for (const int level : {0, 1}) {
      FileSpec spec = packed_spec(scratch.file("a.nc"), level, {5, 7});
      spec.variables[1].kind = kind;
      const auto file = create_netcdf4(spec, nullptr);
      file->reserve(1);
      file->write({0, 0, {}, bytes(std::vector<double>{1})});
      const std::size_t points = static_cast<std::size_t>(ny * nx);
      if (kind == ValueKind::float64) {
        std::vector<double> values(points);
        for (std::size_t i = 0; i < points; ++i) values[i] = std::sin(static_cast<double>(i));
        file->write({1, 0, whole({ny, nx}), bytes(values)});
      } else if (kind == ValueKind::int16) {
        std::vector<std::int16_t> values(points);
        for (std::size_t i = 0; i < points; ++i) values[i] = static_cast<std::int16_t>(i * 31);
        file->write({1, 0, whole({ny, nx}), bytes(values)});
      } else {
        std::vector<std::int64_t> values(points);
        for (std::size_t i = 0; i < points; ++i) values[i] = static_cast<std::int64_t>(i) << 33;
        file->write({1, 0, whole({ny, nx}), bytes(values)});
      }
      file->seal(1);
      file->publish();
      dumps.push_back(data_of(spec.path));
    }
    EXPECT_EQ(dumps[1], dumps[0]);
  }
}

TEST(CompressedFile, records_that_nobody_wrote_read_as_fill) {
  const Scratch scratch;
  FileSpec spec = packed_spec(scratch.file("a.nc"), 1, {2, 3});
  spec.dimensions[1].length = 2;
  spec.dimensions[2].length = 4;
  spec.variables[1].fill = -5;
  const auto file = create_netcdf4(spec, nullptr);
  file->reserve(3);
  write_record(*file, 0, 2, 4);
  write_record(*file, 2, 2, 4);
  file->seal(3);
  file->publish();
  const std::string dump = ncdump("-v tos", spec.path);
  EXPECT_NE(dump.find(" tos =\n  0, 1, 2, 3,\n  4, 5, 6, 7,\n  _, _, _, _,\n  _, _, _, _,\n"
                      "  200, 201, 202, 203,\n  204, 205, 206, 207 ;"),
            std::string::npos)
      << dump;
}

TEST(CompressedFile, a_slab_that_is_a_part_of_a_chunk_is_refused) {
  const Scratch scratch;
  const auto file = create_netcdf4(packed_spec(scratch.file("a.nc"), 1, {10, nx}), nullptr);
  file->reserve(1);
  const std::vector<float> part(static_cast<std::size_t>(15 * nx));
  try {
    file->write({1, 0, {{0, 0}, {15, nx}}, bytes(part)});
    ADD_FAILURE() << "taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::internal);
    EXPECT_NE(std::string(error.what()).find("not made of whole chunks"), std::string::npos);
  }
}

// What a kill leaves is what the last sync has left.
TEST(CompressedFile, is_whole_up_to_the_last_sync) {
  const Scratch scratch;
  Compressors compressors(2);
  const FileSpec spec = packed_spec(scratch.file("a.nc"), 1, {10, 20});
  const auto file = create_netcdf4(spec, nullptr, &compressors);
  write_records(*file, 0, 3);
  file->sync();
  EXPECT_EQ(file->pending(), 0U);
  EXPECT_EQ(read_text(spec.path + ".part.records"), "epios records 1\n3 time\n3 tos\n");
  std::filesystem::copy_file(spec.path + ".part", scratch.file("then.nc"));
  const std::string then = data_of(scratch.file("then.nc"));
  write_records(*file, 3, 20);
  std::filesystem::copy_file(spec.path + ".part", scratch.file("killed.nc"));
  EXPECT_EQ(data_of(scratch.file("killed.nc")), then);
  write_file(packed_spec(scratch.file("short.nc"), 0, {10, 20}), nullptr, 3);
  EXPECT_EQ(then, data_of(scratch.file("short.nc")));
}

// Files that take turns hand each other's chunks back; one that is given up takes nobody with it.
TEST(CompressedFile, several_share_their_compressors) {
  const Scratch scratch;
  Compressors compressors(1);
  const FileSpec a = packed_spec(scratch.file("a.nc"), 1, {4, 5});
  const FileSpec b = packed_spec(scratch.file("b.nc"), 6, {ny, nx});
  const FileSpec c = packed_spec(scratch.file("c.nc"), 1, {2, 53});
  const auto first = create_netcdf4(a, nullptr, &compressors);
  const auto second = create_netcdf4(b, nullptr, &compressors);
  auto third = create_netcdf4(c, nullptr, &compressors);
  for (std::int64_t record = 0; record < 10; ++record) {
    write_records(*first, record, record + 1);
    write_records(*second, record, record + 1);
    if (record < 5) write_records(*third, record, record + 1);
    if (record == 4) third->abandon();
    if (record == 6) third.reset();
  }
  first->seal(10);
  second->seal(10);
  first->publish();
  second->publish();
  EXPECT_TRUE(exists(c.path + ".part"));
  EXPECT_EQ(data_of(a.path), data_of(b.path));
  write_file(packed_spec(scratch.file("plain.nc"), 0, {}), nullptr, 10);
  EXPECT_EQ(data_of(a.path), data_of(scratch.file("plain.nc")));
}

}  // namespace
}  // namespace epios::io::test::compressed_test
