#pragma once

#include <epios/epios.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "config/calendar.hpp"
#include "config/error.hpp"
#include "config/model_fwd.hpp"
#include "config/run_report.hpp"
#include "data/unsent_data.hpp"
#include "event/wire.hpp"
#include "links/server_link.hpp"

namespace epios::client {

/// What is known of a context's fate on one client: whether it has failed, what became of its
/// files, and what it has cost. The servers' reports end here (ControlMessages).
class ContextAccount {
 public:
  /// A file of the context that is over.
  struct FileOutcome {
    io::FileReport report;
    std::string losses;  ///< "tos 3, sos 1": what it lost, by field
    UnsentData::FileAccount unsent;
  };

  explicit ContextAccount(std::string id) : id_(std::move(id)) {}

  /// Takes a report of a server.
  void add(const io::ContextReport& report);
  /// From now on it is a failure when all files of the model are lost: one that is split, if the
  /// part of the date `now()` is, since later parts may be well. The model outlives this.
  void watch_files(const config::Model& model, std::function<config::Instant()> now) {
    model_ = &model;
    now_ = std::move(now);
  }

  // Failure: the context is over.

  const std::optional<Error>& failure() const { return failure_; }
  /// Throws the failure, if there is one.
  void throw_if_failed();
  /// For handlers of `error`: throws it on, with the place where it came up unless it is the
  /// failure of the context, which says itself where.
  [[noreturn]] void rethrow(const Error& error, const std::string& place) const;

  /// Returns the signal at which a server wants the context to end; 0: none.
  int stop_signal() const { return stop_signal_; }

  // Files.

  /// Returns the number of servers that have closed the context.
  int servers_done() const { return servers_done_; }
  /// Returns how busy these servers were.
  const std::vector<io::ServerLoad>& loads() const { return loads_; }
  const std::vector<io::InfiniteValues>& infinite() const { return infinite_; }
  /// Returns the files that are over, by path.
  const std::vector<FileOutcome>& files() const { return files_; }
  void add_unsent(const UnsentData& unsent);
  /// Returns a line for each file with an error; "" if all went well.
  std::string errors() const;
  /// Returns what is known of a file of the model, with what `field_cost` says of its streams.
  config::FileCost file_cost(int file,
                             const std::function<config::FieldCost(std::size_t)>& field_cost) const;

  // Costs.

  /// The time loop begins.
  void open() { opened_ = std::chrono::steady_clock::now(); }
  /// To close the definition took so long.
  void set_opening_s(double seconds) { opening_s_ = seconds; }
  double opening_s() const { return opening_s_; }
  void add_seconds(double seconds) { in_library_s_ += seconds; }
  double in_library_s() const { return in_library_s_; }
  void count_send() { ++sends_; }
  std::int64_t sends() const { return sends_; }
  /// The channels are closed, through which so much was sent.
  void close(const ServerLink::Account& sent) { sent_ = sent; }
  const ServerLink::Account& sent() const { return sent_; }
  /// Returns the costs so far; `sent`: through the channels.
  epios_statistics statistics(const ServerLink::Account& sent) const;

 private:
  bool is_lost(int file) const;
  bool are_all_files_lost() const;
  void add_outcomes(const io::ContextReport& report);

  std::string id_;
  const config::Model* model_ = nullptr;
  std::optional<Error> failure_;
  std::function<config::Instant()> now_;
  std::set<std::pair<std::int32_t, std::string>> lost_files_;  // of the model, with their paths
  std::string lost_text_;
  int stop_signal_ = 0;
  int servers_done_ = 0;
  std::vector<FileOutcome> files_;
  std::vector<io::InfiniteValues> infinite_;
  std::vector<io::ServerLoad> loads_;
  std::chrono::steady_clock::time_point opened_;
  double opening_s_ = 0;  // of the end of the definitions
  double in_library_s_ = 0;
  std::int64_t sends_ = 0;
  ServerLink::Account sent_;  // once the channels are closed
};

}  // namespace epios::client
