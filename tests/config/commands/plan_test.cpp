#include "config/plan.hpp"

#include <gtest/gtest.h>

#include "config/error.hpp"
#include "sample.hpp"

namespace epios::config::plan_test {
namespace {

const PlannedFile& file(const Plan& plan, const std::string& id) {
  for (const PlannedFile& file : plan.files) {
    if (file.id == id) return file;
  }
  throw std::out_of_range(id);
}

TEST(Plan, counts_records_and_bytes) {
  const Model model = test::model(test::sample_xml);
  const Plan year = plan(model, Duration::parse("1y"));
  EXPECT_EQ(year.steps, 365 * 24);
  EXPECT_EQ(year.days, 365);
  const PlannedFile& daily = file(year, "daily");
  EXPECT_EQ(daily.records, 365);
  ASSERT_EQ(daily.fields.size(), 3U);
  EXPECT_EQ(daily.fields[0].name, "tos");
  EXPECT_EQ(daily.fields[0].record_bytes, 8 * 4 * 8);
  EXPECT_EQ(daily.fields[2].name, "temp");
  EXPECT_EQ(daily.fields[2].record_bytes, 8 * 4 * 3 * 8);
  ASSERT_EQ(daily.parts.size(), 1U);
  EXPECT_EQ(daily.parts[0].path, "out/daily.nc");
  const Calendar calendar = model.calendar();
  EXPECT_EQ(calendar.text(daily.parts[0].first), "2001-01-02 00:00:00");
  EXPECT_EQ(calendar.text(daily.parts[0].last), "2002-01-01 00:00:00");
  // Two coordinates of time, each with bounds: time_counter and time_centered.
  EXPECT_EQ(daily.bytes, 365 * (256 + 256 + 768 + 48));
  const PlannedFile& monthly = file(year, "monthly");
  EXPECT_EQ(monthly.records, 12);
  EXPECT_EQ(monthly.bytes, 12 * (8 + 48));
  EXPECT_EQ(year.bytes, daily.bytes + monthly.bytes);
  EXPECT_EQ(year.files.size(), 2U);
}

/// Of daily maxima, with a freq_offset that all operations inherit: records leave when the maxima
/// come, not when their samples could be taken.
TEST(Plan, counts_records_of_results_when_they_come) {
  const Model model = test::model(R"(<simulation><context id="m">
    <calendar type="D360" start_date="2000-01-01" timestep="4h"/>
    <scalar_definition><scalar id="s"/></scalar_definition>
    <grid_definition><grid id="g"><scalar scalar_ref="s"/></grid></grid_definition>
    <field_definition grid_ref="g" freq_op="1ts" freq_offset="0ts">
      <field id="a" operation="average"/><field id="amax" field_ref="a" operation="maximum"/>
    </field_definition>
    <file_definition>
      <file id="d1" output_freq="1d"><field field_ref="a" name="m" operation="average" freq_op="1d"> @amax </field></file>
      <file id="d5" output_freq="5d"><field field_ref="a" name="m" operation="instant" freq_op="1d"> @amax </field></file>
      <file id="parts" output_freq="1d" split_freq="2d"><field field_ref="a" name="m" operation="average" freq_op="1d"> @amax </field></file>
    </file_definition></context></simulation>)",
                                  "m");
  const Plan run = plan(model, Duration::parse("9d4h"));
  EXPECT_EQ(file(run, "d1").records, 9);
  EXPECT_EQ(model.calendar().text(file(run, "d1").parts.back().last), "2000-01-10 00:00:00");
  EXPECT_EQ(file(run, "d5").records, 1);
  EXPECT_EQ(file(run, "parts").parts.size(), 5U);
}

/// A period without a sampling date is no record, and a part without records is no file.
TEST(Plan, counts_no_records_that_are_not_written) {
  const Model model = test::model(R"(<simulation><context id="m">
    <calendar type="NoLeap" start_date="2000-01-01" timestep="1h"/>
    <scalar_definition><scalar id="s"/></scalar_definition>
    <grid_definition><grid id="g"><scalar scalar_ref="s"/></grid></grid_definition>
    <field_definition grid_ref="g"><field id="a"/></field_definition>
    <file_definition>
      <file id="f" output_freq="2h" split_freq="6h">
        <field field_ref="a" operation="average" freq_op="16h"/>
      </file>
    </file_definition></context></simulation>)",
                                  "m");
  const Plan run = plan(model, Duration::parse("33h"));
  EXPECT_EQ(file(run, "f").records, 2);
  EXPECT_EQ(file(run, "f").fields[0].records, 2);
  ASSERT_EQ(file(run, "f").parts.size(), 2U);
  const PlannedPart& second = file(run, "f").parts[1];
  EXPECT_EQ(second.first_record, 15);
  EXPECT_EQ(second.records, 1);
  const auto records = records_of(model, model.files[0], second);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(model.calendar().text(records[0].interval.end), "2000-01-02 08:00:00");
}

