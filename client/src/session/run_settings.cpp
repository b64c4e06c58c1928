#include "session/run_settings.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "config/run_variables.hpp"
#include "config/value_print.hpp"
#include "transport/channel.hpp"

namespace epios::client {
namespace {

/// Settings tune a run: text that is no value was warned of where it was read, and the default
/// counts.
std::string value_of(const config::Definitions& definitions, std::string_view variable) {
  const config::RunVariable& row = config::run_variable(variable);
  const std::string text = definitions.variable("xios", variable).value_or("");
  return std::string(config::value_or_default(row, text));
}

template <class T>
T read_number(const config::Definitions& definitions, std::string_view variable) {
  std::string text = value_of(definitions, variable);
  // As Fortran may write numbers.
  if (text.starts_with('+')) text.erase(0, 1);
  if (const std::size_t at = text.find_first_of("dD"); at != std::string::npos) text[at] = 'e';
  T value{};
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// What the table's words mean. XIOS's own name of a protocol counts where nothing is said in ours:
/// all but one_sided are what the nearest way is, too, or is faster than.
int read_carrier(const config::Definitions& definitions) {
  const std::string text = value_of(definitions, "carrier");
  for (const auto kind :
       {io::CarrierKind::shared_memory, io::CarrierKind::messages, io::CarrierKind::one_sided}) {
    if (text == io::name(kind)) return static_cast<int>(kind);
  }
  const auto one_sided = io::CarrierKind::one_sided;
  const bool is_asked = value_of(definitions, "transport_protocol") == io::name(one_sided);
  return is_asked && !definitions.variable("xios", "carrier") ? static_cast<int>(one_sided) : 0;
}

}  // namespace

int RunSettings::carrier_of_answers() const {
  return carrier == static_cast<int>(io::CarrierKind::one_sided) ? 0 : carrier;
}

RunSettings read_run_settings(const config::Definitions& definitions) {
  RunSettings out;
  out.shared_record_bytes = read_number<std::int64_t>(definitions, "shared_record_bytes");
  out.buffer_bytes = read_number<std::int64_t>(definitions, "buffer_bytes");
  out.patience_s = read_number<double>(definitions, "patience_s");
  out.give_up_s = read_number<double>(definitions, "give_up_s");
  out.carrier = read_carrier(definitions);
  out.metrics_file = value_of(definitions, "metrics_file");
  out.stop_on_signal = value_of(definitions, "stop_on_signal");
  if (out.stop_on_signal == "none") out.stop_on_signal.clear();
  out.uses_second_level =
      config::read_boolean(value_of(definitions, "using_second_level")).value_or(false);
  out.second_level_percent = read_number<std::int64_t>(definitions, "second_level_percent");
  out.second_level_groups = read_number<std::int64_t>(definitions, "second_level_groups");
  return out;
}

RecordingSettings recording_settings(const config::Definitions& definitions) {
  const auto from_environment = [](const char* name) {
    const char* const text = std::getenv(name);
    return std::string(text == nullptr ? "" : text);
  };
  return {value_of(definitions, "record"), value_of(definitions, "record_data") == "full",
          from_environment("EPIOS_MEMBER"), from_environment("EPIOS_SET")};
}

bool logs_memory(const config::Definitions& definitions) {
  return config::read_boolean(value_of(definitions, "log_memory")).value_or(false);
}

ReportDetail report_detail(const config::Definitions& definitions) {
  const char* const log = std::getenv("EPIOS_LOG");
  const std::string_view wish = log == nullptr ? "" : log;
  if (wish == "info" || wish == "debug" || wish == "trace") return ReportDetail::all;
  if (wish == "error" || wish == "critical" || wish == "off") return ReportDetail::none;
  // As XIOS counts.
  constexpr int summary_level = 50;
  constexpr int all_level = 100;
  const int level = read_number<int>(definitions, "log_level");
  if (level >= all_level) return ReportDetail::all;
  return level >= summary_level ? ReportDetail::summary : ReportDetail::none;
}

std::string report_path(const config::Definitions& definitions, std::string_view component) {
  const char* const wish = std::getenv("EPIOS_REPORT");
  const std::filesystem::path path =
      wish != nullptr ? std::string(wish) : value_of(definitions, "report_file");
  if (path.empty()) return {};
  std::string name(component);
  for (char& c : name) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.';
    if (!is_plain) c = '_';
  }
  const std::string ending = path.extension().empty() ? ".json" : path.extension().string();
  return (path.parent_path() / (path.stem().string() + "_" + name + ending)).string();
}

bool serves_in_processes(const config::Definitions& definitions) {
  return value_of(definitions, "servers_per_process") == "1";
}

bool is_coupled(const config::Definitions& definitions) {
  return config::read_boolean(value_of(definitions, "using_oasis")).value_or(false);
}

std::vector<std::string> expected_codes(const config::Definitions& definitions) {
  constexpr std::string_view between = ", \t\r\n";
  const std::string text = value_of(definitions, "clients_code_id");
  std::vector<std::string> out;
  for (std::size_t at = text.find_first_not_of(between); at != std::string::npos;
       at = text.find_first_not_of(between, at)) {
    const std::size_t end = std::min(text.find_first_of(between, at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end;
  }
  return out;
}

}  // namespace epios::client
