// What a context has cost, and what became of its records.
#include <chrono>
#include <cstdint>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "context_state.hpp"

namespace epios::client {

namespace {

constexpr std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// What clients have each for themselves, by stream.
struct StreamSums {
  explicit StreamSums(const std::vector<ServerLink::StreamCost>& own) {
    for (const auto& cost : own) {
      sum.insert(sum.end(), {static_cast<double>(cost.bytes), static_cast<double>(cost.waits),
                             cost.blocked_s, cost.packing_s});
      most.push_back(cost.blocked_s);
    }
  }
  /// Complete on the first client. Collective.
  void collect(const ep::Comm& clients) {
    const auto reduce = [&](std::vector<double>& values, MPI_Op op) {
      if (values.empty()) return;
      const std::vector<double> own = values;
      ep::check(EP_Reduce(own.data(), values.data(), ep::message_count(own.size()), MPI_DOUBLE, op,
                          io::leader, clients.get()));
    };
    reduce(sum, MPI_SUM);
    reduce(most, MPI_MAX);
  }
  std::vector<double> sum;   // four per stream
  std::vector<double> most;  // one
};

config::FieldCost field_cost(const StreamSums& sums, std::int64_t records, std::size_t stream) {
  const double* sum = sums.sum.data() + 4 * stream;
  config::FieldCost out;
  out.records_sent = records;
  out.bytes_sent = static_cast<std::int64_t>(sum[0]);
  out.waits = static_cast<std::int64_t>(sum[1]);
  out.blocked_s = {sum[2], sums.most[stream]};
  out.packing_s = sum[3];
  return out;
}

}  // namespace

/// Collective over the clients of the context, before links are let go.
void ContextState::report_cost(std::chrono::steady_clock::duration closing) {
  // Those that read coordinates are no contexts of the model's.
  if (settings_of_ != &definitions_) return;
  ClientCost own;
  own.sends = static_cast<double>(sends_);
  own.bytes = static_cast<double>(link_->account().bytes);
  own.in_library_s = in_library_s_;
  own.blocked_s = link_->account().blocked_s;
  own.packing_s = link_->account().packing_s;
  own.waited_s = read_link_ ? read_link_->waited_s() : 0;
  own.opening_s = opening_s_;
  own.closing_s = std::chrono::duration<double>(closing).count();
  own.fullest_channel = link_->fullest_channel();
  client_.session().add_to_report(own);
  StreamSums sums(link_->costs());
  sums.collect(clients());
  if (clients().rank() != io::leader) return;
  config::ContextCost cost;
  cost.id = id_;
  cost.times_opened = 1;
  cost.clients = clients().size();
  for (std::size_t f = 0; f < model_->files.size(); ++f) {
    cost.files.push_back(file_cost(static_cast<int>(f), [&](std::size_t stream) {
      return field_cost(sums, link_->costs()[stream].records, stream);
    }));
  }
  std::vector<config::ServerCost> servers;
  for (const io::ServerLoad& load : loads_) {
    servers.push_back({load.server, load.open_s, load.busy_s, load.writing_s});
  }
  client_.session().add_to_report(std::move(cost), servers);
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