TEST(Plan, of_a_short_run_has_no_record) {
  const Plan hours = plan(test::model(test::sample_xml), Duration::parse("23h"));
  EXPECT_EQ(hours.steps, 23);
  EXPECT_EQ(file(hours, "daily").records, 0);
  EXPECT_TRUE(file(hours, "daily").parts.empty());
  EXPECT_EQ(hours.bytes, 0);
  EXPECT_EQ(plan(test::model(test::sample_xml), {}).steps, 0);
  EXPECT_THROW(plan(test::model(test::sample_xml), Duration::parse("-1h")), Error);
}

TEST(Plan, of_a_grid_that_nobody_has_is_large_and_not_negative) {
  std::string xml = test::sample_xml;
  for (const char* size : {"ni_glo=\"8\"", "nj_glo=\"4\""}) {
    xml.replace(xml.find(size), std::string(size).size(), std::string(size, 7) + "\"2147483647\"");
  }
  for (const char* local : {"n_glo=\"3\""}) {
    xml.replace(xml.find(local), std::string(local).size(), "n_glo=\"2147483647\"");
  }
  const std::string value = " value=\"(0,2)[5 15.5 40]\"";
  xml.erase(xml.find(value), value.size());
  const Model model = test::definitions(xml).resolve("ocean", Purpose::plan);
  const Plan year = plan(model, Duration::parse("1y"));
  EXPECT_EQ(file(year, "daily").bytes, INT64_MAX);
  EXPECT_EQ(year.bytes, INT64_MAX);
}

/// A file 'f' of one field, through XML.
struct Run {
  std::string calendar = "type='NoLeap' timestep='1h' start_date='2001-01-01'";
  std::string file = "output_freq='1d'";
  std::string field = "operation='average' scalar_ref='s'";
  std::string elements{};  ///< further definitions
};

Model model_of(const Run& run) {
  return test::definitions(
             test::in_context("<scalar_definition><scalar id='s'/></scalar_definition>" +
                                  run.elements + "<field_definition><field id='a' " + run.field +
                                  "/></field_definition><file_definition><file id='f' " + run.file +
                                  "><field field_ref='a'/></file></file_definition>",
                              "<calendar " + run.calendar + "/>"))
      .resolve("ocean", Purpose::plan);
}

/// "name:records ..." of all parts.
std::string parts(const Run& run, const char* duration) {
  const Plan result = plan(model_of(run), Duration::parse(duration));
  std::string text;
  std::int64_t records = 0;
  std::int64_t bytes = 0;
  for (const PlannedPart& part : file(result, "f").parts) {
    EXPECT_EQ(part.first_record, records);
    text += (text.empty() ? "" : " ") + part.path + ":" + std::to_string(part.records);
    records += part.records;
    bytes += part.bytes;
  }
  EXPECT_EQ(records, file(result, "f").records);
  EXPECT_EQ(bytes, file(result, "f").bytes);
  return text;
}

std::string start(const std::string& type, const std::string& date,
                  const std::string& step = "1h") {
  return "type='" + type + "' timestep='" + step + "' start_date='" + date + "'";
}

