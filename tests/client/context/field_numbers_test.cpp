#include "context/field_numbers.hpp"

#include <gtest/gtest.h>

#include <string>

#include "config/document.hpp"
#include "config/error.hpp"
#include "config/model.hpp"

namespace epios::client::field_numbers_test {
namespace {

const std::string iodef = R"(
<simulation>
 <context id="ocean">
  <calendar type="NoLeap" start_date="2000-01-01 00:00:00" timestep="1h"/>
  <domain_definition>
   <domain id="globe" type="rectilinear" ni_glo="4" nj_glo="2"/>
  </domain_definition>
  <grid_definition>
   <grid id="surface"><domain domain_ref="globe"/></grid>
  </grid_definition>
  <field_definition grid_ref="surface" operation="instant">
   <field id="sst"/>
   <field id="sss"/>
   <field id="unused"/>
   <field id="twice"> 2 * sst </field>
  </field_definition>
  <file_definition>
   <file id="out" output_freq="1h">
    <field field_ref="twice"/>
    <field field_ref="sss"/>
   </file>
   <file id="start" mode="read" output_freq="1h">
    <field id="ice" grid_ref="surface" operation="instant"/>
   </file>
  </file_definition>
 </context>
</simulation>)";

class FieldNumbersTest : public testing::Test {
 protected:
  FieldNumbersTest()
      : definitions_(config::Document({{"iodef.xml", iodef}})),
        model_(definitions_.resolve("ocean")),
        numbers_(context_, definitions_, model_) {
    numbers_.find_operands();
    numbers_.number_elements();
  }
  std::string refusal(const std::string& id) const {
    try {
      numbers_.sent(id);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  const std::string context_ = "ocean";
  config::Definitions definitions_;
  config::Model model_;
  FieldNumbers numbers_;
};

TEST_F(FieldNumbersTest, fields_that_are_sent_have_the_numbers_of_their_sources) {
  for (const std::string id : {"sst", "sss"}) {
    const int number = numbers_.sent(id);
    ASSERT_GE(number, 0) << id;
    EXPECT_EQ(nth(model_.sources, number).id, id);
    const auto element = definitions_.find("ocean", "field", id);
    ASSERT_TRUE(element.has_value());
    EXPECT_EQ(numbers_.sent(*element), number);
  }
  EXPECT_NE(numbers_.sent("sst"), numbers_.sent("sss"));
}

TEST_F(FieldNumbersTest, what_no_file_needs_is_no_error) { EXPECT_EQ(numbers_.sent("unused"), -1); }

TEST_F(FieldNumbersTest, what_is_made_of_others_is_not_sent) {
  EXPECT_EQ(refusal("twice"),
            "context 'ocean': field 'twice' cannot be sent (it is made of other fields, by "
            "field_ref or an expression). Send those, or use 'this' in its expression?");
  ASSERT_NE(numbers_.operands("twice"), nullptr);
  EXPECT_EQ(*numbers_.operands("twice"),
            std::vector<config::SourceId>{config::SourceId(numbers_.sent("sst"))});
  EXPECT_EQ(numbers_.operands("sst"), nullptr);
}

TEST_F(FieldNumbersTest, what_a_file_has_is_received_and_not_sent) {
  EXPECT_EQ(numbers_.received("ice"), 0);
  EXPECT_EQ(refusal("ice"),
            "context 'ocean': field 'ice' cannot be sent (a file that is read has it). Receive "
            "it?");
}

TEST_F(FieldNumbersTest, unknown_fields_are_refused_with_a_guess) {
  EXPECT_EQ(refusal("sstt"),
            "context 'ocean': field 'sstt' does not exist (neither XML nor the model defines it). "
            "Did you mean 'sst'?");
  EXPECT_THROW(numbers_.received("sst"), Error);
  EXPECT_EQ(numbers_.find_sent("sstt"), FieldNumbers::none);
  EXPECT_EQ(numbers_.find_received("sst"), FieldNumbers::none);
}

/// A field that one file can have and another cannot, and one that refers to nothing.
TEST(FieldNumbers, what_a_file_cannot_have_is_refused_by_its_element_as_by_its_id) {
  const std::string half_made = R"(<simulation><context id="ocean">
    <calendar type="NoLeap" start_date="2000-01-01 00:00:00" timestep="1h"/>
    <axis_definition><axis id="x" n_glo="2"/><axis id="y" n_glo="3"/></axis_definition>
    <field_definition operation="instant">
     <field id="t" axis_ref="x"/>  <field id="s" axis_ref="x"/>
     <field id="t_there" field_ref="t" axis_ref="y"/>
     <field id="lost" field_ref="nothing" axis_ref="x"/>
    </field_definition>
    <file_definition output_freq="1h">
     <file id="good"><field field_ref="t"/><field field_ref="s"/></file>
     <file id="bad"><field field_ref="t_there"/><field field_ref="lost"/><field field_ref="s"/></file>
    </file_definition></context></simulation>)";
  const std::string context = "ocean";
  const config::Definitions definitions(config::Document({{"iodef.xml", half_made}}));
  const config::Model model = definitions.resolve(context);
  FieldNumbers numbers(context, definitions, model);
  numbers.find_operands();
  numbers.number_elements();
  EXPECT_GE(numbers.sent(definitions.at(context, "field", "s")), 0);
  for (const std::string id : {"t", "lost"}) {
    ASSERT_NE(numbers.unmade(id), nullptr) << id;
    EXPECT_THROW(numbers.sent(id), Error) << id;
    EXPECT_THROW(numbers.sent(definitions.at(context, "field", id)), Error) << id;
  }
}

}  // namespace
}  // namespace epios::client::field_numbers_test
