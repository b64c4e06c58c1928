// What the configuration takes from files that are read, and what it is told when they do not fit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <optional>

#include "config/attribute_table.hpp"
#include "config/check.hpp"
#include "config/definitions.hpp"
#include "config/file_facts.hpp"
#include "config/read_grids.hpp"

namespace epios::config::file_grids_test {
namespace {

using Sizes = std::vector<std::optional<std::int64_t>>;
using Lengths = std::vector<std::int64_t>;
constexpr auto open = std::nullopt;

std::string xml(const std::string& domain, const std::string& file = "") {
  return "<simulation><context id='c'><calendar type='NoLeap' timestep='1h'/>\n"
         "<axis_definition><axis id='z'/></axis_definition>\n"
         "<domain_definition><domain id='d' " +
         domain +
         "/></domain_definition>\n"
         "<grid_definition><grid id='g'><domain domain_ref='d'/><axis axis_ref='z'/></grid>"
         "</grid_definition>\n"
         "<file_definition><file id='f' mode='read' output_freq='1h' " +
         file +
         "><field id='sst' grid_ref='g' operation='instant' read_access='true'/></file>"
         "</file_definition></context></simulation>";
}

SourceTexts texts(const std::string& text) { return {{"iodef.xml", text}}; }

FileFacts::Variable variable(const std::string& name, std::vector<int> dimensions,
                             std::vector<FileFacts::Attribute> attributes = {}) {
  return {name, true, std::move(dimensions), std::move(attributes)};
}

/// f.nc: 3 records of sst(time, lev = 2, lat = 3, lon = 4), as CF describes it.
FileFacts rectilinear() {
  FileFacts facts;
  facts.path = "f.nc";
  facts.exists = true;
  facts.dimensions = {{"time", 3, true}, {"lev", 2}, {"lat", 3}, {"lon", 4}, {"two", 2}};
  facts.variables = {variable("lon", {3}, {{"units", "degrees_east"}, {"bounds", "lon_b"}}),
                     variable("lon_b", {3, 4}),
                     variable("lat", {2}, {{"units", "degrees_north"}, {"bounds", "lat_b"}}),
                     variable("lat_b", {2, 4}),
                     variable("lev", {1}),
                     variable("sst", {0, 1, 2, 3})};
  return facts;
}

std::vector<std::string> attributes_of(const std::vector<CoordinateWish>& wishes) {
  std::vector<std::string> out;
  for (const CoordinateWish& wish : wishes) {
    out.push_back(wish.attribute + " from " + wish.variable +
                  (wish.vertices > 0 ? " x " + std::to_string(wish.vertices) : "") +
                  (wish.connectivity.empty() ? "" : " by " + wish.connectivity));
  }
  return out;
}

std::string refusal(const std::string& text, const FileFacts& facts) {
  Definitions definitions{Document(texts(text))};
  try {
    definitions.complete("c", definitions.read_grids("c"), std::vector{facts}, {});
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(FitDimensions, sizes_are_compared_in_order_and_ones_may_be_missing) {
  EXPECT_EQ(fit_dimensions(Lengths{3, 4}, Sizes{3, 4}), (std::vector<int>{0, 1}));
  EXPECT_EQ(fit_dimensions(Lengths{3, 4}, Sizes{open, open}), (std::vector<int>{0, 1}));
  EXPECT_EQ(fit_dimensions(Lengths{1, 3, 4}, Sizes{3, open}), (std::vector<int>{1, 2}));
  EXPECT_EQ(fit_dimensions(Lengths{3, 1, 4}, Sizes{open, 4}), (std::vector<int>{0, 2}));
  EXPECT_EQ(fit_dimensions(Lengths{3, 4}, Sizes{1, 3, 4}), (std::vector<int>{-1, 0, 1}));
  EXPECT_EQ(fit_dimensions(Lengths{1, 4}, Sizes{open, open}), (std::vector<int>{0, 1}));
  EXPECT_EQ(fit_dimensions(Lengths{}, Sizes{}), std::vector<int>{});
  EXPECT_EQ(fit_dimensions(Lengths{1}, Sizes{}), std::vector<int>{});
  EXPECT_EQ(fit_dimensions(Lengths{3, 4}, Sizes{4, 3}), std::nullopt);
  EXPECT_EQ(fit_dimensions(Lengths{3, 4}, Sizes{open}), std::nullopt);
  EXPECT_EQ(fit_dimensions(Lengths{3}, Sizes{open, open}), std::nullopt);
  EXPECT_EQ(fit_dimensions(Lengths{2}, Sizes{}), std::nullopt);
}

TEST(FitVariable, first_dimensions_of_a_fixed_length_are_records_only_if_they_say_time) {
  const auto records = [](const std::string& name, std::int64_t length, Sizes sizes,
                          std::vector<FileFacts::Attribute> coordinate,
                          std::string_view time_name = "time_counter") -> std::string {
    FileFacts facts;
    facts.dimensions = {{name, length}, {"lat", 3}, {"lon", 4}};
    facts.variables = {variable("v", {0, 1, 2}), variable(name, {0}, std::move(coordinate))};
    const auto fitted = fit_variable(facts, facts.variables[0], time_name, sizes);
    return !fitted ? "no" : fitted->has_records ? "records" : "none";
  };
  const Sizes flat{3, 4};
  EXPECT_EQ(records("depth", 31, flat, {{"units", "m"}}), "no");
  EXPECT_EQ(records("depth", 1, flat, {{"units", "m"}}), "none");
  EXPECT_EQ(records("depth", 31, {31, 3, 4}, {}), "none");
  EXPECT_EQ(records("time", 31, flat, {}), "records");
  EXPECT_EQ(records("time", 1, flat, {}), "records");
  EXPECT_EQ(records("t", 1, flat, {{"units", "days since 1-1-1"}}), "records");
  EXPECT_EQ(records("t", 31, flat, {{"standard_name", "time"}}), "records");
  EXPECT_EQ(records("t", 31, flat, {{"axis", "T"}}), "records");
  EXPECT_EQ(records("t", 31, flat, {}), "no");
  EXPECT_EQ(records("t", 31, flat, {}, "t"), "records");
  EXPECT_EQ(records("time", 31, {31, 3, 4}, {}), "none");
}

TEST(FileFacts, travel_as_bytes) {
  const FileFacts facts = rectilinear();
  const auto back = decode_facts(encode(std::vector{facts, FileFacts{}}));
  ASSERT_EQ(back.size(), 2U);
  EXPECT_EQ(back[0].shape(*back[0].find("sst")), (Lengths{3, 2, 3, 4}));
  EXPECT_EQ(back[0].find("lon")->attribute("units"), "degrees_east");
  EXPECT_EQ(back[0].find("lon")->attribute("axis"), "");
  EXPECT_TRUE(back[0].dimensions[0].is_unlimited);
  EXPECT_FALSE(back[1].exists);
  const std::vector<FileQuestion> questions{{"a.nc", {"x", "y"}}, {"b.nc", {}}};
  EXPECT_EQ(decode_questions(encode(questions)), questions);
}

TEST(FileFacts, other_bytes_are_refused) {
  const std::vector<std::byte> whole = encode(std::vector{rectilinear()});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THROW(decode_facts(std::span(whole).first(size)), Error) << size;
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::vector<std::byte> damaged = whole;
    damaged[at] ^= std::byte{0xff};
    try {
      for (const FileFacts& facts : decode_facts(damaged)) {
        for (const auto& variable : facts.variables) static_cast<void>(facts.shape(variable));
      }
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::protocol) << at;
    }
  }
  FileFacts wrong = rectilinear();
  wrong.variables[0].dimensions = {9};
  try {
    decode_facts(encode(std::vector{wrong}));
    FAIL() << "a dimension that is none was taken";
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "what a file says of itself cannot be understood (it names a dimension that it has "
        "not). Are all programs of this job linked with the same EPIOS?");
  }
  std::vector<std::byte> flag = encode(std::vector{FileFacts{}});
  flag[3 * sizeof(std::uint64_t)] = std::byte{2};  // behind the count, path and folder: exists
  try {
    decode_facts(flag);
    FAIL() << "a flag of 2 was taken";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "what a file says of itself cannot be understood (a flag has the value 2). Are "
                 "all programs of this job linked with the same EPIOS?");
  }
  std::vector<std::byte> longer = whole;
  longer.push_back({});
  try {
    decode_facts(longer);
    FAIL() << "what is too long was taken";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "what a file says of itself cannot be understood (it is too long). Are all "
                 "programs of this job linked with the same EPIOS?");
  }
}

