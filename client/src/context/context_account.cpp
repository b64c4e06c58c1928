// The account of a context on one client. Servers report files that are lost, in a context that
// goes on; failures, which end it; and, when they have closed it, all of its files. Callers ask for
// the failure often, for the rest at the end. In this order: reports, failure, files, costs.
#include "context/context_account.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "config/file_format.hpp"
#include "config/file_series.hpp"
#include "config/model.hpp"
#include "config/split_rule.hpp"

namespace epios::client {

void ContextAccount::add(const io::ContextReport& report) {
  if (report.stop_signal != 0) {
    stop_signal_ = report.stop_signal;
    return;
  }
  if (report.failed && !failure_) {
    failure_ = Error(static_cast<ErrorCode>(report.error_code), report.error);
  }
  if (report.closed) {
    ++servers_done_;
    loads_.push_back(report.load);
    io::merge(infinite_, report.infinite);
  }
  if (report.closed || report.failed) return add_outcomes(report);
  for (const auto& file : report.files) {
    if (!lost_files_.emplace(file.file, file.path).second) continue;
    if (!lost_text_.empty()) lost_text_ += '\n';
    lost_text_ += file.error;
  }
}

void ContextAccount::add_outcomes(const io::ContextReport& report) {
  for (const auto& file : report.files) {
    const auto known = std::find_if(files_.begin(), files_.end(), [&](const auto& outcome) {
      return outcome.report.path == file.path;
    });
    if (known == files_.end()) {
      files_.push_back({file, io::losses_text(file), {}});
    } else {  // of another of its writers
      io::merge(known->report, file);
      known->losses = io::losses_text(known->report);
    }
  }
  std::stable_sort(files_.begin(), files_.end(),
                   [](const auto& a, const auto& b) { return a.report.path < b.report.path; });
}

namespace {

/// Returns true if `lost` is the file at `path`, or what one of several writers has of it.
bool is_of(const std::string& lost, const std::string& path) {
  if (lost == path) return true;
  const std::string_view stem = config::stem_of(lost);
  const std::size_t rank = stem.rfind('_');
  return rank != std::string_view::npos && lost == config::path_of_writer(path, stem.substr(rank));
}

}  // namespace

/// Returns true if what belongs to a file at this date is lost.
bool ContextAccount::is_lost(int file) const {
  auto lost = lost_files_.lower_bound({file, std::string()});
  const auto is_any = [&] { return lost != lost_files_.end() && lost->first == file; };
  const config::File& of = model_->files[config::FileId(file)];
  const config::FileSeries series = config::series_of(*model_, of);
  if (!series.is_split()) return is_any();
  const std::string path = config::path_of_part(series, of.path, series.part_of(now_()));
  while (is_any() && !is_of(lost->second, path)) ++lost;
  return is_any();
}

/// Looks at the files with data.
bool ContextAccount::are_all_files_lost() const {
  for (int f = 0; f < static_cast<int>(model_->files.size()); ++f) {
    if (f != model_->statistics_file && !is_lost(f)) return false;
  }
  return true;
}

void ContextAccount::throw_if_failed() {
  // Other files go on when one fails; without any file left, going on would be for nothing.
  if (!failure_ && model_ != nullptr && !lost_files_.empty() && are_all_files_lost()) {
    failure_ = Error(ErrorCode::io,
                     fmt::format("context '{}': no file is left to write to: {}", id_, lost_text_));
  }
  if (failure_) throw Error(*failure_);
}

void ContextAccount::rethrow(const Error& error, const std::string& place) const {
  if (failure_) throw;
  throw error.within(place);
}

void ContextAccount::add_unsent(const UnsentData& unsent) {
  std::set<std::int32_t> told;  // of a file in parts with the first one
  for (FileOutcome& outcome : files_) {
    const std::int32_t file = outcome.report.file;
    if (told.insert(file).second) outcome.unsent = unsent.of_file(file);
  }
}

std::string ContextAccount::errors() const {
  std::string out;
  for (const auto& [report, losses, unsent] : files_) {
    if (report.error.empty()) continue;
    if (!out.empty()) out += '\n';
    out += fmt::format("{} [{} records written, {} lost{}; see '{}.part']", report.error,
                       report.records_written(), report.records_lost(),
                       losses.empty() ? "" : fmt::format(" ({})", losses), report.path);
  }
  return out;
}

config::FileCost ContextAccount::file_cost(
    int file, const std::function<config::FieldCost(std::size_t)>& field_cost) const {
  const config::File& of = model_->files[config::FileId(file)];
  config::FileCost out;
  out.id = of.id;
  out.path = of.path;
  for (const config::StreamId stream : of.streams) {
    const auto at = static_cast<std::size_t>(stream);
    config::FieldCost& field = out.fields.emplace_back(field_cost(at));
    field.name = nth(model_->streams, at).name;
    const auto infinite =
        std::find_if(infinite_.begin(), infinite_.end(),
                     [stream](const io::InfiniteValues& of_it) { return of_it.stream == stream; });
    if (infinite != infinite_.end()) field.values_infinite = infinite->values;
  }
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < out.fields.size(); ++i) places.emplace(out.fields[i].name, i);
  for (const FileOutcome& part : files_) {
    if (part.report.file != file) continue;
    if (out.parts++ == 0) out.path = part.report.path;
    out.bytes += part.report.bytes;
    out.writing_s += part.report.writing_s;
    out.records_missing += part.unsent.records_missing;
    out.records_short += part.unsent.records_short;
    if (out.unsent.empty()) out.unsent = part.unsent.fields;
    if (out.error.empty()) out.error = part.report.error;
    for (const io::FieldAccount& account : part.report.fields) {
      const auto place = places.find(account.field);
      if (place == places.end()) continue;
      out.fields[place->second].records_written += account.written.size();
      out.fields[place->second].records_lost += account.lost.size();
    }
  }
  return out;
}

epios_statistics ContextAccount::statistics(const ServerLink::Account& sent) const {
  epios_statistics out{};
  const auto open = std::chrono::steady_clock::now() - opened_;
  out.open_s = std::chrono::duration<double>(open).count();
  out.in_library_s = in_library_s_;
  out.blocked_s = sent.blocked_s;
  out.sends = sends_;
  out.records_sent = sent.records;
  out.bytes_sent = sent.bytes;
  return out;
}

}  // namespace epios::client
