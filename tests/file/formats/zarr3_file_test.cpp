// Stores of Zarr 3, with shards and without, with as many writers as there are processes. Contents
// are read by EPIOS here; tests/integration has a decoder of its own (zarr3.py).
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "chunks/shard_index.hpp"
#include "file/data_file.hpp"
#include "file/source_file.hpp"
#include "file_size_limit.hpp"
#include "grid/layout.hpp"
#include "together.hpp"

namespace epios::io::test::zarr3_file_test {
namespace {

using Json = nlohmann::json;
using Method = Compression::Method;
using std::filesystem::exists;

constexpr std::int64_t ny = 5;
constexpr std::int64_t nx = 3;

Json node(const std::string& store, const std::string& name) {
  return Json::parse(read_text(store + "/" + name + (name.empty() ? "" : "/") + "zarr.json"));
}

/// Chunks of 2 x 2 points and two records; two of them beside each other, and two times, in a
/// shard.
FileSpec sharded_spec(const std::string& path) {
  FileSpec spec = small_spec(path, ny, nx, {2, 2});
  spec.format = FileFormat::zarr3;
  spec.variables[1].records_per_chunk = 2;
  spec.variables[1].records_per_shard = 4;
  spec.variables[1].shard = {1, 2};
  spec.variables[1].fill = 1e20;
  return spec;
}

float value(std::int64_t record, std::int64_t point) {
  return static_cast<float>(100 * record + point);
}

/// The share of a writer: whole shards.
Box share_of(const Together& all) {
  return slabs({ny, nx}, {2, 4}, all.size())[static_cast<std::size_t>(all.rank())];
}

void write_share(OutputFile& file, const Together& all, std::int64_t record) {
  const Box mine = share_of(all);
  file.reserve(record + 1);
  if (all.is_owner()) {
    file.write({0, record, {}, bytes(std::vector<double>{static_cast<double>(record) + 0.5})});
  }
  std::vector<float> values;
  for (std::int64_t p = 0; p < mine.volume(); ++p) {
    values.push_back(value(record, mine.begin[0] * nx + p));
  }
  file.write({1, record, mine, bytes(values)});
}

void expect_records(const std::string& store, std::int64_t records,
                    const std::vector<std::int64_t>& gaps = {}) {
  const DataFile data(store);
  EXPECT_EQ(data.format(), "Zarr 3");
  const int tos = data.find("tos");
  ASSERT_GE(tos, 0);
  ASSERT_EQ(data.shape(tos), (Extents{records, ny, nx}));
  ASSERT_EQ(data.shape(data.find("time")), Extents{records});
  for (std::int64_t r = records - 1; r >= 0; --r) {
    const std::vector<double> found = data.values(tos, {{r, 0, 0}, {1, ny, nx}});
    const bool is_gap = std::find(gaps.begin(), gaps.end(), r) != gaps.end();
    for (std::int64_t p = 0; p < ny * nx; ++p) {
      EXPECT_EQ(found[static_cast<std::size_t>(p)],
                static_cast<double>(is_gap ? 1e20F : value(r, p)))
          << r << " " << p;
    }
  }
}

std::vector<std::string> files_of(const std::string& folder) {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().filename() != "zarr.json") out.push_back(entry.path().filename());
  }
  std::sort(out.begin(), out.end());
  return out;
}

TEST(Zarr3File, checksums_are_those_of_the_standard) {
  const std::string text = "123456789";  // RFC 3720 has no text, but every implementation has this
  EXPECT_EQ(crc32c(std::as_bytes(std::span(text))), 0xe3069283U);
  const std::vector<std::byte> zeros(32);  // RFC 3720, B.4
  EXPECT_EQ(crc32c(zeros), 0x8a9136aaU);
}

