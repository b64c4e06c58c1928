#include "check/name_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "config/attributes.hpp"

namespace epios::config {

namespace {

constexpr std::size_t longest_name = 256;

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

bool may_begin_name(char c) {
  const bool is_letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  return is_letter || (c >= '0' && c <= '9') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

std::string name_complaint(std::string_view name) {
  if (name.empty()) return "it is empty";
  if (name.find('/') != std::string_view::npos) return "it holds a '/'";
  if (std::any_of(name.begin(), name.end(), is_control)) return "it holds a control character";
  if (!may_begin_name(name.front())) {
    return fmt::format("it begins with '{}', not with a letter, a digit or '_'", name.front());
  }
  if (name.back() == ' ') return "it ends in a space";
  if (name.size() > longest_name) return fmt::format("it is longer than {} bytes", longest_name);
  return {};
}

std::string path_with_period(std::string path, const FileAttributes& file) {
  constexpr std::string_view place = "@freq@";
  if (!file.output_freq) return path;
  const std::string period = file.output_freq->text();
  for (std::size_t at = path.find(place); at != std::string::npos;
       at = path.find(place, at + period.size())) {
    path.replace(at, place.size(), period);
  }
  return path;
}

void check_names(const Node& element, const Resolved& resolved, Findings& findings) {
  for (const AttributeInfo& row : attributes_of(element.kind)) {
    if (row.type != ValueType::string || !row.name.ends_with("_name")) continue;
    if (row.name == "standard_name" || row.name == "long_name") continue;  // texts
    const Setting* setting = resolved.find(row);
    if (setting == nullptr) continue;
    const std::string& name = std::get<std::string>(*setting->value);
    std::string why = name_complaint(name);
    if (why.empty()) continue;
    findings.error(Code::bad_name, setting->origin,
                   fmt::format("attribute '{}' of {} is '{}'", row.name, element.title(), name),
                   std::move(why), "Give a name that NetCDF takes.");
  }
}

}  // namespace epios::config
