// Runs copies of a program as endpoints: each copy is a loaded image of its own, so that global
// variables are separate, and a thread. In order: loading a copy, starting threads, running main
// and ending a copy as exit does, and finding the copy of the calling thread.
#include "programs/program.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <utility>

#include "process/error.hpp"
#include "programs/program_tables.hpp"
#include "programs/raw_errors.hpp"

// Runs the exit handlers of one shared object (a function of libc).
extern "C" void __cxa_finalize(void* dso);  // NOLINT(readability-identifier-naming)

namespace ep {

namespace {

// No other code can act for a copy that does not run.
[[noreturn]] void leave_with(const std::string& problem) {
  std::fprintf(stderr, "ep: %s\n", problem.c_str());
  std::_Exit(EXIT_FAILURE);
}

[[noreturn]] void fail_to_copy(const std::string& path) {
  leave_with("the program " + path + " cannot be copied (" + std::strerror(errno) + ").");
}

/// A file in memory with the bytes of the program, which the loader takes for another one.
int copy_in_memory(const std::string& path, int number) {
  const int source = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const int copy = ::memfd_create(("copy " + std::to_string(number)).c_str(), MFD_CLOEXEC);
  struct stat about {};
  if (source < 0 || copy < 0 || ::fstat(source, &about) != 0) fail_to_copy(path);
  for (off_t at = 0; at < about.st_size;) {
    const auto rest = static_cast<std::size_t>(about.st_size - at);
    if (::sendfile(copy, source, &at, rest) <= 0) fail_to_copy(path);
  }
  ::close(source);
  return copy;
}

const ep_program* load_copy(const std::string& path, int number) {
  const int file = copy_in_memory(path, number);
  // The loader identifies objects by their paths, and descriptor numbers are reused.
  const std::string name =
      "/proc/self/task/" + std::to_string(::syscall(SYS_gettid)) + "/fd/" + std::to_string(file);
  void* const object = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (object == nullptr) {
    leave_with("copy " + std::to_string(number) + " of the program cannot be loaded (" +
               ::dlerror() + ").");
  }
  ::close(file);
  const void* const program = ::dlsym(object, "ep_program");
  if (program == nullptr) {
    leave_with("the program does not export ep_program (was it linked by epcc or epcxx?).");
  }
  return static_cast<const ep_program*>(program);
}

int start_endpoints() {
  int size = 0;
  if (EP_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, nullptr) != EP_SUCCESS ||
      EP_Comm_size(EP_COMM_CLIQUE, &size) != EP_SUCCESS ||
      guarded([] { hear_raw_errors(); }) != EP_SUCCESS) {
    leave_with(last_error());
  }
  return size;
}

struct Start {
  Program* program;
  Copy* copy;
};

}  // namespace

void Program::add(int endpoint, const std::vector<std::string>& arguments) {
  auto copy = std::make_unique<Copy>();
  copy->endpoint = endpoint;
  copy->texts = arguments;
  for (std::string& text : copy->texts) copy->arguments.push_back(text.data());
  copy->arguments.push_back(nullptr);
  copies_.push_back(std::move(copy));
}

int Program::run(const ep_program* own, int argc, char** argv, char** environment) {
  environment_ = environment;
  path_ = "/proc/self/exe";
  is_launched_ = std::getenv("EP_NUM_ENDPOINTS") != nullptr;
  const int count = is_launched_ ? start_endpoints() : 1;
  for (int i = 0; i < count; ++i) add(i, {argv, argv + argc});
  Copy& first = *copies_.front();
  first.program = own;
  first.thread = pthread_self();
  for (std::size_t i = 1; i < copies_.size(); ++i) start_thread(*copies_[i]);
  run_main(first);
  const int status = wait_for_all();
  if (is_launched_ && EP_Finalize() != EP_SUCCESS) leave_with(last_error());
  return status;
}

void Program::start(const std::string& path, const std::vector<std::string>& arguments,
                    Calls calls) {
  environment_ = environ;
  path_ = path;
  calls_ = std::move(calls);
  is_launched_ = true;
  // Threads of an earlier program that have ended may still be on their way out of theirs.
  std::move(copies_.begin(), copies_.end(), std::back_inserter(past_copies_));
  copies_.clear();
  int count = 0;
  hear_raw_errors();
  check(EP_Comm_size(EP_COMM_CLIQUE, &count));
  for (int i = 0; i < count; ++i) add(i, arguments);
  for (const auto& copy : copies_) start_thread(*copy);
}

