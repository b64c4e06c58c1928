#include "resolve.hpp"

#include <fmt/format.h>

#include "attribute_fill.hpp"
#include "availability.hpp"
#include "file_builder.hpp"
#include "group_ref.hpp"
#include "inheritance.hpp"
#include "time_error.hpp"

namespace epios::config {

namespace {

/// Reads dates and time step of the calendar; reports what is missing.
class CalendarReader {
 public:
  CalendarReader(const ContextStore& store, Inheritance& inheritance, Findings& findings)
      : node_(store.at(store.calendar_node())),
        context_id_(store.id()),
        resolved_(inheritance.of(store.calendar_node())),
        findings_(findings),
        attributes_(filled<CalendarAttributes>(resolved_)) {}

  Clock read(Model& model) {
    Clock clock;
    if (node_.settings.empty()) {
      findings_.missing(node_.origin, fmt::format("context '{}' has no calendar", context_id_),
                        "nothing says how model time runs",
                        "Add <calendar type=\"Gregorian\" timestep=\"1h\"/>?");
      return clock;
    }
    check_available(node_, resolved_, findings_);
    if (!attributes_.type && !resolved_.is_broken("type")) {
      missing("type", "Add type=\"Gregorian\" or another kind.");
    }
    if (!attributes_.timestep && !resolved_.is_broken("timestep")) {
      missing("timestep", "Add timestep=\"1h\"?");
    }
    if (attributes_.type == "NoLeap") model.calendar_type = CalendarType::no_leap;
    if (attributes_.timestep && timestep_is_good(model.calendar_type)) {
      model.timestep = *attributes_.timestep;
    }
    clock.is_known = attributes_.type.has_value() && !model.timestep.is_zero();
    clock.calendar = Calendar(model.calendar_type, model.timestep);
    model.start_date = date("start_date", *attributes_.start_date, clock.calendar);
    model.time_origin = date("time_origin", *attributes_.time_origin, clock.calendar);
    clock.start = model.start_date;
    return clock;
  }

 private:
  void missing(const char* attribute, std::string suggestion) {
    findings_.missing(node_.origin,
                      fmt::format("the calendar of context '{}' has no {}", context_id_, attribute),
                      "it is mandatory", std::move(suggestion));
  }

  Origin origin(std::string_view attribute) const {
    const Setting* setting = resolved_.find(attribute);
    return setting != nullptr ? setting->origin : node_.origin;
  }

  bool timestep_is_good(CalendarType type) {
    const Duration& step = *attributes_.timestep;
    const std::string problem = fmt::format("time step '{}'", step.text());
    if (step.timestep != 0) {
      findings_.error(origin("timestep"), problem, "a time step cannot be measured in time steps",
                      "Use y, mo, d, h, mi and s.");
      return false;
    }
    try {
      const Calendar calendar(type, step);
      if (calendar.add(Instant{}, step) > Instant{}) return true;
      findings_.error(origin("timestep"), problem,
                      "it must be positive, and a fraction of a month has no length");
    } catch (const TimeError& error) {
      findings_.error(origin("timestep"), problem, error.why());
    }
    return false;
  }

  Instant date(const char* attribute, const std::string& text, const Calendar& calendar) {
    try {
      return calendar.parse(text);
    } catch (const TimeError& error) {
      findings_.error(origin(attribute), fmt::format("{} '{}' of the calendar", attribute, text),
                      error.why(), error.suggestion());
    }
    return {};
  }

  const Node& node_;
  const std::string& context_id_;
  const Resolved& resolved_;
  Findings& findings_;
  CalendarAttributes attributes_;
};

/// Couplers that are on would have to exchange fields.
void check_couplers(const ContextStore& store, Inheritance& inheritance, Findings& findings) {
  for (const ElementKind kind : {ElementKind::coupler_in, ElementKind::coupler_out}) {
    for (const int coupler : store.elements_below(store.root_of(kind), kind)) {
      const Setting* enabled = inheritance.of(coupler).find("enabled");
      if (enabled != nullptr && !std::get<bool>(*enabled->value)) continue;
      const Node& node = store.at(coupler);
      findings.not_yet(node.origin, fmt::format("<{}> is not available yet", name(kind)));
    }
  }
}

}  // namespace

Model resolve_context(const ContextStore& written, Findings& findings) {
  const std::optional<ContextStore> expanded = with_group_refs(written, findings);
  const ContextStore& store = expanded ? *expanded : written;
  Model model;
  model.context_id = store.id();
  Inheritance inheritance(store, findings);
  inheritance.check_references();
  const Clock clock = CalendarReader(store, inheritance, findings).read(model);
  const auto context = filled<ContextAttributes>(inheritance.of(store.context_node()));
  check_available(store.at(store.context_node()), inheritance.of(store.context_node()), findings);
  check_couplers(store, inheritance, findings);
  FileBuilder files(store, inheritance, findings, clock, *context.output_dir, model);
  model.variables = files.variables_of(store.root_of(ElementKind::variable));
  files.add_files();
  model.known_fields = files.known_fields();
  return model;
}

}  // namespace epios::config
