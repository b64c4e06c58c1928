#include <ep/ep.h>

#include "files/api_file.hpp"
#include "process/counts.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

int EP_COUNTED(File_read_shared)(EP_File fh, void* buf, Count count, MPI_Datatype datatype,
                                 EP_Status* status) {
  return access_alone(fh, reading("EP_File_read_shared", buf, count, datatype), at_shared_pointer,
                      status);
}

int EP_COUNTED(File_write_shared)(EP_File fh, const void* buf, Count count, MPI_Datatype datatype,
                                  EP_Status* status) {
  return access_alone(fh, writing("EP_File_write_shared", buf, count, datatype), at_shared_pointer,
                      status);
}

int EP_COUNTED(File_iread_shared)(EP_File fh, void* buf, Count count, MPI_Datatype datatype,
                                  EP_Request* request) {
  return start_alone(fh, reading("EP_File_iread_shared", buf, count, datatype), at_shared_pointer,
                     request);
}

int EP_COUNTED(File_iwrite_shared)(EP_File fh, const void* buf, Count count, MPI_Datatype datatype,
                                   EP_Request* request) {
  return start_alone(fh, writing("EP_File_iwrite_shared", buf, count, datatype), at_shared_pointer,
                     request);
}

int EP_COUNTED(File_read_ordered)(EP_File fh, void* buf, Count count, MPI_Datatype datatype,
                                  EP_Status* status) {
  return access_all(fh, reading("EP_File_read_ordered", buf, count, datatype), at_shared_pointer,
                    status);
}

int EP_COUNTED(File_write_ordered)(EP_File fh, const void* buf, Count count, MPI_Datatype datatype,
                                   EP_Status* status) {
  return access_all(fh, writing("EP_File_write_ordered", buf, count, datatype), at_shared_pointer,
                    status);
}

int EP_COUNTED(File_read_ordered_begin)(EP_File fh, void* buf, Count count, MPI_Datatype datatype) {
  return begin_split(fh, reading("EP_File_read_ordered", buf, count, datatype), at_shared_pointer);
}

#ifndef EP_LARGE_COUNTS
int EP_File_read_ordered_end(EP_File fh, void* buf, EP_Status* status) {
  static_cast<void>(buf);
  return end_split(fh, "EP_File_read_ordered", status);
}
#endif

int EP_COUNTED(File_write_ordered_begin)(EP_File fh, const void* buf, Count count,
                                         MPI_Datatype datatype) {
  return begin_split(fh, writing("EP_File_write_ordered", buf, count, datatype), at_shared_pointer);
}

#ifndef EP_LARGE_COUNTS
int EP_File_write_ordered_end(EP_File fh, const void* buf, EP_Status* status) {
  static_cast<void>(buf);
  return end_split(fh, "EP_File_write_ordered", status);
}
#endif
