// What contexts tell each other of grids.
#include "config/coupled_grids.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "config/byte_fields.hpp"
#include "config/definitions.hpp"
#include "config/document.hpp"
#include "config/error.hpp"
#include "config/model.hpp"

namespace epios::config::coupled_grids_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Along = CoordinateWish::Along;

/// A Model that sends a field on `element`, in a grid of its own.
Model model_of(const std::string& definitions, const std::string& element) {
  const std::string xml =
      "<simulation><context id='c'><calendar type='NoLeap' start_date='2000-01-01' "
      "timestep='1h'/>" +
      definitions + "<field_definition><field id='a' " + element +
      "/></field_definition><coupler_out_definition><coupler_out context='m::d'>"
      "<field field_ref='a' operation='instant'/></coupler_out></coupler_out_definition>"
      "</context></simulation>";
  const Definitions all{Document({{"iodef.xml", xml}})};
  return all.resolve("c");
}

Model with_domain(const std::string& attributes) {
  return model_of("<domain_definition><domain id='d' " + attributes + "/></domain_definition>",
                  "domain_ref='d'");
}

const GridElement the_domain{GridElement::Kind::domain, 0};
const GridElement the_axis{GridElement::Kind::axis, 0};

TEST(CoupledGrids, a_part_of_a_rectilinear_domain_has_columns_rows_and_cells) {
  const Model model = with_domain(
      "type='rectilinear' ni_glo='4' nj_glo='3' ibegin='2' ni='2' jbegin='1' nj='2' "
      "lonvalue_1d='(0,1)[20 30]' bounds_lon_1d='(0,1)x(0,1)[15 25 25 35]'");
  const auto element = given_element(model, the_domain, GridsOf::draft);
  ASSERT_TRUE(element);
  EXPECT_EQ(element->type, "rectilinear");
  EXPECT_EQ(element->size(Along::columns), 4);
  EXPECT_EQ(element->size(Along::rows), 3);
  EXPECT_EQ(element->size(Along::cells), 12);
  EXPECT_THAT(global_positions(model, the_domain, Along::columns), ElementsAre(2, 3));
  EXPECT_THAT(global_positions(model, the_domain, Along::rows), ElementsAre(1, 2));
  EXPECT_THAT(global_positions(model, the_domain, Along::cells), ElementsAre(6, 7, 10, 11));
  EXPECT_THAT(local_values(model, the_domain, {"lonvalue_1d", Along::columns, 1}),
              ElementsAre(20, 30));
  EXPECT_THAT(local_values(model, the_domain, {"bounds_lon_1d", Along::columns, 2}),
              ElementsAre(15, 25, 25, 35));
  EXPECT_THAT(local_values(model, the_domain, {"latvalue_1d", Along::rows, 1}), IsEmpty());
  const GivenElement::Coordinate lon{"lonvalue_1d", Along::columns, 1};
  EXPECT_THAT(element->coordinates, ::testing::Contains(lon));
  const Value value =
      attribute_value(model, the_domain, {"lonvalue_2d", Along::cells, 1}, {1, 2, 3, 4});
  EXPECT_THAT(std::get<value::reals>(value).shape, ElementsAre(2, 2));
}

// Would have found that a partner was not told the longitudes and latitudes of such a block.
TEST(CoupledGrids, columns_and_rows_of_a_block_have_what_is_given_per_cell) {
  const Model model = with_domain(
      "type='rectilinear' ni_glo='4' nj_glo='3' ibegin='1' ni='3' jbegin='1' nj='2' "
      "lonvalue_1d='(0,5)[10 20 30 10 20 30]' latvalue_1d='(0,5)[5 5 5 15 15 15]'");
  EXPECT_THAT(local_values(model, the_domain, {"lonvalue_1d", Along::columns, 1}),
              ElementsAre(10, 20, 30));
  EXPECT_THAT(local_values(model, the_domain, {"latvalue_1d", Along::rows, 1}), ElementsAre(5, 15));
  const Model pairs = with_domain(
      "type='rectilinear' ni_glo='4' nj_glo='3' ibegin='1' ni='2' jbegin='1' nj='2' nvertex='2' "
      "bounds_lon_1d='(0,1)x(0,3)[0 10 10 20 0 10 10 20]' "
      "bounds_lat_1d='(0,1)x(0,3)[0 5 0 5 5 9 5 9]'");
  EXPECT_THAT(local_values(pairs, the_domain, {"bounds_lon_1d", Along::columns, 2}),
              ElementsAre(0, 10, 10, 20));
  EXPECT_THAT(local_values(pairs, the_domain, {"bounds_lat_1d", Along::rows, 2}),
              ElementsAre(0, 5, 5, 9));
}

