/// @file
/// Handles, constants and error classes of the C interface. <ep/ep.h> includes this header.
#ifndef EP_TYPES_H
#define EP_TYPES_H

#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1  // C only: without the deprecated C++ bindings
#endif
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#include <mpi.h>
#include <stddef.h>

#ifdef __cplusplus
#define EP_NULL_OF(type) (static_cast<type>(nullptr))
#define EP_POINTER_OF(type, value) (reinterpret_cast<type>(value))
#else
#define EP_NULL_OF(type) ((type)0)
#define EP_POINTER_OF(type, value) ((type)(value))
#endif

/// Opaque handles (ADR 0001). They are pointers; predefined handles are compile-time constants.
typedef struct ep_comm* EP_Comm;
typedef struct ep_request* EP_Request;
typedef struct ep_message* EP_Message;
typedef struct ep_errhandler* EP_Errhandler;
typedef struct ep_group* EP_Group;
typedef struct ep_win* EP_Win;
typedef struct ep_team* EP_Team;

#define EP_COMM_NULL EP_NULL_OF(EP_Comm)
/// The four start communicators. Only these handles follow the attachment of the calling thread;
/// any other handle always belongs to the endpoint that created it.
#define EP_COMM_WORLD EP_POINTER_OF(EP_Comm, 16)      ///< the first endpoint of every clique
#define EP_COMM_ENDPOINTS EP_POINTER_OF(EP_Comm, 32)  ///< all endpoints
#define EP_COMM_CLIQUE EP_POINTER_OF(EP_Comm, 48)     ///< the endpoints of this process
#define EP_COMM_SELF EP_POINTER_OF(EP_Comm, 64)       ///< the attached endpoint alone
#define EP_REQUEST_NULL EP_NULL_OF(EP_Request)
#define EP_MESSAGE_NULL EP_NULL_OF(EP_Message)
#define EP_ERRHANDLER_NULL EP_NULL_OF(EP_Errhandler)
#define EP_GROUP_NULL EP_NULL_OF(EP_Group)
#define EP_WIN_NULL EP_NULL_OF(EP_Win)
#define EP_TEAM_NULL EP_NULL_OF(EP_Team)
/// The group without members.
#define EP_GROUP_EMPTY EP_POINTER_OF(EP_Group, 1)
/// The message that a matched probe of EP_PROC_NULL returns.
#define EP_MESSAGE_NO_PROC EP_POINTER_OF(EP_Message, 1)
/// Prints a message and ends the job. Communicators begin with this handler unless their parent has
/// another one.
#define EP_ERRORS_ARE_FATAL EP_POINTER_OF(EP_Errhandler, 1)
/// Ends the processes of the communicator, and with them the rest of the job, which cannot continue
/// without them (MPI-4.0, 9.3).
#define EP_ERRORS_ABORT EP_POINTER_OF(EP_Errhandler, 3)
/// Makes the function return the code.
#define EP_ERRORS_RETURN EP_POINTER_OF(EP_Errhandler, 2)

/// The public fields of MPI_Status, and what EP_Get_count needs.
typedef struct EP_Status {
  int EP_SOURCE;
  int EP_TAG;
  int EP_ERROR;
  long long ep_bytes;
  int ep_cancelled;
} EP_Status;

#define EP_STATUS_IGNORE EP_NULL_OF(EP_Status*)
#define EP_STATUSES_IGNORE EP_NULL_OF(EP_Status*)
#define EP_ANY_SOURCE (-2)
#define EP_ANY_TAG (-1)
#define EP_PROC_NULL (-1)
#define EP_ROOT (-3)
#define EP_UNDEFINED (-32766)
/// Results of comparisons.
#define EP_IDENT MPI_IDENT
#define EP_CONGRUENT MPI_CONGRUENT
#define EP_SIMILAR MPI_SIMILAR
#define EP_UNEQUAL MPI_UNEQUAL
#define EP_COMM_TYPE_SHARED MPI_COMM_TYPE_SHARED
// Numbers of our own below an MPI that is older than 4.0, which does not see them.
#ifdef MPI_COMM_TYPE_HW_GUIDED
#define EP_COMM_TYPE_HW_GUIDED MPI_COMM_TYPE_HW_GUIDED
#define EP_COMM_TYPE_HW_UNGUIDED MPI_COMM_TYPE_HW_UNGUIDED
#else
#define EP_COMM_TYPE_HW_GUIDED 1001
#define EP_COMM_TYPE_HW_UNGUIDED 1002
#endif
#define EP_MAX_OBJECT_NAME MPI_MAX_OBJECT_NAME
#define EP_IN_PLACE EP_POINTER_OF(void*, -1)

