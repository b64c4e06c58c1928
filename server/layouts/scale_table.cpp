#include "scale_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <string_view>

namespace epios::layouts {
namespace {

std::string human(double value, std::string_view unit) {
  if (unit == "s") {
    if (value < 1e-3) return fmt::format("{:.3g} µs", value * 1e6);
    return value < 1 ? fmt::format("{:.3g} ms", value * 1e3) : fmt::format("{:.3g} s", value);
  }
  if (unit.empty()) return fmt::format("{:.0f}", value);
  constexpr std::array<std::string_view, 5> units{"B", "kB", "MB", "GB", "TB"};
  std::size_t at = 0;
  for (; value >= 1000 && at + 1 < units.size(); ++at) value /= 1000;
  return at == 0 ? fmt::format("{:.0f} B", value) : fmt::format("{:.3g} {}", value, units.at(at));
}

/// The larger of each figure.
void raise(ServerLoad& most, const ServerLoad& other) {
  const auto larger = [](std::int64_t& a, std::int64_t b) { a = std::max(a, b); };
  const auto larger_traffic = [&](Traffic& a, const Traffic& b) {
    larger(a.count, b.count);
    larger(a.bytes, b.bytes);
  };
  larger(most.channels, other.channels);
  larger_traffic(most.opening, other.opening);
  larger_traffic(most.replies, other.replies);
  larger_traffic(most.records, other.records);
  larger(most.worked_on_bytes, other.worked_on_bytes);
  larger(most.written_bytes, other.written_bytes);
  larger(most.files, other.files);
  larger(most.variables, other.variables);
  larger(most.defined.servers, other.defined.servers);
  larger(most.defined.files, other.defined.files);
  larger(most.defined.variables, other.defined.variables);
  larger(most.settled_points, other.settled_points);
  larger(most.channel_bytes, other.channel_bytes);
  larger(most.buffer_bytes, other.buffer_bytes);
  larger(most.opening_tables, other.opening_tables);
}

double factor(double before, double after) { return before > 0 ? after / before : 1; }

/// How much more there is of everything that a layout has.
double growth(const Layout& before, const Layout& after) {
  return std::max(factor(before.clients, after.clients), factor(before.servers, after.servers));
}

Json json_of(const Traffic& traffic) {
  return {{"count", traffic.count}, {"bytes", traffic.bytes}};
}

Json json_of(const ClientLoad& load) {
  return {{"channels", load.channels},
          {"opening", json_of(load.opening)},
          {"records", json_of(load.records)},
          {"opening_tables", load.opening_tables},
          {"kept_tables", load.kept_tables}};
}

Json json_of(const ServerLoad& load) {
  return {{"channels", load.channels},
          {"opening", json_of(load.opening)},
          {"replies", json_of(load.replies)},
          {"records", json_of(load.records)},
          {"worked_on_bytes", load.worked_on_bytes},
          {"written_bytes", load.written_bytes},
          {"files", load.files},
          {"variables", load.variables},
          {"channel_bytes", load.channel_bytes},
          {"buffer_bytes", load.buffer_bytes},
          {"opening_tables", load.opening_tables}};
}

Json json_of(const Layout& layout) {
  return {
      {"clients", layout.clients}, {"servers", layout.servers}, {"gatherers", layout.gatherers}};
}

}  // namespace

ScaledJob scaled(ImaginedJob& job, const Machine& machine, std::int64_t fields) {
  ScaledJob out;
  out.layout = job.layout();
  out.loads.first = job.client(0);
  out.loads.client = job.client(out.layout.clients / 2);
  const int gatherers = out.layout.gatherers;
  for (const int rank : std::set<int>{0, std::max(0, gatherers - 1), gatherers,
                                      job.heaviest_server(), out.layout.servers - 1}) {
    raise(out.loads.server, job.server(rank));
  }
  out.loads.leader = job.leader();
  out.times = times_of(machine, out.layout, fields, out.loads);
  return out;
}

bool ScaleFigure::is_worse_than_linear(const std::vector<ScaledJob>& jobs) const {
  if (jobs.size() < 2) return false;
  constexpr double tolerance = 1.1;
  const double grown = factor(values[values.size() - 2], values.back());
  return grown > tolerance * growth(jobs[jobs.size() - 2].layout, jobs.back().layout);
}

std::vector<ScaleFigure> figures_of(const std::vector<ScaledJob>& jobs) {
  std::vector<ScaleFigure> out;
  const auto add = [&](const char* rank, const char* name, const char* unit,
                       const std::function<double(const ScaledJob&)>& value) {
    ScaleFigure& figure = out.emplace_back(ScaleFigure{rank, name, unit, {}});
    for (const ScaledJob& job : jobs) figure.values.push_back(value(job));
  };
  const auto whole = [&](const char* rank, const char* name, const char* unit,
                         const std::function<std::int64_t(const Loads&)>& value) {
    add(rank, name, unit,
        [&](const ScaledJob& job) { return static_cast<double>(value(job.loads)); });
  };
  const char* const client = "client";
  whole(client, "channels to servers", "", [](const Loads& l) { return l.client.channels; });
  whole(client, "sent while opening", "B", [](const Loads& l) { return l.client.opening.bytes; });
  whole(client, "tables while opening", "B",
        [](const Loads& l) { return l.client.opening_tables; });
  whole(client, "tables kept", "B", [](const Loads& l) { return l.client.kept_tables; });
  whole(client, "parts of a record of each field", "",
        [](const Loads& l) { return l.client.records.count; });
  whole(client, "bytes of these", "B", [](const Loads& l) { return l.client.records.bytes; });
  const char* const first = "first client";
  whole(first, "channels to servers", "", [](const Loads& l) { return l.first.channels; });
  whole(first, "sent while opening", "B",
        [](const Loads& l) { return l.first.opening.bytes + l.leader.request_bytes; });
  const char* const server = "server";
  whole(server, "channels", "", [](const Loads& l) { return l.server.channels; });
  whole(server, "received while opening", "B",
        [](const Loads& l) { return l.server.opening.bytes; });
  whole(server, "memory of channels", "B", [](const Loads& l) { return l.server.channel_bytes; });
  whole(server, "memory of records", "B", [](const Loads& l) { return l.server.buffer_bytes; });
  whole(server, "parts of a record of each field", "",
        [](const Loads& l) { return l.server.records.count; });
  whole(server, "bytes of these", "B", [](const Loads& l) { return l.server.records.bytes; });
  const char* const leader = "leader of servers";
  whole(leader, "request, to each server", "B",
        [](const Loads& l) { return l.leader.request_bytes; });
  whole(leader, "messages of an order", "", [](const Loads& l) { return l.leader.order_messages; });
  whole(leader, "files that all servers share", "",
        [](const Loads& l) { return l.leader.shared_files; });
  const char* const all = "run";
  add(all, "opening", "s", [](const ScaledJob& job) { return job.times.opening_s; });
  add(all, "client, a record of each field", "s",
      [](const ScaledJob& job) { return job.times.client_s; });
  add(all, "busiest server, the same", "s",
      [](const ScaledJob& job) { return job.times.server_s; });
  return out;
}

std::string table_of(const std::vector<ScaledJob>& jobs) {
  std::string text = "| rank | figure |";
  std::string line = "| --- | --- |";
  for (const ScaledJob& job : jobs) {
    text += fmt::format(" {} clients, {} servers", job.layout.clients, job.layout.servers);
    if (job.layout.gatherers > 0) text += fmt::format(" ({} gather)", job.layout.gatherers);
    text += " |";
    line += " --- |";
  }
  if (jobs.size() > 1) {
    text += fmt::format(" last step, × {:.3g} |",
                        growth(jobs[jobs.size() - 2].layout, jobs.back().layout));
    line += " --- |";
  }
  text += "\n" + line + "\n";
  for (const ScaleFigure& figure : figures_of(jobs)) {
    text += fmt::format("| {} | {} |", figure.rank, figure.name);
    for (const double value : figure.values)
      text += fmt::format(" {} |", human(value, figure.unit));
    if (jobs.size() > 1) {
      text += fmt::format(" × {:.3g}{} |",
                          factor(figure.values[figure.values.size() - 2], figure.values.back()),
                          figure.is_worse_than_linear(jobs) ? ", worse than linear" : "");
    }
    text += "\n";
  }
  return text;
}

Json json_of(const std::vector<ScaledJob>& jobs) {
  Json list = Json::array();
  for (const ScaledJob& job : jobs) {
    list.push_back({{"layout", json_of(job.layout)},
                    {"first_client", json_of(job.loads.first)},
                    {"client", json_of(job.loads.client)},
                    {"server", json_of(job.loads.server)},
                    {"leader",
                     {{"request_bytes", job.loads.leader.request_bytes},
                      {"order_messages", job.loads.leader.order_messages},
                      {"shared_files", job.loads.leader.shared_files}}},
                    {"opening_s", job.times.opening_s},
                    {"client_s", job.times.client_s},
                    {"server_s", job.times.server_s}});
  }
  Json worse = Json::array();
  for (const ScaleFigure& figure : figures_of(jobs)) {
    if (figure.is_worse_than_linear(jobs)) worse.push_back(figure.rank + ": " + figure.name);
  }
  return {{"jobs", std::move(list)}, {"worse_than_linear", std::move(worse)}};
}

Json ranks_json(ImaginedJob& job) {
  Json clients = Json::array();
  for (int rank = 0; rank < job.layout().clients; ++rank)
    clients.push_back(json_of(job.client(rank)));
  Json servers = Json::array();
  for (int rank = 0; rank < job.layout().servers; ++rank)
    servers.push_back(json_of(job.server(rank)));
  return {{"layout", json_of(job.layout())},
          {"clients", std::move(clients)},
          {"servers", std::move(servers)}};
}

}  // namespace epios::layouts
