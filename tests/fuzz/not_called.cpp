// Sources that read messages also send them. What they send by is linked as this: nothing that is
// fuzzed may call it.
#include <ep/ep.h>

#include <cstdlib>

// NOLINTBEGIN(readability-named-parameter)
int EP_Comm_rank(EP_Comm, int*) { std::abort(); }
int EP_Isend(const void*, int, MPI_Datatype, int, int, EP_Comm, EP_Request*) { std::abort(); }
int EP_Test(EP_Request*, int*, EP_Status*) { std::abort(); }
int EP_Progress(EP_Comm) { std::abort(); }
int EP_Improbe(int, int, EP_Comm, int*, EP_Message*, EP_Status*) { std::abort(); }
int EP_Mrecv(void*, int, MPI_Datatype, EP_Message*, EP_Status*) { std::abort(); }
int EP_Get_count(const EP_Status*, MPI_Datatype, int*) { std::abort(); }
const char* EP_Last_error() { std::abort(); }
// NOLINTEND(readability-named-parameter)
