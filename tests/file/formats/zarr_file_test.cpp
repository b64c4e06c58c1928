// Stores of Zarr with as many writers as there are processes (one, too), read by a decoder of its
// own: documents by a JSON parser, chunks by zlib, zstd and Blosc themselves.
#include <blosc.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>

#include "file/data_file.hpp"
#include "file/source_file.hpp"
#include "grid/layout.hpp"
#include "together.hpp"

namespace epios::io::test::zarr_file_test {
namespace {

using Json = nlohmann::json;
using Method = Compression::Method;
using Shuffle = Compression::Shuffle;
using std::filesystem::exists;

Json document(const std::string& path) { return Json::parse(read_text(path)); }

/// The values of a chunk, from what its codecs have stored.
std::string decoded(const Json& array, const std::string& stored, std::size_t bytes) {
  std::string out(bytes, '\0');
  const Json& codec = array.at("compressor");
  if (codec.is_null()) return stored;
  if (codec.at("id") == "blosc") {
    EXPECT_EQ(blosc_decompress_ctx(stored.data(), out.data(), bytes, 1), static_cast<int>(bytes));
    return out;
  }
  if (codec.at("id") == "zstd") {
    EXPECT_EQ(ZSTD_getFrameContentSize(stored.data(), stored.size()), bytes);
    EXPECT_EQ(ZSTD_decompress(out.data(), bytes, stored.data(), stored.size()), bytes);
  } else {
    auto size = static_cast<uLongf>(bytes);
    EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(out.data()), &size,
                         reinterpret_cast<const Bytef*>(stored.data()), stored.size()),
              Z_OK);
    EXPECT_EQ(size, bytes);
  }
  if (array.at("filters").is_null()) return out;
  EXPECT_EQ(array.at("filters").at(0).at("id"), "shuffle");
  const auto size = array.at("filters").at(0).at("elementsize").get<std::size_t>();
  std::string values(bytes, '\0');
  for (std::size_t v = 0; v < bytes / size; ++v) {
    for (std::size_t b = 0; b < size; ++b) values[v * size + b] = out[b * (bytes / size) + v];
  }
  return values;
}

/// All values of an array of three dimensions or fewer. Absent chunks are a failure.
template <class T>
std::vector<T> values_of(const std::string& store, const std::string& name) {
  const Json array = document(store + "/" + name + "/.zarray");
  EXPECT_EQ(array.at("zarr_format"), 2);
  EXPECT_EQ(array.at("order"), "C");
  auto shape = array.at("shape").get<std::vector<std::size_t>>();
  auto chunks = array.at("chunks").get<std::vector<std::size_t>>();
  const std::size_t rank = shape.size();
  while (shape.size() < 3) {
    shape.push_back(1);
    chunks.push_back(1);
  }
  const std::size_t count = chunks[0] * chunks[1] * chunks[2];
  std::vector<T> out(shape[0] * shape[1] * shape[2]);
  for (std::size_t p = 0; p < out.size(); ++p) {
    const std::array<std::size_t, 3> at = {p / (shape[1] * shape[2]), p / shape[2] % shape[1],
                                           p % shape[2]};
    std::string key = std::to_string(at[0] / chunks[0]);
    for (std::size_t d = 1; d < rank; ++d) key += "." + std::to_string(at[d] / chunks[d]);
    const std::string path = store + "/" + name + "/" + key;
    EXPECT_TRUE(exists(path)) << path;
    const std::string chunk = decoded(array, read_text(path), count * sizeof(T));
    EXPECT_EQ(chunk.size(), count * sizeof(T)) << path;
    if (chunk.size() != count * sizeof(T)) return {};
    const std::size_t in_chunk =
        (at[0] % chunks[0] * chunks[1] + at[1] % chunks[1]) * chunks[2] + at[2] % chunks[2];
    std::memcpy(&out[p], chunk.data() + in_chunk * sizeof(T), sizeof(T));
  }
  return out;
}

FileSpec store_spec(const std::string& path, Extents chunk) {
  FileSpec spec = small_spec(path, 5, 3, std::move(chunk));
  spec.format = FileFormat::zarr;
  return spec;
}

float value(std::int64_t record, std::int64_t y, std::int64_t x) {
  return static_cast<float>(1000 * record + 10 * y + x);
}

