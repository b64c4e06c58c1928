// Which records files have, and of which samples they are made, where data do not come at every
// step. Values are the numbers of the steps that they were sent at, beside points of other values.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mpi.h>

#include <cmath>
#include <cstdint>
#include <epios/epios.hpp>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "../integration/netcdf_file.hpp"
#include "shared_scratch.hpp"

namespace epios::client::records_test {
namespace {

using ::testing::ElementsAre;
using Values = std::vector<double>;

constexpr int points = 12;
constexpr double none = -9;

std::string context_xml(const std::string& id, const std::string& timestep,
                        const std::string& content) {
  return "<context id='" + id + "'><calendar type='D360' timestep='" + timestep +
         "' start_date='2000-01-01'/><scalar_definition><scalar id='s'/></scalar_definition>"
         "<axis_definition><axis id='x' n_glo='12'/>"
         "<axis id='pair' n_glo='2'><temporal_splitting/></axis></axis_definition>"
         "<grid_definition><grid id='gs'><scalar scalar_ref='s'/></grid></grid_definition>" +
         content + "</context>";
}

const std::string gaps = context_xml("gaps", "1h", R"(
  <field_definition prec="8" default_value="-9" operation="instant">
    <field id="a" axis_ref="x"/><field id="s" grid_ref="gs"/><field id="never" grid_ref="gs"/>
    <field id="sum" grid_ref="gs" operation="accumulate" freq_op="3h"> @m * 1 </field>
    <field id="m" field_ref="s" operation="accumulate"/>
  </field_definition>
  <file_definition time_units="seconds">
    <file id="both" output_freq="1h"><field field_ref="a"/><field field_ref="s"/></file>
    <file id="wide" output_freq="1h" format="cdf5"><field field_ref="a"/><field field_ref="s"/></file>
    <file id="wide_parts" output_freq="1h" format="cdf5" split_freq="4h" split_freq_format="%h">
      <field field_ref="s"/>
    </file>
    <file id="single" output_freq="1h"><field field_ref="a"/><field field_ref="never"/></file>
    <file id="parts" output_freq="1h" split_freq="4h" split_freq_format="%h"><field field_ref="s"/></file>
    <file id="means" output_freq="3h"><field field_ref="s" operation="average"/></file>
    <file id="mixed" output_freq="3h">
      <field field_ref="a" operation="average"/><field field_ref="s" operation="average"/>
    </file>
    <file id="chain" output_freq="3h">
      <field field_ref="a" operation="average"/><field field_ref="sum" freq_op="3h"/>
    </file>
    <file id="series" output_freq="1h" timeseries="only">
      <field field_ref="a" ts_enabled="true"/><field field_ref="s" ts_enabled="true"/>
    </file>
    <file id="offset" output_freq="1h" record_offset="1"><field field_ref="a"/></file>
  </file_definition>)");

const std::string chains = context_xml("chains", "4h", R"(
  <field_definition prec="8" grid_ref="gs" freq_op="1ts" freq_offset="OFFSET">
    <field id="a" operation="average"/><field id="amax" field_ref="a" operation="maximum"/>
  </field_definition>
  <file_definition>
    <file id="d1" output_freq="1d"><field field_ref="a" name="m" operation="average" freq_op="1d"> @amax </field></file>
    <file id="d2" output_freq="2d"><field field_ref="a" name="m" operation="average" freq_op="1d"> @amax </field></file>
    <file id="d5" output_freq="5d">
      <field field_ref="a" name="m" operation="average" freq_op="1d"> @amax </field>
      <field field_ref="a" name="sum" operation="accumulate" freq_op="1d"> @amax </field>
      <field field_ref="a" name="least" operation="minimum" freq_op="1d"> @amax </field>
      <field field_ref="a" name="most" operation="maximum" freq_op="1d"> @amax </field>
      <field field_ref="a" name="now" operation="instant" freq_op="1d"> @amax </field>
    </file>
  </file_definition>)");

const std::string pairs = context_xml("pairs", "1h", R"(
  <grid_definition><grid id="two"><axis axis_ref="pair"/></grid></grid_definition>
  <field_definition prec="8" default_value="-9"><field id="f" grid_ref="gs"/></field_definition>
  <file_definition>
    <file id="every2" output_freq="2h"><field field_ref="f" name="v" grid_ref="two" operation="instant"/></file>
    <file id="every4" output_freq="4h"><field field_ref="f" name="v" grid_ref="two" operation="instant"/></file>
    <file id="every6" output_freq="6h"><field field_ref="f" name="v" grid_ref="two" operation="instant"/></file>
    <file id="mean6" output_freq="6h"><field field_ref="f" name="v" grid_ref="two" operation="average"/></file>
  </file_definition>)");

const std::string uneven = context_xml("uneven", "1h", R"(
  <field_definition prec="8" grid_ref="gs"><field id="f" operation="average"/>
    <field id="rare" field_ref="f" operation="maximum" freq_op="5h"/>
  </field_definition>
  <file_definition>
    <file id="five" output_freq="5h">
      <field field_ref="f" name="mean" operation="average" freq_op="2h"/>
      <field field_ref="f" name="once" operation="once" freq_op="2h"/>
      <field field_ref="f" name="early" operation="accumulate" freq_op="2h" freq_offset="0ts"/>
    </file>
    <file id="two" output_freq="2h"><field field_ref="f" name="now" operation="instant" freq_op="5h"/></file>
    <file id="link" output_freq="12h"><field field_ref="f" name="most" operation="average" freq_op="12h"> @rare </field></file>
  </file_definition>)");

/// A context whose axis is dealt out.
class Run {
 public:
  Run(Client& client, const std::string& id) : context_(client.open_context(id)) {
    const std::int64_t size = client.size();
    const std::int64_t begin = points * client.rank() / size;
    count_ = static_cast<std::size_t>(points * (client.rank() + 1) / size - begin);
    context_.set("axis", "x", "begin", begin);
    context_.set("axis", "x", "n", static_cast<std::int64_t>(count_));
    context_.close_definition();
  }
  void step(std::int64_t step) { context_.update_calendar(step); }
  void send(const char* field, double value, bool is_scalar = true) {
    context_.send(field, Values(is_scalar ? 1 : count_, value));
  }
  void finalize() { context_.finalize(); }
  Context& context() { return context_; }

