// Jobs that go on from one another where they read files, have partners, or write nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdint>
#include <epios/epios.hpp>
#include <string>
#include <vector>

#include "../integration/netcdf_file.hpp"
#include "shared_scratch.hpp"

namespace epios::client::going_on_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Values = std::vector<double>;

constexpr const char* calendar =
    "<calendar type='NoLeap' start_date='2000-01-01' time_origin='2000-01-01' timestep='1h'/>";

// A record every two hours, which is the number of the hour.
const std::string forcing = std::string("<context id='forcing'>") + calendar + R"(
  <axis_definition><axis id="x" n_glo="1"/></axis_definition>
  <file_definition><file id="hours" output_freq="2h">
    <field id="f" axis_ref="x" operation="instant" prec="8"/></file></file_definition></context>)";

std::string reading(const std::string& id, const std::string& how) {
  return "<context id='" + id + "' statistics_file='state_" + id + "'>" + calendar + R"(
  <axis_definition><axis id="x" n_glo="1"/></axis_definition>
  <field_definition prec="8"><field id="sent" axis_ref="x"/>
    <field id="product" axis_ref="x" operation="maximum"> w * 1 + sent * 0 </field></field_definition>
  <file_definition>
    <file id="hours" mode="read" output_freq="2h" )" +
         how + R"(><field id="w" name="f" axis_ref="x" operation="instant" freq_offset="2h"/></file>
    <file id="out" output_freq="6h">
      <field field_ref="w" name="mean" operation="average" freq_op="2h"/>
      <field field_ref="w" name="each" operation="accumulate"/>
      <field field_ref="product" name="most" operation="maximum" freq_op="2h"/></file>
  </file_definition></context>)";
}

std::string coupled(const std::string& operation) {
  const std::string from = operation + "_from";
  const std::string to = operation + "_to";
  return "<context id='" + from + "' statistics_file='state_" + from + "'>" + calendar + R"(
  <axis_definition><axis id="x" n_glo="2"/></axis_definition>
  <field_definition><field id="f0" axis_ref="x"/></field_definition>
  <file_definition><file id="own" output_freq="4h"><field field_ref="f0" operation="average" prec="8"/></file></file_definition>
  <coupler_out_definition><coupler_out context="model::)" +
         to + "\"><field id='g' field_ref='f0' operation='" + operation + R"(' freq_op="2h"/>
  </coupler_out></coupler_out_definition></context><context id=')" +
         to + "' statistics_file='state_" + to + "'>" + calendar + R"(
  <axis_definition><axis id="x" n_glo="2"/></axis_definition>
  <file_definition><file id="taken" output_freq="2h"><field field_ref="g" operation="instant" prec="8"/></file>
    <file id="sums" output_freq="4h"><field field_ref="g" operation="accumulate" freq_op="2h" prec="8"/></file></file_definition>
  <coupler_in_definition><coupler_in context="model::)" +
         from +
         "\"><field id='g' axis_ref='x' "
         "freq_op='2h'/></coupler_in></coupler_in_definition></context>";
}

/// What is sent once is there in each job.
const std::string once = std::string("<context id='once_from' statistics_file='state_once_from'>") +
                         calendar + R"(
  <axis_definition><axis id="x" n_glo="2"/></axis_definition>
  <field_definition><field id="f0" axis_ref="x"/></field_definition>
  <coupler_out_definition><coupler_out context="model::once_to">
    <field id="g" field_ref="f0" operation="once"/></coupler_out></coupler_out_definition></context>
  <context id="once_to" statistics_file="state_once_to">)" +
                         calendar + R"(
  <axis_definition><axis id="x" n_glo="2"/></axis_definition>
  <file_definition><file id="taken" output_freq="2h"><field field_ref="g" operation="once" prec="8"/></file></file_definition>
  <coupler_in_definition><coupler_in context="model::once_from">
    <field id="g" axis_ref="x" operation="once"/></coupler_in></coupler_in_definition></context>)";

