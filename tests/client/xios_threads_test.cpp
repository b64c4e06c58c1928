// Two threads of a model that says `use xios`, each in a context of its own: their calls wait for
// each other.
#include <epios/epios.h>
#include <gtest/gtest.h>
#include <netcdf.h>

#include <array>
#include <cstddef>
#include <string>
#include <thread>
#include <vector>

#include "scratch.hpp"

extern "C" {
int epios_xios_initialize(const char* code_id, const int* local_comm, int* return_comm,
                          const int* job_comm);
int epios_xios_context_initialize(const char* id, int comm);
int epios_xios_set_current_context(const char* id);
int epios_xios_current_context(epios_element* element);
int epios_xios_close_definition();
int epios_xios_update_calendar(int64_t step);
int epios_xios_context_finalize();
int epios_xios_finalize();
}

namespace epios::client::xios_threads_test {
namespace {

constexpr int points = 6;

std::string context_text(const std::string& id) {
  return "<context id=\"" + id +
         R"("><calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
  <variable_definition><variable id="note" type="string">none</variable></variable_definition>
  <axis_definition><axis id="z" n_glo="6"/></axis_definition>
  <field_definition><field id="f" axis_ref="z" prec="8"/></field_definition>
  <file_definition><file id=")" +
         id + R"(" output_freq="1h"><field field_ref="f" operation="instant"/></file>
  </file_definition></context>)";
}

void expect_success(int code) { ASSERT_EQ(code, EPIOS_SUCCESS) << epios_last_error(); }

/// A model's run in a context, from its time loop to its end.
void run(const char* id, int steps, double factor) {
  expect_success(epios_xios_set_current_context(id));
  epios_element context{};
  expect_success(epios_xios_current_context(&context));
  std::array<double, points> array{};
  for (int step = 1; step <= steps; ++step) {
    expect_success(epios_xios_update_calendar(step));
    int active = 0;
    expect_success(epios_field_is_active(context.context, "f", 1, &active));
    ASSERT_EQ(active, 1);
    expect_success(epios_set_variable(context.context, "note", std::to_string(step).c_str()));
    array.fill(factor * step);
    expect_success(epios_send_double(context.context, "f", array.data(), points));
  }
  expect_success(epios_xios_context_finalize());
}

/// What is in a file: the value of each record, of which all points have the same.
std::vector<double> records_of(const std::string& path) {
  int file = -1;
  int variable = -1;
  int time = -1;
  std::size_t records = 0;
  EXPECT_EQ(nc_open(path.c_str(), NC_NOWRITE, &file), NC_NOERR) << path;
  EXPECT_EQ(nc_inq_unlimdim(file, &time), NC_NOERR);
  EXPECT_EQ(nc_inq_dimlen(file, time, &records), NC_NOERR);
  EXPECT_EQ(nc_inq_varid(file, "f", &variable), NC_NOERR);
  std::vector<double> all(records * points);
  EXPECT_EQ(nc_get_var_double(file, variable, all.data()), NC_NOERR);
  EXPECT_EQ(nc_close(file), NC_NOERR);
  std::vector<double> out;
  for (std::size_t r = 0; r < records; ++r) {
    out.push_back(all[r * points]);
    for (std::size_t k = 1; k < points; ++k) EXPECT_EQ(all[r * points + k], out.back());
  }
  return out;
}

TEST(XiosThreads, each_in_a_context_of_its_own_call_at_once) {
  const Scratch scratch("<simulation>" + context_text("a") + context_text("b") + "</simulation>");
  int comm = 0;
  expect_success(epios_xios_initialize("threads", nullptr, &comm, nullptr));
  for (const char* id : {"a", "b"}) {
    expect_success(epios_xios_context_initialize(id, comm));
    expect_success(epios_xios_close_definition());
  }
  constexpr int steps_a = 300;
  constexpr int steps_b = 1000;
  std::thread other([&] { run("a", steps_a, 1); });
  run("b", steps_b, -1);
  other.join();
  expect_success(epios_xios_finalize());
  const std::vector<double> a = records_of("a.nc");
  const std::vector<double> b = records_of("b.nc");
  ASSERT_EQ(a.size(), static_cast<std::size_t>(steps_a));
  ASSERT_EQ(b.size(), static_cast<std::size_t>(steps_b));
  for (std::size_t step = 1; step <= b.size(); ++step) {
    EXPECT_EQ(b[step - 1], -static_cast<double>(step));
    if (step > a.size()) continue;
    EXPECT_EQ(a[step - 1], static_cast<double>(step));
  }
}

}  // namespace
}  // namespace epios::client::xios_threads_test
