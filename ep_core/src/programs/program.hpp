#pragma once

#include <ep/ep.h>
#include <ep/program.h>
#include <pthread.h>

#include <condition_variable>
#include <csetjmp>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace ep {

/// One endpoint that runs a copy of a program.
struct Copy {
  const ep_program* program = nullptr;
  int endpoint = 0;
  pthread_t thread{};  ///< the thread that runs main
  std::jmp_buf end;    ///< jump target behind main
  int status = 0;
  bool is_in_main = false;
  bool has_ended = false;
  bool is_initialised = false;
  bool is_finalised = false;
  int level = MPI_THREAD_SINGLE;
  pthread_t initialiser{};
  std::vector<std::string> texts;  ///< storage of `arguments`
  std::vector<char*> arguments;    ///< ends with a null pointer; main may change them
};

/// The program whose copies the endpoints of this process run (epcc, epcxx). Copies stay loaded,
/// since other code may have pointers into them.
class Program {
 public:
  /// Runs the program as the system loaded it in the calling thread, further copies in threads of
  /// their own. Without the launcher one copy runs alone. Returns the largest status.
  int run(const ep_program* own, int argc, char** argv, char** environment);
  /// Callbacks of start(): each thread calls `prepare` before it loads its copy, and `at_end` after
  /// the copy has ended.
  struct Calls {
    std::function<void(int endpoint)> prepare;
    std::function<void()> at_end;
  };
  /// Starts copies of the program in that file at the endpoints of the start communicators.
  /// wait_for_all() ends them.
  void start(const std::string& path, const std::vector<std::string>& arguments, Calls calls);
  bool have_all_ended();
  /// Waits for all copies. Returns the largest status.
  int wait_for_all();

  /// Ends a copy as exit() does.
  [[noreturn]] void exit(const ep_program* program, int status, bool with_handlers);
  /// Returns the copy at the endpoint to which the calling thread is attached. Throws if there is
  /// none.
  Copy& calling(const char* function) const;
  /// Returns the same copy as calling(), or null if there is none.
  Copy* find_calling() const;
  /// True if a launcher created the endpoints, so that they outlive their MPI_Finalize.
  bool is_launched() const { return is_launched_; }

 private:
  void add(int endpoint, const std::vector<std::string>& arguments);
  void start_thread(Copy& copy);
  static void* run_thread(void* raw);
  void run_main(Copy& copy);
  void end(Copy& copy, int status, bool with_handlers);
  Copy* find(const ep_program* program);

  std::mutex mutex_;
  std::condition_variable ended_;
  std::vector<std::unique_ptr<Copy>> copies_;
  std::vector<std::unique_ptr<Copy>> past_copies_;
  bool is_launched_ = false;
  char** environment_ = nullptr;
  std::string path_;
  Calls calls_;
};

}  // namespace ep
