#pragma once

#include <epios/epios.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "dealing.hpp"
#include "recording_reader.hpp"

namespace epios::replay {

/// Makes the calls of one recorded client again, in the recorded order, by one client of this run.
/// If there are more or fewer clients than there were, these are the calls of client 0, with a
/// share of the points of all.
class PlayedClient {
 public:
  enum class Pace { fast, recorded };

  PlayedClient(const std::string& folder, const client::RecordingHeader& recorded,
               epios_client* client, const Share& share, Pace pace);

  /// Plays all of it. Returns what the model gave up for, or what differs from the recorded run; ""
  /// if the client was closed.
  std::string play();
  /// True if the recording ended before the client was closed or given up.
  bool is_over_early() const { return is_over_early_; }

 private:
  using Clock = std::chrono::steady_clock;

  int make(const client::RecordedCall& call);
  int open_context(const client::RecordedCall& call);
  int set(const client::RecordedCall& call);
  int set_element(const client::RecordedCall& call);
  int send(const client::RecordedCall& call);
  int close_definition(const client::RecordedCall& call);
  int set_dealt(epios_context* in, const DealtAttribute& attribute) const;
  int borrow(const client::RecordedCall& call);
  int receive(const client::RecordedCall& call);
  int call_out_of_order(const client::RecordedCall& call);
  std::int64_t count_of(const client::RecordedCall& call) const;
  int count_received(const epios_read_field& field, std::int64_t& count) const;
  std::byte* values_of(const client::RecordedCall& call);
  bool skips(const client::RecordedCall& call);
  std::string difference(int code, const client::RecordedCall& call);
  epios_context* context(const client::RecordedCall& call) const;
  void wait(const client::RecordedCall& call);

  std::unique_ptr<Dealing> dealing_;  // null: as many clients as there were
  int recorded_rank_;
  RecordingReader reader_;
  epios_client* client_;
  Pace pace_;
  Clock::time_point ended_ = Clock::now();
  std::vector<epios_context*> contexts_;  // by recorded number
  std::vector<std::byte> array_;          // what is sent or received
  void* borrowed_ = nullptr;              // by the recorded client
  std::int64_t step_ = 0;
  std::string last_failure_;
  bool is_closed_ = false;
  bool is_over_early_ = false;
};

}  // namespace epios::replay
