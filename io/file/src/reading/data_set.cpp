// The files of several writers (type="multiple_file") read as the whole that they make.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <map>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "config/error.hpp"
#include "config/file_format.hpp"
#include "config/index.hpp"
#include "file/data_file.hpp"
#include "reading/classic_header.hpp"

namespace epios::io {

namespace {

/// Numbers as StoredAttribute has them: "1, 2".
std::vector<std::int64_t> numbers_in(const std::string& text) {
  std::vector<std::int64_t> out;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    std::int64_t number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc{}) return out;
    out.push_back(number);
    at = next;
    while (at < end && (*at == ',' || *at == ' ')) ++at;
  }
  return out;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

/// `<stem>_<number><suffix>` in the folder of `path`, by number.
std::map<std::int64_t, std::string> members_of(const std::string& path) {
  std::map<std::int64_t, std::string> out;
  const std::filesystem::path whole(path);
  const std::string_view extension = config::suffix_of(path);
  if (extension.empty()) return out;
  const std::string front = whole.stem().string() + "_";
  const std::filesystem::path folder = whole.has_parent_path() ? whole.parent_path() : ".";
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(front) || !name.ends_with(extension)) continue;
    const std::string digits = name.substr(
        front.size(), std::max(name.size() - extension.size(), front.size()) - front.size());
    if (digits.empty() || digits.size() > 9 ||
        !std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; })) {
      continue;
    }
    out.emplace(std::stoll(digits), (whole.parent_path() / name).string());
  }
  return out;
}

}  // namespace

std::int64_t DataFile::number(const std::string& attribute) const {
  for (const StoredAttribute& its : attributes_) {
    if (its.name != attribute) continue;
    const std::vector<std::int64_t> numbers = numbers_in(its.text);
    if (numbers.size() == 1) return numbers.front();
  }
  return -1;
}

/// netcdf-c makes zeros of what a file in a classic format lacks.
std::unique_ptr<DataFile> DataFile::whole_member(const std::string& path) {
  std::error_code ignored;
  const std::string why =
      std::filesystem::is_directory(path, ignored) ? std::string() : classic_problem(path);
  if (!why.empty()) {
    throw Error(ErrorCode::io, fmt::format("file '{}' cannot be read ({}). Has it been copied in "
                                           "whole?",
                                           path, why));
  }
  return std::make_unique<DataFile>(path);
}

void DataFile::open_set() {
  const auto paths = members_of(path_);
  std::map<std::int64_t, std::string> broken;  // why, by number
  for (const auto& [number, path] : paths) {
    const std::optional<FileIdentity> identity = file_identity(path);
    try {
      auto file = whole_member(path);
      if (file->number("DOMAIN_number") != number) continue;  // it only has such a name
      members_.push_back({std::move(file), identity, {}, {}});
    } catch (const Error& error) {
      broken.emplace(number, error.what());
    }
  }
  const auto refuse = [this](const std::string& why) {
    members_.clear();
    throw IncompleteSet(ErrorCode::io,
                        fmt::format("file '{}' cannot be put together: {}", path_, why));
  };
  if (members_.empty() && !broken.empty()) refuse(broken.begin()->second);
  if (members_.empty()) return;
  const DataFile& first = *members_.front().file;
  const std::int64_t total = first.number("DOMAIN_number_total");
  for (std::int64_t n = 0; n < std::max<std::int64_t>(total, 1); ++n) {
    const bool is_there =
        std::cmp_less(n, members_.size()) && nth(members_, n).file->number("DOMAIN_number") == n;
    if (is_there) continue;
    if (const auto why = broken.find(n); why != broken.end()) refuse(why->second);
    members_.clear();
    throw IncompleteSet(
        ErrorCode::io,
        fmt::format("file '{}' cannot be put together (number {} of its {} files is not "
                    "there). Has its writer failed?",
                    path_, n, total));
  }
  format_ = fmt::format("{} files of {}", members_.size(), first.format_);
  variables_ = first.variables_;
  dimensions_ = first.dimensions_;
  for (const StoredAttribute& attribute : first.attributes_) {
    const std::string& name = attribute.name;
    const bool is_position = name.starts_with("DOMAIN_") || name.starts_with("ibegin") ||
                             name.starts_with("jbegin") || name == "ni" || name == "nj" ||
                             name.starts_with("ni_") || name.starts_with("nj_");
    if (!is_position) attributes_.push_back(attribute);
  }
  for (StoredVariable& variable : variables_) {
    variable.stored_bytes = 0;
    for (const Member& member : members_) {
      const int index = member.file->find(variable.name);
      if (index < 0) continue;
      variable.stored_bytes += nth(member.file->variables_, index).stored_bytes;
    }
  }
  is_cut_.assign(dimensions_.size(), false);
  for (Member& member : members_) place(member);
  place_gathered();
  expect_alike();
}

