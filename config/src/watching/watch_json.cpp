// The runs of a node as JSON, and back: what a program reads, and what `epios top` gets from
// another node.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "config/error.hpp"
#include "config/watched_runs.hpp"
#include "text/printable.hpp"

namespace epios::config {
namespace {

using Json = nlohmann::ordered_json;

constexpr int json_version = 1;

const char* word_in_json(SlotState state) {
  return state == SlotState::active ? "open" : state == SlotState::failed ? "failed" : "done";
}

template <class Items>
Json json_list(const Items& items);  // behind what it calls

Json json_of(const WatchedField& of) { return {{"name", of.name}, {"blocked_s", of.blocked_s}}; }

Json json_of(const WatchedContext& of) {
  return {{"component", of.component},
          {"context", of.context},
          {"clients", of.clients},
          {"over", of.is_over},
          {"date", of.date},
          {"step", of.step},
          {"sends", of.sends},
          {"records_sent", of.records},
          {"bytes_sent", of.bytes},
          {"open_s", of.open_s},
          {"client_s", of.client_s},
          {"in_library_s", of.in_library_s},
          {"blocked_s", of.blocked_s},
          {"most_blocked_s", of.most_blocked_s},
          {"fullest_channel", of.fullest_channel},
          {"since_step_s", of.quiet_s},
          {"blocked_fields", json_list(of.blocked_fields)}};
}

Json json_of(const WatchedServer& of) {
  return {{"rank", of.rank},          {"process", of.pid},   {"over", of.is_over},
          {"contexts", of.contexts},  {"open_s", of.open_s}, {"busy_s", of.busy_s},
          {"writing_s", of.writing_s}};
}

Json json_of(const WatchedFile& of) {
  return {{"path", of.path},
          {"component", of.component},
          {"context", of.context},
          {"state", word_in_json(of.state)},
          {"writers", of.writers},
          {"records_written", of.written},
          {"records_durable", of.durable},
          {"records_lost", of.lost},
          {"bytes", of.bytes},
          {"writing_s", of.writing_s},
          {"age_s", of.age_s},
          {"servers", of.servers}};
}

Json json_of(const WatchedWait& of) {
  return {{"who", of.who}, {"what", of.what}, {"for", of.whom}, {"seconds", of.seconds}};
}

Json json_of(const WatchedMap& of) {
  return {{"component", of.component}, {"context", of.context}, {"field", of.field},
          {"unit", of.unit},           {"level", of.level},     {"date", of.date},
          {"record", of.record}};
}

Json json_of(const WatchedLine& of) {
  return {{"severity", of.severity}, {"text", of.text}, {"age_s", of.age_s}};
}

Json json_of(const WatchedJob& of);

template <class Items>
Json json_list(const Items& items) {
  Json out = Json::array();
  for (const auto& item : items) out.push_back(json_of(item));
  return out;
}

Json json_of(const WatchedJob& of) {
  return {{"job", of.name},
          {"batch_job", of.batch_job},
          {"processes", of.processes},
          {"processes_here", of.pids},
          {"processes_gone", of.gone},
          {"age_s", of.age_s},
          {"contexts", json_list(of.contexts)},
          {"servers", json_list(of.servers)},
          {"files", json_list(of.files)},
          {"waits", json_list(of.waits)},
          {"maps", json_list(of.maps)},
          {"log", json_list(of.lines)},
          {"not_shown", of.unseen}};
}

template <class T>
void read(const Json& from, const char* name, T& to) {
  from.at(name).get_to(to);
}

template <class Item>
void read_list(const Json& from, const char* name, std::vector<Item>& to);  // behind what it calls

void from_json_of(const Json& from, WatchedField& of) {
  read(from, "name", of.name);
  read(from, "blocked_s", of.blocked_s);
}

void from_json_of(const Json& from, WatchedContext& of) {
  read(from, "component", of.component);
  read(from, "context", of.context);
  read(from, "clients", of.clients);
  read(from, "over", of.is_over);
  read(from, "date", of.date);
  read(from, "step", of.step);
  read(from, "sends", of.sends);
  read(from, "records_sent", of.records);
  read(from, "bytes_sent", of.bytes);
  read(from, "open_s", of.open_s);
  read(from, "client_s", of.client_s);
  read(from, "in_library_s", of.in_library_s);
  read(from, "blocked_s", of.blocked_s);
  read(from, "most_blocked_s", of.most_blocked_s);
  read(from, "fullest_channel", of.fullest_channel);
  read(from, "since_step_s", of.quiet_s);
  read_list(from, "blocked_fields", of.blocked_fields);
}

void from_json_of(const Json& from, WatchedServer& of) {
  read(from, "rank", of.rank);
  read(from, "process", of.pid);
  read(from, "over", of.is_over);
  read(from, "contexts", of.contexts);
  read(from, "open_s", of.open_s);
  read(from, "busy_s", of.busy_s);
  read(from, "writing_s", of.writing_s);
}

void from_json_of(const Json& from, WatchedFile& of) {
  read(from, "path", of.path);
  read(from, "component", of.component);
  read(from, "context", of.context);
  const std::string word = from.at("state");
  for (const SlotState state : {SlotState::active, SlotState::over, SlotState::failed}) {
    if (word == word_in_json(state)) of.state = state;
  }
  read(from, "writers", of.writers);
  read(from, "records_written", of.written);
  read(from, "records_durable", of.durable);
  read(from, "records_lost", of.lost);
  read(from, "bytes", of.bytes);
  read(from, "writing_s", of.writing_s);
  read(from, "age_s", of.age_s);
  read(from, "servers", of.servers);
}

void from_json_of(const Json& from, WatchedWait& of) {
  read(from, "who", of.who);
  read(from, "what", of.what);
  read(from, "for", of.whom);
  read(from, "seconds", of.seconds);
}

void from_json_of(const Json& from, WatchedMap& of) {
  read(from, "component", of.component);
  read(from, "context", of.context);
  read(from, "field", of.field);
  read(from, "unit", of.unit);
  read(from, "level", of.level);
  read(from, "date", of.date);
  read(from, "record", of.record);
}

void from_json_of(const Json& from, WatchedLine& of) {
  read(from, "severity", of.severity);
  read(from, "text", of.text);
  read(from, "age_s", of.age_s);
}

void from_json_of(const Json& from, WatchedJob& of);

template <class Item>
void read_list(const Json& from, const char* name, std::vector<Item>& to) {
  for (const Json& item : from.at(name)) from_json_of(item, to.emplace_back());
}

void from_json_of(const Json& from, WatchedJob& of) {
  read(from, "job", of.name);
  read(from, "batch_job", of.batch_job);
  read(from, "processes", of.processes);
  read(from, "processes_here", of.pids);
  read(from, "processes_gone", of.gone);
  read(from, "age_s", of.age_s);
  read_list(from, "contexts", of.contexts);
  read_list(from, "servers", of.servers);
  read_list(from, "files", of.files);
  read_list(from, "waits", of.waits);
  read_list(from, "maps", of.maps);
  read_list(from, "log", of.lines);
  read(from, "not_shown", of.unseen);
}

}  // namespace

WatchedRuns read_watched_runs(std::string_view text) {
  try {
    const Json json = Json::parse(text);
    if (const Json& version = json.at("epios_top"); version != json_version) {
      throw Error(ErrorCode::argument,
                  shortened(fmt::format("it has version {}, and this program reads version {}. Use "
                                        "the epios of the installation that answers?",
                                        version.dump(), json_version)));
    }
    WatchedRuns out;
    out.taken_ns = page_clock_ns();
    read_list(json, "jobs", out.jobs);
    read(json, "problems", out.problems);
    read(json, "pages_of_others", out.of_others);
    return out;
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::argument,
                shortened(fmt::format("it is not what epios live gives ({})", error.what())));
  }
}

std::string to_json(const WatchedRuns& runs) {
  const Json out = {{"epios_top", json_version},
                    {"jobs", json_list(runs.jobs)},
                    {"problems", runs.problems},
                    {"pages_of_others", runs.of_others}};
  // Names may have been cut within a character.
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace epios::config
