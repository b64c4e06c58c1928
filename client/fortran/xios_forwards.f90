! Modules that XIOS installs beside `module xios` and that models name. They only re-export names.
module iduration
  use xios_time, only: xios_duration, &
    xios_year, xios_month, xios_day, xios_hour, xios_minute, xios_second, xios_timestep, &
    xios_duration_convert_to_string, xios_duration_convert_from_string, &
    xios_duration_add, xios_duration_sub, xios_duration_mult, xios_duration_neg, &
    xios_duration_eq, xios_duration_neq, operator(+), operator(-), operator(*), operator(==), operator(/=)
  implicit none
  public
end module iduration

module idate
  use xios_time, only: xios_date, &
    xios_date_convert_to_seconds, xios_date_convert_to_string, xios_date_convert_from_string, &
    xios_date_add_duration, xios_date_sub_duration, xios_date_sub, &
    xios_date_eq, xios_date_neq, xios_date_lt, xios_date_le, xios_date_gt, xios_date_ge, &
    xios_date_get_second_of_year, xios_date_get_day_of_year, xios_date_get_fraction_of_year, &
    xios_date_get_second_of_day, xios_date_get_fraction_of_day, &
    operator(+), operator(-), operator(==), operator(/=), operator(<), operator(<=), operator(>), operator(>=), &
    assignment(=)
  implicit none
  public
end module idate

module icalendar
  use xios_run, only: xios_define_calendar, xios_set_timestep, xios_set_start_date, xios_set_time_origin, &
    xios_get_calendar_type, xios_get_timestep, xios_get_start_date, xios_get_time_origin, &
    xios_update_calendar, xios_get_current_date, &
    xios_get_year_length_in_seconds, xios_get_day_length_in_seconds
  implicit none
  public
end module icalendar

module itimer
  use xios_run, only: xios_timer_resume, xios_timer_suspend, xios_timer_reset, xios_timer_get_time
  implicit none
  public
end module itimer

module imem_checker
  use xios_run, only: xios_mem_checker_get, xios_mem_checker_log
  implicit none
  public
end module imem_checker

! A wait that many programs use. XIOS computes meanwhile; this one sleeps and leaves the core to others.
module mod_wait
  use, intrinsic :: iso_c_binding, only: c_int
  implicit none
  private

  public :: init_wait, wait_us

  interface
    integer(c_int) function sleep_us(microseconds) bind(c, name='usleep')
      import :: c_int
      integer(c_int), value :: microseconds
    end function
  end interface

contains

  ! Does nothing, because there is nothing to calibrate.
  subroutine init_wait()
  end subroutine init_wait

  subroutine wait_us(mus)
    integer, intent(in) :: mus

    if (mus > 0) then
      ! A signal that wakes it up early makes the wait shorter.
      if (sleep_us(int(mus, c_int)) /= 0) continue
    end if
  end subroutine wait_us

end module mod_wait
