/// @file
/// Functions with large counts; included by <ep/ep.h>. Written by ep_core/large_counts.
///
/// Each EP_Xxx_c is EP_Xxx, with counts of MPI_Count and displacements of MPI_Aint, and matches it:
/// one endpoint may call the one while another calls the other. MPI-4.0, 2.5.8 and 19.2.
#ifndef EP_LARGE_H
#define EP_LARGE_H

#include <ep/files.h>
#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// EP_Bcast with large counts.
int EP_Bcast_c(void* buf, MPI_Count count, MPI_Datatype type, int root, EP_Comm comm);
/// EP_Gather with large counts.
int EP_Gather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                MPI_Count recvcount, MPI_Datatype recvtype, int root, EP_Comm comm);
/// EP_Gatherv with large counts.
int EP_Gatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                 const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
                 int root, EP_Comm comm);
/// EP_Scatter with large counts.
int EP_Scatter_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                 MPI_Count recvcount, MPI_Datatype recvtype, int root, EP_Comm comm);
/// EP_Scatterv with large counts.
int EP_Scatterv_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                  MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                  int root, EP_Comm comm);
/// EP_Allgather with large counts.
int EP_Allgather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                   MPI_Count recvcount, MPI_Datatype recvtype, EP_Comm comm);
/// EP_Allgatherv with large counts.
int EP_Allgatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                    const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
                    EP_Comm comm);
/// EP_Alltoall with large counts.
int EP_Alltoall_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                  MPI_Count recvcount, MPI_Datatype recvtype, EP_Comm comm);
/// EP_Alltoallv with large counts.
int EP_Alltoallv_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                   MPI_Datatype sendtype, void* recvbuf, const MPI_Count recvcounts[],
                   const MPI_Aint rdispls[], MPI_Datatype recvtype, EP_Comm comm);
/// EP_Alltoallw with large counts.
int EP_Alltoallw_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                   const MPI_Datatype sendtypes[], void* recvbuf, const MPI_Count recvcounts[],
                   const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], EP_Comm comm);
/// EP_Ibcast with large counts.
int EP_Ibcast_c(void* buf, MPI_Count count, MPI_Datatype type, int root, EP_Comm comm,
                EP_Request* request);
/// EP_Igather with large counts.
int EP_Igather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                 MPI_Count recvcount, MPI_Datatype recvtype, int root, EP_Comm comm,
                 EP_Request* request);
/// EP_Igatherv with large counts.
int EP_Igatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                  const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
                  int root, EP_Comm comm, EP_Request* request);
/// EP_Iscatter with large counts.
int EP_Iscatter_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                  MPI_Count recvcount, MPI_Datatype recvtype, int root, EP_Comm comm,
                  EP_Request* request);
/// EP_Iscatterv with large counts.
int EP_Iscatterv_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                   MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                   int root, EP_Comm comm, EP_Request* request);
/// EP_Iallgather with large counts.
int EP_Iallgather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                    MPI_Count recvcount, MPI_Datatype recvtype, EP_Comm comm, EP_Request* request);
/// EP_Iallgatherv with large counts.
int EP_Iallgatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                     const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
                     EP_Comm comm, EP_Request* request);
/// EP_Ialltoall with large counts.
int EP_Ialltoall_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                   MPI_Count recvcount, MPI_Datatype recvtype, EP_Comm comm, EP_Request* request);
/// EP_Ialltoallv with large counts.
int EP_Ialltoallv_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                    MPI_Datatype sendtype, void* recvbuf, const MPI_Count recvcounts[],
                    const MPI_Aint rdispls[], MPI_Datatype recvtype, EP_Comm comm,
                    EP_Request* request);
/// EP_Ialltoallw with large counts.
int EP_Ialltoallw_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                    const MPI_Datatype sendtypes[], void* recvbuf, const MPI_Count recvcounts[],
                    const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], EP_Comm comm,
                    EP_Request* request);
/// EP_Reduce with large counts.
int EP_Reduce_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype type, MPI_Op op,
                int root, EP_Comm comm);
