#include "config/explain.hpp"

#include <gtest/gtest.h>

#include "config/value_print.hpp"
#include "sample.hpp"

namespace epios::config::explain_test {
namespace {

/// "name = value (source, where) < value (source, where)", one line per attribute.
std::string answer(const std::string& xml, const std::string& question) {
  std::string text;
  for (const ExplainedElement& element : explain(test::texts(xml), question)) {
    text += element.title + "\n";
    for (const ExplainedAttribute& attribute : element.attributes) {
      text += attribute.name + " = " + attribute.value.text + " (" + attribute.value.source + " " +
              attribute.value.where + ")";
      for (const ExplainedValue& value : attribute.overridden) {
        text += " < " + value.text + " (" + value.source + " " + value.where + ")";
      }
      for (const ExplainedPlace& place : attribute.places) {
        text += " | " + place.title + " " + place.where;
      }
      text += "\n";
    }
  }
  return text;
}

std::string refusal(const std::string& xml, const std::string& question) {
  try {
    return answer(xml, question);
  } catch (const Error& error) {
    return error.what();
  }
}

const std::string xml = test::in_context(
    "<field_definition prec='8' unit='K'>\n<field_group id='g' unit='degC'>\n"
    "<field id='a' unit='m' name='x'/></field_group>\n"
    "<field id='b' field_ref='a' level='2'/>\n<field id='c' unit='_reset_'/></field_definition>");

TEST(Explain, names_the_source_and_what_it_overrode) {
  EXPECT_EQ(answer(xml, "field:a.unit"),
            "field 'a'\nunit = m (own iodef.xml:4:15) < degC (group 'g' iodef.xml:3:21) < K (group "
            "'field_definition' iodef.xml:2:28)\n");
  EXPECT_EQ(answer(xml, "field:b.unit"),
            "field 'b'\nunit = K (group 'field_definition' iodef.xml:2:28) < m (field 'a' "
            "iodef.xml:4:15) < degC (group 'g' of field 'a' iodef.xml:3:21)\n");
  EXPECT_EQ(answer(xml, "field:b.name"), "field 'b'\nname = x (field 'a' iodef.xml:4:24)\n");
  EXPECT_EQ(answer(xml, "ocean/calendar.timestep"),
            "<calendar>\ntimestep = 1h (own iodef.xml:1:57)\n");
}

TEST(Explain, shows_what_was_taken_away) {
  EXPECT_EQ(
      answer(xml, "field:c.unit"),
      "field 'c'\nunit =  (no value ) < _reset_ (own iodef.xml:6:15) < K (group 'field_definition' "
      "iodef.xml:2:28)\n");
}

TEST(Explain, answers_about_everything) {
  const std::string all = answer(test::sample_xml, "*");
  EXPECT_NE(all.find("axis 'depth'\n"), std::string::npos);
  EXPECT_NE(all.find("value = (0,2)[5 15.5 40] (own iodef.xml:6:59)\n"), std::string::npos) << all;
  EXPECT_EQ(answer(xml, "field:*.prec").find("prec = 8"), 10U);
}

TEST(Explain, names_groups_without_id) {
  const std::string nameless = test::in_context(
      "<field_definition><field_group unit='m'>\n<field id='a'/></field_group></field_definition>");
  EXPECT_EQ(answer(nameless, "field:a.unit"),
            "field 'a'\nunit = m (a group without id iodef.xml:2:32)\n");
}

TEST(Explain, answers_about_groups) {
  EXPECT_EQ(answer(xml, "field_group:g.unit"),
            "field_group 'g'\nunit = degC (own iodef.xml:3:21) < K (group 'field_definition' "
            "iodef.xml:2:28)\n");
  EXPECT_EQ(answer(xml, "field_group:g.prec"),
            "field_group 'g'\nprec = 8 (group 'field_definition' iodef.xml:2:19)\n");
  EXPECT_EQ(answer(xml, "field_definition.prec"),
            "<field_definition>\nprec = 8 (own iodef.xml:2:19)\n");
  const std::string lending = test::in_context(
      "<field_definition><field id='a' unit='m'/>\n<field_group id='g' field_ref='a'><field "
      "id='b'/>"
      "</field_group></field_definition>");
  EXPECT_EQ(answer(lending, "field_group:g.unit"),
            "field_group 'g'\nunit =  (no value ) | field_group 'g' iodef.xml:3:1 | group "
            "'field_definition' iodef.xml:2:1\n")
      << "its fields refer to a";
  EXPECT_NE(answer(lending, "field:b.unit").find("unit = m (field 'a'"), std::string::npos);
}

TEST(Explain, answers_to_names_in_files_where_no_id_does) {
  const std::string named = test::in_context(
      "<field_definition><field id='a' unit='m'/></field_definition>\n<file_definition>\n"
      "<file id='f' output_freq='1d'><field field_ref='a' name='tos'/></file></file_definition>");
  EXPECT_EQ(answer(named, "field:tos.unit"), "<field>\nunit = m (field 'a' iodef.xml:2:33)\n");
}

// Would have found that only what is written down can be asked for, not what a hierarchy adds.
TEST(Explain, answers_about_fields_of_levels) {
  const std::string levels = test::in_context(
      "<domain_definition><domain id='d' type='rectilinear' ni_glo='4' nj_glo='4'/>"
      "</domain_definition>\n<file_definition><file id='f' output_freq='1h'>\n"
      "<field id='t' domain_ref='d' operation='average' unit='K'/><hierarchy levels='2'/>"
      "</file></file_definition>");
  EXPECT_EQ(
      answer(levels, "field:f_level1_t.unit").find("field 'f_level1_t'\nunit = K (field 't' "), 0U)
      << answer(levels, "field:f_level1_t.unit");
  EXPECT_NE(answer(levels, "file:f_level1.name").find("name = f_level1 ("), std::string::npos);
}

TEST(Explain, a_name_in_files_that_no_attribute_gives_is_an_id) {
  const std::string named = test::in_context(
      "<field_definition>\n<field id='a'/>\n<field id='b' name='x'/></field_definition>\n"
      "<file_definition>\n<file id='f' output_freq='1d'>\n<field field_ref='a'/>\n"
      "<field field_ref='b'/>\n<field id='own' field_ref='b' name='_reset_'/>\n"
      "<field domain_ref='d'/></file></file_definition>");
  EXPECT_EQ(answer(named, "field:a.name"), "field 'a'\nname = a (own id iodef.xml:3:1)\n");
  EXPECT_EQ(answer(named, "file:f.name"), "file 'f'\nname = f (own id iodef.xml:6:1)\n");
  const std::string all = answer(named, "field:*.name");
  EXPECT_NE(all.find("<field>\nname = a (id of field 'a' iodef.xml:3:1)\n"), std::string::npos);
  EXPECT_NE(all.find("<field>\nname = x (field 'b' iodef.xml:4:15)\n"), std::string::npos);
  EXPECT_NE(all.find("field 'own'\nname = own (own id iodef.xml:9:1) < _reset_ (own "
                     "iodef.xml:9:31) < x (field 'b' iodef.xml:4:15)\n"),
            std::string::npos)
      << all;
  EXPECT_NE(answer(named, "field:a").find("name = a (own id"), std::string::npos);
}

TEST(Explain, a_field_of_a_disabled_file_is_disabled) {
  const std::string off = test::in_context(
      "<field_definition><field id='a'/></field_definition>\n<file_definition>\n"
      "<file_group id='g' enabled='false'><file id='f'>\n<field id='b' field_ref='a'/>\n"
      "<field id='c' field_ref='a' enabled='true'/></file></file_group>\n"
      "<file id='on'><field_group id='h'><field id='d'/></field_group></file></file_definition>");
  EXPECT_EQ(answer(off, "field:b.enabled"),
            "field 'b'\nenabled = false (file 'f' is disabled iodef.xml:4:20)\n");
  EXPECT_EQ(answer(off, "field:c.enabled"),
            "field 'c'\nenabled = false (file 'f' is disabled iodef.xml:4:20) < true (own "
            "iodef.xml:6:29)\n");
  EXPECT_EQ(answer(off, "field:d.enabled").find("field 'd'\nenabled = true (default )"), 0U);
  EXPECT_EQ(answer(off, "field:a.enabled").find("field 'a'\nenabled = true (default )"), 0U);
}

TEST(Explain, says_who_could_give_what_nobody_gives) {
  EXPECT_EQ(answer(xml, "field:a.level"),
            "field 'a'\nlevel = 1 (default ) | field 'a' iodef.xml:4:1 | group 'g' iodef.xml:3:1 | "
            "group 'field_definition' iodef.xml:2:1\n");
  EXPECT_EQ(answer(xml, "field:b.long_name"),
            "field 'b'\nlong_name =  (no value ) | field 'b' iodef.xml:5:1 | group "
            "'field_definition' iodef.xml:2:1 | field 'a' iodef.xml:4:1 | group 'g' of field 'a' "
            "iodef.xml:3:1\n");
  EXPECT_EQ(answer(xml, "field:b").find("long_name"), std::string::npos) << "only when asked for";
  EXPECT_EQ(answer(xml, "calendar.leap_year_drift"),
            "<calendar>\nleap_year_drift =  (no value ) | <calendar> iodef.xml:1:33\n");
}

TEST(Explain, ids_may_have_dots) {
  const std::string dotted = test::in_context(
      "<field_definition>\n<field id='t' unit='K'/>\n<field id='t.unit' unit='m'/>\n"
      "<field id='t.day.mean' prec='8' name='t.x'/></field_definition>");
  const std::string mean = "field 't.day.mean'\n";
  EXPECT_EQ(answer(dotted, "field:t.day.mean").find(mean), 0U);
  EXPECT_EQ(answer(dotted, "field:t.day.mean.prec"), mean + "prec = 8 (own iodef.xml:5:24)\n");
  EXPECT_EQ(answer(dotted, "field:t.day.mean.*").find(mean), 0U);
  EXPECT_EQ(answer(dotted, "field:t.x").find(mean), 0U) << "its name in files";
  EXPECT_EQ(answer(dotted, "field:t.x.prec"), mean + "prec = 8 (own iodef.xml:5:24)\n");
  const std::string both = answer(dotted, "field:t.unit");
  EXPECT_EQ(both.find("field 't.unit'\n"), 0U) << both;
  EXPECT_TRUE(both.ends_with("field 't'\nunit = K (own iodef.xml:3:15)\n")) << both;
  EXPECT_TRUE(refusal(dotted, "t.day.mean").ends_with("Did you mean 'field:t.day.mean'?"));
  EXPECT_TRUE(refusal(dotted, "t.day.mean.prec").ends_with("Did you mean 'field:t.day.mean.prec'?"))
      << refusal(dotted, "t.day.mean.prec");
  EXPECT_TRUE(refusal(dotted, "field:t.day.meen").ends_with("Did you mean 't.day.mean'?"));
  EXPECT_TRUE(refusal(dotted, "field:t.untt").ends_with("Did you mean 'unit'?"));
}

TEST(Explain, an_attribute_for_all_is_said_of_elements_that_have_it) {
  const std::string mixed = test::in_context(
      "<axis_definition><axis id='z' n_glo='2'/></axis_definition>"
      "<field_definition><field id='a' prec='8'/></field_definition>");
  EXPECT_EQ(answer(mixed, "*:*.operation").find("axis"), std::string::npos);
  EXPECT_NE(answer(mixed, "*:*.operation").find("operation = "), std::string::npos);
}

TEST(Explain, says_how_to_ask) {
  try {
    answer(test::sample_xml, "unheard:of");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "nothing answers to 'unheard:of' (there is no such element). Ask for kind:id, as in "
              "field:tos, or for kind:id.attribute.");
  }
}

TEST(Explain, suggests_what_could_be_meant) {
  try {
    answer(test::sample_xml, "field:salz");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "nothing answers to 'field:salz' (there is no such element). Did you mean 'salt'?");
  }
}

