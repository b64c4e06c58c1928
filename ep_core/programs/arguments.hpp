/// @file
/// What programs say about words that they do not understand.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace ep {

/// Returns the word with control characters, which a terminal would obey, written as \x...
inline std::string shown(const std::string& word) {
  constexpr const char* digits = "0123456789abcdef";
  std::string result;
  for (const char letter : word) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte >= 0x20 && byte != 0x7f) {
      result += letter;
    } else {
      result += {'\\', 'x', digits[byte / 16], digits[byte % 16]};
    }
  }
  return result;
}

/// "--help, --out"
inline std::string options_of(const CLI::App& app) {
  std::string result;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      result += (result.empty() ? "--" : ", --") + name;
    }
  }
  return result;
}

inline std::string problem_of(const CLI::App& app, const CLI::ParseError& error) {
  const std::string usage = app.get_name() + " --help says how it is used";
  // A misspelt option may be the missing one.
  for (const std::string& word : app.remaining()) {
    if (word.size() < 2 || word.front() != '-') continue;
    return "there is no option '" + shown(word.substr(0, word.find('='))) +
           "' (known: " + options_of(app) + ").";
  }
  if (app.remaining_size() > 0) {
    return "'" + shown(app.remaining().front()) + "' is one word too many (" + usage + ").";
  }
  return shown(error.what()) + " (" + usage + ").";
}

/// The exit code when there is nothing more to do: 0 after help or the version, 2 after words that
/// are not understood, which standard error says. `app` has the program's name.
inline std::optional<int> read_arguments(CLI::App& app, int argc, const char* const* argv) {
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::Success& answer) {
    return app.exit(answer);
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "%s: %s\n", app.get_name().c_str(), problem_of(app, error).c_str());
    return 2;
  }
}

}  // namespace ep
