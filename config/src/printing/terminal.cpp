#include "printing/terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

namespace epios::config {

namespace {

std::string_view code_of(Paint paint) {
  switch (paint) {
    case Paint::red:
      return "31";
    case Paint::yellow:
      return "33";
    case Paint::cyan:
      return "36";
    case Paint::bold:
      return "1";
    case Paint::faint:
      break;
  }
  return "2";
}

}  // namespace

Colour colour_of_output() {
  const bool is_unwanted = std::getenv("NO_COLOR") != nullptr;
  return !is_unwanted && isatty(STDOUT_FILENO) == 1 ? Colour::on : Colour::off;
}

std::string painted(Colour colour, Paint paint, std::string_view text) {
  if (colour == Colour::off) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code_of(paint), text);
}

std::string counted(std::int64_t number, std::string_view thing) {
  return fmt::format("{} {}{}", number, thing, number == 1 ? "" : "s");
}

}  // namespace epios::config
