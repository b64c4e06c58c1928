! Functions of the C interface that module xios uses, and conversion of texts to and from C.
module xios_c
  use, intrinsic :: iso_c_binding
  implicit none
  public

  character(kind=c_char), parameter :: nul = c_null_char

  type, bind(c) :: c_element
    type(c_ptr) :: context = c_null_ptr
    integer(c_int32_t) :: node = -1
  end type c_element

  type, bind(c) :: c_duration
    real(c_double) :: year, month, day, hour, minute, second, timestep
  end type c_duration

  type, bind(c) :: c_date
    integer(c_int) :: year, month, day, hour, minute, second
  end type c_date

  interface
    ! <epios/definition.h>
    integer(c_int) function epios_child(parent, tag, id, out) bind(c)
      import :: c_int, c_char, c_element
      type(c_element), value :: parent
      character(kind=c_char), intent(in) :: tag(*), id(*)
      type(c_element), intent(out) :: out
    end function
    integer(c_int) function epios_grid_element(field, tag, index, out) bind(c)
      import :: c_int, c_char, c_element
      type(c_element), value :: field
      character(kind=c_char), intent(in) :: tag(*)
      integer(c_int), value :: index
      type(c_element), intent(out) :: out
    end function
    integer(c_int) function epios_element_set_text(element, attribute, text) bind(c)
      import :: c_int, c_char, c_element
      type(c_element), value :: element
      character(kind=c_char), intent(in) :: attribute(*), text(*)
    end function
    integer(c_int) function epios_element_set_texts(element, attribute, texts, count) bind(c)
      import :: c_int, c_char, c_int64_t, c_ptr, c_element
      type(c_element), value :: element
      character(kind=c_char), intent(in) :: attribute(*)
      type(c_ptr), intent(in) :: texts(*)
      integer(c_int64_t), value :: count
    end function
    integer(c_int) function epios_element_set_duration(element, attribute, value) bind(c)
      import :: c_int, c_char, c_element, c_duration
      type(c_element), value :: element
      character(kind=c_char), intent(in) :: attribute(*)
      type(c_duration), value :: value
    end function
    integer(c_int) function epios_element_is_defined(element, attribute, defined) bind(c)
      import :: c_int, c_char, c_element
      type(c_element), value :: element
      character(kind=c_char), intent(in) :: attribute(*)
      integer(c_int), intent(inout) :: defined
    end function
    integer(c_int) function epios_element_text_length(element, attribute, length) bind(c)
      import :: c_int, c_char, c_int64_t, c_element
      type(c_element), value :: element
      character(kind=c_char), intent(in) :: attribute(*)
      integer(c_int64_t), intent(inout) :: length
    end function
    integer(c_int) function epios_element_get_text(element, attribute, text, capacity) bind(c)
      import :: c_int, c_char, c_size_t, c_element
      type(c_element), value :: element
      character(kind=c_char), intent(in) :: attribute(*)
      character(kind=c_char), intent(out) :: text(*)
      integer(c_size_t), value :: capacity
    end function
    integer(c_int) function epios_element_get_item(element, attribute, item, text, capacity) bind(c)
      import :: c_int, c_char, c_size_t, c_int64_t, c_element
      type(c_element), value :: element
      character(kind=c_char), intent(in) :: attribute(*)
      integer(c_int64_t), value :: item
      character(kind=c_char), intent(out) :: text(*)
      integer(c_size_t), value :: capacity
    end function
    integer(c_int) function epios_element_get_duration(element, attribute, value) bind(c)
      import :: c_int, c_char, c_element, c_duration
      type(c_element), value :: element
      character(kind=c_char), intent(in) :: attribute(*)
      type(c_duration), intent(out) :: value
    end function

    ! The same by kinds of values.
    include 'c_functions.inc'

    ! src/xios_c_api.cpp: the state that module xios has per process and per thread.
    integer(c_int) function epios_xios_initialize(code_id, local_comm, return_comm, job_comm) bind(c)
      import :: c_int, c_char
      character(kind=c_char), intent(in) :: code_id(*)
      integer(c_int), intent(in), optional :: local_comm, job_comm
      integer(c_int), intent(out), optional :: return_comm
    end function
    integer(c_int) function epios_xios_finalize() bind(c)
      import :: c_int
    end function
    integer(c_int) function epios_xios_context_initialize(id, comm) bind(c)
      import :: c_int, c_char
      character(kind=c_char), intent(in) :: id(*)
      integer(c_int), value :: comm
    end function
    integer(c_int) function epios_xios_context_is_initialized(id, is) bind(c)
      import :: c_int, c_char
      character(kind=c_char), intent(in) :: id(*)
      integer(c_int), intent(inout) :: is
    end function
    integer(c_int) function epios_xios_set_current_context(id) bind(c)
      import :: c_int, c_char
      character(kind=c_char), intent(in) :: id(*)
    end function
    integer(c_int) function epios_xios_set_current_context_handle(element) bind(c)
      import :: c_int, c_element
      type(c_element), value :: element
    end function
    integer(c_int) function epios_xios_current_context(element) bind(c)
      import :: c_int, c_element
      type(c_element), intent(out) :: element
    end function
    integer(c_int) function epios_xios_current_context_id(text, capacity) bind(c)
      import :: c_int, c_char, c_size_t
      character(kind=c_char), intent(out) :: text(*)
      integer(c_size_t), value :: capacity
    end function
    integer(c_int) function epios_xios_at(tag, id, element) bind(c)
      import :: c_int, c_char, c_element
      character(kind=c_char), intent(in) :: tag(*), id(*)
      type(c_element), intent(out) :: element
    end function
    integer(c_int) function epios_xios_element(daddr, element) bind(c)
      import :: c_int, c_intptr_t, c_element
      integer(c_intptr_t), value :: daddr
      type(c_element), intent(out) :: element
    end function
    integer(c_int) function epios_xios_handle(element, daddr) bind(c)
      import :: c_int, c_intptr_t, c_element
      type(c_element), value :: element
      integer(c_intptr_t), intent(inout) :: daddr
    end function
    integer(c_int) function epios_xios_has(tag, id, found) bind(c)
      import :: c_int, c_char
      character(kind=c_char), intent(in) :: tag(*), id(*)
      integer(c_int), intent(inout) :: found
    end function
    integer(c_int) function epios_xios_check_shape(element, attribute, rank, shape) bind(c)
      import :: c_int, c_char, c_int64_t, c_element
      type(c_element), value :: element
      character(kind=c_char), intent(in) :: attribute(*)
      integer(c_int), value :: rank
      integer(c_int64_t), intent(in) :: shape(*)
    end function
    integer(c_int) function epios_xios_solve_inheritance() bind(c)
      import :: c_int
    end function
    integer(c_int) function epios_xios_close_definition() bind(c)
      import :: c_int
    end function
    integer(c_int) function epios_xios_context_finalize() bind(c)
      import :: c_int
    end function
    integer(c_int) function epios_xios_update_calendar(step) bind(c)
      import :: c_int, c_int64_t
      integer(c_int64_t), value :: step
    end function
    integer(c_int) function epios_xios_current_date(date) bind(c)
      import :: c_int, c_date
      type(c_date), intent(out) :: date
    end function
    integer(c_int) function epios_xios_send(field, length, data, tile) bind(c)
      import :: c_int, c_char, c_size_t
      character(kind=c_char), intent(in) :: field(*)
      integer(c_size_t), value :: length
      type(*), intent(in) :: data(..)
      integer(c_int), intent(in), optional :: tile
    end function
    integer(c_int) function epios_xios_send_element(field, data, tile) bind(c)
      import :: c_int, c_element
      type(c_element), value :: field
      type(*), intent(in) :: data(..)
      integer(c_int), intent(in), optional :: tile
    end function
    integer(c_int) function epios_xios_receive(field, length, data) bind(c)
      import :: c_int, c_char, c_size_t
      character(kind=c_char), intent(in) :: field(*)
      integer(c_size_t), value :: length
      type(*), intent(inout) :: data(..)
    end function
    integer(c_int) function epios_xios_receive_element(field, data) bind(c)
      import :: c_int, c_element
      type(c_element), value :: field
      type(*), intent(inout) :: data(..)
    end function
    integer(c_int) function epios_xios_field_is_active(field, length, now, active) bind(c)
      import :: c_int, c_char, c_size_t
      character(kind=c_char), intent(in) :: field(*)
      integer(c_size_t), value :: length
      integer(c_int), value :: now
      integer(c_int), intent(inout) :: active
    end function
    integer(c_int) function epios_xios_field_is_active_element(field, now, active) bind(c)
      import :: c_int, c_element
      type(c_element), value :: field
      integer(c_int), value :: now
      integer(c_int), intent(inout) :: active
    end function
    integer(c_int) function epios_xios_variable_length(id, length) bind(c)
      import :: c_int, c_char, c_int64_t
      character(kind=c_char), intent(in) :: id(*)
      integer(c_int64_t), intent(inout) :: length
    end function
    integer(c_int) function epios_xios_get_variable(id, text, capacity) bind(c)
      import :: c_int, c_char, c_size_t
      character(kind=c_char), intent(in) :: id(*)
      character(kind=c_char), intent(out) :: text(*)
      integer(c_size_t), value :: capacity
    end function
    integer(c_int) function epios_xios_get_variable_bool(id, value) bind(c)
      import :: c_int, c_char
      character(kind=c_char), intent(in) :: id(*)
      integer(c_int), intent(inout) :: value
    end function
    integer(c_int) function epios_xios_get_variable_int(id, value) bind(c)
      import :: c_int, c_char, c_int64_t
      character(kind=c_char), intent(in) :: id(*)
      integer(c_int64_t), intent(inout) :: value
    end function
    integer(c_int) function epios_xios_get_variable_double(id, value) bind(c)
      import :: c_int, c_char, c_double
      character(kind=c_char), intent(in) :: id(*)
      real(c_double), intent(inout) :: value
    end function
    integer(c_int) function epios_xios_set_variable(id, text) bind(c)
      import :: c_int, c_char
      character(kind=c_char), intent(in) :: id(*), text(*)
    end function
    integer(c_int) function epios_xios_duration_text(duration, text, capacity) bind(c)
      import :: c_int, c_char, c_size_t, c_duration
      type(c_duration), intent(in) :: duration
      character(kind=c_char), intent(out) :: text(*)
      integer(c_size_t), value :: capacity
    end function
    integer(c_int) function epios_xios_date_text(date, text, capacity) bind(c)
      import :: c_int, c_char, c_size_t, c_date
      type(c_date), intent(in) :: date
      character(kind=c_char), intent(out) :: text(*)
      integer(c_size_t), value :: capacity
    end function
    integer(c_int) function epios_xios_duration_parse(text, duration) bind(c)
      import :: c_int, c_char, c_duration
      character(kind=c_char), intent(in) :: text(*)
      type(c_duration), intent(out) :: duration
    end function
    integer(c_int) function epios_xios_date_parse(text, date) bind(c)
      import :: c_int, c_char, c_date
      character(kind=c_char), intent(in) :: text(*)
      type(c_date), intent(out) :: date
    end function
    integer(c_int) function epios_xios_date_add(date, duration, sum) bind(c)
      import :: c_int, c_date, c_duration
      type(c_date), intent(in) :: date
      type(c_duration), intent(in) :: duration
      type(c_date), intent(out) :: sum
    end function
    integer(c_int) function epios_xios_date_number(date, which, number) bind(c)
      import :: c_int, c_date, c_double
      type(c_date), intent(in) :: date
      integer(c_int), value :: which
      real(c_double), intent(inout) :: number
    end function
    integer(c_int) function epios_xios_calendar_lengths(year, day_seconds, year_seconds) bind(c)
      import :: c_int, c_int64_t
      integer(c_int), value :: year
      integer(c_int64_t), intent(inout) :: day_seconds, year_seconds
    end function
    integer(c_int) function epios_xios_timer(name, action, seconds) bind(c)
      import :: c_int, c_char, c_double
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), value :: action
      real(c_double), intent(inout) :: seconds
    end function
    integer(c_int) function epios_xios_init_server() bind(c)
      import :: c_int
    end function
    integer(c_int) function epios_xios_memory(mb) bind(c)
      import :: c_int, c_double
      real(c_double), intent(inout) :: mb
    end function
    integer(c_int) function epios_xios_log_memory(place, finalize) bind(c)
      import :: c_int, c_char
      character(kind=c_char), intent(in) :: place(*)
      integer(c_int), value :: finalize
    end function
    ! src/fortran_numbers.cpp
    integer(c_int) function epios_fortran_narrow_ints(wide, count, out) bind(c)
      import :: c_int, c_int64_t
      integer(c_int64_t), intent(in) :: wide(*)
      integer(c_int64_t), value :: count
      integer(c_int), intent(inout) :: out(*)
    end function
    integer(c_int) function epios_fortran_narrow_reals(wide, count, out) bind(c)
      import :: c_int, c_int64_t, c_double, c_float
      real(c_double), intent(in) :: wide(*)
      integer(c_int64_t), value :: count
      real(c_float), intent(out) :: out(*)
    end function
    subroutine epios_xios_fail() bind(c)
    end subroutine
  end interface