/// Seven records by all writers, with a flush in the middle of a shard and of a chunk.
TEST(Zarr3File, shards_grow_and_are_whole_whenever_they_are_seen) {
  const Together all;
  for (const Compression& compression :
       {Compression{}, Compression{1, Method::zstd}, Compression{1, Method::deflate},
        Compression{6, Method::deflate}, Compression{5, Method::blosc_lz4},
        Compression{3, Method::blosc_zstd, {}, Compression::Shuffle::bit}}) {
    FileSpec spec = sharded_spec(all.file("a.zarr"));
    spec.variables[1].compression = compression;
    spec.is_live = compression.level != 1;
    const auto file = create_zarr(spec, all.writers());
    for (std::int64_t record = 0; record < 7; ++record) {
      write_share(*file, all, record);
      if (record == 3 || record == 6) continue;
      file->sync();
      EXPECT_EQ(file->pending(), 0U);
      if (all.is_owner()) expect_records(spec.path + (spec.is_live ? "" : ".part"), record + 1);
      all.wait();
    }
    file->seal(7);
    EXPECT_GT(file->publish(), all.is_owner() ? 0 : -1);
    all.wait();
    if (all.is_owner()) {
      expect_records(spec.path, 7);
      EXPECT_EQ(files_of(spec.path + "/tos"),
                (std::vector<std::string>{"c.0.0.0", "c.0.1.0", "c.0.2.0", "c.1.0.0", "c.1.1.0",
                                          "c.1.2.0"}));
      EXPECT_EQ(files_of(spec.path), (std::vector<std::string>{"time", "tos"}));
      const Json tos = node(spec.path, "tos");
      EXPECT_EQ(tos.at("chunk_grid").at("configuration").at("chunk_shape"), Json({4, 2, 4}));
      const Json sharding = tos.at("codecs").at(0);
      EXPECT_EQ(sharding.at("name"), "sharding_indexed");
      EXPECT_EQ(sharding.at("configuration").at("chunk_shape"), Json({2, 2, 2}));
      EXPECT_EQ(tos.at("dimension_names"), Json({"time", "y", "x"}));
      // 1e20 in single precision, as a double.
      EXPECT_EQ(tos.at("attributes").at("_FillValue"), "AAAAgB2vFUQ=");
      const Json all_nodes = node(spec.path, "").at("consolidated_metadata").at("metadata");
      EXPECT_EQ(all_nodes.at("tos"), tos);
      EXPECT_EQ(all_nodes.at("time"), node(spec.path, "time"));
    }
    all.wait();
  }
}

/// Records that nobody writes are not there, and those that come late find their chunk, in its file
/// by now.
TEST(Zarr3File, gaps_and_late_records) {
  const Together all;
  for (const bool has_shards : {true, false}) {
    for (const FileFormat format : {FileFormat::zarr3, FileFormat::zarr}) {
      if (has_shards && format == FileFormat::zarr) continue;
      for (const int level : {0, 1}) {
        FileSpec spec = sharded_spec(all.file("gaps.zarr"));
        spec.format = format;
        spec.variables[1].compression = {level, Method::zstd};
        if (!has_shards) {
          spec.variables[1].records_per_shard = 0;
          spec.variables[1].shard = {};
        }
        const auto file = create_zarr(spec, all.writers());
        file->reserve(20);
        for (const std::int64_t record : {0, 2, 5, 3, 14, 1, 15, 4}) {
          const Box mine = share_of(all);
          std::vector<float> values;
          for (std::int64_t p = 0; p < mine.volume(); ++p) {
            values.push_back(value(record, mine.begin[0] * nx + p));
          }
          file->write({1, record, mine, bytes(values)});
        }
        file->seal(20);
        file->publish();
        all.wait();
        if (all.is_owner()) {
          const std::vector<std::int64_t> gaps = {6, 7, 8, 9, 10, 11, 12, 13, 16, 17, 18, 19};
          const DataFile data(spec.path);
          for (std::int64_t r = 0; r < 20; ++r) {
            const bool is_gap = std::find(gaps.begin(), gaps.end(), r) != gaps.end();
            const auto found = data.values(data.find("tos"), {{r, ny - 1, nx - 1}, {1, 1, 1}});
            EXPECT_EQ(found.front(), static_cast<double>(is_gap ? 1e20F : value(r, ny * nx - 1)))
                << r << " " << level << " " << has_shards;
          }
          if (has_shards) {
            EXPECT_FALSE(exists(spec.path + "/tos/c.2.0.0"));
          }
        }
        all.wait();
      }
    }
  }
}

/// A store of version 2 gives way to one of version 3, and the other way round.
TEST(Zarr3File, replaces_a_store_of_the_other_version) {
  const Together all;
  for (const FileFormat format : {FileFormat::zarr, FileFormat::zarr3, FileFormat::zarr}) {
    FileSpec spec = small_spec(all.file("a.zarr"), ny, nx, {2, nx});
    spec.format = format;
    const auto file = create_zarr(spec, all.writers());
    file->seal(0);
    file->publish();
    all.wait();
    if (all.is_owner()) {
      EXPECT_EQ(exists(spec.path + "/.zgroup"), format == FileFormat::zarr);
      EXPECT_EQ(exists(spec.path + "/zarr.json"), format == FileFormat::zarr3);
    }
    all.wait();
  }
}

TEST(Zarr3File, damage_is_noticed) {
  const Together all;
  if (!all.is_owner()) return;
  const FileSpec spec = sharded_spec(all.file("a.zarr"));
  const auto file = create_zarr(spec, nullptr);
  file->reserve(4);
  for (std::int64_t r = 0; r < 4; ++r) write_record(*file, r, ny, nx);
  file->seal(4);
  file->publish();
  const std::string shard = spec.path + "/tos/c.0.1.0";
  const std::string good = read_text(shard);
  const auto read = [&] {
    const DataFile data(spec.path);
    static_cast<void>(data.values(data.find("tos"), {{0, 2, 0}, {4, 2, nx}}));
  };
  EXPECT_EQ(io_error(read), "");
  for (const bool is_index : {false, true}) {
    std::string bad = good;
    bad[is_index ? bad.size() - 9 : 3] ^= 1;
    std::ofstream(shard, std::ios::trunc) << bad;
    const std::string error = io_error(read);
    EXPECT_TRUE(error.starts_with("file '" + spec.path +
                                  "' has a chunk 'tos/c.0.1.0' that cannot be read ("))
        << error;
    EXPECT_NE(error.find(is_index ? "no index of a shard" : "are not those of 8 values"),
              std::string::npos)
        << error;
  }
  // The index stands for what is not there.
  std::filesystem::remove(shard);
  EXPECT_EQ(io_error(read), "");
}

