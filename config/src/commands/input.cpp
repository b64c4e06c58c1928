#include "commands/input.hpp"

#include <utility>

#include "config/run_names.hpp"

namespace epios::config {

SourceTexts ReadInput::all_texts() const {
  SourceTexts all = sources;
  all.insert(all.end(), additions.model.begin(), additions.model.end());
  return all;
}

ReadInput try_read(const Input& input) {
  ReadSources configuration = try_read_sources(input.file, input.compat);
  ReadInput result{std::move(configuration.sources), {}, std::move(configuration.mistakes)};
  result.additions.compat = input.compat;
  result.additions.strict = input.strict;
  result.additions.settings = input.settings;
  result.additions.names = run_names(input.component, {});
  if (input.model.empty()) return result;
  ReadSources model = try_read_sources(input.model, input.compat);
  result.additions.model = std::move(model.sources);
  result.mistakes.insert(result.mistakes.end(), model.mistakes.begin(), model.mistakes.end());
  return result;
}

ReadInput read(const Input& input) {
  ReadInput result = try_read(input);
  if (!result.mistakes.empty()) throw ConfigError(std::move(result.mistakes));
  return result;
}

}  // namespace epios::config
