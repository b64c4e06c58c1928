// The other end of LiveServer. One connection per look: the server has few threads, and a look that
// fails says nothing about the next one. In order: the address, the answer, what it says.
#include "live/live_client.hpp"

#include <fmt/format.h>
#include <httplib.h>
#include <netdb.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <memory>
#include <optional>

#include "config/error.hpp"
#include "live/live_token.hpp"
#include "text/printable.hpp"

namespace epios::config {
namespace {

constexpr int patience_s = 5;
/// Of an answer. A node with a hundred jobs says less.
constexpr std::size_t most_answer_bytes = std::size_t{64} << 20;

[[noreturn]] void refuse_address(const std::string& why) {
  throw epios::Error(ErrorCode::argument,
                     fmt::format("--connect: {} (wanted: http://HOST:PORT/TOKEN/, as epios live "
                                 "prints it on the node of the run).",
                                 why));
}

/// Takes what stands before the first of `ends` from the text.
std::string_view take(std::string_view& text, std::string_view ends) {
  const std::size_t end = std::min(text.find_first_of(ends), text.size());
  const std::string_view out = text.substr(0, end);
  text.remove_prefix(end);
  return out;
}

/// HTTP says of a name that leads nowhere only that there is no connection.
void require_host(const std::string& host) {
  addrinfo* found = nullptr;
  const int code = ::getaddrinfo(host.c_str(), nullptr, nullptr, &found);
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> guard(found, ::freeaddrinfo);
  if (code == 0) return;
  throw epios::Error(ErrorCode::io, fmt::format("there is no host '{}' ({}). Is its name right?",
                                                printable(host), ::gai_strerror(code)));
}

std::string failure_of(httplib::Error error, double seconds) {
  if (error == httplib::Error::Connection) {
    return "nobody listens there, or the way is closed. Does epios live run there, with --listen "
           "if "
           "that is another node?";
  }
  if (error == httplib::Error::Canceled) {
    return fmt::format("the answer is longer than {} MB. Is it epios live that listens there?",
                       most_answer_bytes >> 20);
  }
  if (error == httplib::Error::ConnectionTimeout || seconds >= patience_s) {
    return fmt::format(
        "there is no answer within {} s. Is that node busy, or the way to it closed?", patience_s);
  }
  return "the connection ends without an answer. Is it epios live that listens there?";
}

}  // namespace

LiveClient::LiveClient(std::string_view address, std::string_view token) {
  constexpr std::string_view scheme = "http://";
  if (address.starts_with("https://")) {
    refuse_address(
        "epios live speaks http, not https; where the network is not trusted, take "
        "ssh -L and the address of this node");
  }
  if (!address.starts_with(scheme)) refuse_address("that is no address of epios live");
  address.remove_prefix(scheme.size());
  if (address.starts_with('[')) {
    address.remove_prefix(1);
    host_ = take(address, "]");
    if (address.empty()) refuse_address("a bracket of the host is open");
    address.remove_prefix(1);
  } else {
    host_ = take(address, ":/");
  }
  if (host_.empty()) refuse_address("the address has no host");
  if (address.starts_with(':')) {
    address.remove_prefix(1);
    const std::string_view digits = take(address, "/");
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port_);
    constexpr int most = 65535;
    if (error != std::errc() || end != digits.data() + digits.size() || port_ < 1 || port_ > most) {
      refuse_address(fmt::format("'{}' is no port", printable(digits)));
    }
  }
  address.remove_prefix(std::min(address.find_first_not_of('/'), address.size()));
  token_ = take(address, "/");
  if (token_.empty()) token_ = token;
  if (token_.empty()) refuse_address("the token is missing, and EPIOS_LIVE_TOKEN is not set");
  if (!is_token(token_)) refuse_address("the token has letters that no token has");
  if (address.find_first_not_of('/') != std::string_view::npos) {
    refuse_address(fmt::format("'{}' behind the token is too much", printable(address)));
  }
}

std::string LiveClient::where() const {
  const bool is_number = host_.find(':') != std::string::npos;  // IPv6
  const std::string host = printable(host_);
  return is_number ? fmt::format("[{}]:{}", host, port_) : fmt::format("{}:{}", host, port_);
}

std::string LiveClient::ask() const {
  require_host(host_);
  httplib::Client http(host_, port_);
  http.set_connection_timeout(patience_s);
  http.set_read_timeout(patience_s);
  http.set_write_timeout(patience_s);
  std::string body;
  const auto start = std::chrono::steady_clock::now();
  const auto answer =
      http.Get("/" + token_ + "/runs.json", [&body](const char* bytes, std::size_t count) {
        body.append(bytes, count);
        return body.size() <= most_answer_bytes;
      });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  if (!answer) throw epios::Error(ErrorCode::io, failure_of(answer.error(), seconds.count()));
  constexpr int fine = 200, wrong_token = 401, broken = 500;
  switch (answer->status) {
    case fine:
      return body;
    case wrong_token:
      throw epios::Error(ErrorCode::io,
                         "it does not know the token. Is that the address which it "
                         "printed when it was started last?");
    case broken:
      throw epios::Error(ErrorCode::io, fmt::format("it cannot look: {}", printable(body)));
    default:
      throw epios::Error(ErrorCode::io,
                         fmt::format("it answers with status {}. Is it epios live that listens "
                                     "there?",
                                     answer->status));
  }
}

WatchedRuns LiveClient::look(const std::string& only) const {
  try {
    WatchedRuns out = read_watched_runs(ask());
    if (!only.empty()) {
      std::erase_if(out.jobs, [&](const WatchedJob& job) { return job.name != only; });
    }
    return out;
  } catch (const epios::Error& error) {
    throw epios::Error(ErrorCode::io, shortened(fmt::format("{}: {}", where(), error.what())));
  }
}

}  // namespace epios::config
