!> How a unit test in Fortran controls the mock; see <epios/mock.h>.
module epios_mock
  use, intrinsic :: iso_c_binding
  use xios_c, only: c_text, copy_c_text
  implicit none
  private

  public :: mock_reset, mock_call_count, mock_call, mock_sent, mock_answer, mock_fail, mock_set_active, &
            mock_set_in_file

  interface
    !> Forgets calls, arrays, answers, failures and contexts.
    subroutine mock_reset() bind(c, name='epios_mock_reset')
    end subroutine
    !> Returns the number of calls so far.
    integer(c_int) function mock_call_count() bind(c, name='epios_mock_call_count')
      import :: c_int
    end function
    type(c_ptr) function c_call(index) bind(c, name='epios_mock_call')
      import :: c_int, c_ptr
      integer(c_int), value :: index
    end function
    integer(c_int64_t) function c_sent(field, index, values, capacity) bind(c, name='epios_mock_sent')
      import :: c_int, c_int64_t, c_char, c_double
      character(kind=c_char), intent(in) :: field(*)
      integer(c_int), value :: index
      real(c_double), intent(inout) :: values(*)
      integer(c_int64_t), value :: capacity
    end function
    subroutine c_answer(field, values, count) bind(c, name='epios_mock_answer')
      import :: c_int64_t, c_char, c_double
      character(kind=c_char), intent(in) :: field(*)
      real(c_double), intent(in) :: values(*)
      integer(c_int64_t), value :: count
    end subroutine
    subroutine c_fail(calls, code, text) bind(c, name='epios_mock_fail')
      import :: c_int, c_char
      integer(c_int), value :: calls, code
      character(kind=c_char), intent(in) :: text(*)
    end subroutine
    subroutine c_set_in_file(tag, id, attribute, text) bind(c, name='epios_mock_set_in_file')
      import :: c_char
      character(kind=c_char), intent(in) :: tag(*), id(*), attribute(*), text(*)
    end subroutine c_set_in_file
    subroutine c_set_active(field, active) bind(c, name='epios_mock_set_active')
      import :: c_int, c_char
      character(kind=c_char), intent(in) :: field(*)
      integer(c_int), value :: active
    end subroutine
    pure integer(c_size_t) function c_length(text) bind(c, name='epios_fortran_length')
      import :: c_size_t, c_ptr
      type(c_ptr), value :: text
    end function
  end interface

contains

  !> Returns call `index` (from 1), such as "xios_send_field('sst', [1, 2, 3])"; empty behind the last one.
  function mock_call(index) result(text)
    integer, intent(in) :: index
    character(len=:), allocatable :: text
    type(c_ptr) :: address
    character(kind=c_char), pointer :: characters(:)

    text = ''
    address = c_call(int(index - 1, c_int))
    if (.not. c_associated(address)) return
    call c_f_pointer(address, characters, [c_length(address)])
    deallocate (text)
    allocate (character(len=size(characters)) :: text)
    call copy_c_text(characters, text)
  end function mock_call

  !> Returns array `index` (from 1) that was sent for a field, as one row; size 0 if fewer were sent.
  function mock_sent(field, index) result(values)
    character(len=*), intent(in) :: field
    integer, intent(in) :: index
    real(c_double), allocatable :: values(:)
    integer(c_int64_t) :: count
    real(c_double) :: nothing(1)

    count = c_sent(c_text(field), int(index - 1, c_int), nothing, 0_c_int64_t)
    allocate (values(max(count, 0_c_int64_t)))
    if (count > 0) count = c_sent(c_text(field), int(index - 1, c_int), values, count)
  end function mock_sent

  !> Provides the next array that is received for a field.
  subroutine mock_answer(field, values)
    character(len=*), intent(in) :: field
    real(c_double), intent(in) :: values(:)

    call c_answer(c_text(field), values, size(values, kind=c_int64_t))
  end subroutine mock_answer

  !> Makes the `calls`-th call from now fail.
  subroutine mock_fail(calls, code, text)
    integer, intent(in) :: calls, code
    character(len=*), intent(in) :: text

    call c_fail(int(calls, c_int), int(code, c_int), c_text(text))
  end subroutine mock_fail

  !> Sets whether a field is active from now on. Every field is by default.
  subroutine mock_set_active(field, active)
    character(len=*), intent(in) :: field
    logical, intent(in) :: active

    call c_set_active(c_text(field), merge(1_c_int, 0_c_int, active))
  end subroutine mock_set_active

  !> Provides what a file that is read would say about an element, in XML syntax.
  subroutine mock_set_in_file(tag, id, attribute, text)
    character(len=*), intent(in) :: tag, id, attribute, text

    call c_set_in_file(c_text(tag), c_text(id), c_text(attribute), c_text(text))
  end subroutine mock_set_in_file

end module epios_mock