TEST(Explain, suggests_the_kind_of_an_id) {
  for (const std::string question : {"salt", "feld:salt"}) {
    try {
      answer(test::sample_xml, question);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_TRUE(std::string(error.what()).ends_with("Did you mean 'field:salt'?"))
          << error.what();
    }
  }
}

TEST(Explain, knows_the_attributes) {
  EXPECT_EQ(refusal(test::sample_xml, "field:sst.opertion"),
            "there is no attribute 'opertion' of field. Did you mean 'operation'?");
  EXPECT_EQ(refusal(test::sample_xml, "*:*.nothing_like_it"),
            "there is no attribute 'nothing_like_it' of these elements.");
  EXPECT_NE(refusal(test::sample_xml, "*:*.operation").find("operation = average"),
            std::string::npos);
}

TEST(Printed, parses_back) {
  EXPECT_EQ(printed(Value(true)), "true");
  EXPECT_EQ(printed(Value(value::integers{{1, 2, 3, 4}, {2, 2}})), "(0,1) x (0,1)[1 2 3 4]");
  EXPECT_EQ(printed(Value(value::booleans{{1, 0}, {2}})), "(0,1)[true false]");
  EXPECT_EQ(printed(Value(Duration{0, 0, 1})), "1d");
}

}  // namespace
}  // namespace epios::config::explain_test
