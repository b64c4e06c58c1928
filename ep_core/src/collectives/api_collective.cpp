#include "collectives/collective_forms.hpp"
#include "handles/endpoint.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

EP_COLLECTIVE(Bcast, Ibcast, (void* buf, Count count, MPI_Datatype type, int root),
              bcast_call(endpoint, what, blocks_of(buf, count, type), root))

EP_COLLECTIVE(Gather, Igather,
              (const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf,
               Count recvcount, MPI_Datatype recvtype, int root),
              gather_call(endpoint, what, blocks_of(sendbuf, sendcount, sendtype),
                          blocks_of(recvbuf, recvcount, recvtype), root))

EP_COLLECTIVE(Gatherv, Igatherv,
              (const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf,
               const Count recvcounts[], const Displacement displs[], MPI_Datatype recvtype,
               int root),
              gather_call(endpoint, what, blocks_of(sendbuf, sendcount, sendtype),
                          blocks_of(recvbuf, recvcounts, displs, recvtype), root))

EP_COLLECTIVE(Scatter, Iscatter,
              (const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf,
               Count recvcount, MPI_Datatype recvtype, int root),
              scatter_call(endpoint, what, blocks_of(sendbuf, sendcount, sendtype),
                           blocks_of(recvbuf, recvcount, recvtype), root))

EP_COLLECTIVE(Scatterv, Iscatterv,
              (const void* sendbuf, const Count sendcounts[], const Displacement displs[],
               MPI_Datatype sendtype, void* recvbuf, Count recvcount, MPI_Datatype recvtype,
               int root),
              scatter_call(endpoint, what, blocks_of(sendbuf, sendcounts, displs, sendtype),
                           blocks_of(recvbuf, recvcount, recvtype), root))

EP_COLLECTIVE(Allgather, Iallgather,
              (const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf,
               Count recvcount, MPI_Datatype recvtype),
              allgather_call(endpoint, what, blocks_of(sendbuf, sendcount, sendtype),
                             blocks_of(recvbuf, recvcount, recvtype)))

EP_COLLECTIVE(Allgatherv, Iallgatherv,
              (const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf,
               const Count recvcounts[], const Displacement displs[], MPI_Datatype recvtype),
              allgather_call(endpoint, what, blocks_of(sendbuf, sendcount, sendtype),
                             blocks_of(recvbuf, recvcounts, displs, recvtype)))

EP_COLLECTIVE(Alltoall, Ialltoall,
              (const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf,
               Count recvcount, MPI_Datatype recvtype),
              alltoall_call(endpoint, what, blocks_of(sendbuf, sendcount, sendtype),
                            blocks_of(recvbuf, recvcount, recvtype)))

EP_COLLECTIVE(Alltoallv, Ialltoallv,
              (const void* sendbuf, const Count sendcounts[], const Displacement sdispls[],
               MPI_Datatype sendtype, void* recvbuf, const Count recvcounts[],
               const Displacement rdispls[], MPI_Datatype recvtype),
              alltoall_call(endpoint, what, blocks_of(sendbuf, sendcounts, sdispls, sendtype),
                            blocks_of(recvbuf, recvcounts, rdispls, recvtype)))

EP_COLLECTIVE(Alltoallw, Ialltoallw,
              (const void* sendbuf, const Count sendcounts[], const Displacement sdispls[],
               const MPI_Datatype sendtypes[], void* recvbuf, const Count recvcounts[],
               const Displacement rdispls[], const MPI_Datatype recvtypes[]),
              alltoall_call(endpoint, what, blocks_of(sendbuf, sendcounts, sdispls, sendtypes),
                            blocks_of(recvbuf, recvcounts, rdispls, recvtypes)))
