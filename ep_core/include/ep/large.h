/// @file
/// Functions with large counts; included by <ep/ep.h>. Written by ep_core/large_counts.
///
/// Each EP_Xxx_c does what EP_Xxx does, with counts of type MPI_Count and displacements of type
/// MPI_Aint. The two match: some endpoints may call one while others call the other. MPI-4.0, 2.5.8
/// and 19.2.
#ifndef EP_LARGE_H
#define EP_LARGE_H

#include <ep/files.h>
#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Does what EP_Bcast does, with large counts.
int EP_Bcast_c(void* buf, MPI_Count count, MPI_Datatype type, int root, EP_Comm comm);
/// Does what EP_Gather does, with large counts.
int EP_Gather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                MPI_Count recvcount, MPI_Datatype recvtype, int root, EP_Comm comm);
/// Does what EP_Gatherv does, with large counts.
int EP_Gatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                 const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
                 int root, EP_Comm comm);
/// Does what EP_Scatter does, with large counts.
int EP_Scatter_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                 MPI_Count recvcount, MPI_Datatype recvtype, int root, EP_Comm comm);
/// Does what EP_Scatterv does, with large counts.
int EP_Scatterv_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                  MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                  int root, EP_Comm comm);
/// Does what EP_Allgather does, with large counts.
int EP_Allgather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                   MPI_Count recvcount, MPI_Datatype recvtype, EP_Comm comm);
/// Does what EP_Allgatherv does, with large counts.
int EP_Allgatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                    const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
                    EP_Comm comm);
/// Does what EP_Alltoall does, with large counts.
int EP_Alltoall_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                  MPI_Count recvcount, MPI_Datatype recvtype, EP_Comm comm);
/// Does what EP_Alltoallv does, with large counts.
int EP_Alltoallv_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                   MPI_Datatype sendtype, void* recvbuf, const MPI_Count recvcounts[],
                   const MPI_Aint rdispls[], MPI_Datatype recvtype, EP_Comm comm);
/// Does what EP_Alltoallw does, with large counts.
int EP_Alltoallw_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                   const MPI_Datatype sendtypes[], void* recvbuf, const MPI_Count recvcounts[],
                   const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], EP_Comm comm);
/// Does what EP_Ibcast does, with large counts.
int EP_Ibcast_c(void* buf, MPI_Count count, MPI_Datatype type, int root, EP_Comm comm,
                EP_Request* request);
/// Does what EP_Igather does, with large counts.
int EP_Igather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                 MPI_Count recvcount, MPI_Datatype recvtype, int root, EP_Comm comm,
                 EP_Request* request);
/// Does what EP_Igatherv does, with large counts.
int EP_Igatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                  const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
                  int root, EP_Comm comm, EP_Request* request);
/// Does what EP_Iscatter does, with large counts.
int EP_Iscatter_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                  MPI_Count recvcount, MPI_Datatype recvtype, int root, EP_Comm comm,
                  EP_Request* request);
/// Does what EP_Iscatterv does, with large counts.
int EP_Iscatterv_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                   MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                   int root, EP_Comm comm, EP_Request* request);
/// Does what EP_Iallgather does, with large counts.
int EP_Iallgather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                    MPI_Count recvcount, MPI_Datatype recvtype, EP_Comm comm, EP_Request* request);
/// Does what EP_Iallgatherv does, with large counts.
int EP_Iallgatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                     const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
                     EP_Comm comm, EP_Request* request);
/// Does what EP_Ialltoall does, with large counts.
int EP_Ialltoall_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                   MPI_Count recvcount, MPI_Datatype recvtype, EP_Comm comm, EP_Request* request);
/// Does what EP_Ialltoallv does, with large counts.
int EP_Ialltoallv_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                    MPI_Datatype sendtype, void* recvbuf, const MPI_Count recvcounts[],
                    const MPI_Aint rdispls[], MPI_Datatype recvtype, EP_Comm comm,
                    EP_Request* request);
/// Does what EP_Ialltoallw does, with large counts.
int EP_Ialltoallw_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                    const MPI_Datatype sendtypes[], void* recvbuf, const MPI_Count recvcounts[],
                    const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], EP_Comm comm,
                    EP_Request* request);
