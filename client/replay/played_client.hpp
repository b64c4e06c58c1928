#pragma once

#include <epios/epios.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "recording_reader.hpp"

namespace epios::replay {

/// Makes the calls of one recorded client again, in the recorded order, by one client of this run.
class PlayedClient {
 public:
  enum class Pace { fast, recorded };

  PlayedClient(const std::string& folder, const std::string& component, epios_client* client,
               int rank, Pace pace);

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
  int borrow(const client::RecordedCall& call);
  int receive(const client::RecordedCall& call);
  int call_out_of_order(const client::RecordedCall& call);
  std::byte* values_of(const client::RecordedCall& call);
  std::string difference(int code, const client::RecordedCall& call);
  epios_context* context(const client::RecordedCall& call) const;
  void wait(const client::RecordedCall& call);

  RecordingReader reader_;
  epios_client* client_;
  int rank_;
  Pace pace_;
  Clock::time_point ended_ = Clock::now();
  std::vector<epios_context*> contexts_;  // by recorded number
  std::vector<std::byte> array_;          // what is sent or received
  void* borrowed_ = nullptr;              // by the recorded client
  std::int64_t step_ = 0;
  bool is_closed_ = false;
  bool is_over_early_ = false;
};

}  // namespace epios::replay
