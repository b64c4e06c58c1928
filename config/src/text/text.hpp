/// @file
/// Small helpers on text that every parser of the module shares.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/suggestion.hpp"

namespace epios::config {

/// Returns the text without leading and trailing white space.
std::string_view trimmed(std::string_view text);
/// Returns the text with ASCII letters in lower case.
std::string lower_case(std::string_view text);
/// Returns the offsets of the beginnings of lines, which end in LF, CR LF or, as in XML, CR.
std::vector<std::size_t> line_starts(std::string_view text);
/// Returns true if two words are equal except for the case of ASCII letters.
bool is_same_word(std::string_view a, std::string_view b);
/// Takes the first word from "a|b|later:c" and returns it.
std::string_view take_word(std::string_view& words);
/// Splits "a|b|later:c" into {a, b, c}, and "" into {}.
std::vector<std::string_view> split_words(std::string_view words);
/// Returns true if a word of such a list is not marked "later:".
bool is_available(std::string_view words, std::string_view word);
/// Splits "a, b,c" into {a, b, c}, without empty items.
std::vector<std::string_view> split_list(std::string_view list);
/// Returns "a, b, c".
std::string joined(const std::vector<std::string_view>& words);

/// Parses the whole text as a number. Accepts white space around it and a leading '+'.
std::optional<std::int64_t> parse_integer(std::string_view text);
std::optional<double> parse_real(std::string_view text);
/// Parses like parse_real, and also accepts 'd' for an exponent: "1.5d-3".
std::optional<double> parse_fortran_real(std::string_view text);
/// Returns true if a text reads like a number that no double can hold.
bool is_out_of_range(std::string_view text);
/// Returns the offset of the first byte that is not part of a UTF-8 character, or npos.
std::size_t first_not_utf8(std::string_view text);
/// Parses true .true. yes y, and false .false. no n, in upper or lower case.
std::optional<bool> parse_boolean(std::string_view text);

/// Returns the candidate nearest to `word` by edit distance (insertions, deletions, replacements
/// and swapped neighbours, ignoring case), or "" if none is near enough. Never returns `except`,
/// because an element that refers to nothing does not mean itself.
std::string closest(std::string_view word, const std::vector<std::string_view>& candidates,
                    std::string_view except = {});
/// Returns true if two words differ by one such edit, or by case only.
bool is_one_edit_away(std::string_view a, std::string_view b);

}  // namespace epios::config
