// A definition that could not be closed: the model corrects it and closes it again, with a partner,
// too. One whose first date has no data is closed: the context runs, and ends as any other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <epios/epios.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "../integration/netcdf_file.hpp"
#include "scratch.hpp"

namespace epios::client::closing_refusal_test {
namespace {

using ::testing::HasSubstr;
using Values = std::vector<double>;

constexpr const char* iodef = R"(<simulation>
  <context id='from'>
    <calendar type='NoLeap' timestep='1h' start_date='2000-01-01'/>
    <axis_definition><axis id='x' n_glo='2'/></axis_definition>
    <field_definition operation='instant' prec='8'><field id='f' axis_ref='x'/></field_definition>
    <file_definition><file id='own' output_freq='1h'><field field_ref='f'/></file></file_definition>
    <coupler_out_definition><coupler_out context='model::to'>
      <field id='g' field_ref='f' freq_op='1h'/></coupler_out></coupler_out_definition>
  </context>
  <context id='to'>
    <calendar type='NoLeap' timestep='1h' start_date='2000-01-01'/>
    <axis_definition><axis id='x' n_glo='2'/></axis_definition>
    <coupler_in_definition><coupler_in context='model::from'>
      <field id='g' axis_ref='x' operation='instant' freq_op='1h'/></coupler_in></coupler_in_definition>
  </context>
  <context id='gives'>
    <calendar type='NoLeap' timestep='1h' start_date='2000-01-01'/>
    <axis_definition><axis id='x' n_glo='2'/></axis_definition>
    <field_definition operation='instant' prec='8'><field id='a' axis_ref='x'/></field_definition>
    <file_definition><file id='given' output_freq='1h'><field field_ref='a'/></file></file_definition>
    <coupler_out_definition><coupler_out context='model::takes'>
      <field id='b' field_ref='a' freq_op='1h'/></coupler_out></coupler_out_definition>
  </context>
  <context id='takes'>
    <calendar type='NoLeap' timestep='1h' start_date='2000-01-01'/>
    <axis_definition><axis id='x' n_glo='2'/></axis_definition>
    <field_definition operation='instant' prec='8'><field id='c' axis_ref='x'/></field_definition>
    <file_definition><file id='taken' output_freq='1h'><field field_ref='c'/></file></file_definition>
    <coupler_in_definition><coupler_in context='model::gives'>
      <field id='b' axis_ref='x' operation='instant' freq_op='2h'/></coupler_in></coupler_in_definition>
  </context>
  <context id='meets'>
    <calendar type='NoLeap' timestep='1h' start_date='2000-01-01'/>
    <axis_definition><axis id='x' n_glo='2'/></axis_definition>
    <field_definition operation='instant' prec='8'><field id='k' axis_ref='x'/></field_definition>
    <file_definition output_freq='1h'>
      <file id='met' overwrite='never'><field field_ref='k'/></file>
    </file_definition>
  </context>
  <context id='keeps'>
    <calendar type='NoLeap' timestep='1h' start_date='2000-01-01'/>
    <axis_definition><axis id='x' n_glo='2'/></axis_definition>
    <field_definition operation='instant' prec='8'><field id='k' axis_ref='x'/></field_definition>
    <file_definition output_freq='1h'>
      <file id='before'><field field_ref='k'/></file>
      <file id='kept' overwrite='never'><field field_ref='k'/></file>
      <file id='behind'><field field_ref='k'/></file>
    </file_definition>
  </context>
  <context id='reads'>
    <calendar type='NoLeap' timestep='1h' start_date='2000-01-01'/>
    <axis_definition><axis id='x' n_glo='2'/></axis_definition>
    <field_definition operation='instant' prec='8'><field id='s' axis_ref='x'/></field_definition>
    <file_definition>
      <file id='in' mode='read' output_freq='1d'><field id='r' axis_ref='x' operation='instant'/></file>
      <file id='days' output_freq='1d'>
        <field field_ref='r' name='now' operation='instant' freq_op='1d' freq_offset='-1ts'/></file>
      <file id='hours' output_freq='1h'><field field_ref='s'/></file>
    </file_definition>
  </context></simulation>)";

template <class Call>
std::string told(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

std::string told_by_close(Context& context) {
  return told([&] { context.close_definition(); });
}

void check_coupled(Client& client) {
  std::ofstream("blocked") << "no folder";
  Context from = client.open_context("from");
  Context to = client.open_context("to");
  for (int attempt = 0; attempt < 2; ++attempt) {
    from.set("context", "", "output_dir", "blocked");
    EXPECT_THAT(told_by_close(from), HasSubstr("blocked"));
  }
  from.set("context", "", "output_dir", "free");
  EXPECT_EQ(told_by_close(from), "nothing");
  EXPECT_EQ(told_by_close(to), "nothing");
  for (int hour = 1; hour <= 3; ++hour) {
    from.update_calendar(hour);
    from.send("f", Values(2, hour));
    to.update_calendar(hour);
    Values got(2, -9);
    to.receive("g", got);
    EXPECT_EQ(got, Values(2, hour));
  }
  from.finalize();
  to.finalize();
  EXPECT_EQ(toy::NetcdfFile("free/own.nc").values("f"), (Values{1, 1, 2, 2, 3, 3}));
}

/// The servers have opened the context when its partner turns out not to fit: its files are given
/// up for those of the next attempt.
void check_paired(Client& client) {
  Context gives = client.open_context("gives");
  Context takes = client.open_context("takes");
  EXPECT_EQ(told_by_close(gives), "nothing");
  for (int attempt = 0; attempt < 2; ++attempt) {
    EXPECT_THAT(told_by_close(takes), HasSubstr("'b' is sent every 1h"));
  }
  takes.set("field", "b", "freq_op", "1h");
  EXPECT_EQ(told_by_close(takes), "nothing");
  for (int hour = 1; hour <= 2; ++hour) {
    gives.update_calendar(hour);
    gives.send("a", Values(2, hour));
    takes.update_calendar(hour);
    takes.send("c", Values(2, -hour));
    Values got(2, -9);
    takes.receive("b", got);
    EXPECT_EQ(got, Values(2, hour));
  }
  gives.finalize();
  takes.finalize();
  EXPECT_EQ(toy::NetcdfFile("taken.nc").values("c"), (Values{-1, -1, -2, -2}));
}

/// One file is refused: the others of its context are given up, and made by the next attempt.
void check_kept(Client& client) {
  std::ofstream("kept.nc") << "kept";
  Context context = client.open_context("keeps");
  for (int attempt = 0; attempt < 2; ++attempt) {
    EXPECT_THAT(told_by_close(context), HasSubstr("file 'kept.nc': it exists"));
    EXPECT_FALSE(std::filesystem::exists("before.nc.part"));
    EXPECT_FALSE(std::filesystem::exists("behind.nc.part"));
  }
  context.set("file", "kept", "name", "other");
  EXPECT_EQ(told_by_close(context), "nothing");
  context.update_calendar(1);
  context.send("k", Values{5, 6});
  EXPECT_EQ(told([&] { context.finalize(); }), "nothing");
  for (const char* name : {"before.nc", "other.nc", "behind.nc"}) {
    EXPECT_EQ(toy::NetcdfFile(name).values("k"), (Values{5, 6}));
  }
}

/// A file of that name comes while the run writes its own.
void check_newcomer(Client& client) {
  Context context = client.open_context("meets");
  context.close_definition();
  context.update_calendar(1);
  context.send("k", Values{5, 6});
  std::ofstream("met.nc") << "another job's";
  EXPECT_THAT(told([&] { context.finalize(); }),
              HasSubstr("file 'met.nc': another one has got the name meanwhile "
                        "(overwrite=\"never\"; this run's stays as 'met.nc.part')"));
  std::string content;
  std::getline(std::ifstream("met.nc"), content);
  EXPECT_EQ(content, "another job's");
  EXPECT_EQ(toy::NetcdfFile("met.nc.part").values("k"), (Values{5, 6}));
}

/// The file that is read has no records.
void check_first_date(Client& client) {
  std::ofstream("in.cdl") << "netcdf in {\ndimensions: time = UNLIMITED ; x = 2 ;\n"
                             "variables: double r(time, x) ;\n}\n";
  ASSERT_EQ(std::system("ncgen -o in.nc in.cdl"), 0);  // NOLINT(cert-env33-c)
  Context context = client.open_context("reads");
  EXPECT_THAT(told_by_close(context), HasSubstr("has no record 0 of variable 'r'"));
  EXPECT_THAT(told_by_close(context), HasSubstr("is closed once"));
  context.update_calendar(1);
  context.send("s", Values{3, 4});
  EXPECT_EQ(told([&] { context.finalize(); }), "nothing");
  EXPECT_EQ(toy::NetcdfFile("hours.nc").values("s"), (Values{3, 4}));
}

TEST(ClosingRefusal, MayBeCorrectedOrLeavesARunThatEnds) {
  const Scratch scratch(iodef);
  Session session("model");
  Client client(session);
  check_coupled(client);
  check_paired(client);
  check_kept(client);
  check_newcomer(client);
  check_first_date(client);
  client.close();
}

}  // namespace
}  // namespace epios::client::closing_refusal_test
