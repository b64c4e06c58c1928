// `epios top`: looks at runs again and again, and at the keyboard in between. Signals come through
// a descriptor, so that the terminal is put back whatever ends the program.
#include "printing/top_screen.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <optional>
#include <utility>

#include "config/error.hpp"
#include "config/index.hpp"
#include "text/printable.hpp"

namespace epios::config {
namespace {

/// The terminal while keys come one by one and are not shown.
class KeyTerminal {
 public:
  KeyTerminal() {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGWINCH}) sigaddset(&signals, signal);
    ::sigprocmask(SIG_BLOCK, &signals, nullptr);
    signals_ = ::signalfd(-1, &signals, SFD_CLOEXEC);
    if (signals_ < 0 || ::tcgetattr(STDIN_FILENO, &before_) != 0) {
      throw Error(ErrorCode::io, fmt::format("no keys can be read ({}). Is standard input a "
                                             "terminal? epios top --once needs none.",
                                             std::strerror(errno)));
    }
    termios keys = before_;
    keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    static_cast<void>(::tcsetattr(STDIN_FILENO, TCSANOW, &keys));
    fmt::print("\x1b[?1049h\x1b[?25l");  // a screen of its own, without cursor
  }
  KeyTerminal(const KeyTerminal&) = delete;
  KeyTerminal(KeyTerminal&&) = delete;
  KeyTerminal& operator=(const KeyTerminal&) = delete;
  KeyTerminal& operator=(KeyTerminal&&) = delete;
  ~KeyTerminal() {
    static_cast<void>(::tcsetattr(STDIN_FILENO, TCSANOW, &before_));
    std::fputs("\x1b[?25h\x1b[?1049l", stdout);
    static_cast<void>(std::fflush(stdout));
    static_cast<void>(::close(signals_));
  }

  /// Waits for a key. Returns it, 'q' when the program shall end, or 0 when the time is over or the
  /// window has another size.
  char key(double seconds) const {
    std::array<pollfd, 2> both{{{STDIN_FILENO, POLLIN, 0}, {signals_, POLLIN, 0}}};
    constexpr double ms = 1000;
    const int found = ::poll(both.data(), both.size(), static_cast<int>(seconds * ms));
    if (found <= 0) return 0;
    if ((both[1].revents & POLLIN) != 0) {
      signalfd_siginfo signal{};
      const bool is_read = ::read(signals_, &signal, sizeof signal) == sizeof signal;
      return is_read && signal.ssi_signo == SIGWINCH ? '\0' : 'q';
    }
    char out = 'q';  // the terminal is gone
    if (::read(STDIN_FILENO, &out, 1) != 1) return 'q';
    return out;
  }

 private:
  termios before_{};
  int signals_ = -1;
};

/// As much of the text as the window shows.
std::string clipped(const std::string& text) {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) {
    size.ws_row = 24;
    size.ws_col = 80;
  }
  std::string out;
  std::size_t at = 0;
  for (int row = 0; row < size.ws_row && at < text.size(); ++row) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (row > 0) out += "\r\n";
    std::size_t column = 0;
    for (std::size_t i = at; i < end; ++i) {
      const bool begins = (static_cast<unsigned char>(text[i]) & 0xc0U) != 0x80U;
      if (begins && column++ == size.ws_col) break;
      out += text[i];
    }
    out += "\x1b[K";
    at = end + 1;
  }
  return out;
}

/// Returns false when the key ends the program.
bool obey(char key, WatchTable& table) {
  switch (key) {
    case 'q':
    case 'Q':
    case '\x03':
    case '\x04':
      return false;
    case 'n':
      table.order = WatchOrder::name;
      break;
    case 'b':
      table.order = WatchOrder::blocked;
      break;
    case 'r':
      table.order = WatchOrder::records;
      break;
    case 's':
      table.order = WatchOrder::bytes;
      break;
    case 'w':
      table.has_waits = !table.has_waits;
      break;
    default:
      break;
  }
  return true;
}

std::string head_of(const WatchTable& table) {
  constexpr std::array<const char*, 4> orders{"name", "blocked", "records", "size"};
  return fmt::format(
      "epios top, by {}   keys: n name, b blocked, r records, s size, w waits, q quit\n",
      nth(orders, static_cast<int>(table.order)));
}

int watch_in_terminal(const TopOptions& options, const LookAtRuns& look, WatchTable table) {
  WatchedRuns now = look();
  const KeyTerminal terminal;
  std::optional<WatchedRuns> before;
  std::string problem;
  for (;;) {
    const std::string head =
        head_of(table) +
        (problem.empty() ? "" : fmt::format("the last look stays: {}\n", printable(problem)));
    fmt::print("\x1b[H{}\x1b[J",
               clipped(head + watch_table(now, before ? &*before : nullptr, table)));
    static_cast<void>(std::fflush(stdout));
    const char key = terminal.key(options.interval_s);
    if (!obey(key, table)) return 0;
    // A key only draws anew: rates over so short a time would say nothing.
    if (key != 0) continue;
    try {
      WatchedRuns next = look();
      before = std::exchange(now, std::move(next));
      problem.clear();
    } catch (const Error& error) {
      problem = error.what();  // perhaps it passes
    }
  }
}

}  // namespace

void add_top_options(CLI::App& app, TopOptions& options) {
  app.add_flag("--once", options.once, "print one look instead of watching");
  app.add_flag("--json", options.json, "one look, for programs");
  app.add_option("--job", options.job, "only the job of that name, as epios top shows it");
  app.add_option("--sort", options.sort, "what comes first (keys n, b, r, s)")
      ->check(CLI::IsMember({"name", "blocked", "records", "size"}));
  app.add_option("--interval", options.interval_s, "seconds between two looks")
      ->check(CLI::Range(0.1, 3600.0));
  app.add_option("--connect", options.connect,
                 "runs of another node: the address that epios live prints there, with the token "
                 "(or without: EPIOS_LIVE_TOKEN)");
}

int show_runs(const TopOptions& options, const LookAtRuns& look) {
  WatchTable table;
  if (options.sort == "blocked") table.order = WatchOrder::blocked;
  if (options.sort == "records") table.order = WatchOrder::records;
  if (options.sort == "size") table.order = WatchOrder::bytes;
  if (options.json) {
    fmt::print("{}", to_json(look()));
    return 0;
  }
  if (!options.once) return watch_in_terminal(options, look, table);
  fmt::print("{}", watch_table(look(), nullptr, table));
  return 0;
}

}  // namespace epios::config
