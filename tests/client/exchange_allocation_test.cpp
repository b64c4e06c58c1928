// Clients that exchange points take no memory in their time loop: this program counts the calls of
// operator new of the clients' process, whose server is another process.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <barrier>
#include <cstdint>
#include <epios/epios.hpp>
#include <string>
#include <thread>
#include <vector>

#include "messages/counted_new.hpp"
#include "shared_scratch.hpp"

namespace epios::client::exchange_allocation_test {
namespace {

// Two clients, as threads, that exchange points in all ways there are.
constexpr int steps = 24;

constexpr const char* exchanges = R"xml(
<simulation>
  <context id="exchanges">
    <calendar type="Gregorian" timestep="1h" start_date="2000-01-01"/>
    <domain_definition>
      <domain id="d" type="rectilinear" ni_glo="24" nj_glo="12"><generate_rectilinear_domain/></domain>
      <domain id="coarse" type="rectilinear" ni_glo="10" nj_glo="5">
        <generate_rectilinear_domain/><interpolate_domain order="2" detect_missing_value="true"/>
      </domain>
      <domain id="ring"><expand_domain i_periodic="true"/></domain>
      <domain id="window"><extract_domain ibegin="2" ni="10" jbegin="3" nj="5"/></domain>
      <domain id="dealt"><redistribute_domain type="column"/></domain>
    </domain_definition>
    <axis_definition>
      <axis id="z" n_glo="3" value="(0,2)[0 10 20]"/>
      <axis id="levels" n_glo="2" value="(0,1)[5 15]"><interpolate_axis/></axis>
      <axis id="rows"><reduce_domain operation="average" direction="jDir"/></axis>
      <axis id="hours" n_glo="3"><temporal_splitting/></axis>
    </axis_definition>
    <scalar_definition>
      <scalar id="one"/>
      <scalar id="sum"><reduce_domain operation="sum"/></scalar>
      <scalar id="most"><reduce_axis operation="max"/></scalar>
    </scalar_definition>
    <grid_definition>
      <grid id="all"><domain domain_ref="d"/><axis axis_ref="z"/></grid>
      <grid id="made"><domain domain_ref="coarse"/><axis axis_ref="levels"/></grid>
      <grid id="expanded"><domain domain_ref="ring"/><axis axis_ref="z"/></grid>
      <grid id="cut"><domain domain_ref="window"/><axis axis_ref="z"/></grid>
      <grid id="columns"><domain domain_ref="d"/><scalar scalar_ref="most"/></grid>
      <grid id="sums"><scalar scalar_ref="sum"/><scalar scalar_ref="most"/></grid>
      <grid id="zonal"><axis axis_ref="rows"/><axis axis_ref="z"/></grid>
    </grid_definition>
    <field_definition operation="average" default_value="-1">
      <field id="t" grid_ref="all"/>
      <field id="f" domain_ref="d"/>
      <field id="s" scalar_ref="one"/>
      <field id="t_most" field_ref="t" grid_ref="columns"/>
      <field id="t_sum" field_ref="t_most" grid_ref="sums" read_access="true"/>
      <field id="factor" grid_ref="sums"> t_sum / 2 </field>
      <field id="mean" grid_ref="all" freq_op="3h"> @t </field>
    </field_definition>
    <file_definition>
      <file id="made" output_freq="3h" sync_freq="6h">
        <field field_ref="t" name="t_made" grid_ref="made"/>
        <field field_ref="t" name="t_ring" grid_ref="expanded" operation="instant"/>
        <field field_ref="t" name="t_cut" grid_ref="cut"/>
        <field field_ref="mean" name="t_zonal" grid_ref="zonal" operation="instant"/>
        <field field_ref="f" name="f_dealt" domain_ref="dealt" operation="instant"/>
        <field field_ref="factor"/>
        <field field_ref="s" name="s_hours" scalar_ref="_reset_" axis_ref="hours" operation="instant"/>
      </file>
    </file_definition>
  </context>
</simulation>)xml";

void run_exchanges(Context& context, int day, std::vector<double>& t, std::vector<double>& f) {
  for (int step = day * steps + 1; step <= (day + 1) * steps; ++step) {
    context.update_calendar(step);
    std::fill(t.begin(), t.end(), step);
    std::fill(f.begin(), f.end(), step);
    context.send("t", t);
    context.send("f", f);
    context.send("s", std::span<const double>(f.data(), 1));
    double sum = 0;
    context.receive("t_sum", std::span<double>(&sum, 1));
    EXPECT_EQ(sum, 288.0 * step);
  }
}

/// What is allocated on some day, by both.
void count(Session& session, int index, std::barrier<>& both) {
  Client client(session, index);
  Context context = client.open_context("exchanges");
  context.close_definition();
  std::vector<double> t(24 * 6 * 3);
  std::vector<double> f(24 * 6);
  std::int64_t least = 1;
  // The first day makes what stays; a new maximum of what is under way takes new memory once.
  for (int day = 0; day < 7; ++day) {
    both.arrive_and_wait();
    const std::int64_t before = ep::test::allocations();
    both.arrive_and_wait();
    run_exchanges(context, day, t, f);
    both.arrive_and_wait();
    const std::int64_t made = ep::test::allocations() - before;
    least = day == 1 ? made : std::min(least, made);
    both.arrive_and_wait();
  }
  EXPECT_EQ(least, 0);
  context.finalize();
  client.close();
}

TEST(Allocation, NoneWhereClientsExchangePoints) {
  int rank = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const SharedScratch scratch(exchanges);
  if (rank > 0) {
    EXPECT_EQ(epios_serve(MPI_COMM_WORLD), EPIOS_SUCCESS) << epios_last_error();
    return;
  }
  Session::Options options;
  options.clients = 2;
  Session session("c", options);
  std::barrier<> both(2);
  std::thread other([&] { count(session, 1, both); });
  count(session, 0, both);
  other.join();
  session.close();
  EXPECT_GT(ep::test::allocations(), 0) << "they are counted";
}

}  // namespace
}  // namespace epios::client::exchange_allocation_test
