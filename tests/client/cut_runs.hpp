/// @file
/// A model whose runs are cut and go on.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <epios/epios.hpp>
#include <filesystem>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "scratch.hpp"

namespace epios::client {

inline constexpr int ni = 7;
inline constexpr int nj = 5;
inline constexpr int levels = 3;
inline constexpr int steps = 60;

inline constexpr const char* iodef = R"xml(
<simulation>
  <context id="xios">
    <variable_definition><variable id="shared_record_bytes">300</variable></variable_definition>
  </context>
  <context id="ocean" statistics_file="waiting">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-30" time_origin="2000-01-01"/>
    <axis_definition><axis id="z" n_glo="3"/></axis_definition>
    <domain_definition>
      <domain id="d" type="rectilinear" ni_glo="7" nj_glo="5"/>
      <domain id="land" type="rectilinear" ni_glo="7" nj_glo="5"/>
    </domain_definition>
    <grid_definition>
      <grid id="g"><domain domain_ref="d"/><axis axis_ref="z"/></grid>
    </grid_definition>
    <field_definition prec="8">
      <field id="u" grid_ref="g"/>
      <field id="v" grid_ref="g"/>
      <field id="holes" domain_ref="d" default_value="-9" detect_missing_value="true"/>
      <field id="depth" domain_ref="d"/>
      <field id="rare" domain_ref="d"/>
      <field id="masked" domain_ref="land"/>
      <field id="speed" expr="sqrt(u*u + v*v)"/>
      <field id="mean_v" field_ref="v" operation="average"/>
      <field id="daily" expr="@mean_v - 1" freq_op="12h"/>
      <field id="weighted" expr="@(v * u) / @mean_v" operation="average" freq_op="8h"/>
    </field_definition>
    <file_definition>
      <file id="means" output_freq="1d">
        <field field_ref="speed" operation="average"/>
        <field field_ref="u" operation="average" prec="4"/>
        <field field_ref="u" name="u_max" operation="maximum"/>
        <field field_ref="u" name="u_min" operation="minimum"/>
        <field field_ref="v" name="v_sum" operation="accumulate" freq_op="2h"/>
        <field field_ref="holes" operation="average"/>
        <field field_ref="holes" name="holes_sum" operation="accumulate"/>
        <field field_ref="holes" name="holes_max" operation="maximum"/>
        <field field_ref="rare" operation="average" freq_op="4h"/>
        <field field_ref="daily" name="most" operation="maximum" freq_op="12h"/>
        <field field_ref="depth" operation="once"/>
        <field field_ref="v" name="v_now" operation="instant" freq_op="4h"/>
        <field field_ref="u" name="u_first" operation="instant" freq_op="1d" freq_offset="0s"/>
        <field field_ref="v" name="v_early" operation="average" freq_op="6h" freq_offset="2h"/>
        <field field_ref="holes" name="holes_early" operation="accumulate" freq_op="3h" freq_offset="1h"/>
        <field field_ref="weighted" operation="maximum" freq_op="8h"/>
        <field field_ref="masked" operation="minimum"/>
      </file>
      <file id="now" output_freq="5h">
        <field field_ref="u" operation="instant"/>
        <field field_ref="depth" name="depth4" operation="once" prec="4"/>
      </file>
      <file id="series" output_freq="8h" timeseries="exclusive">
        <field field_ref="u" operation="average" ts_enabled="true"/>
        <field field_ref="masked" operation="average" ts_enabled="true" freq_op="2h" freq_offset="0s"/>
        <field field_ref="v" operation="instant"/>
      </file>
      <file id="parts" output_freq="6h" split_freq="1mo" split_freq_format="%y%mo%d%h">
        <field field_ref="v" operation="average"/>
        <field field_ref="depth" operation="once"/>
      </file>
    </file_definition>
  </context>
</simulation>)xml";

/// One run over steps of the whole.
struct Run {
  int begin = 0, end = steps;
  std::string folder;
  unsigned layout = 0;
  bool appends = false;  ///< to the files of the runs before
};

inline std::string date_text(int step) {
  // NoLeap: January ends 48 hours after the start.
  const int day = 30 + step / 24;
  const bool is_january = day <= 31;
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "2000-%s-%02d %02d:00:00", is_january ? "01" : "02",
                is_january ? day : day - 31, step % 24);
  return text.data();
}