/// Error classes: MPI's own values, so that MPI_Error_class and friends keep their meaning.
#define EP_SUCCESS MPI_SUCCESS
#define EP_ERR_BUFFER MPI_ERR_BUFFER
#define EP_ERR_COUNT MPI_ERR_COUNT
#define EP_ERR_TYPE MPI_ERR_TYPE
#define EP_ERR_TAG MPI_ERR_TAG
#define EP_ERR_COMM MPI_ERR_COMM
#define EP_ERR_RANK MPI_ERR_RANK
#define EP_ERR_ROOT MPI_ERR_ROOT
#define EP_ERR_GROUP MPI_ERR_GROUP
#define EP_ERR_OP MPI_ERR_OP
#define EP_ERR_TOPOLOGY MPI_ERR_TOPOLOGY
#define EP_ERR_DIMS MPI_ERR_DIMS
#define EP_ERR_ARG MPI_ERR_ARG
#define EP_ERR_UNKNOWN MPI_ERR_UNKNOWN
#define EP_ERR_TRUNCATE MPI_ERR_TRUNCATE
#define EP_ERR_REQUEST MPI_ERR_REQUEST
#define EP_ERR_PENDING MPI_ERR_PENDING
#define EP_ERR_IN_STATUS MPI_ERR_IN_STATUS
#define EP_ERR_KEYVAL MPI_ERR_KEYVAL
#define EP_ERR_INFO MPI_ERR_INFO
#define EP_ERR_NO_MEM MPI_ERR_NO_MEM
#define EP_ERR_OTHER MPI_ERR_OTHER
#define EP_ERR_INTERN MPI_ERR_INTERN
#define EP_ERR_SPAWN MPI_ERR_SPAWN
#define EP_ERR_INFO_VALUE MPI_ERR_INFO_VALUE
#define EP_ERR_BASE MPI_ERR_BASE
#define EP_ERR_SIZE MPI_ERR_SIZE
#define EP_ERR_DISP MPI_ERR_DISP
#define EP_ERR_WIN MPI_ERR_WIN
#define EP_ERR_LOCKTYPE MPI_ERR_LOCKTYPE
#define EP_ERR_ASSERT MPI_ERR_ASSERT
#define EP_ERR_RMA_CONFLICT MPI_ERR_RMA_CONFLICT
#define EP_ERR_RMA_SYNC MPI_ERR_RMA_SYNC
#define EP_ERR_RMA_RANGE MPI_ERR_RMA_RANGE
#define EP_ERR_RMA_ATTACH MPI_ERR_RMA_ATTACH
#define EP_ERR_RMA_SHARED MPI_ERR_RMA_SHARED
#define EP_ERR_RMA_FLAVOR MPI_ERR_RMA_FLAVOR
/// Error class beyond MPI's: the requested endpoints cannot be created or attached to. It is an
/// enumerator and not a macro, since in the drop-in mpi.h MPI_ERR_LASTCODE is EP_ERR_LASTCODE.
enum { EP_ERR_ENDPOINTS = MPI_ERR_LASTCODE + 1 };
/// EP_ERR_LASTCODE: largest predefined code; EP_Add_error_class and EP_Add_error_code return larger
/// ones.
#ifdef MPI_ERR_SESSION
#define EP_ERR_SESSION MPI_ERR_SESSION
#define EP_ERR_PROC_ABORTED MPI_ERR_PROC_ABORTED
#define EP_ERR_VALUE_TOO_LARGE MPI_ERR_VALUE_TOO_LARGE
#define EP_ERR_LASTCODE EP_ERR_ENDPOINTS
#else  // an MPI that is older than 4.0
enum {
  EP_ERR_SESSION = EP_ERR_ENDPOINTS + 1,
  EP_ERR_PROC_ABORTED,
  EP_ERR_VALUE_TOO_LARGE,
  EP_ERR_LASTCODE_OF_ALL = EP_ERR_VALUE_TOO_LARGE
};
#define EP_ERR_LASTCODE EP_ERR_LASTCODE_OF_ALL
// The names are macros, too, as where they are MPI's.
#define EP_ERR_SESSION EP_ERR_SESSION
#define EP_ERR_PROC_ABORTED EP_ERR_PROC_ABORTED
#define EP_ERR_VALUE_TOO_LARGE EP_ERR_VALUE_TOO_LARGE
#endif

/// Number of bytes that a buffered send needs in the attached buffer besides its packed message.
#define EP_BSEND_OVERHEAD 64

#define EP_MAX_ERROR_STRING MPI_MAX_ERROR_STRING

/// Largest tag that every communicator accepts; the exact bound is EP_Comm_tag_ub().
#define EP_TAG_UB_MIN 32767

#endif
