#include <ep/ep.h>

#include "files/api_file.hpp"
#include "process/counts.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

int EP_COUNTED(File_read_at_all)(EP_File fh, MPI_Offset offset, void* buf, Count count,
                                 MPI_Datatype datatype, EP_Status* status) {
  return access_all(fh, reading("EP_File_read_at_all", buf, count, datatype), at(offset), status);
}

int EP_COUNTED(File_write_at_all)(EP_File fh, MPI_Offset offset, const void* buf, Count count,
                                  MPI_Datatype datatype, EP_Status* status) {
  return access_all(fh, writing("EP_File_write_at_all", buf, count, datatype), at(offset), status);
}

int EP_COUNTED(File_iread_at_all)(EP_File fh, MPI_Offset offset, void* buf, Count count,
                                  MPI_Datatype datatype, EP_Request* request) {
  return start_all(fh, reading("EP_File_iread_at_all", buf, count, datatype), at(offset), request);
}

int EP_COUNTED(File_iwrite_at_all)(EP_File fh, MPI_Offset offset, const void* buf, Count count,
                                   MPI_Datatype datatype, EP_Request* request) {
  return start_all(fh, writing("EP_File_iwrite_at_all", buf, count, datatype), at(offset), request);
}

int EP_COUNTED(File_read_all)(EP_File fh, void* buf, Count count, MPI_Datatype datatype,
                              EP_Status* status) {
  return access_all(fh, reading("EP_File_read_all", buf, count, datatype), at_individual_pointer,
                    status);
}

int EP_COUNTED(File_write_all)(EP_File fh, const void* buf, Count count, MPI_Datatype datatype,
                               EP_Status* status) {
  return access_all(fh, writing("EP_File_write_all", buf, count, datatype), at_individual_pointer,
                    status);
}

int EP_COUNTED(File_iread_all)(EP_File fh, void* buf, Count count, MPI_Datatype datatype,
                               EP_Request* request) {
  return start_all(fh, reading("EP_File_iread_all", buf, count, datatype), at_individual_pointer,
                   request);
}

int EP_COUNTED(File_iwrite_all)(EP_File fh, const void* buf, Count count, MPI_Datatype datatype,
                                EP_Request* request) {
  return start_all(fh, writing("EP_File_iwrite_all", buf, count, datatype), at_individual_pointer,
                   request);
}

int EP_COUNTED(File_read_at_all_begin)(EP_File fh, MPI_Offset offset, void* buf, Count count,
                                       MPI_Datatype datatype) {
  return begin_split(fh, reading("EP_File_read_at_all", buf, count, datatype), at(offset));
}

#ifndef EP_LARGE_COUNTS
int EP_File_read_at_all_end(EP_File fh, void* buf, EP_Status* status) {
  static_cast<void>(buf);
  return end_split(fh, "EP_File_read_at_all", status);
}
#endif

int EP_COUNTED(File_write_at_all_begin)(EP_File fh, MPI_Offset offset, const void* buf, Count count,
                                        MPI_Datatype datatype) {
  return begin_split(fh, writing("EP_File_write_at_all", buf, count, datatype), at(offset));
}

#ifndef EP_LARGE_COUNTS
int EP_File_write_at_all_end(EP_File fh, const void* buf, EP_Status* status) {
  static_cast<void>(buf);
  return end_split(fh, "EP_File_write_at_all", status);
}
#endif

int EP_COUNTED(File_read_all_begin)(EP_File fh, void* buf, Count count, MPI_Datatype datatype) {
  return begin_split(fh, reading("EP_File_read_all", buf, count, datatype), at_individual_pointer);
}

#ifndef EP_LARGE_COUNTS
int EP_File_read_all_end(EP_File fh, void* buf, EP_Status* status) {
  static_cast<void>(buf);
  return end_split(fh, "EP_File_read_all", status);
}
#endif

int EP_COUNTED(File_write_all_begin)(EP_File fh, const void* buf, Count count,
                                     MPI_Datatype datatype) {
  return begin_split(fh, writing("EP_File_write_all", buf, count, datatype), at_individual_pointer);
}

#ifndef EP_LARGE_COUNTS
int EP_File_write_all_end(EP_File fh, const void* buf, EP_Status* status) {
  static_cast<void>(buf);
  return end_split(fh, "EP_File_write_all", status);
}
#endif