/// Does what EP_Reduce does, with large counts.
int EP_Reduce_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype type, MPI_Op op,
                int root, EP_Comm comm);
/// Does what EP_Allreduce does, with large counts.
int EP_Allreduce_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype type,
                   MPI_Op op, EP_Comm comm);
/// Does what EP_Reduce_scatter does, with large counts.
int EP_Reduce_scatter_c(const void* sendbuf, void* recvbuf, const MPI_Count recvcounts[],
                        MPI_Datatype type, MPI_Op op, EP_Comm comm);
/// Does what EP_Reduce_scatter_block does, with large counts.
int EP_Reduce_scatter_block_c(const void* sendbuf, void* recvbuf, MPI_Count recvcount,
                              MPI_Datatype type, MPI_Op op, EP_Comm comm);
/// Does what EP_Scan does, with large counts.
int EP_Scan_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype type, MPI_Op op,
              EP_Comm comm);
/// Does what EP_Exscan does, with large counts.
int EP_Exscan_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype type, MPI_Op op,
                EP_Comm comm);
/// Does what EP_Ireduce does, with large counts.
int EP_Ireduce_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype type, MPI_Op op,
                 int root, EP_Comm comm, EP_Request* request);
/// Does what EP_Iallreduce does, with large counts.
int EP_Iallreduce_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype type,
                    MPI_Op op, EP_Comm comm, EP_Request* request);
/// Does what EP_Ireduce_scatter does, with large counts.
int EP_Ireduce_scatter_c(const void* sendbuf, void* recvbuf, const MPI_Count recvcounts[],
                         MPI_Datatype type, MPI_Op op, EP_Comm comm, EP_Request* request);
/// Does what EP_Ireduce_scatter_block does, with large counts.
int EP_Ireduce_scatter_block_c(const void* sendbuf, void* recvbuf, MPI_Count recvcount,
                               MPI_Datatype type, MPI_Op op, EP_Comm comm, EP_Request* request);
/// Does what EP_Iscan does, with large counts.
int EP_Iscan_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype type, MPI_Op op,
               EP_Comm comm, EP_Request* request);
/// Does what EP_Iexscan does, with large counts.
int EP_Iexscan_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype type, MPI_Op op,
                 EP_Comm comm, EP_Request* request);
/// Does what EP_Reduce_local does, with large counts.
int EP_Reduce_local_c(const void* inbuf, void* inoutbuf, MPI_Count count, MPI_Datatype type,
                      MPI_Op op);
/// Does what EP_Neighbor_allgather does, with large counts.
int EP_Neighbor_allgather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                            void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                            EP_Comm comm);
/// Does what EP_Neighbor_allgatherv does, with large counts.
int EP_Neighbor_allgatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                             void* recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                             MPI_Datatype recvtype, EP_Comm comm);
/// Does what EP_Neighbor_alltoall does, with large counts.
int EP_Neighbor_alltoall_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                           void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, EP_Comm comm);
/// Does what EP_Neighbor_alltoallv does, with large counts.
int EP_Neighbor_alltoallv_c(const void* sendbuf, const MPI_Count sendcounts[],
                            const MPI_Aint sdispls[], MPI_Datatype sendtype, void* recvbuf,
                            const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                            MPI_Datatype recvtype, EP_Comm comm);
/// Does what EP_Neighbor_alltoallw does, with large counts.
int EP_Neighbor_alltoallw_c(const void* sendbuf, const MPI_Count sendcounts[],
                            const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void* recvbuf,
                            const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                            const MPI_Datatype recvtypes[], EP_Comm comm);
/// Does what EP_Ineighbor_allgather does, with large counts.
int EP_Ineighbor_allgather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                             void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                             EP_Comm comm, EP_Request* request);
/// Does what EP_Ineighbor_allgatherv does, with large counts.
int EP_Ineighbor_allgatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                              void* recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                              MPI_Datatype recvtype, EP_Comm comm, EP_Request* request);
/// Does what EP_Ineighbor_alltoall does, with large counts.
int EP_Ineighbor_alltoall_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                            void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, EP_Comm comm,
                            EP_Request* request);
