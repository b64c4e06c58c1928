#include <ep/ep.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>

#include "cliques/clique_tables.hpp"
#include "handles/api_arguments.hpp"
#include "handles/handle_tables.hpp"
#include "process/error.hpp"
#include "process/fortran_handle.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

int EP_Get_version(int* version, int* subversion) {
  return guarded([&] {
    check_out(version);
    check_out(subversion);
    *version = EP_VERSION;
    *subversion = EP_SUBVERSION;
  });
}

int EP_Get_library_version(char* version, int* length) {
  return guarded([&] {
    check_out(version);
    check_out(length);
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> below{};
    int below_length = 0;
    check_mpi(MPI_Get_library_version(below.data(), &below_length), "MPI_Get_library_version");
    const std::string text = "ep_core, MPI endpoints, on " + std::string(below.data());
    const std::size_t size = text.copy(version, EP_MAX_LIBRARY_VERSION_STRING - 1);
    version[size] = '\0';
    *length = static_cast<int>(size);
  });
}

int EP_Get_processor_name(char* name, int* length) {
  return guarded([&] {
    check_out(name);
    check_out(length);
    check_mpi(MPI_Get_processor_name(name, length), "MPI_Get_processor_name");
  });
}

double EP_Wtime(void) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double EP_Wtick(void) {
  using Period = std::chrono::steady_clock::period;
  return static_cast<double>(Period::num) / static_cast<double>(Period::den);
}

int EP_Abort(EP_Comm /*comm*/, int errorcode) { abort_job(errorcode); }

int EP_Alloc_mem(MPI_Aint size, MPI_Info info, void* baseptr) {
  static_cast<void>(info);
  return guarded([&] {
    check_out(baseptr);
    if (size < 0) fail(EP_ERR_ARG, size, " bytes of memory (negative).");
    constexpr std::size_t line = 64;
    const std::size_t lines = static_cast<std::size_t>(size) / line + 1;
    void* const memory = std::aligned_alloc(line, lines * line);
    if (memory == nullptr) fail(EP_ERR_NO_MEM, "no memory of ", size, " bytes.");
    std::memcpy(baseptr, static_cast<const void*>(&memory), sizeof memory);
  });
}

int EP_Free_mem(void* base) {
  std::free(base);  // NOLINT(cppcoreguidelines-no-malloc): the other half of EP_Alloc_mem
  return EP_SUCCESS;
}

MPI_Fint EP_Comm_c2f(EP_Comm comm) { return to_fortran(handle_tables().endpoints, comm); }
EP_Comm EP_Comm_f2c(MPI_Fint comm) {
  return from_fortran<EP_Comm>(handle_tables().endpoints, comm);
}

MPI_Fint EP_Group_c2f(EP_Group group) { return to_fortran(handle_tables().groups, group); }
EP_Group EP_Group_f2c(MPI_Fint group) {
  return from_fortran<EP_Group>(handle_tables().groups, group);
}

MPI_Fint EP_Errhandler_c2f(EP_Errhandler errhandler) {
  return to_fortran(clique_tables().errhandlers, errhandler);
}
EP_Errhandler EP_Errhandler_f2c(MPI_Fint errhandler) {
  return from_fortran<EP_Errhandler>(clique_tables().errhandlers, errhandler);
}
