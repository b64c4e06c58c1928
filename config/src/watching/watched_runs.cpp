// Puts the pages of a node together: processes of one job, clients of one context, writers of one
// file. A slot may be given to somebody else while it is read; then what was read of it is dropped.
#include "config/watched_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string_view>
#include <tuple>
#include <utility>

#include "config/index.hpp"
#include "text/text.hpp"
#include "watching/page_reader.hpp"

namespace epios::config {
namespace {

double seconds(std::int64_t ns) {
  return static_cast<double>(std::max<std::int64_t>(0, ns)) * 1e-9;
}

/// What is read of one client, which its clock and state belong to.
struct Client {
  std::string component, context, date;
  std::int64_t began_ns = 0, until_ns = 0, quiet_since_ns = 0;
  bool is_over = false;
  std::int64_t step = 0, sends = 0, records = 0, bytes = 0;
  double in_library_s = 0, blocked_s = 0, fullest_channel = 0;
  std::vector<WatchedField> fields;
};

struct File {
  WatchedFile seen;
  std::int64_t began_ns = 0;
};

/// What pages of one job say, before it is put together.
struct Job {
  WatchedJob out;
  std::map<std::tuple<std::string, std::string, int>, Client> clients;
  std::map<std::tuple<std::string, int>, File> files;  ///< by path and server
  std::map<std::tuple<std::string, std::string, std::string>, WatchedMap> maps{};
  std::int64_t began_ns = 0;
  std::int64_t removed_ns = 0;  ///< of the last page; MappedPage::never: one is there
};

std::string actor_text(const PageActor& actor, const std::vector<std::string>& components) {
  switch (actor.kind.get()) {
    case PageActor::Kind::client: {
      const int c = actor.component.get();
      return fmt::format("client {} of '{}'", actor.rank.get(),
                         c >= 0 && c < std::ssize(components) ? nth(components, c) : "?");
    }
    case PageActor::Kind::server:
      return fmt::format("server {}", actor.rank.get());
    case PageActor::Kind::none:
      break;
  }
  return {};
}

void add_clients(const MappedPage& page, std::int64_t now_ns, Job& job) {
  page.for_each<ClientSlot>(client_slots, [&](const ClientSlot& slot) {
    Client out;
    out.began_ns = slot.began_ns.get();
    out.component = slot.component.get();
    out.context = slot.context.get();
    out.is_over = slot.state.get() != SlotState::active;
    out.quiet_since_ns = slot.updated_ns.get();
    out.until_ns = out.is_over    ? slot.ended_ns.get()
                   : page.lives() ? now_ns
                                  : slot.updated_ns.get();
    out.date = date_text(slot);
    out.step = slot.step.get();
    out.sends = slot.sends.get();
    out.records = slot.records.get();
    out.bytes = slot.bytes.get();
    out.in_library_s = slot.in_library_s.get();
    out.blocked_s = slot.blocked_s.get();
    out.fullest_channel = slot.fullest_channel.get();
    for (const BlockedField& field : slot.blocked) {
      const std::int32_t stream = field.stream.get();
      WatchedField read{field.name.get(), field.blocked_s.get()};
      if (stream != 0 && field.stream.get() == stream) out.fields.push_back(std::move(read));
    }
    const int rank = slot.rank.get();
    if (slot.began_ns.get() != out.began_ns) return;
    // A context may have been opened before under the same name: the last one counts.
    Client& known = job.clients[{out.component, out.context, rank}];
    if (known.began_ns <= out.began_ns) known = std::move(out);
  });
}

void add_servers(const MappedPage& page, std::int64_t now_ns, Job& job) {
  page.for_each<ServerSlot>(server_slots, [&](const ServerSlot& slot) {
    const bool is_over = slot.state.get() != SlotState::active;
    // A server without work counts nothing, but the time goes on.
    const bool is_idle = !is_over && page.lives() && slot.contexts.get() > 0;
    const double idle_s = is_idle ? seconds(now_ns - slot.updated_ns.get()) : 0;
    job.out.servers.push_back({slot.rank.get(), page.head().pid.get(), is_over, slot.contexts.get(),
                               slot.open_s.get() + idle_s, slot.busy_s.get(),
                               slot.writing_s.get()});
  });
}

void add_files(const MappedPage& page, std::int64_t now_ns, Job& job) {
  page.for_each<FileSlot>(file_slots, [&](const FileSlot& slot) {
    File out;
    out.began_ns = slot.began_ns.get();
    out.seen = {slot.component.get(),
                slot.context.get(),
                slot.path.get(),
                slot.state.get(),
                1,
                slot.written.get(),
                slot.durable.get(),
                slot.lost.get(),
                slot.bytes.get(),
                slot.writing_s.get(),
                seconds(now_ns - out.began_ns),
                {slot.server.get()}};
    const int server = out.seen.servers.front();
    if (slot.began_ns.get() != out.began_ns) return;
    File& known = job.files[{out.seen.path, server}];
    if (known.began_ns <= out.began_ns) known = std::move(out);
  });
}

void add_waits(const MappedPage& page, std::int64_t now_ns, Job& job) {
  const std::vector<std::string> components = [&] {
    std::vector<std::string> out;
    const std::string all = page.head().components.get();
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t end = std::min(all.find('\n', at), all.size());
      out.push_back(all.substr(at, end - at));
      at = end + 1;
    }
    return out;
  }();
  page.for_each<WaitSlot>(wait_slots, [&](const WaitSlot& slot) {
    const std::int64_t began_ns = slot.began_ns.get();
    WatchedWait out{actor_text(slot.who, components), slot.what.get(),
                    actor_text(slot.whom, components), seconds(now_ns - began_ns)};
    if (const int others = slot.number_whom.get() - 1; others > 0) {
      out.whom += fmt::format(" and {} more", others);
    }
    if (slot.state.get() != SlotState::active || slot.began_ns.get() != began_ns) return;
    job.out.waits.push_back(std::move(out));
  });
}

void add_maps(const MappedPage& page, Job& job) {
  page.for_each<MapSlot>(map_slots, [&](const MapSlot& slot) {
    const std::int64_t began_ns = slot.began_ns.get();
    WatchedMap out{slot.component.get(),
                   slot.context.get(),
                   slot.field.get(),
                   slot.unit.get(),
                   slot.level.get(),
                   {},
                   -1};
    if (slot.sequence.load(std::memory_order_acquire) != 0) {
      out.record = slot.record.get();
      out.date = date_text(slot.date);
    }
    if (slot.began_ns.get() != began_ns) return;
    WatchedMap& known = job.maps[{out.component, out.context, out.field}];
    if (known.field.empty() || known.record < out.record) known = std::move(out);
  });
}

void add_lines(const MappedPage& page, std::int64_t now_ns, Job& job) {
  constexpr std::array<const char*, 3> severities{"info", "warning", "error"};
  page.for_each<LineSlot>(line_slots, [&](const LineSlot& slot) {
    const auto severity = static_cast<int>(slot.severity.get());
    if (severity < 0 || severity >= std::ssize(severities)) return;
    job.out.lines.push_back(
        {nth(severities, severity), slot.text.get(), seconds(now_ns - slot.began_ns.get())});
  });
}

void add_page(const MappedPage& page, std::int64_t now_ns, std::map<std::string, Job>& jobs) {
  const PageHead& head = page.head();
  const std::string name = head.job.get();
  Job& job = jobs[name];
  job.out.name = name;
  job.out.batch_job = head.batch_job.get();
  job.out.processes = head.processes.get();
  switch (page.process()) {
    case MappedPage::Process::lives:
      job.out.pids.push_back(head.pid.get());
      break;
    case MappedPage::Process::gone:
      job.out.gone.push_back(head.pid.get());
      break;
    case MappedPage::Process::ended:
      job.out.ended.push_back(head.pid.get());
      break;
  }
  job.removed_ns = std::max(job.removed_ns, page.removed_ns());
  job.began_ns =
      job.began_ns == 0 ? head.began_ns.get() : std::min(job.began_ns, head.began_ns.get());
  for (const auto& crowded : head.crowded) job.out.unseen += crowded.get();
  add_clients(page, now_ns, job);
  add_servers(page, now_ns, job);
  add_files(page, now_ns, job);
  add_maps(page, job);
  add_lines(page, now_ns, job);
  if (page.lives()) add_waits(page, now_ns, job);
}

void add_fields(std::vector<WatchedField>& to, const std::vector<WatchedField>& fields) {
  for (const WatchedField& field : fields) {
    const auto known = std::find_if(
        to.begin(), to.end(), [&](const WatchedField& other) { return other.name == field.name; });
    if (known == to.end()) {
      to.push_back(field);
    } else {
      known->blocked_s += field.blocked_s;
    }
  }
}

/// The parts of a context that its clients are.
void put_contexts_together(Job& job, std::int64_t now_ns) {
  std::map<std::pair<std::string, std::string>, WatchedContext> contexts;
  for (const auto& [key, client] : job.clients) {
    WatchedContext& of = contexts[{client.component, client.context}];
    const double open_s = seconds(client.until_ns - client.began_ns);
    const bool is_first = of.clients++ == 0;
    of.component = client.component;
    of.context = client.context;
    of.is_over = (is_first || of.is_over) && client.is_over;
    if (is_first || client.step < of.step) {
      of.step = client.step;
      of.date = client.date;
    }
    of.sends += client.sends;
    of.records = std::max(of.records, client.records);
    of.bytes += client.bytes;
    of.open_s = std::max(of.open_s, open_s);
    of.client_s += open_s;
    of.in_library_s += client.in_library_s;
    of.blocked_s += client.blocked_s;
    of.most_blocked_s = std::max(of.most_blocked_s, client.blocked_s);
    of.fullest_channel = std::max(of.fullest_channel, client.fullest_channel);
    add_fields(of.blocked_fields, client.fields);
    if (!client.is_over) of.quiet_s = std::max(of.quiet_s, seconds(now_ns - client.quiet_since_ns));
  }
  for (auto& [key, context] : contexts) {
    std::stable_sort(context.blocked_fields.begin(), context.blocked_fields.end(),
                     [](const auto& a, const auto& b) { return a.blocked_s > b.blocked_s; });
    job.out.contexts.push_back(std::move(context));
  }
}

/// A file is open as long as one of its writers has it open, and failed if one of them says so.
SlotState joint_state(SlotState a, SlotState b) {
  for (const SlotState wins : {SlotState::failed, SlotState::active}) {
    if (a == wins || b == wins) return wins;
  }
  return a;
}

void put_files_together(Job& job) {
  for (const auto& [key, file] : job.files) {
    auto& files = job.out.files;
    const WatchedFile& one = file.seen;
    if (files.empty() || files.back().path != one.path) {
      files.push_back(one);
      continue;
    }
    WatchedFile& of = files.back();
    ++of.writers;
    of.state = joint_state(of.state, one.state);
    of.written = std::min(of.written, one.written);
    of.durable = std::min(of.durable, one.durable);
    of.lost = std::max(of.lost, one.lost);
    of.bytes += one.bytes;
    of.writing_s = std::max(of.writing_s, one.writing_s);
    of.age_s = std::max(of.age_s, one.age_s);
    of.servers.insert(of.servers.end(), one.servers.begin(), one.servers.end());
  }
}

/// Notes why a page cannot be read. Returns true if it can.
bool note_problem(const MappedPage& page, const std::string& path, WatchedRuns& out) {
  switch (page.problem()) {
    case MappedPage::Problem::none:
      return true;
    case MappedPage::Problem::foreign:
      ++out.of_others;
      break;
    case MappedPage::Problem::other:
      out.problems.push_back(fmt::format("'{}' cannot be read ({})", path, page.text()));
      break;
    case MappedPage::Problem::vanished:
    case MappedPage::Problem::unfinished:
      break;
  }
  return false;
}

/// Leaves the last jobs of those of which nothing is left on this node.
void forget_old_jobs(MappedPages& pages, std::size_t most) {
  std::map<std::string, std::int64_t> removed_ns;  // the last page of each job
  for (const auto& [path, page] : pages) {
    std::int64_t& last = removed_ns[page->head().job.get()];
    last = std::max(last, page->removed_ns());
  }
  std::vector<std::pair<std::int64_t, std::string>> past;
  for (const auto& [job, when] : removed_ns) {
    if (when != MappedPage::never) past.emplace_back(when, job);
  }
  if (past.size() <= most) return;
  std::sort(past.begin(), past.end(), std::greater<>());
  past.erase(past.begin(), past.begin() + static_cast<std::ptrdiff_t>(most));
  for (const auto& old : past) {
    std::erase_if(pages,
                  [&](const auto& page) { return page.second->head().job.get() == old.second; });
  }
}

void put_together(std::map<std::string, Job>& jobs, WatchedRuns& out) {
  out.taken_ns = page_clock_ns();
  for (auto& [name, job] : jobs) {
    put_contexts_together(job, out.taken_ns);
    put_files_together(job);
    for (auto& [key, map] : job.maps) job.out.maps.push_back(std::move(map));
    std::stable_sort(job.out.lines.begin(), job.out.lines.end(),
                     [](const WatchedLine& a, const WatchedLine& b) { return a.age_s > b.age_s; });
    job.out.age_s = seconds(std::min(out.taken_ns, job.removed_ns) - job.began_ns);
    std::sort(job.out.servers.begin(), job.out.servers.end(),
              [](const WatchedServer& a, const WatchedServer& b) { return a.rank < b.rank; });
    std::sort(job.out.waits.begin(), job.out.waits.end(),
              [](const WatchedWait& a, const WatchedWait& b) { return a.seconds > b.seconds; });
    out.jobs.push_back(std::move(job.out));
  }
  std::stable_partition(out.jobs.begin(), out.jobs.end(),
                        [](const WatchedJob& job) { return !job.is_over(); });
}

}  // namespace

struct RunWatch::Impl {
  std::string only;
  MappedPages pages{};
};

RunWatch::RunWatch(std::string only) : impl_(new Impl{std::move(only)}) {}
RunWatch::~RunWatch() = default;

WatchedRuns RunWatch::look() {
  WatchedRuns out;
  MappedPages found;
  for (const std::string& path : names_of_pages()) {
    auto page = std::make_unique<MappedPage>(path);
    if (!note_problem(*page, path, out)) continue;
    if (impl_->only.empty() || page->head().job.get() == impl_->only) found[path] = std::move(page);
  }
  const std::int64_t now_ns = page_clock_ns();
  for (auto& [path, page] : impl_->pages) {
    if (found.contains(path)) continue;
    page->set_removed(now_ns);
    found[path] = std::move(page);
  }
  forget_old_jobs(found, most_past_jobs);
  impl_->pages = std::move(found);
  std::map<std::string, Job> jobs;
  for (const auto& [path, page] : impl_->pages) add_page(*page, page_clock_ns(), jobs);
  put_together(jobs, out);
  return out;
}

std::optional<MapSample> RunWatch::map(const std::string& job, const WatchedMap& wanted) const {
  return map_of(impl_->pages, job, wanted);
}

}  // namespace epios::config