/// Does what EP_Ineighbor_alltoallv does, with large counts.
int EP_Ineighbor_alltoallv_c(const void* sendbuf, const MPI_Count sendcounts[],
                             const MPI_Aint sdispls[], MPI_Datatype sendtype, void* recvbuf,
                             const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                             MPI_Datatype recvtype, EP_Comm comm, EP_Request* request);
/// Does what EP_Ineighbor_alltoallw does, with large counts.
int EP_Ineighbor_alltoallw_c(const void* sendbuf, const MPI_Count sendcounts[],
                             const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                             void* recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                             const MPI_Datatype recvtypes[], EP_Comm comm, EP_Request* request);
/// Does what EP_File_get_type_extent does, with large counts.
int EP_File_get_type_extent_c(EP_File fh, MPI_Datatype datatype, MPI_Count* extent);
/// Does what EP_Register_datarep does, with large counts.
int EP_Register_datarep_c(const char* datarep, EP_Datarep_conversion_function_c* read_conversion_fn,
                          EP_Datarep_conversion_function_c* write_conversion_fn,
                          EP_Datarep_extent_function* dtype_file_extent_fn, void* extra_state);
/// Does what EP_File_read_at does, with large counts.
int EP_File_read_at_c(EP_File fh, MPI_Offset offset, void* buf, MPI_Count count,
                      MPI_Datatype datatype, EP_Status* status);
/// Does what EP_File_read_at_all does, with large counts.
int EP_File_read_at_all_c(EP_File fh, MPI_Offset offset, void* buf, MPI_Count count,
                          MPI_Datatype datatype, EP_Status* status);
/// Does what EP_File_write_at does, with large counts.
int EP_File_write_at_c(EP_File fh, MPI_Offset offset, const void* buf, MPI_Count count,
                       MPI_Datatype datatype, EP_Status* status);
/// Does what EP_File_write_at_all does, with large counts.
int EP_File_write_at_all_c(EP_File fh, MPI_Offset offset, const void* buf, MPI_Count count,
                           MPI_Datatype datatype, EP_Status* status);
/// Does what EP_File_iread_at does, with large counts.
int EP_File_iread_at_c(EP_File fh, MPI_Offset offset, void* buf, MPI_Count count,
                       MPI_Datatype datatype, EP_Request* request);
/// Does what EP_File_iread_at_all does, with large counts.
int EP_File_iread_at_all_c(EP_File fh, MPI_Offset offset, void* buf, MPI_Count count,
                           MPI_Datatype datatype, EP_Request* request);
/// Does what EP_File_iwrite_at does, with large counts.
int EP_File_iwrite_at_c(EP_File fh, MPI_Offset offset, const void* buf, MPI_Count count,
                        MPI_Datatype datatype, EP_Request* request);
/// Does what EP_File_iwrite_at_all does, with large counts.
int EP_File_iwrite_at_all_c(EP_File fh, MPI_Offset offset, const void* buf, MPI_Count count,
                            MPI_Datatype datatype, EP_Request* request);
/// Does what EP_File_read does, with large counts.
int EP_File_read_c(EP_File fh, void* buf, MPI_Count count, MPI_Datatype datatype,
                   EP_Status* status);
/// Does what EP_File_read_all does, with large counts.
int EP_File_read_all_c(EP_File fh, void* buf, MPI_Count count, MPI_Datatype datatype,
                       EP_Status* status);
/// Does what EP_File_write does, with large counts.
int EP_File_write_c(EP_File fh, const void* buf, MPI_Count count, MPI_Datatype datatype,
                    EP_Status* status);
/// Does what EP_File_write_all does, with large counts.
int EP_File_write_all_c(EP_File fh, const void* buf, MPI_Count count, MPI_Datatype datatype,
                        EP_Status* status);
/// Does what EP_File_iread does, with large counts.
int EP_File_iread_c(EP_File fh, void* buf, MPI_Count count, MPI_Datatype datatype,
                    EP_Request* request);
/// Does what EP_File_iread_all does, with large counts.
int EP_File_iread_all_c(EP_File fh, void* buf, MPI_Count count, MPI_Datatype datatype,
                        EP_Request* request);
/// Does what EP_File_iwrite does, with large counts.
int EP_File_iwrite_c(EP_File fh, const void* buf, MPI_Count count, MPI_Datatype datatype,
                     EP_Request* request);
