// main of every MPI test: initialises through ep_core, runs the tests on every process, and fails
// all processes when one fails. Passes are printed by process 0 only, failures by all.
#include <ep/ep.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <memory>

#include "chosen_cases.hpp"

namespace {

/// Failures of one process, marked with its rank.
class FailurePrinter : public testing::EmptyTestEventListener {
 public:
  explicit FailurePrinter(int rank) : rank_(rank) {}

  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::fprintf(stderr, "[process %d] %s:%d: %s\n", rank_,
                 result.file_name() != nullptr ? result.file_name() : "?", result.line_number(),
                 result.message());
  }
  void OnTestEnd(const testing::TestInfo& info) override {
    if (!info.result()->Failed()) return;
    std::fprintf(stderr, "[process %d] failed: %s.%s\n", rank_, info.test_suite_name(),
                 info.name());
  }

 private:
  int rank_;
};

bool failed_anywhere(bool failed_here) {
  EP_Comm world = EP_COMM_NULL;
  int mine = failed_here ? 1 : 0;
  int all = 1;
  if (EP_Comm_from_mpi(MPI_COMM_WORLD, &world) != EP_SUCCESS) return true;
  if (EP_Allreduce(&mine, &all, 1, MPI_INT, MPI_MAX, world) != EP_SUCCESS) return true;
  if (EP_Comm_free(&world) != EP_SUCCESS) return true;
  return all != 0;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = MPI_THREAD_SINGLE;
  if (EP_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided) != EP_SUCCESS) {
    std::fprintf(stderr, "%s\n", EP_Last_error());
    return 2;
  }
  testing::InitGoogleTest(&argc, argv);
  int rank = 0;
  if (MPI_Comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS) return 2;
  if (rank != 0) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    const std::unique_ptr<testing::TestEventListener> silenced(
        listeners.Release(listeners.default_result_printer()));
    listeners.Append(new FailurePrinter(rank));  // owned by the list
  }
  const bool failed = failed_anywhere(epios::tests::run_chosen_cases(argc, argv) != 0);
  if (EP_Finalize() != EP_SUCCESS) {
    std::fprintf(stderr, "[process %d] %s\n", rank, EP_Last_error());
    return 2;
  }
  return failed ? 1 : 0;
}
