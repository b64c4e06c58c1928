// What stands in files that others made: marks of missing values, which dimension is time, texts of
// either type. Damages: source_damage_test.cpp.
#include "file/source_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "config/error.hpp"
#include "config/file_facts.hpp"
#include "file/file_facts.hpp"
#include "grid/box.hpp"
#include "scratch.hpp"

namespace epios::io::test::source_file_test {
namespace {

using Values = std::vector<double>;

void make(const Scratch& scratch, const std::string& cdl, const std::string& kind = "nc4") {
  std::ofstream(scratch.file("f.cdl")) << "netcdf f { " << cdl << " }\n";
  const CommandResult made = run("ncgen -k '" + kind + "' -o '" + scratch.file("f.nc") + "' '" +
                                 scratch.file("f.cdl") + "'");
  ASSERT_EQ(made.status, 0) << made.output << cdl;
}

Values record_of(const std::string& path, std::optional<double> missing) {
  const SourceFile source(path, "time");
  Values values(3);
  source.read(source.find("v", {3}, {}, {}), 0, whole({3}), missing, values);
  return values;
}

TEST(SourceFile, knows_marks_of_every_type_by_the_values_of_the_variable) {
  struct Case {
    std::string kind, type, attributes, data;
    Values expected;
  };
  const std::vector<Case> cases{
      {"nc4", "float", "v:_FillValue = NaNf ;", "1, NaNf, 3", {1, -7, 3}},
      {"nc3", "float", "v:_FillValue = NaNf ;", "1, NaNf, 3", {1, -7, 3}},
      {"nc4", "double", "v:_FillValue = NaN ;", "1, NaN, 3", {1, -7, 3}},
      {"nc4", "double", "v:units = \"K\" ;", "1, NaN, 3", {1, -7, 3}},
      {"nc4", "float", "v:missing_value = 1.e20 ;", "1, 1.e20f, 3", {1, -7, 3}},
      {"nc3", "float", "v:missing_value = 1.e20 ;", "1, 1.e20f, 3", {1, -7, 3}},
      {"nc4", "float", "v:missing_value = -9.f, -8.f ;", "-8, 2, -9", {-7, 2, -7}},
      {"nc4", "float", "v:_FillValue = -9.f ; v:missing_value = -8. ;", "-8, 2, -9", {-7, 2, -7}},
      {"nc4", "float", "v:missing_value = \"none\" ;", "-8, 2, -9", {-8, 2, -9}},
      {"nc4", "byte", "v:_FillValue = -1b ;", "-1, 2, 3", {-7, 2, 3}},
      {"nc4", "ubyte", "v:_FillValue = 255ub ;", "255, 2, 3", {-7, 2, 3}},
      {"nc4", "short", "v:missing_value = -32768. ;", "-32768, 2, 3", {-7, 2, 3}},
      {"nc4", "ushort", "v:_FillValue = 65535us ;", "65535, 2, 3", {-7, 2, 3}},
      {"nc4", "int", "v:missing_value = -99.f ;", "-99, 2, 3", {-7, 2, 3}},
      {"nc4", "uint", "v:_FillValue = 4294967295u ;", "4294967295, 2, 3", {-7, 2, 3}},
      {"nc4", "int64", "v:_FillValue = -5l ;", "-5, 2, 3", {-7, 2, 3}},
      {"nc4", "uint64", "v:_FillValue = 5ul ;", "5, 2, 3", {-7, 2, 3}},
      {"nc4",
       "short",
       "v:_FillValue = -9s ; v:scale_factor = 0.5 ; v:add_offset = 1. ;",
       "-9, 2, 4",
       {-7, 2, 3}},
      // Would have found that integers which the file says to have no sign were read as negative.
      {"nc3", "byte", "v:_Unsigned = \"true\" ; v:_FillValue = -1b ;", "-1, -56, 3", {-7, 200, 3}},
      {"nc3",
       "short",
       "v:_Unsigned = \"true\" ; v:_FillValue = 9s ; v:scale_factor = 0.5 ;",
       "9, -2, 4",
       {-7, 32767, 2}},
      {"nc4", "short", "v:_Unsigned = \"false\" ; v:_FillValue = 9s ;", "9, -2, 4", {-7, -2, 4}},
      {"nc4", "int", "v:_Unsigned = \"true\" ;", "0, -1, 4", {0, 4294967295, 4}},
      {"nc4", "float", "v:_Unsigned = \"true\" ;", "0, -1, 4", {0, -1, 4}},
  };
  for (const Case& c : cases) {
    const Scratch scratch;
    make(scratch,
         "dimensions: x = 3 ; variables: " + c.type + " v(x) ; " + c.attributes +
             " data: v = " + c.data + " ;",
         c.kind);
    EXPECT_EQ(record_of(scratch.file("f.nc"), -7), c.expected) << c.type << " " << c.attributes;
    // Without detect_missing_value they are numbers as others.
    const Values as_is = record_of(scratch.file("f.nc"), {});
    EXPECT_EQ(std::count(as_is.begin(), as_is.end(), -7), 0) << c.type << " " << c.attributes;
  }
}

// Would have found that dates of a packed time coordinate were taken as they are stored.
TEST(SourceFile, unpacks_dates) {
  const Scratch scratch;
  make(scratch,
       "dimensions: time = UNLIMITED ; x = 2 ; variables: short time(time) ;"
       " time:units = \"days since 2000-01-01\" ; time:scale_factor = 0.5 ; time:add_offset = 10. ;"
       " float v(time, x) ; data: time = 1, 2, 3 ; v = 1, 2, 3, 4, 5, 6 ;",
       "nc4");
  const SourceFile source(scratch.file("f.nc"), "time");
  EXPECT_EQ(source.stamps(source.find("v", {2}, {}, {})).values, (Values{10.5, 11, 11.5}));
  // Who looks before the run must find the same.
  const config::FileFacts facts = file_facts({scratch.file("f.nc"), {}, true});
  ASSERT_NE(facts.find("time"), nullptr);
  EXPECT_EQ(facts.find("time")->dates, (Values{10.5, 11, 11.5}));
}

/// How a variable of two dimensions goes with a grid: whether it has records, how many; nullopt: it
/// does not. Both who looks before the run and who reads must find the same.
struct Fit {
  bool has_records = false;
  std::int64_t records = 1;
  bool operator==(const Fit&) const = default;
};
std::optional<Fit> fit(const std::string& path, const Extents& shape, const std::string& time) {
  std::optional<Fit> read;
  try {
    const SourceFile::Variable v = SourceFile(path, time).find("v", shape, {}, {});
    read = Fit{v.has_records, v.records};
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("does not fit its field"), std::string::npos);
  }
  const config::FileFacts facts = file_facts({path, {"v"}});
  const std::vector<std::optional<std::int64_t>> sizes(shape.begin(), shape.end());
  const auto looked = config::fit_variable(facts, *facts.find("v"), time, sizes);
  EXPECT_EQ(looked.has_value(), read.has_value());
  if (looked && read) {
    EXPECT_EQ(looked->has_records, read->has_records);
  }
  return read;
}

/// A variable of another shape, type, chunk shape and pipeline of filters than the one before.
struct Foreign {
  std::vector<std::int64_t> sizes;  ///< records first
  std::string cdl;

