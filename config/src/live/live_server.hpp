#pragma once

#include <memory>
#include <string>

namespace epios::config {

/// Shows the runs of this node over HTTP to whoever knows the token. It only reads pages: no run
/// knows of it.
class LiveServer {
 public:
  struct Options {
    std::string address = "127.0.0.1";
    int port = 0;     ///< 0: any that is free
    std::string job;  ///< only this one, by name
    std::string token;
  };
  /// Takes the port. Throws Error{io} if it cannot be had.
  explicit LiveServer(Options options);
  LiveServer(const LiveServer&) = delete;
  LiveServer(LiveServer&&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;
  LiveServer& operator=(LiveServer&&) = delete;
  ~LiveServer();

  /// Returns the address of the page, with the token.
  std::string url() const;
  /// Looks at the runs, so that it knows of processes that have ended when somebody asks. To be
  /// called now and then, by any thread.
  void remember() noexcept;
  /// Answers until stop() is called, by any thread.
  void run();
  void stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Returns true if both are equal, in a time that does not depend on where they differ.
bool is_same_secret(const std::string& a, const std::string& b);
/// Returns 128 bits from the kernel, as 32 digits.
std::string new_token();

}  // namespace epios::config
