// Works out what two contexts exchange. facts_of() describes one side; compare_fields() pairs the
// fields of both by id and compares grids, calendars and dates, from which the shift between record
// numbers follows.
#include "config/coupled_contexts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "config/data_graph.hpp"
#include "config/error.hpp"
#include "config/fed_schedules.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "config/spatial.hpp"
#include "config/suggestion.hpp"
#include "config/temporal.hpp"

namespace epios::config {
namespace {

Instant start_of_run(const Model& model) {
  return model.calendar().at_step(model.start_date, model.steps_before);
}

/// The first record that is not over as the run begins.
std::int64_t first_received(const Model& model, const CoupledField& field) {
  if (field.sampling.operation == Operation::once) return 0;
  // Data of the start itself are this run's, unless there was one before.
  const Instant start = start_of_run(model);
  const std::int64_t ms = model.steps_before == 0 ? start.ms - 1 : start.ms;
  return receiving_dates(model, field).latest({ms}) + 1;
}

/// The first record that is not over as the run begins.
std::int64_t first_sent(const Model& model, const Schedule& schedule) {
  if (schedule.operation() == Operation::once) return 0;
  if (model.steps_before == 0) return schedule.before_start().records;
  return schedule.records_within(model.steps_before);
}

/// Extents, slowest first; none: nobody knows how many there are.
std::vector<std::int64_t> shape_of(const Model& model, const GridElement& element) {
  if (element.kind == GridElement::Kind::axis) {
    return {model.axes[element.axis()].attributes.n_glo.value_or(0)};
  }
  const DomainAttributes& domain = model.domains[element.domain()].attributes;
  if (!domain.type) return {};
  const std::int64_t ni = domain.ni_glo.value_or(0);
  if (is_row_of_cells(*domain.type)) {
    return {ni * std::max<std::int64_t>(1, domain.nj_glo.value_or(1))};
  }
  return {domain.nj_glo.value_or(0), ni};
}

/// "" of cells that are not of HEALPix.
std::string order_of(const Model& model, const GridElement& element) {
  if (element.kind != GridElement::Kind::domain) return {};
  const DomainAttributes& domain = model.domains[element.domain()].attributes;
  return domain.type == "healpix" ? domain.order.value_or("nested") : "";
}

/// All but the first record.
CoupledFieldFacts facts_of_field(const Model& model, const CoupledField& field,
                                 const CoupledContext& of) {
  CoupledFieldFacts out;
  out.id = field.id;
  out.where = field.where;
  out.period = of.knows_step ? model.calendar().normal(field.sampling.output_freq) : Duration();
  out.period_text = field.sampling.output_freq.text();
  out.is_once = field.sampling.operation == Operation::once;
  if (field.grid < 0) return out;
  const Grid& grid = model.grids[field.grid];
  out.grid = grid.id;
  for (const GridElement& element : grid.elements) {
    if (element.kind == GridElement::Kind::scalar) continue;
    out.shapes.push_back(shape_of(model, element));
    out.orders.push_back(order_of(model, element));
  }
  return out;
}

std::string shape_text(const CoupledFieldFacts& field) {
  if (field.shapes.empty()) return "one value";
  std::vector<std::string> parts;
  for (const auto& shape : field.shapes) {
    std::vector<std::string> sides;
    for (std::size_t s = shape.size(); s-- > 0;) {
      sides.push_back(shape[s] == 0 ? std::string("?") : fmt::format("{}", shape[s]));
    }
    parts.push_back(sides.empty() ? std::string("?") : fmt::format("{}", fmt::join(sides, " x ")));
  }
  return fmt::format("{} points", fmt::join(parts, " x "));
}

bool may_be_equal(std::span<const std::int64_t> a, std::span<const std::int64_t> b) {
  if (a.empty() || b.empty()) return true;
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(),
      [](std::int64_t one, std::int64_t other) { return one == other || one == 0 || other == 0; });
}

/// Compares shapes as far as they are known.
bool may_have_one_shape(const CoupledFieldFacts& a, const CoupledFieldFacts& b) {
  if (a.grid.empty() || b.grid.empty()) return true;
  return std::equal(a.shapes.begin(), a.shapes.end(), b.shapes.begin(), b.shapes.end(),
                    [](const auto& one, const auto& other) { return may_be_equal(one, other); });
}

/// Returns the orders of cells that differ, those of `a` and `b`: points are paired by their
/// numbers.
std::optional<std::pair<std::string, std::string>> different_orders(const CoupledFieldFacts& a,
                                                                    const CoupledFieldFacts& b) {
  for (std::size_t e = 0; e < std::min(a.orders.size(), b.orders.size()); ++e) {
    if (a.orders[e].empty() || b.orders[e].empty() || a.orders[e] == b.orders[e]) continue;
    return std::pair(a.orders[e], b.orders[e]);
  }
  return std::nullopt;
}

/// Whether periods counted from both dates go on ending at the same dates: of months that are
/// counted from the ends of longer and of shorter ones they need not.
bool go_on_alike(const Calendar& calendar, Instant from, std::int64_t periods, Instant to,
                 const Duration& period) {
  constexpr int enough = 12;  // months of a year, years from one leap year to the next
  for (int n = 1; n <= enough; ++n) {
    const Instant there = calendar.add(from, period * static_cast<double>(periods + n));
    if (calendar.add(to, period * n) != there) return false;
  }
  return true;
}

/// How many periods after `from` `to` is; none: no whole number of them.
std::optional<std::int64_t> periods_between(const Calendar& calendar, Instant from, Instant to,
                                            const Duration& period) {
  if (to < from) {
    const auto back = periods_between(calendar, to, from, period);
    return back ? std::optional(-*back) : std::nullopt;
  }
  const double length = seconds_between(from, calendar.add(from, period));
  const auto guess = std::llround(seconds_between(from, to) / length);
  const std::int64_t reach = 2 + guess / 50;  // months have no fixed length
  for (std::int64_t n = std::max<std::int64_t>(0, guess - reach); n <= guess + reach; ++n) {
    if (calendar.add(from, period * static_cast<double>(n)) != to) continue;
    return go_on_alike(calendar, from, n, to, period) ? std::optional(n) : std::nullopt;
  }
  return std::nullopt;
}

/// Without leap years it does not matter from which year they are counted.
UserCalendar years_of(UserCalendar calendar) {
  if (calendar.leap_month == 0) calendar.origin_year = 0;
  return calendar;
}

/// Pairs fields of two contexts, collecting what is wrong.
class Pairer {
 public:
  Pairer(const CoupledContext& from, const CoupledContext& to)
      : from_(from), to_(to), calendar_(from.calendar_type, {}, from.user_calendar) {}