// Copies have the stack that the main thread of a process has.
void Program::start_thread(Copy& copy) {
  constexpr rlim_t largest = rlim_t{256} << 20U;
  rlimit stack{};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (::getrlimit(RLIMIT_STACK, &stack) == 0) {
    pthread_attr_setstacksize(&attributes, std::min(stack.rlim_cur, largest));
  }
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  auto start = std::make_unique<Start>(Start{this, &copy});
  const int code = pthread_create(&copy.thread, &attributes, run_thread, start.get());
  pthread_attr_destroy(&attributes);
  if (code != 0) {
    leave_with("a thread for endpoint " + std::to_string(copy.endpoint) + " cannot be started (" +
               std::strerror(code) + ").");
  }
  static_cast<void>(start.release());  // run_thread() has it
}

void* Program::run_thread(void* raw) {
  const Start start = *std::unique_ptr<Start>(static_cast<Start*>(raw));
  Program& self = *start.program;
  Copy& copy = *start.copy;
  const int code = guarded([&] {
    check(EP_Thread_attach(copy.endpoint, EP_COMM_CLIQUE));
    if (self.calls_.prepare) self.calls_.prepare(copy.endpoint);
  });
  if (code != EP_SUCCESS) leave_with(last_error());
  // Constructors of the copy run in the thread of its main.
  const ep_program* const program = load_copy(self.path_, copy.endpoint);
  {
    const std::lock_guard lock(self.mutex_);
    copy.program = program;
    copy.thread = pthread_self();
  }
  self.run_main(copy);
  return nullptr;
}

// No object here has a destructor, since exit jumps out.
void Program::run_main(Copy& copy) {
  if (setjmp(copy.end) != 0) return;  // NOLINT: what exit does
  copy.is_in_main = true;
  const int status =
      copy.program->main(static_cast<int>(copy.texts.size()), copy.arguments.data(), environment_);
  end(copy, status, true);
}

// Does what exit() does, for one copy: after its main has returned, or in place of the rest of
// main.
void Program::end(Copy& copy, int status, bool with_handlers) {
  if (with_handlers) {
    __cxa_finalize(copy.program->dso);
    std::fflush(nullptr);
  }
  {
    const std::lock_guard lock(mutex_);
    if (copy.has_ended) return;
    copy.status = static_cast<int>(static_cast<unsigned>(status) & 0xffU);
  }
  if (copy.is_initialised && !copy.is_finalised) {
    std::fprintf(stderr,
                 "ep: endpoint %d of this process ended with status %d between MPI_Init and "
                 "MPI_Finalize (the others would wait for it). The job ends.\n",
                 copy.endpoint, copy.status);
    abort_job(copy.status == 0 ? EXIT_FAILURE : copy.status);
  }
  {
    // A thread that sees that all copies have ended may destroy objects that `at_end` uses, so
    // `at_end` runs under the lock.
    const std::lock_guard lock(mutex_);
    copy.has_ended = true;
    ended_.notify_all();
    if (calls_.at_end) calls_.at_end();
  }
}

bool Program::have_all_ended() {
  const std::lock_guard lock(mutex_);
  return std::all_of(copies_.begin(), copies_.end(),
                     [](const auto& copy) { return copy->has_ended; });
}

int Program::wait_for_all() {
  std::unique_lock lock(mutex_);
  const auto has_ended = [](const auto& copy) { return copy->has_ended; };
  ended_.wait(lock, [&] { return std::all_of(copies_.begin(), copies_.end(), has_ended); });
  int largest = 0;
  for (const auto& copy : copies_) largest = std::max(largest, copy->status);
  return largest;
}

Copy* Program::find(const ep_program* program) {
  const std::lock_guard lock(mutex_);
  for (const auto& copy : copies_) {
    if (copy->program == program) return copy.get();
  }
  return nullptr;
}

void Program::exit(const ep_program* program, int status, bool with_handlers) {
  Copy* const copy = find(program);
  if (copy != nullptr && copy->is_in_main) {
    end(*copy, status, with_handlers);
    if (is_launched_ && pthread_equal(copy->thread, pthread_self()) != 0) {
      std::longjmp(copy->end, 1);
    }
    // Main of that copy may continue until the process ends.
    if (is_launched_) pthread_exit(nullptr);
  }
  // Before main, and in a program that runs alone, exit ends the process.
  if (with_handlers) std::exit(status);
  std::_Exit(status);
}

Copy* Program::find_calling() const {
  if (copies_.empty()) return nullptr;
  if (!is_launched_ && !start_communicators().exist()) return copies_.front().get();
  const int endpoint = start_communicators().attached();
  if (endpoint < 0 || static_cast<std::size_t>(endpoint) >= copies_.size()) return nullptr;
  return copies_[static_cast<std::size_t>(endpoint)].get();
}

Copy& Program::calling(const char* function) const {
  Copy* const copy = find_calling();
  if (copy == nullptr) {
    fail(
        EP_ERR_OTHER, function,
        " in a thread attached to no endpoint that runs a program (EP_Init_thread starts others).");
  }
  return *copy;
}

}  // namespace ep
