/// @file
/// The programs that play random cases: <program> <seed> <first case> <last case> <threads>.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <epios/epios.hpp>
#include <exception>
#include <string>
#include <thread>
#include <vector>

namespace grids {

struct CaseOptions {
  std::uint64_t seed = 1;
  int first = 0, last = 0, threads = 1;
};

/// Calls `run` with the number of each thread, 0 in this one.
template <class Run>
void run_in_threads(int count, Run run) {
  std::vector<std::thread> threads;
  for (int t = 1; t < count; ++t) threads.emplace_back([&run, t] { run(t); });
  run(0);
  for (auto& thread : threads) thread.join();
}

/// A client cannot go on with other cases than the others: the job ends.
[[noreturn]] inline void give_up(const std::string& program, const epios::client::Client& client,
                                 int number, const std::string& why) {
  std::fprintf(stderr, "%s: client %d of %d, case %d: %s\n", program.c_str(), client.rank(),
               client.size(), number, why.c_str());
  std::fflush(stderr);
  std::_Exit(1);
}

/// The main of such a program, in component `component`: `play(options, session)`.
template <class Play>
int play_cases(int argc, char** argv, const std::string& program, const std::string& component,
               Play play) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: %s <seed> <first case> <last case> <threads>\n", program.c_str());
    return 2;
  }
  const CaseOptions options{std::strtoull(argv[1], nullptr, 10), std::atoi(argv[2]),
                            std::atoi(argv[3]), std::atoi(argv[4])};
  try {
    epios::client::Session::Options session_options;
    session_options.clients = options.threads;
    epios::client::Session session(component, session_options);
    play(options, session);
    session.close();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", program.c_str(), error.what());
    return 1;
  }
  return 0;
}

}  // namespace grids