// Resolving again would give the same: a client of a thousand fields does it once.
TEST(FileGrids, the_draft_of_what_lacks_nothing_is_the_model) {
  const std::string sizes =
      "type='rectilinear' ni_glo='4' nj_glo='3' ibegin='0' ni='4' jbegin='0' nj='3'";
  std::string text = xml(sizes);
  text.replace(text.find("<axis id='z'/>"), 14, "<axis id='z' n_glo='2'/>");
  const ReadGrids grids = Definitions{Document(texts(text))}.read_grids("c");
  EXPECT_TRUE(grids.is_resolved);
  EXPECT_EQ(to_json(*grids.draft), to_json(Definitions{Document(texts(text))}.resolve("c")));
  EXPECT_FALSE(Definitions{Document(texts(xml(sizes)))}.read_grids("c").is_resolved)
      << "no size of z";
  text.replace(text.find("operation='instant'"), 19, "operation='average'");
  const ReadGrids wrong = Definitions{Document(texts(text))}.read_grids("c");
  EXPECT_FALSE(wrong.is_resolved);
  EXPECT_EQ(wrong.files.size(), 1U) << "mistakes are told when it is resolved";
}

TEST(FileGrids, sizes_that_nobody_gives_come_from_the_file) {
  Definitions definitions{Document(texts(xml("")))};
  const ReadGrids grids = definitions.read_grids("c");
  ASSERT_EQ(grids.elements.size(), 2U);
  EXPECT_TRUE(grids.elements[0].lacks_size);
  ASSERT_EQ(grids.files.size(), 1U);
  EXPECT_EQ(grids.files[0], (FileQuestion{"f.nc", {"sst"}}));
  const auto wishes =
      definitions.complete("c", definitions.read_grids("c"), std::vector{rectilinear()}, {});
  EXPECT_EQ(
      attributes_of(wishes),
      (std::vector<std::string>{"value from lev", "lonvalue_1d from lon", "latvalue_1d from lat",
                                "bounds_lon_1d from lon_b x 2", "bounds_lat_1d from lat_b x 2"}));
  const Model model = definitions.resolve("c");
  EXPECT_EQ(model.domains[0].attributes.type, "rectilinear");
  EXPECT_EQ(model.domains[0].attributes.ni_glo, 4);
  EXPECT_EQ(model.domains[0].attributes.nj_glo, 3);
  EXPECT_EQ(model.axes[0].attributes.n_glo, 2);
  // What the model asks for.
  EXPECT_EQ(definitions.get("c", ElementKind::domain, "d", "ni"), Value(std::int64_t{4}));
  EXPECT_EQ(definitions.get("c", ElementKind::axis, "z", "n"), Value(std::int64_t{2}));
}

