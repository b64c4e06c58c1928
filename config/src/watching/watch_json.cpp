#include <nlohmann/json.hpp>

#include "config/watched_runs.hpp"

namespace epios::config {
namespace {

using Json = nlohmann::ordered_json;

const char* word_in_json(SlotState state) {
  return state == SlotState::active ? "open" : state == SlotState::failed ? "failed" : "done";
}

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
          {"since_step_s", of.quiet_s}};
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
          {"age_s", of.age_s}};
}

Json json_of(const WatchedWait& of) {
  return {{"who", of.who}, {"what", of.what}, {"for", of.whom}, {"seconds", of.seconds}};
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
          {"not_shown", of.unseen}};
}

}  // namespace

std::string to_json(const WatchedRuns& runs) {
  const Json out = {{"epios_top", 1},
                    {"jobs", json_list(runs.jobs)},
                    {"problems", runs.problems},
                    {"pages_of_others", runs.of_others}};
  // Names may have been cut within a character.
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace epios::config
