#include "config/run_names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "config/error.hpp"

namespace epios::config {

namespace {

constexpr std::string_view component_place = "%component%";
constexpr std::string_view member_place = "%member%";
constexpr std::string_view digits = "0123456789";

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

/// "003" of "ocean_003"; empty: there is none.
std::string_view number_of(std::string_view code_id) {
  const std::size_t bar = code_id.rfind('_');
  if (bar == std::string_view::npos || bar == 0) return {};
  const std::string_view number = code_id.substr(bar + 1);
  return number.find_first_not_of(digits) == std::string_view::npos ? number : std::string_view{};
}

/// Returns true if every file system accepts the name.
bool is_plain(std::string_view member) {
  constexpr std::string_view plain =
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-";
  return member.find_first_not_of(plain) == std::string_view::npos;
}

}  // namespace

RunNames run_names(std::string_view code_id, std::string_view member) {
  const std::string_view number = number_of(code_id);
  if (member.empty()) return {std::string(code_id), std::string(number)};
  if (!is_plain(member)) {
    throw Error(ErrorCode::argument,
                fmt::format("EPIOS_MEMBER is '{}' (the member of an ensemble is part of the names "
                            "of files: letters, digits, '.' and '-'). EPIOS_MEMBER=001?",
                            member));
  }
  if (!number.empty()) {
    throw Error(ErrorCode::argument,
                fmt::format("EPIOS_MEMBER is '{}', and component '{}' is member {} by its name "
                            "already. Unset EPIOS_MEMBER?",
                            member, code_id, number));
  }
  return {fmt::format("{}_{}", code_id, member), std::string(member)};
}

std::string with_names(std::string_view text, const RunNames& names) {
  std::string result(text);
  if (names.component.empty() || text.find('%') == std::string_view::npos) return result;
  replace_all(result, component_place, names.component);
  if (!names.member.empty()) replace_all(result, member_place, names.member);
  return result;
}

std::string complaint(std::string_view text, const RunNames& names) {
  const bool is_missing = !names.component.empty() && names.member.empty() &&
                          text.find(member_place) != std::string_view::npos;
  if (!is_missing) return {};
  return fmt::format("component '{}' is no member of an ensemble, for which %member% stands",
                     names.component);
}

}  // namespace epios::config