  Pairing pair() {
    if (!to_.received.empty() && are_calendars_equal()) {
      for (std::size_t r = 0; r < to_.received.size(); ++r) pair_field(r);
    }
    if (out_.problems.empty()) remark_unreceived();
    return std::move(out_);
  }

 private:
  bool are_calendars_equal() {
    const bool are_equal = from_.calendar_type == to_.calendar_type &&
                           (from_.calendar_type != CalendarType::user_defined ||
                            years_of(from_.user_calendar) == years_of(to_.user_calendar));
    if (are_equal) return true;
    out_.problems.push_back({{},
                             "their calendars differ",
                             fmt::format("'{}' and '{}': their dates never meet",
                                         cf_name(from_.calendar_type), cf_name(to_.calendar_type)),
                             "Give both contexts one calendar type?"});
    return false;
  }

  void complain(const CoupledFieldFacts& wanted, std::string problem, std::string suggestion) {
    out_.problems.push_back({wanted.where, std::move(problem), {}, std::move(suggestion)});
  }

  void pair_field(std::size_t index) {
    const CoupledFieldFacts& wanted = to_.received[index];
    const auto found = std::lower_bound(
        from_.sent.begin(), from_.sent.end(), wanted.id,
        [](const CoupledFieldFacts& field, const std::string& id) { return field.id < id; });
    if (found == from_.sent.end() || found->id != wanted.id) return complain_of_nobody(wanted);
    const CoupledFieldFacts& sent = *found;
    if (!may_have_one_shape(sent, wanted)) {
      return complain(
          wanted,
          fmt::format("field '{}' is sent on grid '{}' with {} ({}), and received on grid '{}' "
                      "with {} ({})",
                      wanted.id, sent.grid, shape_text(sent), sent.where, wanted.grid,
                      shape_text(wanted), wanted.where),
          "Receive it on a grid of that size, and interpolate from there?");
    }
    if (const auto orders = different_orders(sent, wanted)) {
      return complain(
          wanted,
          fmt::format("field '{}' is sent with the cells of HEALPix in order {} ({}), and received "
                      "in order {} ({})",
                      wanted.id, orders->first, sent.where, orders->second, wanted.where),
          "Give both domains one order?");
    }
    if (sent.is_once != wanted.is_once) {
      const auto how = [](const CoupledFieldFacts& field) {
        return field.is_once ? std::string("once") : "every " + field.period_text;
      };
      return complain(wanted,
                      fmt::format("field '{}' is sent {} ({}), and received {} ({})", wanted.id,
                                  how(sent), sent.where, how(wanted), wanted.where),
                      "Give both operation=\"once\"?");
    }
    const int number = static_cast<int>(found - from_.sent.begin());
    if (sent.is_once || !from_.knows_step || !to_.knows_step) {
      out_.pairs.push_back({number, static_cast<int>(index), 0, 0});
      return;
    }
    pair_dates(number, static_cast<int>(index));
  }

