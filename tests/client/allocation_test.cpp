// What a model calls in its time loop takes no memory once all fields have been sent: this program
// counts the calls of operator new of the client's process, whose server is another process.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <epios/epios.hpp>
#include <string>
#include <vector>

#include "messages/counted_new.hpp"
#include "shared_scratch.hpp"

namespace epios::client::allocation_test {
namespace {

constexpr const char* iodef = R"xml(
<simulation>
  <context id="c">
    <calendar type="Gregorian" timestep="1h" start_date="2000-01-01"/>
    <axis_definition>
      <axis id="a" n_glo="300"/>
      <axis id="halo" n_glo="300" data_begin="-1" data_n="302"/>
    </axis_definition>
    <field_definition axis_ref="a" operation="average">
      <field id="u"/><field id="v"/><field id="alone"/><field id="idle"/>
      <field id="marked" default_value="-9" detect_missing_value="true"/>
      <field id="around" axis_ref="halo"/>
      <field id="speed" expr="sqrt(u*u + v*v)"/>
      <field id="weighted" expr="@(u*v) / @v" freq_op="6h"/>
      <field id="received" expr="u + v" read_access="true"/>
    </field_definition>
    <file_definition>
      <file id="hours" output_freq="1h" sync_freq="6h">
        <field field_ref="speed" operation="instant"/>
        <field field_ref="alone" operation="instant" prec="8"/>
        <field field_ref="marked" operation="instant"/>
        <field field_ref="around" operation="instant"/>
      </file>
      <file id="days" output_freq="1d">
        <field field_ref="speed"/><field field_ref="weighted" operation="maximum"/>
        <field field_ref="u" operation="minimum"/><field field_ref="marked"/>
      </file>
      <file id="months" output_freq="1mo"><field field_ref="v"/></file>
    </file_definition>
  </context>
</simulation>)xml";

constexpr int steps = 24;

/// One day of everything that a model may call in its loop.
void run_day(Context& context, int day, std::vector<double>& array, std::vector<double>& wide) {
  for (int step = day * steps + 1; step <= (day + 1) * steps; ++step) {
    context.update_calendar(step);
    array[0] = step;
    for (const char* id : {"u", "v", "marked", "idle"}) {
      if (context.is_active(id))
        context.send(id, array);
      else
        context.send("idle", array);
    }
    context.send("around", wide);
    const Field alone = context.field("alone");
    const std::span<double> lent = alone.borrow();
    std::copy(array.begin(), array.end(), lent.begin());
    alone.send(lent);
    context.receive("received", std::span<double>(array));
  }
}

TEST(Allocation, NoneInTheLoopOfAClient) {
  int rank = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const SharedScratch scratch(iodef);
  if (rank > 0) {
    EXPECT_EQ(epios_serve(MPI_COMM_WORLD), EPIOS_SUCCESS) << epios_last_error();
    return;
  }
  Session session("c");
  Client client(session);
  Context context = client.open_context("c");
  context.close_definition();
  std::vector<double> array(300, 2);
  std::vector<double> wide(302, 2);
  // The first day makes what stays; a new maximum of what is under way takes new memory once.
  run_day(context, 0, array, wide);
  std::vector<std::int64_t> counts;
  for (int day = 1; day < 6; ++day) {
    const std::int64_t before = ep::test::allocations();
    run_day(context, day, array, wide);
    counts.push_back(ep::test::allocations() - before);
  }
  EXPECT_EQ(*std::min_element(counts.begin(), counts.end()), 0);
  context.finalize();
  client.close();
  session.close();
  EXPECT_GT(ep::test::allocations(), 0) << "they are counted";
}

}  // namespace
}  // namespace epios::client::allocation_test
