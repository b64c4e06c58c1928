// What it takes to make grids of others ready: 10^6 cells, four endpoints, as blocks and as listed
// cells, for views (each endpoint works alone, the slowest one counts) and for reductions (they
// exchange). And to apply weights, as a ratio to what it takes to move the bytes of the sparse
// product at the rate of memcpy. In several processes: what messages of many fields cost beside one
// of many levels.
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <ep/ep.hpp>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "config/definitions.hpp"
#include "config/document.hpp"
#include "config/model.hpp"
#include "grid/part.hpp"
#include "measuring.hpp"
#include "space/steps.hpp"
#include "space/views.hpp"

namespace {

using namespace epios;
using config::ElementKind;

constexpr std::int64_t side = 1000;
constexpr int endpoints = 4;
constexpr int rounds = 5;

constexpr const char* iodef = R"(
<simulation>
  <context id="c">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <domain_definition>
      <domain id="d" type="curvilinear" ni_glo="1000" nj_glo="1000" data_dim="2"/>
      <domain id="window"><extract_domain ibegin="100" ni="800" jbegin="100" nj="800"/></domain>
      <domain id="turned"><reorder_domain invert_lat="true" shift_lon_fraction="0.5"/></domain>
    </domain_definition>
    <axis_definition>
      <axis id="z" n_glo="75"/>
      <axis id="upper"><extract_axis begin="0" n="10"/></axis>
    </axis_definition>
    <grid_definition>
      <grid id="all"><domain domain_ref="d"/><axis axis_ref="z"/></grid>
      <grid id="some"><domain domain_ref="window"/><axis axis_ref="upper"/></grid>
      <grid id="other"><domain domain_ref="turned"/><axis axis_ref="z"/></grid>
    </grid_definition>
    <field_definition operation="instant"><field id="t" grid_ref="all"/></field_definition>
    <file_definition>
      <file id="f" output_freq="1h">
        <field field_ref="t" name="t_some" grid_ref="some"/>
        <field field_ref="t" name="t_other" grid_ref="other"/>
      </file>
    </file_definition>
  </context>
</simulation>)";

/// What one endpoint has: rows, with coordinates and areas of each cell.
config::Model model_of(const char* xml, int endpoint, bool is_listed) {
  const config::SourceTexts texts{{"iodef.xml", xml}};
  config::Definitions definitions{config::Document(texts)};
  const std::int64_t rows = side / endpoints;
  const std::int64_t cells = rows * side;
  const auto set = [&](const char* name, config::Value value) {
    definitions.set("c", ElementKind::domain, "d", name, std::move(value), "bench");
  };
  if (is_listed) {
    config::value::integers i{{}, {cells}};
    config::value::integers j{{}, {cells}};
    for (std::int64_t cell = 0; cell < cells; ++cell) {
      i.values.push_back(cell % side);
      j.values.push_back(endpoint + endpoints * (cell / side));
    }
    set("i_index", i);
    set("j_index", j);
  } else {
    set("ibegin", std::int64_t{0});
    set("ni", side);
    set("jbegin", rows * endpoint);
    set("nj", rows);
  }
  const config::value::reals values{std::vector<double>(static_cast<std::size_t>(cells), 1.0),
                                    {cells}};
  set("lonvalue_1d", values);
  set("latvalue_1d", values);
  set("area_1d", values);
  return definitions.resolve("c");
}

double slowest(bool is_listed) {
  double slowest = 0;
  for (int endpoint = 0; endpoint < endpoints; ++endpoint) {
    const config::Model model = model_of(iodef, endpoint, is_listed);
    std::vector<double> times;
    for (int round = 0; round < rounds; ++round) {
      config::Model copy = model;
      const auto start = std::chrono::steady_clock::now();
      io::shape_views(copy);
      const std::chrono::duration<double> shaped = std::chrono::steady_clock::now() - start;
      times.push_back(shaped.count());
    }
    std::sort(times.begin(), times.end());
    slowest = std::max(slowest, times[times.size() / 2]);
  }
  return slowest;
}