/// Does what EP_File_iwrite_all does, with large counts.
int EP_File_iwrite_all_c(EP_File fh, const void* buf, MPI_Count count, MPI_Datatype datatype,
                         EP_Request* request);
/// Does what EP_File_read_shared does, with large counts.
int EP_File_read_shared_c(EP_File fh, void* buf, MPI_Count count, MPI_Datatype datatype,
                          EP_Status* status);
/// Does what EP_File_write_shared does, with large counts.
int EP_File_write_shared_c(EP_File fh, const void* buf, MPI_Count count, MPI_Datatype datatype,
                           EP_Status* status);
/// Does what EP_File_iread_shared does, with large counts.
int EP_File_iread_shared_c(EP_File fh, void* buf, MPI_Count count, MPI_Datatype datatype,
                           EP_Request* request);
/// Does what EP_File_iwrite_shared does, with large counts.
int EP_File_iwrite_shared_c(EP_File fh, const void* buf, MPI_Count count, MPI_Datatype datatype,
                            EP_Request* request);
/// Does what EP_File_read_ordered does, with large counts.
int EP_File_read_ordered_c(EP_File fh, void* buf, MPI_Count count, MPI_Datatype datatype,
                           EP_Status* status);
/// Does what EP_File_write_ordered does, with large counts.
int EP_File_write_ordered_c(EP_File fh, const void* buf, MPI_Count count, MPI_Datatype datatype,
                            EP_Status* status);
/// Does what EP_File_read_at_all_begin does, with large counts.
int EP_File_read_at_all_begin_c(EP_File fh, MPI_Offset offset, void* buf, MPI_Count count,
                                MPI_Datatype datatype);
/// Does what EP_File_write_at_all_begin does, with large counts.
int EP_File_write_at_all_begin_c(EP_File fh, MPI_Offset offset, const void* buf, MPI_Count count,
                                 MPI_Datatype datatype);
/// Does what EP_File_read_all_begin does, with large counts.
int EP_File_read_all_begin_c(EP_File fh, void* buf, MPI_Count count, MPI_Datatype datatype);
/// Does what EP_File_write_all_begin does, with large counts.
int EP_File_write_all_begin_c(EP_File fh, const void* buf, MPI_Count count, MPI_Datatype datatype);
/// Does what EP_File_read_ordered_begin does, with large counts.
int EP_File_read_ordered_begin_c(EP_File fh, void* buf, MPI_Count count, MPI_Datatype datatype);
/// Does what EP_File_write_ordered_begin does, with large counts.
int EP_File_write_ordered_begin_c(EP_File fh, const void* buf, MPI_Count count,
                                  MPI_Datatype datatype);
/// Does what EP_Send does, with large counts.
int EP_Send_c(const void* buf, MPI_Count count, MPI_Datatype type, int dest, int tag, EP_Comm comm);
/// Does what EP_Ssend does, with large counts.
int EP_Ssend_c(const void* buf, MPI_Count count, MPI_Datatype type, int dest, int tag,
               EP_Comm comm);
/// Does what EP_Bsend does, with large counts.
int EP_Bsend_c(const void* buf, MPI_Count count, MPI_Datatype type, int dest, int tag,
               EP_Comm comm);
/// Does what EP_Rsend does, with large counts.
int EP_Rsend_c(const void* buf, MPI_Count count, MPI_Datatype type, int dest, int tag,
               EP_Comm comm);
/// Does what EP_Isend does, with large counts.
int EP_Isend_c(const void* buf, MPI_Count count, MPI_Datatype type, int dest, int tag, EP_Comm comm,
               EP_Request* request);
/// Does what EP_Issend does, with large counts.
int EP_Issend_c(const void* buf, MPI_Count count, MPI_Datatype type, int dest, int tag,
                EP_Comm comm, EP_Request* request);
/// Does what EP_Ibsend does, with large counts.
int EP_Ibsend_c(const void* buf, MPI_Count count, MPI_Datatype type, int dest, int tag,
                EP_Comm comm, EP_Request* request);
/// Does what EP_Irsend does, with large counts.
int EP_Irsend_c(const void* buf, MPI_Count count, MPI_Datatype type, int dest, int tag,
                EP_Comm comm, EP_Request* request);
