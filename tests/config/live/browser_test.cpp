// The page of `epios live` in a browser, beside a run with everything that it can show.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "commands/command.hpp"
#include "config/run_page.hpp"

namespace epios::config::browser_test {
namespace {

using test::Command;
using test::Outcome;
using test::run;
using test::run_line;

/// A rectilinear map of 60 x 30 cells, whose values are latitudes, missing at 270 degrees east.
std::vector<HeldSlot<MapSlot>> map_of(RunPage& page, const std::string& field,
                                      const std::string& level, int day) {
  constexpr int columns = 60, rows = 30;
  auto out = page.take_maps(columns * rows);
  int first = 0;
  for (auto& slot : out) {
    slot->component.set("ocean");
    slot->context.set("o");
    slot->field.set(field);
    slot->unit.set("degC");
    slot->level.set(level);
    slot->columns.set(columns);
    slot->rows.set(rows);
    slot->is_rectilinear.set(1);
    const int cells = std::min<int>(MapSlot::most_cells, columns * rows - first);
    slot->cells.set(cells);
    for (int i = 0; i < cells; ++i) {
      slot->cell[static_cast<std::size_t>(i)].set(static_cast<std::uint16_t>(first + i));
    }
    for (int i = 0; i < columns; ++i)
      slot->lon[static_cast<std::size_t>(i)].set(static_cast<float>(6 * i + 3));
    for (int i = 0; i < rows; ++i)
      slot->lat[static_cast<std::size_t>(i)].set(static_cast<float>(6 * i - 87));
    slot->set(3, {2000, 1, day, 0, 0, 0}, [&](std::size_t i) {
      const int at = first + static_cast<int>(i), row = at / columns, column = at % columns;
      return column == 44 || column == 45 ? std::numeric_limits<float>::quiet_NaN()
                                          : 6.0F * static_cast<float>(row) - 87;
    });
    first += cells;
  }
  return out;
}

TEST_F(Command, browser_shows_a_run) {
  if (run("live --help").exit_code != 0) GTEST_SKIP() << "built without cpp-httplib";
  const std::string chromium = [] {
    for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
      if (run_line(std::string(name) + " --version > /dev/null 2>&1").exit_code == 0) return name;
    }
    return "";
  }();
  if (chromium.empty()) GTEST_SKIP() << "no Chromium here (Debian: chromium)";
  RunPage::Contents contents;
  contents.job = "browser_test-" + std::to_string(::getpid());
  contents.components = {"ocean"};
  contents.slots = {1, 1, 2, 1, 16, 2};
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
    const auto wait = page.take_wait();
    wait->who.kind.set(PageActor::Kind::client);
    wait->who.rank.set(1);
    wait->whom.kind.set(PageActor::Kind::server);
    wait->whom.rank.set(3);
    wait->number_whom.set(1);
    wait->what.set("room");
    wait->state.set(SlotState::active);
    page.add_line(LineSlot::Severity::info, "server 3: ", "all is well");
    const auto surface = map_of(page, "tos", "", 3);
    const auto levels = map_of(page, "thetao", "lev 1 of 3", 2);
    ASSERT_EQ(levels.size(), 8U);
    browser = std::thread([&, job = contents.job] {
      outcome = run_line("python3 " EPIOS_TEST_FOLDER "/live/browser.py " EPIOS_COMMAND " " + job +
                         " " + folder.string() + " " + chromium + " 2>&1");
      std::ofstream(folder / "seen") << "";  // also if it failed before
    });
    while (!std::filesystem::exists(folder / "seen")) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  std::ofstream(folder / "over") << "";
  browser.join();
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  // For whoever wants to look at the page.
  if (const char* const kept = std::getenv("EPIOS_KEEP_SCREENSHOTS")) {
    for (const char* name : {"desktop.png", "telephone.png", "over.png"}) {
      std::error_code missing;
      std::filesystem::copy_file(folder / name, std::filesystem::path(kept) / name,
                                 std::filesystem::copy_options::overwrite_existing, missing);
    }
  }
}

}  // namespace
}  // namespace epios::config::browser_test