TEST(PlanOfParts, months_are_those_of_the_calendar) {
  const auto months = [](const std::string& type, const std::string& date) {
    return parts({start(type, date), "output_freq='1d' split_freq='1mo'"}, "3mo");
  };
  EXPECT_EQ(months("Gregorian", "2000-01-01"),
            "f_200001-200001.nc:31 f_200002-200002.nc:29 f_200003-200003.nc:31");
  EXPECT_EQ(months("NoLeap", "2000-01-01"),
            "f_200001-200001.nc:31 f_200002-200002.nc:28 f_200003-200003.nc:31");
  EXPECT_EQ(months("AllLeap", "2001-01-01"),
            "f_200101-200101.nc:31 f_200102-200102.nc:29 f_200103-200103.nc:31");
  EXPECT_EQ(months("D360", "2000-01-01"),
            "f_200001-200001.nc:30 f_200002-200002.nc:30 f_200003-200003.nc:30");
  // 1900 is a leap year in the one and not in the other.
  EXPECT_EQ(months("Julian", "1900-02-01"),
            "f_190002-190002.nc:29 f_190003-190003.nc:31 f_190004-190004.nc:30");
  EXPECT_EQ(months("Gregorian", "1900-02-01"),
            "f_190002-190002.nc:28 f_190003-190003.nc:31 f_190004-190004.nc:30");
}

TEST(PlanOfParts, of_several_writers_have_their_number_behind_the_dates) {
  EXPECT_EQ(parts({start("NoLeap", "2000-01-01"),
                   "output_freq='1d' split_freq='1mo' type='multiple_file'"},
                  "2mo"),
            "f_200001-200001_*.nc:31 f_200002-200002_*.nc:28");
}