TEST(Zarr3File, a_disk_that_is_full_in_a_shard_ends_the_store_on_all_writers) {
  const Together all;
  FileSpec spec = small_spec(all.file("full.zarr"), 6, 4000, {1, 2000});
  spec.format = FileFormat::zarr3;
  spec.variables[1].records_per_chunk = 1;
  spec.variables[1].records_per_shard = 3;
  spec.variables[1].shard = {1, 2};
  const Box mine = slabs({6, 4000}, {1, 4000}, all.size())[static_cast<std::size_t>(all.rank())];
  const auto file = create_zarr(spec, all.writers());
  file->reserve(2);
  const std::vector<float> values(static_cast<std::size_t>(mine.volume()), 1.5F);
  std::string error;
  {
    const FileSizeLimit limit(all.rank() == all.last() ? 20'000 : 1'000'000);
    // A record takes 16,000 bytes of the shard.
    EXPECT_EQ(io_error([&] { file->write({1, 0, mine, bytes(values)}); }), "");
    static_cast<void>(io_error([&] { file->write({1, 1, mine, bytes(values)}); }));
    error = io_error([&] { file->seal(2); });
  }
  EXPECT_NE(error.find("file '" + spec.path + "': cannot write record 1 of 'tos' (File too large)"),
            std::string::npos)
      << error;
  file->abandon();
  all.wait();
  EXPECT_FALSE(exists(spec.path));
}

/// What readers have seen of a live shard stays, though the flush after the failed write comes.
TEST(Zarr3File, a_full_disk_takes_nothing_from_a_shard_that_readers_see) {
  const Together all;
  FileSpec spec = small_spec(all.file("live.zarr"), 6, 4000, {1, 2000});
  spec.format = FileFormat::zarr3;
  spec.is_live = true;
  spec.variables[1].records_per_chunk = 1;
  spec.variables[1].records_per_shard = 3;
  spec.variables[1].shard = {1, 2};
  const Box mine = slabs({6, 4000}, {1, 4000}, all.size())[static_cast<std::size_t>(all.rank())];
  const auto file = create_zarr(spec, all.writers());
  file->reserve(2);
  const std::vector<float> values(static_cast<std::size_t>(mine.volume()), 1.5F);
  if (all.is_owner()) file->write({0, 0, {}, bytes(std::vector<double>{0.5})});
  file->write({1, 0, mine, bytes(values)});
  file->sync();
  std::string error;
  {
    const FileSizeLimit limit(all.rank() == all.last() ? 20'000 : 1'000'000);
    error = io_error([&] { file->write({1, 1, mine, bytes(values)}); });
    EXPECT_EQ(error.empty(), all.rank() != all.last()) << error;
  }
  // Now there is room, for an index at least.
  error = io_error([&] { file->sync(); });
  EXPECT_NE(error.find("cannot write record 1 of 'tos' (File too large)"), std::string::npos)
      << error;
  all.wait();
  if (all.is_owner()) {
    std::vector<double> found;
    EXPECT_EQ(io_error([&] {
                const DataFile data(spec.path);
                EXPECT_EQ(data.shape(data.find("tos")), (Extents{1, 6, 4000}));
                found = data.values(data.find("tos"), {{0, 0, 0}, {1, 6, 4000}});
              }),
              "");
    EXPECT_EQ(std::count(found.begin(), found.end(), 1.5), 24'000);
  }
  all.wait();
  file->abandon();
}

TEST(Zarr3File, shards_that_no_memory_holds_are_refused) {
  const Together all;
  FileSpec spec = small_spec(all.file("large.zarr"), ny, nx, {2, nx});
  spec.format = FileFormat::zarr3;
  spec.variables[1].records_per_chunk = 1;
  spec.variables[1].records_per_shard = 3'000'000'000;
  std::string refusal;
  try {
    static_cast<void>(create_zarr(spec, all.writers()));
  } catch (const Error& error) {
    refusal = error.what();
  }
  EXPECT_NE(refusal.find("file '" + spec.path +
                         "': cannot write shards of 'tos' (each has more than 1000000 chunks). Set "
                         "smaller sharding_records, or larger chunks?"),
            std::string::npos)
      << refusal;
  EXPECT_FALSE(exists(spec.path + ".part"));
}

}  // namespace
}  // namespace epios::io::test::zarr3_file_test
