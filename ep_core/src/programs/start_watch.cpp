// Ends a job that cannot start because one of its processes has ended before MPI_Init. Hydra does
// not notice this, and the others would wait for ever. In order: what /proc says of a process, the
// processes of this node, the messages, and the loop of the watching thread.
#include "programs/start_watch.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <sstream>
#include <stop_token>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace ep {
namespace {

/// A launcher that is busy starting processes is not taken for one that has lost some.
constexpr std::chrono::milliseconds before_the_end{5000};
constexpr std::chrono::milliseconds between_looks{500};
/// All processes of a node look at all of them: the first one often, the others more rarely.
constexpr int rarest_look = 16;

/// The numbers that the launcher gave a process: its rank in the job, and its number on the node.
struct Place {
  int rank = -1;
  int number = -1;
};

std::optional<int> number_in(std::string_view environment, std::string_view name) {
  std::size_t at = 0;
  while (at < environment.size()) {
    const std::size_t end = std::min(environment.find('\0', at), environment.size());
    const std::string_view entry = environment.substr(at, end - at);
    if (entry.starts_with(name) && entry.substr(name.size()).starts_with('=')) {
      return std::atoi(std::string(entry.substr(name.size() + 1)).c_str());
    }
    at = end + 1;
  }
  return std::nullopt;
}

/// Returns the initial environment of a process; empty if the process is gone or belongs to another
/// user.
std::string environment_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/environ", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// State and parent; the name between may have anything in it but what follows the last ')'.
struct Status {
  char state = 'Z';
  pid_t parent = 0;
};
Status status_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string line;
  std::getline(file, line);
  Status out;
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return out;
  std::istringstream(line.substr(name_end + 1)) >> out.state >> out.parent;
  return out;
}

std::vector<pid_t> children_of(pid_t process) {
  std::vector<pid_t> out;
  std::error_code error;
  const std::string tasks = "/proc/" + std::to_string(process) + "/task";
  for (const auto& task : std::filesystem::directory_iterator(tasks, error)) {
    std::ifstream list(task.path() / "children");
    for (pid_t child = 0; list >> child;) {
      if (status_of(child).state != 'Z') out.push_back(child);
    }
  }
  return out;
}

/// Hydra's on a node; one that was started from within another job has that job's environment.
bool is_proxy(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/comm");
  std::string name;
  std::getline(file, name);
  return name.starts_with("hydra_");
}

/// Returns the proxy that started the processes of this node: the closest ancestor that is not
/// itself part of the job, as a script around the program would be. 0: it cannot be found, as in a
/// container with process numbers of its own, or behind a process of another user.
pid_t launcher() {
  pid_t out = ::getppid();
  while (out > 1 && !is_proxy(out) && number_in(environment_of(out), "PMI_RANK")) {
    out = status_of(out).parent;
  }
  return out > 1 && is_proxy(out) ? out : 0;
}

int number_of(const char* name, int otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoi(text);
}

double patience_s() {
  constexpr double unless_told = 30;
  const char* const text = std::getenv("EP_WATCHDOG_S");
  return text == nullptr ? unless_told : std::atof(text);
}

/// Counts the processes that the launcher has started on this node and that still run.
class Node {
 public:
  explicit Node(int started)
      : started_(started), own_(number_of("MPI_LOCALRANKID", 0)), launcher_(launcher()) {
    if (number_of("PMI_SIZE", 0) != started) return;
    for (int n = 0; n < started; ++n) ranks_[n] = n;
  }

  void look() {
    if (launcher_ == 0) return;
    const std::vector<pid_t> children = children_of(launcher_);
    alive_ = static_cast<int>(children.size());
    numbers_.clear();
    for (const pid_t child : children) {
      const std::string environment = environment_of(child);
      const std::optional<int> number = number_in(environment, "MPI_LOCALRANKID");
      const std::optional<int> rank = number_in(environment, "PMI_RANK");
      if (!number || !rank) continue;
      numbers_.push_back(*number);
      ranks_[*number] = *rank;
    }
  }

