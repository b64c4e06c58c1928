! Functions of the C interface that module epios uses and module xios does not. Results are `inout`, so that they keep their
! value after an error.
module epios_c
  use, intrinsic :: iso_c_binding
  use xios_c, only: c_element, c_date, c_duration
  implicit none
  public

  type, bind(c) :: c_field
    type(c_ptr) :: context = c_null_ptr
    integer(c_int32_t) :: number = -1
  end type c_field

  type, bind(c) :: c_file_report
    type(c_ptr) :: path = c_null_ptr
    integer(c_int64_t) :: records_written, records_lost, bytes
    type(c_ptr) :: error = c_null_ptr, losses = c_null_ptr
    integer(c_int64_t) :: records_short, records_missing
    type(c_ptr) :: unsent = c_null_ptr
  end type c_file_report

  interface
    ! <epios/epios.h>, <epios/definition.h>, <epios/endpoints.h>
    type(c_ptr) function epios_c_last_error() bind(c, name='epios_last_error')
      import :: c_ptr
    end function
    type(c_ptr) function epios_c_version() bind(c, name='epios_version')
      import :: c_ptr
    end function
    integer(c_int) function epios_c_api_version() bind(c, name='epios_api_version')
      import :: c_int
    end function
    integer(c_int) function epios_session_close(session) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: session
    end function
    integer(c_int) function epios_session_abandon(session) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: session
    end function
    integer(c_int) function epios_session_serve(session) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: session
    end function
    integer(c_int) function epios_session_open_clients(session, clients) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: session
      integer(c_int), intent(inout) :: clients
    end function
    integer(c_int) function epios_client_open(session, index, out) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: session
      integer(c_int), value :: index
      type(c_ptr), intent(out) :: out
    end function
    integer(c_int) function epios_client_close(client) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: client
    end function
    integer(c_int) function epios_client_abandon(client) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: client
    end function
    integer(c_int) function epios_client_rank(client, rank) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: client
      integer(c_int), intent(inout) :: rank
    end function
    integer(c_int) function epios_client_size(client, size) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: client
      integer(c_int), intent(inout) :: size
    end function
    integer(c_int) function epios_client_servers(client, servers, attached) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: client
      integer(c_int), intent(inout) :: servers, attached
    end function
    integer(c_int) function epios_client_help_at_barrier(client, threads) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: client
      integer(c_int), value :: threads
    end function
    integer(c_int) function epios_context_open_among(client, id, ranks, count, out) bind(c)
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: client
      character(kind=c_char), intent(in) :: id(*)
      integer(c_int), intent(in) :: ranks(*)
      integer(c_int), value :: count
      type(c_ptr), intent(out) :: out
    end function
    integer(c_int) function epios_client_comm(client, comm) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: client
      type(c_ptr), intent(out) :: comm
    end function
    integer(c_int) function epios_find(context, tag, id, out) bind(c)
      import :: c_int, c_ptr, c_char, c_element
      type(c_ptr), value :: context
      character(kind=c_char), intent(in) :: tag(*), id(*)
      type(c_element), intent(out) :: out
    end function
    integer(c_int) function epios_at(context, tag, id, out) bind(c)
      import :: c_int, c_ptr, c_char, c_element
      type(c_ptr), value :: context
      character(kind=c_char), intent(in) :: tag(*), id(*)
      type(c_element), intent(out) :: out
    end function
    integer(c_int) function epios_element_id(element, text, capacity) bind(c)
      import :: c_int, c_char, c_size_t, c_element
      type(c_element), value :: element
      character(kind=c_char), intent(out) :: text(*)
      integer(c_size_t), value :: capacity
    end function
    integer(c_int) function epios_element_shape(element, attribute, rank, shape) bind(c)
      import :: c_int, c_int64_t, c_char, c_element
      type(c_element), value :: element
      character(kind=c_char), intent(in) :: attribute(*)
      integer(c_int), intent(inout) :: rank
      integer(c_int64_t), intent(inout) :: shape(7)
    end function
    integer(c_int) function epios_solve_inheritance(context) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: context
    end function
    integer(c_int) function epios_close_definition(context) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: context
    end function
    integer(c_int) function epios_update_calendar(context, step) bind(c)
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: context
      integer(c_int64_t), value :: step
    end function
    integer(c_int) function epios_current_date(context, text, capacity) bind(c)
      import :: c_int, c_ptr, c_char, c_size_t
      type(c_ptr), value :: context
      character(kind=c_char), intent(out) :: text(*)
      integer(c_size_t), value :: capacity
    end function
    integer(c_int) function epios_get_date(context, out) bind(c)
      import :: c_int, c_ptr, c_date
      type(c_ptr), value :: context
      type(c_date), intent(out) :: out
    end function
    integer(c_int) function epios_date_parse(context, text, out) bind(c)
      import :: c_int, c_ptr, c_char, c_date
      type(c_ptr), value :: context
      character(kind=c_char), intent(in) :: text(*)
      type(c_date), intent(out) :: out
    end function
    integer(c_int) function epios_date_text(context, date, text, capacity) bind(c)
      import :: c_int, c_ptr, c_char, c_size_t, c_date
      type(c_ptr), value :: context
      type(c_date), value :: date
      character(kind=c_char), intent(out) :: text(*)
      integer(c_size_t), value :: capacity
    end function
    integer(c_int) function epios_date_add(context, date, duration, out) bind(c)
      import :: c_int, c_ptr, c_date, c_duration
      type(c_ptr), value :: context
      type(c_date), value :: date
      type(c_duration), value :: duration
      type(c_date), intent(out) :: out
    end function
    integer(c_int) function epios_date_difference(context, from, to, seconds) bind(c)
      import :: c_int, c_ptr, c_double, c_date
      type(c_ptr), value :: context
      type(c_date), value :: from, to
      real(c_double), intent(inout) :: seconds
    end function
    integer(c_int) function epios_find_read_field(context, id, out) bind(c)
      import :: c_int, c_ptr, c_char, c_field
      type(c_ptr), value :: context
      character(kind=c_char), intent(in) :: id(*)
      type(c_field), intent(out) :: out
    end function
    integer(c_int) function epios_field_borrow_double(field, data, count) bind(c)
      import :: c_int, c_int64_t, c_ptr, c_field
      type(c_field), value :: field
      type(c_ptr), intent(out) :: data
      integer(c_int64_t), intent(inout) :: count
    end function
    integer(c_int) function epios_field_borrow_float(field, data, count) bind(c)
      import :: c_int, c_int64_t, c_ptr, c_field
      type(c_field), value :: field
      type(c_ptr), intent(out) :: data
      integer(c_int64_t), intent(inout) :: count
    end function
    integer(c_int) function epios_field_give_back(field) bind(c)
      import :: c_int, c_field
      type(c_field), value :: field
    end function
    integer(c_int) function epios_find_field(context, id, out) bind(c)
      import :: c_int, c_ptr, c_char, c_field
      type(c_ptr), value :: context
      character(kind=c_char), intent(in) :: id(*)
      type(c_field), intent(out) :: out
    end function
    integer(c_int) function epios_field_ask_active(field, now, active) bind(c)
      import :: c_int, c_field
      type(c_field), value :: field
      integer(c_int), value :: now
      integer(c_int), intent(inout) :: active
    end function
    integer(c_int) function epios_c_field_is_active(context, field, now, active) bind(c, name='epios_field_is_active')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: context
      character(kind=c_char), intent(in) :: field(*)
      integer(c_int), value :: now
      integer(c_int), intent(inout) :: active
    end function
    integer(c_int) function epios_variable_length(context, id, length) bind(c)
      import :: c_int, c_int64_t, c_ptr, c_char
      type(c_ptr), value :: context
      character(kind=c_char), intent(in) :: id(*)
      integer(c_int64_t), intent(inout) :: length
    end function
    integer(c_int) function epios_get_variable(context, id, text, capacity) bind(c)
      import :: c_int, c_ptr, c_char, c_size_t
      type(c_ptr), value :: context
      character(kind=c_char), intent(in) :: id(*)
      character(kind=c_char), intent(out) :: text(*)
      integer(c_size_t), value :: capacity
    end function
    integer(c_int) function epios_set_variable(context, id, text) bind(c)
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: context
      character(kind=c_char), intent(in) :: id(*), text(*)
    end function
    integer(c_int) function epios_context_finalize(context) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: context
    end function
    integer(c_int) function epios_count_file_reports(context, count) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: context
      integer(c_int), intent(inout) :: count
    end function
    integer(c_int) function epios_get_file_report(context, index, out) bind(c)
      import :: c_int, c_ptr, c_file_report
      type(c_ptr), value :: context
      integer(c_int), value :: index
      type(c_file_report), intent(out) :: out
    end function

    ! src/fortran_api.cpp: functions that take communicators and arrays of Fortran.
    integer(c_int) function epios_fortran_session_open(code_id, iodef, clients, host_server, comm, out) bind(c)
      import :: c_int, c_ptr, c_char
      character(kind=c_char), intent(in) :: code_id(*), iodef(*)
      integer(c_int), value :: clients, host_server
      integer(c_int), intent(in), optional :: comm
      type(c_ptr), intent(out) :: out
    end function
    integer(c_int) function epios_fortran_session_comm(session, comm) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: session
      integer(c_int), intent(inout) :: comm
    end function
    integer(c_int) function epios_fortran_serve(comm) bind(c)
      import :: c_int
      integer(c_int), intent(in), optional :: comm
    end function
    integer(c_int) function epios_fortran_context_open(client, id, comm, out) bind(c)
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: client
      character(kind=c_char), intent(in) :: id(*)
      integer(c_int), intent(in), optional :: comm
      type(c_ptr), intent(out) :: out
    end function
    integer(c_int) function epios_fortran_send(context, field, length, data, tile) bind(c)
      import :: c_int, c_ptr, c_char, c_size_t
      type(c_ptr), value :: context
      character(kind=c_char), intent(in) :: field(*)
      integer(c_size_t), value :: length
      type(*), intent(in) :: data(..)
      integer(c_int), intent(in), optional :: tile
    end function
    integer(c_int) function epios_fortran_send_field(field, data, tile) bind(c)
      import :: c_int, c_field
      type(c_field), value :: field
      type(*), intent(in) :: data(..)
      integer(c_int), intent(in), optional :: tile
    end function
    integer(c_int) function epios_fortran_receive(context, field, length, data) bind(c)
      import :: c_int, c_ptr, c_char, c_size_t
      type(c_ptr), value :: context
      character(kind=c_char), intent(in) :: field(*)
      integer(c_size_t), value :: length
      type(*), intent(inout) :: data(..)
    end function
    integer(c_int) function epios_fortran_receive_field(field, data) bind(c)
      import :: c_int, c_field
      type(c_field), value :: field
      type(*), intent(inout) :: data(..)
    end function
    integer(c_int) function epios_fortran_shape_for(element, attribute, rank, shape) bind(c)
      import :: c_int, c_int64_t, c_char, c_element
      type(c_element), value :: element
      character(kind=c_char), intent(in) :: attribute(*)
      integer(c_int), value :: rank
      integer(c_int64_t), intent(inout) :: shape(7)
    end function
    pure integer(c_size_t) function epios_fortran_length(text) bind(c)
      import :: c_size_t, c_ptr
      type(c_ptr), value :: text
    end function
    subroutine epios_fortran_fail(client) bind(c)
      import :: c_ptr
      type(c_ptr), value :: client
    end subroutine
  end interface
end module epios_c
