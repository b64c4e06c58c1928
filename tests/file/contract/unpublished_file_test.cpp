// What others do to a .part file or put in its place must never reach the final file.
#include <sys/stat.h>

#include <memory>

#include "config/error.hpp"
#include "scratch.hpp"

namespace epios::io::test::unpublished_file_test {
namespace {

using std::filesystem::exists;

/// A file with one record, sealed.
std::unique_ptr<OutputFile> sealed_file(const FileSpec& spec) {
  auto file = create_netcdf4(spec, nullptr);
  file->reserve(1);
  write_record(*file, 0, 1, 2);
  file->seal(1);
  return file;
}

TEST(UnpublishedFile, another_writer_is_kept_out_until_the_file_has_its_final_name) {
  const Scratch scratch;
  const FileSpec spec = small_spec(scratch.file("a.nc"), 1, 2);
  const auto first = sealed_file(spec);
  EXPECT_NE(io_error([&] { create_netcdf4(spec, nullptr); }).find("(it is locked)"),
            std::string::npos);
  first->publish();
  const std::string published = ncdump("", spec.path);
  EXPECT_NE(published.find(" tos =\n  0, 1 ;"), std::string::npos) << published;
  const auto second = create_netcdf4(spec, nullptr);
  EXPECT_EQ(ncdump("", spec.path), published);
  second->abandon();
}

TEST(UnpublishedFile, a_part_that_was_replaced_is_never_published) {
  const Scratch scratch;
  const FileSpec spec = small_spec(scratch.file("a.nc"), 1, 2);
  const auto file = sealed_file(spec);
  std::filesystem::rename(spec.path + ".part", scratch.file("moved"));
  std::ofstream(spec.path + ".part") << "garbage";
  EXPECT_EQ(io_error([&] { file->publish(); }),
            "file '" + spec.path +
                "': cannot get its final name (its '.part' is no longer the file that this job "
                "writes). Did another job or a clean-up touch it during the run?");
  EXPECT_FALSE(exists(spec.path));
  EXPECT_EQ(read_text(spec.path + ".part"), "garbage");
}

TEST(UnpublishedFile, a_part_whose_head_was_overwritten_is_never_published) {
  const Scratch scratch;
  const FileSpec spec = small_spec(scratch.file("a.nc"), 1, 2);
  const auto file = sealed_file(spec);
  {
    std::fstream part(spec.path + ".part", std::ios::in | std::ios::out | std::ios::binary);
    part.write("\0\0\0\0\0\0\0\0", 8);
  }
  EXPECT_EQ(io_error([&] { file->publish(); }),
            "file '" + spec.path +
                "': cannot get its final name (its '.part' does not begin as it was written). Did "
                "another job or a clean-up touch it during the run?");
  EXPECT_FALSE(std::filesystem::exists(spec.path));
}

TEST(UnpublishedFile, a_part_that_was_cut_is_never_published) {
  const Scratch scratch;
  const FileSpec spec = small_spec(scratch.file("a.nc"), 1, 2);
  const auto after_sealing = sealed_file(spec);
  std::filesystem::resize_file(spec.path + ".part", 100);
  EXPECT_NE(io_error([&] { after_sealing->publish(); }).find("its '.part' has 100 bytes, "),
            std::string::npos);
  EXPECT_FALSE(exists(spec.path));
  after_sealing->abandon();
  const auto before_sealing = create_netcdf4(spec, nullptr);
  before_sealing->reserve(1);
  write_record(*before_sealing, 0, 1, 2);
  std::filesystem::resize_file(spec.path + ".part", 100);
  EXPECT_NE(io_error([&] { before_sealing->seal(1); }).find("its '.part' has 100 bytes, "),
            std::string::npos);
}

TEST(UnpublishedFile, a_part_that_disappears_is_noticed_during_the_run) {
  const Scratch scratch;
  const FileSpec spec = small_spec(scratch.file("a.nc"), 1, 2);
  const auto lost_at_sync = create_netcdf4(spec, nullptr);
  std::filesystem::remove(spec.path + ".part");
  const std::string error = io_error([&] { lost_at_sync->sync(); });
  EXPECT_EQ(error, "file '" + spec.path +
                       "': cannot be continued (No such file or directory). Does the folder '" +
                       scratch.path() + "' exist?");
  lost_at_sync->abandon();
  const auto lost_at_extension = create_netcdf4(spec, nullptr);
  std::filesystem::remove(spec.path + ".part");
  EXPECT_EQ(io_error([&] { lost_at_extension->reserve(1); }), error);
}

TEST(UnpublishedFile, a_part_that_leads_to_another_file_leaves_that_alone) {
  const Scratch scratch;
  const FileSpec spec = small_spec(scratch.file("a.nc"), 1, 2);
  std::ofstream(scratch.file("precious")) << "precious";
  std::filesystem::create_symlink(scratch.file("precious"), spec.path + ".part");
  EXPECT_NE(io_error([&] {
              create_netcdf4(spec, nullptr);
            }).find("(its '.part' is a symbolic link, what it leads to would be overwritten)"),
            std::string::npos);
  std::filesystem::remove(spec.path + ".part");
  std::filesystem::create_hard_link(scratch.file("precious"), spec.path + ".part");
  EXPECT_NE(io_error([&] {
              create_netcdf4(spec, nullptr);
            }).find("(its '.part' is a file with other names, which would be overwritten)"),
            std::string::npos);
  EXPECT_EQ(read_text(scratch.file("precious")), "precious");
}

TEST(UnpublishedFile, names_that_no_file_can_have_are_refused_at_the_start) {
  const Scratch scratch;
  const std::string folder = scratch.file("folder.nc");
  std::filesystem::create_directory(folder);
  EXPECT_EQ(io_error([&] { create_netcdf4(small_spec(folder, 1, 2), nullptr); }),
            "file '" + folder +
                "': cannot be created (a folder is in its place). Remove what is at '" + folder +
                "' or '" + folder + ".part', or choose another name?");
  const std::string pipe = scratch.file("pipe.nc");
  ASSERT_EQ(::mkfifo((pipe + ".part").c_str(), 0600), 0);
  EXPECT_NE(io_error([&] {
              create_netcdf4(small_spec(pipe, 1, 2), nullptr);
            }).find("(what is in its place is no regular file)"),
            std::string::npos);
  const std::string name = scratch.file(std::string(300, 'n'));
  EXPECT_NE(io_error([&] {
              create_netcdf4(small_spec(name, 1, 2), nullptr);
            }).find("(File name too long). Choose a shorter name or output_dir?"),
            std::string::npos);
}

}  // namespace
}  // namespace epios::io::test::unpublished_file_test
