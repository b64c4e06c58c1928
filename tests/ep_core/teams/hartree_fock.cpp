// The Hartree-Fock loop of the proposal of thread teams (MPI-3 hybrid working group): the threads
// of OpenMP help with what the master communicates. Chains of hydrogen atoms, spacing 1.4
// bohr, in the basis STO-3G; density and Fock matrix are spread by rows over windows of all
// processes, tasks are drawn from a counter there.
//
// usage: hartree_fock <atoms, even> <threads> <synchronous: true or false>
#include <omp.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ep/ep.hpp>
#include <vector>

#include "teams/hartree_fock_integrals.hpp"

namespace {

using hartree_fock::Chain;
using hartree_fock::Matrix;
using hartree_fock::Row;

// Errors leave no thread of a parallel region behind.
void check(int code) {
  if (code == EP_SUCCESS) return;
  std::fprintf(stderr, "hartree_fock: %s\n", EP_Last_error());
  EP_Abort(EP_COMM_WORLD, EXIT_FAILURE);
}

/// A matrix whose row i lives at process i modulo their number.
class SpreadMatrix {
 public:
  explicit SpreadMatrix(int size) : size_(size) {
    check(EP_Comm_size(EP_COMM_WORLD, &processes_));
    const MPI_Aint rows = (size + processes_ - 1) / processes_;
    const MPI_Aint bytes = rows * size * static_cast<MPI_Aint>(sizeof(double));
    check(EP_Win_allocate(bytes, sizeof(double), MPI_INFO_NULL, EP_COMM_WORLD, &mine_, &window_));
    check(EP_Win_lock_all(0, window_));
  }
  SpreadMatrix(const SpreadMatrix&) = delete;
  SpreadMatrix(SpreadMatrix&&) = delete;
  SpreadMatrix& operator=(const SpreadMatrix&) = delete;
  SpreadMatrix& operator=(SpreadMatrix&&) = delete;
  ~SpreadMatrix() {
    check(EP_Win_unlock_all(window_));
    check(EP_Win_free(&window_));
  }

  Row get(int row) const {
    Row out(static_cast<std::size_t>(size_));
    check(EP_Get(out.data(), size_, MPI_DOUBLE, row % processes_, place(row), size_, MPI_DOUBLE,
                 window_));
    check(EP_Win_flush(row % processes_, window_));
    return out;
  }
  void put(int row, const Row& values) {
    check(EP_Put(values.data(), size_, MPI_DOUBLE, row % processes_, place(row), size_, MPI_DOUBLE,
                 window_));
    check(EP_Win_flush(row % processes_, window_));
  }
  void accumulate(int row, const Row& values) {
    check(EP_Accumulate(values.data(), size_, MPI_DOUBLE, row % processes_, place(row), size_,
                        MPI_DOUBLE, MPI_SUM, window_));
    check(EP_Win_flush(row % processes_, window_));
  }
  Matrix get_all() const {
    Matrix all;
    for (int row = 0; row < size_; ++row) all.push_back(get(row));
    return all;
  }

 private:
  MPI_Aint place(int row) const { return static_cast<MPI_Aint>(row / processes_) * size_; }

  int size_;
  int processes_ = 1;
  double* mine_ = nullptr;
  EP_Win window_ = EP_WIN_NULL;
};

/// Numbers that every process draws from one counter.
class Tasks {
 public:
  Tasks() {
    check(EP_Comm_rank(EP_COMM_WORLD, &rank_));
    const MPI_Aint bytes = rank_ == 0 ? sizeof(int) : 0;
    check(EP_Win_allocate(bytes, sizeof(int), MPI_INFO_NULL, EP_COMM_WORLD, &counter_, &window_));
    check(EP_Win_lock_all(0, window_));
  }
  Tasks(const Tasks&) = delete;
  Tasks(Tasks&&) = delete;
  Tasks& operator=(const Tasks&) = delete;
  Tasks& operator=(Tasks&&) = delete;
  ~Tasks() {
    check(EP_Win_unlock_all(window_));
    check(EP_Win_free(&window_));
  }

  /// Collective.
  void restart() {
    check(EP_Barrier(EP_COMM_WORLD));
    if (rank_ == 0) fetch(MPI_REPLACE, 0);
    check(EP_Barrier(EP_COMM_WORLD));
  }
  int next() { return fetch(MPI_SUM, 1); }

 private:
  int fetch(MPI_Op op, int value) {
    int before = 0;
    check(EP_Fetch_and_op(&value, &before, MPI_INT, 0, 0, op, window_));
    check(EP_Win_flush(0, window_));
    return before;
  }

