// Layouts are compared by playing the dates of output. In order: a report is read for rates,
// candidates are listed, one is played, one is chosen, and what else may be set is said.
#include "advice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "config/error.hpp"
#include "config/fed_schedules.hpp"
#include "config/index.hpp"
#include "grid/pieces.hpp"
#include "grid/routing.hpp"

namespace epios::layouts {
namespace {

double real(std::int64_t number) { return static_cast<double>(number); }

/// Less says more about the start of a file than about a rate.
constexpr std::int64_t least_bytes = 10'000'000;

/// The streams of a file of a report; none of a file of another context.
std::vector<config::StreamId> streams_of(const config::ContextCost& context,
                                         const config::FileCost& file, const config::Model& model) {
  if (context.id != model.context_id) return {};
  const auto found = std::find_if(model.files.begin(), model.files.end(),
                                  [&](const config::File& f) { return f.id == file.id; });
  return found == model.files.end() ? std::vector<config::StreamId>{} : found->streams;
}

/// Null: the report has nothing of the stream.
const config::FieldCost* cost_of(const config::FileCost& file, const config::Stream& stream) {
  const auto found =
      std::find_if(file.fields.begin(), file.fields.end(),
                   [&](const config::FieldCost& f) { return f.name == stream.name; });
  return found == file.fields.end() ? nullptr : &*found;
}

/// Time steps that a run has made, from the records that it has sent.
std::int64_t steps_of(const config::RunReport& report, const config::Model& model) {
  const std::vector<config::Schedule> schedules = config::fed_schedules_of_streams(model);
  std::int64_t steps = 0;
  for (const config::ContextCost& context : report.contexts) {
    for (const config::FileCost& file : context.files) {
      for (const config::StreamId stream : streams_of(context, file, model)) {
        const config::FieldCost* const cost = cost_of(file, model.streams[stream]);
        if (cost == nullptr || cost->records_sent == 0) continue;
        if (!config::has_time(model.streams[stream].sampling.operation)) continue;
        const config::Schedule& schedule = nth(schedules, stream);
        steps = std::max(steps, schedule.step_of_record(schedule.before_start().records +
                                                        cost->records_sent - 1));
      }
    }
  }
  return steps;
}

bool writes_compressed(const config::Model& model, const config::Stream& stream,
                       Compression compression) {
  if (compression == Compression::none) return false;
  return compression == Compression::light || io::compression_level_of(model, stream) > 0;
}

/// What a run has written into files that are compressed, or into the others.
struct Writing {
  std::int64_t bytes = 0;  ///< on disk; of compressed files before that
  double seconds = 0;      ///< of the file thread, of the writer with most for each file
};

/// What servers have done in a run. Together they have what one would have.
struct WrittenInRun {
  Writing plain, compressed;
  std::int64_t worked_on = 0;  ///< bytes
};
WrittenInRun written_in(const config::RunReport& report, const config::Model& model) {
  const std::vector<int> wire_bytes = io::wire_value_bytes(model);
  const io::Pieces all = io::pieces_of(model, io::place_files(model, 1, 0), 1).front();
  std::vector<RecordBytes> of_record;
  for (std::size_t s = 0; s < wire_bytes.size(); ++s) {
    of_record.push_back(record_bytes(model, all, s, wire_bytes[s]));
  }
  WrittenInRun out;
  for (const config::ContextCost& context : report.contexts) {
    for (const config::FileCost& file : context.files) {
      RecordBytes bytes;
      bool is_compressed = false;
      for (const config::StreamId stream : streams_of(context, file, model)) {
        const config::Stream& its = model.streams[stream];
        if (writes_compressed(model, its, Compression::as_configured)) is_compressed = true;
        const config::FieldCost* const cost = cost_of(file, its);
        if (cost == nullptr) continue;
        const RecordBytes& one = nth(of_record, stream);
        bytes.written += cost->records_sent * one.written;
        bytes.worked_on += cost->records_sent * one.worked_on;
      }
      Writing& writing = is_compressed ? out.compressed : out.plain;
      writing.bytes += is_compressed ? bytes.written : file.bytes;
      writing.seconds += file.writing_s;
      out.worked_on += bytes.worked_on;
    }
  }
  return out;
}

/// What a server has to do, in seconds that it needs with a processor for each of its two threads:
/// one receives, one writes what the other has put together.
struct ServerWork {
  std::vector<double> of_stream;  ///< for a record of each field
  double threads = 1;             ///< that are busy at a time, in the mean: 1 ... 2
  double room_s = 0;              ///< of work that channels hold
  double backlog_s = 0;
  double done_s = 0;
};

/// Which part of a second clients and servers get of processors, if `threads` of servers are busy.
struct Shares {
  double client = 1;
  double server = 1;
};
Shares shares_of(double processors, double clients, double threads) {
  Shares out;
  const double beyond = std::max(0.0, clients + threads - processors);
  if (clients > 0) {
    // All clients wait for the one whose processor a server has taken.
    out.client = 1 / (1 + std::max(std::min(1.0, beyond), beyond / clients));
  }
  if (threads > 0) out.server = std::min(1.0, (processors - clients * out.client) / threads);
  return out;
}

/// Lets clients compute for `amount` seconds of a processor each, or, if none of them computes,
/// servers do `amount` seconds of their work. Returns how long that takes.
double pass(std::vector<ServerWork>& servers, double processors, double clients, double amount) {
  if (amount <= 0) return 0;
  std::vector<std::pair<double, double>> ends;  // of work, and threads that it occupies
  double threads = 0;
  for (const ServerWork& server : servers) {
    if (server.backlog_s <= 0) continue;
    ends.emplace_back(server.backlog_s, server.threads);
    threads += server.threads;
  }
  std::sort(ends.begin(), ends.end());
  double done_s = 0;
  double took_s = 0;
  for (const auto& [end_s, its_threads] : ends) {
    const Shares shares = shares_of(processors, clients, threads);
    const double rate = clients > 0 ? shares.client : shares.server;
    const double next_s = std::min((end_s - done_s) / shares.server, amount / rate);
    done_s += next_s * shares.server;
    took_s += next_s;
    amount = std::max(0.0, amount - next_s * rate);
    if (amount == 0) break;
    threads -= its_threads;
  }
  for (ServerWork& server : servers) server.backlog_s = std::max(0.0, server.backlog_s - done_s);
  return clients > 0 ? took_s + amount / shares_of(processors, clients, 0).client : took_s;
}

/// The busiest servers as layouts of jobs: those in processes of clients are one for each.
Layout layout_of(const Work& work, const Candidate& candidate) {
  Layout layout;
  layout.clients = candidate.clients;
  layout.threads = work.threads;
  layout.servers =
      candidate.servers > 0 ? candidate.servers : std::max(1, candidate.clients / work.threads);
  layout.gatherers = candidate.gatherers;
  return layout;
}

/// The work of each server for one record of each field.
std::vector<ServerWork> work_of_servers(const ImaginedJob& job, const config::Model& model,
                                        const Machine& machine, const ServerLoad& busiest,
                                        Compression compression) {
  const Layout& layout = job.layout();
  const int writers = layout.servers - layout.gatherers;
  const double disk_rate = machine.total_disk_rate > 0
                               ? std::min(machine.disk_rate, machine.total_disk_rate / writers)
                               : machine.disk_rate;
  const double parts =
      busiest.variables > 0 ? real(busiest.records.count) / real(busiest.variables) : 0;
  const double room =
      busiest.records.bytes > 0 ? real(busiest.channel_bytes) / real(busiest.records.bytes) : 2;
  std::vector<ServerWork> out;
  for (int s = 0; s < layout.servers; ++s) {
    ServerWork& its = out.emplace_back();
    double all_s = 0;
    double thread_s = 0;
    for (std::size_t stream = 0; stream < model.streams.size(); ++stream) {
      const RecordBytes bytes = job.bytes_of(s, stream);
      const double parts_s = bytes.received > 0 ? parts * machine.part_s : 0;
      const double receiving_s =
          real(bytes.received + bytes.worked_on) / machine.assemble_rate + parts_s;
      double rate = disk_rate;
      if (writes_compressed(model, nth(model.streams, stream), compression)) {
        rate = machine.compress_rate;
      }
      if (s < layout.gatherers) rate = machine.assemble_rate;
      const double writing_s = real(bytes.written) / rate;
      its.of_stream.push_back(std::max(receiving_s, writing_s));
      all_s += its.of_stream.back();
      thread_s += receiving_s + writing_s;
    }
    if (all_s > 0) its.threads = thread_s / all_s;
    its.room_s = room * all_s;
  }
  return out;
}

/// The model computes, sends, and waits where servers have not kept up.
void play(std::vector<ServerWork>& servers, std::span<const OutputDate> dates, const Work& work,
          double sending_s_of_all, std::size_t streams, Outcome& out) {
  const double processors = work.processors();
  const double clients = out.candidate.clients;
  const double step_s = work.processor_s / clients;
  std::int64_t before = 0;
  for (const OutputDate& date : dates) {
    const double sending_s =
        sending_s_of_all * real(std::ssize(date.streams)) / static_cast<double>(streams);
    const double computing_s = real(date.step - before) * step_s;
    before = date.step;
    out.sending_s += sending_s;
    out.computing_s += pass(servers, processors, clients, computing_s + sending_s) - sending_s;
    double waits_s = 0;
    for (ServerWork& server : servers) {
      double comes_s = 0;
      for (const int stream : date.streams) comes_s += nth(server.of_stream, stream);
      server.done_s += comes_s;
      server.backlog_s += comes_s;
      if (comes_s > 0) waits_s = std::max(waits_s, server.backlog_s - server.room_s);
    }
    out.blocked_s += pass(servers, processors, 0, waits_s);
  }
  const std::int64_t left = std::max<std::int64_t>(0, work.steps - before);
  out.computing_s += pass(servers, processors, clients, real(left) * step_s);
  for (const ServerWork& server : servers)
    out.closing_s = std::max(out.closing_s, server.backlog_s);
  out.closing_s = pass(servers, processors, 0, out.closing_s);
}

std::string candidate_text(const Candidate& candidate) {
  if (candidate.servers == 0) return "no servers: each process of the model writes what it has";
  return fmt::format("{} server{}", candidate.servers, candidate.servers == 1 ? "" : "s");
}

std::string why_text(const std::vector<Outcome>& tried, const Outcome& best) {
  const Outcome* fewer = nullptr;
  const Outcome* more = nullptr;
  for (const Outcome& one : tried) {
    if (!one.refused.empty() || one.candidate.gatherers != best.candidate.gatherers) continue;
    if (one.candidate.servers < best.candidate.servers) fewer = &one;
    if (one.candidate.servers > best.candidate.servers && more == nullptr) more = &one;
  }
  const auto change = [&](const Outcome& other) {
    const double more_s = other.total_s() - best.total_s();
    return fmt::format("{}: {:.3g} s {} ({:.3g} s blocked, {:.3g} s computing)",
                       candidate_text(other.candidate), std::abs(more_s),
                       more_s < 0 ? "less" : "more", other.blocked_s, other.computing_s);
  };
  std::vector<std::string> parts;
  if (fewer != nullptr) parts.push_back(change(*fewer));
  if (more != nullptr) parts.push_back(change(*more));
  return parts.empty() ? "no other layout can be" : fmt::format("{}", fmt::join(parts, "; "));
}

Remark chunk_remark(const config::Model& model, std::span<const io::FilePlacement> placements) {
  std::int64_t most = -1;
  Remark remark{"chunks", {}};
  for (int s = 0; s < static_cast<int>(model.streams.size()); ++s) {
    const config::Stream& stream = nth(model.streams, s);
    const io::FilePlacement& file = nth(placements, stream.file);
    const io::StreamPlacement placed = io::place_stream(model, s, file);
    const std::int64_t bytes = io::volume(placed.shape) * io::file_value_bytes(stream);
    if (bytes <= most) continue;
    most = bytes;
    const auto idle = std::count_if(placed.slabs.begin(), placed.slabs.end(),
                                    [](const io::Box& slab) { return slab.is_empty(); });
    remark.text =
        fmt::format("the largest field, '{}', gets chunks of {} (of {}), for {} writer{}",
                    stream.name, fmt::join(placed.chunk, " x "), fmt::join(placed.shape, " x "),
                    file.writers.size(), file.writers.size() == 1 ? "" : "s");
    if (idle > 0) {
      remark.text +=
          fmt::format("; {} of these get none. Set smaller chunks, or fewer servers?", idle);
    }
  }
  return remark;
}

Remark buffer_remark(const RunLimits& limits, const Outcome& best) {
  const ServerLoad& server = best.server;
  const std::int64_t two = 2 * server.records.bytes;
  if (server.channel_bytes >= server.records.bytes) {
    return {"buffers",
            fmt::format("buffer_bytes of {} suffices: channels of the busiest server take {} and "
                        "hold a record of each field",
                        limits.buffer_bytes, server.channel_bytes)};
  }
  // Contexts that open later get the other half.
  return {"buffers",
          fmt::format("set buffer_bytes to {} instead of {}, so that channels of the busiest "
                      "server hold two records of each field (now {})",
                      2 * two, limits.buffer_bytes, server.channel_bytes)};
}

}  // namespace

Calibration calibrate(const config::RunReport& report, const config::Model& model,
                      Machine& machine) {
  const std::int64_t steps = steps_of(report, model);
  if (steps == 0) {
    throw Error(
        ErrorCode::argument,
        fmt::format("the report of component '{}' has no records of context '{}' (its files "
                    "have other ids, or it ended before the first). Is it a run of this "
                    "configuration?",
                    report.component, model.context_id));
  }
  Calibration out;
  out.clients = static_cast<int>(report.clients);
  out.opening_s = report.per_client(report.opening_s);
  // Filters stay: they are the model's work on any layout.
  double beside_s = out.opening_s + report.per_client(report.closing_s);
  for (const config::Spread& waiting :
       {report.blocked_s, report.packing_s, report.waited_s, report.coupled_s}) {
    beside_s += report.per_client(waiting);
  }
  out.step_s = std::max(0.0, report.alive_s - beside_s) / real(steps);
  double writing_s = 0;
  double busy_s = 0;
  for (const config::ServerCost& server : report.servers) {
    writing_s += server.writing_s;
    busy_s += server.busy_s;
  }
  const WrittenInRun written = written_in(report, model);
  const double all_s = written.plain.seconds + written.compressed.seconds;
  const auto rate_of = [&](const Writing& files, double& rate) {
    if (files.bytes < least_bytes || files.seconds <= 0 || writing_s <= 0) return false;
    // Of a file that several servers write, its report has the time of one of them.
    rate = real(files.bytes) / (writing_s * files.seconds / all_s);
    return true;
  };
  out.has_disk_rate = rate_of(written.plain, machine.disk_rate);
  out.has_compress_rate = rate_of(written.compressed, machine.compress_rate);
  if (report.bytes_sent >= least_bytes && report.packing_s.sum > 0 && busy_s > 0) {
    machine.memory_rate = real(report.bytes_sent) / report.packing_s.sum;
    machine.assemble_rate = real(report.bytes_sent + written.worked_on) / busy_s;
    out.has_memory_rate = true;
  }
  return out;
}

std::vector<Candidate> candidates(const config::Model& model, const Work& work) {
  constexpr int many_clients = 1000;
  std::vector<Candidate> out;
  const auto clients_beside = [&](int servers) {
    const int left = work.clients > 0 ? work.clients : work.processors() - servers;
    return std::max(work.threads, left / work.threads * work.threads);
  };
  const int left = work.clients > 0 ? work.processors() - work.clients : work.processors() / 2;
  // Hundreds of processes that share files wait for each other.
  if (work.nodes == 1 || left < 1) out.push_back({clients_beside(0), 0, 0});
  std::vector<int> numbers;
  // A model that waits for servers leaves them its processor.
  const int most = work.clients > 0 ? std::max(2, left) : left;
  for (int base = 1; base <= most; base *= 2) {
    numbers.push_back(base);
    if (base >= 2 && base + base / 2 <= most) numbers.push_back(base + base / 2);
  }
  for (const int servers : numbers) {
    const int clients = clients_beside(servers);
    out.push_back({clients, servers, 0});
    if (clients >= many_clients && servers >= 4 && obstacle_to_gatherers(model).empty()) {
      out.push_back({clients, servers, servers / 2});
    }
  }
  return out;
}

Outcome outcome_of(const config::Model& model, const RunLimits& limits, const Machine& machine,
                   const Work& work, std::span<const OutputDate> dates, const Candidate& candidate,
                   Compression compression) {
  Outcome out;
  out.candidate = candidate;
  try {
    ImaginedJob job(model, layout_of(work, candidate), limits);
    out.server = job.server(job.heaviest_server());
    Loads loads{job.client(0), job.client(candidate.clients / 2), out.server, job.leader()};
    const auto streams = std::ssize(model.streams);
    const Times times = times_of(machine, job.layout(), streams, loads);
    std::vector<ServerWork> servers = work_of_servers(job, model, machine, out.server, compression);
    out.opening_s = std::max(times.opening_s, work.opening_s);
    play(servers, dates, work, times.client_s, model.streams.size(), out);
    double done_s = 0;
    for (const ServerWork& server : servers) done_s = std::max(done_s, server.done_s);
    out.busy_share = out.total_s() > 0 ? std::min(1.0, done_s / out.total_s()) : 0;
  } catch (const Error& error) {
    out.refused = error.what();
  }
  return out;
}

Advice advise(const config::Model& model, const RunLimits& limits, const Machine& machine,
              const Work& work, std::span<const OutputDate> dates) {
  constexpr double about_equal = 1.03;
  Advice advice;
  for (const Candidate& candidate : candidates(model, work)) {
    advice.tried.push_back(outcome_of(model, limits, machine, work, dates, candidate));
  }
  double least_s = -1;
  for (const Outcome& one : advice.tried) {
    if (one.refused.empty() && (least_s < 0 || one.total_s() < least_s)) least_s = one.total_s();
  }
  if (least_s < 0) throw Error(ErrorCode::resource, advice.tried.back().refused);
  const auto best = std::find_if(advice.tried.begin(), advice.tried.end(), [&](const Outcome& one) {
    return one.refused.empty() && one.total_s() <= about_equal * least_s;
  });
  advice.best = *best;
  advice.why = why_text(advice.tried, advice.best);
  const Candidate& chosen = advice.best.candidate;
  advice.remarks.push_back(
      chunk_remark(model, ImaginedJob(model, layout_of(work, chosen), limits).placements()));
  const Outcome light = outcome_of(model, limits, machine, work, dates, chosen, Compression::light);
  const Outcome none = outcome_of(model, limits, machine, work, dates, chosen, Compression::none);
  const bool is_free = light.total_s() <= about_equal * none.total_s();
  advice.remarks.push_back(
      {"compression",
       fmt::format(
           "compression_level=1 for all files {} (servers busy for {:.0f} % instead of {:.0f} "
           "% of the time, {:.3g} s more for the run)",
           is_free ? "costs the model next to nothing" : "would make the model wait",
           100 * light.busy_share, 100 * none.busy_share,
           std::max(0.0, light.total_s() - none.total_s()))});
  advice.remarks.push_back(buffer_remark(limits, advice.best));
  return advice;
}

}  // namespace epios::layouts
