// Compressed variables in files with as many writers as there are processes (one, too).
#include <atomic>
#include <cmath>
#include <ep/work_sharing.hpp>
#include <thread>
#include <vector>

#include "file/compressors.hpp"
#include "file/recovery.hpp"
#include "grid/layout.hpp"
#include "together.hpp"

namespace epios::io::test::compressed_shared_test {
namespace {

constexpr std::int64_t ny = 23;
constexpr std::int64_t nx = 17;
constexpr std::int64_t records = 9;

std::vector<float> values(std::int64_t record, const Box& box) {
  std::vector<float> out;
  for (std::int64_t y = box.begin[0]; !box.is_empty() && y < box.begin[0] + box.size[0]; ++y) {
    for (std::int64_t x = box.begin[1]; x < box.begin[1] + box.size[1]; ++x) {
      out.push_back(
          std::round(100 * std::sin(0.01F * static_cast<float>(1000 * record + nx * y + x))));
    }
  }
  return out;
}

FileSpec spec_of(const std::string& path, int level, const Extents& chunk) {
  FileSpec spec = small_spec(path, ny, nx, chunk);
  spec.variables[1].compression.level = level;
  // One that is not compressed beside it.
  VariableSpec plain = spec.variables[1];
  plain.name = "plain";
  plain.compression = {};
  spec.variables.push_back(plain);
  return spec;
}

void write_share(OutputFile& file, bool is_owner, std::int64_t record, const Box& box) {
  if (is_owner) {
    file.write({0, record, {}, bytes(std::vector<double>{static_cast<double>(record)})});
  }
  file.write({1, record, box, bytes(values(record, box))});
  file.write({2, record, box, bytes(values(record, box))});
}

std::string data_of(const std::string& path) {
  const std::string dump = ncdump("", path);
  return dump.substr(dump.find("data:"));
}

void expect_data(const Together& all, const std::string& path) {
  all.wait();
  if (!all.is_owner()) return;
  const std::string alone = all.file("alone.nc");
  const auto file = create_netcdf4(spec_of(alone, 0, {ny, nx}), nullptr);
  file->reserve(records);
  for (std::int64_t record = 0; record < records; ++record) {
    write_share(*file, true, record, whole({ny, nx}));
  }
  file->seal(records);
  file->publish();
  EXPECT_EQ(data_of(path), data_of(alone));
  EXPECT_NE(ncdump("-hs", path).find("tos:_DeflateLevel = "), std::string::npos);
}

void write_in_slabs(const Extents& chunk, std::int64_t block, int threads) {
  const Together all;
  FileSpec spec = spec_of(all.file("a.nc"), 1, chunk);
  spec.records_per_block = block;
  const Box mine = slabs({ny, nx}, chunk, all.size())[static_cast<std::size_t>(all.rank())];
  Compressors compressors(threads);
  const auto file = create_netcdf4(spec, all.writers(), &compressors);
  for (std::int64_t record = 0; record < records; ++record) {
    file->reserve(record + 1);
    write_share(*file, all.is_owner(), record, mine);
    if (record != 4) continue;
    file->sync();
    EXPECT_EQ(file->pending(), 0U);
    if (all.is_owner()) {
      EXPECT_EQ(read_text(spec.path + ".part.records"),
                "epios records 1\n5 time\n5 tos\n5 plain\n");
    }
  }
  file->seal(records);
  file->publish();
  expect_data(all, spec.path);
}

TEST(CompressedShared, chunks_of_one_row) { write_in_slabs({1, nx}, 1, 1); }
TEST(CompressedShared, blocks_of_records) { write_in_slabs({3, nx}, 4, 0); }
// Threads of a model that wait encode chunks, too.
TEST(CompressedShared, chunks_by_helper_threads) {
  ep::HelperPool helpers;
  std::atomic<bool> over{false};
  std::vector<std::thread> lenders;
  for (int t = 0; t < 2; ++t) {
    lenders.emplace_back([&] { helpers.help_until({"the file"}, [&] { return over.load(); }); });
  }
  while (!ep::helpers_available()) std::this_thread::yield();
  write_in_slabs({1, nx}, 1, 0);
  write_in_slabs({2, 5}, 3, 1);
  over.store(true);
  helpers.ring();
  for (std::thread& lender : lenders) lender.join();
}

TEST(CompressedShared, one_chunk_for_the_first_writer) { write_in_slabs({ny, nx}, 2, 1); }

// Writers need not be at the same record when they meet.
TEST(CompressedShared, a_writer_that_is_behind) {
  const Together all;
  FileSpec spec = spec_of(all.file("a.nc"), 3, {4, 10});
  spec.records_per_block = 2;
  const Box mine = slabs({ny, nx}, {4, 10}, all.size())[static_cast<std::size_t>(all.rank())];
  const auto file = create_netcdf4(spec, all.writers());
  std::int64_t written = 0;
  for (std::int64_t record = 0; record < records; ++record) {
    file->reserve(record + 1);
    const std::int64_t until = all.rank() == all.last() && record < 7 ? record / 3 : record + 1;
    for (; written < until; ++written) write_share(*file, all.is_owner(), written, mine);
  }
  file->seal(records);
  file->publish();
  expect_data(all, spec.path);
}

TEST(CompressedShared, records_that_nobody_wrote) {
  const Together all;
  const FileSpec spec = spec_of(all.file("a.nc"), 1, {5, nx});
  const Box mine = slabs({ny, nx}, {5, nx}, all.size())[static_cast<std::size_t>(all.rank())];
  const auto file = create_netcdf4(spec, all.writers());
  file->reserve(3);
  write_share(*file, all.is_owner(), 1, mine);
  file->seal(3);
  file->publish();
  all.wait();
  if (!all.is_owner()) return;
  const std::string dump = ncdump("-v tos", spec.path);
  std::size_t nans = 0;
  for (std::size_t at = dump.find("NaNf"); at != std::string::npos; at = dump.find("NaNf", at + 1))
    ++nans;
  EXPECT_EQ(nans, static_cast<std::size_t>(2 * ny * nx));
}

// What is behind a record that never comes is durable nevertheless.
TEST(CompressedShared, records_that_nobody_wrote_before_a_sync) {
  const Together all;
  const FileSpec spec = spec_of(all.file("a.nc"), 1, {5, nx});
  const Box mine = slabs({ny, nx}, {5, nx}, all.size())[static_cast<std::size_t>(all.rank())];
  const auto file = create_netcdf4(spec, all.writers());
  file->reserve(6);
  for (const std::int64_t record : {2, 4}) write_share(*file, all.is_owner(), record, mine);
  // This variable alone has no record 4.
  file->write({2, 5, mine, bytes(values(5, mine))});
  file->sync();
  file->sync();
  if (all.is_owner()) {
    EXPECT_EQ(read_text(spec.path + ".part.records"), "epios records 1\n5 time\n5 tos\n6 plain\n");
  }
  file->abandon();
  all.wait();
  if (!all.is_owner()) return;
  EXPECT_EQ(recover_file(spec.path + ".part", "").records, 6);
  const auto same = create_netcdf4(spec_of(all.file("b.nc"), 0, {5, nx}), nullptr);
  same->reserve(6);
  for (const std::int64_t record : {2, 4}) write_share(*same, true, record, whole({ny, nx}));
  same->write({2, 5, whole({ny, nx}), bytes(values(5, whole({ny, nx})))});
  same->seal(6);
  same->publish();
  EXPECT_EQ(data_of(spec.path), data_of(all.file("b.nc")));
}

TEST(CompressedShared, a_part_that_is_missing_is_an_error_on_all) {
  const Together all;
  const FileSpec spec = spec_of(all.file("a.nc"), 1, {5, nx});
  const Box mine = slabs({ny, nx}, {5, nx}, all.size())[static_cast<std::size_t>(all.rank())];
  const auto file = create_netcdf4(spec, all.writers());
  file->reserve(1);
  if (all.is_owner()) file->write({0, 0, {}, bytes(std::vector<double>{0})});
  file->write({2, 0, mine, bytes(values(0, mine))});
  if (!all.is_owner() || all.size() == 1) {
    Box part = mine;
    if (all.size() == 1) part.size[0] = 5;
    file->write({1, 0, part, bytes(values(0, part))});
  }
  const std::string error = io_error([&] { file->seal(1); });
  EXPECT_NE(error.find("record 0 of 'tos' has "), std::string::npos) << error;
  EXPECT_EQ(error, all.from_owner(error));
}

}  // namespace
}  // namespace epios::io::test::compressed_shared_test
