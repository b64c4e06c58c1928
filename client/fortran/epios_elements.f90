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
    epios_element_get_bools, epios_element_get_ints, epios_element_get_doubles, epios_fortran_narrow_ints, &
    epios_fortran_narrow_reals
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
    procedure, private :: element_set_text, element_set_texts, element_set_logicals, element_set_integers, &
      element_set_long_integers, element_set_reals_r8, element_set_reals_r4, element_set_duration, element_set_date
    !> Sets an attribute. A text sets any attribute in XML syntax (words, durations, dates, references). An array has the
    !> dimensions of the attribute, or is one row with a `shape`, first index fastest.
    generic :: set => element_set_text, element_set_texts, element_set_logicals, element_set_integers, &
      element_set_long_integers, element_set_reals_r8, element_set_reals_r4, element_set_duration, element_set_date
    procedure, private :: element_get_text, element_get_texts, element_get_logical, element_get_logicals_1d, &
      element_get_logicals_2d, element_get_logicals_3d, element_get_integer, element_get_integers_1d, element_get_integers_2d, &
      element_get_real_r8, element_get_real_r4, element_get_reals_1d, element_get_reals_2d, element_get_reals_3d, &
      element_get_duration, element_get_date
    !> Reads an attribute; a text reads any of them in XML syntax. Arrays are allocated, with the dimensions of the attribute
    !> or as one row.
    generic :: get => element_get_text, element_get_texts, element_get_logical, element_get_logicals_1d, &
      element_get_logicals_2d, element_get_logicals_3d, element_get_integer, element_get_integers_1d, element_get_integers_2d, &
      element_get_real_r8, element_get_real_r4, element_get_reals_1d, element_get_reals_2d, element_get_reals_3d, &
      element_get_duration, element_get_date
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

  subroutine element_set_logicals(self, attribute, values, shape, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    logical, intent(in) :: values(..)
    integer, intent(in), optional :: shape(:)
    integer, intent(out), optional :: ierr
    logical, allocatable :: row(:)
    integer(c_int64_t), allocatable :: extents(:)

    select rank (values)
      rank (0)
        call finish(epios_element_set_bool(self%handle, c_text(attribute), merge(1_c_int, 0_c_int, values)), ierr, self%client)
        return
      rank (1); row = values
      rank (2); row = pack(values, .true.)
      rank (3); row = pack(values, .true.)
      rank (4); row = pack(values, .true.)
      rank (5); row = pack(values, .true.)
      rank (6); row = pack(values, .true.)
      rank (7); row = pack(values, .true.)
    end select
    if (.not. allocated(row)) allocate (row(0))  ! of a rank that no attribute has
    allocate (extents, source=extents_of(values, shape))
    call finish(epios_element_set_bools(self%handle, c_text(attribute), merge(1_c_signed_char, 0_c_signed_char, row), &
                size(extents, kind=c_int), extents), ierr, self%client)
  end subroutine element_set_logicals

  subroutine element_set_integers(self, attribute, values, shape, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    integer, intent(in) :: values(..)
    integer, intent(in), optional :: shape(:)
    integer, intent(out), optional :: ierr
    integer, allocatable :: row(:)
    integer(c_int64_t), allocatable :: extents(:)

    select rank (values)
      rank (0)
        call finish(epios_element_set_int(self%handle, c_text(attribute), int(values, c_int64_t)), ierr, self%client)
        return
      rank (1); row = values
      rank (2); row = pack(values, .true.)
    end select
    if (.not. allocated(row)) allocate (row(0))  ! of a rank that no attribute has
    allocate (extents, source=extents_of(values, shape))
    call finish(epios_element_set_ints(self%handle, c_text(attribute), int(row, c_int64_t), &
                size(extents, kind=c_int), extents), ierr, self%client)
  end subroutine element_set_integers

  subroutine element_set_long_integers(self, attribute, values, shape, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    integer(c_int64_t), intent(in) :: values(..)
    integer, intent(in), optional :: shape(:)
    integer, intent(out), optional :: ierr
    integer(c_int64_t), allocatable :: row(:)
    integer(c_int64_t), allocatable :: extents(:)

    select rank (values)
      rank (0)
        call finish(epios_element_set_int(self%handle, c_text(attribute), values), ierr, self%client)
        return
      rank (1); row = values
      rank (2); row = pack(values, .true.)
    end select
    if (.not. allocated(row)) allocate (row(0))  ! of a rank that no attribute has
    allocate (extents, source=extents_of(values, shape))
    call finish(epios_element_set_ints(self%handle, c_text(attribute), row, &
                size(extents, kind=c_int), extents), ierr, self%client)
  end subroutine element_set_long_integers

  subroutine element_set_reals_r8(self, attribute, values, shape, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    real(c_double), intent(in) :: values(..)
    integer, intent(in), optional :: shape(:)
    integer, intent(out), optional :: ierr
    real(c_double), allocatable :: row(:)
    integer(c_int64_t), allocatable :: extents(:)

    select rank (values)
      rank (0)
        call finish(epios_element_set_double(self%handle, c_text(attribute), values), ierr, self%client)
        return
      rank (1); row = values
      rank (2); row = pack(values, .true.)
      rank (3); row = pack(values, .true.)
    end select
    if (.not. allocated(row)) allocate (row(0))  ! of a rank that no attribute has
    allocate (extents, source=extents_of(values, shape))
    call finish(epios_element_set_doubles(self%handle, c_text(attribute), row, &
                size(extents, kind=c_int), extents), ierr, self%client)
  end subroutine element_set_reals_r8

  subroutine element_set_reals_r4(self, attribute, values, shape, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    real(c_float), intent(in) :: values(..)
    integer, intent(in), optional :: shape(:)
    integer, intent(out), optional :: ierr
    real(c_float), allocatable :: row(:)
    integer(c_int64_t), allocatable :: extents(:)

    select rank (values)
      rank (0)
        call finish(epios_element_set_double(self%handle, c_text(attribute), real(values, c_double)), ierr, self%client)
        return
      rank (1); row = values
      rank (2); row = pack(values, .true.)
      rank (3); row = pack(values, .true.)
    end select
    if (.not. allocated(row)) allocate (row(0))  ! of a rank that no attribute has
    allocate (extents, source=extents_of(values, shape))
    call finish(epios_element_set_doubles(self%handle, c_text(attribute), real(row, c_double), &
                size(extents, kind=c_int), extents), ierr, self%client)
  end subroutine element_set_reals_r4

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
    integer(c_int64_t) :: wide(1)
    integer(c_int) :: code, number(1)

    number = 0
    code = epios_element_get_int(self%handle, c_text(attribute), wide(1))
    if (code == epios_success) code = epios_fortran_narrow_ints(wide, 1_c_int64_t, number)
    value = number(1)
    call finish(code, ierr, self%client)
  end subroutine element_get_integer

  subroutine element_get_real_r8(self, attribute, value, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    real(c_double), intent(out) :: value
    integer, intent(out), optional :: ierr

    value = 0
    call finish(epios_element_get_double(self%handle, c_text(attribute), value), ierr, self%client)
  end subroutine element_get_real_r8

  subroutine element_get_real_r4(self, attribute, value, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    real(c_float), intent(out) :: value
    integer, intent(out), optional :: ierr
    real(c_double) :: wide(1)
    real(c_float) :: number(1)
    integer(c_int) :: code

    number = 0
    code = epios_element_get_double(self%handle, c_text(attribute), wide(1))
    if (code == epios_success) code = epios_fortran_narrow_reals(wide, 1_c_int64_t, number)
    value = number(1)
    call finish(code, ierr, self%client)
  end subroutine element_get_real_r4

  subroutine element_get_logicals_1d(self, attribute, values, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    logical, allocatable, intent(out) :: values(:)
    integer, intent(out), optional :: ierr
    integer(c_signed_char), allocatable :: row(:)
    integer(c_int64_t) :: extents(7)
    integer(c_int) :: code

    code = fetch_bools(self, attribute, 1_c_int, row, extents)
    values = row /= 0
    call finish(code, ierr, self%client)
  end subroutine element_get_logicals_1d

  subroutine element_get_logicals_2d(self, attribute, values, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    logical, allocatable, intent(out) :: values(:,:)
    integer, intent(out), optional :: ierr
    integer(c_signed_char), allocatable :: row(:)
    integer(c_int64_t) :: extents(7)
    integer(c_int) :: code

    code = fetch_bools(self, attribute, 2_c_int, row, extents)
    values = reshape(row /= 0, extents(:2))
    call finish(code, ierr, self%client)
  end subroutine element_get_logicals_2d

  subroutine element_get_logicals_3d(self, attribute, values, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    logical, allocatable, intent(out) :: values(:,:,:)
    integer, intent(out), optional :: ierr
    integer(c_signed_char), allocatable :: row(:)
    integer(c_int64_t) :: extents(7)
    integer(c_int) :: code

    code = fetch_bools(self, attribute, 3_c_int, row, extents)
    values = reshape(row /= 0, extents(:3))
    call finish(code, ierr, self%client)
  end subroutine element_get_logicals_3d

  subroutine element_get_integers_1d(self, attribute, values, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    integer, allocatable, intent(out) :: values(:)
    integer, intent(out), optional :: ierr
    integer(c_int), allocatable :: row(:)
    integer(c_int64_t) :: extents(7)
    integer(c_int) :: code

    code = fetch_ints(self, attribute, 1_c_int, row, extents)
    values = row
    call finish(code, ierr, self%client)
  end subroutine element_get_integers_1d

  subroutine element_get_integers_2d(self, attribute, values, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    integer, allocatable, intent(out) :: values(:,:)
    integer, intent(out), optional :: ierr
    integer(c_int), allocatable :: row(:)
    integer(c_int64_t) :: extents(7)
    integer(c_int) :: code

    code = fetch_ints(self, attribute, 2_c_int, row, extents)
    values = reshape(row, extents(:2))
    call finish(code, ierr, self%client)
  end subroutine element_get_integers_2d

  subroutine element_get_reals_1d(self, attribute, values, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    real(c_double), allocatable, intent(out) :: values(:)
    integer, intent(out), optional :: ierr
    real(c_double), allocatable :: row(:)
    integer(c_int64_t) :: extents(7)
    integer(c_int) :: code

    code = fetch_doubles(self, attribute, 1_c_int, row, extents)
    values = row
    call finish(code, ierr, self%client)
  end subroutine element_get_reals_1d

  subroutine element_get_reals_2d(self, attribute, values, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    real(c_double), allocatable, intent(out) :: values(:,:)
    integer, intent(out), optional :: ierr
    real(c_double), allocatable :: row(:)
    integer(c_int64_t) :: extents(7)
    integer(c_int) :: code

    code = fetch_doubles(self, attribute, 2_c_int, row, extents)
    values = reshape(row, extents(:2))
    call finish(code, ierr, self%client)
  end subroutine element_get_reals_2d

  subroutine element_get_reals_3d(self, attribute, values, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    real(c_double), allocatable, intent(out) :: values(:,:,:)
    integer, intent(out), optional :: ierr
    real(c_double), allocatable :: row(:)
    integer(c_int64_t) :: extents(7)
    integer(c_int) :: code

    code = fetch_doubles(self, attribute, 3_c_int, row, extents)
    values = reshape(row, extents(:3))
    call finish(code, ierr, self%client)
  end subroutine element_get_reals_3d

  ! Returns the values as one row, or none after an error.

  integer(c_int) function fetch_bools(self, attribute, rank, row, extents)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    integer(c_int), intent(in) :: rank
    integer(c_signed_char), allocatable, intent(out) :: row(:)
    integer(c_int64_t), intent(out) :: extents(7)

    extents = 0
    fetch_bools = epios_fortran_shape_for(self%handle, c_text(attribute), rank, extents)
    if (fetch_bools /= epios_success) extents = 0
    allocate (row(product(extents(:rank))))
    row = 0
    if (fetch_bools == epios_success) then
      fetch_bools = epios_element_get_bools(self%handle, c_text(attribute), row, size(row, kind=c_int64_t))
    end if
  end function fetch_bools

  integer(c_int) function fetch_ints(self, attribute, rank, row, extents)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    integer(c_int), intent(in) :: rank
    integer(c_int), allocatable, intent(out) :: row(:)
    integer(c_int64_t), intent(out) :: extents(7)
    integer(c_int64_t), allocatable :: wide(:)

    extents = 0
    fetch_ints = epios_fortran_shape_for(self%handle, c_text(attribute), rank, extents)
    if (fetch_ints /= epios_success) extents = 0
    allocate (row(product(extents(:rank))), wide(product(extents(:rank))))
    row = 0
    if (fetch_ints == epios_success) then
      fetch_ints = epios_element_get_ints(self%handle, c_text(attribute), wide, size(wide, kind=c_int64_t))
    end if
    if (fetch_ints == epios_success) fetch_ints = epios_fortran_narrow_ints(wide, size(wide, kind=c_int64_t), row)
  end function fetch_ints

  integer(c_int) function fetch_doubles(self, attribute, rank, row, extents)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    integer(c_int), intent(in) :: rank
    real(c_double), allocatable, intent(out) :: row(:)
    integer(c_int64_t), intent(out) :: extents(7)

    extents = 0
    fetch_doubles = epios_fortran_shape_for(self%handle, c_text(attribute), rank, extents)
    if (fetch_doubles /= epios_success) extents = 0
    allocate (row(product(extents(:rank))))
    row = 0
    if (fetch_doubles == epios_success) then
      fetch_doubles = epios_element_get_doubles(self%handle, c_text(attribute), row, size(row, kind=c_int64_t))
    end if
  end function fetch_doubles

end module epios_elements
