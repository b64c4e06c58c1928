// What a wrong configuration is told, word by word, and what the API may set.
#include "config/definitions.hpp"

#include <gtest/gtest.h>

#include "config/attribute_table.hpp"
#include "sample.hpp"

namespace epios::config::definitions_test {
namespace {

using test::errors;
using test::in_context;

/// The errors of a run that takes nothing that is untidy.
std::string strict_errors(const std::string& xml) {
  const std::string root = "<simulation";
  std::string strict = xml;
  return errors(strict.insert(strict.find(root) + root.size(), " strict='true'"));
}

/// A context with one domain and one file "f" whose lines start at 2.
std::string with_file(const std::string& body, const std::string& fields = "") {
  return in_context("<file_definition>" + body +
                    "</file_definition>"
                    "<domain_definition><domain id='d' type='rectilinear' ni_glo='2' nj_glo='2'/>"
                    "</domain_definition><field_definition operation='instant' domain_ref='d'>" +
                    fields + "</field_definition>");
}

TEST(Errors, arrays_are_checked_once_somebody_needs_them) {
  const std::string xml = in_context(
      "<axis_definition>\n<axis id='z' n_glo='3' value='1 2 3'/>\n<axis id='y' n_glo='3' "
      "mask='(0,1)[y n y]'/></axis_definition><field_definition operation='instant'>"
      "<field id='a' axis_ref='z'/></field_definition><file_definition>"
      "<file id='f' output_freq='1d'><field field_ref='a'/></file></file_definition>");
  const std::string needed =
      "iodef.xml:3:24: error: attribute 'value' of <axis> has the value '1 2 3' (not of the form "
      "(first,last)[values]). Write it like (0,2)[a b c].";
  EXPECT_EQ(errors(xml), needed);
  EXPECT_EQ(strict_errors(xml),
            needed +
                "\niodef.xml:4:24: error: attribute 'mask' of <axis> has the value '(0,1)[y n "
                "y]' (expected 2 values, received 3; nobody needs it).");
}

TEST(Errors, attributes_are_checked_one_per_line) {
  EXPECT_EQ(
      errors("<simulation>\n"
             "<context id='ocean'>\n"
             "<field_definition\n"
             "  opertion='average'\n"
             "  operation='mean'\n"
             "  prec='3'\n"
             "  level='high'\n"
             "  enabled='maybe'\n"
             "  default_value='K 1e20'\n"
             "  freq_op='1 day'/>\n"
             "<axis_definition value='1 2 3' mask='(0,1)[y n y]' n_glo='99999999999999999999'/>\n"
             "</context></simulation>"),
      "iodef.xml:4:3: error: unknown attribute 'opertion' of <field_definition>. Did you mean "
      "'operation'?\n"
      "iodef.xml:5:3: error: attribute 'operation' of <field_definition> has the value 'mean' "
      "(allowed: instant, average, accumulate, minimum, maximum, once). Did you mean 'average'?\n"
      "iodef.xml:6:3: error: attribute 'prec' of <field_definition> has the value '3' "
      "(allowed: 2, 4, 8).\n"
      "iodef.xml:7:3: error: attribute 'level' of <field_definition> has the value 'high' "
      "(not an integer).\n"
      "iodef.xml:8:3: error: attribute 'enabled' of <field_definition> has the value 'maybe' "
      "(not a boolean). Use true or false.\n"
      "iodef.xml:9:3: error: attribute 'default_value' of <field_definition> has the value "
      "'K 1e20' (not a number).\n"
      "iodef.xml:10:3: error: attribute 'freq_op' of <field_definition> has the value '1 day' "
      "(unknown unit 'day'). Use numbers with units y, mo, d, h, mi, s or ts, as in '1d "
      "6h'.\n"
      "iodef.xml:11:52: error: attribute 'n_glo' of <axis_definition> has the value "
      "'99999999999999999999' (out of range).");
}

TEST(Errors, structure) {
  EXPECT_EQ(errors("<xios/>"),
            "iodef.xml:1:1: error: the root element is <xios> (a configuration starts with "
            "<simulation>).");
  EXPECT_EQ(errors("<simulation>\n <context/></simulation>"),
            "iodef.xml:2:2: error: <context> has no id (a model opens its context by id). Add "
            "id=\"...\".");
  EXPECT_EQ(
      errors(in_context("<variable_definition><variable id='v'> </variable>"
                        "</variable_definition>")),
      "iodef.xml:2:22: error: variable 'v' has no text (the value of a variable is its text).");
  EXPECT_EQ(errors(in_context("<variable_definition>a = 1; b</variable_definition>")),
            "iodef.xml:2:29: error: text 'b' is not a variable (text of a group of variables reads "
            "'key = value;'). Separate variables by ';'.");
  EXPECT_EQ(errors(in_context("<field_definition><field_group id='a'><field_group id='b'>"
                              "<field_group id='a'/></field_group></field_group>"
                              "</field_definition>")),
            "iodef.xml:2:59: error: field_group 'a' contains itself (it is also around field_group "
            "'b').");
  EXPECT_EQ(
      errors(in_context("<axis_definition><axis id='a'><zoom_axs n='1'/></axis>"
                        "</axis_definition>")),
      "iodef.xml:2:31: error: unknown element <zoom_axs> in <axis> (only transformations stand "
      "there, and what it would do is not known). Did you mean 'zoom_axis'?");
}

TEST(Errors, calendar) {
  EXPECT_EQ(errors(in_context("", "")),
            "iodef.xml:1:13: error: context 'ocean' has no calendar (nothing says how model time "
            "runs). Add <calendar type=\"Gregorian\" timestep=\"1h\"/>?");
  EXPECT_EQ(errors(in_context("", "<calendar start_date='2000'/>")),
            "iodef.xml:1:33: error: the calendar of context 'ocean' has no type (it is mandatory). "
            "Add type=\"Gregorian\" or another kind.\n"
            "iodef.xml:1:33: error: the calendar of context 'ocean' has no timestep (it is "
            "mandatory). Add timestep=\"1h\"?");
  EXPECT_EQ(errors(in_context("", "\n<calendar type='gregorian' timestep='1ts'/>")),
            "iodef.xml:2:28: error: time step '1ts' (a time step cannot be measured in time "
            "steps). Use y, mo, d, h, mi and s.");
  EXPECT_EQ(errors(in_context("", "\n<calendar type='gregorian' timestep='0h'/>")),
            "iodef.xml:2:28: error: time step '0s' (it must be positive, and a fraction of a month "
            "has no length).");
  EXPECT_EQ(
      errors(in_context("", "\n<calendar type='NoLeap' timestep='1h' start_date='2000-02-29'/>")),
      "iodef.xml:2:39: error: start_date '2000-02-29' of the calendar (that month has days 1 to "
      "28 in calendar noleap).");
  EXPECT_EQ(
      errors(in_context("", "\n<calendar type='NoLeap' timestep='1e9y'/>")),
      "iodef.xml:2:25: error: time step '1000000000y' (more than 1000000 years from year 0).");
}

TEST(Errors, references) {
  const std::string misspelt =
      with_file("<file id='f' output_freq='1d'>\n<field field_ref='temperatur'/></file>",
                "<field id='temperature'/>");
  EXPECT_EQ(errors(misspelt), "");  // the run goes on without
  EXPECT_EQ(strict_errors(misspelt),
            "iodef.xml:3:8: error: field_ref 'temperatur' refers to nothing (there is no field "
            "'temperatur' in context 'ocean'; nothing is written of it). Did you mean "
            "'temperature'?");
  const std::string file = "<file id='f' output_freq='1d'><field field_ref='a'/></file>";
  const auto has = [](const std::string& text, const std::string& line) {
    return ("\n" + text + "\n").find("\n" + line + "\n") != std::string::npos;
  };
  EXPECT_TRUE(
      has(errors(with_file(file, "\n<field id='a' field_ref='b'/>\n<field id='b' field_ref='a'/>")),
          "iodef.xml:4:15: error: field_ref leads in a circle (a -> b -> a)."));
  EXPECT_TRUE(has(errors(with_file(file, "\n<field id='a' field_ref='a'/>")),
                  "iodef.xml:3:15: error: field_ref leads in a circle (a -> a)."));
  EXPECT_TRUE(
      has(errors(in_context("<axis_definition><axis_group id='g'/><axis id='a' axis_ref='g'/>"
                            "</axis_definition><field_definition><field id='a' "
                            "axis_ref='a'/></field_definition><file_definition>" +
                            file + "</file_definition>")),
          "iodef.xml:2:51: error: axis_ref 'g' refers to nothing ('g' is a group). Refer "
          "to an element, not to <axis_group>."));
}

TEST(Errors, what_no_enabled_file_needs_is_none) {
  const std::string wrong =
      "\n<field id='a' field_ref='nothing'/>\n<field id='b' grid_ref='nowhere'/>\n"
      "<field id='c' field_ref='c'/>";
  const std::string file =
      "<file id='f' output_freq='1d' enabled='false'><field field_ref='a'/>"
      "<field field_ref='b'/></file>";
  // In an enabled file, a disabled field, and one above the level.
  const std::string off =
      "<file id='g' output_freq='1d'><field field_ref='b' enabled='false'/>"
      "<field field_ref='b' level='9'/></file>";
  const Definitions definitions = test::definitions(with_file(file + off, wrong));
  const Model model = definitions.resolve("ocean");
  EXPECT_TRUE(model.streams.empty());
  // A model may send them without effect.
  EXPECT_EQ(model.unwritten.known, (std::vector<std::string>{"a", "b", "c"}));
  Definitions enabled = definitions;
  enabled.set("ocean", ElementKind::file, "f", "enabled", true, "the model");
  try {
    enabled.resolve("ocean");
    ADD_FAILURE() << "the model needs what is wrong";
  } catch (const ConfigError& error) {
    for (const char* text :
         {"iodef.xml:4:15: error: grid_ref 'nowhere' refers to nothing (there is no grid "
          "'nowhere' in context 'ocean')."}) {
      EXPECT_TRUE(test::without_codes(error.what()).find(text) != std::string::npos)
          << test::without_codes(error.what());
    }
  }
}

TEST(Errors, a_file_that_the_model_makes_needs_what_it_refers_to) {
  Definitions definitions =
      test::definitions(with_file("", "<field id='a' axis_ref='z' operation='instant'/>"));
  EXPECT_EQ(definitions.resolve("ocean").unwritten.known, std::vector<std::string>{"a"});
  definitions.add("ocean", ElementKind::file, "f", ElementKind::file, "", "the model");
  definitions.set_text("ocean", ElementKind::file, "f", "output_freq", "1d", "the model");
  definitions.add("ocean", ElementKind::field, "b", ElementKind::file, "f", "the model");
  definitions.set("ocean", ElementKind::field, "b", "field_ref", std::string("a"), "the model");
  EXPECT_THROW(definitions.resolve("ocean"), ConfigError);
  definitions.add("ocean", ElementKind::axis, "z", ElementKind::axis, "", "the model");
  definitions.set("ocean", ElementKind::axis, "z", "n_glo", std::int64_t{5}, "the model");
  EXPECT_EQ(definitions.resolve("ocean").streams.size(), 1U);
}

TEST(Errors, files) {
  EXPECT_EQ(errors(with_file("\n<file id='f'><field field_ref='a'/></file>", "<field id='a'/>")),
            "iodef.xml:3:1: error: file 'f' has no output_freq (a file needs the period of its "
            "records). Add output_freq=\"1d\"?");
  EXPECT_EQ(errors(with_file("\n<file id='f' output_freq='10mi'><field field_ref='a'/></file>",
                             "<field id='a'/>")),
            "iodef.xml:3:14: error: output_freq '10mi' of file 'f' (it is shorter than the time "
            "step '1h'). Use a multiple of the time step.");
  EXPECT_EQ(
      errors(with_file("\n<file id='f' output_freq='0.5mo'><field field_ref='a'/></file>",
                       "<field id='a'/>")),
      "iodef.xml:3:14: error: output_freq '0.5mo' of file 'f' (a period must be positive, and "
      "a fraction of a month has no length).");
  EXPECT_EQ(errors(with_file("\n<file output_freq='1d'><field field_ref='a'/></file>",
                             "<field id='a'/>")),
            "iodef.xml:3:1: error: <file> has neither name nor id (the path of a file is made from "
            "them). Add name=\"...\".");
  EXPECT_EQ(
      errors(with_file("\n<file id='f' output_freq='1d'><field field_ref='a'/></file>"
                       "\n<file id='g' name='./f' output_freq='1d'><field field_ref='a'/></file>",
                       "<field id='a'/>")),
      "iodef.xml:4:14: error: file 'g' writes to 'f.nc' (the file at iodef.xml:3:1 does so "
      "too). Give one of them another name.");
  const std::string variables = with_file(
      "<file id='f' output_freq='1d'>\n<variable id='v'>1</variable>\n"
      "<variable id='w' name='v' type='int'>x</variable><field field_ref='a'/></file>",
      "<field id='a'/>");
  const std::string value = "iodef.xml:4:1: error: value of variable 'w' ('x' is not of type int).";
  EXPECT_EQ(errors(variables), value);
  EXPECT_EQ(strict_errors(variables),
            value +
                "\niodef.xml:4:1: error: two variables have the name 'v' (the other one is at "
                "iodef.xml:3:1; this one, the last, counts). Remove one, or give it another "
                "name.");
}

/// The error of a file's name in a strict run, without the file; "" when it is accepted.
std::string name_error(const std::string& name, const std::string& output_dir) {
  const std::string xml =
      "<simulation><context id='ocean' output_dir='" + output_dir +
      "'><calendar type='NoLeap' timestep='1h'/><axis_definition><axis id='x' n_glo='1'/>"
      "</axis_definition><file_definition><file id='f' output_freq='1d' name='" +
      name +
      "'><field id='a' axis_ref='x' operation='instant'/></file></file_definition></context>" +
      "</simulation>";
  const std::string text = strict_errors(xml);
  return text.empty() ? text : text.substr(text.find(" ("));
}

TEST(Errors, names_that_leave_the_output_folder) {
  const std::string hint = " Set output_dir of the context to the folder you want.";
  const std::string dots = " ('..' could leave the output folder)." + hint;
  EXPECT_EQ(name_error("sub/a", "out"), "");
  EXPECT_EQ(name_error("a..b", "."), "");
  EXPECT_EQ(name_error("../a", "."), dots);
  EXPECT_EQ(name_error("sub/../a", "/data"), dots);
  EXPECT_EQ(name_error("/data/a", "."),
            " (it is absolute: output_dir, '.', does not count for it)." + hint);
  EXPECT_EQ(name_error("/database/a", "/data"),
            " (it is absolute: output_dir, '/data', does not count for it)." + hint);
  EXPECT_EQ(name_error("/data/sub/a", "/data"), "");
  EXPECT_EQ(name_error("sub/", "."), " (it names no file). Write a name after the last '/'.");
}

TEST(Errors, fields_in_files) {
  const auto in_file = [](const std::string& field, const std::string& fields) {
    return errors(with_file("<file id='f' output_freq='1d'>\n" + field + "</file>", fields));
  };
  EXPECT_EQ(in_file("<field field_ref='a' operation='_reset_'/>", "<field id='a'/>"),
            "iodef.xml:3:1: error: field 'a' has no operation (a field in a file needs a temporal "
            "operation). Add operation=\"average\" or another of instant, accumulate, minimum, "
            "maximum.");
  EXPECT_EQ(in_file("<field id='b' operation='instant'/>", ""),
            "iodef.xml:3:1: error: field 'b' has no grid (nothing says what its data looks like). "
            "Add grid_ref, or domain_ref, axis_ref or scalar_ref.");
  EXPECT_EQ(in_file("<field name='n' operation='instant' domain_ref='d'/>", ""),
            "iodef.xml:3:1: error: <field> has neither id nor field_ref (no model can send to it). "
            "Add field_ref=\"...\".");
  EXPECT_EQ(in_file("<field field_ref='a'/><field field_ref='b' name='a'/>",
                    "<field id='a'/><field id='b'/>"),
            "iodef.xml:3:23: error: two fields of one file have the name 'a' (the other one is at "
            "iodef.xml:3:1). Give one of them another name.");
  EXPECT_EQ(in_file("<field field_ref='a' name='x/y'/>", "<field id='a'/>"),
            "iodef.xml:3:22: error: field 'a' has the name 'x/y' (no variable can have it: it "
            "holds a '/'). Add name=\"...\" that NetCDF takes.");
}

TEST(Errors, grids) {
  const std::string two = R"(<domain_definition><domain id="d" type="rectilinear" ni_glo="2"
 nj_glo="2"/></domain_definition><axis_definition><axis id="z" n_glo="2"/></axis_definition>
<grid_definition><grid id="g"><domain domain_ref="d"/></grid></grid_definition>
<file_definition><file id="f" output_freq="1d"><field id="a"
 operation="instant" domain_ref="d"
 grid_ref="g"/><field id="b"
 operation="instant" grid_ref="g"/><field field_ref="b"
 name="c" grid_ref="_reset_" axis_ref="z"/></file></file_definition>)";
  const std::string both =
      "iodef.xml:7:2: error: field 'a' has grid_ref together with domain_ref (domain_ref is "
      "given at iodef.xml:6:22). Name a grid, or the elements of an implicit grid.";
  EXPECT_EQ(errors(in_context(two)), both);
  EXPECT_EQ(strict_errors(in_context(two)),
            both +
                "\niodef.xml:9:30: error: field 'b' has grid '(z)', its data come on grid 'g' "
                "(nothing makes axis 'z' of domain 'd'; nothing is written of it). Add a "
                "transformation that does, or give the field the grid of its data.");
}

TEST(Warnings, unknown_children_are_skipped) {
  const Definitions definitions = test::definitions(
      in_context("<fild_definition/>\n<axis_definition><field id='x'/>text</axis_definition>"));
  ASSERT_EQ(definitions.warnings().size(), 3U);
  EXPECT_EQ(test::text(definitions.warnings()[0]),
            "iodef.xml:2:1: warning: unknown element <fild_definition> in <context> (it is ignored "
            "with everything inside). Did you mean 'field_definition'?");
  EXPECT_EQ(test::text(definitions.warnings()[1]),
            "iodef.xml:3:33: warning: text 'text' in <axis_definition> is ignored.");
  EXPECT_EQ(
      test::text(definitions.warnings()[2]),
      "iodef.xml:3:18: warning: <field> cannot stand in <axis_definition> (it is ignored with "
      "everything inside). It belongs in <field_definition>, <field_group>, <file>, <coupler_in> "
      "or "
      "<coupler_out>.");
}

TEST(Check, finds_all_at_once_and_only_notes_what_a_model_may_set) {
  const std::vector<Diagnostic> findings = check(test::texts(
      "<simulation><context id='ocean'>\n<axis_definition><axis id='z' "
      "unti='m'/></axis_definition>\n"
      "<file_definition><file id='f' output_freq='1d'>\n<field id='a' axis_ref='z' "
      "operation='instant'/>\n<field field_ref='b'/></file></file_definition></context>\n"
      "<context id='xios'><variable_definition/></context></simulation>"));
  std::string text;
  for (const Diagnostic& finding : findings) text += test::text(finding) + "\n";
  EXPECT_EQ(
      text,
      "iodef.xml:1:13: note: context 'ocean' has no calendar (nothing says how model time "
      "runs). Add <calendar type=\"Gregorian\" timestep=\"1h\"/>?\n"
      "iodef.xml:2:18: note: axis 'z' has no n_glo (the global size is mandatory). Set n_glo "
      "in XML or from the model.\n"
      "iodef.xml:2:31: error: unknown attribute 'unti' of <axis>. Did you mean 'unit'?\n"
      "iodef.xml:5:8: warning: field_ref 'b' refers to nothing (there is no field 'b' in context "
      "'ocean'; nothing is written of it).\n");
}

std::string api_error(const auto& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::configuration);
    return test::without_codes(error.what());
  }
  return "no error";
}

