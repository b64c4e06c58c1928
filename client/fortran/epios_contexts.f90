! Contexts of module epios.
module epios_contexts
  use, intrinsic :: iso_c_binding
  use epios_c
  use epios_base, only: finish, as_int, text_of, text_at, epios_success
  use epios_clients, only: epios_client
  use epios_dates, only: epios_date, epios_duration
  use epios_elements, only: epios_element
  use epios_fields, only: epios_field, epios_read_field
  use xios_time, only: to_c, from_c
  use xios_c, only: c_element, c_date, c_text
  implicit none
  private

  public :: epios_context, epios_file_report, epios_statistics

  !> A namespace with a calendar, definitions and files. One thread at a time uses it; tiles are an exception.
  type :: epios_context
    type(c_ptr) :: handle = c_null_ptr  !< for calls of <epios/epios.h>
    type(c_ptr) :: client = c_null_ptr  !< for calls of <epios/epios.h>
  contains
    procedure :: open => context_open
    procedure :: open_among => context_open_among
    procedure :: at => context_at
    procedure :: has => context_has
    procedure :: solve_inheritance => context_solve_inheritance
    procedure :: close_definition => context_close_definition
    procedure :: update_calendar => context_update_calendar
    procedure :: date => context_date
    procedure :: now => context_now
    procedure :: later => context_later
    procedure :: seconds_between => context_seconds_between
    procedure :: field => context_field
    procedure :: read_field => context_read_field
    procedure, private :: send_r8 => context_send_r8
    procedure, private :: send_r4 => context_send_r4
    !> Sends a field, found by its id; see `send` of epios_field.
    generic :: send => send_r8, send_r4
    procedure, private :: receive_r8 => context_receive_r8
    procedure, private :: receive_r4 => context_receive_r4
    !> Receives a field that is read, for the current date, into the local array.
    generic :: receive => receive_r8, receive_r4
    procedure :: is_active => context_is_active
    procedure :: has_variable => context_has_variable
    procedure :: variable => context_variable
    procedure :: set_variable => context_set_variable
    procedure :: statistics => context_statistics
    procedure :: finalize => context_finalize
    procedure :: file_report => context_file_report
  end type epios_context

  !> Report about a file of a finalized context.
  type :: epios_file_report
    character(len=:), allocatable :: path
    integer(c_int64_t) :: records_written = 0, records_lost = 0, bytes = 0
    character(len=:), allocatable :: error  !< empty if the file is complete
    character(len=:), allocatable :: losses  !< records lost by field, such as "tos 3, sos 1"
    integer(c_int64_t) :: records_short = 0, records_missing = 0  !< records that the model sent incompletely, or not at all
    character(len=:), allocatable :: unsent  !< both by field: "tos 1 short, sos 2 missing"
  end type epios_file_report

  !> What a context has cost this client so far.
  type, bind(c) :: epios_statistics
    real(c_double) :: open_s  !< seconds since the definition was closed
    real(c_double) :: in_library_s  !< seconds inside send calls
    real(c_double) :: blocked_s  !< seconds of these spent waiting for room in channels
    integer(c_int64_t) :: sends, records_sent, bytes_sent
  end type epios_statistics

  interface
    integer(c_int) function c_get_statistics(context, out) bind(c, name='epios_get_statistics')
      import :: c_int, c_ptr, epios_statistics
      type(c_ptr), value :: context
      type(epios_statistics), intent(out) :: out
    end function
  end interface

