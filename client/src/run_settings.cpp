#include "run_settings.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <string>

#include "config/error.hpp"
#include "config/run_variables.hpp"
#include "transport/channel.hpp"

namespace epios::client {
namespace {

[[noreturn]] void refuse(std::string_view variable, const std::string& text, const char* expected) {
  throw Error(ErrorCode::configuration,
              fmt::format("variable '{}' of context 'xios' is '{}' (expected {}). Leave it out?",
                          variable, text, expected));
}

/// The value, else the default of the table.
std::string text_of(const config::Definitions& definitions, std::string_view variable) {
  const config::RunVariable& row = config::run_variable(variable);
  return definitions.variable("xios", variable).value_or(std::string(row.default_text));
}

template <class T>
T read_number(const config::Definitions& definitions, std::string_view variable, T least,
              const char* expected) {
  const std::string text = text_of(definitions, variable);
  T value{};
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc() || end != last || !(value >= least)) refuse(variable, text, expected);
  return value;
}

/// What the table's words mean.
int read_carrier(const config::Definitions& definitions) {
  const std::string text = text_of(definitions, "carrier");
  if (text == "auto") return 0;
  for (const auto kind : {io::CarrierKind::shared_memory, io::CarrierKind::messages}) {
    if (text == io::name(kind)) return static_cast<int>(kind);
  }
  refuse("carrier", text, "auto, shared_memory or messages");
}

}  // namespace

RunSettings read_run_settings(const config::Definitions& definitions) {
  constexpr const char* bytes = "a number of bytes, in digits";
  constexpr const char* seconds = "seconds, at least 0.001";
  RunSettings out;
  out.shared_record_bytes = read_number<std::int64_t>(definitions, "shared_record_bytes", 0, bytes);
  out.buffer_bytes = read_number<std::int64_t>(definitions, "buffer_bytes", 1, bytes);
  out.patience_s = read_number<double>(definitions, "patience_s", 1e-3, seconds);
  if (!std::isfinite(out.patience_s)) {
    refuse("patience_s", text_of(definitions, "patience_s"), seconds);
  }
  out.carrier = read_carrier(definitions);
  return out;
}

}  // namespace epios::client
