! What the generated program of accessors needs: random values, and what the C interface says of an
! attribute.
module accessor_checks
  use, intrinsic :: iso_c_binding
  use xios_c
  use xios_time, only: xios_duration, xios_duration_convert_to_string
  implicit none
  private

  public :: draw, draw_word, same, put_c, same_in_c, expect

  interface draw
    module procedure draw_logical, draw_integer, draw_real, draw_text, draw_duration
    module procedure draw_logicals, draw_integers, draw_reals, draw_texts
  end interface
  interface draw_word
    module procedure draw_word_text, draw_word_integer
  end interface
  interface same
    module procedure same_logical, same_integer, same_real, same_text, same_duration
    module procedure same_logicals, same_integers, same_reals, same_texts
  end interface
  interface same_in_c
    module procedure c_has_logical, c_has_integer, c_has_real, c_has_text, c_has_duration
    module procedure c_has_logicals, c_has_integers, c_has_reals, c_has_texts
  end interface
  interface put_c
    module procedure put_c_logical, put_c_integer, put_c_real, put_c_text, put_c_duration
    module procedure put_c_logicals, put_c_integers, put_c_reals, put_c_texts
  end interface

contains

  subroutine expect(is, what)
    logical, intent(in) :: is
    character(len=*), intent(in) :: what

    if (is) return
    print '(2a)', 'FAIL: ', what
    error stop 1
  end subroutine expect

  integer function random_number_to(largest)
    integer, intent(in) :: largest
    real(8) :: number

    call random_number(number)
    random_number_to = 1 + int(number * largest)
  end function random_number_to

  subroutine draw_logical(value)
    logical, intent(out) :: value

    value = random_number_to(2) == 1
  end subroutine draw_logical

  subroutine draw_integer(value)
    integer, intent(out) :: value

    value = random_number_to(100000) - 50000
  end subroutine draw_integer

  subroutine draw_real(value)
    real(8), intent(out) :: value

    call random_number(value)
    value = (value - 0.5d0) * 1d6
  end subroutine draw_real

  subroutine draw_text(value)
    character(len=*), intent(out) :: value
    integer :: i

    value = 'x'
    do i = 2, random_number_to(12)
      value(i:i) = achar(iachar('a') + random_number_to(26) - 1)
    end do
  end subroutine draw_text

  ! One of the words "a|b|later:c".
  subroutine draw_word_text(words, value)
    character(len=*), intent(in) :: words
    character(len=*), intent(out) :: value
    character(len=len(words) + 1) :: rest
    integer :: i

    rest = words // '|'
    do i = 2, random_number_to(1 + count([(words(i:i) == '|', i=1, len(words))]))
      rest = rest(index(rest, '|') + 1:)
    end do
    value = rest(:index(rest, '|') - 1)
    if (index(value, 'later:') == 1) value = value(7:)
  end subroutine draw_word_text

  subroutine draw_word_integer(words, value)
    character(len=*), intent(in) :: words
    integer, intent(out) :: value
    character(len=20) :: word

    call draw_word_text(words, word)
    read (word, *) value
  end subroutine draw_word_integer

  subroutine draw_duration(value)
    type(xios_duration), intent(out) :: value

    value = xios_duration(day=real(random_number_to(30), 8), hour=real(random_number_to(23), 8))
  end subroutine draw_duration

  subroutine draw_logicals(value)
    logical, intent(out) :: value(:)
    integer :: i

    do i = 1, size(value)
      call draw(value(i))
    end do
  end subroutine draw_logicals

  subroutine draw_integers(value)
    integer, intent(out) :: value(:)
    integer :: i

    do i = 1, size(value)
      call draw(value(i))
    end do
  end subroutine draw_integers

  subroutine draw_reals(value)
    real(8), intent(out) :: value(:)
    integer :: i

    do i = 1, size(value)
      call draw(value(i))
    end do
  end subroutine draw_reals

  subroutine draw_texts(value)
    character(len=*), intent(out) :: value(:)
    integer :: i

    do i = 1, size(value)
      call draw(value(i))
    end do
  end subroutine draw_texts

  logical function same_logical(a, b)
    logical, intent(in) :: a, b
    same_logical = a .eqv. b
  end function same_logical

  logical function same_integer(a, b)
    integer, intent(in) :: a, b
    same_integer = a == b
  end function same_integer

  ! Bit for bit.
  logical function same_real(a, b)
    real(8), intent(in) :: a, b
    same_real = transfer(a, 0_c_int64_t) == transfer(b, 0_c_int64_t)
  end function same_real

  logical function same_text(a, b)
    character(len=*), intent(in) :: a, b
    same_text = a == b
  end function same_text

  logical function same_duration(a, b)
    type(xios_duration), intent(in) :: a, b
    same_duration = text_of(a) == text_of(b)
  end function same_duration

  logical function same_logicals(a, b)
    logical, intent(in) :: a(:), b(:)
    same_logicals = all(a .eqv. b)
  end function same_logicals

  logical function same_integers(a, b)
    integer, intent(in) :: a(:), b(:)
    same_integers = all(a == b)
  end function same_integers

  logical function same_reals(a, b)
    real(8), intent(in) :: a(:), b(:)
    same_reals = all(transfer(a, [0_c_int64_t]) == transfer(b, [0_c_int64_t]))
  end function same_reals

  logical function same_texts(a, b)
    character(len=*), intent(in) :: a(:), b(:)
    same_texts = all(a == b)
  end function same_texts

  function text_of(value) result(text)
    type(xios_duration), intent(in) :: value
    character(len=100) :: text

    call xios_duration_convert_to_string(value, text)
  end function text_of

  ! The same, as the C interface reads it.

  logical function c_has_logical(element, name, value)
    type(c_element), intent(in) :: element
    character(len=*), intent(in) :: name
    logical, intent(in) :: value
    integer(c_int) :: found

    call check(epios_element_get_bool(element, c_text(name), found))
    c_has_logical = (found /= 0) .eqv. value
  end function c_has_logical

  logical function c_has_integer(element, name, value)
    type(c_element), intent(in) :: element
    character(len=*), intent(in) :: name
    integer, intent(in) :: value
    integer(c_int64_t) :: found

    call check(epios_element_get_int(element, c_text(name), found))
    c_has_integer = found == value
  end function c_has_integer

  logical function c_has_real(element, name, value)
    type(c_element), intent(in) :: element
    character(len=*), intent(in) :: name
    real(8), intent(in) :: value
    real(c_double) :: found

    call check(epios_element_get_double(element, c_text(name), found))
    c_has_real = same(found, value)
  end function c_has_real

  logical function c_has_text(element, name, value)
    type(c_element), intent(in) :: element
    character(len=*), intent(in) :: name, value
    character(kind=c_char) :: found(200)
    character(len=200) :: text

    call check(epios_element_get_text(element, c_text(name), found, size(found, kind=c_size_t)))
    call copy_c_text(found, text)
    c_has_text = text == value
  end function c_has_text

  logical function c_has_duration(element, name, value)
    type(c_element), intent(in) :: element
    character(len=*), intent(in) :: name
    type(xios_duration), intent(in) :: value

    c_has_duration = c_has_text(element, name, text_of(value))
  end function c_has_duration

  logical function c_has_logicals(element, name, value)
    type(c_element), intent(in) :: element
    character(len=*), intent(in) :: name
    logical, intent(in) :: value(:)
    integer(c_signed_char) :: found(size(value))

    call check(epios_element_get_bools(element, c_text(name), found, size(found, kind=c_int64_t)))
    c_has_logicals = all((found /= 0) .eqv. value)
  end function c_has_logicals

  logical function c_has_integers(element, name, value)
    type(c_element), intent(in) :: element
    character(len=*), intent(in) :: name
    integer, intent(in) :: value(:)
    integer(c_int64_t) :: found(size(value))

    call check(epios_element_get_ints(element, c_text(name), found, size(found, kind=c_int64_t)))
    c_has_integers = all(found == value)
  end function c_has_integers

  logical function c_has_reals(element, name, value)
    type(c_element), intent(in) :: element
    character(len=*), intent(in) :: name
    real(8), intent(in) :: value(:)
    real(c_double) :: found(size(value))

    call check(epios_element_get_doubles(element, c_text(name), found, size(found, kind=c_int64_t)))
    c_has_reals = same(found, value)
  end function c_has_reals

  logical function c_has_texts(element, name, value)
    type(c_element), intent(in) :: element
    character(len=*), intent(in) :: name, value(:)
    character(kind=c_char) :: found(200)
    character(len=200) :: text
    integer :: i

    c_has_texts = .true.
    do i = 1, size(value)
      call check(epios_element_get_item(element, c_text(name), int(i - 1, c_int64_t), found, &
                                        size(found, kind=c_size_t)))
      call copy_c_text(found, text)
      c_has_texts = c_has_texts .and. text == value(i)
    end do
  end function c_has_texts

  subroutine put_c_logical(element, name, value)
    type(c_element), intent(in) :: element
    character(len=*), intent(in) :: name
    logical, intent(in) :: value

    call check(epios_element_set_bool(element, c_text(name), merge(1_c_int, 0_c_int, value)))
  end subroutine put_c_logical

  subroutine put_c_integer(element, name, value)
    type(c_element), intent(in) :: element
    character(len=*), intent(in) :: name
    integer, intent(in) :: value

    call check(epios_element_set_int(element, c_text(name), int(value, c_int64_t)))
  end subroutine put_c_integer

  subroutine put_c_real(element, name, value)
    type(c_element), intent(in) :: element
    character(len=*), intent(in) :: name
    real(8), intent(in) :: value

    call check(epios_element_set_double(element, c_text(name), value))
  end subroutine put_c_real

  subroutine put_c_text(element, name, value)
    type(c_element), intent(in) :: element
    character(len=*), intent(in) :: name, value

    call check(epios_element_set_text(element, c_text(name), c_text(value)))
  end subroutine put_c_text

  subroutine put_c_duration(element, name, value)
    type(c_element), intent(in) :: element
    character(len=*), intent(in) :: name
    type(xios_duration), intent(in) :: value

    call put_c_text(element, name, text_of(value))
  end subroutine put_c_duration

  subroutine put_c_logicals(element, name, value, shape)
    type(c_element), intent(in) :: element
    character(len=*), intent(in) :: name
    logical, intent(in) :: value(:)
    integer, intent(in) :: shape(:)

    call check(epios_element_set_bools(element, c_text(name), merge(1_c_signed_char, 0_c_signed_char, value), &
                                       size(shape), int(shape, c_int64_t)))
  end subroutine put_c_logicals

  subroutine put_c_integers(element, name, value, shape)
    type(c_element), intent(in) :: element
    character(len=*), intent(in) :: name
    integer, intent(in) :: value(:)
    integer, intent(in) :: shape(:)

    call check(epios_element_set_ints(element, c_text(name), int(value, c_int64_t), size(shape), &
                                      int(shape, c_int64_t)))
  end subroutine put_c_integers

  subroutine put_c_reals(element, name, value, shape)
    type(c_element), intent(in) :: element
    character(len=*), intent(in) :: name
    real(8), intent(in) :: value(:)
    integer, intent(in) :: shape(:)

    call check(epios_element_set_doubles(element, c_text(name), value, size(shape), int(shape, c_int64_t)))
  end subroutine put_c_reals

  subroutine put_c_texts(element, name, value, shape)
    type(c_element), intent(in) :: element
    character(len=*), intent(in) :: name, value(:)
    integer, intent(in) :: shape(:)
    character(kind=c_char), target :: texts(len(value) + 1, size(value))
    type(c_ptr) :: pointers(size(value))
    integer :: i

    call expect(size(shape) == 1, 'texts have one dimension')
    do i = 1, size(value)
      texts(:, i) = c_text_of_length(value(i), len(value) + 1)
      pointers(i) = c_loc(texts(1, i))
    end do
    call check(epios_element_set_texts(element, c_text(name), pointers, size(value, kind=c_int64_t)))
  end subroutine put_c_texts

end module accessor_checks