// Would have found that a partner was not told such corners.
TEST(CoupledGrids, corners_in_one_list_are_told_as_those_of_cells) {
  const Model model = with_domain(
      "type='rectilinear' ni_glo='4' nj_glo='3' ibegin='1' ni='2' jbegin='1' nj='1' nvertex='4' "
      "bounds_lon_1d='(0,3)x(0,1)[0 10 10 0 10 20 20 10]' "
      "bounds_lat_1d='(0,3)x(0,1)[0 0 5 5 0 0 5 5]'");
  const auto element = given_element(model, the_domain, GridsOf::draft);
  ASSERT_TRUE(element);
  std::vector<std::string> told;
  for (const GivenElement::Coordinate& coordinate : element->coordinates) {
    if (!local_values(model, the_domain, coordinate).empty()) told.push_back(coordinate.attribute);
  }
  EXPECT_THAT(told, ElementsAre("bounds_lon_2d", "bounds_lat_2d"));
  EXPECT_THAT(local_values(model, the_domain, {"bounds_lon_2d", Along::cells, 4}),
              ElementsAre(0, 10, 10, 0, 10, 20, 20, 10));
  EXPECT_THAT(local_values(model, the_domain, {"bounds_lat_2d", Along::cells, 4}),
              ElementsAre(0, 0, 5, 5, 0, 0, 5, 5));
}

TEST(CoupledGrids, cells_that_are_listed_are_at_their_places) {
  const Model model = with_domain(
      "type='curvilinear' ni_glo='4' nj_glo='3' ni='3' nj='1' i_index='(0,2)[3 0 1]' "
      "j_index='(0,2)[0 2 1]' lonvalue_1d='(0,2)[5 6 7]' latvalue_1d='(0,2)[8 9 10]'");
  EXPECT_THAT(global_positions(model, the_domain, Along::cells), ElementsAre(3, 8, 5));
  EXPECT_THAT(global_positions(model, the_domain, Along::rows), ElementsAre(0, 2, 1));
  EXPECT_THAT(local_values(model, the_domain, {"latvalue_1d", Along::cells, 1}),
              ElementsAre(8, 9, 10));
}

// Would have found that bounds which a partner tells were dropped where a client lists its cells.
TEST(CoupledGrids, listed_cells_take_bounds_of_columns_and_tell_them) {
  const std::string cells =
      "type='rectilinear' ni_glo='4' nj_glo='3' ni='3' nj='1' i_index='(0,2)[3 0 1]' "
      "j_index='(0,2)[0 2 1]' ";
  const GivenElement::Coordinate bounds{"bounds_lon_1d", Along::columns, 2};
  const std::vector<double> told{30, 40, 0, 10, 10, 20};
  const Value value = attribute_value(with_domain(cells), the_domain, bounds, told);
  EXPECT_EQ(value, Value(value::reals{told, {2, 3}}));
  const Model model = with_domain(cells +
                                  "bounds_lon_1d='(0,1)x(0,2)[30 40 0 10 10 20]' "
                                  "bounds_lat_1d='(0,1)x(0,2)[-90 -30 30 90 -30 30]'");
  EXPECT_THAT(local_values(model, the_domain, bounds), ElementsAre(30, 40, 0, 10, 10, 20));
  EXPECT_THAT(local_values(model, the_domain, {"bounds_lat_1d", Along::rows, 2}),
              ElementsAre(-90, -30, 30, 90, -30, 30));
}