TEST(PlanOfParts, more_than_anybody_reads_are_counted_only) {
  const Plan result =
      plan(model_of({start("Gregorian", "2000-01-01", "1s"), "output_freq='1s' split_freq='1s'"}),
           Duration::parse("100y"));
  const PlannedFile& its = file(result, "f");
  EXPECT_EQ(its.parts.size(), largest_part_count);
  EXPECT_EQ(its.unlisted_records, its.records - static_cast<std::int64_t>(largest_part_count));
  EXPECT_EQ(its.records, std::int64_t{36'525} * 86'400);
  EXPECT_EQ(its.bytes, its.records * (4 + 48));
}

TEST(PlanOfParts, years_days_hours_and_steps) {
  EXPECT_EQ(parts({start("Gregorian", "1999-01-01", "1d"), "output_freq='1mo' split_freq='1y'"},
                  "2y 3mo"),
            "f_1999-1999.nc:12 f_2000-2000.nc:12 f_2001-2001.nc:3");
  EXPECT_EQ(
      parts({start("Gregorian", "1999-12-01", "1d"), "output_freq='1mo' split_freq='10y'"}, "2mo"),
      "f_1999-2009.nc:2");
  EXPECT_EQ(parts({start("Gregorian", "2000-02-25"), "output_freq='1d' split_freq='5d'"}, "12d"),
            "f_20000225-20000229.nc:5 f_20000301-20000305.nc:5 f_20000306-20000310.nc:2");
  EXPECT_EQ(parts({start("D360", "2000-01-30"), "output_freq='3h' split_freq='6h'"}, "15h"),
            "f_2000013000-2000013005.nc:2 f_2000013006-2000013011.nc:2 "
            "f_2000013012-2000013017.nc:1");
  EXPECT_EQ(
      parts({start("NoLeap", "2001-01-01", "30mi"), "output_freq='1ts' split_freq='4ts'"}, "4h"),
      "f_200101010000-200101010159.nc:4 f_200101010200-200101010359.nc:4");
}

TEST(PlanOfParts, are_counted_from_the_start_of_the_run) {
  EXPECT_EQ(parts({start("Gregorian", "2000-01-15"), "output_freq='1d' split_freq='1mo'"}, "2mo"),
            "f_200001-200002.nc:31 f_200002-200003.nc:29");
  // The last day of shorter months.
  EXPECT_EQ(parts({start("NoLeap", "2001-01-31"), "output_freq='1d' split_freq='1mo'"}, "3mo"),
            "f_200101-200102.nc:28 f_200102-200103.nc:31 f_200103-200104.nc:30");
  // A record that two parts share is in the one where it ends.
  EXPECT_EQ(parts({start("NoLeap", "2001-01-01"), "output_freq='5d' split_freq='1mo'"}, "2mo"),
            "f_200101-200101.nc:6 f_200102-200102.nc:5");
}

TEST(PlanOfParts, names_follow_format_offsets_and_last_date) {
  const auto named = [](const std::string& attributes, const std::string& origin = "") {
    return parts({start("Gregorian", "2000-01-01") + origin,
                  "output_freq='1d' split_freq='1mo' " + attributes},
                 "2mo");
  };
  EXPECT_EQ(named("split_freq_format='%y-%mo-%d'"),
            "f_2000-01-01-2000-01-31.nc:31 f_2000-02-01-2000-02-29.nc:29");
  EXPECT_EQ(named("split_freq_format='%D'"), "f_0-30.nc:31 f_31-59.nc:29");
  EXPECT_EQ(named("split_freq_format='%D'", " time_origin='0000-01-01'"),
            "f_730485-730515.nc:31 f_730516-730544.nc:29");
  EXPECT_EQ(named("split_freq_format='%y%mo%d' split_start_offset='1d' split_end_offset='0s'"),
            "f_20000102-20000201.nc:31 f_20000202-20000301.nc:29");
  EXPECT_EQ(named("split_freq_format='%y%mo%d' split_last_date='2000-02-15'"),
            "f_20000101-20000131.nc:31 f_20000201-20000214.nc:29");
  EXPECT_EQ(named("split_last_date='2000-02-15 + 1mo'"),
            "f_200001-200001.nc:31 f_200002-200002.nc:29");
  EXPECT_EQ(named("name='%start_date%/a_%end_date%' name_suffix='_x'"),
            "200001/a_200001_x.nc:31 200002/a_200002_x.nc:29");
}

TEST(PlanOfParts, the_period_stands_in_the_place_of_freq) {
  EXPECT_EQ(
      parts({start("Gregorian", "2000-01-01"), "name='@expname@_@freq@_T' output_freq='5d'"}, "9d"),
      "@expname@_5d_T.nc:1");
}

TEST(PlanOfParts, of_a_world_of_its_own) {
  const std::string months =
      "type='user_defined' day_length='1000' month_lengths='(0,1)[2 3]' timestep='100s'";
  EXPECT_EQ(parts({months, "output_freq='1d' split_freq='1mo'"}, "1y"),
            "f_000001-000001.nc:2 f_000002-000002.nc:3");
  const std::string none =
      "type='user_defined' day_length='1000' year_length='5000' timestep='100s'";
  EXPECT_EQ(parts({none, "output_freq='1d' split_freq='2d'"}, "4d"),
            "f_000001-000002.nc:2 f_000003-000004.nc:2");
  EXPECT_EQ(parts({none, "output_freq='1d' split_freq='1y'"}, "2y"),
            "f_0000-0000.nc:5 f_0001-0001.nc:5");
}

TEST(PlanOfParts, a_split_freq_that_is_no_period_is_a_mistake_of_the_configuration) {
  try {
    model_of({start("NoLeap", "2001-01-01"), "output_freq='1d' split_freq='0.5mo'"});
    ADD_FAILURE();
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("split_freq '0.5mo' of file 'f' (a period must be"),
              std::string::npos);
  }
}

/// Bytes of one record of the field.
std::int64_t bytes(const std::string& elements, const std::string& field) {
  const Run run{"type='NoLeap' timestep='1h' start_date='2001-01-01'", "output_freq='1d'",
                "operation='average' " + field, elements};
  return file(plan(model_of(run), Duration::parse("1d")), "f").fields.at(0).record_bytes;
}

std::string domain(const std::string& attributes) {
  return "<domain_definition><domain id='d' " + attributes + "/></domain_definition>";
}

TEST(PlanOfSizes, all_kinds_of_domains) {
  EXPECT_EQ(bytes(domain("type='curvilinear' ni_glo='30' nj_glo='20'"), "domain_ref='d'"), 2400);
  EXPECT_EQ(bytes(domain("type='unstructured' ni_glo='1000' nvertex='4'"), "domain_ref='d'"), 4000);
  EXPECT_EQ(bytes(domain("type='gaussian' ni_glo='1000'"), "domain_ref='d'"), 4000);
  EXPECT_EQ(bytes(domain("type='rectilinear' ni_glo='6' nj_glo='5'"), "domain_ref='d' prec='2'"),
            60);
  EXPECT_EQ(bytes("", "scalar_ref='s' prec='8'"), 8);
  try {
    bytes(domain("type='unstructured' ni_glo='1000' nj_glo='2'"), "domain_ref='d'");
    ADD_FAILURE();
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("attribute 'nj_glo' of domain 'd' (a domain of type unstructured has one "
                        "row of cells). Count all cells in ni_glo."),
              std::string::npos)
        << error.what();
  }
}

