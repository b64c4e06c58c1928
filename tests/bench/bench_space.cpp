// What it takes to make grids of others ready that lie in the arrays of their sources: 10^6 cells,
// four endpoints, as blocks and as listed cells. Each endpoint works alone, so the slowest one
// counts.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "config/definitions.hpp"
#include "config/document.hpp"
#include "grid/part.hpp"
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
config::Model model_of(int endpoint, bool is_listed) {
  const config::SourceTexts texts{{"iodef.xml", iodef}};
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
    const config::Model model = model_of(endpoint, is_listed);
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

}  // namespace

int main() {
  for (const bool is_listed : {false, true}) {
    fmt::print("window and reordering of 10^6 {} cells, {} endpoints: {:.3f} s (target 0.2)\n",
               is_listed ? "listed" : "block", endpoints, slowest(is_listed));
  }
  return 0;
}
