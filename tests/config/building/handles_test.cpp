// Elements found once and used by handle: children of every kind, inheritance solved before the end
// of the definitions, as models do that build whole files at run time.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "config/definitions.hpp"
#include "sample.hpp"

namespace epios::config::handles_test {
namespace {

constexpr const char* ocean = "ocean";

Definitions some_definitions() {
  return test::definitions(
      "<simulation><context id='ocean'>"
      "<calendar type='NoLeap' timestep='1h' start_date='2000-01-01'/>"
      "<axis_definition><axis id='depth' n_glo='3' unit='m'/></axis_definition>"
      "<field_definition prec='8'><field_group id='surface' operation='average' axis_ref='depth'>"
      "<field id='sst' unit='degC'/><field id='ssh' operation='instant'/>"
      "</field_group></field_definition>"
      "<file_definition output_freq='1d'><file_group id='daily' enabled='true'>"
      "<file id='f'><field field_ref='sst' name='tos'/>"
      "<variable id='title' type='string'>daily means</variable></file>"
      "</file_group></file_definition></context></simulation>");
}

template <class Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return test::without_codes(error.what());
  }
  return "no error";
}

TEST(Handles, every_kind_of_element_is_found_by_its_tag) {
  const Definitions definitions = some_definitions();
  for (const auto& [tag, id] : {std::pair{"field", "sst"},
                                {"field_group", "surface"},
                                {"field_definition", ""},
                                {"field_group", "field_definition"},
                                {"axis", "depth"},
                                {"file", "f"},
                                {"file_group", "daily"},
                                {"file_definition", ""},
                                {"calendar", ""},
                                {"context", ""},
                                {"context", "ocean"},
                                {"variable", "title"},
                                {"domain_definition", ""}}) {
    EXPECT_TRUE(definitions.find(ocean, tag, id)) << tag << " " << id;
  }
  for (const auto& [tag, id] : {std::pair{"field", "surface"},
                                {"field_group", "sst"},
                                {"file", "daily"},
                                {"axis", "sst"},
                                {"context", "atmosphere"},
                                {"field", ""}}) {
    EXPECT_FALSE(definitions.find(ocean, tag, id)) << tag << " " << id;
  }
  EXPECT_EQ(definitions.find(ocean, "file_definition", ""),
            definitions.find(ocean, "file_group", "file_definition"));
  EXPECT_EQ(error_of([&] { definitions.at(ocean, "field", "sss"); }),
            "API call find(field 'sss'): there is no field 'sss' in context 'ocean'. Did you mean "
            "'sst'?");
  EXPECT_EQ(error_of([&] { static_cast<void>(definitions.find(ocean, "feild", "sst")); }),
            "API call find: there is no element <feild>. Did you mean 'field'?");
  EXPECT_EQ(error_of([&] { static_cast<void>(definitions.title(ocean, {4711})); }),
            "handle 4711 stands for no element of context 'ocean' (it has 21). Is it of another "
            "context?");
}

TEST(Handles, before_inheritance_is_solved_only_own_values_are_there) {
  Definitions definitions = some_definitions();
  const ElementHandle sst = definitions.at(ocean, "field", "sst");
  EXPECT_EQ(definitions.get(ocean, sst, "unit"), Value(std::string("degC")));
  EXPECT_EQ(definitions.get(ocean, sst, "operation"), std::nullopt);
  definitions.solve_inheritance(ocean);
  EXPECT_EQ(definitions.get(ocean, sst, "operation"), Value(std::string("average")));
  EXPECT_EQ(definitions.get(ocean, sst, "prec"), Value(std::int64_t{8}));
  EXPECT_EQ(definitions.get(ocean, sst, "freq_op"), std::nullopt);  // nobody gave one
}

TEST(Handles, references_bring_their_values_when_inheritance_is_solved) {
  Definitions definitions = some_definitions();
  const ElementHandle file = definitions.at(ocean, "file", "f");
  const ElementHandle again = definitions.add_child(ocean, file, "field", "again", "add");
  definitions.set(ocean, again, "field_ref", std::string("ssh"), "set");
  EXPECT_EQ(definitions.get(ocean, again, "operation"), std::nullopt);
  definitions.solve_inheritance(ocean);
  EXPECT_EQ(definitions.get(ocean, again, "operation"), Value(std::string("instant")));
  EXPECT_EQ(definitions.get(ocean, file, "output_freq"), Value(Duration::parse("1d")));
}