TEST(CoupledGrids, a_part_that_cannot_be_is_nowhere) {
  const GivenElement::Coordinate lat{"latvalue_1d", Along::cells, 1};
  Model listed = with_domain(
      "type='curvilinear' ni_glo='4' nj_glo='3' ni='3' nj='1' i_index='(0,2)[3 0 1]' "
      "j_index='(0,2)[0 2 1]' lonvalue_1d='(0,2)[5 6 7]' latvalue_1d='(0,2)[8 9 10]'");
  listed.domains[0].attributes.j_index->values.pop_back();
  EXPECT_THAT(global_positions(listed, the_domain, Along::cells), IsEmpty());
  EXPECT_THAT(local_values(listed, the_domain, lat), IsEmpty());
  Model range =
      with_domain("type='curvilinear' ni_glo='4' nj_glo='3' ibegin='1' ni='2' jbegin='0' nj='3'");
  EXPECT_THAT(global_positions(range, the_domain, Along::cells), ElementsAre(1, 2, 5, 6, 9, 10));
  for (const std::int64_t outside : {std::int64_t{-1}, std::int64_t{3}}) {
    range.domains[0].attributes.ibegin = outside;
    EXPECT_THAT(global_positions(range, the_domain, Along::columns), IsEmpty());
    EXPECT_THAT(global_positions(range, the_domain, Along::cells), IsEmpty());
  }
  range.domains[0].attributes.ibegin = 0;
  range.domains[0].attributes.ni = std::numeric_limits<std::int64_t>::max();
  EXPECT_THAT(global_positions(range, the_domain, Along::cells), IsEmpty());
}

TEST(CoupledGrids, all_clients_ask_the_same_partners_for_the_same_fields) {
  CoupledGrids one;
  one.fields.push_back({"a", "here", "m", "x", {0}});
  const auto hash_with = [&](auto change) {
    CoupledGrids other = one;
    change(other.fields[0]);
    return other.hash();
  };
  EXPECT_NE(one.hash(), one.grids.hash());
  EXPECT_EQ(one.hash(), hash_with([](auto& field) { field.where = "elsewhere"; }));
  EXPECT_NE(one.hash(), hash_with([](auto& field) { field.id = "b"; }));
  EXPECT_NE(one.hash(), hash_with([](auto& field) { field.partner_code = "n"; }));
  EXPECT_NE(one.hash(), hash_with([](auto& field) { field.partner_context = "y"; }));
  EXPECT_NE(one.hash(), hash_with([](auto& field) { field.elements = {1}; }));
}

TEST(CoupledGrids, an_axis_has_values_and_bounds) {
  const Model model = model_of(
      "<axis_definition><axis id='z' n_glo='5' begin='3' n='2' value='(0,1)[30 40]'/>"
      "</axis_definition>",
      "axis_ref='z'");
  const auto element = given_element(model, the_axis, GridsOf::draft);
  ASSERT_TRUE(element);
  EXPECT_EQ(element->ni_glo, 5);
  EXPECT_THAT(global_positions(model, the_axis, Along::cells), ElementsAre(3, 4));
  EXPECT_THAT(local_values(model, the_axis, {"value", Along::cells, 1}), ElementsAre(30, 40));
  EXPECT_THAT(local_values(model, the_axis, {"bounds", Along::cells, 2}), IsEmpty());
}

TEST(CoupledGrids, what_transformations_make_is_not_told_before_they_have) {
  Model model = with_domain("type='rectilinear' ni_glo='4' nj_glo='3'");
  EXPECT_TRUE(given_element(model, the_domain, GridsOf::draft));
  model.domains[0].transformations.emplace_back();
  EXPECT_FALSE(given_element(model, the_domain, GridsOf::draft));
  EXPECT_TRUE(given_element(model, the_domain, GridsOf::model));
  model.domains[0].transformations.clear();
  model.domains[0].attributes.nj_glo.reset();
  EXPECT_FALSE(given_element(model, the_domain, GridsOf::draft));
}

TEST(CoupledGrids, only_fields_that_come_and_have_a_grid_are_asked_for) {
  const std::string xml =
      "<simulation><context id='c'><calendar type='NoLeap' start_date='2000-01-01' timestep='1h'/>"
      "<domain_definition><domain id='d'/><domain id='known' type='rectilinear' ni_glo='2' "
      "nj_glo='2'/></domain_definition><axis_definition><axis id='z' n_glo='3'/></axis_definition>"
      "<grid_definition><grid id='g'><domain domain_ref='d'/><axis axis_ref='z'/></grid>"
      "</grid_definition><coupler_in_definition><coupler_in context='m::x'>"
      "<field id='a' grid_ref='g'/><field id='b' domain_ref='known'/></coupler_in>"
      "</coupler_in_definition></context>"
      "<context id='deaf'><calendar type='NoLeap' start_date='2000-01-01' timestep='1h'/></context>"
      "</simulation>";
  const Definitions all{Document({{"iodef.xml", xml}})};
  const CoupledGrids wanted = all.coupled_grids("c");
  ASSERT_EQ(wanted.fields.size(), 2U);
  EXPECT_EQ(wanted.fields[0].id, "a");
  EXPECT_EQ(wanted.fields[0].partner_context, "x");
  EXPECT_THAT(wanted.fields[0].elements, ElementsAre(0, 1));
  ASSERT_EQ(wanted.grids.elements.size(), 3U);
  EXPECT_TRUE(wanted.grids.elements[0].lacks_size);
  EXPECT_FALSE(wanted.grids.elements[1].lacks_size);
  EXPECT_FALSE(wanted.grids.elements[2].lacks_size);
  EXPECT_FALSE(all.coupled_grids("deaf").grids.draft);
}