TEST(PlanOfSizes, do_not_depend_on_the_part_of_one_client) {
  EXPECT_EQ(bytes(domain("type='rectilinear' ni_glo='6' nj_glo='5' ibegin='2' ni='3' jbegin='0' "
                         "nj='2' data_dim='2' data_ibegin='-1' data_ni='5'"),
                  "domain_ref='d'"),
            120);
  EXPECT_EQ(bytes(domain("type='curvilinear' ni_glo='6' nj_glo='5' i_index='(0,1)[0 3]' "
                         "j_index='(0,1)[1 1]'"),
                  "domain_ref='d'"),
            120);
}

TEST(PlanOfSizes, masks_count_where_only_other_points_are_written) {
  const std::string masked =
      domain("type='rectilinear' ni_glo='3' nj_glo='2' mask_1d='(0,5)[y n y y n y]'") +
      "<axis_definition><axis id='z' n_glo='4' mask='(0,3)[y y y n]'/></axis_definition>";
  EXPECT_EQ(bytes(masked, "domain_ref='d'"), 24);
  EXPECT_EQ(bytes(masked, "domain_ref='d' indexed_output='true'"), 16);
  EXPECT_EQ(bytes(masked, "domain_ref='d' axis_ref='z' indexed_output='true'"), 48);
  EXPECT_EQ(bytes(masked, "axis_ref='z'"), 16);
  EXPECT_EQ(bytes(domain("type='rectilinear' ni_glo='3' nj_glo='2'"),
                  "domain_ref='d' indexed_output='true'"),
            24);
}

TEST(PlanOfSizes, a_field_written_once_has_one_record_without_time) {
  const Plan result =
      plan(model_of({start("NoLeap", "2001-01-01"), "output_freq='1d' split_freq='2d'",
                     "operation='once' scalar_ref='s'"}),
           Duration::parse("5d"));
  EXPECT_EQ(file(result, "f").records, 1);
  EXPECT_EQ(file(result, "f").bytes, 4);
  EXPECT_EQ(file(result, "f").parts.size(), 1U);
}

/// Of a field on grid 'from', written on grid 'to'.
std::int64_t bytes_on(const std::string& from, const std::string& to,
                      const std::string& elements = {}) {
  const std::string domains =
      "<domain_definition><domain id='d' type='rectilinear' ni_glo='360' nj_glo='180'/>" +
      elements + "</domain_definition><axis_definition><axis id='z' n_glo='75'/></axis_definition>";
  const Model model =
      test::definitions(
          test::in_context(domains + "<grid_definition><grid id='from'>" + from +
                           "</grid><grid id='to'>" + to +
                           "</grid></grid_definition><field_definition><field id='a' "
                           "operation='average' grid_ref='from'/></field_definition>"
                           "<file_definition><file id='f' output_freq='1d'><field field_ref='a' "
                           "grid_ref='to'/></file></file_definition>"))
          .resolve("ocean", Purpose::plan);
  return plan(model, Duration::parse("1d")).files.at(0).fields.at(0).record_bytes;
}

TEST(PlanOfSizes, a_window_is_as_large_as_it_is) {
  const std::string globe = "<domain domain_ref='d'/>";
  const std::string levels = "<axis axis_ref='z'/>";
  const auto window = [](const std::string& tag) {
    return "<domain domain_ref='d'><" + tag + " ibegin='10' ni='15' jbegin='20' nj='10'/></domain>";
  };
  EXPECT_EQ(bytes_on(globe, window("extract_domain")), 600);
  EXPECT_EQ(bytes_on(globe, window("zoom_domain")), 600);
  EXPECT_EQ(bytes_on(globe, "<domain domain_ref='d'><extract_domain/></domain>"), 4 * 360 * 180);
  EXPECT_EQ(bytes_on(globe, "<domain><zoom_domain ibegin='0' ni='2' jbegin='0' nj='3'/></domain>"),
            24)
      << "its shape comes from what it is made of";
  const auto axis = [&](const std::string& attributes) {
    return bytes_on(levels, "<axis axis_ref='z'><extract_axis " + attributes + "/></axis>");
  };
  EXPECT_EQ(axis("begin='70' n='3'"), 12);
  EXPECT_EQ(axis("begin='70'"), 20);
  EXPECT_EQ(axis("index='(0,2)[0 10 40]'"), 12);
  EXPECT_EQ(axis(""), 300);
  EXPECT_EQ(bytes_on(globe + levels,
                     window("extract_domain") + "<axis axis_ref='z'><zoom_axis n='2'/></axis>"),
            1200);
}

