!> EPIOS for new models in Fortran: sessions, clients, contexts, elements and fields are types with methods.
!>
!> A process has one session, each sending thread has a client, and a client has contexts. "Collective" means that all clients
!> of the component call the method, each from its own thread. Objects are handles; copies stand for the same thing. Every
!> method has an optional `ierr`, which returns a code of <epios/epios.h>. Without it, an error ends the job with its text and
!> status 1. `epios_last_error()` returns the text of the last error of the calling thread.
module epios
  use epios_base, only: epios_last_error, epios_library_version, epios_library_api_version, epios_run_server, &
    epios_success, epios_err_configuration, epios_err_argument, epios_err_call_order, epios_err_mismatch, epios_err_io, &
    epios_err_protocol, epios_err_resource, epios_err_communication, epios_err_internal, epios_api_version
  use epios_dates
  use epios_clients
  use epios_elements
  use epios_fields
  use epios_contexts
  implicit none
  public
end module epios
