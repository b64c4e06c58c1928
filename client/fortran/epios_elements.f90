! Elements of module epios and their attributes.
module epios_elements
  use, intrinsic :: iso_c_binding
  use epios_c
  use epios_base, only: finish, text_of, epios_success
  use epios_dates, only: epios_date, epios_duration
  use xios_time, only: to_c, from_c
  use xios_c, only: c_element, c_duration, c_date, c_text, c_text_of_length, epios_child, epios_grid_element, &
    epios_element_set_text, epios_element_set_texts, epios_element_set_bool, epios_element_set_int, epios_element_set_double, &
    epios_element_set_bools, epios_element_set_ints, epios_element_set_doubles, epios_element_set_duration, &
    epios_element_is_defined, epios_element_text_length, epios_element_get_text, epios_element_get_item, &
    epios_element_get_bool, epios_element_get_int, epios_element_get_double, epios_element_get_duration, &
    epios_element_get_bools, epios_element_get_ints, epios_element_get_doubles, epios_fortran_get_int, &
    epios_fortran_get_ints, epios_fortran_get_float, epios_fortran_get_floats
  implicit none
  private

  public :: epios_element

  !> A handle to an element, a group or a definition element of a context.
  type :: epios_element
    type(c_element) :: handle  !< for calls of <epios/definition.h>
    type(c_ptr) :: client = c_null_ptr  !< for calls of <epios/definition.h>
  contains
    procedure :: child => element_child
    procedure :: grid_element => element_grid_element
    procedure :: id => element_id
    procedure :: is_defined => element_is_defined
    procedure, private :: element_set_text, element_set_texts, element_set_duration, element_set_date
    !> Sets an attribute. A text sets any attribute in XML syntax (words, durations, dates, references). An array has the
    !> dimensions of the attribute, or is one row with a `shape`, first index fastest.
    generic :: set => element_set_text, element_set_texts, element_set_duration, element_set_date
    procedure, private :: element_get_text, element_get_texts, element_get_duration, element_get_date
    !> Reads an attribute; a text reads any of them in XML syntax. Arrays are allocated, with the dimensions of the attribute
    !> or as one row.
    generic :: get => element_get_text, element_get_texts, element_get_duration, element_get_date
    ! Both also take logicals, integers, integers of 8 bytes, real(8) and real(4), single or in arrays of each rank that an
    ! attribute has.
    include 'element_bindings.inc'
    procedure :: shape => element_shape
  end type epios_element