  explicit Foreign(std::mt19937& random) {
    const auto pick = [&random](std::int64_t low, std::int64_t high) {
      return low + static_cast<std::int64_t>(random() % static_cast<unsigned>(high - low + 1));
    };
    const auto of = [&](const std::vector<std::string>& words) {
      return words[static_cast<std::size_t>(pick(0, std::ssize(words) - 1))];
    };
    sizes = {pick(1, 4), pick(1, 3), pick(2, 9), pick(2, 11)};
    std::string chunks;
    for (const std::int64_t size : sizes) {
      chunks += (chunks.empty() ? "" : ", ") + std::to_string(pick(1, size));
    }
    cdl = "dimensions: t = UNLIMITED ;";
    for (const auto& [name, d] : {std::pair("z", 1), std::pair("y", 2), std::pair("x", 3)}) {
      cdl += std::string(name) + " = " + std::to_string(sizes[static_cast<std::size_t>(d)]) + " ;";
    }
    cdl +=
        " variables: " + of({"byte", "short", "int", "float", "double", "int64", "ushort"}) +
        " v(t, z, y, x) ; v:_ChunkSizes = " + chunks + " ;" +
        of({"", " v:_DeflateLevel = 1 ;", " v:_DeflateLevel = 6 ; v:_Shuffle = \"true\" ;",
            " v:_Fletcher32 = \"true\" ;", " v:_DeflateLevel = 2 ; v:_Fletcher32 = \"true\" ;"}) +
        of({"", " v:_Endianness = \"big\" ;"}) + " data: v = ";
    for (std::int64_t p = 0; p < volume({sizes.begin(), sizes.end()}); ++p) {
      cdl += (p == 0 ? "" : ", ") + std::to_string(value_at(p));
    }
    cdl += " ;";
  }

