#include "restart.hpp"

#include <array>
#include <string>
#include <vector>

namespace ocean {
namespace {

/// The date at the end of so many days: years of 365 days from 2001 on.
std::string date_of(int days) {
  constexpr std::array<int, 12> lengths{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const int year = 2001 + days / 365;
  int day = days % 365;
  std::size_t month = 0;
  while (day >= lengths.at(month)) day -= lengths.at(month++);
  return std::to_string(year) + "-" + std::to_string(month + 1) + "-" + std::to_string(day + 1) +
         " 00:00:00";
}

constexpr const char* file_name = "ocean_restart";

void define(epios::client::Context& context, const Options& options, const Grid& grid,
            const Rows& rows) {
  context.at("calendar").set("type", "NoLeap").set("start_date", "2001-01-01 00:00:00");
  context.at("calendar").set("timestep", std::to_string(options.timestep_hours) + "h");
  const auto domain = context.at("domain_definition").child("domain", "ocean_grid");
  domain.set("type", "rectilinear").set("ni_glo", grid.ni).set("nj_glo", grid.nj);
  domain.set("ibegin", 0).set("ni", grid.ni).set("jbegin", rows.begin).set("nj", rows.count);
  domain.set("data_dim", 2).set("data_ibegin", -1).set("data_ni", grid.ni + 2);
  domain.set("data_jbegin", -1).set("data_nj", rows.count + 2);
}

}  // namespace

void define_continuation(epios::client::Context& context, const Options& options) {
  if (options.stop == 0 && options.restart == 0) return;
  context.set("context", "", "statistics_file", (options.output / "ocean_statistics").string());
  if (options.restart == 0) return;
  context.set("calendar", "", "start_date", date_of(options.restart));
  for (const char* file : {"daily", "monthly", "yearly", "global"}) {
    context.set("file", file, "append", true);
  }
}

void write_restart(epios::client::Client& client, const Options& options, const Grid& grid,
                   const Ocean& model) {
  epios::client::Context context = client.open_context("ocean_restart_out");
  define(context, options, grid, model.rows());
  context.set("context", "", "output_dir", options.output.string());
  context.at("field_definition").child("field", "sst").set("domain_ref", "ocean_grid");
  const auto file = context.at("file_definition").child("file", "restart");
  file.set("name", file_name).set("output_freq", "1ts");
  file.child("field").set("field_ref", "sst").set("operation", "instant").set("prec", 8);
  context.close_definition();
  context.update_calendar(1);
  context.send("sst", model.temperature());
  context.finalize();
}

void read_restart(epios::client::Client& client, const Options& options, const Grid& grid,
                  Ocean& model) {
  epios::client::Context context = client.open_context("ocean_restart_in");
  define(context, options, grid, model.rows());
  const auto file = context.at("file_definition").child("file", "restart");
  file.set("name", (options.output / file_name).string());
  file.set("output_freq", "1ts").set("mode", "read");
  file.child("field", "sst").set("domain_ref", "ocean_grid").set("operation", "once");
  context.close_definition();
  std::vector<double> temperature(model.temperature().begin(), model.temperature().end());
  context.receive("sst", temperature);
  context.finalize();
  model.restore(temperature);
}

}  // namespace ocean
