! Handles of elements, and their attributes of every type, for the generated accessors. Names of attributes come with a final
! `nul`, because models set hundreds of thousands of values, and nothing but the values should be copied. An error ends the
! job with its text, because module xios has no way to return it.
module xios_elements
  use, intrinsic :: iso_c_binding
  use xios_c
  use xios_time, only: xios_duration, to_c, from_c
  implicit none
  private

  public :: put, put_array, fetch, fetch_array, ask, at, is_there, add, element_of, handle_of, handle_at
  public :: xios_duration

  ! Types xios_context, xios_domain, xios_domaingroup ...
  include 'xios_handles.inc'

  interface put
    module procedure put_text, put_texts, put_logical, put_integer, put_real, put_duration
  end interface
  interface put_array
    module procedure put_logicals, put_integers, put_reals
  end interface
  interface fetch
    module procedure fetch_text, fetch_texts, fetch_logical, fetch_integer, fetch_real, fetch_duration
  end interface
  interface fetch_array
    module procedure fetch_logicals, fetch_integers, fetch_reals
  end interface

contains

  ! Handles are numbers, as in the C names of XIOS, because some models look into them. 0 stands for none.

  function element_of(daddr) result(element)
    integer(c_intptr_t), intent(in) :: daddr
    type(c_element) :: element

    call check(epios_xios_element(daddr, element))
  end function element_of

  function handle_of(element) result(daddr)
    type(c_element), intent(in) :: element
    integer(c_intptr_t) :: daddr

    call check(epios_xios_handle(element, daddr))
  end function handle_of

  function handle_at(tag, id) result(daddr)
    character(len=*), intent(in) :: tag, id
    integer(c_intptr_t) :: daddr
    type(c_element) :: element

    call at(tag, id, element)
    daddr = handle_of(element)
  end function handle_at

  ! Returns the element with a tag and an id in the current context, which must exist.
  subroutine at(tag, id, element)
    character(len=*), intent(in) :: tag, id
    type(c_element), intent(out) :: element

    call check(epios_xios_at(c_text(tag), c_text(id), element))
  end subroutine at

  logical function is_there(tag, id)
    character(len=*), intent(in) :: tag, id
    integer(c_int) :: found

    call check(epios_xios_has(c_text(tag), c_text(id), found))
    is_there = found /= 0
  end function is_there

  ! Adds a child. Without an id, one is made up.
  subroutine add(parent, tag, child, id)
    integer(c_intptr_t), intent(in) :: parent
    character(len=*), intent(in) :: tag
    integer(c_intptr_t), intent(out) :: child
    character(len=*), intent(in), optional :: id
    type(c_element) :: element

    if (present(id)) then
      call check(epios_child(element_of(parent), c_text(tag), c_text(id), element))
    else
      call check(epios_child(element_of(parent), c_text(tag), c_text(''), element))
    end if
    child = handle_of(element)
  end subroutine add

  subroutine ask(element, attribute, defined)
    type(c_element), intent(in) :: element
    character(len=*), intent(in) :: attribute
    logical, intent(out) :: defined
    integer(c_int) :: number

    call check(epios_element_is_defined(element, attribute, number))
    defined = number /= 0
  end subroutine ask

  ! Checks that what is read has the shape of the array that receives it.
  subroutine check_shape(element, attribute, extents)
    type(c_element), intent(in) :: element
    character(len=*), intent(in) :: attribute
    integer(c_int64_t), intent(in) :: extents(:)

    call check(epios_xios_check_shape(element, attribute, size(extents, kind=c_int), extents))
  end subroutine check_shape

  subroutine put_text(element, attribute, value)
    type(c_element), intent(in) :: element
    character(len=*), intent(in) :: attribute, value
    integer :: length
    character(len=len_trim(value) + 1) :: text

    length = len_trim(value)
    text(:length) = value(:length)
    text(length + 1:) = nul
    call check(epios_element_set_text(element, attribute, text))
  end subroutine put_text

  subroutine put_texts(element, attribute, value)
    type(c_element), intent(in) :: element
    character(len=*), intent(in) :: attribute, value(:)
    character(kind=c_char), target :: texts(len(value) + 1, size(value))
    type(c_ptr) :: pointers(size(value))
    integer :: i

    do i = 1, size(value)
      texts(:, i) = c_text_of_length(value(i), len(value) + 1)
      pointers(i) = c_loc(texts(1, i))
    end do
    call check(epios_element_set_texts(element, attribute, pointers, size(value, kind=c_int64_t)))
  end subroutine put_texts

  subroutine put_duration(element, attribute, value)
    type(c_element), intent(in) :: element
    character(len=*), intent(in) :: attribute
    type(xios_duration), intent(in) :: value

    call check(epios_element_set_duration(element, attribute, to_c(value)))
  end subroutine put_duration

  subroutine fetch_text(element, attribute, value)
    type(c_element), intent(in) :: element
    character(len=*), intent(in) :: attribute
    character(len=*), intent(out) :: value
    character(kind=c_char) :: text(len(value) + 1)  ! what does not fit is an error

    call check(epios_element_get_text(element, attribute, text, size(text, kind=c_size_t)))
    call copy_c_text(text, value)
  end subroutine fetch_text

  ! Reads an array of texts, as many as the given array has.
  subroutine fetch_texts(element, attribute, value)
    type(c_element), intent(in) :: element
    character(len=*), intent(in) :: attribute
    character(len=*), intent(out) :: value(:)
    character(kind=c_char) :: text(len(value) + 1)
    integer :: i

    do i = 1, size(value)
      call check(epios_element_get_item(element, attribute, int(i - 1, c_int64_t), text, &
                                        size(text, kind=c_size_t)))
      call copy_c_text(text, value(i))
    end do
  end subroutine fetch_texts

  subroutine fetch_duration(element, attribute, value)
    type(c_element), intent(in) :: element
    character(len=*), intent(in) :: attribute
    type(xios_duration), intent(out) :: value
    type(c_duration) :: found

    call check(epios_element_get_duration(element, attribute, found))
    value = from_c(found)
  end subroutine fetch_duration

  ! Logicals, integers and reals, single ones and arrays.
  include 'xios_values.inc'

end module xios_elements
