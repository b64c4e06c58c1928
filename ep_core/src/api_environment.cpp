#include <ep/ep.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "api_arguments.hpp"
#include "error.hpp"
#include "process.hpp"
#include "window.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

static_assert(sizeof(EP_Status) == EP_F_STATUS_SIZE * sizeof(MPI_Fint));

// Predefined handles are small constants (the largest is EP_COMM_SELF, 64), here as in Fortran;
// objects follow.
constexpr int first_object = 128;

template <class Handle, class Item>
MPI_Fint to_fortran(const Arena<Item>& arena, Handle handle) {
  const auto value = reinterpret_cast<std::uintptr_t>(handle);
  if (value < first_object) return static_cast<MPI_Fint>(value);
  const int number = arena.number(handle);
  return number < 0 ? 0 : number + first_object;
}

template <class Handle, class Item>
Handle from_fortran(const Arena<Item>& arena, MPI_Fint value) {
  if (value >= 0 && value < first_object) {
    return reinterpret_cast<Handle>(  // NOLINT(performance-no-int-to-ptr): a constant
        static_cast<std::uintptr_t>(value));
  }
  return arena.at(value - first_object);
}

}  // namespace

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

double EP_Wtick(void) {
  using Period = std::chrono::steady_clock::period;
  return static_cast<double>(Period::num) / static_cast<double>(Period::den);
}

int EP_Query_thread(int* provided) {
  return guarded([&] {
    check_out(provided);
    check_mpi(MPI_Query_thread(provided), "MPI_Query_thread");
    // With several endpoints MPI itself has more than what holds for each.
    if (process().start().exist()) *provided = process().start().level();
  });
}

int EP_Is_thread_main(int* flag) {
  return guarded([&] {
    check_out(flag);
    check_mpi(MPI_Is_thread_main(flag), "MPI_Is_thread_main");
  });
}

int EP_Finalized(int* flag) {
  return guarded([&] {
    check_out(flag);
    *flag = process().is_left() ? 1 : 0;
  });
}

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

int EP_Status_c2f(const EP_Status* status, MPI_Fint* f_status) {
  return guarded([&] {
    check_out(status);
    check_out(f_status);
    std::memcpy(f_status, status, sizeof *status);
  });
}

int EP_Status_f2c(const MPI_Fint* f_status, EP_Status* status) {
  return guarded([&] {
    check_out(f_status);
    check_out(status);
    std::memcpy(status, f_status, sizeof *status);
  });
}

MPI_Fint EP_Comm_c2f(EP_Comm comm) { return to_fortran(process().endpoints(), comm); }
EP_Comm EP_Comm_f2c(MPI_Fint comm) { return from_fortran<EP_Comm>(process().endpoints(), comm); }

MPI_Fint EP_Request_c2f(EP_Request request) { return to_fortran(process().requests(), request); }
EP_Request EP_Request_f2c(MPI_Fint request) {
  return from_fortran<EP_Request>(process().requests(), request);
}

MPI_Fint EP_Message_c2f(EP_Message message) { return to_fortran(process().messages(), message); }
EP_Message EP_Message_f2c(MPI_Fint message) {
  return from_fortran<EP_Message>(process().messages(), message);
}

MPI_Fint EP_Group_c2f(EP_Group group) { return to_fortran(process().groups(), group); }
EP_Group EP_Group_f2c(MPI_Fint group) { return from_fortran<EP_Group>(process().groups(), group); }

MPI_Fint EP_File_c2f(EP_File file) { return to_fortran(process().files(), file); }
EP_File EP_File_f2c(MPI_Fint file) { return from_fortran<EP_File>(process().files(), file); }

MPI_Fint EP_Errhandler_c2f(EP_Errhandler errhandler) {
  return to_fortran(process().errhandlers(), errhandler);
}
EP_Errhandler EP_Errhandler_f2c(MPI_Fint errhandler) {
  return from_fortran<EP_Errhandler>(process().errhandlers(), errhandler);
}

MPI_Fint EP_Win_c2f(EP_Win win) { return to_fortran(process().windows(), win); }
EP_Win EP_Win_f2c(MPI_Fint win) { return from_fortran<EP_Win>(process().windows(), win); }
