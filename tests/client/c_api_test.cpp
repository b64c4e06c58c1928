#include <epios/epios.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "scratch.hpp"

namespace epios::client::c_api_test {
namespace {

constexpr const char* iodef = R"(
<simulation>
  <context id="c">
    <calendar type="Gregorian" timestep="1d" start_date="2000-02-27"/>
    <variable_definition><variable id="who" type="string">me</variable></variable_definition>
    <axis_definition><axis id="a" n_glo="3"/></axis_definition>
    <field_definition>
      <field id="f" axis_ref="a" operation="average"/>
      <field id="idle" axis_ref="a"/>
    </field_definition>
    <file_definition>
      <file id="out" output_freq="2d"><field field_ref="f"/></file>
    </file_definition>
  </context>
</simulation>)";

std::string error() { return epios_last_error(); }

TEST(CApi, RefusesWhatIsNoHandle) {
  EXPECT_EQ(epios_session_close(nullptr), EPIOS_ERR_ARGUMENT);
  EXPECT_NE(error().find("not a handle of an open session"), std::string::npos);
  int rank = 0;
  int on_stack = 0;
  EXPECT_EQ(epios_client_rank(reinterpret_cast<epios_client*>(&on_stack), &rank),
            EPIOS_ERR_ARGUMENT);
  EXPECT_NE(error().find("open client"), std::string::npos);
  EXPECT_EQ(epios_update_calendar(nullptr, 1), EPIOS_ERR_ARGUMENT);
  EXPECT_NE(error().find("open context"), std::string::npos);
  EXPECT_EQ(epios_session_open(nullptr, nullptr, nullptr), EPIOS_ERR_ARGUMENT);
}

/// A second context of an id whose first has ended, opened in each of the ways there are.
void use_the_id_again(epios_client* client) {
  epios_context* context = nullptr;
  const int nobody[] = {1};
  EXPECT_EQ(epios_context_open_among(client, "c", nobody, 1, &context), EPIOS_ERR_ARGUMENT);
  EXPECT_EQ(error(), "client 1 does not exist (there are 1). Are ranks counted from 0?");
  EXPECT_EQ(epios_context_open_among(client, "c", nobody, 0, &context), EPIOS_ERR_ARGUMENT);
  ASSERT_EQ(epios_context_open_on(client, "c", MPI_COMM_SELF, &context), EPIOS_SUCCESS) << error();
  epios_context* again = nullptr;
  EXPECT_EQ(epios_context_open_on(client, "c", MPI_COMM_SELF, &again), EPIOS_ERR_CALL_ORDER);
  EXPECT_NE(error().find("its id is free again after its end"), std::string::npos) << error();
  ASSERT_EQ(epios_set_text(context, "file", "out", "name", "again"), EPIOS_SUCCESS) << error();
  ASSERT_EQ(epios_close_definition(context), EPIOS_SUCCESS) << error();
  const double levels[] = {1, 2, 3};
  for (int64_t step = 1; step <= 2; ++step) {
    ASSERT_EQ(epios_update_calendar(context, step), EPIOS_SUCCESS) << error();
    EXPECT_EQ(epios_send_double(context, "f", levels, 3), EPIOS_SUCCESS) << error();
  }
  ASSERT_EQ(epios_context_finalize(context), EPIOS_SUCCESS) << error();
  epios_file_report report;
  ASSERT_EQ(epios_get_file_report(context, 0, &report), EPIOS_SUCCESS) << error();
  EXPECT_STREQ(report.path, "again.nc");
  EXPECT_EQ(report.records_written, 1);
}

/// One attached run through every function, with the mistakes a C program can make on the way.
TEST(CApi, AttachedRun) {
  const Scratch scratch(iodef);
  epios_session* session = nullptr;
  epios_session_options options = EPIOS_SESSION_OPTIONS_INIT;
  options.clients = 0;
  EXPECT_EQ(epios_session_open("c", &options, &session), EPIOS_ERR_ARGUMENT);
  options.clients = 1;
  ASSERT_EQ(epios_session_open("c", &options, &session), EPIOS_SUCCESS) << error();
  MPI_Comm comm = MPI_COMM_NULL;
  EXPECT_EQ(epios_session_comm(session, &comm), EPIOS_SUCCESS) << error();
  EXPECT_NE(comm, MPI_COMM_NULL);
  EXPECT_EQ(epios_session_serve(session), EPIOS_ERR_CALL_ORDER);
  epios_session* second = nullptr;
  EXPECT_EQ(epios_session_open("c", &options, &second), EPIOS_ERR_CALL_ORDER);
  EXPECT_NE(error().find("has opened its session already"), std::string::npos) << error();

  epios_client* client = nullptr;
  EXPECT_EQ(epios_client_open(session, 1, &client), EPIOS_ERR_ARGUMENT);
  EXPECT_NE(error().find("client 1 does not exist"), std::string::npos);
  ASSERT_EQ(epios_client_open(session, 0, &client), EPIOS_SUCCESS) << error();
  epios_client* same = nullptr;
  EXPECT_EQ(epios_client_open(session, 0, &same), EPIOS_ERR_CALL_ORDER);
  EXPECT_NE(error().find("client 0 is open already"), std::string::npos) << error();
  int size = 0;
  int servers = 0;
  int attached = 0;
  EXPECT_EQ(epios_client_size(client, &size), EPIOS_SUCCESS);
  EXPECT_EQ(epios_client_servers(client, &servers, &attached), EPIOS_SUCCESS);
  EXPECT_EQ(size, 1);
  EXPECT_EQ(servers, 1);
  EXPECT_EQ(attached, 1);
  EXPECT_EQ(epios_session_close(session), EPIOS_ERR_CALL_ORDER);

  epios_context* context = nullptr;
  EXPECT_EQ(epios_context_open(client, "xios", &context), EPIOS_ERR_ARGUMENT);
  ASSERT_EQ(epios_context_open(client, "c", &context), EPIOS_SUCCESS) << error();
  epios_context* again = nullptr;
  EXPECT_EQ(epios_context_open(client, "c", &again), EPIOS_ERR_CALL_ORDER);

  char text[64];
  EXPECT_EQ(epios_get_variable(context, "who", text, sizeof text), EPIOS_SUCCESS);
  EXPECT_STREQ(text, "me");
  EXPECT_EQ(epios_get_variable(context, "who", text, 2), EPIOS_ERR_ARGUMENT);
  EXPECT_EQ(epios_get_variable(context, "nobody", text, sizeof text), EPIOS_ERR_ARGUMENT);
  EXPECT_EQ(epios_current_date(context, text, sizeof text), EPIOS_ERR_CALL_ORDER);

  EXPECT_EQ(epios_set_int(context, "axes", "a", "n_glo", 3), EPIOS_ERR_ARGUMENT);
  EXPECT_EQ(epios_set_int(context, "axis", "a", "n_glob", 3), EPIOS_ERR_CONFIGURATION);
  EXPECT_TRUE(error().starts_with("API call epios_set_int(axis 'a', 'n_glob'): ")) << error();
  EXPECT_NE(error().find("Did you mean 'n_glo'"), std::string::npos) << error();
  EXPECT_EQ(epios_set_double(context, "axis", "b", "n_glo", 3), EPIOS_ERR_CONFIGURATION);
  const double levels[] = {1, 2, 3};
  const int64_t shape[] = {3};
  EXPECT_EQ(epios_set_doubles(context, "axis", "a", "value", levels, 1, shape), EPIOS_SUCCESS)
      << error();
  EXPECT_EQ(epios_set_doubles(context, "axis", "a", "value", nullptr, 1, shape),
            EPIOS_ERR_ARGUMENT);
  EXPECT_NE(error().find("'values' is a null pointer (its values are read)"), std::string::npos)
      << error();
  EXPECT_EQ(epios_set_doubles(context, "axis", "a", "value", levels, 0, shape), EPIOS_ERR_ARGUMENT);
  const int64_t too_many[] = {INT64_MAX, 2};
  EXPECT_EQ(epios_set_doubles(context, "axis", "a", "value", levels, 2, too_many),
            EPIOS_ERR_ARGUMENT);
  EXPECT_NE(error().find("shape is 9223372036854775807 x 2 (more values than memory can hold)"),
            std::string::npos)
      << error();
  // A process without points has arrays that are empty in one direction only.
  const int64_t no_points[][2] = {{3, 0}, {0, 3}, {INT64_MAX, 0}};
  EXPECT_EQ(epios_add(context, "domain", "none", "", ""), EPIOS_SUCCESS) << error();
  for (const auto& nowhere : no_points) {
    EXPECT_EQ(epios_set_bools(context, "domain", "none", "mask_2d", nullptr, 2, nowhere),
              EPIOS_SUCCESS)
        << error();
  }
  EXPECT_EQ(epios_add(context, "field", "late", "", ""), EPIOS_SUCCESS) << error();
  EXPECT_EQ(epios_set_text(context, "field", "late", "axis_ref", "a"), EPIOS_SUCCESS) << error();

  EXPECT_EQ(epios_send_double(context, "f", levels, 3), EPIOS_ERR_CALL_ORDER);
  ASSERT_EQ(epios_close_definition(context), EPIOS_SUCCESS) << error();
  EXPECT_EQ(epios_close_definition(context), EPIOS_ERR_CALL_ORDER);
  EXPECT_EQ(epios_set_int(context, "axis", "a", "n_glo", 4), EPIOS_ERR_CALL_ORDER);

  int active = 0;
  EXPECT_EQ(epios_field_is_active(context, "f", 0, &active), EPIOS_SUCCESS);
  EXPECT_EQ(active, 1);
  EXPECT_EQ(epios_field_is_active(context, "idle", 0, &active), EPIOS_SUCCESS);
  EXPECT_EQ(active, 0);
  EXPECT_EQ(epios_field_is_active(context, "nothing", 0, &active), EPIOS_ERR_ARGUMENT);

  EXPECT_EQ(epios_send_double(context, "f", levels, 2), EPIOS_ERR_ARGUMENT);
  EXPECT_NE(error().find("2 values (expected 3"), std::string::npos) << error();
  EXPECT_EQ(epios_send_double(context, "f", nullptr, 3), EPIOS_ERR_ARGUMENT);
  EXPECT_EQ(epios_send_double(context, "f", levels, -1), EPIOS_ERR_ARGUMENT);
  epios_field field;
  epios_field idle;
  EXPECT_EQ(epios_find_field(context, "nothing", &field), EPIOS_ERR_ARGUMENT);
  ASSERT_EQ(epios_find_field(context, "f", &field), EPIOS_SUCCESS) << error();
  ASSERT_EQ(epios_find_field(context, "idle", &idle), EPIOS_SUCCESS) << error();
  EXPECT_EQ(idle.number, -1);
  int rank = -1;
  int64_t extents[2] = {-1, -1};
  ASSERT_EQ(epios_field_extents(field, &rank, extents, 2), EPIOS_SUCCESS) << error();
  EXPECT_EQ(rank, 1);
  EXPECT_EQ(extents[0], 3);
  EXPECT_EQ(extents[1], -1);
  EXPECT_EQ(epios_field_extents(field, &rank, nullptr, 0), EPIOS_SUCCESS) << error();
  EXPECT_EQ(epios_field_extents(field, &rank, nullptr, 1), EPIOS_ERR_ARGUMENT);
  EXPECT_EQ(epios_field_extents(field, nullptr, extents, 2), EPIOS_ERR_ARGUMENT);
  EXPECT_EQ(epios_field_extents(idle, &rank, extents, 2), EPIOS_SUCCESS) << error();
  EXPECT_EQ(rank, 0);
  EXPECT_EQ(epios_field_extents({context, 7}, &rank, extents, 2), EPIOS_ERR_ARGUMENT);
  EXPECT_EQ(epios_read_field_extents({context, 0}, &rank, extents, 2), EPIOS_ERR_ARGUMENT);
  EXPECT_EQ(epios_field_send_double({context, 1}, levels, 3), EPIOS_ERR_ARGUMENT);
  EXPECT_NE(error().find("1 is not the number of a field"), std::string::npos) << error();
  EXPECT_EQ(epios_field_send_double({nullptr, 0}, levels, 3), EPIOS_ERR_ARGUMENT);
  EXPECT_EQ(epios_field_send_double(field, levels, 2), EPIOS_ERR_ARGUMENT);
  EXPECT_NE(error().find("field 'f': array has 2 values"), std::string::npos) << error();
  for (int64_t step = 1; step <= 4; ++step) {
    ASSERT_EQ(epios_update_calendar(context, step), EPIOS_SUCCESS);
    EXPECT_EQ(epios_field_ask_active(field, 1, &active), EPIOS_SUCCESS);
    EXPECT_EQ(active, 1);
    const int sent = step % 2 == 0 ? epios_send_double(context, "f", levels, 3)
                                   : epios_field_send_double(field, levels, 3);
    EXPECT_EQ(sent, EPIOS_SUCCESS) << error();
    // The date has been sent: what comes again is of no use.
    EXPECT_EQ(epios_field_ask_active(field, 1, &active), EPIOS_SUCCESS);
    EXPECT_EQ(active, 0);
    EXPECT_EQ(epios_field_ask_active(idle, 0, &active), EPIOS_SUCCESS);
    EXPECT_EQ(active, 0);
    EXPECT_EQ(epios_field_send_double(idle, levels, 3), EPIOS_SUCCESS) << error();
    EXPECT_EQ(epios_send_double(context, "idle", levels, 3), EPIOS_SUCCESS) << error();
  }
  EXPECT_EQ(epios_current_date(context, text, sizeof text), EPIOS_SUCCESS);
  EXPECT_STREQ(text, "2000-03-02 00:00:00");
  EXPECT_EQ(epios_update_calendar(context, 2), EPIOS_ERR_ARGUMENT);

  ASSERT_EQ(epios_context_finalize(context), EPIOS_SUCCESS) << error();
  EXPECT_EQ(epios_context_finalize(context), EPIOS_ERR_CALL_ORDER);
  epios_statistics statistics;
  EXPECT_EQ(epios_get_statistics(context, &statistics), EPIOS_SUCCESS);
  EXPECT_EQ(statistics.sends, 4);
  EXPECT_EQ(statistics.records_sent, 2);
  epios_file_report report;
  ASSERT_EQ(epios_get_file_report(context, 0, &report), EPIOS_SUCCESS);
  EXPECT_STREQ(report.error, "");
  EXPECT_EQ(report.records_written, 2);
  EXPECT_EQ(report.bytes, static_cast<int64_t>(std::filesystem::file_size("out.nc")));
  EXPECT_EQ(epios_get_file_report(context, 1, &report), EPIOS_ERR_ARGUMENT);
  EXPECT_EQ(error(),
            "file report 1 does not exist (there are 1, counted from 0, once the context has "
            "ended). Does epios_count_file_reports count it?");
  EXPECT_EQ(epios_field_send_double(field, levels, 3), EPIOS_ERR_CALL_ORDER);

  use_the_id_again(client);
  EXPECT_STREQ(report.path, "out.nc");  // of the first one, still

  ASSERT_EQ(epios_client_close(client), EPIOS_SUCCESS) << error();
  EXPECT_EQ(epios_update_calendar(context, 9), EPIOS_ERR_ARGUMENT);
  EXPECT_EQ(epios_client_close(client), EPIOS_ERR_ARGUMENT);
  EXPECT_EQ(epios_client_open(session, 0, &client), EPIOS_ERR_CALL_ORDER);
  EXPECT_NE(error().find("client 0 was closed"), std::string::npos) << error();
  ASSERT_EQ(epios_session_close(session), EPIOS_SUCCESS) << error();
  EXPECT_EQ(epios_session_open("c", &options, &second), EPIOS_ERR_CALL_ORDER);
}

}  // namespace
}  // namespace epios::client::c_api_test
