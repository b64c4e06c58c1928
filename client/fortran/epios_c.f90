! The C interface as far as module epios stands on it and module xios does not.
module epios_c
  use, intrinsic :: iso_c_binding
  use xios_c, only: c_element
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
      integer(c_int), intent(out) :: rank
    end function
    integer(c_int) function epios_client_size(client, size) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: client
      integer(c_int), intent(out) :: size
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
    integer(c_int) function epios_element_shape(element, attribute, rank, shape) bind(c)
      import :: c_int, c_int64_t, c_char, c_element
      type(c_element), value :: element
      character(kind=c_char), intent(in) :: attribute(*)
      integer(c_int), intent(out) :: rank
      integer(c_int64_t), intent(out) :: shape(7)
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
      integer(c_int), intent(out) :: active
    end function
    integer(c_int) function epios_c_field_is_active(context, field, now, active) bind(c, name='epios_field_is_active')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: context
      character(kind=c_char), intent(in) :: field(*)
      integer(c_int), value :: now
      integer(c_int), intent(out) :: active
    end function
    integer(c_int) function epios_variable_length(context, id, length) bind(c)
      import :: c_int, c_int64_t, c_ptr, c_char
      type(c_ptr), value :: context
      character(kind=c_char), intent(in) :: id(*)
      integer(c_int64_t), intent(out) :: length
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
    integer(c_int) function epios_get_file_report(context, index, out) bind(c)
      import :: c_int, c_ptr, c_file_report
      type(c_ptr), value :: context
      integer(c_int), value :: index
      type(c_file_report), intent(out) :: out
    end function

    ! src/fortran_api.cpp: what takes communicators and arrays of Fortran.
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
      integer(c_int), intent(out) :: comm
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