/// EP_Allreduce with large counts.
int EP_Allreduce_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype type,
                   MPI_Op op, EP_Comm comm);
/// EP_Reduce_scatter with large counts.
int EP_Reduce_scatter_c(const void* sendbuf, void* recvbuf, const MPI_Count recvcounts[],
                        MPI_Datatype type, MPI_Op op, EP_Comm comm);
/// EP_Reduce_scatter_block with large counts.
int EP_Reduce_scatter_block_c(const void* sendbuf, void* recvbuf, MPI_Count recvcount,
                              MPI_Datatype type, MPI_Op op, EP_Comm comm);
/// EP_Scan with large counts.
int EP_Scan_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype type, MPI_Op op,
              EP_Comm comm);
/// EP_Exscan with large counts.
int EP_Exscan_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype type, MPI_Op op,
                EP_Comm comm);
/// EP_Ireduce with large counts.
int EP_Ireduce_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype type, MPI_Op op,
                 int root, EP_Comm comm, EP_Request* request);
/// EP_Iallreduce with large counts.
int EP_Iallreduce_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype type,
                    MPI_Op op, EP_Comm comm, EP_Request* request);
/// EP_Ireduce_scatter with large counts.
int EP_Ireduce_scatter_c(const void* sendbuf, void* recvbuf, const MPI_Count recvcounts[],
                         MPI_Datatype type, MPI_Op op, EP_Comm comm, EP_Request* request);
/// EP_Ireduce_scatter_block with large counts.
int EP_Ireduce_scatter_block_c(const void* sendbuf, void* recvbuf, MPI_Count recvcount,
                               MPI_Datatype type, MPI_Op op, EP_Comm comm, EP_Request* request);
/// EP_Iscan with large counts.
int EP_Iscan_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype type, MPI_Op op,
               EP_Comm comm, EP_Request* request);
/// EP_Iexscan with large counts.
int EP_Iexscan_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype type, MPI_Op op,
                 EP_Comm comm, EP_Request* request);
/// EP_Reduce_local with large counts.
int EP_Reduce_local_c(const void* inbuf, void* inoutbuf, MPI_Count count, MPI_Datatype type,
                      MPI_Op op);
/// EP_Neighbor_allgather with large counts.
int EP_Neighbor_allgather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                            void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                            EP_Comm comm);
/// EP_Neighbor_allgatherv with large counts.
int EP_Neighbor_allgatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                             void* recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                             MPI_Datatype recvtype, EP_Comm comm);
/// EP_Neighbor_alltoall with large counts.
int EP_Neighbor_alltoall_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                           void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, EP_Comm comm);
/// EP_Neighbor_alltoallv with large counts.
int EP_Neighbor_alltoallv_c(const void* sendbuf, const MPI_Count sendcounts[],
                            const MPI_Aint sdispls[], MPI_Datatype sendtype, void* recvbuf,
                            const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                            MPI_Datatype recvtype, EP_Comm comm);
/// EP_Neighbor_alltoallw with large counts.
int EP_Neighbor_alltoallw_c(const void* sendbuf, const MPI_Count sendcounts[],
                            const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void* recvbuf,
                            const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                            const MPI_Datatype recvtypes[], EP_Comm comm);
/// EP_Ineighbor_allgather with large counts.
int EP_Ineighbor_allgather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                             void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                             EP_Comm comm, EP_Request* request);
/// EP_Ineighbor_allgatherv with large counts.
int EP_Ineighbor_allgatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                              void* recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                              MPI_Datatype recvtype, EP_Comm comm, EP_Request* request);
/// EP_Ineighbor_alltoall with large counts.
int EP_Ineighbor_alltoall_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                            void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, EP_Comm comm,
                            EP_Request* request);
/// EP_Ineighbor_alltoallv with large counts.
int EP_Ineighbor_alltoallv_c(const void* sendbuf, const MPI_Count sendcounts[],
                             const MPI_Aint sdispls[], MPI_Datatype sendtype, void* recvbuf,
                             const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                             MPI_Datatype recvtype, EP_Comm comm, EP_Request* request);
