// Fields of files that are read need no default_value to tell what is missing there, and what
// single precision does not hold is told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mpi.h>
#include <netcdf.h>

#include <array>
#include <cmath>
#include <epios/epios.hpp>
#include <limits>
#include <string>
#include <vector>

#include "../integration/netcdf_file.hpp"
#include "shared_scratch.hpp"

namespace epios::client::marks_test {
namespace {

using Values = std::vector<double>;

constexpr const char* iodef = R"(<simulation><context id='m'>
  <calendar type='NoLeap' timestep='1h' start_date='2000-01-01'/>
  <axis_definition><axis id='x' n_glo='2'/></axis_definition>
  <field_definition prec='8' operation='instant'>
    <field id='s' axis_ref='x'/><field id='masked' axis_ref='x'> s * basin </field>
    <field id='referring' field_ref='r' read_access='true'/>
  </field_definition>
  <file_definition>
    <file id='in' mode='read' output_freq='1y'>
      <field id='r' name='t' axis_ref='x' operation='once' read_access='true' detect_missing_value='true'/>
      <field id='packed' axis_ref='x' operation='once' read_access='true' detect_missing_value='true'/>
      <field id='basin' axis_ref='x' operation='once' detect_missing_value='true'/>
      <field id='huge' axis_ref='x' operation='once' read_access='true'/>
      <field id='plain' name='t' axis_ref='x' operation='once' read_access='true'/>
    </file>
    <file id='every' mode='read' output_freq='1h'>
      <field id='series' axis_ref='x' operation='instant' freq_offset='1h' detect_missing_value='true'/>
    </file>
    <file id='out' output_freq='2h'>
      <field field_ref='masked'/>
      <field field_ref='masked' name='mean' operation='average' freq_op='1h'/>
      <field field_ref='series' name='of_series' operation='average'/>
      <field field_ref='series' name='poisoned' operation='average' detect_missing_value='false'/>
    </file>
  </file_definition></context></simulation>)";

void write_files() {
  int file = -1;
  int x = -1;
  ASSERT_EQ(nc_create("in.nc", NC_CLOBBER, &file), NC_NOERR);
  ASSERT_EQ(nc_def_dim(file, "x", 2, &x), NC_NOERR);
  std::array<int, 4> ids{};
  ASSERT_EQ(nc_def_var(file, "t", NC_FLOAT, 1, &x, ids.data()), NC_NOERR);
  ASSERT_EQ(nc_def_var(file, "packed", NC_SHORT, 1, &x, &ids[1]), NC_NOERR);
  ASSERT_EQ(nc_def_var(file, "basin", NC_FLOAT, 1, &x, &ids[2]), NC_NOERR);
  ASSERT_EQ(nc_def_var(file, "huge", NC_DOUBLE, 1, &x, &ids[3]), NC_NOERR);
  const float of_t = -999.F;
  const short of_packed = -999;
  const float of_basin = 1e20F;
  const std::array<double, 2> scaling{0.01, 10};
  ASSERT_EQ(nc_put_att_float(file, ids[0], "_FillValue", NC_FLOAT, 1, &of_t), NC_NOERR);
  ASSERT_EQ(nc_put_att_short(file, ids[1], "_FillValue", NC_SHORT, 1, &of_packed), NC_NOERR);
  ASSERT_EQ(nc_put_att_double(file, ids[1], "scale_factor", NC_DOUBLE, 1, scaling.data()),
            NC_NOERR);
  ASSERT_EQ(nc_put_att_double(file, ids[1], "add_offset", NC_DOUBLE, 1, &scaling[1]), NC_NOERR);
  ASSERT_EQ(nc_put_att_float(file, ids[2], "missing_value", NC_FLOAT, 1, &of_basin), NC_NOERR);
  ASSERT_EQ(nc_enddef(file), NC_NOERR);
  const std::array<float, 2> t{5, of_t};
  const std::array<short, 2> packed{-750, of_packed};
  const std::array<float, 2> basin{1, of_basin};
  ASSERT_EQ(nc_put_var_float(file, ids[0], t.data()), NC_NOERR);
  ASSERT_EQ(nc_put_var_short(file, ids[1], packed.data()), NC_NOERR);
  ASSERT_EQ(nc_put_var_float(file, ids[2], basin.data()), NC_NOERR);
  const std::array<double, 2> huge{-1e300, 3e38};
  ASSERT_EQ(nc_put_var_double(file, ids[3], huge.data()), NC_NOERR);
  ASSERT_EQ(nc_close(file), NC_NOERR);
  // The second point has a value every other hour.
  std::array<int, 2> dimensions{};
  ASSERT_EQ(nc_create("every.nc", NC_CLOBBER, &file), NC_NOERR);
  ASSERT_EQ(nc_def_dim(file, "time", NC_UNLIMITED, dimensions.data()), NC_NOERR);
  ASSERT_EQ(nc_def_dim(file, "x", 2, &dimensions[1]), NC_NOERR);
  ASSERT_EQ(nc_def_var(file, "series", NC_FLOAT, 2, dimensions.data(), ids.data()), NC_NOERR);
  ASSERT_EQ(nc_put_att_float(file, ids[0], "_FillValue", NC_FLOAT, 1, &of_t), NC_NOERR);
  ASSERT_EQ(nc_enddef(file), NC_NOERR);
  const std::array<std::size_t, 2> begin{0, 0};
  const std::array<std::size_t, 2> size{4, 2};
  const std::array<float, 8> series{1, of_t, 3, 7, 5, of_t, 7, 9};
  ASSERT_EQ(nc_put_vara_float(file, ids[0], begin.data(), size.data(), series.data()), NC_NOERR);
  ASSERT_EQ(nc_close(file), NC_NOERR);
}

TEST(Marks, OfTheFileNeedNoDefaultValue) {
  const SharedScratch scratch(iodef);
  int rank = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) write_files();
  MPI_Barrier(MPI_COMM_WORLD);
  ::testing::internal::CaptureStderr();
  Session session("model");
  Client client(session);
  Context context = client.open_context("m");
  context.close_definition();
  for (int hour = 1; hour <= 4; ++hour) {
    context.update_calendar(hour);
    context.send("s", Values{2, 3});
    if (hour > 1) continue;
    for (const char* field : {"r", "referring"}) {
      Values found(2);
      context.receive(field, found);
      EXPECT_EQ(found[0], 5) << field;
      EXPECT_TRUE(std::isnan(found[1])) << field << " " << found[1];
    }
    Values packed(2);
    context.receive("packed", packed);
    EXPECT_EQ(packed[0], 2.5);
    EXPECT_TRUE(std::isnan(packed[1])) << packed[1];
    std::vector<float> huge(2);
    context.receive("huge", huge);
    EXPECT_EQ(huge[0], -std::numeric_limits<float>::infinity());
    EXPECT_EQ(huge[1], 3e38F);
    Values plain(2);
    context.receive("plain", plain);
    EXPECT_EQ(plain[1], -999) << "without detect_missing_value it is a number as others";
  }
  context.finalize();
  client.close();
  session.close();
  MPI_Barrier(MPI_COMM_WORLD);
  const std::string said = ::testing::internal::GetCapturedStderr();
  if (rank != 0) return;
  EXPECT_THAT(said, ::testing::Not(::testing::HasSubstr("default_value")));
  int clients = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &clients);
  const std::string values = clients > 1 ? std::to_string(clients) + " values of 'huge' are"
                                         : std::string("1 value of 'huge' is");
  EXPECT_THAT(said, ::testing::HasSubstr(values + " infinite as received in single precision, "
                                                  "first at 2000-01-01 01:00:00"));
  const toy::NetcdfFile out("out.nc");
  for (const char* variable : {"masked", "mean"}) {
    const Values values = out.values(variable);
    ASSERT_EQ(values.size(), 4U);
    for (const std::size_t record : {0U, 1U}) {
      EXPECT_EQ(values[2 * record], 2) << variable;
      EXPECT_TRUE(std::isnan(values[2 * record + 1])) << variable;
    }
  }
  const Values of_series = out.values("of_series");
  EXPECT_EQ(of_series, (Values{2, 7, 6, 9})) << "what is missing is left out of means";
  const Values poisoned = out.values("poisoned");
  ASSERT_EQ(poisoned.size(), 4U);
  EXPECT_EQ(poisoned[2], 6);
  EXPECT_TRUE(std::isnan(poisoned[1]));
  EXPECT_TRUE(std::isnan(poisoned[3]));
}

}  // namespace
}  // namespace epios::client::marks_test
