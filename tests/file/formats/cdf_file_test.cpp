// CDF-5 files: the same as NetCDF-4 files of the same content, for the distribution's reader.

#include <cmath>
#include <limits>
#include <random>

#include "config/error.hpp"
#include "file/writing_endpoints.hpp"
#include "file_size_limit.hpp"
#include "formats/cdf_header.hpp"
#include "grid/layout.hpp"
#include "together.hpp"

namespace epios::io::test::cdf_file_test {
namespace {

using std::filesystem::exists;

/// Makes files of either format.
class Maker {
 public:
  explicit Maker(const Together& all) : all_(all), endpoints_(*all.writers()) {}
  std::unique_ptr<OutputFile> make(const FileSpec& spec) {
    return create_file(spec, all_.writers(), {nullptr, &endpoints_});
  }

 private:
  const Together& all_;
  WritingEndpoints endpoints_;
};

/// Any values of a kind, the same for the same numbers.
std::vector<std::byte> values(ValueKind kind, std::int64_t record, int variable,
                              const Extents& shape, const Box& box) {
  std::vector<std::byte> out;
  if (box.is_empty()) return out;
  const auto add = [&](auto value) {
    const auto bytes = std::as_bytes(std::span(&value, 1));
    out.insert(out.end(), bytes.begin(), bytes.end());
  };
  const std::int64_t count = box.volume();
  for (std::int64_t n = 0; n < count; ++n) {
    std::int64_t rest = n;
    std::int64_t point = 0;
    std::int64_t scale = 1;
    for (std::size_t d = shape.size(); d-- > 0;) {
      point += (box.begin[d] + rest % box.size[d]) * scale;
      rest /= box.size[d];
      scale *= shape[d];
    }
    const std::int64_t value = 1 + point + 1000 * record + 17 * variable;
    switch (kind) {
      case ValueKind::float32:
        add(static_cast<float>(value) / 4);
        break;
      case ValueKind::float64:
        add(static_cast<double>(value) / 3);
        break;
      case ValueKind::int32:
        add(static_cast<std::int32_t>(value * 65537));
        break;
      case ValueKind::int64:
        add(value * 4294967311);
        break;
      default:
        add(static_cast<std::int16_t>(value % 32000));
    }
  }
  return out;
}

struct Plan {
  FileSpec spec;
  std::vector<Extents> shapes;  // per variable, without records
  std::int64_t records = 4;
  bool says_slabs = true;
};

Plan random_plan(std::mt19937& random, const std::string& path) {
  const auto pick = [&](int most) {
    return static_cast<int>(random() % static_cast<unsigned>(most));
  };
  Plan plan;
  FileSpec& spec = plan.spec;
  spec.path = path;
  spec.dimensions = {{"time", 0}, {"z", 1 + pick(3)}, {"y", 1 + pick(6)}, {"x", 1 + pick(5)}};
  spec.records_per_block = 1 + pick(3);
  spec.endpoints = 1 + pick(3);
  spec.attributes = {{"title", std::string("any")}, {"odd", std::string("abcde")}};
  constexpr std::array kinds = {ValueKind::float32, ValueKind::float64, ValueKind::int32,
                                ValueKind::int64, ValueKind::int16};
  for (int v = 1 + pick(6); v > 0; --v) {
    VariableSpec variable;
    variable.name = "v" + std::to_string(v);
    variable.kind = kinds.at(static_cast<std::size_t>(pick(5)));
    variable.is_once = pick(5) == 0;
    if (!variable.is_once) variable.dimensions.push_back(0);
    Extents shape;
    for (int d = 1 + pick(4); d < 4; ++d) {
      variable.dimensions.push_back(d);
      shape.push_back(spec.dimensions[static_cast<std::size_t>(d)].length);
    }
    if (pick(2) == 0) variable.fill = -1;
    variable.attributes = {{"long_name", std::string(static_cast<std::size_t>(pick(6)), 'n')},
                           {"count", std::vector<std::int64_t>{1, 2, 3}},
                           {"range", std::vector<std::int16_t>{1, 2, 3}},
                           {"step", std::vector<float>{0.5}}};
    spec.variables.push_back(variable);
    plan.shapes.push_back(shape);
  }
  plan.records = pick(6);
  plan.says_slabs = pick(3) > 0;
  return plan;
}

Box slab_of(const Plan& plan, std::size_t variable, const Together& all) {
  const Extents& shape = plan.shapes[variable];
  if (shape.empty()) return all.is_owner() ? Box{} : nothing(0);
  return slabs(shape, Extents(shape.size(), 1), all.size())[static_cast<std::size_t>(all.rank())];
}

std::string written(Plan plan, FileFormat format, const Together& all, Maker& maker) {
  plan.spec.format = format;
  plan.spec.path += format == FileFormat::cdf5 ? ".cdf" : ".nc4";
  for (std::size_t v = 0; plan.says_slabs && v < plan.spec.variables.size(); ++v) {
    plan.spec.variables[v].slab = slab_of(plan, v, all);
  }
  const auto file = maker.make(plan.spec);
  for (std::int64_t record = 0; record < plan.records; ++record) {
    file->reserve(record + 1);
    for (std::size_t v = 0; v < plan.spec.variables.size(); ++v) {
      const VariableSpec& variable = plan.spec.variables[v];
      // Some records are never written.
      if ((variable.is_once && record > 0) || (record + static_cast<std::int64_t>(v)) % 4 == 3)
        continue;
      const Box box = slab_of(plan, v, all);
      const auto data = values(variable.kind, record, static_cast<int>(v), plan.shapes[v], box);
      file->write({static_cast<int>(v), record, box, data});
    }
    if (record == 1) file->sync();
  }
  file->seal(plan.records);
  file->publish();
  all.wait();
  if (!all.is_owner()) return {};
  EXPECT_FALSE(exists(plan.spec.path + ".part"));
  EXPECT_FALSE(exists(plan.spec.path + ".part.records"));
  const std::string kind = run("ncdump -k '" + plan.spec.path + "'").output;
  EXPECT_EQ(kind, format == FileFormat::cdf5 ? "cdf5\n" : "netCDF-4\n");
  return ncdump("-p 9,17", plan.spec.path);
}

TEST(CdfFile, is_read_as_a_netcdf4_file_of_the_same_content_is) {
  const Together all;
  Maker maker(all);
  std::mt19937 random(20261123);
  for (int n = 0; n < 20; ++n) {
    const Plan plan = random_plan(random, all.file("a" + std::to_string(n)));
    const std::string cdf = written(plan, FileFormat::cdf5, all, maker);
    const std::string hdf = written(plan, FileFormat::netcdf4, all, maker);
    EXPECT_EQ(cdf, hdf) << "plan " << n;
  }
}

// Slabs that several endpoints share.
TEST(CdfFile, large_slabs_are_written_by_several_endpoints) {
  const Together all;
  Maker maker(all);
  Plan plan;
  plan.spec = small_spec(all.file("large"), 300, 401);
  plan.spec.variables[1].kind = ValueKind::int16;
  plan.spec.endpoints = 3;
  plan.shapes = {{}, {300, 401}};
  const std::string cdf = written(plan, FileFormat::cdf5, all, maker);
  const std::string hdf = written(plan, FileFormat::netcdf4, all, maker);
  EXPECT_TRUE(cdf == hdf);
}

TEST(CdfFile, the_journal_and_the_header_say_what_is_durable) {
  const Together all;
  Maker maker(all);
  FileSpec spec = small_spec(all.file("a.nc"), 6, 5);
  spec.format = FileFormat::cdf5;
  spec.records_per_block = 4;
  const auto file = maker.make(spec);
  if (all.is_owner()) {
    EXPECT_EQ(read_text(spec.path + ".part.records"), "epios records 1\n0 time\n0 tos\n");
  }
  file->reserve(3);
  for (std::int64_t record = 0; record < 3; ++record) {
    if (all.is_owner()) {
      file->write({0, record, {}, bytes(std::vector<double>{1.0 * static_cast<double>(record)})});
    }
    if (record == 2) continue;
    const Box mine = slabs({6, 5}, {1, 5}, all.size())[static_cast<std::size_t>(all.rank())];
    file->write({1, record, mine, values(ValueKind::float32, record, 1, {6, 5}, mine)});
  }
  file->sync();
  if (all.is_owner()) {
    EXPECT_EQ(read_text(spec.path + ".part.records"), "epios records 1\n3 time\n2 tos\n");
    const std::string dump = ncdump("-v time", spec.path + ".part");
    EXPECT_NE(dump.find("time = UNLIMITED ; // (3 currently)"), std::string::npos) << dump;
    EXPECT_NE(dump.find(" time = 0, 1, 2 ;"), std::string::npos) << dump;
  }
  // Its record 2 never comes.
  const Box mine = slabs({6, 5}, {1, 5}, all.size())[static_cast<std::size_t>(all.rank())];
  file->reserve(4);
  file->write({1, 3, mine, values(ValueKind::float32, 3, 1, {6, 5}, mine)});
  file->sync();
  if (all.is_owner()) {
    EXPECT_EQ(read_text(spec.path + ".part.records"), "epios records 1\n3 time\n4 tos\n");
    const std::string dump = ncdump("-v tos", spec.path + ".part");
    std::size_t nans = 0;
    for (auto at = dump.find("NaNf"); at != std::string::npos; at = dump.find("NaNf", at + 1))
      ++nans;
    EXPECT_EQ(nans, 30U) << dump;
  }
  file->abandon();
  all.wait();
  EXPECT_FALSE(exists(spec.path));
  EXPECT_TRUE(exists(spec.path + ".part"));
}

TEST(CdfFile, a_write_that_fails_on_one_writer_ends_the_file_for_all) {
  const Together all;
  Maker maker(all);
  for (const bool says : {false, true}) {
    FileSpec spec = small_spec(all.file("a.nc"), 100, 1000);
    spec.format = FileFormat::cdf5;
    spec.records_per_block = 4;
    spec.endpoints = 2;
    const Box mine =
        slabs({100, 1000}, {1, 1000}, all.size())[static_cast<std::size_t>(all.rank())];
    if (says) spec.variables[1].slab = mine;
    const auto file = maker.make(spec);
    file->reserve(4);
    const std::vector<float> data(static_cast<std::size_t>(mine.volume()), 1);
    file->write({1, 0, mine, bytes(data)});
    const bool fails = all.rank() == all.last();
    std::string local;
    if (fails) {
      const FileSizeLimit limit(700'000);
      local = io_error([&] { file->write({1, 2, mine, bytes(data)}); });
    }
    const std::string text =
        "file '" + spec.path +
        "': cannot write record 2 of 'tos' (File too large). Raise the limit of file sizes "
        "(ulimit -f)?";
    EXPECT_EQ(local, fails ? text : "");
    EXPECT_EQ(io_error([&] { file->sync(); }), text);
    EXPECT_EQ(io_error([&] { file->seal(2); }), text);
    file->abandon();
    EXPECT_FALSE(exists(spec.path));
    all.wait();
  }
}

TEST(CdfFile, coordinates_come_from_several_writers) {
  const Together all;
  Maker maker(all);
  std::vector<std::string> dumps;
  for (const FileFormat format : {FileFormat::cdf5, FileFormat::netcdf4}) {
    FileSpec spec = small_spec(all.file(format == FileFormat::cdf5 ? "a.cdf" : "a.nc4"), 7, 3);
    spec.format = format;
    const Box mine = slabs({7, 3}, {1, 3}, all.size())[static_cast<std::size_t>(all.rank())];
    std::vector<double> numbers;
    for (std::int64_t n = 0; n < mine.volume(); ++n) {
      numbers.push_back(static_cast<double>(mine.begin[0] * 3 + n) / 7);
    }
    // One point is unset.
    if (all.is_owner()) numbers[1] = std::numeric_limits<double>::quiet_NaN();
    const std::vector<std::string> words = {"ocean", "", "sea ice"};
    spec.dimensions.push_back({"length", 8});
    for (const ValueKind kind : {ValueKind::float32, ValueKind::float64, ValueKind::int16}) {
      VariableSpec lon{"c" + std::to_string(size_t(kind)), kind, {1, 2}, {}, {}, {}, {}};
      lon.fixed = {mine, numbers, {}};
      lon.marks_unset = kind != ValueKind::int16;
      spec.variables.push_back(lon);
    }
    VariableSpec word{"word", ValueKind::text, {2, 3}, {}, {}, {}, {}};
    if (all.rank() == all.last()) word.fixed = {whole({3, 8}), {}, words};
    spec.variables.push_back(word);
    const auto file = maker.make(spec);
    file->seal(0);
    file->publish();
    all.wait();
    if (all.is_owner()) dumps.push_back(ncdump("-p 9,17", spec.path));
  }
  if (!all.is_owner()) return;
  EXPECT_EQ(dumps[0], dumps[1]);
  EXPECT_NE(dumps[0].find("\"sea ice\" ;"), std::string::npos) << dumps[0];
}

TEST(CdfFile, what_others_do_to_the_part_is_noticed) {
  const Together all;
  Maker maker(all);
  FileSpec spec = small_spec(all.file("a.nc"), 1, 2);
  spec.format = FileFormat::cdf5;
  const auto file = maker.make(spec);
  file->seal(0);
  if (all.is_owner()) {
    std::fstream part(spec.path + ".part", std::ios::in | std::ios::out | std::ios::binary);
    part.write("\0\0\0\0", 4);
    part.close();
    EXPECT_NE(
        io_error([&] { file->publish(); }).find("its '.part' does not begin as it was written"),
        std::string::npos);
    EXPECT_NE(io_error([&] {
                WritingEndpoints more(*all.writers());
                create_cdf5(spec, nullptr, more);
              }).find("(it is locked)"),
              std::string::npos);
  }
  all.wait();
  EXPECT_FALSE(exists(spec.path));
}

// All writers open the file by that name.
TEST(CdfFile, a_link_at_the_name_of_the_part_is_not_followed) {
  const Together all;
  Maker maker(all);
  FileSpec spec = small_spec(all.file("a.nc"), 1, 2);
  spec.format = FileFormat::cdf5;
  if (all.is_owner()) {
    std::ofstream(all.file("victim")) << "precious";
    std::filesystem::create_symlink(all.file("victim"), spec.path + ".part");
  }
  all.wait();
  EXPECT_NE(io_error([&] { maker.make(spec); }).find("its '.part' is a symbolic link"),
            std::string::npos);
  all.wait();
  EXPECT_EQ(read_text(all.file("victim")), "precious");
}

TEST(CdfFile, compression_is_refused) {
  const Together all;
  Maker maker(all);
  FileSpec spec = small_spec(all.file("a.nc"), 1, 2);
  spec.format = FileFormat::cdf5;
  spec.variables[1].compression.level = 1;
  EXPECT_NE(io_error([&] { maker.make(spec); }).find("compressed variable in a CDF-5 file"),
            std::string::npos);
}

TEST(CdfHeader, other_bytes_are_refused) {
  const std::string text = "CDF\x01 something else";
  EXPECT_THROW(read_cdf_header(std::as_bytes(std::span(text)), "a.nc"), Error);
  EXPECT_THROW(read_cdf_header({}, "a.nc"), Error);
  const std::string cut("CDF\x05\0\0\0\0\0\0\0\0\0\0\0\x0a", 16);
  EXPECT_THROW(read_cdf_header(std::as_bytes(std::span(cut)), "a.nc"), Error);
}

}  // namespace
}  // namespace epios::io::test::cdf_file_test