TEST(FileGrids, of_a_series_come_from_the_part_of_its_first_record) {
  const auto text_of = [](const std::string& file, const std::string& offset) {
    std::string text = xml("", file);
    text.insert(text.find("read_access"), "freq_offset='" + offset + "' ");
    return text;
  };
  const auto questions = [&](const std::string& file, const std::string& offset = "0s") {
    std::vector<std::string> paths;
    const Definitions definitions{Document(texts(text_of(file, offset)))};
    for (const FileQuestion& question : definitions.read_grids("c").files) {
      EXPECT_EQ(question.variables, std::vector<std::string>{"sst"});
      paths.push_back(question.path);
    }
    return paths;
  };
  using Paths = std::vector<std::string>;
  EXPECT_EQ(questions("split_freq='1mo'"), Paths{"f_000001-000001.nc"});
  EXPECT_EQ(questions("split_freq='1y' name='a/%start_date%_b'"), Paths{"a/0000_b.nc"});
  EXPECT_EQ(questions("split_freq='1d'", "36h"), Paths{"f_00000102-00000102.nc"});
  // A date between two parts may be in either.
  EXPECT_EQ(questions("split_freq='1d' time_from_file='true'", "24h"),
            (Paths{"f_00000102-00000102.nc", "f_00000101-00000101.nc"}));
  // From a start beside the turn of a part the calendar's part may be meant.
  EXPECT_EQ(questions("split_freq='1y' time_from_file='true'", "24h"), Paths{"f_0000-0000.nc"});
  EXPECT_EQ(questions("type='multiple_file'"), Paths{"f.nc"});

  Definitions definitions{Document(texts(text_of("split_freq='1d' time_from_file='true'", "24h")))};
  FileFacts first = rectilinear();
  FileFacts second;
  first.path = "f_00000101-00000101.nc";
  second.path = "f_00000102-00000102.nc";
  const auto wishes =
      definitions.complete("c", definitions.read_grids("c"), std::vector{second, first}, {});
  ASSERT_FALSE(wishes.empty());
  for (const CoordinateWish& wish : wishes) EXPECT_EQ(wish.path, first.path);
  EXPECT_EQ(refusal(xml("", "split_freq='1d'"), second), "nothing");  // of another part
  second.path = "f_00000101-00000101.nc";
  second.folder = "/here";
  EXPECT_NE(refusal(xml("", "split_freq='1d'"), second)
                .find("file 'f_00000101-00000101.nc' cannot be "
                      "read (it does not exist in '/here')"),
            std::string::npos);
}

