#include "session/log.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "session/xios_words.hpp"

namespace epios::client {
namespace {

void log_line(std::string_view severity, std::string_view text) {
  fmt::print(stderr, "epios: {}: {}\n", severity, words_of_model(std::string(text)));
}

}  // namespace

void log_error(std::string_view text) { log_line("error", text); }

void log_warning(std::string_view text) { log_line("warning", text); }

void log_note(std::string_view text) { log_line("note", text); }

void log_lines(std::string_view lines) { fmt::print(stderr, "{}", lines); }

void OnceLog::say(const std::vector<std::string>& lines) {
  const std::scoped_lock lock(mutex_);
  for (const std::string& line : lines) {
    if (said_.insert(line).second) log_lines(words_of_model(line) + '\n');
  }
}

}  // namespace epios::client