inline double value(int field, int step, int i, int j, int k) {
  const double x = std::sin(field * 3 + step * 0.7 + i * 1.3 + j * 2.1 + k * 0.9);
  return x / 3 + field;
}

inline bool is_sent(int field, int step) {
  if (field == 4) return step % 3 != 0;  // sometimes not
  return true;
}

/// Cuts [0, n) into `parts`, some of them empty.
inline std::vector<int> bounds(std::mt19937& random, int n, int parts) {
  std::vector<int> out = {0};
  for (int p = 1; p < parts; ++p)
    out.push_back(static_cast<int>(random() % (static_cast<unsigned>(n) + 1)));
  out.push_back(n);
  std::sort(out.begin(), out.end());
  return out;
}

/// What a client has.
struct Part {
  int ibegin = 0, nx = 0, jbegin = 0, ny = 0;
};

inline Part define(Context& context, const Client& client, const Run& how) {
  std::mt19937 random(how.layout);
  const bool is_in_rows = random() % 2 == 0;
  const std::vector<int> cuts = bounds(random, is_in_rows ? nj : ni, client.size());
  const auto at = static_cast<std::size_t>(client.rank());
  const int begin = cuts[at];
  const int count = cuts[at + 1] - begin;
  const Part part = is_in_rows ? Part{0, ni, begin, count} : Part{begin, count, 0, nj};
  context.set("context", "", "output_dir", how.folder);
  context.set("context", "", "statistics_file", std::filesystem::absolute("state.nc").string());
  context.set("calendar", "", "start_date", date_text(how.begin));
  for (const char* file : {"means", "now", "parts", "series"}) {
    if (how.appends) context.set("file", file, "append", true);
  }
  for (const char* domain : {"d", "land"}) {
    context.set("domain", domain, "ibegin", part.ibegin);
    context.set("domain", domain, "ni", part.nx);
    context.set("domain", domain, "jbegin", part.jbegin);
    context.set("domain", domain, "nj", part.ny);
  }
  std::vector<unsigned char> mask;
  for (int j = part.jbegin; j < part.jbegin + part.ny; ++j) {
    for (int i = part.ibegin; i < part.ibegin + part.nx; ++i) mask.push_back((i + 2 * j) % 3 != 0);
  }
  context.at("domain", "land").set("mask_1d", std::span<const unsigned char>(mask));
  return part;
}

inline void send_steps(Context& context, const Part& part, const Run& how) {
  const std::array<const char*, 6> fields{"u", "v", "holes", "depth", "rare", "masked"};
  for (int step = how.begin + 1; step <= how.end; ++step) {
    context.update_calendar(step - how.begin);
    for (int field = 0; field < 6; ++field) {
      if (!is_sent(field, step)) continue;
      std::vector<double> array;
      for (int k = 0; k < (field < 2 ? levels : 1); ++k) {
        for (int j = part.jbegin; j < part.jbegin + part.ny; ++j) {
          for (int i = part.ibegin; i < part.ibegin + part.nx; ++i) {
            const bool is_hole = field == 2 && (i + j + step / 5) % 4 != 0;
            array.push_back(is_hole ? -9 : value(field, step, i, j, k));
          }
        }
      }
      context.send(fields.at(static_cast<std::size_t>(field)), array);
    }
  }
  context.finalize();
}

inline void run(Client& client, const Run& how) {
  Context context = client.open_context("ocean");
  const Part part = define(context, client, how);
  context.close_definition();
  send_steps(context, part, how);
}

inline void wait_for_all() { MPI_Barrier(MPI_COMM_WORLD); }

/// All processes in one folder, which the first of them makes.
class SharedFolder {
 public:
  SharedFolder() : before_(std::filesystem::current_path()) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::array<char, 4096> path{};
    if (rank == 0) {
      scratch_ = std::make_unique<Scratch>(iodef);
      std::snprintf(path.data(), path.size(), "%s", std::filesystem::current_path().c_str());
    }
    MPI_Bcast(path.data(), static_cast<int>(path.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
    std::filesystem::current_path(path.data());
  }
  SharedFolder(const SharedFolder&) = delete;
  SharedFolder(SharedFolder&&) = delete;
  SharedFolder& operator=(const SharedFolder&) = delete;
  SharedFolder& operator=(SharedFolder&&) = delete;
  ~SharedFolder() {
    wait_for_all();
    std::filesystem::current_path(before_);
  }

 private:
  std::filesystem::path before_;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace epios::client
