/// @file
/// Races when asked to, for ThreadSanitizer to report, and else lets OpenMP order what its threads
/// do: that must be no race for a sanitizer that Archer informs.

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

constexpr int threads = 4;
constexpr int rounds = 100;

int race() {
  int counter = 0;
#pragma omp parallel num_threads(threads)
  for (int i = 0; i < rounds; ++i) ++counter;
  return counter;
}

int barrier() {
  int counter = 0;
#pragma omp parallel num_threads(threads)
  for (int i = 0; i < rounds; ++i) {
#pragma omp single
    ++counter;
#pragma omp critical
    ++counter;
#pragma omp barrier
  }
  return counter;
}

int reduction() {
  int counter = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : counter)
  for (int i = 0; i < rounds; ++i) ++counter;
  return counter;
}

int task() {
  int counter = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
  for (int i = 0; i < rounds; ++i) {
#pragma omp task shared(counter) depend(inout : counter)
    ++counter;
  }
  return counter;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view how = argc > 1 ? argv[1] : "";
  if (how == "race") return race() > 0 ? 0 : 1;
  if (how == "barrier") return barrier() == rounds * (1 + threads) ? 0 : 1;
  if (how == "reduction") return reduction() == rounds ? 0 : 1;
  if (how == "task") return task() == rounds ? 0 : 1;
  std::fputs("usage: planted_openmp_race race|barrier|reduction|task\n", stderr);
  return EXIT_FAILURE;
}
