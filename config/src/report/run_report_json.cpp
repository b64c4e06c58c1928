// Writes run reports as JSON and reads them back. Readers check each figure, since anybody may have
// written the file. First come the parts that processes send to each other, then whole reports.
#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "config/error.hpp"
#include "config/run_report.hpp"
#include "text/printable.hpp"

namespace epios::config {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Spread& spread) { return {{"sum", spread.sum}, {"most", spread.most}}; }

Json json_of(const FieldCost& field) {
  return {{"name", field.name},
          {"records_sent", field.records_sent},
          {"records_written", field.records_written},
          {"records_lost", field.records_lost},
          {"values_infinite", field.values_infinite},
          {"bytes_sent", field.bytes_sent},
          {"waits", field.waits},
          {"blocked_s", json_of(field.blocked_s)},
          {"packing_s", field.packing_s}};
}

Json json_of(const FileCost& file);
Json json_of(const ContextCost& context);
Json json_of(const ServerCost& server);

template <class Items>
Json list_of(const Items& items) {
  Json out = Json::array();
  for (const auto& item : items) out.push_back(json_of(item));
  return out;
}

Json json_of(const FileCost& file) {
  return {{"id", file.id},
          {"path", file.path},
          {"parts", file.parts},
          {"bytes", file.bytes},
          {"writing_s", file.writing_s},
          {"records_missing", file.records_missing},
          {"records_short", file.records_short},
          {"unsent", file.unsent},
          {"error", file.error},
          {"fields", list_of(file.fields)}};
}

Json json_of(const ContextCost& context) {
  Json out = {{"id", context.id},
              {"times_opened", context.times_opened},
              {"clients", context.clients},
              {"files", list_of(context.files)}};
  if (!context.stopped.empty()) out["stopped"] = context.stopped;
  if (!context.blocked.shares.empty()) {
    out["blocked"] = {{"steps_per_column", context.blocked.steps_per_column},
                      {"shares", context.blocked.shares},
                      {"seconds", context.blocked.seconds}};
  }
  const SlowestStep& step = context.slowest_step;
  if (step.spans.empty()) return out;
  Json spans = Json::array();
  for (const SlowestStep::Span& span : step.spans) {
    spans.push_back({{"field", span.field},
                     {"kind", span.is_wait ? "waiting" : "packing"},
                     {"begin_s", span.begin_s},
                     {"seconds", span.seconds}});
  }
  out["slowest_step"] = {
      {"step", step.step}, {"date", step.date}, {"spans", spans}, {"more", step.more}};
  return out;
}

Json json_of(const ServerCost& server) {
  return {{"rank", server.rank},           {"open_s", server.open_s},
          {"busy_s", server.busy_s},       {"busy_share", server.busy_share()},
          {"writing_s", server.writing_s}, {"writing_share", server.writing_share()}};
}

/// Whole numbers up to here are the same in every reader of JSON.
constexpr std::int64_t most_counted = std::int64_t{1} << 53;
constexpr double most_seconds = 1e12;

[[noreturn]] void refuse(const char* name, const Json& figure, const std::string& what) {
  throw Error(
      ErrorCode::argument,
      shortened(fmt::format("'{}' is {} ({}). Is it as the run wrote it?", name,
                            figure.dump(-1, ' ', false, Json::error_handler_t::replace), what)));
}

void read(const Json& json, const char* name, std::string& value) { json.at(name).get_to(value); }
void read(const Json& json, const char* name, bool& value) { json.at(name).get_to(value); }

template <class Count>
void read_count(const Json& json, const char* name, std::int64_t most, Count& value) {
  const Json& figure = json.at(name);
  const bool is_count = figure.is_number_unsigned() ||
                        (figure.is_number_integer() && figure.get<std::int64_t>() >= 0);
  if (!is_count || figure.get<std::uint64_t>() > static_cast<std::uint64_t>(most)) {
    refuse(name, figure, fmt::format("it counts, from 0 to {}", most));
  }
  value = static_cast<Count>(figure.get<std::int64_t>());
}