Box share_of(const Together& all, const Extents& chunk) {
  return slabs({5, 3}, chunk, all.size())[static_cast<std::size_t>(all.rank())];
}

void write_share(OutputFile& file, const Together& all, std::int64_t record, const Box& box) {
  file.reserve(record + 1);
  if (all.is_owner()) {
    file.write({0, record, {}, bytes(std::vector<double>{static_cast<double>(record) + 0.5})});
  }
  std::vector<float> values;
  for (std::int64_t p = 0; p < box.volume(); ++p) {
    values.push_back(value(record, box.begin[0] + p / box.size[1], box.begin[1] + p % box.size[1]));
  }
  file.write({1, record, box, bytes(values)});
}

void expect_records(const std::string& store, std::int64_t records) {
  const auto times = values_of<double>(store, "time");
  const auto found = values_of<float>(store, "tos");
  ASSERT_EQ(times.size(), static_cast<std::size_t>(records));
  ASSERT_EQ(found.size(), static_cast<std::size_t>(records * 15));
  for (std::int64_t r = 0; r < records; ++r) {
    EXPECT_EQ(times[static_cast<std::size_t>(r)], static_cast<double>(r) + 0.5);
    for (std::int64_t p = 0; p < 15; ++p) {
      EXPECT_EQ(found[static_cast<std::size_t>(r * 15 + p)], value(r, p / 3, p % 3))
          << r << " " << p;
    }
  }
}

/// The same by what runs read with: each record, in any order.
void expect_readable(const std::string& store, std::int64_t records) {
  const SourceFile source(store, "time");
  const SourceFile::Variable tos = source.find("tos", {5, 3}, {}, {});
  ASSERT_EQ(tos.records, records);
  for (std::int64_t r = records - 1; r >= 0; --r) {
    std::vector<double> found(8);
    source.read(tos, r, {{1, 1}, {4, 2}}, {}, found);
    for (std::int64_t p = 0; p < 8; ++p) {
      EXPECT_EQ(found[static_cast<std::size_t>(p)],
                static_cast<double>(value(r, 1 + p / 2, 1 + p % 2)))
          << r << " " << p;
    }
  }
}

/// Seven records by all writers, with a flush in the middle of a chunk.
void write_and_read(const Compression& compression, std::int64_t records_per_chunk, bool is_live) {
  const Together all;
  const Extents chunk = {2, 2};
  FileSpec spec = store_spec(all.file("a.zarr"), chunk);
  spec.variables[1].compression = compression;
  spec.variables[1].records_per_chunk = records_per_chunk;
  spec.is_live = is_live;
  const Box mine = share_of(all, chunk);
  const auto file = create_zarr(spec, all.writers());
  EXPECT_FALSE(exists(spec.path));
  for (std::int64_t record = 0; record < 7; ++record) {
    write_share(*file, all, record, mine);
    EXPECT_EQ(exists(spec.path), is_live) << record;
    if (record != 3) continue;
    file->sync();
    EXPECT_EQ(file->pending(), 0U);
    if (all.is_owner()) {
      EXPECT_EQ(read_text(spec.path + ".part.records"), "epios records 1\n4 time\n4 tos\n");
      expect_records(is_live ? spec.path : spec.path + ".part", 4);
      expect_readable(is_live ? spec.path : spec.path + ".part", 4);
    }
    all.wait();
  }
  file->seal(7);
  EXPECT_EQ(file->pending(), 0U);
  const std::int64_t size = file->publish();
  all.wait();
  if (!all.is_owner()) return;
  EXPECT_GT(size, 0);
  EXPECT_FALSE(exists(spec.path + ".part"));
  EXPECT_FALSE(exists(spec.path + ".part.records"));
  EXPECT_FALSE(exists(spec.path + "/.epios.lock"));
  expect_records(spec.path, 7);
  expect_readable(spec.path, 7);
  const Json consolidated = document(spec.path + "/.zmetadata").at("metadata");
  EXPECT_EQ(consolidated.at("tos/.zarray"), document(spec.path + "/tos/.zarray"));
  EXPECT_EQ(consolidated.at("tos/.zarray").at("shape"), Json({7, 5, 3}));
  EXPECT_EQ(consolidated.at("tos/.zattrs").at("_ARRAY_DIMENSIONS"), Json({"time", "y", "x"}));
}

