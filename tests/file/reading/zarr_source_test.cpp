// Stores of Zarr that others may have made, written here byte by byte. What EPIOS itself writes is
// read back by formats/zarr_file_test.cpp, and what xarray writes by tests/reading.
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "config/error.hpp"
#include "file/data_file.hpp"
#include "file/file_facts.hpp"
#include "file/source_file.hpp"
#include "scratch.hpp"

namespace epios::io::test::zarr_source_test {
namespace {

using Values = std::vector<double>;

void put(const std::string& path, const std::string& text) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

template <class T>
std::string raw(const std::vector<T>& values, bool is_big = false) {
  std::string out;
  for (const T& value : values) {
    std::string its(sizeof(T), '\0');
    std::memcpy(its.data(), &value, sizeof(T));
    if (is_big != (std::endian::native == std::endian::big)) its = {its.rbegin(), its.rend()};
    out += its;
  }
  return out;
}

/// The parts of an array's document that tests change.
struct Array {
  std::string shape, chunks, dtype = "<f4", compressor = "null", fill = "null", order = "C",
                             filters = "null", more{};

  std::string text() const {
    return R"({"zarr_format": 2, "shape": )" + shape + R"(, "chunks": )" + chunks +
           R"(, "dtype": ")" + dtype + R"(", "compressor": )" + compressor + R"(, "fill_value": )" +
           fill + R"(, "order": ")" + order + R"(", "filters": )" + filters + more + "}";
  }
};

void put_array(const std::string& store, const std::string& name, const Array& array,
               const std::string& attributes) {
  put(store + "/" + name + "/.zarray", array.text());
  put(store + "/" + name + "/.zattrs", attributes);
}

/// tos(time, y, x) of 3 records of 2 x 3 values, 100 r + 10 y + x, in chunks of 2 x 2 x 2; time.
std::string make_store(const Scratch& scratch, const Array& kind, bool is_big = false) {
  const std::string store = scratch.file("a.zarr");
  std::filesystem::remove_all(store);
  put(store + "/.zgroup", R"({"zarr_format": 2})");
  put(store + "/.zattrs", R"({"title": "a \"NaN\" of no number", "least": -Infinity})");
  Array tos = kind;
  tos.shape = "[3, 2, 3]";
  tos.chunks = "[2, 2, 2]";
  put_array(store, "tos", tos,
            R"({"_ARRAY_DIMENSIONS": ["time", "y", "x"], "missing_value": NaN, "units": "K"})");
  for (int r = 0; r < 4; r += 2) {
    for (int x = 0; x < 4; x += 2) {
      std::vector<float> chunk;
      for (int p = 0; p < 8; ++p) {
        chunk.push_back(static_cast<float>(100 * (r + p / 4) + 10 * (p / 2 % 2) + x + p % 2));
      }
      const std::string separator = kind.more.empty() ? "." : "/";
      put(store + "/tos/" + std::to_string(r / 2) + separator + "0" + separator +
              std::to_string(x / 2),
          raw(chunk, is_big));
    }
  }
  put_array(
      store, "time", {"[3]", "[4]", "<i8"},
      R"({"_ARRAY_DIMENSIONS": ["time"], "units": "hours since 2000-01-01", "calendar": "noleap"})");
  put(store + "/time/0", raw(std::vector<std::int64_t>{0, 6, 12, 99}));
  return store;
}

Values record(const SourceFile& source, std::int64_t number, std::optional<double> missing = {}) {
  Values out(6);
  source.read(source.find("tos", {2, 3}, {}, {}), number, whole({2, 3}), missing, out);
  return out;
}

TEST(ZarrSource, reads_either_byte_order_and_either_name_of_chunks) {
  const Scratch scratch;
  for (const bool is_big : {false, true}) {
    Array kind;
    if (is_big) kind.dtype = ">f4";
    if (is_big) kind.more = R"(, "dimension_separator": "/")";
    const std::string store = make_store(scratch, kind, is_big);
    const SourceFile source(store, "t");
    EXPECT_EQ(record(source, 0), (Values{0, 1, 2, 10, 11, 12}));
    EXPECT_EQ(record(source, 1), (Values{100, 101, 102, 110, 111, 112}));
    EXPECT_EQ(record(source, 2), (Values{200, 201, 202, 210, 211, 212}));
    EXPECT_EQ(record(source, 0), (Values{0, 1, 2, 10, 11, 12}));
    const SourceFile::Variable tos = source.find("tos", {2, 3}, {}, {});
    EXPECT_EQ(tos.records, 3);
    Values corner(2);
    source.read(tos, 2, {{0, 2}, {2, 1}}, {}, corner);
    EXPECT_EQ(corner, (Values{202, 212}));
    const SourceFile::Stamps stamps = source.stamps(tos);
    EXPECT_EQ(stamps.values, (Values{0, 6, 12}));
    EXPECT_EQ(stamps.units, "hours since 2000-01-01");
    EXPECT_EQ(stamps.calendar, "noleap");
  }
}

TEST(ZarrSource, is_a_data_set_like_a_file) {
  const Scratch scratch;
  Array kind;
  kind.fill = "1e20";
  const std::string store = make_store(scratch, kind);
  put_array(store, "label", {"[2, 3]", "[2, 3]", "|S1"},
            R"({"_ARRAY_DIMENSIONS": ["y", "letter"]})");
  put(store + "/label/0.0", std::string("ab\0def", 6));
  put_array(store, "crs", {"[]", "[]", "<i4"}, R"({"nside": 4, "parts": [1, 2.5]})");
  put(store + "/crs/0", raw(std::vector<std::int32_t>{7}));
  put_array(store, "name", {"[2]", "[2]", "<U8"}, R"({"_ARRAY_DIMENSIONS": ["y"]})");
  put_array(store, "bare", {"[2, 3]", "[2, 3]", "|b1"}, "{}");
  put(store + "/bare/0.0", std::string("\0\1\1\0\0\1", 6));
  const DataFile data(store);
  EXPECT_EQ(data.format(), "Zarr 2");
  EXPECT_EQ(data.records(), 3);
  ASSERT_EQ(data.attributes().size(), 2U);
  EXPECT_EQ(data.attributes()[0].text, "a \"NaN\" of no number");
  const StoredVariable& tos = data.variables().at(static_cast<std::size_t>(data.find("tos")));
  EXPECT_EQ(tos.type, "float");
  EXPECT_EQ(tos.attribute("units"), "K");
  // Rounded as NetCDF's attribute of that type.
  EXPECT_EQ(tos.number("_FillValue"), static_cast<double>(1e20F));
  EXPECT_TRUE(tos.is_missing(static_cast<double>(1e20F)));
  EXPECT_EQ(data.stored_bytes(data.find("tos")), 4 * 8 * 4);
  EXPECT_EQ(data.text(data.find("label"), whole({2, 3})), std::string("ab\0def", 6));
  EXPECT_EQ(data.values(data.find("crs"), Box{}), Values{7});
  EXPECT_EQ(data.variables().at(static_cast<std::size_t>(data.find("crs"))).attribute("parts"),
            "1, 2.5");
  EXPECT_EQ(data.bytes(data.find("bare"), {{0, 1}, {2, 1}}),
            (std::vector<std::byte>{std::byte{1}, std::byte{0}}));
  EXPECT_EQ(io_error([&] { data.values(data.find("name"), whole({2})); }),
            "file '" + store + "' has a variable 'name' that cannot be read (its type is '<U8')");
  // Without names of dimensions its lengths still fit a grid.
  const SourceFile source(store, "time");
  Values bare(6);
  source.read(source.find("bare", {2, 3}, {}, {}), 0, whole({2, 3}), {}, bare);
  EXPECT_EQ(bare, (Values{0, 1, 1, 0, 0, 1}));

  const config::FileFacts facts = file_facts({store, {"tos"}, true});
  EXPECT_TRUE(facts.exists);
  EXPECT_EQ(facts.error, "");
  const auto* const time = facts.find("time");
  ASSERT_NE(time, nullptr);
  EXPECT_EQ(time->dates, (Values{0, 6, 12}));
  EXPECT_EQ(facts.find("tos")->attribute("units"), "K");
}

TEST(ZarrSource, takes_the_fill_value_where_a_chunk_is_not_there) {
  const Scratch scratch;
  Array kind;
  kind.fill = R"("NaN")";
  std::string store = make_store(scratch, kind);
  std::filesystem::remove(store + "/tos/1.0.0");
  EXPECT_EQ(record(SourceFile(store, "time"), 2, -1), (Values{-1, -1, 202, -1, -1, 212}));
  store = make_store(scratch, {});
  std::filesystem::remove(store + "/tos/1.0.0");
  EXPECT_EQ(io_error([&] { record(SourceFile(store, "time"), 2); }),
            "record 2 of variable 'tos' of file '" + store + "' cannot be read: file '" + store +
                "' has a chunk 'tos/1.0.0' that cannot be read (it is not there, and without a "
                "fill_value nothing stands for it). Has the store been copied in whole?");
}

TEST(ZarrSource, names_what_it_cannot_decode) {
  const Scratch scratch;
  const auto why = [&](const Array& kind) {
    const std::string store = make_store(scratch, kind);
    const std::string front = "file '" + store + "' has a variable 'tos' that cannot be read (";
    const std::string error = io_error([&] { record(SourceFile(store, "time"), 0); });
    EXPECT_TRUE(error.starts_with(front)) << error;
    // Other variables can be read.
    EXPECT_EQ(DataFile(store).values(DataFile(store).find("time"), {{1}, {2}}), (Values{6, 12}));
    return error.substr(std::min(front.size(), error.size()));
  };
  Array kind;
  kind.order = "F";
  EXPECT_EQ(why(kind), "the values in its chunks are in the order of Fortran)");
  kind = {};
  kind.compressor = R"({"id": "bz2", "level": 1})";
  EXPECT_EQ(why(kind), "its compressor is 'bz2', and zlib, gzip, zstd and blosc are known)");
  kind = {};
  kind.filters = R"([{"id": "bitround", "keepbits": 3}, {"id": "delta", "dtype": "<f4"}])";
  EXPECT_EQ(why(kind), "it has the filter 'delta', and one shuffle and bitround are known)");
  kind.filters = R"([{"id": "shuffle", "elementsize": 3}])";
  EXPECT_EQ(why(kind), "its filter shuffles elements of 3 bytes)");
  kind = {};
  kind.dtype = "<i4";
  kind.fill = R"("NaN")";
  EXPECT_EQ(why(kind), "its fill_value is \"NaN\", no number of type int)");
}

TEST(ZarrSource, says_what_is_damaged) {
  const Scratch scratch;
  std::string store = make_store(scratch, {});
  std::filesystem::resize_file(store + "/tos/0.0.1", 31);
  EXPECT_EQ(io_error([&] {
              DataFile(store).values(DataFile(store).find("tos"), whole({1, 2, 3}));
            }),
            "file '" + store +
                "' has a chunk 'tos/0.0.1' that cannot be read (its 31 bytes are not those of 8 "
                "values). Has the store been copied in whole?");
  const auto why = [&](const std::string& document, const std::string& text) {
    store = make_store(scratch, {});
    put(store + "/" + document, text);
    std::string error = io_error([&] { const DataFile data(store); });
    const std::string front = "file '" + store + "' cannot be opened (";
    EXPECT_TRUE(error.starts_with(front)) << error;
    // Runs and checks get the same text; checks put the front before it.
    EXPECT_EQ(io_error([&] { const SourceFile source(store, "time"); }), error);
    const config::FileFacts facts = file_facts({store, {"tos"}});
    EXPECT_EQ(front + facts.error + "). " + facts.suggestion, error);
    return error.substr(std::min(front.size(), error.size()));
  };
  EXPECT_EQ(why("tos/.zarray", R"({"zarr_format": 2)"),
            "its document 'tos/.zarray' is not valid JSON). Is the store whole?");
  EXPECT_EQ(why("tos/.zarray", R"({"zarr_format": 2, "shape": [3]})"),
            "its document 'tos/.zarray' is no description of an array). Is the store whole?");
  EXPECT_EQ(why("tos/.zarray", Array{"[3, 2, 3]", "[1, 0, 3]"}.text()),
            "its document 'tos/.zarray' has a length that makes no sense). Is the store whole?");
  EXPECT_EQ(why("tos/.zarray", Array{"[3, 2, 3]", "[4294967296, 4294967296, 2]"}.text()),
            "its document 'tos/.zarray' has a length that makes no sense). Is the store whole?");
  EXPECT_EQ(why("time/.zarray", Array{"[4]", "[4]"}.text()),
            "dimension 'time' is 3 long in 'tos' and 4 in arrays before it). Does a program write "
            "it now? With consolidated metadata they agree.");
  std::filesystem::remove_all(store);
  std::filesystem::create_directory(store);
  EXPECT_EQ(io_error([&] { const DataFile data(store); }),
            "file '" + store +
                "' cannot be opened (it is a folder without '.zgroup' or 'zarr.json', which is no "
                "store of Zarr). Is it the folder of an array, or of another format?");
}

/// A live store has more records after a while; what was opened has those that it had.
TEST(ZarrSource, may_grow_but_not_be_another_while_it_is_open) {
  const Scratch scratch;
  const std::string store = make_store(scratch, {});
  const SourceFile source(store, "time");
  EXPECT_EQ(record(source, 2)[0], 200);
  Array more;
  more.shape = "[4, 2, 3]";
  more.chunks = "[2, 2, 2]";
  put(store + "/tos/.zarray.new", more.text());
  std::filesystem::rename(store + "/tos/.zarray.new", store + "/tos/.zarray");
  put(store + "/.zmetadata", "{}");
  EXPECT_EQ(record(source, 1)[0], 100);
  EXPECT_EQ(source.find("tos", {2, 3}, {}, {}).records, 3);
  std::filesystem::rename(store, scratch.file("old.zarr"));
  make_store(scratch, {});
  EXPECT_EQ(io_error([&] { record(source, 1); }),
            "file '" + store +
                "' has been changed since it was opened (record 1 of variable 'tos' is not read). "
                "Does another program write to it?");
}

TEST(ZarrSource, believes_the_consolidated_documents_if_there_are_any) {
  const Scratch scratch;
  const std::string store = make_store(scratch, {});
  Array two;
  two.shape = "[2]";
  two.chunks = "[4]";
  two.dtype = "<i8";
  put(store + "/.zmetadata",
      R"({"zarr_consolidated_format": 1, "metadata": {".zgroup": {"zarr_format": 2}, "time/.zarray": )" +
          two.text() +
          R"(, "time/.zattrs": {"_ARRAY_DIMENSIONS": ["time"]}, "deep/er/.zarray": 1}})");
  const DataFile data(store);
  ASSERT_EQ(data.variables().size(), 1U);
  EXPECT_EQ(data.records(), 2);
  EXPECT_EQ(data.values(0, whole({2})), (Values{0, 6}));
  put(store + "/.zmetadata", R"({"zarr_consolidated_format": 9})");
  EXPECT_EQ(io_error([&] { const DataFile other(store); }),
            "file '" + store +
                "' cannot be opened (its document '.zmetadata' is of a kind that is not known). "
                "Remove it: the other documents say the same.");
}

/// Valid JSON that says nothing: in our words, whatever it is.
TEST(ZarrSource, documents_of_odd_types_are_refused_in_words) {
  const Scratch scratch;
  const std::string store = make_store(scratch, {});
  const auto refusal = [&] { return io_error([&] { const DataFile other(store); }); };
  const auto expect_words = [&](const char* text) {
    const std::string error = refusal();
    EXPECT_TRUE(error.starts_with("file '" + store + "' cannot be opened (its document"))
        << text << ": " << error;
    EXPECT_EQ(error.find("json.exception"), std::string::npos) << text << ": " << error;
  };
  for (
      const char* text :
      {R"({"zarr_consolidated_format": "1"})",
       R"({"zarr_consolidated_format": 1, "metadata": {".zgroup": {}, "tos/.zarray": 7}})",
       R"({"zarr_consolidated_format": 1, "metadata": {".zgroup": {}, "tos/.zarray": {"shape": {}}}})"}) {
    put(store + "/.zmetadata", text);
    expect_words(text);
  }
  std::filesystem::remove(store + "/.zmetadata");
  for (const char* text :
       {R"({"zarr_format": 3, "node_type": "group", "consolidated_metadata": {"kind": 1}})",
        R"({"zarr_format": 3, "node_type": "group",
            "consolidated_metadata": {"kind": "inline", "metadata": {"a": 7}}})",
        R"({"zarr_format": 3, "node_type": "group",
            "consolidated_metadata": {"kind": "inline", "metadata": {"a": {"node_type": 1}}}})",
        R"({"zarr_format": 3, "node_type": 1})"}) {
    put(store + "/zarr.json", text);
    expect_words(text);
  }
}

}  // namespace
}  // namespace epios::io::test::zarr_source_test
