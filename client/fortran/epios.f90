!> EPIOS for new models in Fortran: sessions, clients, contexts, elements and fields are types with methods.
!>
!> One session per process; a client per thread that sends; contexts of a client. What is collective is so over the clients of
!> the component, each from its own thread. Objects are handles: copies stand for the same thing. Every method has an optional
!> `ierr`, a code of <epios/epios.h>; without it an error ends the job with its text and status 1. `epios_last_error()` is the
!> text of the last error of the calling thread.
module epios
  use, intrinsic :: iso_c_binding
  use epios_c
  use xios_c, only: c_element, c_text, copy_c_text, epios_child, epios_grid_element, epios_element_set_text, &
    epios_element_set_bool, epios_element_set_int, epios_element_set_double, epios_element_set_bools, &
    epios_element_set_ints, epios_element_set_doubles, epios_element_is_defined, epios_element_text_length, &
    epios_element_get_text, epios_element_get_bool, epios_element_get_int, epios_element_get_double, &
    epios_element_get_bools, epios_element_get_ints, epios_element_get_doubles
  implicit none
  private

  public :: epios_session, epios_client, epios_context, epios_element, epios_field, epios_file_report
  public :: epios_last_error, epios_library_version, epios_run_server
  public :: epios_success, epios_err_configuration, epios_err_argument, epios_err_call_order, epios_err_mismatch
  public :: epios_err_io, epios_err_protocol, epios_err_resource, epios_err_communication, epios_err_internal
  public :: epios_api_version

  integer, parameter :: epios_success = 0
  integer, parameter :: epios_err_configuration = 1  !< XML, or attributes set by the model
  integer, parameter :: epios_err_argument = 2       !< wrong argument: size, name, range, handle
  integer, parameter :: epios_err_call_order = 3     !< right call at the wrong time
  integer, parameter :: epios_err_mismatch = 4       !< clients made different calls
  integer, parameter :: epios_err_io = 5             !< a file could not be written
  integer, parameter :: epios_err_protocol = 6       !< peers do not understand each other
  integer, parameter :: epios_err_resource = 7       !< memory, shared memory, thread level
  integer, parameter :: epios_err_communication = 8  !< an error of MPI or of the endpoints library
  integer, parameter :: epios_err_internal = 9       !< a bug of EPIOS
  !> EPIOS_API_VERSION of the interface that this module was made for.
  integer, parameter :: epios_api_version = 1

  !> A process's place in the job, and its XML.
  type :: epios_session
    type(c_ptr), private :: handle = c_null_ptr
  contains
    procedure :: open => session_open
    procedure :: close => session_close
    procedure :: abandon => session_abandon
    procedure :: comm => session_comm
    procedure :: serve => session_serve
  end type epios_session

  !> A thread that sends: an endpoint connected to the servers.
  type :: epios_client
    type(c_ptr), private :: handle = c_null_ptr
  contains
    procedure :: open => client_open
    procedure :: close => client_close
    procedure :: abandon => client_abandon
    procedure :: rank => client_rank
    procedure :: size => client_size
    procedure :: comm => client_comm
  end type epios_client

  !> A namespace with a calendar, definitions and files. By one thread at a time, but tiles.
  type :: epios_context
    type(c_ptr), private :: handle = c_null_ptr
    type(epios_client), private :: client
  contains
    procedure :: open => context_open
    procedure :: at => context_at
    procedure :: has => context_has
    procedure :: solve_inheritance => context_solve_inheritance
    procedure :: close_definition => context_close_definition
    procedure :: update_calendar => context_update_calendar
    procedure :: date => context_date
    procedure :: field => context_field
    procedure, private :: send_r8 => context_send_r8
    procedure, private :: send_r4 => context_send_r4
    !> By the id of the field; see `send` of epios_field.
    generic :: send => send_r8, send_r4
    procedure, private :: receive_r8 => context_receive_r8
    procedure, private :: receive_r4 => context_receive_r4
    !> The array of a field that is read, for the current date.
    generic :: receive => receive_r8, receive_r4
    procedure :: is_active => context_is_active
    procedure :: has_variable => context_has_variable
    procedure :: variable => context_variable
    procedure :: set_variable => context_set_variable
    procedure :: finalize => context_finalize
    procedure :: file_report => context_file_report
  end type epios_context

  !> An element, a group or a definition element of a context.
  type :: epios_element
    type(c_element), private :: handle
    type(epios_client), private :: client
  contains
    procedure :: child => element_child
    procedure :: grid_element => element_grid_element
    procedure :: is_defined => element_is_defined
    procedure, private :: set_text => element_set_text
    procedure, private :: set_logical => element_set_logical
    procedure, private :: set_integer => element_set_integer
    procedure, private :: set_real => element_set_real
    procedure, private :: set_logicals => element_set_logicals
    procedure, private :: set_integers => element_set_integers
    procedure, private :: set_reals => element_set_reals
    !> Sets an attribute. Text is taken as in XML, for any attribute (words, durations, dates, references). Arrays come as one row,
    !> first index fastest, with their `shape` unless they have one dimension.
    generic :: set => set_text, set_logical, set_integer, set_real, set_logicals, set_integers, set_reals
    procedure, private :: get_text => element_get_text
    procedure, private :: get_logical => element_get_logical
    procedure, private :: get_integer => element_get_integer
    procedure, private :: get_real => element_get_real
    procedure, private :: get_logicals => element_get_logicals
    procedure, private :: get_integers => element_get_integers
    procedure, private :: get_reals => element_get_reals
    !> Reads an attribute: as text any, as XML would have it. Arrays are allocated, as one row.
    generic :: get => get_text, get_logical, get_integer, get_real, get_logicals, get_integers, get_reals
    procedure :: shape => element_shape
  end type epios_element

  !> A field found once, after the definition was closed.
  type :: epios_field
    type(c_field), private :: handle
    type(epios_client), private :: client
  contains
    procedure, private :: send_r8 => field_send_r8
    procedure, private :: send_r4 => field_send_r4
    !> Sends the local array for the current date: of any rank, sections with strides too. With `tile`, counted from 0, one tile of
    !> it: threads may send tiles of one client at the same time.
    generic :: send => send_r8, send_r4
    procedure :: is_active => field_is_active
  end type epios_field

  !> What became of a file of a context that was finalized.
  type :: epios_file_report
    character(len=:), allocatable :: path
    integer(c_int64_t) :: records_written = 0, records_lost = 0, bytes = 0
    character(len=:), allocatable :: error  !< empty when the file is whole
  end type epios_file_report

