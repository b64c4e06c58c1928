#include <ep/ep.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "collectives/collective.hpp"
#include "files/api_file.hpp"
#include "files/file_collective.hpp"
#include "files/file_pointer.hpp"
#include "handles/endpoint.hpp"
#include "process/counts.hpp"
#include "process/error.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

std::int64_t next_of_shared(FileState& file, const AccessArguments& arguments) {
  return file.shared_pointer->advance(FileAccess::checked_etypes(file, arguments));
}

int blocking_shared(EP_File fh, const AccessArguments& arguments, EP_Status* status) {
  return call_on_file(fh, [&](FileState& file) {
    FileAccess access(file, arguments, next_of_shared(file, arguments));
    access_alone(access, status);
  });
}

int immediate_shared(EP_File fh, const AccessArguments& arguments, EP_Request* request) {
  return call_on_file(fh, [&](FileState& file) {
    check_out(request);
    FileAccess access(file, arguments, next_of_shared(file, arguments));
    *request = access_at_once(access, arguments.what);
  });
}

constexpr std::int64_t no_count = -1;

// Returns the access of this endpoint if all follow each other in rank order. An error is thrown by
// the access itself, so that no endpoint misses the collectives here. Collective.
std::shared_ptr<FileAccess> ordered_access(FileState& file, const AccessArguments& arguments) {
  std::int64_t mine = no_count;
  Problem problem = problem_of([&] {
    check_no_split(file, arguments.what);
    mine = FileAccess::checked_etypes(file, arguments);
  });
  Endpoint& endpoint = file.endpoint();
  std::vector<std::int64_t> all(static_cast<std::size_t>(endpoint.local_group().size()));
  allgather_bytes(endpoint, &mine, sizeof mine, all.data());
  const bool all_well = std::find(all.begin(), all.end(), no_count) == all.end();
  std::int64_t begin = 0;
  if (file.rank == 0 && all_well) {
    problem = problem_of([&] {
      begin =
          file.shared_pointer->advance(std::accumulate(all.begin(), all.end(), std::int64_t{0}));
    });
  }
  bcast(endpoint, view_of(&begin, 1, MPI_INT64_T), 0);
  return collective_access(file, arguments, [&] {
    throw_problem(problem);
    return std::accumulate(all.begin(), all.begin() + file.rank, begin);
  });
}

int ordered(EP_File fh, const AccessArguments& arguments, EP_Status* status) {
  return call_on_file(fh, [&](FileState& file) {
    access_all(*ordered_access(file, arguments), arguments.what, status);
  });
}

int begin_ordered(EP_File fh, const AccessArguments& arguments) {
  return call_on_file(fh, [&](FileState& file) {
    check_no_split(file, arguments.what);
    file.split = start_together(ordered_access(file, arguments), arguments.what);
    file.split_kind = arguments.what;
  });
}

}  // namespace

int EP_COUNTED(File_read_shared)(EP_File fh, void* buf, Count count, MPI_Datatype datatype,
                                 EP_Status* status) {
  return blocking_shared(fh, reading("EP_File_read_shared", buf, count, datatype), status);
}

int EP_COUNTED(File_write_shared)(EP_File fh, const void* buf, Count count, MPI_Datatype datatype,
                                  EP_Status* status) {
  return blocking_shared(fh, writing("EP_File_write_shared", buf, count, datatype), status);
}

int EP_COUNTED(File_iread_shared)(EP_File fh, void* buf, Count count, MPI_Datatype datatype,
                                  EP_Request* request) {
  return immediate_shared(fh, reading("EP_File_iread_shared", buf, count, datatype), request);
}

int EP_COUNTED(File_iwrite_shared)(EP_File fh, const void* buf, Count count, MPI_Datatype datatype,
                                   EP_Request* request) {
  return immediate_shared(fh, writing("EP_File_iwrite_shared", buf, count, datatype), request);
}

int EP_COUNTED(File_read_ordered)(EP_File fh, void* buf, Count count, MPI_Datatype datatype,
                                  EP_Status* status) {
  return ordered(fh, reading("EP_File_read_ordered", buf, count, datatype), status);
}

int EP_COUNTED(File_write_ordered)(EP_File fh, const void* buf, Count count, MPI_Datatype datatype,
                                   EP_Status* status) {
  return ordered(fh, writing("EP_File_write_ordered", buf, count, datatype), status);
}

int EP_COUNTED(File_read_ordered_begin)(EP_File fh, void* buf, Count count, MPI_Datatype datatype) {
  return begin_ordered(fh, reading("EP_File_read_ordered", buf, count, datatype));
}

#ifndef EP_LARGE_COUNTS
int EP_File_read_ordered_end(EP_File fh, void* buf, EP_Status* status) {
  static_cast<void>(buf);
  return end_split(fh, "EP_File_read_ordered", status);
}
#endif

int EP_COUNTED(File_write_ordered_begin)(EP_File fh, const void* buf, Count count,
                                         MPI_Datatype datatype) {
  return begin_ordered(fh, writing("EP_File_write_ordered", buf, count, datatype));
}

#ifndef EP_LARGE_COUNTS
int EP_File_write_ordered_end(EP_File fh, const void* buf, EP_Status* status) {
  static_cast<void>(buf);
  return end_split(fh, "EP_File_write_ordered", status);
}
#endif
