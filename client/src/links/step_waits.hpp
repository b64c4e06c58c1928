#pragma once

#include <chrono>
#include <ep/fwd.hpp>
#include <functional>
#include <string>

#include "links/server_waits.hpp"
#include "space/steps.hpp"

namespace epios::client {

/// What a client tells about its waits for other clients, whose points it needs.
class StepWaits final : public io::StepWatch {
 public:
  /// `clients`: of the context; `component`: all of its component. `check` is called while one
  /// waits: it throws when the context has failed.
  StepWaits(ServerWaits waits, const ep::Comm& clients, const ep::Comm& component,
            std::function<void()> check);

  void begin(const std::string& what) override;
  void check(const io::StepRun& waiting) override;
  void end() override;

  /// All waits so far.
  double waited_s() const { return waited_s_; }

 private:
  using Clock = std::chrono::steady_clock;

  ServerWaits waits_;
  const ep::Comm& clients_;
  const ep::Comm& component_;
  std::function<void()> check_;
  io::Waiting waiting_;
  std::string about_;
  Clock::time_point since_;
  double told_s_ = 0;  ///< when it was said last for whom
  double waited_s_ = 0;
};

}  // namespace epios::client