TEST(PlanOfSizes, one_window_inside_another) {
  const std::string zoomed =
      "<domain id='zoomed' domain_ref='d'>"
      "<extract_domain ibegin='0' ni='20' jbegin='0' nj='10'/></domain>";
  const std::string inner =
      "<domain domain_ref='zoomed'><extract_domain ibegin='0' ni='5' jbegin='0' nj='2'/></domain>";
  EXPECT_EQ(bytes_on("<domain domain_ref='d'/>", inner, zoomed), 40);
  EXPECT_EQ(bytes_on("<domain domain_ref='zoomed'/>", inner, zoomed), 40);
  EXPECT_EQ(bytes_on("<domain domain_ref='zoomed'/>", "<domain domain_ref='zoomed'/>", zoomed),
            4 * 360 * 180)
      << "what the model sends on a grid has its size";
}

TEST(PlanOfSizes, other_transformations) {
  const std::string globe = "<domain domain_ref='d'/>";
  const auto on_domain = [&](const std::string& inside) {
    return bytes_on(globe, "<domain domain_ref='d'>" + inside + "</domain>");
  };
  EXPECT_EQ(on_domain("<expand_domain/>"), 4 * 362 * 182);
  EXPECT_EQ(on_domain("<reorder_domain invert_lat='true'/>"), 4 * 360 * 180);
  EXPECT_EQ(on_domain("<extract_domain ibegin='0' ni='5' jbegin='0' nj='2'/><expand_domain/>"),
            4 * 7 * 4);
  EXPECT_EQ(bytes_on(globe,
                     "<domain type='rectilinear' ni_glo='36' nj_glo='18'><interpolate_domain/>"
                     "</domain>"),
            4 * 36 * 18);
  EXPECT_EQ(bytes_on(globe, "<axis><reduce_domain operation='average' direction='jDir'/></axis>"),
            720);
  EXPECT_EQ(bytes_on(globe, "<axis><extract_domain position='3' direction='iDir'/></axis>"), 1440);
  EXPECT_EQ(bytes_on(globe, "<scalar><reduce_domain operation='average'/></scalar>"), 4);
  EXPECT_EQ(bytes_on("<scalar/>", "<axis n_glo='6'><duplicate_scalar/></axis>"), 24);
}

TEST(PlanOfTime, once_is_when_its_first_sample_is) {
  const auto of = [](const std::string& freq_op, const char* duration) {
    const Plan result =
        plan(model_of({start("NoLeap", "2001-01-01"), "output_freq='1d' split_freq='1d'",
                       "operation='once' scalar_ref='s' " + freq_op}),
             Duration::parse(duration));
    const PlannedFile& its = file(result, "f");
    if (its.parts.empty()) return result.warnings.at(0).text();
    EXPECT_EQ(its.parts.at(0).first, its.parts.at(0).last);
    EXPECT_TRUE(result.warnings.empty());
    return its.parts.at(0).path + " " +
           Calendar(CalendarType::no_leap, Duration{.hour = 1}).text(its.parts.at(0).first);
  };
  EXPECT_EQ(of("", "1h"), "f_20010101-20010101.nc 2001-01-01 01:00:00");
  EXPECT_EQ(of("freq_op='6h'", "6h"), "f_20010101-20010101.nc 2001-01-01 06:00:00");
  EXPECT_EQ(of("freq_op='6h' freq_offset='0s'", "6h"),
            "f_20010101-20010101.nc 2001-01-01 01:00:00");
  EXPECT_EQ(of("freq_op='1d'", "3d"), "f_20010101-20010101.nc 2001-01-02 00:00:00");
  const std::string warning = of("freq_op='6h'", "5h");
  EXPECT_NE(
      warning.find("warning: file 'f' has no record (the run ends before its first sample, "
                   "that of 2001-01-01 06:00:00). Make the run longer or freq_op shorter. [E0410]"),
      std::string::npos)
      << warning;
}