constexpr const char* reductions = R"(
<simulation>
  <context id="c">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <domain_definition>
      <domain id="d" type="curvilinear" ni_glo="1000" nj_glo="1000" data_dim="2"/>
    </domain_definition>
    <axis_definition>
      <axis id="z" n_glo="75"/>
      <axis id="columns"><reduce_domain operation="average" direction="iDir"/></axis>
    </axis_definition>
    <scalar_definition><scalar id="sum"><reduce_domain operation="sum"/></scalar></scalar_definition>
    <grid_definition>
      <grid id="all"><domain domain_ref="d"/><axis axis_ref="z"/></grid>
      <grid id="sums"><scalar scalar_ref="sum"/><axis axis_ref="z"/></grid>
      <grid id="sides"><axis axis_ref="columns"/><axis axis_ref="z"/></grid>
    </grid_definition>
    <field_definition operation="instant"><field id="t" grid_ref="all"/></field_definition>
    <file_definition>
      <file id="f" output_freq="1h">
        <field field_ref="t" name="t_sum" grid_ref="sums"/>
        <field field_ref="t" name="t_side" grid_ref="sides"/>
      </file>
    </file_definition>
  </context>
</simulation>)";

/// Nobody hears.
class Silent final : public io::StepWatch {
 public:
  void begin(const std::string& /*what*/) override {}
  void check(const io::StepRun& /*waiting*/) override {}
  void end() override {}
};

/// Of `count` endpoints of this process, each in a thread: the longest that one of them says, in
/// the round that took least (a core may be busy with something else).
template <class Work>
double least_of_slowest(int count, const Work& work) {
  const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
  const std::vector<ep::Comm> all = world.create_endpoints(count);
  double least = std::numeric_limits<double>::infinity();
  std::vector<double> times(all.size());
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::thread> threads;
    for (std::size_t e = 0; e < all.size(); ++e) {
      threads.emplace_back([&, e] { times[e] = work(all[e]); });
    }
    for (std::thread& thread : threads) thread.join();
    least = std::min(least, *std::max_element(times.begin(), times.end()));
  }
  return least;
}

double plan_reductions(bool is_listed) {
  return least_of_slowest(endpoints, [&](const ep::Comm& endpoint) {
    config::Model model = model_of(reductions, endpoint.rank(), is_listed);
    Silent watch;
    ep::check(EP_Barrier(endpoint.get()));
    const auto start = bench::Clock::now();
    io::shape_elements(model, endpoint);
    const io::LocalParts parts(model);
    const io::StepPlans plans(model, parts, endpoint, nullptr, watch);
    return bench::seconds_since(start);
  });
}

std::string remapping(int levels) {
  return fmt::format(R"(
<simulation>
  <context id="c">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <domain_definition>
      <domain id="d" type="rectilinear" ni_glo="1440" nj_glo="720"><generate_rectilinear_domain/></domain>
      <domain id="to" type="rectilinear" ni_glo="360" nj_glo="180">
        <generate_rectilinear_domain/><interpolate_domain order="1"/>
      </domain>
    </domain_definition>
    <axis_definition><axis id="z" n_glo="{}"/></axis_definition>
    <grid_definition>
      <grid id="from"><domain domain_ref="d"/><axis axis_ref="z"/></grid>
      <grid id="made"><domain domain_ref="to"/><axis axis_ref="z"/></grid>
    </grid_definition>
    <field_definition operation="instant"><field id="t" grid_ref="from"/></field_definition>
    <file_definition>
      <file id="f" output_freq="1h"><field field_ref="t" name="made" grid_ref="made"/></file>
    </file_definition>
  </context>
</simulation>)",
                     levels);
}

/// Seconds of a step on one endpoint, and what moving its bytes takes.
void apply_weights(int levels) {
  constexpr double sources = 1440 * 720;
  constexpr double targets = 360 * 180;
  double limit_s = 0;
  const double taken = least_of_slowest(1, [&](const ep::Comm& endpoint) {
    const std::string xml = remapping(levels);
    const config::SourceTexts texts{{"iodef.xml", xml}};
    config::Model model = config::Definitions{config::Document(texts)}.resolve("c");
    Silent watch;
    io::shape_elements(model, endpoint);
    const io::LocalParts parts(model);
    io::StepPlans plans(model, parts, endpoint, nullptr, watch);
    const auto run = plans.run(0);
    std::vector<double> values(static_cast<std::size_t>(sources) *
                               static_cast<std::size_t>(levels));
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<double>(k % 1000);
    std::vector<double> times;
    for (int round = 0; round < 3 * rounds; ++round) {
      const auto start = bench::Clock::now();
      run->take(std::array{std::span<const double>(values)}, round);
      run->deliver();
      times.push_back(bench::seconds_since(start));
    }
    // 4 x 4 cells of one target: each source has a part in one row. Weight and place of each entry
    // are read once for all levels, its values too, the results are written. memcpy reads and
    // writes.
    const double bytes = sources * 16 + levels * (sources * 8 + targets * 8);
    limit_s = bench::memcpy_s(values) * bytes / (16 * sources * levels);
    return bench::median(times);
  });
  fmt::print(
      "weights 1/4 to 1 degree, {} level(s): {:.2f} ms per step, {:.2f} x limit (target 1.5)\n",
      levels, 1e3 * taken, taken / limit_s);
}