contains

  !> Adds a child, as the XML allows, or reopens the child with that id. Without an id, one is made up.
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

  !> Returns element number `index` (from 1) with a tag ("axis", "domain", "scalar") in the grid of a field.
  function element_grid_element(self, tag, index, ierr) result(element)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: tag
    integer, intent(in) :: index
    integer, intent(out), optional :: ierr
    type(epios_element) :: element

    element%client = self%client
    call finish(epios_grid_element(self%handle, c_text(tag), int(index - 1, c_int), element%handle), ierr, self%client)
  end function element_grid_element

  !> Returns the id, also one that was made up.
  function element_id(self, ierr) result(id)
    class(epios_element), intent(in) :: self
    integer, intent(out), optional :: ierr
    character(len=:), allocatable :: id
    character(kind=c_char) :: text(1024)

    text = c_null_char
    call finish(epios_element_id(self%handle, text, size(text, kind=c_size_t)), ierr, self%client)
    id = text_of(text)
  end function element_id

  !> Returns true if an attribute has a value, either its own or, once inheritance is resolved, an inherited one.
  logical function element_is_defined(self, attribute, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    integer, intent(out), optional :: ierr
    integer(c_int) :: defined

    defined = 0
    call finish(epios_element_is_defined(self%handle, c_text(attribute), defined), ierr, self%client)
    element_is_defined = defined /= 0
  end function element_is_defined

  !> Returns the extents of the value of an attribute; none for single values.
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

  ! Setting

  subroutine element_set_text(self, attribute, value, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute, value
    integer, intent(out), optional :: ierr

    call finish(epios_element_set_text(self%handle, c_text(attribute), c_text(value)), ierr, self%client)
  end subroutine element_set_text

  subroutine element_set_texts(self, attribute, values, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute, values(:)
    integer, intent(out), optional :: ierr
    character(kind=c_char), target :: texts(len(values) + 1, size(values))
    type(c_ptr) :: pointers(size(values))
    integer :: i

    do i = 1, size(values)
      texts(:, i) = c_text_of_length(values(i), len(values) + 1)
      pointers(i) = c_loc(texts(1, i))
    end do
    call finish(epios_element_set_texts(self%handle, c_text(attribute), pointers, size(values, kind=c_int64_t)), ierr, &
                self%client)
  end subroutine element_set_texts

  subroutine element_set_duration(self, attribute, value, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    type(epios_duration), intent(in) :: value
    integer, intent(out), optional :: ierr

    call finish(epios_element_set_duration(self%handle, c_text(attribute), to_c(value)), ierr, self%client)
  end subroutine element_set_duration

  subroutine element_set_date(self, attribute, value, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    type(epios_date), intent(in) :: value
    integer, intent(out), optional :: ierr
    character(kind=c_char) :: text(64)
    integer(c_int) :: code

    code = epios_date_text(self%handle%context, to_c(value), text, size(text, kind=c_size_t))
    if (code == epios_success) code = epios_element_set_text(self%handle, c_text(attribute), text)
    call finish(code, ierr, self%client)
  end subroutine element_set_date

  ! Returns the given extents, or else those of the array.
  function extents_of(values, given) result(extents)
    type(*), intent(in) :: values(..)
    integer, intent(in), optional :: given(:)
    integer(c_int64_t), allocatable :: extents(:)

    if (present(given)) then
      extents = int(given, c_int64_t)
    else
      extents = shape(values, kind=c_int64_t)
    end if
  end function extents_of

  ! Reading

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

  !> Reads texts, all with the length of the longest one.
  subroutine element_get_texts(self, attribute, values, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    character(len=:), allocatable, intent(out) :: values(:)
    integer, intent(out), optional :: ierr
    character(kind=c_char), allocatable :: texts(:, :)
    integer(c_int64_t) :: extents(7), length, i
    integer(c_int) :: code
    integer :: longest

    length = 0
    extents = 0
    code = epios_fortran_shape_for(self%handle, c_text(attribute), 1_c_int, extents)
    if (code == epios_success) code = epios_element_text_length(self%handle, c_text(attribute), length)
    allocate (texts(length + 1, extents(1)))
    texts = c_null_char
    longest = 1
    do i = 1, extents(1)
      if (code == epios_success) then
        code = epios_element_get_item(self%handle, c_text(attribute), i - 1, texts(:, i), size(texts, 1, kind=c_size_t))
      end if
      longest = max(longest, len_trim(text_of(texts(:, i))))
    end do
    allocate (character(len=longest) :: values(extents(1)))
    do i = 1, extents(1)  ! an assignment of the whole would take the length, too
      values(i) = text_of(texts(:, i))
    end do
    call finish(code, ierr, self%client)
  end subroutine element_get_texts

  subroutine element_get_duration(self, attribute, value, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    type(epios_duration), intent(out) :: value
    integer, intent(out), optional :: ierr
    type(c_duration) :: found
    integer(c_int) :: code

    code = epios_element_get_duration(self%handle, c_text(attribute), found)
    if (code == epios_success) value = from_c(found)
    call finish(code, ierr, self%client)
  end subroutine element_get_duration

  subroutine element_get_date(self, attribute, value, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    type(epios_date), intent(out) :: value
    integer, intent(out), optional :: ierr
    character(kind=c_char) :: text(256)
    type(c_date) :: found
    integer(c_int) :: code

    code = epios_element_get_text(self%handle, c_text(attribute), text, size(text, kind=c_size_t))
    if (code == epios_success) code = epios_date_parse(self%handle%context, text, found)
    if (code == epios_success) value = from_c(found)
    call finish(code, ierr, self%client)
  end subroutine element_get_date

  ! Setting and reading by kinds of values and ranks
  include 'element_values.inc'

end module epios_elements