  void pair_dates(int number, int index) {
    const CoupledFieldFacts& sent = nth(from_.sent, number);
    const CoupledFieldFacts& wanted = nth(to_.received, index);
    if (sent.period != wanted.period) {
      return complain(
          wanted,
          fmt::format("field '{}' is sent every {} ({}), and received every {} ({}): "
                      "their dates never meet",
                      wanted.id, sent.period_text, sent.where, wanted.period_text, wanted.where),
          "Give both one freq_op?");
    }
    if (!from_.knows_start || !to_.knows_start) {
      out_.pairs.push_back({number, index, 0, 0});
      return;
    }
    const auto shift = periods_between(calendar_, from_.start, to_.start, sent.period);
    if (!shift) {
      return complain(
          wanted,
          fmt::format("field '{}' is exchanged every {}, but one run begins at {} ({}), "
                      "the other one at {} ({}): their dates never meet",
                      wanted.id, sent.period_text, calendar_.text(from_.start), sent.where,
                      calendar_.text(to_.start), wanted.where),
          "Begin both a whole number of periods apart?");
    }
    const std::int64_t first = wanted.first + *shift;
    if (first < sent.first) {
      return complain(
          wanted,
          fmt::format("field '{}' is wanted from the period that begins at {} on ({}), and sent "
                      "from that at {} on ({})",
                      wanted.id, period_text(sent.period, first), wanted.where,
                      period_text(sent.period, sent.first), sent.where),
          "Begin both runs at one date?");
    }
    out_.pairs.push_back({number, index, *shift, first});
  }

  std::string period_text(const Duration& period, std::int64_t record) const {
    if (record < 0) return "an earlier date";
    return calendar_.text(calendar_.add(from_.start, period * static_cast<double>(record)));
  }

  void complain_of_nobody(const CoupledFieldFacts& wanted) {
    CouplingProblem out;
    out.where = wanted.where;
    out.problem = fmt::format("field '{}' ({}) is sent by nobody", wanted.id, wanted.where);
    if (from_.sent.empty()) {
      out.why = fmt::format("context '{}' of '{}' has no coupler_out with context=\"{}\"",
                            from_.context, from_.code, to_.name());
      out.suggestion = "Add one there?";
    } else {
      std::vector<std::string_view> ids;
      for (const CoupledFieldFacts& field : from_.sent) ids.push_back(field.id);
      out.why = fmt::format("the coupler_out of '{}' has {}", from_.name(), fmt::join(ids, ", "));
      out.suggestion = did_you_mean(wanted.id, ids);
      if (out.suggestion.empty()) out.suggestion = "Give the field that is sent the same id?";
    }
    out_.problems.push_back(std::move(out));
  }

