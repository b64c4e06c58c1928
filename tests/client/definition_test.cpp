// A model that builds its files at run time: elements by handle, inheritance solved before the end,
// every type of attribute set and read back.
#include <gtest/gtest.h>

#include <cstdint>
#include <epios/epios.hpp>
#include <filesystem>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "scratch.hpp"

namespace epios::client::definition_test {
namespace {

constexpr const char* iodef = R"(
<simulation><context id="c"><calendar type="NoLeap" timestep="1h"/>
  <variable_definition>
    <variable id="steps" type="int">30</variable><variable id="relax" type="double">1d-3</variable>
    <variable id="on" type="bool">.true.</variable>
  </variable_definition>
  <axis_definition><axis id="depth" n_glo="3"/></axis_definition>
  <domain_definition>
    <domain id="tiled" type="rectilinear" ni_glo="4" nj_glo="2" data_dim="2" ntiles="2" tile_only="true"
            tile_ibegin="(0,1)[0 1]" tile_ni="(0,1)[1 3]" tile_jbegin="(0,1)[0 0]" tile_nj="(0,1)[2 2]"/>
  </domain_definition>
  <field_definition operation="average" prec="8">
    <field id="tos" domain_ref="tiled"/>
    <field_group id="ocean"><field id="temp" axis_ref="depth" unit="degC"/></field_group>
  </field_definition>
  <file_definition output_freq="2h" enabled="true"/>
</context></simulation>)";

std::string error() { return epios_last_error(); }

void read_variables(Context& context) {
  EXPECT_EQ(context.variable_as<std::int64_t>("steps"), 30);
  EXPECT_EQ(context.variable_as<double>("relax"), 1e-3);
  EXPECT_EQ(context.variable_as<bool>("on"), true);
  EXPECT_EQ(context.variable_as<bool>("off"), std::nullopt);
  context.set_variable("steps", "31");
  EXPECT_EQ(context.variable_as<std::int64_t>("steps"), 31);
  EXPECT_EQ(epios_set_variable(context.get(), "off", "1"), EPIOS_ERR_ARGUMENT);

  int number = 0;
  EXPECT_EQ(epios_get_variable_bool(context.get(), "steps", &number), EPIOS_ERR_ARGUMENT);
  EXPECT_EQ(error(), "variable 'steps' is '31' (not a boolean). Read it as text?");
}

/// Values of every type come back as they were set.
void set_and_read(Context& context) {
  const Element axis = context.at("axis", "depth");
  const std::vector<double> levels{5, 15.5, 40};
  const std::vector<double> bounds{0, 10, 10, 21, 21, 60};
  axis.set("value", std::span<const double>(levels)).set("unit", "m").set("name", std::string("z"));
  axis.set("bounds", std::span<const double>(bounds), {2, 3}).set("begin", 0).set("n", 3);
  axis.set("mask", std::span<const unsigned char>(std::vector<unsigned char>{1, 1, 0}));
  axis.set("index", std::span<const std::int64_t>(std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(axis.get<std::vector<double>>("value"), levels);
  EXPECT_EQ(axis.kind("value"), EPIOS_VALUE_DOUBLES);
  EXPECT_EQ(axis.kind("unit"), EPIOS_VALUE_TEXT);
  EXPECT_EQ(axis.kind("n"), EPIOS_VALUE_INT);
  axis.set("value", std::span<const std::int64_t>(std::vector<std::int64_t>{5, 15, 40}));
  EXPECT_EQ(axis.get<std::vector<double>>("value"), (std::vector<double>{5, 15, 40}));
  axis.set("value", std::span<const double>(levels));
  EXPECT_EQ(axis.get<std::vector<double>>("bounds"), bounds);
  EXPECT_EQ(axis.shape("bounds"), (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(axis.get<std::vector<unsigned char>>("mask"), (std::vector<unsigned char>{1, 1, 0}));
  EXPECT_EQ(axis.get<std::vector<std::int64_t>>("index"), (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(axis.get<int>("n"), 3);
  EXPECT_EQ(axis.get<std::int64_t>("n_glo"), 3);
  EXPECT_EQ(axis.get<std::string>("unit"), "m");
  EXPECT_EQ(axis.get<std::string>("mask"), "(0,2)[true true false]");
  EXPECT_EQ(axis.get<double>("n"), 3.0);
  EXPECT_EQ(axis.shape("n"), std::vector<std::int64_t>{});
  EXPECT_EQ(axis.get<std::string>("long_name"), std::nullopt);
  axis.set("mask", "_reset_").set("index", "_reset_");
  EXPECT_FALSE(axis.is_defined("mask"));
  EXPECT_EQ(axis.id(), "depth");
  axis.set("label", std::vector<std::string>{"top", "middle", "bottom"});
  EXPECT_EQ(axis.get<std::string>("label"), "(0,2)[top middle bottom]");
  EXPECT_EQ(axis.get<std::vector<std::string>>("label"),
            (std::vector<std::string>{"top", "middle", "bottom"}));
  axis.set("label", "_reset_");
}

void compute_dates(Context& context) {
  EXPECT_EQ(epios_api_version(), EPIOS_API_VERSION);
  epios_date date{};
  epios_duration month{};
  EXPECT_EQ(epios_duration_parse("1mo", &month), EPIOS_SUCCESS);
  EXPECT_EQ(month.month, 1);
  ASSERT_EQ(epios_date_parse(context.get(), "2000-01-31 06:00:00", &date), EPIOS_SUCCESS)
      << error();
  ASSERT_EQ(epios_date_add(context.get(), date, month, &date), EPIOS_SUCCESS) << error();
  char text[40];
  EXPECT_EQ(epios_date_text(context.get(), date, text, sizeof text), EPIOS_SUCCESS);
  EXPECT_STREQ(text, "2000-02-28 06:00:00");
  EXPECT_EQ(epios_duration_text(month, text, sizeof text), EPIOS_SUCCESS);
  EXPECT_STREQ(text, "1mo");
  double seconds = 0;
  const epios_date start{2000, 2, 28, 0, 0, 0};
  EXPECT_EQ(epios_date_difference(context.get(), start, date, &seconds), EPIOS_SUCCESS);
  EXPECT_EQ(seconds, 6 * 3600.0);
  const epios_date nowhere{2000, 2, 30, 0, 0, 0};
  EXPECT_EQ(epios_date_add(context.get(), nowhere, month, &date), EPIOS_ERR_CONFIGURATION);
  EXPECT_EQ(epios_date_parse(context.get(), nullptr, &date), EPIOS_ERR_ARGUMENT);
  EXPECT_EQ(epios_get_date(context.get(), nullptr), EPIOS_ERR_ARGUMENT);
  EXPECT_EQ(epios_duration_parse("1w", &month), EPIOS_ERR_CONFIGURATION);
}

void build_a_file(Context& context) {
  EXPECT_FALSE(context.find("file", "run_time"));
  const Element file = context.at("file_definition").child("file", "run_time");
  const Element field = file.child("field");
  field.set("field_ref", "temp").set("name", "thetao").set("valid_min", -2.5);
  file.child("field").set("field_ref", "tos");
  file.child("variable", "source").set("type", "string");
  EXPECT_FALSE(field.is_defined("unit"));
  context.solve_inheritance();
  EXPECT_EQ(field.get<std::string>("unit"), "degC");
  EXPECT_EQ(field.get<double>("valid_min"), -2.5);
  EXPECT_EQ(field.get<std::string>("operation"), "average");
  EXPECT_EQ(file.get<std::string>("output_freq"), "2h");
  EXPECT_EQ(file.get<bool>("enabled"), true);
  epios_duration period{};
  period.day = 1;
  period.hour = -1.5;
  file.set("output_freq", period);
  EXPECT_EQ(file.get<std::string>("output_freq"), "1d -1.5h");
  EXPECT_EQ(file.get<epios_duration>("output_freq")->hour, -1.5);
  file.set("output_freq", "2h");
  field.set("operation", "instant");  // after solving, still
}

void make_mistakes(Context& context) {
  const epios_element axis = context.at("axis", "depth").get();
  double value = 0;
  double room[1];
  char text[4];
  epios_element other{};
  EXPECT_EQ(epios_at(context.get(), "field", "tmep", &other), EPIOS_ERR_CONFIGURATION);
  EXPECT_NE(error().find("Did you mean 'temp'?"), std::string::npos) << error();
  EXPECT_EQ(epios_find(context.get(), "feild", "temp", &other), EPIOS_ERR_CONFIGURATION);
  EXPECT_EQ(other.node, -1);
  EXPECT_EQ(epios_element_get_double(axis, "positive", &value), EPIOS_ERR_ARGUMENT);
  EXPECT_NE(error().find("attribute 'positive' of axis 'depth' has no value"), std::string::npos);
  EXPECT_EQ(epios_element_get_double(axis, "unit", &value), EPIOS_ERR_ARGUMENT);
  EXPECT_EQ(error(), "attribute 'unit' is not a number (its value is 'm'). Read it as text?");
  EXPECT_EQ(epios_element_get_doubles(axis, "value", room, 1), EPIOS_ERR_ARGUMENT);
  EXPECT_NE(error().find("has 3 values (room for 1)"), std::string::npos) << error();
  EXPECT_EQ(epios_element_get_text(axis, "value", text, sizeof text), EPIOS_ERR_ARGUMENT);
  EXPECT_EQ(epios_element_set_double(axis, "n", 1.5), EPIOS_ERR_CONFIGURATION);
  EXPECT_EQ(
      error(),
      "API call epios_element_set_double(axis 'depth', 'n'): attribute 'n' of axis 'depth' (a "
      "value of type integer is wanted).");
  EXPECT_EQ(epios_element_set_text(axis, "unti", "m"), EPIOS_ERR_CONFIGURATION);
  EXPECT_EQ(epios_element_set_text(axis, nullptr, "m"), EPIOS_ERR_ARGUMENT);
  EXPECT_EQ(error(),
            "argument 'attribute' is a null pointer (a text is needed). Pass \"\" for none?");
  epios_duration period{};
  period.day = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(epios_element_set_duration(context.at("field", "temp").get(), "freq_op", period),
            EPIOS_ERR_CONFIGURATION);
  EXPECT_NE(error().find("(finite numbers are wanted)"), std::string::npos) << error();
  EXPECT_EQ(epios_element_get_duration(axis, "unit", &period), EPIOS_ERR_ARGUMENT);
  EXPECT_EQ(error(), "attribute 'unit' is not a duration (its value is 'm'). Read it as text?");
  EXPECT_EQ(epios_child(axis, "field", "x", &other), EPIOS_ERR_CONFIGURATION);
  EXPECT_EQ(epios_element_id({nullptr, 3}, text, sizeof text), EPIOS_ERR_ARGUMENT);
  EXPECT_EQ(epios_element_id({context.get(), 4711}, text, sizeof text), EPIOS_ERR_ARGUMENT);
  EXPECT_EQ(epios_element_id({context.get(), -1}, text, sizeof text), EPIOS_ERR_ARGUMENT);
}

/// Elements of a field's grid, and what is none.
void look_at_grid(Context& context) {
  const epios_element tos = context.at("field", "tos").get();
  epios_element found{};
  char text[20];
  ASSERT_EQ(epios_grid_element(tos, "domain", 0, &found), EPIOS_SUCCESS) << error();
  ASSERT_EQ(epios_element_id(found, text, sizeof text), EPIOS_SUCCESS) << error();
  EXPECT_STREQ(text, "tiled");
  EXPECT_EQ(epios_grid_element(tos, "axis", 0, &found), EPIOS_ERR_ARGUMENT);
  EXPECT_EQ(error(),
            "axis 0 of the grid of field 'tos' does not exist (it has 0, counted from 0). Does it "
            "refer to the grid that is meant?");
  EXPECT_EQ(epios_grid_element(tos, "domain", 1, &found), EPIOS_ERR_ARGUMENT);
  EXPECT_EQ(epios_grid_element(tos, "domain", -1, &found), EPIOS_ERR_ARGUMENT);
  const epios_element axis = context.at("axis", "depth").get();
  EXPECT_EQ(epios_grid_element(axis, "axis", 0, &found), EPIOS_ERR_ARGUMENT);
  EXPECT_EQ(error(),
            "axis 'depth' has no grid (only fields have one). Pass the handle of a field?");
}

/// What no file has for the model.
void receive(Context& context) {
  double data[3] = {};
  float single[3] = {};
  EXPECT_EQ(epios_recv_double(context.get(), "temp", data, 3), EPIOS_ERR_ARGUMENT);
  EXPECT_EQ(error(),
            "context 'c': field 'temp' cannot be received (no enabled file with mode=\"read\" has "
            "it, nor has it read_access=\"true\"). Is its id spelt as in the XML?");
  EXPECT_EQ(epios_recv_float(context.get(), "temp", single, 3), EPIOS_ERR_ARGUMENT);
  EXPECT_EQ(epios_recv_double(context.get(), "temp", data, -1), EPIOS_ERR_ARGUMENT);
  EXPECT_EQ(epios_recv_double(context.get(), "temp", nullptr, 3), EPIOS_ERR_ARGUMENT);
  EXPECT_EQ(epios_recv_double(context.get(), nullptr, data, 3), EPIOS_ERR_ARGUMENT);
}

/// By two threads, the large one with mistakes before and after.
void send_tiles(Context& context, const Field& field, int step) {
  const std::vector<double> small(2, step);
  const std::vector<double> large(6, step);
  EXPECT_EQ(epios_field_send_tile_double(field.get(), 2, large.data(), 6), EPIOS_ERR_ARGUMENT);
  EXPECT_EQ(error(),
            "context 'c': field 'tos': tile 2 does not exist (there are 2, counted from 0). Is "
            "'ntiles' of its domain set?");
  EXPECT_EQ(epios_field_send_tile_double(field.get(), 1, large.data(), 5), EPIOS_ERR_ARGUMENT);
  EXPECT_NE(error().find("tile 1 has 5 values (expected 6)"), std::string::npos) << error();
  EXPECT_EQ(epios_send_double(context.get(), "tos", large.data(), 6), EPIOS_ERR_ARGUMENT);
  EXPECT_NE(error().find("tile_only of its domain is true"), std::string::npos) << error();
  std::thread other([&] { field.send_tile(1, large); });
  if (step == 3) {  // tile 0 is late: the step may not end without it
    other.join();
    EXPECT_EQ(epios_update_calendar(context.get(), step + 1), EPIOS_ERR_CALL_ORDER);
    EXPECT_EQ(error(),
              "context 'c': field 'tos': tile 0 was not sent at step 3 (others were). Does every "
              "thread send its tiles before the next step?");
    const std::vector<float> single(2, 3.0F);  // refused, it has not come
    EXPECT_EQ(epios_field_send_tile_float(field.get(), 0, single.data(), 2), EPIOS_ERR_ARGUMENT);
    EXPECT_NE(error().find("of single and of double precision"), std::string::npos) << error();
    field.send_tile(0, small);
  } else {
    field.send_tile(0, small);
    other.join();
  }
  EXPECT_EQ(epios_field_send_tile_double(field.get(), 0, small.data(), 2), EPIOS_ERR_CALL_ORDER);
  EXPECT_NE(error().find("tile 0 is sent twice at step"), std::string::npos) << error();
}

TEST(Definition, FilesAreBuiltAtRunTime) {
  const Scratch scratch(iodef);
  Session session("c");
  Client client(session);
  Context context = client.open_context("c");
  read_variables(context);
  compute_dates(context);
  set_and_read(context);
  build_a_file(context);
  make_mistakes(context);
  look_at_grid(context);
  double none = 0;
  EXPECT_EQ(epios_recv_double(context.get(), "temp", &none, 1), EPIOS_ERR_CALL_ORDER);
  EXPECT_NE(error().find("nothing can be received"), std::string::npos) << error();
  int is_defined = 1;
  EXPECT_EQ(epios_element_is_defined(context.at("domain", "tiled").get(), "ni", &is_defined), 0);
  EXPECT_EQ(is_defined, 0);
  context.close_definition();
  look_at_grid(context);
  EXPECT_EQ(epios_serve(MPI_COMM_WORLD), EPIOS_ERR_CALL_ORDER);
  EXPECT_NE(error().find("has opened its session already"), std::string::npos) << error();
  const Element axis = context.at("axis", "depth");
  EXPECT_EQ(axis.get<std::string>("unit"), "m");  // asking goes on
  // The parts, which nobody described, are known now.
  EXPECT_EQ(axis.get<std::int64_t>("n"), 3);
  EXPECT_EQ(axis.get<std::int64_t>("begin"), 0);
  EXPECT_EQ(context.at("domain", "tiled").get<std::int64_t>("ni"), 4);
  EXPECT_EQ(context.at("domain", "tiled").get<std::int64_t>("nj"), 2);
  EXPECT_EQ(context.at("field", "temp").get<std::int64_t>("prec"), 8);
  EXPECT_EQ(epios_element_set_int(axis.get(), "n", 2), EPIOS_ERR_CALL_ORDER);
  EXPECT_EQ(epios_solve_inheritance(context.get()), EPIOS_SUCCESS);  // nothing changes any more
  const Field tos = context.field("tos");
  for (int step = 1; step <= 4; ++step) {
    context.update_calendar(step);
    send_tiles(context, tos, step);
    context.send("temp", std::vector<double>{1.0 * step, 2.0 * step, 3.0 * step});
  }
  receive(context);
  // Would have found that servers are told another reason than the model throws.
  const std::vector<double> three(3);
  EXPECT_THROW(axis.set("value", std::span<const double>(three), {2}), Error);
  EXPECT_EQ(error(),
            "array has 3 values (its shape holds 2). Does the shape list every dimension?");
  context.finalize();
  // Would have found that the question behind the last report replaced the text of a full disk,
  // which servers and the report of the run then did not say.
  epios_set_last_error("no space left");
  const std::vector<FileReport> reports = context.file_reports();
  EXPECT_EQ(error(), "no space left");
  ASSERT_EQ(reports.size(), 1U);
  EXPECT_EQ(reports[0].path, "run_time.nc");
  EXPECT_EQ(reports[0].records_written, 4);  // of two fields
  EXPECT_TRUE(std::filesystem::exists("run_time.nc"));
  client.close();
  session.close();
}

}  // namespace
}  // namespace epios::client::definition_test