/// EP_Ineighbor_alltoallw with large counts.
int EP_Ineighbor_alltoallw_c(const void* sendbuf, const MPI_Count sendcounts[],
                             const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                             void* recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                             const MPI_Datatype recvtypes[], EP_Comm comm, EP_Request* request);
/// EP_File_get_type_extent with large counts.
int EP_File_get_type_extent_c(EP_File fh, MPI_Datatype datatype, MPI_Count* extent);
/// EP_Register_datarep with large counts.
int EP_Register_datarep_c(const char* datarep, EP_Datarep_conversion_function_c* read_conversion_fn,
                          EP_Datarep_conversion_function_c* write_conversion_fn,
                          EP_Datarep_extent_function* dtype_file_extent_fn, void* extra_state);
/// EP_File_read_at with large counts.
int EP_File_read_at_c(EP_File fh, MPI_Offset offset, void* buf, MPI_Count count,
                      MPI_Datatype datatype, EP_Status* status);
/// EP_File_read_at_all with large counts.
int EP_File_read_at_all_c(EP_File fh, MPI_Offset offset, void* buf, MPI_Count count,
                          MPI_Datatype datatype, EP_Status* status);
/// EP_File_write_at with large counts.
int EP_File_write_at_c(EP_File fh, MPI_Offset offset, const void* buf, MPI_Count count,
                       MPI_Datatype datatype, EP_Status* status);
/// EP_File_write_at_all with large counts.
int EP_File_write_at_all_c(EP_File fh, MPI_Offset offset, const void* buf, MPI_Count count,
                           MPI_Datatype datatype, EP_Status* status);
/// EP_File_iread_at with large counts.
int EP_File_iread_at_c(EP_File fh, MPI_Offset offset, void* buf, MPI_Count count,
                       MPI_Datatype datatype, EP_Request* request);
/// EP_File_iread_at_all with large counts.
int EP_File_iread_at_all_c(EP_File fh, MPI_Offset offset, void* buf, MPI_Count count,
                           MPI_Datatype datatype, EP_Request* request);
/// EP_File_iwrite_at with large counts.
int EP_File_iwrite_at_c(EP_File fh, MPI_Offset offset, const void* buf, MPI_Count count,
                        MPI_Datatype datatype, EP_Request* request);
/// EP_File_iwrite_at_all with large counts.
int EP_File_iwrite_at_all_c(EP_File fh, MPI_Offset offset, const void* buf, MPI_Count count,
                            MPI_Datatype datatype, EP_Request* request);
/// EP_File_read with large counts.
int EP_File_read_c(EP_File fh, void* buf, MPI_Count count, MPI_Datatype datatype,
                   EP_Status* status);
/// EP_File_read_all with large counts.
int EP_File_read_all_c(EP_File fh, void* buf, MPI_Count count, MPI_Datatype datatype,
                       EP_Status* status);
/// EP_File_write with large counts.
int EP_File_write_c(EP_File fh, const void* buf, MPI_Count count, MPI_Datatype datatype,
                    EP_Status* status);
/// EP_File_write_all with large counts.
int EP_File_write_all_c(EP_File fh, const void* buf, MPI_Count count, MPI_Datatype datatype,
                        EP_Status* status);
/// EP_File_iread with large counts.
int EP_File_iread_c(EP_File fh, void* buf, MPI_Count count, MPI_Datatype datatype,
                    EP_Request* request);
/// EP_File_iread_all with large counts.
int EP_File_iread_all_c(EP_File fh, void* buf, MPI_Count count, MPI_Datatype datatype,
                        EP_Request* request);
/// EP_File_iwrite with large counts.
int EP_File_iwrite_c(EP_File fh, const void* buf, MPI_Count count, MPI_Datatype datatype,
                     EP_Request* request);
/// EP_File_iwrite_all with large counts.
int EP_File_iwrite_all_c(EP_File fh, const void* buf, MPI_Count count, MPI_Datatype datatype,
                         EP_Request* request);
