// The page of `epios live` in a browser, beside a run with everything that it can show.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "commands/command.hpp"
#include "config/index.hpp"
#include "config/run_page.hpp"

namespace epios::config::browser_test {
namespace {

using test::Command;
using test::Outcome;
using test::run;
using test::run_line;

struct Place {
  double lon = 0, lat = 0;
};

/// A sample of a domain, of which this node has the values of the first `own` cells.
struct Grid {
  int columns = 0, rows = 1, own = 0;
  bool is_rectilinear = false;
  std::function<Place(int column, int row)> place{};
};

Grid globe() {
  return {60, 30, 60 * 30, true, [](int i, int j) { return Place{6.0 * i + 3, 6.0 * j - 87}; }};
}

/// A region whose rows are no parallels. The last ten of its rows are written on other nodes.
Grid curvilinear() {
  return {40, 30, 40 * 20, false, [](int i, int j) {
            return Place{-60 + 2.0 * i + 0.5 * j, 50 + 1.0 * j + 4 * std::sin(i / 10.0)};
          }};
}

/// Cells whose values other nodes write.
Grid elsewhere() {
  return {10, 1, 0, false, [](int i, int) { return Place{10.0 * i, 50}; }};
}

/// The pixels in the order of rings, as in Gorski et al. 2005, doi:10.1086/427976, eq. 4 to 9.
Grid healpix() {
  constexpr int nside = 8, pixels = 12 * nside * nside, cap = 2 * nside * (nside - 1);
  return {pixels, 1, pixels, false, [](int pixel, int) {
            const bool is_south = pixel >= pixels - cap;
            const int p = is_south ? pixels - 1 - pixel : pixel;
            double z = 0, lon = 0;
            if (p < cap) {
              const int ring = static_cast<int>((1 + std::sqrt(1 + 2.0 * p)) / 2);
              z = 1 - ring * ring / (3.0 * nside * nside);
              lon = 90 * (p + 0.5 - 2.0 * ring * (ring - 1)) / ring;
            } else {
              const int ring = (p - cap) / (4 * nside) + nside;
              const double shift = (ring - nside + 1) % 2 * 0.5;
              z = 4.0 / 3 - 2 * ring / (3.0 * nside);
              lon = 90 * ((p - cap) % (4 * nside) + 1 - shift) / nside;
            }
            return Place{is_south ? 360 - lon : lon,
                         std::asin(is_south ? -z : z) * 180 / 3.14159265358979};
          }};
}

/// A map whose values are latitudes, missing at 270 degrees east.
std::vector<HeldSlot<MapSlot>> map_of(RunPage& page, const std::string& field,
                                      const std::string& level, int day, const Grid& grid) {
  const int size = grid.columns * grid.rows;
  auto out = page.take_maps(static_cast<std::size_t>(size));
  int first = 0;
  for (auto& slot : out) {
    slot->component.set("ocean");
    slot->context.set("o");
    slot->field.set(field);
    slot->unit.set("degC");
    slot->level.set(level);
    slot->columns.set(grid.columns);
    slot->rows.set(grid.rows);
    slot->is_rectilinear.set(grid.is_rectilinear ? 1 : 0);
    const int cells = std::min<int>(MapSlot::most_cells, size - first);
    slot->cells.set(cells);
    slot->own.set(std::clamp(grid.own - first, 0, cells));
    const auto place = [&](int cell) {
      return grid.place(cell % grid.columns, cell / grid.columns);
    };
    for (int i = 0; i < cells; ++i) {
      nth(slot->cell, i).set(static_cast<std::uint16_t>(first + i));
      if (grid.is_rectilinear) continue;
      nth(slot->lon, i).set(static_cast<float>(place(first + i).lon));
      nth(slot->lat, i).set(static_cast<float>(place(first + i).lat));
    }
    for (int i = 0; grid.is_rectilinear && i < grid.columns; ++i) {
      nth(slot->lon, i).set(static_cast<float>(grid.place(i, 0).lon));
    }
    for (int j = 0; grid.is_rectilinear && j < grid.rows; ++j) {
      nth(slot->lat, j).set(static_cast<float>(grid.place(0, j).lat));
    }
    slot->set(3, {2000, 1, day, 0, 0, 0}, [&](std::size_t i) {
      const Place at = place(first + static_cast<int>(i));
      return std::abs(at.lon - 270) < 6 ? std::numeric_limits<float>::quiet_NaN()
                                        : static_cast<float>(at.lat);
    });
    first += cells;
  }
  return out;
}

TEST_F(Command, browser_shows_a_run) {
  if (run("live --help").exit_code != 0) GTEST_SKIP() << "built without cpp-httplib";
  RunPage::Contents contents;
  contents.job = "browser_test-" + std::to_string(::getpid());
  contents.components = {"ocean"};
  contents.processes = 3;
  contents.slots = {1, 1, 3, 1, 25, 3};
  Outcome outcome;
  std::thread browser;
  {
    RunPage page(contents, 1);
    const auto context = page.take_client("ocean", "o", 0);
    context->blocked[0].name.set("thetao");
    context->blocked[0].blocked_s.set(1.5);
    context->blocked[0].stream.set(1);
    const auto server = page.take_server(3);
    server->contexts.set(1);
    const auto file = page.take_file("ocean", "o", "daily.nc", 3);
    const auto other = page.take_file("ocean", "o", "<b>bold</b>", 3);
    file->durable.set(2);
    const auto failed = page.take_file("ocean", "o", "yearly.nc", 3);
    failed->state.set(SlotState::failed);
    const auto wait = page.take_wait();
    wait->who.kind.set(PageActor::Kind::client);
    wait->who.rank.set(1);
    wait->whom.kind.set(PageActor::Kind::server);
    wait->whom.rank.set(3);
    wait->number_whom.set(1);
    wait->what.set("room");
    wait->began_ns.set(page_clock_ns() - 3'700'000'000'000);
    wait->state.set(SlotState::active);
    page.add_line(LineSlot::Severity::info, "server 3: ", "all is well");
    page.add_line(LineSlot::Severity::error, "server 3: ", "file 'yearly.nc': no space left");
    const auto surface = map_of(page, "tos", "", 3, globe());
    const auto levels = map_of(page, "thetao", "lev 1 of 3", 2, globe());
    const auto region = map_of(page, "ice", "", 4, curvilinear());
    const auto sky = map_of(page, "sky", "", 5, healpix());
    const auto west = map_of(page, "west", "", 6, elsewhere());
    ASSERT_EQ(sky.size(), 3U);
    browser = std::thread([&, job = contents.job] {
      outcome = run_line("python3 " EPIOS_TEST_FOLDER "/live/browser.py " EPIOS_COMMAND " " + job +
                         " " + folder.string() + " 2>&1");
      std::ofstream(folder / "seen") << "";  // also if it failed before
    });
    while (!std::filesystem::exists(folder / "seen")) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  std::ofstream(folder / "over") << "";
  browser.join();
  if (outcome.exit_code == 77) GTEST_SKIP() << outcome.text;
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
}

}  // namespace
}  // namespace epios::config::browser_test