contains

  !> Text of the last error of the calling thread: "problem (why). Suggestion?".
  function epios_last_error() result(text)
    character(len=:), allocatable :: text

    text = text_at(epios_c_last_error())
  end function epios_last_error

  !> "0.1.0"
  function epios_library_version() result(text)
    character(len=:), allocatable :: text

    text = text_at(epios_c_version())
  end function epios_library_version

  !> This process is a server of the job, until all models have finished. Collective over `comm`, MPI_COMM_WORLD if absent.
  subroutine epios_run_server(comm, ierr)
    integer, intent(in), optional :: comm
    integer, intent(out), optional :: ierr

    call finish(epios_fortran_serve(comm), ierr)
  end subroutine epios_run_server

  ! Sessions

  !> Joins the job under the name `code_id`. Collective over all processes of `comm` (MPI_COMM_WORLD if absent), servers included;
  !> once per process. `iodef`: the entry XML file; `clients`: threads of this process that will send; `host_server`: one more
  !> thread will serve.
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

  !> Lets go after an error: never waits.
  subroutine session_abandon(self, ierr)
    class(epios_session), intent(inout) :: self
    integer, intent(out), optional :: ierr

    call finish(epios_session_abandon(self%handle), ierr)
    self%handle = c_null_ptr
  end subroutine session_abandon

  !> Communicator over the processes of the component. Collective over them at first use.
  subroutine session_comm(self, comm, ierr)
    class(epios_session), intent(in) :: self
    integer, intent(out) :: comm
    integer, intent(out), optional :: ierr

    call finish(epios_fortran_session_comm(self%handle, comm), ierr)
  end subroutine session_comm

  !> Runs the hosted server, on a thread of its own, until all models have finished.
  subroutine session_serve(self, ierr)
    class(epios_session), intent(in) :: self
    integer, intent(out), optional :: ierr

    call finish(epios_session_serve(self%handle), ierr)
  end subroutine session_serve

  ! Clients

  !> Opens client `index` (from 0) of this process, each once, by the thread that will send. Collective.
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

  !> Lets go after an error: never waits, tells the servers.
  subroutine client_abandon(self, ierr)
    class(epios_client), intent(inout) :: self
    integer, intent(out), optional :: ierr

    call finish(epios_client_abandon(self%handle), ierr)
    self%handle = c_null_ptr
  end subroutine client_abandon

  !> Rank in the component; -1 for a client that is not open.
  integer function client_rank(self)
    class(epios_client), intent(in) :: self
    integer(c_int) :: rank

    client_rank = -1
    if (epios_client_rank(self%handle, rank) == epios_success) client_rank = rank
  end function client_rank

  !> Clients of the component; 0 for a client that is not open.
  integer function client_size(self)
    class(epios_client), intent(in) :: self
    integer(c_int) :: size

    client_size = 0
    if (epios_client_size(self%handle, size) == epios_success) client_size = size
  end function client_size

  !> Communicator over the clients of the component, threads as ranks: an EP_Comm of <ep/ep.h> for C. Collective at first use.
  subroutine client_comm(self, comm, ierr)
    class(epios_client), intent(in) :: self
    type(c_ptr), intent(out) :: comm
    integer, intent(out), optional :: ierr

    call finish(epios_client_comm(self%handle, comm), ierr, self)
  end subroutine client_comm

  ! Contexts

  !> Opens XML's context of that id, or an empty one, on all clients, or on those of the processes of `comm`. Collective over them.
  subroutine context_open(self, client, id, comm, ierr)
    class(epios_context), intent(out) :: self
    type(epios_client), intent(in) :: client
    character(len=*), intent(in) :: id
    integer, intent(in), optional :: comm
    integer, intent(out), optional :: ierr

    self%client = client
    call finish(epios_fortran_context_open(client%handle, c_text(id), comm, self%handle), ierr, client)
  end subroutine context_open

  !> The element of a tag of the XML ("field", "field_group", "file_definition") and an id ("" for definition elements).
  function context_at(self, tag, id, ierr) result(element)
    class(epios_context), intent(in) :: self
    character(len=*), intent(in) :: tag
    character(len=*), intent(in), optional :: id
    integer, intent(out), optional :: ierr
    type(epios_element) :: element

    element%client = self%client
    if (present(id)) then
      call finish(epios_at(self%handle, c_text(tag), c_text(id), element%handle), ierr, self%client)
    else
      call finish(epios_at(self%handle, c_text(tag), c_text(''), element%handle), ierr, self%client)
    end if
  end function context_at

  !> Whether there is such an element.
  logical function context_has(self, tag, id, ierr)
    class(epios_context), intent(in) :: self
    character(len=*), intent(in) :: tag, id
    integer, intent(out), optional :: ierr
    type(c_element) :: element

    call finish(epios_find(self%handle, c_text(tag), c_text(id), element), ierr, self%client)
    context_has = element%node >= 0
  end function context_has

  !> Works out what elements inherit as of now; the end of the definitions does it again.
  subroutine context_solve_inheritance(self, ierr)
    class(epios_context), intent(in) :: self
    integer, intent(out), optional :: ierr

    call finish(epios_solve_inheritance(self%handle), ierr, self%client)
  end subroutine context_solve_inheritance

  !> Ends the definitions: checks, agrees with the other clients, opens files. Collective.
  subroutine context_close_definition(self, ierr)
    class(epios_context), intent(in) :: self
    integer, intent(out), optional :: ierr

    call finish(epios_close_definition(self%handle), ierr, self%client)
  end subroutine context_close_definition

  !> The date is start_date + step * timestep from now on.
  subroutine context_update_calendar(self, step, ierr)
    class(epios_context), intent(in) :: self
    integer, intent(in) :: step
    integer, intent(out), optional :: ierr

    call finish(epios_update_calendar(self%handle, int(step, c_int64_t)), ierr, self%client)
  end subroutine context_update_calendar

  !> "2000-01-31 12:00:00" of the current step.
  function context_date(self, ierr) result(text)
    class(epios_context), intent(in) :: self
    integer, intent(out), optional :: ierr
    character(len=:), allocatable :: text
    character(kind=c_char) :: date(64)

    date = c_null_char
    call finish(epios_current_date(self%handle, date, size(date, kind=c_size_t)), ierr, self%client)
    text = text_of(date)
  end function context_date

  !> The field of an id, for the time loop. After close_definition.
  function context_field(self, id, ierr) result(field)
    class(epios_context), intent(in) :: self
    character(len=*), intent(in) :: id
    integer, intent(out), optional :: ierr
    type(epios_field) :: field

    field%client = self%client
    call finish(epios_find_field(self%handle, c_text(id), field%handle), ierr, self%client)
  end function context_field

  subroutine context_send_r8(self, id, data, tile, ierr)
    class(epios_context), intent(in) :: self
    character(len=*), intent(in) :: id
    real(c_double), intent(in) :: data(..)
    integer, intent(in), optional :: tile
    integer, intent(out), optional :: ierr

    call finish(epios_fortran_send(self%handle, id, len(id, c_size_t), data, tile), ierr, self%client)
  end subroutine context_send_r8

  subroutine context_send_r4(self, id, data, tile, ierr)
    class(epios_context), intent(in) :: self
    character(len=*), intent(in) :: id
    real(c_float), intent(in) :: data(..)
    integer, intent(in), optional :: tile
    integer, intent(out), optional :: ierr

    call finish(epios_fortran_send(self%handle, id, len(id, c_size_t), data, tile), ierr, self%client)
  end subroutine context_send_r4

  subroutine context_receive_r8(self, id, data, ierr)
    class(epios_context), intent(in) :: self
    character(len=*), intent(in) :: id
    real(c_double), intent(inout) :: data(..)
    integer, intent(out), optional :: ierr

    call finish(epios_fortran_receive(self%handle, id, len(id, c_size_t), data), ierr, self%client)
  end subroutine context_receive_r8

  subroutine context_receive_r4(self, id, data, ierr)
    class(epios_context), intent(in) :: self
    character(len=*), intent(in) :: id
    real(c_float), intent(inout) :: data(..)
    integer, intent(out), optional :: ierr

    call finish(epios_fortran_receive(self%handle, id, len(id, c_size_t), data), ierr, self%client)
  end subroutine context_receive_r4

  !> Whether any file uses the field; with `now`: would use data of the current date.
  logical function context_is_active(self, id, now, ierr)
    class(epios_context), intent(in) :: self
    character(len=*), intent(in) :: id
    logical, intent(in), optional :: now
    integer, intent(out), optional :: ierr
    integer(c_int) :: active

    active = 0
    call finish(epios_c_field_is_active(self%handle, c_text(id), as_int(now), active), ierr, self%client)
    context_is_active = active /= 0
  end function context_is_active

  !> Whether the context's XML has a variable of that id.
  logical function context_has_variable(self, id, ierr)
    class(epios_context), intent(in) :: self
    character(len=*), intent(in) :: id
    integer, intent(out), optional :: ierr
    integer(c_int64_t) :: length

    length = -1
    call finish(epios_variable_length(self%handle, c_text(id), length), ierr, self%client)
    context_has_variable = length >= 0
  end function context_has_variable

  !> The text of a variable, which must be there.
  function context_variable(self, id, ierr) result(text)
    class(epios_context), intent(in) :: self
    character(len=*), intent(in) :: id
    integer, intent(out), optional :: ierr
    character(len=:), allocatable :: text
    character(kind=c_char), allocatable :: found(:)
    integer(c_int64_t) :: length
    integer(c_int) :: code

    length = -1
    code = epios_variable_length(self%handle, c_text(id), length)
    allocate (found(max(length, 0_c_int64_t) + 1))
    found = c_null_char
    if (code == epios_success) code = epios_get_variable(self%handle, c_text(id), found, size(found, kind=c_size_t))
    call finish(code, ierr, self%client)
    text = text_of(found)
  end function context_variable

  !> Changes a variable of the XML.
  subroutine context_set_variable(self, id, text, ierr)
    class(epios_context), intent(in) :: self
    character(len=*), intent(in) :: id, text
    integer, intent(out), optional :: ierr

    call finish(epios_set_variable(self%handle, c_text(id), c_text(text)), ierr, self%client)
  end subroutine context_set_variable

  !> Everything sent is written, files get their final names. Collective.
  subroutine context_finalize(self, ierr)
    class(epios_context), intent(in) :: self
    integer, intent(out), optional :: ierr

    call finish(epios_context_finalize(self%handle), ierr, self%client)
  end subroutine context_finalize

  !> What became of file number `index` (from 1) of a finalized context; false behind the last one.
  logical function context_file_report(self, index, report)
    class(epios_context), intent(in) :: self
    integer, intent(in) :: index
    type(epios_file_report), intent(out) :: report
    type(c_file_report) :: found

    context_file_report = epios_get_file_report(self%handle, int(index - 1, c_int), found) == epios_success
    if (.not. context_file_report) return
    report%path = text_at(found%path)
    report%records_written = found%records_written
    report%records_lost = found%records_lost
    report%bytes = found%bytes
    report%error = text_at(found%error)
  end function context_file_report

  ! Elements

  !> Adds a child, as the XML allows, or reopens the one of that id; without an id one is made up.
  function element_child(self, tag, id, ierr) result(child)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: tag
    character(len=*), intent(in), optional :: id
    integer, intent(out), optional :: ierr
    type(epios_element) :: child

    child%client = self%client
    if (present(id)) then
      call finish(epios_child(self%handle, c_text(tag), c_text(id), child%handle), ierr, self%client)
    else
      call finish(epios_child(self%handle, c_text(tag), c_text(''), child%handle), ierr, self%client)
    end if
  end function element_child

  !> Of a field: element number `index` (from 1) of its grid that has this tag ("axis", "domain", "scalar").
  function element_grid_element(self, tag, index, ierr) result(element)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: tag
    integer, intent(in) :: index
    integer, intent(out), optional :: ierr
    type(epios_element) :: element

    element%client = self%client
    call finish(epios_grid_element(self%handle, c_text(tag), int(index - 1, c_int), element%handle), ierr, self%client)
  end function element_grid_element

  !> Whether an attribute has a value: its own, or an inherited one once inheritance is solved.
  logical function element_is_defined(self, attribute, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    integer, intent(out), optional :: ierr
    integer(c_int) :: defined

    defined = 0
    call finish(epios_element_is_defined(self%handle, c_text(attribute), defined), ierr, self%client)
    element_is_defined = defined /= 0
  end function element_is_defined

  subroutine element_set_text(self, attribute, value, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute, value
    integer, intent(out), optional :: ierr

    call finish(epios_element_set_text(self%handle, c_text(attribute), c_text(value)), ierr, self%client)
  end subroutine element_set_text

  subroutine element_set_logical(self, attribute, value, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    logical, intent(in) :: value
    integer, intent(out), optional :: ierr

    call finish(epios_element_set_bool(self%handle, c_text(attribute), merge(1_c_int, 0_c_int, value)), ierr, self%client)
  end subroutine element_set_logical

  subroutine element_set_integer(self, attribute, value, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    integer, intent(in) :: value
    integer, intent(out), optional :: ierr

    call finish(epios_element_set_int(self%handle, c_text(attribute), int(value, c_int64_t)), ierr, self%client)
  end subroutine element_set_integer

  subroutine element_set_real(self, attribute, value, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    real(c_double), intent(in) :: value
    integer, intent(out), optional :: ierr

    call finish(epios_element_set_double(self%handle, c_text(attribute), value), ierr, self%client)
  end subroutine element_set_real

  subroutine element_set_logicals(self, attribute, values, shape, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    logical, intent(in) :: values(:)
    integer, intent(in), optional :: shape(:)
    integer, intent(out), optional :: ierr
    integer(c_int64_t), allocatable :: extents(:)

    allocate (extents, source=extents_of(size(values), shape))
    call finish(epios_element_set_bools(self%handle, c_text(attribute), merge(1_c_signed_char, 0_c_signed_char, values), &
                                        size(extents, kind=c_int), extents), ierr, self%client)
  end subroutine element_set_logicals

  subroutine element_set_integers(self, attribute, values, shape, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    integer, intent(in) :: values(:)
    integer, intent(in), optional :: shape(:)
    integer, intent(out), optional :: ierr
    integer(c_int64_t), allocatable :: extents(:)

    allocate (extents, source=extents_of(size(values), shape))
    call finish(epios_element_set_ints(self%handle, c_text(attribute), int(values, c_int64_t), &
                                       size(extents, kind=c_int), extents), ierr, self%client)
  end subroutine element_set_integers

  subroutine element_set_reals(self, attribute, values, shape, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    real(c_double), intent(in) :: values(:)
    integer, intent(in), optional :: shape(:)
    integer, intent(out), optional :: ierr
    integer(c_int64_t), allocatable :: extents(:)

    allocate (extents, source=extents_of(size(values), shape))
    call finish(epios_element_set_doubles(self%handle, c_text(attribute), values, size(extents, kind=c_int), extents), &
                ierr, self%client)
  end subroutine element_set_reals

  subroutine element_get_text(self, attribute, value, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    character(len=:), allocatable, intent(out) :: value
    integer, intent(out), optional :: ierr
    character(kind=c_char), allocatable :: text(:)
    integer(c_int64_t) :: length
    integer(c_int) :: code

    length = 0
    code = epios_element_text_length(self%handle, c_text(attribute), length)
    allocate (text(length + 1))
    text = c_null_char
    if (code == epios_success) then
      code = epios_element_get_text(self%handle, c_text(attribute), text, size(text, kind=c_size_t))
    end if
    value = text_of(text)
    call finish(code, ierr, self%client)
  end subroutine element_get_text

  subroutine element_get_logical(self, attribute, value, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    logical, intent(out) :: value
    integer, intent(out), optional :: ierr
    integer(c_int) :: number

    number = 0
    call finish(epios_element_get_bool(self%handle, c_text(attribute), number), ierr, self%client)
    value = number /= 0
  end subroutine element_get_logical

  subroutine element_get_integer(self, attribute, value, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    integer, intent(out) :: value
    integer, intent(out), optional :: ierr
    integer(c_int64_t) :: number

    number = 0
    call finish(epios_element_get_int(self%handle, c_text(attribute), number), ierr, self%client)
    value = int(number)
  end subroutine element_get_integer

  subroutine element_get_real(self, attribute, value, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    real(c_double), intent(out) :: value
    integer, intent(out), optional :: ierr

    value = 0
    call finish(epios_element_get_double(self%handle, c_text(attribute), value), ierr, self%client)
  end subroutine element_get_real

  subroutine element_get_logicals(self, attribute, values, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    logical, allocatable, intent(out) :: values(:)
    integer, intent(out), optional :: ierr
    integer(c_signed_char), allocatable :: flags(:)
    integer(c_int64_t) :: count
    integer(c_int) :: code

    code = count_of(self, attribute, count)
    allocate (flags(count))
    flags = 0
    if (code == epios_success) code = epios_element_get_bools(self%handle, c_text(attribute), flags, count)
    values = flags /= 0
    call finish(code, ierr, self%client)
  end subroutine element_get_logicals

  subroutine element_get_integers(self, attribute, values, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    integer, allocatable, intent(out) :: values(:)
    integer, intent(out), optional :: ierr
    integer(c_int64_t), allocatable :: wide(:)
    integer(c_int64_t) :: count
    integer(c_int) :: code

    code = count_of(self, attribute, count)
    allocate (wide(count))
    wide = 0
    if (code == epios_success) code = epios_element_get_ints(self%handle, c_text(attribute), wide, count)
    values = int(wide)
    call finish(code, ierr, self%client)
  end subroutine element_get_integers

  subroutine element_get_reals(self, attribute, values, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    real(c_double), allocatable, intent(out) :: values(:)
    integer, intent(out), optional :: ierr
    integer(c_int64_t) :: count
    integer(c_int) :: code

    code = count_of(self, attribute, count)
    allocate (values(count))
    values = 0
    if (code == epios_success) code = epios_element_get_doubles(self%handle, c_text(attribute), values, count)
    call finish(code, ierr, self%client)
  end subroutine element_get_reals

  !> Extents of the value of an attribute; none for single values.
  function element_shape(self, attribute, ierr) result(extents)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    integer, intent(out), optional :: ierr
    integer, allocatable :: extents(:)
    integer(c_int) :: rank
    integer(c_int64_t) :: shape(7)

    rank = 0
    call finish(epios_element_shape(self%handle, c_text(attribute), rank, shape), ierr, self%client)
    extents = int(shape(:rank))
  end function element_shape

  ! Fields

  subroutine field_send_r8(self, data, tile, ierr)
    class(epios_field), intent(in) :: self
    real(c_double), intent(in) :: data(..)
    integer, intent(in), optional :: tile
    integer, intent(out), optional :: ierr

    call finish(epios_fortran_send_field(self%handle, data, tile), ierr, self%client)
  end subroutine field_send_r8

  subroutine field_send_r4(self, data, tile, ierr)
    class(epios_field), intent(in) :: self
    real(c_float), intent(in) :: data(..)
    integer, intent(in), optional :: tile
    integer, intent(out), optional :: ierr

    call finish(epios_fortran_send_field(self%handle, data, tile), ierr, self%client)
  end subroutine field_send_r4

  !> Whether any file uses the field; with `now`: would use data of the current date.
  logical function field_is_active(self, now, ierr)
    class(epios_field), intent(in) :: self
    logical, intent(in), optional :: now
    integer, intent(out), optional :: ierr
    integer(c_int) :: active

    active = 0
    call finish(epios_field_ask_active(self%handle, as_int(now), active), ierr, self%client)
    field_is_active = active /= 0
  end function field_is_active

  ! Help

  ! Without `ierr` an error ends the job.
  subroutine finish(code, ierr, client)
    integer(c_int), intent(in) :: code
    integer, intent(out), optional :: ierr
    class(epios_client), intent(in), optional :: client

    if (present(ierr)) then
      ierr = code
    else if (code /= epios_success) then
      if (present(client)) then
        call epios_fortran_fail(client%handle)
      else
        call epios_fortran_fail(c_null_ptr)
      end if
    end if
  end subroutine finish

  pure integer(c_int) function as_int(flag)
    logical, intent(in), optional :: flag

    as_int = 0
    if (present(flag)) as_int = merge(1_c_int, 0_c_int, flag)
  end function as_int

  pure function extents_of(count, shape) result(extents)
    integer, intent(in) :: count
    integer, intent(in), optional :: shape(:)
    integer(c_int64_t), allocatable :: extents(:)

    if (present(shape)) then
      extents = int(shape, c_int64_t)
    else
      extents = [int(count, c_int64_t)]
    end if
  end function extents_of

  integer(c_int) function count_of(element, attribute, count)
    class(epios_element), intent(in) :: element
    character(len=*), intent(in) :: attribute
    integer(c_int64_t), intent(out) :: count
    integer(c_int) :: rank
    integer(c_int64_t) :: shape(7)

    count = 0
    count_of = epios_element_shape(element%handle, c_text(attribute), rank, shape)
    if (count_of == epios_success) count = product(shape(:rank))
  end function count_of

  pure function text_of(characters) result(text)
    character(kind=c_char), intent(in) :: characters(:)
    character(len=:), allocatable :: text
    character(len=size(characters)) :: all

    call copy_c_text(characters, all)
    text = trim(all)
  end function text_of

  function text_at(address) result(text)
    type(c_ptr), intent(in) :: address
    character(len=:), allocatable :: text
    character(kind=c_char), pointer :: characters(:)

    call c_f_pointer(address, characters, [epios_fortran_length(address)])
    text = text_of(characters)
  end function text_at

end module epios
