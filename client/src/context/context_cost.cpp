// What a context has cost, and what became of its records.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "config/model.hpp"
#include "context/context_state.hpp"
#include "data/infinite_data.hpp"
#include "data/stream_sums.hpp"

namespace epios::client {

namespace {

constexpr std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// For clients that have seen the end of the context already.
constexpr double most_s = 5;

std::vector<StreamFigures> figures_of(const std::vector<ServerLink::StreamCost>& costs) {
  std::vector<StreamFigures> out;
  out.reserve(costs.size());
  for (const auto& cost : costs) {
    out.push_back({static_cast<double>(cost.bytes), static_cast<double>(cost.waits), cost.blocked_s,
                   cost.blocked_s, cost.packing_s});
  }
  return out;
}

config::FieldCost field_cost(const StreamFigures& sums, std::int64_t records) {
  config::FieldCost out;
  out.records_sent = records;
  out.bytes_sent = static_cast<std::int64_t>(sums.bytes);
  out.waits = static_cast<std::int64_t>(sums.waits);
  out.blocked_s = {sums.blocked_s, sums.most_blocked_s};
  out.packing_s = sums.packing_s;
  return out;
}

}  // namespace

/// Before links are let go.
ClientCost ContextState::client_cost() const {
  ClientCost own;
  own.sends = static_cast<double>(sends_);
  own.bytes = static_cast<double>(link_->account().bytes);
  own.in_library_s = in_library_s_;
  own.blocked_s = link_->account().blocked_s;
  own.packing_s = link_->account().packing_s;
  own.waited_s = read_link_ ? read_link_->waited_s() : 0;
  own.coupled_s = couplings_ ? couplings_->waited_s() : 0;
  if (steps_) {
    own.exchanged_s = step_waits_->waited_s();
    own.exchanged_messages = static_cast<double>(steps_->traffic().messages);
    own.exchanged_bytes = static_cast<double>(steps_->traffic().bytes);
  }
  own.opening_s = opening_s_;
  own.fullest_channel = link_->fullest_channel();
  return own;
}

std::vector<config::ServerCost> ContextState::server_costs() const {
  std::vector<config::ServerCost> out;
  for (const io::ServerLoad& load : loads_) {
    out.push_back({load.server, load.open_s, load.busy_s, load.writing_s});
  }
  return out;
}

void ContextState::report_unfinished() {
  if (settings_of_ != &definitions_ || !link_) return;
  client_.session().add_to_report(client_cost());
  if (clients().rank() != io::leader) return;
  config::ContextCost cost;
  cost.id = id_;
  cost.times_opened = 1;
  cost.clients = clients().size();
  for (std::size_t f = 0; f < model_->files.size(); ++f) {
    config::FileCost& file =
        cost.files.emplace_back(file_cost(static_cast<int>(f), [&](std::size_t stream) {
          const ServerLink::StreamCost& of = link_->costs()[stream];
          config::FieldCost out;
          out.records_sent = of.records;
          out.bytes_sent = of.bytes;
          out.waits = of.waits;
          out.blocked_s = {of.blocked_s, of.blocked_s};
          out.packing_s = of.packing_s;
          return out;
        }));
    if (file.path.empty()) file.path = model_->files[f].path;
    if (file.error.empty()) {
      file.error = fmt::format("not ended: '{}.part' says which records are whole", file.path);
    }
  }
  client_.session().add_to_report(std::move(cost), server_costs());
}

void ContextState::report_cost(std::chrono::steady_clock::duration closing) {
  // Those that read coordinates are no contexts of the model's.
  if (settings_of_ != &definitions_) return;
  ClientCost own = client_cost();
  own.closing_s = std::chrono::duration<double>(closing).count();
  client_.session().add_to_report(own);
  std::vector<StreamFigures> figures = figures_of(link_->costs());
  const std::size_t streams = figures.size();
  if (couplings_) {
    for (const std::int64_t dropped : couplings_->dropped()) {
      figures.emplace_back().most_dropped = static_cast<double>(dropped);
    }
  }
  const std::size_t received = figures.size();
  infinite_.received.resize(at(received_fields()));
  for (const InfiniteData::Received& of : infinite_.received) {
    StreamFigures& own_figures = figures.emplace_back();
    own_figures.infinite = static_cast<double>(of.values);
    own_figures.infinite_at = static_cast<double>(of.first_step);
  }
  const StreamSums sums =
      sum_of_streams(clients(), number_.value_or(0), std::move(figures), most_s);
  for (std::size_t s = streams; s < received; ++s) {
    dropped_.push_back(static_cast<std::int64_t>(sums.streams[s].most_dropped));
  }
  const bool is_leader = clients().rank() == io::leader;
  for (std::size_t f = 0; f < infinite_.received.size(); ++f) {
    // What ends a strict run ends it on each client that has met it.
    const InfiniteData::Received& own_values = infinite_.received[f];
    const auto values = is_leader ? static_cast<std::int64_t>(sums.streams[received + f].infinite)
                        : definitions_.is_strict() ? own_values.values
                                                   : 0;
    if (values == 0) continue;
    const auto step = is_leader ? static_cast<std::int64_t>(sums.streams[received + f].infinite_at)
                                : own_values.first_step;
    infinite_.said.push_back(received_infinity_text(*model_, name_of_received(static_cast<int>(f)),
                                                    values,
                                                    calendar_->at_step(model_->start_date, step)));
  }
  if (!is_leader) return;
  if (const int size = clients().size(); sums.clients < size) {
    fmt::print(
        stderr,
        "epios: warning: context '{}': what is reported of its fields lacks {} of {} clients "
        "(they have not ended in order)\n",
        id_, size - sums.clients, size);
  }
  config::ContextCost cost;
  cost.id = id_;
  cost.times_opened = 1;
  cost.clients = clients().size();
  for (std::size_t f = 0; f < model_->files.size(); ++f) {
    cost.files.push_back(file_cost(static_cast<int>(f), [&](std::size_t stream) {
      return field_cost(sums.streams[stream], link_->costs()[stream].records);
    }));
  }
  client_.session().add_to_report(std::move(cost), server_costs());
}

config::FileCost ContextState::file_cost(
    int file, const std::function<config::FieldCost(std::size_t)>& field_cost) const {
  const config::File& of = model_->files[at(file)];
  config::FileCost out;
  out.id = of.id;
  out.path = of.path;
  for (const int stream : of.streams) {
    config::FieldCost& field = out.fields.emplace_back(field_cost(at(stream)));
    field.name = model_->streams[at(stream)].name;
    const auto infinite =
        std::find_if(infinite_.written.begin(), infinite_.written.end(),
                     [stream](const io::InfiniteValues& of_it) { return of_it.stream == stream; });
    if (infinite != infinite_.written.end()) field.values_infinite = infinite->values;
  }
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < out.fields.size(); ++i) places.emplace(out.fields[i].name, i);
  for (const FileOutcome& part : outcomes_) {
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

}  // namespace epios::client