TEST(FileGrids, thousands_of_variables_that_name_no_coordinates_are_one_search) {
  FileFacts facts = rectilinear();
  std::string fields;
  for (int f = 0; f < 3000; ++f) {
    const std::string name = "v" + std::to_string(f);
    facts.variables.push_back(variable(name, {0, 1, 2, 3}));
    fields += "<field name='" + name + "' grid_ref='g' operation='instant' read_access='true'/>";
  }
  facts.sort_names();
  EXPECT_EQ(facts.find("v2999"), &facts.variables.back());
  EXPECT_EQ(facts.find("v3000"), nullptr);
  EXPECT_EQ(facts.find("lon"), &facts.variables.front());
  std::string text = xml("");
  text.insert(text.find("</file>"), fields);
  Definitions definitions{Document(texts(text))};
  EXPECT_EQ(
      attributes_of(definitions.complete("c", definitions.read_grids("c"), std::vector{facts}, {})),
      (std::vector<std::string>{"value from lev", "lonvalue_1d from lon", "latvalue_1d from lat",
                                "bounds_lon_1d from lon_b x 2", "bounds_lat_1d from lat_b x 2"}));
}

TEST(FileGrids, what_is_given_stays) {
  Definitions definitions{Document(texts(xml("type='rectilinear' ni_glo='4'")))};
  const auto set = [&](std::string_view attribute, Value value) {
    definitions.set("c", ElementKind::domain, "d", attribute, std::move(value), "model");
  };
  set("jbegin", std::int64_t{1});
  set("nj", std::int64_t{2});
  set("lonvalue_1d", value::reals{{1, 2, 3, 4}, {4}});
  const auto wishes =
      definitions.complete("c", definitions.read_grids("c"), std::vector{rectilinear()}, {});
  EXPECT_EQ(attributes_of(wishes), std::vector<std::string>{"value from lev"});
  EXPECT_EQ(definitions.get("c", ElementKind::domain, "d", "jbegin"), Value(std::int64_t{1}));
  EXPECT_EQ(definitions.get("c", ElementKind::domain, "d", "nj"), Value(std::int64_t{2}));
  EXPECT_EQ(definitions.resolve("c").domains[0].attributes.nj_glo, 3);
  // Nobody wants the axis' values if some client has them.
  Definitions others{Document(texts(xml("")))};
  EXPECT_TRUE(
      others.complete("c", others.read_grids("c"), std::vector{rectilinear()}, {false, false})
          .empty());
}