TEST(PlanOfTime, once_beside_others_takes_part_in_no_record) {
  const auto planned = [](const char* duration) {
    const std::string xml = test::in_context(
        "<scalar_definition><scalar id='s'/></scalar_definition><field_definition><field id='a' "
        "scalar_ref='s'/></field_definition><file_definition><file id='f' output_freq='1d'>"
        "<field field_ref='a' name='area' operation='once'/><field field_ref='a' "
        "operation='average'/></file></file_definition>");
    const Model model = test::definitions(xml).resolve("ocean", Purpose::plan);
    return file(plan(model, Duration::parse(duration)), "f");
  };
  const PlannedFile days = planned("2d");
  EXPECT_EQ(days.records, 2);
  EXPECT_EQ(days.bytes, 4 + 2 * (4 + 48));
  const PlannedFile hours = planned("5h");
  EXPECT_EQ(hours.records, 0);
  EXPECT_EQ(hours.bytes, 4) << "what is written once, at the first step";
  ASSERT_EQ(hours.parts.size(), 1U);
  EXPECT_EQ(hours.parts[0].records, 0);
  EXPECT_EQ(hours.parts[0].bytes, 4);
}

/// "begin > end: value [bounds]" of all records of the first part.
std::string records(const Run& run, const char* duration) {
  const Model model = model_of(run);
  const Plan result = plan(model, Duration::parse(duration));
  const Calendar calendar = model.calendar();
  std::string text;
  for (const PlannedRecord& record : records_of(model, model.files[0], result.files[0].parts[0])) {
    text += std::to_string(record.number) + ": " + calendar.text(record.interval.begin) + " > " +
            calendar.text(record.interval.end);
    if (record.stamp) {
      text += " " + Duration{.day = record.stamp->value}.text() + " " +
              Duration{.day = record.stamp->bounds[0]}.text() + " " +
              Duration{.day = record.stamp->bounds[1]}.text();
    }
    text += "\n";
  }
  return text;
}

TEST(PlanOfRecords, has_their_times_and_bounds) {
  const std::string calendar =
      "type='NoLeap' timestep='1h' start_date='2001-02-01' time_origin='2001-01-01'";
  EXPECT_EQ(records({calendar, "output_freq='1mo' time_units='days'"}, "2mo"),
            "0: 2001-02-01 00:00:00 > 2001-03-01 00:00:00 45d 31d 59d\n"
            "1: 2001-03-01 00:00:00 > 2001-04-01 00:00:00 74.5d 59d 90d\n");
  EXPECT_EQ(records({calendar, "output_freq='12h' time_units='days'",
                     "operation='instant' scalar_ref='s'"},
                    "1d"),
            "0: 2001-02-01 00:00:00 > 2001-02-01 12:00:00 31.5d 31.5d 31.5d\n"
            "1: 2001-02-01 12:00:00 > 2001-02-02 00:00:00 32d 32d 32d\n");
  EXPECT_EQ(records({calendar, "output_freq='1d' time_counter='none'"}, "1d"),
            "0: 2001-02-01 00:00:00 > 2001-02-02 00:00:00\n");
}

TEST(PlanOfRecords, says_which_files_stay_without) {
  const Plan result =
      plan(model_of({start("NoLeap", "2001-01-01"), "output_freq='1mo'"}), Duration::parse("30d"));
  ASSERT_EQ(result.warnings.size(), 1U);
  EXPECT_NE(result.warnings[0].text().find(
                "warning: file 'f' has no record (the run ends before its output_freq '1mo' is "
                "over). Make the run longer or output_freq shorter. [E0410]"),
            std::string::npos)
      << result.warnings[0].text();
  EXPECT_TRUE(plan(model_of({}), Duration::parse("30d")).warnings.empty());
}