/// EP_File_read_shared with large counts.
int EP_File_read_shared_c(EP_File fh, void* buf, MPI_Count count, MPI_Datatype datatype,
                          EP_Status* status);
/// EP_File_write_shared with large counts.
int EP_File_write_shared_c(EP_File fh, const void* buf, MPI_Count count, MPI_Datatype datatype,
                           EP_Status* status);
/// EP_File_iread_shared with large counts.
int EP_File_iread_shared_c(EP_File fh, void* buf, MPI_Count count, MPI_Datatype datatype,
                           EP_Request* request);
/// EP_File_iwrite_shared with large counts.
int EP_File_iwrite_shared_c(EP_File fh, const void* buf, MPI_Count count, MPI_Datatype datatype,
                            EP_Request* request);
/// EP_File_read_ordered with large counts.
int EP_File_read_ordered_c(EP_File fh, void* buf, MPI_Count count, MPI_Datatype datatype,
                           EP_Status* status);
/// EP_File_write_ordered with large counts.
int EP_File_write_ordered_c(EP_File fh, const void* buf, MPI_Count count, MPI_Datatype datatype,
                            EP_Status* status);
/// EP_File_read_at_all_begin with large counts.
int EP_File_read_at_all_begin_c(EP_File fh, MPI_Offset offset, void* buf, MPI_Count count,
                                MPI_Datatype datatype);
/// EP_File_write_at_all_begin with large counts.
int EP_File_write_at_all_begin_c(EP_File fh, MPI_Offset offset, const void* buf, MPI_Count count,
                                 MPI_Datatype datatype);
/// EP_File_read_all_begin with large counts.
int EP_File_read_all_begin_c(EP_File fh, void* buf, MPI_Count count, MPI_Datatype datatype);
/// EP_File_write_all_begin with large counts.
int EP_File_write_all_begin_c(EP_File fh, const void* buf, MPI_Count count, MPI_Datatype datatype);
/// EP_File_read_ordered_begin with large counts.
int EP_File_read_ordered_begin_c(EP_File fh, void* buf, MPI_Count count, MPI_Datatype datatype);
/// EP_File_write_ordered_begin with large counts.
int EP_File_write_ordered_begin_c(EP_File fh, const void* buf, MPI_Count count,
                                  MPI_Datatype datatype);
/// EP_Send with large counts.
int EP_Send_c(const void* buf, MPI_Count count, MPI_Datatype type, int dest, int tag, EP_Comm comm);
/// EP_Ssend with large counts.
int EP_Ssend_c(const void* buf, MPI_Count count, MPI_Datatype type, int dest, int tag,
               EP_Comm comm);
/// EP_Bsend with large counts.
int EP_Bsend_c(const void* buf, MPI_Count count, MPI_Datatype type, int dest, int tag,
               EP_Comm comm);
/// EP_Rsend with large counts.
int EP_Rsend_c(const void* buf, MPI_Count count, MPI_Datatype type, int dest, int tag,
               EP_Comm comm);
/// EP_Isend with large counts.
int EP_Isend_c(const void* buf, MPI_Count count, MPI_Datatype type, int dest, int tag, EP_Comm comm,
               EP_Request* request);
/// EP_Issend with large counts.
int EP_Issend_c(const void* buf, MPI_Count count, MPI_Datatype type, int dest, int tag,
                EP_Comm comm, EP_Request* request);
/// EP_Ibsend with large counts.
int EP_Ibsend_c(const void* buf, MPI_Count count, MPI_Datatype type, int dest, int tag,
                EP_Comm comm, EP_Request* request);
/// EP_Irsend with large counts.
int EP_Irsend_c(const void* buf, MPI_Count count, MPI_Datatype type, int dest, int tag,
                EP_Comm comm, EP_Request* request);