/// `fields` of `levels` each, all on one grid: between domains (rows at the rim of parts), or sums.
std::string exchanging(int fields, int levels, bool are_sums) {
  std::string xml = fmt::format(
      R"(
<simulation>
  <context id="c">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <domain_definition>
      <domain id="d" type="rectilinear" ni_glo="360" nj_glo="180"><generate_rectilinear_domain/></domain>
      <domain id="to" type="rectilinear" ni_glo="180" nj_glo="91">
        <generate_rectilinear_domain/><interpolate_domain order="1"/>
      </domain>
    </domain_definition>
    <axis_definition><axis id="z" n_glo="{}"/></axis_definition>
    <scalar_definition><scalar id="sum"><reduce_domain operation="sum"/></scalar></scalar_definition>
    <grid_definition>
      <grid id="from"><domain domain_ref="d"/><axis axis_ref="z"/></grid>
      <grid id="made">{}<axis axis_ref="z"/></grid>
    </grid_definition>
    <field_definition operation="instant" grid_ref="from">)",
      levels, are_sums ? "<scalar scalar_ref=\"sum\"/>" : "<domain domain_ref=\"to\"/>");
  for (int f = 0; f < fields; ++f) xml += fmt::format("<field id=\"t{}\"/>", f);
  xml += "</field_definition><file_definition><file id=\"f\" output_freq=\"1h\">";
  for (int f = 0; f < fields; ++f) {
    xml += fmt::format("<field field_ref=\"t{0}\" name=\"made{0}\" grid_ref=\"made\"/>", f);
  }
  return xml + "</file></file_definition></context></simulation>";
}

/// Microseconds of a date in which all fields are taken and delivered, on the slowest rank.
double exchange_us(int fields, int levels, bool are_sums) {
  const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
  const config::SourceTexts texts{{"iodef.xml", exchanging(fields, levels, are_sums)}};
  config::Model model = config::Definitions{config::Document(texts)}.resolve("c");
  Silent watch;
  io::shape_elements(model, world);
  const io::LocalParts parts(model);
  io::StepPlans plans(model, parts, world, nullptr, watch);
  std::vector<std::unique_ptr<io::StepRun>> runs;
  runs.reserve(static_cast<std::size_t>(fields));
  for (int f = 0; f < fields; ++f) runs.push_back(plans.run(f));
  const auto& grid = model.grids[model.sources[0].grid];
  const std::int64_t places = parts.data(grid.elements[0]).places();
  const std::vector<double> values(static_cast<std::size_t>(places * levels), 1.5);
  std::vector<double> times;
  constexpr int dates = 300;
  for (int date = 0; date < dates; ++date) {
    ep::check(EP_Barrier(world.get()));
    const auto start = bench::Clock::now();
    for (const auto& run : runs) run->take(std::array{std::span<const double>(values)}, date);
    for (const auto& run : runs) run->deliver();
    times.push_back(bench::seconds_since(start));
  }
  double own = 1e6 * bench::median(times);
  double slowest = 0;
  ep::check(EP_Allreduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, world.get()));
  if (world.rank() == 0) {
    fmt::print("{} field(s) of {} level(s), {}: {:.0f} us per date, {} messages\n", fields, levels,
               are_sums ? "sums" : "1 to 2 degrees", slowest, plans.traffic().messages / dates);
  }
  return slowest;
}

}  // namespace

int main() {
  const ep::Environment environment(MPI_THREAD_MULTIPLE);
  if (ep::Comm::from_mpi(MPI_COMM_WORLD).size() > 1) {
    for (const bool are_sums : {false, true}) {
      exchange_us(1, 1, are_sums);
      for (const int count : {10, 30}) {
        exchange_us(count, 1, are_sums);
        exchange_us(1, count, are_sums);
      }
    }
    return 0;
  }
  for (const bool is_listed : {false, true}) {
    const char* const kind = is_listed ? "listed" : "block";
    fmt::print("window and reordering of 10^6 {} cells, {} endpoints: {:.3f} s (target 0.2)\n",
               kind, endpoints, slowest(is_listed));
    fmt::print("reductions of 10^6 {} cells, {} endpoints: {:.3f} s (target 0.2)\n", kind,
               endpoints, plan_reductions(is_listed));
  }
  for (const int levels : {1, 10}) apply_weights(levels);
  return 0;
}
