#include "run_settings.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <string>

#include "config/error.hpp"
#include "transport/channel.hpp"

namespace epios::client {
namespace {

[[noreturn]] void refuse(std::string_view variable, const std::string& text, const char* expected) {
  throw Error(ErrorCode::configuration,
              fmt::format("variable '{}' of context 'xios' is '{}' (expected {}). Leave it out?",
                          variable, text, expected));
}

/// Keeps what `value` is when the variable is not set.
template <class T>
void read_number(const config::Definitions& definitions, std::string_view variable, T least,
                 const char* expected, T& value) {
  const auto text = definitions.variable("xios", variable);
  if (!text) return;
  const char* const last = text->data() + text->size();
  const auto [end, error] = std::from_chars(text->data(), last, value);
  if (error != std::errc() || end != last || !(value >= least)) refuse(variable, *text, expected);
}

int read_carrier(const config::Definitions& definitions) {
  const auto text = definitions.variable("xios", "carrier");
  if (!text || *text == "auto") return 0;
  for (const auto kind : {io::CarrierKind::shared_memory, io::CarrierKind::messages}) {
    if (*text == io::name(kind)) return static_cast<int>(kind);
  }
  refuse("carrier", *text, "auto, shared_memory or messages");
}

}  // namespace

RunSettings read_run_settings(const config::Definitions& definitions) {
  RunSettings out;
  constexpr const char* bytes = "a number of bytes, in digits";
  read_number<std::int64_t>(definitions, "shared_record_bytes", 0, bytes, out.shared_record_bytes);
  read_number<std::int64_t>(definitions, "buffer_bytes", 1, bytes, out.buffer_bytes);
  read_number<double>(definitions, "patience_s", 1e-3, "seconds, at least 0.001", out.patience_s);
  if (!std::isfinite(out.patience_s)) {
    refuse("patience_s", *definitions.variable("xios", "patience_s"), "seconds, at least 0.001");
  }
  out.carrier = read_carrier(definitions);
  return out;
}

}  // namespace epios::client
