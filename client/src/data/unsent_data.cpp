#include "data/unsent_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "config/data_graph.hpp"
#include "config/index.hpp"
#include "config/model.hpp"

namespace epios::client {
namespace {

using io::StreamAccount;

constexpr std::size_t max_unsent_warnings = 100;

std::string counted(std::int64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// "'tos' of file 'daily' has no data at 3 of 24 dates, <date> to <date>: of 1 record 1 with fewer
/// samples"; `records`: that the file has.
std::string stream_text(const config::Model& model, const config::Stream& stream,
                        const StreamAccount& account, std::int64_t records) {
  const config::Calendar calendar = model.calendar();
  const auto& file = model.files[stream.file];
  std::string text = fmt::format("'{}' of file '{}' has no data at {} of {}", stream.name, file.id,
                                 account.dates_missed, counted(account.dates, "date"));
  if (account.dates_missed > 0) text += ", " + calendar.text(account.first_missed);
  if (account.dates_missed > 0 && account.last_missed != account.first_missed) {
    text += " to " + calendar.text(account.last_missed);
  }
  text += fmt::format(": of {}", counted(account.records, "record"));
  if (account.records_missing > 0) text += fmt::format(" {} missing", account.records_missing);
  const std::int64_t left_out = std::min(account.records - records, account.records_missing);
  if (left_out > 0) text += fmt::format(" ({} in all fields: not in the file)", left_out);
  if (account.records_short > 0) {
    text += fmt::format("{} {} with fewer samples", account.records_missing > 0 ? "," : "",
                        account.records_short);
  }
  return text;
}

std::string cut_off_text(const config::Model& model, const config::Stream& stream,
                         const StreamAccount& account) {
  const config::Calendar calendar = model.calendar();
  const auto period = model.record_times(stream).whole_of(account.last_period);
  return fmt::format(
      "context '{}': file '{}' does not hold the data of its last period (the run ends within it, "
      "{} to {})",
      model.context_id, model.files[stream.file].id, calendar.text(period.begin),
      calendar.text(period.end));
}

/// "'u' and 'v'"
std::string operands_text(const config::Model& model, const config::DataGraph& graph,
                          config::DataNodeId node) {
  const std::vector<config::SourceId> sources = graph.sources_of(node);
  std::string text;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const char* const between = i == 0 ? "" : i + 1 == sources.size() ? " and " : ", ";
    text += fmt::format("{}'{}'", between, nth(model.sources, sources[i]).id);
  }
  return text;
}

/// Whether all data of a stream come from files or other contexts, when those say.
bool is_read(const config::Model& model, const config::Stream& stream) {
  std::vector<config::ExpressionId> expressions;
  const auto add = [&](config::SourceId source, config::ExpressionId expression) {
    if (expression >= 0) expressions.push_back(expression);
    return source < 0 || !config::is_sent_by_model(model, source);
  };
  bool is_all = add(stream.source, stream.expression);
  std::vector<std::uint8_t> is_seen(model.expressions.size(), 0);
  while (!expressions.empty() && is_all) {
    const auto at = static_cast<std::size_t>(expressions.back());
    expressions.pop_back();
    if (std::exchange(is_seen[at], std::uint8_t{1}) != 0) continue;
    for (const config::FieldExpressionNode& node : nth(model.expressions, at).nodes) {
      if (config::is_data(node.op)) is_all = add(node.source, node.expression) && is_all;
    }
  }
  return is_all;
}

}  // namespace

UnsentData::UnsentData(const config::Model& model, const AccountOf& account,
                       const RepeatsOf& repeats, const RecordsOf& records) {
  Texts texts{std::vector<OriginText>(model.sources.size()),
              std::vector<OriginText>(model.expressions.size())};
  for (std::size_t f = 0; f < model.files.size(); ++f) {
    if (static_cast<int>(f) == model.statistics_file) continue;
    add_file(model, static_cast<int>(f), account, records(static_cast<int>(f)), texts);
  }
  for (std::size_t i = 0; i < texts.sources.size(); ++i) {
    warn_of_source(model, nth(model.sources, i).id, texts.sources[i], repeats(static_cast<int>(i)));
  }
  if (!model.expressions.empty()) {
    const config::DataGraph graph = config::data_graph(model);
    for (std::size_t i = 0; i < texts.expressions.size(); ++i) {
      warn_of_expression(model, nth(model.expressions, i).id,
                         operands_text(model, graph, nth(graph.of_expression, i)),
                         texts.expressions[i]);
    }
  }
  if (warnings_.size() <= max_unsent_warnings) return;
  const std::size_t more = warnings_.size() - max_unsent_warnings;
  warnings_.resize(max_unsent_warnings);
  warnings_.push_back(fmt::format(
      "context '{}': {} more warnings like these (the reports of the files name all fields)",
      model.context_id, more));
}

void UnsentData::add_file(const config::Model& model, int file, const AccountOf& account,
                          std::int64_t records, Texts& texts) {
  FileAccount sum;
  bool is_cut_off = false;
  for (const int s : nth(model.files, file).streams) {
    const config::Stream& stream = nth(model.streams, s);
    const StreamAccount& own = account(s);
    const bool goes_on = model.statistics_file >= 0;
    if (own.samples_left > 0 && !is_cut_off && !goes_on) {
      notes_.push_back(cut_off_text(model, stream, own));
      is_cut_off = true;
    }
    OriginText& text = stream.source >= 0 ? nth(texts.sources, stream.source)
                                          : nth(texts.expressions, stream.expression);
    text.was_there = text.was_there || own.dates_missed < own.dates;
    if (own.is_complete() || is_read(model, stream)) continue;
    text.streams += (text.streams.empty() ? "" : "; ") + stream_text(model, stream, own, records);
    sum.records_missing += own.records_missing;
    sum.records_short += own.records_short;
    sum.fields += fmt::format("{}{}", sum.fields.empty() ? "" : ", ", stream.name);
    if (own.records_missing > 0) sum.fields += fmt::format(" {} missing", own.records_missing);
    if (own.records_short > 0) sum.fields += fmt::format(" {} short", own.records_short);
  }
  if (!sum.fields.empty()) files_.push_back({file, std::move(sum)});
}

void UnsentData::warn_of_expression(const config::Model& model, const std::string& field,
                                    const std::string& operands, const OriginText& text) {
  if (text.streams.empty()) return;
  warnings_.push_back(fmt::format(
      "context '{}': field '{}' could {} be worked out ({}). Does the model send {} at each of "
      "these dates?",
      model.context_id, field, text.was_there ? "not always" : "never", text.streams, operands));
}

void UnsentData::warn_of_source(const config::Model& model, const std::string& field,
                                const OriginText& text, std::int64_t repeated) {
  if (!text.streams.empty()) {
    warnings_.push_back(fmt::format(
        "context '{}': field '{}' was {} ({}). Does the model send it at every step, or does "
        "freq_op say when?",
        model.context_id, field,
        text.was_there ? "not always sent when files need it" : "never sent", text.streams));
  }
  if (repeated > 0) {
    warnings_.push_back(fmt::format(
        "context '{}': field '{}' was sent again {} (it had been sent at the same date; only the "
        "first counts). Is the calendar updated before each step?",
        model.context_id, field, counted(repeated, "time")));
  }
}

UnsentData::FileAccount UnsentData::of_file(int file) const {
  const auto found = std::find_if(files_.begin(), files_.end(),
                                  [&](const NumberedAccount& known) { return known.file == file; });
  return found == files_.end() ? FileAccount{} : found->account;
}

}  // namespace epios::client
