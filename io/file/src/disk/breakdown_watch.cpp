// Ends a process in which HDF5 crashes or loops while it reads a damaged file, with a line that
// names the file. Signal handlers are installed once and pass on signals that are not ours; each
// reading thread has a timer and a stack for them.
#include "disk/breakdown_watch.hpp"

#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid  // the documented name, which glibc before 2.41 lacks
#endif

namespace epios::io {

namespace {

// The last: processor time is used up.
constexpr std::array<int, 5> signals{SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGXCPU};

// A handler has no arguments of ours: this is all that it knows.
// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables)
thread_local const BreakdownWatch::Subject* current = nullptr;
std::array<struct sigaction, signals.size()> earlier{};
constexpr char own_timer = 0;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

/// A line that a signal handler can print: one write, of a text put together by hand.
class Line {
 public:
  void add(const char* part) {
    for (; *part != '\0' && length_ < text_.size(); ++part) text_[length_++] = *part;
  }
  void add(std::int64_t number) {
    std::array<char, 24> digits{};
    std::size_t first = digits.size() - 1;
    do {
      digits[--first] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number > 0);
    add(&digits[first]);
  }
  void write() const { static_cast<void>(!::write(STDERR_FILENO, text_.data(), length_)); }

 private:
  std::array<char, 6000> text_{};  // a path may be long
  std::size_t length_ = 0;
};

[[noreturn]] void end(const BreakdownWatch::Subject& subject, int signal) {
  Line line;
  line.add("epios: error: file '");
  line.add(subject.path);
  line.add("' cannot be read (");
  if (signal == SIGXCPU) {
    line.add("reading does not come to an end");
  } else {
    line.add("reading broke down by signal ");
    line.add(std::int64_t{signal});
  }
  line.add(", as HDF5 does over damaged files, at ");
  if (subject.variable == nullptr) {
    line.add("its structure");
  } else {
    if (subject.record >= 0) {
      line.add("record ");
      line.add(subject.record);
      line.add(" of ");
    }
    line.add("variable '");
    line.add(subject.variable);
    line.add("'");
  }
  line.add("). Has it been copied in whole? This process ends here\n");
  line.write();
  // Not by _exit, which the client library has for itself.
  while (true) static_cast<void>(::syscall(SYS_exit_group, BreakdownWatch::exit_status));
}

void pass_on(int signal, siginfo_t* info, void* context) {
  const auto place =
      static_cast<std::size_t>(std::find(signals.begin(), signals.end(), signal) - signals.begin());
  const struct sigaction& before = earlier[place];
  if ((before.sa_flags & SA_SIGINFO) != 0) return before.sa_sigaction(signal, info, context);
  if (before.sa_handler == SIG_IGN) return;
  if (before.sa_handler != SIG_DFL) return before.sa_handler(signal);
  static_cast<void>(::sigaction(signal, &before, nullptr));
  static_cast<void>(::raise(signal));  // takes effect when this handler returns
}

extern "C" void epios_take_breakdown(int signal, siginfo_t* info, void* context) {
  const bool is_own_timer = signal == SIGXCPU && info->si_code == SI_TIMER &&
                            info->si_value.sival_ptr == static_cast<const void*>(&own_timer);
  if (current != nullptr && (signal != SIGXCPU || is_own_timer)) end(*current, signal);
  if (!is_own_timer) pass_on(signal, info, context);
}

void install() noexcept {
  for (std::size_t s = 0; s < signals.size(); ++s) {
    if (::sigaction(signals[s], nullptr, &earlier[s]) != 0) continue;
    struct sigaction ours {};
    ours.sa_sigaction = epios_take_breakdown;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigemptyset(&ours.sa_mask);
    static_cast<void>(::sigaction(signals[s], &ours, nullptr));
  }
}

/// Equipment of a reading thread: a clock, and a stack for handlers when its own is used up.
class Equipment {
 public:
  Equipment() noexcept {
    stack_t own{};
    own.ss_sp = stack_.get();
    own.ss_size = stack_bytes;
    stack_t known{};
    is_stack_ours_ = stack_ && ::sigaltstack(nullptr, &known) == 0 &&
                     (known.ss_flags & SS_DISABLE) != 0 && ::sigaltstack(&own, nullptr) == 0;
    struct sigevent event {};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGXCPU;
    event.sigev_value.sival_ptr = const_cast<char*>(&own_timer);
    event.sigev_notify_thread_id = static_cast<pid_t>(::syscall(SYS_gettid));
    has_timer_ = ::timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer_) == 0;
  }
  Equipment(const Equipment&) = delete;
  Equipment(Equipment&&) = delete;
  Equipment& operator=(const Equipment&) = delete;
  Equipment& operator=(Equipment&&) = delete;
  ~Equipment() {
    if (has_timer_) ::timer_delete(timer_);
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    if (is_stack_ours_) static_cast<void>(::sigaltstack(&none, nullptr));
  }

  /// It may also ring later, when nobody reads: then it means nothing.
  void set_clock(double limit_s) const noexcept {
    if (!has_timer_) return;
    limit_s = std::min(limit_s, 1e9);
    struct itimerspec when {};
    when.it_value.tv_sec = static_cast<time_t>(limit_s);
    when.it_value.tv_nsec = static_cast<long>((limit_s - std::floor(limit_s)) * 1e9);
    static_cast<void>(::timer_settime(timer_, 0, &when, nullptr));
  }

 private:
  static constexpr std::size_t stack_bytes = std::size_t{64} << 10;
  std::unique_ptr<std::byte[]> stack_{new (std::nothrow) std::byte[stack_bytes]};
  timer_t timer_{};
  bool is_stack_ours_ = false;
  bool has_timer_ = false;
};

}  // namespace

std::int64_t BreakdownWatch::bytes_of(const char* path) noexcept {
  struct stat status {};
  return ::stat(path, &status) == 0 ? static_cast<std::int64_t>(status.st_size) : 0;
}

double BreakdownWatch::limit_s(std::int64_t file_bytes, std::size_t values) noexcept {
  // Definitions are read at 10 MB a second; a chunk of 4 GB may be inflated for each of its
  // records.
  const double least = values == 0 ? 2 : 30;
  const double for_file = std::min(least + 1e-6 * static_cast<double>(file_bytes), 60.0);
  return for_file + 1e-6 * static_cast<double>(values);
}

BreakdownWatch::BreakdownWatch(const Subject& subject, double limit_s) noexcept
    : subject_(subject), around_(current) {
  static std::once_flag once;
  std::call_once(once, install);
  thread_local const Equipment equipment;
  equipment.set_clock(limit_s);
  current = &subject_;
}

BreakdownWatch::~BreakdownWatch() { current = around_; }

}  // namespace epios::io
