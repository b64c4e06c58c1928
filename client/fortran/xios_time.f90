! Durations and dates, with the operators that models use. Operations that depend on the calendar use the one of the current
! context.
module xios_time
  use, intrinsic :: iso_c_binding
  use xios_c
  implicit none
  private

  public :: xios_duration, xios_date
  public :: xios_year, xios_month, xios_day, xios_hour, xios_minute, xios_second, xios_timestep
  public :: xios_duration_convert_to_string, xios_duration_convert_from_string
  public :: xios_duration_add, xios_duration_sub, xios_duration_mult, xios_duration_neg
  public :: xios_duration_eq, xios_duration_neq
  public :: xios_date_convert_to_seconds, xios_date_convert_to_string, xios_date_convert_from_string
  public :: xios_date_add_duration, xios_date_sub_duration, xios_date_sub
  public :: xios_date_eq, xios_date_neq, xios_date_lt, xios_date_le, xios_date_gt, xios_date_ge
  public :: xios_date_get_second_of_year, xios_date_get_day_of_year, xios_date_get_fraction_of_year
  public :: xios_date_get_second_of_day, xios_date_get_fraction_of_day
  public :: operator(+), operator(-), operator(*)
  public :: operator(==), operator(/=), operator(<), operator(<=), operator(>), operator(>=)
  public :: assignment(=)
  public :: to_c, from_c

  type :: xios_duration
    real(kind=8) :: year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, timestep = 0
  end type xios_duration

  type :: xios_date
    integer :: year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0
  end type xios_date

  type(xios_duration), parameter :: xios_year = xios_duration(year=1d0)
  type(xios_duration), parameter :: xios_month = xios_duration(month=1d0)
  type(xios_duration), parameter :: xios_day = xios_duration(day=1d0)
  type(xios_duration), parameter :: xios_hour = xios_duration(hour=1d0)
  type(xios_duration), parameter :: xios_minute = xios_duration(minute=1d0)
  type(xios_duration), parameter :: xios_second = xios_duration(second=1d0)
  type(xios_duration), parameter :: xios_timestep = xios_duration(timestep=1d0)

  interface xios_duration_mult
    module procedure real4_duration_mult, duration_real4_mult, real8_duration_mult
    module procedure duration_real8_mult, int_duration_mult, duration_int_mult
  end interface
  interface operator(+)
    module procedure xios_duration_add, xios_date_add_duration
  end interface
  interface operator(-)
    module procedure xios_duration_sub, xios_duration_neg, xios_date_sub_duration, xios_date_sub
  end interface
  interface operator(*)
    module procedure real4_duration_mult, duration_real4_mult, real8_duration_mult
    module procedure duration_real8_mult, int_duration_mult, duration_int_mult
  end interface
  interface operator(==)
    module procedure xios_duration_eq, xios_date_eq
  end interface
  interface operator(/=)
    module procedure xios_duration_neq, xios_date_neq
  end interface
  interface operator(<)
    module procedure xios_date_lt
  end interface
  interface operator(<=)
    module procedure xios_date_le
  end interface
  interface operator(>)
    module procedure xios_date_gt
  end interface
  interface operator(>=)
    module procedure xios_date_ge
  end interface
  interface assignment(=)
    module procedure date_assign_duration
  end interface
  interface to_c
    module procedure duration_to_c, date_to_c
  end interface
  interface from_c
    module procedure duration_from_c, date_from_c
  end interface

  ! Requests to epios_xios_date_number.
  integer(c_int), parameter :: seconds_since_origin = 0, second_of_year = 1, day_of_year = 2
  integer(c_int), parameter :: fraction_of_year = 3, second_of_day = 4, fraction_of_day = 5

