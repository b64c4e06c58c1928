// Counts per communicator, their table for readers, and their encoding for the first process of the
// job. In order: formatting, adding, the table, encoding.
#include "traces/statistics.hpp"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <vector>

namespace ep {

namespace {

constexpr std::size_t most_rows = 30;
constexpr std::size_t most_reasons = 4;

std::string printed(const char* format, ...) __attribute__((format(printf, 1, 2)));
std::string printed(const char* format, ...) {
  std::array<char, 256> text{};
  va_list arguments;
  va_start(arguments, format);
  const int size = std::vsnprintf(text.data(), text.size(), format, arguments);
  va_end(arguments);
  return {text.data(), std::min(static_cast<std::size_t>(std::max(size, 0)), text.size() - 1)};
}

template <class Value>
void put(std::string& out, const Value& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void put(std::string& out, const std::string& text) {
  put(out, text.size());
  out += text;
}

/// Bytes of write(), from the beginning.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : rest_(bytes) {}

  template <class Value>
  Value number() {
    Value value{};
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }
  std::string text() {
    const auto size = number<std::size_t>();
    std::string out(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return out;
  }

 private:
  std::string_view rest_;
};

// Lists the largest reasons, then the sum of the rest.
std::string reasons(const Totals& totals) {
  std::vector<std::pair<double, std::string>> known;
  double rest_s = totals.waited_s;
  for (const auto& [whom, seconds] : totals.waited_for_s) known.emplace_back(seconds, whom);
  std::sort(known.begin(), known.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::string out;
  for (std::size_t i = 0; i < std::min(known.size(), most_reasons); ++i) {
    out += (i > 0 ? ", " : "") + known[i].second + printed(" %.3f", known[i].first);
    rest_s -= known[i].first;
  }
  if (rest_s >= 0.0005) out += printed("%sothers %.3f", out.empty() ? "" : ", ", rest_s);
  return out;
}

// "EP_Allreduce: doubling 20, halving 4; EP_Bcast: ...".
std::string algorithms_text(const Totals& totals) {
  std::string out;
  std::string last;
  for (const auto& [name, times] : totals.algorithms) {
    const std::size_t space = name.find(' ');
    const std::string call = name.substr(0, space);
    out += call == last ? ", " : (out.empty() ? "" : "; ") + call + ": ";
    out += name.substr(space + 1) + " " + std::to_string(times);
    last = call;
  }
  return out;
}

}  // namespace

namespace {

// Adds the time to the entry of `whom`, unless the table is full; then only the sum has it.
void add_known(Totals& totals, const std::string& whom, double time_s) {
  const bool fits = totals.waited_for_s.size() < Totals::most_known;
  if (fits || totals.waited_for_s.contains(whom)) totals.waited_for_s[whom] += time_s;
}

}  // namespace

void Totals::add_wait(double time_s, const std::vector<std::string>& whom) {
  waited_s += time_s;
  for (const std::string& name : whom) {
    add_known(*this, name, time_s / static_cast<double>(whom.size()));
  }
}

void Totals::add(const Totals& other) {
  communicators += other.communicators;
  messages += other.messages;
  message_bytes += other.message_bytes;
  collectives += other.collectives;
  collective_bytes += other.collective_bytes;
  waited_s += other.waited_s;
  for (const auto& [whom, seconds] : other.waited_for_s) add_known(*this, whom, seconds);
  for (const auto& [name, times] : other.algorithms) algorithms[name] += times;
}

std::string readable_bytes(std::int64_t bytes) {
  constexpr std::array<const char*, 6> units{"B", "kB", "MB", "GB", "TB", "PB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 999.5 && unit + 1 < units.size(); ++unit) value /= 1000;
  return printed(unit > 0 && value < 99.95 ? "%.1f %s" : "%.0f %s", value, units[unit]);
}

void Statistics::add(const std::string& name, int ranks, const Totals& totals) {
  rows_[{name, ranks}].add(totals);
}

void Statistics::add(const Statistics& other) {
  for (const auto& [key, totals] : other.rows_) add(key.first, key.second, totals);
}

bool Statistics::is_quiet() const noexcept {
  return std::all_of(rows_.begin(), rows_.end(),
                     [](const auto& row) { return row.second.is_quiet(); });
}

std::string Statistics::table(std::string_view where) const {
  std::vector<const std::pair<const std::pair<std::string, int>, Totals>*> rows;
  for (const auto& row : rows_) {
    if (!row.second.is_quiet()) rows.push_back(&row);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const auto* a, const auto* b) {
    return a->second.waited_s > b->second.waited_s;
  });
  std::string out =
      "[ep statistics] " + std::string(where) + "; seconds and bytes are sums over endpoints\n";
  out +=
      printed("[ep statistics] %-24s %6s %6s %9s %8s %11s %8s %9s  %s\n", "communicator", "ranks",
              "made", "messages", "bytes", "collectives", "bytes", "waited s", "for whom");
  for (std::size_t i = 0; i < std::min(rows.size(), most_rows); ++i) {
    const auto& [key, totals] = *rows[i];
    const std::string name = key.first.empty() ? "(unnamed)" : key.first;
    out +=
        "[ep statistics] " + name + std::string(24 - std::min<std::size_t>(name.size(), 24), ' ');
    out += printed(
        " %6d %6lld %9lld %8s ", key.second, static_cast<long long>(totals.communicators),
        static_cast<long long>(totals.messages), readable_bytes(totals.message_bytes).c_str());
    out += printed("%11lld %8s %9.3f  ", static_cast<long long>(totals.collectives),
                   readable_bytes(totals.collective_bytes).c_str(), totals.waited_s);
    out += reasons(totals) + "\n";
    if (const std::string text = algorithms_text(totals); !text.empty()) {
      out += "[ep statistics]   between processes by " + text + "\n";
    }
  }
  if (rows.size() > most_rows) {
    out += printed("[ep statistics] and %zu more\n", rows.size() - most_rows);
  }
  return out;
}

std::string Statistics::write() const {
  std::string out;
  put(out, rows_.size());
  for (const auto& [key, totals] : rows_) {
    put(out, key.first);
    put(out, key.second);
    for (const std::int64_t number : {totals.communicators, totals.messages, totals.message_bytes,
                                      totals.collectives, totals.collective_bytes}) {
      put(out, number);
    }
    put(out, totals.waited_s);
    put(out, totals.waited_for_s.size());
    for (const auto& [whom, seconds] : totals.waited_for_s) {
      put(out, whom);
      put(out, seconds);
    }
    put(out, totals.algorithms.size());
    for (const auto& [name, times] : totals.algorithms) {
      put(out, name);
      put(out, times);
    }
  }
  return out;
}

Statistics Statistics::read(std::string_view bytes) {
  Statistics out;
  Cursor cursor(bytes);
  for (auto rows = cursor.number<std::size_t>(); rows > 0; --rows) {
    const std::string name = cursor.text();
    const int ranks = cursor.number<int>();
    Totals totals;
    for (std::int64_t* const number :
         {&totals.communicators, &totals.messages, &totals.message_bytes, &totals.collectives,
          &totals.collective_bytes}) {
      *number = cursor.number<std::int64_t>();
    }
    totals.waited_s = cursor.number<double>();
    for (auto left = cursor.number<std::size_t>(); left > 0; --left) {
      const std::string whom = cursor.text();
      totals.waited_for_s[whom] = cursor.number<double>();
    }
    for (auto left = cursor.number<std::size_t>(); left > 0; --left) {
      const std::string algorithm = cursor.text();
      totals.algorithms[algorithm] = cursor.number<std::int64_t>();
    }
    out.add(name, ranks, totals);
  }
  return out;
}

}  // namespace ep
