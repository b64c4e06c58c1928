// Threads of the program's own beside the one of main: each pair of threads with the same number on
// neighbouring ranks plays in a communicator of its own, all at the same time, while main waits.
// MPI: Init_thread with MPI_THREAD_MULTIPLE, Query_thread, Is_thread_main, Comm_dup per thread,
// blocking and non-blocking messages from several threads, Allreduce from several threads.
#include <mpi.h>

#include <atomic>
#include <cstdio>
#include <mutex>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int thread_count = 3;
std::mutex mutex;
std::vector<std::string> lines;  // what threads of this rank have to say
std::atomic<int> finished{0};

void say(const std::string& line) {
  const std::lock_guard lock(mutex);
  lines.push_back(line);
}

void play(int number, MPI_Comm comm) {
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  long sum = 0;
  for (int round = 0; round < 20; ++round) {
    std::vector<int> out(static_cast<std::size_t>(10 + number)), in(out.size());
    std::iota(out.begin(), out.end(), rank * 1000 + round * 10 + number);
    const int count = static_cast<int>(out.size());
    MPI_Request requests[2];
    MPI_Irecv(in.data(), count, MPI_INT, (rank + size - 1) % size, round, comm, &requests[0]);
    MPI_Isend(out.data(), count, MPI_INT, (rank + 1) % size, round, comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    const long mine = std::accumulate(in.begin(), in.end(), 0L);
    long all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, comm);
    sum += mine + all;
  }
  int is_main = 1;
  MPI_Is_thread_main(&is_main);
  say("rank " + std::to_string(rank) + " thread " + std::to_string(number) + ": " +
      std::to_string(sum) + (is_main != 0 ? " in main" : " beside main"));
  ++finished;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = MPI_THREAD_SINGLE;
  int asked = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Query_thread(&asked);
  if (provided != MPI_THREAD_MULTIPLE || asked != provided) {
    std::puts("no threads");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  std::vector<MPI_Comm> comms(thread_count);
  for (MPI_Comm& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  std::vector<std::thread> threads;
  for (int i = 0; i < thread_count; ++i) {
    threads.emplace_back(play, i, comms[static_cast<std::size_t>(i)]);
  }
  for (std::thread& thread : threads) thread.join();
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
  for (const std::string& line : lines) std::printf("%s\n", line.c_str());
  int is_main = 0;
  int rank = 0;
  MPI_Is_thread_main(&is_main);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::printf("rank %d: %d finished, main %d\n", rank, finished.load(), is_main);
  MPI_Finalize();
}