/// Does what EP_Buffer_attach does, with large counts.
int EP_Buffer_attach_c(void* buffer, MPI_Count size);
/// Does what EP_Buffer_detach does, with large counts.
int EP_Buffer_detach_c(void* buffer_address, MPI_Count* size);
/// Does what EP_Recv does, with large counts.
int EP_Recv_c(void* buf, MPI_Count count, MPI_Datatype type, int source, int tag, EP_Comm comm,
              EP_Status* status);
/// Does what EP_Irecv does, with large counts.
int EP_Irecv_c(void* buf, MPI_Count count, MPI_Datatype type, int source, int tag, EP_Comm comm,
               EP_Request* request);
/// Does what EP_Mrecv does, with large counts.
int EP_Mrecv_c(void* buf, MPI_Count count, MPI_Datatype type, EP_Message* message,
               EP_Status* status);
/// Does what EP_Imrecv does, with large counts.
int EP_Imrecv_c(void* buf, MPI_Count count, MPI_Datatype type, EP_Message* message,
                EP_Request* request);
/// Does what EP_Sendrecv does, with large counts.
int EP_Sendrecv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest,
                  int sendtag, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                  int source, int recvtag, EP_Comm comm, EP_Status* status);
/// Does what EP_Sendrecv_replace does, with large counts.
int EP_Sendrecv_replace_c(void* buf, MPI_Count count, MPI_Datatype type, int dest, int sendtag,
                          int source, int recvtag, EP_Comm comm, EP_Status* status);
/// Does what EP_Isendrecv does, with large counts.
int EP_Isendrecv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest,
                   int sendtag, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                   int source, int recvtag, EP_Comm comm, EP_Request* request);
/// Does what EP_Isendrecv_replace does, with large counts.
int EP_Isendrecv_replace_c(void* buf, MPI_Count count, MPI_Datatype type, int dest, int sendtag,
                           int source, int recvtag, EP_Comm comm, EP_Request* request);
/// Does what EP_Send_init does, with large counts.
int EP_Send_init_c(const void* buf, MPI_Count count, MPI_Datatype type, int dest, int tag,
                   EP_Comm comm, EP_Request* request);
/// Does what EP_Ssend_init does, with large counts.
int EP_Ssend_init_c(const void* buf, MPI_Count count, MPI_Datatype type, int dest, int tag,
                    EP_Comm comm, EP_Request* request);
/// Does what EP_Bsend_init does, with large counts.
int EP_Bsend_init_c(const void* buf, MPI_Count count, MPI_Datatype type, int dest, int tag,
                    EP_Comm comm, EP_Request* request);
/// Does what EP_Rsend_init does, with large counts.
int EP_Rsend_init_c(const void* buf, MPI_Count count, MPI_Datatype type, int dest, int tag,
                    EP_Comm comm, EP_Request* request);
/// Does what EP_Recv_init does, with large counts.
int EP_Recv_init_c(void* buf, MPI_Count count, MPI_Datatype type, int source, int tag, EP_Comm comm,
                   EP_Request* request);
/// Does what EP_Get_count does, with large counts.
int EP_Get_count_c(const EP_Status* status, MPI_Datatype type, MPI_Count* count);
/// Does what EP_Get_elements does, with large counts.
int EP_Get_elements_c(const EP_Status* status, MPI_Datatype type, MPI_Count* count);
/// Does what EP_Pack does, with large counts.
int EP_Pack_c(const void* inbuf, MPI_Count incount, MPI_Datatype type, void* outbuf,
              MPI_Count outsize, MPI_Count* position, EP_Comm comm);
/// Does what EP_Unpack does, with large counts.
int EP_Unpack_c(const void* inbuf, MPI_Count insize, MPI_Count* position, void* outbuf,
                MPI_Count outcount, MPI_Datatype type, EP_Comm comm);
/// Does what EP_Pack_size does, with large counts.
int EP_Pack_size_c(MPI_Count incount, MPI_Datatype type, EP_Comm comm, MPI_Count* size);
/// Does what EP_Pack_external does, with large counts.
int EP_Pack_external_c(const char* representation, const void* inbuf, MPI_Count incount,
                       MPI_Datatype type, void* outbuf, MPI_Count outsize, MPI_Count* position);
