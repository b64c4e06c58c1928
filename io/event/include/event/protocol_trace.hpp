/// @file
/// A record of what the state machines of the protocol do. tests/protocol checks such records
/// against the specification.
#pragma once

#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace epios::io {

/// The trace of one process: a file with a line for each step of a client, a server or a file
/// thread. Any thread may add lines.
class ProtocolTrace {
 public:
  /// Creates the file, or replaces it. Throws Error{io}.
  explicit ProtocolTrace(const std::string& path);
  /// Returns the trace of process `process` of the job if the environment variable
  /// EPIOS_PROTOCOL_TRACE names one ("<value>.<process>.trace"), else null. A trace that cannot be
  /// written is a warning on stderr.
  static std::unique_ptr<ProtocolTrace> of_environment(int process);

  /// Adds a line. It is in the file when this returns. Ignores errors of the disk: the checker sees
  /// that lines are missing.
  void add(std::string_view actor, std::string_view step);

 private:
  struct Close {
    void operator()(std::FILE* file) const noexcept { static_cast<void>(std::fclose(file)); }
  };
  std::mutex mutex_;
  std::unique_ptr<std::FILE, Close> file_;
};

/// The lines of one actor about one context. Copies share the trace, which outlives them. A
/// default-constructed object, or one without trace, is false and must not be asked to add.
class ActorTrace {
 public:
  ActorTrace() = default;
  ActorTrace(ProtocolTrace* trace, std::string actor) : trace_(trace), actor_(std::move(actor)) {}

  explicit operator bool() const noexcept { return trace_ != nullptr; }
  void add(std::string_view step) const { trace_->add(actor_, step); }

 private:
  ProtocolTrace* trace_ = nullptr;
  std::string actor_;
};

}  // namespace epios::io