  static int value_at(std::int64_t position) { return static_cast<int>(position * 37 % 127); }
};

TEST(SourceFile, reads_any_box_of_any_chunks) {
  const Scratch scratch;
  std::mt19937 random(7);
  for (int number = 0; number < 40; ++number) {
    const Foreign foreign(random);
    make(scratch, foreign.cdl);
    const Extents shape(foreign.sizes.begin() + 1, foreign.sizes.end());
    const SourceFile source(scratch.file("f.nc"), "t");
    const auto variable = source.find("v", shape, {}, {});
    for (int box_number = 0; box_number < 6; ++box_number) {
      Box box;
      for (const std::int64_t size : shape) {
        box.begin.push_back(static_cast<std::int64_t>(random() % static_cast<unsigned>(size)));
        box.size.push_back(1 + static_cast<std::int64_t>(
                                   random() % static_cast<unsigned>(size - box.begin.back())));
      }
      const auto record =
          static_cast<std::int64_t>(random() % static_cast<unsigned>(variable.records));
      Values values(static_cast<std::size_t>(box.volume()));
      source.read(variable, record, box, {}, values);
      std::size_t at = 0;
      for (std::int64_t k = box.begin[0]; k < box.begin[0] + box.size[0]; ++k) {
        for (std::int64_t j = box.begin[1]; j < box.begin[1] + box.size[1]; ++j) {
          for (std::int64_t i = box.begin[2]; i < box.begin[2] + box.size[2]; ++i) {
            const std::int64_t position = ((record * shape[0] + k) * shape[1] + j) * shape[2] + i;
            ASSERT_EQ(values[at++], Foreign::value_at(position)) << foreign.cdl.substr(0, 300);
          }
        }
      }
    }
  }
}

TEST(SourceFile, takes_for_time_what_is_time_and_nothing_else) {
  struct Case {
    std::string dimension, coordinate;
    Extents shape;
    std::string time_name;
    std::optional<Fit> expected;
  };
  const std::string none;
  const std::vector<Case> cases{
      // A level, a member or a band is no record.
      {"depth = 5", "double depth(depth) ; depth:units = \"m\" ;", {3}, "time_counter", {}},
      {"member = 5", none, {3}, "time_counter", {}},
      {"depth = 5", none, {5, 3}, "time_counter", Fit{}},
      {"depth = 1", none, {3}, "time_counter", Fit{}},
      // Time of a fixed length, also of length 1.
      {"time = 5", none, {3}, "time_counter", Fit{true, 5}},
      {"time = 1", none, {3}, "time_counter", Fit{true, 1}},
      {"t = 1",
       "double t(t) ; t:units = \"days since 1900-01-01\" ;",
       {3},
       "time_counter",
       Fit{true, 1}},
      {"t = 5", "double t(t) ; t:axis = \"T\" ;", {3}, "time_counter", Fit{true, 5}},
      {"t = 5", "double t(t) ; string t:standard_name = \"time\" ;", {3}, "x", Fit{true, 5}},
      {"t = 5", none, {3}, "t", Fit{true, 5}},
      {"t = 5", none, {3}, "time_counter", {}},
      {"t = UNLIMITED", none, {3}, "time_counter", Fit{true, 5}},
      // A grid may have an axis of times.
      {"time = 5", none, {5, 3}, "time_counter", Fit{}},
  };
  for (const Case& c : cases) {
    const Scratch scratch;
    const std::string name = c.dimension.substr(0, c.dimension.find(' '));
    const bool is_one = c.dimension.ends_with(" 1");
    make(scratch, "dimensions: " + c.dimension + " ; x = 3 ; variables: float v(" + name +
                      ", x) ; " + c.coordinate + " data: v = " +
                      (is_one ? "1, 2, 3" : "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15") +
                      " ;");
    EXPECT_EQ(fit(scratch.file("f.nc"), c.shape, c.time_name), c.expected)
        << c.dimension << " " << c.coordinate << " " << c.time_name;
  }
}

TEST(SourceFile, reads_texts_of_time_of_either_type) {
  for (const std::string type : {"", "string "}) {
    const Scratch scratch;
    make(scratch,
         "dimensions: time = 2 ; x = 3 ; variables: float v(time, x) ; double time(time) ;" + type +
             " time:units = \"days since 2000-01-01\" ; " + type +
             " time:calendar = \"noleap\" ; data: time = 3, 4 ; v = 1, 2, 3, 4, 5, 6 ;");
    const SourceFile source(scratch.file("f.nc"), "time");
    const SourceFile::Stamps stamps = source.stamps(source.find("v", {3}, {}, {}));
    EXPECT_EQ(stamps.units, "days since 2000-01-01");
    EXPECT_EQ(stamps.calendar, "noleap");
    EXPECT_EQ(stamps.values, (Values{3, 4}));
  }
}

TEST(SourceFile, finds_coordinates_that_are_named_on_several_lines) {
  const Scratch scratch;
  make(scratch,
       "dimensions: x = 3 ; other = 2 ; variables: float v(x) ; v:coordinates = \"a\\nb\\tc\" ;"
       " float a(other) ; a:units = \"m\" ; float b(other) ; b:units = \"m\" ;"
       " float c(other) ; c:units = \"m\" ;");
  const config::FileFacts facts = file_facts({scratch.file("f.nc"), {"v"}});
  for (const char* name : {"a", "b", "c"}) {
    EXPECT_EQ(facts.find(name)->attribute("units"), "m") << name;
  }
}

// The system's reason, not that it is no regular file.
TEST(SourceFile, says_why_a_name_leads_nowhere) {
  const Scratch scratch;
  const std::string path = scratch.file("round.nc");
  std::filesystem::create_symlink(path, path);
  const std::string why = std::make_error_code(std::errc::too_many_symbolic_link_levels).message();
  const std::string error = io_error([&] { const SourceFile source(path, "time"); });
  EXPECT_NE(error.find(why), std::string::npos) << error;
}

TEST(SourceFile, does_not_overflow_over_the_numbers_of_a_header) {
  const auto problem = [](const std::string& kind, const std::string& cdl, auto damage) {
    const Scratch scratch;
    make(scratch, cdl, kind);
    std::string bytes = read_text(scratch.file("f.nc"));
    damage(bytes);
    std::ofstream(scratch.file("f.nc"), std::ios::binary | std::ios::trunc) << bytes;
    return io_error([&] { const SourceFile source(scratch.file("f.nc"), "time"); });
  };
  const std::string fixed = "dimensions: x = 3 ; variables: double v(x) ; data: v = 1, 2, 3 ;";
  // Where its values begin stands right before them.
  const auto far_away = [](std::string& bytes) {
    std::fill_n(bytes.end() - 32, 8, char(-1));
    bytes[bytes.size() - 32] = 0x7f;
  };
  for (const std::string kind : {"nc6", "cdf5"}) {
    EXPECT_NE(problem(kind, fixed, far_away).find("its header speaks of"), std::string::npos);
  }
  const std::string growing =
      "dimensions: time = UNLIMITED ; x = 3 ; variables: double v(time, x) ; data: v = 1, 2, 3 ;";
  const auto fewer_than_none = [](std::string& bytes) { bytes[4] = char(-128); };
  EXPECT_NE(problem("cdf5", growing, fewer_than_none).find("its header makes no sense"),
            std::string::npos);
}

}  // namespace
}  // namespace epios::io::test::source_file_test
