#include "coupling/facts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "config/bytes.hpp"
#include "config/error.hpp"
#include "config/suggestion.hpp"
#include "config/temporal.hpp"
#include "grid/part.hpp"

namespace epios::io {
namespace {

using config::ElementKind;
constexpr std::uint32_t facts_magic = 0x47435045;  // "EPCG" as bytes

config::Instant start_of_run(const config::Model& model) {
  return model.calendar().at_step(model.start_date, model.steps_before);
}

/// The first record that is not over as the run begins.
std::int64_t first_record(const config::Model& model, const config::CoupledField& field,
                          ElementKind kind) {
  if (field.sampling.operation == config::Operation::once) return 0;
  // Data of the start itself are this run's, unless there was one before.
  const config::Instant start = start_of_run(model);
  if (kind == ElementKind::coupler_in) {
    const std::int64_t ms = model.steps_before == 0 ? start.ms - 1 : start.ms;
    return receiving_dates(model, field).latest({ms}) + 1;
  }
  const config::Schedule schedule(model.calendar(), model.start_date, field.sampling);
  if (model.steps_before == 0) return schedule.before_start().records;
  return schedule.records_within(model.steps_before);
}

CoupledFieldFacts facts_of_field(const config::Model& model, const config::CoupledField& field,
                                 ElementKind kind) {
  CoupledFieldFacts out;
  out.id = field.id;
  out.where = field.where;
  out.period = model.calendar().normal(field.sampling.output_freq);
  out.period_text = field.sampling.output_freq.text();
  out.is_once = field.sampling.operation == config::Operation::once;
  out.first = first_record(model, field, kind);
  if (field.grid < 0) return out;
  const config::Grid& grid = model.grids[static_cast<std::size_t>(field.grid)];
  out.grid = grid.id;
  for (const config::GridElement& element : grid.elements) {
    if (element.kind == config::GridElement::Kind::scalar) continue;
    out.shapes.push_back(element_shape(model, element));
  }
  return out;
}

std::string shape_text(const std::vector<Extents>& shapes) {
  if (shapes.empty()) return "one value";
  std::vector<std::string> parts;
  for (const Extents& shape : shapes) {
    std::vector<std::int64_t> sides(shape.rbegin(), shape.rend());
    parts.push_back(fmt::format("{}", fmt::join(sides, " x ")));
  }
  return fmt::format("{} points", fmt::join(parts, " x "));
}

/// How many periods after `from` `to` is; none: no whole number of them.
std::optional<std::int64_t> periods_between(const config::Calendar& calendar, config::Instant from,
                                            config::Instant to, const config::Duration& period) {
  if (to < from) {
    const auto back = periods_between(calendar, to, from, period);
    return back ? std::optional(-*back) : std::nullopt;
  }
  const double length = config::seconds_between(from, calendar.add(from, period));
  const auto guess = std::llround(config::seconds_between(from, to) / length);
  const std::int64_t reach = 2 + guess / 50;  // months have no fixed length
  for (std::int64_t n = std::max<std::int64_t>(0, guess - reach); n <= guess + reach; ++n) {
    if (calendar.add(from, period * static_cast<double>(n)) == to) return n;
  }
  return std::nullopt;
}

/// Pairs fields of two contexts, collecting what is wrong.
class Pairer {
 public:
  Pairer(const CoupledContext& from, const CoupledContext& to)
      : from_(from), to_(to), calendar_(from.calendar_type, {}, from.user_calendar) {}

  Pairing pair() {
    if (to_.received.empty()) return {{}, unreceived()};
    check_calendars();
    for (std::size_t r = 0; r < to_.received.size(); ++r) pair_field(r);
    if (!problems_.empty()) {
      throw Error(ErrorCode::configuration,
                  fmt::format("coupling of '{}' to '{}': {}", from_.name(), to_.name(),
                              fmt::join(problems_, "\n")));
    }
    out_.remarks = unreceived();
    return std::move(out_);
  }