TEST(Handles, settings_after_solving_count_before_what_was_inherited) {
  Definitions definitions = some_definitions();
  const ElementHandle sst = definitions.at(ocean, "field", "sst");
  const ElementHandle group = definitions.at(ocean, "field_group", "surface");
  definitions.solve_inheritance(ocean);
  definitions.set(ocean, sst, "operation", std::string("maximum"), "set");
  EXPECT_EQ(definitions.get(ocean, sst, "operation"), Value(std::string("maximum")));
  definitions.set_text(ocean, sst, "operation", "_reset_", "set");
  EXPECT_EQ(definitions.get(ocean, sst, "operation"), std::nullopt);
  // What the group gets later arrives when inheritance is solved again.
  definitions.set(ocean, group, "long_name", std::string("surface"), "set");
  EXPECT_EQ(definitions.get(ocean, sst, "long_name"), std::nullopt);
  const ElementHandle late = definitions.add_child(ocean, group, "field", "late", "add");
  EXPECT_EQ(definitions.get(ocean, late, "prec"), std::nullopt);
  definitions.solve_inheritance(ocean);
  EXPECT_EQ(definitions.get(ocean, sst, "long_name"), Value(std::string("surface")));
  EXPECT_EQ(definitions.get(ocean, late, "prec"), Value(std::int64_t{8}));
}

TEST(Handles, solving_early_changes_nothing_of_the_model) {
  Definitions solved = some_definitions();
  solved.solve_inheritance(ocean);
  const Definitions copy = solved;
  EXPECT_EQ(to_json(solved.resolve(ocean)), to_json(some_definitions().resolve(ocean)));
  EXPECT_EQ(copy.get(ocean, copy.at(ocean, "field", "sst"), "prec"), Value(std::int64_t{8}));
}

TEST(Handles, a_whole_file_is_built_at_run_time) {
  Definitions definitions = some_definitions();
  const ElementHandle files = definitions.at(ocean, "file_definition", "");
  const ElementHandle file = definitions.add_child(ocean, files, "file", "restart", "add");
  const ElementHandle fields = definitions.add_child(ocean, file, "field_group", "", "add");
  const ElementHandle field = definitions.add_child(ocean, fields, "field", "rsst", "add");
  definitions.set(ocean, field, "field_ref", std::string("sst"), "set");
  definitions.set_text(ocean, field, "operation", "instant", "set");
  const ElementHandle note = definitions.add_child(ocean, file, "variable", "note", "add");
  definitions.set(ocean, note, "type", std::string("string"), "set");
  EXPECT_EQ(definitions.id(ocean, fields).rfind("ocean__field_undef_id_", 0), 0U);
  const Model model = definitions.resolve(ocean);
  const auto found = std::find_if(model.files.begin(), model.files.end(),
                                  [](const File& f) { return f.id == "restart"; });
  ASSERT_NE(found, model.files.end());
  ASSERT_EQ(found->streams.size(), 1U);
  EXPECT_EQ(definitions.add_child(ocean, files, "file", "restart", "add"), file);  // the same again
}

TEST(Handles, elements_of_the_grid_of_a_field_are_named_by_it) {
  Definitions definitions = test::definitions(
      "<simulation><context id='ocean'><calendar type='NoLeap' timestep='1h'/>"
      "<domain_definition><domain id='d' type='rectilinear' ni_glo='4' nj_glo='3'/>"
      "</domain_definition><axis_definition><axis id='z' n_glo='5'/><axis id='t' n_glo='2'/>"
      "</axis_definition><grid_definition><grid id='g'><domain domain_ref='d'/>"
      "<axis axis_ref='z'/><axis axis_ref='t'/></grid></grid_definition>"
      "<field_definition><field id='a' grid_ref='g'/><field id='f' field_ref='a'/>"
      "</field_definition></context></simulation>");
  const auto same = [&](const char* tag, const char* id, const char* as) {
    const auto found = definitions.find(ocean, tag, id);
    return found && *found == definitions.at(ocean, tag, as);
  };
  EXPECT_TRUE(same("domain", "f::", "d"));
  EXPECT_TRUE(same("domain", "f::d", "d"));
  EXPECT_TRUE(same("axis", "f::t", "t"));
  EXPECT_TRUE(same("grid", "f::", "g"));
  EXPECT_TRUE(definitions.has(ocean, ElementKind::domain, "f::"));
  EXPECT_EQ(definitions.get(ocean, ElementKind::domain, "f::", "ni_glo"), Value(std::int64_t{4}));
  for (const auto& [tag, id] : {std::pair{"axis", "f::"},  // two of them
                                {"domain", "f::z"},
                                {"scalar", "f::"},
                                {"grid", "f::g"},
                                {"domain", "nothing::d"},
                                {"domain", "::d"}}) {
    EXPECT_FALSE(definitions.find(ocean, tag, id)) << tag << ' ' << id;
  }
  definitions.set(ocean, ElementKind::axis, "f::z", "unit", std::string("m"), "set");
  EXPECT_EQ(definitions.get(ocean, ElementKind::axis, "z", "unit"), Value(std::string("m")));
}