  int started() const { return started_; }
  int alive() const { return alive_; }
  /// Returns the number of intervals from one look of this process to the next.
  int interval() const { return std::min(own_ + 1, rarest_look); }
  bool is_short() const { return alive_ > 0 && alive_ < started_; }
  /// False if nothing can be said of the other processes of the node.
  bool is_known() const { return launcher_ != 0; }
  /// Returns the number of running processes that report before this one.
  int before() const {
    if (!is_known()) return own_;
    return static_cast<int>(std::count_if(numbers_.begin(), numbers_.end(),
                                          [this](int number) { return number < own_; }));
  }

  /// "2 of 3 processes of the job on this node (ranks 0 and 2) have".
  std::string gone() const {
    const int count = started_ - alive_;
    std::string ranks;
    int known = 0;
    for (const auto& [number, rank] : ranks_) {
      if (std::find(numbers_.begin(), numbers_.end(), number) != numbers_.end()) continue;
      ++known;
      ranks += (known == 1 ? "" : known == count ? " and " : ", ") + std::to_string(rank);
    }
    std::string out = std::to_string(count) + " of " + std::to_string(started_) +
                      " processes of the job on this node ";
    // A process that was never seen cannot be named by its rank.
    if (known == count) out += (count == 1 ? "(rank " : "(ranks ") + ranks + ") ";
    return out + (count == 1 ? "has" : "have");
  }

 private:
  int started_;
  int own_;
  pid_t launcher_;
  int alive_ = 0;
  std::vector<int> numbers_;  // numbers of the running processes
  std::map<int, int> ranks_;  // ranks by number, of processes that have been seen
};

/// The launcher ends all others when one is ended by a signal.
[[noreturn]] void end_job(const Node& node) {
  std::fprintf(stderr,
               "ep: error: %s ended before starting MPI (which cannot start without it). Is its "
               "program there, and did it understand its arguments?\n",
               node.gone().c_str());
  std::fflush(stderr);
  ::kill(::getpid(), SIGTERM);
  std::_Exit(EXIT_FAILURE);
}

void say_that_it_waits(const Node& node, double seconds) {
  const int all = number_of("PMI_SIZE", node.started());
  if (!node.is_known()) {
    std::fprintf(
        stderr,
        "ep: waiting: %g s for MPI to start, which all %d processes of the job have to do. "
        "Has one not come to MPI_Init yet, or ended?\n",
        seconds, all);
    std::fflush(stderr);
    return;
  }
  std::fprintf(stderr,
               "ep: waiting: %g s for MPI to start, which all %d processes of the job have to do "
               "(the %d of this node are there). Has one not come to MPI_Init yet%s?\n",
               seconds, all, node.started(),
               all > node.started() ? ", or ended on another node" : "");
  std::fflush(stderr);
}

void look_until(const std::stop_token& stop, int started) {
  using Clock = std::chrono::steady_clock;
  std::mutex mutex;
  std::condition_variable_any wake;
  Node node(started);
  const double patience = patience_s();
  const Clock::time_point begin = Clock::now();
  bool has_said = patience <= 0;
  Clock::time_point short_since = begin;
  std::unique_lock lock(mutex);
  while (!wake.wait_for(lock, stop, node.interval() * between_looks,
                        [&] { return stop.stop_requested(); })) {
    const int alive_before = node.alive();
    node.look();
    const Clock::time_point now = Clock::now();
    if (!node.is_short() || node.alive() != alive_before) short_since = now;
    if (now - short_since >= before_the_end + node.before() * between_looks) end_job(node);
    const std::chrono::duration<double> waited = now - begin;
    if (has_said || node.is_short() || waited.count() < patience) continue;
    has_said = true;
    if (node.before() == 0) say_that_it_waits(node, patience);
  }
}

/// Without memory nobody watches; what needs it says so.
void watch(const std::stop_token& stop, int started) {
  try {
    look_until(stop, started);
  } catch (const std::bad_alloc&) {
    return;
  }
}

}  // namespace

StartWatch::StartWatch() {
  const int started = number_of("MPI_LOCALNRANKS", 0);
  if (started > 1 || (started == 1 && number_of("PMI_SIZE", 1) > 1)) {
    try {
      thread_ = std::jthread(watch, started);
    } catch (const std::system_error&) {
      return;  // nobody says who is late
    }
  }
}

}  // namespace ep