 private:
  void check_calendars() {
    const bool are_equal = from_.calendar_type == to_.calendar_type &&
                           (from_.calendar_type != config::CalendarType::user_defined ||
                            from_.user_calendar == to_.user_calendar);
    if (are_equal) return;
    throw Error(
        ErrorCode::configuration,
        fmt::format("coupling of '{}' to '{}': their calendars differ ('{}' and '{}': their "
                    "dates never meet). Give both contexts one calendar type?",
                    from_.name(), to_.name(), cf_name(from_.calendar_type),
                    cf_name(to_.calendar_type)));
  }

  void pair_field(std::size_t index) {
    const CoupledFieldFacts& wanted = to_.received[index];
    const auto found = std::lower_bound(
        from_.sent.begin(), from_.sent.end(), wanted.id,
        [](const CoupledFieldFacts& field, const std::string& id) { return field.id < id; });
    if (found == from_.sent.end() || found->id != wanted.id) return complain_of_nobody(wanted);
    const CoupledFieldFacts& sent = *found;
    if (sent.shapes != wanted.shapes) {
      problems_.push_back(fmt::format(
          "field '{}' is sent on grid '{}' with {} ({}), and received on grid '{}' with {} ({}). "
          "Receive it on a grid of that size, and interpolate from there?",
          wanted.id, sent.grid, shape_text(sent.shapes), sent.where, wanted.grid,
          shape_text(wanted.shapes), wanted.where));
      return;
    }
    if (sent.is_once != wanted.is_once) {
      const auto how = [](const CoupledFieldFacts& field) {
        return field.is_once ? std::string("once") : "every " + field.period_text;
      };
      problems_.push_back(fmt::format(
          "field '{}' is sent {} ({}), and received {} ({}). Give both operation=\"once\"?",
          wanted.id, how(sent), sent.where, how(wanted), wanted.where));
      return;
    }
    const int number = static_cast<int>(found - from_.sent.begin());
    if (sent.is_once) {
      out_.pairs.push_back({number, static_cast<int>(index), 0, 0});
      return;
    }
    if (sent.period != wanted.period) {
      problems_.push_back(fmt::format(
          "field '{}' is sent every {} ({}), and received every {} ({}): their dates never meet. "
          "Give both one freq_op?",
          wanted.id, sent.period_text, sent.where, wanted.period_text, wanted.where));
      return;
    }
    const auto shift = periods_between(calendar_, from_.start, to_.start, sent.period);
    if (!shift) {
      problems_.push_back(fmt::format(
          "field '{}' is exchanged every {}, but one run begins at {} ({}), the other one at {} "
          "({}): their dates never meet. Begin both a whole number of periods apart?",
          wanted.id, sent.period_text, calendar_.text(from_.start), sent.where,
          calendar_.text(to_.start), wanted.where));
      return;
    }
    const std::int64_t first = wanted.first + *shift;
    if (first < sent.first) {
      problems_.push_back(
          fmt::format("field '{}' is wanted from the period that begins at {} on ({}), and sent "
                      "from that at {} "
                      "on ({}). Begin both runs at one date?",
                      wanted.id, period_text(sent.period, first), wanted.where,
                      period_text(sent.period, sent.first), sent.where));
      return;
    }
    out_.pairs.push_back({number, static_cast<int>(index), *shift, first});
  }

  std::string period_text(const config::Duration& period, std::int64_t record) const {
    if (record < 0) return "an earlier date";
    return calendar_.text(calendar_.add(from_.start, period * static_cast<double>(record)));
  }