contains

  !> Opens the context with this id in the XML, or an empty one, on all clients (local) or on those of the processes of `comm`
  !> (collective over them).
  subroutine context_open(self, client, id, comm, ierr)
    class(epios_context), intent(out) :: self
    type(epios_client), intent(in) :: client
    character(len=*), intent(in) :: id
    integer, intent(in), optional :: comm
    integer, intent(out), optional :: ierr

    self%client = client%handle
    call finish(epios_fortran_context_open(client%handle, c_text(id), comm, self%handle), ierr, client%handle)
  end subroutine context_open

  !> Returns the element with an XML tag ("field", "field_group", "file_definition") and an id ("" for definition elements).
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

  !> Returns true if there is such an element.
  logical function context_has(self, tag, id, ierr)
    class(epios_context), intent(in) :: self
    character(len=*), intent(in) :: tag, id
    integer, intent(out), optional :: ierr
    type(c_element) :: element

    call finish(epios_find(self%handle, c_text(tag), c_text(id), element), ierr, self%client)
    context_has = element%node >= 0
  end function context_has

  !> Resolves what elements inherit, as things stand now. Closing the definition does it again.
  subroutine context_solve_inheritance(self, ierr)
    class(epios_context), intent(in) :: self
    integer, intent(out), optional :: ierr

    call finish(epios_solve_inheritance(self%handle), ierr, self%client)
  end subroutine context_solve_inheritance

  !> Ends the definition: checks it, compares it with the other clients, opens files. Collective.
  subroutine context_close_definition(self, ierr)
    class(epios_context), intent(in) :: self
    integer, intent(out), optional :: ierr

    call finish(epios_close_definition(self%handle), ierr, self%client)
  end subroutine context_close_definition

  !> Sets the current step: date = start_date + step * timestep.
  subroutine context_update_calendar(self, step, ierr)
    class(epios_context), intent(in) :: self
    integer, intent(in) :: step
    integer, intent(out), optional :: ierr

    call finish(epios_update_calendar(self%handle, int(step, c_int64_t)), ierr, self%client)
  end subroutine context_update_calendar

  !> Returns the date of the current step, "2000-01-31 12:00:00".
  function context_date(self, ierr) result(text)
    class(epios_context), intent(in) :: self
    integer, intent(out), optional :: ierr
    character(len=:), allocatable :: text
    character(kind=c_char) :: date(64)

    date = c_null_char
    call finish(epios_current_date(self%handle, date, size(date, kind=c_size_t)), ierr, self%client)
    text = text_of(date)
  end function context_date

  !> Returns the field with an id, for the time loop. Call it after close_definition.
  function context_field(self, id, ierr) result(field)
    class(epios_context), intent(in) :: self
    character(len=*), intent(in) :: id
    integer, intent(out), optional :: ierr
    type(epios_field) :: field

    field%client = self%client
    call finish(epios_find_field(self%handle, c_text(id), field%handle), ierr, self%client)
  end function context_field

  !> Returns true if any file uses the field; with `now`, only if it would use data of the current date.
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

  !> Returns true if the XML of the context has a variable with this id.
  logical function context_has_variable(self, id, ierr)
    class(epios_context), intent(in) :: self
    character(len=*), intent(in) :: id
    integer, intent(out), optional :: ierr
    integer(c_int64_t) :: length

    length = -1
    call finish(epios_variable_length(self%handle, c_text(id), length), ierr, self%client)
    context_has_variable = length >= 0
  end function context_has_variable

  !> Returns the text of a variable. A missing variable is an error.
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

  !> Ends the context: writes everything that was sent and gives the files their final names. Collective.
  subroutine context_finalize(self, ierr)
    class(epios_context), intent(in) :: self
    integer, intent(out), optional :: ierr

    call finish(epios_context_finalize(self%handle), ierr, self%client)
  end subroutine context_finalize

  !> Opens a context on the clients with these ranks (`rank` of epios_client), in any order. Collective over them.
  subroutine context_open_among(self, client, id, ranks, ierr)
    class(epios_context), intent(out) :: self
    type(epios_client), intent(in) :: client
    character(len=*), intent(in) :: id
    integer, intent(in) :: ranks(:)
    integer, intent(out), optional :: ierr

    self%client = client%handle
    call finish(epios_context_open_among(client%handle, c_text(id), int(ranks, c_int), size(ranks, kind=c_int), self%handle), &
                ierr, client%handle)
  end subroutine context_open_among

  !> Returns the date of the current step, or the start date while the definition is open.
  function context_now(self, ierr) result(date)
    class(epios_context), intent(in) :: self
    integer, intent(out), optional :: ierr
    type(epios_date) :: date
    type(c_date) :: found
    integer(c_int) :: code

    code = epios_get_date(self%handle, found)
    if (code == epios_success) date = from_c(found)
    call finish(code, ierr, self%client)
  end function context_now

  !> Returns `date` plus `duration`, in the calendar of the context.
  function context_later(self, date, duration, ierr) result(sum)
    class(epios_context), intent(in) :: self
    type(epios_date), intent(in) :: date
    type(epios_duration), intent(in) :: duration
    integer, intent(out), optional :: ierr
    type(epios_date) :: sum
    type(c_date) :: found
    integer(c_int) :: code

    code = epios_date_add(self%handle, to_c(date), to_c(duration), found)
    if (code == epios_success) sum = from_c(found)
    call finish(code, ierr, self%client)
  end function context_later

  !> Returns the seconds from one date to another, negative if `to` is earlier.
  function context_seconds_between(self, from, to, ierr) result(seconds)
    class(epios_context), intent(in) :: self
    type(epios_date), intent(in) :: from, to
    integer, intent(out), optional :: ierr
    real(c_double) :: seconds

    seconds = 0
    call finish(epios_date_difference(self%handle, to_c(from), to_c(to), seconds), ierr, self%client)
  end function context_seconds_between

  !> Returns a field that is received, by its id, for the time loop. Call it after close_definition.
  function context_read_field(self, id, ierr) result(field)
    class(epios_context), intent(in) :: self
    character(len=*), intent(in) :: id
    integer, intent(out), optional :: ierr
    type(epios_read_field) :: field

    field%client = self%client
    call finish(epios_find_read_field(self%handle, c_text(id), field%handle), ierr, self%client)
  end function context_read_field

  !> Returns what the context has cost this client so far.
  function context_statistics(self, ierr) result(statistics)
    class(epios_context), intent(in) :: self
    integer, intent(out), optional :: ierr
    type(epios_statistics) :: statistics

    statistics = epios_statistics(0, 0, 0, 0, 0, 0)
    call finish(c_get_statistics(self%handle, statistics), ierr, self%client)
  end function context_statistics

  !> Returns the report about file number `index` (from 1) of a finalized context. The result is false behind the last one.
  logical function context_file_report(self, index, report, ierr)
    class(epios_context), intent(in) :: self
    integer, intent(in) :: index
    type(epios_file_report), intent(out) :: report
    integer, intent(out), optional :: ierr
    type(c_file_report) :: found
    integer(c_int) :: code, count

    count = 0
    code = epios_count_file_reports(self%handle, count)
    context_file_report = code == epios_success .and. index >= 1 .and. index <= count
    if (context_file_report) code = epios_get_file_report(self%handle, int(index - 1, c_int), found)
    call finish(code, ierr, self%client)
    if (.not. context_file_report) return
    report%path = text_at(found%path)
    report%records_written = found%records_written
    report%records_lost = found%records_lost
    report%bytes = found%bytes
    report%error = text_at(found%error)
    report%losses = text_at(found%losses)
    report%records_short = found%records_short
    report%records_missing = found%records_missing
    report%unsent = text_at(found%unsent)
  end function context_file_report

  ! Procedures for real(8) and real(4)
  include 'context_transfers.inc'

end module epios_contexts
