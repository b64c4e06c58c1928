// What is made of a store of Zarr that a killed run has left, and a store that a run continues.
#include <cmath>
#include <filesystem>
#include <fstream>

#include "config/error.hpp"
#include "file/data_file.hpp"
#include "file/recovery.hpp"
#include "together.hpp"

namespace epios::io::test::store_recovery_test {
namespace {

using Method = Compression::Method;
using Values = std::vector<double>;
using std::filesystem::exists;

/// time, tos and a field that lags behind; three records in a chunk.
FileSpec lagging_spec(const std::string& path, const Compression& compression) {
  FileSpec spec = small_spec(path, 3, 2, {2, 2});
  spec.format = FileFormat::zarr;
  VariableSpec& tos = spec.variables[1];
  tos.compression = compression;
  tos.records_per_chunk = 3;
  tos.attributes = {{"interval_write", std::string("1 d")}};
  VariableSpec late = tos;
  late.name = "late";
  late.fill = 1e20;
  VariableSpec count = tos;
  count.name = "count";
  count.kind = ValueKind::int32;
  count.is_once = true;
  count.records_per_chunk = 1;
  count.attributes = {};
  count.dimensions = {1, 2};
  spec.variables.push_back(late);
  spec.variables.push_back(count);
  return spec;
}

void write_field(OutputFile& file, int variable, std::int64_t record) {
  std::vector<float> values;
  for (int p = 0; p < 6; ++p) {
    values.push_back(static_cast<float>(100 * variable) + static_cast<float>(10 * record + p));
  }
  file.write({variable, record, whole({3, 2}), bytes(values)});
}

void write_time(OutputFile& file, std::int64_t record) {
  file.write({0, record, {}, bytes(std::vector<double>{static_cast<double>(record) + 0.5})});
}

/// Five records of tos and two of `late` are flushed, of which one more is under way.
void leave(const FileSpec& spec) {
  const auto file = create_zarr(spec, nullptr);
  file->reserve(6);
  for (std::int64_t record = 0; record < 5; ++record) {
    write_time(*file, record);
    write_field(*file, 1, record);
    if (record < 2) write_field(*file, 2, record);
  }
  file->sync();
  write_time(*file, 5);
  write_field(*file, 1, 5);  // completes a chunk: its file has a record that is not durable
  write_field(*file, 2, 2);
  file->abandon();
}

Values record_of(const DataFile& data, const std::string& name, std::int64_t record) {
  return data.values(data.find(name), {{record, 0, 0}, {1, 3, 2}});
}

TEST(StoreRecovery, has_the_records_of_the_journal_and_no_other) {
  const Together all;
  for (const Compression& compression :
       {Compression{}, Compression{1, Method::zstd}, Compression{3, Method::blosc_lz4},
        Compression{4, Method::deflate}}) {
    const FileSpec spec = lagging_spec(all.file("a.zarr"), compression);
    leave(spec);
    const std::string part = spec.path + ".part";
    const std::string before = read_text(part + "/tos/1.0.0");
    const Recovery made = recover_file(part, "");
    EXPECT_EQ(made.path, spec.path);
    EXPECT_EQ(made.records, 5);
    ASSERT_EQ(made.shorter.size(), 2U);
    const DataFile data(spec.path);
    EXPECT_EQ(data.records(), 5);
    EXPECT_EQ(data.values(data.find("time"), whole({5})), (Values{0.5, 1.5, 2.5, 3.5, 4.5}));
    for (std::int64_t r = 0; r < 5; ++r) {
      const double first = static_cast<double>(100 + 10 * r);
      EXPECT_EQ(record_of(data, "tos", r),
                (Values{first, first + 1, first + 2, first + 3, first + 4, first + 5}));
    }
    EXPECT_EQ(record_of(data, "late", 1), (Values{210, 211, 212, 213, 214, 215}));
    for (std::int64_t r = 2; r < 5; ++r) {
      EXPECT_EQ(record_of(data, "late", r), Values(6, static_cast<double>(1e20F))) << r;
    }
    // Nobody has written it: NetCDF's value for that.
    EXPECT_EQ(data.values(data.find("count"), whole({3, 2})), Values(6, -2147483647));
    EXPECT_FALSE(exists(spec.path + ".recovered"));
    EXPECT_FALSE(exists(spec.path + "/.epios.lock"));
    // What the run has left stays as it is.
    EXPECT_EQ(read_text(part + "/tos/1.0.0"), before);
    EXPECT_TRUE(exists(part + ".records"));
    // Fewer records on demand.
    const Recovery fewer = recover_file(part, all.file("fewer.zarr"), 2);
    EXPECT_EQ(fewer.records, 2);
    EXPECT_EQ(record_of(DataFile(fewer.path), "late", 1), (Values{210, 211, 212, 213, 214, 215}));
    std::filesystem::remove_all(fewer.path);
    std::filesystem::remove_all(spec.path);
  }
}

/// The same of version 3: shards of two chunks of time and of two beside each other.
TEST(StoreRecovery, makes_shards_anew) {
  const Together all;
  for (const Compression& compression : {Compression{}, Compression{1, Method::zstd}}) {
    FileSpec spec = lagging_spec(all.file("a.zarr"), compression);
    spec.format = FileFormat::zarr3;
    for (const std::size_t v : {1U, 2U}) {
      spec.variables[v].records_per_shard = 6;
      spec.variables[v].shard = {2, 1};
    }
    leave(spec);
    const std::string part = spec.path + ".part";
    EXPECT_EQ(recover_file(part, "").records, 5);
    const DataFile data(spec.path);
    EXPECT_EQ(data.format(), "Zarr 3");
    EXPECT_EQ(data.values(data.find("time"), whole({5})), (Values{0.5, 1.5, 2.5, 3.5, 4.5}));
    for (std::int64_t r = 0; r < 5; ++r) {
      const double first = static_cast<double>(100 + 10 * r);
      EXPECT_EQ(record_of(data, "tos", r),
                (Values{first, first + 1, first + 2, first + 3, first + 4, first + 5}));
    }
    EXPECT_EQ(record_of(data, "late", 1), (Values{210, 211, 212, 213, 214, 215}));
    EXPECT_EQ(record_of(data, "late", 2), Values(6, static_cast<double>(1e20F)));
    EXPECT_EQ(data.values(data.find("count"), whole({3, 2})), Values(6, -2147483647));
    EXPECT_FALSE(exists(spec.path + "/tos/c.0.0.0.partial"));
    const std::string shard = part + "/tos/c.0.0.0";
    std::filesystem::remove_all(spec.path);
    std::filesystem::resize_file(shard, std::filesystem::file_size(shard) - 5);
    const std::string error = io_error([&] { recover_file(part, ""); });
    EXPECT_NE(error.find("shard 'tos/c.0.0.0' has no index"), std::string::npos) << error;
  }
}

/// What was not written is not there in version 3, but coordinates and parts of records are.
TEST(StoreRecovery, misses_chunks_of_version_3) {
  const Together all;
  for (const bool has_shards : {true, false}) {
    FileSpec spec = lagging_spec(all.file("lacks.zarr"), {1, Method::zstd});
    spec.format = FileFormat::zarr3;
    spec.dimensions.push_back({"lon", 2});
    const std::vector<double> longitudes{1, 2};
    VariableSpec lon;
    lon.name = "lon";
    lon.kind = ValueKind::float64;
    lon.dimensions = {static_cast<int>(spec.dimensions.size()) - 1};
    lon.fixed = {whole({2}), longitudes, {}};
    spec.variables.push_back(lon);
    if (has_shards) {
      for (const std::size_t v : {1U, 2U}) {
        spec.variables[v].records_per_shard = 3;
        spec.variables[v].shard = {1, 1};
      }
    }
    leave(spec);
    const std::string part = spec.path + ".part";
    for (const char* name : {"/lon/c.0", "/tos/c.0.1.0", "/tos/c.1.0.0"}) {
      ASSERT_TRUE(exists(part + name)) << name;
      std::filesystem::rename(part + name, part + ".away");
      const std::string error = io_error([&] { recover_file(part, ""); });
      EXPECT_NE(error.find("is not there). Was it copied in whole?"), std::string::npos)
          << name << ": " << error;
      EXPECT_FALSE(exists(spec.path)) << name;
      std::filesystem::remove_all(spec.path + ".recovered");
      std::filesystem::remove_all(spec.path);
      std::filesystem::rename(part + ".away", part + name);
    }
    EXPECT_EQ(recover_file(part, "").records, 5);
    const DataFile data(spec.path);
    EXPECT_EQ(data.values(data.find("lon"), whole({2})), longitudes);
    std::filesystem::remove_all(spec.path);
    std::filesystem::remove_all(part);
  }
}

TEST(StoreRecovery, says_why_not) {
  const Together all;
  FileSpec spec = lagging_spec(all.file("a.zarr"), {1, Method::zstd});
  const std::string part = spec.path + ".part";
  const auto why = [&] {
    const std::string error = io_error([&] { recover_file(part, ""); });
    const std::string front = "file '" + part + "' cannot be recovered (";
    EXPECT_TRUE(error.starts_with(front)) << error;
    EXPECT_FALSE(exists(spec.path + ".recovered"));
    return error.substr(std::min(front.size(), error.size()));
  };
  const auto running = create_zarr(spec, nullptr);
  const std::string locked = io_error([&] { recover_file(part, ""); });
  EXPECT_TRUE(locked.starts_with("file '" + part + "': cannot be recovered (")) << locked;
  EXPECT_NE(locked.find("nother job"), std::string::npos) << locked;
  running->abandon();
  leave(spec);
  const std::string chunk = part + "/tos/0.1.0";
  const std::string whole_chunk = read_text(chunk);
  std::filesystem::resize_file(chunk, whole_chunk.size() / 2);
  EXPECT_EQ(why(),
            "chunk 'tos/0.1.0', which should be durable, cannot be decoded). Was the power lost? "
            "Then only durability=\"disk\" keeps what was written.");
  std::filesystem::remove(chunk);
  EXPECT_EQ(why(), "'tos/0.1.0' is not there). Was it copied in whole?");
  std::ofstream(chunk) << whole_chunk;
  std::ofstream(part + ".records") << "epios records 1\n5 other\n";
  EXPECT_EQ(why(), "its journal names 'other', which it has not). Are the two of one run?");
  std::filesystem::remove(part + ".records");
  EXPECT_EQ(why(),
            "its journal '" + part +
                ".records' is not there). Nothing says which records are whole; is it beside "
                "the file?");
  std::filesystem::create_directory(spec.path + ".recovered");
  std::ofstream(part + ".records") << "epios records 1\n5 tos\n5 time\n";
  EXPECT_EQ(io_error([&] { recover_file(part, ""); }),
            "file '" + part + "' cannot be recovered (there is a file '" + spec.path +
                ".recovered' already). Does somebody recover it now? Else remove what an earlier "
                "attempt has left.");
  std::filesystem::remove(spec.path + ".recovered");
  spec.path = all.file("live.zarr");
  spec.is_live = true;
  leave(spec);
  EXPECT_EQ(io_error([&] { recover_file(spec.path + ".part", ""); }),
            "file '" + spec.path + ".part' cannot be recovered (it does not exist, and '" +
                spec.path +
                "' does). With live=\"true\" a store has its name from its first record on and "
                "ends with the records of its last flush: there is nothing to recover.");
  // All that was flushed of all variables.
  EXPECT_EQ(DataFile(spec.path).records(), 2);
}

/// Readers of a live store that is continued have the earlier one until the new one has its
/// records.
TEST(StoreRecovery, a_live_store_may_get_its_name_late) {
  const Together all;
  FileSpec spec = lagging_spec(all.file("a.zarr"), {});
  for (const bool is_late : {false, true}) {
    spec.is_live = true;
    spec.is_shown_late = is_late;
    const auto file = create_zarr(spec, nullptr);
    file->reserve(4);
    for (std::int64_t record = 0; record < (is_late ? 3 : 1); ++record) {
      write_time(*file, record);
      write_field(*file, 1, record);
      write_field(*file, 2, record);
    }
    if (is_late) {
      EXPECT_EQ(DataFile(spec.path).records(), 2);
    }
    file->sync();
    EXPECT_EQ(DataFile(spec.path).records(), is_late ? 3 : 1);
    EXPECT_FALSE(exists(spec.path + ".part"));
    write_time(*file, is_late ? 3 : 1);
    file->seal(is_late ? 4 : 2);
    file->publish();
    EXPECT_EQ(record_of(DataFile(spec.path), "tos", 0)[5], 105);
  }
}

}  // namespace
}  // namespace epios::io::test::store_recovery_test