  void complain_of_nobody(const CoupledFieldFacts& wanted) {
    if (from_.sent.empty()) {
      problems_.push_back(
          fmt::format("field '{}' ({}) is sent by nobody (context '{}' of '{}' has no coupler_out "
                      "with context=\"{}\"). Add one there?",
                      wanted.id, wanted.where, from_.context, from_.code, to_.name()));
      return;
    }
    std::vector<std::string_view> ids;
    for (const CoupledFieldFacts& field : from_.sent) ids.push_back(field.id);
    const std::string guess = config::did_you_mean(wanted.id, ids);
    problems_.push_back(
        fmt::format("field '{}' ({}) is sent by nobody (the coupler_out of '{}' has {}). {}",
                    wanted.id, wanted.where, from_.name(), fmt::join(ids, ", "),
                    guess.empty() ? "Give the field that is sent the same id?" : guess));
  }

  std::vector<std::string> unreceived() const {
    std::vector<std::string> out;
    for (const CoupledFieldFacts& field : from_.sent) {
      const bool is_received =
          std::any_of(to_.received.begin(), to_.received.end(),
                      [&](const CoupledFieldFacts& wanted) { return wanted.id == field.id; });
      if (is_received) continue;
      out.push_back(fmt::format(
          "{}: field '{}' is for '{}', which receives no field of that id from '{}': it is not "
          "sent. Add it to a coupler_in there?",
          field.where, field.id, to_.name(), from_.name()));
    }
    return out;
  }