 private:
  Context context_;
  std::size_t count_ = 0;
};

/// Of a variable without further dimensions, or the last point of each record.
Values series(const std::string& file, const std::string& variable, int size = 1) {
  Values out;
  const Values all = toy::NetcdfFile(file).values(variable);
  for (std::size_t i = static_cast<std::size_t>(size) - 1; i < all.size();
       i += static_cast<std::size_t>(size)) {
    if (size > 1) {
      EXPECT_EQ(all[i], all[i + 1 - static_cast<std::size_t>(size)]) << file << " " << variable;
    }
    out.push_back(all[i]);
  }
  return out;
}

Values hours(const std::string& file) {
  Values out = series(file, "time_counter");
  for (double& value : out) value /= 3600;
  return out;
}

void run_gaps(Client& client) {
  Run run(client, "gaps");
  const std::set<int> of_a{9, 12};
  const std::set<int> of_s{2, 9, 10};
  for (int step = 1; step <= 12; ++step) {
    run.step(step);
    if (of_a.contains(step)) run.send("a", step, false);
    if (of_s.contains(step)) run.send("s", step);
  }
  run.finalize();
}

void check_gaps() {
  for (const char* file : {"both.nc", "wide.nc"}) {
    EXPECT_THAT(hours(file), ElementsAre(2, 9, 10, 12)) << file;
    EXPECT_THAT(series(file, "a", points), ElementsAre(none, 9, none, 12)) << file;
    EXPECT_THAT(series(file, "s"), ElementsAre(2, 9, 10, none)) << file;
  }
  EXPECT_THAT(hours("single.nc"), ElementsAre(9, 12)) << "what comes first is the first record";
  EXPECT_THAT(series("single.nc", "a", points), ElementsAre(9, 12));
  EXPECT_THAT(series("single.nc", "never"), ElementsAre(none, none));
  for (const std::string parts : {"parts", "wide_parts"}) {
    EXPECT_THAT(hours(parts + "_00-03.nc"), ElementsAre(2)) << parts;
    EXPECT_THAT(series(parts + "_00-03.nc", "s"), ElementsAre(2)) << parts;
    EXPECT_FALSE(std::filesystem::exists(parts + "_04-07.nc")) << "nothing was sent";
    EXPECT_THAT(hours(parts + "_08-11.nc"), ElementsAre(9, 10)) << parts;
    EXPECT_THAT(series(parts + "_08-11.nc", "s"), ElementsAre(9, 10)) << parts;
  }
  EXPECT_THAT(hours("means.nc"), ElementsAre(1.5, 7.5, 10.5));
  EXPECT_THAT(series("means.nc", "s"), ElementsAre(2, 9, 10));
  // The first mean of s leaves after the data of a have come: it has its place, the second has
  // none.
  EXPECT_THAT(hours("mixed.nc"), ElementsAre(1.5, 7.5, 10.5));
  EXPECT_THAT(series("mixed.nc", "a", points), ElementsAre(none, 9, 12));
  EXPECT_THAT(series("mixed.nc", "s"), ElementsAre(2, 9, 10));
  EXPECT_THAT(hours("chain.nc"), ElementsAre(1.5, 7.5, 10.5));
  EXPECT_THAT(series("chain.nc", "sum"), ElementsAre(2, 9, 10));
  EXPECT_THAT(hours("series_a.nc"), ElementsAre(9, 12));
  EXPECT_THAT(hours("series_s.nc"), ElementsAre(2, 9, 10));
  const Values behind = hours("offset.nc");
  ASSERT_EQ(behind.size(), 3U);
  EXPECT_EQ(behind[1], 9);
  EXPECT_EQ(behind[2], 12);
}

void run_chains(Client& client, const std::string& offset) {
  Run run(client, "chains" + offset);
  for (int step = 1; step <= 60; ++step) {
    run.step(step);
    run.send("a", step);
  }
  run.finalize();
}

/// `shift`: of the last sample of a day, in steps; of so many days there are values.
void check_chains(const std::string& offset, int shift) {
  const auto path = [&](const std::string& file) { return file + offset + ".nc"; };
  Values days;
  for (int day = 1; day <= 10; ++day) days.push_back(6 * day + shift);
  Values known = series(path("d1"), "m");
  ASSERT_GE(known.size(), 9U);
  days.resize(known.size());
  EXPECT_EQ(known, days);
  const auto expected = [&](std::size_t length, auto of) {
    Values out;
    for (std::size_t end = length; end <= days.size(); end += length) {
      out.push_back(of(days[end - length], days[end - 1]));
    }
    return out;
  };
  const auto mean = [](double first, double last) { return (first + last) / 2; };
  EXPECT_EQ(series(path("d2"), "m"), expected(2, mean));
  EXPECT_EQ(series(path("d5"), "m"), expected(5, mean));
  EXPECT_EQ(series(path("d5"), "sum"),
            expected(5, [](double first, double last) { return 5 * (first + last) / 2; }));
  EXPECT_EQ(series(path("d5"), "least"), expected(5, [](double first, double) { return first; }));
  EXPECT_EQ(series(path("d5"), "most"), expected(5, [](double, double last) { return last; }));
  EXPECT_EQ(series(path("d5"), "now"), expected(5, [](double, double last) { return last; }));
}

void run_pairs(Client& client) {
  Run run(client, "pairs");
  for (int step = 1; step <= 12; ++step) {
    run.step(step);
    run.send("f", step);
  }
  run.finalize();
}

void check_pairs() {
  const auto values = [](const char* file) { return toy::NetcdfFile(file).values("v"); };
  EXPECT_THAT(values("every2.nc"), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
  EXPECT_THAT(values("every4.nc"), ElementsAre(3, 4, 7, 8, 11, 12));
  EXPECT_THAT(values("every6.nc"), ElementsAre(5, 6, 11, 12));
  EXPECT_THAT(values("mean6.nc"), ElementsAre(3, 4, 9, 10));
}

void run_uneven(Client& client) {
  Run run(client, "uneven");
  for (int step = 1; step <= 25; ++step) {
    run.step(step);
    run.send("f", step);
  }
  run.finalize();
}

void check_uneven() {
  EXPECT_THAT(series("five.nc", "mean"), ElementsAre(3, 8, 13, 18, 23));
  EXPECT_THAT(series("five.nc", "early"), ElementsAre(4, 21, 24, 51, 44));
  EXPECT_THAT(series("five.nc", "once"), ElementsAre(2));
  EXPECT_THAT(hours("two.nc"), ElementsAre(6, 10, 16, 20));
  EXPECT_THAT(series("two.nc", "now"), ElementsAre(5, 10, 15, 20));
  EXPECT_THAT(series("link.nc", "most"), ElementsAre(10, 20));
}

std::string with_offset(std::string text, const std::string& offset) {
  const auto replace = [&text](const std::string& what, const std::string& with) {
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
      text.replace(at, what.size(), with);
  };
  replace("OFFSET", offset);
  replace("id='chains'", "id='chains" + offset + "'");
  for (const char* file : {"d1", "d2", "d5"}) {
    replace("<file id=\"" + std::string(file) + "\"",
            "<file id=\"" + std::string(file) + "\" name=\"" + file + offset + "\"");
  }
  return text;
}

TEST(Records, AreMadeOfWhatComes) {
  int processes = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  const std::string has_gatherers = processes > 3 ? "true" : "false";
  const SharedScratch scratch(
      "<simulation><context id='xios'><variable_definition><variable id='shared_record_bytes'>"
      "8</variable><variable id='using_server2'>" +
      has_gatherers + "</variable></variable_definition></context>" + gaps +
      with_offset(chains, "0ts") + with_offset(chains, "1ts") + with_offset(chains, "-1ts") +
      pairs + uneven + "</simulation>");
  Session session("model");
  Client client(session);
  ::testing::internal::CaptureStderr();
  run_gaps(client);
  run_chains(client, "0ts");
  run_chains(client, "1ts");
  run_chains(client, "-1ts");
  const std::string of_gaps = ::testing::internal::GetCapturedStderr();
  ::testing::internal::CaptureStderr();
  run_pairs(client);
  run_uneven(client);
  const std::string said = ::testing::internal::GetCapturedStderr();
  const int rank = client.rank();
  client.close();
  session.close();
  if (rank == 0) {
    check_gaps();
    check_chains("0ts", 0);
    check_chains("1ts", 1);
    check_chains("-1ts", -1);
    check_pairs();
    check_uneven();
    EXPECT_THAT(of_gaps, ::testing::HasSubstr("of 12 records 10 missing (10 in all fields: not in "
                                              "the file)"));
    EXPECT_THAT(said, ::testing::Not(::testing::HasSubstr("was not always sent"))) << said;
    EXPECT_THAT(said, ::testing::Not(::testing::HasSubstr("not written"))) << said;
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace
}  // namespace epios::client::records_test
