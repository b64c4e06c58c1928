// Borrowed arrays where the channel is full, and where a record goes to several servers.
#include <gtest/gtest.h>
#include <mpi.h>
#include <netcdf.h>

#include <epios/epios.hpp>
#include <set>
#include <string>
#include <vector>

#include "shared_scratch.hpp"

namespace epios::client::borrow_room_test {
namespace {

constexpr std::int64_t points = 400'000;

// Fields of one writer, and one that two share where there are two.
constexpr const char* iodef = R"(
<simulation>
  <context id="c">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <domain_definition>
      <domain id="d" type="rectilinear" ni_glo="1000" nj_glo="400"/>
    </domain_definition>
    <field_definition domain_ref="d" operation="instant" prec="8">
      <field id="sent"/><field id="other"/>
      <field id="sum" expr="sent + 2 * other"/>
    </field_definition>
    <file_definition output_freq="1h">
      <file id="one"><field field_ref="sent"/></file>
      <file id="two"><field field_ref="other"/><field field_ref="sum"/></file>
    </file_definition>
  </context>
</simulation>)";

double value(const char* id, int step, std::int64_t point) {
  return (std::string(id) == "sent" ? 1 : 1000) * step + 1e-6 * static_cast<double>(point);
}

void expect_records(const char* path, const char* name, int records, auto expected) {
  int file = -1;
  int variable = -1;
  ASSERT_EQ(nc_open(path, NC_NOWRITE, &file), NC_NOERR) << path;
  ASSERT_EQ(nc_inq_varid(file, name, &variable), NC_NOERR) << name;
  std::vector<double> values(static_cast<std::size_t>(points));
  for (int record = 0; record < records; ++record) {
    const std::size_t start[] = {static_cast<std::size_t>(record), 0, 0};
    const std::size_t count[] = {1, 400, 1000};
    ASSERT_EQ(nc_get_vara_double(file, variable, start, count, values.data()), NC_NOERR);
    std::int64_t wrong = 0;
    for (std::int64_t p = 0; p < points; ++p) {
      wrong += values[static_cast<std::size_t>(p)] == expected(record + 1, p) ? 0 : 1;
    }
    EXPECT_EQ(wrong, 0) << name << " record " << record;
  }
  nc_close(file);
}

// The model never waits by itself: it is the full channel that lets it wait for memory, and
// neither a record nor a part of one is lost or written over.
int send_until_full(Context& context) {
  const Field sent = context.field("sent");
  const Field other = context.field("other");
  int step = 0;
  while (step < 8 || (step < 60 && context.statistics().blocked_s == 0)) {
    context.update_calendar(++step);
    for (const Field* const field : {&sent, &other}) {
      const char* const id = field == &sent ? "sent" : "other";
      const std::span<double> array = field->borrow();
      EXPECT_EQ(array.size(), static_cast<std::size_t>(points));
      for (std::int64_t p = 0; p < points; ++p) {
        array[static_cast<std::size_t>(p)] = value(id, step, p);
      }
      field->send(array);
    }
  }
  return step;
}

TEST(BorrowRoom, WaitsForRoomAndLosesNothing) {
  int rank = -1;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const SharedScratch scratch(iodef);
  if (rank > 0) {
    EXPECT_EQ(epios_serve(MPI_COMM_WORLD), EPIOS_SUCCESS) << epios_last_error();
    return;
  }
  Session session("c");
  Client client(session);
  Context context = client.open_context("c");
  context.close_definition();
  const int steps = send_until_full(context);
  const double blocked_s = context.statistics().blocked_s;
  EXPECT_GE(context.statistics().in_library_s, blocked_s);
  context.finalize();
  client.close();
  session.close();
  RecordProperty("blocked_s", std::to_string(blocked_s));
  expect_records("one.nc", "sent", steps,
                 [](int step, std::int64_t p) { return value("sent", step, p); });
  expect_records("two.nc", "other", steps,
                 [](int step, std::int64_t p) { return value("other", step, p); });
  expect_records("two.nc", "sum", steps, [](int step, std::int64_t p) {
    return value("sent", step, p) + 2 * value("other", step, p);
  });
}

}  // namespace
}  // namespace epios::client::borrow_room_test
