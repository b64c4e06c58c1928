#include <ep/ep.hpp>

int main() {
  const ep::Environment environment;
  EP_Comm handle = EP_COMM_NULL;
  ep::check(EP_Comm_from_mpi(MPI_COMM_WORLD, &handle));
  const ep::Comm world(handle);
  return world.rank() == 0 && world.size() == 1 ? 0 : 1;
}
