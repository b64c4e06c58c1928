// Looks along the graph from data that may come to those who would take something of them: whether
// a sum can get all its operands, whether a filter's result has a taker, which records are open.
// First the questions of a send, then those that Workflow passes on.
#include "outlook.hpp"

#include <algorithm>
#include <limits>

#include "config/index.hpp"

namespace epios::io {

namespace {

constexpr int nobody = -1;  ///< no leaf

}  // namespace

Outlook::Outlook(const WorkflowGraph& graph, const WaitingRecords& waiting)
    : graph_(graph),
      waiting_(waiting),
      answers_(graph.roots.size()),
      uses_(graph.filters.size() + graph.spatials.size()),
      looks_(graph.filters.size()) {}

bool Outlook::is_complete(const Root& root, config::Instant date) const {
  return std::all_of(root.leaves.begin(), root.leaves.end(),
                     [&](int leaf) { return graph_.leaf(leaf).has_data_of(date); });
}

/// Returns true if all leaves `but` one have data of that date, or may still get them.
bool Outlook::may_complete(int root, config::Instant date, int but) {
  ++question_;
  return may_complete_anew(root, date, but);
}

bool Outlook::may_complete_anew(int index, config::Instant date, int but) {
  Answer& answer = nth(answers_, index);
  if (answer.question == question_) return answer.is_yes;
  const std::vector<int>& leaves = graph_.root(index).leaves;
  const bool is_yes = std::all_of(leaves.begin(), leaves.end(), [&](int leaf) {
    return leaf == but || may_come(graph_.leaf(leaf), date, but);
  });
  answer = {question_, is_yes};
  return is_yes;
}

bool Outlook::may_come(const Leaf& leaf, config::Instant date, int but) {
  if (leaf.has_data_of(date) || leaf.coming == date) return true;
  if (leaf.is_read && leaf.expected != date && date <= asked_) return false;
  if (leaf.spatial >= 0) {
    const Spatial& spatial = graph_.spatial(leaf.spatial);
    const int before = spatial.inputs.front().root;
    return graph_.root(before).done != date && spatial.filter->would_deliver(date) &&
           may_complete_anew(before, date, but);
  }
  if (leaf.filter < 0) return leaf.date < date || !leaf.is_there;
  const int before = graph_.root_of_filter(leaf.filter);
  return graph_.root(before).done != date && graph_.filter(leaf.filter).would_leave(date) &&
         may_complete_anew(before, date, but);
}

void Outlook::ask(config::Instant date) {
  ++use_question_;
  asked_ = date;
}

bool Outlook::is_of_use(int index, config::Instant date) {
  const Filter& filter = graph_.filter(index);
  if (!filter.wants(date)) return false;
  if (!filter.streams.empty() || filter.has_to_know()) return true;
  if (filter.leaf < 0) return false;
  Use& use = nth(uses_, index);
  if (use.question == use_question_ && use.date == date) return use.is_yes;
  const Filter::ResultDates dates = filter.result_dates_of(date);
  const config::Instant result = dates.own;
  // Without data at its own date the result will be late, and meet no others.
  const bool is_in_time =
      result == date || may_complete(graph_.root_of_filter(index), result, nobody);
  const std::vector<int>& takers = graph_.leaf(filter.leaf).roots;
  const bool is_yes = std::any_of(takers.begin(), takers.end(), [&](int r) {
    const Root& root = graph_.root(r);
    if (dates.late && root.leaves.size() == 1 && is_wanted(root, *dates.late)) return true;
    return root.done != result && is_wanted(root, result) &&
           (is_in_time ? may_complete(r, result, filter.leaf) : root.leaves.size() == 1);
  });
  use = {use_question_, date, is_yes};
  return is_yes;
}

bool Outlook::is_taken_on(int index, config::Instant date) {
  const Spatial& spatial = graph_.spatial(index);
  if (spatial.filter->takes_all() || !spatial.filter->would_deliver(date)) return true;
  Use& use = uses_[graph_.filters.size() + at(index)];
  if (use.question == use_question_ && use.date == date) return use.is_yes;
  const std::vector<int>& takers = graph_.leaf(spatial.leaf).roots;
  const bool is_yes = std::any_of(takers.begin(), takers.end(), [&](int r) {
    const Root& root = graph_.root(r);
    return root.done != date && is_wanted(root, date) && may_complete(r, date, spatial.leaf);
  });
  use = {use_question_, date, is_yes};
  return is_yes;
}

bool Outlook::is_wanted(const Root& root, config::Instant date) {
  return std::any_of(root.filters.begin(), root.filters.end(),
                     [&](int filter) { return is_of_use(filter, date); }) ||
         std::any_of(root.spatials.begin(), root.spatials.end(),
                     [&](int spatial) { return is_taken_on(spatial, date); });
}

bool Outlook::is_awaited(int index, config::Instant date) {
  const Leaf& leaf = graph_.leaf(index);
  return std::any_of(leaf.roots.begin(), leaf.roots.end(), [&](int r) {
    const Root& root = graph_.root(r);
    return root.done != date && is_wanted(root, date) && may_complete(r, date, index);
  });
}

bool Outlook::may_want(int source, config::Instant date) {
  const Leaf& leaf = graph_.leaf(source);
  // It is not known what data that is read will have at a later date, so no record counts as
  // impossible.
  ask({std::numeric_limits<std::int64_t>::min()});
  return std::any_of(leaf.roots.begin(), leaf.roots.end(),
                     [&](int root) { return is_wanted(graph_.root(root), date); });
}

OpenRecords Outlook::open_records(int stream, config::Instant now) {
  looks_.begin();
  const int filter = graph_.filter_of_stream(stream);
  OpenRecords out;
  out.from = graph_.filter(filter).first_due(now);
  if (waiting_.waits(stream)) out.single.push_back(waiting_.held(stream));
  std::vector<config::Instant> dates;
  add_under_way(filter, dates);
  for (const config::Instant date : dates) {
    out.single.push_back(graph_.filter(filter).first_due(date));
  }
  return out;
}

/// The dates of data that are on their way to a filter, or in it.
void Outlook::add_under_way(int index, std::vector<config::Instant>& dates) {
  if (!looks_.is_first(index)) return;
  const std::vector<config::Instant> own = graph_.filter(index).dates_under_way();
  dates.insert(dates.end(), own.begin(), own.end());
  add_before(graph_.root_of_filter(index), dates);
}

void Outlook::add_before(int index, std::vector<config::Instant>& dates) {
  for (const int l : graph_.root(index).leaves) {
    const Leaf& leaf = graph_.leaf(l);
    if (leaf.filter >= 0) add_under_way(leaf.filter, dates);
    if (leaf.spatial < 0) continue;
    const Spatial& spatial = graph_.spatial(leaf.spatial);
    if (spatial.is_coming) dates.push_back(spatial.taken.date);
    add_before(spatial.inputs.front().root, dates);
  }
}

std::optional<Workflow::SoleRecord> Outlook::sole_record(int source, config::Instant now) {
  const Leaf& leaf = graph_.leaf(source);
  if (leaf.marker) return std::nullopt;  // missing values are marked on the way
  std::optional<Workflow::SoleRecord> out;
  ask(now);
  for (const int r : leaf.roots) {
    const Root& root = graph_.root(r);
    if (std::any_of(root.spatials.begin(), root.spatials.end(),
                    [&](int spatial) { return is_taken_on(spatial, now); })) {
      return std::nullopt;
    }
    for (const int f : root.filters) {
      const Filter& filter = graph_.filter(f);
      if (!is_of_use(f, now)) continue;
      const std::optional<std::int64_t> record = filter.sole_record(now);
      if (out || !root.is_source || !record || filter.streams.size() != 1 ||
          filter.streams.front() >= static_cast<int>(graph_.stream_count)) {
        return std::nullopt;
      }
      out = Workflow::SoleRecord{filter.streams.front(), *record};
    }
  }
  return out;
}

}  // namespace epios::io