  int rank_ = 0;
  int* counter_ = nullptr;
  EP_Win window_ = EP_WIN_NULL;
};

/// The self-consistent field: everything of one run.
class Field {
 public:
  Field(const Chain& chain, EP_Team team)
      : chain_(chain), size_(chain.size()), team_(team), density_(size_), fock_(size_) {
    check(EP_Comm_rank(EP_COMM_WORLD, &rank_));
    check(EP_Comm_size(EP_COMM_WORLD, &processes_));
    for (int i = rank_; i < size_; i += processes_) {
      density_.put(i, Row(static_cast<std::size_t>(size_), 0.0));
    }
  }

  double solve() {
    constexpr double tolerance = 1e-10;
    constexpr int most_rounds = 200;
    double energy = 0;
    double new_energy = 1;
    for (int round = 0; std::abs(new_energy - energy) > tolerance; ++round) {
      if (round == most_rounds) {
        std::fprintf(stderr, "hartree_fock: no convergence\n");
        EP_Abort(EP_COMM_WORLD, EXIT_FAILURE);
      }
      energy = new_energy;
      one_electron_contribution();
      two_electron_contribution();
      new_energy = update_density();
    }
    return new_energy;
  }

 private:
  void one_electron_contribution() {
    check(EP_Barrier(EP_COMM_WORLD));
    for (int i = rank_; i < size_; i += processes_) fock_.put(i, chain_.one_electron(i));
  }

  // A task is row i of the Fock matrix and what row k of the density contributes to it.
  void two_electron_contribution() {
    tasks_.restart();
    for (int task = tasks_.next(); task < size_ * size_; task = tasks_.next()) {
      const int i = task / size_;
      const int k = task % size_;
      const Row x = density_.get(k);
      Row y(static_cast<std::size_t>(size_));
#pragma omp parallel
      {
#pragma omp for
        for (int j = 0; j < size_; ++j) {
          y[static_cast<std::size_t>(j)] = chain_.two_electron(i, j, k, x);
        }
        check(EP_Team_join(team_));
#pragma omp master
        fock_.accumulate(i, y);
        check(EP_Team_leave(team_));
      }
    }
    check(EP_Barrier(EP_COMM_WORLD));
  }

  double update_density() {
    const Matrix old_density = density_.get_all();
    const Matrix fock = fock_.get_all();
    check(EP_Barrier(EP_COMM_WORLD));
    Matrix density;
    double my_energy = 0;
    std::vector<double> energies(static_cast<std::size_t>(processes_));
#pragma omp parallel
    {
#pragma omp single
      density = chain_.density_of(fock);
#pragma omp for reduction(+ : my_energy)
      for (int i = rank_; i < size_; i += processes_) {
        my_energy += chain_.energy_of_row(i, old_density, fock);
      }
      check(EP_Team_join(team_));
#pragma omp master
      {
        for (int i = rank_; i < size_; i += processes_) {
          density_.put(i, density[static_cast<std::size_t>(i)]);
        }
        check(
            EP_Allgather(&my_energy, 1, MPI_DOUBLE, energies.data(), 1, MPI_DOUBLE, EP_COMM_WORLD));
      }
      check(EP_Team_leave(team_));
    }
    double energy = chain_.repulsion();
    for (const double one : energies) energy += one;
    return energy;
  }

  const Chain& chain_;
  int size_;
  EP_Team team_;
  int rank_ = 0;
  int processes_ = 1;
  SpreadMatrix density_;
  SpreadMatrix fock_;
  Tasks tasks_;
};

EP_Team make_team(int threads, const char* synchronous) {
  EP_Team team = EP_TEAM_NULL;
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "synchronous", synchronous);
  check(EP_Team_create(threads, info, &team));
  MPI_Info_free(&info);
  return team;
}

}  // namespace

int main(int argc, char** argv) {
  const int atoms = argc > 1 ? std::atoi(argv[1]) : 2;
  const int threads = argc > 2 ? std::atoi(argv[2]) : 2;
  int provided = MPI_THREAD_SINGLE;
  check(EP_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided));
  omp_set_dynamic(0);
  omp_set_num_threads(threads);
  const EP_Team team = make_team(threads, argc > 3 ? argv[3] : "true");
  const Chain chain(atoms, 1.4);
  double energy = 0;
  {
    Field field(chain, team);
    energy = field.solve();
  }
  int rank = 0;
  check(EP_Comm_rank(EP_COMM_WORLD, &rank));
  if (rank == 0) std::printf("energy of %d hydrogen atoms: %.6f hartree\n", atoms, energy);
  check(EP_Team_free(team));
  check(EP_Finalize());
  return EXIT_SUCCESS;
}