/// EP_Buffer_attach with large counts.
int EP_Buffer_attach_c(void* buffer, MPI_Count size);
/// EP_Buffer_detach with large counts.
int EP_Buffer_detach_c(void* buffer_address, MPI_Count* size);
/// EP_Recv with large counts.
int EP_Recv_c(void* buf, MPI_Count count, MPI_Datatype type, int source, int tag, EP_Comm comm,
              EP_Status* status);
/// EP_Irecv with large counts.
int EP_Irecv_c(void* buf, MPI_Count count, MPI_Datatype type, int source, int tag, EP_Comm comm,
               EP_Request* request);
/// EP_Mrecv with large counts.
int EP_Mrecv_c(void* buf, MPI_Count count, MPI_Datatype type, EP_Message* message,
               EP_Status* status);
/// EP_Imrecv with large counts.
int EP_Imrecv_c(void* buf, MPI_Count count, MPI_Datatype type, EP_Message* message,
                EP_Request* request);
/// EP_Sendrecv with large counts.
int EP_Sendrecv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest,
                  int sendtag, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                  int source, int recvtag, EP_Comm comm, EP_Status* status);
/// EP_Sendrecv_replace with large counts.
int EP_Sendrecv_replace_c(void* buf, MPI_Count count, MPI_Datatype type, int dest, int sendtag,
                          int source, int recvtag, EP_Comm comm, EP_Status* status);
/// EP_Isendrecv with large counts.
int EP_Isendrecv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest,
                   int sendtag, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                   int source, int recvtag, EP_Comm comm, EP_Request* request);
/// EP_Isendrecv_replace with large counts.
int EP_Isendrecv_replace_c(void* buf, MPI_Count count, MPI_Datatype type, int dest, int sendtag,
                           int source, int recvtag, EP_Comm comm, EP_Request* request);
/// EP_Send_init with large counts.
int EP_Send_init_c(const void* buf, MPI_Count count, MPI_Datatype type, int dest, int tag,
                   EP_Comm comm, EP_Request* request);
/// EP_Ssend_init with large counts.
int EP_Ssend_init_c(const void* buf, MPI_Count count, MPI_Datatype type, int dest, int tag,
                    EP_Comm comm, EP_Request* request);
/// EP_Bsend_init with large counts.
int EP_Bsend_init_c(const void* buf, MPI_Count count, MPI_Datatype type, int dest, int tag,
                    EP_Comm comm, EP_Request* request);
/// EP_Rsend_init with large counts.
int EP_Rsend_init_c(const void* buf, MPI_Count count, MPI_Datatype type, int dest, int tag,
                    EP_Comm comm, EP_Request* request);
/// EP_Recv_init with large counts.
int EP_Recv_init_c(void* buf, MPI_Count count, MPI_Datatype type, int source, int tag, EP_Comm comm,
                   EP_Request* request);
/// EP_Get_count with large counts.
int EP_Get_count_c(const EP_Status* status, MPI_Datatype type, MPI_Count* count);
/// EP_Get_elements with large counts.
int EP_Get_elements_c(const EP_Status* status, MPI_Datatype type, MPI_Count* count);
/// EP_Pack with large counts.
int EP_Pack_c(const void* inbuf, MPI_Count incount, MPI_Datatype type, void* outbuf,
              MPI_Count outsize, MPI_Count* position, EP_Comm comm);
/// EP_Unpack with large counts.
int EP_Unpack_c(const void* inbuf, MPI_Count insize, MPI_Count* position, void* outbuf,
                MPI_Count outcount, MPI_Datatype type, EP_Comm comm);
/// EP_Pack_size with large counts.
int EP_Pack_size_c(MPI_Count incount, MPI_Datatype type, EP_Comm comm, MPI_Count* size);
/// EP_Pack_external with large counts.
int EP_Pack_external_c(const char* representation, const void* inbuf, MPI_Count incount,
                       MPI_Datatype type, void* outbuf, MPI_Count outsize, MPI_Count* position);
/// EP_Unpack_external with large counts.
int EP_Unpack_external_c(const char representation[], const void* inbuf, MPI_Count insize,
                         MPI_Count* position, void* outbuf, MPI_Count outcount, MPI_Datatype type);
