#include "read_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "config/definitions.hpp"
#include "config/document.hpp"
#include "config/error.hpp"
#include "config/run_variables.hpp"

namespace epios::layouts {
namespace {

std::string context_of(const config::Definitions& definitions, const ModelInput& input) {
  std::vector<std::string> all = definitions.contexts();
  std::erase(all, "xios");
  if (!input.context.empty()) {
    if (std::find(all.begin(), all.end(), input.context) != all.end()) return input.context;
    throw Error(ErrorCode::argument,
                fmt::format("'{}' has no context '{}' (it has {}). Name one of them?", input.file,
                            input.context, fmt::join(all, ", ")));
  }
  if (all.size() == 1) return all.front();
  throw Error(ErrorCode::argument,
              fmt::format("'{}' has {} contexts ({}). Name one with --context?", input.file,
                          all.size(), fmt::join(all, ", ")));
}

/// Variables of memory are not negative.
template <class Number>
Number variable_of(const config::Definitions& definitions, const char* id) {
  const config::RunVariable& row = config::run_variable(id);
  const std::string text = definitions.variable("xios", id).value_or(std::string(row.default_text));
  const std::string_view good = config::value_or_default(row, text);
  Number value = 0;
  std::from_chars(good.data(), good.data() + good.size(), value);
  return value;
}

}  // namespace

ReadModel read_model(const ModelInput& input) {
  config::Additions additions;
  additions.settings = input.settings;
  if (!input.model.empty()) additions.model = config::read_sources(input.model);
  config::Definitions definitions(config::Document(config::read_sources(input.file), additions),
                                  additions.settings, config::Purpose::plan);
  const std::string context = context_of(definitions, input);
  ReadModel out{definitions.resolve(context, config::Purpose::plan), {}};
  out.limits.shared_record_bytes = variable_of<std::int64_t>(definitions, "shared_record_bytes");
  out.limits.buffer_bytes = variable_of<std::size_t>(definitions, "buffer_bytes");
  if (out.model.streams.empty()) {
    throw Error(ErrorCode::argument, fmt::format("context '{}' of '{}' writes nothing (no file "
                                                 "with a field is enabled). Is it the right one?",
                                                 context, input.file));
  }
  return out;
}

}  // namespace epios::layouts
