// Who waits for whom in a job, as bytes, as text and as a graph. All processes report in the same
// form, so that one of them can print it for all; a circle in the graph is a deadlock and named as
// such. In order: bytes, names of actors, lines of the report, circles.
#include "event/waits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "config/byte_fields.hpp"
#include "config/bytes.hpp"
#include "config/error.hpp"

namespace epios::io {

template <class Archive>
void fields(Archive& archive, config::Described<Actor> auto& actor) {
  archive.one_of(actor.kind, Actor::Kind::none, Actor::Kind::server, "an actor of kind");
  archive(actor.component, actor.rank, actor.context);
}

template <class Archive>
void fields(Archive& archive, config::Described<Wait> auto& wait) {
  archive(wait.who, wait.what, wait.whom, wait.seconds);
}

template <class Archive>
void fields(Archive& archive, config::Described<ProcessWaits> auto& waits) {
  archive(waits.waits);
}

namespace {

/// Lines of one report, and ranks of one line: a reader gives up after so many.
constexpr std::size_t most_lines = 60;
constexpr std::size_t most_ranges = 8;

/// "0-2, 5" of ascending numbers, the rest counted.
std::string ranges_text(const std::vector<int>& ranks) {
  std::string out;
  std::size_t shown = 0;
  std::size_t i = 0;
  while (i < ranks.size() && shown < most_ranges) {
    std::size_t end = i + 1;
    while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) ++end;
    out += fmt::format("{}{}", out.empty() ? "" : ", ", ranks[i]);
    if (end - i > 1) out += fmt::format("{}{}", end - i > 2 ? "-" : ", ", ranks[end - 1]);
    i = end;
    ++shown;
  }
  if (i < ranks.size()) out += fmt::format(" and {} more", ranks.size() - i);
  return out;
}

/// Several actors: "clients 0-2, 5 of 'ocean', servers 0, 1".
std::string names(const ProcessTable& process_table, const std::set<Actor>& actors) {
  std::map<std::pair<Actor::Kind, int>, std::vector<int>> groups;
  for (const Actor& actor : actors) {
    std::vector<int>& ranks = groups[{actor.kind, actor.component}];
    if (ranks.empty() || ranks.back() != actor.rank) ranks.push_back(actor.rank);
  }
  std::string out;
  for (auto& [group, ranks] : groups) {
    const auto [kind, component] = group;
    std::sort(ranks.begin(), ranks.end());
    if (!out.empty()) out += ", ";
    if (ranks.size() == 1) {
      out += process_table.name({kind, component, ranks.front(), -1});
      continue;
    }
    out += fmt::format("{}s {}", kind == Actor::Kind::client ? "client" : "server",
                       ranges_text(ranks));
    if (component >= 0) {
      out += fmt::format(" of '{}'", process_table.components[static_cast<std::size_t>(component)]);
    }
  }
  return out;
}

/// Everybody who lives in a process.
std::set<Actor> actors_of(const ProcessTable& process_table, std::size_t process) {
  std::set<Actor> out;
  const ProcessTable::Process& of = process_table.processes[process];
  for (int i = 0; i < of.clients; ++i) {
    out.insert({Actor::Kind::client, of.component, of.first_client + i, -1});
  }
  if (of.server >= 0) out.insert(process_table.server(of.component, of.server));
  return out;
}

/// Lines of waits: of all that wait for the same one.
struct Group {
  std::set<Actor> who;
  double seconds = 0;
};
using Groups = std::map<std::pair<std::string, std::vector<Actor>>, Group>;

Groups grouped(std::span<const ProcessWaits> job) {
  Groups out;
  for (const ProcessWaits& process : job) {
    for (const Wait& wait : process.waits) {
      Group& group = out[{wait.what, wait.whom}];
      group.who.insert(wait.who);
      group.seconds = std::max(group.seconds, wait.seconds);
    }
  }
  return out;
}

class Lines {
 public:
  void add(const std::string& line) {
    if (++count_ <= most_lines) text_ += fmt::format("epios: waiting:   {}\n", line);
  }
  std::string text() const {
    if (count_ <= most_lines) return text_;
    return text_ + fmt::format("epios: waiting:   and {} lines more\n", count_ - most_lines);
  }