TEST(Api, builds_a_model_without_any_xml) {
  Definitions d;
  d.open_context("c");
  d.set_text("c", ElementKind::calendar, "", "type", "noleap", "call");
  d.set("c", ElementKind::calendar, "", "timestep", Duration{0, 0, 0, 1}, "call");
  d.add("c", ElementKind::axis, "z", ElementKind::axis, "", "call");
  d.set("c", ElementKind::axis, "z", "n_glo", std::int64_t{3}, "call");
  d.add("c", ElementKind::grid, "g", ElementKind::grid, "", "call");
  d.add("c", ElementKind::axis, "z", ElementKind::grid, "g", "call");
  d.add("c", ElementKind::file, "f", ElementKind::file, "", "call");
  d.set("c", ElementKind::file, "f", "output_freq", Duration{0, 0, 1}, "call");
  d.add("c", ElementKind::field, "a", ElementKind::file, "f", "call");
  d.set("c", ElementKind::field, "a", "grid_ref", std::string("g"), "call");
  d.set("c", ElementKind::field, "a", "operation", std::string("Average"), "call");
  d.set("c", ElementKind::field, "a", "valid_min", std::int64_t{0}, "call");
  const Model model = d.resolve("c");
  ASSERT_EQ(model.streams.size(), 1U);
  EXPECT_EQ(model.streams[0].attributes.operation, "average");
  EXPECT_EQ(model.streams[0].attributes.valid_min, 0.0);
  EXPECT_EQ(model.streams[0].where, "API call call");
  EXPECT_EQ(model.axes.at(0).attributes.n, 3);
  EXPECT_EQ(std::get<std::string>(*d.get("c", ElementKind::field, "a", "operation")), "average");
  EXPECT_EQ(d.get("c", ElementKind::field, "a", "unit"), std::nullopt);
}

