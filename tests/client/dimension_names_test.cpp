// A variable with the name of a dimension that it does not begin with is stored under another name
// in HDF5: written, gone on with by a later run, and read, in chunks that are large.
#include <gtest/gtest.h>

#include <cstddef>
#include <epios/epios.hpp>
#include <string>
#include <vector>

#include "scratch.hpp"

namespace epios::client::dimension_names_test {
namespace {

constexpr std::size_t points = std::size_t{360} * 180 * 3;

/// Fields of the names of all dimensions, on a grid of these.
std::string context_xml(const std::string& id, const std::string& file,
                        const std::string& operation) {
  std::string fields;
  for (const char* name : {"x", "y", "lev"}) {
    fields += "<field id='" + std::string(name) + "' grid_ref='g' prec='8' operation='" +
              operation + "' read_access='true'/>";
  }
  return "<context id='" + id + R"('>
  <calendar type='NoLeap' timestep='1h' start_date='2000-01-01' time_origin='2000-01-01'/>
  <axis_definition><axis id='lev' n_glo='3'/></axis_definition>
  <domain_definition><domain id='d' type='curvilinear' ni_glo='360' nj_glo='180'/></domain_definition>
  <grid_definition><grid id='g'><domain domain_ref='d'/><axis axis_ref='lev'/></grid></grid_definition>
  <file_definition>)" +
         file + fields + "</file></file_definition></context>";
}

std::vector<double> values(int name, int hour) {
  std::vector<double> out(points);
  for (std::size_t i = 0; i < points; ++i)
    out[i] = static_cast<double>(i) + 1e6 * name + 1e7 * hour;
  return out;
}

void write(Client& client, int first, int last) {
  Context context = client.open_context("writes");
  context.set("calendar", "", "start_date", "2000-01-01 0" + std::to_string(first - 1) + ":00:00");
  context.close_definition();
  for (int hour = first; hour <= last; ++hour) {
    context.update_calendar(hour - first + 1);
    int name = 0;
    for (const char* id : {"x", "y", "lev"}) context.send(id, values(name++, hour));
  }
  context.finalize();
}

TEST(DimensionNames, OfVariablesAreWrittenAndRead) {
  const Scratch scratch(
      "<simulation>" +
      context_xml("writes", "<file id='named' output_freq='1h' append='true'>", "instant") +
      context_xml("reads", "<file id='named' output_freq='1h' mode='read'>", "instant") +
      "</simulation>");
  Session session("model");
  Client client(session);
  write(client, 1, 2);
  write(client, 3, 3);
  Context context = client.open_context("reads");
  context.close_definition();
  for (int hour = 1; hour <= 3; ++hour) {
    if (hour > 1) context.update_calendar(hour - 1);
    int name = 0;
    for (const char* id : {"x", "y", "lev"}) {
      std::vector<double> got(points, -9);
      context.receive(id, got);
      EXPECT_TRUE(got == values(name++, hour)) << id << ", " << hour;
    }
  }
  context.finalize();
  client.close();
  session.close();
}

}  // namespace
}  // namespace epios::client::dimension_names_test
