// Files with as many writers as there are processes (one, too).

#include "file_size_limit.hpp"
#include "grid/layout.hpp"
#include "together.hpp"

namespace epios::io::test::shared_file_test {
namespace {

using std::filesystem::exists;

// Value of the point (y, x) of a record.
float value(std::int64_t record, std::int64_t y, std::int64_t x) {
  return static_cast<float>(1000 * record + 10 * y + x);
}

std::vector<float> values(std::int64_t record, const Box& box) {
  std::vector<float> out;
  if (box.is_empty()) return out;
  for (std::int64_t y = box.begin[0]; y < box.begin[0] + box.size[0]; ++y) {
    for (std::int64_t x = box.begin[1]; x < box.begin[1] + box.size[1]; ++x) {
      out.push_back(value(record, y, x));
    }
  }
  return out;
}

void write_share(OutputFile& file, const Together& all, std::int64_t record, const Box& box) {
  if (all.is_owner()) {
    file.write({0, record, {}, bytes(std::vector<double>{static_cast<double>(record)})});
  }
  file.write({1, record, box, bytes(values(record, box))});
}

std::string expected_records(std::int64_t records, std::int64_t ny, std::int64_t nx) {
  std::string text = " tos =\n";
  for (std::int64_t record = 0; record < records; ++record) {
    for (std::int64_t y = 0; y < ny; ++y) {
      text += " ";
      for (std::int64_t x = 0; x < nx; ++x) {
        text += " " + std::to_string(static_cast<int>(value(record, y, x)));
        const bool ends = x == nx - 1 && y == ny - 1 && record == records - 1;
        text += ends ? " ;\n" : (x == nx - 1 ? ",\n" : ",");
      }
    }
  }
  return text;
}

void expect_records(const Together& all, const std::string& path, std::int64_t records,
                    std::int64_t ny, std::int64_t nx) {
  all.wait();
  if (!all.is_owner()) return;
  const std::string dump = ncdump("", path);
  EXPECT_NE(dump.find("(" + std::to_string(records) + " currently)"), std::string::npos) << dump;
  EXPECT_NE(dump.find(expected_records(records, ny, nx)), std::string::npos) << dump;
  EXPECT_FALSE(exists(path + ".part"));
  EXPECT_FALSE(exists(path + ".part.records"));
}

// Slabs of 5 rows in chunks of one or two rows: uneven for two writers.
void write_in_slabs(const Extents& chunk, std::int64_t block, bool to_disk) {
  const Together all;
  FileSpec spec = small_spec(all.file("a.nc"), 5, 3, chunk);
  spec.records_per_block = block;
  spec.to_disk = to_disk;
  const Box mine = slabs({5, 3}, chunk, all.size())[static_cast<std::size_t>(all.rank())];
  const auto file = create_netcdf4(spec, all.writers());
  for (std::int64_t record = 0; record < 5; ++record) {
    file->reserve(record + 1);
    write_share(*file, all, record, mine);
    if (record == 2) {
      file->sync();
      if (all.is_owner()) {
        EXPECT_EQ(read_text(spec.path + ".part.records"), "epios records 1\n3 time\n3 tos\n");
      }
    }
  }
  file->seal(5);
  const std::int64_t size = file->publish();
  EXPECT_EQ(size > 0, all.is_owner());
  expect_records(all, spec.path, 5, 5, 3);
}

TEST(SharedFile, uneven_slabs) { write_in_slabs({1, 3}, 2, false); }

TEST(SharedFile, uneven_slabs_of_uneven_chunks_to_disk) { write_in_slabs({2, 3}, 64, true); }

TEST(SharedFile, a_writer_with_an_empty_slab) {
  const Together all;
  const FileSpec spec = small_spec(all.file("a.nc"), 2, 2, {2, 2});
  // One chunk: the first writer has it, the others have nothing.
  const Box mine = slabs({2, 2}, {2, 2}, all.size())[static_cast<std::size_t>(all.rank())];
  EXPECT_EQ(mine.is_empty(), !all.is_owner());
  const auto file = create_netcdf4(spec, all.writers());
  for (std::int64_t record = 0; record < 3; ++record) {
    file->reserve(record + 1);
    write_share(*file, all, record, mine);
  }
  file->seal(3);
  file->publish();
  expect_records(all, spec.path, 3, 2, 2);
}

TEST(SharedFile, slabs_whose_borders_are_no_borders_of_chunks) {
  const Together all;
  const FileSpec spec = small_spec(all.file("a.nc"), 4, 5, {3, 2});
  Box mine = whole({4, 5});
  mine.size[1] = all.is_owner() ? (all.size() == 1 ? 5 : 3) : (all.rank() == 1 ? 2 : 0);
  if (!all.is_owner()) mine.begin[1] = 3;
  const auto file = create_netcdf4(spec, all.writers());
  file->reserve(2);
  for (const std::int64_t record : {1, 0}) write_share(*file, all, record, mine);
  file->seal(2);
  file->publish();
  expect_records(all, spec.path, 2, 4, 5);
}

TEST(SharedFile, records_that_nobody_wrote_are_nan) {
  const Together all;
  const FileSpec spec = small_spec(all.file("a.nc"), 2, 1, {1, 1});
  const auto file = create_netcdf4(spec, all.writers());
  file->reserve(2);
  if (all.is_owner()) file->write({0, 1, {}, bytes(std::vector<double>{1})});
  file->seal(2);
  file->publish();
  all.wait();
  if (!all.is_owner()) return;
  const std::string dump = ncdump("", spec.path);
  EXPECT_NE(dump.find(" time = NaN, 1 ;"), std::string::npos) << dump;
  EXPECT_NE(dump.find(" tos =\n  NaNf,\n  NaNf,\n  NaNf,\n  NaNf ;"), std::string::npos) << dump;
}

TEST(SharedFile, a_part_that_one_writer_did_not_write_fails_on_all) {
  const Together all;
  const FileSpec spec = small_spec(all.file("a.nc"), 4, 2, {1, 2});
  const auto file = create_netcdf4(spec, all.writers());
  file->reserve(1);
  if (all.is_owner()) file->write({1, 0, {{0, 0}, {3, 2}}, bytes(std::vector<float>(6))});
  EXPECT_EQ(
      io_error([&] { file->seal(1); }),
      "file '" + spec.path +
          "': record 0 of 'tos' has 6 of 8 points (a part was never written, or twice). Please "
          "report this?");
  file->abandon();
  EXPECT_FALSE(exists(spec.path));
}

TEST(SharedFile, an_error_on_one_writer_is_the_same_on_all) {
  const Together all;
  const FileSpec spec = small_spec(all.file("a.nc"), 2, 2, {1, 2});
  const auto file = create_netcdf4(spec, all.writers());
  file->reserve(1);
  if (all.rank() == all.last()) file->fail("part 7 is lost (link down). Restart?");
  const std::string text = "file '" + spec.path + "': part 7 is lost (link down). Restart?";
  EXPECT_EQ(io_error([&] { file->reserve(2); }), text);
  EXPECT_EQ(io_error([&] { file->seal(1); }), text);
  file->abandon();
  all.wait();
  EXPECT_TRUE(exists(spec.path + ".part"));
  EXPECT_FALSE(exists(spec.path));
}

TEST(SharedFile, a_write_that_fails_on_one_writer_ends_the_file_for_all) {
  const Together all;
  FileSpec spec = small_spec(all.file("a.nc"), 100, 1000, {20, 1000});
  spec.records_per_block = 4;
  const Box mine = slabs({100, 1000}, {20, 1000}, all.size())[static_cast<std::size_t>(all.rank())];
  const auto file = create_netcdf4(spec, all.writers());
  file->reserve(4);
  write_share(*file, all, 0, mine);
  const bool fails = all.rank() == all.last();
  std::string local;
  if (fails) {
    const FileSizeLimit limit(700'000);
    local = io_error([&] { file->write({1, 2, mine, bytes(values(2, mine))}); });
  } else {
    file->write({1, 2, mine, bytes(values(2, mine))});
  }
  const std::string text =
      "file '" + spec.path +
      "': cannot write record 2 of 'tos' (File too large). Raise the limit of file sizes "
      "(ulimit -f)?";
  EXPECT_EQ(local, fails ? text : "");
  EXPECT_EQ(io_error([&] { file->sync(); }), text);
  file->abandon();
  EXPECT_FALSE(exists(spec.path));
}

TEST(SharedFile, a_folder_that_is_missing_fails_on_all) {
  const Together all;
  const std::string path = all.file("missing/a.nc");
  EXPECT_EQ(io_error([&] { create_netcdf4(small_spec(path, 2, 2), all.writers()); }),
            "file '" + path +
                "': cannot be created (No such file or directory). Does the folder '" +
                all.file("missing") + "' exist?");
}

}  // namespace
}  // namespace epios::io::test::shared_file_test
