// Exceptions fly, types are asked for at run time and streams are used, in all ranks at once and in
// a thread of each rank's own. MPI: Init, Comm_rank, Barrier, Finalize in C++ with everything of
// the language.
#include <mpi.h>

#include <future>
#include <iomanip>
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <typeinfo>

struct Shape {
  virtual ~Shape() = default;
};
struct Circle : Shape {};
struct Problem : std::runtime_error {
  using std::runtime_error::runtime_error;
};

static std::string deep(int depth, int rank) {
  const std::string local(static_cast<std::size_t>(depth), 'x');
  if (depth == 0) throw Problem("of rank " + std::to_string(rank));
  return deep(depth - 1, rank) + local;
}

static std::string what_happens(int rank) {
  try {
    return deep(20, rank);
  } catch (const std::logic_error&) {
    return "wrong type";
  } catch (const std::runtime_error& problem) {
    return problem.what();
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const std::unique_ptr<Shape> shape = std::make_unique<Circle>();
  const bool is_circle =
      dynamic_cast<Circle*>(shape.get()) != nullptr && typeid(*shape) == typeid(Circle);
  std::string from_thread;
  try {
    std::async(std::launch::async, [rank] { deep(3, rank); }).get();
  } catch (const Problem& problem) {
    from_thread = problem.what();
  }
  MPI_Barrier(MPI_COMM_WORLD);
  int caught = 0;
  for (int i = 0; i < 500; ++i) caught += what_happens(rank) == "of rank " + std::to_string(rank);
  std::ostringstream line;
  line << "rank " << rank << ": " << caught << " caught, " << from_thread << ", circle "
       << is_circle << ", " << std::hex << std::setw(6) << std::setfill('0') << 255 + rank << '\n';
  std::cout << line.str() << std::flush;
  std::cerr << "error stream of rank " + std::to_string(rank) + "\n";
  MPI_Finalize();
  return 0;
}