TEST(FileGrids, curvilinear_coordinates_and_cells) {
  FileFacts facts = rectilinear();
  facts.variables = {variable("nav_lon", {2, 3}, {{"units", "degrees_east"}}),
                     variable("nav_lat", {2, 3}, {{"units", "degrees_north"}}),
                     variable("sst", {0, 1, 2, 3})};
  Definitions definitions{Document(texts(xml("")))};
  EXPECT_EQ(
      attributes_of(definitions.complete("c", definitions.read_grids("c"), std::vector{facts}, {})),
      (std::vector<std::string>{"lonvalue_2d from nav_lon", "latvalue_2d from nav_lat"}));
  EXPECT_EQ(definitions.get("c", ElementKind::domain, "d", "type"),
            Value(std::string("curvilinear")));

  facts.variables = {variable("x", {3}, {{"standard_name", "longitude"}}),
                     variable("y", {3}, {{"standard_name", "latitude"}}),
                     variable("sst", {0, 1, 3}, {{"coordinates", "y x"}})};
  Definitions row{Document(texts(xml("")))};
  EXPECT_EQ(attributes_of(row.complete("c", row.read_grids("c"), std::vector{facts}, {})),
            (std::vector<std::string>{"lonvalue_1d from x", "latvalue_1d from y"}));
  EXPECT_EQ(row.get("c", ElementKind::domain, "d", "type"), Value(std::string("unstructured")));
  EXPECT_EQ(row.get("c", ElementKind::domain, "d", "ni_glo"), Value(std::int64_t{4}));
}

TEST(FileGrids, the_type_is_that_of_the_variable_that_has_coordinates) {
  FileFacts facts = rectilinear();
  facts.variables = {variable("nav_lon", {2, 3}), variable("nav_lat", {2, 3}),
                     variable("mask", {2, 3}),
                     variable("sst", {0, 1, 2, 3}, {{"coordinates", "nav_lon nav_lat"}})};
  const std::string mask = "<field id='mask' domain_ref='d' operation='once' read_access='true'/>";
  for (const char* before : {"<field id='sst'", "</file>"}) {
    std::string text = xml("");
    text.insert(text.find(before), mask);
    Definitions definitions{Document(texts(text))};
    EXPECT_EQ(attributes_of(
                  definitions.complete("c", definitions.read_grids("c"), std::vector{facts}, {})),
              (std::vector<std::string>{"lonvalue_2d from nav_lon", "latvalue_2d from nav_lat"}))
        << text;
    EXPECT_EQ(definitions.get("c", ElementKind::domain, "d", "type"),
              Value(std::string("curvilinear")))
        << text;
  }
  // What nobody says.
  Definitions definitions{Document(texts(xml("")))};
  facts.variables = {variable("sst", {0, 1, 2, 3})};
  definitions.complete("c", definitions.read_grids("c"), std::vector{facts}, {});
  EXPECT_EQ(definitions.get("c", ElementKind::domain, "d", "type"),
            Value(std::string("rectilinear")));
}

FileFacts mesh(const std::string& location) {
  FileFacts facts;
  facts.path = "f.nc";
  facts.exists = true;
  facts.dimensions = {{"lev", 2}, {"face", 5}, {"node", 9}, {"three", 3}};
  const int dimension = location == "node" ? 2 : 1;
  facts.variables = {variable("m", {},
                              {{"node_coordinates", "ny nx"},
                               {"face_coordinates", "fx fy"},
                               {"face_node_connectivity", "names"}}),
                     variable("nx", {2}, {{"units", "degrees_east"}}),
                     variable("ny", {2}, {{"units", "degrees_north"}}),
                     variable("fx", {1}, {{"units", "degrees_east"}}),
                     variable("fy", {1}, {{"units", "degrees_north"}}),
                     variable("names", {1, 3}, {{"start_index", "1"}}),
                     variable("sst", {0, dimension}, {{"mesh", "m"}, {"location", location}})};
  return facts;
}

