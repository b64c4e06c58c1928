// A process ends without closing a port where somebody waits for it.
#include <ep/ports.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <ep/ep.hpp>

namespace {

bool is_refused(const char* port) {
  EP_Comm inter = EP_COMM_NULL;
  const int code = EP_Comm_connect(port, MPI_INFO_NULL, 0, EP_COMM_SELF, &inter);
  std::puts(EP_Last_error());
  return code == EP_ERR_PORT && inter == EP_COMM_NULL;
}

}  // namespace

int main(int argc, char** argv) {
  ep::check(EP_Init_endpoint(&argc, &argv, 1, MPI_THREAD_SINGLE, nullptr, nullptr));
  ep::check(EP_Comm_set_errhandler(EP_COMM_SELF, EP_ERRORS_RETURN));
  int rank = -1;
  ep::check(EP_Comm_rank(EP_COMM_WORLD, &rank));
  std::array<char, EP_MAX_PORT_NAME> port{};
  if (rank == 0) ep::check(EP_Open_port(MPI_INFO_NULL, port.data()));
  ep::check(EP_Bcast(port.data(), EP_MAX_PORT_NAME, MPI_CHAR, 0, EP_COMM_WORLD));
  bool is_right = true;
  if (rank == 0) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
    while (std::chrono::steady_clock::now() < end) ep::check(EP_Progress(EP_COMM_WORLD));
  } else {
    is_right = is_refused(port.data());
  }
  ep::check(EP_Finalize());
  if (rank == 1 && is_right) std::puts("refused");
  return is_right ? 0 : 1;
}
