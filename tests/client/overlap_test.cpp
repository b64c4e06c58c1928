// Runs that append to the files of others whose records reach into theirs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mpi.h>

#include <epios/epios.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "../integration/netcdf_file.hpp"
#include "shared_scratch.hpp"

namespace epios::client::overlap_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Values = std::vector<double>;

constexpr const char* iodef = R"(<simulation><context id='m'>
  <calendar type='D360' timestep='1h' start_date='2000-01-01' time_origin='2000-01-01'/>
  <axis_definition><axis id='x' n_glo='1'/></axis_definition>
  <field_definition prec='8'><field id='f' axis_ref='x'/></field_definition>
  <file_definition append='true' output_freq='6h' time_units='seconds'>
    <file id='sums'>
      <field field_ref='f' name='mean' operation='average'/>
      <field field_ref='f' name='sum' operation='accumulate'/>
      <field field_ref='f' name='most' operation='maximum'/>
      <field field_ref='f' name='least' operation='minimum'/>
    </file>
    <file id='now'><field field_ref='f' operation='instant'/></file>
    <file id='mixed'>
      <field field_ref='f' name='mean' operation='average'/>
      <field field_ref='f' name='now' operation='instant'/>
    </file>
    <file id='apart' type='multiple_file'><field field_ref='f' operation='average'/></file>
    <file id='hours' split_freq='6h' split_freq_format='%d%h'>
      <field field_ref='f' operation='average'/>
    </file>
    <file id='halves' split_freq='12h' split_freq_format='%d%h'>
      <field field_ref='f' operation='average'/>
      <field field_ref='f' name='first' operation='once'/>
    </file>
    <file id='parts' split_freq='1d' split_freq_format='%d'>
      <field field_ref='f' operation='average'/>
    </file>
  </file_definition></context>
  <context id='old'><calendar type='Gregorian' timestep='1h'/>
  <axis_definition><axis id='x' n_glo='1'/></axis_definition>
  <field_definition><field id='f' axis_ref='x'/></field_definition>
  <file_definition append='true' output_freq='6h' time_units='seconds'>
    <file id='old'><field field_ref='f' operation='average'/></file>
  </file_definition></context></simulation>)";

/// A run of so many hours, whose values are the hours since the first day. Returns what is said.
std::string run(Client& client, int begin, int hours) {
  ::testing::internal::CaptureStderr();
  Context context = client.open_context("m");
  context.set(
      "calendar", "", "start_date",
      "2000-01-0" + std::to_string(1 + begin / 24) + " " + std::to_string(begin % 24) + ":00:00");
  context.close_definition();
  for (int step = 1; step <= hours; ++step) {
    context.update_calendar(step);
    context.send("f", Values{static_cast<double>(begin + step)});
  }
  context.finalize();
  return ::testing::internal::GetCapturedStderr();
}

/// A run of six hours.
void run_old(Client& client, const char* start) {
  Context context = client.open_context("old");
  context.set("calendar", "", "start_date", start);
  context.close_definition();
  for (int step = 1; step <= 6; ++step) {
    context.update_calendar(step);
    context.send("f", Values{static_cast<double>(step)});
  }
  context.finalize();
}

Values values(const std::string& file, const std::string& variable) {
  return toy::NetcdfFile(file).values(variable);
}

Values ends(const std::string& file, const std::string& bounds) {
  const Values all = values(file, bounds);
  Values out;
  for (std::size_t i = 1; i < all.size(); i += 2) out.push_back(all[i] / 3600);
  return out;
}

TEST(Append, ReplacesRecordsWhosePeriodsReachIntoTheRun) {
  const SharedScratch scratch(iodef);
  Session session("model");
  Client client(session);
  const std::string first = run(client, 0, 16);
  const std::string second = run(client, 9, 14);  // to 23 h: 9-15, 15-21
  const std::string third = run(client, 21, 15);  // where the last record ends: 21-27, 27-33
  // Would have found that a file which names its calendar proleptic, for dates before October 1582,
  // could not be continued by a run that had none.
  run_old(client, "1582-10-14");
  run_old(client, "1582-10-15");
  const int rank = client.rank();
  client.close();
  session.close();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank != 0) return;
  EXPECT_THAT(ends("sums.nc", "time_centered_bounds"), ElementsAre(6, 15, 21, 27, 33));
  EXPECT_THAT(values("sums.nc", "mean"), ElementsAre(3.5, 12.5, 18.5, 24.5, 30.5));
  EXPECT_THAT(values("sums.nc", "sum"), ElementsAre(21, 75, 111, 147, 183));
  EXPECT_THAT(values("sums.nc", "most"), ElementsAre(6, 15, 21, 27, 33));
  EXPECT_THAT(values("sums.nc", "least"), ElementsAre(1, 10, 16, 22, 28));
  EXPECT_THAT(values("now.nc", "f"), ElementsAre(6, 15, 21, 27, 33));
  EXPECT_THAT(values("mixed.nc", "mean"), ElementsAre(3.5, 12.5, 18.5, 24.5, 30.5));
  EXPECT_THAT(values("mixed.nc", "now"), ElementsAre(6, 15, 21, 27, 33));
  const std::string apart = std::filesystem::exists("apart.nc") ? "apart.nc" : "apart_0.nc";
  EXPECT_THAT(values(apart, "f"), ElementsAre(3.5, 12.5, 18.5, 24.5, 30.5));
  // Parts that end before the first record of the run lose what reaches into it, as one file does.
  EXPECT_FALSE(std::filesystem::exists("hours_0106-0111.nc"));
  EXPECT_THAT(values("hours_0112-0117.nc", "f"), ElementsAre(12.5));
  EXPECT_THAT(values("halves_0100-0111.nc", "f"), ElementsAre(3.5));
  EXPECT_THAT(values("halves_0100-0111.nc", "first"), ElementsAre(1));
  EXPECT_THAT(ends("halves_0100-0111.nc", "time_centered_bounds"), ElementsAre(6));
  EXPECT_THAT(values("halves_0112-0123.nc", "f"), ElementsAre(12.5, 18.5));
  EXPECT_THAT(values("parts_01-01.nc", "f"), ElementsAre(3.5, 12.5, 18.5));
  EXPECT_THAT(values("parts_02-02.nc", "f"), ElementsAre(24.5, 30.5));
  EXPECT_EQ(toy::NetcdfFile("old.nc").text("time_centered", "calendar"), "proleptic_gregorian");
  EXPECT_EQ(toy::NetcdfFile("old.nc").text("time_centered", "units"),
            "seconds since 1582-10-14 00:00:00");
  EXPECT_THAT(ends("old.nc", "time_centered_bounds"), ElementsAre(6, 30));
  int processes = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  if (processes > 1) return;  // others say it
  EXPECT_THAT(first, Not(HasSubstr("replaces")));
  for (const std::string& file : {std::string("sums.nc"), std::string("now.nc"),
                                  std::string("mixed.nc"), apart, std::string("parts_01-01.nc")}) {
    EXPECT_THAT(second, HasSubstr("file '" + file + "': 1 of its 2 records")) << file;
  }
  EXPECT_THAT(second, HasSubstr("file 'hours_0106-0111.nc': 1 of its 1 records are not before this "
                                "run, which replaces them. Is its start date right? It has no "
                                "others and is removed."));
  EXPECT_THAT(second, HasSubstr("file 'halves_0100-0111.nc': 1 of its 2 records are not before"));
  EXPECT_THAT(third, Not(HasSubstr("replaces"))) << "a record may end where the run begins";
}

}  // namespace
}  // namespace epios::client::overlap_test
