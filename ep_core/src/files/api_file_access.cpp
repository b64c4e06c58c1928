#include <ep/ep.h>

#include <optional>

#include "files/api_file.hpp"
#include "messages/api_message.hpp"
#include "process/counts.hpp"
#include "process/error.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

#ifndef EP_LARGE_COUNTS
void ep::access_alone(FileAccess& access, EP_Status* status) {
  access.perform();
  give_bytes(access, status);
  throw_problem(access.problem);
}

EP_Request ep::access_at_once(FileAccess& access, const char* what) {
  access.perform();
  return begin(access.file().endpoint(), MappedView{}, what, [&](Request& request) {
    request.status.ep_bytes = access.done;
    complete_collective(request, access.problem.code, access.problem.text);
  });
}
#endif

namespace {

// Returns the begin of an access: `offset`, or the individual pointer, which advances.
std::int64_t beginning(FileState& file, const AccessArguments& arguments,
                       std::optional<MPI_Offset> offset) {
  check_not_sequential(file, arguments.what);
  if (offset) return *offset;
  const std::int64_t here = file.position;
  file.position += FileAccess::checked_etypes(file, arguments);
  return here;
}

int blocking_access(EP_File fh, const AccessArguments& arguments, std::optional<MPI_Offset> offset,
                    EP_Status* status) {
  return call_on_file(fh, [&](FileState& file) {
    FileAccess access(file, arguments, beginning(file, arguments, offset));
    access_alone(access, status);
  });
}

int immediate_access(EP_File fh, const AccessArguments& arguments, std::optional<MPI_Offset> offset,
                     EP_Request* request) {
  return call_on_file(fh, [&](FileState& file) {
    check_out(request);
    FileAccess access(file, arguments, beginning(file, arguments, offset));
    *request = access_at_once(access, arguments.what);
  });
}

}  // namespace

int EP_COUNTED(File_read_at)(EP_File fh, MPI_Offset offset, void* buf, Count count,
                             MPI_Datatype datatype, EP_Status* status) {
  return blocking_access(fh, reading("EP_File_read_at", buf, count, datatype), offset, status);
}

int EP_COUNTED(File_write_at)(EP_File fh, MPI_Offset offset, const void* buf, Count count,
                              MPI_Datatype datatype, EP_Status* status) {
  return blocking_access(fh, writing("EP_File_write_at", buf, count, datatype), offset, status);
}

int EP_COUNTED(File_iread_at)(EP_File fh, MPI_Offset offset, void* buf, Count count,
                              MPI_Datatype datatype, EP_Request* request) {
  return immediate_access(fh, reading("EP_File_iread_at", buf, count, datatype), offset, request);
}

int EP_COUNTED(File_iwrite_at)(EP_File fh, MPI_Offset offset, const void* buf, Count count,
                               MPI_Datatype datatype, EP_Request* request) {
  return immediate_access(fh, writing("EP_File_iwrite_at", buf, count, datatype), offset, request);
}

int EP_COUNTED(File_read)(EP_File fh, void* buf, Count count, MPI_Datatype datatype,
                          EP_Status* status) {
  return blocking_access(fh, reading("EP_File_read", buf, count, datatype), std::nullopt, status);
}

int EP_COUNTED(File_write)(EP_File fh, const void* buf, Count count, MPI_Datatype datatype,
                           EP_Status* status) {
  return blocking_access(fh, writing("EP_File_write", buf, count, datatype), std::nullopt, status);
}

int EP_COUNTED(File_iread)(EP_File fh, void* buf, Count count, MPI_Datatype datatype,
                           EP_Request* request) {
  return immediate_access(fh, reading("EP_File_iread", buf, count, datatype), std::nullopt,
                          request);
}

int EP_COUNTED(File_iwrite)(EP_File fh, const void* buf, Count count, MPI_Datatype datatype,
                            EP_Request* request) {
  return immediate_access(fh, writing("EP_File_iwrite", buf, count, datatype), std::nullopt,
                          request);
}
