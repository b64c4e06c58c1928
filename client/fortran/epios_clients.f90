! Sessions and clients of module epios.
module epios_clients
  use, intrinsic :: iso_c_binding
  use epios_c
  use epios_base, only: finish
  use xios_c, only: c_text
  implicit none
  private

  public :: epios_session, epios_client

  !> The membership of a process in the job, with its XML.
  type :: epios_session
    type(c_ptr) :: handle = c_null_ptr  !< for calls of <epios/epios.h>
  contains
    procedure :: open => session_open
    procedure :: close => session_close
    procedure :: abandon => session_abandon
    procedure :: open_clients => session_open_clients
    procedure :: comm => session_comm
    procedure :: serve => session_serve
  end type epios_session

  !> A sending thread: an endpoint connected to the servers.
  type :: epios_client
    type(c_ptr) :: handle = c_null_ptr  !< for calls of <epios/epios.h>
  contains
    procedure :: open => client_open
    procedure :: close => client_close
    procedure :: abandon => client_abandon
    procedure :: rank => client_rank
    procedure :: size => client_size
    procedure :: servers => client_servers
    procedure :: comm => client_comm
    procedure :: help_at_barrier => client_help_at_barrier
  end type epios_client

contains

  !> Joins the job under the name `code_id`. Collective over all processes of `comm` (default MPI_COMM_WORLD), servers
  !> included; once per process. `iodef` is the entry XML file, `clients` the number of threads of this process that will
  !> send. With `host_server`, one more thread serves.
  subroutine session_open(self, code_id, iodef, clients, comm, host_server, ierr)
    class(epios_session), intent(out) :: self
    character(len=*), intent(in) :: code_id
    character(len=*), intent(in), optional :: iodef
    integer, intent(in), optional :: clients, comm
    logical, intent(in), optional :: host_server
    integer, intent(out), optional :: ierr
    integer(c_int) :: threads, hosts

    threads = 1
    if (present(clients)) threads = int(clients, c_int)
    hosts = 0
    if (present(host_server)) hosts = merge(1_c_int, 0_c_int, host_server)
    if (present(iodef)) then
      call finish(epios_fortran_session_open(c_text(code_id), c_text(iodef), threads, hosts, comm, self%handle), ierr)
    else
      call finish(epios_fortran_session_open(c_text(code_id), c_text(''), threads, hosts, comm, self%handle), ierr)
    end if
  end subroutine session_open

  !> Leaves the job, after all clients of the process are closed. Collective over the component.
  subroutine session_close(self, ierr)
    class(epios_session), intent(inout) :: self
    integer, intent(out), optional :: ierr
    type(c_ptr) :: handle

    handle = self%handle
    self%handle = c_null_ptr
    call finish(epios_session_close(handle), ierr)
  end subroutine session_close

  !> Abandons the session after an error. Local, never waits.
  subroutine session_abandon(self, ierr)
    class(epios_session), intent(inout) :: self
    integer, intent(out), optional :: ierr

    call finish(epios_session_abandon(self%handle), ierr)
    self%handle = c_null_ptr
  end subroutine session_abandon

  !> Returns the number of open clients of this process. Local.
  integer function session_open_clients(self, ierr)
    class(epios_session), intent(in) :: self
    integer, intent(out), optional :: ierr
    integer(c_int) :: clients

    clients = 0
    call finish(epios_session_open_clients(self%handle, clients), ierr)
    session_open_clients = clients
  end function session_open_clients

  !> Returns a communicator over the processes of the component, owned by the session. The first call is collective over them.
  subroutine session_comm(self, comm, ierr)
    class(epios_session), intent(in) :: self
    integer, intent(out) :: comm
    integer, intent(out), optional :: ierr

    call finish(epios_fortran_session_comm(self%handle, comm), ierr)
  end subroutine session_comm

  !> Runs the hosted server until all models have finished. Call it on a thread of its own.
  subroutine session_serve(self, ierr)
    class(epios_session), intent(in) :: self
    integer, intent(out), optional :: ierr

    call finish(epios_session_serve(self%handle), ierr)
  end subroutine session_serve

  !> Opens client `index` (from 0) of this process, each once, on the thread that will send. Collective.
  subroutine client_open(self, session, index, ierr)
    class(epios_client), intent(out) :: self
    type(epios_session), intent(in) :: session
    integer, intent(in), optional :: index
    integer, intent(out), optional :: ierr
    integer(c_int) :: number

    number = 0
    if (present(index)) number = int(index, c_int)
    call finish(epios_client_open(session%handle, number, self%handle), ierr)
  end subroutine client_open

  subroutine client_close(self, ierr)
    class(epios_client), intent(inout) :: self
    integer, intent(out), optional :: ierr
    type(c_ptr) :: handle

    handle = self%handle
    self%handle = c_null_ptr
    call finish(epios_client_close(handle), ierr)
  end subroutine client_close

  !> Abandons the client after an error and tells the servers. Local, never waits.
  subroutine client_abandon(self, ierr)
    class(epios_client), intent(inout) :: self
    integer, intent(out), optional :: ierr

    call finish(epios_client_abandon(self%handle), ierr)
    self%handle = c_null_ptr
  end subroutine client_abandon

  !> Returns the rank in the component. With `ierr`, returns -1 for a client that is not open.
  integer function client_rank(self, ierr)
    class(epios_client), intent(in) :: self
    integer, intent(out), optional :: ierr
    integer(c_int) :: rank

    rank = -1
    call finish(epios_client_rank(self%handle, rank), ierr)
    client_rank = rank
  end function client_rank

  !> Returns the number of clients of the component. With `ierr`, returns 0 for a client that is not open.
  integer function client_size(self, ierr)
    class(epios_client), intent(in) :: self
    integer, intent(out), optional :: ierr
    integer(c_int) :: size

    size = 0
    call finish(epios_client_size(self%handle, size), ierr)
    client_size = size
  end function client_size

  !> Returns the number of servers that the component writes to. `attached` is true if they live in the clients.
  subroutine client_servers(self, servers, attached, ierr)
    class(epios_client), intent(in) :: self
    integer, intent(out) :: servers
    logical, intent(out), optional :: attached
    integer, intent(out), optional :: ierr
    integer(c_int) :: count, lives_here

    count = 0
    lives_here = 0
    call finish(epios_client_servers(self%handle, count, lives_here), ierr, self%handle)
    servers = count
    if (present(attached)) attached = lives_here /= 0
  end subroutine client_servers

  !> Waits for `threads` threads of this process; waiting threads help to pack the large records that clients of the process
  !> send meanwhile. One thread sends and then calls this method, the others call it at once.
  subroutine client_help_at_barrier(self, threads, ierr)
    class(epios_client), intent(in) :: self
    integer, intent(in) :: threads
    integer, intent(out), optional :: ierr

    call finish(epios_client_help_at_barrier(self%handle, int(threads, c_int)), ierr)
  end subroutine client_help_at_barrier

  !> Returns a communicator over the clients of the component, with threads as ranks: an EP_Comm of <ep/ep.h> for C. The first
  !> call is collective.
  subroutine client_comm(self, comm, ierr)
    class(epios_client), intent(in) :: self
    type(c_ptr), intent(out) :: comm
    integer, intent(out), optional :: ierr

    call finish(epios_client_comm(self%handle, comm), ierr, self%handle)
  end subroutine client_comm

end module epios_clients