// What partners get is an operation on results, which come later than data of the model do.
std::string coupled_chain(const std::string& operation, const std::string& offset) {
  const std::string from = operation + offset + "_from";
  const std::string to = operation + offset + "_to";
  const std::string of_coupler = offset == "own" ? " freq_offset='0ts'" : "";
  return "<context id='" + from + "' statistics_file='state_" + from + "'>" + calendar + R"(
  <axis_definition><axis id="x" n_glo="2"/></axis_definition>
  <field_definition axis_ref="x"><field id="f0" operation="average" freq_offset="0ts"/>
    <field id="most" field_ref="f0" operation="maximum"/></field_definition>
  <file_definition><file id="own" output_freq="4h"><field field_ref="f0" operation="average" prec="8"/></file></file_definition>
  <coupler_out_definition><coupler_out context="model::)" +
         to + "\"><field id='g' field_ref='f0' operation='" + operation + "' freq_op='2h'" +
         of_coupler + R"( expr="@most"/>
  </coupler_out></coupler_out_definition></context><context id=')" +
         to + "' statistics_file='state_" + to + "'>" + calendar + R"(
  <axis_definition><axis id="x" n_glo="2"/></axis_definition>
  <file_definition><file id="taken" output_freq="2h"><field field_ref="g" operation="instant" prec="8"/></file>
    <file id="sums" output_freq="4h"><field field_ref="g" operation="accumulate" freq_op="2h" prec="8"/></file></file_definition>
  <coupler_in_definition><coupler_in context="model::)" +
         from +
         "\"><field id='g' axis_ref='x' "
         "freq_op='2h'/></coupler_in></coupler_in_definition></context>";
}

const std::string nothing =
    std::string("<context id='nothing' statistics_file='state_nothing'>") + calendar + R"(
  <axis_definition><axis id="x" n_glo="1"/></axis_definition>
  <field_definition><field id="f" axis_ref="x"/></field_definition>
  <file_definition><file id="out" output_freq="1d" enabled="false"><field field_ref="f" operation="average"/></file></file_definition></context>)";

std::string date_text(int hour) {
  return "2000-01-0" + std::to_string(1 + hour / 24) + " " + std::to_string(hour % 24) + ":00:00";
}

Values values(const std::string& file, const std::string& variable) {
  return toy::NetcdfFile(file).values(variable);
}

/// All clients have all points.
class Job {
 public:
  Job(Client& client, const std::string& id, int begin, const std::string& folder)
      : context_(client.open_context(id)) {
    context_.set("calendar", "", "start_date", date_text(begin));
    context_.set("context", "", "output_dir", folder);
  }
  Context& context() { return context_; }

 private:
  Context context_;
};

void make_forcing(Client& client) {
  Context context = client.open_context("forcing");
  context.close_definition();
  for (int hour = 1; hour <= 24; ++hour) {
    context.update_calendar(hour);
    context.send("f", Values{static_cast<double>(hour)});
  }
  context.finalize();
}

void read(Client& client, const std::string& id, int begin, int end, const std::string& folder) {
  Job job(client, id, begin, folder);
  Context& context = job.context();
  context.close_definition();
  for (int hour = begin + 1; hour <= end; ++hour) {
    context.update_calendar(hour - begin);
    context.send("sent", Values{1});
  }
  context.finalize();
}

/// Two jobs, of which the first ends where no record and no mean does.
void check_reading(Client& client, const std::string& id) {
  read(client, id, 0, 9, id + "_first");
  read(client, id, 9, 24, id + "_second");
  if (client.rank() != 0) return;
  const auto both = [&](const std::string& variable) {
    Values out = values(id + "_first/out.nc", variable);
    const Values second = values(id + "_second/out.nc", variable);
    out.insert(out.end(), second.begin(), second.end());
    return out;
  };
  EXPECT_THAT(both("mean"), ElementsAre(4, 10, 16, 22)) << id;
  EXPECT_THAT(both("each"), ElementsAre(12, 30, 48, 66)) << id;
  EXPECT_THAT(both("most"), ElementsAre(6, 12, 18, 24)) << id;
}