TEST(Handles, what_set_a_value_is_named_with_the_element_and_the_attribute) {
  Definitions definitions = some_definitions();
  const ElementHandle sst = definitions.at(ocean, "field", "sst");
  const auto day = Duration::parse("1d");
  EXPECT_EQ(error_of([&] { definitions.set(ocean, sst, "freq_opp", day, "set"); }),
            "API call set(field 'sst', 'freq_opp'): unknown attribute 'freq_opp' of field. Did you "
            "mean 'freq_op'?");
  EXPECT_EQ(error_of([&] {
              definitions.set(ocean, sst, "freq_op", day * std::numeric_limits<double>::infinity(),
                              "set");
            }),
            "API call set(field 'sst', 'freq_op'): attribute 'freq_op' of field 'sst' (finite "
            "numbers are wanted).");
  EXPECT_EQ(error_of([&] { definitions.set_text(ocean, sst, "operation", "Mean", "set"); }),
            "API call set(field 'sst', 'operation'): attribute 'operation' of field 'sst' has the "
            "value 'Mean' (allowed: instant, average, accumulate, minimum, maximum, once). Did you "
            "mean 'average'?");
  definitions.set_text(ocean, sst, "operation", " AVERAGE", "set");
  EXPECT_EQ(definitions.get(ocean, sst, "operation"), Value(std::string("average")));
  {
    // What is kept of the call is not the caller's.
    const std::string attribute = "grid_ref";
    definitions.set(ocean, sst, attribute, std::string("nothing of that id"), "set");
  }
  const Definitions copy = definitions;
  const std::string error = error_of([&] { copy.resolve(ocean); });
  EXPECT_NE(error.find("API call set(field 'sst', 'grid_ref'): error: "), std::string::npos)
      << error;
}

TEST(Handles, elements_stand_in_grids_and_transformations_in_elements) {
  Definitions definitions = some_definitions();
  const ElementHandle grids = definitions.at(ocean, "grid_definition", "");
  const ElementHandle grid = definitions.add_child(ocean, grids, "grid", "g", "add");
  const ElementHandle axis = definitions.add_child(ocean, grid, "axis", "", "add");
  definitions.set(ocean, axis, "axis_ref", std::string("depth"), "set");
  const ElementHandle zoom = definitions.add_child(ocean, axis, "zoom_axis", "", "add");
  definitions.set(ocean, zoom, "begin", std::int64_t{1}, "set");
  definitions.set(ocean, zoom, "n", std::int64_t{2}, "set");
  EXPECT_EQ(definitions.get(ocean, zoom, "n"), Value(std::int64_t{2}));
  EXPECT_EQ(error_of([&] { definitions.add_child(ocean, axis, "field", "x", "add"); }),
            "API call add: <field> cannot stand in <axis>.");
  EXPECT_EQ(error_of([&] { definitions.add_child(ocean, grid, "field_definition", "", "add"); }),
            "API call add: <field_definition> cannot stand in <grid>.");
  const ElementHandle group = definitions.add_child(
      ocean, definitions.at(ocean, "field_definition", ""), "field_group", "outer", "add");
  const ElementHandle inner = definitions.add_child(ocean, group, "field_group", "inner", "add");
  EXPECT_EQ(error_of([&] { definitions.add_child(ocean, inner, "field_group", "outer", "add"); }),
            "API call add: field_group 'outer' would contain itself.");
}

TEST(Handles, variables_are_named_per_owner_and_changed_by_name) {
  Definitions definitions = some_definitions();
  EXPECT_FALSE(definitions.set_variable(ocean, "relax", "30"));
  const ElementHandle top = definitions.at(ocean, "variable_definition", "");
  const ElementHandle group = definitions.add_child(ocean, top, "variable_group", "run", "add");
  definitions.add_child(ocean, group, "variable", "relax", "add");
  EXPECT_TRUE(definitions.set_variable(ocean, "relax", "30"));
  EXPECT_EQ(definitions.variable(ocean, "relax"), "30");
  // The file's variable of that id is another one.
  const ElementHandle file = definitions.at(ocean, "file", "f");
  const ElementHandle in_file = definitions.add_child(ocean, file, "variable_group", "", "add");
  const ElementHandle own = definitions.add_child(ocean, in_file, "variable", "relax", "add");
  EXPECT_NE(own, definitions.at(ocean, "variable", "relax"));
  EXPECT_EQ(definitions.variable(ocean, "relax"), "30");
}

TEST(Handles, variables_of_files_and_fields_have_values_by_their_id) {
  Definitions definitions = some_definitions();
  const ElementHandle file = definitions.at(ocean, "file", "f");
  definitions.add_child(ocean, file, "variable", "history", "add");
  EXPECT_EQ(definitions.variable(ocean, "history"), "");
  EXPECT_TRUE(definitions.set_variable(ocean, "history", "of a run"));
  EXPECT_EQ(definitions.variable(ocean, "history"), "of a run");
  // One id is one variable for the model, wherever it stands.
  const ElementHandle field = definitions.add_child(ocean, file, "field", "", "add");
  definitions.add_child(ocean, field, "variable", "history", "add");
  EXPECT_TRUE(definitions.set_variable(ocean, "history", "of both"));
  definitions.set_text(ocean, field, "field_ref", "ssh", "set");
  const Model model = definitions.resolve(ocean);
  EXPECT_EQ(model.files[0].variables[1].text, "of both");
  EXPECT_EQ(model.streams[1].variables[0].text, "of both");
}

}  // namespace
}  // namespace epios::config::handles_test
