// The command `epios plan`: prints what a run would write, as a table or as JSON. First comes JSON,
// then tables of files, readings, transformations and couplings.
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <string_view>
#include <utility>
#include <vector>

#include "check/read_reach_check.hpp"
#include "commands/commands.hpp"
#include "commands/file_look.hpp"
#include "config/definitions.hpp"
#include "config/model.hpp"
#include "config/plan.hpp"
#include "config/read_grids.hpp"
#include "config/run_variables.hpp"
#include "printing/json_print.hpp"
#include "text/printable.hpp"
#include "text/text.hpp"

namespace epios::config {

namespace {

std::string human(double bytes) {
  constexpr std::array<std::string_view, 6> units{"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  for (; bytes >= 1000 && unit + 1 < units.size(); ++unit) bytes /= 1000;
  return unit == 0 ? fmt::format("{:.4g} B", bytes)
                   : fmt::format("{:.1f} {}", bytes, units.at(unit));
}

double per_day(const Plan& plan, std::int64_t bytes) {
  return plan.days > 0 ? static_cast<double>(bytes) / plan.days : 0;
}

std::string interval_text(const Calendar& calendar, const RecordTime& interval) {
  return fmt::format("{} to {}", calendar.text(interval.begin), calendar.text(interval.end));
}

Json records_json(const Model& model, const File& file, const PlannedPart& part) {
  const Calendar calendar = model.calendar();
  Json list = Json::array();
  for (const PlannedRecord& record : records_of(model, file, part)) {
    Json json{{"number", record.number},
              {"begin", calendar.text(record.interval.begin)},
              {"end", calendar.text(record.interval.end)}};
    if (record.stamp) {
      json["time"] = record.stamp->value;
      json["bounds"] = record.stamp->bounds;
    }
    list.push_back(std::move(json));
  }
  return list;
}

Json readings_json(const Plan& plan) {
  Json list = Json::array();
  for (const PlannedReading& file : plan.readings) {
    Json fields = Json::array();
    for (const PlannedReadField& field : file.fields) {
      fields.push_back(
          {{"name", field.name}, {"bytes_per_record", field.record_bytes}, {"when", field.when}});
    }
    list.push_back({{"id", file.id}, {"path", file.path}, {"fields", std::move(fields)}});
  }
  return list;
}

Json transformations_json(const PlannedTransformations& plan) {
  Json fields = Json::array();
  for (const PlannedTransformations::Field& field : plan.fields) {
    fields.push_back(
        {{"file", field.file}, {"name", field.name}, {"bytes_per_record", field.wire_bytes}});
  }
  return {{"fields", std::move(fields)}, {"array_bytes", plan.array_bytes}};
}

Json couplings_json(const Plan& plan) {
  Json list = Json::array();
  for (const PlannedCoupling& coupling : plan.couplings) {
    Json fields = Json::array();
    for (const PlannedCoupling::Field& field : coupling.fields) {
      fields.push_back({{"id", field.id},
                        {"when", field.when},
                        {"records", field.records},
                        {"bytes_per_record", field.record_bytes}});
    }
    list.push_back({{coupling.is_received ? "from" : "to", coupling.partner},
                    {"fields", std::move(fields)},
                    {"bytes", coupling.bytes},
                    {"channel_bytes", coupling.channel_bytes}});
  }
  return list;
}

Json json_of(const Plan& plan, const Model& model, bool with_records) {
  const Calendar calendar = model.calendar();
  Json files = Json::array();
  for (std::size_t f = 0; f < plan.files.size(); ++f) {
    const PlannedFile& file = plan.files[f];
    Json fields = Json::array();
    for (const PlannedField& field : file.fields) {
      fields.push_back({{"name", field.name},
                        {"records", field.records},
                        {"bytes_per_record", field.record_bytes}});
    }
    Json parts = Json::array();
    for (const PlannedPart& part : file.parts) {
      parts.push_back({{"path", part.path},
                       {"records", part.records},
                       {"first", calendar.text(part.first)},
                       {"last", calendar.text(part.last)},
                       {"bytes", part.bytes}});
      if (with_records) parts.back()["list"] = records_json(model, nth(model.files, f), part);
    }
    files.push_back({{"id", file.id},
                     {"records", file.records},
                     {"left_out_records", file.left_out},
                     {"bytes", file.bytes},
                     {"bytes_per_day", per_day(plan, file.bytes)},
                     {"fields", std::move(fields)},
                     {"parts", std::move(parts)},
                     {"unlisted_records", file.unlisted_records}});
  }
  Json warnings = Json::array();
  for (const Diagnostic& warning : plan.warnings) warnings.push_back(warning.text());
  return {{"context", model.context_id},
          {"start", calendar.text(plan.start)},
          {"end", calendar.text(plan.end)},
          {"steps", plan.steps},
          {"bytes", plan.bytes},
          {"bytes_per_day", per_day(plan, plan.bytes)},
          {"files", std::move(files)},
          {"read", readings_json(plan)},
          {"answers",
           {{"records", plan.answers.records},
            {"largest_record_bytes", plan.answers.largest_record_bytes},
            {"bytes", plan.answers.bytes}}},
          {"transformed_by_servers", transformations_json(plan.transformations)},
          {"couplings", couplings_json(plan)},
          {"warnings", std::move(warnings)}};
}

void print_records(const Model& model, const File& file, const PlannedPart& part) {
  const Calendar calendar = model.calendar();
  for (const PlannedRecord& record : records_of(model, file, part)) {
    fmt::print("       {}: {}", record.number, interval_text(calendar, record.interval));
    if (record.stamp) {
      fmt::print(", time {} in [{}, {}]", record.stamp->value, record.stamp->bounds[0],
                 record.stamp->bounds[1]);
    }
    fmt::print("\n");
  }
}

/// Prints what comes from files, and the memory that servers need for it.
void print_readings(const Plan& plan) {
  for (const PlannedReading& file : plan.readings) {
    fmt::print("  file '{}' is read: {}\n", printable(file.id), printable(file.path));
    for (const PlannedReadField& field : file.fields) {
      fmt::print("    {}: {}, {}\n", printable(field.name),
                 human(static_cast<double>(field.record_bytes)), field.when);
    }
  }
  if (plan.readings.empty()) return;
  fmt::print("  answers of servers: {} at a time of at most {}, {} in all\n",
             counted(plan.answers.records, "record"),
             human(static_cast<double>(plan.answers.largest_record_bytes)),
             human(static_cast<double>(plan.answers.bytes)));
}

/// Prints the records that servers transform, which cross the wire unchanged.
void print_transformations(const PlannedTransformations& plan) {
  for (const PlannedTransformations::Field& field : plan.fields) {
    fmt::print("  field '{}' of file '{}' is transformed by its server: {} cross for a record\n",
               printable(field.name), printable(field.file),
               human(static_cast<double>(field.wire_bytes)));
  }
  if (plan.fields.empty()) return;
  fmt::print("  arrays of a server that transforms: {}, beside rows of weights\n",
             human(static_cast<double>(plan.array_bytes)));
}

std::string size_text(std::int64_t bytes) {
  return bytes == 0 ? std::string("unknown size") : human(static_cast<double>(bytes));
}

/// Prints what is exchanged with other contexts, and the memory that receivers need for it.
void print_couplings(const Plan& plan) {
  for (const PlannedCoupling& coupling : plan.couplings) {
    fmt::print("  {} '{}': {}, in channels of {} (two records of each field)\n",
               coupling.is_received ? "from" : "to", printable(coupling.partner),
               human(static_cast<double>(coupling.bytes)),
               human(static_cast<double>(coupling.channel_bytes)));
    for (const PlannedCoupling::Field& field : coupling.fields) {
      fmt::print("    {}: {}, {} of {}\n", printable(field.id), field.when,
                 counted(field.records, "record"), size_text(field.record_bytes));
    }
  }
}

/// The budget of channel memory, as context xios says it.
std::int64_t buffer_bytes_of(const Definitions& definitions) {
  const std::string standard(find_run_variable("buffer_bytes")->default_text);
  const std::string text = definitions.variable("xios", "buffer_bytes").value_or(standard);
  return parse_integer(text).value_or(std::int64_t{1} << 31);
}

void print(const Plan& plan, const Model& model, bool with_records) {
  const Calendar calendar = model.calendar();
  fmt::print("context '{}': {} to {}, {} steps\n", printable(model.context_id),
             calendar.text(plan.start), calendar.text(plan.end), plan.steps);
  for (std::size_t f = 0; f < plan.files.size(); ++f) {
    const PlannedFile& file = plan.files[f];
    fmt::print("  file '{}': {}, {}, {} per day\n", printable(file.id),
               counted(file.records, "record"), human(static_cast<double>(file.bytes)),
               human(per_day(plan, file.bytes)));
    for (const PlannedField& field : file.fields) {
      fmt::print("    {}: {} of {}\n", printable(field.name), counted(field.records, "record"),
                 human(static_cast<double>(field.record_bytes)));
    }
    for (const PlannedPart& part : file.parts) {
      fmt::print("    -> {}: {} from {} to {}, {}\n", printable(part.path),
                 counted(part.records, "record"), calendar.text(part.first),
                 calendar.text(part.last), human(static_cast<double>(part.bytes)));
      if (with_records) print_records(model, nth(model.files, f), part);
    }
    if (file.left_out > 0) {
      const bool has_dates = nth(model.files, f).attributes.output_dates.has_value();
      fmt::print("    without {} {}\n", counted(file.left_out, "record"),
                 has_dates ? "outside of output_dates or without data" : "for which no data come");
    }
    if (file.unlisted_records > 0) {
      fmt::print("    -> and so on: {} in parts that are not listed\n",
                 counted(file.unlisted_records, "record"));
    }
  }
  print_readings(plan);
  print_transformations(plan.transformations);
  fmt::print("  in all: {}, {} per day\n", human(static_cast<double>(plan.bytes)),
             human(per_day(plan, plan.bytes)));
  print_couplings(plan);
  for (const Diagnostic& warning : plan.warnings) {
    fmt::print(stderr, "{}\n", shortened(warning.text()));
  }
}

Duration duration_of(const std::string& text) {
  try {
    return Duration::parse(text);
  } catch (const Error& error) {
    throw error.within("--duration");
  }
}

/// A list that nobody reads would fill the memory or the disk.
void require_short_list(const Plan& plan) {
  constexpr std::int64_t most_listed = 200'000;
  std::int64_t count = 0;
  for (const PlannedFile& file : plan.files) {
    for (const PlannedPart& part : file.parts) count += part.records;
  }
  if (count <= most_listed) return;
  throw Error(ErrorCode::argument,
              fmt::format("--records would list {} (limit {}). Use a shorter --duration.",
                          counted(count, "record"), most_listed));
}

}  // namespace

int run_plan(const PlanOptions& options) {
  const ReadInput input = read(options.input);
  Definitions definitions{Document(input.sources, input.additions), input.additions.settings,
                          Purpose::plan};
  const Duration duration = duration_of(options.duration);
  Json list = Json::array();
  for (const std::string& context : definitions.contexts()) {
    if (context == "xios") continue;
    if (!options.start.empty()) {
      definitions.set_text(context, ElementKind::calendar, "", "start_date", options.start,
                           "--start");
    }
    const ReadGrids grids = definitions.read_grids(context);
    FileLooks look;
    std::vector<FileFacts> files = look(grids.files);
    std::erase_if(files, [](const FileFacts& file) { return !file.exists; });
    if (!files.empty()) definitions.complete(context, grids, files, {});
    const Model model = definitions.resolve(context, Purpose::plan);
    Plan result = plan(model, duration, buffer_bytes_of(definitions));
    files = look(questions_of_run(model, result.end));
    for (Diagnostic& warning : short_files(model, result, files)) {
      result.warnings.push_back(std::move(warning));
    }
    if (options.records) require_short_list(result);
    if (options.json) {
      list.push_back(json_of(result, model, options.records));
    } else {
      print(result, model, options.records);
    }
  }
  if (options.json) print_json(list);
  return 0;
}

}  // namespace epios::config