void couple(Client& client, const std::string& operation, int begin, int end,
            const std::string& folder) {
  Job from(client, operation + "_from", begin, folder);
  Job to(client, operation + "_to", begin, folder);
  from.context().close_definition();
  to.context().close_definition();
  for (int hour = begin + 1; hour <= end; ++hour) {
    from.context().update_calendar(hour - begin);
    from.context().send("f0", Values(2, hour));
    to.context().update_calendar(hour - begin);
  }
  from.context().finalize();
  to.context().finalize();
}

/// A job ends in the middle of what the partner gets.
void check_coupling(Client& client, const std::string& operation, const Values& first,
                    const Values& second) {
  couple(client, operation, 0, 5, operation + "_first");
  couple(client, operation, 5, 8, operation + "_second");
  if (client.rank() != 0) return;
  const auto taken = [&](const std::string& folder) {
    return values(operation + folder + "/taken.nc", "g");
  };
  EXPECT_EQ(taken("_first"), first) << operation;
  EXPECT_EQ(taken("_second"), second) << operation;
  EXPECT_EQ(values(operation + "_second/own.nc", "f0"), (Values{6.5, 6.5})) << operation;
  const double sum = second.front() + second.back();
  EXPECT_EQ(values(operation + "_second/sums.nc", "g"), (Values{sum, sum})) << operation;
}

void check_once(Client& client) {
  couple(client, "once", 0, 5, "once_first");
  couple(client, "once", 5, 8, "once_second");
  if (client.rank() != 0) return;
  EXPECT_EQ(values("once_first/taken.nc", "g"), (Values{1, 1}));
  EXPECT_EQ(values("once_second/taken.nc", "g"), (Values{1, 1}));
}

void check_nothing(Client& client) {
  for (const int begin : {0, 2}) {
    Job job(client, "nothing", begin, "nothing");
    job.context().close_definition();
    for (int hour = 1; hour <= 2; ++hour) {
      job.context().update_calendar(hour);
      job.context().send("f", Values{1});
    }
    job.context().finalize();
  }
}

TEST(GoingOn, HasTheRecordsOfOneJob) {
  std::string of_chains;
  std::vector<std::string> chains;
  for (const char* operation : {"average", "maximum", "accumulate", "minimum", "instant"}) {
    for (const char* offset : {"own", "of_field"}) {
      of_chains += coupled_chain(operation, offset);
      chains.push_back(std::string(operation) + offset);
    }
  }
  const SharedScratch scratch("<simulation>" + of_chains + forcing + reading("counted", "") +
                              reading("dated", "time_from_file='true'") +
                              reading("again", "cyclic='true'") + coupled("average") +
                              coupled("maximum") + coupled("accumulate") + coupled("minimum") +
                              coupled("instant") + once + nothing + "</simulation>");
  Session session("model");
  Client client(session);
  make_forcing(client);
  for (const char* id : {"counted", "dated", "again"}) check_reading(client, id);
  check_coupling(client, "average", {1.5, 1.5, 3.5, 3.5}, {5.5, 5.5, 7.5, 7.5});
  check_coupling(client, "maximum", {2, 2, 4, 4}, {6, 6, 8, 8});
  check_coupling(client, "minimum", {1, 1, 3, 3}, {5, 5, 7, 7});
  check_coupling(client, "accumulate", {3, 3, 7, 7}, {11, 11, 15, 15});
  check_coupling(client, "instant", {2, 2, 4, 4}, {6, 6, 8, 8});
  for (const std::string& chain : chains) {
    check_coupling(client, chain, {2, 2, 4, 4}, {6, 6, 8, 8});
  }
  check_once(client);
  check_nothing(client);
  client.close();
  session.close();
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace
}  // namespace epios::client::going_on_test