TEST(Api, copies_are_independent) {
  const Definitions original = test::definitions(test::sample_xml);
  Definitions copy = original;
  copy.set("ocean", ElementKind::axis, "depth", "unit", std::string("km"), "call");
  EXPECT_EQ(std::get<std::string>(*original.get("ocean", ElementKind::axis, "depth", "unit")), "m");
  EXPECT_EQ(std::get<std::string>(*copy.get("ocean", ElementKind::axis, "depth", "unit")), "km");
}

TEST(Api, groups_hand_down_what_the_model_sets) {
  Definitions d = test::definitions(test::sample_xml);
  d.set("ocean", ElementKind::field, "field_definition", "long_name", std::string("x"), "call");
  EXPECT_EQ(d.resolve("ocean").streams.at(2).attributes.long_name, "x");
}

TEST(Api, says_what_is_wrong) {
  Definitions d = test::definitions(test::sample_xml);
  const auto set = [&](ElementKind kind, const char* id, const char* attribute, Value value) {
    return api_error([&] { d.set("ocean", kind, id, attribute, std::move(value), "set"); });
  };
  EXPECT_EQ(api_error([&] { d.resolve("ocaen"); }),
            "there is no context 'ocaen' (known: ocean). Did you mean 'ocean'?");
  EXPECT_EQ(set(ElementKind::axis, "dept", "unit", std::string("m")),
            "API call set: there is no axis 'dept' in context 'ocean'. Did you mean 'depth'?");
  EXPECT_EQ(set(ElementKind::axis, "depth", "units", std::string("m")),
            "API call set: unknown attribute 'units' of axis. Did you mean 'unit'?");
  EXPECT_EQ(set(ElementKind::axis, "depth", "id", std::string("m")),
            "API call set: unknown attribute 'id' of axis.");
  EXPECT_EQ(set(ElementKind::axis, "depth", "n_glo", 3.5),
            "API call set: attribute 'n_glo' of axis 'depth' (a value of type integer is wanted).");
  EXPECT_EQ(set(ElementKind::axis, "depth", "positive", std::string("upp")),
            "API call set: attribute 'positive' of axis 'depth' (allowed: up, down). Did you mean "
            "'up'?");
  EXPECT_EQ(set(ElementKind::axis, "depth", "bounds", value::reals{{1, 2, 3}, {2, 2}}),
            "API call set: attribute 'bounds' of axis 'depth' (the shape does not match the number "
            "of values).");
  EXPECT_EQ(set(ElementKind::calendar, "", "type", std::string("Gregorian")),
            "API call set: the type of the calendar is already 'NoLeap' (given at "
            "iodef.xml:4:15).");
  EXPECT_EQ(
      api_error(
          [&] { d.set_text("ocean", ElementKind::file, "daily", "output_freq", "1w", "set"); }),
      "API call set: attribute 'output_freq' of file 'daily' has the value '1w' (unknown unit "
      "'w'). Use numbers with units y, mo, d, h, mi, s or ts, as in '1d 6h'.");
  EXPECT_EQ(api_error([&] {
              d.add("ocean", ElementKind::field, "x", ElementKind::file, "dialy", "add");
            }),
            "API call add: there is no file 'dialy' in context 'ocean'. Did you mean 'daily'?");
  EXPECT_EQ(
      api_error([&] { d.add("ocean", ElementKind::axis, "x", ElementKind::file, "daily", "add"); }),
      "API call add: <axis> cannot stand in <file>.");
  EXPECT_EQ(api_error([&] {
              d.add("ocean", ElementKind::calendar, "x", ElementKind::calendar, "", "add");
            }),
            "API call add: elements of kind 'calendar' cannot be added.");
  try {
    d.open_context("");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the id of a context is empty.");
  }
}

