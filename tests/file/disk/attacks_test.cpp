// What another user of the node, who may write to the folder of the output, can make of the names
// that EPIOS uses there. docs/security.md has the table.
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <string>

#include "disk/unpublished_file.hpp"
#include "file/replace_file.hpp"
#include "file/written_file.hpp"
#include "scratch.hpp"

namespace epios::io::test::attacks_test {
namespace {

constexpr uid_t nobody = 65534;
constexpr const char* needs_root = "only root can give files to another user";

/// A file that must stay as it is.
class Victim {
 public:
  explicit Victim(const Scratch& scratch) : path_(scratch.file("victim")) {
    std::ofstream(path_) << text_;
  }
  const std::string& path() const { return path_; }
  void lay_link(const std::string& name) const { std::filesystem::create_symlink(path_, name); }
  void expect_unchanged() const { EXPECT_EQ(read_text(path_), text_); }

 private:
  std::string path_;
  std::string text_ = "precious";
};

class Umask {
 public:
  explicit Umask(mode_t mask) : before_(::umask(mask)) {}
  Umask(const Umask&) = delete;
  Umask(Umask&&) = delete;
  Umask& operator=(const Umask&) = delete;
  Umask& operator=(Umask&&) = delete;
  ~Umask() { ::umask(before_); }

