#include <mpi.h>

#include "interposed.hpp"

using ep::test::Raw;

namespace {

int first_error(int code, Raw function) {
  const int planned = ep::test::count_call(function);
  return code != MPI_SUCCESS ? code : planned;
}

}  // namespace

extern "C" {

int MPI_Win_create(void* base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm,
                   MPI_Win* win) {
  return first_error(PMPI_Win_create(base, size, unit, info, comm, win), Raw::win_create);
}

int MPI_Win_allocate(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base,
                     MPI_Win* win) {
  return first_error(PMPI_Win_allocate(size, unit, info, comm, base, win), Raw::win_allocate);
}

int MPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base,
                            MPI_Win* win) {
  return first_error(PMPI_Win_allocate_shared(size, unit, info, comm, base, win),
                     Raw::win_allocate_shared);
}

int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win* win) {
  return first_error(PMPI_Win_create_dynamic(info, comm, win), Raw::win_create_dynamic);
}

int MPI_Win_lock_all(int assertion, MPI_Win win) {
  const int code = ep::test::count_call(Raw::win_lock_all);
  return code != MPI_SUCCESS ? code : PMPI_Win_lock_all(assertion, win);
}

int MPI_Win_free(MPI_Win* win) { return first_error(PMPI_Win_free(win), Raw::win_free); }

int MPI_Win_flush(int rank, MPI_Win win) {
  const int code = ep::test::count_call(Raw::win_flush);
  return code != MPI_SUCCESS ? code : PMPI_Win_flush(rank, win);
}

int MPI_Put(const void* data, int count, MPI_Datatype type, int rank, MPI_Aint disp,
            int target_count, MPI_Datatype target_type, MPI_Win win) {
  const int code = ep::test::count_call(Raw::put);
  if (code != MPI_SUCCESS) return code;
  return PMPI_Put(data, count, type, rank, disp, target_count, target_type, win);
}

int MPI_Get(void* data, int count, MPI_Datatype type, int rank, MPI_Aint disp, int target_count,
            MPI_Datatype target_type, MPI_Win win) {
  const int code = ep::test::count_call(Raw::get);
  if (code != MPI_SUCCESS) return code;
  return PMPI_Get(data, count, type, rank, disp, target_count, target_type, win);
}

int MPI_Rput(const void* data, int count, MPI_Datatype type, int rank, MPI_Aint disp,
             int target_count, MPI_Datatype target_type, MPI_Win win, MPI_Request* request) {
  const int code = ep::test::count_call(Raw::rput);
  if (code != MPI_SUCCESS) return code;
  return PMPI_Rput(data, count, type, rank, disp, target_count, target_type, win, request);
}

int MPI_Rget(void* data, int count, MPI_Datatype type, int rank, MPI_Aint disp, int target_count,
             MPI_Datatype target_type, MPI_Win win, MPI_Request* request) {
  const int code = ep::test::count_call(Raw::rget);
  if (code != MPI_SUCCESS) return code;
  return PMPI_Rget(data, count, type, rank, disp, target_count, target_type, win, request);
}

}  // extern "C"