TEST(Api, answers_questions) {
  const Definitions d = test::definitions(test::sample_xml);
  EXPECT_EQ(d.contexts(), std::vector<std::string>{"ocean"});
  EXPECT_TRUE(d.has_context("ocean"));
  EXPECT_FALSE(d.has_context("land"));
  EXPECT_TRUE(d.has("ocean", ElementKind::field, "sst"));
  EXPECT_FALSE(d.has("ocean", ElementKind::axis, "sst"));
  EXPECT_FALSE(d.has("land", ElementKind::axis, "sst"));
  EXPECT_EQ(d.variable("ocean", "relax_days"), "30");
  EXPECT_EQ(d.variable("ocean", "alpha"), "1.5");
  EXPECT_EQ(d.variable("ocean", "source"), "EPIOS test");  // of a file
  EXPECT_EQ(d.variable("ocean", "sauce"), std::nullopt);
  EXPECT_EQ(d.variable("land", "alpha"), std::nullopt);
}

TEST(Attributes, table_agrees_with_itself) {
  for (const AttributeInfo& row : attribute_table()) {
    EXPECT_EQ(find_attribute(row.element, row.name), &row) << row.name;
    EXPECT_FALSE(row.meaning.empty()) << row.name;
    if (row.type == ValueType::word || row.type == ValueType::reference) {
      EXPECT_FALSE(row.words.empty()) << row.name;
    }
  }
  EXPECT_EQ(find_attribute(ElementKind::axis, "nothing"), nullptr);
}