/// Checks that each file has the whole of what no domain cuts.
void DataFile::expect_alike() const {
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    for (const Member& member : members_) {
      if (is_cut_[d] || member.size[d] == 0 || member.size[d] == dimensions_[d].length) continue;
      throw IncompleteSet(
          ErrorCode::io,
          fmt::format("file '{}' cannot be put together (dimension '{}' is {} in '{}' and {} in "
                      "'{}'). Are they of one run?",
                      path_, dimensions_[d].name, dimensions_[d].length,
                      members_.front().file->path_, member.size[d], member.file->path_));
    }
  }
}

/// Returns true if a variable lists the points of a dimension (CF 8.2), for dimensions that are
/// cut.
bool DataFile::is_gathered(const StoredVariable& index) const {
  const std::vector<std::string> names = words_of(index.attribute("compress"));
  return std::any_of(names.begin(), names.end(), [this](const std::string& name) {
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
      if (dimensions_[d].name == name && is_cut_[d]) return true;
    }
    return false;
  });
}

/// Points of one file follow those of the one before it.
void DataFile::place_gathered() {
  for (const StoredVariable& index : variables_) {
    if (index.dimensions.size() != 1 || !is_gathered(index)) continue;
    const auto d = static_cast<std::size_t>(index.dimensions.front());
    std::int64_t begin = 0;
    for (Member& member : members_) {
      member.begin[d] = begin;
      begin += member.size[d];
    }
    is_cut_[d] = true;
    dimensions_[d].length = begin;
  }
}

/// Numbers of points of one file of the set as those among all.
void DataFile::count_in_whole(const Member& member, const StoredVariable& index,
                              std::vector<double>& values) const {
  std::vector<std::size_t> dimensions;
  for (const std::string& name : words_of(index.attribute("compress"))) {
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
      if (dimensions_[d].name == name) dimensions.push_back(d);
    }
  }
  for (double& value : values) {
    auto rest = static_cast<std::int64_t>(value);
    std::int64_t whole_number = 0;
    std::int64_t stride = 1;
    for (std::size_t n = dimensions.size(); n-- > 0;) {
      const std::size_t d = dimensions[n];
      const std::int64_t size = std::max<std::int64_t>(member.size[d], 1);
      whole_number += (member.begin[d] + rest % size) * stride;
      stride *= dimensions_[d].length;
      rest /= size;
    }
    value = static_cast<double>(whole_number);
  }
}

/// By the positions that it gives of its domains.
void DataFile::place(Member& member) {
  const DataFile& file = *member.file;
  member.begin.assign(dimensions_.size(), 0);
  member.size.assign(dimensions_.size(), 0);
  for (const StoredDimension& dimension : file.dimensions_) {
    const auto known = std::find_if(dimensions_.begin(), dimensions_.end(),
                                    [&](const auto& d) { return d.name == dimension.name; });
    if (known == dimensions_.end()) continue;
    nth(member.size, known - dimensions_.begin()) = dimension.length;
    if (!dimension.is_record || dimension.length == known->length) continue;
    throw IncompleteSet(ErrorCode::io,
                        fmt::format("file '{}' cannot be put together ('{}' has {} records "
                                    "and '{}' has {}). Is each of its files whole?",
                                    path_, members_.front().file->path_, known->length, file.path_,
                                    dimension.length));
  }
  constexpr std::string_view ids_name = "DOMAIN_dimensions_ids";
  for (const StoredAttribute& attribute : file.attributes_) {
    if (!attribute.name.starts_with(ids_name)) continue;
    const std::string ending = attribute.name.substr(ids_name.size());
    const auto numbers = [&](const char* name) {
      for (const StoredAttribute& other : file.attributes_) {
        if (other.name == name + ending) return numbers_in(other.text);
      }
      return std::vector<std::int64_t>();
    };
    const std::vector<std::int64_t> ids = numbers_in(attribute.text);
    const std::vector<std::int64_t> positions = numbers("DOMAIN_position_first");
    const std::vector<std::int64_t> sizes = numbers("DOMAIN_size_global");
    for (std::size_t i = 0; i < std::min({ids.size(), positions.size(), sizes.size()}); ++i) {
      if (ids[i] < 1 || std::cmp_greater(ids[i], file.dimensions_.size())) continue;
      const std::string& name = nth(file.dimensions_, ids[i] - 1).name;
      for (std::size_t d = 0; d < dimensions_.size(); ++d) {
        if (dimensions_[d].name != name) continue;
        member.begin[d] = positions[i] - 1;
        is_cut_[d] = true;
        dimensions_[d].length = sizes[i];
      }
    }
  }
}