  void remark_unreceived() {
    for (const CoupledFieldFacts& field : from_.sent) {
      const bool is_received =
          std::any_of(to_.received.begin(), to_.received.end(),
                      [&](const CoupledFieldFacts& wanted) { return wanted.id == field.id; });
      if (is_received) continue;
      out_.remarks.push_back(
          {field.where,
           fmt::format("field '{}' is for '{}', which receives no field of that id from '{}': it "
                       "is not sent",
                       field.id, to_.name(), from_.name()),
           {},
           "Add it to a coupler_in there?"});
    }
  }

  const CoupledContext& from_;
  const CoupledContext& to_;
  Calendar calendar_;
  Pairing out_;
};

}  // namespace

std::vector<CouplerField> coupler_fields(const Model& model, ElementKind kind,
                                         const std::string& partner_code,
                                         const std::string& partner_context) {
  std::vector<CouplerField> out;
  for (const CouplerId c : model.couplers.ids()) {
    const Coupler& coupler = model.couplers[c];
    const bool is_wanted = coupler.kind == kind && coupler.partner_code == partner_code &&
                           coupler.partner_context == partner_context;
    for (std::size_t f = 0; is_wanted && f < coupler.fields.size(); ++f) {
      out.push_back({c, static_cast<int>(f)});
    }
  }
  std::stable_sort(out.begin(), out.end(), [&](const CouplerField& a, const CouplerField& b) {
    return field_of(model, a).id < field_of(model, b).id;
  });
  return out;
}

CoupledContext facts_of(const Model& model, const std::string& code,
                        const std::string& partner_code, const std::string& partner_context,
                        bool knows_start) {
  CoupledContext out;
  out.code = code;
  out.context = model.context_id;
  out.calendar_type = model.calendar_type;
  out.user_calendar = model.user_calendar;
  out.start = model.start_date;
  out.knows_step = !model.timestep.is_zero();
  out.knows_start = out.knows_step && knows_start;
  const auto received =
      coupler_fields(model, ElementKind::coupler_in, partner_code, partner_context);
  for (const CouplerField& of : received) {
    const CoupledField& field = field_of(model, of);
    CoupledFieldFacts& facts = out.received.emplace_back(facts_of_field(model, field, out));
    if (out.knows_start) facts.first = first_received(model, field);
  }
  const auto sent = coupler_fields(model, ElementKind::coupler_out, partner_code, partner_context);
  std::vector<Schedule> schedules;
  if (out.knows_start && !sent.empty()) schedules = fed_schedules_of_sent(model);
  const auto all_sent = coupled_fields(model, ElementKind::coupler_out);
  for (const CouplerField& of : sent) {
    const CoupledField& field = field_of(model, of);
    CoupledFieldFacts& facts = out.sent.emplace_back(facts_of_field(model, field, out));
    if (!out.knows_start) continue;
    const auto number = std::find(all_sent.begin(), all_sent.end(), &field) - all_sent.begin();
    facts.first = first_sent(model, nth(schedules, number));
  }
  return out;
}

const CoupledField& field_of(const Model& model, const CouplerField& field) {
  return nth(model.couplers[field.coupler].fields, field.field);
}

ReadSchedule receiving_dates(const Model& model, const CoupledField& field) {
  const Reading reading{field.sampling.operation == Operation::once, field.sampling.output_freq,
                        field.sampling.freq_offset + model.timestep};
  return {model.calendar(), model.start_date, reading};
}

std::string CouplingProblem::text() const {
  return fmt::format("{}{}. {}", problem, why.empty() ? "" : fmt::format(" ({})", why), suggestion);
}

Pairing compare_fields(const CoupledContext& from, const CoupledContext& to) {
  return Pairer(from, to).pair();
}

Pairing pair_fields(const CoupledContext& from, const CoupledContext& to) {
  Pairing out = compare_fields(from, to);
  if (out.problems.empty()) return out;
  std::vector<std::string> texts;
  for (const CouplingProblem& problem : out.problems) texts.push_back(problem.text());
  throw Error(ErrorCode::configuration, fmt::format("coupling of '{}' to '{}': {}", from.name(),
                                                    to.name(), fmt::join(texts, "\n")));
}

}  // namespace epios::config