  const CoupledContext& from_;
  const CoupledContext& to_;
  config::Calendar calendar_;
  Pairing out_;
  std::vector<std::string> problems_;
};

void put(config::ByteWriter& writer, const config::Duration& d) {
  for (const double part : {d.year, d.month, d.day, d.hour, d.minute, d.second, d.timestep}) {
    writer.put(part);
  }
}

config::Duration get_duration(config::ByteReader& reader) {
  config::Duration d;
  for (double* part : {&d.year, &d.month, &d.day, &d.hour, &d.minute, &d.second, &d.timestep}) {
    *part = reader.get<double>();
  }
  return d;
}

void put(config::ByteWriter& writer, const std::vector<CoupledFieldFacts>& fields) {
  writer.put(static_cast<std::uint64_t>(fields.size()));
  for (const CoupledFieldFacts& field : fields) {
    writer.put(std::string_view(field.id));
    writer.put(std::string_view(field.where));
    put(writer, field.period);
    writer.put(std::string_view(field.period_text));
    writer.put(static_cast<std::uint8_t>(field.is_once ? 1 : 0));
    writer.put(field.first);
    writer.put(std::string_view(field.grid));
    writer.put(static_cast<std::uint64_t>(field.shapes.size()));
    for (const Extents& shape : field.shapes) writer.put(shape);
  }
}

std::vector<CoupledFieldFacts> get_fields(config::ByteReader& reader) {
  std::vector<CoupledFieldFacts> out(reader.get_length(12 * sizeof(std::uint64_t)));
  for (CoupledFieldFacts& field : out) {
    field.id = reader.get_string();
    field.where = reader.get_string();
    field.period = get_duration(reader);
    field.period_text = reader.get_string();
    field.is_once = reader.get<std::uint8_t>() != 0;
    field.first = reader.get<std::int64_t>();
    field.grid = reader.get_string();
    field.shapes.resize(reader.get_length(sizeof(std::uint64_t)));
    for (Extents& shape : field.shapes) shape = reader.get_vector<std::int64_t>();
  }
  return out;
}

void put(config::ByteWriter& writer, const config::UserCalendar& user) {
  writer.put(user.day_length_s);
  writer.put(user.month_lengths);
  writer.put(user.year_length_s);
  writer.put(user.leap_month);
  writer.put(user.leap_drift);
  writer.put(user.leap_drift_offset);
  writer.put(user.origin_year);
}

config::UserCalendar get_user_calendar(config::ByteReader& reader) {
  config::UserCalendar out;
  out.day_length_s = reader.get<std::int64_t>();
  out.month_lengths = reader.get_vector<std::int64_t>();
  out.year_length_s = reader.get<std::int64_t>();
  out.leap_month = reader.get<std::int64_t>();
  out.leap_drift = reader.get<double>();
  out.leap_drift_offset = reader.get<double>();
  out.origin_year = reader.get<std::int64_t>();
  return out;
}

[[noreturn]] void refuse(const std::string& why) {
  throw Error(ErrorCode::protocol,
              fmt::format("what a context says of its coupling cannot be understood ({}). Are all "
                          "programs of this job linked with the same EPIOS?",
                          why));
}

}  // namespace

std::vector<CouplerField> coupler_fields(const config::Model& model, ElementKind kind,
                                         const std::string& partner_code,
                                         const std::string& partner_context) {
  std::vector<CouplerField> out;
  for (std::size_t c = 0; c < model.couplers.size(); ++c) {
    const config::Coupler& coupler = model.couplers[c];
    const bool is_wanted = coupler.kind == kind && coupler.partner_code == partner_code &&
                           coupler.partner_context == partner_context;
    for (std::size_t f = 0; is_wanted && f < coupler.fields.size(); ++f) {
      out.push_back({static_cast<int>(c), static_cast<int>(f)});
    }
  }
  std::stable_sort(out.begin(), out.end(), [&](const CouplerField& a, const CouplerField& b) {
    return field_of(model, a).id < field_of(model, b).id;
  });
  return out;
}

CoupledContext facts_of(const config::Model& model, const std::string& code,
                        const std::string& partner_code, const std::string& partner_context) {
  CoupledContext out;
  out.code = code;
  out.context = model.context_id;
  out.calendar_type = model.calendar_type;
  out.user_calendar = model.user_calendar;
  out.start = model.start_date;
  for (const ElementKind kind : {ElementKind::coupler_out, ElementKind::coupler_in}) {
    auto& fields = kind == ElementKind::coupler_out ? out.sent : out.received;
    for (const CouplerField& field : coupler_fields(model, kind, partner_code, partner_context)) {
      fields.push_back(facts_of_field(model, field_of(model, field), kind));
    }
  }
  return out;
}

config::ReadSchedule receiving_dates(const config::Model& model,
                                     const config::CoupledField& field) {
  const config::Reading reading{field.sampling.operation == config::Operation::once,
                                field.sampling.output_freq,
                                field.sampling.freq_offset + model.timestep};
  return {model.calendar(), model.start_date, reading};
}

Pairing pair_fields(const CoupledContext& from, const CoupledContext& to) {
  return Pairer(from, to).pair();
}

std::vector<std::byte> encode(const CoupledContext& context) {
  config::ByteWriter writer;
  writer.put(facts_magic);
  writer.put(std::string_view(context.code));
  writer.put(std::string_view(context.context));
  writer.put(static_cast<std::uint8_t>(context.calendar_type));
  put(writer, context.user_calendar);
  writer.put(context.start.ms);
  writer.put(context.clients);
  put(writer, context.sent);
  put(writer, context.received);
  return writer.take();
}

CoupledContext decode_coupled_context(std::span<const std::byte> bytes) {
  config::ByteReader reader(bytes);
  if (reader.get<std::uint32_t>() != facts_magic) refuse("it begins otherwise");
  CoupledContext out;
  out.code = reader.get_string();
  out.context = reader.get_string();
  const auto type = reader.get<std::uint8_t>();
  if (type > static_cast<std::uint8_t>(config::CalendarType::user_defined)) {
    refuse(fmt::format("calendar {}", type));
  }
  out.calendar_type = static_cast<config::CalendarType>(type);
  out.user_calendar = get_user_calendar(reader);
  out.start.ms = reader.get<std::int64_t>();
  out.clients = reader.get_vector<int>();
  out.sent = get_fields(reader);
  out.received = get_fields(reader);
  if (!reader.at_end()) refuse("it is too long");
  return out;
}

}  // namespace epios::io
