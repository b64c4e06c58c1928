// C functions of collective accesses: blocking, non-blocking and split. In order: how an access is
// performed or ended, the begin of split accesses, then the functions by kind of pointer.
#include <ep/ep.h>

#include <cstring>
#include <optional>
#include <utility>

#include "files/api_file.hpp"
#include "files/file_collective.hpp"
#include "process/counts.hpp"
#include "process/error.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

#ifndef EP_LARGE_COUNTS
void ep::access_all(FileAccess& access, const char* what, EP_Status* status) {
  const Problem agreed = problem_of([&] { access_together(access, what); });
  access.problem = agreed;
  give_bytes(access, status);
  throw_problem(agreed);
}

int ep::end_split(EP_File fh, const char* begin, EP_Status* status) noexcept {
  EP_Request* request = nullptr;
  const int code = call_on_file(fh, [&](FileState& file) {
    if (file.split == EP_REQUEST_NULL || std::strcmp(file.split_kind, begin) != 0) {
      fail(EP_ERR_OTHER, begin, "_end of '", file.name, "' without its begin",
           file.split == EP_REQUEST_NULL ? "." : " (another split access is under way).");
    }
    request = &file.split;
  });
  // EP_Wait passes errors to the handler of the file.
  return code == EP_SUCCESS ? EP_Wait(request, status) : code;
}
#endif

namespace {

std::shared_ptr<FileAccess> make_access(FileState& file, const AccessArguments& arguments,
                                        std::optional<MPI_Offset> offset) {
  return collective_access(file, arguments, [&]() -> std::int64_t {
    check_not_sequential(file, arguments.what);
    if (offset) return *offset;
    const std::int64_t here = file.position;
    file.position += FileAccess::checked_etypes(file, arguments);
    return here;
  });
}

int blocking_collective(EP_File fh, const AccessArguments& arguments,
                        std::optional<MPI_Offset> offset, EP_Status* status) {
  return call_on_file(fh, [&](FileState& file) {
    access_all(*make_access(file, arguments, offset), arguments.what, status);
  });
}

int immediate_collective(EP_File fh, const AccessArguments& arguments,
                         std::optional<MPI_Offset> offset, EP_Request* request) {
  return call_on_file(fh, [&](FileState& file) {
    check_out(request);
    *request = start_together(make_access(file, arguments, offset), arguments.what);
  });
}

// `arguments.what` names both halves.
int begin_split(EP_File fh, const AccessArguments& arguments, std::optional<MPI_Offset> offset) {
  return call_on_file(fh, [&](FileState& file) {
    check_no_split(file, arguments.what);
    file.split = start_together(make_access(file, arguments, offset), arguments.what);
    file.split_kind = arguments.what;
  });
}

}  // namespace

int EP_COUNTED(File_read_at_all)(EP_File fh, MPI_Offset offset, void* buf, Count count,
                                 MPI_Datatype datatype, EP_Status* status) {
  return blocking_collective(fh, reading("EP_File_read_at_all", buf, count, datatype), offset,
                             status);
}

int EP_COUNTED(File_write_at_all)(EP_File fh, MPI_Offset offset, const void* buf, Count count,
                                  MPI_Datatype datatype, EP_Status* status) {
  return blocking_collective(fh, writing("EP_File_write_at_all", buf, count, datatype), offset,
                             status);
}

int EP_COUNTED(File_iread_at_all)(EP_File fh, MPI_Offset offset, void* buf, Count count,
                                  MPI_Datatype datatype, EP_Request* request) {
  return immediate_collective(fh, reading("EP_File_iread_at_all", buf, count, datatype), offset,
                              request);
}

int EP_COUNTED(File_iwrite_at_all)(EP_File fh, MPI_Offset offset, const void* buf, Count count,
                                   MPI_Datatype datatype, EP_Request* request) {
  return immediate_collective(fh, writing("EP_File_iwrite_at_all", buf, count, datatype), offset,
                              request);
}

int EP_COUNTED(File_read_all)(EP_File fh, void* buf, Count count, MPI_Datatype datatype,
                              EP_Status* status) {
  return blocking_collective(fh, reading("EP_File_read_all", buf, count, datatype), std::nullopt,
                             status);
}

int EP_COUNTED(File_write_all)(EP_File fh, const void* buf, Count count, MPI_Datatype datatype,
                               EP_Status* status) {
  return blocking_collective(fh, writing("EP_File_write_all", buf, count, datatype), std::nullopt,
                             status);
}

int EP_COUNTED(File_iread_all)(EP_File fh, void* buf, Count count, MPI_Datatype datatype,
                               EP_Request* request) {
  return immediate_collective(fh, reading("EP_File_iread_all", buf, count, datatype), std::nullopt,
                              request);
}

int EP_COUNTED(File_iwrite_all)(EP_File fh, const void* buf, Count count, MPI_Datatype datatype,
                                EP_Request* request) {
  return immediate_collective(fh, writing("EP_File_iwrite_all", buf, count, datatype), std::nullopt,
                              request);
}

int EP_COUNTED(File_read_at_all_begin)(EP_File fh, MPI_Offset offset, void* buf, Count count,
                                       MPI_Datatype datatype) {
  return begin_split(fh, reading("EP_File_read_at_all", buf, count, datatype), offset);
}

#ifndef EP_LARGE_COUNTS
int EP_File_read_at_all_end(EP_File fh, void* buf, EP_Status* status) {
  static_cast<void>(buf);
  return end_split(fh, "EP_File_read_at_all", status);
}
#endif

int EP_COUNTED(File_write_at_all_begin)(EP_File fh, MPI_Offset offset, const void* buf, Count count,
                                        MPI_Datatype datatype) {
  return begin_split(fh, writing("EP_File_write_at_all", buf, count, datatype), offset);
}

#ifndef EP_LARGE_COUNTS
int EP_File_write_at_all_end(EP_File fh, const void* buf, EP_Status* status) {
  static_cast<void>(buf);
  return end_split(fh, "EP_File_write_at_all", status);
}
#endif

int EP_COUNTED(File_read_all_begin)(EP_File fh, void* buf, Count count, MPI_Datatype datatype) {
  return begin_split(fh, reading("EP_File_read_all", buf, count, datatype), std::nullopt);
}

#ifndef EP_LARGE_COUNTS
int EP_File_read_all_end(EP_File fh, void* buf, EP_Status* status) {
  static_cast<void>(buf);
  return end_split(fh, "EP_File_read_all", status);
}
#endif

int EP_COUNTED(File_write_all_begin)(EP_File fh, const void* buf, Count count,
                                     MPI_Datatype datatype) {
  return begin_split(fh, writing("EP_File_write_all", buf, count, datatype), std::nullopt);
}

#ifndef EP_LARGE_COUNTS
int EP_File_write_all_end(EP_File fh, const void* buf, EP_Status* status) {
  static_cast<void>(buf);
  return end_split(fh, "EP_File_write_all", status);
}
#endif