contains

  elemental function duration_to_c(dur) result(out)
    type(xios_duration), intent(in) :: dur
    type(c_duration) :: out

    out = c_duration(dur%year, dur%month, dur%day, dur%hour, dur%minute, dur%second, dur%timestep)
  end function duration_to_c

  elemental function duration_from_c(dur) result(out)
    type(c_duration), intent(in) :: dur
    type(xios_duration) :: out

    out = xios_duration(dur%year, dur%month, dur%day, dur%hour, dur%minute, dur%second, dur%timestep)
  end function duration_from_c

  elemental function date_to_c(date) result(out)
    type(xios_date), intent(in) :: date
    type(c_date) :: out

    out = c_date(date%year, date%month, date%day, date%hour, date%minute, date%second)
  end function date_to_c

  elemental function date_from_c(date) result(out)
    type(c_date), intent(in) :: date
    type(xios_date) :: out

    out = xios_date(date%year, date%month, date%day, date%hour, date%minute, date%second)
  end function date_from_c

  subroutine xios_duration_convert_to_string(dur, str)
    type(xios_duration), intent(in) :: dur
    character(len=*), intent(out) :: str
    character(kind=c_char) :: text(len(str) + 1)

    call check(epios_xios_duration_text(to_c(dur), text, size(text, kind=c_size_t)))
    call copy_c_text(text, str)
  end subroutine xios_duration_convert_to_string

  function xios_duration_convert_from_string(str) result(dur)
    character(len=*), intent(in) :: str
    type(xios_duration) :: dur
    type(c_duration) :: parsed

    call check(epios_xios_duration_parse(c_text(str), parsed))
    dur = from_c(parsed)
  end function xios_duration_convert_from_string

  elemental function xios_duration_add(dur1, dur2) result(sum)
    type(xios_duration), intent(in) :: dur1, dur2
    type(xios_duration) :: sum

    sum = xios_duration(dur1%year + dur2%year, dur1%month + dur2%month, dur1%day + dur2%day, &
                        dur1%hour + dur2%hour, dur1%minute + dur2%minute, &
                        dur1%second + dur2%second, dur1%timestep + dur2%timestep)
  end function xios_duration_add

  elemental function xios_duration_sub(dur1, dur2) result(difference)
    type(xios_duration), intent(in) :: dur1, dur2
    type(xios_duration) :: difference

    difference = xios_duration_add(dur1, xios_duration_neg(dur2))
  end function xios_duration_sub

  elemental function xios_duration_neg(dur) result(negative)
    type(xios_duration), intent(in) :: dur
    type(xios_duration) :: negative

    negative = times(-1d0, dur)
  end function xios_duration_neg

  elemental function times(val, dur) result(product)
    real(kind=c_double), intent(in) :: val
    type(xios_duration), intent(in) :: dur
    type(xios_duration) :: product

    product = xios_duration(val * dur%year, val * dur%month, val * dur%day, val * dur%hour, &
                            val * dur%minute, val * dur%second, val * dur%timestep)
  end function times

  ! Products with numbers of each kind, in both orders
  include 'xios_products.inc'

  ! Compares unit by unit: a month equals no number of days.
  elemental function xios_duration_eq(dur1, dur2) result(equal)
    type(xios_duration), intent(in) :: dur1, dur2
    logical :: equal
    type(xios_duration) :: difference

    difference = xios_duration_sub(dur1, dur2)
    equal = all([difference%year, difference%month, difference%day, difference%hour, &
                 difference%minute, difference%second, difference%timestep] == 0)
  end function xios_duration_eq

  elemental function xios_duration_neq(dur1, dur2) result(differ)
    type(xios_duration), intent(in) :: dur1, dur2
    logical :: differ

    differ = .not. xios_duration_eq(dur1, dur2)
  end function xios_duration_neq

  ! Returns the seconds since the time origin of the calendar.
  function xios_date_convert_to_seconds(date) result(seconds)
    type(xios_date), intent(in) :: date
    integer(kind=c_long_long) :: seconds

    seconds = nint(number_of(date, seconds_since_origin), c_long_long)
  end function xios_date_convert_to_seconds

  ! Writes "2000-01-31 12:00:00".
  subroutine xios_date_convert_to_string(date, str)
    type(xios_date), intent(in) :: date
    character(len=*), intent(out) :: str
    character(kind=c_char) :: text(len(str) + 1)  ! what does not fit is an error

    call check(epios_xios_date_text(to_c(date), text, size(text, kind=c_size_t)))
    call copy_c_text(text, str)
  end subroutine xios_date_convert_to_string

  function xios_date_convert_from_string(str) result(date)
    character(len=*), intent(in) :: str
    type(xios_date) :: date
    type(c_date) :: parsed

    call check(epios_xios_date_parse(c_text(str), parsed))
    date = from_c(parsed)
  end function xios_date_convert_from_string

  function xios_date_add_duration(date, dur) result(sum)
    type(xios_date), intent(in) :: date
    type(xios_duration), intent(in) :: dur
    type(xios_date) :: sum
    type(c_date) :: out

    call check(epios_xios_date_add(to_c(date), to_c(dur), out))
    sum = from_c(out)
  end function xios_date_add_duration

  function xios_date_sub_duration(date, dur) result(difference)
    type(xios_date), intent(in) :: date
    type(xios_duration), intent(in) :: dur
    type(xios_date) :: difference

    difference = xios_date_add_duration(date, xios_duration_neg(dur))
  end function xios_date_sub_duration

  ! Returns the difference in seconds.
  function xios_date_sub(date1, date2) result(difference)
    type(xios_date), intent(in) :: date1, date2
    type(xios_duration) :: difference

    difference%second = real(xios_date_convert_to_seconds(date1) - xios_date_convert_to_seconds(date2), 8)
  end function xios_date_sub

  ! Returns -1, 0 or 1.
  elemental function order_of(date1, date2) result(order)
    type(xios_date), intent(in) :: date1, date2
    integer :: order
    integer :: difference(6), place

    difference = [date1%year - date2%year, date1%month - date2%month, date1%day - date2%day, &
                  date1%hour - date2%hour, date1%minute - date2%minute, date1%second - date2%second]
    order = 0
    do place = 1, 6
      if (difference(place) == 0) cycle
      order = sign(1, difference(place))
      exit
    end do
  end function order_of

  elemental function xios_date_eq(date1, date2) result(res)
    type(xios_date), intent(in) :: date1, date2
    logical :: res
    res = order_of(date1, date2) == 0
  end function xios_date_eq

  elemental function xios_date_neq(date1, date2) result(res)
    type(xios_date), intent(in) :: date1, date2
    logical :: res
    res = order_of(date1, date2) /= 0
  end function xios_date_neq

  elemental function xios_date_lt(date1, date2) result(res)
    type(xios_date), intent(in) :: date1, date2
    logical :: res
    res = order_of(date1, date2) < 0
  end function xios_date_lt

  elemental function xios_date_le(date1, date2) result(res)
    type(xios_date), intent(in) :: date1, date2
    logical :: res
    res = order_of(date1, date2) <= 0
  end function xios_date_le

  elemental function xios_date_gt(date1, date2) result(res)
    type(xios_date), intent(in) :: date1, date2
    logical :: res
    res = order_of(date1, date2) > 0
  end function xios_date_gt

  elemental function xios_date_ge(date1, date2) result(res)
    type(xios_date), intent(in) :: date1, date2
    logical :: res
    res = order_of(date1, date2) >= 0
  end function xios_date_ge

  ! Sets a date to a duration after the beginning of the calendar: year 0, or as given.
  subroutine date_assign_duration(date, dur)
    type(xios_date), intent(out) :: date
    type(xios_duration), intent(in) :: dur

    date = xios_date_add_duration(xios_date(), dur)
  end subroutine date_assign_duration

  function xios_date_get_second_of_year(date) result(res)
    type(xios_date), intent(in) :: date
    integer(kind=c_int) :: res
    res = int(number_of(date, second_of_year), c_int)
  end function xios_date_get_second_of_year

  function xios_date_get_day_of_year(date) result(res)
    type(xios_date), intent(in) :: date
    real(kind=c_double) :: res
    res = number_of(date, day_of_year)
  end function xios_date_get_day_of_year

  function xios_date_get_fraction_of_year(date) result(res)
    type(xios_date), intent(in) :: date
    real(kind=c_double) :: res
    res = number_of(date, fraction_of_year)
  end function xios_date_get_fraction_of_year

  function xios_date_get_second_of_day(date) result(res)
    type(xios_date), intent(in) :: date
    integer(kind=c_int) :: res
    res = int(number_of(date, second_of_day), c_int)
  end function xios_date_get_second_of_day

  function xios_date_get_fraction_of_day(date) result(res)
    type(xios_date), intent(in) :: date
    real(kind=c_double) :: res
    res = number_of(date, fraction_of_day)
  end function xios_date_get_fraction_of_day

  function number_of(date, which) result(number)
    type(xios_date), intent(in) :: date
    integer(c_int), intent(in) :: which
    real(c_double) :: number

    call check(epios_xios_date_number(to_c(date), which, number))
  end function number_of

end module xios_time