TEST(CoupledGrids, questions_and_answers_survive_their_bytes) {
  const GridQuestion question{{"sst", "ice"}, {0, 3}};
  const auto asked = encode(question);
  EXPECT_EQ(decode_grid_question(asked).fields, question.fields);
  EXPECT_EQ(decode_grid_question(asked).clients, question.clients);
  GridAnswer answer;
  GivenElement domain;
  domain.kind = ElementKind::domain;
  domain.type = "curvilinear";
  domain.ni_glo = 4;
  domain.nj_glo = 3;
  domain.nvertex = 4;
  domain.coordinates = {{"lonvalue_1d", Along::cells, 1}, {"bounds_lon_1d", Along::cells, 4}};
  answer.elements = {domain};
  answer.fields = {{true, {0}}, {false, {}}};
  answer.clients = {1};
  const auto told = encode(answer);
  const GridAnswer back = decode_grid_answer(told);
  EXPECT_EQ(back.elements, answer.elements);
  EXPECT_EQ(back.fields.size(), 2U);
  EXPECT_EQ(encode(back), told);
  for (std::size_t size = 0; size < asked.size(); ++size) {
    EXPECT_THROW(decode_grid_question(std::span(asked).first(size)), Error);
  }
  for (std::size_t size = 0; size < told.size(); ++size) {
    EXPECT_THROW(decode_grid_answer(std::span(told).first(size)), Error);
  }
  ByteWriter by_hand;
  by_hand.put(std::uint32_t{0x41475045});
  by_hand.put(std::uint64_t{1});
  by_hand.put(true);
  by_hand.put(std::string_view("curvilinear"));
  for (const std::int64_t number : {4, 3, 4}) by_hand.put(number);
  by_hand.put(std::uint64_t{2});
  for (const GivenElement::Coordinate& coordinate : domain.coordinates) {
    by_hand.put(std::string_view(coordinate.attribute));
    by_hand.put(std::uint8_t{0});
    by_hand.put(coordinate.width);
  }
  by_hand.put(std::uint64_t{2});
  by_hand.put(true);
  by_hand.put(std::vector<int>{0});
  by_hand.put(false);
  by_hand.put(std::vector<int>{});
  by_hand.put(std::vector<int>{1});
  EXPECT_EQ(told, by_hand.take());
}

TEST(CoupledGrids, what_no_context_says_is_refused) {
  GridAnswer good;
  good.elements = {{ElementKind::axis, "", 4, 1, 0, {{"value", Along::rows, 1}}}};
  good.fields = {{true, {0}}};
  good.clients = {1};
  const auto problem_of = [](const GridAnswer& answer) {
    try {
      decode_grid_answer(encode(answer));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(problem_of(good), "");
  const auto said = [](const std::string& problem) {
    return "what a context says of its grids cannot be understood (" + problem +
           "). Are all programs of this job linked with the same EPIOS?";
  };
  GridAnswer wrong = good;
  wrong.fields[0].elements = {1};
  EXPECT_EQ(problem_of(wrong), said("a field has an element that is not there"));
  wrong = good;
  wrong.elements[0].ni_glo = -1;
  EXPECT_EQ(problem_of(wrong), said("a size is negative"));
  wrong = good;
  wrong.elements[0].coordinates[0].width = 0;
  EXPECT_EQ(problem_of(wrong), said("a point has no values"));
  wrong = good;
  wrong.elements[0].coordinates[0].along = static_cast<Along>(3);
  EXPECT_EQ(problem_of(wrong), said("values along 3"));
  wrong = good;
  wrong.clients.clear();
  EXPECT_EQ(problem_of(wrong), said("nobody answers"));
}

}  // namespace
}  // namespace epios::config::coupled_grids_test
