// What data would bring about, before they come.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "workflow_state.hpp"

namespace epios::io {

namespace {

constexpr int nobody = -1;  ///< no leaf

}  // namespace

bool Workflow::Impl::is_complete(const Root& root, config::Instant date) const {
  return std::all_of(root.leaves.begin(), root.leaves.end(), [&](int index) {
    const Leaf& leaf = leaves_[at(index)];
    return leaf.is_there && leaf.date == date;
  });
}

/// Whether all leaves `but` one have data of that date, or may still get them.
bool Workflow::Impl::may_complete(int root, config::Instant date, int but) const {
  ++question_;
  return may_complete_anew(root, date, but);
}

bool Workflow::Impl::may_complete_anew(int index, config::Instant date, int but) const {
  Answer& answer = answers_[at(index)];
  if (answer.question == question_) return answer.is_yes;
  const std::vector<int>& leaves = roots_[at(index)].leaves;
  const bool is_yes = std::all_of(leaves.begin(), leaves.end(), [&](int l) {
    const Leaf& leaf = leaves_[at(l)];
    if (l == but || (leaf.is_there && leaf.date == date) || leaf.coming == date) return true;
    if (leaf.is_read && leaf.expected != date && date <= asked_) return false;
    if (leaf.spatial >= 0) {
      const int before = spatials_[at(leaf.spatial)].inputs.front().root;
      return roots_[at(before)].done != date &&
             spatials_[at(leaf.spatial)].filter->would_deliver(date) &&
             may_complete_anew(before, date, but);
    }
    if (leaf.filter < 0) return leaf.date < date || !leaf.is_there;
    const int before = root_of_filter_[at(leaf.filter)];
    return roots_[at(before)].done != date && filters_[at(leaf.filter)].would_leave(date) &&
           may_complete_anew(before, date, but);
  });
  answer = {question_, is_yes};
  return is_yes;
}

/// What follows are questions about data of that date, with everything as it is now.
void Workflow::Impl::ask(config::Instant date) const {
  ++use_question_;
  asked_ = date;
}

/// Whether data dated so make something of a filter that somebody takes: itself a record, or what
/// other filters make something of in turn.
bool Workflow::Impl::is_of_use(int index, config::Instant date) const {
  const Filter& filter = filters_[at(index)];
  if (!filter.wants(date)) return false;
  if (!filter.streams.empty() || filter.has_to_know()) return true;
  if (filter.leaf < 0) return false;
  Use& use = uses_[at(index)];
  if (use.question == use_question_ && use.date == date) return use.is_yes;
  const Filter::ResultDates dates = filter.result_dates_of(date);
  const config::Instant result = dates.own;
  // Without data at its own date the result will be late, and meet no others.
  const bool is_in_time =
      result == date || may_complete(root_of_filter_[at(index)], result, nobody);
  const std::vector<int>& takers = leaves_[at(filter.leaf)].roots;
  const bool is_yes = std::any_of(takers.begin(), takers.end(), [&](int r) {
    const Root& root = roots_[at(r)];
    if (dates.late && root.leaves.size() == 1 && is_wanted(root, *dates.late)) return true;
    return root.done != result && is_wanted(root, result) &&
           (is_in_time ? may_complete(r, result, filter.leaf) : root.leaves.size() == 1);
  });
  use = {use_question_, date, is_yes};
  return is_yes;
}

/// Whether somebody takes what a spatial filter makes of data of that date.
bool Workflow::Impl::is_taken_on(int index, config::Instant date) const {
  const Spatial& spatial = spatials_[at(index)];
  if (spatial.filter->takes_all() || !spatial.filter->would_deliver(date)) return true;
  Use& use = uses_[filters_.size() + at(index)];
  if (use.question == use_question_ && use.date == date) return use.is_yes;
  const std::vector<int>& takers = leaves_[at(spatial.leaf)].roots;
  const bool is_yes = std::any_of(takers.begin(), takers.end(), [&](int r) {
    const Root& root = roots_[at(r)];
    return root.done != date && is_wanted(root, date) && may_complete(r, date, spatial.leaf);
  });
  use = {use_question_, date, is_yes};
  return is_yes;
}

bool Workflow::Impl::is_wanted(const Root& root, config::Instant date) const {
  return std::any_of(root.filters.begin(), root.filters.end(),
                     [&](int filter) { return is_of_use(filter, date); }) ||
         std::any_of(root.spatials.begin(), root.spatials.end(),
                     [&](int spatial) { return is_taken_on(spatial, date); });
}

bool Workflow::Impl::is_awaited(int index, config::Instant date) const {
  const Leaf& leaf = leaves_[at(index)];
  return std::any_of(leaf.roots.begin(), leaf.roots.end(), [&](int r) {
    const Root& root = roots_[at(r)];
    return root.done != date && is_wanted(root, date) && may_complete(r, date, index);
  });
}

bool Workflow::Impl::is_active(int source, config::Instant now) const {
  if (sources_[at(source)].last_used == now) return false;
  ask(now);
  return is_awaited(source, now);
}

bool Workflow::Impl::may_want(int source, config::Instant date) const {
  const Leaf& leaf = leaves_[at(source)];
  // What others read will have at a date to come, nobody knows: none is known to be absent.
  ask({std::numeric_limits<std::int64_t>::min()});
  return std::any_of(leaf.roots.begin(), leaf.roots.end(),
                     [&](int root) { return is_wanted(roots_[at(root)], date); });
}

OpenRecords Workflow::Impl::open_records(int stream) const {
  looks_.begin();
  const int filter = filter_of_stream_[at(stream)];
  OpenRecords out;
  out.from = filters_[at(filter)].first_due(now_);
  if (waiting_.waits(stream)) out.single.push_back(waiting_.held(stream));
  std::vector<config::Instant> dates;
  add_under_way(filter, dates);
  for (const config::Instant date : dates) {
    out.single.push_back(filters_[at(filter)].first_due(date));
  }
  return out;
}

/// The dates of data that are on their way to a filter, or in it.
void Workflow::Impl::add_under_way(int index, std::vector<config::Instant>& dates) const {
  if (!looks_.is_first(index)) return;
  if (const auto own = filters_[at(index)].date_under_way()) dates.push_back(*own);
  add_before(root_of_filter_[at(index)], dates);
}

void Workflow::Impl::add_before(int index, std::vector<config::Instant>& dates) const {
  for (const int l : roots_[at(index)].leaves) {
    const Leaf& leaf = leaves_[at(l)];
    if (leaf.filter >= 0) add_under_way(leaf.filter, dates);
    if (leaf.spatial < 0) continue;
    const Spatial& spatial = spatials_[at(leaf.spatial)];
    if (spatial.is_coming) dates.push_back(spatial.taken.date);
    add_before(spatial.inputs.front().root, dates);
  }
}

std::optional<Workflow::SoleRecord> Workflow::Impl::sole_record(int source,
                                                                config::Instant now) const {
  const Leaf& leaf = leaves_[at(source)];
  if (leaf.marker) return std::nullopt;  // missing values are marked on the way
  std::optional<SoleRecord> out;
  ask(now);
  for (const int r : leaf.roots) {
    const Root& root = roots_[at(r)];
    if (std::any_of(root.spatials.begin(), root.spatials.end(),
                    [&](int spatial) { return is_taken_on(spatial, now); })) {
      return std::nullopt;
    }
    for (const int f : root.filters) {
      const Filter& filter = filters_[at(f)];
      if (!is_of_use(f, now)) continue;
      const std::optional<std::int64_t> record = filter.sole_record(now);
      if (out || !root.is_source || !record || filter.streams.size() != 1 ||
          filter.streams.front() >= static_cast<int>(streams_)) {
        return std::nullopt;
      }
      out = SoleRecord{filter.streams.front(), *record};
    }
  }
  return out;
}

}  // namespace epios::io
