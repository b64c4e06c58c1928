#include <fmt/format.h>

#include <string>
#include <vector>

#include "commands/commands.hpp"
#include "config/explain.hpp"
#include "printing/json_print.hpp"
#include "text/printable.hpp"

namespace epios::config {

namespace {

Json json_of(const ExplainedValue& value) {
  return {{"value", value.text}, {"source", value.source}, {"where", value.where}};
}

Json json_of(const ExplainedElement& element) {
  Json attributes = Json::object();
  for (const ExplainedAttribute& attribute : element.attributes) {
    Json json = json_of(attribute.value);
    json["overridden"] = Json::array();
    for (const ExplainedValue& value : attribute.overridden) {
      json["overridden"].push_back(json_of(value));
    }
    for (const ExplainedPlace& place : attribute.places) {
      json["could_be_given_by"].push_back({{"element", place.title}, {"where", place.where}});
    }
    attributes[attribute.name] = std::move(json);
  }
  return {{"context", element.context},
          {"element", element.title},
          {"where", element.where},
          {"attributes", std::move(attributes)}};
}

std::string origin_of(const ExplainedValue& value) {
  if (value.where.empty()) return value.source;
  return fmt::format("{}, {}", value.source, value.where);
}

std::string place_of(const ExplainedPlace& place) {
  return place.where.empty() ? place.title : fmt::format("{} ({})", place.title, place.where);
}

void print(const ExplainedAttribute& attribute, Colour colour) {
  const auto faintly = [colour](const std::string& text) {
    return painted(colour, Paint::faint, printable(text));
  };
  if (attribute.value.source == "no value") {
    fmt::print("  {} is not set  {}\n", attribute.name, faintly("(it has no default)"));
  } else {
    fmt::print("  {} = {}  {}\n", attribute.name, printable(attribute.value.text),
               faintly(fmt::format("({})", origin_of(attribute.value))));
  }
  for (const ExplainedValue& value : attribute.overridden) {
    const std::string text = fmt::format("instead of {} ({})", value.text, origin_of(value));
    fmt::print("    {}\n", faintly(text));
  }
  for (const ExplainedPlace& place : attribute.places) {
    fmt::print("    {}\n", faintly("can be set in " + place_of(place)));
  }
}

void print(const ExplainedElement& element, Colour colour) {
  const std::string title =
      fmt::format("context '{}', {} ({})", element.context, element.title, element.where);
  fmt::print("{}\n", painted(colour, Paint::bold, printable(title)));
  for (const ExplainedAttribute& attribute : element.attributes) print(attribute, colour);
}

}  // namespace

int run_explain(const ExplainOptions& options) {
  const ReadInput input = read(options.input);
  const std::vector<ExplainedElement> elements =
      explain(input.sources, options.question, input.additions);
  if (options.json) {
    Json list = Json::array();
    for (const ExplainedElement& element : elements) list.push_back(json_of(element));
    print_json(list);
  } else {
    for (const ExplainedElement& element : elements) print(element, options.colour);
  }
  return 0;
}

}  // namespace epios::config
