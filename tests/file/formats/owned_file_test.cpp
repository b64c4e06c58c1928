// Files with one writer. No MPI here at all: an owned file must not need it.
#include <unistd.h>

#include <array>
#include <cmath>
#include <csignal>
#include <limits>
#include <optional>
#include <thread>
#include <utility>

#include "config/error.hpp"
#include "file_size_limit.hpp"
#include "scratch.hpp"

namespace epios::io::test::owned_file_test {
namespace {

using std::filesystem::exists;

TEST(OwnedFile, records_are_read_back_by_the_distributions_reader) {
  const Scratch scratch;
  const auto file = create_netcdf4(small_spec(scratch.file("a.nc"), 2, 3), nullptr);
  EXPECT_EQ(file->reserved(), 0);
  for (std::int64_t record = 0; record < 2; ++record) {
    file->reserve(record + 1);
    write_record(*file, record, 2, 3);
  }
  EXPECT_FALSE(exists(scratch.file("a.nc")));
  file->seal(2);
  EXPECT_FALSE(exists(scratch.file("a.nc")));
  const std::int64_t size = file->publish();
  EXPECT_EQ(size, static_cast<std::int64_t>(std::filesystem::file_size(scratch.file("a.nc"))));
  EXPECT_FALSE(exists(scratch.file("a.nc.part")));
  EXPECT_FALSE(exists(scratch.file("a.nc.part.records")));
  EXPECT_EQ(ncdump("", scratch.file("a.nc")), R"(netcdf f {
dimensions:
	time = UNLIMITED ; // (2 currently)
	y = 2 ;
	x = 3 ;
variables:
	double time(time) ;
	float tos(time, y, x) ;
data:

 time = 0.5, 1.5 ;

 tos =
  0, 1, 2,
  3, 4, 5,
  100, 101, 102,
  103, 104, 105 ;
}
)");
}

TEST(OwnedFile, no_record_at_all_is_a_file_of_length_zero) {
  const Scratch scratch;
  const auto file = create_netcdf4(small_spec(scratch.file("a.nc"), 2, 3), nullptr);
  file->seal(0);
  file->publish();
  EXPECT_NE(ncdump("-h", scratch.file("a.nc")).find("time = UNLIMITED ; // (0 currently)"),
            std::string::npos);
}

TEST(OwnedFile, is_trimmed_to_its_records_and_gives_the_space_back) {
  const Scratch scratch;
  std::vector<std::uintmax_t> sizes;
  for (const std::int64_t block : {1, 64}) {
    FileSpec spec = small_spec(scratch.file("a.nc"), 32, 64);
    spec.records_per_block = block;
    const auto file = create_netcdf4(spec, nullptr);
    file->reserve(3);
    EXPECT_EQ(file->reserved(), block == 1 ? 3 : 64);
    for (std::int64_t record = 0; record < 3; ++record) write_record(*file, record, 32, 64);
    file->seal(3);
    file->publish();
    sizes.push_back(std::filesystem::file_size(spec.path));
    const std::string dump = ncdump("-v time", spec.path);
    EXPECT_NE(dump.find("time = UNLIMITED ; // (3 currently)"), std::string::npos) << dump;
    EXPECT_NE(dump.find(" time = 0.5, 1.5, 2.5 ;"), std::string::npos) << dump;
  }
  EXPECT_LE(sizes[1], sizes[0] + 8192);
}

TEST(OwnedFile, many_records_in_uneven_chunks) {
  const Scratch scratch;
  FileSpec spec = small_spec(scratch.file("a.nc"), 5, 7, {2, 3});
  spec.records_per_block = 7;
  const auto file = create_netcdf4(spec, nullptr);
  std::string expected = "\n tos =\n";
  for (std::int64_t record = 0; record < 600; ++record) {
    file->reserve(record + 1);
    const std::vector<double> time = {static_cast<double>(record)};
    file->write({0, record, {}, bytes(time)});
    // Two slabs whose border is no border of chunks.
    const std::vector<float> all = ramp(record, 35);
    const std::vector<float> top(all.begin(), all.begin() + 21);
    const std::vector<float> bottom(all.begin() + 21, all.end());
    file->write({1, record, {{3, 0}, {2, 7}}, bytes(bottom)});
    file->write({1, record, {{0, 0}, {3, 7}}, bytes(top)});
    for (std::size_t y = 0; y < 5; ++y) {
      expected += " ";
      for (std::size_t x = 0; x < 7; ++x) {
        expected += " " + std::to_string(static_cast<int>(all[y * 7 + x]));
        expected += y == 4 && x == 6 && record == 599 ? " ;\n" : (x == 6 ? ",\n" : ",");
      }
    }
  }
  file->seal(600);
  file->publish();
  const std::string dump = ncdump("-v tos", spec.path);
  EXPECT_NE(dump.find(expected), std::string::npos) << dump.substr(0, 2000);
}

TEST(OwnedFile, records_that_nobody_wrote_read_as_fill_or_nan) {
  const Scratch scratch;
  FileSpec spec = small_spec(scratch.file("a.nc"), 1, 2);
  spec.variables.push_back({"sic", ValueKind::float64, {0, 1, 2}, {}, {}, 1e20, {}});
  spec.records_per_block = 4;
  const auto file = create_netcdf4(spec, nullptr);
  file->reserve(3);
  write_record(*file, 0, 1, 2);
  write_record(*file, 2, 1, 2);
  file->seal(3);
  file->publish();
  const std::string dump = ncdump("-v tos,sic", spec.path);
  EXPECT_NE(dump.find(" tos =\n  0, 1,\n  NaNf, NaNf,\n  200, 201 ;"), std::string::npos) << dump;
  EXPECT_NE(dump.find(" sic =\n  _, _,\n  _, _,\n  _, _ ;"), std::string::npos) << dump;
}

/// As many variables as small_spec() has, and two without time.
FileSpec spec_with_once(const std::string& path) {
  FileSpec spec = small_spec(path, 2, 2);
  VariableSpec depth{"depth", ValueKind::float32, {1, 2}, {}, {}, 1e20};
  depth.is_once = true;
  VariableSpec one{"one", ValueKind::float64, {}, {}, {}, {}};
  one.is_once = true;
  spec.variables.insert(spec.variables.end(), {depth, one});
  return spec;
}

TEST(OwnedFile, what_is_written_once_has_no_record_dimension) {
  const Scratch scratch;
  const FileSpec spec = spec_with_once(scratch.file("a.nc"));
  const auto file = create_netcdf4(spec, nullptr);
  file->reserve(1);
  file->write({2, 0, {{1, 0}, {1, 2}}, bytes(std::vector<float>{3, 4})});
  file->write({2, 0, {{0, 0}, {1, 2}}, bytes(std::vector<float>{1, 2})});
  file->write({3, 0, {}, bytes(std::vector<double>{7})});
  write_record(*file, 0, 2, 2);
  file->reserve(3);
  for (std::int64_t record = 1; record < 3; ++record) write_record(*file, record, 2, 2);
  EXPECT_THROW(file->write({3, 1, {}, bytes(std::vector<double>{8})}), Error);
  file->sync();
  file->seal(3);
  file->publish();
  const std::string dump = ncdump("", spec.path);
  EXPECT_NE(dump.find("float depth(y, x) ;"), std::string::npos) << dump;
  EXPECT_NE(dump.find("double one ;"), std::string::npos) << dump;
  EXPECT_NE(dump.find(" depth =\n  1, 2,\n  3, 4 ;"), std::string::npos) << dump;
  EXPECT_NE(dump.find(" one = 7 ;"), std::string::npos) << dump;
  EXPECT_NE(dump.find("(3 currently)"), std::string::npos) << dump;
}

// Also when there is no record at all.
TEST(OwnedFile, what_was_to_be_written_once_and_never_came_is_unset) {
  const Scratch scratch;
  const FileSpec spec = spec_with_once(scratch.file("a.nc"));
  const auto file = create_netcdf4(spec, nullptr);
  file->seal(0);
  file->publish();
  const std::string dump = ncdump("", spec.path);
  EXPECT_NE(dump.find(" depth =\n  _, _,\n  _, _ ;"), std::string::npos) << dump;
  EXPECT_NE(dump.find(" one = NaN ;"), std::string::npos) << dump;
  EXPECT_NE(dump.find("(0 currently)"), std::string::npos) << dump;
}

TEST(OwnedFile, a_record_with_a_part_missing_is_never_published) {
  const Scratch scratch;
  const auto file = create_netcdf4(small_spec(scratch.file("a.nc"), 2, 2), nullptr);
  file->reserve(1);
  file->write({0, 0, {}, bytes(std::vector<double>{0})});
  file->write({1, 0, {{0, 0}, {1, 2}}, bytes(std::vector<float>{1, 2})});
  EXPECT_EQ(io_error([&] { file->seal(1); }),
            "file '" + scratch.file("a.nc") +
                "': record 0 of 'tos' has 2 of 4 points (a part was never written, or twice). "
                "Please report this?");
  EXPECT_NE(io_error([&] { file->publish(); }), "");
  file->abandon();
  EXPECT_FALSE(exists(scratch.file("a.nc")));
  EXPECT_TRUE(exists(scratch.file("a.nc.part")));
}

TEST(OwnedFile, a_journal_that_stays_is_a_warning) {
  const Scratch scratch;
  const auto file = create_netcdf4(small_spec(scratch.file("a.nc"), 1, 2), nullptr);
  file->reserve(1);
  write_record(*file, 0, 1, 2);
  file->seal(1);
  EXPECT_EQ(file->warning(), "");
  const std::string journal = scratch.file("a.nc.part.records");
  ASSERT_TRUE(std::filesystem::remove(journal));
  ASSERT_TRUE(std::filesystem::create_directory(journal));  // unlink() refuses folders
  EXPECT_GT(file->publish(), 0);
  EXPECT_TRUE(exists(scratch.file("a.nc")));
  EXPECT_NE(file->warning().find("'" + scratch.file("a.nc") +
                                 "': is complete, but its journal cannot be removed ("),
            std::string::npos)
      << file->warning();
}

TEST(OwnedFile, the_record_dimension_needs_no_variable) {
  const Scratch scratch;
  FileSpec spec = small_spec(scratch.file("a.nc"), 1, 2);
  spec.variables[0].name = "when";
  spec.records_per_block = 8;
  const auto file = create_netcdf4(spec, nullptr);
  file->reserve(1);
  write_record(*file, 0, 1, 2);
  file->seal(1);
  file->publish();
  const std::string dump = ncdump("", spec.path);
  EXPECT_NE(dump.find("time = UNLIMITED ; // (1 currently)"), std::string::npos) << dump;
  EXPECT_NE(dump.find(" tos =\n  0, 1 ;"), std::string::npos) << dump;
}

TEST(OwnedFile, replaces_an_old_file_and_the_part_of_a_dead_run) {
  const Scratch scratch;
  std::ofstream(scratch.file("a.nc")) << "old";
  std::ofstream(scratch.file("a.nc.part")) << std::string(100000, 'x');
  const auto file = create_netcdf4(small_spec(scratch.file("a.nc"), 1, 2), nullptr);
  EXPECT_EQ(read_text(scratch.file("a.nc")), "old");
  file->reserve(1);
  write_record(*file, 0, 1, 2);
  file->seal(1);
  EXPECT_EQ(read_text(scratch.file("a.nc")), "old");
  file->publish();
  EXPECT_NE(ncdump("-h", scratch.file("a.nc")).find("(1 currently)"), std::string::npos);
}

TEST(OwnedFile, two_writers_that_do_not_know_of_each_other_are_told) {
  const Scratch scratch;
  const FileSpec spec = small_spec(scratch.file("a.nc"), 1, 2);
  const auto first = create_netcdf4(spec, nullptr);
  EXPECT_EQ(io_error([&] { create_netcdf4(spec, nullptr); }),
            "file '" + spec.path +
                "': cannot be created (it is locked). Does another job or context write the same "
                "file? Members of an ensemble have names of their own by %member%.");
  first->reserve(1);
  write_record(*first, 0, 1, 2);
  first->seal(1);
  first->publish();
}

/// Root may write everywhere: others are played.
class AsNobody {
 public:
  AsNobody() : before_(::geteuid()) {
    constexpr uid_t nobody = 65534;
    EXPECT_EQ(before_ == 0 ? ::seteuid(nobody) : 0, 0);
  }
  AsNobody(const AsNobody&) = delete;
  AsNobody(AsNobody&&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;
  AsNobody& operator=(AsNobody&&) = delete;
  ~AsNobody() { EXPECT_EQ(before_ == 0 ? ::seteuid(before_) : 0, 0); }

 private:
  uid_t before_;
};

TEST(OwnedFile, places_that_cannot_be_written_to) {
  EXPECT_EQ(io_error([] { create_netcdf4(small_spec("/nonexistent/a.nc", 1, 2), nullptr); }),
            "file '/nonexistent/a.nc': cannot be created (No such file or directory). Does the "
            "folder '/nonexistent' exist?");
  const Scratch scratch;
  const std::string folder = scratch.file("kept");
  std::filesystem::create_directory(folder);
  std::filesystem::permissions(folder, std::filesystem::perms(0555));
  const AsNobody others;
  EXPECT_EQ(
      io_error([&] { create_netcdf4(small_spec(folder + "/a.nc", 1, 2), nullptr); }),
      "file '" + folder +
          "/a.nc': cannot be created (Permission denied). May this job write to the folder '" +
          folder + "'?");
}

TEST(OwnedFile, the_journal_says_what_a_kill_leaves) {
  const Scratch scratch;
  const FileSpec spec = [&] {
    FileSpec out = small_spec(scratch.file("a.nc"), 40, 50);
    out.records_per_block = 4;
    return out;
  }();
  const pid_t child = ::fork();
  if (child == 0) {
    const auto file = create_netcdf4(spec, nullptr);
    file->reserve(8);
    for (std::int64_t record = 0; record < 3; ++record) write_record(*file, record, 40, 50);
    file->write({0, 3, {}, bytes(std::vector<double>{3.5})});
    file->sync();
    for (std::int64_t record = 4; record < 100; ++record) {
      file->reserve(record + 1);
      write_record(*file, record, 40, 50);
    }
    ::raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_FALSE(exists(spec.path));
  EXPECT_EQ(read_text(spec.path + ".part.records"), "epios records 1\n4 time\n3 tos\n");
  // The file is that of the last sync, in spite of all that was written since.
  const std::string dump = ncdump("-v time", spec.path + ".part");
  EXPECT_NE(dump.find("time = UNLIMITED ; // (8 currently)"), std::string::npos) << dump;
  EXPECT_NE(dump.find(" time = 0.5, 1.5, 2.5, 3.5,"), std::string::npos) << dump;
  const std::string tos = ncdump("-v tos", spec.path + ".part");
  EXPECT_NE(tos.find("tos =\n  0, 1, 2, 3,"), std::string::npos);
  EXPECT_NE(tos.find(" 2198, 2199,"), std::string::npos);
}

TEST(OwnedFile, the_journal_exists_from_the_start) {
  const Scratch scratch;
  const FileSpec spec = small_spec(scratch.file("a.nc"), 1, 2);
  const auto file = create_netcdf4(spec, nullptr);
  EXPECT_EQ(read_text(spec.path + ".part.records"), "epios records 1\n0 time\n0 tos\n");
  file->abandon();
}

TEST(OwnedFile, to_disk_with_syncs) {
  const Scratch scratch;
  FileSpec spec = small_spec(scratch.file("a.nc"), 1, 2);
  spec.to_disk = true;
  const auto file = create_netcdf4(spec, nullptr);
  for (std::int64_t record = 0; record < 3; ++record) {
    file->reserve(record + 1);
    write_record(*file, record, 1, 2);
    file->sync();
    EXPECT_EQ(read_text(spec.path + ".part.records"), "epios records 1\n" +
                                                          std::to_string(record + 1) + " time\n" +
                                                          std::to_string(record + 1) + " tos\n");
  }
  file->seal(3);
  file->publish();
  EXPECT_NE(ncdump("", spec.path).find(" tos =\n  0, 1,\n  100, 101,\n  200, 201 ;"),
            std::string::npos);
}

TEST(OwnedFile, an_error_elsewhere_ends_it) {
  const Scratch scratch;
  const auto file = create_netcdf4(small_spec(scratch.file("a.nc"), 1, 2), nullptr);
  file->fail("server 0 lost a part (link down). Restart?");
  const std::string text =
      "file '" + scratch.file("a.nc") + "': server 0 lost a part (link down). Restart?";
  EXPECT_EQ(io_error([&] { file->reserve(1); }), text);
  EXPECT_EQ(io_error([&] { file->sync(); }), text);
  EXPECT_EQ(io_error([&] { file->seal(0); }), text);
  EXPECT_EQ(io_error([&] { file->publish(); }), text);
  file->abandon();
  EXPECT_FALSE(exists(scratch.file("a.nc")));
}

TEST(OwnedFile, calls_that_break_its_rules_are_refused) {
  const Scratch scratch;
  const auto file = create_netcdf4(small_spec(scratch.file("a.nc"), 1, 2), nullptr);
  const std::vector<float> two = {1, 2};
  file->reserve(1);
  EXPECT_THROW(file->write({1, 1, whole({1, 2}), bytes(two)}), Error);
  EXPECT_THROW(file->write({2, 0, whole({1, 2}), bytes(two)}), Error);
  EXPECT_THROW(file->write({1, 0, {{0, 1}, {1, 2}}, bytes(two)}), Error);
  EXPECT_THROW(file->write({1, 0, whole({1, 1}), bytes(two)}), Error);
  EXPECT_THROW(file->publish(), Error);
}

TEST(OwnedFile, many_variables_cost_what_they_say) {
  const Scratch scratch;
  FileSpec spec = small_spec(scratch.file("a.nc"), 10, 10);
  const VariableSpec pattern = spec.variables[1];
  constexpr int fields = 400;
  for (int f = 0; f < fields; ++f) {
    VariableSpec variable = pattern;
    variable.name = "field_" + std::to_string(f);
    for (const char* name :
         {"standard_name", "long_name", "units", "online_operation", "interval_operation",
          "interval_write", "cell_methods", "coordinates", "cell_measures"}) {
      variable.attributes.push_back({name, std::string("text")});
    }
    spec.variables.push_back(std::move(variable));
  }
  const auto file = create_netcdf4(spec, nullptr);
  file->seal(0);
  constexpr std::int64_t most_bytes = 5000;  // definition and attributes, no record
  EXPECT_LE(file->publish(), most_bytes * fields);
}

TEST(OwnedFile, a_write_that_fails_names_record_and_variable_and_ends_the_file) {
  const Scratch scratch;
  const FileSpec spec = small_spec(scratch.file("a.nc"), 100, 1000);
  const auto file = create_netcdf4(spec, nullptr);
  file->reserve(3);
  write_record(*file, 0, 100, 1000);
  std::optional<FileSizeLimit> limit(500'000);
  const std::string error = io_error([&] { write_record(*file, 1, 100, 1000); });
  const std::string again = io_error([&] { file->sync(); });
  file->abandon();
  limit.reset();
  EXPECT_EQ(error,
            "file '" + spec.path +
                "': cannot write record 1 of 'tos' (File too large). Raise the limit of file sizes "
                "(ulimit -f)?");
  EXPECT_EQ(again, error);
  EXPECT_FALSE(exists(spec.path));
}

}  // namespace
}  // namespace epios::io::test::owned_file_test