/// Does what EP_Unpack_external does, with large counts.
int EP_Unpack_external_c(const char representation[], const void* inbuf, MPI_Count insize,
                         MPI_Count* position, void* outbuf, MPI_Count outcount, MPI_Datatype type);
/// Does what EP_Pack_external_size does, with large counts.
int EP_Pack_external_size_c(const char* representation, MPI_Count incount, MPI_Datatype type,
                            MPI_Count* size);
/// Does what EP_Bcast_init does, with large counts.
int EP_Bcast_init_c(void* buf, MPI_Count count, MPI_Datatype type, int root, EP_Comm comm,
                    MPI_Info info, EP_Request* request);
/// Does what EP_Gather_init does, with large counts.
int EP_Gather_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                     MPI_Count recvcount, MPI_Datatype recvtype, int root, EP_Comm comm,
                     MPI_Info info, EP_Request* request);
/// Does what EP_Gatherv_init does, with large counts.
int EP_Gatherv_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                      void* recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                      MPI_Datatype recvtype, int root, EP_Comm comm, MPI_Info info,
                      EP_Request* request);
/// Does what EP_Scatter_init does, with large counts.
int EP_Scatter_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                      void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root,
                      EP_Comm comm, MPI_Info info, EP_Request* request);
/// Does what EP_Scatterv_init does, with large counts.
int EP_Scatterv_init_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                       MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
                       MPI_Datatype recvtype, int root, EP_Comm comm, MPI_Info info,
                       EP_Request* request);
/// Does what EP_Allgather_init does, with large counts.
int EP_Allgather_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                        void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, EP_Comm comm,
                        MPI_Info info, EP_Request* request);
/// Does what EP_Allgatherv_init does, with large counts.
int EP_Allgatherv_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                         void* recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                         MPI_Datatype recvtype, EP_Comm comm, MPI_Info info, EP_Request* request);
/// Does what EP_Alltoall_init does, with large counts.
int EP_Alltoall_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                       void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, EP_Comm comm,
                       MPI_Info info, EP_Request* request);
/// Does what EP_Alltoallv_init does, with large counts.
int EP_Alltoallv_init_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                        MPI_Datatype sendtype, void* recvbuf, const MPI_Count recvcounts[],
                        const MPI_Aint rdispls[], MPI_Datatype recvtype, EP_Comm comm,
                        MPI_Info info, EP_Request* request);
/// Does what EP_Alltoallw_init does, with large counts.
int EP_Alltoallw_init_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                        const MPI_Datatype sendtypes[], void* recvbuf, const MPI_Count recvcounts[],
                        const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], EP_Comm comm,
                        MPI_Info info, EP_Request* request);
/// Does what EP_Reduce_init does, with large counts.
int EP_Reduce_init_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype type,
                     MPI_Op op, int root, EP_Comm comm, MPI_Info info, EP_Request* request);
/// Does what EP_Allreduce_init does, with large counts.
int EP_Allreduce_init_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype type,
                        MPI_Op op, EP_Comm comm, MPI_Info info, EP_Request* request);
/// Does what EP_Reduce_scatter_init does, with large counts.
int EP_Reduce_scatter_init_c(const void* sendbuf, void* recvbuf, const MPI_Count recvcounts[],
                             MPI_Datatype type, MPI_Op op, EP_Comm comm, MPI_Info info,
                             EP_Request* request);
/// Does what EP_Reduce_scatter_block_init does, with large counts.
int EP_Reduce_scatter_block_init_c(const void* sendbuf, void* recvbuf, MPI_Count recvcount,
                                   MPI_Datatype type, MPI_Op op, EP_Comm comm, MPI_Info info,
                                   EP_Request* request);
/// Does what EP_Scan_init does, with large counts.
int EP_Scan_init_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype type,
                   MPI_Op op, EP_Comm comm, MPI_Info info, EP_Request* request);
/// Does what EP_Exscan_init does, with large counts.
int EP_Exscan_init_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype type,
                     MPI_Op op, EP_Comm comm, MPI_Info info, EP_Request* request);
/// Does what EP_Neighbor_allgather_init does, with large counts.
int EP_Neighbor_allgather_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                 void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                                 EP_Comm comm, MPI_Info info, EP_Request* request);
/// Does what EP_Neighbor_allgatherv_init does, with large counts.
int EP_Neighbor_allgatherv_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                  void* recvbuf, const MPI_Count recvcounts[],
                                  const MPI_Aint displs[], MPI_Datatype recvtype, EP_Comm comm,
                                  MPI_Info info, EP_Request* request);
