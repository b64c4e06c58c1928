// Functions on words and numbers in text: trimming, lists, parsing, and suggestions. Suggestions
// compare a misspelt word with all candidates by edit distance; the number of comparisons is
// limited elsewhere (findings.hpp).
#include "text/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

namespace epios::config {

namespace {

constexpr std::string_view white_space = " \t\r\n\f\v";
constexpr std::string_view later_mark = "later:";
/// Longer words are not compared: suggestions are for identifiers, and the cost is quadratic.
constexpr std::size_t longest_word = 100;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

template <class T>
std::optional<T> parse_number(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  T value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

/// Bytes of the character that begins with `lead`, 0 when none does.
std::size_t length_of_utf8(unsigned lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xC0) return 0;
  if (lead < 0xE0) return 2;
  if (lead < 0xF0) return 3;
  return lead < 0xF8 ? 4 : 0;
}

/// Bits of the letters in a word. Each letter that one word has and another one lacks costs an
/// edit.
std::uint64_t letters_of(std::string_view word) {
  std::uint64_t letters = 0;
  for (const char c : word) letters |= std::uint64_t{1} << (static_cast<unsigned char>(c) % 64U);
  return letters;
}

bool may_be_nearer(std::uint64_t a, std::uint64_t b, std::size_t limit) {
  const int missing = std::max(std::popcount(a & ~b), std::popcount(b & ~a));
  return static_cast<std::size_t>(missing) < limit;
}

/// Optimal string alignment distance of words in lower case, or `limit` when it is not less.
std::size_t distance(std::string_view a, std::string_view b, std::size_t limit) {
  // A candidate is longer than the longest word by less than the limit.
  using Row = std::array<std::size_t, 2 * longest_word>;
  Row before{};
  Row last{};
  Row now{};
  std::size_t smallest_last = 0;
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t smallest = now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t cost = a[i - 1] == b[j - 1] ? 0 : 1;
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + cost});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) now[j] = std::min(now[j], before[j - 2] + 1);
      smallest = std::min(smallest, now[j]);
    }
    // No later row is below two rows that are not.
    if (smallest >= limit && smallest_last >= limit) return limit;
    smallest_last = smallest;
    std::swap(before, last);
    std::swap(last, now);
  }
  return std::min(limit, last[b.size()]);
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(white_space);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(white_space) - first + 1);
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = lower(c);
  return result;
}

std::vector<std::size_t> line_starts(std::string_view text) {
  std::vector<std::size_t> starts{0};
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_inside = text[at] == '\r' && text.substr(at + 1).starts_with('\n');
    if ((text[at] == '\n' || text[at] == '\r') && !is_inside) starts.push_back(at + 1);
  }
  return starts;
}

bool is_same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char one, char other) { return lower(one) == lower(other); });
}

std::string_view take_word(std::string_view& words) {
  const std::size_t bar = words.find('|');
  std::string_view word = words.substr(0, bar);
  if (word.starts_with(later_mark)) word.remove_prefix(later_mark.size());
  words = bar == std::string_view::npos ? std::string_view{} : words.substr(bar + 1);
  return word;
}

std::vector<std::string_view> split_words(std::string_view words) {
  std::vector<std::string_view> result;
  while (!words.empty()) result.push_back(take_word(words));
  return result;
}

bool is_available(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const std::size_t bar = words.find('|');
    const std::string_view known = words.substr(0, bar);
    if (known.starts_with(later_mark) && known.substr(later_mark.size()) == word) return false;
    words = bar == std::string_view::npos ? std::string_view{} : words.substr(bar + 1);
  }
  return true;
}

std::vector<std::string_view> split_list(std::string_view list) {
  std::vector<std::string_view> items;
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    const std::string_view item = trimmed(list.substr(0, comma));
    if (!item.empty()) items.push_back(item);
    list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
  }
  return items;
}

std::string joined(const std::vector<std::string_view>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  return parse_number<std::int64_t>(text);
}

std::optional<double> parse_real(std::string_view text) { return parse_number<double>(text); }

std::optional<double> parse_fortran_real(std::string_view text) {
  std::string number(trimmed(text));
  // Letters elsewhere are none of a number, but of "inf" and "nan", which have no 'd'.
  if (const std::size_t at = number.find_first_of("dD"); at != std::string::npos) number[at] = 'e';
  return parse_real(number);
}

bool is_out_of_range(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc::result_out_of_range && stop == end;
}

std::size_t first_not_utf8(std::string_view text) {
  const auto byte = [text](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  for (std::size_t at = 0; at < text.size();) {
    const unsigned lead = byte(at);
    const std::size_t size = length_of_utf8(lead);
    if (size == 0 || size > text.size() - at) return at;
    unsigned code = size == 1 ? lead : lead & (0x7FU >> size);
    for (std::size_t i = 1; i < size; ++i) {
      if ((byte(at + i) & 0xC0U) != 0x80U) return at;
      code = code << 6U | (byte(at + i) & 0x3FU);
    }
    // Longer than need be, one half of a pair of UTF-16, past the end of Unicode.
    constexpr std::array<unsigned, 5> smallest = {0, 0, 0x80, 0x800, 0x10000};
    if (code < smallest[size] || (code >= 0xD800 && code <= 0xDFFF) || code > 0x10FFFF) return at;
    at += size;
  }
  return std::string_view::npos;
}

std::optional<bool> parse_boolean(std::string_view text) {
  const std::string word = lower_case(trimmed(text));
  if (word == "true" || word == ".true." || word == "yes" || word == "y") return true;
  if (word == "false" || word == ".false." || word == "no" || word == "n") return false;
  return std::nullopt;
}

std::string closest(std::string_view word, const std::vector<std::string_view>& candidates,
                    std::string_view except) {
  if (word.empty() || word.size() > longest_word) return {};
  const std::string wanted = lower_case(word);
  const std::uint64_t letters = letters_of(wanted);
  // Every other word of one or two letters is near; only the case may differ there.
  std::size_t best_distance = word.size() < 3 ? 1 : std::max<std::size_t>(1, word.size() / 3) + 1;
  std::string_view best;
  std::string folded;
  for (const std::string_view candidate : candidates) {
    const std::size_t difference =
        std::max(candidate.size(), word.size()) - std::min(candidate.size(), word.size());
    if (difference >= best_distance || candidate == word || candidate == except) continue;
    folded.resize(candidate.size());
    std::transform(candidate.begin(), candidate.end(), folded.begin(), lower);
    if (!may_be_nearer(letters, letters_of(folded), best_distance)) continue;
    const std::size_t d = distance(wanted, folded, best_distance);
    if (d < best_distance) {
      best_distance = d;
      best = candidate;
    }
  }
  if (!best.empty() || wanted.size() < 3) return std::string(best);
  // "max" for "maximum".
  for (const std::string_view candidate : candidates) {
    const bool is_longer = candidate.size() > wanted.size() && candidate != except;
    if (is_longer && lower_case(candidate.substr(0, wanted.size())) == wanted) {
      return std::string(candidate);
    }
  }
  return {};
}

bool is_one_edit_away(std::string_view a, std::string_view b) {
  if (std::max(a.size(), b.size()) > longest_word) return false;
  return distance(lower_case(a), lower_case(b), 2) < 2;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates) {
  const std::string best = closest(word, candidates);
  return best.empty() ? best : fmt::format("Did you mean '{}'?", best);
}

}  // namespace epios::config