/// Returns the part of a variable in a file of the set; nothing if the first file has all, or this
/// one has none.
Box DataFile::box_of(const Member& member, int variable) const {
  const std::vector<int>& dimensions = nth(variables_, variable).dimensions;
  const bool is_cut =
      std::any_of(dimensions.begin(), dimensions.end(), [this](int d) { return nth(is_cut_, d); });
  const bool is_first = &member == &members_.front();
  const bool has_it = member.file->find(nth(variables_, variable).name) >= 0;
  if (!has_it || (!is_cut && !is_first)) return nothing(dimensions.size());
  Box out;
  for (const int d : dimensions) {
    out.begin.push_back(nth(member.begin, d));
    out.size.push_back(nth(member.size, d));
  }
  return out;
}

void DataFile::check_same(const Member& member, int variable) const {
  if (file_identity(member.file->path_) == member.identity) return;
  throw Error(ErrorCode::io,
              fmt::format("file '{}' has been changed since it was opened (variable '{}' is not "
                          "read). Does another program write to it?",
                          member.file->path_, nth(variables_, variable).name));
}

/// `values_of`: a box of variable number so of a file of the set.
std::vector<double> DataFile::put_together(int variable, const Box& box,
                                           const MemberValues& values_of) const {
  std::vector<double> out(static_cast<std::size_t>(box.volume()), 0.0);
  std::int64_t found = 0;
  std::vector<Box> taken;
  for (const Member& member : members_) {
    const Box its = box_of(member, variable);
    const auto common = its.is_empty() ? std::nullopt : intersect(box, its);
    // Columns of rows: each file has them.
    if (!common || std::find(taken.begin(), taken.end(), *common) != taken.end()) continue;
    taken.push_back(*common);
    Box there = *common;
    for (std::size_t d = 0; d < there.rank(); ++d) there.begin[d] -= its.begin[d];
    const int index = member.file->find(nth(variables_, variable).name);
    check_same(member, variable);
    const std::vector<double> values = values_of(member, index, there);
    check_same(member, variable);
    copy_region<double, double>(values, *common, out, box, *common);
    found += common->volume();
  }
  if (found == box.volume()) return out;
  throw IncompleteSet(
      ErrorCode::io,
      fmt::format("file '{}' cannot be put together (its files have {} of {} values of "
                  "'{}'). Are they of one run?",
                  path_, found, box.volume(), nth(variables_, variable).name));
}

std::vector<double> DataFile::stored_in_set(int variable, const Box& box) const {
  const StoredVariable& stored = nth(variables_, variable);
  const bool is_index = is_gathered(stored);
  return put_together(variable, box, [&](const Member& member, int index, const Box& there) {
    std::vector<double> values = member.file->stored_values(index, there);
    if (is_index) count_in_whole(member, stored, values);
    return values;
  });
}

std::vector<std::int64_t> DataFile::long_integers(int variable, const Box& box) const {
  static_assert(sizeof(double) == sizeof(std::int64_t));
  std::vector<std::int64_t> out(static_cast<std::size_t>(box.volume()));
  if (members_.empty()) {
    const std::vector<std::byte> stored = bytes(variable, box);
    std::memcpy(out.data(), stored.data(), stored.size());
    return out;
  }
  // Their bits travel as doubles, which are only copied.
  const auto bits_of = [](const Member& member, int index, const Box& there) {
    const std::vector<std::int64_t> own = member.file->long_integers(index, there);
    std::vector<double> bits(own.size());
    std::memcpy(bits.data(), own.data(), own.size() * sizeof(double));
    return bits;
  };
  const std::vector<double> bits = put_together(variable, box, bits_of);
  std::memcpy(out.data(), bits.data(), bits.size() * sizeof(double));
  return out;
}

}  // namespace epios::io
