// Files that who looked at them leaves open for who reads them.
#include "file/open_files.hpp"

#include <fstream>

#include "config/error.hpp"
#include "file/file_facts.hpp"
#include "file/source_file.hpp"
#include "scratch.hpp"

namespace epios::io::test::open_files_test {
namespace {

void make_file(const std::string& path, float first) {
  const FileSpec spec = small_spec(path, 1, 2);
  const auto file = create_netcdf4(spec, nullptr);
  file->reserve(1);
  file->write({0, 0, {}, bytes(std::vector<double>{0})});
  file->write({1, 0, whole({1, 2}), bytes(std::vector<float>{first, 1})});
  file->seal(1);
  file->publish();
}

double first_of(const std::string& path, OpenFiles& open) {
  const SourceFile source(path, "time", &open);
  std::vector<double> values(2);
  source.read(source.find("tos", {1, 2}, {}, {}), 0, whole({1, 2}), {}, values);
  return values[0];
}

TEST(OpenFiles, are_read_without_being_opened_again) {
  const Scratch scratch;
  OpenFiles open;
  make_file(scratch.file("a.nc"), 5);
  EXPECT_TRUE(file_facts({scratch.file("a.nc"), {"tos"}}, &open).error.empty());
  // By its number it is what was left there: nobody can open it any more.
  const int left = open.take(scratch.file("a.nc"));
  ASSERT_GE(left, 0);
  EXPECT_EQ(open.take(scratch.file("a.nc")), -1);
  open.keep(scratch.file("a.nc"), left);
  std::filesystem::permissions(scratch.file("a.nc"), std::filesystem::perms::none);
  EXPECT_EQ(first_of(scratch.file("a.nc"), open), 5);
}

TEST(OpenFiles, that_have_been_replaced_are_opened) {
  const Scratch scratch;
  OpenFiles open;
  make_file(scratch.file("a.nc"), 5);
  file_facts({scratch.file("a.nc"), {"tos"}}, &open);
  make_file(scratch.file("a.nc"), 6);
  EXPECT_EQ(first_of(scratch.file("a.nc"), open), 6);
  file_facts({scratch.file("a.nc"), {"tos"}}, &open);
  std::filesystem::remove(scratch.file("a.nc"));
  EXPECT_EQ(open.take(scratch.file("a.nc")), -1);
}

TEST(OpenFiles, are_a_few_the_latest) {
  const Scratch scratch;
  OpenFiles open;
  for (int n = 0; n < 6; ++n) {
    const std::string path = scratch.file(std::to_string(n) + ".nc");
    make_file(path, 0);
    file_facts({path, {"tos"}}, &open);
  }
  EXPECT_EQ(open.take(scratch.file("1.nc")), -1);
  EXPECT_EQ(first_of(scratch.file("1.nc"), open), 0);
  const int latest = open.take(scratch.file("5.nc"));
  EXPECT_GE(latest, 0);
  open.keep(scratch.file("5.nc"), latest);
}

TEST(OpenFiles, that_cannot_be_read_are_not_kept) {
  const Scratch scratch;
  OpenFiles open;
  std::ofstream(scratch.file("a.nc")) << "nothing";
  EXPECT_FALSE(file_facts({scratch.file("a.nc"), {"tos"}}, &open).error.empty());
  EXPECT_EQ(open.take(scratch.file("a.nc")), -1);
}

}  // namespace
}  // namespace epios::io::test::open_files_test