/// What context 'c' exchanges with 'm::d', with time steps of an hour.
Plan plan_of_couplers(const std::string& couplers, const char* duration) {
  const std::string xml =
      "<simulation><context id='c'><calendar type='NoLeap' start_date='2000-01-01' timestep='1h'/>"
      "<domain_definition><domain id='d' type='rectilinear' ni_glo='4' nj_glo='3'/>"
      "<domain id='open' type='rectilinear'/></domain_definition>"
      "<field_definition domain_ref='d'><field id='a'/></field_definition>" +
      couplers + "</context></simulation>";
  const Document document({{"iodef.xml", xml}});
  const Definitions definitions(document, {}, Purpose::plan);
  return plan(definitions.resolve("c", Purpose::plan), Duration::parse(duration));
}

TEST(PlanOfCouplings, says_who_exchanges_what_when_and_how_much) {
  const Plan result = plan_of_couplers(
      "<coupler_out_definition><coupler_out context='m::d'><field field_ref='a' freq_op='6h' "
      "operation='average'/><field id='ground' field_ref='a' operation='once'/>"
      "<field id='start' field_ref='a' operation='instant' freq_op='12h' freq_offset='-1ts'/>"
      "</coupler_out></coupler_out_definition>"
      "<coupler_in_definition><coupler_in context='m::d'><field id='x' domain_ref='d' "
      "freq_op='12h'/><field id='early' domain_ref='d' freq_op='12h' freq_offset='-1ts'/>"
      "</coupler_in></coupler_in_definition>",
      "1d");
  ASSERT_EQ(result.couplings.size(), 2U);
  const PlannedCoupling& in = result.couplings[0];
  EXPECT_TRUE(in.is_received);
  EXPECT_EQ(in.partner, "m::d");
  ASSERT_EQ(in.fields.size(), 2U);
  EXPECT_EQ(in.fields[0].id, "x");
  EXPECT_EQ(in.fields[0].when, "every 12h");
  EXPECT_EQ(in.fields[0].records, 2);
  EXPECT_EQ(in.fields[0].record_bytes, 12 * 8);
  EXPECT_EQ(in.fields[1].records, 3) << "the start, its noon and its end";
  EXPECT_EQ(in.bytes, 5 * 12 * 8);
  EXPECT_EQ(in.channel_bytes, 2 * 2 * 12 * 8);
  const PlannedCoupling& out = result.couplings[1];
  EXPECT_FALSE(out.is_received);
  ASSERT_EQ(out.fields.size(), 3U);
  EXPECT_EQ(out.fields[0].records, 4);
  EXPECT_EQ(out.fields[1].when, "once");
  EXPECT_EQ(out.fields[1].records, 1);
  EXPECT_EQ(out.fields[2].records, 3);
  EXPECT_EQ(out.bytes, 8 * 12 * 8);
}

/// A period without a date at which a sample is taken has no record.
TEST(Plan, leaves_out_records_without_a_sample) {
  const Model model = model_of({"type='D360' timestep='1h' start_date='2000-01-01'",
                                "output_freq='2h' split_freq='4h'",
                                "operation='instant' freq_op='5h' prec='8' scalar_ref='s'"});
  const Plan result = plan(model, Duration::parse("25h"));
  const PlannedFile& planned = file(result, "f");
  // Samples at 5, 10, 15 and 20 h; that of 25 h is in a record that ends at 26 h.
  EXPECT_EQ(planned.records, 4);
  EXPECT_EQ(planned.left_out, 8);
  EXPECT_EQ(planned.fields.at(0).records, 4);
  ASSERT_EQ(planned.parts.size(), 4U);
  std::string ends;
  for (const PlannedPart& part : planned.parts) {
    EXPECT_EQ(part.records, 1);
    for (const PlannedRecord& record : records_of(model, model.files.at(0), part)) {
      ends += model.calendar().text(record.interval.end) + "\n";
    }
    EXPECT_EQ(model.calendar().text(part.first), model.calendar().text(part.last));
  }
  EXPECT_EQ(ends,
            "2000-01-01 06:00:00\n2000-01-01 10:00:00\n2000-01-01 16:00:00\n2000-01-01 20:00:00\n");
  EXPECT_EQ(planned.bytes, 4 * (8 + 2 * 3 * 8)) << "two times with bounds";
}

}  // namespace
}  // namespace epios::config::plan_test