 private:
  std::string text_;
  std::size_t count_ = 0;
};

void add_waits(Lines& lines, const ProcessTable& process_table, std::span<const ProcessWaits> job) {
  std::vector<std::pair<double, std::string>> found;
  for (const auto& [key, group] : grouped(job)) {
    const auto& [what, whom] = key;
    const std::string for_whom =
        whom.empty() ? ""
                     : fmt::format(" for {}", names(process_table, {whom.begin(), whom.end()}));
    found.emplace_back(group.seconds,
                       fmt::format("{}: {:.1f} s{}: {}", names(process_table, group.who),
                                   group.seconds, for_whom, what));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [seconds, line] : found) lines.add(line);
}

void add_others(Lines& lines, const ProcessTable& process_table,
                std::span<const ProcessWaits> job) {
  std::set<Actor> silent;
  std::set<Actor> idle;
  std::set<Actor> without_work;
  for (std::size_t p = 0; p < job.size(); ++p) {
    std::set<Actor> actors = actors_of(process_table, p);
    if (job[p].is_gone) {
      const std::string place = process_table.place(process_table.processes[p]);
      lines.add(fmt::format("{}: gone: process {}{} was killed, or has ended without a word",
                            names(process_table, actors), p,
                            place.empty() ? "" : fmt::format(" ({})", place)));
      continue;
    }
    if (!job[p].has_answered) {
      silent.merge(actors);
      continue;
    }
    for (const Wait& wait : job[p].waits) {
      Actor whole = wait.who;
      whole.context = -1;
      actors.erase(whole);
    }
    for (const Actor& actor : actors) {
      (actor.kind == Actor::Kind::server ? without_work : idle).insert(actor);
    }
  }
  if (!idle.empty()) lines.add(fmt::format("{}: not waiting in EPIOS", names(process_table, idle)));
  if (!without_work.empty()) {
    lines.add(fmt::format("{}: nothing to do", names(process_table, without_work)));
  }
  if (!silent.empty()) {
    lines.add(fmt::format("{}: no answer: busy, or waiting outside of EPIOS, or stopped",
                          names(process_table, silent)));
  }
}

std::string circle_text(const ProcessTable& process_table, const std::vector<Wait>& circle) {
  std::string out =
      "epios: waiting: a circle, which nobody can leave: " + process_table.name(circle.front().who);
  for (std::size_t i = 0; i < circle.size(); ++i) {
    out += fmt::format("{} waits for {}", i > 0 ? ", which" : "",
                       process_table.name(circle[(i + 1) % circle.size()].who));
  }
  const bool is_coupled = std::any_of(circle.begin(), circle.end(), [](const Wait& wait) {
    return wait.what.find(" to send field '") != std::string::npos;
  });
  return out + (is_coupled ? " again. Does every model send what others want before it receives?\n"
                           : " again. Do all clients make their calls, of all contexts, in one "
                             "order?\n");
}

}  // namespace

std::string ProcessTable::name(const Actor& actor) const {
  const std::string of =
      actor.component < 0
          ? std::string()
          : fmt::format(" of '{}'", components[static_cast<std::size_t>(actor.component)]);
  return fmt::format("{} {}{}", actor.kind == Actor::Kind::client ? "client" : "server", actor.rank,
                     of);
}

std::string ProcessTable::place(const Process& process) const {
  if (process.pid == 0 || process.node < 0) return {};
  return fmt::format("PID {} on node '{}'", process.pid,
                     nodes[static_cast<std::size_t>(process.node)]);
}

std::string ProcessTable::names(const std::vector<Actor>& actors) const {
  return io::names(*this, {actors.begin(), actors.end()});
}

std::vector<std::byte> encode(const ProcessWaits& waits) { return config::encode_fields(waits); }

ProcessWaits decode_waits(std::span<const std::byte> bytes) {
  ProcessWaits out;
  config::decode_fields(bytes, "what a process waits for", out);
  out.has_answered = true;
  return out;
}

/// Who waits for several, in one wait or in more, waits for all of them, so that any way that comes
/// back is a circle.
std::vector<Wait> circle_of(std::span<const ProcessWaits> job) {
  struct For {
    Actor whom;
    const Wait* wait = nullptr;
  };
  std::map<Actor, std::vector<For>> waits;
  for (const ProcessWaits& process : job) {
    for (const Wait& wait : process.waits) {
      std::vector<For>& of = waits[wait.who];
      for (const Actor& whom : wait.whom) of.push_back({whom, &wait});
    }
  }
  struct Step {
    Actor who;
    const std::vector<For>* whom = nullptr;
    std::size_t next = 0;  // of whom
  };
  std::set<Actor> done;
  for (const auto& [actor, start] : waits) {
    if (done.contains(actor)) continue;
    std::vector<Step> way{{actor, &start}};
    while (!way.empty()) {
      Step& step = way.back();
      if (step.next == step.whom->size()) {
        done.insert(step.who);
        way.pop_back();
        continue;
      }
      const Actor& next = (*step.whom)[step.next++].whom;
      const auto again =
          std::find_if(way.begin(), way.end(), [&](const Step& s) { return s.who == next; });
      if (again != way.end()) {
        std::vector<Wait> out;
        for (auto s = again; s != way.end(); ++s) out.push_back(*(*s->whom)[s->next - 1].wait);
        // Whoever finds it: beginning with a client.
        const auto first = std::min_element(
            out.begin(), out.end(), [](const Wait& a, const Wait& b) { return a.who < b.who; });
        std::rotate(out.begin(), first, out.end());
        return out;
      }
      if (const auto of = waits.find(next); of != waits.end() && !done.contains(next)) {
        way.push_back({next, &of->second});
      }
    }
  }
  return {};
}

std::string waits_text(const ProcessTable& process_table, std::span<const ProcessWaits> job,
                       const std::string& why) {
  std::string out = fmt::format("epios: waiting: {}; who waits for whom in this job:\n", why);
  Lines lines;
  add_waits(lines, process_table, job);
  add_others(lines, process_table, job);
  out += lines.text();
  const std::vector<Wait> circle = circle_of(job);
  if (!circle.empty()) out += circle_text(process_table, circle);
  return out;
}

}  // namespace epios::io