TEST(FileGrids, corners_of_meshes_are_nodes) {
  Definitions faces{Document(texts(xml("type='unstructured'")))};
  const auto wishes = faces.complete("c", faces.read_grids("c"), std::vector{mesh("face")}, {});
  EXPECT_EQ(attributes_of(wishes),
            (std::vector<std::string>{"lonvalue_1d from fx", "latvalue_1d from fy",
                                      "bounds_lon_1d from nx x 3 by names",
                                      "bounds_lat_1d from ny x 3 by names"}));
  EXPECT_EQ(faces.get("c", ElementKind::domain, "d", "nvertex"), Value(std::int64_t{3}));
  // Counted from 1; the second cell has two corners.
  const double none = std::numeric_limits<double>::quiet_NaN();
  const CellCorners corners = corners_of(wishes[2], std::vector<double>{9, 2, 4, 2, 9, none});
  EXPECT_EQ(corners.nodes, (std::vector<std::int64_t>{1, 3, 8}));
  EXPECT_EQ(corners.places, (std::vector<std::size_t>{2, 0, 1, 0, 2, 2}));
  // Would have found that a cell whose first corner is missing ended the run.
  const CellCorners later =
      corners_of(wishes[2], std::vector<double>{none, 2, 4, none, none, 9, 2, none, 4});
  EXPECT_EQ(later.nodes, (std::vector<std::int64_t>{1, 3, 8}));
  EXPECT_EQ(later.places, (std::vector<std::size_t>{1, 0, 1, 2, 2, 2, 0, 0, 1}));
  EXPECT_THROW(corners_of(wishes[2], std::vector<double>{none, none, none}), Error);
  // Would have found that a number beyond the last node, as of a file that is counted from 0, was
  // taken for a missing corner if it was not the first of its cell.
  for (const double wrong : {0.0, 10.0, -999.0}) {
    for (const auto& names : {std::vector<double>{wrong, 1, 2}, {1, 2, wrong}}) {
      try {
        corners_of(wishes[2], names);
        FAIL() << wrong << " was taken";
      } catch (const Error& error) {
        EXPECT_EQ(error.what(), fmt::format("file 'f.nc' names no node of 9 at a corner of a cell "
                                            "(variable 'names' has {}, counted from 1). Are its "
                                            "start_index and _FillValue right?",
                                            wrong));
      }
    }
  }
  Definitions nodes{Document(texts(xml("type='unstructured'")))};
  EXPECT_EQ(
      attributes_of(nodes.complete("c", nodes.read_grids("c"), std::vector{mesh("node")}, {})),
      (std::vector<std::string>{"lonvalue_1d from nx", "latvalue_1d from ny"}));
  EXPECT_EQ(nodes.get("c", ElementKind::domain, "d", "nvertex"), Value(std::int64_t{1}));
}

// Would have found that bounds of latitudes were ignored in a file that has none of longitudes.
TEST(FileGrids, bounds_of_one_side_are_taken_alone) {
  Definitions definitions{Document(texts(xml("")))};
  FileFacts facts = rectilinear();
  facts.variables[0] = variable("lon", {3}, {{"units", "degrees_east"}});
  const auto wishes =
      definitions.complete("c", definitions.read_grids("c"), std::vector{facts}, {});
  EXPECT_EQ(attributes_of(wishes),
            (std::vector<std::string>{"value from lev", "lonvalue_1d from lon",
                                      "latvalue_1d from lat", "bounds_lat_1d from lat_b x 2"}));
}

