#include <fmt/format.h>

#include <string>
#include <vector>

#include "commands/commands.hpp"
#include "commands/json_print.hpp"
#include "config/explain.hpp"
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

void print(const ExplainedElement& element, Colour colour) {
  const std::string title =
      fmt::format("context '{}', {} ({})", element.context, element.title, element.where);
  fmt::print("{}\n", painted(colour, Paint::bold, printable(title)));
  for (const ExplainedAttribute& attribute : element.attributes) {
    fmt::print(
        "  {} = {}  {}\n", attribute.name, printable(attribute.value.text),
        painted(colour, Paint::faint, printable(fmt::format("({})", origin_of(attribute.value)))));
    for (const ExplainedValue& value : attribute.overridden) {
      const std::string text = fmt::format("instead of {} ({})", value.text, origin_of(value));
      fmt::print("    {}\n", painted(colour, Paint::faint, printable(text)));
    }
  }
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
