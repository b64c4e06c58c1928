#include <ep/ep.h>

#include "files/api_file.hpp"
#include "process/counts.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

int EP_COUNTED(File_read_at)(EP_File fh, MPI_Offset offset, void* buf, Count count,
                             MPI_Datatype datatype, EP_Status* status) {
  return access_alone(fh, reading("EP_File_read_at", buf, count, datatype), at(offset), status);
}

int EP_COUNTED(File_write_at)(EP_File fh, MPI_Offset offset, const void* buf, Count count,
                              MPI_Datatype datatype, EP_Status* status) {
  return access_alone(fh, writing("EP_File_write_at", buf, count, datatype), at(offset), status);
}

int EP_COUNTED(File_iread_at)(EP_File fh, MPI_Offset offset, void* buf, Count count,
                              MPI_Datatype datatype, EP_Request* request) {
  return start_alone(fh, reading("EP_File_iread_at", buf, count, datatype), at(offset), request);
}

int EP_COUNTED(File_iwrite_at)(EP_File fh, MPI_Offset offset, const void* buf, Count count,
                               MPI_Datatype datatype, EP_Request* request) {
  return start_alone(fh, writing("EP_File_iwrite_at", buf, count, datatype), at(offset), request);
}

int EP_COUNTED(File_read)(EP_File fh, void* buf, Count count, MPI_Datatype datatype,
                          EP_Status* status) {
  return access_alone(fh, reading("EP_File_read", buf, count, datatype), at_individual_pointer,
                      status);
}

int EP_COUNTED(File_write)(EP_File fh, const void* buf, Count count, MPI_Datatype datatype,
                           EP_Status* status) {
  return access_alone(fh, writing("EP_File_write", buf, count, datatype), at_individual_pointer,
                      status);
}

int EP_COUNTED(File_iread)(EP_File fh, void* buf, Count count, MPI_Datatype datatype,
                           EP_Request* request) {
  return start_alone(fh, reading("EP_File_iread", buf, count, datatype), at_individual_pointer,
                     request);
}

int EP_COUNTED(File_iwrite)(EP_File fh, const void* buf, Count count, MPI_Datatype datatype,
                            EP_Request* request) {
  return start_alone(fh, writing("EP_File_iwrite", buf, count, datatype), at_individual_pointer,
                     request);
}
