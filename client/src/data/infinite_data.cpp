#include "data/infinite_data.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "config/model.hpp"

namespace epios::client {
namespace {

// A model that blows up does so in all of its fields.
constexpr std::size_t max_infinity_warnings = 100;

/// ", first in the record of <date>"; of what has no time nothing.
std::string record_text(const config::Model& model, const config::Stream& stream,
                        std::int64_t record) {
  const config::Operation operation = stream.sampling.operation;
  if (!config::has_time(operation)) return "";
  const config::Calendar calendar = model.calendar();
  const config::RecordTime time = model.record_times(stream).of(record);
  std::string text = ", first in the record of ";
  if (config::is_centered(operation)) text += calendar.text(time.begin) + " to ";
  return text + calendar.text(time.end);
}

}  // namespace

std::vector<std::string> infinity_warnings(const config::Model& model,
                                           std::vector<io::InfiniteValues> infinite) {
  std::sort(infinite.begin(), infinite.end(),
            [](const auto& a, const auto& b) { return a.stream < b.stream; });
  std::vector<std::string> out;
  for (const io::InfiniteValues& of : infinite) {
    if (out.size() == max_infinity_warnings) {
      out.push_back(fmt::format("context '{}': {} more warnings like these", model.context_id,
                                infinite.size() - max_infinity_warnings));
      break;
    }
    const config::Stream& stream = nth(model.streams, of.stream);
    out.push_back(
        fmt::format("context '{}': {} value{} of '{}' in file '{}' {} infinite{} (prec=\"4\" holds "
                    "numbers up to "
                    "3.4e38; the model may have sent infinite ones). Does it need prec=\"8\"?",
                    model.context_id, of.values, of.values == 1 ? "" : "s", stream.name,
                    model.files[stream.file].id, of.values == 1 ? "is" : "are",
                    record_text(model, stream, of.record)));
  }
  return out;
}

std::string received_infinity_text(const config::Model& model, const std::string& field,
                                   std::int64_t values, config::Instant first) {
  return fmt::format(
      "context '{}': {} value{} of '{}' {} infinite as received in single precision, first at {} "
      "(it holds numbers up to 3.4e38; the data may have infinite ones). Receive double precision?",
      model.context_id, values, values == 1 ? "" : "s", field, values == 1 ? "is" : "are",
      model.calendar().text(first));
}

}  // namespace epios::client