contains

  ! Ends the job with the text of the error, unless the code is that of success.
  subroutine check(code)
    integer(c_int), intent(in) :: code

    if (code /= 0) call epios_xios_fail()
  end subroutine check

  ! Converts a number. A number that does not fit also ends the job.
  integer function narrow(wide)
    integer(c_int64_t), intent(in) :: wide
    integer(c_int) :: out(1)

    call check(epios_fortran_narrow_ints([wide], 1_c_int64_t, out))
    narrow = out(1)
  end function narrow

  ! Returns a C text without trailing blanks, which Fortran does not distinguish from none.
  pure function c_text(text) result(out)
    character(len=*), intent(in) :: text
    character(kind=c_char) :: out(len_trim(text) + 1)
    integer :: i

    do i = 1, size(out) - 1
      out(i) = text(i:i)
    end do
    out(size(out)) = nul
  end function c_text

  pure function c_text_of_length(text, length) result(out)
    character(len=*), intent(in) :: text
    integer, intent(in) :: length
    character(kind=c_char) :: out(length)
    integer :: i

    out = c_null_char
    do i = 1, min(len_trim(text), length - 1)
      out(i) = text(i:i)
    end do
  end function c_text_of_length

  ! Copies the text up to the final 0, padded with blanks.
  pure subroutine copy_c_text(from, to)
    character(kind=c_char), intent(in) :: from(:)
    character(len=*), intent(out) :: to
    integer :: i

    to = ''
    do i = 1, min(size(from), len(to))
      if (from(i) == c_null_char) exit
      to(i:i) = from(i)
    end do
  end subroutine copy_c_text

end module xios_c
