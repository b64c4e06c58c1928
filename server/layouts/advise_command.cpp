#include "advise_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "config/calendar.hpp"
#include "config/error.hpp"
#include "config/plan.hpp"
#include "options.hpp"
#include "short_run.hpp"

namespace epios::layouts {
namespace {

using Json = nlohmann::ordered_json;

std::int64_t steps_of(const config::Model& model, const std::string& duration) {
  if (duration.empty()) return usual_steps(model);
  try {
    return config::plan(model, config::Duration::parse(duration)).steps;
  } catch (const Error& error) {
    throw error.within("--duration");
  }
}

void check(const AdviseOptions& options) {
  const Work& work = options.work;
  if (!options.has_run() && options.step_time_s <= 0) {
    throw Error(ErrorCode::argument,
                "nothing says how long the model computes for a time step (a layout suits the time "
                "between outputs). Give --step-time, or the --report or --recording of a short "
                "run?");
  }
  if (work.clients > work.processors()) {
    throw Error(
        ErrorCode::argument,
        fmt::format("{} clients are more than {} nodes with {} processors each have. Give fewer "
                    "--clients, or more --nodes?",
                    work.clients, work.nodes, work.per_node));
  }
  if (work.threads > work.per_node || (work.clients > 0 && work.clients % work.threads != 0)) {
    throw Error(ErrorCode::argument,
                fmt::format("{} clients cannot be in each process (--threads; a node has {} "
                            "processors). Choose another number?",
                            work.threads, work.per_node));
  }
}

std::string counted(std::int64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string seconds(double value) {
  if (value >= 7200) return fmt::format("{:.3g} h", value / 3600);
  if (value >= 120) return fmt::format("{:.3g} min", value / 60);
  return value >= 1 ? fmt::format("{:.3g} s", value) : fmt::format("{:.3g} ms", value * 1e3);
}

/// Servers in processes of their own, as evenly over nodes as they go.
std::string place_text(const Work& work, const Candidate& candidate) {
  if (candidate.servers == 0) return "each process of the model writes";
  const int servers = candidate.servers;
  std::string text;
  if (servers < work.nodes) {
    text = fmt::format("on {} of {} nodes", servers, work.nodes);
  } else if (servers % work.nodes == 0) {
    text = fmt::format("{} on each node", servers / work.nodes);
  } else {
    text = fmt::format("{} or {} on each node", servers / work.nodes, servers / work.nodes + 1);
  }
  return text;
}

std::string command_text(const Work& work, const Candidate& candidate) {
  const int processes = candidate.clients / work.threads;
  if (candidate.servers == 0) return fmt::format("mpiexec -n {} model", processes);
  return fmt::format("mpiexec -n {} model : -n {} epios_server", processes, candidate.servers);
}

std::string level_text(const Candidate& candidate) {
  if (candidate.gatherers == 0) return "one level";
  return fmt::format("two levels: {} gather (using_server2), {} write", candidate.gatherers,
                     candidate.servers - candidate.gatherers);
}

void print(const Advice& advice, const ReadModel& read, const Work& work) {
  const Outcome& best = advice.best;
  fmt::print("context '{}': {} on {} with {} each\n", read.model.context_id,
             counted(work.steps, "step"), counted(work.nodes, "node"),
             counted(work.per_node, "processor"));
  fmt::print("advice: {} ({}), {}, {}\n",
             best.candidate.servers == 0 ? "no servers" : counted(best.candidate.servers, "server"),
             place_text(work, best.candidate), level_text(best.candidate),
             counted(best.candidate.clients, "client"));
  fmt::print("  {}\n", command_text(work, best.candidate));
  fmt::print(
      "  expected: {}, of which clients wait {:.1f} % for room in channels; the busiest "
      "server is busy for {:.0f} %\n",
      seconds(best.total_s()), 100 * best.blocked_share(), 100 * best.busy_share);
  fmt::print("  why: {}\n", advice.why);
  for (const Remark& remark : advice.remarks) fmt::print("{}: {}\n", remark.about, remark.text);
  fmt::print("compared:\n  {:>7} {:>9} {:>8} {:>10} {:>9} {:>8}\n", "servers", "gatherers",
             "clients", "time", "blocked", "busiest");
  for (const Outcome& one : advice.tried) {
    fmt::print("  {:>7} {:>9} {:>8} ", one.candidate.servers, one.candidate.gatherers,
               one.candidate.clients);
    if (!one.refused.empty()) {
      fmt::print("cannot be: {}\n", one.refused);
      continue;
    }
    fmt::print("{:>10} {:>7.1f} % {:>6.0f} %\n", seconds(one.total_s()), 100 * one.blocked_share(),
               100 * one.busy_share);
  }
}

Json json_of(const Outcome& one) {
  Json json{{"servers", one.candidate.servers},
            {"gatherers", one.candidate.gatherers},
            {"clients", one.candidate.clients}};
  if (!one.refused.empty()) {
    json["refused"] = one.refused;
    return json;
  }
  json["total_s"] = one.total_s();
  json["computing_s"] = one.computing_s;
  json["sending_s"] = one.sending_s;
  json["blocked_s"] = one.blocked_s;
  json["closing_s"] = one.closing_s;
  json["opening_s"] = one.opening_s;
  json["blocked_share"] = one.blocked_share();
  json["busy_share"] = one.busy_share;
  json["channel_bytes"] = one.server.channel_bytes;
  return json;
}

Json json_of(const Advice& advice, const Work& work) {
  Json best = json_of(advice.best);
  best["place"] = place_text(work, advice.best.candidate);
  best["command"] = command_text(work, advice.best.candidate);
  Json remarks = Json::object();
  for (const Remark& remark : advice.remarks) remarks[remark.about] = remark.text;
  Json tried = Json::array();
  for (const Outcome& one : advice.tried) tried.push_back(json_of(one));
  return {{"advice", std::move(best)},
          {"why", advice.why},
          {"remarks", std::move(remarks)},
          {"steps", work.steps},
          {"compared", std::move(tried)}};
}

/// Takes rates, and how long the model computes, from a short run. Options that were given stay.
void take_run(const config::RunReport& report, const config::Model& model, AdviseOptions& options) {
  const Machine given = options.machine;
  const Calibration found = calibrate(report, model, options.machine);
  options.work.opening_s = found.opening_s;
  if (options.step_time_s <= 0) options.work.processor_s = found.step_s * found.clients;
  if (options.has_disk_rate) options.machine.disk_rate = given.disk_rate;
  if (options.has_compress_rate) options.machine.compress_rate = given.compress_rate;
  if (found.has_disk_rate || found.has_compress_rate || options.has_disk_rate) return;
  fmt::print(stderr,
             "epios: note: the run of '{}' wrote too little to say how fast a server writes: "
             "{:.0f} MB/s are assumed (--disk-rate)\n",
             options.report.empty() ? options.recording : options.report,
             options.machine.disk_rate / 1e6);
}

}  // namespace

CLI::App* add_advise(CLI::App& app, AdviseOptions& options) {
  CLI::App* command =
      app.add_subcommand("advise", "Say which servers, levels and settings suit a run, and why");
  add_input(*command, options.input);
  command->add_option("--nodes", options.work.nodes, "nodes of the job")
      ->required()
      ->check(CLI::Range(1, 1'000'000));
  command->add_option("--per-node", options.work.per_node, "processors of a node")
      ->required()
      ->check(CLI::Range(1, 100'000));
  command
      ->add_option("--clients", options.work.clients,
                   "of the model; otherwise one for each processor that servers leave")
      ->check(CLI::PositiveNumber);
  command->add_option("--threads", options.work.threads, "clients in a process (1)")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--step-time", options.step_time_s,
                   "seconds that the model computes for a time step, if all processors compute")
      ->check(CLI::PositiveNumber);
  CLI::Option* const report =
      command->add_option("--report", options.report,
                          "JSON of a short run, from which rates and the time of a step are taken");
  command
      ->add_option("--recording", options.recording,
                   "folder that variable record named: the run is played, for such a report")
      ->excludes(report);
  command->add_option("--mpiexec", options.mpiexec, "the launcher of MPI, for --recording");
  command->add_option("--duration", options.duration,
                      "length of the run, as in 1mo; otherwise four periods of the rarest file");
  add_machine(*command, options.machine);
  add_rate(*command, "--file-system-rate", options.machine.total_disk_rate,
           "at which all servers together can write");
  add_rate(*command, "--compress-rate", options.machine.compress_rate,
           "at which a server compresses and writes (300)");
  command->add_flag("--json", options.json, "for programs");
  return command;
}

int run_advise(AdviseOptions options) {
  check(options);
  const ReadModel read = read_model(options.input);
  Work& work = options.work;
  work.steps = steps_of(read.model, options.duration);
  work.processor_s = options.step_time_s * (work.clients > 0 ? work.clients : work.processors());
  if (options.has_run()) {
    const config::RunReport report =
        options.report.empty()
            ? play_recording(options.recording, read.model.context_id, options.mpiexec)
            : read_report(options.report);
    take_run(report, read.model, options);
  }
  options.machine.processors = work.processors();
  const std::vector<OutputDate> dates = output_dates(read.model, work.steps);
  const Advice advice = advise(read.model, read.limits, options.machine, work, dates);
  if (options.json) {
    std::puts(json_of(advice, work).dump(1).c_str());
  } else {
    print(advice, read, work);
  }
  return 0;
}

}  // namespace epios::layouts
