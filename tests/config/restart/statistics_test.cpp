// What a run that goes on is compared with: each difference is named, at its place.
#include "config/statistics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "config/error.hpp"
#include "sample.hpp"

namespace epios::config::statistics_test {
namespace {

Model model_of(const std::string& xml) { return test::model(xml); }

std::string with_statistics() {
  std::string xml = test::sample_xml;
  const std::string context = "<context id=\"ocean\"";
  return xml.insert(xml.find(context) + context.size(), " statistics_file=\"waiting\"");
}

std::string changed(std::string xml, const std::string& from, const std::string& to) {
  const std::size_t at = xml.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return xml.replace(at, from.size(), to);
}

/// What a run of 30 steps leaves.
StoredStatistics left_by(Model model) {
  const std::vector<KeptOperation> kept = kept_operations(model);
  RunState state;
  state.start_date = model.start_date;
  state.time_origin = model.time_origin;
  state.steps = state.announced_steps = 30;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    const auto number = static_cast<std::int64_t>(k);
    state.operations.push_back({{number + 30, 1}, number + 6, k % 2 == 0, number % 3, {number}});
  }
  state.paths = paths_at(model, model.calendar().at_step(model.start_date, 30), false);
  add_statistics_file(model, kept);
  StoredStatistics out;
  for (const Variable& variable : model.files.back().variables) {
    out.attributes.emplace(variable.name, variable.text);
  }
  out.numbers = numbers_of(state);
  return out;
}

const char* const begins_later = "start_date=\"2001-01-02 06:00:00\"";

std::string next_xml() {
  return changed(changed(with_statistics(), "start_date=\"2001-01-01\"", begins_later),
                 "<context id=\"ocean\"", "<context id=\"ocean\" output_dir=\"next\"");
}

std::string told(const std::string& xml, const StoredStatistics& stored) {
  const Model model = model_of(xml);
  try {
    continuation(model, kept_operations(model), stored);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// A field on four columns and one of them, or what is put together over them.
std::string window(const std::string& element, const std::string& begin = "2001-01-01") {
  return R"(<simulation><context id="ocean" statistics_file="waiting">
    <calendar type="NoLeap" timestep="1h" start_date=")" +
         begin + R"("/>
    <axis_definition><axis id="x" n_glo="4"/>
      <axis id="some">)" +
         element + R"(</axis></axis_definition>
    <field_definition operation="average"><field id="t" axis_ref="x"/>
      <field id="t_some" field_ref="t" axis_ref="some"/></field_definition>
    <file_definition><file id="f" output_freq="1d"><field field_ref="t_some"/></file>
    </file_definition></context></simulation>)";
}

TEST(Statistics, of_another_window_of_the_same_size_are_refused) {
  const std::string later = "2001-01-02 06:00:00";
  const StoredStatistics stored = left_by(model_of(window("<extract_axis begin='0' n='2'/>")));
  const std::string same = told(window("<extract_axis begin='0' n='2'/>", later), stored);
  EXPECT_EQ(same.find("data"), std::string::npos) << same;
  const std::string moved = told(window("<extract_axis begin='1' n='2'/>", later), stored);
  EXPECT_NE(moved.find("its data"), std::string::npos) << moved;
  const std::string turned =
      told(window("<extract_axis begin='0' n='2'/><inverse_axis/>", later), stored);
  EXPECT_NE(turned.find("its data"), std::string::npos) << turned;
}

TEST(Statistics, that_differ_between_clients_are_refused) {
  const auto refusal = [](const std::string& elements, const std::string& fields) {
    try {
      kept_operations(model_of(R"(<simulation><context id="ocean" statistics_file="waiting">
        <calendar type="NoLeap" timestep="1h" start_date="2001-01-01"/>
        <axis_definition><axis id="x" n_glo="4"/></axis_definition>
        <scalar_definition><scalar id="one"/>)" +
                               elements + R"(</scalar_definition>
        <field_definition operation="average"><field id="t" axis_ref="x"/><field id="s" scalar_ref="one"/>)" +
                               fields + R"(</field_definition>
        <file_definition><file id="f" output_freq="1d"><field field_ref="made" operation="instant"/></file>
        </file_definition></context></simulation>)"));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string own = "<scalar id='sum'><reduce_axis operation='sum' local='true'/></scalar>";
  const std::string of_all = "<scalar id='sum'><reduce_scalar operation='sum'/></scalar>";
  EXPECT_EQ(refusal(own,
                    "<field id='own' field_ref='t' axis_ref='_reset_' scalar_ref='sum'/>"
                    "<field id='made' scalar_ref='sum' freq_op='6h'> @own </field>"),
            "iodef.xml:6:56: error: the expression of field 'made' of file 'f': its values may be "
            "others on each client (they come from <reduce_axis> with local=\"true\"), of which "
            "statistics_file keeps one per point. Remove statistics_file, or the operation over "
            "time?");
  EXPECT_THAT(refusal(of_all,
                      "<field id='mean' scalar_ref='one' freq_op='6h'> @s </field>"
                      "<field id='made' field_ref='mean' scalar_ref='sum' operation='instant'/>"),
              testing::HasSubstr("<reduce_scalar> puts those of all clients together"));
  EXPECT_EQ(refusal(of_all,
                    "<field id='total' field_ref='s' scalar_ref='sum'/>"
                    "<field id='made' scalar_ref='sum' freq_op='6h'> @total </field>"),
            "");
}

TEST(Statistics, of_fields_whose_samples_are_too_far_apart_are_refused) {
  const auto refusal = [](const std::string& offset) {
    try {
      kept_operations(model_of(R"(<simulation><context id="ocean" statistics_file="waiting">
        <calendar type="NoLeap" timestep="1h" start_date="2001-01-01"/>
        <axis_definition><axis id="x" n_glo="4"/></axis_definition>
        <field_definition operation="average" freq_op="2h"><field id="t" axis_ref="x"/></field_definition>
        <file_definition><file id="f" output_freq="1d"><field field_ref="t" name="soon" freq_offset=")" +
                               offset + R"("/>
          <field field_ref="t" name="late"/></file></file_definition></context></simulation>)"));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal("-1ts"), "");
  EXPECT_EQ(
      refusal("-4h"),
      "iodef.xml:5:56: error: field 'soon' of file 'f' cannot be kept in statistics_file (its "
      "freq_offset '-4h' is more than a freq_op before '1h' of field 'late', so that its next "
      "sample comes before their records are whole). Bring them nearer, or write one of them "
      "to another file?");
}

/// How far is too far depends on when the next sample comes, not on the offsets.
TEST(Statistics, of_fields_whose_next_sample_comes_later_are_kept) {
  const auto is_kept = [](const std::string& soon) {
    try {
      kept_operations(model_of(R"(<simulation><context id="ocean" statistics_file="waiting">
        <calendar type="NoLeap" timestep="1h" start_date="2001-01-01"/>
        <axis_definition><axis id="x" n_glo="4"/></axis_definition>
        <field_definition operation="instant" axis_ref="x"><field id="t"/>
        </field_definition>
        <file_definition><file id="f" output_freq="1d">
          <field field_ref="t" name="late" freq_op="1d"/>
          <field field_ref="t" name="soon" freq_op="1d" freq_offset=")" +
                               soon + R"("/></file></file_definition></context></simulation>)"));
    } catch (const Error&) {
      return false;
    }
    return true;
  };
  // The sample of the next day is taken with the one that is waited for, or an hour before it.
  EXPECT_TRUE(is_kept("-1ts"));
  EXPECT_FALSE(is_kept("-2ts"));
}

TEST(Statistics, a_state_is_taken_up_whatever_the_order_of_fields) {
  const Model before = model_of(with_statistics());
  const StoredStatistics stored = left_by(before);
  const std::string daily = "<field field_ref=\"sst\"/>";
  const Model model = model_of(changed(changed(next_xml(), daily, ""),
                                       "<field field_ref=\"temp\" enabled=\"true\"/>",
                                       "<field field_ref=\"temp\" enabled=\"true\"/>" + daily));
  const std::vector<KeptOperation> kept = kept_operations(model);
  const Continuation found = continuation(model, kept, stored);
  EXPECT_EQ(found.state.start_date, before.start_date);
  EXPECT_EQ(found.state.steps, 30);
  ASSERT_EQ(found.from, (std::vector<std::size_t>{1, 2, 0, 3}));
  EXPECT_EQ(found.state.operations[2].counters.samples, 30);
  EXPECT_EQ(found.state.operations[2].samples, 6);
  EXPECT_TRUE(found.state.operations[2].misses_some);
  EXPECT_FALSE(found.state.operations[0].misses_some);
  EXPECT_EQ(found.state.operations[1].held_samples, 2);
  EXPECT_EQ(found.state.operations[1].held_at.ms, 2);
}

std::string twins(const std::string& context, const std::string& start, const std::string& fields) {
  return "<simulation><context id='ocean' statistics_file='s'" + context +
         "><calendar type='NoLeap' timestep='1h' start_date='" + start + "'/>" +
         "<axis_definition><axis id='z' n_glo='3'/><axis id='w' n_glo='3'/></axis_definition>"
         "<field_definition operation='average'><field id='t' axis_ref='z'/>"
         "<field id='on_z' axis_ref='z' expr='2*t'/><field id='on_w' axis_ref='w' expr='2*t'/>"
         "</field_definition><file_definition><file id='f' output_freq='4d'>" +
         fields + "</file></file_definition></context></simulation>";
}

// One expression on two grids of one shape: two operations that differ in nothing but their fields.
TEST(Statistics, what_goes_to_partners_goes_on) {
  const Model model = model_of(test::in_context(
      "<domain_definition><domain id='d' type='rectilinear' ni_glo='4' "
      "nj_glo='3'/></domain_definition>"
      "<field_definition domain_ref='d' operation='average'><field id='a'/>"
      "<field id='b' freq_op='6h'> @a </field></field_definition>"
      "<coupler_out_definition><coupler_out context='atm::sky'><field field_ref='a' freq_op='1d'/>"
      "<field field_ref='b' operation='instant' "
      "freq_op='6h'/></coupler_out></coupler_out_definition>"));
  std::string fields;
  for (const KeptOperation& kept : kept_operations(model)) fields += kept.field + "; ";
  EXPECT_EQ(
      fields,
      "the expression of field 'b' of a coupler_out; field 'a' of a coupler_out; field 'b' of a "
      "coupler_out; ");
}

TEST(Statistics, twins_go_on_in_their_own_fields) {
  const std::string z = "<field field_ref='on_z'/>";
  const std::string w = "<field field_ref='on_w'/>";
  const StoredStatistics stored = left_by(model_of(twins("", "2001-01-01", z + w)));
  using From = std::vector<std::size_t>;
  const auto found = [&](const std::string& fields) {
    const Model model = model_of(twins(" output_dir='next'", "2001-01-02 06:00:00", fields));
    return continuation(model, kept_operations(model), stored).from;
  };
  EXPECT_EQ(found(z + w), (From{0, 1}));
  EXPECT_EQ(found(w + z), (From{1, 0}));
}

// A period may be said in another way by the next run; the time step, too.
TEST(Statistics, equal_periods_are_equal_however_they_are_said) {
  const auto xml = [](const std::string& context, const std::string& step, const std::string& start,
                      const std::string& day, const std::string& month) {
    return "<simulation><context id='ocean' statistics_file='s'" + context +
           "><calendar type='D360' timestep='" + step + "' start_date='" + start + "'/>" +
           "<axis_definition><axis id='z' n_glo='3'/></axis_definition>"
           "<field_definition operation='average' axis_ref='z'><field id='t'/><field id='daily' "
           "expr='@t' freq_op='" +
           day +
           "'/></field_definition><file_definition><file id='f' "
           "output_freq='" +
           month + "'><field field_ref='daily'/><field field_ref='t' freq_op='" + day +
           "'/></file></file_definition></context></simulation>";
  };
  const StoredStatistics stored = left_by(model_of(xml("", "1h", "2001-01-01", "1d", "1mo")));
  const char* const later = "2001-01-02 06:00:00";
  const std::string next = " output_dir='next'";
  EXPECT_EQ(told(xml(next, "60mi", later, "24h", "30d"), stored), "");
  EXPECT_NE(told(xml(next, "1h", later, "12h", "30d"), stored).find("freq_op is '12h', was '1d';"),
            std::string::npos);
}

TEST(Statistics, a_run_that_goes_on_counts_from_the_first_start) {
  Model model = model_of(next_xml());
  const std::vector<KeptOperation> kept = kept_operations(model);
  const Continuation found = continuation(model, kept, left_by(model_of(with_statistics())));
  const Instant start = model.start_date;
  go_on(model, kept, found.state);
  EXPECT_EQ(model.calendar().at_step(model.start_date, model.steps_before), start);
  EXPECT_EQ(model.files[0].first_record, 1);
}

TEST(Statistics, each_difference_is_named_at_its_place) {
  const StoredStatistics stored = left_by(model_of(with_statistics()));
  EXPECT_EQ(told(next_xml(), stored), "");
  EXPECT_EQ(
      told(changed(next_xml(), "NoLeap", "D360"), stored),
      "iodef.xml:3:41: error: the calendar of context 'ocean' is '360_day', of the run before "
      "it was 'noleap' (statistics file 'waiting.nc'). Keep it, or remove the file to "
      "begin anew?");
  EXPECT_EQ(
      told(changed(next_xml(), "timestep=\"1h\"", "timestep=\"30mi\""), stored),
      "iodef.xml:3:41: error: timestep of context 'ocean' is '30mi', of the run before it was "
      "'1h' (statistics file 'waiting.nc'). Keep it, or remove the file to begin anew?");
  EXPECT_EQ(
      told(changed(next_xml(), "2000-01-01 00", "1999-01-01 00"), stored),
      "iodef.xml:3:41: error: time_origin of context 'ocean' is '1999-01-01 00:00:00', of the "
      "run before it was '2000-01-01 00:00:00' (statistics file 'waiting.nc'). Keep it, "
      "or remove the file to begin anew?");
  EXPECT_EQ(told(changed(next_xml(), begins_later, "start_date=\"2001-01-02 07:00:00\""), stored),
            "iodef.xml:3:41: error: start_date of context 'ocean' is 2001-01-02 07:00:00, the run "
            "before ended at 2001-01-02 06:00:00 (statistics file 'waiting.nc'). Begin where "
            "it ended, or remove the file to begin anew?");
  EXPECT_EQ(told(changed(next_xml(), "freq_op=\"6h\"", "freq_op=\"12h\""), stored),
            "iodef.xml:31:9: error: field 'tosmax' of file 'daily' cannot go on (freq_offset is "
            "'11h', was '5h', freq_op is '12h', was '6h'; statistics file 'waiting.nc'). Keep "
            "what the run before had, or remove the file to begin anew?");
  EXPECT_EQ(told(changed(next_xml(), "ni_glo=\"8\"", "ni_glo=\"9\""), stored).substr(0, 92),
            "iodef.xml:30:9: error: field 'tos' of file 'daily' cannot go on (points is '9 x 4', "
            "was '8 x");
  EXPECT_EQ(told(changed(next_xml(), "level=\"9\"", "level=\"1\""), stored),
            "iodef.xml:35:9: error: field 'salt' of file 'daily' cannot go on (the run before did "
            "not have it; statistics file 'waiting.nc'). Keep what the run before had, or "
            "remove the file to begin anew?");
  EXPECT_EQ(
      told(changed(next_xml(), "<file id=\"monthly\"", "<file id=\"monthly\" enabled=\"false\""),
           stored),
      "iodef.xml:3:41: error: field 'mean_sst' of file 'monthly' goes on in no field "
      "(statistics file 'waiting.nc' has its instant over 1mo). Write the field, or "
      "remove the file to begin anew?");
  const std::string over = told(changed(next_xml(), " output_dir=\"next\"", ""), stored);
  EXPECT_EQ(
      over.substr(0, over.find('\n')),
      "iodef.xml:29:7: error: file 'out/daily.nc' was written by the run before, whose records "
      "this run would write over. Add append=\"true\", or give each run another name?");
}

TEST(Statistics, other_files_are_refused) {
  const StoredStatistics good = left_by(model_of(with_statistics()));
  EXPECT_EQ(
      told(next_xml(), {}),
      "iodef.xml:3:41: error: statistics file 'waiting.nc' is no statistics file of this "
      "version (it has no attribute statistics_format = 'EPIOS statistics 3'). Is it the right "
      "one, or remove it to begin anew?");
  StoredStatistics other = good;
  other.attributes["context"] = "ice";
  EXPECT_EQ(told(next_xml(), other),
            "iodef.xml:3:41: error: statistics file 'waiting.nc' belongs to context 'ice', not "
            "to 'ocean'. Give each context a file of its own?");
  const std::string damaged =
      "iodef.xml:3:41: error: statistics file 'waiting.nc' is damaged (its variable 'run' does "
      "not say what it should). Take a copy of it, or remove it to begin anew?";
  for (std::size_t i = 0; i < good.numbers.size(); ++i) {
    StoredStatistics broken = good;
    broken.numbers[i] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(told(next_xml(), broken), damaged) << i;
  }
  // Steps and numbers of samples and records; neither dates nor whether some data were missed.
  const std::size_t operations = static_cast<std::size_t>(good.numbers[4]);
  std::vector<std::size_t> counts{2, 3};
  for (std::size_t k = 0; k < operations; ++k) {
    for (const std::size_t i : {0U, 1U, 2U, 4U}) counts.push_back(5 + 6 * k + i);
  }
  for (const std::size_t i : counts) {
    StoredStatistics negative = good;
    negative.numbers[i] = -1;
    EXPECT_EQ(told(next_xml(), negative), damaged) << i;
  }
  StoredStatistics held = good;  // samples of a record that has not come
  held.numbers[5 + 1] = 0;
  held.numbers[5 + 4] = 1;
  EXPECT_EQ(told(next_xml(), held), damaged);
  StoredStatistics cut = good;
  cut.numbers.resize(5);
  EXPECT_EQ(told(next_xml(), cut), damaged);
}

TEST(Statistics, a_name_that_is_no_name) {
  const auto findings = [](const std::string& name) {
    const std::string xml = changed(with_statistics(), "\"waiting\"", "\"" + name + "\"");
    const Checked checked = check_and_resolve(test::texts(xml));
    std::string text;
    for (const Diagnostic& finding : checked.findings) text += finding.text() + "\n";
    return text;
  };
  EXPECT_EQ(findings("state/"),
            "iodef.xml:3:23: error: statistics_file is 'state/' (it names no file). Write a name "
            "that can be typed. [E0701]\n");
  EXPECT_EQ(
      findings("out/daily"),
      "iodef.xml:3:23: error: statistics_file is 'out/daily.nc' (the file at iodef.xml:29:7 is "
      "written there, too). Give one of them another name. [E0702]\n");
}

/// A daily mean at some dates.
std::string dated(const std::string& start, const std::string& file) {
  return R"(<simulation><context id="ocean" statistics_file="waiting"><calendar type="NoLeap" )"
         R"(timestep="1h" start_date=")" +
         start +
         R"(" time_origin="2001-01-01"/><scalar_definition><scalar id="one"/></scalar_definition>)"
         R"(<field_definition><field id="t" scalar_ref="one" operation="average"/></field_definition>)"
         R"(<file_definition><file id="f" append="true" )" +
         file + R"(><field field_ref="t"/></file></file_definition></context></simulation>)";
}

// Records under way have the dates of the run before.
TEST(Statistics, dates_of_output_stay_as_they_are) {
  const std::string windows = R"(output_freq="1d" output_dates="2001-01-01 .. 2001-01-09")";
  const StoredStatistics of_windows = left_by(model_of(dated("2001-01-01", windows)));
  const std::string later = "2001-01-02 06:00:00";
  EXPECT_EQ(told(dated(later, windows), of_windows), "");
  EXPECT_NE(told(dated(later, R"(output_freq="1d")"), of_windows), "");
  EXPECT_NE(
      told(dated(later, R"(output_freq="1d" output_dates="2001-01-01 .. 2001-01-08")"), of_windows)
          .find("output_dates is '"),
      std::string::npos);
  const std::string list = R"(output_dates="2001-01-01 12:00, 2001-01-09")";
  const StoredStatistics of_list = left_by(model_of(dated("2001-01-01", list)));
  EXPECT_EQ(told(dated(later, list), of_list), "");
  EXPECT_NE(told(dated(later, R"(output_dates="2001-01-01 12:00, 2001-01-10")"), of_list)
                .find("output_dates is '2001-01-01 12:00:00, 2001-01-10 00:00:00', was "
                      "'2001-01-01 12:00:00, 2001-01-09 00:00:00'"),
            std::string::npos);
}

// Each period of the cycle has a state of its own; another climatology takes none of them, which is
// said once and not for each.
TEST(Statistics, climatologies_go_on_period_by_period) {
  const std::string days = R"(output_freq="6h" climatology="day" climatology_freq=")";
  const StoredStatistics left = left_by(model_of(dated("2001-01-01", days + R"(10d")")));
  const std::string later = "2001-01-02 06:00:00";
  EXPECT_EQ(told(dated(later, days + R"(10d")"), left), "");
  const std::string text = told(dated(later, days + R"(5d")"), left);
  const std::string why = "'4 periods within cycles of 5d', was '4 periods within cycles of 10d'";
  EXPECT_NE(text.find(why), std::string::npos) << text;
  EXPECT_EQ(text.find(why), text.rfind(why)) << text;
}

}  // namespace
}  // namespace epios::config::statistics_test