TEST(GroupRef, can_be_set_by_the_model) {
  Definitions d = test::definitions(test::in_context(
      "<scalar_definition><scalar id='s'/></scalar_definition>"
      "<field_definition operation='average' scalar_ref='s'><field_group id='ocean'>"
      "<field id='a'/><field id='b'/></field_group></field_definition>"
      "<file_definition><file id='f' output_freq='1d'><field_group id='wanted'/></file>"
      "</file_definition>"));
  EXPECT_TRUE(d.resolve("ocean").streams.empty());
  d.set_text("ocean", ElementKind::field, "wanted", "group_ref", "ocean", "call");
  const Model model = d.resolve("ocean");
  ASSERT_EQ(model.streams.size(), 2U);
  EXPECT_EQ(model.streams[0].name, "a");
  EXPECT_EQ(model.streams[1].name, "b");
  d.set_text("ocean", ElementKind::field, "wanted", "group_ref", "_reset_", "call");
  EXPECT_TRUE(d.resolve("ocean").streams.empty());
  const auto refusal = [&](ElementKind kind, const std::string& id) {
    try {
      d.set("ocean", kind, id, "group_ref", std::string("ocean"), "set");
    } catch (const Error& error) {
      return test::without_codes(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal(ElementKind::field, "a"),
            "API call set: there is no field_group 'a' in context 'ocean'.");
  EXPECT_EQ(refusal(ElementKind::scalar, "s"),
            "API call set: there is no scalar_group 's' in context 'ocean'.");
  // As in XIOS, all groups have it, and it has an effect in groups of fields alone.
  const ElementHandle scalars = d.add_child("ocean", d.at("ocean", "scalar_definition", ""),
                                            "scalar_group", "scalars", "add");
  d.set("ocean", scalars, "group_ref", std::string("ocean"), "set");
  EXPECT_EQ(d.get("ocean", scalars, "group_ref"), Value(std::string("ocean")));
  EXPECT_EQ(
      api_error([&] {
        d.set("ocean", d.at("ocean", "scalar", "s"), "group_ref", std::string("ocean"), "set");
      }),
      "API call set(scalar 's', 'group_ref'): attribute 'group_ref' of scalar 's' (only groups "
      "take it).");
  std::vector<Diagnostic> warnings;
  d.resolve("ocean", Purpose::run, &warnings);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(test::without_codes(warnings[0].text()),
            "API call set(scalar_group 'scalars', 'group_ref'): warning: attribute 'group_ref' of "
            "scalar_group 'scalars' is ignored "
            "(only groups of fields take it).");
  try {
    d.set("ocean", ElementKind::field, "wanted", "group_ref", true, "set");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(test::without_codes(error.what()),
              "API call set: attribute 'group_ref' (a value of type string is wanted).");
  }
}

TEST(FindingLines, say_what_is_alike_once) {
  Diagnostic first;
  first.severity = Severity::warning;
  first.position = {"a.xml", 3, 5};
  first.where = first.position.text();
  first.problem = "field 'u' is odd";
  Diagnostic second = first;
  second.position = {"b.xml", 7, 1};
  second.where = second.position.text();
  second.problem = "field 'v' is odd";
  EXPECT_EQ(finding_lines({first, second}),
            (std::vector<std::string>{first.text(), "  ... and 1 more like this: b.xml:7"}));
  EXPECT_EQ(finding_lines({first}), std::vector<std::string>{first.text()});
}

TEST(GridElements, are_those_of_the_grid_in_order) {
  const Definitions d = test::definitions(test::in_context(
      "<scalar_definition><scalar id='s'/></scalar_definition>"
      "<axis_definition><axis id='a' n_glo='2'/><axis id='b' n_glo='3'/></axis_definition>"
      "<grid_definition><grid id='g'><axis axis_ref='b'/><axis id='own' axis_ref='a' unit='m'/>"
      "<scalar scalar_ref='s'/></grid></grid_definition>"
      "<field_definition grid_ref='g'><field id='f'/><field id='like' grid_ref='f::'/>"
      "<field id='refers' field_ref='f'/></field_definition>"
      "<file_definition><file id='out'><variable_group id='v'/></file></file_definition>"));
  const auto ids = [&](const char* field, ElementKind kind) {
    std::string out;
    for (const ElementHandle e : d.grid_elements("ocean", d.at("ocean", "field", field), kind)) {
      out += d.id("ocean", e) + ' ';
    }
    return out;
  };
  for (const char* field : {"f", "like", "refers"}) {
    EXPECT_EQ(ids(field, ElementKind::axis), "b own ") << field;
    EXPECT_EQ(ids(field, ElementKind::scalar), "s ") << field;
    EXPECT_EQ(ids(field, ElementKind::domain), "") << field;
  }
  try {
    d.grid_elements("ocean", d.at("ocean", "axis", "a"), ElementKind::axis);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "axis 'a' has no grid (only fields have one). Pass the handle of a field?");
  }
  // Of a file, and found like those of the context.
  EXPECT_TRUE(d.find("ocean", "variable_group", "v"));
  EXPECT_FALSE(d.find("ocean", "variable_group", "w"));
}

TEST(Arrays, have_as_many_dimensions_as_their_attribute) {
  Definitions d = test::definitions(test::sample_xml);
  try {
    d.set("ocean", ElementKind::axis, "depth", "bounds", value::reals{{1, 2}, {2}}, "set");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(test::without_codes(error.what()),
              "API call set: attribute 'bounds' of axis 'depth' (expected 2 dimensions, received "
              "1).");
  }
}

}  // namespace
}  // namespace epios::config::definitions_test