/// EP_Pack_external_size with large counts.
int EP_Pack_external_size_c(const char* representation, MPI_Count incount, MPI_Datatype type,
                            MPI_Count* size);
/// EP_Bcast_init with large counts.
int EP_Bcast_init_c(void* buf, MPI_Count count, MPI_Datatype type, int root, EP_Comm comm,
                    MPI_Info info, EP_Request* request);
/// EP_Gather_init with large counts.
int EP_Gather_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                     MPI_Count recvcount, MPI_Datatype recvtype, int root, EP_Comm comm,
                     MPI_Info info, EP_Request* request);
/// EP_Gatherv_init with large counts.
int EP_Gatherv_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                      void* recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                      MPI_Datatype recvtype, int root, EP_Comm comm, MPI_Info info,
                      EP_Request* request);
/// EP_Scatter_init with large counts.
int EP_Scatter_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                      void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root,
                      EP_Comm comm, MPI_Info info, EP_Request* request);
/// EP_Scatterv_init with large counts.
int EP_Scatterv_init_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                       MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
                       MPI_Datatype recvtype, int root, EP_Comm comm, MPI_Info info,
                       EP_Request* request);
/// EP_Allgather_init with large counts.
int EP_Allgather_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                        void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, EP_Comm comm,
                        MPI_Info info, EP_Request* request);
/// EP_Allgatherv_init with large counts.
int EP_Allgatherv_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                         void* recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                         MPI_Datatype recvtype, EP_Comm comm, MPI_Info info, EP_Request* request);
/// EP_Alltoall_init with large counts.
int EP_Alltoall_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                       void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, EP_Comm comm,
                       MPI_Info info, EP_Request* request);
/// EP_Alltoallv_init with large counts.
int EP_Alltoallv_init_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                        MPI_Datatype sendtype, void* recvbuf, const MPI_Count recvcounts[],
                        const MPI_Aint rdispls[], MPI_Datatype recvtype, EP_Comm comm,
                        MPI_Info info, EP_Request* request);
/// EP_Alltoallw_init with large counts.
int EP_Alltoallw_init_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                        const MPI_Datatype sendtypes[], void* recvbuf, const MPI_Count recvcounts[],
                        const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], EP_Comm comm,
                        MPI_Info info, EP_Request* request);
/// EP_Reduce_init with large counts.
int EP_Reduce_init_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype type,
                     MPI_Op op, int root, EP_Comm comm, MPI_Info info, EP_Request* request);
/// EP_Allreduce_init with large counts.
int EP_Allreduce_init_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype type,
                        MPI_Op op, EP_Comm comm, MPI_Info info, EP_Request* request);
/// EP_Reduce_scatter_init with large counts.
int EP_Reduce_scatter_init_c(const void* sendbuf, void* recvbuf, const MPI_Count recvcounts[],
                             MPI_Datatype type, MPI_Op op, EP_Comm comm, MPI_Info info,
                             EP_Request* request);
/// EP_Reduce_scatter_block_init with large counts.
int EP_Reduce_scatter_block_init_c(const void* sendbuf, void* recvbuf, MPI_Count recvcount,
                                   MPI_Datatype type, MPI_Op op, EP_Comm comm, MPI_Info info,
                                   EP_Request* request);
/// EP_Scan_init with large counts.
int EP_Scan_init_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype type,
                   MPI_Op op, EP_Comm comm, MPI_Info info, EP_Request* request);
/// EP_Exscan_init with large counts.
int EP_Exscan_init_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype type,
                     MPI_Op op, EP_Comm comm, MPI_Info info, EP_Request* request);
/// EP_Neighbor_allgather_init with large counts.
int EP_Neighbor_allgather_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                 void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                                 EP_Comm comm, MPI_Info info, EP_Request* request);
/// EP_Neighbor_allgatherv_init with large counts.
int EP_Neighbor_allgatherv_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                  void* recvbuf, const MPI_Count recvcounts[],
                                  const MPI_Aint displs[], MPI_Datatype recvtype, EP_Comm comm,
                                  MPI_Info info, EP_Request* request);
