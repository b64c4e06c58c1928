// A grid without points, such as an axis of no stations: files of all formats have its records.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <epios/epios.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "dumped.hpp"
#include "scratch.hpp"

namespace epios::client::empty_grid_test {
namespace {

using ::testing::HasSubstr;

constexpr const char* iodef = R"(<simulation><context id='c'>
  <calendar type='NoLeap' timestep='1h' start_date='2000-01-01'/>
  <axis_definition><axis id='none' n_glo='0'/><axis id='two' n_glo='2'/></axis_definition>
  <grid_definition><grid id='g'><axis axis_ref='two'/><axis axis_ref='none'/></grid></grid_definition>
  <field_definition operation='instant' prec='8'>
    <field id='empty' grid_ref='g'/><field id='full' axis_ref='two'/>
  </field_definition>
  <file_definition output_freq='1h'>
    <file id='netcdf4'><field field_ref='empty'/><field field_ref='full'/></file>
    <file id='packed' compression_level='1'><field field_ref='empty'/><field field_ref='full'/></file>
    <file id='cdf5' format='cdf5'><field field_ref='empty'/><field field_ref='full'/></file>
    <file id='zarr' format='zarr' compression_level='1'><field field_ref='empty'/><field field_ref='full'/></file>
    <file id='shards' format='zarr3' compression_level='1'>
      <field_group sharding_records='2' sharding_blocksize_target='20'>
        <field field_ref='empty'/><field field_ref='full'/>
      </field_group>
    </file>
  </file_definition>
</context></simulation>)";

TEST(EmptyGrid, HasRecordsInFilesOfAllFormats) {
  const Scratch scratch(iodef);
  Session session("c");
  Client client(session);
  Context context = client.open_context("c");
  context.close_definition();
  for (int hour = 1; hour <= 3; ++hour) {
    context.update_calendar(hour);
    context.send("empty", std::vector<double>{});
    context.send("full", std::vector<double>(2, hour));
  }
  context.finalize();
  for (const char* name : {"netcdf4.nc", "packed.nc", "cdf5.nc"}) {
    EXPECT_THAT(dumped(name), HasSubstr(" full =\n  1, 1,\n  2, 2,\n  3, 3 ;")) << name;
    EXPECT_THAT(dumped(name), HasSubstr("time_counter = UNLIMITED ; // (3 currently)")) << name;
  }
  for (const char* name : {"zarr.zarr", "shards.zarr"}) {
    EXPECT_TRUE(std::filesystem::exists(std::string(name) + "/full")) << name;
  }
  client.close();
  session.close();
}

}  // namespace
}  // namespace epios::client::empty_grid_test