void read(const Json& json, const char* name, std::int64_t& value) {
  read_count(json, name, most_counted, value);
}

void read(const Json& json, const char* name, int& value) {
  read_count(json, name, std::numeric_limits<int>::max(), value);
}

void read_real(const Json& json, const char* name, double most, double& value) {
  const Json& figure = json.at(name);
  if (!figure.is_number() || !(figure.get<double>() >= 0 && figure.get<double>() <= most)) {
    refuse(name, figure, fmt::format("it is a number from 0 to {}", most));
  }
  value = figure.get<double>();
}

void read(const Json& json, const char* name, double& seconds) {
  read_real(json, name, most_seconds, seconds);
}

void read(const Json& json, const char* name, Spread& spread) {
  const Json& figure = json.at(name);
  read(figure, "sum", spread.sum);
  read(figure, "most", spread.most);
}

FieldCost field_of(const Json& json) {
  FieldCost out;
  read(json, "name", out.name);
  read(json, "records_sent", out.records_sent);
  read(json, "records_written", out.records_written);
  read(json, "records_lost", out.records_lost);
  read(json, "values_infinite", out.values_infinite);
  read(json, "bytes_sent", out.bytes_sent);
  read(json, "waits", out.waits);
  read(json, "blocked_s", out.blocked_s);
  read(json, "packing_s", out.packing_s);
  return out;
}

FileCost file_of(const Json& json) {
  FileCost out;
  read(json, "id", out.id);
  read(json, "path", out.path);
  read(json, "parts", out.parts);
  read(json, "bytes", out.bytes);
  read(json, "writing_s", out.writing_s);
  read(json, "records_missing", out.records_missing);
  read(json, "records_short", out.records_short);
  read(json, "unsent", out.unsent);
  read(json, "error", out.error);
  for (const Json& field : json.at("fields")) out.fields.push_back(field_of(field));
  return out;
}

BlockedOverTime blocked_of(const Json& json) {
  BlockedOverTime out;
  read(json, "steps_per_column", out.steps_per_column);
  // One by one: each is a number that a reader may believe.
  const auto numbers = [&json](const char* name, double most, std::vector<double>& to) {
    for (const Json& number : json.at(name)) {
      Json one = Json::object();
      one[name] = number;
      read_real(one, name, most, to.emplace_back());
    }
  };
  numbers("shares", 1, out.shares);
  numbers("seconds", most_seconds, out.seconds);
  if (out.shares.size() != out.seconds.size() || out.steps_per_column < 1) {
    refuse("blocked", json, "expected columns with a share and a time each, of one step or more");
  }
  return out;
}

SlowestStep slowest_step_of(const Json& json) {
  SlowestStep out;
  read(json, "step", out.step);
  read(json, "date", out.date);
  read(json, "more", out.more);
  for (const Json& span : json.at("spans")) {
    SlowestStep::Span& to = out.spans.emplace_back();
    read(span, "field", to.field);
    to.is_wait = span.at("kind") == "waiting";
    read(span, "begin_s", to.begin_s);
    read(span, "seconds", to.seconds);
  }
  return out;
}

ContextCost context_of(const Json& json) {
  ContextCost out;
  read(json, "id", out.id);
  read(json, "times_opened", out.times_opened);
  read(json, "clients", out.clients);
  for (const Json& file : json.at("files")) out.files.push_back(file_of(file));
  if (json.contains("stopped")) read(json, "stopped", out.stopped);
  if (json.contains("blocked")) out.blocked = blocked_of(json.at("blocked"));
  if (json.contains("slowest_step")) out.slowest_step = slowest_step_of(json.at("slowest_step"));
  return out;
}

ServerCost server_of(const Json& json) {
  ServerCost out;
  read(json, "rank", out.rank);
  read(json, "open_s", out.open_s);
  read(json, "busy_s", out.busy_s);
  read(json, "writing_s", out.writing_s);
  return out;
}

