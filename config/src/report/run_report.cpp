// Sums over the figures of a run report, and the merging of contexts and servers that several
// clients or openings report.
#include "config/run_report.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "report/report_words.hpp"

namespace epios::config {

namespace {

double sum(const std::vector<double>& list) {
  return std::accumulate(list.begin(), list.end(), 0.0);
}

template <class Items, class Figure>
std::int64_t total(const Items& items, const Figure& figure) {
  std::int64_t sum = 0;
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  for (const auto& item : items) {
    const std::int64_t more = figure(item);
    sum = sum > most - more ? most : sum + more;  // anybody may have written the file
  }
  return sum;
}

/// Sums add up; so does, at worst, what the client with most of each has.
void add(Spread& to, const Spread& more) {
  to.sum += more.sum;
  to.most += more.most;
}

void add(FieldCost& to, const FieldCost& more) {
  to.records_sent += more.records_sent;
  to.records_written += more.records_written;
  to.records_lost += more.records_lost;
  to.values_infinite += more.values_infinite;
  to.bytes_sent += more.bytes_sent;
  to.waits += more.waits;
  add(to.blocked_s, more.blocked_s);
  to.packing_s += more.packing_s;
}

void add(FileCost& to, FileCost& more) {
  to.parts += more.parts;
  to.bytes += more.bytes;
  to.writing_s += more.writing_s;
  to.records_missing += more.records_missing;
  to.records_short += more.records_short;
  if (to.unsent.empty()) to.unsent = std::move(more.unsent);
  if (to.error.empty()) to.error = std::move(more.error);
  for (FieldCost& field : more.fields) {
    const auto known = std::find_if(to.fields.begin(), to.fields.end(),
                                    [&](const auto& other) { return other.name == field.name; });
    if (known != to.fields.end()) {
      add(*known, field);
    } else {
      to.fields.push_back(std::move(field));
    }
  }
}

bool is_same(const FileCost& a, const FileCost& b) {
  return a.id == b.id && (!a.id.empty() || a.path == b.path);
}

}  // namespace

// Before the first context is open there may be something to do, too.
double ServerCost::busy_share() const { return std::min(1.0, share_of(busy_s, open_s)); }
double ServerCost::writing_share() const { return std::min(1.0, share_of(writing_s, open_s)); }

std::int64_t FileCost::records_sent() const {
  return total(fields, [](const FieldCost& field) { return field.records_sent; });
}
std::int64_t FileCost::records_written() const {
  return total(fields, [](const FieldCost& field) { return field.records_written; });
}
std::int64_t FileCost::records_lost() const {
  return total(fields, [](const FieldCost& field) { return field.records_lost; });
}
std::int64_t FileCost::bytes_sent() const {
  return total(fields, [](const FieldCost& field) { return field.bytes_sent; });
}
Spread FileCost::blocked_s() const {
  Spread out;
  for (const FieldCost& field : fields) add(out, field.blocked_s);
  return out;
}

std::int64_t RunReport::files() const {
  return total(contexts, [](const ContextCost& context) {
    return total(context.files, [](const FileCost& file) { return file.parts; });
  });
}
std::int64_t RunReport::records_sent() const {
  return total(contexts, [](const ContextCost& context) {
    return total(context.files, [](const FileCost& file) { return file.records_sent(); });
  });
}
std::int64_t RunReport::records_written() const {
  return total(contexts, [](const ContextCost& context) {
    return total(context.files, [](const FileCost& file) { return file.records_written(); });
  });
}
std::int64_t RunReport::records_lost() const {
  return total(contexts, [](const ContextCost& context) {
    return total(context.files, [](const FileCost& file) { return file.records_lost(); });
  });
}

double RunReport::per_client(const Spread& figure) const {
  return figure.sum / static_cast<double>(std::max<std::int64_t>(clients, 1));
}

double RunReport::filters_s() const {
  return std::max(0.0, in_library_s.sum - blocked_s.sum - packing_s.sum - waited_s.sum -
                           coupled_s.sum - exchanged_s.sum);
}

const FileCost* slowest_file(const RunReport& report) {
  const FileCost* slowest = nullptr;
  for (const ContextCost& context : report.contexts) {
    for (const FileCost& file : context.files) {
      if (file.parts == 0) continue;  // never begun
      if (slowest == nullptr || file.writing_s > slowest->writing_s) slowest = &file;
    }
  }
  return slowest;
}

double SlowestStep::seconds() const {
  double out = 0;
  for (const Span& span : spans) out = std::max(out, span.begin_s + span.seconds);
  return out;
}

void add(std::vector<ContextCost>& contexts, ContextCost ended) {
  const auto known = std::find_if(contexts.begin(), contexts.end(),
                                  [&](const auto& other) { return other.id == ended.id; });
  if (known == contexts.end()) return contexts.push_back(std::move(ended));
  known->times_opened += ended.times_opened;
  known->clients = std::max(known->clients, ended.clients);
  if (!ended.stopped.empty()) known->stopped = std::move(ended.stopped);
  if (sum(ended.blocked.seconds) > sum(known->blocked.seconds)) {
    known->blocked = std::move(ended.blocked);
  }
  if (ended.slowest_step.seconds() > known->slowest_step.seconds()) {
    known->slowest_step = std::move(ended.slowest_step);
  }
  // Later openings have the same files, in the same order.
  std::size_t likely = 0;
  for (FileCost& file : ended.files) {
    auto same = known->files.begin() + static_cast<std::ptrdiff_t>(likely);
    if (same == known->files.end() || !is_same(*same, file)) {
      same = std::find_if(known->files.begin(), known->files.end(),
                          [&](const auto& other) { return is_same(other, file); });
    }
    likely =
        same == known->files.end() ? 0 : static_cast<std::size_t>(same - known->files.begin()) + 1;
    if (same != known->files.end()) {
      add(*same, file);
    } else {
      known->files.push_back(std::move(file));
    }
  }
}

void add(std::vector<ServerCost>& servers, const ServerCost& later) {
  const auto place =
      std::lower_bound(servers.begin(), servers.end(), later.rank,
                       [](const ServerCost& server, int rank) { return server.rank < rank; });
  if (place == servers.end() || place->rank != later.rank) {
    servers.insert(place, later);
  } else if (place->open_s < later.open_s) {
    *place = later;
  }
}

}  // namespace epios::config
