// One handler answers all requests: first the method, then the token, then the path, so that
// nothing is told to whoever lacks the token. What pages say is read at most five times a second,
// however many ask.
#include "live/live_server.hpp"

#include <fmt/format.h>
#include <httplib.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "config/error.hpp"
#include "config/watched_runs.hpp"
#include "live/live_page.hpp"

namespace epios::config {

bool is_same_secret(const std::string& a, const std::string& b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const char other = i < a.size() ? a[i] : '\0';
    difference |= static_cast<unsigned>(other != b[i]);
  }
  return difference == 0;
}

std::string new_token() {
  std::array<unsigned char, 16> random{};
  if (::getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size())) {
    throw Error(ErrorCode::io, fmt::format("no random number for the token ({}). Does this kernel "
                                           "lack getrandom?",
                                           std::strerror(errno)));
  }
  std::string out;
  for (const unsigned char byte : random) out += fmt::format("{:02x}", byte);
  return out;
}

struct LiveServer::Impl {
  explicit Impl(Options the_options) : options(std::move(the_options)), watch(options.job) {}

  void answer(const httplib::Request& request, httplib::Response& response);
  WatchedRuns look();
  void answer_map(const httplib::Request& request, httplib::Response& response);

  Options options;
  int port = 0;
  httplib::Server http;
  std::mutex mutex;  // guards what follows
  RunWatch watch;
  WatchedRuns last;
  std::chrono::steady_clock::time_point looked_at{};
};

WatchedRuns LiveServer::Impl::look() {
  constexpr std::chrono::milliseconds between{200};
  const std::scoped_lock lock(mutex);
  const auto now = std::chrono::steady_clock::now();
  if (now - looked_at >= between) {
    last = watch.look();
    looked_at = now;
  }
  return last;
}

void LiveServer::Impl::answer(const httplib::Request& request, httplib::Response& response) {
  const auto say = [&](int status, const char* text) {
    response.status = status;
    response.set_content(text, "text/plain; charset=utf-8");
  };
  response.set_header("Cache-Control", "no-store");
  response.set_header("Referrer-Policy", "no-referrer");  // the address has the token
  response.set_header("X-Content-Type-Options", "nosniff");
  response.set_header("X-Frame-Options", "DENY");
  response.set_header("Content-Security-Policy",
                      "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
                      "connect-src 'self'; base-uri 'none'; form-action 'none'");
  if (request.method != "GET" && request.method != "HEAD") {
    response.set_header("Allow", "GET, HEAD");
    return say(405, "only GET\n");
  }
  const std::size_t end = std::min(request.path.find('/', 1), request.path.size());
  const std::string token = request.path.substr(std::min<std::size_t>(1, end), end - 1);
  if (!is_same_secret(token, options.token)) {
    response.set_header("WWW-Authenticate", "EPIOS realm=\"the address that epios live prints\"");
    return say(401, "the address lacks the token that epios live prints\n");
  }
  const std::string_view rest = std::string_view(request.path).substr(end);
  if (rest.empty()) return response.set_redirect("/" + token + "/");
  if (rest == "/") {
    const std::string_view page = live_page();
    return response.set_content(page.data(), page.size(), "text/html; charset=utf-8");
  }
  if (rest == "/runs.json") return response.set_content(to_json(look()), "application/json");
  if (rest == "/map.json") return answer_map(request, response);
  if (rest == "/metrics") {
    return response.set_content(open_metrics(look()),
                                "application/openmetrics-text; version=1.0.0; charset=utf-8");
  }
  say(404, "there is /, /runs.json, /map.json and /metrics behind the token\n");
}

/// The query has the names of one of the maps of a job in /runs.json.
void LiveServer::Impl::answer_map(const httplib::Request& request, httplib::Response& response) {
  const auto word = [&request](const char* name) { return request.get_param_value(name); };
  WatchedMap wanted;
  wanted.component = word("component");
  wanted.context = word("context");
  wanted.field = word("field");
  static_cast<void>(look());
  const std::optional<MapSample> sample = [&] {
    const std::scoped_lock lock(mutex);  // one reads at a time, however many ask
    return watch.map(word("job"), wanted);
  }();
  if (sample) return response.set_content(to_json(*sample), "application/json");
  response.status = 404;
  response.set_content(
      "there is no record of such a field (job, component, context and field are "
      "those of a map in /runs.json)\n",
      "text/plain; charset=utf-8");
}

LiveServer::LiveServer(Options options) : impl_(std::make_unique<Impl>(std::move(options))) {
  httplib::Server& http = impl_->http;
  constexpr std::size_t threads = 4;
  constexpr std::size_t most_bytes = 4096;  // of what a request brings
  constexpr int patience_s = 5;
  http.new_task_queue = [] { return new httplib::ThreadPool(threads); };
  http.set_payload_max_length(most_bytes);
  http.set_read_timeout(patience_s);
  http.set_write_timeout(patience_s);
  http.set_keep_alive_timeout(1);
  // The library's own choice would share the port with others that listen there already.
  http.set_socket_options([](socket_t socket) {
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  http.set_pre_routing_handler([this](const auto& request, auto& response) {
    try {
      impl_->answer(request, response);
    } catch (const std::exception& error) {
      response.status = 500;
      response.set_content(fmt::format("{}\n", error.what()), "text/plain; charset=utf-8");
    }
    return httplib::Server::HandlerResponse::Handled;
  });
  const Options& wish = impl_->options;
  errno = 0;
  impl_->port = wish.port == 0 ? http.bind_to_any_port(wish.address.c_str())
                : http.bind_to_port(wish.address.c_str(), wish.port) ? wish.port
                                                                     : -1;
  if (impl_->port > 0) return;
  throw Error(
      ErrorCode::io,
      fmt::format("port {} of {} cannot be had ({}). Name another one with --port, or 0 for "
                  "any that is free?",
                  wish.port, wish.address,
                  errno != 0 ? std::strerror(errno) : "no such address here"));
}

LiveServer::~LiveServer() = default;

std::string LiveServer::url() const {
  const std::string& address = impl_->options.address;
  const bool is_version_6 = address.find(':') != std::string::npos;
  const std::string host = is_version_6 ? fmt::format("[{}]", address) : address;
  return fmt::format("http://{}:{}/{}/", host, impl_->port, impl_->options.token);
}

void LiveServer::remember() noexcept {
  try {
    static_cast<void>(impl_->look());
  } catch (const std::exception&) {  // told to those who ask
  }
}

void LiveServer::run() { impl_->http.listen_after_bind(); }

void LiveServer::stop() { impl_->http.stop(); }

}  // namespace epios::config
