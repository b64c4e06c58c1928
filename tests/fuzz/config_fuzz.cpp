// Any bytes as a configuration: parse, resolve, check. What comes out must survive its own bytes. A
// zero byte ends one file and begins the next one, so that includes are reached too. Behind a byte
// 1 come changes of a statistics file instead, whose state a run is to go on from.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "config/check.hpp"
#include "config/error.hpp"
#include "config/model.hpp"
#include "config/statistics.hpp"

namespace {

epios::config::SourceTexts files_of(std::string_view input) {
  epios::config::SourceTexts files;
  char name = 'a';
  while (files.size() < 8) {
    const std::size_t end = input.find('\0');
    files.push_back({files.empty() ? "iodef.xml" : std::string(1, name++) + ".xml",
                     std::string(input.substr(0, end))});
    if (end == std::string_view::npos) break;
    input.remove_prefix(end + 1);
  }
  return files;
}

constexpr const char* continued = R"(<simulation><context id="ocean" statistics_file="waiting">
  <calendar type="Gregorian" timestep="1h" start_date="2001-01-02 06:00:00"/>
  <axis_definition><axis id="x" n_glo="4"/></axis_definition>
  <field_definition><field id="t" axis_ref="x" operation="average"/>
    <field id="u" axis_ref="x" operation="instant" freq_offset="1h"/></field_definition>
  <file_definition><file id="f" output_freq="1mo" split_freq="1y"><field field_ref="t"/>
      <field field_ref="u"/></file>
    <file id="g" output_freq="6h" append="true"><field field_ref="t" operation="maximum"/></file>
  </file_definition></context></simulation>)";

/// What a run of 30 steps before it would leave.
epios::config::StoredStatistics left_before(epios::config::Model model) {
  const std::vector<epios::config::KeptOperation> kept = epios::config::kept_operations(model);
  epios::config::RunState state;
  constexpr std::int64_t steps = 30;
  state.start_date = {model.start_date.ms - steps * 3'600'000};
  state.time_origin = state.start_date;
  state.steps = state.announced_steps = steps;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    state.operations.push_back({{steps, 0}, steps, false, 0, {}});
  }
  epios::config::add_statistics_file(model, kept);
  epios::config::StoredStatistics out;
  for (const epios::config::Variable& variable : model.files.back().variables) {
    out.attributes.emplace(variable.name, variable.text);
  }
  out.numbers = epios::config::numbers_of(state);
  return out;
}

/// Each change: which number gets another value, or which attribute loses letters or gets others.
void change(epios::config::StoredStatistics& stored, std::string_view changes) {
  while (changes.size() > 2) {
    const auto which = static_cast<unsigned char>(changes[0]);
    const auto length = static_cast<unsigned char>(changes[1]);
    changes.remove_prefix(2);
    const std::string_view value = changes.substr(0, which < 128 ? sizeof(double) : length % 64U);
    changes.remove_prefix(value.size());
    if (which == 127) {
      stored.numbers.resize(length);
    } else if (which < 128) {
      if (value.size() < sizeof(double) || stored.numbers.empty()) return;
      double& number = stored.numbers[which % stored.numbers.size()];
      std::memcpy(&number, value.data(), sizeof number);
      if (length % 2 == 0) number = static_cast<signed char>(value.front());
    } else if (!stored.attributes.empty()) {
      auto place = std::next(stored.attributes.begin(),
                             static_cast<std::ptrdiff_t>(which % stored.attributes.size()));
      const std::size_t from = length % (place->second.size() + 1);
      place->second.replace(from, value.size() / 2, value);
    }
  }
}

void check_statistics(std::string_view changes) {
  // They outlive what is called at exit.
  static const auto* const model = [] {
    epios::config::Checked checked =
        epios::config::check_and_resolve({{"iodef.xml", std::string(continued)}});
    if (checked.models.empty()) std::abort();
    return new epios::config::Model(checked.models.front());
  }();
  static const auto* const whole = new epios::config::StoredStatistics(left_before(*model));
  const std::vector<epios::config::KeptOperation> kept = epios::config::kept_operations(*model);
  epios::config::StoredStatistics stored = *whole;
  change(stored, changes);
  try {
    const epios::config::Continuation found = epios::config::continuation(*model, kept, stored);
    if (found.from.size() != kept.size() || found.state.operations.size() != kept.size()) {
      std::abort();
    }
    for (const epios::config::OperationState& operation : found.state.operations) {
      if (operation.samples < 0 || operation.counters.samples < 0 ||
          operation.counters.records < 0 || operation.held_samples < 0) {
        std::abort();
      }
    }
    epios::config::Model next = *model;
    epios::config::go_on(next, kept, found.state);
    for (const epios::config::File& file : next.files) {
      if (file.first_record < 0) std::abort();
    }
  } catch (const epios::Error& error) {
    if (changes.empty() || error.what()[0] == '\0') std::abort();
    if (error.code() == epios::ErrorCode::internal) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (input.starts_with('\1')) {
    check_statistics(input.substr(1));
    return 0;
  }
  const epios::config::Checked checked = epios::config::check_and_resolve(files_of(input));
  for (const epios::config::Diagnostic& finding : checked.findings) {
    if (finding.text().empty()) std::abort();
  }
  for (const epios::config::Model& model : checked.models) {
    const std::vector<std::byte> bytes = epios::config::encode(model);
    if (epios::config::encode(epios::config::decode_model(bytes)) != bytes) std::abort();
    if (epios::config::to_json(model).empty()) std::abort();
  }
  return 0;
}
