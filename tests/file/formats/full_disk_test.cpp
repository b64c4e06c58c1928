// A small tmpfs that fills up, and one that is read-only; one writer and several.
#include <sys/mount.h>

#include <cerrno>
#include <cstring>

#include "grid/layout.hpp"
#include "together.hpp"

namespace epios::io::test::full_disk_test {
namespace {

using std::filesystem::exists;

/// A tmpfs of 4 MB over a folder that all processes see. is_there() is false where mounting is not
/// allowed.
class SmallDisk {
 public:
  explicit SmallDisk(const Together& all) : all_(all), path_(all.file("disk")) {
    std::string problem;
    if (all.is_owner()) {
      std::filesystem::create_directory(path_);
      if (::mount("tmpfs", path_.c_str(), "tmpfs", 0, "size=4m") != 0)
        problem = std::strerror(errno);
    }
    problem_ = all.from_owner(problem);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    if (EP_Barrier(all_.writers()->get()) != EP_SUCCESS) ADD_FAILURE() << "barrier failed";
    if (!all_.is_owner() || !is_there()) return;
    EXPECT_EQ(::umount2(path_.c_str(), MNT_DETACH), 0);
  }
  bool is_there() const { return problem_.empty(); }
  const std::string& problem() const { return problem_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

  void make_read_only() const {
    if (all_.is_owner()) {
      EXPECT_EQ(::mount("tmpfs", path_.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, "size=4m"), 0);
    }
    all_.wait();
  }
  /// Takes all space that is left.
  void fill() const {
    if (all_.is_owner()) {
      std::ofstream out(file("filler"), std::ios::binary);
      const std::string page(4096, 'x');
      while (out.write(page.data(), static_cast<std::streamsize>(page.size())) && out.flush()) {
      }
    }
    all_.wait();
  }

 private:
  const Together& all_;
  std::string path_;
  std::string problem_;
};

constexpr std::int64_t ny = 100;
constexpr std::int64_t nx = 2000;  // 0.8 MB per record

// Every writer's rows of a record; the time is the owner's.
void write_share(OutputFile& file, const Together& all, bool is_owned, std::int64_t record) {
  const int writers = is_owned ? 1 : all.size();
  const Box mine =
      slabs({ny, nx}, {ny / 2, nx}, writers)[static_cast<std::size_t>(is_owned ? 0 : all.rank())];
  if (is_owned || all.is_owner()) file.write({0, record, {}, bytes(std::vector<double>{1})});
  file.write(
      {1, record, mine, bytes(std::vector<float>(static_cast<std::size_t>(mine.volume()), 1.0F))});
}

FileSpec disk_spec(const std::string& path) {
  FileSpec spec = small_spec(path, ny, nx, {ny / 2, nx});
  spec.records_per_block = 2;
  return spec;
}

#define EPIOS_SKIP_WITHOUT(disk) \
  if (!(disk).is_there()) GTEST_SKIP() << "cannot mount a tmpfs: " << (disk).problem()

void fills_up(bool is_owned) {
  const Together all;
  const SmallDisk disk(all);
  EPIOS_SKIP_WITHOUT(disk);
  if (!is_owned || all.is_owner()) {
    const ep::Comm* writers = is_owned ? nullptr : all.writers();
    FileSpec spec = disk_spec(disk.file("a.nc"));
    spec.records_per_block = 1;
    const auto file = create_netcdf4(spec, writers);
    std::int64_t record = 0;
    const std::string error = io_error([&] {
      for (; record < 100; ++record) {
        file->reserve(record + 1);
        write_share(*file, all, is_owned, record);
      }
    });
    EXPECT_EQ(record, 5);
    EXPECT_EQ(error, "file '" + disk.file("a.nc") +
                         "': cannot set aside 0.7 MB for record 5 (No space left on device). "
                         "Free space or write elsewhere (output_dir)?");
    EXPECT_EQ(io_error([&] { file->seal(5); }), error);
    file->abandon();
    // The process goes on with other files.
    const std::string other_path = is_owned ? all.file("b.nc") : all.file("c.nc");
    const auto other = create_netcdf4(disk_spec(other_path), writers);
    other->reserve(1);
    write_share(*other, all, is_owned, 0);
    other->seal(1);
    other->publish();
  }
  all.wait();
  EXPECT_FALSE(exists(disk.file("a.nc")));
  EXPECT_TRUE(exists(disk.file("a.nc.part")));
}

TEST(FullDisk, ends_an_owned_file) { fills_up(true); }

TEST(FullDisk, ends_a_shared_file_on_all_writers) { fills_up(false); }

/// Blocks are larger than the disk, what is written is not.
TEST(FullDisk, blocks_may_be_larger_than_the_disk) {
  const Together all;
  const SmallDisk disk(all);
  EPIOS_SKIP_WITHOUT(disk);
  FileSpec spec = disk_spec(disk.file("a.nc"));
  spec.records_per_block = 64;
  const auto file = create_netcdf4(spec, all.writers());
  for (std::int64_t record = 0; record < 4; ++record) {
    file->reserve(record + 1);
    write_share(*file, all, false, record);
  }
  EXPECT_EQ(file->reserved(), 64);
  file->sync();
  file->seal(4);
  file->publish();
  all.wait();
  if (all.is_owner()) {
    EXPECT_NE(ncdump("-v time", spec.path).find("time = 1, 1, 1, 1 ;"), std::string::npos);
  }
}

/// The first record has its space; those that took what they could end the file, on all writers.
TEST(FullDisk, records_of_a_block_that_has_no_space_are_an_error) {
  const Together all;
  const SmallDisk disk(all);
  EPIOS_SKIP_WITHOUT(disk);
  FileSpec spec = disk_spec(disk.file("a.nc"));
  spec.records_per_block = 64;
  const auto file = create_netcdf4(spec, all.writers());
  std::int64_t record = 0;
  const std::string own = io_error([&] {
    for (; record < 8; ++record) {
      file->reserve(record + 1);
      write_share(*file, all, false, record);
    }
  });
  const std::string agreed = io_error([&] { file->seal(record); });
  EXPECT_NE(agreed.find("file '" + spec.path + "': cannot write "), std::string::npos) << agreed;
  EXPECT_NE(agreed.find("(No space left on device)"), std::string::npos) << agreed;
  if (!own.empty()) {
    EXPECT_GE(record, 2) << own;
  }
  file->abandon();
  EXPECT_FALSE(exists(spec.path));
}

TEST(FullDisk, what_is_reserved_can_be_written) {
  const Together all;
  const SmallDisk disk(all);
  EPIOS_SKIP_WITHOUT(disk);
  const auto file = create_netcdf4(disk_spec(disk.file("a.nc")), all.writers());
  file->reserve(2);
  disk.fill();
  write_share(*file, all, false, 0);
  write_share(*file, all, false, 1);
  file->seal(2);
  file->publish();
  all.wait();
  if (all.is_owner()) {
    EXPECT_NE(ncdump("-h", disk.file("a.nc")).find("(2 currently)"), std::string::npos);
  }
}

TEST(FullDisk, no_space_for_definitions) {
  const Together all;
  const SmallDisk disk(all);
  EPIOS_SKIP_WITHOUT(disk);
  disk.fill();
  const std::string error =
      io_error([&] { create_netcdf4(disk_spec(disk.file("a.nc")), all.writers()); });
  EXPECT_EQ(error, "file '" + disk.file("a.nc") +
                       "': cannot write its definitions (No space left on device). Free space or "
                       "write elsewhere (output_dir)?");
}

TEST(FullDisk, no_space_for_coordinates) {
  const Together all;
  const SmallDisk disk(all);
  EPIOS_SKIP_WITHOUT(disk);
  FileSpec spec = disk_spec(disk.file("a.nc"));
  spec.dimensions.push_back({"cell", 1'000'000});
  spec.variables.push_back({"lon", ValueKind::float64, {3}, {}, {}, {}, {}});
  EXPECT_EQ(io_error([&] { create_netcdf4(spec, all.writers()); }),
            "file '" + spec.path +
                "': cannot set aside 8.1 MB for coordinates (No space left on device). Free space "
                "or write elsewhere (output_dir)?");
}

TEST(FullDisk, no_space_for_the_journal) {
  const Together all;
  const SmallDisk disk(all);
  EPIOS_SKIP_WITHOUT(disk);
  const auto file = create_netcdf4(disk_spec(disk.file("a.nc")), all.writers());
  file->reserve(1);
  disk.fill();
  write_share(*file, all, false, 0);
  EXPECT_EQ(io_error([&] { file->sync(); }),
            "file '" + disk.file("a.nc") +
                "': cannot write its journal (No space left on device). Free space or write "
                "elsewhere (output_dir)?");
  file->abandon();
  if (all.is_owner()) {
    EXPECT_EQ(read_text(disk.file("a.nc.part.records")), "epios records 1\n0 time\n0 tos\n");
  }
}

TEST(FullDisk, a_folder_that_is_read_only) {
  const Together all;
  const SmallDisk disk(all);
  EPIOS_SKIP_WITHOUT(disk);
  disk.make_read_only();
  EXPECT_EQ(io_error([&] { create_netcdf4(disk_spec(disk.file("a.nc")), all.writers()); }),
            "file '" + disk.file("a.nc") +
                "': cannot be created (Read-only file system). May this job write to the folder '" +
                all.file("disk") + "'?");
}

}  // namespace
}  // namespace epios::io::test::full_disk_test