/// EP_Neighbor_alltoall_init with large counts.
int EP_Neighbor_alltoall_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                                EP_Comm comm, MPI_Info info, EP_Request* request);
/// EP_Neighbor_alltoallv_init with large counts.
int EP_Neighbor_alltoallv_init_c(const void* sendbuf, const MPI_Count sendcounts[],
                                 const MPI_Aint sdispls[], MPI_Datatype sendtype, void* recvbuf,
                                 const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                                 MPI_Datatype recvtype, EP_Comm comm, MPI_Info info,
                                 EP_Request* request);
/// EP_Neighbor_alltoallw_init with large counts.
int EP_Neighbor_alltoallw_init_c(const void* sendbuf, const MPI_Count sendcounts[],
                                 const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                 void* recvbuf, const MPI_Count recvcounts[],
                                 const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                                 EP_Comm comm, MPI_Info info, EP_Request* request);
/// EP_Put with large counts.
int EP_Put_c(const void* origin, MPI_Count count, MPI_Datatype type, int target, MPI_Aint disp,
             MPI_Count target_count, MPI_Datatype target_type, EP_Win win);
/// EP_Get with large counts.
int EP_Get_c(void* origin, MPI_Count count, MPI_Datatype type, int target, MPI_Aint disp,
             MPI_Count target_count, MPI_Datatype target_type, EP_Win win);
/// EP_Accumulate with large counts.
int EP_Accumulate_c(const void* origin, MPI_Count count, MPI_Datatype type, int target,
                    MPI_Aint disp, MPI_Count target_count, MPI_Datatype target_type, MPI_Op op,
                    EP_Win win);
/// EP_Get_accumulate with large counts.
int EP_Get_accumulate_c(const void* origin, MPI_Count count, MPI_Datatype type, void* result,
                        MPI_Count result_count, MPI_Datatype result_type, int target, MPI_Aint disp,
                        MPI_Count target_count, MPI_Datatype target_type, MPI_Op op, EP_Win win);
/// EP_Rput with large counts.
int EP_Rput_c(const void* origin, MPI_Count count, MPI_Datatype type, int target, MPI_Aint disp,
              MPI_Count target_count, MPI_Datatype target_type, EP_Win win, EP_Request* request);
/// EP_Rget with large counts.
int EP_Rget_c(void* origin, MPI_Count count, MPI_Datatype type, int target, MPI_Aint disp,
              MPI_Count target_count, MPI_Datatype target_type, EP_Win win, EP_Request* request);
/// EP_Raccumulate with large counts.
int EP_Raccumulate_c(const void* origin, MPI_Count count, MPI_Datatype type, int target,
                     MPI_Aint disp, MPI_Count target_count, MPI_Datatype target_type, MPI_Op op,
                     EP_Win win, EP_Request* request);
/// EP_Rget_accumulate with large counts.
int EP_Rget_accumulate_c(const void* origin, MPI_Count count, MPI_Datatype type, void* result,
                         MPI_Count result_count, MPI_Datatype result_type, int target,
                         MPI_Aint disp, MPI_Count target_count, MPI_Datatype target_type, MPI_Op op,
                         EP_Win win, EP_Request* request);
/// EP_Win_create with large counts.
int EP_Win_create_c(void* base, MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, EP_Comm comm,
                    EP_Win* win);
/// EP_Win_allocate with large counts.
int EP_Win_allocate_c(MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, EP_Comm comm, void* baseptr,
                      EP_Win* win);
/// EP_Win_allocate_shared with large counts.
int EP_Win_allocate_shared_c(MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, EP_Comm comm,
                             void* baseptr, EP_Win* win);
/// EP_Win_shared_query with large counts.
int EP_Win_shared_query_c(EP_Win win, int rank, MPI_Aint* size, MPI_Aint* disp_unit, void* baseptr);

#ifdef __cplusplus
}
#endif

#endif