void add_parts(RunReport& report, const Json& json) {
  for (const Json& server : json.at("servers")) add(report.servers, server_of(server));
  for (const Json& context : json.at("contexts")) add(report.contexts, context_of(context));
}

// Names in configurations may be any bytes.
std::string dumped(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string parts_to_json(const RunReport& report) {
  return dumped({{"servers", list_of(report.servers)}, {"contexts", list_of(report.contexts)}}, -1);
}

void add_parts(RunReport& report, std::string_view json) { add_parts(report, Json::parse(json)); }

std::string to_json(const RunReport& report) {
  const FileCost* const slowest = slowest_file(report);
  const Json json{{"epios_report", run_report_version},
                  {"version", report.version},
                  {"component", report.component},
                  {"error", report.error},
                  {"alive_s", report.alive_s},
                  {"processes", report.processes},
                  {"clients", report.clients},
                  {"attached", report.is_attached},
                  {"sends", report.sends},
                  {"records_sent", report.records_sent()},
                  {"records_written", report.records_written()},
                  {"records_lost", report.records_lost()},
                  {"bytes_sent", report.bytes_sent},
                  {"in_library_s", json_of(report.in_library_s)},
                  {"blocked_s", json_of(report.blocked_s)},
                  {"packing_s", json_of(report.packing_s)},
                  {"waited_s", json_of(report.waited_s)},
                  {"coupled_s", json_of(report.coupled_s)},
                  {"exchanged_s", json_of(report.exchanged_s)},
                  {"exchanged_messages", report.exchanged_messages},
                  {"exchanged_bytes", report.exchanged_bytes},
                  {"opening_s", json_of(report.opening_s)},
                  {"closing_s", json_of(report.closing_s)},
                  {"filters_s", report.filters_s()},
                  {"fullest_channel", report.fullest_channel},
                  {"slowest_file", slowest != nullptr ? slowest->path : std::string()},
                  {"servers", list_of(report.servers)},
                  {"contexts", list_of(report.contexts)},
                  {"advice", advice(report)}};
  return dumped(json, 2) + "\n";
}

RunReport read_run_report(std::string_view text) {
  try {
    const Json json = Json::parse(text);
    if (json.at("epios_report") != run_report_version) {
      throw Error(
          ErrorCode::argument,
          shortened(fmt::format("it is a report of version {} (this one reads version {}). Use "
                                "the epios of the run's version?",
                                json.at("epios_report").dump(), run_report_version)));
    }
    RunReport out;
    read(json, "version", out.version);
    read(json, "component", out.component);
    read(json, "alive_s", out.alive_s);
    read(json, "processes", out.processes);
    read(json, "clients", out.clients);
    read(json, "attached", out.is_attached);
    read(json, "sends", out.sends);
    read(json, "bytes_sent", out.bytes_sent);
    read(json, "in_library_s", out.in_library_s);
    read(json, "blocked_s", out.blocked_s);
    read(json, "packing_s", out.packing_s);
    read(json, "waited_s", out.waited_s);
    // Reports of earlier versions have none of these.
    if (json.contains("coupled_s")) read(json, "coupled_s", out.coupled_s);
    if (json.contains("exchanged_s")) {
      read(json, "exchanged_s", out.exchanged_s);
      read(json, "exchanged_messages", out.exchanged_messages);
      read(json, "exchanged_bytes", out.exchanged_bytes);
    }
    if (json.contains("error")) read(json, "error", out.error);
    read(json, "opening_s", out.opening_s);
    read(json, "closing_s", out.closing_s);
    read_real(json, "fullest_channel", 1, out.fullest_channel);
    add_parts(out, json);
    return out;
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::argument,
                shortened(fmt::format("it is no report of a run ({}). Name the file that variable "
                                      "report_file of context xios, or EPIOS_REPORT, made?",
                                      error.what())));
  }
}

}  // namespace epios::config