TEST(ZarrFile, chunks_of_one_record) { write_and_read({}, 1, false); }
TEST(ZarrFile, chunks_of_several_records) { write_and_read({}, 3, false); }
TEST(ZarrFile, zlib_with_shuffle) { write_and_read({1, Method::deflate}, 1, false); }
TEST(ZarrFile, zlib_of_a_higher_level_without_shuffle) {
  write_and_read({6, Method::deflate, {}, Shuffle::none}, 2, false);
}
TEST(ZarrFile, zstd_with_shuffle) { write_and_read({1, Method::zstd}, 3, true); }
TEST(ZarrFile, blosc_lz4) { write_and_read({5, Method::blosc_lz4}, 1, true); }
TEST(ZarrFile, blosc_zstd_with_bits) {
  write_and_read({3, Method::blosc_zstd, {}, Shuffle::bit}, 4, false);
}

TEST(ZarrFile, gaps_get_the_fill_value) {
  const Together all;
  for (const std::int64_t in_chunk : {1, 2}) {
    FileSpec spec = store_spec(all.file("gaps.zarr"), {2, 3});
    spec.variables[1].fill = 1e20;
    spec.variables[1].records_per_chunk = in_chunk;
    const Box mine = share_of(all, {2, 3});
    const auto file = create_zarr(spec, all.writers());
    file->reserve(6);
    write_share(*file, all, 1, mine);
    file->sync();
    write_share(*file, all, 4, mine);
    file->seal(6);
    file->publish();
    all.wait();
    if (all.is_owner()) {
      const auto found = values_of<float>(spec.path, "tos");
      ASSERT_EQ(found.size(), 90U);
      for (std::int64_t r = 0; r < 6; ++r) {
        const float wanted = r == 1 || r == 4 ? value(r, 4, 2) : 1e20F;
        EXPECT_EQ(found[static_cast<std::size_t>(r * 15 + 14)], wanted) << r;
      }
      EXPECT_EQ(document(spec.path + "/tos/.zarray").at("fill_value").get<float>(), 1e20F);
      EXPECT_TRUE(document(spec.path + "/time/.zarray").at("fill_value").is_null());
    }
    all.wait();
  }
}

TEST(ZarrFile, numbers_that_are_none_are_words) {
  const Together all;
  FileSpec spec = store_spec(all.file("words.zarr"), {2, 3});
  spec.variables[1].fill = std::nan("");
  spec.variables[1].attributes.push_back({"missing_value", std::vector<float>{std::nanf("")}});
  spec.attributes = {{"least", std::vector<double>{-INFINITY, INFINITY}},
                     {"title", std::string("Wärme \"oben\"\n")},
                     {"count", std::vector<std::int64_t>{9007199254740993}}};
  const auto file = create_zarr(spec, all.writers());
  file->seal(0);
  file->publish();
  all.wait();
  if (all.is_owner()) {
    EXPECT_EQ(document(spec.path + "/tos/.zarray").at("fill_value"), "NaN");
    // Would have found a text, which xarray compares with numbers.
    EXPECT_FALSE(document(spec.path + "/tos/.zattrs").contains("missing_value"));
    const Json attributes = document(spec.path + "/.zattrs");
    EXPECT_EQ(attributes.at("least"), Json({"-Infinity", "Infinity"}));
    EXPECT_EQ(attributes.at("title"), "Wärme \"oben\"\n");
    // zarr for Python takes documents for ASCII.
    const std::string text =
        read_text(spec.path + "/.zattrs") + read_text(spec.path + "/.zmetadata");
    EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char c) { return c >= 0; })) << text;
    EXPECT_EQ(attributes.at("count"), 9007199254740993);
  }
  spec.attributes = {{"title", std::string("W\xe4rme")}};
  try {
    create_zarr(spec, all.writers());
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "file '" + spec.path +
                  "': cannot write '.zattrs' (a name or an attribute is no UTF-8 text, which JSON "
                  "needs). Is the XML in another encoding than it says?");
  }
}