/// Does what EP_Neighbor_alltoall_init does, with large counts.
int EP_Neighbor_alltoall_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                                EP_Comm comm, MPI_Info info, EP_Request* request);
/// Does what EP_Neighbor_alltoallv_init does, with large counts.
int EP_Neighbor_alltoallv_init_c(const void* sendbuf, const MPI_Count sendcounts[],
                                 const MPI_Aint sdispls[], MPI_Datatype sendtype, void* recvbuf,
                                 const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                                 MPI_Datatype recvtype, EP_Comm comm, MPI_Info info,
                                 EP_Request* request);
/// Does what EP_Neighbor_alltoallw_init does, with large counts.
int EP_Neighbor_alltoallw_init_c(const void* sendbuf, const MPI_Count sendcounts[],
                                 const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                 void* recvbuf, const MPI_Count recvcounts[],
                                 const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                                 EP_Comm comm, MPI_Info info, EP_Request* request);
/// Does what EP_Put does, with large counts.
int EP_Put_c(const void* origin, MPI_Count count, MPI_Datatype type, int target, MPI_Aint disp,
             MPI_Count target_count, MPI_Datatype target_type, EP_Win win);
/// Does what EP_Get does, with large counts.
int EP_Get_c(void* origin, MPI_Count count, MPI_Datatype type, int target, MPI_Aint disp,
             MPI_Count target_count, MPI_Datatype target_type, EP_Win win);
/// Does what EP_Accumulate does, with large counts.
int EP_Accumulate_c(const void* origin, MPI_Count count, MPI_Datatype type, int target,
                    MPI_Aint disp, MPI_Count target_count, MPI_Datatype target_type, MPI_Op op,
                    EP_Win win);
/// Does what EP_Get_accumulate does, with large counts.
int EP_Get_accumulate_c(const void* origin, MPI_Count count, MPI_Datatype type, void* result,
                        MPI_Count result_count, MPI_Datatype result_type, int target, MPI_Aint disp,
                        MPI_Count target_count, MPI_Datatype target_type, MPI_Op op, EP_Win win);
/// Does what EP_Rput does, with large counts.
int EP_Rput_c(const void* origin, MPI_Count count, MPI_Datatype type, int target, MPI_Aint disp,
              MPI_Count target_count, MPI_Datatype target_type, EP_Win win, EP_Request* request);
/// Does what EP_Rget does, with large counts.
int EP_Rget_c(void* origin, MPI_Count count, MPI_Datatype type, int target, MPI_Aint disp,
              MPI_Count target_count, MPI_Datatype target_type, EP_Win win, EP_Request* request);
/// Does what EP_Raccumulate does, with large counts.
int EP_Raccumulate_c(const void* origin, MPI_Count count, MPI_Datatype type, int target,
                     MPI_Aint disp, MPI_Count target_count, MPI_Datatype target_type, MPI_Op op,
                     EP_Win win, EP_Request* request);
/// Does what EP_Rget_accumulate does, with large counts.
int EP_Rget_accumulate_c(const void* origin, MPI_Count count, MPI_Datatype type, void* result,
                         MPI_Count result_count, MPI_Datatype result_type, int target,
                         MPI_Aint disp, MPI_Count target_count, MPI_Datatype target_type, MPI_Op op,
                         EP_Win win, EP_Request* request);
/// Does what EP_Win_create does, with large counts.
int EP_Win_create_c(void* base, MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, EP_Comm comm,
                    EP_Win* win);
/// Does what EP_Win_allocate does, with large counts.
int EP_Win_allocate_c(MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, EP_Comm comm, void* baseptr,
                      EP_Win* win);
/// Does what EP_Win_allocate_shared does, with large counts.
int EP_Win_allocate_shared_c(MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, EP_Comm comm,
                             void* baseptr, EP_Win* win);
/// Does what EP_Win_shared_query does, with large counts.
int EP_Win_shared_query_c(EP_Win win, int rank, MPI_Aint* size, MPI_Aint* disp_unit, void* baseptr);

#ifdef __cplusplus
}
#endif

#endif
