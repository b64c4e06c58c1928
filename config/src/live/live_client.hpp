#pragma once

#include <string>
#include <string_view>

#include "config/watched_runs.hpp"

namespace epios::config {

/// Asks an `epios live` for the runs that it sees, perhaps on another node.
class LiveClient {
 public:
  /// `address` is what `epios live` prints, http://HOST:PORT/TOKEN/; `token` replaces a token that
  /// the address lacks. Throws Error{argument} if it is no such address. No text names the token.
  LiveClient(std::string_view address, std::string_view token);

  /// Returns the runs, or the one job of that name. Throws Error{io} if there is no answer within
  /// some seconds, or another one than that of an `epios live` of this version.
  WatchedRuns look(const std::string& only) const;

 private:
  std::string ask() const;
  std::string where() const;

  std::string host_, token_;
  int port_ = 80;
};

}  // namespace epios::config
