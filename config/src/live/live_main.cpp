// `epios live`, and `epios top --connect`: a program of its own, so that neither models nor `epios`
// load what HTTP needs.
#include <fmt/format.h>
#include <pthread.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <thread>

#include "config/error.hpp"
#include "live/live_client.hpp"
#include "live/live_server.hpp"
#include "live/live_token.hpp"
#include "printing/top_screen.hpp"

namespace {

using namespace epios::config;

/// Returns the token of the environment, for those who must know it before, or a new one.
std::string token_of_run() {
  const char* const wish = std::getenv("EPIOS_LIVE_TOKEN");
  if (wish == nullptr) return new_token();
  const std::string token = wish;
  if (is_token(token) && token.size() >= least_token) return token;
  throw epios::Error(epios::ErrorCode::argument,
                     fmt::format("EPIOS_LIVE_TOKEN is no token (it needs {} or more letters, "
                                 "digits, - and _). Leave it out for a random one?",
                                 least_token));
}

int serve(const LiveServer::Options& options) {
  // All threads inherit that these are blocked: one waits for them.
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  LiveServer server(options);
  fmt::print("{}\n", server.url());
  static_cast<void>(std::fflush(stdout));
  const std::string& address = options.address;
  if (!address.starts_with("127.") && address != "::1" && address != "localhost") {
    fmt::print(
        stderr,
        "epios live: warning: {} is not of this node alone. Whoever sees the address, or the "
        "network, can read it.\n",
        address);
  }
  std::thread ends([&] {
    constexpr timespec between{2, 0};
    do {
      server.remember();
    } while (::sigtimedwait(&signals, nullptr, &between) < 0);
    server.stop();
  });
  server.run();
  ::pthread_kill(ends.native_handle(), SIGTERM);
  ends.join();
  return 0;
}

/// Parses the words behind the command, which `epios` hands on, and does what they say.
int run(CLI::App& app, int argc, char** argv, const std::function<int()>& action) {
  const int skipped = argc > 1 && argv[1] == app.get_name().substr(sizeof "epios") ? 1 : 0;
  try {
    app.parse(argc - skipped, argv + skipped);
    const int exit_code = action();
    if (std::fflush(stdout) == 0) return exit_code;
    throw epios::Error(epios::ErrorCode::io, fmt::format("standard output cannot be written ({}).",
                                                         std::strerror(errno)));
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", app.get_name(), error.what());
    return 2;
  }
}

int run_live(int argc, char** argv) {
  LiveServer::Options options;
  CLI::App app(
      "Shows the runs on this node in a browser, and as metrics for Prometheus.\n"
      "Prints the address of the page; that of the metrics is the same with 'metrics' behind it.",
      "epios live");
  app.add_option("--port", options.port, "0 for any that is free (or EPIOS_LIVE)")
      ->envname("EPIOS_LIVE")
      ->check(CLI::Range(0, 65535));
  app.add_option("--listen", options.address, "address of this node on which it listens")
      ->capture_default_str();
  app.add_option("--job", options.job, "only the job of that name, as epios top shows it");
  return run(app, argc, argv, [&options] {
    options.token = token_of_run();
    return serve(options);
  });
}

int run_top(int argc, char** argv) {
  TopOptions options;
  CLI::App app("Watches the runs that an epios live sees.", "epios top");
  add_top_options(app, options);
  return run(app, argc, argv, [&options] {
    const char* const token = std::getenv("EPIOS_LIVE_TOKEN");
    const LiveClient client(options.connect, token != nullptr ? token : "");
    return show_runs(options, [&] { return client.look(options.job); });
  });
}

}  // namespace

int main(int argc, char** argv) {
  const bool is_top = argc > 1 && std::string_view(argv[1]) == "top";
  return is_top ? run_top(argc, argv) : run_live(argc, argv);
}
