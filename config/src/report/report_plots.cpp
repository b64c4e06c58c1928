// Two plots of each context: waits over the run, and the step that took longest. The same figures
// make letters on a terminal and SVG in a page.
#include "report/report_plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "report/report_words.hpp"
#include "text/printable.hpp"

namespace epios::config {
namespace {

constexpr const char* packing_colour = "#56b4e9";
constexpr const char* waiting_colour = "#d55e00";

double largest_share(const BlockedOverTime& blocked) {
  return blocked.shares.empty() ? 0
                                : *std::max_element(blocked.shares.begin(), blocked.shares.end());
}

std::string steps_text(const BlockedOverTime& blocked, std::size_t column) {
  const std::int64_t first = static_cast<std::int64_t>(column) * blocked.steps_per_column + 1;
  return blocked.steps_per_column == 1
             ? fmt::format("step {}", first)
             : fmt::format("steps {} to {}", first, first + blocked.steps_per_column - 1);
}

const char* kind_of(const SlowestStep::Span& span) { return span.is_wait ? "waiting" : "packing"; }

std::string field_of(const SlowestStep::Span& span) {
  return span.field.empty() ? "(no record)" : printable(span.field);
}

std::string title_of(const SlowestStep& step) {
  return fmt::format("step {} ({}), in which the first client waited and packed longest", step.step,
                     printable(step.date));
}

/// For text between tags and in attributes.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    out += c == '<'   ? "&lt;"
           : c == '>' ? "&gt;"
           : c == '&' ? "&amp;"
           : c == '"' ? "&quot;"
                      : std::string(1, c);
  }
  return out;
}

}  // namespace

std::string blocked_lines(const ContextCost& context) {
  const BlockedOverTime& blocked = context.blocked;
  const double most = largest_share(blocked);
  if (most <= 0) return {};
  constexpr int rows = 4;
  const std::string top = percent_text(most);
  std::string out = fmt::format("  blocked, of the time of all clients; a column: {}\n",
                                counted(blocked.steps_per_column, "step"));
  for (int row = rows; row > 0; --row) {
    std::string line = fmt::format("  {:>{}} |", row == rows ? top : "", top.size());
    for (const double share : blocked.shares) {
      // What is not zero is seen.
      const int height = static_cast<int>(std::ceil(rows * share / most));
      line += height >= row ? '#' : ' ';
    }
    line.resize(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out + fmt::format("  {:>{}} +{:-<{}}\n", "", top.size(), "", blocked.shares.size());
}

std::string slowest_step_lines(const ContextCost& context) {
  const SlowestStep& step = context.slowest_step;
  const double whole = step.seconds();
  if (whole <= 0) return {};
  constexpr int width = 40;
  std::size_t longest = 0;
  for (const auto& span : step.spans) longest = std::max(longest, field_of(span).size());
  std::string out = "  " + title_of(step) + "\n";
  for (const SlowestStep::Span& span : step.spans) {
    const int begin = std::min(width - 1, static_cast<int>(width * span.begin_s / whole));
    const double last = std::ceil(width * (span.begin_s + span.seconds) / whole);
    const int end = std::clamp(static_cast<int>(last), begin + 1, width);
    const std::string bar = span.is_wait ? fmt::format("{:.<{}}", "", end - begin)
                                         : fmt::format("{:#<{}}", "", end - begin);
    out += fmt::format("    {:<{}} |{:{}}{}{:{}}| {} {}\n", field_of(span), longest, "", begin, bar,
                       "", width - end, kind_of(span), seconds_text(span.seconds));
  }
  if (step.more > 0) out += fmt::format("    {} more\n", step.more);
  return out;
}

std::string blocked_drawing(const ContextCost& context) {
  const BlockedOverTime& blocked = context.blocked;
  const double most = largest_share(blocked);
  if (most <= 0) return {};
  constexpr double left = 70, width = 870, height = 120;
  const double column = width / static_cast<double>(blocked.shares.size());
  std::string out = fmt::format(
      "<h3>Blocked, of the time of all clients</h3>\n<svg viewBox=\"0 0 {} {}\" role=\"img\">"
      "<text x=\"{}\" y=\"14\" text-anchor=\"end\">{}</text><text x=\"{}\" y=\"{}\" "
      "text-anchor=\"end\">0 %</text><path d=\"M {} 2 V {} H {}\" fill=\"none\" "
      "stroke=\"#888\"/>\n",
      left + width + 10, height + 30, left - 6, percent_text(most), left - 6, height, left, height,
      left + width);
  for (std::size_t c = 0; c < blocked.shares.size(); ++c) {
    const double high = (height - 4) * blocked.shares[c] / most;
    out += fmt::format(
        R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" fill="{}"><title>{}: {} of {}</title></rect>)",
        left + static_cast<double>(c) * column, height - high, std::max(1.0, column - 1), high,
        waiting_colour, steps_text(blocked, c), percent_text(blocked.shares[c]),
        seconds_text(blocked.seconds[c]));
  }
  const std::size_t last = blocked.shares.size() - 1;
  return out + fmt::format(
                   "\n<text x=\"{}\" y=\"{}\">{}</text><text x=\"{}\" y=\"{}\" "
                   "text-anchor=\"end\">{}</text>\n</svg>\n",
                   left, height + 20, steps_text(blocked, 0), left + width, height + 20,
                   last == 0 ? "" : steps_text(blocked, last));
}

std::string slowest_step_drawing(const ContextCost& context) {
  const SlowestStep& step = context.slowest_step;
  const double whole = step.seconds();
  if (whole <= 0) return {};
  constexpr double names = 220, width = 720, height = 18;
  std::string out = fmt::format(
      "<h3>{}</h3>\n<p><span class=\"key\" style=\"background:{}\"></span>packing"
      "<span class=\"key\" style=\"background:{}\"></span>waiting for room; the whole is "
      "{}</p>\n<svg viewBox=\"0 0 {} {}\" role=\"img\">\n",
      escaped(title_of(step)), packing_colour, waiting_colour, seconds_text(whole),
      names + width + 10, height * static_cast<double>(step.spans.size()) + 4);
  double y = 2;
  for (const SlowestStep::Span& span : step.spans) {
    const std::string name = escaped(field_of(span));
    out += fmt::format(
        R"(<text x="{}" y="{}" text-anchor="end">{}</text><rect x="{:.1f}" y="{}" width="{:.1f}" height="{}" fill="{}"><title>{}: {}: {}</title></rect>)",
        names - 8, y + height - 5, name, names + width * span.begin_s / whole, y,
        std::max(1.0, width * span.seconds / whole), height - 3,
        span.is_wait ? waiting_colour : packing_colour, name, kind_of(span),
        seconds_text(span.seconds));
    out += '\n';
    y += height;
  }
  out += "</svg>\n";
  if (step.more > 0) out += fmt::format("<p>{} more.</p>\n", step.more);
  return out;
}

}  // namespace epios::config