 private:
  mode_t before_;
};

unsigned rights_of(const std::string& path) {
  struct stat info = {};
  EXPECT_EQ(::lstat(path.c_str(), &info), 0) << path;
  return info.st_mode & 07777U;
}

FileSpec spec_of(const std::string& path, FileFormat format) {
  FileSpec spec = small_spec(path, 1, 2);
  spec.format = format;
  return spec;
}

void run_to_the_end(OutputFile& file) {
  file.reserve(1);
  write_record(file, 0, 1, 2);
  file.sync();
  file.seal(1);
  file.publish();
}

TEST(Attacks, a_link_at_the_name_of_the_unfinished_file) {
  for (const FileFormat format : {FileFormat::netcdf4, FileFormat::netcdf4_classic}) {
    const Scratch scratch;
    const Victim victim(scratch);
    const FileSpec spec = spec_of(scratch.file("a.nc"), format);
    victim.lay_link(spec.path + ".part");
    const std::string error = io_error([&] { create_netcdf4(spec, nullptr); });
    EXPECT_EQ(error, "file '" + spec.path +
                         "': cannot be created (its '.part' is a symbolic link, what it leads to "
                         "would be overwritten). Remove '" +
                         spec.path + ".part'?");
    victim.expect_unchanged();
  }
}

// By then the owner has made the file; the other writers open it by its name.
TEST(Attacks, a_link_laid_before_the_other_writers_open_the_file) {
  const Scratch scratch;
  const Victim victim(scratch);
  UnpublishedFile owner(scratch.file("a.nc"), "");
  owner.create();
  std::filesystem::rename(owner.part(), scratch.file("moved"));
  victim.lay_link(owner.part());
  UnpublishedFile other(scratch.file("a.nc"), "");
  const std::string error = io_error([&] { other.open(); });
  EXPECT_NE(error.find("its '.part' is a symbolic link"), std::string::npos) << error;
  std::filesystem::remove(owner.part());
  std::filesystem::create_hard_link(victim.path(), owner.part());
  EXPECT_NE(io_error([&] { other.open(); }).find("is a file with other names"), std::string::npos);
  victim.expect_unchanged();
}

TEST(Attacks, links_at_the_names_of_the_journal) {
  const Scratch scratch;
  const Victim victim(scratch);
  const FileSpec spec = small_spec(scratch.file("a.nc"), 1, 2);
  victim.lay_link(spec.path + ".part.records");
  victim.lay_link(spec.path + ".part.records.new");
  const auto file = create_netcdf4(spec, nullptr);
  EXPECT_FALSE(std::filesystem::is_symlink(spec.path + ".part.records"));
  EXPECT_EQ(read_text(spec.path + ".part.records").rfind("epios records 1\n", 0), 0U);
  run_to_the_end(*file);
  victim.expect_unchanged();
}

TEST(Attacks, a_link_at_the_final_name_is_replaced) {
  const Scratch scratch;
  const Victim victim(scratch);
  const FileSpec spec = small_spec(scratch.file("a.nc"), 1, 2);
  victim.lay_link(spec.path);
  run_to_the_end(*create_netcdf4(spec, nullptr));
  EXPECT_FALSE(std::filesystem::is_symlink(spec.path));
  victim.expect_unchanged();
}

// He could read and change it, also when it has its final name.
TEST(Attacks, an_unfinished_file_of_another_user) {
  if (::geteuid() != 0) GTEST_SKIP() << needs_root;
  const Scratch scratch;
  const FileSpec spec = small_spec(scratch.file("a.nc"), 1, 2);
  const std::string part = spec.path + ".part";
  std::ofstream(part) << "bait";
  ASSERT_EQ(::chmod(part.c_str(), 0666), 0);
  ASSERT_EQ(::chown(part.c_str(), nobody, nobody), 0);
  EXPECT_EQ(io_error([&] { create_netcdf4(spec, nullptr); }),
            "file '" + spec.path +
                "': cannot be created (its '.part' belongs to another user, who could change what "
                "is written). Remove '" +
                part + "'?");
  EXPECT_EQ(read_text(part), "bait");
  const std::filesystem::directory_iterator entries(scratch.path());
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1) << "a probe was left";
}

// Who may write to the folder above can put another one in its place.
TEST(Attacks, another_folder_in_the_place_of_that_of_the_output) {
  const Scratch scratch;
  const std::string folder = scratch.file("out");
  const std::string others = scratch.file("others");
  std::filesystem::create_directory(folder);
  std::filesystem::create_directory(others);
  std::ofstream(others + "/a.nc") << "precious";
  std::ofstream(others + "/a.nc.part") << "precious, too";
  const auto file = create_netcdf4(small_spec(folder + "/a.nc", 1, 2), nullptr);
  file->reserve(1);
  write_record(*file, 0, 1, 2);
  std::filesystem::rename(folder, scratch.file("moved"));
  std::filesystem::create_symlink(others, folder);
  const std::string error = io_error([&] {
    file->seal(1);
    file->publish();
  });
  EXPECT_NE(error.find("(its '.part' is no longer the file that this job writes)"),
            std::string::npos)
      << error;
  EXPECT_EQ(read_text(others + "/a.nc"), "precious");
  EXPECT_EQ(read_text(others + "/a.nc.part"), "precious, too");
}

// The last moment: all checks by name are behind it.
TEST(Attacks, the_final_name_is_given_in_the_folder_that_has_the_file) {
  const Scratch scratch;
  const Victim victim(scratch);
  PosixFile file;
  ASSERT_EQ(file.create(scratch.file("a.part")), 0);
  PosixFile another;
  ASSERT_EQ(another.create(scratch.file("b.part")), 0);
  EXPECT_EQ(file.rename(scratch.file("b.part"), scratch.file("victim")), ESTALE);
  victim.expect_unchanged();
  EXPECT_EQ(file.rename(scratch.file("none"), scratch.file("victim")), ENOENT);
  EXPECT_EQ(file.rename(scratch.file("none/a.part"), scratch.file("none/a")), ENOENT);
  EXPECT_EQ(file.rename(scratch.file("a.part"), scratch.file("a")), 0);
  EXPECT_EQ(file.check_name(scratch.file("a")), 0);
}

TEST(Attacks, rights_follow_the_umask_and_journals_are_of_their_owner) {
  for (const mode_t mask : {mode_t{0}, mode_t{022}, mode_t{027}, mode_t{077}}) {
    const Scratch scratch;
    const Umask umask(mask);
    const FileSpec spec = small_spec(scratch.file("a.nc"), 1, 2);
    const auto file = create_netcdf4(spec, nullptr);
    EXPECT_EQ(rights_of(spec.path + ".part"), 0666U & ~mask);
    EXPECT_EQ(rights_of(spec.path + ".part.records"), 0600U);
    run_to_the_end(*file);
    EXPECT_EQ(rights_of(spec.path), 0666U & ~mask);
    EXPECT_EQ(replace_file(scratch.file("run.json"), "{}", Readers::by_umask, false), 0);
    EXPECT_EQ(rights_of(scratch.file("run.json")), 0666U & ~mask);
  }
}

// Reports of runs and journals.
TEST(Attacks, links_at_the_names_of_a_small_file) {
  const Scratch scratch;
  const Victim victim(scratch);
  const std::string path = scratch.file("run.json");
  victim.lay_link(path);
  victim.lay_link(path + ".new");
  EXPECT_EQ(replace_file(path, "{}", Readers::by_umask, false), 0);
  EXPECT_EQ(read_text(path), "{}");
  std::filesystem::remove(path);
  std::filesystem::create_hard_link(victim.path(), path);
  std::filesystem::create_hard_link(victim.path(), path + ".new");
  EXPECT_EQ(replace_file(path, "{ }", Readers::by_umask, false), 0);
  EXPECT_EQ(read_text(path), "{ }");
  // What cannot be taken away stays.
  std::filesystem::create_directories(path + ".new/inside");
  EXPECT_EQ(replace_file(path, "{  }", Readers::by_umask, false), EEXIST);
  EXPECT_EQ(read_text(path), "{ }");
  victim.expect_unchanged();
}

// What `epios remap` and weights write.
TEST(Attacks, a_link_at_the_name_of_an_unfinished_file_of_a_program) {
  const Scratch scratch;
  const Victim victim(scratch);
  const std::string path = scratch.file("w.nc");
  victim.lay_link(path + ".part");
  const std::string error = io_error([&] { const WrittenFile file(path); });
  EXPECT_NE(error.find("file '" + path + "': cannot be created (its '.part' is a symbolic link"),
            std::string::npos)
      << error;
  victim.expect_unchanged();
  std::filesystem::remove(path + ".part");
  {
    WrittenFile file(path);
    file.end_definitions();
    std::filesystem::rename(path + ".part", scratch.file("moved"));
    victim.lay_link(path + ".part");
    EXPECT_NE(io_error([&] { file.publish(); }).find("is no longer the file that this job writes"),
              std::string::npos);
  }
  EXPECT_TRUE(std::filesystem::is_symlink(path + ".part")) << "of somebody else, but removed";
  EXPECT_FALSE(std::filesystem::exists(path));
  victim.expect_unchanged();
}

}  // namespace
}  // namespace epios::io::test::attacks_test