// Would have found that bounds of a file were dropped where a client lists its cells.
TEST(FileGrids, listed_cells_take_bounds_of_their_columns) {
  Definitions definitions{Document(
      texts(xml("type='rectilinear' ni='2' nj='1' i_index='(0,1)[3 0]' j_index='(0,1)[0 2]'")))};
  const ReadGrids grids = definitions.read_grids("c");
  const auto wishes = definitions.complete("c", grids, std::vector{rectilinear()}, {});
  ASSERT_EQ(wishes.size(), 5U);
  ASSERT_EQ(wishes[3].attribute, "bounds_lon_1d");
  const std::vector<double> read{30, 40, 0, 10};
  EXPECT_EQ(coordinate_value(definitions.resolve("c"), grids, wishes[3], read),
            Value(value::reals{read, {2, 2}}));
}

TEST(FileGrids, contradictions_name_both_places) {
  EXPECT_EQ(
      refusal(xml("type='rectilinear' ni_glo='5'"), rectilinear()),
      "iodef.xml:5:61: error: variable 'sst' of file 'f.nc' does not fit its field (it is 3 x "
      "2 x 3 x 4, the grid is ? x ? x 5, beside records; slowest first; ni_glo = 5 of domain "
      "'d' is given at iodef.xml:3:54). Is it another grid, or a dimension too many (that of "
      "records is called 'time_counter')? [E0707]");
  EXPECT_EQ(refusal(xml("nvertex='6' type='unstructured'"),
                    [] {
                      FileFacts facts = mesh("face");
                      facts.variables.back().name = "sst";
                      return facts;
                    }()),
            "iodef.xml:3:35: error: domain 'd' has nvertex = 6 (file 'f.nc' has bounds of 3 "
            "vertices). Leave it out: the file says it. [E0707]");
  FileFacts other = rectilinear();
  other.variables.back().name = "sstt";
  EXPECT_EQ(refusal(xml(""), other),
            "iodef.xml:5:61: error: file 'f.nc' has no variable 'sst' (it has 6). Did you mean "
            "'sstt'? [E0707]");
  other.variables.clear();
  EXPECT_EQ(
      refusal(xml(""), other),
      "iodef.xml:5:61: error: file 'f.nc' has no variable 'sst' (it has 0). Say its name with "
      "name=\"...\" of the field. [E0707]");
  other = rectilinear();
  other.variables.back().holds_numbers = false;
  EXPECT_EQ(refusal(xml(""), other),
            "iodef.xml:5:61: error: variable 'sst' of file 'f.nc' cannot be read (it holds no "
            "numbers). Is its name right? [E0707]");
  other = {};
  other.path = "f.nc";
  other.folder = "/run";
  EXPECT_EQ(
      refusal(xml(""), other),
      "iodef.xml:5:18: error: file 'f.nc' cannot be read (it does not exist in '/run'). Names "
      "of files are relative to the folder that the run is started in; is it there? [E0707]");
  other.exists = true;
  other.error = "Unknown file format";
  EXPECT_EQ(refusal(xml(""), other),
            "iodef.xml:5:18: error: file 'f.nc' cannot be opened (Unknown file format). Is it a "
            "NetCDF file, and whole? [E0707]");
}

TEST(FileGrids, a_check_takes_what_is_there) {
  const auto findings = [](const std::string& text, const FileFacts& facts) {
    std::string out;
    const auto look = [&facts](const std::vector<FileQuestion>&) { return std::vector{facts}; };
    for (const Diagnostic& finding : check(texts(text), {}, look)) {
      if (finding.code == Code::bad_input_file || finding.severity == Severity::error ||
          finding.topic == Topic::model) {
        out += finding.text() + "\n";
      }
    }
    return out;
  };
  // Sizes are not left to the model.
  EXPECT_EQ(findings(xml(""), rectilinear()), "");
  FileFacts none;
  none.path = "f.nc";
  none.folder = "/run";
  const std::string text = findings(xml("type='rectilinear' ni_glo='4' nj_glo='3'"), none);
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "iodef.xml:2:18: note: axis 'z' has no n_glo (the global size is mandatory). Set n_glo "
            "in XML or from the model. [E0501]");
  EXPECT_NE(text.find("iodef.xml:5:18: note: file 'f.nc' cannot be read (it does not exist in "
                      "'/run'). It may be there when the model runs. [E0707]"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace epios::config::file_grids_test