/// Several chunks, of parts of several writers; texts and scalars.
TEST(ZarrFile, fixed_variables_of_several_chunks) {
  const Together all;
  FileSpec spec = store_spec(all.file("fixed.zarr"), {2, 3});
  const std::int64_t rows = 3;
  const std::int64_t columns = 700'000;  // 5.6 MB: one row in a chunk
  spec.dimensions.push_back({"row", rows});
  spec.dimensions.push_back({"column", columns});
  spec.dimensions.push_back({"letter", 4});
  const std::vector<double> numbers(static_cast<std::size_t>(rows * columns), 1.5);
  const std::vector<std::string> texts = {"one", "two", "four"};
  VariableSpec wide{"wide", ValueKind::float64, {3, 4}, {}, {}, {}, {}};
  VariableSpec names{"names", ValueKind::text, {3, 5}, {}, {}, {}, {}};
  VariableSpec lone{"lone", ValueKind::int32, {}, {}, {}, {}, {}};
  const std::vector<double> seven = {7};
  const Box mine =
      slabs({rows, columns}, {1, columns}, all.size())[static_cast<std::size_t>(all.rank())];
  wide.fixed.box = mine;
  wide.fixed.numbers = std::span(numbers).first(static_cast<std::size_t>(mine.volume()));
  if (all.is_owner()) {
    names.fixed = {whole({rows, 4}), {}, texts};
  }
  lone.fixed = {Box{}, seven, {}};  // all have it, and the owner writes it
  spec.variables.insert(spec.variables.end(), {wide, names, lone});
  const auto file = create_zarr(spec, all.writers());
  file->seal(0);
  file->publish();
  all.wait();
  if (!all.is_owner()) return;
  EXPECT_EQ(document(spec.path + "/wide/.zarray").at("chunks"), Json({1, columns}));
  for (const char* key : {"/wide/0.0", "/wide/1.0", "/wide/2.0"}) {
    const std::string chunk = read_text(spec.path + key);
    ASSERT_EQ(chunk.size(), static_cast<std::size_t>(columns) * sizeof(double)) << key;
    EXPECT_EQ(std::memcmp(chunk.data(), numbers.data(), chunk.size()), 0) << key;
  }
  EXPECT_EQ(read_text(spec.path + "/names/0.0"), std::string("one\0two\0four", 12));
  EXPECT_EQ(values_of<std::int32_t>(spec.path, "lone"), std::vector<std::int32_t>{7});
  const DataFile data(spec.path);
  EXPECT_EQ(data.values(data.find("lone"), Box{}), std::vector<double>{7});
  EXPECT_EQ(data.text(data.find("names"), whole({rows, 4})), std::string("one\0two\0four", 12));
  EXPECT_EQ(data.values(data.find("wide"), {{1, 699'998}, {2, 2}}), std::vector<double>(4, 1.5));
}

/// Servers say them with every record: would have found that each one made all documents anew.
TEST(ZarrFile, bits_that_are_kept_are_written_once) {
  const Together all;
  if (!all.is_owner()) return;
  FileSpec spec = store_spec(all.file("kept.zarr"), {5, 3});
  spec.variables[1].is_rounded_later = true;
  spec.variables[1].attributes = rounding_attributes(23);
  const auto file = create_zarr(spec, nullptr);
  const std::string attributes = spec.path + ".part/tos/.zattrs";
  file->round_to(1, 7);
  EXPECT_EQ(document(attributes).at("quantization_nsb"), 7);
  std::filesystem::remove(attributes);
  file->round_to(1, 7);
  EXPECT_FALSE(exists(attributes));
  file->round_to(1, 8);
  EXPECT_EQ(document(attributes).at("quantization_nsb"), 8);
  file->abandon();
}

TEST(ZarrFile, replaces_a_store_at_once_and_nothing_else) {
  const Together all;
  const FileSpec spec = store_spec(all.file("a.zarr"), {2, 3});
  for (const std::int64_t records : {3, 1}) {
    const auto file = create_zarr(spec, all.writers());
    for (std::int64_t r = 0; r < records; ++r) write_share(*file, all, r, share_of(all, {2, 3}));
    if (records == 1 && all.is_owner()) expect_records(spec.path, 3);  // the old one, until now
    file->seal(records);
    file->publish();
    all.wait();
    if (all.is_owner()) {
      expect_records(spec.path, records);
      EXPECT_FALSE(exists(spec.path + "/tos/2.0.0"));
      EXPECT_FALSE(exists(spec.path + ".replaced"));
    }
    all.wait();
  }
  const FileSpec other = store_spec(all.file("mine.zarr"), {2, 3});
  if (all.is_owner()) {
    std::filesystem::create_directory(other.path);
    std::ofstream(other.path + "/thesis.tex") << "years of work";
  }
  all.wait();
  EXPECT_EQ(io_error([&] { create_zarr(other, all.writers()); }),
            "file '" + other.path +
                "': cannot be created (there is a folder of that name without '.zgroup' or "
                "'zarr.json', which is no store). Remove it, or give the file another name?");
  all.wait();
  EXPECT_EQ(read_text(other.path + "/thesis.tex"), "years of work");
}

/// What a run that was killed has left, and what one that goes on has.
TEST(ZarrFile, takes_what_nobody_writes_any_more) {
  const Together all;
  if (!all.is_owner()) return;
  for (const bool is_live : {false, true}) {
    FileSpec spec = store_spec(all.file(is_live ? "live.zarr" : "left.zarr"), {5, 3});
    spec.is_live = is_live;
    auto dead = create_zarr(spec, nullptr);
    dead->reserve(1);
    dead->write({1, 0, whole({5, 3}), bytes(ramp(0, 15))});
    const std::string error = io_error([&] { create_zarr(spec, nullptr); });
    EXPECT_NE(error.find("cannot be created"), std::string::npos) << error;
    EXPECT_NE(error.find("nother job"), std::string::npos) << error;
    dead->abandon();
    const auto file = create_zarr(spec, nullptr);
    file->seal(0);
    file->publish();
    EXPECT_FALSE(exists(spec.path + "/tos/0.0.0"));
    EXPECT_EQ(document(spec.path + "/tos/.zarray").at("shape"), Json({0, 5, 3}));
  }
}

/// A run that is refused before its first record takes nothing away.
TEST(ZarrFile, a_live_store_replaces_the_one_before_it_with_its_first_record) {
  const Together all;
  FileSpec spec = store_spec(all.file("again.zarr"), {2, 2});
  spec.is_live = true;
  const Box mine = share_of(all, {2, 2});
  {
    const auto before = create_zarr(spec, all.writers());
    for (std::int64_t record = 0; record < 2; ++record) write_share(*before, all, record, mine);
    before->seal(2);
    before->publish();
  }
  all.wait();
  const auto refused = create_zarr(spec, all.writers());
  refused->abandon();
  all.wait();
  if (all.is_owner()) expect_records(spec.path, 2);
  all.wait();
  const auto file = create_zarr(spec, all.writers());
  write_share(*file, all, 0, mine);
  file->sync();
  if (all.is_owner()) expect_records(spec.path, 1);
  all.wait();
  file->seal(1);
  file->publish();
}

/// Neither through a link nor where another user could exchange files.
/// Would have found that readers take what is in their memory for a variable that comes later.
TEST(ZarrFile, what_is_written_once_is_unset_in_a_live_store_until_then) {
  const Together all;
  if (!all.is_owner()) return;
  for (const int level : {0, 1}) {
    FileSpec spec = store_spec(all.file("once_" + std::to_string(level) + ".zarr"), {2, 3});
    spec.is_live = true;
    VariableSpec mask;
    mask.name = "mask";
    mask.dimensions = {1, 2};
    mask.chunk = {2, 3};
    mask.compression.level = level;
    mask.is_once = true;
    spec.variables.push_back(mask);
    const auto file = create_zarr(spec, nullptr);
    file->reserve(1);
    const auto before = values_of<float>(spec.path, "mask");
    EXPECT_EQ(before.size(), 15U);
    EXPECT_TRUE(std::all_of(before.begin(), before.end(), [](float v) { return std::isnan(v); }));
    file->write({2, 0, whole({5, 3}), bytes(ramp(7, 15))});
    write_record(*file, 0, 5, 3);
    file->seal(1);
    file->publish();
    EXPECT_EQ(values_of<float>(spec.path, "mask"), ramp(7, 15));
  }
}

TEST(ZarrFile, is_not_written_into_what_others_have_laid_there) {
  const Together all;
  if (!all.is_owner()) return;
  FileSpec spec = store_spec(all.file("laid.zarr"), {5, 3});
  std::filesystem::create_directory(all.file("target"));
  std::filesystem::create_symlink(all.file("target"), spec.path + ".part");
  EXPECT_NE(io_error([&] { create_zarr(spec, nullptr); }).find("cannot be created"),
            std::string::npos);
  EXPECT_TRUE(std::filesystem::is_empty(all.file("target")));
  std::filesystem::remove(spec.path + ".part");
  if (::geteuid() != 0) return;  // only root can make a folder of another user
  std::filesystem::create_directory(spec.path + ".part");
  constexpr uid_t somebody = 12345;
  ASSERT_EQ(::chown((spec.path + ".part").c_str(), somebody, static_cast<gid_t>(-1)), 0);
  const std::string error = io_error([&] { create_zarr(spec, nullptr); });
  EXPECT_NE(error.find("belongs to another user"), std::string::npos) << error;
}

TEST(ZarrFile, is_no_store_once_somebody_took_it_away) {
  const Together all;
  const FileSpec spec = store_spec(all.file("gone.zarr"), {2, 3});
  const auto file = create_zarr(spec, all.writers());
  all.wait();
  if (all.is_owner()) std::filesystem::rename(spec.path + ".part", spec.path + ".elsewhere");
  all.wait();
  const std::string error = io_error([&] { file->reserve(1); });
  EXPECT_NE(error.find("': cannot be continued ("), std::string::npos) << error;
  EXPECT_EQ(io_error([&] { file->seal(0); }), error);
  file->abandon();
  all.wait();
  EXPECT_FALSE(exists(spec.path));
}

TEST(ZarrFile, chunks_that_no_memory_holds_are_refused) {
  const Together all;
  for (const std::int64_t records : {100'000'000'000LL, 9'000'000'000'000'000'000LL}) {
    for (const bool is_compressed : {false, true}) {
      FileSpec spec = store_spec(all.file("large.zarr"), {5, 3});
      spec.variables[1].records_per_chunk = records;
      if (is_compressed) spec.variables[1].compression = {1, Method::deflate};
      std::string refusal;
      try {
        static_cast<void>(create_zarr(spec, all.writers()));
      } catch (const Error& error) {
        refusal = error.what();
      }
      const std::string expected =
          "file '" + spec.path + "': cannot " +
          (is_compressed ? "compress" : "keep chunks of several records of") +
          " 'tos' (a chunk has 2 GiB or more). Set a smaller chunking_blocksize_target, or fewer "
          "chunking_records?";
      EXPECT_NE(refusal.find(expected), std::string::npos) << refusal;
      EXPECT_FALSE(exists(spec.path + ".part"));
      all.wait();
    }
  }
}

/// A limit of file sizes stands for a full disk, where mounting is not allowed.
TEST(ZarrFile, a_chunk_that_cannot_be_written_ends_the_store_on_all_writers) {
  const Together all;
  for (const bool is_compressed : {false, true}) {
    FileSpec spec = small_spec(all.file("full.zarr"), 6, 4000, {1, 4000});
    spec.format = FileFormat::zarr;
    if (is_compressed) spec.variables[1].compression = {1, Method::blosc_lz4};
    const Box mine = slabs({6, 4000}, {1, 4000}, all.size())[static_cast<std::size_t>(all.rank())];
    const auto file = create_zarr(spec, all.writers());
    file->reserve(1);
    struct rlimit before = {};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    ::signal(SIGXFSZ, SIG_IGN);
    if (all.rank() == all.last()) {
      const struct rlimit small = {8192, before.rlim_max};
      ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    }
    std::vector<float> noise(static_cast<std::size_t>(mine.volume()));
    std::uint32_t seed = 1;
    for (float& v : noise) v = static_cast<float>(seed = seed * 1664525U + 1013904223U);
    const std::string own = io_error([&] { file->write({1, 0, mine, bytes(noise)}); });
    const std::string error = io_error([&] { file->seal(1); });
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    EXPECT_NE(
        error.find("file '" + spec.path + "': cannot write record 0 of 'tos' (File too large)"),
        std::string::npos)
        << error;
    if (all.rank() != all.last()) {
      EXPECT_EQ(own, "");
    }
    file->abandon();
    all.wait();
    EXPECT_FALSE(exists(spec.path));
    EXPECT_TRUE(exists(spec.path + ".part"));
    all.wait();
  }
}

}  // namespace
}  // namespace epios::io::test::zarr_file_test
