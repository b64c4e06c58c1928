// Draws a run report as one HTML page without external files: bars for clients, files and servers,
// then tables with all figures.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "config/run_report.hpp"
#include "report/report_plots.hpp"
#include "report/report_words.hpp"
#include "text/printable.hpp"

namespace epios::config {

namespace {

/// Bars beyond these would be too many to read; the table has all.
constexpr std::size_t most_bars = 40;

constexpr std::string_view style =
    R"(body { font: 15px/1.5 sans-serif; margin: 2em auto; max-width: 62em; padding: 0 1em; color: #222; }
h1 { font-size: 1.5em; } h2 { font-size: 1.15em; margin-top: 2em; }
svg { width: 100%; height: auto; } svg text { font: 13px sans-serif; fill: #222; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: 2px 8px; border-bottom: 1px solid #ddd; }
th:first-child, td:first-child { text-align: left; overflow-wrap: anywhere; }
tr.file td { font-weight: bold; background: #f4f4f4; } td.bad { color: #a00; }
.advice { background: #fff6dd; border-left: 4px solid #d90; padding: 0.5em 1em; }
.key { display: inline-block; width: 0.8em; height: 0.8em; margin: 0 0.3em 0 1em; }
)";

/// Told apart without colour vision, too.
struct Kind {
  const char* name;
  const char* colour;
};
constexpr Kind model_kind{"the model", "#dddddd"};
constexpr Kind filter_kind{"filters and calls", "#0072b2"};
constexpr Kind packing_kind{"packing", "#56b4e9"};
constexpr Kind blocked_kind{"waiting for room", "#d55e00"};
constexpr Kind waited_kind{"waiting for records of files", "#f0b000"};
constexpr Kind coupled_kind{"waiting for other models", "#8c6d31"};
constexpr Kind exchanged_kind{"waiting for points of other clients", "#7a5195"};
constexpr Kind receiving_kind{"receiving", "#009e73"};
constexpr Kind writing_kind{"writing", "#cc79a7"};

std::string safe(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string legend(std::span<const Kind> kinds) {
  std::string out = "<p>";
  for (const Kind& kind : kinds) {
    out +=
        fmt::format(R"(<span class="key" style="background:{}"></span>{})", kind.colour, kind.name);
  }
  return out + "</p>\n";
}

struct Piece {
  Kind kind;
  double value = 0;
  std::string said;  ///< text shown under a pointer
};
/// A line of a drawing: pieces beside each other.
struct Bar {
  std::string name;
  std::vector<Piece> pieces;
};

/// Bars below each other; `whole` fills the width.
std::string bars(const std::vector<Bar>& list, double whole) {
  constexpr double names = 300;
  constexpr double width = 640;
  constexpr double height = 26;
  std::string out = fmt::format(R"(<svg viewBox="0 0 {} {}" role="img">)", names + width + 10,
                                height * static_cast<double>(list.size()) + 4);
  out += '\n';
  double y = 2;
  for (const Bar& bar : list) {
    const std::string name = safe(bar.name);
    // The end of a path says more than its beginning.
    const std::string_view shown = bar.name;
    const std::string cut = shown.size() <= 42 ? name : "…" + safe(shown.substr(shown.size() - 40));
    out +=
        fmt::format(R"(<text x="{}" y="{}" text-anchor="end">{}</text>)", names - 8, y + 17, cut);
    double x = names;
    for (const Piece& piece : bar.pieces) {
      const double w = std::clamp(width * share_of(piece.value, whole), 0.0, names + width - x);
      out += fmt::format(
          R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{}" fill="{}"><title>{}: {}: {}</title></rect>)",
          x, y, w, height - 6, piece.kind.colour, name, piece.kind.name, safe(piece.said));
      x += w;
    }
    out += '\n';
    y += height;
  }
  return out + "</svg>\n";
}

std::string time_of_client(const RunReport& report) {
  const auto piece = [&](Kind kind, double sum) {
    const double mean = report.per_client({sum, 0});
    return Piece{
        kind, mean,
        fmt::format("{} ({})", seconds_text(mean), percent_text(share_of(mean, report.alive_s)))};
  };
  const std::vector<Piece> parts{
      piece(filter_kind, report.filters_s()),    piece(packing_kind, report.packing_s.sum),
      piece(blocked_kind, report.blocked_s.sum), piece(waited_kind, report.waited_s.sum),
      piece(coupled_kind, report.coupled_s.sum), piece(exchanged_kind, report.exchanged_s.sum)};
  const double in_library = report.per_client(report.in_library_s);
  const double rest = std::max(0.0, report.alive_s - in_library);
  std::vector<Piece> run = parts;
  run.push_back({model_kind, rest, seconds_text(rest)});
  constexpr std::array kinds{filter_kind,  packing_kind,   blocked_kind, waited_kind,
                             coupled_kind, exchanged_kind, model_kind};
  std::string out = "<h2>Time of a client</h2>\n" + legend(kinds);
  out += bars({{"the run, " + seconds_text(report.alive_s), run}}, report.alive_s);
  out += bars({{"the library, " + seconds_text(in_library), parts}}, in_library);
  return out;
}

std::string times_of_files(const RunReport& report) {
  std::vector<const FileCost*> files;
  for (const ContextCost& context : report.contexts) {
    for (const FileCost& file : context.files) files.push_back(&file);
  }
  if (files.empty()) return {};
  const auto cost = [](const FileCost* file) { return file->writing_s + file->blocked_s().sum; };
  std::stable_sort(files.begin(), files.end(),
                   [&](const FileCost* a, const FileCost* b) { return cost(a) > cost(b); });
  const std::size_t shown = std::min(files.size(), most_bars);
  std::vector<Bar> list;
  for (std::size_t i = 0; i < shown; ++i) {
    const FileCost& file = *files[i];
    list.push_back({file.path,
                    {{writing_kind, file.writing_s, seconds_text(file.writing_s)},
                     {blocked_kind, file.blocked_s().sum, seconds_text(file.blocked_s().sum)}}});
  }
  constexpr std::array kinds{writing_kind, blocked_kind};
  std::string out = "<h2>Files</h2>\n" + legend(kinds);
  out += bars(list, cost(files.front()));
  if (shown < files.size()) {
    out += fmt::format("<p>{} more took less.</p>\n",
                       counted(static_cast<std::int64_t>(files.size() - shown), "file"));
  }
  return out;
}

std::string times_of_servers(const RunReport& report) {
  if (report.servers.empty()) return {};
  std::vector<const ServerCost*> servers;
  for (const ServerCost& server : report.servers) servers.push_back(&server);
  const auto busy = [](const ServerCost* server) {
    return std::max(server->busy_share(), server->writing_share());
  };
  const std::size_t shown = std::min(servers.size(), most_bars);
  if (shown < servers.size()) {
    std::stable_sort(servers.begin(), servers.end(),
                     [&](const auto* a, const auto* b) { return busy(a) > busy(b); });
  }
  std::vector<Bar> list;
  for (std::size_t i = 0; i < shown; ++i) {
    const ServerCost& server = *servers[i];
    list.push_back({fmt::format("server {}", server.rank),
                    {{receiving_kind, server.busy_share(), percent_text(server.busy_share())}}});
    list.push_back(
        {"", {{writing_kind, server.writing_share(), percent_text(server.writing_share())}}});
  }
  constexpr std::array kinds{receiving_kind, writing_kind};
  std::string out = "<h2>Servers: how much of the time they were busy</h2>\n" + legend(kinds);
  out += bars(list, 1);
  if (shown < servers.size()) {
    out += fmt::format("<p>The {} busiest of {}.</p>\n", shown, servers.size());
  }
  return out;
}

std::string row(const char* kind, const std::string& name, std::int64_t sent, std::int64_t written,
                std::int64_t lost, double bytes, const std::string& writing, double blocked_s,
                const std::string& waits) {
  return fmt::format(
      "<tr{}><td>{}</td><td>{}</td><td>{}</td><td{}>{}</td><td>{}</td><td>{}</td><td>{}</td>"
      "<td>{}</td></tr>\n",
      kind, safe(name), sent, written, lost > 0 ? R"( class="bad")" : "", lost, bytes_text(bytes),
      writing, seconds_text(blocked_s), waits);
}

std::string table_of(const ContextCost& context) {
  std::string out = fmt::format(
      "<h2>Context '{}'</h2>\n<table>\n<tr><th>file, field</th><th>sent</th><th>written</th>"
      "<th>lost</th><th>bytes</th><th>writing</th><th>blocked</th><th>waits</th></tr>\n",
      safe(context.id));
  for (const FileCost& file : context.files) {
    out += row(R"( class="file")", file.path, file.records_sent(), file.records_written(),
               file.records_lost(), static_cast<double>(file.bytes), seconds_text(file.writing_s),
               file.blocked_s().sum, "");
    for (const FieldCost& field : file.fields) {
      out += row("", field.name, field.records_sent, field.records_written, field.records_lost,
                 static_cast<double>(field.bytes_sent), "", field.blocked_s.sum,
                 std::to_string(field.waits));
    }
    for (const std::string& said : {file.unsent, file.error}) {
      if (said.empty()) continue;
      out += fmt::format("<tr><td class=\"bad\" colspan=\"8\">{}</td></tr>\n", safe(said));
    }
  }
  return out + "</table>\n" + blocked_drawing(context) + slowest_step_drawing(context);
}

}  // namespace

std::string report_page(const RunReport& report) {
  const std::string title = fmt::format("Run of '{}'", safe(report.component));
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{0}</title>\n"
      "<style>\n{1}</style></head>\n<body>\n<h1>{0}</h1>\n",
      title, style);
  out += fmt::format(
      "<p>{}, {} process(es), {}, {}{}. {}: {}, {} of {} written to {}, {} lost. EPIOS {}.</p>\n",
      seconds_text(report.alive_s), report.processes, counted(report.clients, "client"),
      counted(static_cast<std::int64_t>(report.servers.size()), "server"),
      report.is_attached ? " in the processes of the model" : "", counted(report.sends, "send"),
      bytes_text(static_cast<double>(report.bytes_sent)), report.records_written(),
      counted(report.records_sent(), "record"), counted(report.files(), "file"),
      report.records_lost(), safe(report.version));
  for (const std::string& line : advice(report)) {
    out += fmt::format("<p class=\"advice\">{}</p>\n", safe(line));
  }
  out += time_of_client(report);
  out += times_of_servers(report);
  out += times_of_files(report);
  for (const ContextCost& context : report.contexts) out += table_of(context);
  return out + "</body>\n</html>\n";
}

}  // namespace epios::config
